// How well a budget of time is kept: no step is to take longer than T and one sweep. The paper asks
// for T = 5 ms where steps would take 16.
#include "cli/papers/004.h"

#include <math.h>

enum { REPEAT = 3, SWEEPS = 100 };
static const char table[] = "A budget of time T: longest step";

#define NONE (double)NAN

// What one sweep takes: runs with so many sweeps in every step, and with twice as many. The clock
// is read in both. NaN where sweeps come to an exact end before that.
static SarStatus time_sweep(const SarModel* m, const char* formulation, double end, double* sweep,
                            SarError* err) {
  ImpulseRun run = {.m = m,
                    .formulation = formulation,
                    .end = end,
                    .budget = 1,
                    .endless = true,
                    .iterations = SWEEPS};
  SAR_TRY(impulse_run_often(&run, err));
  const double cpu = run.cpu;
  const long sweeps = run.stats.iterations;
  run.iterations = 2 * SWEEPS;
  SAR_TRY(impulse_run_often(&run, err));
  const long more = run.stats.iterations - sweeps;
  *sweep = more > run.stats.steps ? fmax(0, run.cpu - cpu) / (double)more : NONE;
  return SAR_OK;
}

typedef struct Kept {
  double longest, sweep;  // s
  long late, steps, iterations;
} Kept;

static SarStatus time_steps(ImpulseRun* run, Kept* out, SarError* err) {
  const size_t room = (size_t)(run->end / 0.01) + 16;
  run->times = sar_alloc(room * sizeof *run->times);
  if (!run->times) return SAR_NO_MEMORY;
  SarStatus st = SAR_OK;
  for (int i = 0; i < paper_rounds(REPEAT) && st == SAR_OK; i++) st = impulse_run(run, err);
  out->steps = run->stats.steps;
  out->iterations = run->stats.iterations;
  out->longest = 0;
  out->late = 0;
  for (long i = 0; i < out->steps; i++) {
    out->longest = fmax(out->longest, run->times[i]);
    out->late += run->times[i] > run->budget + fmax(0, out->sweep);  // fmax passes over NaN
  }
  sar_free(run->times);
  run->times = NULL;
  return st;
}

static SarStatus add_run(PaperReport* r, int scene, int algorithm, double budget, SarError* err) {
  const Paper004Scene* c = &paper_004_scene[scene];
  char row[48], name[48];
  SarModel* m;
  Kept kept = {0};
  SAR_TRY(paper_004_model(scene, algorithm, &m, err));
  ImpulseRun run = {.m = m,
                    .formulation = paper_004_algorithm[algorithm].formulation,
                    .end = c->end,
                    .budget = budget};
  SarStatus st = time_sweep(m, run.formulation, 0.5, &kept.sweep, err);
  if (st == SAR_OK) st = time_steps(&run, &kept, err);
  sar_model_free(m);
  if (st != SAR_OK) return st;
  snprintf(row, sizeof row, "%s", paper_004_row(name, scene, algorithm));
  if (budget < 1e-4) snprintf(row, sizeof row, "%.40s *", name);
  paper_add(r, table, row, "T [us]", NONE, 1e6 * budget, NULL);
  paper_add(r, table, row, "a sweep [us]", NONE, 1e6 * kept.sweep, NULL);
  paper_add(r, table, row, "longest [us]", NONE, 1e6 * kept.longest, run.trouble);
  paper_add(r, table, row, "beyond", NONE, (double)kept.late, NULL);
  paper_add(r, table, row, "of steps", NONE, (double)kept.steps, NULL);
  paper_add(r, table, row, "sweeps", NONE, (double)kept.iterations / (double)kept.steps, NULL);
  return SAR_OK;
}

SarStatus paper_004_budget(PaperReport* r, SarError* err) {
  for (int scene = 0; scene < PAPER_004_SCENES; scene++) {
    for (int a = 0; a < PAPER_004_ALGORITHMS; a++) SAR_TRY(add_run(r, scene, a, 2e-4, err));
    SAR_TRY(add_run(r, scene, 2, 5e-5, err));  // where it would take longer now and then
  }
  return SAR_OK;
}
