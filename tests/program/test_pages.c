// Pages of the manual run as they stand: each line of a block "```sh" that begins with "sarrus" is
// run in a folder where `examples` is that of the source tree, and those that make files with
// printf. Only ends are nearer. What serves for ever is left out.
#include "support/program.h"

#include <unistd.h>

enum { LINE = 1000, PAGE = 1 << 16 };

static const char* const pages[] = {"desktop-to-real-time", "coupling"};

static bool begins(const char* line, const char* with) {
  return strncmp(line, with, strlen(with)) == 0;
}

// Without the comment, the '&' at the end, and what follows.
static void cut(char* line) {
  char* comment = strstr(line, "  #");
  if (comment) *comment = 0;
  for (size_t n = strlen(line); n > 0 && strchr(" &\n", line[n - 1]); n--) line[n - 1] = 0;
}

// "... --end 60 ..." -> "... --end 0.2 ...", or at the end where there is none.
static void come_to_an_end(const char* line, char* out) {
  const char* end = strstr(line, "--end ");
  if (!end) {
    snprintf(out, LINE, "%s --end 0.2", line);
    return;
  }
  const char* rest = end + strlen("--end ");
  snprintf(out, LINE, "%.*s--end 0.2%s", (int)(end - line), line, rest + strcspn(rest, " "));
}

static bool is_there(const char* program) {
  char command[100];
  snprintf(command, sizeof command, "command -v %s >/dev/null", program);
  return system(command) == 0;
}

static int run(const char* page, char* line) {
  char command[LINE + 400], ended[LINE];
  cut(line);
  if (begins(line, "printf ")) {
    snprintf(command, sizeof command, "cd %s && %s", program_folder, line);
    if (system(command) != 0) fail_msg("%s: %s", page, line);
    return 0;
  }
  if (!begins(line, "sarrus ") || begins(line, "sarrus view") || strstr(line, "--forever"))
    return 0;
  if (strstr(line, "--plot") && !is_there("gnuplot")) return 0;
  come_to_an_end(line, ended);
  snprintf(command, sizeof command,
           "cd %s && PATH=" SARRUS_BINARY_DIR ":$PATH && %s --force >out 2>err", program_folder,
           ended);
  const int status = system(command);
  if (WEXITSTATUS(status) != 0) {
    static char err[8000], path[300];
    snprintf(path, sizeof path, "%s/err", program_folder);
    read_all(path, err, sizeof err);
    fail_msg("docs/%s.md: %s\nends with status %d\n%s", page, ended, WEXITSTATUS(status), err);
  }
  return 1;
}

static void every_command_works(void** state) {
  (void)state;
  char command[600];
  snprintf(command, sizeof command, "ln -s %s/examples %s/examples", SARRUS_SOURCE_DIR,
           program_folder);
  assert_int_equal(system(command), 0);
  for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
    static char text[PAGE];
    char path[300], line[LINE];
    int commands = 0;
    bool in = false;
    snprintf(path, sizeof path, "%s/docs/%s.md", SARRUS_SOURCE_DIR, pages[i]);
    read_all(path, text, sizeof text);
    for (const char* at = text; *at; at += strcspn(at, "\n") + 1) {
      snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
      if (begins(line, "```"))
        in = begins(line, "```sh");
      else if (in)
        commands += run(pages[i], line);
      if (!strchr(at, '\n')) break;
    }
    if (commands < 4) fail_msg("docs/%s.md: %d commands", pages[i], commands);
    print_message("docs/%s.md: %d commands\n", pages[i], commands);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_command_works)};
  return cmocka_run_group_tests(tests, program_begin, program_end);
}
