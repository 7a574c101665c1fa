// Expressions over a whole run: rms(body.vz), max(abs(strut.force)) + 0.1*k, ... (objective
// functions, constraints).
//
// Inside of a reduction stands an expression of the model, as in `outputs: [{value: ...}]`, or the
// name of one of its columns; outside of them numbers and the parameters of --over. max and min of
// one argument are reductions, of more the functions.
#pragma once
#include "cli/search.h"

enum { OBJECTIVE_MOST_REDUCTIONS = 32, OBJECTIVE_MOST = 16, OBJECTIVE_TEXT = 1000 };

typedef struct Reduction {
  int kind;  // of REDUCTIONS
  char text[OBJECTIVE_TEXT];
  char name[24];  // of the column that is added
  int column;     // in tables of runs, once it is known
} Reduction;

typedef struct Objective {
  const char* option;         // "minimize"
  const char* given;          // as it was written
  char text[OBJECTIVE_TEXT];  // with r__0, r__1, ... in the place of reductions
} Objective;

typedef struct Objectives {
  int count, reductions;
  Objective item[OBJECTIVE_MOST];
  Reduction reduction[OBJECTIVE_MOST_REDUCTIONS];
  SarExpression column[OBJECTIVE_MOST_REDUCTIONS];
  bool jumps;  // max or min: the slope may
} Objectives;

// One more expression, text[0..n); false after a message.
bool objective_read(const CliArgs* args, const char* option, const char* text, size_t n,
                    Objectives* o);
// Numbers of all reductions of a run: fits Search.measure.
void objective_measure(const void* objectives, const SarTable* rows, double* values);
// Value of expression `which` from the numbers of its reductions; may be NaN.
double objective_value(const Objectives* o, int which, const Search* s, const double* p,
                       const double* values);
// Is it one, with names that are known? False after a message.
bool objective_check(const CliArgs* args, const Objectives* o, int which, const Search* s,
                     const double* p, const double* values);
