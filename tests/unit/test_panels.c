// Cholesky by panels: random systems against their own residual, whatever the order; what is not
// definite is refused; orders are permutations and fill in less than the order they come in.
#include "support/test.h"

#include "linalg/fill_order.h"
#include "linalg/panels.h"

enum { MAX = 60, GROUPS = 90, MEMBERS = 5 * GROUPS };

typedef struct System {
  int adr[GROUPS + 1], member[MEMBERS], place[MAX];
  SarGroups g;
  SarPanels p;
  SarArena arena;
  double full[MAX][MAX];  // in the order of the factor
  double *value, inverse[MAX], work[MAX];
} System;

static void shuffle(Rng* r, int n, int* place) {
  for (int i = 0; i < n; i++) place[i] = i;
  for (int i = n - 1; i > 0; i--) {
    const int j = (int)rng_uniform(r, 0, i + 0.999), x = place[i];
    place[i] = place[j], place[j] = x;
  }
}

// Groups of one to five unknowns, now and then one twice in a group.
static void make_groups(System* s, int n, int ngroup, Rng* r) {
  int used = 0;
  for (int k = 0; k < ngroup; k++) {
    const int size = 1 + (int)rng_uniform(r, 0, 4.999);
    s->adr[k] = used;
    for (int i = 0; i < size; i++) s->member[used++] = (int)rng_uniform(r, 0, n - 0.001);
  }
  s->adr[ngroup] = used;
  s->g = (SarGroups){n, ngroup, s->adr, s->member};
}

// Diagonally dominant, hence definite, and full on the groups.
static void fill_values(System* s, Rng* r) {
  const int n = s->g.n;
  memset(s->full, 0, sizeof s->full);
  s->value = SAR_ARENA_ARRAY(&s->arena, double, s->p.entries);
  for (int k = 0; k < s->g.ngroup; k++)
    for (int a = s->adr[k]; a < s->adr[k + 1]; a++)
      for (int b = s->adr[k]; b < a; b++) {
        const int i = s->place[s->member[a]], j = s->place[s->member[b]];
        if (i != j) s->full[i][j] = s->full[j][i] = rng_uniform(r, -1, 1);
      }
  for (int i = 0; i < n; i++) s->full[i][i] = 2 * MAX;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      const int at = sar_panels_entry(&s->p, i, j);
      assert_true(at >= 0 || s->full[i][j] == 0);
      if (at >= 0) s->value[at] = s->full[i][j];
    }
}

static void make_system(System* s, int n, int ngroup, Rng* r) {
  sar_arena_init(&s->arena);
  make_groups(s, n, ngroup, r);
  shuffle(r, n, s->place);
  assert_true(sar_panels_analyse(&s->p, &s->g, s->place, 1e9, &s->arena));
  fill_values(s, r);
}

static void solves_random_systems(void** state) {
  (void)state;
  static System s;
  Rng r = rng_seed(5);
  for (int trial = 0; trial < test_effort(300); trial++) {
    const int n = 1 + trial % MAX;
    double x[MAX], b[MAX], y[MAX] = {0};
    make_system(&s, n, (int)rng_uniform(&r, 0, GROUPS + 0.999), &r);
    for (int i = 0; i < n; i++) x[i] = b[i] = rng_uniform(&r, -1, 1);
    sar_panels_multiply(&s.p, s.value, b, y);
    for (int i = 0; i < n; i++) {
      double sum = 0;
      for (int j = 0; j < n; j++) sum += s.full[i][j] * b[j];
      EXPECT_NEAR(y[i], sum, 1e-13);  // sums of numbers up to 120
    }
    assert_true(sar_panels_factor(&s.p, s.value, s.inverse));
    sar_panels_solve(&s.p, s.value, s.inverse, s.work, x);
    for (int i = 0; i < n; i++) {
      double sum = 0;
      for (int j = 0; j < n; j++) sum += s.full[i][j] * x[j];
      EXPECT_NEAR(sum, b[i], 1e-14);  // condition below 3
    }
    sar_arena_free(&s.arena);
  }
}

static void refuses_indefinite_and_nan(void** state) {
  (void)state;
  static System s;
  Rng r = rng_seed(6);
  for (int i = 0; i < 20; i++)
    for (int k = 0; k < 2; k++) {
      make_system(&s, 20, 30, &r);
      s.value[sar_panels_entry(&s.p, i, i)] = k ? (double)NAN : -1;
      assert_false(sar_panels_factor(&s.p, s.value, s.inverse));
      sar_arena_free(&s.arena);
    }
}

static void gives_up_where_it_fills_in(void** state) {
  (void)state;
  static System s;
  Rng r = rng_seed(7);
  make_system(&s, 40, 60, &r);
  SarPanels p;
  assert_false(sar_panels_analyse(&p, &s.g, s.place, 41, &s.arena));
  assert_false(s.arena.failed);
  sar_arena_free(&s.arena);
}

// A grid of k x k unknowns, neighbours coupled: entries grow with k^2 log k, those of a band with
// k^3.
static double entries_of_grid(int k, double* natural) {
  SarArena a;
  SarPanels p;
  sar_arena_init(&a);
  const int n = k * k;
  int* adr = SAR_ARENA_ARRAY(&a, int, 2 * n + 1);
  int* member = SAR_ARENA_ARRAY(&a, int, 4 * n);
  int* place = SAR_ARENA_ARRAY(&a, int, n);
  int* seen = SAR_ARENA_ARRAY(&a, int, n);
  int groups = 0;
  for (int i = 0; i < n; i++)
    for (int side = 0; side < 2; side++) {
      if (side ? i % k == k - 1 : i / k == k - 1) continue;
      member[2 * groups] = i;
      member[2 * groups + 1] = side ? i + 1 : i + k;
      groups++;
      adr[groups] = 2 * groups;
    }
  const SarGroups g = {n, groups, adr, member};
  for (int i = 0; i < n; i++) place[i] = i;
  assert_true(sar_panels_analyse(&p, &g, place, 1e9, &a));
  *natural = 0;
  for (int i = 0; i < p.npanel; i++)
    *natural += p.panel[i].width * (p.panel[i].rows + (p.panel[i].width + 1) / 2.);
  double entries = -1;
  if (sar_fill_order(&g, 1e9, &a, place)) {
    for (int i = 0; i < n; i++) {
      assert_in_range(place[i], 0, n - 1);
      assert_int_equal(seen[place[i]]++, 0);
    }
    assert_true(sar_panels_analyse(&p, &g, place, 1e9, &a));
    entries = 0;
    for (int i = 0; i < p.npanel; i++)
      entries += p.panel[i].width * (p.panel[i].rows + (p.panel[i].width + 1) / 2.);
    assert_false(sar_fill_order(&g, 10, &a, place));  // more pairs than that
  }
  sar_arena_free(&a);
  return entries;
}

static void order_fills_in_little(void** state) {
  (void)state;
  double band;
  for (int k = 10; k <= 40; k += 10) {
    const double entries = entries_of_grid(k, &band);
    if (entries < 0) skip();  // built without the library
    EXPECT_NEAR(band, (double)k * k * k, 2. * k * k);
    // nested dissection of a grid, the best there is, leaves about 7.75 n log2(k) (George 1973)
    assert_true(entries < 7.75 * k * k * log2(k));
    assert_true(entries < (k < 20 ? 0.75 : 0.5) * band);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solves_random_systems),
      cmocka_unit_test(refuses_indefinite_and_nan),
      cmocka_unit_test(gives_up_where_it_fills_in),
      cmocka_unit_test(order_fills_in_little),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
