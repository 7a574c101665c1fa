// What `kinematics` and `inverse` share: a driven mechanism over a range of time.
#pragma once
#include "cli/cli.h"
#include "cli/files.h"
#include "output/table.h"
#include "sim/follow.h"

typedef struct Range {
  const char* path;
  SarModel* m;
  SarData* d;
  SarSim* s;
  SarFollow follow;
  double from, to;  // s
  int points;
  // --out, where rows go as they are found
  const CliArgs* args;
  SarWriter* writer;  // NULL: none, or not begun
  CliOutput file;
  bool said;  // why it could not be begun
} Range;

// Loads, assembles at t = 0 and follows the drives to `from`; an exit status, messages are printed.
int range_begin(const CliArgs* args, Range* r);
void range_end(Range* r);
// Is there a signal to end for? Rows found so far are kept. Says so once.
bool range_interrupted(const Range* r);
// Messages of what was found, and a word where a failure has none.
void range_report(const Range* r, SarStatus status, SarError* err);
double range_time(const Range* r, int point);

// Smallest and largest value of a column and where they are.
typedef struct Extremes {
  double low, low_time, high, high_time;
} Extremes;
Extremes range_extremes(const SarTable* t, int column);

// A row into the table, and into --out, if given.
SarStatus range_add(Range* r, SarTable* t, const double* row);
// Closes --out, if it was begun; an exit status.
int range_close(Range* r, SarStatus found);
