// Relative motion of two bodies, and its Jacobian: what constraints, their rates and tangents
// share.
#pragma once
#include "model/data.h"

static const Xform PAIR_GROUND = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};

static inline const Xform* pair_pose(const SarData* d, int body) {  // X_GB
  return body < 0 ? &PAIR_GROUND : &d->body_X_GB[body];
}

// Motion of a body at the ground point p for a unit speed of mode `dof`, by the node that carries
// it.
__attribute__((noinline, cold, unused)) static Motion pair_mode(const SarModel* m, const SarData* d,
                                                                int dof, V3 p, int body) {
  const int mode = m->dof_body[dof];
  const SarModalNode* n = sar_carrying_node(m, body, sar_modal_of(m, mode));
  if (!n) return motion_zero();
  const Xform* X = &d->body_X_GB[n->body];
  const Motion* S = &d->node_S[n->mode + dof - n->dof];
  const V3 w = m3_mul_v(X->R, S->w);
  return (Motion){w, v3_add_cross(m3_mul_v(X->R, S->v), w, v3_sub(p, X->p))};
}

// Motion of `body` at the ground point p for a unit velocity of each coordinate dof[0..num) on its
// way to ground, times sign. Ground axes. Needs positions and world poses. Modes may move `other`
// as well, the other body of a pair: then it is the motion against that one.
static inline void pair_columns(const SarModel* m, const SarData* d, const int* dof, int num,
                                double sign, V3 p, int body, int other, Motion* J) {
  for (int k = 0; k < num; k++) {
    const int i = dof[k], b = m->dof_body[i];
    const Xform* X = &d->body_X_GB[b];
    V3 w = v3_scale(sign, m3_col_z(X->R)), v;
    switch (m->joint_class[b]) {
      case SAR_CLASS_REVOLUTE: v = v3_cross(w, v3_sub(p, X->p)); break;
      case SAR_CLASS_PRISMATIC:
        v = w;
        w = v3_zero();
        break;
      case SAR_CLASS_MODE: {
        const Motion own = pair_mode(m, d, i, p, body), its = pair_mode(m, d, i, p, other);
        w = v3_scale(sign, v3_sub(own.w, its.w));
        v = v3_scale(sign, v3_sub(own.v, its.v));
        break;
      }
      default: {
        const Motion* S = &d->dof_S[i];  // half of it is zero, mostly
        const V3 slide = v3_is_zero(S->v) ? v3_zero() : v3_scale(sign, m3_mul_v(X->R, S->v));
        w = v3_is_zero(S->w) ? v3_zero() : v3_scale(sign, m3_mul_v(X->R, S->w));
        v = v3_add_cross(slide, w, v3_sub(p, X->p));
      }
    }
    J[k] = (Motion){w, v};
  }
}

// ---- bodies with coordinates of their own: position in ground, rotation in B --------------------

enum { PAIR_FREE = 6 };

// Does the free joint on ground of one body move all of these coordinates? None is good, too.
static inline bool pair_is_own(const SarModel* m, const int* dof, int num) {
  if (num == 0) return true;
  const int b = m->dof_body[dof[0]];
  return num == PAIR_FREE && m->joint_nv[b] == PAIR_FREE && m->body_parent[b] < 0;
}

// W . J without columns:  R_GF' f  and  R_GB' (n + (p - o) x f);  turns: f is zero
static inline __attribute__((always_inline)) void pair_own_entries(const SarModel* m,
                                                                   const SarData* d, int dof,
                                                                   double sign, V3 p, Force W,
                                                                   bool turns,
                                                                   double out[PAIR_FREE]) {
  const int b = m->dof_body[dof];
  const Xform* X = &d->body_X_GB[b];
  if (turns) {
    v3_store(out, v3_zero());
    v3_store(out + 3, v3_scale(sign, m3_tmul_v(X->R, W.n)));
    return;
  }
  const V3 n = v3_add_cross(W.n, v3_sub(p, X->p), W.f);
  const M3* R_GF = &m->body_X_PF[b].R;
  const bool turned = R_GF->xx != 1 || R_GF->yy != 1;  // mostly it is not
  v3_store(out, v3_scale(sign, turned ? m3_tmul_v(*R_GF, W.f) : W.f));
  v3_store(out + 3, v3_scale(sign, m3_tmul_v(X->R, n)));
}
