// Paper 000: Cuadrado, Dopico, Gonzalez and Naya, A combined penalty and recursive real-time
// formulation for multibody dynamics, 2003. Tables 1 to 4: three formulations, and a fully
// recursive one, on a planar mechanism with singular positions, a stiff suspension, a robot that is
// pinned and released, and a whole vehicle.
#include "cli/papers/000.h"

#include "base/clock.h"

#include <math.h>
#include <stdlib.h>

static const double LONG = 0.1;  // CPU time after which a run is not repeated [s]
// a wheel that falls off a stair onto a stop takes some 30 at a large step
enum { REPEAT = 5, REPEAT_STEPS = 3, ITERATIONS = 50 };

const char* const paper_000_formulation[PAPER_000_FORMULATIONS] = {"global", "topological",
                                                                   "hybrid", "recursive"};

bool paper_000_has(int formulation) {
  return sar_formulation_find(paper_000_formulation[formulation]) != NULL;
}

const char* paper_000_row(char buf[48], int formulation, double step) {
  snprintf(buf, 48, "%s, %g s", paper_000_formulation[formulation], step);
  return buf;
}

const char* paper_000_note(char buf[400], const char* theirs, const char* trouble,
                           const char* why) {
  const bool said = theirs && theirs[0], stopped = trouble && trouble[0], differs = why && why[0];
  snprintf(buf, 400, "%s%s%s%s%s%s", said ? theirs : "", said ? " in the paper" : "",
           said && stopped ? "; ours " : "", stopped ? trouble : "",
           differs && (said || stopped) ? "; " : "", differs ? why : "");
  return buf;
}

// ---- one run ------------------------------------------------------------------------------------

// The last step ends where the run does.
static SarStatus one_step(const FixedRun* r, SarSim* s) {
  if (r->before) r->before(r->context, s);
  return s->d->t + r->step < r->end + 1e-9 * r->step ? sar_step(s) : sar_advance(s, r->end);
}

// `steps`: CPU time of each, the least so far; NULL: the run is not to be looked at, only timed as
// a whole.
static SarStatus take_steps(FixedRun* r, SarSim* s, double* steps, double* cpu) {
  const double slack = 1e-9 * r->step;
  SarStatus st = SAR_OK;
  long n = 0;
  *cpu = sar_clock_cpu();
  while (st == SAR_OK && s->d->t < r->end - slack) {
    const double before = steps ? sar_clock_cpu() : 0;
    st = one_step(r, s);
    if (!steps) continue;
    const double spent = sar_clock_cpu() - before;
    if (steps[n] == 0 || spent < steps[n]) steps[n] = spent;
    n++;
  }
  *cpu = sar_clock_cpu() - *cpu;
  return st;
}

// The run that is looked at: energy after every step, and whatever the table wants to know.
static SarStatus watch_steps(FixedRun* r, SarSim* s) {
  const double slack = 1e-9 * r->step;
  SarStatus st = SAR_OK;
  r->error = 0;
  if (r->look) r->look(r->context, s);
  while (st == SAR_OK && s->d->t < r->end - slack) {
    SarEnergy e;
    st = one_step(r, s);
    if (st != SAR_OK) break;
    st = sar_energy(s->d, &e);
    if (fabs(e.error) > fabs(r->error)) r->error = e.error;
    if (r->look) r->look(r->context, s);
  }
  r->status = st;
  r->reached = s->d->t;
  r->stats = sar_stats(s);
  snprintf(r->trouble, sizeof r->trouble, "%s", sar_sim_trouble(s));
  return SAR_OK;
}

typedef enum Pass { WATCH, TIME, TIME_STEPS } Pass;

static SarStatus run_once(FixedRun* r, Pass pass, double* steps, double* cpu, SarError* err) {
  SarData* d = NULL;
  SarSim* s = NULL;
  SarSimOptions o = sar_sim_options();
  o.formulation = r->formulation;
  o.integrator = "trapezoidal";
  o.step = r->step;
  o.adaptive = 0;
  o.penalty = r->penalty;
  o.max_iterations = r->iterations > 0 ? r->iterations : ITERATIONS;
  SarStatus st = sar_data_new(r->m, &d, err);
  if (st == SAR_OK) st = sar_sim_new(r->m, d, &o, &s, err);
  if (st == SAR_OK) {
    if (pass == WATCH)
      st = watch_steps(r, s);
    else
      take_steps(r, s, pass == TIME ? NULL : steps, cpu);
  }
  sar_sim_free(s);
  sar_data_free(d);
  return st;
}

static int by_size(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

// Of each step the least of several runs: what the step needs, not what else the machine did.
static SarStatus time_steps(FixedRun* r, SarError* err) {
  double* steps = sar_alloc((size_t)(r->stats.steps + 2) * sizeof *steps);
  double cpu;
  if (!steps) return SAR_NO_MEMORY;
  SarStatus st = SAR_OK;
  for (int i = 0; i < paper_rounds(REPEAT_STEPS) && st == SAR_OK; i++)
    st = run_once(r, TIME_STEPS, steps, &cpu, err);
  const size_t n = (size_t)r->stats.steps;
  if (n > 0) {
    qsort(steps, n, sizeof *steps, by_size);
    r->median = steps[n / 2];
    r->worst = steps[n - 1];
  }
  sar_free(steps);
  return st;
}

SarStatus fixed_run(FixedRun* r, SarError* err) {
  double cpu = 0, spent = 0;
  r->cpu = r->median = r->worst = (double)NAN;
  SAR_TRY(run_once(r, WATCH, NULL, &cpu, err));
  if (r->status != SAR_OK || r->untimed) return SAR_OK;
  for (int i = 0; i < paper_rounds(REPEAT) && spent < LONG; i++) {
    SAR_TRY(run_once(r, TIME, NULL, &cpu, err));
    spent += cpu;
    if (!(r->cpu <= cpu)) r->cpu = cpu;
  }
  return r->every_step ? time_steps(r, err) : SAR_OK;
}

// ---- the paper ----------------------------------------------------------------------------------

typedef SarStatus MakeTable(PaperReport* r, SarError* err);
static MakeTable* const make_table[] = {paper_000_four_bar, paper_000_suspension, paper_000_robot,
                                        paper_000_vehicle};
enum { TABLES = (int)(sizeof make_table / sizeof *make_table) };

static SarStatus make(PaperReport* r, SarError* err) {
  for (int i = 0; i < TABLES; i++)
    if (r->only == 0 || r->only == i + 1) SAR_TRY(make_table[i](r, err));
  return SAR_OK;
}

const Paper paper_000 = {
    .number = "000",
    .title =
        "Cuadrado, Dopico, Gonzalez and Naya 2003: a combined penalty and recursive real-time "
        "formulation",
    .remarks =
        "Their times: Tables 1 to 3 Matlab, Table 4 Fortran on a PC of 2002. All runs take fixed "
        "steps by the trapezoidal\nrule; ours iterate until the last increment is below 1e-9 rad "
        "or m. CPU times are the least of up to five runs,\nstep times of each step the least of "
        "three. What is off is off a run with error control at tight tolerance.",
    .tables = TABLES,
    .make = make,
};
