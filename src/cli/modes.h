// sarrus modes: what one state (modes.c) and many values of a parameter (modes_over.c) share.
#pragma once
#include "cli/cli.h"

typedef struct ModesAnalysis {
  const char* path;
  const SarModel* m;
  SarData* d;
  SarModes* found;
  const SarModesReport* modes;
} ModesAnalysis;

// Modes of a->m about the state that the options ask for; what it made is freed in any case.
SarStatus modes_find(ModesAnalysis* a, const CliArgs* args, double time, SarError* err);
void modes_free(ModesAnalysis* a);
// share of critical damping; 1 or -1 where nothing oscillates
double modes_damping(const SarModesReport* x, int k);
bool modes_is_rigid(const SarModesReport* x, int k);
// Frequencies over the values of --vary (fan plot). Returns an exit status.
int modes_over(const CliArgs* args, double time);
// Floquet multipliers of the motion over --period. Returns an exit status.
int modes_floquet(const CliArgs* args, double time);
