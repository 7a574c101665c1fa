// Joints that begin beyond their limits are told, with the place and the numbers of the file.
#include "support/test.h"

#include "sarrus/sarrus.h"

static SarError err;

static int warnings_of(const char* joints) {
  char text[600];
  SarModel* m = NULL;
  snprintf(text, sizeof text,
           "sarrus: 1\n"
           "bodies:\n"
           "  a: {mass: 1, inertia: [1, 1, 1]}\n"
           "  b: {mass: 1, inertia: [1, 1, 1]}\n"
           "joints:\n%s",
           joints);
  sar_error_init(&err);
  EXPECT_OK(sar_model_parse(text, strlen(text), "yaml", "m.yaml", NULL, &m, &err));
  sar_model_free(m);
  return err.count;
}

static void starts_beyond_limits_are_told(void** state) {
  (void)state;
  assert_int_equal(warnings_of("  j: {revolute: [ground, a], axis: z, lower: -10 deg, upper: 1}\n"
                               "  k: {prismatic: [a, b], axis: x, lower: -2, upper: 2,\n"
                               "      position: -2.5}\n"),
                   1);
  assert_int_equal(err.items[0].line, 8);
  assert_string_equal(err.items[0].text,
                      "joint 'k': it begins at -2.5, beyond its limits -2 to 2: methods that "
                      "enforce them push it back");
}

// The tree may take a joint the other way round: numbers are those of the file.
static void reversed_joints_keep_their_numbers(void** state) {
  (void)state;
  assert_int_equal(warnings_of("  j: {revolute: [a, ground], axis: z, lower: 0.5, upper: 3}\n"
                               "  k: {prismatic: [b, a], axis: x, lower: 1, upper: 2,\n"
                               "      position: 3}\n"),
                   2);
  assert_non_null(strstr(err.items[0].text, "begins at 0, beyond its limits 0.5 to 3"));
  assert_non_null(strstr(err.items[1].text, "begins at 3, beyond its limits 1 to 2"));
}

static void starts_within_limits_are_not(void** state) {
  (void)state;
  assert_int_equal(warnings_of("  j: {planar: [ground, a], axis: z, lower: 0, upper: [0, 1, 2]}\n"
                               "  k: {spherical: [a, b], position: [0, 0, 3]}\n"),
                   0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(starts_beyond_limits_are_told),
      cmocka_unit_test(reversed_joints_keep_their_numbers),
      cmocka_unit_test(starts_within_limits_are_not),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
