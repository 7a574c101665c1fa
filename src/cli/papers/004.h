// Paper 004: one run by impulses, and the tables that are made of such runs.
#pragma once
#include "cli/papers/papers.h"
#include "model/sim.h"

// The paper's scenes; its figures: SIMMC, then SIMGC.
typedef struct Paper004Scene {
  const char *name, *file;
  double end;  // s
  double time[2], iterations[2];
} Paper004Scene;
enum { PAPER_004_SCENES = 3, PAPER_004_ALGORITHMS = 3 };
extern const Paper004Scene paper_004_scene[PAPER_004_SCENES];

// SIMMC, SIMGC, and the formulation that goes on from them.
typedef struct Paper004Algorithm {
  const char *name, *formulation;
} Paper004Algorithm;
extern const Paper004Algorithm paper_004_algorithm[PAPER_004_ALGORITHMS];

// A run with the paper's steps of 10 ms (at most, if variable) and 1e-6 N s, and what was found.
typedef struct ImpulseRun {
  const SarModel* m;
  const char* formulation;
  double end;        // s
  double budget;     // s of a step; 0: none
  double tolerance;  // of a variable step; 0: fixed steps
  bool endless;      // sweeps end by number alone
  int iterations;    // most sweeps in a step; 0: as the formulation has it
  double* times;     // s of each step, the least so far; Nullable
  double cpu;        // s
  double error;      // J
  SarStats stats;
  SarStatus status;
  char trouble[256];
} ImpulseRun;

// Runs. SAR_OK also where the numerics failed: r->status and r->trouble say so.
SarStatus impulse_run(ImpulseRun* r, SarError* err);
// The least CPU time of several, and the other figures.
SarStatus impulse_run_often(ImpulseRun* r, SarError* err);
// The model of a scene in the coordinates that an algorithm needs.
SarStatus paper_004_model(int scene, int algorithm, SarModel** out, SarError* err);
// "gripper, SIMGC"
const char* paper_004_row(char buf[48], int scene, int algorithm);

// One table each.
SarStatus paper_004_iterations(PaperReport* r, SarError* err);
SarStatus paper_004_budget(PaperReport* r, SarError* err);
SarStatus paper_004_steps(PaperReport* r, SarError* err);
