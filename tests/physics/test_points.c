// Bodies that are points: a mass alone, without inertia, shapes or a joint, moves and does not
// turn.
#include "support/test.h"

#include "model/model.h"
#include "model/sim.h"

static SarError err;

static SarModel* parsed(const char* text, const char* coordinates) {
  char line[1200];
  SarModel* m = NULL;
  sar_error_init(&err);
  if (sar_model_parse(text, strlen(text), "yaml", "m.yaml",
                      &(SarLoadOptions){.coordinates = coordinates}, &m, &err) != SAR_OK)
    fail_msg("%s", sar_error_format(&err, 0, line, sizeof line));
  return m;
}

// The place of body p at the end; false: the formulation does not take the model.
static bool place_at(SarModel* m, const char* formulation, double step, double time, double p[3]) {
  SarData* d = NULL;
  SarSim* s = NULL;
  double R[9];
  SarSimOptions o = sar_sim_options();
  o.formulation = formulation;
  o.step = step;
  sar_error_init(&err);
  EXPECT_OK(sar_data_new(m, &d, &err));
  const SarStatus st = sar_sim_new(m, d, &o, &s, &err);
  if (st == SAR_OK) EXPECT_OK(sar_advance(s, time));
  if (st == SAR_OK) EXPECT_OK(sar_body_pose(d, sar_model_find(m, SAR_ITEM_BODY, "p"), p, R));
  if (st != SAR_OK) assert_int_equal(st, SAR_NOT_OFFERED);
  sar_sim_free(s), sar_data_free(d);
  return st == SAR_OK;
}

// Thrown, on a spring and both: closed forms, by every formulation that takes it, in both kinds of
// coordinates.
static void a_point_flies_and_swings(void** state) {
  (void)state;
  static const char* const coordinates[] = {"relative", "absolute"};
  const double t = 0.7, g = 9.81, w = sqrt(50 / 2.0);
  int taken = 0;
  for (int k = 0; sar_formulation(k); k++)
    for (int c = 0; c < 2; c++) {
      const char* name = sar_formulation(k)->name;
      double p[3];
      SarModel* m = parsed(
          "sarrus: 1\nbodies: {p: {at: [1, 2, 3], rpy: [1, 2, 3], mass: 2, velocity: [1, -2, "
          "4]}}\n",
          coordinates[c]);
      assert_int_equal(m->nv, 3);
      if (place_at(m, name, 1e-3, t, p)) {
        taken++;
        // steps by impulses are of second order, all others exact for a parabola or nearly so
        EXPECT_NEAR(p[0], 1 + t, 1e-6);
        EXPECT_NEAR(p[1], 2 - 2 * t, 1e-6);
        EXPECT_NEAR(p[2], 3 + 4 * t - g * t * t / 2, 5e-3);
      }
      sar_model_free(m);
      m = parsed(
          "sarrus: 1\ngravity: [0, 0, 0]\nbodies: {p: {at: [0.3, 0, 0], mass: 2}}\n"
          "forces: {f: {force: p, value: [-50*p.x, 0, 0]}}\n",
          coordinates[c]);
      if (place_at(m, name, 1e-4, t, p)) EXPECT_NEAR(p[0], 0.3 * cos(w * t), 2e-4);
      sar_model_free(m);
    }
  print_message("points: taken %d times\n", taken);
  assert_true(taken >= 10);
}

// On a rod of constant length it is a pendulum: the same as a massless arm on a hinge with the mass
// at its end.
static void a_point_on_a_rod_is_a_pendulum(void** state) {
  (void)state;
  double a[3], b[3];
  SarModel* m = parsed(
      "sarrus: 1\nbodies: {p: {at: [0.8, 0, -0.6], mass: 2}}\n"
      "constraints: {string: {rod: [p, ground]}}\n",
      NULL);
  assert_int_equal(m->nv, 3);
  assert_true(place_at(m, NULL, 0, 1.3, a));
  sar_model_free(m);
  m = parsed(
      "sarrus: 1\nbodies: {arm: {}, p: {at: [0.8, 0, -0.6], mass: 2}}\n"
      "joints: {hinge: {revolute: [ground, arm], axis: y}, end: {fixed: [arm, p]}}\n",
      NULL);
  assert_int_equal(m->nv, 1);
  assert_true(place_at(m, NULL, 0, 1.3, b));
  sar_model_free(m);
  for (int i = 0; i < 3; i++) EXPECT_NEAR(a[i], b[i], 1e-6);
}

// What has an extent, or a joint that could turn it, is no point.
static void others_are_no_points(void** state) {
  (void)state;
  static const char* const texts[] = {
      "sarrus: 1\nbodies: {p: {mass: 1, points: {tip: [1, 0, 0]}}}\n",
      "sarrus: 1\nbodies: {p: {mass: 1, angular_velocity: [1, 0, 0]}}\n",
      "sarrus: 1\nbodies: {p: {mass: 1, com: [1, 0, 0]}}\n",
      "sarrus: 1\nbodies: {p: {}}\n",
      "sarrus: 1\nplanar: xz\nbodies: {p: {mass: 1}}\n",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    SarModel* m = NULL;
    sar_error_init(&err);
    EXPECT_STATUS(sar_model_parse(texts[i], strlen(texts[i]), "yaml", "m.yaml", NULL, &m, &err),
                  SAR_BAD_MODEL);
    assert_non_null(strstr(err.items[0].text, "no inertia along some of its motions"));
    assert_non_null(strstr(err.items[0].hint, "a mass alone makes a point of it"));
  }
  SarModel* m = parsed(
      "sarrus: 1\nbodies: {p: {mass: 1}, q: {sphere: 1, mass: 1, at: [0, 0, 2]}}\n"
      "joints: {j: {fixed: [p, q]}}\n",
      NULL);
  assert_int_equal(m->nv, 6);
  sar_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_point_flies_and_swings),
      cmocka_unit_test(a_point_on_a_rod_is_a_pendulum),
      cmocka_unit_test(others_are_no_points),
  };
  return cmocka_run_group_tests_name("points", tests, NULL, NULL);
}
