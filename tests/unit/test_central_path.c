// The interior-point method of dry friction (central_path.h) on random problems: M v = Q + f, f
// within bounds. What it ends with is put into the law itself: f within its bounds, v = 0 or f at
// the bound against it. M of any condition up to 1e8, bounds over four decades, 1 to 60
// coordinates, in at most 40 rounds.
#include "support/test.h"

#include "formulations/implicit/central_path.h"

#include <math.h>

enum { MOST = 60, PROBLEMS = 200, ROUNDS = 40 };

typedef struct Problem {
  int n;
  double M[MOST][MOST], Q[MOST], low[MOST], high[MOST];
} Problem;

// M = B' B + d, of columns whose lengths fall.
static void make_problem(Problem* p, Rng* r) {
  static double B[MOST][MOST];
  p->n = 1 + rng_int(r, MOST);
  const double fall = rng_uniform(r, 0, 4);
  for (int i = 0; i < p->n; i++)
    for (int j = 0; j < p->n; j++)
      B[i][j] = rng_uniform(r, -1, 1) * pow(10, -fall * j / p->n) + (i == j ? 1e-2 : 0);
  for (int i = 0; i < p->n; i++) {
    for (int j = 0; j < p->n; j++) {
      p->M[i][j] = i == j ? 1e-6 : 0;
      for (int k = 0; k < p->n; k++) p->M[i][j] += B[k][i] * B[k][j];
    }
    p->Q[i] = rng_uniform(r, -1, 1);
    p->high[i] = pow(10, rng_uniform(r, -3, 1));
    p->low[i] = rng_int(r, 4) ? -p->high[i] : rng_uniform(r, -1, 0.9) * p->high[i];
  }
}

// (M + g) v = Q + f, by Cholesky
static void solve(const Problem* p, const double* f, const double* g, double* v) {
  static double L[MOST][MOST];
  for (int i = 0; i < p->n; i++)
    for (int j = 0; j <= i; j++) {
      double sum = p->M[i][j] + (i == j ? g[i] : 0);
      for (int k = 0; k < j; k++) sum -= L[i][k] * L[j][k];
      L[i][j] = i == j ? sqrt(sum) : sum / L[j][j];
    }
  for (int i = 0; i < p->n; i++) {
    v[i] = p->Q[i] + f[i];
    for (int k = 0; k < i; k++) v[i] -= L[i][k] * v[k];
    v[i] /= L[i][i];
  }
  for (int i = p->n - 1; i >= 0; i--) {
    for (int k = i + 1; k < p->n; k++) v[i] -= L[k][i] * v[k];
    v[i] /= L[i][i];
  }
}

static double largest(const Problem* p, const double* v) {
  double most = 0;
  for (int i = 0; i < p->n; i++) most = fmax(most, fabs(v[i]));
  return most;
}

static int walk(const Problem* p, SarCentralPath* path, double* v) {
  const double zero[MOST] = {0};
  solve(p, zero, zero, v);
  const double unit = largest(p, v);
  for (int i = 0; i < p->n; i++)
    sar_central_path_add(path, i, v[i], 0, p->low[i], p->high[i], unit, 1e8 * p->M[i][i]);
  sar_central_path_begin(path);
  do solve(p, path->target, path->gain, v);
  while (!sar_central_path_advance(path, v));
  return path->rounds;
}

// With the f that was found: v of the equations of motion themselves.
static void expect_law(const Problem* p, const SarCentralPath* path, unsigned long long seed) {
  double f[MOST], v[MOST], a[MOST];
  const double zero[MOST] = {0};
  for (int i = 0; i < p->n; i++) {
    const int side = sar_central_path_side(path, i);
    f[i] = side > 0 ? p->low[i] : side < 0 ? p->high[i] : sar_central_path_force(path, i);
    if (!(f[i] >= p->low[i] && f[i] <= p->high[i]))
      fail_msg("seed %llu: %d of %d: f = %g out of %g .. %g", seed, i, p->n, f[i], p->low[i],
               p->high[i]);
  }
  solve(p, f, zero, v);
  solve(p, zero, zero, a);
  for (int i = 0; i < p->n; i++) {
    const int side = sar_central_path_side(path, i);
    const double small = 1e-6 * largest(p, a);
    if (side == 0 ? !(fabs(v[i]) <= small) : !(v[i] * side >= -small))
      fail_msg("seed %llu: %d of %d moves with %g, side %d, %g without friction", seed, i, p->n,
               v[i], side, a[i]);
  }
}

static void what_it_finds_obeys_the_law(void** state) {
  (void)state;
  static Problem p;
  static _Alignas(SAR_CACHE_LINE) unsigned char memory[16 * MOST * sizeof(double)];
  const uint64_t first = test_seed(4100);
  for (int i = 0; i < test_effort(PROBLEMS); i++) {
    const unsigned long long seed = first + (uint64_t)i;
    Rng r = rng_seed(seed);
    double v[MOST];
    SarCentralPath path;
    make_problem(&p, &r);
    SarBlock b = sar_block(memory, 0);
    sar_central_path_layout(&path, p.n, &b);
    assert_in_range(b.used, 1, sizeof memory);
    const int rounds = walk(&p, &path, v);
    if (rounds >= ROUNDS) fail_msg("seed %llu: %d of %d rounds", seed, rounds, ROUNDS);
    expect_law(&p, &path, seed);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_it_finds_obeys_the_law)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
