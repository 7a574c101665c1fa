// Mechanisms with loops as a newcomer meets them: what is said about those that are put together
// wrongly, what drives report, and the commands that the documentation shows.
#include "support/program.h"

#define REFERENCE SARRUS_SOURCE_DIR "/tests/models/reference/"

// Seven lines of a four-bar linkage; joints follow.
#define BARS                                                     \
  "sarrus: 1\n"                                                  \
  "planar: xy\n"                                                 \
  "gravity: [0, -9.81, 0]\n"                                     \
  "bodies:\n"                                                    \
  "  crank: {rod: [[0, 0, 0], [0, 0.1, 0]], mass: 0.5}\n"        \
  "  coupler: {rod: [[0, 0.1, 0], [0.3, 0.25, 0]], mass: 1.5}\n" \
  "  rocker: {rod: [[0.4, 0, 0], [0.3, 0.25, 0]], mass: 1}\n"
#define JOINTS                                                        \
  "joints:\n"                                                         \
  "  O: {revolute: [ground, crank], at: [0, 0, 0], axis: z}\n"        \
  "  A: {revolute: [crank, coupler], at: [0, 0.1, 0], axis: z}\n"     \
  "  B: {revolute: [coupler, rocker], at: [0.3, 0.25, 0], axis: z}\n" \
  "  C: {revolute: [ground, rocker], at: [0.4, 0, 0], axis: z}\n"

typedef struct Wrong {
  const char* model;
  int status;  // of check and run; 0: it is allowed, with a warning
  const char *place, *what, *hint;
} Wrong;

static const Wrong WRONG[] = {
    // the coupler's end is 0.44 m from the origin at most: of 3 m more than 2.5 are missing
    {BARS JOINTS "constraints:\n  stay: {rod: [[coupler, [0.3, 0.25, 0]], ground], length: 3}\n", 3,
     "w.yaml:14:3: error: ",
     "the mechanism cannot be assembled: constraint 'stay' stays open by 2.",
     "check points and axes of the loop"},
    {BARS "joints:\n"
          "  O: {revolute: [ground, crank], at: [0, 0, 0], axis: z, position: 60 deg}\n"
          "  A: {revolute: [crank, coupler], at: [0, 0.1, 0], axis: z, position: 10 deg}\n"
          "  B: {revolute: [coupler, rocker], at: [0.3, 0.25, 0], axis: z}\n"
          "  C: {revolute: [ground, rocker], at: [0.4, 0, 0], axis: z, position: 20 deg}\n",
     3, "w.yaml:11:3: error: ",
     "the given positions contradict each other: joint 'B' stays open by", "leave one of them out"},
    {BARS JOINTS
     "constraints:\n  one: {motion: O, value: 2*pi*t}\n  two: {motion: C, value: 0.3*t}\n",
     3, "w.yaml:15:3: error: ", "over-driven: 2 drives for 1 degree of freedom; drive 'two'",
     "leave it out"},
    // agrees with the other at the start, so far: a warning, and the run says when it fails
    {BARS JOINTS "constraints:\n  one: {motion: O, value: 0}\n  two: {motion: C, value: 0*t}\n", 0,
     "w.yaml:15:3: warning: ", "over-driven: 1 drive for 0 degrees of freedom; drive 'two'",
     "leave it out"},
    {BARS JOINTS "constraints:\n  stay: {rod: [[coupler, [0.15, 0.175, 0]], ground]}\n", 0,
     "w.yaml:14:3: warning: ", "locked: the constraints leave no degree of freedom",
     "'sarrus info' lists the constraints"},
    {BARS "  spare: {box: [0.1, 0.1, 0.1], at: [1, 1, 0], mass: 1}\n" JOINTS, 0,
     "w.yaml:8:3: warning: ", "body 'spare': disconnected", "give it a joint"},
    {BARS JOINTS "constraints:\n  jerk: {motion: O, value: 'step(t - 1)'}\n", 3,
     "w.yaml:14:29: error: ", "constraint 'jerk': value jumps from 0 to 1 at t = 1", "smoothstep"},
};

// check and run say the same, with place, name and hint; both end with the documented status.
static void what_is_wrong_is_said_with_its_place(void** state) {
  (void)state;
  for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
    const Wrong* w = &WRONG[i];
    write_file("w.yaml", w->model);
    static const char* const command[] = {"check @w.yaml", "run @w.yaml --end 0.1"};
    for (int k = 0; k < 2; k++) {
      const Result* r = expect_status_of(sarrus(command[k]), w->status);
      expect_has(r->err, w->place);
      expect_has(r->err, w->what);
      expect_has(r->err, w->hint);
    }
  }
}

// A body that flies on purpose is not remarked on: it is alone, has a velocity, or a joint that
// says so.
static void what_flies_on_purpose_is_not_disconnected(void** state) {
  (void)state;
  static const char* const model[] = {
      "sarrus: 1\nbodies: {stone: {sphere: 0.1, mass: 1}}\n",
      BARS "  ball: {sphere: 0.1, at: [1, 1, 0], mass: 1, velocity: [1, 0, 0]}\n" JOINTS,
      BARS "  ball: {sphere: 0.1, at: [1, 1, 0], mass: 1}\n" JOINTS
           "  fly: {planar: [ground, ball], axis: z}\n",
      BARS "  ball: {sphere: 0.1, at: [1, 1, 0], mass: 1}\n" JOINTS
           "forces:\n  rope: {spring_damper: [crank, ball], stiffness: 1}\n",
  };
  for (size_t i = 0; i < sizeof model / sizeof *model; i++) {
    write_file("f.yaml", model[i]);
    expect_lacks(expect_status_of(sarrus("check @f.yaml"), 0)->err, "disconnected");
  }
}

// The work of the drive is the integral of its power, and what the energy gained: by the
// trapezoidal rule on rows 2 ms apart, whose error is h^2/12 (P'(2) - P'(0)), some 1e-4 J here.
static void drives_report_force_and_power(void** state) {
  (void)state;
  write_file(
      "d.yaml", BARS JOINTS
      "constraints:\n  motor: {motion: O, value: 2*pi*t}\n  hold: {gear: [O, C], ratio: 1}\n");
  expect_status_of(sarrus("check @d.yaml"), 3);  // the gear asks for another motion of C
  write_file("d.yaml", BARS JOINTS
             "constraints:\n  motor: {motion: O, value: 2*pi*t}\n"
             "simulation: {end: 1, output_step: 0.002}\noutputs: [constraints, energy, joints]\n");
  expect_status_of(sarrus("run @d.yaml --out @d.csv --digits 17"), 0);
  expect_status_of(sarrus("inverse @d.yaml --points 501 --out @i.csv --digits 17"), 0);
  SarTable t = read_table("d.csv"), inverse = read_table("i.csv");
  const int speed = sar_table_find(&t, "motor.speed"), force = sar_table_find(&t, "motor.force");
  const int power = sar_table_find(&t, "motor.power"), work = sar_table_find(&t, "energy.work");
  const int theirs = sar_table_find(&inverse, "motor.force");
  assert_true(speed > 0 && force > 0 && power > 0 && work > 0 && theirs > 0);
  assert_int_equal(t.rows, inverse.rows);
  double sum = 0, most = 0, off = 0;
  for (size_t i = 0; i < t.rows; i++) {
    const double* row = &t.values[i * (size_t)t.columns];
    EXPECT_NEAR(row[power], row[force] * row[speed], 1e-12 * fabs(row[power]));
    if (i > 0) sum += 0.001 * (row[power] + row[power - t.columns]);
    most = fmax(most, fabs(row[force]));
    off =
        fmax(off, fabs(row[force] - inverse.values[i * (size_t)inverse.columns + (size_t)theirs]));
  }
  EXPECT_NEAR(sum, t.values[(t.rows - 1) * (size_t)t.columns + (size_t)work], 1e-3);
  // the run stays within 1e-8 of the prescribed path, its forces within as much of their size
  EXPECT_AT_MOST(off, 1e-6 * most);
  sar_table_clear(&t);
  sar_table_clear(&inverse);
}

// ---- what the documentation shows ---------------------------------------------------------------

static void paper_001_sizes_are_met(void** state) {
  (void)state;
  const Result* r = expect_status_of(
      sarrus("info " REFERENCE "S_stacked_parallelograms.yaml --coordinates absolute"), 0);
  expect_has(r->out, "2 degrees of freedom: 24 coordinates - 22 independent equations");
  expect_has(r->out, "2 equations are redundant: joint 'H2' (1 of 2), joint 'L2' (1 of 2)");
}

// Accelerations of the two parallelograms at the start from minimal coordinates: -10.5588689 and
// 4.7871684 rad/s^2. The paper's code, with its halved root, gives -10.486 and 4.677.
static void udwadia_kalaba_gives_the_true_accelerations(void** state) {
  (void)state;
  write_file("s.yaml",
             "sarrus: 1\nplanar: xy\ngravity: [0, -9.81, 0]\n"
             "include: [" REFERENCE
             "S_stacked_parallelograms.yaml]\n"
             "outputs: [{joint: G0, with: [acceleration]}, {joint: K1, with: [acceleration]}]\n"
             "simulation: {end: 0.01}\n");
  static const char* const formulation[] = {"udwadia-kalaba", "svd"};
  for (int i = 0; i < 2; i++) {
    char command[200];
    snprintf(command, sizeof command,
             "run @s.yaml --coordinates absolute --formulation %s --out @s.csv --digits 12",
             formulation[i]);
    expect_status_of(sarrus(command), 0);
    SarTable t = read_table("s.csv");
    EXPECT_NEAR(t.values[sar_table_find(&t, "G0.a")], -10.5588689, 1e-7);
    EXPECT_NEAR(t.values[sar_table_find(&t, "K1.a")], 4.7871684, 1e-7);
    sar_table_clear(&t);
  }
}

// One degree of freedom, the redundant row named, and the step that compare finds for 1e-3 J really
// keeps the energy to that over 10 s.
static void bricard_runs_at_the_step_that_compare_finds(void** state) {
  (void)state;
  const Result* r = expect_status_of(sarrus("info " REFERENCE "H_bricard.yaml"), 0);
  expect_has(r->out, "1 degree of freedom: 5 coordinates - 4 independent equations");
  expect_has(r->out, "1 equation is redundant: joint 'R4' (1 of 5)");
  r = sarrus("compare " REFERENCE
             "H_bricard.yaml -f qr -i rk4 --end 10 --target energy=1e-3 --reference none --json");
  expect_status_of(r, 0);
  const double step = json_value(r->out, "step", 0);
  EXPECT_NEAR(json_value(r->out, "end_time", 0), 10, 0);
  assert_true(step > 0);
  char command[400];
  snprintf(command, sizeof command,
           "run " REFERENCE "H_bricard.yaml -f qr -i rk4 --step %.17g --end 10 --fixed --json",
           step);
  r = expect_status_of(sarrus(command), 0);
  EXPECT_NEAR(json_value(r->out, "end_time", 0), 10, 0);
  EXPECT_AT_MOST(json_value(r->out, "energy_error_max", 0), 1e-3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_wrong_is_said_with_its_place),
      cmocka_unit_test(what_flies_on_purpose_is_not_disconnected),
      cmocka_unit_test(drives_report_force_and_power),
      cmocka_unit_test(paper_001_sizes_are_met),
      cmocka_unit_test(udwadia_kalaba_gives_the_true_accelerations),
      cmocka_unit_test(bricard_runs_at_the_step_that_compare_finds),
  };
  return cmocka_run_group_tests_name("mechanisms", tests, program_begin, program_end);
}
