// All applied (generalised) forces at t, q, v, and the power of those that are not conservative:
// what no potential energy holds.
//
// Order: measured quantities, states -> expressions (in the model's order, so that each finds the
// values of those it uses) -> rates of states -> states of elements, where a step is implicit in
// them -> places of knots -> forces of the joints -> force elements, those last that read what
// others leave -> those on cut joints to their bodies -> power of each work account. Uniform
// gravity is not here: the tree algorithms take it as an acceleration of the ground.
#include "dynamics/applied.h"
#include "dynamics/cut_joints.h"
#include "dynamics/element_states.h"
#include "dynamics/gravity_field.h"
#include "dynamics/knots.h"
#include "dynamics/states.h"
#include "dynamics/tree.h"

#include <string.h>

void sar_update_expressions(const SarModel* m, SarData* d) {
  for (int i = 0; i < m->nexpr; i++) {
    const SarExprEntry* e = &m->expr[i];
    if (e->slot < 0) continue;  // a law: its element evaluates it
    d->slot[e->slot] = sar_program_eval(&e->program, &m->instr[e->instr], d->slot, d->reg);
  }
}

static double host_power(const SarModel* m, const SarData* d) {
  double power = 0;
  for (int i = 0; i < m->nv_all; i++)
    if (i < m->nv || sar_joint_is_on(m, d, m->dof_body[i])) power += d->tau_host[i] * d->v[i];
  return power;
}

static double work_rate(const SarModel* m, const SarData* d, const SarWorkSource* source) {
  double power = 0;
  switch (source->kind) {
    case SAR_WORK_HOST: power = host_power(m, d); break;
    case SAR_WORK_FORCE: power = d->force_power[source->index]; break;
    case SAR_WORK_DISSIPATION:
      if (sar_joint_is_on(m, d, source->index)) power = sar_joint_dissipation(m, d, source->index);
      break;
    case SAR_WORK_DRIVE:
      if (sar_joint_is_on(m, d, source->index)) power = sar_joint_drive_power(m, d, source->index);
      break;
    case SAR_WORK_GRAVITY: power = sar_field_power(m, d); break;
    case SAR_WORK_CONSTRAINT: break;  // sar_update_constraint_work, when the multipliers are known
    case SAR_WORK_IMPACT:
    case SAR_WORK_SWITCHING: break;  // booked in lumps, where something switches (sim/events.c)
    case SAR_WORK_CONTACT_NORMAL:
    case SAR_WORK_CONTACT_FRICTION:
    case SAR_WORK_LIMITS:
    case SAR_WORK_CONTACT_OVERLAP: break;  // likewise, by the formulations that know contact
  }
  return power;
}

void sar_update_forces(const SarModel* m, SarData* d) {
  if (m->needs_world || sar_cuts_act(m, d)) sar_update_world(m, d);
  sar_update_forces_again(m, d);
}

void sar_update_forces_again(const SarModel* m, SarData* d) {
  const bool cuts = sar_cuts_act(m, d);
  if (cuts) sar_update_acting_cuts(m, d);
  if (m->nslot > 0) sar_update_measures(m, d);
  sar_update_expressions(m, d);
  if (m->nz > 0) sar_update_states(m, d);
  if (m->ncache_force > 0) sar_update_element_states(m, d);
  if (m->nknot > 0) sar_update_knots(m, d);
  if (m->nbody_all > 0) memset(d->body_F, 0, (size_t)m->nbody_all * sizeof *d->body_F);
  if (m->nv_all > 0) memcpy(d->tau, d->tau_host, (size_t)m->nv_all * sizeof *d->tau);
  if (m->has_passive) sar_add_joint_forces(m, d);
  for (int k = 0; k < m->nforce; k++) {
    const int i = m->ncache_force > 0 ? m->force_order[k] : k;
    if (d->force_on[i]) m->force_kind[i]->apply(m, d, i);
  }
  if (m->field.kind != SAR_GRAVITY_UNIFORM) sar_add_field(m, d);
  if (cuts) sar_add_cut_forces(m, d);
  // those of constraints wait for multipliers (sar_update_constraint_work), and stay as they are
  // till then
  for (int i = 0; i < m->nwork; i++)
    if (m->work[i].kind != SAR_WORK_CONSTRAINT) d->work_rate[i] = work_rate(m, d, &m->work[i]);
}
