// adjust: other values for joints that are there, by name or by pattern.
#include "support/test.h"

#include "base/text.h"

#include <stdlib.h>
#include <time.h>

static SarError err;

static SarModel* compiled(const char* text) {
  SarModel* m = NULL;
  sar_error_init(&err);
  sar_model_parse(
      text, strlen(text), "yaml", "m.yaml",
      &(SarLoadOptions){.search_paths = (const char*[]){SARRUS_SOURCE_DIR "/tests/reference/tree"},
                        .search_path_count = 1},
      &m, &err);
  return m;
}

static void check_start(const SarModel* m, const char* joint, double q, double v) {
  SarData* d = NULL;
  double is_q = 0, is_v = 0;
  EXPECT_OK(sar_data_new(m, &d, NULL));
  EXPECT_OK(sar_joint_get(d, sar_model_find(m, SAR_ITEM_JOINT, joint), &is_q, &is_v));
  EXPECT_NEAR(is_q, q, 0);
  EXPECT_NEAR(is_v, v, 0);
  sar_data_free(d);
}

static void check_message(int i, const char* message) {
  char is[1024];
  if (i >= err.count) fail_msg("there are %d messages only", err.count);
  assert_string_equal(sar_error_format(&err, i, is, sizeof is), message);
}

#define ARM                                                                          \
  "bodies: {a: {sphere: 1, mass: 1}, b: {sphere: 1, mass: 1}, c: {sphere: 1, mass: " \
  "1}}\njoints:\n  left: {revolute: [ground, a], position: 9, speed: 9}\n"           \
  "  right: {revolute: [ground, b]}\n  weld: {fixed: [b, c]}\n"

static void values_reach_joints_by_name_and_by_pattern(void** state) {
  (void)state;
  // the section may stand before the joints; * passes over the weld; the later entry wins
  SarModel* m = compiled(
      "sarrus: 1\nparameters: {p: 2}\nadjust:\n  '*': {position: p + 1, speed: 5}\n"
      "  r?g*: {position: 4}\n" ARM);
  assert_non_null(m);
  check_start(m, "left", 3, 5);
  check_start(m, "right", 4, 5);
  sar_model_free(m);
}

static void what_is_not_named_stays(void** state) {
  (void)state;
  SarModel* m = compiled("sarrus: 1\nadjust: {left: {damping: 1}}\n" ARM);
  assert_non_null(m);
  check_start(m, "left", 9, 9);
  sar_model_free(m);
  m = compiled("sarrus: 1\nadjust:\n" ARM);
  assert_non_null(m);
  check_start(m, "left", 9, 9);
  sar_model_free(m);
}

static void joints_of_an_included_robot_are_adjusted(void** state) {
  (void)state;
  SarModel* m = compiled(
      "sarrus: 1\ninclude: [{file: puma6.urdf, prefix: l_}, {file: puma6.urdf, prefix: r_}]\n"
      "parameters: {bent: 0.5}\nadjust: {'l_*': {position: bent, force: -3 * t}}\n");
  assert_non_null(m);
  for (int j = 0; j < sar_model_count(m, SAR_ITEM_JOINT); j++) {
    const char* name = sar_model_name(m, SAR_ITEM_JOINT, j);
    SarJointInfo info;
    EXPECT_OK(sar_joint_info(m, j, &info));
    if (info.nv == 1) check_start(m, name, name[0] == 'l' ? 0.5 : 0, 0);
  }
  sar_model_free(m);
}

static void mistakes_are_told_with_their_place(void** state) {
  (void)state;
  assert_null(
      compiled("sarrus: 1\nadjust:\n  lefd: {position: 1}\n  left: {positon: 1}\n  x*: {}\n"
               "  weld: {damping: 1}\n  right: {position: [1, 2]}\n" ARM));
  check_message(0, "m.yaml:3:3: error: adjust: there is no joint 'lefd' (did you mean 'left'?)");
  check_message(1,
                "m.yaml:4:10: error: adjust 'left': no key 'positon' (did you mean 'position'?)");
  check_message(2,
                "m.yaml:5:3: error: adjust: there is no joint 'x*' (expected left, right, weld)");
  assert_string_equal(strstr(err.items[3].text, "joint 'weld'"), err.items[3].text);
  assert_int_equal(err.items[3].line, 6);
  assert_int_equal(err.items[4].line, 7);
  assert_int_equal(err.count, 5);
  assert_null(compiled("sarrus: 1\nadjust: [left]\n" ARM));
  check_message(0,
                "m.yaml:2:9: error: adjust: expected a mapping {joint: {position: ..., ...}, ...}, "
                "found a list of 1");
}

static void patterns_match_as_in_a_shell(void** state) {
  (void)state;
  assert_true(sar_text_matches("elbow", "elbow"));
  assert_true(sar_text_matches("l_elbow", "*elbow"));
  assert_true(sar_text_matches("elbow_1", "elbow*"));
  assert_true(sar_text_matches("l_elbow_1", "?_*ow_?"));
  assert_true(sar_text_matches("abcabd", "*abd"));
  assert_true(sar_text_matches("", "*"));
  assert_false(sar_text_matches("elbow", "elbo"));
  assert_false(sar_text_matches("elbow", "elbow?"));
  assert_false(sar_text_matches("abc", "*abd"));
  assert_false(sar_text_matches("", "?"));
  // many stars on a text that does not fit: quadratic, not exponential
  char text[2001];
  memset(text, 'a', 2000);
  text[2000] = '\0';
  assert_false(sar_text_matches(text, "*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b"));
}

// As many entries as joints: each is looked at once.
static void many_names_take_time_by_their_number(void** state) {
  (void)state;
  const int n = 40000;
  const size_t size = 200 * (size_t)n;
  char* text = malloc(size);
  assert_non_null(text);
  size_t at = (size_t)snprintf(text, size, "sarrus: 1\noutputs: [energy]\nbodies:\n");
  for (int i = 0; i < n; i++)
    at += (size_t)snprintf(text + at, size - at, "  b%d: {sphere: 1, mass: 1}\n", i);
  at += (size_t)snprintf(text + at, size - at, "joints:\n");
  for (int i = 0; i < n; i++)
    at += (size_t)snprintf(text + at, size - at, "  j%d: {revolute: [ground, b%d]}\n", i, i);
  at += (size_t)snprintf(text + at, size - at, "adjust:\n");
  for (int i = n - 1; i >= 0; i--)
    at += (size_t)snprintf(text + at, size - at, "  j%d: {position: %d}\n", i, i);
  const clock_t before = clock();
  SarModel* m = compiled(text);
  const double took = (double)(clock() - before) / CLOCKS_PER_SEC;
  assert_non_null(m);
  check_start(m, "j39999", 39999, 0);
  check_start(m, "j17", 17, 0);
  sar_model_free(m);
  free(text);
#ifndef SARRUS_TEST_SANITIZED
  if (took > 5) fail_msg("%d entries took %g s", n, took);
#else
  (void)took;
#endif
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_reach_joints_by_name_and_by_pattern),
      cmocka_unit_test(what_is_not_named_stays),
      cmocka_unit_test(joints_of_an_included_robot_are_adjusted),
      cmocka_unit_test(mistakes_are_told_with_their_place),
      cmocka_unit_test(patterns_match_as_in_a_shell),
      cmocka_unit_test(many_names_take_time_by_their_number),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
