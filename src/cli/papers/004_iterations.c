// Table 1 of paper 004: time and iterations of a step. "Open" is what the constraints are violated
// by at most, which the paper has no figure for: the price of leaving them to sweeps that end by
// the size of impulses.
#include "cli/papers/004.h"

#include <math.h>

static const char table[] = "Table 1. CPU time of a step and sweeps in it, steps of 10 ms";

#define NONE (double)NAN

static SarStatus run_scene(int scene, int algorithm, ImpulseRun* run, SarError* err) {
  const Paper004Scene* c = &paper_004_scene[scene];
  SarModel* m;
  SAR_TRY(paper_004_model(scene, algorithm, &m, err));
  *run = (ImpulseRun){
      .m = m, .formulation = paper_004_algorithm[algorithm].formulation, .end = c->end};
  const SarStatus st = impulse_run_often(run, err);
  sar_model_free(m);
  return st;
}

static void add_row(PaperReport* r, int scene, int algorithm, const ImpulseRun* run,
                    const char* note) {
  const Paper004Scene* c = &paper_004_scene[scene];
  const double steps = (double)run->stats.steps;
  const bool printed = algorithm < 2;
  char row[48];
  paper_004_row(row, scene, algorithm);
  paper_add(r, table, row, "time [ms]", printed ? c->time[algorithm] : NONE, 1e3 * run->cpu / steps,
            note);
  paper_add(r, table, row, "sweeps", printed ? c->iterations[algorithm] : NONE,
            (double)run->stats.iterations / steps, NULL);
  paper_add(r, table, row, "most", NONE, run->stats.iterations_max, NULL);
  paper_add(r, table, row, "open [m]", NONE, run->stats.position_violation, NULL);
}

SarStatus paper_004_iterations(PaperReport* r, SarError* err) {
  for (int scene = 0; scene < PAPER_004_SCENES; scene++) {
    ImpulseRun run[PAPER_004_ALGORITHMS];
    for (int a = 0; a < PAPER_004_ALGORITHMS; a++) SAR_TRY(run_scene(scene, a, &run[a], err));
    char note[400];
    snprintf(note, sizeof note, "%.0f times fewer sweeps and %.0f times faster than SIMMC",
             (double)run[0].stats.iterations / (double)run[2].stats.iterations,
             run[0].cpu / run[2].cpu);
    for (int a = 0; a < PAPER_004_ALGORITHMS; a++)
      add_row(r, scene, a, &run[a], a == 2 ? note : NULL);
  }
  return SAR_OK;
}
