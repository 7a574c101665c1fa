// The data block: its life, and the state in it.
#include "base/block.h"
#include "model/data.h"

#include "base/alloc.h"
#include "model/room.h"

#include <stdint.h>
#include <string.h>

// Every array starts on a cache line, and may be read to the end of its last one.
static void lay_out(SarData* d, SarBlock* b) {
#define X(type, field, n, columns, doc) SAR_PIECE(b, d->field, (size_t)d->m->n*(size_t)(columns));
  SAR_DATA_ARRAYS(X)
  d->copied = b->used;
  SAR_DATA_SCRATCH(X)
#undef X
  d->bytes = b->used;
}

size_t sar_data_size(const SarModel* m) {
  SarData header = {.m = m};
  SarBlock b = sar_block(NULL, sizeof header);
  lay_out(&header, &b);
  return header.bytes;
}

static void copy_doubles(double* to, const double* from, int n) {
  if (n > 0) memcpy(to, from, (size_t)n * sizeof *to);
}

SAR_API SarStatus sar_data_new(const SarModel* m, SarData** out, SarError* err) {
  SAR_GIVEN(out);
  *out = NULL;
  SAR_GIVEN(m);
  SarData header = {.m = m};
  SarBlock b = sar_block(NULL, sizeof header);
  lay_out(&header, &b);
  // the block is in what the limit counts already
  if (sar_room_for(m, 0, "making the state", err) != SAR_OK) return SAR_OVER_LIMIT;
  SarData* d = sar_alloc(header.bytes);
  if (!d) {
    char size[32];
    sar_report(err, (SarLoc){0}, "", "out of memory while making the state of %d bodies (%s)",
               m->nbody, sar_size_text(size, sizeof size, header.bytes));
    return SAR_NO_MEMORY;
  }
  *d = header;
  b = sar_block(d, sizeof *d);
  lay_out(d, &b);

  // a row holds a coordinate and its ancestors: one entry more than the row of its parent
  for (int i = 0; i < m->nv; i++) {
    int parent = m->dof_parent[i];
    size_t above = parent < 0 ? 0 : d->mass_row[parent + 1] - d->mass_row[parent];
    d->mass_row[i + 1] = d->mass_row[i] + above + 1;
  }
  // what a joint never changes in X_PB: all of it for fixed ones, z axis and origin for revolute
  // ones
  if (m->nbody > 0) memcpy(d->body_X_PB, m->body_X_PF, (size_t)m->nbody * sizeof *d->body_X_PB);
  copy_doubles(d->q_start, m->q0, m->nq_all);
  copy_doubles(d->v_start, m->v0, m->nv_all);
  copy_doubles(d->z_start, m->z0, m->nz);
  copy_doubles(d->discrete_start, m->discrete0, m->ndiscrete);
  copy_doubles(d->discrete_kept_start, m->discrete0, m->ndiscrete);
  for (int k = 0; k < m->ncut; k++) d->cut_X_B_start[k] = m->cut[k].X_BF[1];
  for (int i = 0; i < m->npair; i++) d->pair_b[i] = m->pair[i].point[1];
  for (int k = 0; k < m->nterm; k++) d->term_w[k] = m->term[k].w;
  // by time alone; conditions count from where a simulation is made
  for (int g = 0; g < m->ngate; g++) {
    const SarTrigger *from = &m->gate[g].from, *until = &m->gate[g].until;
    const bool begun = from->slot < 0 && from->time <= 0;
    const bool over = until->slot < 0 && until->time <= 0;
    d->gate_start[g] = (begun ? SAR_GATE_FROM : 0) | (over ? SAR_GATE_UNTIL : 0) |
                       (begun && !over ? SAR_GATE_ON : 0);
  }
  sar_data_reset(d);
  *out = d;
  return SAR_OK;
}

SAR_API void sar_data_free(SarData* d) {
  if (d) sar_free(d->method.block);
  sar_free(d);
}

// ---- the method's block -------------------------------------------------------------------------

size_t sar_field_bytes(const SarField* f) {
  return sar_rounded((size_t)f->count * (f->most < 0 ? sizeof(double) : sizeof(int)));
}

SarStatus sar_method_reserve(SarData* d, size_t bytes) {
  SarMethod* p = &d->method;
  if (bytes <= p->room) return SAR_OK;
  unsigned char* block = sar_alloc(bytes);
  if (!block) return SAR_NO_MEMORY;
  if (p->bytes > 0) memcpy(block, p->block, p->bytes);
  sar_free(p->block);
  p->block = block;
  p->room = bytes;
  d->version++;
  return SAR_OK;
}

void sar_method_forget(SarData* d) {
  SarMethod* p = &d->method;
  *p = (SarMethod){.block = p->block, .room = p->room};
  d->restart = SAR_RESTART_PLAIN;
  d->end_t = (double)NAN;
  d->version++;
}

bool sar_state_is_untouched(const SarData* d) {
  const size_t nq = (size_t)d->m->nq * sizeof(double), nv = (size_t)d->m->nv * sizeof(double);
  const size_t nz = (size_t)d->m->nz * sizeof(double);
  return d->t == d->end_t && memcmp(d->q, d->end_q, nq) == 0 && memcmp(d->v, d->end_v, nv) == 0 &&
         (nz == 0 || memcmp(d->z, d->end_z, nz) == 0);
}

// ---- state --------------------------------------------------------------------------------------

static void clear_doubles(double* to, int n) {
  if (n > 0) memset(to, 0, (size_t)n * sizeof *to);
}

SAR_API void sar_data_reset(SarData* d) {
  if (!d) return;
  const SarModel* m = d->m;
  d->t = 0;
  d->energy_start = (double)NAN;
  d->clock = (SarClock){0};
  d->freedom = d->freedom_start;
  if (m->nrow > 0) memcpy(d->row_order, d->row_order_start, (size_t)m->nrow * sizeof(int));
  copy_doubles(d->q, d->q_start, m->nq_all);
  copy_doubles(d->v, d->v_start, m->nv_all);
  copy_doubles(d->z, d->z_start, m->nz);
  copy_doubles(d->discrete, d->discrete_start, m->ndiscrete);
  copy_doubles(d->discrete_kept, d->discrete_kept_start, m->ndiscrete);
  copy_doubles(d->knot, m->knot0, m->nknot_dof);
  copy_doubles(d->input, m->input_default, m->ninput);
  clear_doubles(d->work, m->nwork);
  clear_doubles(d->tau_host, m->nv_all);
  clear_doubles(d->held, m->nheld);
  clear_doubles(d->force_kept, m->nforce_kept);
  clear_doubles(d->a, m->nv_all);
  clear_doubles(d->lambda, m->nrow);
  clear_doubles(d->z_rate, m->nz);
  clear_doubles(d->dof_impulse, m->nv_all * SAR_DOF_IMPULSES);
  d->ncontact = 0;
  sar_gates_reset(m, d);
  sar_method_forget(d);
}

static void copy_method(SarMethod* to, const SarMethod* from) {
  const SarMethod old = *to;
  *to = *from;
  to->block = old.block;
  to->room = old.room;
  if (from->bytes > 0) memcpy(to->block, from->block, from->bytes);
}

SAR_API SarStatus sar_data_copy(SarData* to, const SarData* from) {
  SAR_GIVEN(to && from);
  if (to->m != from->m) return SAR_BAD_ARGUMENT;
  if (to == from) return SAR_OK;
  SAR_TRY(sar_method_reserve(to, from->method.bytes));
  copy_method(&to->method, &from->method);
  to->t = from->t;
  to->energy_start = from->energy_start;
  to->end_t = from->end_t;
  to->nactive = from->nactive;
  to->ncontact = from->ncontact;
  to->restart = from->restart;
  to->assembled = from->assembled;
  to->freedom = from->freedom;
  to->freedom_start = from->freedom_start;
  to->clock = from->clock;
  to->a_of_step = from->a_of_step;
  to->a_friction = from->a_friction;
  to->version++;
  size_t start = sar_rounded(sizeof *to);
  memcpy((unsigned char*)to + start, (const unsigned char*)from + start, to->copied - start);
  return SAR_OK;
}

SAR_API const SarModel* sar_data_model(const SarData* d) { return d ? d->m : NULL; }

SAR_API double sar_time(const SarData* d) { return d ? d->t : (double)NAN; }

SAR_API void sar_set_time(SarData* d, double t) {
  if (!d) return;
  if (t != d->t) sar_energy_restart(d);  // a road may be elsewhere then
  d->t = t;
}

SAR_API void sar_energy_restart(SarData* d) {
  if (!d) return;
  clear_doubles(d->work, d->m->nwork);
  d->energy_start = (double)NAN;
}

SAR_API double* sar_q(SarData* d) { return d ? d->q : NULL; }
SAR_API double* sar_v(SarData* d) { return d ? d->v : NULL; }
SAR_API double* sar_a(SarData* d) { return d ? d->a : NULL; }
SAR_API double* sar_states(SarData* d) { return d ? d->z : NULL; }
SAR_API double* sar_inputs(SarData* d) { return d ? d->input : NULL; }
SAR_API double* sar_tau(SarData* d) { return d ? d->tau_host : NULL; }
SAR_API const double* sar_get_q(const SarData* d) { return d ? d->q : NULL; }
SAR_API const double* sar_get_v(const SarData* d) { return d ? d->v : NULL; }
SAR_API const double* sar_get_a(const SarData* d) { return d ? d->a : NULL; }
SAR_API const double* sar_get_states(const SarData* d) { return d ? d->z : NULL; }
SAR_API const double* sar_get_inputs(const SarData* d) { return d ? d->input : NULL; }
SAR_API const double* sar_get_tau(const SarData* d) { return d ? d->tau_host : NULL; }

SAR_API SarStatus sar_joint_set(SarData* d, int joint, const double* q, const double* v) {
  SAR_GIVEN(d && q && v && sar_is_joint_item(d->m, joint));
  const SarModel* m = d->m;
  if (joint >= m->nbody) return sar_item_joint(m, joint) == SAR_NO_JOINT ? SAR_OK : SAR_NOT_OFFERED;
  sar_joint_flip(m, joint, q, v, &d->q[m->joint_qadr[joint]], &d->v[m->joint_vadr[joint]]);
  sar_energy_restart(d);
  return SAR_OK;
}
