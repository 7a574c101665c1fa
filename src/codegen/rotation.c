// Rotations over symbols; branches have become choices, all of whose values are computed.
#include "codegen/rotation.h"

SymQuat squat_load(const SarNode* q) { return (SymQuat){q[0], q[1], q[2], q[3]}; }

static SarNode compare(SarGraph* g, SarOp op, SarNode a, SarNode b) {
  return sar_sym_call(g, op, a, b);
}

static SarNode both(SarGraph* g, SarNode a, SarNode b) { return sar_sym_call(g, SAR_OP_AND, a, b); }

static SymQuat choose(SarGraph* g, SarNode condition, SymQuat yes, SymQuat no) {
  return (SymQuat){
      sar_sym_select(g, condition, yes.w, no.w), sar_sym_select(g, condition, yes.x, no.x),
      sar_sym_select(g, condition, yes.y, no.y), sar_sym_select(g, condition, yes.z, no.z)};
}

static SymQuat scale(SarGraph* g, SarNode s, SymQuat q) {
  return (SymQuat){s_mul(g, s, q.w), s_mul(g, s, q.x), s_mul(g, s, q.y), s_mul(g, s, q.z)};
}

// Shepperd's choice of the largest component.
SymQuat squat_of_m3(SarGraph* g, SymM3 R) {
  const SarNode one = s_num(g, 1), trace = s_add(g, s_add(g, R.xx, R.yy), R.zz);
  const SarNode x = s_sub(g, R.zy, R.yz), y = s_sub(g, R.xz, R.zx), z = s_sub(g, R.yx, R.xy);
  const SarNode xy = s_add(g, R.xy, R.yx), xz = s_add(g, R.xz, R.zx), yz = s_add(g, R.yz, R.zy);
  const SarNode x2 = s_sub(g, s_sub(g, s_add(g, one, R.xx), R.yy), R.zz);
  const SarNode y2 = s_sub(g, s_sub(g, s_add(g, one, R.yy), R.xx), R.zz);
  const SarNode z2 = s_sub(g, s_sub(g, s_add(g, one, R.zz), R.xx), R.yy);
  const SymQuat of_w = {s_add(g, one, trace), x, y, z}, of_x = {x, x2, xy, xz},
                of_y = {y, xy, y2, yz}, of_z = {z, xz, yz, z2};
  const SarNode w_largest =
      both(g, compare(g, SAR_OP_GE, trace, R.xx),
           both(g, compare(g, SAR_OP_GE, trace, R.yy), compare(g, SAR_OP_GE, trace, R.zz)));
  const SarNode x_largest =
      both(g, compare(g, SAR_OP_GE, R.xx, R.yy), compare(g, SAR_OP_GE, R.xx, R.zz));
  const SarNode y_largest = compare(g, SAR_OP_GE, R.yy, R.zz);
  const SymQuat q =
      choose(g, w_largest, of_w, choose(g, x_largest, of_x, choose(g, y_largest, of_y, of_z)));
  SarNode norm2 = s_mul(g, q.w, q.w);
  norm2 = s_mac(g, s_mac(g, s_mac(g, norm2, q.x, q.x), q.y, q.y), q.z, q.z);
  const SarNode length = sar_sym_sqrt(g, norm2);
  const SarNode sign =
      sar_sym_select(g, compare(g, SAR_OP_LT, q.w, s_num(g, 0)), s_num(g, -1), one);
  return scale(g, s_div(g, sign, length), q);
}

SymQuat squat_conj(SarGraph* g, SymQuat q) {
  return (SymQuat){q.w, s_neg(g, q.x), s_neg(g, q.y), s_neg(g, q.z)};
}

SymQuat squat_mul(SarGraph* g, SymQuat a, SymQuat b) {
  const SymV3 u = {a.x, a.y, a.z}, v = {b.x, b.y, b.z};
  const SymV3 x = sv3_add(g, sv3_cross(g, u, v), sv3_axpy(g, a.w, v, sv3_scale(g, b.w, u)));
  return (SymQuat){s_sub(g, s_mul(g, a.w, b.w), sv3_dot(g, u, v)), x.x, x.y, x.z};
}

// 2 atan2(|u|, w) u / |u|, of the one of q and -q with w >= 0
SymV3 squat_log(SarGraph* g, SymQuat q) {
  const SarNode zero = s_num(g, 0), two = s_num(g, 2);
  const SarNode sign =
      sar_sym_select(g, compare(g, SAR_OP_LT, q.w, zero), s_num(g, -1), s_num(g, 1));
  const SarNode w = s_mul(g, sign, q.w);
  const SymV3 u = sv3_scale(g, sign, (SymV3){q.x, q.y, q.z});
  const SarNode n = sv3_norm(g, u);
  const SarNode angle = s_mul(g, two, sar_sym_call(g, SAR_OP_ATAN2, n, w));
  return sv3_scale(
      g, sar_sym_select(g, compare(g, SAR_OP_GT, n, zero), s_div(g, angle, n), s_div(g, two, w)),
      u);
}

// w + xi x w / 2 + c xi x (xi x w),  c = (1 - theta/2 cot(theta/2)) / theta^2, a series where small
SymV3 srotvec_rate(SarGraph* g, SymV3 xi, SymV3 w) {
  const SarNode t2 = sv3_dot(g, xi, xi), half = s_mul(g, s_num(g, 0.5), sar_sym_sqrt(g, t2));
  SarNode series = s_mac(g, s_num(g, 1.0 / 30240), t2, s_num(g, 1.0 / 1209600));
  series = s_mac(g, s_num(g, 1.0 / 720), t2, series);
  series = s_mac(g, s_num(g, 1.0 / 12), t2, series);
  const SarNode cotangent = s_div(g, sar_sym_cos(g, half), sar_sym_sin(g, half));
  const SarNode closed = s_div(g, s_msc(g, s_num(g, 1), half, cotangent), t2);
  const SarNode c = sar_sym_select(g, compare(g, SAR_OP_LT, t2, s_num(g, 0.01)), series, closed);
  const SymV3 a = sv3_cross(g, xi, w);
  const SymV3 b = sv3_axpy(g, c, sv3_cross(g, xi, a), w);
  return sv3_axpy(g, s_num(g, 0.5), a, b);
}

// Letters as in math/sequence.c.
SarNode srotation_angle(SarGraph* g, SymM3 R, const char sequence[4], int which) {
  const SarNode r[3][3] = {{R.xx, R.xy, R.xz}, {R.yx, R.yy, R.yz}, {R.zx, R.zy, R.zz}};
  const int i = sequence[0] - 'x', j = sequence[1] - 'x', k = sequence[2] - 'x';
  const int third = 3 - i - j, last = i != k ? j : third;
  const SarNode e = s_num(g, (i + 1) % 3 == j ? 1 : -1), minus = s_neg(g, e);
  const SarNode across = sar_sym_call(g, SAR_OP_HYPOT, i != k ? r[i][i] : r[i][j], r[i][last]);
  const SarNode free = compare(g, SAR_OP_GT, across, s_num(g, 1e-9));
  SarNode y, x, y_locked = s_num(g, 0), x_locked = s_num(g, 1);
  if (which == 1) {
    y = i != k ? s_mul(g, e, r[i][k]) : across;
    x = i != k ? across : r[i][i];
    return sar_sym_call(g, SAR_OP_ATAN2, y, x);
  }
  if (which == 0) {
    y = i != k ? s_mul(g, minus, r[j][k]) : r[j][i];
    x = i != k ? r[k][k] : s_mul(g, minus, r[third][i]);
    y_locked = s_mul(g, e, r[i != k ? k : third][j]);
    x_locked = r[j][j];
  } else {
    y = i != k ? s_mul(g, minus, r[i][j]) : r[i][j];
    x = i != k ? r[i][i] : s_mul(g, e, r[i][third]);
  }
  return sar_sym_select(g, free, sar_sym_call(g, SAR_OP_ATAN2, y, x),
                        sar_sym_call(g, SAR_OP_ATAN2, y_locked, x_locked));
}
