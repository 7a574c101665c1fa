// Assembly, positions and velocities onto the constraints:  Phi(q, t) = 0,  Psi v + Phi_t = 0.
//
// Positions: what the file gives is held, everything else moves. If that does not close from where
// the file puts things, the given values are led there from the design position on a path of closed
// positions (continuation), which also stays on the branch that is drawn. If it cannot close at
// all, what the given values miss by decides: a value with few digits is corrected, with a warning,
// a real contradiction is an error. Equations of `initial` are met along with the loops, by what is
// not held.
#include "sim/assemble_work.h"

#include <math.h>
#include <string.h>

// Speeds that loops may open with, of the fastest: near singular positions less cannot be told from
// rounding.
static const double SLOW = 1e-8;
static const double FORGIVEN = 2e-3;  // given values off by so much were rounded by hand
static const double ELSEWHERE = 0.3;  // where closing is tried again: rad, sizes of the mechanism

enum { TRIALS = 6, FAR_TRIALS = 40, PATH_STEPS = 200 };

// ---- positions ----------------------------------------------------------------------------------

bool sar_assembly_hold(Assembly* a, const int* given) {
  const SarModel* m = a->m;
  bool any = false;
  a->given = 0;
  for (int i = 0; i < m->nv; i++) any |= a->held[i] = given && given[i];
  for (int i = m->nv; given && i < m->nv_all; i++)
    if (given[i] && sar_joint_is_on(m, a->d, m->dof_body[i])) a->given_dof[a->given++] = i;
  memset(a->lag, 0, (size_t)(m->nv_all - m->nv + m->ninitial) * sizeof *a->lag);
  return any || a->given > 0;
}

static void put(Assembly* a, const double* q) {
  memcpy(a->d->q, q, (size_t)a->m->nq_all * sizeof *q);
}

// Held joints at the share s of the way from a->from to their given values.
static void lead(Assembly* a, double s) {
  const SarModel* m = a->m;
  for (int j = 0; j < m->nbody; j++) {
    const int iq = m->joint_qadr[j], iv = m->joint_vadr[j], nv = m->joint_nv[j];
    const SarJointKind* kind = m->joint_kind[j];
    const double *param = &m->joint_param[j * SAR_JOINT_MAX_PARAM], *to = &m->q0[iq];
    if (nv == 0 || !a->held[iv]) continue;
    double xi[SAR_JOINT_MAX_NV];
    sar_joint_displacement(kind, param, &a->from[iq], to, xi);
    for (int i = 0; i < nv; i++) xi[i] *= s;
    sar_joint_retract(kind, param, &a->from[iq], xi, &a->d->q[iq]);
  }
}

// From the design position to the given values along closed positions.
static double follow_path(Assembly* a) {
  const SarModel* m = a->m;
  const size_t bytes = (size_t)m->nq * sizeof(double);
  const int wishes = a->wishes;
  double done = 0, step = 0.125, open = 1;
  put(a, m->q_zero);
  sar_assembly_hold(a, NULL);
  a->wishes = 0;
  open = sar_close_positions(a);
  a->wishes = wishes;
  if (open > SAR_CLOSED) return 1;
  memcpy(a->from, a->d->q, bytes);
  sar_assembly_hold(a, m->q0_given);
  sar_open_positions(a);
  const int extra = a->given + a->wishes;
  memcpy(a->start, &a->residual[m->nrow], (size_t)extra * sizeof *a->start);
  for (int i = 0; i < PATH_STEPS && done < 1; i++) {
    const double s = fmin(1, done + step);
    memcpy(a->kept, a->d->q, bytes);
    for (int k = 0; k < extra; k++) a->lag[k] = (1 - s) * a->start[k];
    lead(a, s);
    open = sar_close_positions(a);
    if (open <= SAR_CLOSED) {
      done = s;
      step *= 2;
      continue;
    }
    memcpy(a->d->q, a->kept, bytes);
    step *= 0.5;
    if (step < 1e-3) break;
  }
  if (done < 1) {  // as far as it goes: what is left at the given values
    for (int k = 0; k < extra; k++) a->lag[k] = 0;
    lead(a, 1);
    open = sar_close_positions(a);
  }
  return open;
}

// The message for loops that stay open (or open with a speed) however they are moved. Drives that
// ask for more than the mechanism leaves free have one of their own.
static SarStatus cannot_close(Assembly* a, bool speed, SarError* err) {
  const SarGap gap = sar_widest_gap(a, speed);
  sar_assembly_hold(a, NULL);
  sar_size_rows(a);
  const int rank = sar_count_rows(a->m, a->d, a->row_size, 0, &a->rank);
  if (!sar_report_overdriven(a, rank, &gap, err)) sar_report_open(&gap, speed, err);
  return SAR_BAD_MODEL;
}

// From other places near by, if it does not close from here: bars in one line, for example, do not
// know to which side to give way. Leaves the best position found.
static double close_from_elsewhere(Assembly* a, double open) {
  const size_t bytes = (size_t)a->m->nq_all * sizeof(double);
  unsigned seed = 1;
  for (int trial = 0; trial < TRIALS && open > SAR_CLOSED; trial++) {
    memcpy(a->kept, a->d->q, bytes);
    sar_disturb(a, ELSEWHERE, &seed);
    const double now = sar_close_positions(a);
    if (now < open)
      open = now;
    else
      put(a, a->kept);
  }
  sar_open_positions(a);
  return open;
}

double sar_assembly_fastest(const Assembly* a) {
  double most = 0;
  for (int i = 0; i < a->m->nv; i++) most = fmax(most, fabs(a->d->v[i]));
  for (int i = 0; i < a->m->nrow; i++) most = fmax(most, fabs(a->d->Phi_t[i]) / a->p.unit[i]);
  return most;
}

// At the start again, with `given` held or nothing: as far as it closes.
static bool closes(Assembly* a, const int* given, int wishes) {
  const SarModel* m = a->m;
  put(a, m->q0);
  if (a->speeds) put(a, a->kept), memcpy(a->d->v, a->v_from, (size_t)m->nv_all * sizeof(double));
  sar_assembly_hold(a, given);
  a->wishes = wishes;
  if (!a->speeds) return sar_close_positions(a) <= SAR_CLOSED;
  const double open = sar_close_velocities(a);
  return open <= SLOW * fmax(1, sar_assembly_fastest(a));
}

// Initial equations that are not met: because of what is given, or not at all. SAR_OK: it is the
// loops that do not close, and the equations are left out.
static SarStatus judge_wishes(Assembly* a, const int* given, SarError* err) {
  const int wishes = a->wishes;
  char names[SAR_NAMES] = "";
  if (wishes == 0) return SAR_OK;
  memcpy(a->kept, a->d->q, (size_t)a->m->nq_all * sizeof(double));
  if (!closes(a, given, 0)) return SAR_OK;
  const bool any = sar_assembly_hold(a, given);
  if (closes(a, NULL, wishes) && any) {
    closes(a, given, wishes);
    sar_given_text(a, -1, given, names, sizeof names);
  }
  sar_report_wishes(a, names[0] ? names : NULL, err);
  return SAR_BAD_MODEL;
}

// Initial equations may ask for a place far from where things are drawn: from more and more distant
// ones.
static double close_from_afar(Assembly* a, double open) {
  unsigned seed = 2;
  for (int trial = 1; trial <= FAR_TRIALS && a->wishes > 0 && open > SAR_CLOSED; trial++) {
    put(a, a->m->q0);
    sar_disturb(a, ELSEWHERE * (1 + 0.2 * trial), &seed);
    open = sar_close_positions(a);
  }
  return open;
}

SarStatus sar_assemble_positions(Assembly* a, bool initial, SarError* err) {
  const SarModel* m = a->m;
  const bool any = sar_assembly_hold(a, initial ? m->q0_given : NULL);
  if (initial) sar_take_wishes(a, false);
  double open = sar_close_positions(a);
  if (open <= SAR_CLOSED) return SAR_OK;
  if (any || a->wishes > 0) open = follow_path(a);
  if (open > SAR_CLOSED) open = close_from_elsewhere(a, open);
  open = close_from_afar(a, open);
  if (open <= SAR_CLOSED) return SAR_OK;
  SAR_TRY(judge_wishes(a, m->q0_given, err));
  if (initial && m->ninitial > 0) sar_assembly_hold(a, m->q0_given), open = sar_close_positions(a);
  if (open <= SAR_CLOSED) return SAR_OK;
  const SarGap gap = sar_widest_gap(a, false);
  if (!any) return cannot_close(a, false, err);

  // without the given values?
  char given[SAR_NAMES];
  sar_given_text(a, gap.constraint, m->q0_given, given, sizeof given);
  sar_assembly_hold(a, NULL);
  double freed = sar_close_positions(a);
  if (freed > SAR_CLOSED) freed = close_from_elsewhere(a, freed);
  if (freed > SAR_CLOSED) return cannot_close(a, false, err);
  if (open <= FORGIVEN) {
    sar_warn(
        err, gap.loc, "give fewer positions, or more digits",
        "given positions do not quite fit together: %s is open by %.3g %s; corrected (joints %s)",
        gap.owner, gap.size, gap.unit, given);
    return SAR_OK;
  }
  sar_report(
      err, gap.loc, "leave one of them out: it follows from the others",
      "the given positions contradict each other: %s stays open by %.3g %s with joints %s held",
      gap.owner, gap.size, gap.unit, given);
  return SAR_BAD_MODEL;
}

// ---- velocities ---------------------------------------------------------------------------------

SarStatus sar_assemble_velocities(Assembly* a, bool initial, SarError* err) {
  const SarModel* m = a->m;
  const bool any = sar_assembly_hold(a, initial ? m->v0_given : NULL);
  if (initial) sar_take_wishes(a, true);
  if (initial) sar_assembly_carry_speeds(a);
  memcpy(a->v_from, a->d->v, (size_t)m->nv_all * sizeof(double));
  double open = sar_close_velocities(a);
  const double limit = SLOW * fmax(1, sar_assembly_fastest(a));
  if (open <= limit) return SAR_OK;
  SAR_TRY(judge_wishes(a, m->v0_given, err));
  if (initial && m->ninitial > 0) sar_assembly_hold(a, m->v0_given), open = sar_close_velocities(a);
  const SarGap gap = sar_widest_gap(a, true);
  char given[SAR_NAMES] = "";
  if (any) {
    sar_given_text(a, gap.constraint, m->v0_given, given, sizeof given);
    const double missed = open;
    memcpy(a->d->v, a->v_from, (size_t)m->nv_all * sizeof(double));
    sar_assembly_hold(a, NULL);
    open = sar_close_velocities(a);
    if (open <= limit && missed <= FORGIVEN * sar_assembly_fastest(a)) {
      sar_warn(
          err, gap.loc, "give fewer speeds, or more digits",
          "given speeds do not quite fit together: %s opens with %.3g %s; corrected (joints %s)",
          gap.owner, gap.size, gap.unit, given);
      return SAR_OK;
    }
    if (open <= limit) {
      sar_report(
          err, gap.loc, "leave one of them out: it follows from the others",
          "the given speeds contradict each other: %s opens with %.3g %s with joints %s held",
          gap.owner, gap.size, gap.unit, given);
      return SAR_BAD_MODEL;
    }
  }
  return cannot_close(a, true, err);
}
