// Fixed and variable steps. "The simulation step is variable and is limited to 10 ms": ours are
// chosen by how much the accelerations change (integrators/control.c), none is repeated.
#include "cli/papers/004.h"

#include <math.h>

static const char table[] = "Steps of 10 ms, and variable ones of at most that";

#define NONE (double)NAN

static SarStatus add_run(PaperReport* r, int scene, double tolerance, SarError* err) {
  const Paper004Scene* c = &paper_004_scene[scene];
  char row[48];
  SarModel* m;
  SAR_TRY(paper_004_model(scene, 2, &m, err));
  ImpulseRun run = {.m = m, .formulation = "impulse", .end = c->end, .tolerance = tolerance};
  const SarStatus st = impulse_run_often(&run, err);
  sar_model_free(m);
  if (st != SAR_OK) return st;
  const double steps = (double)run.stats.steps;
  if (tolerance > 0)
    snprintf(row, sizeof row, "%s, %.0e", c->name, tolerance);
  else
    snprintf(row, sizeof row, "%s, fixed", c->name);
  paper_add(r, table, row, "steps", NONE, steps, NULL);
  paper_add(r, table, row, "shortest [ms]", NONE, 1e3 * run.stats.step_min, NULL);
  paper_add(r, table, row, "sweeps", NONE, (double)run.stats.iterations / steps, NULL);
  paper_add(r, table, row, "CPU [ms/s]", NONE, 1e3 * run.cpu / c->end, NULL);
  paper_add(r, table, row, "energy off [J]", NONE, run.error, NULL);
  return SAR_OK;
}

SarStatus paper_004_steps(PaperReport* r, SarError* err) {
  static const double tolerance[] = {0, 1e-4, 1e-5, 1e-6};
  for (int scene = 0; scene < PAPER_004_SCENES; scene++)
    for (size_t k = 0; k < sizeof tolerance / sizeof *tolerance; k++)
      SAR_TRY(add_run(r, scene, tolerance[k], err));
  return SAR_OK;
}
