// The solver of paper 002's section on computational issues: Jacobians of `redundant` by ours for
// small sparse systems, which is analysed once and searches nothing (linalg/static_lu.h), and by
// Gauss' elimination with partial pivoting on all of the matrix; factor and solve in one. What a
// step would take with that in place of ours is the step as measured and the difference for one
// factor a step. General sparse solvers are no part of the program: bench/jacobians.c has them.
#include "cli/papers/papers.h"

#include "base/clock.h"
#include "formulations/implicit/relative.h"
#include "formulations/redundant/system.h"
#include "linalg/lu.h"
#include "model/sim.h"

#include <math.h>
#include <string.h>

#define NONE (double)NAN
enum { ROUNDS = 9, LEAD = 50, STEPS = 100 };
static const double BLOCK = 1e-3;  // s, of one measurement

static const char TABLE[] = "Solvers: Jacobians of redundant, factor and solve";

typedef struct Row {
  const char *name, *file;
  double step;
  int count;
  SarParameter p[4];
} Row;

static const Row rows[] = {
    {"double four-bar", "examples/double_fourbar.yaml", 2e-3, 0, {{0}}},
    {"tiltrotor, clamped",
     "papers/002/tiltrotor.yaml",
     1e-3,
     4,
     {{"wing", 0}, {"gimbal", 1}, {"gust", 1}, {"modal", 1}}},
    {"tiltrotor, wing, linkage",
     "papers/002/tiltrotor.yaml",
     1e-3,
     4,
     {{"wing", 1}, {"gimbal", 0}, {"gust", 1}, {"modal", 1}}},
    {"WRATS", "examples/wrats.yaml", 60.0 / 875 / 40, 0, {{0}}},
    {"AS330 Puma", "examples/puma_rotor.yaml", 2.5e-3, 0, {{0}}},
};

typedef struct Problem {
  int n;
  SarStaticLu* ours;
  double *A, *LU, *x;  // A by rows
  int* pivot;
  bool good;
} Problem;

static void set_right_side(Problem* p) {
  for (int i = 0; i < p->n; i++) p->x[i] = sin(i + 1.0);
}

static void by_ours(Problem* p) {
  p->good = sar_static_lu_factor(p->ours) && p->good;
  set_right_side(p);
  sar_static_lu_solve(p->ours, p->x);
}

static void by_dense(Problem* p) {
  memcpy(p->LU, p->A, (size_t)(p->n * p->n) * sizeof *p->A);
  p->good = sar_lu_factor(p->n, p->LU, p->pivot) && p->good;
  set_right_side(p);
  sar_lu_solve(p->n, p->LU, p->pivot, p->x);
}

enum { OURS, DENSE, SOLVERS };
static void (*const solve[SOLVERS])(Problem* p) = {by_ours, by_dense};

// The least of some blocks [s].
static double time_of(Problem* p, int solver) {
  double start = sar_clock_cpu(), least = HUGE_VAL;
  solve[solver](p);
  const int calls = 1 + (int)(BLOCK / fmax(sar_clock_cpu() - start, 1e-7));
  for (int round = 0; round < paper_rounds(ROUNDS); round++) {
    start = sar_clock_cpu();
    for (int i = 0; i < calls; i++) solve[solver](p);
    least = fmin(least, (sar_clock_cpu() - start) / calls);
  }
  return least;
}

static SarStatus make_problem(Problem* p, SarArena* arena, SarStaticLu* lu) {
  const int n = lu->n;
  *p = (Problem){.n = n, .ours = lu, .good = true};
  p->A = SAR_ARENA_ARRAY(arena, double, n* n + 1);
  p->LU = SAR_ARENA_ARRAY(arena, double, n* n + 1);
  p->x = SAR_ARENA_ARRAY(arena, double, n + 1);
  p->pivot = SAR_ARENA_ARRAY(arena, int, n + 1);
  if (arena->failed) return SAR_NO_MEMORY;
  for (int e = 0; e < lu->entries; e++) p->A[lu->row[e] * n + lu->col[e]] += lu->a[e];
  return SAR_OK;
}

// CPU time of a step in flight [s].
static SarStatus step_time(SarSim* s, double* out) {
  double least = HUGE_VAL;
  for (int i = 0; i < LEAD; i++) SAR_TRY(sar_step(s));
  for (int round = 0; round < paper_rounds(ROUNDS); round++) {
    const double start = sar_clock_cpu();
    for (int i = 0; i < STEPS; i++) SAR_TRY(sar_step(s));
    least = fmin(least, (sar_clock_cpu() - start) / STEPS);
  }
  *out = least;
  return SAR_OK;
}

static SarStatus compare(PaperReport* r, const Row* row, SarSim* s) {
  static const char* const column[SOLVERS] = {"ours [us]", "dense [us]"};
  SarAbsoluteSystem* system = ((SarRelative*)s->formulation_state)->factored.self;
  SarArena arena;
  Problem p;
  double step = 0, time[SOLVERS] = {0};
  SAR_TRY(step_time(s, &step));
  sar_arena_init(&arena);
  SarStatus st = make_problem(&p, &arena, &system->lu);
  for (int k = 0; k < SOLVERS && st == SAR_OK; k++) time[k] = time_of(&p, k);
  if (st == SAR_OK && !p.good) st = SAR_SINGULAR;
  sar_arena_free(&arena);
  SAR_TRY(st);
  paper_add(r, TABLE, row->name, "unknowns", NONE, p.n, NULL);
  for (int k = 0; k < SOLVERS; k++)
    paper_add(r, TABLE, row->name, column[k], NONE, 1e6 * time[k], NULL);
  paper_add(r, TABLE, row->name, "step [us]", NONE, 1e6 * step, NULL);
  const double more = time[DENSE] - time[OURS];
  paper_add(r, TABLE, row->name, "saved [%]", NONE, 100 * more / (step + more), NULL);
  return SAR_OK;
}

SarStatus paper_002_solvers(PaperReport* r, SarError* err) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const Row* row = &rows[i];
    SarModel* m = NULL;
    SarData* d = NULL;
    SarSim* s = NULL;
    SarSimOptions o = sar_sim_options();
    o.formulation = "redundant";
    o.integrator = "two-step";
    o.step = row->step;
    o.adaptive = 0;
    const SarLoadOptions load = {
        .coordinates = "absolute", .parameters = row->p, .parameter_count = row->count};
    SarStatus st = paper_model_by(row->file, load, &m, err);
    if (st == SAR_OK) st = sar_data_new(m, &d, err);
    if (st == SAR_OK) st = sar_sim_new(m, d, &o, &s, err);
    if (st == SAR_OK) st = compare(r, row, s);
    sar_sim_free(s);
    sar_data_free(d);
    sar_model_free(m);
    SAR_TRY(st);
  }
  return SAR_OK;
}
