// Differences of results (difference.h).
#include "output/difference.h"

#include "base/alloc.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME = 256 };

// A column that stays below so much of the others is rounding: of those of the same item (reaction
// torques that a planar mechanism does not have, beside the forces), of all.
static const double NOISE_OF_ITEM = 1e-7, NOISE_OF_ALL = 1e-9;
static const double NEAR = 0.02, APART = 0.1;  // scales: where a parting begins and ends

bool sar_name_matches(const char* patterns, const char* name) {
  char one[NAME];
  while (*patterns) {
    size_t n = strcspn(patterns, ",");
    snprintf(one, sizeof one, "%.*s", (int)n, patterns);
    if (fnmatch(one, name, 0) == 0) return true;
    patterns += n + (patterns[n] == ',');
  }
  return false;
}

typedef struct Match {
  const SarTable *reference, *run;
  int* column;           // of the run, for each of the reference; -1: not compared
  double *most, *scale;  // of each of the reference: largest magnitude, scale
} Match;

// ---- columns ------------------------------------------------------------------------------------

static int find_column(const SarTable* t, const char* theirs) {
  static const char* const endings[][2] = {{".qd", ".v"},          {".sd", ".v"},
                                           {".s", ".q"},           {".kin", ".kinetic"},
                                           {".pot", ".potential"}, {".tot", ".total"}};
  int column = sar_table_find(t, theirs);
  const char* dot = strrchr(theirs, '.');
  for (size_t i = 0; column < 0 && dot && i < sizeof endings / sizeof *endings; i++) {
    char ours[NAME];
    if (strcmp(dot, endings[i][0]) != 0) continue;
    snprintf(ours, sizeof ours, "%.*s%s", (int)(dot - theirs), theirs, endings[i][1]);
    column = sar_table_find(t, ours);
  }
  return column;
}

static bool counts(const char* patterns, const char* name) {
  if (patterns) return sar_name_matches(patterns, name);
  return strcmp(name, "energy.error") != 0 && strcmp(name, "energy.work") != 0;
}

// "tip.vx" and "tip.vy" are components of one vector
static bool are_components(const char* a, const char* b) {
  size_t n = strlen(a);
  return n == strlen(b) && n > 1 && strchr("xyz", a[n - 1]) && strchr("xyz", b[n - 1]) &&
         memcmp(a, b, n - 1) == 0;
}

static double magnitude(const SarTable* t, int column) {
  double most = 0;
  for (size_t i = 0; i < t->rows; i++)
    most = fmax(most, fabs(t->values[i * (size_t)t->columns + (size_t)column]));
  return most;
}

// "hinge.fx" and "hinge.tz" are columns of one item
static bool are_of_one_item(const char* a, const char* b) {
  const char *dot_a = strrchr(a, '.'), *dot_b = strrchr(b, '.');
  return dot_a && dot_b && dot_a - a == dot_b - b && memcmp(a, b, (size_t)(dot_a - a)) == 0;
}

// most: the magnitude of each column
static double scale_of(const SarTable* t, const double* most, int column) {
  const char* name = t->names[column];
  double scale = most[column], item = 0, all = 0;
  for (int k = 1; k < t->columns; k++) {
    if (are_components(name, t->names[k])) scale = fmax(scale, most[k]);
    if (are_of_one_item(name, t->names[k])) item = fmax(item, most[k]);
    all = fmax(all, most[k]);
  }
  scale = fmax(scale, fmax(NOISE_OF_ITEM * item, NOISE_OF_ALL * all));
  return scale > 0 ? scale : 1;
}

static int match_columns(Match* m, const char* patterns) {
  int count = 0;
  for (int k = 0; k < m->reference->columns; k++) m->most[k] = magnitude(m->reference, k);
  for (int k = 0; k < m->reference->columns; k++) {
    const char* name = m->reference->names[k];
    m->column[k] = k > 0 && counts(patterns, name) ? find_column(m->run, name) : -1;
    if (m->column[k] < 0) continue;
    m->scale[k] = scale_of(m->reference, m->most, k);
    count++;
  }
  return count;
}

// ---- rows ---------------------------------------------------------------------------------------

static double at(const SarTable* t, size_t row, int column) {
  return t->values[row * (size_t)t->columns + (size_t)column];
}

static bool same_time(double a, double b) { return fabs(a - b) <= 1e-9 * (1 + fabs(a)); }

// The largest difference between row i of the reference and row k of the run.
static double row_difference(const Match* m, size_t i, size_t k, int* column) {
  double most = -1;
  for (int c = 0; c < m->reference->columns; c++) {
    if (m->column[c] < 0) continue;
    double x = fabs(at(m->run, k, m->column[c]) - at(m->reference, i, c)) / m->scale[c];
    if (!isfinite(x)) x = HUGE_VAL;
    if (x > most) most = x, *column = c;
  }
  return most;
}

// The longest way of a column of the reference from row `from` to row `to`, in scales.
static double way(const Match* m, size_t from, size_t to) {
  double longest = 0;
  for (int c = 0; c < m->reference->columns; c++) {
    double sum = 0;
    if (m->column[c] < 0) continue;
    for (size_t i = from + 1; i <= to; i++)
      sum += fabs(at(m->reference, i, c) - at(m->reference, i - 1, c)) / m->scale[c];
    longest = fmax(longest, sum);
  }
  return longest;
}

static void compare_rows(const Match* m, SarDifference* out) {
  size_t k = 0, near = 0;
  for (size_t i = 0; i < m->reference->rows; i++) {
    double t = at(m->reference, i, 0);
    while (k < m->run->rows && at(m->run, k, 0) < t && !same_time(at(m->run, k, 0), t)) k++;
    if (k == m->run->rows) return;
    if (!same_time(at(m->run, k, 0), t)) continue;
    int column = -1;
    double x = row_difference(m, i, k, &column);
    out->rows++;
    if (x > out->largest || out->column < 0) {
      out->largest = x;
      out->column = column;
      out->time = t;
    }
    if (out->largest <= NEAR) near = i;
    if (x > APART && isnan(out->parted)) {
      out->parted = t;
      out->parting = way(m, near, i);
    }
  }
}

SarStatus sar_table_difference(const SarTable* reference, const SarTable* run, const char* patterns,
                               SarDifference* out) {
  *out = (SarDifference){.column = -1, .parted = (double)NAN};
  size_t columns = (size_t)reference->columns + 1;
  Match m = {.reference = reference, .run = run};
  m.column = sar_alloc(columns * sizeof *m.column);
  m.scale = sar_alloc(2 * columns * sizeof *m.scale);
  m.most = m.scale + columns;
  SarStatus st = m.column && m.scale ? SAR_OK : SAR_NO_MEMORY;
  if (st == SAR_OK) {
    out->columns = match_columns(&m, patterns);
    if (out->columns > 0) compare_rows(&m, out);
  }
  sar_free(m.column);
  sar_free(m.scale);
  return st;
}
