// Pictures of what `sarrus sweep` wrote, for `sarrus plot`.
#pragma once
#include "cli/cli.h"

// Columns of a table of a sweep: instance, parameters, status, time, outputs.
typedef struct SweepTable {
  int status, time;
} SweepTable;

bool plot_is_sweep(const SarTable* t, SweepTable* out);
// The column of its only parameter, if rows go along it and outputs can be drawn over it; -1: not
// so.
int plot_sweep_line(const SarTable* t, const SweepTable* s);
// Are rows those of every pair of values of two parameters? Then: maps of outputs; an exit status.
bool plot_sweep_is_grid(const SarTable* t, const SweepTable* s);
int plot_sweep_surface(const CliArgs* args, const SarTable* t, const SweepTable* s,
                       const char* title, const char* out);
// Parallel coordinates; an exit status.
int plot_sweep_parallel(const CliArgs* args, const SarTable* t, const SweepTable* s,
                        const char* title, const char* out);
