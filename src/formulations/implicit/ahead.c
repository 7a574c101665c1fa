// How firmly constraints hold the mechanism where an implicit step has ended (ahead.h).
//
// The sparse factor of the step gives the weakest combination of the rows by two solutions
// (dynamics/grip.h). Among redundant rows some combination holds nothing at all wherever the
// mechanism is: there a pivoted QR of the rows over their usual lengths, (S Psi)' P = Q R, tells
// the grip of the last independent one, R_rr. It is dense, so models of more than DENSE coordinates
// with redundant rows are not looked at.
//
// Both are left out as long as no grip can have vanished. A grip is the least singular value of the
// scaled rows, which by Weyl's inequality falls by no more than the rows change:
//
//   sigma(S Psi T) >= sigma(S Psi0 T) - |S (Psi - Psi0) T|_F
//
// with S, T the scales of the last look: unit rows in the metric of the inertias on the diagonal,
// T = diag(M)^-1/2, or rows over their usual lengths, T = 1, for the decomposition. FALLS makes up
// for M not being diagonal. What turns without changing Psi, as a wheel on its axle does, calls for
// no look.
//
// Where rows do change and grips do not, as on a rotor that turns, that bound says nothing. There a
// look serves RESTS steps more, as long as the grip would have to fall STEADY times faster than
// between the last two looks to matter by then. The same holds beside a singular position, where a
// grip would have to rise as much, if a step that is taken for near without need is only judged.
//
// Light bodies between heavy ones make grips small that are firm as far as the geometry goes: a
// cuff of some grams between a hub and a blade gives way to what its own inertia weighs the rows
// by. So the decomposition is looked at once, where a run begins: if it finds the mechanism far
// from a singular position and the first step does not, grips by inertias count as many times more.
//
// Source: Golub and Van Loan, Matrix Computations, sec. 8.6.
#include "formulations/implicit/ahead.h"

#include "formulations/index1/family.h"

#include <math.h>
#include <string.h>

enum { DENSE = 150 };              // coordinates, for decompositions in steps
static const double ONCE = 2e7;    // operations, for one where a run begins
static const double FALLS = 4;     // of a grip for a change of the scaled rows by 1, at most
static const double FAR = 7.5e-3;  // grip by the geometry alone that is none of a singular position
// grip by the inertias that would be taken for a singular position
static const double FAINT = 0.01;
enum { RESTS = 3 };               // steps that a look serves beside its own
static const double STEADY = 16;  // times what a grip changed by since the look before
enum { CLEAR, START, FIRST, GRIP, REST, LOOKS };  // fields of the state `clear`

void sar_ahead_layout(SarAhead* p, const SarModel* m, SarBlock* b) {
  p->rows = NULL;
  const double work = (double)m->nv * m->nrow * m->nrow;
  if (m->nrow == 0 || (m->nv > DENSE && work > ONCE)) return;
  SAR_PIECE(b, p->rows, (size_t)m->nv * (size_t)m->nrow);
  SAR_PIECE(b, p->tau, m->nrow);
  SAR_PIECE(b, p->pivot, m->nrow);
  sar_dense_query(m->nv, m->nrow, &p->dense);
  SAR_PIECE(b, p->dense.work, p->dense.lwork);
  SAR_PIECE(b, p->dense.iwork, p->dense.liwork);
}

void sar_ahead_declare(SarAhead* p, SarSim* s) {
  sar_state_ints(s, "near", &p->near, 1, 1);
  sar_state_doubles(s, "grip_seen", &p->grip_seen, SAR_GRIP_SEEN);
  sar_state_doubles(s, "clear", &p->clear, LOOKS);
  sar_state_doubles(s, "seen.rows", &p->seen, s->m->nrow_dof);
  sar_state_doubles(s, "seen.row_scale", &p->row_scale, s->m->nrow);
  sar_state_doubles(s, "seen.dof_scale", &p->dof_scale, s->m->nv);
}

void sar_ahead_adopt(const SarAhead* p, SarSim* s) { sar_index1_mark(s, *p->near); }

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

void sar_ahead_regroup(SarAhead* p, SarSim* s) {
  *p->near = s->freedom.rank_here < s->freedom.rank;
  p->grip_seen[SAR_GRIP_LARGEST] = p->grip_seen[SAR_GRIP_TURNED] = *p->clear = 0;
  p->clear[START] = p->clear[FIRST] = p->clear[GRIP] = p->clear[REST] = 0;
  const bool redundant = s->freedom.rank < s->freedom.rows;
  if (!*p->near && !redundant && s->freedom.rank > 0 && p->rows) p->clear[START] = decompose(p, s);
  sar_index1_mark(s, *p->near);
}

// How many times more the grip of a step counts. Where a run begins the factor is another one.
static double scale_of(SarAhead* p, const SarSim* s, double grip) {
  if (s->restart) return 1;
  if (p->clear[FIRST] == 0) p->clear[FIRST] = grip;
  const double start = p->clear[START], first = p->clear[FIRST];
  return start > FAR && first < FAINT && first > 0 ? start / first : 1;
}

// Psi0, S and T for the looks to come.
static void remember(SarAhead* p, const SarSim* s, const SarFactored* system, bool redundant) {
  const SarModel* m = s->m;
  memcpy(p->seen, s->d->Psi, (size_t)m->nrow_dof * sizeof *p->seen);
  for (int i = 0; i < m->nv; i++) p->dof_scale[i] = redundant ? 1 : 1 / sqrt(system->inertia[i]);
  for (int i = 0; i < m->nrow; i++) {
    double sum = 0;
    for (int e = m->row_adr[i]; e < m->row_adr[i + 1]; e++) {
      const double x = p->seen[e] * p->dof_scale[m->row_dof[e]];
      sum += x * x;
    }
    const double length = redundant ? s->row_size[i] : sqrt(sum);
    p->row_scale[i] = length > 0 ? 1 / length : 0;
  }
}

// |S (Psi - Psi0) T|_F, or something that is more than `enough`
static double changed(const SarAhead* p, const SarSim* s, double enough) {
  const SarModel* m = s->m;
  const double* Psi = s->d->Psi;
  double squares = 0;
  for (int i = 0; i < m->nrow && !(squares > enough * enough); i++) {
    double sum = 0;
    for (int e = m->row_adr[i]; e < m->row_adr[i + 1]; e++) {
      const double x = (Psi[e] - p->seen[e]) * p->dof_scale[m->row_dof[e]];
      sum += x * x;
    }
    squares += sum * p->row_scale[i] * p->row_scale[i];
  }
  return sqrt(squares);
}

// After a look at a grip, which has so far to go before it matters: how many steps need none?
static double rests(const SarAhead* p, double grip, double far) {
  const double before = p->clear[GRIP];
  return before > 0 && far > STEADY * fabs(grip - before) ? RESTS : 0;
}

// Can no grip have vanished since the last look?
static bool is_clear(SarAhead* p, const SarSim* s) {
  if (s->restart) *p->clear = p->clear[GRIP] = p->clear[REST] = 0;  // the state may be any
  if (p->clear[REST] > 0) {
    p->clear[REST]--;
    return true;
  }
  return *p->clear > 0 && FALLS * changed(p, s, *p->clear / FALLS) < *p->clear;
}

void sar_ahead_look(SarAhead* p, SarSim* s, const SarFactored* system, bool rests_near) {
  const bool redundant = s->freedom.rank < s->freedom.rows;
  if (s->freedom.rank == 0 || (redundant && (!p->rows || s->m->nv > DENSE))) return;
  if (is_clear(p, s)) return;
  double grip = redundant ? decompose(p, s) : sar_least_grip(system, s->d, s->row_size);
  const double scale = redundant ? 1 : scale_of(p, s, grip);
  grip *= scale;
  sar_index1_turn(s, s->d->t - s->start.t, p->grip_seen);
  *p->near = sar_index1_is_near(s, grip, p->grip_seen);
  const double far = *p->near ? 0 : sar_index1_clear(grip, p->grip_seen);
  const double way = *p->near && rests_near ? sar_index1_deep(s, grip, p->grip_seen) : far;
  *p->clear = far / scale;
  p->clear[REST] = s->restart ? 0 : rests(p, grip, way);
  p->clear[GRIP] = s->restart ? 0 : grip;
  if (*p->clear > 0) remember(p, s, system, redundant);
  sar_index1_mark(s, *p->near);
}
