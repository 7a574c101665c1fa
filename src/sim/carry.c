// A run that goes on in another model with the same names (carry.h).
#include "sim/carry.h"

#include <string.h>

#define CARRY(array, count) memcpy(to->array, from->array, sizeof *to->array*(size_t)(count))

void sar_carry_over(SarData* to, const SarData* from) {
  const SarModel* m = to->m;
  CARRY(q, m->nq_all);
  CARRY(v, m->nv_all);
  CARRY(z, m->nz);
  CARRY(input, m->ninput);
  CARRY(tau_host, m->nv_all);
  CARRY(discrete, m->ndiscrete);
  CARRY(discrete_kept, m->ndiscrete);
  CARRY(knot, m->nknot_dof);
  CARRY(force_kept, m->nforce_kept);
  CARRY(held, m->nheld);
  CARRY(gate_state, m->ngate);
  for (int i = 0; i < m->ngate; i++) {  // what was gripped stays where it was gripped
    const SarGate* g = &m->gate[i];
    if (!g->hold || g->target != SAR_GATE_CONSTRAINT) continue;
    if (g->index < m->ncut) to->cut_X_B[g->index] = from->cut_X_B[g->index];
    for (int r = 0; r < m->nrow; r++)
      if (m->row[r].constraint == g->index) to->row_hold[r] = from->row_hold[r];
  }
  sar_gates_apply(m, to);
  to->t = from->t;
  sar_energy_restart(to);
}

SarStatus sar_carry_on(const SarModel* m, const SarData* from, const SarSimOptions* o, SarData** d,
                       SarSim** s, SarError* err) {
  *s = NULL;
  SarStatus st = sar_data_new(m, d, err);
  if (st == SAR_OK) st = sar_sim_new(m, *d, o, s, err);
  sar_sim_free(*s);
  *s = NULL;
  if (st == SAR_OK) {
    sar_carry_over(*d, from);
    st = sar_sim_new(m, *d, o, s, err);
  }
  if (st == SAR_OK) return st;
  sar_data_free(*d);
  *d = NULL;
  return st;
}
