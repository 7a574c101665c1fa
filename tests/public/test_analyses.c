// The analyses as a host program has them: against closed forms, with callbacks that end them, from
// data of its own; and every allocation of each fails in turn.
#include "support/model_file.h"

#ifndef SARRUS_TEST_SANITIZED
#include "support/alloc_count.h"
#endif

static const char PENDULUM[] =
    "gravity: [0, 0, -9.81]\n"
    "bodies: {a: {mass: 2, inertia: [1, 1, 1], com: [0, 0, -0.5]}}\n"
    "joints: {h: {revolute: [ground, a], axis: y, position: 0.3}}\n"
    "outputs: [{joint: h}]\n"
    "simulation: {end: 1, output_step: 0.1}\n";

// A parallelogram whose crank turns at 2 rad/s: the coupler moves on a circle.
static const char DRIVEN[] =
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  a: {rod: [[0, 0, 0], [0, 0, 0.2]], mass: 1}\n"
    "  b: {rod: [[0, 0, 0.2], [1, 0, 0.2]], mass: 1}\n"
    "  c: {rod: [[1, 0, 0], [1, 0, 0.2]], mass: 1}\n"
    "joints:\n"
    "  A: {revolute: [ground, a], at: [0, 0, 0], axis: y}\n"
    "  B: {revolute: [a, b], at: [0, 0, 0.2], axis: y}\n"
    "  C: {revolute: [b, c], at: [1, 0, 0.2], axis: y}\n"
    "  D: {revolute: [ground, c], at: [1, 0, 0], axis: y}\n"
    "constraints: {turn: {motion: A, value: 2 * t}}\n"
    "outputs: [{point: [b, [0.5, 0, 0.2]], name: mid}]\n"
    "simulation: {end: 1}\n";

static SarError err;

static int clear_messages(void** state) {
  (void)state;
  sar_error_init(&err);
  return 0;
}

// ---- run ----------------------------------------------------------------------------------------

static void a_run_fills_columns(void** state) {
  (void)state;
  SarModel* m = model_text(PENDULUM);
  SarRun* run;
  EXPECT_OK_OR(sar_run(m, NULL, &run, &err), &err);
  const SarTable* t = sar_run_table(run);
  const SarRunReport* r = sar_run_report(run);
  assert_int_equal(sar_table_rows(t), 11);
  assert_int_equal(sar_table_columns(t), 3);
  assert_string_equal(sar_table_name(t, 0), "time");
  const int q = sar_table_find(t, "h.q");
  assert_int_equal(q, 1);
  const double* x = sar_table_values(t);
  for (int i = 0; i < 11; i++) EXPECT_NEAR(x[3 * i], 0.1 * i, 1e-15);
  EXPECT_NEAR(x[q], 0.3, 0);
  // the state where it ended, and the last row of it
  EXPECT_NEAR(sar_time(sar_run_data(run)), 1, 0);
  EXPECT_NEAR(sar_get_q(sar_run_data(run))[0], x[3 * 10 + q], 0);
  assert_int_equal(r->status, SAR_OK);
  assert_string_equal(r->trouble, "");
  assert_true(r->stats->steps > 0 && r->freedoms == 1 && r->choice->count == 0);
  EXPECT_AT_MOST(r->energy_error_max, 1e-7);
  sar_run_free(run);
  sar_model_free(m);
}

typedef struct Counter {
  int rows, states, stop_at, fail_at;
  double progress;
} Counter;

static SarStatus count_row(void* context, const double* values, int count) {
  Counter* c = context;
  assert_int_equal(count, 3);
  assert_true(values[0] >= 0);
  c->rows++;
  return c->rows == c->fail_at ? SAR_NO_FILE : SAR_OK;
}

static SarStatus count_state(void* context, const SarData* d) {
  Counter* c = context;
  assert_non_null(sar_get_q(d));
  c->states++;
  return SAR_OK;
}

static void note_progress(void* context, double fraction) {
  ((Counter*)context)->progress = fraction;
}

static bool stop_at_row(void* context) {
  const Counter* c = context;
  return c->stop_at > 0 && c->rows >= c->stop_at;
}

static void callbacks_see_rows_and_end_the_run(void** state) {
  (void)state;
  SarModel* m = model_text(PENDULUM);
  static const struct {
    int stop_at, fail_at, rows;
    SarStatus status;
  } CASE[] = {{0, 0, 11, SAR_OK}, {4, 0, 4, SAR_OK}, {0, 6, 6, SAR_NO_FILE}};
  for (size_t k = 0; k < sizeof CASE / sizeof *CASE; k++) {
    Counter c = {.stop_at = CASE[k].stop_at, .fail_at = CASE[k].fail_at};
    SarRunOptions o = sar_run_options();
    SarRun* run;
    o.keep_rows = false;
    o.context = &c;
    o.on_row = count_row;
    o.on_state = count_state;
    o.on_progress = note_progress;
    o.should_stop = stop_at_row;
    EXPECT_STATUS(sar_run(m, &o, &run, &err), CASE[k].status);
    assert_non_null(run);
    assert_int_equal(c.rows, CASE[k].rows);
    assert_int_equal(sar_table_rows(sar_run_table(run)), 0);
    if (k == 0) assert_true(c.states == 11 && c.progress == 1);
    if (k == 1) assert_true(sar_run_report(run)->end_time < 1);  // stopped is no failure
    sar_run_free(run);
  }
  sar_model_free(m);
}

// Two halves, the second from the state where the first ended, are one run.
static void a_run_begins_with_data_of_the_caller(void** state) {
  (void)state;
  SarModel* m = model_text(PENDULUM);
  SarSimOptions sim = sar_sim_options();
  sim.integrator = "rk4";
  sim.step = 1e-3;
  SarRunOptions o = sar_run_options();
  SarRun *whole, *first, *second;
  o.sim = &sim;
  EXPECT_OK_OR(sar_run(m, &o, &whole, &err), &err);
  o.end = 0.5;
  EXPECT_OK_OR(sar_run(m, &o, &first, &err), &err);
  o.end = 1;
  o.start = sar_run_data(first);
  EXPECT_OK_OR(sar_run(m, &o, &second, &err), &err);
  EXPECT_NEAR(sar_run_report(second)->start_time, 0.5, 0);
  assert_true(sar_state_hash(sar_run_data(second)) == sar_state_hash(sar_run_data(whole)));
  // data of another model are none
  SarModel* other = model_text(PENDULUM);
  SarRun* none;
  EXPECT_STATUS(sar_run(other, &o, &none, &err), SAR_BAD_ARGUMENT);
  assert_null(none);
  sar_run_free(whole), sar_run_free(first), sar_run_free(second);
  sar_model_free(other), sar_model_free(m);
}

// What is no time, lies before the beginning or does not rise is refused: neither the default nor
// other rows come of it.
static void times_that_make_no_sense_are_refused(void** state) {
  (void)state;
  SarModel* m = model_text(PENDULUM);
  static const double bad[] = {-1, (double)NAN, (double)INFINITY};
  static const double falling[] = {0, 1, 0.5}, unknown[] = {(double)NAN, 1};
  static const struct {
    const double* times;
    size_t count;
  } rows[] = {{falling, 3}, {unknown, 2}, {falling, 0}};
  SarRun* run;
  for (int i = 0; i < 6; i++) {
    SarRunOptions o = sar_run_options();
    sar_error_init(&err);
    o.end = i < 3 ? bad[i] : 1;
    if (i >= 3) o.output_step = bad[i - 3];
    EXPECT_STATUS(sar_run(m, &o, &run, &err), SAR_BAD_ARGUMENT);
    assert_int_equal(err.errors, 1);
  }
  for (int i = 0; i < 3; i++) {
    SarRunOptions o = sar_run_options();
    sar_error_init(&err);
    o.times = rows[i].times, o.time_count = rows[i].count;
    EXPECT_STATUS(sar_run(m, &o, &run, &err), SAR_BAD_ARGUMENT);
    assert_int_equal(err.errors, 1);
  }
  SarData* d;
  EXPECT_OK(sar_data_new(m, &d, NULL));
  sar_set_time(d, 5);
  SarRunOptions o = sar_run_options();
  o.start = d, o.end = 1;
  sar_error_init(&err);
  EXPECT_STATUS(sar_run(m, &o, &run, &err), SAR_BAD_ARGUMENT);
  assert_non_null(strstr(err.items[0].text, "the run begins at t = 5 s, and the end is 1 s"));
  sar_data_free(d);
  sar_model_free(m);
}

static void tables_are_saved_and_loaded(void** state) {
  (void)state;
  SarModel* m = model_text(PENDULUM);
  SarRun* run;
  SarTable* back;
  char path[512];
  snprintf(path, sizeof path, "%s/public_table.csv", SARRUS_BINARY_DIR);
  EXPECT_OK_OR(sar_run(m, NULL, &run, &err), &err);
  const SarTable* t = sar_run_table(run);
  EXPECT_OK_OR(sar_table_save(t, path, 17, &err), &err);
  EXPECT_OK_OR(sar_table_load(path, &back, &err), &err);
  assert_int_equal(sar_table_rows(back), sar_table_rows(t));
  for (size_t i = 0; i < 3 * sar_table_rows(t); i++)
    EXPECT_NEAR(sar_table_values(back)[i], sar_table_values(t)[i], 0);
  remove(path);
  sar_table_free(back);
  EXPECT_STATUS(sar_table_load("nowhere/at/all.csv", &back, &err), SAR_NO_FILE);
  assert_null(back);
  EXPECT_STATUS(sar_table_save(t, path, 18, &err), SAR_BAD_ARGUMENT);
  sar_run_free(run);
  sar_model_free(m);
}

// ---- statics, modes, assembly -------------------------------------------------------------------

// w^2 = m g l / I about the hinge
static const double OMEGA2 = 2 * 9.81 * 0.5 / (1 + 2 * 0.25);

static void statics_find_where_it_hangs(void** state) {
  (void)state;
  SarModel* m = model_text(PENDULUM);
  SarData* d;
  SarStatics* s;
  double force[3], torque[3];
  bool unique[6];
  EXPECT_OK(sar_data_new(m, &d, &err));
  EXPECT_OK_OR(sar_statics(d, NULL, &s, &err), &err);
  const SarStaticsReport* r = sar_statics_report(s);
  EXPECT_NEAR(sar_get_q(d)[0], 0, 1e-10);
  assert_int_equal(r->freedoms, 1);
  assert_true(r->unstable == 0 && r->indifferent == 0 && r->contacts == 0 && !r->settled);
  EXPECT_NEAR(r->omega2[0], OMEGA2, 1e-6);
  EXPECT_NEAR(r->potential, -2 * 9.81 * 0.5, 1e-9);
  EXPECT_OK(sar_statics_reaction(s, 0, force, torque, unique));
  EXPECT_NEAR(force[2], 2 * 9.81, 1e-9);
  for (int i = 0; i < 6; i++) assert_true(unique[i]);
  EXPECT_STATUS(sar_statics_reaction(s, 1, force, torque, unique), SAR_BAD_ARGUMENT);
  EXPECT_STATUS(sar_statics_reaction(s, -1, force, torque, NULL), SAR_BAD_ARGUMENT);
  sar_statics_free(s);
  sar_data_free(d);
  sar_model_free(m);
}

static void modes_have_the_frequency_of_the_pendulum(void** state) {
  (void)state;
  SarModel* m = model_text(PENDULUM);
  SarData* d;
  SarStatics* s;
  SarModes* modes;
  EXPECT_OK(sar_data_new(m, &d, &err));
  EXPECT_OK_OR(sar_statics(d, NULL, &s, &err), &err);
  const unsigned long long before = sar_state_hash(d);
  EXPECT_OK_OR(sar_modes(d, NULL, &modes, &err), &err);
  assert_true(sar_state_hash(d) == before);
  const SarModesReport* r = sar_modes_report(modes);
  assert_int_equal(r->count, 1);
  EXPECT_NEAR(r->im[0], sqrt(OMEGA2), 1e-6);
  EXPECT_NEAR(r->re[0], 0, 1e-6);
  assert_int_equal(r->shape_size, 1);
  EXPECT_NEAR(r->shape_re[0], 1, 0);
  EXPECT_NEAR(r->share[0], 1, 1e-15);
  assert_string_equal(sar_modes_coordinate(modes, 0), "h.v");
  assert_null(sar_modes_coordinate(modes, 1));
  assert_null(sar_modes_coordinate(modes, -1));
  assert_null(sar_modes_pattern(modes, 0));
  sar_modes_free(modes);
  sar_statics_free(s);
  sar_data_free(d);
  sar_model_free(m);
}

// exp(i w T) of the pendulum at rest
static void multipliers_of_the_pendulum(void** state) {
  (void)state;
  SarModel* m = model_text(PENDULUM);
  SarData* d;
  SarStatics* s;
  SarFloquet* f;
  const double T = 0.3;
  EXPECT_OK(sar_data_new(m, &d, &err));
  EXPECT_OK_OR(sar_statics(d, NULL, &s, &err), &err);
  const unsigned long long before = sar_state_hash(d);
  EXPECT_OK_OR(sar_floquet(d, T, NULL, &f, &err), &err);
  assert_true(sar_state_hash(d) == before);
  const SarFloquetReport* r = sar_floquet_report(f);
  assert_int_equal(r->count, 2);
  EXPECT_NEAR(r->re[0], cos(sqrt(OMEGA2) * T), 1e-6);
  EXPECT_NEAR(r->im[0], sin(sqrt(OMEGA2) * T), 1e-6);
  EXPECT_NEAR(r->off, 0, 1e-6);
  sar_floquet_free(f);
  sar_statics_free(s);
  sar_data_free(d);
  sar_model_free(m);
}

// First bending frequency of a cantilever, 3.5160 sqrt(EI/m L^4), and a file that is a model's part
// again
static void a_beam_is_reduced(void** state) {
  (void)state;
  static const char text[] =
      "sarrus: 1\nbeams: {b: {from: [ground, [0, 0, 0]], to: [1, 0, 0], elements: 8, section: "
      "{stiffness: [1e6, 1e6, 1e6, 1, 1, 100], mass: 1, inertia: [2e-6, 1e-6, 1e-6]}}}\n";
  static const char* const nodes[] = {"end", "4", "end"};
  const SarLoadOptions load = {.keep_fixed = 1};
  SarModel* m = NULL;
  SarReduction* r;
  SarReduceOptions o = sar_reduce_options();
  o.attach = nodes, o.attach_count = 3, o.keep = 5;
  EXPECT_OK_OR(sar_model_parse(text, strlen(text), "yaml", "beam.yaml", &load, &m, &err), &err);
  EXPECT_OK_OR(sar_reduce(m, &o, &r, &err), &err);
  const SarReductionReport* x = sar_reduction_report(r);
  assert_string_equal(x->beam, "b");
  assert_int_equal(x->nodes, 9);
  assert_int_equal(x->modes, 5);
  EXPECT_NEAR(x->frequency[0] * 6.283185307179586, 3.5160, 2e-3);
  const char* none[] = {"9"};
  SarReduction* wrong;
  o.attach = none, o.attach_count = 1;
  assert_int_equal(sar_reduce(m, &o, &wrong, &err), SAR_BAD_ARGUMENT);
  assert_null(wrong);
  sar_reduction_free(r);
  sar_model_free(m);
}

// I q'' = -I w^2 sin q + tau: about the rest A = [0 1; -w^2 0], B = [0; 1/I], whatever the state of
// d
static void linearization_of_the_pendulum_is_exact(void** state) {
  (void)state;
  SarModel* m = model_text(PENDULUM);
  SarData* d;
  SarLinearization* l;
  SarLinearizeOptions o = sar_linearize_options();
  o.inputs = "h.tau";
  o.outputs = "h.q";
  o.rest = true;
  EXPECT_OK(sar_data_new(m, &d, &err));
  const unsigned long long before = sar_state_hash(d);
  EXPECT_OK_OR(sar_linearize(d, &o, &l, &err), &err);
  assert_true(sar_state_hash(d) == before);
  const SarLinearizationReport* r = sar_linearization_report(l);
  assert_true(r->nx == 2 && r->nu == 1 && r->ny == 1 && r->zeros == 0 && r->coordinates == 1);
  EXPECT_NEAR(r->A[1], 1, 0);
  EXPECT_NEAR(r->A[2], -OMEGA2, 1e-9);
  EXPECT_NEAR(r->C[0], 1, 0);
  EXPECT_NEAR(fabs(r->pole_im[0]), sqrt(OMEGA2), 1e-9);
  assert_string_equal(sar_linearization_state(l, 0), "h.q");
  assert_string_equal(sar_linearization_state(l, 1), "h.v");
  assert_string_equal(sar_linearization_input(l, 0), "h.tau");
  assert_string_equal(sar_linearization_output(l, 0), "h.q");
  assert_null(sar_linearization_state(l, 2));
  assert_null(sar_linearization_input(l, -1));
  sar_linearization_free(l);
  o.inputs = "g.tau";
  EXPECT_STATUS(sar_linearize(d, &o, &l, &err), SAR_BAD_ARGUMENT);
  assert_null(l);
  sar_data_free(d);
  sar_model_free(m);
}

// A ball with its mass below its middle rolls to where it rests, and rocks there: the point of
// contact wanders.
//   w^2 = m g c / (I + m (R - c)^2),   R = 0.2, c = 0.05, I = 0.02, m = 2
static void a_rocker_rests_and_rocks_on_its_contact(void** state) {
  (void)state;
  SarModel* m = model_text(
      "bodies: {r: {mass: 2, inertia: [0.02, 0.02, 0.02], com: [0, 0, -0.05], at: [0, 0, 0.2],\n"
      "  rpy: [0, 10 deg, 0], contact: {sphere: 0.2}}}\n"
      "ground: {contact: {plane: z}}\ncontact: {materials: {default: {friction: 0.5}}}\n");
  const double omega2 = 2 * 9.81 * 0.05 / (0.02 + 2 * 0.15 * 0.15);
  SarData* d;
  SarStatics* s;
  SarModes* modes;
  SarContactPoint c;
  EXPECT_OK(sar_data_new(m, &d, &err));
  EXPECT_OK_OR(sar_statics(d, NULL, &s, &err), &err);
  const SarStaticsReport* r = sar_statics_report(s);
  assert_true(r->settled && r->contacts == 1 && r->freedoms == 3);
  assert_true(r->unstable == 0 && r->indifferent == 1);  // about the vertical
  // it lies 1e-4 of its radius deep at most: that is what w^2 may be off
  EXPECT_NEAR(r->omega2[1], omega2, 1e-4 * omega2);
  EXPECT_NEAR(r->omega2[2], omega2, 1e-4 * omega2);
  EXPECT_NEAR(sar_get_q(d)[0], -0.2 * 0.17453292519943295, 1e-5);  // rolled, not slipped
  EXPECT_OK(sar_contact(d, 0, &c));
  EXPECT_NEAR(c.force[2], 2 * 9.81, 1e-6);
  const unsigned long long before = sar_state_hash(d);
  EXPECT_OK_OR(sar_modes(d, NULL, &modes, &err), &err);
  assert_true(sar_state_hash(d) == before);
  const SarModesReport* x = sar_modes_report(modes);
  assert_int_equal(x->contacts, 1);
  EXPECT_NEAR(x->im[x->count - 1], sqrt(omega2), 1e-4 * sqrt(omega2));
  assert_non_null(strstr(err.items[err.count - 1].text, "contacts are held"));
  sar_modes_free(modes);
  sar_statics_free(s);
  sar_data_free(d);
  sar_model_free(m);
}

// On four corners, k of each: two materials of 2 k in series. Depth m g / 4 k, w^2 = 4 k / m up and
// down.
static void a_block_rests_on_springs_of_its_contacts(void** state) {
  (void)state;
  SarModel* m = model_text(
      "bodies: {b: {box: [0.4, 0.4, 0.2], mass: 4, at: [0, 0, 0.1], contact: true}}\n"
      "ground: {contact: {plane: z}}\n"
      "contact: {materials: {default: {friction: 0.5, stiffness: 10000, damping: 20}}}\n");
  SarData* d;
  SarStatics* s;
  double p[3], R[9];
  EXPECT_OK(sar_data_new(m, &d, &err));
  EXPECT_OK_OR(sar_statics(d, NULL, &s, &err), &err);
  const SarStaticsReport* r = sar_statics_report(s);
  EXPECT_OK(sar_body_pose(d, 0, p, R));
  EXPECT_NEAR(p[2], 0.1 - 4 * 9.81 / 2e4, 1e-8);
  assert_int_equal(r->contacts, 4);
  assert_true(r->freedoms > 0 && r->unstable == 0);
  bool found = false;
  for (int k = 0; k < r->freedoms; k++) found |= fabs(r->omega2[k] - 2e4 / 4) < 1;
  assert_true(found);
  sar_statics_free(s);
  sar_data_free(d);
  sar_model_free(m);
}

// Without friction nothing holds a box on a slope, and that is said; with it, it stays.
static void a_box_on_a_slope_needs_friction(void** state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    char text[512];
    snprintf(text, sizeof text,
             "gravity: [2, 0, -9]\nbodies: {b: {box: [0.4, 0.4, 0.2], mass: 4, at: [0, 0, 0.1],\n"
             "  contact: true}}\nground: {contact: {plane: z}}\n"
             "contact: {materials: {default: {friction: %g}}}\n",
             k ? 0.5 : 0.0);
    SarModel* m = model_text(text);
    SarData* d;
    SarStatics* s;
    SarStaticsOptions o = sar_statics_options();
    o.max_iterations = 2000;
    sar_error_init(&err);
    EXPECT_OK(sar_data_new(m, &d, &err));
    EXPECT_STATUS(sar_statics(d, &o, &s, &err), k ? SAR_OK : SAR_NOT_CONVERGED);
    if (!k) assert_true(!s && strstr(err.items[0].text, "does not come to rest"));
    double sum[3] = {0};
    SarContactPoint c;
    for (int i = 0; k && sar_contact(d, i, &c) == SAR_OK; i++)
      for (int j = 0; j < 3; j++) sum[j] += c.force[j];
    if (k) EXPECT_NEAR(sum[0], -4 * 2, 1e-5);
    if (k) EXPECT_NEAR(sum[2], 4 * 9, 1e-5);
    if (k) assert_int_equal(sar_statics_report(s)->freedoms, 0);
    sar_statics_free(s);
    sar_data_free(d);
    sar_model_free(m);
  }
}

static void dry_friction_is_left_out_of_modes_and_said(void** state) {
  (void)state;
  SarModel* m = model_text(
      "gravity: [0, 0, -9.81]\n"
      "bodies: {a: {mass: 2, inertia: [1, 1, 1], com: [0, 0, -0.5]}}\n"
      "joints: {h: {revolute: [ground, a], axis: y, friction: 0.1}}\n");
  SarData* d;
  SarModes* modes;
  EXPECT_OK(sar_data_new(m, &d, &err));
  EXPECT_OK_OR(sar_modes(d, NULL, &modes, &err), &err);
  EXPECT_NEAR(sar_modes_report(modes)->im[0], sqrt(OMEGA2), 1e-6);
  assert_int_equal(err.count, 1);
  assert_int_equal(err.items[0].severity, SAR_WARNING);
  assert_non_null(strstr(err.items[0].text, "joint 'h'"));
  sar_modes_free(modes);
  sar_data_free(d);
  sar_model_free(m);
}

static void assembly_counts_what_is_free(void** state) {
  (void)state;
  SarModel* m = model_text(DRIVEN);
  SarData* d;
  SarAssembly a;
  EXPECT_OK(sar_data_new(m, &d, &err));
  EXPECT_OK_OR(sar_assemble(d, &a, &err), &err);
  assert_int_equal(a.freedoms, 0);  // the drive takes the last one
  assert_int_equal(a.independent, 3);
  sar_data_free(d);
  sar_model_free(m);
}

// ---- driven mechanisms --------------------------------------------------------------------------

// The middle of the coupler is 0.5 to the side of the crank's tip, (0.2 sin 2t, 0.2 cos 2t).
static void kinematics_follow_the_drive(void** state) {
  (void)state;
  SarModel* m = model_text(DRIVEN);
  SarKinematics* k;
  SarSweepOptions o = sar_sweep_options();
  SarBranch b;
  o.points = 11;
  EXPECT_OK_OR(sar_kinematics(m, &o, &k, &err), &err);
  const SarTable* t = sar_kinematics_table(k);
  const SarKinematicsReport* r = sar_kinematics_report(k);
  assert_true(r->from == 0 && r->to == 1 && r->points == 11 && r->branches == 1);
  assert_int_equal(sar_table_rows(t), 11);
  const int n = sar_table_columns(t), x = sar_table_find(t, "mid.x"),
            az = sar_table_find(t, "mid.az");
  assert_true(x > 0 && az > 0);
  for (int i = 0; i < 11; i++) {
    const double* row = &sar_table_values(t)[i * n];
    EXPECT_NEAR(row[x], 0.5 + 0.2 * sin(2 * row[0]), 1e-9);
    EXPECT_NEAR(row[az], -0.8 * cos(2 * row[0]), 1e-8);
  }
  EXPECT_OK(sar_kinematics_branch(k, 0, &b));
  assert_true(b.row == 0 && b.rows == 11 && b.reached == 1);
  EXPECT_STATUS(sar_kinematics_branch(k, 1, &b), SAR_BAD_ARGUMENT);
  sar_kinematics_free(k);
  // what is wrong with the options is said
  o.points = 1;
  EXPECT_STATUS(sar_kinematics(m, &o, &k, &err), SAR_BAD_ARGUMENT);
  assert_null(k);
  assert_true(err.errors > 0);
  sar_model_free(m);
}

// All turns at a constant rate, so the torque is that of the weights: d/dphi of 2 kg g z.
static void inverse_dynamics_give_the_torque(void** state) {
  (void)state;
  SarModel* m = model_text(DRIVEN);
  SarTable* t;
  SarSweepOptions o = sar_sweep_options();
  o.points = 11;
  EXPECT_OK_OR(sar_inverse(m, &o, &t, &err), &err);
  assert_int_equal(sar_table_columns(t), 5);
  assert_string_equal(sar_table_name(t, 3), "turn.force");
  for (int i = 0; i < 11; i++) {
    const double* row = &sar_table_values(t)[i * 5];
    const double torque = -2 * 9.81 * 0.2 * sin(2 * row[0]);
    EXPECT_NEAR(row[3], torque, 1e-7);
    EXPECT_NEAR(row[4], 2 * torque, 2e-7);
  }
  sar_table_free(t);
  sar_model_free(m);
}

static bool stop_now(void* context) {
  (void)context;
  return true;
}

static void sweeps_stop_when_asked(void** state) {
  (void)state;
  SarModel* m = model_text(DRIVEN);
  SarKinematics* k;
  SarTable* t;
  SarSweepOptions o = sar_sweep_options();
  o.should_stop = stop_now;
  EXPECT_STATUS(sar_kinematics(m, &o, &k, &err), SAR_STOPPED);
  assert_int_equal(sar_table_rows(sar_kinematics_table(k)), 1);
  EXPECT_STATUS(sar_inverse(m, &o, &t, &err), SAR_STOPPED);
  assert_int_equal(sar_table_rows(t), 1);
  sar_kinematics_free(k);
  sar_table_free(t);
  sar_model_free(m);
}

static void a_model_without_drives_is_refused_with_a_message(void** state) {
  (void)state;
  SarModel* m = model_text(PENDULUM);
  SarKinematics* k;
  SarTable* t;
  assert_int_not_equal(sar_kinematics(m, NULL, &k, &err), SAR_OK);
  assert_null(k);
  assert_true(err.errors > 0);
  assert_int_not_equal(sar_inverse(m, NULL, &t, &err), SAR_OK);
  assert_null(t);
  sar_model_free(m);
}

// ---- out of memory ------------------------------------------------------------------------------

#ifndef SARRUS_TEST_SANITIZED
typedef SarStatus Analysis(SarModel* m);

static SarStatus try_run(SarModel* m) {
  SarRun* run;
  const SarStatus st = sar_run(m, NULL, &run, &err);
  sar_run_free(run);
  return st;
}

static SarStatus try_statics_and_modes(SarModel* m) {
  SarData* d;
  SarStatics* s = NULL;
  SarModes* modes = NULL;
  SarStatus st = sar_data_new(m, &d, &err);
  if (st == SAR_OK) st = sar_statics(d, NULL, &s, &err);
  if (st == SAR_OK) st = sar_modes(d, NULL, &modes, &err);
  sar_modes_free(modes);
  sar_statics_free(s);
  sar_data_free(d);
  return st;
}

static SarStatus try_sweeps(SarModel* m) {
  SarKinematics* k;
  SarTable* t = NULL;
  SarSweepOptions o = sar_sweep_options();
  o.points = 3;
  SarStatus st = sar_kinematics(m, &o, &k, &err);
  if (st == SAR_OK) st = sar_inverse(m, &o, &t, &err);
  sar_kinematics_free(k);
  sar_table_free(t);
  return st;
}

static SarStatus try_branches(SarModel* m) {
  SarKinematics* k;
  SarSweepOptions o = sar_sweep_options();
  o.points = 2;
  o.trials = 5;
  o.branches = true;
  const SarStatus st = sar_kinematics(m, &o, &k, &err);
  sar_kinematics_free(k);
  return st;
}

// A motor against a damper: 10 rad/s on average. The model is read by its path, so the one given
// here is not looked at.
static SarStatus try_trim(SarModel* m) {
  const SarTrimUnknown unknown = {.name = "torque"};
  const SarTrimCondition condition = {"shaft.v", "10"};
  SarTrimOptions o = sar_trim_options();
  SarTrim* t;
  (void)m;
  o.unknown = &unknown, o.condition = &condition, o.count = 1;
  o.period = "0.5";
  const SarStatus st = sar_trim(SARRUS_SOURCE_DIR "/tests/models/trim/motor.yaml", &o, &t, &err);
  if (st == SAR_OK) EXPECT_NEAR(sar_trim_report(t)->value[0], 2, 1e-4);
  sar_trim_free(t);
  return st;
}

static void every_allocation_may_fail(void** state) {
  (void)state;
  static Analysis* const ANALYSES[] = {try_run, try_statics_and_modes, try_sweeps, try_branches,
                                       try_trim};
  for (size_t k = 0; k < sizeof ANALYSES / sizeof *ANALYSES; k++) {
    SarModel* m = model_text(k < 2 ? PENDULUM : DRIVEN);
    for (long n = 1;; n++) {
      assert_true(n < 10000);
      alloc_count_reset();
      alloc_fail_at(n);
      const SarStatus st = ANALYSES[k](m);
      const int failed = alloc_has_failed();
      alloc_fail_at(0);
      assert_int_equal(alloc_count_live(), 0);
      if (!failed) {
        EXPECT_OK_OR(st, &err);
        break;
      }
      // the C library reads files without a buffer where it gets none, or cannot open them
      const bool reads = ANALYSES[k] == try_trim;
      if (!reads || (st != SAR_OK && st != SAR_NO_FILE)) assert_int_equal(st, SAR_NO_MEMORY);
    }
    sar_model_free(m);
  }
}
#endif

int main(void) {
#define TEST(name) cmocka_unit_test_setup(name, clear_messages)
  const struct CMUnitTest tests[] = {
      TEST(a_run_fills_columns),
      TEST(callbacks_see_rows_and_end_the_run),
      TEST(a_run_begins_with_data_of_the_caller),
      TEST(times_that_make_no_sense_are_refused),
      TEST(tables_are_saved_and_loaded),
      TEST(statics_find_where_it_hangs),
      TEST(modes_have_the_frequency_of_the_pendulum),
      TEST(multipliers_of_the_pendulum),
      TEST(a_beam_is_reduced),
      TEST(linearization_of_the_pendulum_is_exact),
      TEST(a_rocker_rests_and_rocks_on_its_contact),
      TEST(a_block_rests_on_springs_of_its_contacts),
      TEST(a_box_on_a_slope_needs_friction),
      TEST(dry_friction_is_left_out_of_modes_and_said),
      TEST(assembly_counts_what_is_free),
      TEST(kinematics_follow_the_drive),
      TEST(inverse_dynamics_give_the_torque),
      TEST(sweeps_stop_when_asked),
      TEST(a_model_without_drives_is_refused_with_a_message),
#ifndef SARRUS_TEST_SANITIZED
      TEST(every_allocation_may_fail),
#endif
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
