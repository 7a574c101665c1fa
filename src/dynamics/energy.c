// Kinetic and potential energy, momentum and angular momentum of the present state.
#include "dynamics/gravity_field.h"
#include "dynamics/rotors.h"
#include "dynamics/tree.h"

#include <math.h>

// T = sum V'I V / 2 + armature v^2 / 2 + v g . w (rotors) = v'M v / 2
double sar_kinetic_energy(const SarModel* m, const SarData* d) {
  double twice = 0;
  for (int b = 0; b < m->nbody; b++)
    twice += power_of(d->body_V[b], inertia_mul(m->body_inertia[b], d->body_V[b]));
  for (int i = 0; i < m->nv; i++) twice += m->dof_armature[i] * d->v[i] * d->v[i];
  return 0.5 * twice + sar_rotor_energy(m, d);
}

// -g . sum of m c, in ground axes
static double gravity_energy(const SarModel* m, const SarData* d) {
  V3 sum = m->ground_inertia.h;
  for (int b = 0; b < m->nbody; b++) {
    const Inertia I = m->body_inertia[b];
    const Xform X = d->body_X_GB[b];
    sum = v3_add(sum, v3_axpy(I.m, X.p, m3_mul_v(X.R, I.h)));
  }
  return -v3_dot(m->gravity, sum);
}

double sar_force_energy(const SarModel* m, const SarData* d, int force) {
  const SarForceKind* kind = m->force_kind[force];
  return kind->energy && d->force_on[force] ? kind->energy(m, d, force) : 0;
}

double sar_potential_energy(const SarModel* m, const SarData* d) {
  double energy =
      m->field.kind == SAR_GRAVITY_UNIFORM ? gravity_energy(m, d) : sar_field_energy(m, d);
  for (int b = 0; m->has_passive && b < m->njoint; b++)
    if (m->joint_passive[b] && sar_joint_is_on(m, d, b)) energy += sar_joint_spring_energy(m, d, b);
  for (int i = 0; i < m->nforce; i++)
    if (m->force_kind[i]->energy && d->force_on[i]) energy += m->force_kind[i]->energy(m, d, i);
  return energy;
}

// An account that is closed (a new state, or one that was changed by hand) opens with what is
// there, so that the error is 0 now.
SarEnergy sar_energy_account(const SarModel* m, SarData* d) {
  double work = 0;
  for (int i = 0; i < m->nwork; i++) work += d->work[i];
  const double kinetic = sar_kinetic_energy(m, d), potential = sar_potential_energy(m, d);
  const double total = kinetic + potential;
  if (isnan(d->energy_start) && isfinite(total)) d->energy_start = total - work;
  return (SarEnergy){kinetic, potential, total, work, total - d->energy_start - work};
}

// momenta I V are carried inwards like forces, so that long arms cost no digits
Force sar_total_momentum(const SarModel* m, SarData* d) {
  LaneForce *F = d->body_force, total = {l4_zero(), l4_zero()};
  for (int b = 0; b < m->nbody; b++) {
    const Force momentum = inertia_mul(m->body_inertia[b], d->body_V[b]);
    F[b] = (LaneForce){l4_of(momentum.n), l4_of(momentum.f)};
  }
  sar_add_rotor_momenta(m, d, F);
  for (int b = m->nbody - 1; b >= 0; b--) {
    const L4 p_PB = l4_load(&d->body_X_PB[b].p.x);
    const LaneForce F_P = lane_x_force(l4x3_load(&d->body_columns[b]), p_PB, F[b]);
    const int p = m->body_parent[b];
    if (p < 0)
      total = lane_force_add(total, F_P);
    else
      F[p] = lane_force_add(F[p], F_P);
  }
  return (Force){l4_v3(total.n), l4_v3(total.f)};
}
