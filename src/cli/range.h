// What `kinematics` and `inverse` share: a driven mechanism over a range of time, rows into --out
// as they are found.
#pragma once
#include "cli/cli.h"
#include "cli/files.h"
#include "output/table.h"

typedef struct Range {
  const char* path;
  const CliArgs* args;
  SarModel* m;
  SarSweepOptions o;
  const SarTable* (*table)(const struct Range* r);  // names of the columns, once there are rows
  void* result;                                     // for `table`
  // --out
  SarWriter* writer;  // NULL: none, or not begun
  CliOutput file;
  bool said;  // why it could not be begun
} Range;

#define RANGE_OPTIONS                                                        \
  {"from", 0, "SECONDS", "First time (default 0).", NULL},                   \
      {"to", 0, "SECONDS", "Last time (default: the model's end).", NULL}, { \
    "points", 'n', "N", "How many times, both included (default 101).", NULL \
  }

// Reads the options that both have, loads, and has it analysed. An exit status, messages are
// printed.
int range_run(const CliArgs* args, int (*analyse)(const CliArgs* args, Range* r));
// Messages of what was found, and a word where a failure has none.
void range_report(const Range* r, SarStatus status, SarError* err);

// Smallest and largest value of a column and where they are.
typedef struct Extremes {
  double low, low_time, high, high_time;
} Extremes;
Extremes range_extremes(const SarTable* t, int column);
double range_value(const SarTable* t, size_t row, int column);

// Closes --out, if it was begun; an exit status.
int range_close(Range* r, SarStatus found);
