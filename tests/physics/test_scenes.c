// The scenes with contact among the examples do what their comments say: what hangs comes to rest,
// what is held stays in the hand, what stands stays where it is, what is to fall falls, what is to
// walk walks.
#include "support/scene.h"

// ---- mechanisms of the paper --------------------------------------------------------------------

// Dry friction of 0.05 N m holds a chain of 2.5 kg m up to 0.05 / (2.5 g 0.5) = 4 mrad from the
// plumb line at its first hinge, and the last link of 0.5 kg and 0.2 m up to 0.1 rad: the tip is
// somewhere below.
static void chain_comes_to_rest_hanging(void** state) {
  (void)state;
  Run c = begin("chain.yaml");
  run_advance(&c, c.m->sim.end);
  for (int i = 0; i < sar_model_nv(c.m); i++)
    EXPECT_NEAR(sar_v(c.d)[i], 0, 1e-7);  // sweeps end at 1e-8
  EXPECT_NEAR(run_output(&c, "link5.tip.z"), -1, 1e-2);
  const double x = run_output(&c, "link5.tip.x");
  EXPECT_NEAR(x, 0, 0.1);
  run_advance(&c, c.m->sim.end + 10);
  EXPECT_NEAR(run_output(&c, "link5.tip.x"), x, 1e-6);  // it sticks
  run_close(&c);
}

static void linkage_draws_a_straight_line(void** state) {
  (void)state;
  Run c = begin("peaucellier.yaml");
  double off = 0, low = 0, high = 0;
  while (sar_time(c.d) < c.m->sim.end) {
    EXPECT_OK(sar_step(c.s));
    off = fmax(off, fabs(run_output(&c, "off_line")));
    low = fmin(low, run_output(&c, "side_bp.P.y"));
    high = fmax(high, run_output(&c, "side_bp.P.y"));
  }
  print_message("Peaucellier: %.1e of the crank off its line of %.0f mm\n", off / 0.05,
                1e3 * (high - low));
  EXPECT_AT_MOST(off, 1e-5 * 0.05);
  // y / x = tan of half the crank's angle, 40 deg either way
  EXPECT_NEAR(high, 0.189 * tan(20 * M_PI / 180), 1e-4);
  EXPECT_NEAR(low, -high, 1e-4);
  run_close(&c);
}

static void gripper_carries_holds_and_sets_down(void** state) {
  (void)state;
  const double hold = 60, down = 4 + hold;
  Run c = begin_with("gripper.yaml", "hold", hold);
  const Pose start = pose(&c, "cube");
  run_advance(&c, 4.5);
  const Pose carried = pose(&c, "cube");
  EXPECT_NEAR(carried.p[0], start.p[0] - 0.15, 1e-3);
  EXPECT_NEAR(carried.p[2], start.p[2] + 0.1, 1e-3);
  run_advance(&c, down);
  const Pose held = pose(&c, "cube");
  print_message("gripper: the cube slips %.1e mm in %.1f s\n", 1e3 * distance(held.p, carried.p),
                down - 4.5);
  EXPECT_AT_MOST(distance(held.p, carried.p), 1e-4);
  EXPECT_NEAR(run_output(&c, "cube.ground.contact.normal"), 0, 0);
  run_advance(&c, c.m->sim.end);
  // on the floor with all its weight, at rest, and no finger at it
  const Pose last = pose(&c, "cube");
  EXPECT_NEAR(last.p[2], 0.025, 1e-5);
  EXPECT_NEAR(last.R[8], 1, 1e-6);
  EXPECT_NEAR(run_output(&c, "cube.ground.contact.normal"), 0.2 * 9.81, 1e-3);
  EXPECT_NEAR(run_output(&c, "cube.left.contact.normal"), 0, 0);
  EXPECT_NEAR(run_output(&c, "cube.vx"), 0, 1e-6);
  EXPECT_NEAR(run_output(&c, "cube.vz"), 0, 1e-6);
  run_close(&c);
}

// ---- what stands --------------------------------------------------------------------------------

// How far any body of a scene is from where it was at first, after a time.
static double farthest(Run* c, double time) {
  enum { MOST = 64 };
  Pose first[MOST];
  const int n = sar_model_count(c->m, SAR_ITEM_BODY);
  double far = 0;
  assert_in_range(n, 1, MOST);
  for (int i = 0; i < n; i++) EXPECT_OK(sar_body_pose(c->d, i, first[i].p, first[i].R));
  for (int k = 1; k <= 10; k++) {
    run_advance(c, 0.1 * k * time);
    for (int i = 0; i < n; i++) {
      Pose now;
      EXPECT_OK(sar_body_pose(c->d, i, now.p, now.R));
      far = fmax(far, distance(now.p, first[i].p));
    }
  }
  return far;
}

static void stacks_pyramids_and_arches_stand(void** state) {
  (void)state;
  static const struct {
    const char* file;
    double time;
  } STANDING[] = {{"stack.yaml", 60}, {"pyramid.yaml", 10}, {"arch.yaml", 20}};
  for (size_t i = 0; i < sizeof STANDING / sizeof *STANDING; i++) {
    Run c = begin(STANDING[i].file);
    const double time = test_effort(10) < 10 ? 2 : STANDING[i].time;
    const double far = farthest(&c, time);
    print_message("%s: %.1e mm in %g s\n", STANDING[i].file, 1e3 * far, time);
    EXPECT_AT_MOST(far, 1e-4);
    run_close(&c);
  }
}

// Half circles need 0.107 of their radius (Milankovitch 1907), and the first stone's friction its
// share of the thrust.
static void arches_fall_where_they_should(void** state) {
  (void)state;
  static const struct {
    const char* name;
    double value;
    bool stands;
  } ARCHES[] = {{"thick", 0.1, false}, {"thick", 0.12, true}, {"friction", 0.2, false}};
  for (size_t i = 0; i < sizeof ARCHES / sizeof *ARCHES; i++) {
    Run c = begin_with("arch.yaml", ARCHES[i].name, ARCHES[i].value);
    const double far = farthest(&c, 3);
    if (ARCHES[i].stands)
      EXPECT_AT_MOST(far, 1e-3);
    else
      EXPECT_AT_MOST(0.5, far);
    run_close(&c);
  }
}

// ---- what moves ---------------------------------------------------------------------------------

static void dominoes_fall_one_after_another(void** state) {
  (void)state;
  enum { COUNT = 12 };
  Run c = begin("dominoes.yaml");
  double fallen[COUNT] = {0};
  while (sar_time(c.d) < c.m->sim.end) {
    EXPECT_OK(sar_step(c.s));
    for (int i = 0; i < COUNT; i++) {
      char name[8];
      snprintf(name, sizeof name, "d%d", i + 1);
      if (fallen[i] == 0 && pose(&c, name).R[8] < cos(30 * M_PI / 180)) fallen[i] = sar_time(c.d);
    }
  }
  for (int i = 0; i < COUNT; i++) {
    assert_true(fallen[i] > 0);
    if (i > 0) assert_true(fallen[i] > fallen[i - 1]);
  }
  print_message("dominoes: the wave runs at %.2f m/s\n", 6 * 0.03 / (fallen[10] - fallen[4]));
  run_close(&c);
}

// Strides of 2 length sin(stance / 2) a half period: 0.17 m in 0.4 s; toes roll a little further.
static void hexapod_walks(void** state) {
  (void)state;
  Run c = begin("hexapod.yaml");
  double low = HUGE_VAL;
  while (sar_time(c.d) < c.m->sim.end) {
    EXPECT_OK(sar_step(c.s));
    const Pose trunk = pose(&c, "trunk");
    low = fmin(low, trunk.p[2]);
    assert_true(trunk.R[8] > cos(10 * M_PI / 180));
    EXPECT_NEAR(run_output(&c, "trunk.contact.normal"), 0, 0);
  }
  const Pose last = pose(&c, "trunk");
  print_message("hexapod: %.2f m in %g s, %.0f mm aside\n", last.p[0], c.m->sim.end,
                1e3 * fabs(last.p[1]));
  EXPECT_AT_MOST(3, last.p[0]);
  EXPECT_AT_MOST(fabs(last.p[1]), 0.1);
  EXPECT_AT_MOST(0.12, low);
  run_close(&c);
}

static void car_arrives_upright(void** state) {
  (void)state;
  Run c = begin("car.yaml");
  while (sar_time(c.d) < c.m->sim.end) {
    run_advance(&c, fmin(sar_time(c.d) + 0.05, c.m->sim.end));
    assert_true(pose(&c, "chassis").R[8] > cos(15 * M_PI / 180));
  }
  const Pose last = pose(&c, "chassis");
  // 5 m/s from 1 s on, as smoothstep has it; waves are longer than they look from above
  EXPECT_NEAR(last.p[0], 5 * 7, 0.05 * 35);
  EXPECT_AT_MOST(fabs(last.p[1]), 1);
  run_close(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chain_comes_to_rest_hanging),
      cmocka_unit_test(linkage_draws_a_straight_line),
      cmocka_unit_test(gripper_carries_holds_and_sets_down),
      cmocka_unit_test(stacks_pyramids_and_arches_stand),
      cmocka_unit_test(arches_fall_where_they_should),
      cmocka_unit_test(dominoes_fall_one_after_another),
      cmocka_unit_test(hexapod_walks),
      cmocka_unit_test(car_arrives_upright),
  };
  return cmocka_run_group_tests_name("scenes", tests, NULL, NULL);
}
