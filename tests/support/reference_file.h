// Trajectories computed by an independent code, in tests/reference: one line of names, one row per
// time.
#pragma once
#include "support/test.h"

#include <stdlib.h>

enum { REFERENCE_COLUMNS = 64, REFERENCE_ROWS = 256, REFERENCE_NAME = 32 };

typedef struct Reference {
  int rows, columns;  // column 0 is time
  char name[REFERENCE_COLUMNS][REFERENCE_NAME];
  double value[REFERENCE_ROWS][REFERENCE_COLUMNS];
} Reference;

static inline void reference_read_names(Reference* r, char* line) {
  for (char* name = strtok(line, ",\r\n"); name; name = strtok(NULL, ",\r\n")) {
    assert_true(r->columns < REFERENCE_COLUMNS);
    snprintf(r->name[r->columns++], REFERENCE_NAME, "%s", name);
  }
}

static inline void reference_read_row(Reference* r, char* line) {
  assert_true(r->rows < REFERENCE_ROWS);
  int k = 0;
  for (char* text = strtok(line, ",\r\n"); text; text = strtok(NULL, ",\r\n")) {
    assert_true(k < r->columns);
    r->value[r->rows][k++] = strtod(text, NULL);
  }
  if (k == 0) return;
  assert_int_equal(k, r->columns);
  r->rows++;
}

// tests/reference/NAME.csv, of any length
static inline void reference_read_table(const char* name, Reference* r) {
  static char line[1 << 14];
  char path[512];
  snprintf(path, sizeof path, "%s/tests/reference/%s.csv", SARRUS_SOURCE_DIR, name);
  memset(r, 0, sizeof *r);
  FILE* f = fopen(path, "r");
  if (!f) fail_msg("no file %s", path);
  while (fgets(line, sizeof line, f)) {
    if (line[0] == '#') continue;
    if (r->columns == 0)
      reference_read_names(r, line);
    else
      reference_read_row(r, line);
  }
  fclose(f);
}

// a trajectory
static inline void reference_read(const char* name, Reference* r) {
  reference_read_table(name, r);
  assert_true(r->rows > 50);
}

// The column of that name, by which a table is read.
static inline int reference_find(const Reference* r, const char* name) {
  for (int k = 0; k < r->columns; k++)
    if (strcmp(r->name[k], name) == 0) return k;
  fail_msg("no column '%s'", name);
  return -1;
}

// Our column for a column of the reference: of the same name, or of the name that we have for it.
// -1: none.
static inline int reference_column(const SarModel* m, const char* theirs) {
  static const char* const suffixes[][2] = {{".qd", ".v"},          {".sd", ".v"},
                                            {".s", ".q"},           {".kin", ".kinetic"},
                                            {".pot", ".potential"}, {".tot", ".total"}};
  int column = sar_model_find(m, SAR_ITEM_OUTPUT, theirs);
  const char* dot = strrchr(theirs, '.');
  char ours[2 * REFERENCE_NAME];
  for (size_t i = 0; column < 0 && dot && i < sizeof suffixes / sizeof *suffixes; i++)
    if (strcmp(dot, suffixes[i][0]) == 0) {
      snprintf(ours, sizeof ours, "%.*s%s", (int)(dot - theirs), theirs, suffixes[i][1]);
      column = sar_model_find(m, SAR_ITEM_OUTPUT, ours);
    }
  return column;
}

// Components of one vector share a group: "tip.vx" -> "tip.v", "tip.x" -> "tip."
static inline void reference_group(const char* name, char* group) {
  strcpy(group, name);
  size_t n = strlen(group);
  if (strchr("xyz", group[n - 1])) group[n - 1] = '\0';
}

// Largest magnitude in the group of column k.
static inline double reference_scale(const Reference* r, int k) {
  char group[REFERENCE_NAME], other[REFERENCE_NAME];
  reference_group(r->name[k], group);
  double scale = 1e-12;  // a group of zeros must be zero
  for (int j = 1; j < r->columns; j++) {
    reference_group(r->name[j], other);
    if (strcmp(group, other) != 0) continue;
    for (int i = 0; i < r->rows; i++) scale = fmax(scale, fabs(r->value[i][j]));
  }
  return scale;
}
