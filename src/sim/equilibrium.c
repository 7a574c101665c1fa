// Static equilibrium (equilibrium.h).
//
//   Q(q) = Psi' lambda,   Phi(q) = 0           forces at rest are carried by the constraints
//   r = N' Q = 0                               N: orthonormal null space of Psi
//   K = -d/dz N'(Q - Psi' lambda)              z: along N; lambda and N held; exactly, or where
//                                              there are constraints by central differences
//   K y = w B y,   B = N' M N                  w: squares of the natural frequencies
//   dz = sum y (y' r) / |w|                    Newton's step, downhill also where the curvature is
//                                              negative
//
// Steps are bounded, and halved where the force along them has turned round by more than half: a
// line search that needs no energy. The stiffness of the constraint forces comes in through Psi'
// lambda with lambda held. Where K is not symmetric the forces have no potential (motors under
// control, say) and there is no downhill: then dz = K^-1 r (the shortest), halved until |r| falls.
//
// States of the user's own come to rest with the mechanism: equilibrium_states.c.
//
// Where B is singular (bodies without inertia) it is replaced by the unit matrix: the signs of w
// stay right, frequencies they are no more.
#include "base/block.h"
#include "sim/equilibrium.h"

#include "base/alloc.h"
#include "dynamics/projection.h"
#include "linalg/matrix.h"
#include "linalg/spd.h"
#include "model/room.h"
#include "sim/equilibrium_work.h"

#include <math.h>
#include <string.h>

enum { HALVINGS = 12, ESCAPES = 5, PATIENCE = 12 };

static const double LONGEST = 0.5;     // of a step: rad, or sizes of the mechanism
static const double ARRIVED = 1e-11;   // a step so short ends the search; rad, or sizes
static const double ROUNDING = 1e-13;  // of the largest force: nothing pushes
static const double NUDGE = 1e-2;      // off an unstable equilibrium; rad, or sizes

// ---- life ---------------------------------------------------------------------------------------

static void lay_out(SarRestSearch* a, SarBlock* b) {
  const size_t n = (size_t)a->n, rows = (size_t)a->m->nrow;
  SAR_PIECE(b, a->M, n * n);
  SAR_PIECE(b, a->Psi, rows * n);
  SAR_PIECE(b, a->zero, rows);
  SAR_PIECE(b, a->Q, n);
  SAR_PIECE(b, a->rest, n);
  SAR_PIECE(b, a->N, n * n);
  SAR_PIECE(b, a->N_moved, n * n);
  SAR_PIECE(b, a->r, n);
  SAR_PIECE(b, a->dz, n);
  SAR_PIECE(b, a->dx, n);
  SAR_PIECE(b, a->K, n * n);
  SAR_PIECE(b, a->B, n * n);
  SAR_PIECE(b, a->Y, n * n);
  SAR_PIECE(b, a->w, n);
  SAR_PIECE(b, a->q, a->m->nq_all);
  SAR_PIECE(b, a->lambda, rows);
  SAR_PIECE(b, a->LU, n * n);
  SAR_PIECE(b, a->im, n);
  SAR_PIECE(b, a->plain, n * n);
  SAR_PIECE(b, a->pivot, n);
  SAR_PIECE(b, a->Q_start, n);
  SAR_PIECE(b, a->start, 2 * (size_t)a->m->nq_all);
  sar_rest_joint_layout(a, b);
  void* work = SAR_BYTES(b, sar_index1_work_size(a->n, a->m->nrow));
  if (b->memory) sar_index1_init(&a->p, a->n, a->m->nrow, work);
}

static SarStatus begin(SarRestSearch* a, SarError* err) {
  SarBlock block = sar_block(NULL, 0);
  SarStatus st;
  lay_out(a, &block);
  a->block = sar_take_for(a->m, block.used, "looking for an equilibrium", &st, err);
  if (!a->block) return st;
  block = sar_block(a->block, 0);
  lay_out(a, &block);
  a->p.M = a->M, a->p.Psi = a->Psi, a->p.gamma = a->zero, a->p.F = a->Q;
  if (a->m->nrow > 0) a->p.m = a->p.rows.m = a->s->freedom.rows;
  if (a->m->nrow > 0) a->p.rows.rank_max = a->s->freedom.rank;
  a->length = 0;
  for (int b = 0; b < a->m->nbody; b++) a->length = fmax(a->length, v3_norm(a->d->body_X_GB[b].p));
  if (a->s->projection) a->length = a->s->projection->length;
  if (!(a->length > 0)) a->length = 1;
  if (a->m->nrow > 0 || a->m->nz > 0) return SAR_OK;
  st = sar_derivatives_new(a->m, &a->exact, NULL);
  return st == SAR_NOT_OFFERED ? SAR_OK : st;
}

static void end(SarRestSearch* a) {
  sar_derivatives_free(a->exact);
  sar_free(a->block);
}

// ---- one step -----------------------------------------------------------------------------------

// The shortest dz with K dz = r, by the eigenvectors u of K'K = sum w u u': dz = sum u (u' K' r) /
// w. Directions that nothing holds (a car on the road has three) have w = 0 and are left alone.
static SarStatus find_plain_step(SarRestSearch* a) {
  const int f = a->f;
  double* u = a->plain;
  sar_matmul_t(f, f, f, a->K, f, a->K, f, u, f);
  memset(a->dz, 0, (size_t)f * sizeof *a->dz);
  if (f == 0 || sar_rest_largest(f, a->r) <= ROUNDING * a->largest_force) return SAR_OK;
  SAR_TRY(sar_eigen(f, u, a->im, &a->p.dense));
  const double floor = a->im[f - 1] * SAR_REST_INDIFFERENT * SAR_REST_INDIFFERENT;
  for (int k = 0; k < f; k++, u += f) {
    if (!(a->im[k] > floor)) continue;
    double along = 0;
    for (int j = 0; j < f; j++) {
      double Kr = 0;
      for (int i = 0; i < f; i++) Kr += a->K[j * f + i] * a->r[i];
      along += u[j] * Kr;
    }
    for (int j = 0; j < f; j++) a->dz[j] += u[j] * along / a->im[k];
  }
  return SAR_OK;
}

// dz by Newton's method. Directions without stiffness are left alone unless a force acts along
// them.
static void find_downhill_step(SarRestSearch* a) {
  const int f = a->f;
  const double top = sar_rest_largest(f, a->w), floor = SAR_REST_INDIFFERENT * top;
  if (a->firm) {
    memcpy(a->dz, a->r, (size_t)f * sizeof *a->dz);
    sar_spd_solve(f, a->plain, a->dz);
    return;
  }
  memset(a->dz, 0, (size_t)f * sizeof *a->dz);
  for (int k = 0; k < f; k++) {
    const double* y = &a->Y[k * f];
    double force = 0, size = 0;
    for (int i = 0; i < f; i++) force += y[i] * a->r[i], size += fabs(y[i]);
    if (fabs(force) <= ROUNDING * a->largest_force * size) continue;
    if (fabs(a->w[k]) <= floor && fabs(force) <= 1e-9 * a->largest_force * size) continue;
    const double w = fmax(fabs(a->w[k]), floor > 0 ? floor : 1);
    for (int i = 0; i < f; i++) a->dz[i] += y[i] * force / w;
  }
}

void sar_rest_along(SarRestSearch* a) { sar_matvec(a->n, a->f, 1, a->N, a->n, a->dz, 0, a->dx); }

static void shorten(SarRestSearch* a, double share) {
  for (int i = 0; i < a->n; i++) a->dx[i] *= share;
  for (int i = 0; i < a->m->nz; i++) a->dstate[i] *= share;
}

static SarStatus find_step(SarRestSearch* a) {
  if (a->m->nz > 0) {
    a->symmetric = false;  // rates have no potential
    SAR_TRY(sar_rest_joint_step(a));
    const double size = sar_rest_longest(a, a->dx);
    if (size > LONGEST) shorten(a, LONGEST / size);
    return SAR_OK;
  }
  if (a->symmetric)
    find_downhill_step(a);
  else
    SAR_TRY(find_plain_step(a));
  sar_rest_along(a);
  const double size = sar_rest_longest(a, a->dx);
  for (int i = 0; i < a->n && size > LONGEST; i++) a->dx[i] *= LONGEST / size;
  return SAR_OK;
}

// d at a->q displaced by dx and back on the constraints.
SarStatus sar_rest_move(SarRestSearch* a) {
  SarData* d = a->d;
  memcpy(d->q, a->q, (size_t)a->m->nq_all * sizeof *a->q);
  sar_projection_move(a->m, a->dx, d->q);
  for (int i = 0; i < a->m->nz; i++) d->z[i] = a->x[i] + a->dstate[i];
  memset(d->v, 0, (size_t)a->m->nv_all * sizeof *d->v);
  if (a->s->projection) {
    sar_projection_forget(a->s->projection);
    SAR_TRY(sar_project(a->m, d, a->s->projection));
  }
  sar_rest_evaluate(a);
  return sar_rest_reduce(a);
}

// With states: halved where the mechanism cannot follow or the residual does not fall.
static SarStatus step_jointly(SarRestSearch* a) {
  const double before = sar_rest_joint_residual(a);
  for (int k = 0;; k++) {
    const SarStatus st = sar_rest_move(a);
    if (k == HALVINGS || (st == SAR_OK && sar_rest_joint_residual(a) < before)) return st;
    shorten(a, 0.5);
  }
}

// Along dx, halved where the mechanism cannot follow or the force has turned round.
static SarStatus step_along(SarRestSearch* a) {
  double before = 0, force = sar_rest_largest(a->f, a->r);
  for (int i = 0; i < a->n; i++) before += a->Q[i] * a->dx[i];
  for (int k = 0;; k++) {
    SarStatus st = sar_rest_move(a);
    // what is left of dx on the constraints, and the force along it
    double after = 0;
    sar_matvec_t(a->n, a->f, 1, a->N, a->n, a->dx, 0, a->dz);
    for (int i = 0; i < a->f; i++) after += a->dz[i] * a->r[i];
    const bool good =
        a->symmetric ? after >= -0.5 * fabs(before) : sar_rest_largest(a->f, a->r) < force;
    if (k == HALVINGS || (st == SAR_OK && good)) return st;
    for (int i = 0; i < a->n; i++) a->dx[i] *= 0.5;
    before *= 0.5;
  }
}

// Full steps from where the search began; if they lead nowhere it goes on where it was.
static SarStatus try_newton(SarRestSearch* a, bool* found) {
  const size_t bytes = (size_t)a->m->nq_all * sizeof *a->q;
  double* here = a->start + a->m->nq_all;
  memcpy(here, a->d->q, bytes);
  SAR_TRY(sar_rest_newton(a, found));
  if (*found) return SAR_OK;
  memcpy(a->d->q, here, bytes);
  sar_rest_evaluate(a);
  SAR_TRY(sar_rest_reduce(a));
  return sar_rest_modes(a);
}

// ---- the search ---------------------------------------------------------------------------------

static void count_signs(const SarRestSearch* a, SarEquilibrium* out) {
  const double share = a->firm ? SAR_REST_ROUNDING : SAR_REST_INDIFFERENT;
  const double floor = out->floor = share * sar_rest_largest(a->f, a->w);
  out->unstable = out->indifferent = 0;
  for (int k = 0; k < a->f && !a->firm; k++) {
    out->unstable += a->w[k] < -floor;
    out->indifferent += fabs(a->w[k]) <= floor;
  }
  out->freedom = a->f;
  out->redundant = a->p.m - a->p.rank;
  memcpy(out->omega2, a->w, (size_t)a->f * sizeof *a->w);
  // the force that is left, in coordinates
  sar_matvec(a->n, a->f, 1, a->N, a->n, a->r, 0, a->rest);
  out->force = sar_rest_largest(a->n, a->rest);
}

static SarStatus no_equilibrium(const SarRestSearch* a, const SarEquilibrium* out, SarError* err) {
  const SarModel* m = a->m;
  const int state = m->nz > 0 ? sar_rest_moving_state(a) : -1;
  if (state >= 0) {
    sar_report(err, (SarLoc){0}, "does anything let it come to rest? start nearer",
               "no equilibrium found in %d iterations: state '%s' still changes by %.3g a second",
               out->iterations, sar_text(m, m->z_name[state]), a->d->z_rate[state]);
    return SAR_NOT_CONVERGED;
  }
  int worst = 0;
  for (int i = 1; i < a->n; i++)
    if (fabs(a->rest[i]) > fabs(a->rest[worst])) worst = i;
  sar_report(err, (SarLoc){0}, "does anything hold it? start nearer, or allow more iterations",
             "no equilibrium found in %d iterations: joint '%s' is still pushed by %.3g %s",
             out->iterations, sar_text(m, m->joint_name[m->dof_body[worst]]), a->rest[worst],
             sar_rest_is_length(m, worst) ? "N" : "N m");
  return SAR_NOT_CONVERGED;
}

static SarStatus search(SarRestSearch* a, const SarEquilibriumOptions* o, SarEquilibrium* out,
                        SarError* err) {
  double last = HUGE_VAL;
  int escapes = 0;
  bool found = false;
  memcpy(a->start, a->d->q, (size_t)a->m->nq_all * sizeof *a->q);
  sar_rest_evaluate(a);
  SAR_TRY(sar_rest_reduce(a));
  for (out->iterations = 0;; out->iterations++) {
    SAR_TRY(sar_rest_modes(a));
    if (out->iterations == PATIENCE && a->m->nz == 0) SAR_TRY(try_newton(a, &found));
    SAR_TRY(find_step(a));
    count_signs(a, out);
    if (found) return SAR_OK;
    const double size = a->m->nz > 0 ? sar_rest_joint_size(a) : sar_rest_longest(a, a->dx);
    if (!isfinite(size)) return SAR_NOT_FINITE;
    // as near as rounding allows: short, or short and no longer shrinking
    const bool arrived = size <= ARRIVED || (size <= 1e3 * ARRIVED && size > 0.5 * last);
    if (arrived && a->m->nz > 0)
      return sar_rest_moving_state(a) < 0 ? SAR_OK : no_equilibrium(a, out, err);
    if (arrived && (!o->settle || !a->symmetric || out->unstable == 0 || escapes++ == ESCAPES))
      return SAR_OK;
    if (out->iterations == o->max_iterations) return no_equilibrium(a, out, err);
    if (arrived && a->symmetric) {  // the most unstable direction comes first
      sar_matvec(a->n, a->f, 1, a->N, a->n, a->Y, 0, a->dx);
      const double nudge = NUDGE / sar_rest_longest(a, a->dx);
      for (int i = 0; i < a->n; i++) a->dx[i] *= nudge;
      SAR_TRY(sar_rest_move(a));
      last = HUGE_VAL;
      continue;
    }
    last = size;
    SAR_TRY(a->m->nz > 0 ? step_jointly(a) : step_along(a));
  }
}

// Everything in d as at rest: a = 0, lambda from the balance.
static void settle(SarRestSearch* a) {
  sar_rest_evaluate(a);
  memset(a->d->a, 0, (size_t)a->m->nv_all * sizeof *a->d->a);
  memcpy(a->d->lambda, a->lambda, (size_t)a->m->nrow * sizeof *a->lambda);
}

SarStatus sar_equilibrium_find(SarSim* s, const SarEquilibriumOptions* o, SarEquilibrium* out,
                               SarError* err) {
  SarRestSearch a = {.s = s, .m = s->m, .d = s->d, .n = s->m->nv};
  sar_update_positions(a.m, a.d);
  sar_update_world(a.m, a.d);
  SarStatus st = begin(&a, err);
  if (st != SAR_OK) {
    end(&a);
    return st;
  }
  const int errors = err ? err->errors : 0;
  st = search(&a, o, out, err);
  if (st == SAR_NOT_CONVERGED && err && err->errors == errors)
    sar_report(err, (SarLoc){0}, "does anything hold it? start nearer",
               "no equilibrium found: after %d iterations the constraints cannot be closed again "
               "along the next step",
               out->iterations);
  settle(&a);
  end(&a);
  return st;
}

SarStatus sar_equilibrium_left(SarSim* s, double* force, double* largest, SarError* err) {
  SarRestSearch a = {.s = s, .m = s->m, .d = s->d, .n = s->m->nv};
  sar_update_positions(a.m, a.d);
  sar_update_world(a.m, a.d);
  SarStatus st = begin(&a, err);
  if (st != SAR_OK) {
    end(&a);
    return st;
  }
  memset(a.d->v, 0, (size_t)a.m->nv_all * sizeof *a.d->v);
  sar_rest_evaluate(&a);
  st = sar_rest_reduce(&a);
  if (st == SAR_OK) sar_matvec(a.n, a.f, 1, a.N, a.n, a.r, 0, force);
  *largest = a.largest_force;
  end(&a);
  return st;
}

SarStatus sar_equilibrium_holds(SarSim* s, bool* firm, SarError* err) {
  SarRestSearch a = {.s = s, .m = s->m, .d = s->d, .n = s->m->nv};
  sar_update_positions(a.m, a.d);
  sar_update_world(a.m, a.d);
  SarStatus st = begin(&a, err);
  if (st != SAR_OK) {
    end(&a);
    return st;
  }
  sar_rest_evaluate(&a);
  st = sar_rest_reduce(&a);
  if (st == SAR_OK) st = sar_rest_modes(&a);
  *firm = st == SAR_OK && a.firm;
  end(&a);
  return st;
}
