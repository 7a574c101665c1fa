// Beams of the file: what the compiler makes of them (places, masses, stiffness), strains that
// rigid motions leave alone, and messages about tables.
#include "support/model_file.h"
#include "support/test.h"

#include "dynamics/tree.h"
#include "model/beam.h"
#include "model/data.h"
#include "support/random.h"

static int number_of(const SarModel* m, SarItem what, const char* name) {
  const int i = sar_model_find(m, what, name);
  if (i < 0) fail_msg("no '%s'", name);
  return i;
}

static SarData* evaluated(const SarModel* m) {
  SarData* d = NULL;
  EXPECT_OK(sar_data_new(m, &d, NULL));
  sar_update_kinematics(m, d);
  sar_update_world(m, d);
  sar_update_forces(m, d);
  return d;
}

// ---- logarithm of rigid motions -----------------------------------------------------------------

static Motion random_twist(Rng* r, double angle) {
  const V3 w = v3_scale(rng_uniform(r, 0, angle), v3_unit(rng_v3(r, -1, 1)));
  return (Motion){w, rng_v3(r, -1, 1)};
}

static void expect_motion(Motion a, Motion b, double tol) {
  EXPECT_NEAR(v3_norm(v3_sub(a.w, b.w)), 0, tol);
  EXPECT_NEAR(v3_norm(v3_sub(a.v, b.v)), 0, tol);
}

// exp and log are inverse, the rate is that of differences, and the wrench is its transpose: also
// in dual numbers.
static void logarithm_and_its_rates(void** state) {
  (void)state;
  Rng r = rng_seed(1);
  for (int i = 0; i < test_effort(3000); i++) {
    const Motion d = random_twist(&r, i % 3 == 0 ? 0.02 : i % 3 == 1 ? 1 : 2.9);
    const Xform X = x_exp(d);
    expect_motion(x_log(X), d, 1e-13);
    // X moves with w at its origin's velocity v, seen from the first frame
    const V3 w = rng_v3(&r, -1, 1), v = rng_v3(&r, -1, 1);
    const double h = 1e-5;
    Motion at[2];
    for (int k = 0; k < 2; k++) {
      const double t = k ? h : -h;
      const Xform Y = {m3_mul(quat_to_m3(quat_exp(v3_scale(t, w))), X.R), v3_axpy(t, v, X.p)};
      at[k] = x_log(Y);
    }
    const Motion rate = x_log_rate(d.w, X.p, w, v);
    expect_motion(rate, motion_scale(0.5 / h, motion_add(at[1], motion_scale(-1, at[0]))), 1e-7);
    const Force y = {rng_v3(&r, -1, 1), rng_v3(&r, -1, 1)};
    const Force W = x_log_wrench(d.w, X.p, y);
    EXPECT_NEAR(v3_dot(W.n, w) + v3_dot(W.f, v), power_of(rate, y), 1e-12);
    D3 theta_rate, rho_rate, n, f;
    d3_log_rate(d3_of(d.w), d3_of(X.p), d3_of(w), d3_of(v), &theta_rate, &rho_rate);
    expect_motion((Motion){theta_rate.x, rho_rate.x}, rate, 1e-13);
    d3_log_wrench(d3_of(d.w), d3_of(X.p), d3_of(y.n), d3_of(y.f), &n, &f);
    expect_motion((Motion){n.x, f.x}, (Motion){W.n, W.f}, 1e-12);
  }
}

// ---- stiffness ----------------------------------------------------------------------------------

// A straight prismatic element: textbook values in closed form.
static void straight_element_is_the_textbooks(void** state) {
  (void)state;
  const double EA = 700, GA = 300, GJ = 5, EIy = 7, EIz = 11, L = 0.8;
  const double section[36] = {[0] = GJ, [7] = EIy, [14] = EIz, [21] = EA, [28] = GA, [35] = GA};
  double K[36];
  assert_true(sar_beam_uniform_stiffness((Motion){v3_zero(), v3(L, 0, 0)}, L, section, K));
  EXPECT_NEAR(K[0], GJ / L, 1e-10);
  EXPECT_NEAR(K[7], EIy / L, 1e-10);
  EXPECT_NEAR(K[21], EA / L, 1e-10);
  // 1/(L/GA + L^3/(12 EI))
  EXPECT_NEAR(K[28], 1 / (L / GA + L * L * L / (12 * EIz)), 1e-10);
  EXPECT_NEAR(K[35], 1 / (L / GA + L * L * L / (12 * EIy)), 1e-10);
}

// Curved and twisted, with coupled sections: an element is as flexible as its two halves in series.
static void curved_element_is_its_halves(void** state) {
  (void)state;
  Rng r = rng_seed(3);
  double section[36];
  for (int i = 0; i < 36; i++) section[i] = 5.0 * (i % 7 == 0);
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < i; j++)
      section[6 * i + j] = section[6 * j + i] = rng_uniform(&r, -0.5, 0.5);
  const Motion d = {v3(0.3, -0.2, 0.4), v3(1, 0, 0)};  // over a unit length
  double F[36] = {0}, halves[36] = {0}, C[36];
  assert_true(sar_inverse6(section, C));
  for (int g = 0; g < SAR_BEAM_GAUSS; g++) {
    const double s = sar_beam_gauss[g][0], w = sar_beam_gauss[g][1];
    sar_beam_add_flexibility(d, s, w, C, F);
    sar_beam_add_flexibility(d, 0.5 * s - 0.25, 0.5 * w, C, halves);
    sar_beam_add_flexibility(d, 0.5 * s + 0.25, 0.5 * w, C, halves);
  }
  for (int i = 0; i < 36; i++) EXPECT_NEAR(F[i], halves[i], 1e-10);
}

// ---- what is made of a beam ---------------------------------------------------------------------

// Mass, centre of mass and inertia of a straight beam whose mass jumps, offset centres and all, are
// those of the integrals, by any number of elements from two on.
static void mass_is_that_of_the_beam(void** state) {
  (void)state;
  for (int n = 2; n <= 9; n++) {
    char text[768];
    snprintf(
        text, sizeof text,
        "beams:\n  b: {from: [0, 0, 0], to: [2, 0, 0], elements: %d, section: {\n"
        "    stiffness: [1e4, 1e4, 1e4, 10, 10, 10], mass: [[0, 1], [0.7, 3], [0.7, 2], [2, 1]],\n"
        "    com: [[0, 0.1, 0], [2, 0.1, 0.2]], inertia: [0.03, 0.01, 0.02]}}\n",
        n);
    SarModel* m = model_text(text);
    SarData* d = evaluated(m);
    Inertia all = inertia_zero();
    for (int b = 0; b < m->nbody; b++)
      all = inertia_add(all, inertia_transform(d->body_X_GB[b], m->body_inertia[b]));
    // integrals of the piecewise linear mass: 1 + 2 s/0.7, then 2 - (s - 0.7)/1.3
    double mass = 0, first = 0, second = 0, y = 0;
    for (int i = 0; i < 200000; i++) {
      const double s = 2 * (i + 0.5) / 200000, ds = 2.0 / 200000;
      const double per = s < 0.7 ? 1 + 2 * s / 0.7 : 2 - (s - 0.7) / 1.3;
      mass += per * ds, first += per * s * ds, second += per * s * s * ds, y += 0.1 * per * ds;
    }
    EXPECT_NEAR(all.m, mass, 1e-8);
    EXPECT_NEAR(all.h.x, first, 1e-8);
    EXPECT_NEAR(all.h.y, y, 1e-8);
    EXPECT_NEAR(all.I.zz, second + 0.01 * mass + 2 * 0.02, 1e-7);
    sar_data_free(d);
    sar_model_free(m);
  }
}

// A helix of constant curvature and torsion, and a quarter of a circle twisted by 30 deg: nodes lie
// on them.
static void curvature_and_twist_place_the_nodes(void** state) {
  (void)state;
  SarModel* m = model_text(
      "beams:\n"
      "  arc: {from: ground, length: pi/2, axis: x, axis2: y, curvature: [0, 0, 1], elements: 3,\n"
      "    twist: [[0, 0], [pi/2, 30 deg]], section: {stiffness: [1, 1, 1, 1, 1, 1], mass: 1}}\n"
      "  bow: {from: [ground, [0, 0, 1]], length: 1, curvature: [[0, 0, 0, 0], [1, 0.3, 0, 2]],\n"
      "    elements: 4, section: {stiffness: [1, 1, 1, 1, 1, 1], mass: 1}}\n"
      "  fine: {from: [ground, [0, 0, 1]], length: 1, curvature: [[0, 0, 0, 0], [1, 0.3, 0, 2]],\n"
      "    elements: 64, section: {stiffness: [1, 1, 1, 1, 1, 1], mass: 1}}\n");
  SarData* d = evaluated(m);
  double p[3], R[9], q[3];
  EXPECT_OK(sar_body_pose(d, number_of(m, SAR_ITEM_BODY, "arc_end"), p, R));
  EXPECT_NEAR(p[0], 1, 1e-12);
  EXPECT_NEAR(p[1], 1, 1e-12);
  EXPECT_NEAR(R[3], 1, 1e-12);                  // x of the section along y
  EXPECT_NEAR(R[8], cos(acos(-1) / 6), 1e-12);  // z twisted by 30 deg
  EXPECT_OK(sar_body_pose(d, number_of(m, SAR_ITEM_BODY, "bow_end"), p, R));
  EXPECT_OK(sar_body_pose(d, number_of(m, SAR_ITEM_BODY, "fine_end"), q, R));
  EXPECT_ARRAY_NEAR(p, q, 3, 1e-7);
  sar_data_free(d);
  sar_model_free(m);
}

// A deformed beam that is moved and turned as a whole: strains and internal forces are the same to
// 1e-12.
static void strains_are_those_of_the_shape(void** state) {
  (void)state;
  Rng r = rng_seed(7);
  SarModel* m = model_text(
      "beams:\n  b: {from: [0, 0, 0], to: [1, 0, 0], elements: 4, section: {mass: 1,\n"
      "    stiffness: [100, 50, 50, 3, 2, 5]}}\nsimulation: {coordinates: absolute}\n");
  SarData* d = evaluated(m);
  double outputs[48];
  Xform X[5];
  for (int i = 0; i < m->nbody; i++)
    X[i] =
        x_exp((Motion){rng_v3(&r, -0.3, 0.3), v3_add(v3(0.25 * i, 0, 0), rng_v3(&r, -0.05, 0.05))});
  for (int trial = 0; trial < test_effort(50); trial++) {
    const Xform rigid = trial == 0
                            ? x_identity()
                            : (Xform){quat_to_m3(quat_exp(rng_v3(&r, -3, 3))), rng_v3(&r, -2, 2)};
    for (int b = 0; b < m->nbody; b++) d->body_X_GB[b] = x_mul(rigid, X[b]);
    for (int b = 0; b < m->nbody; b++) d->body_V[b] = motion_zero();
    for (int f = 0; f < m->nforce; f++) m->force_kind[f]->apply(m, d, f);
    if (trial == 0) memcpy(outputs, d->force_output, sizeof outputs);
    EXPECT_ARRAY_NEAR(d->force_output, outputs, 48, 1e-12 * 100);
  }
  sar_data_free(d);
  sar_model_free(m);
}

// ---- messages -----------------------------------------------------------------------------------

typedef struct Wrong {
  const char *text, *message;
} Wrong;

static void tables_that_are_wrong_are_told_with_their_place(void** state) {
  (void)state;
#define BEAM(keys) \
  "beams:\n  b: {from: ground, to: [1, 0, 0], elements: 2,\n   " keys "}\nsarrus: 1\n"
#define K6 "stiffness: [1, 1, 1, 1, 1, 1]"
  static const Wrong wrong[] = {
      {BEAM("section: {" K6 ", mass: [[0, 1], [0.5, 2], [0.2, 1], [1, 1]]}"),
       "t.yaml:3:71: error: beam 'b': mass: s must rise from row to row, but 0.2 follows 0.5"},
      {BEAM("section: {" K6 ", mass: [[0, 1], [0.8, 2]]}"),
       "mass: the table reaches from 0 to 0.8, the beam from 0 to 1 m"},
      {BEAM("section: {" K6 ", mass: [[0, 1]]}"), "a table along the span has at least two rows"},
      {BEAM("section: {" K6 ", mass: [[0, 1], [1, 0/0]]}"), "t.yaml:3:"},
      {BEAM("section: {" K6 ", mass: [[0, 1], [1, 0/0]]}"), "(NaN)"},
      {BEAM("section: {" K6 ", mass: [[0, 1], [1, 2, 3]]}"), "expected a list of 2"},
      {BEAM("section: {" K6 ", mass: -1}"), "mass per length must be positive, but is -1"},
      {BEAM("section: {stiffness: [1, 1, 1, 1, 1], mass: 1}"), "expected a list of 6"},
      {BEAM("section: {stiffness: [1, 1, 1, -1, 1, 1], mass: 1}"), "not positive definite"},
      {BEAM("section: {stiffness: [[0, 1, 1, 1, 1, 1, 1], [1, 1, 1, 1]], mass: 1}"),
       "expected a list of 7"},
      {BEAM("section: {mass: 1}"), "a beam needs 'section' with stiffness and mass"},
      {BEAM("section: {" K6 ", mass: 1}, length: 2"), "a beam has one of 'to' and 'length'"},
      {BEAM("section: {" K6 ", mass: 1, damping: -0.1}"), "damping must not be negative"},
      {"beams:\n  b: {from: ground, to: [1, 0, 0], elements: 2.5, section: {" K6
       ", mass: 1}}\nsarrus: 1\n",
       "expected a whole number from 1 to 1000, found 2.5"},
      {"beams:\n  b: {from: hub, to: [1, 0, 0], elements: 2, section: {" K6
       ", mass: 1}}\nsarrus: 1\n",
       "no body 'hub'"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    SarModel* m = NULL;
    SarError err;
    sar_error_init(&err);
    const SarStatus st =
        sar_model_parse(wrong[i].text, strlen(wrong[i].text), "yaml", "t.yaml", NULL, &m, &err);
    char all[4096] = "";
    size_t used = 0;
    for (int k = 0; k < err.count && used < sizeof all - 1; k++) {
      sar_error_format(&err, k, all + used, sizeof all - used);
      used = strlen(all);
    }
    if (st != SAR_BAD_MODEL || !strstr(all, wrong[i].message))
      fail_msg("case %d: status %d, '%s' not in\n%s", (int)i, (int)st, wrong[i].message, all);
    sar_model_free(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(logarithm_and_its_rates),
      cmocka_unit_test(straight_element_is_the_textbooks),
      cmocka_unit_test(curved_element_is_its_halves),
      cmocka_unit_test(mass_is_that_of_the_beam),
      cmocka_unit_test(curvature_and_twist_place_the_nodes),
      cmocka_unit_test(strains_are_those_of_the_shape),
      cmocka_unit_test(tables_that_are_wrong_are_told_with_their_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
