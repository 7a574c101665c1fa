// No command overwrites what it reads: every command that writes, every kind of input, every way to
// name it (its own name, a symbolic link, a hard link). --force replaces it, and only when all went
// well.
#include "support/program.h"

#include <sys/stat.h>
#include <unistd.h>

static const char model[] =
    "sarrus: 1\n"
    "include: [part.yaml]\n"
    "tables: {c: {file: c.csv, columns: [x, y]}}\n"
    "bodies: {a: {mass: 1, inertia: [1, 1, 1], contact: {hull: h.obj}, at: [0, 0, 9]}}\n"
    "joints: {j: {revolute: [ground, a], axis: y, stiffness: 1}}\n"
    "constraints: {d: {motion: j, value: \"0.1*t + 0*table(t, c)\"}}\n"
    "simulation: {end: 0.01}\n";

static const char* const inputs[][2] = {
    {"m.yaml", model},
    {"part.yaml", "sarrus: 1\nparameters: {unused: 1}\n"},
    {"c.csv", "x,y\n0,0\n1,1\n"},
    {"h.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"}};
enum { INPUTS = sizeof inputs / sizeof *inputs };

static void put_inputs(void) {
  for (int i = 0; i < INPUTS; i++) write_file(inputs[i][0], inputs[i][1]);
}

static void expect_untouched(const char* what) {
  char path[200], text[2048];
  for (int i = 0; i < INPUTS; i++) {
    snprintf(path, sizeof path, "%s/%s", program_folder, inputs[i][0]);
    read_all(path, text, sizeof text);
    if (strcmp(text, inputs[i][1]) != 0) fail_msg("%s overwrote %s", what, inputs[i][0]);
  }
}

// `name` stands for the input; hard: by a hard link, else a symbolic one
static void make_link(const char* input, const char* name, bool hard) {
  char from[200], to[200];
  snprintf(from, sizeof from, "%s/%s", program_folder, input);
  snprintf(to, sizeof to, "%s/%s", program_folder, name);
  unlink(to);
  assert_int_equal(hard ? link(from, to) : symlink(from, to), 0);
}

static const struct {
  const char *command, *ending;
} commands[] = {
    {"run @m.yaml --out @%s", "csv"},
    {"run @m.yaml --contacts @%s", "csv"},
    {"run @m.yaml --out @%s", "h5"},
    {"kinematics @m.yaml --out @%s", "csv"},
    {"inverse @m.yaml --out @%s", "csv"},
    {"static @m.yaml --out @%s", "csv"},
    {"modes @m.yaml --out @%s", "csv"},
    {"plot @m.yaml --out @%s", "png"},
    {"convert @m.yaml @%s", "yaml"},
    {"linearize @m.yaml --out @%s", "csv"},
    {"sweep @m.yaml --vary unused=1,2 --out @%s", "csv"},
    {"sweep @m.yaml --vary unused=1,2 --failures @%s", "csv"},
    {"sweep @m.yaml --vary unused=1,2 --journal @%s", "journal"},
    {"optimize @m.yaml --minimize 'max(j.q)' --over unused=1:2 --journal @%s", "journal"},
    {"run @m.yaml --save @%s", "state"},
    {"export @m.yaml --out @%s", "fmu"},
#ifdef SARRUS_HAVE_CAIRO
    {"plot @m.yaml --motion --out @%s", "svg"},
#endif
    {"compare @m.yaml -f impulse -i moreau -s 1e-3 --reference none --plot @%s", "png"}};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void no_command_overwrites_an_input(void** state) {
  (void)state;
  for (int c = 0; c < COMMANDS; c++)
    for (int i = 0; i < INPUTS; i++)
      for (int hard = 0; hard < 2; hard++) {
        char name[32], arguments[200];
        put_inputs();
        snprintf(name, sizeof name, "link.%s", commands[c].ending);
        make_link(inputs[i][0], name, hard);
        snprintf(arguments, sizeof arguments, commands[c].command, name);
        const Result* r = sarrus(arguments);
        expect_untouched(arguments);
        // a command that writes nothing of the kind, or not in this build
        if (strstr(r->err, "no option") || strstr(r->err, "it was made without")) continue;
        if (r->status == 0 || !strstr(r->err, "one of the files that are read"))
          fail_msg("%s (%s): status %d, %s", arguments, inputs[i][0], r->status, r->err);
      }
  put_inputs();
  expect_status_of(sarrus("run @m.yaml --out @c.csv"), 2);
  expect_untouched("run");
}

static void two_outputs_need_two_files(void** state) {
  (void)state;
  put_inputs();
  const Result* r = sarrus("run @m.yaml --out @o.csv --contacts @o.csv");
  expect_status_of(r, 2);
  expect_has(r->err, "two results cannot be written to one file");
  write_file("old.csv", "old\n");
  make_link("old.csv", "same.csv", false);
  expect_status_of(sarrus("run @m.yaml --out @old.csv --contacts @same.csv"), 2);
  char folder[300];
  snprintf(folder, sizeof folder, "%s/folder", program_folder);
  mkdir(folder, 0700);
  expect_status_of(sarrus("run @m.yaml --out @n.csv --contacts @folder/../n.csv"), 2);
  expect_status_of(sarrus("run @m.yaml --out @o.csv --contacts @p.csv"), 0);
}

// Into a folder that holds links to what is read, under the names of the files that are made.
static void generated_files_replace_links(void** state) {
  (void)state;
  static const char* const NAME[] = {"generated/plain.c", "generated/plain.h",
                                     "generated/README.md"};
  char folder[300];
  snprintf(folder, sizeof folder, "%s/generated", program_folder);
  mkdir(folder, 0700);
  put_inputs();
  write_file("plain.yaml",
             "sarrus: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
             "joints: {j: {revolute: [ground, a], axis: y}}\n");
  for (int hard = 0; hard < 2; hard++) {
    for (int i = 0; i < 3; i++) make_link(inputs[i][0], NAME[i], hard);
    expect_status_of(sarrus("generate @plain.yaml --out @generated"), 2);
    expect_untouched("generate");
    expect_status_of(sarrus("generate @plain.yaml --out @generated --force"), 0);
    expect_untouched("generate --force");
  }
}

static void force_replaces_what_is_read(void** state) {
  (void)state;
  put_inputs();
  make_link("part.yaml", "link.csv", false);
  expect_status_of(sarrus("run @m.yaml --out @link.csv --force"), 0);
  expect_untouched("a link that was replaced");
  SarTable t = read_table("link.csv");
  assert_true(t.rows > 1);
  sar_table_clear(&t);
  expect_status_of(sarrus("run @m.yaml --out @c.csv --force"), 0);
  t = read_table("c.csv");
  assert_true(t.columns > 2);
  sar_table_clear(&t);
}

static void a_failed_run_leaves_the_old_file(void** state) {
  (void)state;
  put_inputs();
  write_file("bad.yaml",
             "sarrus: 1\ngravity: [0, 0, 0]\ntables: {c: {file: c.csv, columns: [x, y]}}\n"
             "bodies: {m: {sphere: 0.1, mass: 1}}\njoints: {s: {prismatic: [ground, m], axis: x, "
             "position: 1, force: 'exp(s.q) + table(t, c)'}}\n"
             "simulation: {end: 100, integrator: rk4, step: 0.01, output_step: 0.1}\n");
  expect_status_of(sarrus("run @bad.yaml --out @c.csv --force"), 4);
  expect_untouched("a failed run");
}

// Loops that cannot be closed are found when the run begins: results that are there stay.
static void a_run_that_cannot_begin_leaves_the_old_results(void** state) {
  (void)state;
  char path[200], text[200];
  write_file("open.yaml",
             "sarrus: 1\nbodies: {a: {rod: [[0, 0, 0], [1, 0, 0]], mass: 1}}\n"
             "joints: {j: {revolute: [ground, a], at: [0, 0, 0], axis: y}}\n"
             "constraints: {r: {rod: [ground, [a, [1, 0, 0]]], length: 5}}\n");
  write_file("old.csv", "time,a\n0,1\n");
  write_file("points.csv", "time,a\n0,1\n");
  expect_status_of(sarrus("run @open.yaml --out @old.csv --contacts @points.csv"), 3);
  for (int i = 0; i < 2; i++) {
    snprintf(path, sizeof path, "%s/%s", program_folder, i ? "points.csv" : "old.csv");
    read_all(path, text, sizeof text);
    assert_string_equal(text, "time,a\n0,1\n");
  }
}

// What cannot be written is told before the run, also the state that comes at its end.
static void folders_that_are_not_there_are_told_at_once(void** state) {
  (void)state;
  static const char* const what[] = {"out", "contacts", "save"};
  char line[200];
  write_file("long.yaml",
             "sarrus: 1\nbodies: {a: {rod: [[0, 0, 0], [1, 0, 0]], mass: 1}}\n"
             "joints: {j: {revolute: [ground, a], axis: y}}\nsimulation: {end: 1e9}\n");
  for (int i = 0; i < 3; i++) {
    snprintf(line, sizeof line, "run @long.yaml --%s @no_such_folder/x.csv", what[i]);
    const Result* r = expect_status_of(sarrus(line), 2);
    expect_has(r->err, "no_such_folder/x.csv: error: cannot be written: No such file");
    assert_string_equal(r->out, "");
  }
}

static int begin(void** state) {
  int status = program_begin(state);
  put_inputs();
  return status;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_command_overwrites_an_input),
      cmocka_unit_test(two_outputs_need_two_files),
      cmocka_unit_test(generated_files_replace_links),
      cmocka_unit_test(force_replaces_what_is_read),
      cmocka_unit_test(a_failed_run_leaves_the_old_file),
      cmocka_unit_test(a_run_that_cannot_begin_leaves_the_old_results),
      cmocka_unit_test(folders_that_are_not_there_are_told_at_once),
  };
  return cmocka_run_group_tests(tests, begin, program_end);
}
