// Velocity products, and vectors and inertias from body to parent, over symbols.
//
// A turn about z of a symmetric block with the entries a, b, e takes seven operations in place of
// fourteen:  k = s (a - e) + 2 c b,  a* = a - s k,  e* = e + s k,  b* = c k - b.
#include "codegen/motion.h"

#include <string.h>

SymProducts sar_symbols_products(const SarSymbols* s, SymV3 w) {
  SarGraph* g = s->g;
  return (SymProducts){s_mul(g, w.x, w.x), s_mul(g, w.x, w.y), s_mul(g, w.x, w.z),
                       s_mul(g, w.y, w.y), s_mul(g, w.y, w.z), s_mul(g, w.z, w.z)};
}

// w (w.p) - w^2 p
SymV3 sar_symbols_centripetal(const SarSymbols* s, SymProducts P, SymV3 p) {
  SarGraph* g = s->g;
  const SarNode x = s_add(g, P.yy, P.zz), y = s_add(g, P.xx, P.zz), z = s_add(g, P.xx, P.yy);
  return (SymV3){s_msc(g, s_mac(g, s_mul(g, P.xy, p.y), P.xz, p.z), x, p.x),
                 s_msc(g, s_mac(g, s_mul(g, P.xy, p.x), P.yz, p.z), y, p.y),
                 s_msc(g, s_mac(g, s_mul(g, P.xz, p.x), P.yz, p.y), z, p.z)};
}

static SarNode sum4(SarGraph* g, SarNode a, SarNode b, SarNode c, SarNode d) {
  return s_add(g, s_add(g, s_add(g, a, b), c), d);
}

SymForce sar_symbols_gyroscopic(const SarSymbols* s, int b) {
  SarGraph* g = s->g;
  const SymInertia B = sar_symbols_inertia(s, b);
  const SymS3 I = B.I;
  const SymProducts P = sar_symbols_products(s, s->w[b]);
  SymForce F;
  F.n.x = sum4(g, s_mul(g, s_sub(g, I.zz, I.yy), P.yz), s_mul(g, I.yz, s_sub(g, P.yy, P.zz)),
               s_mul(g, I.xz, P.xy), s_neg(g, s_mul(g, I.xy, P.xz)));
  F.n.y = sum4(g, s_mul(g, s_sub(g, I.xx, I.zz), P.xz), s_mul(g, I.xz, s_sub(g, P.zz, P.xx)),
               s_mul(g, I.xy, P.yz), s_neg(g, s_mul(g, I.yz, P.xy)));
  F.n.z = sum4(g, s_mul(g, s_sub(g, I.yy, I.xx), P.xy), s_mul(g, I.xy, s_sub(g, P.xx, P.yy)),
               s_mul(g, I.yz, P.xz), s_neg(g, s_mul(g, I.xz, P.yz)));
  F.f = sar_symbols_centripetal(s, P, B.h);
  return F;
}

bool sar_symbols_is_free(const SarSymbols* s, int b) {
  return strcmp(s->m->joint_kind[b]->name, "free") == 0;
}

SymBias sar_symbols_joint_bias(const SarSymbols* s, int b) {
  const SarModel* m = s->m;
  SarGraph* g = s->g;
  const int p = m->body_parent[b], i = m->joint_vadr[b];
  const SymV3 w = s->w[b];
  SymBias c = {sv3_zero(g), sv3_zero(g)};
  if (p >= 0)
    c.a = sar_symbols_to_child(
        s, b,
        sar_symbols_centripetal(s, sar_symbols_products(s, s->w[p]), sar_symbols_offset(s, b)));
  switch (m->joint_class[b]) {
    case SAR_CLASS_REVOLUTE:  // w x z v
      c.alpha.x = s_mul(g, w.y, s->v[i]);
      c.alpha.y = s_neg(g, s_mul(g, w.x, s->v[i]));
      break;
    case SAR_CLASS_PRISMATIC: {  // 2 w x z v
      const SarNode twice = s_mul(g, s_num(g, 2), s->v[i]);
      c.a.x = s_mac(g, c.a.x, w.y, twice);
      c.a.y = s_msc(g, c.a.y, w.x, twice);
      break;
    }
    case SAR_CLASS_GENERAL: {
      const SymJoint* j = &s->joint[b];
      const SymV3 both = sv3_sub(g, sv3_scale(g, s_num(g, 2), w), j->Sv.w);
      c.alpha = sv3_add(g, sv3_cross(g, w, j->Sv.w), j->cJ.w);
      c.a = sv3_add(g, sv3_add(g, c.a, sv3_cross(g, both, j->Sv.v)), j->cJ.v);
      break;
    }
    default: break;
  }
  return c;
}

SymBias sar_symbols_carried(const SarSymbols* s, int b, SymBias A_P) {
  const SymV3 at = sv3_add(s->g, A_P.a, sv3_cross(s->g, A_P.alpha, sar_symbols_offset(s, b)));
  return (SymBias){sar_symbols_to_child(s, b, A_P.alpha), sar_symbols_to_child(s, b, at)};
}

SymBias sar_symbols_ground(const SarSymbols* s) {
  return (SymBias){sv3_zero(s->g), sv3_of(s->g, v3_neg(s->m->gravity))};
}

SymMotion sar_symbols_motion(SymBias A) { return (SymMotion){A.alpha, A.a}; }

SymForce sar_symbols_force_to_parent(const SarSymbols* s, int b, SymForce F) {
  const SymV3 f = sar_symbols_to_parent(s, b, F.f), n = sar_symbols_to_parent(s, b, F.n);
  return (SymForce){sv3_add(s->g, n, sv3_cross(s->g, sar_symbols_offset(s, b), f)), f};
}

// ---- inertias -----------------------------------------------------------------------------------

static SymS3 turn_symmetric(SarGraph* g, SarNode c, SarNode s, SymS3 A) {
  const SarNode k = s_mac(g, s_mul(g, s, s_sub(g, A.xx, A.yy)), c, s_mul(g, s_num(g, 2), A.xy));
  return (SymS3){s_msc(g, A.xx, s, k),
                 s_sub(g, s_mul(g, c, k), A.xy),
                 s_msc(g, s_mul(g, c, A.xz), s, A.yz),
                 s_mac(g, A.yy, s, k),
                 s_mac(g, s_mul(g, c, A.yz), s, A.xz),
                 A.zz};
}

static SymM3 turn_full(SarGraph* g, SarNode c, SarNode s, SymM3 A) {
  const SarNode k = s_mac(g, s_mul(g, s, s_sub(g, A.xx, A.yy)), c, s_add(g, A.xy, A.yx)),
                ck = s_mul(g, c, k);
  return (SymM3){s_msc(g, A.xx, s, k),
                 s_sub(g, ck, A.yx),
                 s_msc(g, s_mul(g, c, A.xz), s, A.yz),
                 s_sub(g, ck, A.xy),
                 s_mac(g, A.yy, s, k),
                 s_mac(g, s_mul(g, c, A.yz), s, A.xz),
                 s_msc(g, s_mul(g, c, A.zx), s, A.zy),
                 s_mac(g, s_mul(g, c, A.zy), s, A.zx),
                 A.zz};
}

static SymS3 symmetric_to_parent(const SarSymbols* s, int b, SymS3 A) {
  const SymJoint* j = &s->joint[b];
  if (s->m->joint_class[b] == SAR_CLASS_REVOLUTE) A = turn_symmetric(s->g, j->c, j->s, A);
  if (s->m->joint_class[b] == SAR_CLASS_GENERAL) A = ss3_rotate(s->g, j->X_FB.R, A);
  return ss3_rotate(s->g, j->X_PF.R, A);
}

static SymM3 full_to_parent(const SarSymbols* s, int b, SymM3 A) {
  const SymJoint* j = &s->joint[b];
  if (s->m->joint_class[b] == SAR_CLASS_REVOLUTE) A = turn_full(s->g, j->c, j->s, A);
  if (s->m->joint_class[b] == SAR_CLASS_GENERAL) A = sm3_rotate(s->g, j->X_FB.R, A);
  return sm3_rotate(s->g, j->X_PF.R, A);
}

SymArticulated sar_symbols_articulated_to_parent(const SarSymbols* s, int b, SymArticulated I) {
  const SymArticulated turned = {symmetric_to_parent(s, b, I.A), full_to_parent(s, b, I.H),
                                 symmetric_to_parent(s, b, I.M)};
  return sarticulated_shift(s->g, sar_symbols_offset(s, b), turned);
}

SymInertia sar_symbols_inertia_to_parent(const SarSymbols* s, int b, SymInertia I) {
  const SymInertia turned = {I.m, sar_symbols_to_parent(s, b, I.h), symmetric_to_parent(s, b, I.I)};
  return sinertia_shift(s->g, sar_symbols_offset(s, b), turned);
}
