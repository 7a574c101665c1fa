// Completions in the shells they are for: what is offered behind a part of a command line. bash is
// asked through the variables that it gives to completion functions, fish by its own question
// (complete -C), zsh by functions that print what they are called with. A shell that this machine
// does not have is left out with a word. The manual page has no warnings of the formatter.
#include "support/program.h"

typedef struct Case {
  const char *line, *offered, *not_offered;
} Case;

// What is offered for the last word.
static const Case CASES[] = {
    {"ru", "run", "plot"},
    {"run --outp", "--output-step", "--integrator"},
    {"run --js", "--json", "--out "},
    {"run --formulation lagr", "lagrange-dense", "hybrid"},
    {"run -f hyb", "hybrid", "lagrange"},
    {"compare arm.yaml --formulations qr,hyb", "qr,hybrid", "lagrange"},
    {"list forc", "forces", "joints"},
    {"help comp", "compare", "run"},
    {"run pend", "pendulum.yaml", "other.txt"},
};
enum { CASE_COUNT = sizeof CASES / sizeof *CASES };

static bool have(const char* program) {
  char command[64];
  snprintf(command, sizeof command, "command -v %s >/dev/null", program);
  return system(command) == 0;
}

// Standard output and errors of a script of a shell, run in the scratch folder with the program on
// its path.
static const char* run_script(const char* shell, const char* name, const char* text) {
  static char said[1 << 16];
  char command[600], path[200];
  write_file(name, text);
  snprintf(command, sizeof command, "cd %s && PATH=\"%s:$PATH\" HOME=%s %s %s >said 2>&1",
           program_folder, SARRUS_BINARY_DIR, program_folder, shell, name);
  const int status = system(command);
  snprintf(path, sizeof path, "%s/said", program_folder);
  read_all(path, said, sizeof said);
  if (status != 0) fail_msg("%s %s: status %d\n%s", shell, name, status, said);
  return said;
}

static void write_completion(const char* shell, const char* name) {
  char arguments[64];
  snprintf(arguments, sizeof arguments, "help --completion %s", shell);
  const Result* r = sarrus(arguments);
  expect_status_of(r, 0);
  write_file(name, r->out);
  write_file("pendulum.yaml", "");
  write_file("other.txt", "");
}

static void check_case(const char* shell, const Case* c, const char* said) {
  if (!strstr(said, c->offered))
    fail_msg("%s: sarrus %s: no %s in: %s", shell, c->line, c->offered, said);
  if (strstr(said, c->not_offered))
    fail_msg("%s: sarrus %s: offers %s: %s", shell, c->line, c->not_offered, said);
}

static void bash_offers_what_fits(void** state) {
  (void)state;
  if (!have("bash")) skip();
  write_completion("bash", "completion.bash");
  for (int i = 0; i < CASE_COUNT; i++) {
    char script[600];
    snprintf(script, sizeof script,
             ". ./completion.bash\nCOMP_WORDS=(sarrus %s)\nCOMP_CWORD=$((${#COMP_WORDS[@]} - "
             "1))\n_sarrus\n"
             "printf '%%s \\n' \"${COMPREPLY[@]}\"\n",
             CASES[i].line);
    check_case("bash", &CASES[i], run_script("bash", "ask.bash", script));
  }
}

static void fish_offers_what_fits(void** state) {
  (void)state;
  if (!have("fish")) skip();
  write_completion("fish", "completion.fish");
  for (int i = 0; i < CASE_COUNT; i++) {
    char script[600];
    snprintf(script, sizeof script,
             "source ./completion.fish\ncomplete -C 'sarrus %s' | cut -f 1\ntrue\n", CASES[i].line);
    check_case("fish", &CASES[i], run_script("fish --no-config", "ask.fish", script));
  }
}

// The functions of its completion system print what they are given.
static void zsh_is_told_what_fits(void** state) {
  (void)state;
  if (!have("zsh")) skip();
  write_completion("zsh", "_sarrus");
  static const char ask[] =
      "_describe() { print -rl -- ${(P)2} }\n_files() { print -r -- files }\n"
      "_arguments() { print -r -- \"$words[1] at $CURRENT\"; print -rl -- \"$@\" }\n"
      "words=(sarrus r) CURRENT=2\n. ./_sarrus\n"
      "words=(sarrus run --formulation lagr) CURRENT=4\n_sarrus\n"
      "words=(sarrus list f) CURRENT=3\n_sarrus\n";
  const char* said = run_script("zsh -f", "ask.zsh", ask);
  expect_has(said, "run:Simulate a model.");
  expect_has(said, "run at 3\n");
  expect_has(said, ":NAME:($(sarrus list formulations --names))");
  expect_has(said, "--json[");
  expect_has(said, "*:file:_files");
  expect_has(said, "*:word:(formulations");
}

static void manual_has_no_warnings(void** state) {
  (void)state;
  if (!have("groff")) skip();
  const Result* r = sarrus("help --man");
  expect_status_of(r, 0);
  write_file("sarrus.1", r->out);
  const char* said = run_script("sh", "man.sh", "groff -man -Tutf8 -ww -z sarrus.1\n");
  assert_string_equal(said, "");
  expect_has(r->out, ".SH EXIT STATUS");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bash_offers_what_fits),
      cmocka_unit_test(fish_offers_what_fits),
      cmocka_unit_test(zsh_is_told_what_fits),
      cmocka_unit_test(manual_has_no_warnings),
  };
  return cmocka_run_group_tests(tests, program_begin, program_end);
}
