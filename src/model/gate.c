// What follows from the state of the gates (gate.h).
#include "model/data.h"

#include <string.h>

static void clear(double* x, int n) {
  if (n > 0) memset(x, 0, (size_t)n * sizeof *x);
}

static void list_rows(const SarModel* m, SarData* d) {
  d->nactive = 0;
  for (int i = 0; i < m->nrow; i++)
    if (d->row_on[i]) d->active_row[d->nactive++] = i;
}

// Nothing evaluates a row that is off, so zeros stay.
static void clear_row(const SarModel* m, SarData* d, int i) {
  d->Phi[i] = d->Phi_t[i] = d->Phi_dot[i] = d->gamma[i] = d->lambda[i] = 0;
  clear(&d->Psi[m->row_adr[i]], m->row_adr[i + 1] - m->row_adr[i]);
}

// The joint's own pair follows its frame on the child: with the frame B moved to B' in body b,
//   p_b' = origin of B',   w' = R_bB' R_bB^-1 w
void sar_gates_place(const SarModel* m, SarData* d, int cut) {
  const Xform *declared = &m->cut[cut].X_BF[1], *now = &d->cut_X_B[cut];
  const M3 turn = m3_mul(now->R, m3_transpose(declared->R));
  for (int i = 0; i < m->npair; i++) {
    const SarPair* p = &m->pair[i];
    if (m->row[m->term[p->term].row].constraint != cut) continue;
    d->pair_b[i] = now->p;
    for (int k = p->term; k < p->term + p->terms; k++) d->term_w[k] = m3_mul_v(turn, m->term[k].w);
  }
}

static void set_force(const SarModel* m, SarData* d, int force, bool on) {
  d->force_on[force] = on;
  if (on) return;
  d->force_power[force] = 0;
  clear(&d->force_output[m->force_output_adr[force]], m->force_kind[force]->noutput);
}

void sar_gates_apply(const SarModel* m, SarData* d) {
  for (int c = 0; c < m->nconstraint; c++) d->constraint_on[c] = 1;
  for (int i = 0; i < m->nforce; i++) d->force_on[i] = 1;
  for (int g = 0; g < m->ngate; g++) {
    const SarGate* gate = &m->gate[g];
    const bool on = d->gate_state[g] & SAR_GATE_ON;
    if (gate->target == SAR_GATE_FORCE)
      set_force(m, d, gate->index, on);
    else
      d->constraint_on[gate->index] = on;
    if (gate->target == SAR_GATE_CONSTRAINT && gate->hold &&
        m->constraint[gate->index].source == SAR_FROM_CUT)
      sar_gates_place(m, d, gate->index);
  }
  for (int i = 0; i < m->nrow; i++) {
    d->row_on[i] = d->constraint_on[m->row[i].constraint];
    if (!d->row_on[i]) clear_row(m, d, i);
  }
  list_rows(m, d);
}

void sar_gates_open(const SarModel* m, SarData* d) {
  for (int i = 0; i < m->nrow; i++) d->row_on[i] = 1;
  list_rows(m, d);
}

void sar_gates_reset(const SarModel* m, SarData* d) {
  for (int g = 0; g < m->ngate; g++) d->gate_state[g] = d->gate_start[g];
  for (int k = 0; k < m->ncut; k++) d->cut_X_B[k] = d->cut_X_B_start[k];
  for (int i = 0; i < m->nrow; i++) d->row_hold[i] = d->row_hold_start[i];
  sar_gates_apply(m, d);
}
