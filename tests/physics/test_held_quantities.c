// Quantities of the last step that expressions measure: accelerations, motors, limits and friction
// of joints, what forces report, contacts. Each equals the column of its name where the step ended,
// is 0 before the first, is copied and reset with the state, and can drive something without asking
// for itself.
#include "support/run.h"

static const char SCENE[] =
    "gravity: [0, -9.81, 0]\n"
    "ground: {contact: [{plane: y}]}\n"
    "bodies:\n"
    "  arm: {at: [1, 3, 0], mass: 1, inertia: [0.01, 0.01, 0.01]}\n"
    "  leg: {at: [1, 3, 1], mass: 1, inertia: [0.01, 0.01, 0.01]}\n"
    "  sled: {at: [9, 0, 0], mass: 1, inertia: [0.01, 0.01, 0.01]}\n"
    "  box: {at: [5, 0.6, 0], box: [1, 1, 1], mass: 2, contact: true}\n"
    "joints:\n"
    "  elbow: {revolute: [ground, arm], at: [0, 3, 0], axis: z, motor: {speed: 1, effort: 9}, "
    "friction: 0.2}\n"
    "  knee: {revolute: [leg, ground], at: [0, 3, 1], axis: z, upper: 0.1, lower: -0.1, speed: 1}\n"
    "  slide: {prismatic: [ground, sled], at: [9, 0, 0], axis: x}\n"
    "constraints: {push: {motion: slide, value: 0.1*sin(3*t)}}\n"
    "forces:\n"
    "  damper: {spring_damper: [arm, box], damping: 2, stiffness: 3, length: 1}\n"
    "  brake: {joint_force: elbow, value: -0.01 * elbow.a - 0.001 * box.contact.normal}\n";

static const char LOOK[] =
    "outputs:\n"
    "  - {joint: all, with: [acceleration, motor, limit, friction]}\n"
    "  - forces\n"
    "  - contacts\n"
    "  - {contact: [box, ground]}\n"
    "  - {value: elbow.a, name: s0}\n"
    "  - {value: elbow.motor, name: s1}\n"
    "  - {value: elbow.friction, name: s2}\n"
    "  - {value: knee.limit, name: s3}\n"
    "  - {value: damper.power, name: s4}\n"
    "  - {value: damper.length, name: s5}\n"
    "  - {value: box.contact.normal, name: s6}\n"
    "  - {value: box.ground.contact.fy, name: s7}\n"
    "  - {value: damper.work, name: s8}\n"
    "  - reactions\n"
    "  - energy\n"
    "  - momentum\n"
    "  - constraints\n"
    "  - {value: elbow.fx, name: s9}\n"
    "  - {value: knee.tz, name: s10}\n"
    "  - {value: energy.kinetic, name: s11}\n"
    "  - {value: energy.error, name: s12}\n"
    "  - {value: momentum.lz, name: s13}\n"
    "  - {value: push.force, name: s14}\n"
    "  - {value: push.power, name: s15}\n";

static const char* const SAME[] = {
    "elbow.a",       "elbow.motor",        "elbow.friction",        "knee.limit",  "damper.power",
    "damper.length", "box.contact.normal", "box.ground.contact.fy", "damper.work", "elbow.fx",
    "knee.tz",       "energy.kinetic",     "energy.error",          "momentum.lz", "push.force",
    "push.power"};
enum { QUANTITIES = sizeof SAME / sizeof *SAME, MOST = 256 };

static Run open_run(const char* text, const char* formulation, const char* coordinates) {
  const SarLoadOptions load = {.coordinates = coordinates};
  SarSimOptions o = sar_sim_options();
  o.formulation = formulation;
  o.step = 4e-3;
  o.adaptive = 0;
  Run x = run_open(model_text_with(text, &load), &o);
  assert_in_range(sar_model_count(x.m, SAR_ITEM_OUTPUT), 1, MOST);
  return x;
}

static double value(const SarModel* m, const double* values, const char* name) {
  const int i = sar_model_find(m, SAR_ITEM_OUTPUT, name);
  if (i < 0) fail_msg("no column %s", name);
  return values[i];
}

static void held_equals_the_column_of_its_name(void** state) {
  (void)state;
  static char text[8192];
  snprintf(text, sizeof text, "%s%s", SCENE, LOOK);
  for (int k = 0; k < 2; k++) {
    double values[MOST], most[QUANTITIES] = {0};
    Run x = open_run(text, "impulse", k ? "absolute" : "relative");
    EXPECT_OK(sar_outputs(x.s, values));
    for (int i = 0; i < QUANTITIES; i++) {
      char name[8];
      snprintf(name, sizeof name, "s%d", i);
      assert_true(value(x.m, values, name) == 0);  // nothing has happened yet
    }
    for (int step = 0; step < 100; step++) {
      EXPECT_OK(sar_step(x.s));
      EXPECT_OK(sar_outputs(x.s, values));
      for (int i = 0; i < QUANTITIES; i++) {
        char name[8];
        snprintf(name, sizeof name, "s%d", i);
        const double column = value(x.m, values, SAME[i]);
        EXPECT_NEAR(value(x.m, values, name), column, 1e-9 * (1 + fabs(column)));
        most[i] = fmax(most[i], fabs(column));
      }
    }
    for (int i = 0; i < QUANTITIES; i++)
      if (!(most[i] > 0)) fail_msg("%s is always 0", SAME[i]);
    run_close(&x);
  }
}

// What feeds back goes on alike in a copy, and begins anew after a reset.
static void held_quantities_are_state(void** state) {
  (void)state;
  Run x = open_run(SCENE, "impulse", NULL);
  SarData* copy;
  SarSim* s;
  SarError err;
  SarSimOptions o = sar_sim_options();
  o.formulation = "impulse";
  o.step = 4e-3;
  sar_error_init(&err);
  const unsigned long long fresh = sar_state_hash(x.d);
  for (int i = 0; i < 37; i++) EXPECT_OK(sar_step(x.s));
  EXPECT_OK_OR(sar_data_new(x.m, &copy, &err), &err);
  EXPECT_OK(sar_data_copy(copy, x.d));
  EXPECT_OK_OR(sar_sim_new(x.m, copy, &o, &s, &err), &err);
  for (int i = 0; i < 50; i++) {
    EXPECT_OK(sar_step(x.s));
    EXPECT_OK(sar_step(s));
    assert_true(sar_state_hash(x.d) == sar_state_hash(copy));
  }
  sar_data_reset(x.d);
  EXPECT_OK(sar_step(x.s));
  const unsigned long long first = sar_state_hash(x.d);
  sar_data_reset(x.d);
  EXPECT_OK(sar_step(x.s));
  assert_true(sar_state_hash(x.d) == first && first != fresh);
  sar_sim_free(s);
  sar_data_free(copy);
  run_close(&x);
}

// Without impulses: accelerations and powers of the instant where the step ended, friction as a
// smooth law.
static void held_without_impulses(void** state) {
  (void)state;
  static const char TEXT[] =
      "bodies: {arm: {at: [1, 0, 0], mass: 1, inertia: [0.01, 0.01, 0.01]}}\n"
      "joints: {elbow: {revolute: [ground, arm], at: [0, 0, 0], axis: y, damping: 0.1, friction: "
      "0.2}}\n"
      "forces: {push: {joint_force: elbow, value: 2 * cos(t)}}\n"
      "outputs:\n"
      "  - {joint: elbow, with: [acceleration, motor, limit, friction]}\n"
      "  - forces\n"
      "  - {value: elbow.a, name: a}\n"
      "  - {value: elbow.friction, name: f}\n"
      "  - {value: push.power, name: p}\n";
  double values[MOST];
  Run x = open_run(TEXT, "crba", NULL);
  for (int i = 0; i < 50; i++) {
    EXPECT_OK(sar_step(x.s));
    EXPECT_OK(sar_outputs(x.s, values));
    EXPECT_NEAR(value(x.m, values, "a"), value(x.m, values, "elbow.a"), 1e-9);
    EXPECT_NEAR(value(x.m, values, "f"), value(x.m, values, "elbow.friction"), 1e-12);
    EXPECT_NEAR(value(x.m, values, "p"), value(x.m, values, "push.power"), 1e-12);
    assert_true(value(x.m, values, "elbow.motor") == 0 && value(x.m, values, "elbow.limit") == 0);
  }
  assert_true(value(x.m, values, "elbow.friction") != 0);
  run_close(&x);
}

// A hint names what there is.
static void hints_name_what_there_is(void** state) {
  (void)state;
  static const struct {
    const char *value, *hint;
  } CASES[] = {{"dampr.power", "did you mean 'damper.power'?"},
               {"damper.heat", ".power"},
               {"elbow.torque", ".motor"},
               {"elbw.heat", "'elbow'"},
               {"arm.contact.normal", ""}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    char text[8192];
    SarError err;
    SarModel* m = NULL;
    sar_error_init(&err);
    snprintf(text, sizeof text, "sarrus: 1\n%soutputs: [{value: %s, name: x}]\n", SCENE,
             CASES[i].value);
    assert_int_not_equal(sar_model_parse(text, strlen(text), "yaml", "text.yaml", NULL, &m, &err),
                         SAR_OK);
    if (!strstr(err.items[0].hint, CASES[i].hint))
      fail_msg("%s: '%s' is not in '%s'", CASES[i].value, CASES[i].hint, err.items[0].hint);
  }
}

// A box that falls: its gap is what it still has to fall, once a step sees the ground, and below 0
// where it lies.
static void gap_shrinks_to_nothing(void** state) {
  (void)state;
  Run x = open_run(
      "gravity: [0, -9.81, 0]\nground: {contact: [{plane: y}]}\n"
      "bodies: {box: {at: [0, 0.6, 0], box: [1, 1, 1], mass: 2, contact: true}}\n"
      "outputs: [{value: box.contact.gap, name: gap}, {body: box}]\n",
      "impulse", NULL);
  double values[MOST], before = 2e9;
  int seen = 0;
  for (int n = 0; n < 100; n++) {
    EXPECT_OK(sar_step(x.s));
    EXPECT_OK(sar_outputs(x.s, values));
    const double gap = value(x.m, values, "gap"), y = value(x.m, values, "box.y");
    if (gap < 1e8 && y > 0.501) {
      EXPECT_AT_MOST(fabs(gap - (y - 0.5)), 0.02);  // as the step found it: on its way
      assert_true(gap <= before);
      seen++;
    }
    before = gap;
  }
  assert_true(seen > 0);
  EXPECT_AT_MOST(before, 1e-3);
  run_close(&x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gap_shrinks_to_nothing),
      cmocka_unit_test(held_equals_the_column_of_its_name),
      cmocka_unit_test(held_quantities_are_state),
      cmocka_unit_test(held_without_impulses),
      cmocka_unit_test(hints_name_what_there_is),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
