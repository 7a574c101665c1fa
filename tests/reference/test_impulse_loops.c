// Closed loops by impulses (cases A, F, G, H, L, S of the reference), in both kinds of coordinates:
// the order that is measured, with constraints kept, and the Peaucellier point stays on its line. A
// difference is divided by the largest magnitude in its column; accelerations are means over the
// step, half a step late.
#include "support/loop_run.h"

typedef struct Case {
  const char* name;
  double step;   // s: the largest of three, halved each time
  double bound;  // on the error with the smallest
  double order;  // at least
} Case;

// Positions, velocities and energies only, no accelerations (.ax) or reactions (.fx, .tx).
static bool is_state(const char* column) {
  const char* dot = strrchr(column, '.');
  return !dot || strlen(dot) != 3 || !strchr("aft", dot[1]);
}

static double worst_state(const Case* c, const char* formulation, const char* coordinates,
                          double step, const Reference* r, SarStats* stats) {
  static Reference states;  // the columns that are compared
  states = (Reference){.rows = r->rows};
  for (int k = 0; k < r->columns; k++) {
    if (k > 0 && !is_state(r->name[k])) continue;
    strcpy(states.name[states.columns], r->name[k]);
    for (int i = 0; i < r->rows; i++) states.value[i][states.columns] = r->value[i][k];
    states.columns++;
  }
  LoopRun run = {
      .name = c->name, .formulation = formulation, .coordinates = coordinates, .step = step};
  loop_run(&run, &states);
  if (run.status != SAR_OK) fail_msg("%s, %s: %s", c->name, formulation, run.said);
  *stats = run.stats;
  print_message("%-24s %-18s %s %5.2f ms: %.1e (%s), violated by %.1e\n", c->name, formulation,
                coordinates, 1e3 * step, run.worst, run.where, run.stats.position_violation);
  return run.worst;
}

// Second order is what is seen, 2.0 to 2.4 (the spatial slider-crank passes near its dead
// centre: 3.1, 2.1). Slider and crank run up to 40 rad/s and swing past each other: they need the
// smaller steps.
static const Case CASES[] = {
    {"A_double_fourbar", 2e-3, 2e-6, 1.8},
    {"F_slider_crank", 0.5e-3, 4e-3, 1.8},
    {"F_spatial_slider_crank", 0.5e-3, 1e-3, 1.8},
    {"F_RSSR", 0.5e-3, 4e-5, 1.8},
    {"G_andrews", 2e-5, 3e-5, 1.8},
    {"H_bricard", 2e-3, 3e-5, 1.8},
    {"H_bricard_A04", 2e-3, 4e-6, 1.8},
    {"L_peaucellier", 2e-3, 2e-6, 1.8},
    {"S_stacked_parallelograms", 2e-3, 2e-5, 1.8},
};

static void check(const Case* c, const char* formulation, const char* coordinates,
                  double violation) {
  static Reference r;
  SarStats stats;
  double e[3];
  reference_read(c->name, &r);
  for (int i = 0; i < 3; i++) {
    e[i] = worst_state(c, formulation, coordinates, c->step / (1 << i), &r, &stats);
    EXPECT_AT_MOST(stats.position_violation, violation);
  }
  const double order = log2(e[0] / e[2]) / 2;
  print_message("%-24s %-18s %s order %.2f\n", c->name, formulation, coordinates, order);
  EXPECT_AT_MOST(e[2], c->bound);
  EXPECT_AT_MOST(c->order, order);
}

// One Newton step at the end of each step: what it leaves is of fourth order, 5e-8 m at most here.
static void loops_held_directly(void** state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
    if (test_takes(i, 3)) check(&CASES[i], "impulse", "relative", 1e-7);
}

// All joints are held. The orders seen are 1.8 (Andrews) to 3.6 (the double four-bar, whose error
// at large steps is made at singular positions). Slider and crank come so near their dead centre
// that two errors of opposite sign show down to 0.1 ms: from 0.4 to 0.025 ms halving the step gives
// 0.8, 1.6, 1.6, 1.8.
static const Case ABSOLUTE[] = {
    {"A_double_fourbar", 2e-3, 2e-5, 1.8},
    {"F_slider_crank", 0.1e-3, 1e-4, 1.6},
    {"F_spatial_slider_crank", 0.1e-3, 5e-5, 1.7},
    {"F_RSSR", 0.5e-3, 4e-5, 1.8},
    {"G_andrews", 2e-5, 3e-5, 1.75},
    {"H_bricard", 2e-3, 3e-5, 1.8},
    {"H_bricard_A04", 2e-3, 4e-6, 1.8},
    {"L_peaucellier", 2e-3, 2e-6, 1.8},
    {"S_stacked_parallelograms", 2e-3, 2e-5, 1.8},
};

static void joints_held_directly(void** state) {
  (void)state;
  for (size_t i = 0; i < sizeof ABSOLUTE / sizeof *ABSOLUTE; i++)
    if (test_takes(i, 3))
      check(&ABSOLUTE[i], "impulse", "absolute", 1e-5);  // next to singular positions: 1e-6
}

// Pseudo-velocities aim from where the step jumps: what is left is of second order. The double
// four-bar passes singular positions, before which sweeps end (physics/test_singular.c).
static void loops_held_by_sweeps(void** state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
    if (!strchr("AGH", CASES[i].name[0]) && test_takes(i, 3))
      check(&CASES[i], "impulse-sequential", "relative", 1e-4);
}

// ---- the straight line --------------------------------------------------------------------------

// How far column `name` gets from `line` until `end`, over the length of the crank.
static double off_line(const char* file, const char* name, double line, double crank, double step,
                       double end) {
  SarError err;
  SarData* d;
  SarSim* s;
  double values[64], worst = 0;
  SarSimOptions o = sar_sim_options();
  sar_error_init(&err);
  o.formulation = "impulse";
  o.integrator = "moreau";
  o.step = step;
  o.adaptive = 0;
  SarModel* m = model_file(file, NULL);
  const int column = sar_model_find(m, SAR_ITEM_OUTPUT, name);
  assert_in_range(column, 0, 63);
  assert_in_range(sar_model_count(m, SAR_ITEM_OUTPUT), 1, 64);
  EXPECT_OK_OR(sar_data_new(m, &d, &err), &err);
  EXPECT_OK_OR(sar_sim_new(m, d, &o, &s, &err), &err);
  while (sar_time(d) < end - 1e-9) {
    EXPECT_OK(sar_step(s));
    EXPECT_OK(sar_outputs(s, values));
    worst = fmax(worst, fabs(values[column] - line) / crank);
  }
  sar_sim_free(s);
  sar_data_free(d);
  sar_model_free(m);
  print_message("%s, %.0f ms: off its line by %.1e of the crank\n", file, 1e3 * step, worst);
  return worst;
}

// 1e-5 of the crank is the issue's; the motor swings its crank by 80 degrees in steps of 10 ms.
static void peaucellier_point_stays_on_its_line(void** state) {
  (void)state;
  EXPECT_AT_MOST(off_line("reference/L_peaucellier.yaml", "D.x", 1.19, 0.5, 1e-3, 3), 1e-5);
  EXPECT_AT_MOST(off_line("reference/L_peaucellier.yaml", "D.x", 1.19, 0.5, 1e-2, 3), 1e-5);
  EXPECT_AT_MOST(off_line("peaucellier.yaml", "off_line", 0, 0.05, 1e-2, 20), 1e-5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loops_held_directly),
      cmocka_unit_test(joints_held_directly),
      cmocka_unit_test(loops_held_by_sweeps),
      cmocka_unit_test(peaucellier_point_stays_on_its_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
