// Kinematic analysis (follow.h): numerical continuation by predictor and corrector.
//
// Continuation: from t to t + h the state is predicted by q + v h + a h^2 / 2 and closed by
// projection. If that moves it further than CORRECTION, h is halved: the correction is of third
// order in h where the motion is smooth, and a large one would be a leap to another branch. At a
// singular position two branches cross with different velocities; the prediction goes straight on.
#include "base/block.h"
#include "sim/follow.h"

#include "sim/accepts.h"

#include "base/alloc.h"
#include "dynamics/projection.h"
#include "linalg/dense.h"
#include "model/room.h"
#include "sim/events.h"
#include "sim/kinks.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 100000, GOLDEN_STEPS = 40 };

static const double CORRECTION = 0.02;  // rad, or sizes of the mechanism
static const double SHORTEST = 1e-9;    // step, of the longest way asked for
static const double OPEN_SPEED = 1e-6;  // what may be left of the speed constraints, over the speed
static const double AT_REST = 1e-12;    // and of a mechanism that pauses: rounding [m/s or rad/s]

typedef struct SarFollowWork {
  SarDenseWork dense;
  double *Psi, *tau;  // nrow x nv; nrow
  int* pivot;         // nrow
  double *q, *x;
  SarData* saved;
} SarFollowWork;

// ---- life ---------------------------------------------------------------------------------------

static void lay_out(SarFollowWork* w, const SarModel* m, SarBlock* b) {
  SAR_PIECE(b, w->Psi, (size_t)m->nrow * (size_t)m->nv);
  SAR_PIECE(b, w->q, m->nq_all);
  SAR_PIECE(b, w->x, m->nv);
  SAR_PIECE(b, w->tau, m->nrow);
  SAR_PIECE(b, w->pivot, m->nrow);
  sar_dense_query(m->nv, m->nrow, &w->dense);
  SAR_PIECE(b, w->dense.work, w->dense.lwork);
  SAR_PIECE(b, w->dense.iwork, w->dense.liwork);
}

static SarFollowWork* work_new(const SarModel* m, SarStatus* st, SarError* err) {
  SarFollowWork counted;
  SarBlock b = sar_block(NULL, sizeof counted);
  lay_out(&counted, m, &b);
  SarFollowWork* w = sar_take_for(m, b.used, "following the motion", st, err);
  if (!w) return NULL;
  b = sar_block(w, sizeof *w);
  lay_out(w, m, &b);
  *st = sar_data_new(m, &w->saved, err);
  if (*st == SAR_OK) return w;
  sar_free(w);
  return NULL;
}

void sar_follow_free(SarFollow* f) {
  if (!f->work) return;
  sar_data_free(f->work->saved);
  sar_free(f->work);
  f->work = NULL;
}

// ---- where d is ---------------------------------------------------------------------------------

// By QR with pivoting of the rows at their usual lengths: a row that shrinks loses its grip too.
static double grip_of(SarFollow* f) {
  SarFollowWork* w = f->work;
  const SarModel* m = f->s->m;
  const size_t n = (size_t)m->nv;
  const int rank = f->s->freedom.rank;
  if (rank == 0) return 1;
  sar_constraint_jacobian_dense(m, f->s->d, w->Psi);
  for (size_t i = 0; i < (size_t)m->nrow; i++)
    for (size_t j = 0; j < n; j++) w->Psi[i * n + j] /= f->s->row_size[i];
  sar_qr_pivoted(m->nv, m->nrow, w->Psi, w->pivot, w->tau, &w->dense);
  return fabs(w->Psi[(size_t)(rank - 1) * (n + 1)]) / fabs(w->Psi[0]);
}

// Accelerations and multipliers; d has been projected.
static SarStatus evaluate(SarFollow* f) {
  SarSim* s = f->s;
  SAR_TRY(s->call.accel(s));
  f->grip = grip_of(f);
  return SAR_OK;
}

static bool is_length(const SarModel* m, int dof) {
  const int j = m->dof_body[dof];
  return m->joint_kind[j]->coordinate[dof - m->joint_vadr[j]] == SAR_LENGTH;
}

// From q0 to q1, the longest component: rad, or sizes of the mechanism.
static double distance(const SarFollow* f, const double* q0, const double* q1) {
  const SarModel* m = f->s->m;
  double most = 0;
  for (int j = 0; j < m->nbody; j++) {
    const SarJointKind* kind = m->joint_kind[j];
    const double *a = &q0[m->joint_qadr[j]], *b = &q1[m->joint_qadr[j]];
    double xi[SAR_JOINT_MAX_NV];
    sar_joint_displacement(kind, &m->joint_param[j * SAR_JOINT_MAX_PARAM], a, b, xi);
    for (int i = 0; i < kind->nv; i++) {
      const double size = fabs(xi[i]) / (is_length(m, m->joint_vadr[j] + i) ? f->length : 1);
      if (!(size <= most)) most = size;
    }
  }
  return most;
}

// ---- going on -----------------------------------------------------------------------------------

// Does the velocity keep the constraints? At a dead position no finite one does.
static bool speeds_close(const SarFollow* f) {
  const SarModel* m = f->s->m;
  const SarData* d = f->s->d;
  double left = 0, speed = 0;
  for (int i = 0; i < m->nrow; i++) {
    left = fmax(left, fabs(d->Phi_dot[i]));
    speed = fmax(speed, fabs(d->Phi_t[i]));
  }
  for (int i = 0; i < m->nv; i++) speed = fmax(speed, fabs(d->v[i]));
  return left <= OPEN_SPEED * speed + AT_REST;
}

// One step of the continuation from the saved state; true if it is good.
static bool try_step(SarFollow* f, double t) {
  SarFollowWork* w = f->work;
  const SarModel* m = f->s->m;
  SarData* d = f->s->d;
  sar_data_copy(d, w->saved);
  const double h = t - d->t;
  for (int i = 0; i < m->nv; i++) w->x[i] = h * (d->v[i] + 0.5 * h * d->a[i]);
  sar_projection_move(m, w->x, d->q);
  for (int i = 0; i < m->nv; i++) d->v[i] += h * d->a[i];
  d->t = t;
  memcpy(w->q, d->q, (size_t)m->nq_all * sizeof *w->q);
  if (f->s->projection) {
    sar_projection_forget(f->s->projection);
    if (sar_project(m, d, f->s->projection) != SAR_OK) return false;
  }
  return distance(f, w->q, d->q) <= CORRECTION && speeds_close(f) && evaluate(f) == SAR_OK;
}

static SarStatus stuck(SarFollow* f, double t, SarError* err) {
  const SarModel* m = f->s->m;
  SarData* d = f->s->d;
  // what stays open is seen just beyond
  int worst = 0;
  try_step(f, t);
  for (int i = 1; i < m->nrow; i++)
    if (fabs(d->Phi[i]) > fabs(d->Phi[worst])) worst = i;
  const char* name = m->nrow > 0 ? sar_text(m, m->constraint[m->row[worst].constraint].name) : "";
  sar_data_copy(d, f->work->saved);
  evaluate(f);
  sar_report(err, (SarLoc){0}, "the end of its range; prescribe less",
             "the mechanism cannot follow its drives beyond t = %.6g: '%s' would open", d->t, name);
  return SAR_NOT_CONVERGED;
}

static SarStatus follow_smoothly(SarFollow* f, double t, SarError* err) {
  SarData *d = f->s->d, *saved = f->work->saved;
  f->longest = fmax(f->longest, fabs(t - d->t));
  const double least = SHORTEST * f->longest;
  for (int i = 0; i < MOST_STEPS && d->t != t; i++) {
    const double whole = fabs(t - d->t), way = copysign(1, t - d->t);
    double h = f->step > 0 ? fmin(whole, f->step) : whole;
    SAR_TRY(sar_data_copy(saved, d));
    bool good = try_step(f, h < whole ? saved->t + way * h : t);
    while (!good && h > least) {
      h *= 0.5;
      good = try_step(f, saved->t + way * h);
    }
    if (!good) return stuck(f, saved->t + way * h, err);
    f->step = fmax(2 * h, least);
  }
  return d->t == t ? SAR_OK : SAR_NOT_CONVERGED;
}

// What is switched there; the motion must stay prescribed whole.
static SarStatus switch_here(SarFollow* f, SarError* err) {
  SarSim* s = f->s;
  bool switched = false;
  const SarStatus st = sar_events_update(s, &switched);
  if (st != SAR_OK) {
    sar_report(err, (SarLoc){0}, "", "%s", sar_events_trouble(s));
    return st;
  }
  const int left = s->m->nv - s->freedom.rank;
  if (left > 0) {
    sar_report(err, (SarLoc){0}, "let 'sarrus run' find the motion",
               "the motion is prescribed up to t = %.6g only, where something is switched off",
               s->d->t);
    return SAR_BAD_MODEL;
  }
  f->step = 0;
  return switched ? sar_follow_restart(f) : SAR_OK;
}

// Forwards by way of the times at which something is switched. Conditions are looked at where steps
// end.
SarStatus sar_follow_to(SarFollow* f, double t, SarError* err) {
  SarSim* s = f->s;
  while (s->events && s->d->t < t) {
    SAR_TRY(follow_smoothly(f, fmin(t, sar_kink_after(s->m, s->d->t)), err));
    SAR_TRY(switch_here(f, err));
  }
  return follow_smoothly(f, t, err);
}

SarStatus sar_follow_restart(SarFollow* f) {
  SarSim* s = f->s;
  f->step = 0;
  if (s->projection) {
    sar_projection_forget(s->projection);
    SAR_TRY(sar_project(s->m, s->d, s->projection));
  }
  return evaluate(f);
}

SarStatus sar_follow_new(SarSim* s, SarFollow* out, SarError* err) {
  const SarModel* m = s->m;
  *out = (SarFollow){.s = s, .length = s->projection ? s->projection->length : 1};
  if (m->drives_follow) {
    sar_report(err, (SarLoc){0}, "let 'sarrus run' find the motion",
               "a prescribed motion follows states, which must be integrated");
    return SAR_BAD_MODEL;
  }
  const int left = m->nv - s->freedom.rank;
  if (left > 0) {
    sar_report(err, (SarLoc){0},
               "add a 'motion' to 'constraints' for each, or let 'sarrus run' find the motion",
               "the motion is not prescribed whole: %d degree%s left free", left,
               left == 1 ? " of freedom is" : "s of freedom are");
    return SAR_BAD_MODEL;
  }
  if (sar_rolling_name(m)) {
    sar_report(err, (SarLoc){0}, "let 'sarrus run' find the motion",
               "positions do not follow from the drives alone: constraint '%s' is nonholonomic",
               sar_rolling_name(m));
    return SAR_NOT_OFFERED;
  }
  SarStatus st;
  out->work = work_new(m, &st, err);
  if (!out->work) return st;
  st = sar_follow_restart(out);
  if (st != SAR_OK) sar_follow_free(out);
  return st;
}

// ---- singular positions -------------------------------------------------------------------------

// Golden section: the grip has one minimum between.
SarStatus sar_follow_least_grip(SarFollow* f, double t_low, double t_high, double* t,
                                double* grip) {
  const SarModel* m = f->s->m;
  SarData *d = f->s->d, *home;
  const double share = 0.3819660112501051;
  SarError err;
  sar_error_init(&err);
  SAR_TRY(sar_data_new(m, &home, &err));
  sar_data_copy(home, d);
  double low = t_low, high = t_high;
  *grip = f->grip;
  *t = d->t;
  SarStatus st = SAR_OK;
  for (int i = 0; i < GOLDEN_STEPS && st == SAR_OK && high - low > 1e-9 * (t_high - t_low); i++) {
    // the point of the larger part
    const double at = *t - low > high - *t ? *t - share * (*t - low) : *t + share * (high - *t);
    st = sar_follow_to(f, at, &err);
    if (st != SAR_OK) break;
    if (f->grip < *grip) {
      if (at < *t)
        high = *t;
      else
        low = *t;
      *grip = f->grip;
      *t = at;
    } else {
      if (at < *t)
        low = at;
      else
        high = at;
    }
  }
  sar_data_copy(d, home);
  sar_data_free(home);
  return evaluate(f);
}

// ---- drives -------------------------------------------------------------------------------------

// A drive's row is q - f(t) = 0 with M a + Psi' lambda = Q: on q acts the force -lambda.
SarDriveState sar_drive_state(const SarModel* m, const SarData* d, int row) {
  const SarRow* r = &m->row[row];
  return (SarDriveState){.value = r->slot >= 0 ? d->slot[r->slot] : r->constant,
                         .speed = -d->Phi_t[row],
                         .force = -d->lambda[row],
                         .power = d->lambda[row] * d->Phi_t[row]};
}
