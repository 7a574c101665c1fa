// Output columns: derivatives agree with differences along the run, turned joints with the file,
// reactions with Newton and Euler for whole subtrees.
#include "support/random_model.h"
#include "support/run.h"

#include "model/sim.h"
#include "sim/outputs/outputs.h"

enum { BODIES = 18, MAX_COLUMNS = 2048 };

static Run open_text(const char* text) {
  SarSimOptions o = sar_sim_options();
  o.integrator = "dopri5";
  o.adaptive = 1;
  o.rtol = 1e-12;
  o.atol = 1e-13;
  const Run r = run_open(model_parse(text, NULL), &o);
  assert_true(r.m->nchannel <= MAX_COLUMNS);
  return r;
}

// The value of a column; fails if there is none.
static double column(const Run* r, const double* values, const char* format, int number) {
  char name[64];
  snprintf(name, sizeof name, format, number);
  int i = sar_model_find(r->m, SAR_ITEM_OUTPUT, name);
  if (i < 0) print_error("no column '%s'\n", name);
  assert_true(i >= 0);
  return values[i];
}

// Derivative at the middle of five equidistant values, error h^4/30 of the fifth derivative.
static double slope(const double x[5], double h) {
  return (8 * (x[3] - x[1]) - (x[4] - x[0])) / (12 * h);
}

static void rates_are_derivatives(void** state) {
  (void)state;
  static double frame[5][MAX_COLUMNS];
  static const char axis[] = "xyz";
  ModelText text;
  Rng rng = rng_seed(31);
  const double h = 1e-3, tolerance = 1e-7;
  model_random(&text, &rng, BODIES);
  model_add(&text, "outputs:\n");
  for (int b = 0; b < BODIES; b++)
    model_add(&text,
              "  - {point: [b%d, [0.3, -0.2, 0.1]], name: p%d, with: [position, velocity, "
              "acceleration]}\n",
              b, b);
  Run r = open_text(text.text);
  for (int k = 0; k < 5; k++) {
    EXPECT_OK(sar_advance(r.s, 0.2 + k * h));
    EXPECT_OK(sar_outputs(r.s, frame[k]));
  }
  for (int b = 0; b < BODIES; b++)
    for (int i = 0; i < 3; i++) {
      char x[16], v[16], a[16];
      double position[5], velocity[5];
      snprintf(x, sizeof x, "p%%d.%c", axis[i]);
      snprintf(v, sizeof v, "p%%d.v%c", axis[i]);
      snprintf(a, sizeof a, "p%%d.a%c", axis[i]);
      for (int k = 0; k < 5; k++) {
        position[k] = column(&r, frame[k], x, b);
        velocity[k] = column(&r, frame[k], v, b);
      }
      EXPECT_NEAR(column(&r, frame[2], v, b), slope(position, h), tolerance);
      EXPECT_NEAR(column(&r, frame[2], a, b), slope(velocity, h), tolerance);
    }
  run_close(&r);
}

// The same mechanism written with the ends of every joint exchanged (the tree turns them round):
// the acceleration columns are the rates of the speed columns, in the file's direction.
static void turned_joints_speak_the_files_language(void** state) {
  (void)state;
  static const char* const joints[] = {"revolute",  "prismatic", "cylindrical",
                                       "spherical", "planar",    "free"};
  for (int k = 0; k < 6; k++) {
    static double frame[5][MAX_COLUMNS];
    char text[1024];
    const double h = 1e-3;
    const SarJointKind* kind = sar_joint_kind_find(joints[k]);
    snprintf(text, sizeof text,
             "sarrus: 1\n"
             "bodies: {a: {box: [0.3, 0.2, 0.1], mass: 2, at: [0.4, 0.1, -0.2]}}\n"
             "joints: {j: {%s: [a, ground], at: [0, 0, 0]%s, speed: 0.7, damping: 0.3}}\n"
             "outputs: [{joint: j, with: [position, velocity, acceleration]}]\n",
             kind->name, kind->axes == SAR_AXES_NONE ? "" : ", axis: [1, 2, 3]");
    Run r = open_text(text);
    assert_int_equal(r.m->joint_turned[0], 1);
    for (int i = 0; i < 5; i++) {
      EXPECT_OK(sar_advance(r.s, 0.3 + i * h));
      EXPECT_OK(sar_outputs(r.s, frame[i]));
    }
    // acceleration columns follow the velocity columns: v ... then a ..., in the kind's order
    for (int i = 0; i < r.m->nchannel; i++) {
      if (r.m->channel[i].kind != &sar_output_joint_acceleration) continue;
      int v = -1;
      for (int n = 0; n < r.m->nchannel; n++)
        if (r.m->channel[n].kind == &sar_output_joint_velocity &&
            r.m->channel[n].component == r.m->channel[i].component)
          v = n;
      assert_true(v >= 0);
      double speed[5];
      for (int n = 0; n < 5; n++) speed[n] = frame[n][v];
      EXPECT_NEAR(frame[2][i], slope(speed, h), 1e-7);
    }
    run_close(&r);
  }
}

// Rate of momentum of everything = weight + reactions of the joints on ground + applied forces;
// here only weight and one joint.
static void reactions_carry_the_rate_of_momentum(void** state) {
  (void)state;
  static const char text[] =
      "sarrus: 1\n"
      "bodies:\n"
      "  a: {box: [0.3, 0.2, 0.1], mass: 2, at: [0.4, 0.1, -0.2]}\n"
      "  b: {box: [0.1, 0.2, 0.5], mass: 1, at: [0.8, 0.1, -0.2]}\n"
      "joints:\n"
      "  j: {%s, at: [0.1, 0, 0], axis: [1, 2, 3], speed: 2, damping: 0.3}\n"
      "  k: {spherical: [a, b], at: [0.6, 0.1, 0], speed: [1, -2, 0.5], friction: 0.1}\n"
      "outputs:\n"
      "  - {reaction: j}\n"
      "  - momentum\n"
      "  - {point: [a, [-0.3, -0.1, 0.2]], name: joint, with: [position]}\n"
      "  - {point: a, with: [position]}\n"
      "  - {point: b, with: [position]}\n";
  static const char* const ways[] = {"revolute: [ground, a]", "revolute: [a, ground]",
                                     "prismatic: [ground, a]", "prismatic: [a, ground]"};
  for (int way = 0; way < 4; way++) {
    static double frame[5][MAX_COLUMNS];
    char model[1024];
    const double h = 1e-3;
    snprintf(model, sizeof model, text, ways[way]);
    Run r = open_text(model);
    for (int i = 0; i < 5; i++) {
      EXPECT_OK(sar_advance(r.s, 0.2 + i * h));
      EXPECT_OK(sar_outputs(r.s, frame[i]));
    }
    double rate[6], *now = frame[2];
    for (int i = 0; i < 6; i++) {
      double x[5];
      for (int n = 0; n < 5; n++) x[n] = frame[n][6 + i];
      rate[i] = slope(x, h);
    }
    // on the mechanism: as given, or the opposite when the file's child is ground
    double sign = way % 2 ? -1 : 1;
    V3 F = v3_scale(sign, v3_load(now)), T = v3_scale(sign, v3_load(now + 3));
    V3 weight_a = v3(0, 0, -2 * 9.81), weight_b = v3(0, 0, -9.81);
    V3 at = way % 2 ? v3(0.1, 0, 0) : v3_load(now + 12);  // the joint point of the file's child
    V3 force = v3_add(F, v3_add(weight_a, weight_b));
    V3 moment = v3_add(v3_add(T, v3_cross(at, F)), v3_add(v3_cross(v3_load(now + 15), weight_a),
                                                          v3_cross(v3_load(now + 18), weight_b)));
    double sum[6];
    v3_store(sum, force);
    v3_store(sum + 3, moment);
    EXPECT_ARRAY_NEAR(sum, rate, 6, 1e-6);
    run_close(&r);
  }
}

// The accounts add up to energy.work, and each is the integral of its power: a damper alone takes
// what the total loses.
static void work_is_told_account_by_account(void** state) {
  (void)state;
  static const char text[] =
      "sarrus: 1\n"
      "bodies: {a: {box: [1, 1, 1], mass: 1}, b: {box: [1, 1, 1], mass: 1, at: [5, 0, 0]}}\n"
      "joints:\n"
      "  j: {prismatic: [ground, a], axis: x, force: 2, damping: 0.5}\n"
      "  k: {prismatic: [ground, b], axis: x, speed: 2}\n"
      "forces: {f: {force: b, value: [3 * t^2, 0, 0]}}\n"
      "outputs: [work, energy]\n";
  double values[16], sum = 0;
  Run r = open_text(text);
  EXPECT_OK(sar_advance(r.s, 2));
  EXPECT_OK(sar_outputs(r.s, values));
  for (int i = 0; i < r.m->nwork; i++) sum += values[i];
  assert_int_equal(r.m->nwork, 4);
  EXPECT_NEAR(sum, column(&r, values, "energy.work", 0), 1e-14);
  EXPECT_NEAR(column(&r, values, "work.host", 0), 0, 0);
  // b: v = 2 + t^3, so that the work is (v(2)^2 - v(0)^2) / 2
  EXPECT_NEAR(column(&r, values, "work.f", 0), (100 - 4) / 2.0, 1e-9);
  // a: v = 4 (1 - e^(-t/2)), drive 2 x, damper the rest of the kinetic energy
  double v = 4 * (1 - exp(-1)), x = 4 * 2 - 2 * v;
  EXPECT_NEAR(column(&r, values, "work.j.drive", 0), 2 * x, 1e-9);
  EXPECT_NEAR(column(&r, values, "work.j.losses", 0), v * v / 2 - 2 * x, 1e-9);
  run_close(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rates_are_derivatives),
      cmocka_unit_test(turned_joints_speak_the_files_language),
      cmocka_unit_test(reactions_carry_the_rate_of_momentum),
      cmocka_unit_test(work_is_told_account_by_account),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
