// Lexicographic Groebner bases against the figures of Uchida and McPhee 2012 (Tables 2 and 4),
// against Buchberger's criterion in FLINT's arithmetic, against Singular where it is installed, and
// against solutions found elsewhere.
#include "support/test.h"

#ifdef SARRUS_HAVE_FLINT
#include "algebra/groebner.h"
#include "support/alloc_count.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 24 };

typedef struct System {
  const char* name[SAR_ALGEBRA_VARIABLES];
  int n, count;
  fmpq_mpoly_ctx_t ctx;
  fmpq_mpoly_struct f[MOST];
} System;

// names: separated by blanks; polynomials: a list that NULL ends
static void system_make(System* s, const char* const* names, const char* const* text) {
  *s = (System){0};
  while (names[s->n]) s->name[s->n] = names[s->n], s->n++;
  fmpq_mpoly_ctx_init(s->ctx, s->n, ORD_LEX);
  for (; text[s->count]; s->count++) {
    fmpq_mpoly_init(&s->f[s->count], s->ctx);
    assert_int_equal(fmpq_mpoly_set_str_pretty(&s->f[s->count], text[s->count], s->name, s->ctx),
                     0);
  }
}

static void system_free(System* s) {
  for (int i = 0; i < s->count; i++) fmpq_mpoly_clear(&s->f[i], s->ctx);
  fmpq_mpoly_ctx_clear(s->ctx);
}

static const SarAlgebraLimits PLENTY = {.seconds = 100, .bytes = 500000000};

static void solve(const System* s, SarGroebner* g) {
  char why[SAR_GROEBNER_WHY];
  const SarStatus st = sar_groebner(s->f, s->count, s->ctx, &PLENTY, g, why);
  if (st != SAR_OK) fail_msg("%s: %s", sar_status_text(st), why);
}

static const char* const GEAR_NAMES[] = {"cF", "sF", "cA", "sA", "cD", "sD", "cB", "sB", "p", NULL};
static const char* const GEAR[] = {"sA*sB*p-cA*cB*p+62*sA-42*cA+231+1697/100*sD+152/25*cD",
                                   "sA*cB*p+cA*sB*p+42*sA+62*cA-62+152/25*sD-1697/100*cD",
                                   "-212*sA-25*cA+231+892/5*sA*sF-892/5*cA*cF-822/5*cD",
                                   "25*sA-212*cA-62+892/5*sA*cF+892/5*cA*sF-822/5*sD",
                                   "sA^2+cA^2-1",
                                   "sB^2+cB^2-1",
                                   "sD^2+cD^2-1",
                                   "sF^2+cF^2-1",
                                   NULL};

static const char* const LINK_NAMES[] = {"sa", "ca", "sb", "cb", "z",  "y",  "x",
                                         "ss", "cs", "st", "ct", "sp", "cp", NULL};
// link 1 of the substitute geometry, its length as 517/1769 (0.3 um off)
static const char* const LINK[] = {
    "x+517/1769*cb-108553/1000000+56545/1000000*cp*ct-109714/1000000*(cp*st*ss-sp*cs)+93042/"
    "1000000*(cp*st*cs+sp*ss)",
    "y+517/1769*sa*sb+3971/10000+56545/1000000*sp*ct-109714/1000000*(sp*st*ss+cp*cs)+93042/"
    "1000000*(sp*st*cs-cp*ss)",
    "z-517/1769*ca*sb-82216/1000000-56545/1000000*st-109714/1000000*ct*ss+93042/1000000*ct*cs",
    "sa^2+ca^2-1",
    "sb^2+cb^2-1",
    NULL};

static const char* const LEG_NAMES[] = {"sa", "ca", "sb", "cb", "s", "Z", "Y", "X", NULL};
static const char* const LEG[] = {"X-(2+s)*sb",  "Y+(2+s)*sa*cb", "Z-(2+s)*ca*cb",
                                  "sa^2+ca^2-1", "sb^2+cb^2-1",   NULL};

// What a table says of the element that gives a variable; digits 0: not looked at.
typedef struct Expected {
  const char* variable;
  int degree, terms, digits;
} Expected;

static void check_table(const System* s, const Expected* e, int count) {
  SarGroebner g;
  solve(s, &g);
  for (int i = 0; i < count; i++) {
    int v = 0;
    while (strcmp(s->name[v], e[i].variable) != 0) v++;
    const int k = sar_groebner_element(&g, v);
    assert_true(k >= 0);
    const SarPolyFigures f = sar_poly_figures(&g.g[k], g.ctx);
    print_message("%s: degree %d, %d terms, %d digits\n", e[i].variable, f.degree, f.terms,
                  f.digits);
    assert_int_equal(f.degree, e[i].degree);
    assert_int_equal(f.terms, e[i].terms);
    if (e[i].digits) assert_int_equal(f.digits, e[i].digits);
  }
  print_message("%d elements, %d primes, %.1f MB\n", g.count, g.primes, (double)g.bytes * 1e-6);
  assert_true(g.bytes < 500000000);
  sar_groebner_free(&g);
}

static void landing_gear_is_table_4(void** state) {
  (void)state;
  static const Expected table[] = {{"sB", 6, 28, 62},  {"cB", 1, 40, 132}, {"sD", 1, 37, 245},
                                   {"cD", 1, 6, 9},    {"sA", 1, 37, 264}, {"cA", 1, 37, 264},
                                   {"sF", 1, 37, 252}, {"cF", 1, 37, 254}};
  System s;
  system_make(&s, GEAR_NAMES, GEAR);
  check_table(&s, table, 8);
  system_free(&s);
}

// Digits belong to the geometry, degrees and terms to the topology.
static void link_is_table_2(void** state) {
  (void)state;
  static const Expected table[] = {
      {"cb", 1, 8, 0}, {"sb", 2, 28, 0}, {"ca", 1, 6, 0}, {"sa", 1, 8, 0}};
  System s;
  system_make(&s, LINK_NAMES, LINK);
  check_table(&s, table, 4);
  system_free(&s);
}

// ---- Buchberger's criterion ---------------------------------------------------------------------

// a / b of exponents, or the part that is missing to the common multiple
static void monomial_for(const fmpq_mpoly_ctx_t ctx, const ulong* lcm, const ulong* of,
                         fmpq_mpoly_t out) {
  ulong e[SAR_ALGEBRA_VARIABLES];
  for (int v = 0; v < (int)fmpq_mpoly_ctx_nvars(ctx); v++) e[v] = lcm[v] - of[v];
  fmpq_mpoly_zero(out, ctx);
  fmpq_t one;
  fmpq_init(one);
  fmpq_one(one);
  fmpq_mpoly_set_coeff_fmpq_ui(out, one, e, ctx);
  fmpq_clear(one);
}

// Remainder of f by the basis, in FLINT's arithmetic.
static bool vanishes(const System* s, fmpq_mpoly_t f, fmpq_mpoly_struct* const* g, int count) {
  fmpq_mpoly_struct* q[64];
  fmpq_mpoly_t r;
  fmpq_mpoly_init(r, s->ctx);
  for (int i = 0; i < count; i++) {
    q[i] = malloc(sizeof *q[i]);
    fmpq_mpoly_init(q[i], s->ctx);
  }
  fmpq_mpoly_divrem_ideal(q, r, f, g, count, s->ctx);
  const bool zero = fmpq_mpoly_is_zero(r, s->ctx);
  for (int i = 0; i < count; i++) {
    fmpq_mpoly_clear(q[i], s->ctx);
    free(q[i]);
  }
  fmpq_mpoly_clear(r, s->ctx);
  return zero;
}

// All of f and all S-polynomials of g vanish modulo g: g is a Groebner basis of an ideal that holds
// f.
static void check_criterion(const System* s) {
  SarGroebner g;
  solve(s, &g);
  fmpq_mpoly_struct* p[64];
  assert_true(g.count <= 64);
  fmpq_mpoly_t a, b, t;
  fmpq_mpoly_init(a, s->ctx), fmpq_mpoly_init(b, s->ctx), fmpq_mpoly_init(t, s->ctx);
  for (int i = 0; i < g.count; i++) {
    p[i] = malloc(sizeof *p[i]);
    fmpq_mpoly_init(p[i], s->ctx);
    fmpz_mpoly_set(p[i]->zpoly, &g.g[i], g.ctx);
    fmpq_one(p[i]->content);
    fmpq_mpoly_reduce(p[i], s->ctx);
    fmpq_mpoly_make_monic(p[i], p[i], s->ctx);
  }
  for (int i = 0; i < s->count; i++) {
    fmpq_mpoly_set(t, &s->f[i], s->ctx);
    assert_true(vanishes(s, t, p, g.count));
  }
  for (int i = 0; i < g.count; i++)
    for (int j = 0; j < i; j++) {
      ulong x[SAR_ALGEBRA_VARIABLES], y[SAR_ALGEBRA_VARIABLES], lcm[SAR_ALGEBRA_VARIABLES];
      fmpq_mpoly_get_term_exp_ui(x, p[i], 0, s->ctx);
      fmpq_mpoly_get_term_exp_ui(y, p[j], 0, s->ctx);
      for (int v = 0; v < s->n; v++) lcm[v] = x[v] > y[v] ? x[v] : y[v];
      monomial_for(s->ctx, lcm, x, a), monomial_for(s->ctx, lcm, y, b);
      fmpq_mpoly_mul(a, a, p[i], s->ctx), fmpq_mpoly_mul(b, b, p[j], s->ctx);
      fmpq_mpoly_sub(t, a, b, s->ctx);
      assert_true(vanishes(s, t, p, g.count));
    }
  for (int i = 0; i < g.count; i++) {
    fmpq_mpoly_clear(p[i], s->ctx);
    free(p[i]);
  }
  fmpq_mpoly_clear(a, s->ctx), fmpq_mpoly_clear(b, s->ctx), fmpq_mpoly_clear(t, s->ctx);
  sar_groebner_free(&g);
}

static void bases_meet_buchbergers_criterion(void** state) {
  (void)state;
  System s;
  system_make(&s, LEG_NAMES, LEG);
  check_criterion(&s);
  system_free(&s);
  system_make(&s, LINK_NAMES, LINK);
  check_criterion(&s);
  system_free(&s);
}

// Dense random systems, some of them without a solution (the basis is 1), some with infinitely
// many.
static void random_systems(void** state) {
  (void)state;
  static const char* const names[] = {"x", "y", "z", "k", NULL};
  Rng r = rng_seed(12);
  for (int trial = 0; trial < test_effort(10); trial++) {
    char text[4][400];
    const char* list[5] = {0};
    const int count = 2 + rng_int(&r, 3);
    for (int i = 0; i < count; i++) {
      int used = 0;
      for (int k = 0; k < 4; k++)
        used += snprintf(text[i] + used, sizeof text[i] - (size_t)used,
                         "%+d/%d*x^%d*y^%d*z^%d*k^%d", rng_int(&r, 19) - 9, 1 + rng_int(&r, 5),
                         rng_int(&r, 3), rng_int(&r, 2), rng_int(&r, 2), rng_int(&r, 2));
      list[i] = text[i];
    }
    System s;
    system_make(&s, names, list);
    check_criterion(&s);
    system_free(&s);
  }
}

// ---- limits -------------------------------------------------------------------------------------

static void limits_end_it_with_a_word(void** state) {
  (void)state;
  static const int cancelled = 1;
  System s;
  SarGroebner g;
  char why[SAR_GROEBNER_WHY];
  system_make(&s, GEAR_NAMES, GEAR);
  const SarAlgebraLimits none[] = {
      {.seconds = 1e-4}, {.bytes = 200000}, {.cancel = (const volatile int*)&cancelled}};
  const SarStatus status[] = {SAR_STOPPED, SAR_NO_MEMORY, SAR_STOPPED};
  for (int i = 0; i < 3; i++) {
    assert_int_equal(sar_groebner(s.f, s.count, s.ctx, &none[i], &g, why), status[i]);
    assert_true(why[0] != 0);
    assert_int_equal(g.count, 0);
    sar_groebner_free(&g);
  }
  system_free(&s);
}

// ---- Singular -----------------------------------------------------------------------------------

// Figures of the reduced basis in Singular: terms of each element, rising.
static void singular_agrees(void** state) {
  (void)state;
  if (access("/usr/bin/Singular", X_OK) != 0) {
    print_message("Singular is not installed: no second opinion\n");
    skip();
  }
  char path[] = "/tmp/sarrus-basis-XXXXXX";
  const int file = mkstemp(path);
  assert_true(file >= 0);
  FILE* f = fdopen(file, "w");
  fprintf(f, "ring r=0,(");
  for (int i = 0; GEAR_NAMES[i]; i++) fprintf(f, "%s%s", i ? "," : "", GEAR_NAMES[i]);
  fprintf(f, "),lp;option(redSB);ideal i=");
  for (int i = 0; GEAR[i]; i++) fprintf(f, "%s%s", i ? "," : "", GEAR[i]);
  fprintf(f, ";ideal g=groebner(i);int k;for(k=1;k<=size(g);k++){size(g[k]);}quit;\n");
  fclose(f);
  char command[80];
  snprintf(command, sizeof command, "Singular -q %s </dev/null", path);
  FILE* out = popen(command, "r");
  assert_non_null(out);
  System s;
  SarGroebner g;
  system_make(&s, GEAR_NAMES, GEAR);
  solve(&s, &g);
  int terms, count = 0;
  while (fscanf(out, "%d", &terms) == 1) {
    assert_true(count < g.count);
    assert_int_equal(terms, sar_poly_figures(&g.g[count], g.ctx).terms);
    count++;
  }
  pclose(out);
  unlink(path);
  assert_int_equal(count, g.count);
  sar_groebner_free(&g);
  system_free(&s);
}

// ---- solutions of the landing gear -------------------------------------------------------------

// Value of polynomial f at x, and its derivative with respect to variable `main`.
static double value_at(const fmpz_mpoly_struct* f, const fmpz_mpoly_ctx_t ctx, const double* x,
                       int main, double scale, double* slope) {
  const int n = (int)fmpz_mpoly_ctx_nvars(ctx);
  double sum = 0;
  ulong e[SAR_ALGEBRA_VARIABLES];
  fmpz_t c;
  fmpz_init(c);
  *slope = 0;
  for (int i = 0; i < (int)fmpz_mpoly_length(f, ctx); i++) {
    fmpz_mpoly_get_term_coeff_fmpz(c, f, i, ctx);
    fmpz_mpoly_get_term_exp_ui(e, f, i, ctx);
    slong exponent;
    const double mantissa = fmpz_get_d_2exp(&exponent, c);
    double t = ldexp(mantissa, (int)(exponent - (slong)scale)), d = t;
    for (int v = 0; v < n; v++) {
      for (ulong k = 0; k < e[v]; k++) t *= x[v];
      for (ulong k = 0; k < (v == main && e[v] > 0 ? e[v] - 1 : e[v]); k++) d *= x[v];
    }
    sum += t;
    *slope += (double)e[main] * d;
  }
  fmpz_clear(c);
  return sum;
}

static double bits_of(const fmpz_mpoly_struct* f, const fmpz_mpoly_ctx_t ctx) {
  double most = 0;
  fmpz_t c;
  fmpz_init(c);
  for (int i = 0; i < (int)fmpz_mpoly_length(f, ctx); i++) {
    fmpz_mpoly_get_term_coeff_fmpz(c, f, i, ctx);
    most = fmax(most, (double)fmpz_bits(c));
  }
  fmpz_clear(c);
  return most;
}

// Newton's method on the equations themselves, for the angles A, B, D, F.
static void gear_polish(double p, double a[4]) {
  for (int it = 0; it < 4; it++) {
    const double A = a[0], B = a[1], D = a[2], F = a[3];
    double f[4] = {
        -p * cos(A + B) + 62 * sin(A) - 42 * cos(A) + 16.97 * sin(D) + 6.08 * cos(D) + 231,
        p * sin(A + B) + 42 * sin(A) + 62 * cos(A) + 6.08 * sin(D) - 16.97 * cos(D) - 62,
        -178.4 * cos(A + F) - 212 * sin(A) - 25 * cos(A) - 164.4 * cos(D) + 231,
        178.4 * sin(A + F) + 25 * sin(A) - 212 * cos(A) - 164.4 * sin(D) - 62};
    double J[4][4] = {
        {p * sin(A + B) + 62 * cos(A) + 42 * sin(A), p * sin(A + B), 16.97 * cos(D) - 6.08 * sin(D),
         0},
        {p * cos(A + B) + 42 * cos(A) - 62 * sin(A), p * cos(A + B), 6.08 * cos(D) + 16.97 * sin(D),
         0},
        {178.4 * sin(A + F) - 212 * cos(A) + 25 * sin(A), 0, 164.4 * sin(D), 178.4 * sin(A + F)},
        {178.4 * cos(A + F) + 25 * cos(A) + 212 * sin(A), 0, -164.4 * cos(D), 178.4 * cos(A + F)}};
    for (int k = 0; k < 4; k++) {
      int pivot = k;
      for (int i = k; i < 4; i++)
        if (fabs(J[i][k]) > fabs(J[pivot][k])) pivot = i;
      for (int j = 0; j < 4; j++) {
        const double swap = J[k][j];
        J[k][j] = J[pivot][j], J[pivot][j] = swap;
      }
      const double swap = f[k];
      f[k] = f[pivot], f[pivot] = swap;
      for (int i = 0; i < 4; i++) {
        if (i == k) continue;
        const double factor = J[i][k] / J[k][k];
        for (int j = k; j < 4; j++) J[i][j] -= factor * J[k][j];
        f[i] -= factor * f[k];
      }
    }
    for (int k = 0; k < 4; k++) a[k] -= f[k] / J[k][k];
  }
}

// All real roots of the sextic in [-1, 1], and the angles of each by the linear elements.
static int gear_solutions(const SarGroebner* g, double p, double out[6][4]) {
  enum { SB = 7, PIECES = 20000 };
  static const int order[] = {6, 5, 4, 3, 2, 1, 0};
  double x[9] = {0}, slope;
  int found = 0;
  x[8] = p;
  const fmpz_mpoly_struct* sextic = &g->g[sar_groebner_element(g, SB)];
  const double bits = bits_of(sextic, g->ctx);
  double before = 0;
  for (int i = 0; i <= PIECES && found < 6; i++) {
    x[SB] = -1 + 2.0 * i / PIECES;
    const double f = value_at(sextic, g->ctx, x, SB, bits, &slope);
    if (i > 0 && before * f <= 0) {
      for (int k = 0; k < 30; k++) {
        const double now = value_at(sextic, g->ctx, x, SB, bits, &slope);
        x[SB] -= now / slope;
      }
      for (int k = 0; k < 7; k++) {
        const fmpz_mpoly_struct* e = &g->g[sar_groebner_element(g, order[k])];
        x[order[k]] = 0;
        const double at = value_at(e, g->ctx, x, order[k], bits_of(e, g->ctx), &slope);
        x[order[k]] = -at / slope;
      }
      double* a = out[found++];
      a[0] = atan2(x[3], x[2]), a[1] = atan2(x[7], x[6]);
      a[2] = atan2(x[5], x[4]), a[3] = atan2(x[1], x[0]);
      gear_polish(p, a);
      x[SB] = -1 + 2.0 * i / PIECES;
    }
    before = f;
  }
  return found;
}

static double angle_apart(double a, double b) { return fabs(remainder(a - b, 6.283185307179586)); }

static void landing_gear_has_all_its_solutions(void** state) {
  (void)state;
  System s;
  SarGroebner g;
  system_make(&s, GEAR_NAMES, GEAR);
  solve(&s, &g);
  FILE* f = fopen("tests/reference/landing_gear_solutions.csv", "r");
  assert_non_null(f);
  char line[300];
  double worst = 0;
  int rows = 0;
  while (fgets(line, sizeof line, f)) {
    double p, a[4], all[6][4];
    int branch;
    if (sscanf(line, "%lf,%d,%lf,%lf,%lf,%lf", &p, &branch, &a[0], &a[1], &a[2], &a[3]) != 6)
      continue;
    const int count = gear_solutions(&g, p, all);
    double best = 10;
    for (int i = 0; i < count; i++) {
      double off = 0;
      for (int k = 0; k < 4; k++) off = fmax(off, angle_apart(all[i][k], a[k]));
      best = fmin(best, off);
    }
    if (p < 282) assert_int_equal(count, 2);
    worst = fmax(worst, best);
    rows++;
  }
  fclose(f);
  print_message("%d solutions, %.1e rad off at most\n", rows, worst);
  assert_true(rows > 40);
  EXPECT_NEAR(worst, 0, 1e-9);
  sar_groebner_free(&g);
  system_free(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(landing_gear_is_table_4),
      cmocka_unit_test(link_is_table_2),
      cmocka_unit_test(bases_meet_buchbergers_criterion),
      cmocka_unit_test(random_systems),
      cmocka_unit_test(limits_end_it_with_a_word),
      cmocka_unit_test(singular_agrees),
      cmocka_unit_test(landing_gear_has_all_its_solutions),
  };
  return cmocka_run_group_tests_name("groebner", tests, NULL, NULL);
}
#else
static void there_is_no_flint(void** state) {
  (void)state;
  print_message("built without FLINT: no bases\n");
  skip();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(there_is_no_flint)};
  return cmocka_run_group_tests_name("groebner", tests, NULL, NULL);
}
#endif
