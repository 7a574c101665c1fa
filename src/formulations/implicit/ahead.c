// How firmly constraints hold the mechanism where an implicit step has ended (ahead.h).
//
// The sparse factor of the step gives the weakest combination of the rows by two solutions (dynamics/grip.h). Among
// redundant rows some combination holds nothing at all wherever the mechanism is: there a pivoted QR of the
// rows over their usual lengths, (S Psi)' P = Q R, tells the grip of the last independent one, R_rr. It is dense, so
// models of more than DENSE coordinates with redundant rows are not looked at. Both are left out as long as joints have
// not turned so far that a grip could have vanished.
#include "formulations/implicit/ahead.h"

#include "formulations/index1/family.h"

#include <math.h>
#include <string.h>

enum { DENSE = 150 };
static const double FALLS = 4;  // of a grip for an angle of 1 rad that a joint turns, at most

void sar_ahead_layout(SarAhead* p, const SarModel* m, SarBlock* b) {
  p->rows = NULL;
  if (m->nrow == 0 || m->nv > DENSE) return;
  SAR_PIECE(b, p->rows, (size_t)m->nv * (size_t)m->nrow);
  SAR_PIECE(b, p->tau, m->nrow);
  SAR_PIECE(b, p->pivot, m->nrow);
  sar_dense_query(m->nv, m->nrow, &p->dense);
  SAR_PIECE(b, p->dense.work, p->dense.lwork);
  SAR_PIECE(b, p->dense.iwork, p->dense.liwork);
}

void sar_ahead_declare(SarAhead* p, SarSim* s) {
  sar_state_ints(s, "near", &p->near, 1, 1);
  sar_state_doubles(s, "grip_usual", &p->usual, 1);
  sar_state_doubles(s, "clear", &p->clear, 1);
}

void sar_ahead_adopt(const SarAhead* p, SarSim* s) { sar_index1_mark(s, *p->near); }

void sar_ahead_regroup(SarAhead* p, SarSim* s) {
  *p->near = s->freedom.rank_here < s->freedom.rank;
  *p->usual = *p->clear = 0;
  sar_index1_mark(s, *p->near);
}

// |R_rr|, r the rank
static double decompose(SarAhead* p, const SarSim* s) {
  const SarModel* m = s->m;
  const int last = s->freedom.rank - 1;
  memset(p->rows, 0, (size_t)m->nv * (size_t)m->nrow * sizeof *p->rows);
  for (int i = 0; i < m->nrow; i++)
    for (int e = m->row_adr[i]; e < m->row_adr[i + 1]; e++)
      p->rows[i * m->nv + m->row_dof[e]] = s->d->Psi[e] / s->row_size[i];
  sar_qr_pivoted(m->nv, m->nrow, p->rows, p->pivot, p->tau, &p->dense);
  return fabs(p->rows[last * m->nv + last]);
}

void sar_ahead_look(SarAhead* p, SarSim* s, SarAugmented* system) {
  const bool redundant = s->freedom.rank < s->freedom.rows;
  if (s->freedom.rank == 0 || (redundant && !p->rows)) return;
  if (s->restart) *p->clear = 0;  // the state may be any
  *p->clear -= FALLS * sar_index1_turned(s, s->d->t - s->start.t);
  if (*p->clear > 0) return;
  const double grip =
      redundant ? decompose(p, s) : sar_augmented_least_grip(system, s->m, s->d, s->row_size);
  *p->near = sar_index1_is_near(s, grip, p->usual);
  *p->clear = *p->near ? 0 : sar_index1_clear(grip, *p->usual);
  sar_index1_mark(s, *p->near);
}
