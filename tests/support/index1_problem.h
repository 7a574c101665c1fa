// Random problems of the index-1 family, whose redundancies are known because they were made.
#pragma once
#include "support/test.h"

#include "base/alloc.h"
#include "formulations/index1/index1.h"

enum { PROBLEM_MAX = 40 };

typedef struct Problem {
  int n, m, rank;
  double M[PROBLEM_MAX * PROBLEM_MAX], Psi[PROBLEM_MAX * PROBLEM_MAX];
  double gamma[PROBLEM_MAX], F[PROBLEM_MAX];
  int redundant;                           // m - rank
  double null[PROBLEM_MAX * PROBLEM_MAX];  // `redundant` rows of m: null' Psi = 0
  void* work;
  SarIndex1 p;
} Problem;

typedef struct ProblemKind {
  int n, rank, redundant;
  int massless;          // rank of M is n - massless
  double spread;         // rows of Psi scaled by 10^(-spread .. spread)
  double contradiction;  // size of what gamma contradicts itself by
} ProblemKind;

// M = B B' / n (+ 1/4 if it is to be regular), B n x (n - massless)
static inline void problem_mass(Problem* s, int massless, Rng* r) {
  int n = s->n, k = n - massless;
  double B[PROBLEM_MAX * PROBLEM_MAX];
  for (int i = 0; i < n * k; i++) B[i] = rng_normal(r);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int l = 0; l < k; l++) sum += B[i * k + l] * B[j * k + l];
      s->M[i * n + j] = sum / n + (i == j && massless == 0 ? 0.25 : 0);
    }
}

// Rows in random order; each redundant one a combination of all independent ones.
static inline void problem_rows(Problem* s, double spread, Rng* r) {
  int n = s->n, m = s->m;
  double scale[PROBLEM_MAX];
  int place[PROBLEM_MAX];
  for (int i = 0; i < m; i++) place[i] = i, scale[i] = pow(10, rng_uniform(r, -spread, spread));
  for (int i = m - 1; i > 0; i--) {
    int j = rng_int(r, i + 1), held = place[i];
    place[i] = place[j], place[j] = held;
  }
  for (int i = 0; i < s->rank; i++)
    for (int j = 0; j < n; j++) s->Psi[place[i] * n + j] = scale[i] * rng_normal(r);
  memset(s->null, 0, sizeof s->null);
  for (int k = 0; k < s->redundant; k++) {
    int row = place[s->rank + k];
    double* sum = &s->Psi[row * n];
    for (int j = 0; j < n; j++) sum[j] = 0;
    s->null[k * m + row] = -1;
    for (int i = 0; i < s->rank; i++) {
      double factor = rng_normal(r) * scale[s->rank + k] / scale[i];
      s->null[k * m + place[i]] = factor;
      for (int j = 0; j < n; j++) sum[j] += factor * s->Psi[place[i] * n + j];
    }
  }
}

static inline void problem_init(Problem* s, ProblemKind k, Rng* r) {
  s->n = k.n, s->rank = k.rank, s->redundant = k.redundant, s->m = k.rank + k.redundant;
  problem_mass(s, k.massless, r);
  problem_rows(s, k.spread, r);
  double a[PROBLEM_MAX];
  for (int j = 0; j < s->n; j++) a[j] = rng_normal(r), s->F[j] = rng_normal(r);
  for (int i = 0; i < s->m; i++) {
    s->gamma[i] = k.contradiction * rng_normal(r);
    for (int j = 0; j < s->n; j++) s->gamma[i] += s->Psi[i * s->n + j] * a[j];
  }
  s->work = sar_alloc(sar_index1_work_size(s->n, s->m));
  assert_non_null(s->work);
  sar_index1_init(&s->p, s->n, s->m, s->work);
  s->p.M = s->M, s->p.Psi = s->Psi, s->p.gamma = s->gamma, s->p.F = s->F;
}

static inline void problem_free(Problem* s) { sar_free(s->work); }
