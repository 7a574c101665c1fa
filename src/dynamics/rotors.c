// Rotors in moving bodies (rotors.h).
#include "dynamics/rotors.h"

void sar_add_rotor_couples(const SarModel* m, const SarData* d, const double* a, LaneForce* F) {
  for (int k = 0; k < m->nrotor; k++) {
    const SarRotor* r = &m->rotor[k];
    const int c = sar_rotor_carrier(m, r);
    F[c].n = l4_add(F[c].n, l4_of(sar_rotor_couple(m, d, r, a)));
  }
}

// Of a rotor on the body S'F and A both have g . S a, and armature has it twice.
void sar_add_rotor_torques(const SarModel* m, const SarData* d, const double* a, double* tau) {
  for (int k = 0; k < m->nrotor; k++) {
    const SarRotor* r = &m->rotor[k];
    const int i = m->joint_vadr[r->joint];
    tau[i] += v3_dot(r->g, d->body_A[sar_rotor_carrier(m, r)].w);
    if (a) tau[i] -= r->twice * a[i];
  }
}

// v g . w_P, P the parent: what the joint's own speed adds for a rotor on the body is in armature.
double sar_rotor_energy(const SarModel* m, const SarData* d) {
  double sum = 0;
  for (int k = 0; k < m->nrotor; k++) {
    const SarRotor* r = &m->rotor[k];
    const double v = d->v[m->joint_vadr[r->joint]];
    sum += v * v3_dot(r->g, d->body_V[sar_rotor_carrier(m, r)].w) - 0.5 * r->twice * v * v;
  }
  return sum;
}

void sar_add_rotor_momenta(const SarModel* m, const SarData* d, LaneForce* F) {
  for (int k = 0; k < m->nrotor; k++) {
    const SarRotor* r = &m->rotor[k];
    LaneForce* to = &F[sar_rotor_carrier(m, r)];
    to->n = l4_add(to->n, l4_of(v3_scale(d->v[m->joint_vadr[r->joint]], r->g)));
  }
}
