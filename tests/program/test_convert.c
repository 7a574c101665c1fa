// sarrus convert: what it prints, how it ends, and that it leaves alone what is there.
#include "support/program.h"

static const char model[] =
    "sarrus: 1\n"
    "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
    "joints: {j: {revolute: [ground, a], axis: y}}\n"
    "forces: {pull: {force: a, value: [0, 0, 1]}}\n";

static void losses_are_told_and_strict_refuses(void** state) {
  (void)state;
  write_file("m.yaml", model);
  const Result* r = expect_status_of(sarrus("convert @m.yaml @m.xml"), 0);
  expect_has(r->err, "m.yaml:4:10: lost: force 'pull' (force)");
  expect_has(r->out, "mjcf, 1 thing lost");
  expect_status_of(sarrus("check @m.xml"), 0);
  expect_status_of(sarrus("convert @m.yaml @n.urdf --strict"), 3);
  expect_status_of(sarrus("check @n.urdf"), 2);  // it was not written
  r = expect_status_of(sarrus("convert @m.yaml @n.urdf --strict --json"), 3);
  expect_has(r->out, "\"written\": false");
  expect_has(r->out, "\"line\": 4");
  expect_status_of(sarrus("convert @m.yaml @n.yaml --strict"), 0);
}

static void what_is_there_stays(void** state) {
  char path[200], text[512];
  (void)state;
  write_file("m.yaml", model);
  write_file("old.urdf", "mine\n");
  snprintf(path, sizeof path, "%s/old.urdf", program_folder);
  expect_has(expect_status_of(sarrus("convert @m.yaml @old.urdf"), 2)->err,
             "there is a file of that name");
  read_all(path, text, sizeof text);
  assert_string_equal(text, "mine\n");
  expect_status_of(sarrus("convert @m.yaml @old.urdf --force"), 0);
  read_all(path, text, sizeof text);
  expect_has(text, "<robot");
}

static void wrong_models_and_formats_are_refused(void** state) {
  (void)state;
  write_file("m.yaml", model);
  write_file("bad.yaml", "sarrus: 1\nbodies: {a: {mass: -1}}\n");
  expect_status_of(sarrus("convert @bad.yaml @b.urdf"), 3);
  expect_status_of(sarrus("convert @m.yaml @b.obj"), 2);
  expect_status_of(sarrus("convert @m.yaml @b.obj --to-format urdf"), 0);
  expect_status_of(sarrus("convert @none.yaml @c.urdf"), 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(losses_are_told_and_strict_refuses),
      cmocka_unit_test(what_is_there_stays),
      cmocka_unit_test(wrong_models_and_formats_are_refused),
  };
  return cmocka_run_group_tests(tests, program_begin, program_end);
}
