// The state of a method (state.h), for checkpoint and restart of a run.
//
// The block is in the data, not in the simulation: simulations on the same data share it, and
// whoever finds it changed (d->version) looks again. Pointers into it are set here only, because
// copying into the data or another simulation may have moved it.
#include "sim/state.h"

#include "base/alloc.h"
#include "base/block.h"
#include "base/print.h"
#include "dynamics/projection.h"
#include "model/room.h"

#include <stdio.h>
#include <string.h>

// ---- fields -------------------------------------------------------------------------------------

static void declare(SarSim* s, const char* name, void** at, int count, int most) {
  SarMethod* p = &s->method;
  SAR_ASSERT(p->nfield < SAR_METHOD_FIELDS && strlen(name) < SAR_METHOD_NAME);
  SarField* f = &p->field[p->nfield];
  sar_snprintf(f->name, sizeof f->name, "%s", name);
  f->count = count;
  f->most = most;
  s->field_at[p->nfield++] = at;
  p->bytes += sar_field_bytes(f);
}

void sar_state_doubles(SarSim* s, const char* name, double** at, int count) {
  declare(s, name, (void**)at, count, -1);
}

void sar_state_ints(SarSim* s, const char* name, int** at, int count, int most) {
  declare(s, name, (void**)at, count, most);
}

static void point_at_fields(SarSim* s) {
  unsigned char* at = s->d->method.block;
  for (int i = 0; i < s->method.nfield; i++) {
    *s->field_at[i] = at;
    at += sar_field_bytes(&s->method.field[i]);
  }
}

// ---- whose block it is --------------------------------------------------------------------------

bool sar_state_is_of(const SarData* d, const SarFormulation* f, const SarIntegrator* i,
                     const SarSimOptions* o) {
  const SarMethod* p = &d->method;
  return strcmp(p->formulation, f->name) == 0 && strcmp(p->integrator, i->name) == 0 &&
         p->spectral_radius == o->spectral_radius && p->project == o->project;
}

static bool is_own(const SarSim* s) {
  const SarMethod *mine = &s->method, *there = &s->d->method;
  if (!sar_state_is_of(s->d, s->formulation, s->integrator, &s->options)) return false;
  if (mine->nfield != there->nfield) return false;
  for (int i = 0; i < mine->nfield; i++)
    if (mine->field[i].count != there->field[i].count ||
        mine->field[i].most != there->field[i].most ||
        strcmp(mine->field[i].name, there->field[i].name) != 0)
      return false;
  return true;
}

// A new beginning with this method. What error control learned about another one does not hold.
static void claim(SarSim* s) {
  SarData* d = s->d;
  SarMethod* p = &d->method;
  unsigned char* block = p->block;
  const size_t room = p->room;
  sar_method_forget(d);
  *p = s->method;
  p->block = block;
  p->room = room;
  if (p->bytes > 0) memset(block, 0, p->bytes);
  d->clock.next = d->clock.error = 0;
  d->clock.landings = d->clock.unchecked = 0;
  point_at_fields(s);
  s->call.init(s);
  SarEnergy energy;
  sar_energy(d, &energy);  // opens the account after a reset
}

static void follow(SarSim* s) {
  SarData* d = s->d;
  s->freedom = d->freedom;
  if (s->projection) {
    sar_projection_forget(s->projection);
    s->projection->eager = false;
  }
  if (is_own(s))
    point_at_fields(s);
  else
    claim(s);
  s->call.adopt(s);
  s->call.adopt_integrator(s);
  s->version = d->version;
}

void sar_state_adopt(SarSim* s) {
  if (s->version != s->d->version) follow(s);
}

// ---- life ---------------------------------------------------------------------------------------

// Do its steps leave forces of joint laws to the next one?
static bool rules_joints(const SarSim* s) {
  return s->formulation->friction != SAR_FRICTION_SMOOTH;
}

static void lay_out(SarBefore* p, const SarSim* s, SarBlock* b) {
  const SarModel* m = s->m;
  const bool gated = s->events, touching = s->formulation->shape == SAR_SHAPE_IMPULSE;
  SAR_PIECE(b, p->gate_state, gated ? m->ngate : 0);
  SAR_PIECE(b, p->row_order, gated ? m->nrow : 0);
  SAR_PIECE(b, p->row_hold, gated ? m->nrow : 0);
  SAR_PIECE(b, p->cut_X_B, gated ? m->ncut : 0);
  SAR_PIECE(b, p->discrete, m->ndiscrete);
  SAR_PIECE(b, p->discrete_kept, m->ndiscrete);
  SAR_PIECE(b, p->dof_impulse, rules_joints(s) ? m->nv_all * SAR_DOF_IMPULSES : 0);
  SAR_PIECE(b, p->contact, touching ? m->ncontact : 0);
  p->method = SAR_BYTES(b, s->method.bytes);
}

SarStatus sar_state_open(SarSim* s, SarError* err) {
  SarMethod* p = &s->method;
  SarBefore before;
  SarBlock b = sar_block(NULL, sizeof before);
  lay_out(&before, s, &b);
  const size_t bytes = b.used;
  sar_snprintf(p->formulation, sizeof p->formulation, "%s", s->formulation->name);
  sar_snprintf(p->integrator, sizeof p->integrator, "%s", s->integrator->name);
  p->spectral_radius = s->options.spectral_radius;
  p->project = s->options.project;
  SarStatus st;
  char doing[96];
  sar_snprintf(doing, sizeof doing, "making the state of '%s'", p->formulation);
  SAR_TRY(sar_room_for(s->m, s->stats.scratch_bytes + bytes + p->bytes, doing, err));
  s->before = sar_take_for(s->m, bytes, doing, &st, err);
  if (!s->before) return st;
  st = sar_method_reserve(s->d, p->bytes + 1);  // also of no bytes
  if (st != SAR_OK) {
    sar_report(err, (SarLoc){0}, "", "out of memory while %s", doing);
    return st;
  }
  b = sar_block(s->before, sizeof *s->before);
  lay_out(s->before, s, &b);
  s->stats.scratch_bytes += bytes;
  follow(s);
  return SAR_OK;
}

// ---- there and back -----------------------------------------------------------------------------

static void copy(void* to, const void* from, size_t bytes) {
  if (bytes > 0) memcpy(to, from, bytes);
}

static void copy_gates(const SarModel* m, int* state, const int* from_state, int* order,
                       const int* from_order, double* hold, const double* from_hold, Xform* X,
                       const Xform* from_X) {
  copy(state, from_state, (size_t)m->ngate * sizeof *state);
  copy(order, from_order, (size_t)m->nrow * sizeof *order);
  copy(hold, from_hold, (size_t)m->nrow * sizeof *hold);
  copy(X, from_X, (size_t)m->ncut * sizeof *X);
}

void sar_state_keep(SarSim* s) {
  const SarModel* m = s->m;
  const SarData* d = s->d;
  SarBefore* p = s->before;
  s->start.t = d->t;
  s->start_clock = d->clock;
  copy(s->start.q, d->q, (size_t)m->nq_all * sizeof(double));
  copy(s->start.v, d->v, (size_t)m->nv_all * sizeof(double));
  copy(s->start.z, d->z, (size_t)m->nz * sizeof(double));
  copy(s->start.work, d->work, (size_t)m->nwork * sizeof(double));
  copy(p->discrete, d->discrete, (size_t)m->ndiscrete * sizeof(double));
  copy(p->discrete_kept, d->discrete_kept, (size_t)m->ndiscrete * sizeof(double));
  copy(p->method, d->method.block, s->method.bytes);
  if (s->events) {
    p->freedom = d->freedom;
    copy_gates(m, p->gate_state, d->gate_state, p->row_order, d->row_order, p->row_hold,
               d->row_hold, p->cut_X_B, d->cut_X_B);
  }
  if (s->formulation->shape == SAR_SHAPE_IMPULSE) {
    p->ncontact = d->ncontact;
    copy(p->contact, d->contact, (size_t)d->ncontact * sizeof *p->contact);
  }
  if (rules_joints(s))
    copy(p->dof_impulse, d->dof_impulse, (size_t)m->nv_all * SAR_DOF_IMPULSES * sizeof(double));
}

// What attempts at a step change.
static void restore_motion(SarSim* s) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  const SarBefore* p = s->before;
  d->t = s->start.t;
  copy(d->q, s->start.q, (size_t)m->nq_all * sizeof(double));
  copy(d->v, s->start.v, (size_t)m->nv_all * sizeof(double));
  copy(d->z, s->start.z, (size_t)m->nz * sizeof(double));
  d->z_from = NULL;
  copy(d->work, s->start.work, (size_t)m->nwork * sizeof(double));
  copy(d->method.block, p->method, s->method.bytes);
  if (rules_joints(s))
    copy(d->dof_impulse, p->dof_impulse, (size_t)m->nv_all * SAR_DOF_IMPULSES * sizeof(double));
}

void sar_state_retry(SarSim* s) {
  restore_motion(s);
  s->call.adopt(s);
}

void sar_state_restore(SarSim* s) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  const SarBefore* p = s->before;
  restore_motion(s);
  d->clock = s->start_clock;
  copy(d->discrete, p->discrete, (size_t)m->ndiscrete * sizeof(double));
  copy(d->discrete_kept, p->discrete_kept, (size_t)m->ndiscrete * sizeof(double));
  if (s->events) {
    d->freedom = p->freedom;
    copy_gates(m, d->gate_state, p->gate_state, d->row_order, p->row_order, d->row_hold,
               p->row_hold, d->cut_X_B, p->cut_X_B);
    sar_gates_apply(m, d);
  }
  if (s->formulation->shape == SAR_SHAPE_IMPULSE) {
    d->ncontact = p->ncontact;
    copy(d->contact, p->contact, (size_t)d->ncontact * sizeof *p->contact);
  }
  d->version++;  // scratch does not know that it was in vain
}
