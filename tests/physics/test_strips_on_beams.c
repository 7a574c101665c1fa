// Strips on beams: those of a beam that moves as one piece are those of a rigid body; and the twist
// of a wing in the wind, which diverges at a speed, in closed form.
#include "support/run.h"

#include <math.h>

// ---- one piece ----------------------------------------------------------------------------------

static double sum_of(const Run* r, const char* element, int nodes, const char* column) {
  double sum = 0;
  for (int i = 0; i < nodes; i++) {
    char name[64];
    if (i == 0)
      snprintf(name, sizeof name, "%s_start.%s", element, column);
    else if (i == nodes - 1)
      snprintf(name, sizeof name, "%s_end.%s", element, column);
    else
      snprintf(name, sizeof name, "%s_%d.%s", element, i, column);
    sum += run_output(r, name);
  }
  return sum;
}

// A hub that tumbles with a wing as a beam, and with the same strips on itself: force and power,
// which has the moment in it.
static void a_beam_in_one_piece_is_a_rigid_body(void** state) {
  (void)state;
  for (int k = 0; k < test_effort(8); k++) {
    const uint64_t seed = test_seed(70) + (uint64_t)k;
    Rng r = rng_seed(seed);
    const int elements = 1 + rng_int(&r, 5);
    char text[3000];
    const double root = rng_uniform(&r, 0, 0.5), tip = rng_uniform(&r, 1, 2);
    snprintf(text, sizeof text,
             "gravity: [0, 0, 0]\nair: {wind: [%.3f, %.3f, %.3f]}\n"
             "bodies: {hub: {mass: 3, inertia: [1, 1, 1], at: [1, 2, 3], rpy: [0.3, -0.4, 0.5]}}\n"
             "joints: {fly: {free: [ground, hub], speed: [%.3f, %.3f, %.3f, %.3f, %.3f, %.3f]}}\n"
             "beams:\n  wing: {from: hub, to: [2, 0, 0], axis2: y, elements: %d, section: "
             "{stiffness: [1e5, 1e5, 1e5, 100, 100, 100], mass: 1}}\n"
             "airfoils: {thin: {lift_slope: 5.7, drag: 0.01, separated: 1.3, moment: -0.05}}\n"
             "forces:\n"
             "  air: {strips: wing, root: %.17g, tip: %.17g, chord: [[0, 0.3], [2, 0.1]], twist: "
             "[[0, 0.2], [2, -0.1]], centre: 0.05, airfoil: thin}\n"
             "  whole: {strips: hub, root: %.17g, tip: %.17g, chord: [[0, 0.3], [2, 0.1]], twist: "
             "[[0, 0.2], [2, -0.1]], centre: 0.05, airfoil: thin, points: 16, panels: 20}\n"
             "outputs: [forces]\n",
             rng_uniform(&r, -9, 9), rng_uniform(&r, -9, 9), rng_uniform(&r, -9, 9),
             rng_uniform(&r, -9, 9), rng_uniform(&r, -9, 9), rng_uniform(&r, -9, 9),
             rng_uniform(&r, -3, 3), rng_uniform(&r, -3, 3), rng_uniform(&r, -3, 3), elements, root,
             tip, root, tip);
    const SarSimOptions o = run_options("lagrange", 1e-4);
    Run run = run_open(model_text(text), &o);
    static const char* const column[] = {"fx", "fy", "fz", "power"};
    for (int i = 0; i < 4; i++) {
      char name[32];
      snprintf(name, sizeof name, "whole.%s", column[i]);
      const double want = run_output(&run, name),
                   got = sum_of(&run, "air", elements + 1, column[i]);
      // of the quadrature: loads are smooth, 4 points of at most 2 m
      if (!(fabs(got - want) <= 2e-4 * (1 + fabs(want))))
        fail_msg("seed %llu, %d elements: %s is %.9g, not %.9g", (unsigned long long)seed, elements,
                 column[i], got, want);
    }
    run_close(&run);
  }
}

// ---- divergence ---------------------------------------------------------------------------------

// GJ theta'' + q c a e (alpha + theta) = 0, theta(0) = 0, theta'(L) = 0: theta(L) = alpha (1/cos(l
// L) - 1), l^2 = q c a e/GJ.
static double twist_of(int elements) {
  static const double RHO = 1.2, U = 30, C = 0.4, A = 6, E = 0.1, L = 2, ALPHA = 1e-3;
  const double q = 0.5 * RHO * U * U, GJ = q * C * A * E * L * L;  // l L = 1
  char text[2000];
  snprintf(text, sizeof text,
           "gravity: [0, 0, 0]\nair: {density: %.17g, sound: 340, wind: [0, %.17g, %.17g]}\n"
           "airfoils: {thin: {lift_slope: %.17g, drag: 0, separated: 0}}\n"
           "beams:\n  wing: {from: ground, to: [%.17g, 0, 0], axis2: y, elements: %d, section: "
           "{stiffness: [1e9, 1e9, 1e9, %.17g, 1e8, 1e8], mass: 1}}\n"
           "forces: {air: {strips: wing, tip: %.17g, chord: %.17g, centre: %.17g, airfoil: thin}}\n"
           "outputs: [{body: wing_end}]\n",
           RHO, -U * cos(ALPHA), U * sin(ALPHA), A, L, elements, GJ, L, C, E);
  SarError err;
  SarStatics* statics;
  sar_error_init(&err);
  Run r = {.m = model_text(text)};
  EXPECT_OK_OR(sar_data_new(r.m, &r.d, &err), &err);
  EXPECT_OK_OR(sar_statics(r.d, NULL, &statics, &err), &err);
  sar_statics_free(statics);
  EXPECT_OK_OR(sar_sim_new(r.m, r.d, NULL, &r.s, &err), &err);
  const double twist = 2 * run_output(&r, "wing_end.qx") / ALPHA;
  run_close(&r);
  return twist;
}

static void a_wing_twists_as_far_as_it_should(void** state) {
  (void)state;
  const double exact = 1 / cos(1) - 1;
  double before = 0;
  for (int n = 4; n <= 16; n *= 2) {
    const double off = fabs(twist_of(n) - exact);
    // second order
    if (n > 4) EXPECT_AT_MOST(off, before / 3.5);
    before = off;
  }
  EXPECT_AT_MOST(before, 2e-3 * exact);
}

// ---- messages -----------------------------------------------------------------------------------

static void what_does_not_fit_is_said(void** state) {
  (void)state;
  static const char* const wrong[] = {"strips: [wing, [0, 1, 0]]", "strips: wing, span: y",
                                      "strips: wing, share: 0.5", "strips: wings"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    char text[800];
    SarError err;
    SarModel* m = NULL;
    sar_error_init(&err);
    snprintf(text, sizeof text,
             "sarrus: 1\nbeams:\n  wing: {from: ground, to: [1, 0, 0], elements: 3, section: "
             "{stiffness: [1, 1, 1, 1, 1, 1], mass: 1}}\nforces: {air: {%s, tip: 1, chord: 0.1}}\n",
             wrong[i]);
    assert_int_equal(sar_model_parse(text, strlen(text), "yaml", "text.yaml", NULL, &m, &err),
                     SAR_BAD_MODEL);
    if (err.errors != 1) fail_msg("%s: %d errors, %s", wrong[i], err.errors, err.items[0].text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_beam_in_one_piece_is_a_rigid_body),
      cmocka_unit_test(a_wing_twists_as_far_as_it_should),
      cmocka_unit_test(what_does_not_fit_is_said),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
