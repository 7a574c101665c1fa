// The program as scripts see it: runs build/sarrus in a scratch folder and keeps both of its
// streams.
#pragma once
#include "output/table.h"
#include "support/test.h"

#include <stdlib.h>
#include <sys/wait.h>

static char program_folder[128];  // scratch folder of this test run

typedef struct Result {
  int status;
  char out[1 << 18], err[1 << 14];
} Result;

static inline void read_all(const char* path, char* text, size_t size) {
  FILE* f = fopen(path, "r");
  size_t n = f ? fread(text, 1, size - 1, f) : 0;
  text[n] = '\0';
  if (f) fclose(f);
}

// Runs "sarrus ARGUMENTS"; every @ in them stands for the scratch folder.
static inline const Result* sarrus(const char* arguments) {
  static Result r;
  char command[4096], out[160], err[160];
  snprintf(out, sizeof out, "%s/out", program_folder);
  snprintf(err, sizeof err, "%s/err", program_folder);
  size_t n = (size_t)snprintf(command, sizeof command, "%s/sarrus ", SARRUS_BINARY_DIR);
  for (const char* c = arguments; *c && n < sizeof command - 500; c++)
    if (*c == '@')
      n += (size_t)snprintf(command + n, sizeof command - n, "%s/", program_folder);
    else
      command[n++] = *c;
  snprintf(command + n, sizeof command - n, " >%s 2>%s", out, err);
  int status = system(command);
  r.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  read_all(out, r.out, sizeof r.out);
  read_all(err, r.err, sizeof r.err);
  return &r;
}

static inline void expect_has(const char* text, const char* part) {
  if (strstr(text, part)) return;
  print_error("expected '%s' in:\n%s\n", part, text);
  fail();
}

static inline void expect_lacks(const char* text, const char* part) {
  if (!strstr(text, part)) return;
  print_error("expected no '%s' in:\n%s\n", part, text);
  fail();
}

static inline const Result* expect_status_of(const Result* r, int status) {
  if (r->status == status) return r;
  print_error("exit status %d, expected %d\n%s%s\n", r->status, status, r->out, r->err);
  fail();
  return r;
}

static inline void write_file(const char* name, const char* text) {
  char path[200];
  snprintf(path, sizeof path, "%s/%s", program_folder, name);
  FILE* f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
}

// Results in a file of the scratch folder; the caller frees them.
static inline SarTable read_table(const char* name) {
  char path[200];
  SarTable t;
  SarError err;
  sar_error_init(&err);
  snprintf(path, sizeof path, "%s/%s", program_folder, name);
  EXPECT_OK_OR(sar_table_read(path, &t, &err), &err);
  return t;
}

// The number behind the n-th `"key": ` (from 0) of a JSON text; NaN: null or none.
static inline double json_value(const char* text, const char* key, int n) {
  char quoted[80];
  snprintf(quoted, sizeof quoted, "\"%s\": ", key);
  for (; n >= 0; n--) {
    text = strstr(text, quoted);
    if (!text) return (double)NAN;
    text += strlen(quoted);
  }
  char* end;
  double x = strtod(text, &end);
  return end > text ? x : (double)NAN;
}

static inline int program_begin(void** state) {
  (void)state;
  const char* temp = getenv("TMPDIR");
  snprintf(program_folder, sizeof program_folder, "%s/sarrus-test-XXXXXX", temp ? temp : "/tmp");
  return mkdtemp(program_folder) ? 0 : -1;
}

static inline int program_end(void** state) {
  (void)state;
  char command[200];
  snprintf(command, sizeof command, "rm -rf '%s'", program_folder);
  return system(command);
}
