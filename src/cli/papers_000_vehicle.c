// Table 4 of paper 000: the whole Iltis up a ramp and down five stairs at 5 m/s, 8 s.
//
// Fixed steps of 0.01 s, and then "the largest possible for which good results are obtained": ours are good if
// the chassis stays within a tenth of a stair of a run at tight tolerance, all the way. Their road is
// not published; ours is that of examples/iltis.yaml.
#include "cli/papers_000.h"

#include <math.h>

static const char table[] = "Table 4. Iltis vehicle on ramp and stairs, 8 s";

#define NONE (double)NAN
static const double COMMON = 0.01;  // the step that all take [s]
static const double GOOD = 0.02;    // m
// where the largest good step is looked for, downwards [s]
static const double ladder[] = {0.04,  0.035,  0.03, 0.025,  0.0225, 0.02,   0.0175,
                                0.015, 0.0125, 0.01, 0.0075, 0.005,  0.0025, 0.001};

typedef struct Theirs {
  double cpu, largest, cpu_largest, realtime;
} Theirs;

static const Theirs theirs[PAPER_000_FORMULATIONS] = {
    {5.41, 0.0175, 3.80, 2.11},
    {0.74, 0.025, 0.47, 17.02},
    {0.72, 0.035, 0.38, 21.05},
    {3.06, 0.0075, 2.30, 3.48},
};

static void look(void* context, const SarSim* s) { trace_look(context, s); }

static SarStatus run_vehicle(FixedRun* run, const SarModel* m, Trace* height, int formulation,
                             double step, SarError* err) {
  *run = (FixedRun){.m = m,
                    .formulation = paper_000_formulation[formulation],
                    .step = step,
                    .end = m->sim.end,
                    .every_step = true,
                    .look = look,
                    .context = height};
  height->largest = 0;
  return fixed_run(run, err);
}

static void add_run(PaperReport* r, const FixedRun* run, const char* row, double off, double cpu,
                    double realtime) {
  const bool done = run->status == SAR_OK;
  paper_add(r, table, row, "CPU time [s]", cpu, run->cpu, run->trouble);
  paper_add(r, table, row, "real time", realtime, done ? run->end / run->cpu : NONE, NULL);
  paper_add(r, table, row, "median [us]", NONE, 1e6 * run->median, NULL);
  paper_add(r, table, row, "worst [us]", NONE, 1e6 * run->worst, NULL);
  paper_add(r, table, row, "off [mm]", NONE, done ? 1e3 * off : NONE, NULL);
  paper_add(r, table, row, "iterations", NONE,
            run->stats.steps ? (double)run->stats.iterations / (double)run->stats.steps : NONE,
            NULL);
  paper_add(r, table, row, "most", NONE, run->stats.iterations_max, NULL);
}

static SarStatus add_formulation(PaperReport* r, const SarModel* m, Trace* height, int formulation,
                                 SarError* err) {
  const Theirs* t = &theirs[formulation];
  const char* name = paper_000_formulation[formulation];
  FixedRun run;
  char row[48];
  SAR_TRY(run_vehicle(&run, m, height, formulation, COMMON, err));
  add_run(r, &run, paper_000_row(row, formulation, COMMON), height->largest, t->cpu, NONE);
  for (size_t i = 0; i < sizeof ladder / sizeof *ladder; i++) {
    SAR_TRY(run_vehicle(&run, m, height, formulation, ladder[i], err));
    if (run.status == SAR_OK && height->largest <= GOOD) break;
  }
  if (run.status != SAR_OK || height->largest > GOOD) return SAR_OK;
  snprintf(row, sizeof row, "%s, largest", name);
  paper_add(r, table, row, "step [s]", t->largest, run.step, NULL);
  add_run(r, &run, row, height->largest, t->cpu_largest, t->realtime);
  return SAR_OK;
}

SarStatus paper_000_vehicle(PaperReport* r, SarError* err) {
  SarModel* m;
  Trace height = {0};
  SAR_TRY(paper_model("examples/iltis.yaml", &m, err));
  SarStatus st = trace_make(&height, m, "chassis.z", 0.0025, 1e-8, NULL, NULL, err);
  for (int f = 0; f < PAPER_000_FORMULATIONS && st == SAR_OK; f++)
    if (paper_000_has(f)) st = add_formulation(r, m, &height, f, err);
  trace_free(&height);
  sar_model_free(m);
  return st;
}
