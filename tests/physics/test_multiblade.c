// Modes in multiblade coordinates: isotropic rotors against what is known, ground resonance against
// the equations of Coleman and Feingold, and Floquet's multipliers as a second opinion.
#include "support/run.h"

#include "linalg/dense.h"
#include "linalg/lu.h"

#include <complex.h>

static const double PI = 3.14159265358979323846;

static double complex complex_of(double re, double im) {
  double complex z;
  ((double*)&z)[0] = re, ((double*)&z)[1] = im;
  return z;
}

typedef struct Found {
  Run r;
  SarModes* modes;
  const SarModesReport* x;
} Found;

static Found find_modes(const char* text, const char* blades) {
  SarSimOptions o = sar_sim_options();
  SarModesOptions how = sar_modes_options();
  SarError err;
  Found f = {.r = run_open(model_text(text), &o)};
  sar_error_init(&err);
  how.multiblade = blades;
  EXPECT_OK_OR(sar_modes(f.r.d, &how, &f.modes, &err), &err);
  f.x = sar_modes_report(f.modes);
  return f;
}

static void close_modes(Found* f) {
  sar_modes_free(f->modes);
  run_close(&f->r);
}

// The mode next to lambda, within a relative tolerance.
static int mode_at(const Found* f, double complex lambda, double tolerance) {
  int best = 0;
  double least = HUGE_VAL;
  for (int k = 0; k < f->x->count; k++) {
    const double off = cabs(complex_of(f->x->re[k], f->x->im[k]) - lambda);
    if (off < least) least = off, best = k;
  }
  if (!(least <= tolerance * (1 + cabs(lambda))))
    fail_msg("no mode at %g %+gi: the next is off by %g", creal(lambda), cimag(lambda), least);
  return best;
}

static void expect_pattern(const Found* f, int mode, const char* pattern) {
  assert_string_equal(sar_modes_pattern(f->modes, mode), pattern);
}

// Blades on lag hinges with springs, without dampers: w^2 = k/J + e S Omega^2/J in the turning
// frame; the airframe sees it, and harmonics h at w + h Omega and |w - h Omega|.
static void isotropic_rotors(void** state) {
  (void)state;
  for (int n = 3; n <= 6; n++) {
    const double Omega = 20, m = 2, r = 1.5, e = 0.2, J0 = 0.8, k = 900;
    const double J = J0 + m * r * r, w = sqrt((k + e * m * r * Omega * Omega) / J);
    char text[1024];
    snprintf(text, sizeof text,
             "gravity: [0, 0, 0]\nbodies:\n  hub: {mass: 1, inertia: [1, 1, 1]}\n"
             "  b$i: {repeat: {n: %d, as: i}, mass: 2, com: [1.5, 0, 0], inertia: [0, 0.8, 0.8]}\n"
             "joints:\n  shaft: {revolute: [ground, hub], axis: z, speed: 20}\n"
             "  lag$i: {repeat: {n: %d, as: i}, revolute: [hub, b$i], axis: z, stiffness: 900, "
             "origin: {at: ['0.2*cos(2*pi*i/%d)', '0.2*sin(2*pi*i/%d)', 0], rpy: [0, 0, "
             "'2*pi*i/%d']}}\n"
             "constraints: {drive: {motion: shaft, value: 20*t}}\n",
             n, n, n, n, n);
    Found f = find_modes(text, "hub");
    assert_int_equal(f.x->freedoms, n);
    expect_pattern(&f, mode_at(&f, complex_of(0, w), 1e-6), "collective");
    for (int h = 1; 2 * h < n; h++) {
      char name[24];
      snprintf(name, sizeof name, "forward %d", h);
      expect_pattern(&f, mode_at(&f, complex_of(0, w + h * Omega), 1e-6), name);
      // what goes back in the turning frame is carried forward if the rotor is faster
      snprintf(name, sizeof name, "%s %d", w > h * Omega ? "backward" : "forward", h);
      expect_pattern(&f, mode_at(&f, complex_of(0, fabs(w - h * Omega)), 1e-6), name);
    }
    close_modes(&f);
  }
}

// ---- ground resonance ---------------------------------------------------------------------------

// Hammond's rotor (Journal of the American Helicopter Society 19, 1974), SI units.
static const struct {
  double m, S, J, e, damper, Mx, My, kx, ky, cx, cy;
} hammond = {94.9,   289.1,     1084.7,    0.3048,  4067.5, 8026.6,
             3283.6, 1240481.8, 1240481.8, 51078.7, 25539.3};

static void hammond_text(double Omega, int blades, char* text, size_t size) {
  const double r = hammond.S / hammond.m, J0 = hammond.J - hammond.S * r;
  snprintf(text, size,
           "gravity: [0, 0, 0]\nbodies:\n"
           "  sledge: {mass: %.17g, inertia: [1, 1, 1]}\n"
           "  pylon: {mass: %.17g, inertia: [1, 1, 1]}\n"
           "  hub: {mass: 0}\n"
           "  b$i: {repeat: {n: %d, as: i}, mass: %.17g, com: [%.17g, 0, 0], inertia: [0, %.17g, "
           "%.17g]}\n"
           "joints:\n"
           "  x: {prismatic: [ground, sledge], axis: x, stiffness: %.17g, damping: %.17g}\n"
           "  y: {prismatic: [sledge, pylon], axis: y, stiffness: %.17g, damping: %.17g}\n"
           "  shaft: {revolute: [pylon, hub], axis: z, speed: %.17g}\n"
           "  lag$i: {repeat: {n: %d, as: i}, revolute: [hub, b$i], axis: z, damping: %.17g, "
           "origin: {at: ['0.3048*cos(2*pi*i/%d)', '0.3048*sin(2*pi*i/%d)', 0], rpy: [0, 0, "
           "'2*pi*i/%d']}}\n"
           "constraints: {drive: {motion: shaft, value: %.17g*t}}\n",
           hammond.Mx - hammond.My, hammond.My, blades, hammond.m, r, J0, J0, hammond.kx,
           hammond.cx, hammond.ky, hammond.cy, Omega, blades, hammond.damper, blades, blades,
           blades, Omega);
}

// M s^2 + C s + K of (x, y, zc, zs), eigenvalues by the companion matrix, column by column.
static void exact_roots(double Omega, int blades, double re[8], double im[8]) {
  const double S = hammond.S, J = hammond.J, c = hammond.damper, half = 0.5 * blades;
  const double K0 = hammond.e * S * Omega * Omega, own = K0 - J * Omega * Omega;
  double M[16] = {hammond.Mx + blades * hammond.m,
                  0,
                  0,
                  -half * S,
                  0,
                  hammond.My + blades * hammond.m,
                  half * S,
                  0,
                  0,
                  S,
                  J,
                  0,
                  -S,
                  0,
                  0,
                  J};
  const double C[16] = {hammond.cx,     0, 0, 0, 0, hammond.cy, 0, 0, 0, 0, c, 2 * J * Omega, 0, 0,
                        -2 * J * Omega, c};
  const double K[16] = {hammond.kx, 0, 0,   0,         0, hammond.ky, 0,          0,
                        0,          0, own, c * Omega, 0, 0,          -c * Omega, own};
  double A[64] = {0}, vectors[64], work[2048];
  int pivot[4];
  assert_true(sar_lu_factor(4, M, pivot));
  for (int j = 0; j < 4; j++) {
    double k[4], d[4];
    for (int i = 0; i < 4; i++) k[i] = -K[4 * i + j], d[i] = -C[4 * i + j];
    sar_lu_solve(4, M, pivot, k);
    sar_lu_solve(4, M, pivot, d);
    A[8 * (4 + j) + j] = 1;
    for (int i = 0; i < 4; i++) A[8 * j + 4 + i] = k[i], A[8 * (4 + j) + 4 + i] = d[i];
  }
  assert_true(sar_eigen_general_size(8) <= 2048);
  EXPECT_OK(sar_eigen_general(8, A, re, im, vectors, work, 2048));
}

static void ground_resonance(void** state) {
  (void)state;
  char text[2048];
  for (int blades = 3; blades <= 5; blades++)
    for (double Omega = 10; Omega < 45; Omega += 8) {
      double re[8], im[8];
      hammond_text(Omega, blades, text, sizeof text);
      Found f = find_modes(text, "hub");
      exact_roots(Omega, blades, re, im);
      for (int k = 0; k < 8; k++)
        if (im[k] >= 0) mode_at(&f, complex_of(re[k], im[k]), 1e-6);
      close_modes(&f);
    }
}

// Over a period coordinates and patterns come back to the same: exp(lambda T) are the multipliers.
static void floquet_agrees(void** state) {
  (void)state;
  const double Omega = 26, T = 2 * PI / Omega;
  char text[2048];
  SarFloquet* found = NULL;
  SarFloquetOptions how = sar_floquet_options();
  SarSimOptions o = sar_sim_options();
  SarError err;
  sar_error_init(&err);
  hammond_text(Omega, 4, text, sizeof text);
  Found f = find_modes(text, "hub");
  o.step = T / 200;
  o.adaptive = 0;
  o.formulation = "lagrange";
  o.integrator = "rk4";
  how.sim = &o;
  EXPECT_OK_OR(sar_floquet(f.r.d, T, &how, &found, &err), &err);
  const SarFloquetReport* q = sar_floquet_report(found);
  for (int k = 0; k < f.x->count; k++) {
    const double complex wanted = cexp(complex_of(f.x->re[k], f.x->im[k]) * T);
    double least = HUGE_VAL;
    for (int i = 0; i < q->count; i++)
      least = fmin(least, cabs(complex_of(q->re[i], q->im[i]) - wanted));
    EXPECT_AT_MOST(least, 1e-5);
  }
  sar_floquet_free(found);
  close_modes(&f);
}

static void what_is_no_rotor(void** state) {
  (void)state;
  static const char* const wrong[] = {"pylon", "nobody", "b1"};
  SarSimOptions o = sar_sim_options();
  char text[2048];
  hammond_text(20, 3, text, sizeof text);
  Run r = run_open(model_text(text), &o);
  for (int i = 0; i < 3; i++) {
    SarModesOptions how = sar_modes_options();
    SarModes* modes = NULL;
    SarError err;
    sar_error_init(&err);
    how.multiblade = wrong[i];
    assert_int_equal(sar_modes(r.d, &how, &modes, &err), SAR_BAD_ARGUMENT);
    assert_true(err.errors == 1 && !modes);
  }
  run_close(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(isotropic_rotors),
      cmocka_unit_test(ground_resonance),
      cmocka_unit_test(floquet_agrees),
      cmocka_unit_test(what_is_no_rotor),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
