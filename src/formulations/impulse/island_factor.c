// Block Cholesky factorisation, column by column (right-looking), and its solves (island_factor.h).
#include "formulations/impulse/island_factor.h"

#include <math.h>
#include <string.h>

enum { N = 6 };

void sar_island_factor_zero(SarIslandFactor* p) {
  memset(p->diagonal, 0, (size_t)p->n * SAR_BODY_BLOCK * sizeof *p->diagonal);
  memset(p->below, 0, (size_t)p->used * SAR_BODY_BLOCK * sizeof *p->below);
}

double* sar_island_factor_block(SarIslandFactor* p, int a, int b, bool* turned) {
  *turned = p->place[a] < p->place[b];  // it stands in the column of the one eliminated first
  const int column = *turned ? a : b, other = *turned ? b : a;
  int e = p->start[p->place[column]];
  while (p->row[e] != other) e++;
  return &p->below[(size_t)e * SAR_BODY_BLOCK];
}

// A = L L' in place; the diagonal keeps 1 / L_ii.
static bool factor_diagonal(double* A) {
  for (int i = 0; i < N; i++) {
    for (int j = 0; j <= i; j++) {
      double sum = A[N * i + j];
      for (int k = 0; k < j; k++) sum -= A[N * i + k] * A[N * j + k];
      if (j < i)
        A[N * i + j] = sum * A[N * j + j];
      else if (sum > 0)
        A[N * i + i] = 1 / sqrt(sum);
      else
        return false;
    }
  }
  return true;
}

// B <- B L^-T
static void divide(const double* L, double* B) {
  for (int c = 0; c < N; c++) {
    double x[N];
    for (int r = 0; r < N; r++) x[r] = B[N * r + c];
    for (int k = 0; k < c; k++)
      for (int r = 0; r < N; r++) x[r] -= B[N * r + k] * L[N * c + k];
    for (int r = 0; r < N; r++) B[N * r + c] = x[r] * L[N * c + c];
  }
}

// C -= A B'
static void subtract_product(const double* A, const double* B, double* restrict C) {
  double T[SAR_BODY_BLOCK];  // B'
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) T[N * j + i] = B[N * i + j];
  for (int i = 0; i < N; i++)
    for (int k = 0; k < N; k++)
      for (int j = 0; j < N; j++) C[N * i + j] -= A[N * i + k] * T[N * k + j];
}

static double* below(const SarIslandFactor* p, int e) {
  return &p->below[(size_t)e * SAR_BODY_BLOCK];
}
static double* diagonal(const SarIslandFactor* p, int body) {
  return &p->diagonal[(size_t)body * SAR_BODY_BLOCK];
}

static void update_column(SarIslandFactor* p, int from, int to, int e) {
  const int body = p->row[e], place = p->place[body];
  for (int k = p->start[place]; k < p->start[place + 1]; k++) p->slot[p->row[k]] = k;
  for (int k = from; k < to; k++) {
    if (p->place[p->row[k]] < place) continue;
    double* C = k == e ? diagonal(p, body) : below(p, p->slot[p->row[k]]);
    subtract_product(below(p, k), below(p, e), C);
  }
}

bool sar_island_factor_run(SarIslandFactor* p) {
  for (int place = 0; place < p->n; place++) {
    double* L = diagonal(p, p->order[place]);
    const int from = p->start[place], to = p->start[place + 1];
    if (!factor_diagonal(L)) return false;
    for (int e = from; e < to; e++) divide(L, below(p, e));
    for (int e = from; e < to; e++) update_column(p, from, to, e);
  }
  return true;
}

void sar_island_factor_solve(const SarIslandFactor* p, double* x) {
  for (int place = 0; place < p->n; place++) {
    const double* L = diagonal(p, p->order[place]);
    double* y = &x[N * p->order[place]];
    for (int i = 0; i < N; i++) {
      for (int k = 0; k < i; k++) y[i] -= L[N * i + k] * y[k];
      y[i] *= L[N * i + i];
    }
    for (int e = p->start[place]; e < p->start[place + 1]; e++) {
      const double* B = below(p, e);
      double* to = &x[N * p->row[e]];
      for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++) to[i] -= B[N * i + k] * y[k];
    }
  }
  for (int place = p->n - 1; place >= 0; place--) {
    const double* L = diagonal(p, p->order[place]);
    double* y = &x[N * p->order[place]];
    for (int e = p->start[place]; e < p->start[place + 1]; e++) {
      const double *B = below(p, e), *from = &x[N * p->row[e]];
      for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++) y[k] -= B[N * i + k] * from[i];
    }
    for (int i = N - 1; i >= 0; i--) {
      for (int k = i + 1; k < N; k++) y[i] -= L[N * k + i] * y[k];
      y[i] *= L[N * i + i];
    }
  }
}
