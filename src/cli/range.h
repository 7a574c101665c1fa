// What `kinematics` and `inverse` share: a driven mechanism over a range of time.
#pragma once
#include "cli/cli.h"
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
} Range;

// Loads, assembles at t = 0 and follows the drives to `from`; an exit status, messages are printed.
int range_begin(const CliArgs* args, Range* r);
void range_end(Range* r);
double range_time(const Range* r, int point);

// Smallest and largest value of a column and where they are.
typedef struct Extremes {
  double low, low_time, high, high_time;
} Extremes;
Extremes range_extremes(const SarTable* t, int column);

// The table into --out, if given; an exit status.
int range_write(const CliArgs* args, const Range* r, const SarTable* t);
