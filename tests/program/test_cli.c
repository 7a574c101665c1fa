// The program as scripts see it: exit statuses, JSON keys, what goes to which stream, files left
// behind.
#include "support/program.h"

#include <unistd.h>

static const char pendulum[] =
    "sarrus: 1\nname: pendulum\nparameters: {L: 1}\nbodies:\n  rod: {rod: [[0, 0, 0], [L, 0, 0]], "
    "mass: 1, points: {tip: [L, 0, 0]}}\njoints:\n  hinge: {revolute: [ground, rod], axis: "
    "y}\nsimulation: {end: 1}\noutputs: [energy, joints, {point: rod.tip}]\n";

static int begin(void** state) {
  if (program_begin(state) != 0) return -1;
  write_file("pendulum.yaml", pendulum);
  return 0;
}

static void help_and_version_are_status_0(void** state) {
  (void)state;
  const Result* r = sarrus("--help");
  expect_status_of(r, 0);
  expect_has(r->out, "Commands");
  r = sarrus("--version");
  expect_status_of(r, 0);
  expect_has(r->out, "sarrus ");
  r = sarrus("run --help");
  expect_status_of(r, 0);
  expect_has(r->out, "--output-step");
  expect_status_of(sarrus("help plot"), 0);
  r = sarrus("help plot --json");
  expect_status_of(r, 0);
  expect_has(r->out, "\"name\": \"motion\"");
}

static void man_and_completions_name_every_command(void** state) {
  (void)state;
  const char* const commands[] = {"run", "info", "check", "list", "plot", "help"};
  const char* const forms[] = {"help --man", "help --completion bash", "help --completion zsh",
                               "help --completion fish"};
  for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
    const Result* r = sarrus(forms[f]);
    expect_status_of(r, 0);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) expect_has(r->out, commands[i]);
  }
}

static void wrong_usage_is_status_2_with_a_suggestion(void** state) {
  (void)state;
  expect_status_of(sarrus(""), 2);
  const Result* r = sarrus("rnu x.yaml");
  expect_status_of(r, 2);
  expect_has(r->err, "did you mean 'run'");
  r = sarrus("run x.yaml --integratr rk4");
  expect_status_of(r, 2);
  expect_has(r->err, "did you mean --integrator");
  r = sarrus("run no-such-file.yaml");
  expect_status_of(r, 2);
  expect_has(r->err, "no-such-file.yaml");
  r = sarrus("run @pendulum.yaml --step nought");
  expect_status_of(r, 2);
  expect_has(r->err, "greater than 0");
  r = sarrus("run @pendulum.yaml --integrator rk44");
  expect_status_of(r, 2);
  expect_has(r->err, "rk4");
  r = sarrus("run @pendulum.yaml --set K=3");
  expect_status_of(r, 3);
  expect_has(r->err, "K");
  r = sarrus("run @pendulum.yaml --coordinates absolut");
  expect_status_of(r, 2);
  expect_has(r->err, "did you mean 'absolute'");
  r = sarrus("run @pendulum.yaml --out @results.xls");
  expect_status_of(r, 2);
  expect_has(r->err, ".csv");
}

static void a_wrong_model_is_status_3_and_all_errors_are_told(void** state) {
  (void)state;
  write_file("wrong.yaml",
             "sarrus: 1\nbodies:\n  rod: {rod: [[0, 0, 0], [1, 0, 0]], mas: 1}\njoints:\n  hinge: "
             "{revolute: [ground, rodd], axis: y}\n");
  const Result* r = sarrus("run @wrong.yaml");
  expect_status_of(r, 3);
  expect_has(r->err, "wrong.yaml:3:");
  expect_has(r->err, "did you mean 'mass'");
  assert_string_equal(r->out, "");
  r = sarrus("check @wrong.yaml --json");
  expect_status_of(r, 3);
  expect_has(r->out, "\"line\": 3");
  expect_has(r->out, "\"ok\": false");
  // a document for those who asked for one, also when there is nothing to run
  r = sarrus("run @wrong.yaml --json");
  expect_status_of(r, 3);
  expect_has(r->out, "\"status\": \"the model is wrong\"");
  expect_has(r->out, "\"line\": 3");
  expect_has(r->err, "wrong.yaml:3:");
  r = sarrus("run no-such-file.yaml --json");
  expect_status_of(r, 2);
  expect_has(r->out, "no such file");
}

static void names_in_the_simulation_block_are_checked(void** state) {
  (void)state;
  write_file("names.yaml",
             "sarrus: 1\nbodies: {a: {sphere: 1, mass: 1}}\nsimulation:\n  integrator: rk5\n  "
             "formulation: abba\n");
  for (int i = 0; i < 2; i++) {
    const Result* r = sarrus(i ? "run @names.yaml" : "check @names.yaml");
    expect_status_of(r, 3);
    expect_has(r->err, "names.yaml:4:15: error: simulation: no integrator 'rk5'");
    expect_has(r->err, "names.yaml:5:16: error: simulation: no formulation 'abba'");
  }
}

static void check_prints_one_document_for_several_models(void** state) {
  (void)state;
  const Result* r = sarrus("check @pendulum.yaml --json");
  expect_status_of(r, 0);
  assert_int_equal(r->out[0], '{');
  r = sarrus("check @pendulum.yaml @pendulum.yaml --json");
  expect_status_of(r, 0);
  assert_int_equal(r->out[0], '[');
  expect_has(r->out, "},\n");
}

static void run_prints_the_promised_json(void** state) {
  (void)state;
  const Result* r = sarrus("run @pendulum.yaml --json");
  expect_status_of(r, 0);
  const char* const keys[] = {"model",
                              "formulation",
                              "integrator",
                              "step",
                              "steps",
                              "end_time",
                              "cpu_s",
                              "realtime_factor",
                              "energy_error_max",
                              "work",
                              "position_violation_max",
                              "velocity_violation_max",
                              "iterations_mean",
                              "iterations_max",
                              "status"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    char key[64];
    snprintf(key, sizeof key, "\"%s\": ", keys[i]);
    expect_has(r->out, key);
  }
  expect_has(r->out, "\"status\": \"ok\"");
  expect_has(r->out, "\"end_time\": 1");
  assert_string_equal(r->err, "");
}

static void a_run_that_loses_its_energy_says_so(void** state) {
  (void)state;
  const Result* r = sarrus("run @pendulum.yaml");
  expect_has(r->out, "of what moved\n");
  // a swing takes 1.6 s: one step of 0.8 s knows nothing of it
  r = sarrus("run @pendulum.yaml --integrator semi-implicit --step 0.2 --output-step 0.2 --end 8");
  expect_status_of(r, 0);
  expect_has(r->out, "the energy audit does not close: ");
  r = sarrus("run @pendulum.yaml -i semi-implicit -s 0.2 --output-step 0.2 --end 8 --json");
  expect_has(r->out, "the energy audit does not close: ");
}

static void energy_from_nowhere_is_status_4(void** state) {
  (void)state;
  const char run[] = "run @pendulum.yaml --integrator euler --fixed --step 0.05 --end 20";
  const Result* r = sarrus(run);
  expect_status_of(r, 4);
  expect_has(r->out, "energy came from nowhere");
  expect_has(r->out, "J more than work explains");
  expect_has(r->err, "J came from nowhere");
  char json[128];
  snprintf(json, sizeof json, "%s --json", run);
  r = sarrus(json);
  expect_status_of(r, 4);
  expect_has(r->out, "\"status\": \"energy came from nowhere\"");
  expect_has(r->out, "\"exit_status\": 4");
  expect_has(r->out, "J more than work explains");
  expect_has(r->out, "J came from nowhere");
}

static void limits_are_shown_and_leaving_them_is_told(void** state) {
  (void)state;
  write_file("limits.yaml",
             "sarrus: 1\nbodies: {a: {rod: [[0, 0, 0], [1, 0, 0]], mass: 1}}\njoints:\n  j: "
             "{revolute: [ground, a], axis: y, lower: -1, upper: 1}\nsimulation: {end: 1}\n");
  expect_has(sarrus("info @limits.yaml")->out, "limits -1 to 1");
  expect_has(sarrus("run @limits.yaml")->out, "impulse: the model has joint limits");
  expect_has(sarrus("run @limits.yaml -i dopri5")->out,
             "joint 'j' is outside of its limits at t = 0.");
  const Result* r = sarrus("run @limits.yaml -i dopri5 --end 0.1 --json");
  expect_has(r->out, "\"limit_joint\": null");
}

static void results_land_on_the_output_times(void** state) {
  (void)state;
  const char* const forms[] = {
      "run @pendulum.yaml --out @p.csv --digits 17 --output-step 0.1 -q",
      "run @pendulum.yaml --out @p.csv --digits 17 --output-step 0.1 --integrator rk4 --step 0.03"};
  for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
    expect_status_of(sarrus(forms[f]), 0);
    SarTable t = read_table("p.csv");
    assert_string_equal(t.names[0], "time");
    assert_true(sar_table_find(&t, "hinge.q") > 0);
    assert_true(sar_table_find(&t, "energy.total") > 0);
    assert_true(sar_table_find(&t, "rod.tip.x") > 0);
    assert_int_equal(t.rows, 11);
    for (int i = 0; i < 11; i++) EXPECT_NEAR(t.values[i * t.columns], 0.1 * i, 1e-15);
    sar_table_clear(&t);
  }
}

static void set_changes_a_parameter(void** state) {
  (void)state;
  expect_status_of(sarrus("run @pendulum.yaml --set L=2 --out @p.csv --digits 17 --output-step 1"),
                   0);
  SarTable t = read_table("p.csv");
  EXPECT_NEAR(t.values[sar_table_find(&t, "rod.tip.x")], 2, 1e-15);
  sar_table_clear(&t);
}

static void set_takes_expressions_and_paths_may_be_several(void** state) {
  (void)state;
  expect_status_of(sarrus("run @pendulum.yaml --set 'L=45 deg + 2*pi'"), 0);
  const Result* r = sarrus("run @pendulum.yaml --set L=M");
  expect_status_of(r, 2);
  expect_has(r->err, "NAME=VALUE");
  write_file("whole.yaml", "sarrus: 1\ninclude: [pendulum.yaml]\n");
  char command[1200];
  snprintf(command, sizeof command,
           "mkdir -p %s/apart && mv %s/whole.yaml %s/apart && %s/sarrus check %s/apart/whole.yaml "
           "-I /nowhere -I %s >/dev/null",
           program_folder, program_folder, program_folder, SARRUS_BINARY_DIR, program_folder,
           program_folder);
  assert_int_equal(system(command), 0);
}

// Ctrl-C in a long run: the results up to there are whole. It is sent once rows have reached the
// file, however slow the machine is; the run would last for hours.
static void an_interrupted_run_keeps_its_results(void** state) {
  (void)state;
  char command[1600], path[200], out[400];
  snprintf(path, sizeof path, "%s/i.csv", program_folder);
  snprintf(
      command, sizeof command,
      "%s/sarrus run %s/pendulum.yaml --end 1e9 --integrator rk4 --output-step 0.1 --out %s "
      ">%s/out 2>/dev/null & pid=$!; n=0; while [ $n -lt 600 ] && ! [ \"$(cat %s 2>/dev/null | wc "
      "-c)\" -gt 8192 ]; do sleep 0.1; n=$((n + 1)); done; kill -INT $pid; wait $pid",
      SARRUS_BINARY_DIR, program_folder, path, program_folder, path);
  int status = system(command);
  assert_true(WIFEXITED(status));
  SarTable t = read_table("i.csv");
  assert_true(t.rows > 1);
  sar_table_clear(&t);
  snprintf(path, sizeof path, "%s/out", program_folder);
  read_all(path, out, sizeof out);
  expect_has(out, "pendulum.yaml: stopped");
}

static void failing_numerics_are_status_4_and_keep_the_results(void** state) {
  (void)state;
  // a spring that pushes away without bound: the speed passes every number in finite time
  write_file("runaway.yaml",
             "sarrus: 1\ngravity: [0, 0, 0]\nbodies:\n  m: {sphere: 0.1, mass: 1}\njoints:\n  s: "
             "{prismatic: [ground, m], axis: x, position: 1, force: 'exp(s.q)'}\nsimulation: {end: "
             "100, integrator: rk4, step: 0.01, output_step: 0.1}\n");
  const Result* r = sarrus("run @runaway.yaml --out @r.csv --json");
  expect_status_of(r, 4);
  expect_has(r->err, "t = ");
  SarTable t = read_table("r.csv");
  assert_true(t.rows > 1 && t.rows < 1000);
  for (size_t i = 0; i < t.rows * (size_t)t.columns; i++) assert_true(isfinite(t.values[i]));
  sar_table_clear(&t);
}

static void loops_are_described_and_run(void** state) {
  (void)state;
  write_file("fourbar.yaml",
             "sarrus: 1\nbodies:\n  a: {rod: [[0,0,0],[0,1,0]], mass: 1}\n  b: {rod: "
             "[[0,1,0],[1,1,0]], mass: 1}\n  c: {rod: [[1,0,0],[1,1,0]], mass: 1}\njoints:\n  A: "
             "{revolute: [ground, a], at: [0,0,0]}\n  B: {revolute: [a, b], at: [0,1,0]}\n  C: "
             "{revolute: [b, c], at: [1,1,0]}\n  D: {revolute: [ground, c], at: [1,0,0]}\n");
  const Result* r = sarrus("info @fourbar.yaml");
  expect_status_of(r, 0);
  expect_has(r->out, "revolute");
  expect_status_of(sarrus("run @fourbar.yaml --end 1"), 0);
  r = sarrus("run @fourbar.yaml --formulation aba");
  expect_status_of(r, 2);
  expect_has(r->err, "open trees only");
}

static void coordinates_can_be_chosen(void** state) {
  (void)state;
  const Result* r = sarrus("info @pendulum.yaml --json");
  expect_status_of(r, 0);
  expect_has(r->out, "\"coordinates\": \"relative\"");
  expect_has(r->out, "\"nv\": 1");
  r = sarrus("info @pendulum.yaml --coordinates absolute --json");
  expect_status_of(r, 0);
  expect_has(r->out, "\"coordinates\": \"absolute\"");
  expect_has(r->out, "\"nv\": 6");
  expect_has(r->out, "\"hinge\"");
}

static void plots_are_pictures(void** state) {
  (void)state;
  if (system("command -v gnuplot >/dev/null 2>&1") != 0) skip();
  expect_status_of(sarrus("run @pendulum.yaml --out @p.csv"), 0);
  const Result* r = sarrus("plot @p.csv -o @p.png");
  expect_status_of(r, 0);
  expect_has(r->out, "p.png");
  char path[200], head[64];
  snprintf(path, sizeof path, "%s/p.png", program_folder);
  read_all(path, head, sizeof head);
  assert_memory_equal(head, "\x89PNG", 4);
  expect_status_of(sarrus("plot @p.csv -c 'hinge.*' -o @p.svg"), 0);
  snprintf(path, sizeof path, "%s/p.svg", program_folder);
  read_all(path, head, sizeof head);
  expect_has(head, "<?xml");
  r = sarrus("plot @p.csv -c 'nothing*' -o @p.png");
  expect_status_of(r, 2);
  expect_has(r->err, "hinge.q");
}

static void lists_name_everything(void** state) {
  (void)state;
  const Result* r = sarrus("list");
  expect_status_of(r, 0);
  expect_has(r->out, "revolute");
  expect_has(r->out, "dopri5");
  expect_has(r->out, "spring_damper");
  r = sarrus("list forces --full");
  expect_status_of(r, 0);
  expect_has(r->out, "(default ground)");
  expect_has(r->out, "example: {spring_damper: [[a, ");
  r = sarrus("list joints --full");
  expect_status_of(r, 0);
  expect_has(r->out, "breakaway       dry friction at rest");
  expect_has(r->out, "rotor           {inertia, ratio, axis, on}");
  expect_has(sarrus("list joints --json")->out, "\"joint_keys\": [");
  r = sarrus("list constraints --json");
  expect_status_of(r, 0);
  expect_has(r->out, "\"example\": \"{gear: [turning, turning2]");
  expect_status_of(sarrus("list jonts"), 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(help_and_version_are_status_0),
      cmocka_unit_test(man_and_completions_name_every_command),
      cmocka_unit_test(wrong_usage_is_status_2_with_a_suggestion),
      cmocka_unit_test(a_wrong_model_is_status_3_and_all_errors_are_told),
      cmocka_unit_test(names_in_the_simulation_block_are_checked),
      cmocka_unit_test(check_prints_one_document_for_several_models),
      cmocka_unit_test(run_prints_the_promised_json),
      cmocka_unit_test(a_run_that_loses_its_energy_says_so),
      cmocka_unit_test(energy_from_nowhere_is_status_4),
      cmocka_unit_test(limits_are_shown_and_leaving_them_is_told),
      cmocka_unit_test(results_land_on_the_output_times),
      cmocka_unit_test(set_changes_a_parameter),
      cmocka_unit_test(set_takes_expressions_and_paths_may_be_several),
      cmocka_unit_test(an_interrupted_run_keeps_its_results),
      cmocka_unit_test(failing_numerics_are_status_4_and_keep_the_results),
      cmocka_unit_test(loops_are_described_and_run),
      cmocka_unit_test(coordinates_can_be_chosen),
      cmocka_unit_test(plots_are_pictures),
      cmocka_unit_test(lists_name_everything),
  };
  return cmocka_run_group_tests(tests, begin, program_end);
}
