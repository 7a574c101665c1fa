// Table 1 of paper 000: the double four-bar through ten singular positions, 10 s.
//
// "The error is measured as the maximum deviation suffered by the system energy": the largest over
// all steps, with its sign. The error of the trapezoidal rule in relative coordinates does not
// depend on how the loops are closed, as long as they are: so our `hybrid`, `recursive` and theirs
// have one column.
#include "cli/papers/000.h"

#include <math.h>
#include <string.h>

static const char table[] = "Table 1. Double four-bar mechanism, 10 s";
static const char scaling[] = "Penalty of hybrid on it: given, or scaled by the inertia (default)";

#define NONE (double)NAN
enum { STEPS = 4 };
static const double steps[STEPS] = {0.01, 0.03, 0.05, 0.1};

typedef struct Theirs {
  double error[STEPS], cpu[STEPS];
  const char* words[STEPS];  // where there is no figure
  const char* why[STEPS];    // we differ
} Theirs;

static const Theirs theirs[PAPER_000_FORMULATIONS] = {
    {{-0.21, -0.83, -9.03, NONE},
     {0.86, 0.37, 0.26, NONE},
     {[3] = "'wrong results'"},
     {[0] = "theirs does not fall with the square of the step, as the error of the rule must; ours "
            "does",
      [3] = "a third of the energy is lost, and the cranks no longer go over the top"}},
    {{NONE, NONE, NONE, NONE},
     {NONE, NONE, NONE, NONE},
     {"'no convergent'", "'no convergent'", "'no convergent'", "'no convergent'"},
     {0}},
    {{-0.01, -0.12, -0.34, -1.34}, {3.20, 1.32, 0.83, 0.52}, {0}, {0}},
    {{NONE, NONE, NONE, NONE}, {NONE, NONE, NONE, NONE}, {0}, {0}},
};

static void add_crank(PaperReport* r, const char* row, double angle) {
  paper_add(r, table, row, "crank [rad]", NONE, angle, NULL);
}

static void read_crank(void* context, const SarSim* s) {
  double v;
  sar_joint_get(s->d, sar_model_find(s->m, SAR_ITEM_JOINT, "A0"), context, &v);
}

static SarStatus add_run(PaperReport* r, const SarModel* m, int formulation, int k, SarError* err) {
  const Theirs* t = &theirs[formulation];
  char row[48], note[400];
  double crank = NONE;
  FixedRun run = {.m = m,
                  .formulation = paper_000_formulation[formulation],
                  .step = steps[k],
                  .end = m->sim.end,
                  .look = read_crank,
                  .context = &crank};
  SAR_TRY(fixed_run(&run, err));
  const bool done = run.status == SAR_OK;
  paper_000_note(note, t->words[k], done ? "" : run.trouble, t->why[k]);
  paper_000_row(row, formulation, steps[k]);
  paper_add(r, table, row, "error [J]", t->error[k], done ? run.error : NONE, note);
  paper_add(r, table, row, "CPU time [s]", t->cpu[k], run.cpu, NULL);
  paper_add(r, table, row, "iterations", NONE,
            (double)run.stats.iterations / (double)run.stats.steps, NULL);
  paper_add(r, table, row, "most", NONE, run.stats.iterations_max, NULL);
  add_crank(r, row, done ? crank : NONE);
  return SAR_OK;
}

// Where the crank is after 10 s: another way out of a singular position would show.
static SarStatus add_reference(PaperReport* r, const SarModel* m, SarError* err) {
  SarSimOptions o = sar_reference_options();
  SarData* d = NULL;
  SarSim* s = NULL;
  o.formulation = "lagrange";
  SarStatus st = sar_data_new(m, &d, err);
  if (st == SAR_OK) st = sar_sim_new(m, d, &o, &s, err);
  if (st == SAR_OK) st = sar_advance(s, m->sim.end);
  double crank = NONE;
  if (st == SAR_OK) {
    read_crank(&crank, s);
    add_crank(r, "reference", crank);
  }
  sar_sim_free(s);
  sar_data_free(d);
  return st;
}

// What a fixed penalty does at small steps. A pass of the multiplier iteration leaves 1 / (1 + g)
// of a violation, g ~ alpha h^2 / 4m, and less is gained where a loop folds.
static SarStatus add_penalties(PaperReport* r, const SarModel* m, SarError* err) {
  static const double penalty[] = {1e7, 1e9, 0}, size[] = {0.01, 0.001, 0.0001};
  for (size_t p = 0; p < sizeof penalty / sizeof *penalty; p++)
    for (size_t k = 0; k < sizeof size / sizeof *size; k++) {
      FixedRun run = {.m = m,
                      .formulation = "hybrid",
                      .step = size[k],
                      .end = 1,  // through the first singular position
                      .penalty = penalty[p],
                      .iterations = 20};
      char row[48], name[16] = "scaled";
      SAR_TRY(fixed_run(&run, err));
      if (penalty[p] > 0) snprintf(name, sizeof name, "%.0e", penalty[p]);
      snprintf(row, sizeof row, "%s, %g s", name, size[k]);
      paper_add(r, scaling, row, "iterations", NONE,
                (double)run.stats.iterations / (double)run.stats.steps, run.trouble);
      paper_add(r, scaling, row, "most", NONE, run.stats.iterations_max, NULL);
      paper_add(r, scaling, row, "reached [s]", NONE, run.reached, NULL);
    }
  return SAR_OK;
}

SarStatus paper_000_four_bar(PaperReport* r, SarError* err) {
  SarModel* m;
  SAR_TRY(paper_model("examples/double_fourbar.yaml", &m, err));
  SarStatus st = SAR_OK;
  for (int f = 0; f < PAPER_000_FORMULATIONS; f++)
    for (int k = 0; k < STEPS && st == SAR_OK && paper_000_has(f); k++)
      st = add_run(r, m, f, k, err);
  if (st == SAR_OK) st = add_reference(r, m, err);
  if (st == SAR_OK) st = add_penalties(r, m, err);
  sar_model_free(m);
  return st;
}
