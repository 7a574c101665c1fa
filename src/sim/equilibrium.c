// Static equilibrium (equilibrium.h).
//
//   Q(q) = Psi' lambda,   Phi(q) = 0           forces at rest are carried by the constraints
//   r = N' Q = 0                               N: orthonormal null space of Psi
//   K = -d/dz N'(Q - Psi' lambda)              z: along N; lambda and N held; by central differences
//   K y = w B y,   B = N' M N                  w: squares of the natural frequencies
//   dz = sum y (y' r) / |w|                    Newton's step, downhill also where the curvature is negative
//
// Steps are bounded, and halved where the force along them has turned round by more than half: a line
// search that needs no energy. The stiffness of the constraint forces comes in through Psi' lambda with
// lambda held. Where K is not symmetric the forces have no potential (motors under control, say) and
// there is no downhill: then dz = K^-1 r, halved until |r| falls.
//
// Where B is singular (bodies without inertia) it is replaced by the unit matrix: the signs of w stay
// right, frequencies they are no more.
#include "sim/equilibrium.h"

#include "base/alloc.h"
#include "dynamics/projection.h"
#include "formulations/index1/index1.h"
#include "linalg/lu.h"
#include "linalg/matrix.h"
#include "linalg/spd.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HALVINGS = 12, ESCAPES = 5 };

static const double LONGEST = 0.5;       // of a step: rad, or sizes of the mechanism
static const double ARRIVED = 1e-11;     // a step so short ends the search; rad, or sizes
static const double DIFFERENCE = 1e-5;   // for the stiffness; the same
static const double INDIFFERENT = 1e-6;  // of the largest |w|: differences leave about 1e-9
static const double SKEW = 1e-5;         // of a symmetric K, of its largest entry
static const double NUDGE = 1e-2;        // off an unstable equilibrium; rad, or sizes

typedef struct Search {
  SarSim* s;
  const SarModel* m;
  SarData* d;
  SarIndex1 p;    // for the null space and the multipliers
  int n, f;       // coordinates, degrees of freedom
  double length;  // size of the mechanism [m]
  double *M, *Psi, *zero;
  double *Q, *rest;     // n: forces; Q - Psi' lambda
  double *N, *N_moved;  // n x f, column by column
  double *r, *dz;       // f
  double* dx;           // n: N dz
  double *K, *B, *Y;    // f x f: column by column; Y: columns y
  double* w;            // f
  double *LU, *im;      // f x f, f: for a K that is not symmetric
  int* pivot;           // f
  bool symmetric;
  double *q, *lambda;
  double largest_force;  // of all Q seen: the scale of forces
  void* block;
} Search;

// ---- life ----------------------------------------------------------------------------------------

static size_t lay_out(Search* a, unsigned char* block) {
  const size_t n = (size_t)a->n, rows = (size_t)a->m->nrow;
  const struct {
    double** array;
    size_t count;
  } part[] = {
      {&a->M, n * n},       {&a->Psi, rows * n}, {&a->zero, rows},
      {&a->Q, n},           {&a->rest, n},       {&a->N, n * n},
      {&a->N_moved, n * n}, {&a->r, n},          {&a->dz, n},
      {&a->dx, n},          {&a->K, n * n},      {&a->B, n * n},
      {&a->Y, n * n},       {&a->w, n},          {&a->q, (size_t)a->m->nq_all},
      {&a->lambda, rows},   {&a->LU, n * n},     {&a->im, n},
  };
  size_t at = 0;
  for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
    if (block) *part[i].array = (double*)(void*)(block + at);
    at += (part[i].count * sizeof(double) + 63) / 64 * 64;
  }
  if (block) a->pivot = (int*)(void*)(block + at);
  at += (n * sizeof(int) + 63) / 64 * 64;
  if (block) sar_index1_init(&a->p, a->n, a->m->nrow, block + at);
  return at + sar_index1_work_size(a->n, a->m->nrow);
}

static SarStatus begin(Search* a, SarError* err) {
  const size_t bytes = lay_out(a, NULL);
  a->block = sar_alloc(bytes);
  if (!a->block) {
    sar_report(err, (SarLoc){0}, "", "no memory to look for an equilibrium (%zu bytes)", bytes);
    return SAR_NO_MEMORY;
  }
  lay_out(a, a->block);
  a->p.M = a->M, a->p.Psi = a->Psi, a->p.gamma = a->zero, a->p.F = a->Q;
  if (a->m->nrow > 0) a->p.rows.rank_max = a->s->freedom.rank;
  a->length = 0;
  for (int b = 0; b < a->m->nbody; b++) a->length = fmax(a->length, v3_norm(a->d->body_X_GB[b].p));
  if (a->s->projection) a->length = a->s->projection->length;
  if (!(a->length > 0)) a->length = 1;
  return SAR_OK;
}

// ---- forces and directions -----------------------------------------------------------------------

// Q at rest, and Phi, Psi.
static void evaluate(Search* a) {
  const SarModel* m = a->m;
  SarData* d = a->d;
  memset(d->v, 0, (size_t)m->nv_all * sizeof *d->v);
  sar_update_kinematics(m, d);
  sar_update_world(m, d);
  sar_update_forces(m, d);
  sar_update_constraints(m, d);
  sar_rnea(m, d, NULL, a->Q);
  for (int i = 0; i < a->n; i++) {
    a->Q[i] = d->tau[i] - a->Q[i];
    a->largest_force = fmax(a->largest_force, fabs(a->Q[i]));
  }
}

// N, r and lambda where d is evaluated.
static SarStatus reduce(Search* a) {
  const size_t n = (size_t)a->n;
  sar_constraint_jacobian_dense(a->m, a->d, a->Psi);
  SAR_TRY(sar_index1_rank(&a->p));
  sar_index1_particular(&a->p);
  sar_index1_orthonormal(&a->p);
  a->f = a->n - a->p.rank;
  memcpy(a->N, a->p.basis, n * (size_t)a->f * sizeof *a->N);
  sar_matvec_t(a->n, a->f, 1, a->N, a->n, a->Q, 0, a->r);
  memcpy(a->p.residual, a->Q, n * sizeof *a->Q);
  sar_index1_multipliers(&a->p);
  memcpy(a->lambda, a->p.lambda, (size_t)a->m->nrow * sizeof *a->lambda);
  return SAR_OK;
}

static bool is_length(const SarModel* m, int dof) {
  const int j = m->dof_body[dof];
  return m->joint_kind[j]->coordinate[dof - m->joint_vadr[j]] == SAR_LENGTH;
}

static double largest_of(int n, const double* x) {
  double most = 0;
  for (int i = 0; i < n; i++)
    if (!(fabs(x[i]) <= most)) most = fabs(x[i]);
  return most;
}

// The longest component of a displacement: rad, or sizes of the mechanism.
static double longest(const Search* a, const double* x) {
  double most = 0;
  for (int i = 0; i < a->n; i++) {
    const double size = fabs(x[i]) / (is_length(a->m, i) ? a->length : 1);
    if (!(size <= most)) most = size;
  }
  return most;
}

// ---- stiffness -----------------------------------------------------------------------------------

// N'(Q - Psi' lambda) at a displacement h along column k of N, added to `sum` with `sign`.
static void add_force_at(Search* a, int k, double h, double sign, double* sum) {
  for (int i = 0; i < a->n; i++) a->dx[i] = h * a->N[k * a->n + i];
  memcpy(a->d->q, a->q, (size_t)a->m->nq_all * sizeof *a->q);
  sar_projection_move(a->m, a->dx, a->d->q);
  evaluate(a);
  memcpy(a->rest, a->Q, (size_t)a->n * sizeof *a->Q);
  sar_constraint_add_transposed(a->m, a->d, -1, a->lambda, a->rest);
  sar_matvec_t(a->n, a->f, sign, a->N, a->n, a->rest, 1, sum);
}

static void update_stiffness(Search* a) {
  const size_t f = (size_t)a->f;
  memcpy(a->q, a->d->q, (size_t)a->m->nq_all * sizeof *a->q);
  memset(a->K, 0, f * f * sizeof *a->K);
  for (int k = 0; k < a->f; k++) {
    const double h = DIFFERENCE / longest(a, &a->N[k * a->n]);
    add_force_at(a, k, h, -0.5 / h, &a->K[(size_t)k * f]);
    add_force_at(a, k, -h, 0.5 / h, &a->K[(size_t)k * f]);
  }
  memcpy(a->d->q, a->q, (size_t)a->m->nq_all * sizeof *a->q);
  evaluate(a);
  double most = 0, skew = 0;
  for (size_t i = 0; i < f; i++)
    for (size_t j = 0; j <= i; j++) {
      most = fmax(most, fmax(fabs(a->K[i * f + j]), fabs(a->K[j * f + i])));
      skew = fmax(skew, fabs(a->K[i * f + j] - a->K[j * f + i]));
    }
  // off the equilibrium rotations in space make it a little skew, in proportion to the force left
  a->symmetric = skew <= SKEW * most + largest_of(a->f, a->r);
  for (size_t i = 0; i < f && a->symmetric; i++)
    for (size_t j = 0; j < i; j++)
      a->K[i * f + j] = a->K[j * f + i] = 0.5 * (a->K[i * f + j] + a->K[j * f + i]);
}

// B = U'U in place of B; the unit matrix if it is singular.
static void factor_inertia(Search* a) {
  const int n = a->n, f = a->f;
  sar_crba_dense(a->m, a->d, a->M);
  sar_matmul(n, f, n, a->M, n, a->N, n, a->N_moved, n);
  sar_matmul_t(f, f, n, a->N, n, a->N_moved, n, a->B, f);
  if (sar_spd_factor(f, a->B, 1e-12)) return;
  memset(a->B, 0, (size_t)(f * f) * sizeof *a->B);
  for (int i = 0; i < f; i++) a->B[i * f + i] = 1;
}

static int by_size(const void* pa, const void* pb) {
  const double a = *(const double*)pa, b = *(const double*)pb;
  return (a > b) - (a < b);
}

// The same without vectors, for a K that is not symmetric: real parts.
static SarStatus find_values(Search* a) {
  SAR_TRY(sar_schur(a->f, a->Y, a->w, a->im, a->LU, &a->p.dense));
  qsort(a->w, (size_t)a->f, sizeof *a->w, by_size);
  return SAR_OK;
}

// w and Y with K y = w B y, y' B y = 1: of U^-T K U^-1.
static SarStatus find_modes(Search* a) {
  const int f = a->f;
  factor_inertia(a);
  // B holds U row by row, which is L = U' column by column
  memcpy(a->Y, a->K, (size_t)(f * f) * sizeof *a->K);
  sar_lower_solve(f, f, a->B, f, a->Y, f);  // L^-1 K
  for (int i = 0; i < f; i++)
    for (int j = 0; j < i; j++) {
      const double held = a->Y[i * f + j];
      a->Y[i * f + j] = a->Y[j * f + i], a->Y[j * f + i] = held;
    }
  sar_lower_solve(f, f, a->B, f, a->Y, f);  // L^-1 K L^-T
  if (!a->symmetric) return find_values(a);
  SAR_TRY(sar_eigen(f, a->Y, a->w, &a->p.dense));
  sar_lower_solve_t(f, f, a->B, f, a->Y, f);
  return SAR_OK;
}

// ---- one step ------------------------------------------------------------------------------------

// dz = K^-1 r; K is stored column by column, so it is the transpose that is factored.
static void find_plain_step(Search* a) {
  const int f = a->f;
  for (int i = 0; i < f; i++)
    for (int j = 0; j < f; j++) a->LU[i * f + j] = a->K[j * f + i];
  memcpy(a->dz, a->r, (size_t)f * sizeof *a->dz);
  if (sar_lu_factor(f, a->LU, a->pivot)) sar_lu_solve(f, a->LU, a->pivot, a->dz);
}

// dz by Newton's method. Directions without stiffness are left alone unless a force acts along them.
static void find_downhill_step(Search* a) {
  const int f = a->f;
  const double top = largest_of(f, a->w), floor = INDIFFERENT * top;
  memset(a->dz, 0, (size_t)f * sizeof *a->dz);
  for (int k = 0; k < f; k++) {
    const double* y = &a->Y[k * f];
    double force = 0, size = 0;
    for (int i = 0; i < f; i++) force += y[i] * a->r[i], size += fabs(y[i]);
    if (fabs(force) <= 1e-13 * a->largest_force * size) continue;
    if (fabs(a->w[k]) <= floor && fabs(force) <= 1e-9 * a->largest_force * size) continue;
    const double w = fmax(fabs(a->w[k]), floor > 0 ? floor : 1);
    for (int i = 0; i < f; i++) a->dz[i] += y[i] * force / w;
  }
}

static void find_step(Search* a) {
  if (a->symmetric)
    find_downhill_step(a);
  else
    find_plain_step(a);
  sar_matvec(a->n, a->f, 1, a->N, a->n, a->dz, 0, a->dx);
  const double size = longest(a, a->dx);
  for (int i = 0; i < a->n && size > LONGEST; i++) a->dx[i] *= LONGEST / size;
}

// d at a->q displaced by dx and back on the constraints.
static SarStatus move_to(Search* a) {
  SarData* d = a->d;
  memcpy(d->q, a->q, (size_t)a->m->nq_all * sizeof *a->q);
  sar_projection_move(a->m, a->dx, d->q);
  memset(d->v, 0, (size_t)a->m->nv_all * sizeof *d->v);
  if (a->s->projection) {
    sar_projection_forget(a->s->projection);
    SAR_TRY(sar_project(a->m, d, a->s->projection));
  }
  evaluate(a);
  return reduce(a);
}

// Along dx, halved where the mechanism cannot follow or the force has turned round.
static SarStatus step_along(Search* a) {
  double before = 0, force = largest_of(a->f, a->r);
  for (int i = 0; i < a->n; i++) before += a->Q[i] * a->dx[i];
  for (int k = 0;; k++) {
    SarStatus st = move_to(a);
    // what is left of dx on the constraints, and the force along it
    double after = 0;
    sar_matvec_t(a->n, a->f, 1, a->N, a->n, a->dx, 0, a->dz);
    for (int i = 0; i < a->f; i++) after += a->dz[i] * a->r[i];
    const bool good = a->symmetric ? after >= -0.5 * fabs(before) : largest_of(a->f, a->r) < force;
    if (k == HALVINGS || (st == SAR_OK && good)) return st;
    for (int i = 0; i < a->n; i++) a->dx[i] *= 0.5;
    before *= 0.5;
  }
}

// ---- the search ----------------------------------------------------------------------------------

static void count_signs(const Search* a, SarEquilibrium* out) {
  const double floor = out->floor = INDIFFERENT * largest_of(a->f, a->w);
  out->unstable = out->indifferent = 0;
  for (int k = 0; k < a->f; k++) {
    out->unstable += a->w[k] < -floor;
    out->indifferent += fabs(a->w[k]) <= floor;
  }
  out->freedom = a->f;
  out->redundant = a->m->nrow - a->p.rank;
  memcpy(out->omega2, a->w, (size_t)a->f * sizeof *a->w);
  // the force that is left, in coordinates
  sar_matvec(a->n, a->f, 1, a->N, a->n, a->r, 0, a->rest);
  out->force = largest_of(a->n, a->rest);
}

static SarStatus no_equilibrium(const Search* a, const SarEquilibrium* out, SarError* err) {
  const SarModel* m = a->m;
  int worst = 0;
  for (int i = 1; i < a->n; i++)
    if (fabs(a->rest[i]) > fabs(a->rest[worst])) worst = i;
  sar_report(err, (SarLoc){0}, "does anything hold it? start nearer, or allow more iterations",
             "no equilibrium found in %d iterations: joint '%s' is still pushed by %.3g %s",
             out->iterations, sar_text(m, m->joint_name[m->dof_body[worst]]), a->rest[worst],
             is_length(m, worst) ? "N" : "N m");
  return SAR_NOT_CONVERGED;
}

static SarStatus search(Search* a, const SarEquilibriumOptions* o, SarEquilibrium* out,
                        SarError* err) {
  double last = HUGE_VAL;
  int escapes = 0;
  evaluate(a);
  SAR_TRY(reduce(a));
  for (out->iterations = 0;; out->iterations++) {
    update_stiffness(a);
    SAR_TRY(find_modes(a));
    find_step(a);
    count_signs(a, out);
    const double size = longest(a, a->dx);
    if (!isfinite(size)) return SAR_NOT_FINITE;
    // as near as rounding allows: short, or short and no longer shrinking
    const bool arrived = size <= ARRIVED || (size <= 1e3 * ARRIVED && size > 0.5 * last);
    if (arrived && (!o->settle || !a->symmetric || out->unstable == 0 || escapes++ == ESCAPES))
      return SAR_OK;
    if (out->iterations == o->max_iterations) return no_equilibrium(a, out, err);
    if (arrived && a->symmetric) {  // the most unstable direction comes first
      sar_matvec(a->n, a->f, 1, a->N, a->n, a->Y, 0, a->dx);
      const double nudge = NUDGE / longest(a, a->dx);
      for (int i = 0; i < a->n; i++) a->dx[i] *= nudge;
      SAR_TRY(move_to(a));
      last = HUGE_VAL;
      continue;
    }
    last = size;
    SAR_TRY(step_along(a));
  }
}

// Everything in d as at rest: a = 0, lambda from the balance.
static void settle(Search* a) {
  evaluate(a);
  memset(a->d->a, 0, (size_t)a->m->nv_all * sizeof *a->d->a);
  memcpy(a->d->lambda, a->lambda, (size_t)a->m->nrow * sizeof *a->lambda);
}

SarStatus sar_equilibrium_find(SarSim* s, const SarEquilibriumOptions* o, SarEquilibrium* out,
                               SarError* err) {
  Search a = {.s = s, .m = s->m, .d = s->d, .n = s->m->nv};
  sar_update_positions(a.m, a.d);
  sar_update_world(a.m, a.d);
  SAR_TRY(begin(&a, err));
  SarStatus st = search(&a, o, out, err);
  settle(&a);
  sar_free(a.block);
  return st;
}
