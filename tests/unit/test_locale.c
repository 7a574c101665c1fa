// A host program in a locale with a decimal comma: what the library reads and says is the same.
#include "support/test.h"

#include "base/print.h"
#include "base/text.h"

#include <locale.h>
#include <unistd.h>

static char folder[] = "/tmp/sarrus-locale-XXXXXX";

// German, of the system or made here; false: there is no way to have it.
static bool speak_german(void) {
  char command[300];
  if (setlocale(LC_ALL, "de_DE.UTF-8")) return true;
  if (!mkdtemp(folder)) return false;
  snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >/dev/null 2>&1",
           folder);
  if (system(command) != 0) return false;
  setenv("LOCPATH", folder, 1);
  return setlocale(LC_ALL, "de_DE.UTF-8") != NULL;
}

static int tidy(void** state) {
  (void)state;
  char command[100];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  return access(folder, F_OK) == 0 ? system(command) : 0;
}

static const char good[] =
    "sarrus: 1\nparameters: {L: 0.5}\nbodies: {rod: {rod: [[0, 0, 0], [0, 0, -L]], mass: 1.25}}\n"
    "joints: {hinge: {revolute: [ground, rod], axis: y, position: 12.5 deg, damping: 1e-1}}\n"
    "simulation: {end: 1.5}\n";
// messages with numbers in them
static const char* const bad[] = {
    "sarrus: 1\nbodies: {a: {sphere: -0.25, mass: 1}}\n",
    "sarrus: 1\nbodies: {a: {sphere: 0.25, mass: 1}}\nsimulation: {end: 1.5e-300}\n",
    ("sarrus: 1\nbodies: {a: {sphere: 1, mass: 1}, b: {sphere: 1, mass: 1}}\njoints:\n  j: "
     "{revolute: [a, b], lower: 1.5, upper: -0.5}\n"),
    "sarrus: 1\nbodies: {a: {sphere: 1, mass: '1.5 +* 2'}}\n",
};

typedef struct Seen {
  SarStatus status[5];
  unsigned long long hash;
  char message[4][1200];
  char trouble[400];
} Seen;

static void look(Seen* seen) {
  SarError err;
  SarModel* m = NULL;
  SarData* d = NULL;
  SarSim* s = NULL;
  *seen = (Seen){0};
  sar_error_init(&err);
  EXPECT_OK_OR(sar_model_parse(good, strlen(good), "yaml", "m", NULL, &m, &err), &err);
  EXPECT_OK(sar_data_new(m, &d, &err));
  EXPECT_OK(sar_sim_new(m, d, NULL, &s, &err));
  EXPECT_OK(sar_advance(s, 0.75));
  seen->hash = sar_state_hash(d);
  sar_q(d)[0] = (double)NAN;
  seen->status[4] = sar_step(s);
  snprintf(seen->trouble, sizeof seen->trouble, "%s", sar_sim_trouble(s));
  sar_sim_free(s);
  sar_data_free(d);
  sar_model_free(m);
  for (int k = 0; k < 4; k++) {
    sar_error_init(&err);
    seen->status[k] = sar_model_parse(bad[k], strlen(bad[k]), "yaml", "m", NULL, &m, &err);
    sar_error_format(&err, 0, seen->message[k], sizeof seen->message[k]);
  }
}

static void a_decimal_comma_changes_nothing(void** state) {
  (void)state;
  static Seen plain, german;
  char text[32];
  look(&plain);
  if (!speak_german()) {
    print_message("no German locale here and none can be made: skipped\n");
    skip();
  }
  snprintf(text, sizeof text, "%g", 0.5);
  assert_string_equal(text, "0,5");  // the locale is what it should be
  look(&german);
  assert_true(plain.hash == german.hash);
  assert_string_equal(plain.trouble, german.trouble);
  for (int k = 0; k < 5; k++) assert_int_equal(plain.status[k], german.status[k]);
  for (int k = 0; k < 4; k++) {
    assert_int_equal(plain.status[k], SAR_BAD_MODEL);
    assert_string_equal(plain.message[k], german.message[k]);
  }
  double x = 0;
  assert_true(sar_text_to_double("0.125", 5, &x) && x == 0.125);
  assert_false(sar_text_to_double("0,125", 5, &x));
  sar_snprintf(text, sizeof text, "%.3f", 0.125);
  assert_string_equal(text, "0.125");
  snprintf(text, sizeof text, "%g", 0.5);
  assert_string_equal(text, "0,5");  // and the host program has its own back
  setlocale(LC_ALL, "C");
}

static void controls_are_shown(void** state) {
  (void)state;
  char out[32];
  assert_string_equal(sar_visible(out, sizeof out, "a\033[1m\tb"), "a\\x1b[1m\\x09b");
  assert_string_equal(sar_visible(out, sizeof out, "\xC2\x9b|\xC3\xA4|\xff|\x7f"),
                      "\\x9b|\xC3\xA4|\\xff|\\x7f");
  assert_string_equal(sar_visible(out, 4, "ab\xC3\xA4"), "ab");  // no half characters
  assert_string_equal(sar_visible(out, 5, "ab\xC3\xA4"), "ab\xC3\xA4");
  assert_string_equal(sar_visible(out, 5, "ab\033"), "ab");
  // surrogates, overlong forms, beyond the last character
  assert_true(sar_has_controls("\xED\xA0\x80") && sar_has_controls("\xC0\x80"));
  assert_true(sar_has_controls("\xF4\x90\x80\x80") && sar_has_controls("\xE2\x82"));
  assert_false(sar_has_controls("t\xE2\x82\xAC\n\t\xF0\x9F\x98\x80"));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_decimal_comma_changes_nothing),
                                     cmocka_unit_test(controls_are_shown)};
  return cmocka_run_group_tests(tests, NULL, tidy);
}
