// The tutorials run as they stand: every page of docs/tutorials and docs/coming-from is gone
// through from top to bottom. A block "```yaml NAME.yaml" or "```xml NAME.xml" becomes a file; in a
// block "```console" each line "$ sarrus ..." is run among those files, and what stands below it is
// what the program prints: words as they are, numbers to 1 %, "..." for the rest of a line or for
// lines in between. Other programs of the block (cat, cc) are not run.
#include "support/program.h"

#include <dirent.h>
#include <unistd.h>

enum { LINE = 512, PAGE = 1 << 16 };

typedef struct Page {
  const char* name;
  char text[PAGE];
  int commands, files;
} Page;

static bool begins(const char* line, const char* with) {
  return strncmp(line, with, strlen(with)) == 0;
}

// One line at *at, without its end, and on to the next; false at the end.
static bool take_line(const char** at, char* line) {
  if (!**at) return false;
  const size_t n = strcspn(*at, "\n");
  snprintf(line, LINE, "%.*s", (int)n, *at);
  *at += n + ((*at)[n] == '\n');
  return true;
}

// ---- what is printed ----------------------------------------------------------------------------

static bool same_number(const char* a, const char* b) {
  char *end_a, *end_b;
  const double x = strtod(a, &end_a), y = strtod(b, &end_b);
  if (end_a == a || end_b == b || strcmp(end_a, end_b) != 0) return false;
  return fabs(x - y) <= 0.01 * fabs(x) + 1e-9;
}

// Word by word.
static bool same_line(const char* expected, const char* found) {
  for (;;) {
    char a[LINE] = "", b[LINE] = "";
    int used_a = 0, used_b = 0;
    sscanf(expected, "%511s%n", a, &used_a);
    sscanf(found, "%511s%n", b, &used_b);
    if (strcmp(a, "...") == 0) return true;
    if (strcmp(a, b) != 0 && !same_number(a, b)) return false;
    if (!a[0]) return true;
    expected += used_a, found += used_b;
  }
}

// The lines of a block from *at to the next command or its end, found in the output in this order.
static void expect_output(const Page* p, const char* command, const char** at, const char* out) {
  char expected[LINE], found[LINE];
  bool skip = false;
  for (const char* next = *at; take_line(&next, expected); *at = next) {
    if (begins(expected, "```") || begins(expected, "$ ")) return;
    if (strcmp(expected, "...") == 0) {
      skip = true;
      continue;
    }
    bool good = false;
    do {
      if (!take_line(&out, found))
        fail_msg("%s: %s\ndoes not print\n%s", p->name, command, expected);
      good = same_line(expected, found);
    } while (!good && skip);
    if (!good) fail_msg("%s: %s\nprints  %s\nand not %s", p->name, command, found, expected);
    skip = false;
  }
}

// ---- a page -------------------------------------------------------------------------------------

static void write_model(Page* p, const char* name, const char** at) {
  char path[256], line[LINE];
  snprintf(path, sizeof path, "%s/%.100s", program_folder, name);
  FILE* f = fopen(path, "w");
  assert_non_null(f);
  while (take_line(at, line) && !begins(line, "```")) fprintf(f, "%s\n", line);
  fclose(f);
  p->files++;
}

static void run_block(Page* p, const char** at) {
  char line[LINE];
  while (take_line(at, line) && !begins(line, "```")) {
    if (!begins(line, "$ sarrus ")) continue;
    char here[PATH_MAX];
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(program_folder), 0);
    const Result* r = sarrus(line + strlen("$ sarrus "));
    assert_int_equal(chdir(here), 0);
    static char both[sizeof r->out + sizeof r->err];
    snprintf(both, sizeof both, "%s%s", r->err, r->out);
    if (r->status != 0) fail_msg("%s: %s\nends with status %d\n%s", p->name, line, r->status, both);
    expect_output(p, line, at, both);
    p->commands++;
  }
}

static void go_through(Page* p) {
  char line[LINE];
  const char* at = p->text;
  while (take_line(&at, line)) {
    if (begins(line, "```yaml ") || begins(line, "```xml "))
      write_model(p, strchr(line, ' ') + 1, &at);
    else if (begins(line, "```console"))
      run_block(p, &at);
  }
}

// How many pages the folder has.
static int go_through_folder(const char* name) {
  static Page page;
  int pages = 0;
  DIR* folder = opendir(name);
  assert_non_null(folder);
  for (struct dirent* e; (e = readdir(folder));) {
    const char* dot = strrchr(e->d_name, '.');
    char path[512];
    if (!dot || strcmp(dot, ".md") != 0 || strcmp(e->d_name, "README.md") == 0) continue;
    snprintf(path, sizeof path, "%s/%s", name, e->d_name);
    page = (Page){.name = e->d_name};
    read_all(path, page.text, sizeof page.text);
    go_through(&page);
    if (page.commands < 1 || page.files < 1)
      fail_msg("%s: %d commands and %d files", page.name, page.commands, page.files);
    pages++;
  }
  closedir(folder);
  return pages;
}

static void every_tutorial_runs(void** state) {
  (void)state;
  assert_true(go_through_folder("docs/tutorials") >= 11);
}

// One for each program that people come from.
static void every_page_of_a_peer_runs(void** state) {
  (void)state;
  assert_true(go_through_folder("docs/coming-from") >= 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_tutorial_runs),
                                     cmocka_unit_test(every_page_of_a_peer_runs)};
  return cmocka_run_group_tests(tests, program_begin, program_end);
}
