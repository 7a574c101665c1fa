// Bias accelerations and generalised forces (RNEA) over symbols: dynamics/rnea.c with conventional
// accelerations (symbols.h), for zero joint accelerations, or for given ones.
//
// Source: Featherstone 2008, table 5.1.
//
//   A = X A_P + c + S a            gravity is an acceleration of the ground
//   F = I A + (w x I w; w x (w x h)) - F_applied, then F_P += X* F, from the tips
//   rest = tau - S'F:   M a + Psi' lambda = rest
#include "codegen/motion.h"

void sar_symbols_bias(SarSymbols* s) {
  for (int b = 0; b < s->m->nbody; b++) {
    const int p = s->m->body_parent[b];
    const SymBias carried = sar_symbols_carried(s, b, p < 0 ? sar_symbols_ground(s) : s->bias[p]);
    const SymBias c = sar_symbols_joint_bias(s, b);
    s->bias[b] = (SymBias){sv3_add(s->g, carried.alpha, c.alpha), sv3_add(s->g, carried.a, c.a)};
  }
}

void sar_symbols_moving(SarSymbols* s, const SarNode* a) {
  const SarModel* m = s->m;
  for (int b = 0; b < m->nbody; b++) {
    const int p = m->body_parent[b];
    const SymBias carried = sar_symbols_carried(s, b, p < 0 ? sar_symbols_ground(s) : s->bias[p]);
    const SymBias c = sar_symbols_joint_bias(s, b);
    SymMotion A = {sv3_add(s->g, carried.alpha, c.alpha), sv3_add(s->g, carried.a, c.a)};
    for (int i = 0; i < m->joint_nv[b]; i++)
      A = smotion_axpy(s->g, a[m->joint_vadr[b] + i], s->joint[b].S[i], A);
    s->bias[b] = (SymBias){A.w, A.v};
  }
}

void sar_symbols_rest(SarSymbols* s) {
  const SarModel* m = s->m;
  SymForce* F = SAR_ARENA_ARRAY(s->arena, SymForce, m->nbody + 1);
  if (!F) return;
  for (int b = 0; b < m->nbody; b++) {
    const SymForce inertial =
        sinertia_mul(s->g, sar_symbols_inertia(s, b), sar_symbols_motion(s->bias[b]));
    F[b] = sforce_sub(s->g, sforce_add(s->g, inertial, sar_symbols_gyroscopic(s, b)), s->F[b]);
  }
  for (int b = m->nbody - 1; b >= 0; b--) {
    const int p = m->body_parent[b];
    for (int i = 0; i < m->joint_nv[b]; i++) {
      const int k = m->joint_vadr[b] + i;
      s->rest[k] = s_sub(s->g, s->tau[k], spower(s->g, s->joint[b].S[i], F[b]));
    }
    if (p >= 0) F[p] = sforce_add(s->g, F[p], sar_symbols_force_to_parent(s, b, F[b]));
  }
}
