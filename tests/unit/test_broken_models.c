// Every file of tests/models/broken says in its first lines what must be said about it:
//   # expect: LINE:COLUMN: part of the message | part of the hint
// All of it, in this order, and nothing else; each message with its place, and with a hint or
// what was expected.
#include "support/folder.h"

#include <stdlib.h>

#define FOLDER SARRUS_SOURCE_DIR "/tests/models/broken"

enum { MAX_FILES = 200, LONGEST = 1200 };

static char names[MAX_FILES][FOLDER_NAME];
static int count;

static int find_files(void** state) {
  (void)state;
  count = folder_models(FOLDER, names, MAX_FILES);
  return count ? 0 : -1;
}

typedef struct Expected {
  int line, column;
  char text[LONGEST], hint[LONGEST];
} Expected;

// The next line of the form above; false at the end of the file.
static bool next_expected(FILE* f, Expected* e) {
  char line[LONGEST];
  int begin = 0;
  while (fgets(line, sizeof line, f)) {
    if (sscanf(line, "# expect: %d:%d: %n", &e->line, &e->column, &begin) != 2) continue;
    line[strcspn(line, "\n")] = '\0';
    char* bar = strstr(line + begin, " | ");
    snprintf(e->hint, sizeof e->hint, "%s", bar ? bar + 3 : "");
    if (bar) *bar = '\0';
    snprintf(e->text, sizeof e->text, "%s", line + begin);
    return true;
  }
  return false;
}

static bool fits(const SarDiag* d, const Expected* e) {
  return d->line == e->line && d->column == e->column && strstr(d->text, e->text) &&
         strstr(d->hint, e->hint) && (e->hint[0] || !d->hint[0]);
}

// Returns how many mistakes there are in what is said about the file.
static int check_file(const char* name) {
  char path[512], message[LONGEST];
  int bad = 0, i = 0;
  snprintf(path, sizeof path, "%s/%.120s", FOLDER, name);
  SarError err;
  SarModel* m = NULL;
  sar_error_init(&err);
  SarStatus st = sar_model_load(path, NULL, &m, &err);
  if (st != SAR_BAD_MODEL || m) {
    print_error("%s: status %d (%s)\n", name, st, sar_status_text(st));
    bad++;
  }
  FILE* f = fopen(path, "r");
  assert_non_null(f);
  Expected e;
  for (; next_expected(f, &e); i++) {
    if (i < err.count && fits(&err.items[i], &e)) continue;
    print_error("%s:\n   expected %d:%d: %s | %s\n   is       %s\n", name, e.line, e.column, e.text,
                e.hint, sar_error_format(&err, i, message, sizeof message));
    bad++;
  }
  fclose(f);
  for (; i < err.count; i++, bad++)
    print_error("%s: not expected: %s\n", name, sar_error_format(&err, i, message, sizeof message));
  for (i = 0; i < err.count; i++) {
    const SarDiag* d = &err.items[i];
    if (d->line > 0 && d->column > 0 && strcmp(d->file, path) == 0 &&
        (d->hint[0] || strstr(d->text, "expected") || strstr(d->text, " must ")))
      continue;
    print_error("%s: lacks a place or a hint: %s\n", name,
                sar_error_format(&err, i, message, sizeof message));
    bad++;
  }
  return bad;
}

static void every_broken_model_is_explained(void** state) {
  (void)state;
  int bad = 0;
  assert_in_range(count, 40, MAX_FILES - 1);
  for (int i = 0; i < count; i++) bad += check_file(names[i]);
  assert_int_equal(bad, 0);
}

// Without an SarError of the caller's the status still says it.
static void messages_are_not_needed(void** state) {
  (void)state;
  char path[512];
  for (int i = 0; i < count; i++) {
    SarModel* m = NULL;
    snprintf(path, sizeof path, "%s/%.120s", FOLDER, names[i]);
    EXPECT_STATUS(sar_model_load(path, NULL, &m, NULL), SAR_BAD_MODEL);
    assert_null(m);
  }
}

static void files_that_cannot_be_read(void** state) {
  (void)state;
  static const struct {
    const char *path, *part;
    SarStatus status;
  } cases[] = {
      {FOLDER "/nothing.yaml", "no such file", SAR_NO_FILE},
      {FOLDER, "this is a folder", SAR_NO_FILE},
      {FOLDER "/../include/arm.urdf/x.yaml", "no such file", SAR_NO_FILE},
      {SARRUS_SOURCE_DIR "/CMakeLists.txt", "not a kind of file", SAR_BAD_MODEL},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    SarError err;
    SarModel* m = NULL;
    sar_error_init(&err);
    EXPECT_STATUS(sar_model_load(cases[i].path, NULL, &m, &err), cases[i].status);
    assert_null(m);
    assert_int_equal(err.count, 1);
    assert_string_equal(err.items[0].file, cases[i].path);
    assert_non_null(strstr(err.items[0].text, cases[i].part));
    assert_true(err.items[0].hint[0] != '\0');
  }
}

static void formats_of_texts(void** state) {
  (void)state;
  static const char text[] = "{\"sarrus\": 1, \"bodies\": {\"a\": {\"sphere\": 1, \"mass\": 2}}}";
  SarError err;
  SarModel* m = NULL;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_model_parse(text, sizeof text - 1, "json", NULL, NULL, &m, &err), &err);
  sar_model_free(m);
  EXPECT_STATUS(sar_model_parse(text, sizeof text - 1, "toml", "x", NULL, &m, &err),
                SAR_BAD_ARGUMENT);
  assert_null(m);
  assert_non_null(strstr(err.items[0].text, "toml"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_broken_model_is_explained),
      cmocka_unit_test(messages_are_not_needed),
      cmocka_unit_test(files_that_cannot_be_read),
      cmocka_unit_test(formats_of_texts),
  };
  return cmocka_run_group_tests_name("broken models", tests, find_files, NULL);
}
