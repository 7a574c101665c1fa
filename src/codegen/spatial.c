// Vectors and matrices over symbols.
#include "codegen/spatial.h"

// ---- vectors ------------------------------------------------------------------------------------

SymV3 sv3_of(SarGraph* g, V3 a) { return (SymV3){s_num(g, a.x), s_num(g, a.y), s_num(g, a.z)}; }

SymV3 sv3_zero(SarGraph* g) { return sv3_of(g, v3_zero()); }

SymV3 sv3_add(SarGraph* g, SymV3 a, SymV3 b) {
  return (SymV3){s_add(g, a.x, b.x), s_add(g, a.y, b.y), s_add(g, a.z, b.z)};
}

SymV3 sv3_sub(SarGraph* g, SymV3 a, SymV3 b) {
  return (SymV3){s_sub(g, a.x, b.x), s_sub(g, a.y, b.y), s_sub(g, a.z, b.z)};
}

SymV3 sv3_neg(SarGraph* g, SymV3 a) { return (SymV3){s_neg(g, a.x), s_neg(g, a.y), s_neg(g, a.z)}; }

SymV3 sv3_scale(SarGraph* g, SarNode s, SymV3 a) {
  return (SymV3){s_mul(g, s, a.x), s_mul(g, s, a.y), s_mul(g, s, a.z)};
}

SymV3 sv3_axpy(SarGraph* g, SarNode s, SymV3 a, SymV3 b) {
  return (SymV3){s_mac(g, b.x, s, a.x), s_mac(g, b.y, s, a.y), s_mac(g, b.z, s, a.z)};
}

SarNode sv3_dot(SarGraph* g, SymV3 a, SymV3 b) {
  return s_mac(g, s_mac(g, s_mul(g, a.x, b.x), a.y, b.y), a.z, b.z);
}

SymV3 sv3_cross(SarGraph* g, SymV3 a, SymV3 b) {
  return (SymV3){s_msc(g, s_mul(g, a.y, b.z), a.z, b.y), s_msc(g, s_mul(g, a.z, b.x), a.x, b.z),
                 s_msc(g, s_mul(g, a.x, b.y), a.y, b.x)};
}

SarNode sv3_norm(SarGraph* g, SymV3 a) { return sar_sym_sqrt(g, sv3_dot(g, a, a)); }

// What is left of a sum without one of its terms; SAR_NONE: it has no such term, or not as near as
// `levels`.
enum { LEVELS = 16 };
static SarNode without(SarGraph* g, SarNode sum, SarNode term, int levels) {
  const SarOp op = sar_node_op(g, sum);
  if (sum == term) return s_num(g, 0);
  if ((op != SAR_OP_ADD && op != SAR_OP_SUB) || levels == 0) return SAR_NONE;
  const SarNode a = sar_node_arg(g, sum, 0), b = sar_node_arg(g, sum, 1);
  const SarNode first = without(g, a, term, levels - 1);
  if (first >= 0) return op == SAR_OP_ADD ? s_add(g, first, b) : s_sub(g, first, b);
  const SarNode second = op == SAR_OP_ADD ? without(g, b, term, levels / 4) : SAR_NONE;
  return second >= 0 ? s_add(g, a, second) : SAR_NONE;
}

static SarNode from(SarGraph* g, SarNode o, SarNode p) {
  const SarNode rest = s_is_zero(g, o) ? p : without(g, p, o, LEVELS);
  return rest >= 0 ? rest : s_sub(g, p, o);
}

SymV3 sv3_from(SarGraph* g, SymV3 o, SymV3 p) {
  return (SymV3){from(g, o.x, p.x), from(g, o.y, p.y), from(g, o.z, p.z)};
}

bool sv3_is_zero(const SarGraph* g, SymV3 a) {
  return s_is_zero(g, a.x) && s_is_zero(g, a.y) && s_is_zero(g, a.z);
}

// ---- matrices -----------------------------------------------------------------------------------

SymM3 sm3_of(SarGraph* g, M3 R) {
  return (SymM3){s_num(g, R.xx), s_num(g, R.xy), s_num(g, R.xz), s_num(g, R.yx), s_num(g, R.yy),
                 s_num(g, R.yz), s_num(g, R.zx), s_num(g, R.zy), s_num(g, R.zz)};
}

SymV3 sm3_col_x(SymM3 A) { return (SymV3){A.xx, A.yx, A.zx}; }
SymV3 sm3_col_y(SymM3 A) { return (SymV3){A.xy, A.yy, A.zy}; }
SymV3 sm3_col_z(SymM3 A) { return (SymV3){A.xz, A.yz, A.zz}; }

static SymV3 row_x(SymM3 A) { return (SymV3){A.xx, A.xy, A.xz}; }
static SymV3 row_y(SymM3 A) { return (SymV3){A.yx, A.yy, A.yz}; }
static SymV3 row_z(SymM3 A) { return (SymV3){A.zx, A.zy, A.zz}; }

SymM3 sm3_transpose(SymM3 A) {
  return (SymM3){A.xx, A.yx, A.zx, A.xy, A.yy, A.zy, A.xz, A.yz, A.zz};
}

SymM3 sm3_from_cols(SymV3 x, SymV3 y, SymV3 z) {
  return (SymM3){x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z};
}

SymV3 sm3_mul_v(SarGraph* g, SymM3 A, SymV3 b) {
  return (SymV3){sv3_dot(g, row_x(A), b), sv3_dot(g, row_y(A), b), sv3_dot(g, row_z(A), b)};
}

SymV3 sm3_tmul_v(SarGraph* g, SymM3 A, SymV3 b) { return sm3_mul_v(g, sm3_transpose(A), b); }

SymM3 sm3_mul(SarGraph* g, SymM3 A, SymM3 B) {
  return sm3_from_cols(sm3_mul_v(g, A, sm3_col_x(B)), sm3_mul_v(g, A, sm3_col_y(B)),
                       sm3_mul_v(g, A, sm3_col_z(B)));
}

SymM3 sm3_rot_z(SarGraph* g, SarNode c, SarNode s) {
  const SarNode zero = s_num(g, 0);
  return (SymM3){c, s_neg(g, s), zero, s, c, zero, zero, zero, s_num(g, 1)};
}

SymM3 sm3_of_quaternion(SarGraph* g, const SarNode* q) {
  // products first, and the quotient last: nothing but a factor waits for it
  const SarNode one = s_num(g, 1);
  const SarNode xx = s_mul(g, q[1], q[1]), yy = s_mul(g, q[2], q[2]), zz = s_mul(g, q[3], q[3]);
  const SarNode yy_zz = s_add(g, yy, zz);
  const SarNode norm2 = s_add(g, s_mac(g, xx, q[0], q[0]), yy_zz);
  const SarNode s = s_div(g, s_num(g, 2), norm2);
  const SarNode xy = s_mul(g, q[1], q[2]), xz = s_mul(g, q[1], q[3]), yz = s_mul(g, q[2], q[3]);
  const SarNode wx = s_mul(g, q[0], q[1]), wy = s_mul(g, q[0], q[2]), wz = s_mul(g, q[0], q[3]);
  return (SymM3){s_msc(g, one, s, yy_zz),
                 s_mul(g, s, s_sub(g, xy, wz)),
                 s_mul(g, s, s_add(g, xz, wy)),
                 s_mul(g, s, s_add(g, xy, wz)),
                 s_msc(g, one, s, s_add(g, xx, zz)),
                 s_mul(g, s, s_sub(g, yz, wx)),
                 s_mul(g, s, s_sub(g, xz, wy)),
                 s_mul(g, s, s_add(g, yz, wx)),
                 s_msc(g, one, s, s_add(g, xx, yy))};
}

SymS3 ss3_of(SarGraph* g, S3 A) {
  return (SymS3){s_num(g, A.xx), s_num(g, A.xy), s_num(g, A.xz),
                 s_num(g, A.yy), s_num(g, A.yz), s_num(g, A.zz)};
}

SymS3 ss3_add(SarGraph* g, SymS3 a, SymS3 b) {
  return (SymS3){s_add(g, a.xx, b.xx), s_add(g, a.xy, b.xy), s_add(g, a.xz, b.xz),
                 s_add(g, a.yy, b.yy), s_add(g, a.yz, b.yz), s_add(g, a.zz, b.zz)};
}

static SymM3 full(SymS3 A) { return (SymM3){A.xx, A.xy, A.xz, A.xy, A.yy, A.yz, A.xz, A.yz, A.zz}; }

SymV3 ss3_mul_v(SarGraph* g, SymS3 A, SymV3 b) { return sm3_mul_v(g, full(A), b); }

SymS3 ss3_rotate(SarGraph* g, SymM3 R, SymS3 A) {
  const SymM3 B = sm3_mul(g, R, full(A));
  return (SymS3){sv3_dot(g, row_x(B), row_x(R)), sv3_dot(g, row_x(B), row_y(R)),
                 sv3_dot(g, row_x(B), row_z(R)), sv3_dot(g, row_y(B), row_y(R)),
                 sv3_dot(g, row_y(B), row_z(R)), sv3_dot(g, row_z(B), row_z(R))};
}

SymM3 sm3_rotate(SarGraph* g, SymM3 R, SymM3 A) {
  return sm3_mul(g, sm3_mul(g, R, A), sm3_transpose(R));
}

// ---- spatial vectors ----------------------------------------------------------------------------

SymXform sx_of(SarGraph* g, Xform X) { return (SymXform){sm3_of(g, X.R), sv3_of(g, X.p)}; }

SymV3 sx_point(SarGraph* g, SymXform X_AB, SymV3 p_B) {
  return sv3_add(g, sm3_mul_v(g, X_AB.R, p_B), X_AB.p);
}

SymXform sx_mul(SarGraph* g, SymXform X_AB, SymXform X_BC) {
  return (SymXform){sm3_mul(g, X_AB.R, X_BC.R), sx_point(g, X_AB, X_BC.p)};
}

SymMotion smotion_zero(SarGraph* g) { return (SymMotion){sv3_zero(g), sv3_zero(g)}; }

SymMotion smotion_of(SarGraph* g, Motion m) { return (SymMotion){sv3_of(g, m.w), sv3_of(g, m.v)}; }

SymMotion smotion_add(SarGraph* g, SymMotion a, SymMotion b) {
  return (SymMotion){sv3_add(g, a.w, b.w), sv3_add(g, a.v, b.v)};
}

SymMotion smotion_axpy(SarGraph* g, SarNode s, SymMotion a, SymMotion b) {
  return (SymMotion){sv3_axpy(g, s, a.w, b.w), sv3_axpy(g, s, a.v, b.v)};
}

SymForce sforce_zero(SarGraph* g) { return (SymForce){sv3_zero(g), sv3_zero(g)}; }

SymForce sforce_add(SarGraph* g, SymForce a, SymForce b) {
  return (SymForce){sv3_add(g, a.n, b.n), sv3_add(g, a.f, b.f)};
}

SymForce sforce_sub(SarGraph* g, SymForce a, SymForce b) {
  return (SymForce){sv3_sub(g, a.n, b.n), sv3_sub(g, a.f, b.f)};
}

SymForce sforce_axpy(SarGraph* g, SarNode s, SymForce a, SymForce b) {
  return (SymForce){sv3_axpy(g, s, a.n, b.n), sv3_axpy(g, s, a.f, b.f)};
}

SarNode spower(SarGraph* g, SymMotion m, SymForce F) {
  return s_add(g, sv3_dot(g, m.w, F.n), sv3_dot(g, m.v, F.f));
}

// ---- rigid bodies -------------------------------------------------------------------------------

SymInertia sinertia_of(SarGraph* g, Inertia I) {
  return (SymInertia){s_num(g, I.m), sv3_of(g, I.h), ss3_of(g, I.I)};
}

SymInertia sinertia_add(SarGraph* g, SymInertia a, SymInertia b) {
  return (SymInertia){s_add(g, a.m, b.m), sv3_add(g, a.h, b.h), ss3_add(g, a.I, b.I)};
}

// n = I w + h x v,  f = m v - h x w
SymForce sinertia_mul(SarGraph* g, SymInertia I, SymMotion a) {
  return (SymForce){sv3_add(g, ss3_mul_v(g, I.I, a.w), sv3_cross(g, I.h, a.v)),
                    sv3_sub(g, sv3_scale(g, I.m, a.v), sv3_cross(g, I.h, a.w))};
}

// With k = h + m p / 2:  h* = h + m p,  I* = I + 2 (k.p) 1 - p k' - k p'
SymInertia sinertia_shift(SarGraph* g, SymV3 p, SymInertia I) {
  const SymV3 k = sv3_axpy(g, s_mul(g, s_num(g, 0.5), I.m), p, I.h);
  const SarNode xx = s_mul(g, p.x, k.x), yy = s_mul(g, p.y, k.y), zz = s_mul(g, p.z, k.z);
  const SarNode two = s_num(g, 2);
  const SymS3 more = {s_mul(g, two, s_add(g, yy, zz)),
                      s_neg(g, s_mac(g, s_mul(g, p.x, k.y), p.y, k.x)),
                      s_neg(g, s_mac(g, s_mul(g, p.x, k.z), p.z, k.x)),
                      s_mul(g, two, s_add(g, xx, zz)),
                      s_neg(g, s_mac(g, s_mul(g, p.y, k.z), p.z, k.y)),
                      s_mul(g, two, s_add(g, xx, yy))};
  return (SymInertia){I.m, sv3_axpy(g, I.m, p, I.h), ss3_add(g, I.I, more)};
}

// ---- articulated bodies -------------------------------------------------------------------------

SymArticulated sarticulated_zero(SarGraph* g) {
  const SarNode o = s_num(g, 0);
  return (SymArticulated){{o, o, o, o, o, o}, {o, o, o, o, o, o, o, o, o}, {o, o, o, o, o, o}};
}

static SymM3 add_m3(SarGraph* g, SymM3 a, SymM3 b) {
  return (SymM3){s_add(g, a.xx, b.xx), s_add(g, a.xy, b.xy), s_add(g, a.xz, b.xz),
                 s_add(g, a.yx, b.yx), s_add(g, a.yy, b.yy), s_add(g, a.yz, b.yz),
                 s_add(g, a.zx, b.zx), s_add(g, a.zy, b.zy), s_add(g, a.zz, b.zz)};
}

SymArticulated sarticulated_add(SarGraph* g, SymArticulated a, SymArticulated b) {
  return (SymArticulated){ss3_add(g, a.A, b.A), add_m3(g, a.H, b.H), ss3_add(g, a.M, b.M)};
}

// A + I,  H + h~,  M + m 1
SymArticulated sarticulated_add_inertia(SarGraph* g, SymArticulated a, SymInertia I) {
  const SarNode o = s_num(g, 0);
  const SymM3 tilde = {o, s_neg(g, I.h.z), I.h.y, I.h.z, o, s_neg(g, I.h.x), s_neg(g, I.h.y), I.h.x,
                       o};
  return (SymArticulated){ss3_add(g, a.A, I.I), add_m3(g, a.H, tilde),
                          ss3_add(g, a.M, (SymS3){I.m, o, o, I.m, o, I.m})};
}

SymForce sarticulated_mul(SarGraph* g, SymArticulated a, SymMotion m) {
  return (SymForce){sv3_add(g, ss3_mul_v(g, a.A, m.w), sm3_mul_v(g, a.H, m.v)),
                    sv3_add(g, sm3_tmul_v(g, a.H, m.w), ss3_mul_v(g, a.M, m.v))};
}

static SymS3 sub_outer_symmetric(SarGraph* g, SymS3 a, SymV3 F, SymV3 G) {
  return (SymS3){s_msc(g, a.xx, F.x, G.x), s_msc(g, a.xy, F.x, G.y), s_msc(g, a.xz, F.x, G.z),
                 s_msc(g, a.yy, F.y, G.y), s_msc(g, a.yz, F.y, G.z), s_msc(g, a.zz, F.z, G.z)};
}

static SymM3 sub_outer(SarGraph* g, SymM3 a, SymV3 F, SymV3 G) {
  return (SymM3){s_msc(g, a.xx, F.x, G.x), s_msc(g, a.xy, F.x, G.y), s_msc(g, a.xz, F.x, G.z),
                 s_msc(g, a.yx, F.y, G.x), s_msc(g, a.yy, F.y, G.y), s_msc(g, a.yz, F.y, G.z),
                 s_msc(g, a.zx, F.z, G.x), s_msc(g, a.zy, F.z, G.y), s_msc(g, a.zz, F.z, G.z)};
}

SymArticulated sarticulated_sub_outer(SarGraph* g, SymArticulated a, SymForce F, SymForce G) {
  return (SymArticulated){sub_outer_symmetric(g, a.A, F.n, G.n), sub_outer(g, a.H, F.n, G.f),
                          sub_outer_symmetric(g, a.M, F.f, G.f)};
}

// rows of p~ M
static SymM3 tilde_mul(SarGraph* g, SymV3 p, SymS3 M) {
  return sm3_from_cols(sv3_cross(g, p, (SymV3){M.xx, M.xy, M.xz}),
                       sv3_cross(g, p, (SymV3){M.xy, M.yy, M.yz}),
                       sv3_cross(g, p, (SymV3){M.xz, M.yz, M.zz}));
}

// M stays,  H* = H + p~ M,  A* = A + p~ H' - H* p~:  A*_ij = A_ij + (p x h_j)_i + (p x h*_i)_j with
// the rows h of H. The halves are taken so that each entry of the symmetric A* is computed once.
SymArticulated sarticulated_shift(SarGraph* g, SymV3 p, SymArticulated a) {
  if (sv3_is_zero(g, p)) return a;
  const SymM3 H = add_m3(g, a.H, tilde_mul(g, p, a.M));
  const SymV3 x = sv3_cross(g, p, row_x(a.H)), y = sv3_cross(g, p, row_y(a.H)),
              z = sv3_cross(g, p, row_z(a.H));
  const SymV3 X = sv3_cross(g, p, row_x(H)), Y = sv3_cross(g, p, row_y(H)),
              Z = sv3_cross(g, p, row_z(H));
  const SymS3 A = {s_add(g, s_add(g, a.A.xx, x.x), X.x), s_add(g, s_add(g, a.A.xy, y.x), X.y),
                   s_add(g, s_add(g, a.A.xz, z.x), X.z), s_add(g, s_add(g, a.A.yy, y.y), Y.y),
                   s_add(g, s_add(g, a.A.yz, z.y), Y.z), s_add(g, s_add(g, a.A.zz, z.z), Z.z)};
  return (SymArticulated){A, H, a.M};
}
