// Table 3 of paper 000: a PUMA goes to a new position in 2 s, is attached to the ground by its
// hand, moves its wrist for 4 s, is released and returns in 2 s. Nothing is prescribed but torques.
//
// Theirs are not published. Ours are those that examples/puma_pinned.yaml needs for quintic paths,
// found by inverse dynamics; a step gets the torque at its middle and holds it, as a controller
// would: of second order. The error is the distance of the hand at the end from where it began.
//
// Without gravity: the paper does not speak of it, and under gravity nobody can do this open loop.
// While the hand is pinned only the wrist has motors; arm and forearm stand on the hand like an
// inverted pendulum, and any error grows exponentially for 4 s. The second table shows that.
#include "cli/papers/000.h"
#include "sim/follow.h"

#include <math.h>
#include <string.h>

static const char* const tables[2] = {"Table 3. PUMA robot, 8 s",
                                      "The same under gravity: unstable"};

#define NONE (double)NAN
enum { STEPS = 3, JOINTS = 6, HYBRID = 2 };
static const double steps[2][STEPS] = {{0.01, 0.05, 0.1}, {1e-3, 2.5e-3, 0.01}};

typedef struct Theirs {
  double error[STEPS], cpu[STEPS];
} Theirs;

static const Theirs none = {{NONE, NONE, NONE}, {NONE, NONE, NONE}};
static const Theirs theirs[PAPER_000_FORMULATIONS] = {
    {{0.53, 3.4, NONE}, {6.25, 1.92, NONE}},
    {{0.26, 1.5, 3.2}, {3.05, 1.20, 0.78}},
    {{0.34, 1.8, NONE}, {4.02, 1.74, NONE}},
    {{NONE, NONE, NONE}, {NONE, NONE, NONE}},
};

// ---- torques ------------------------------------------------------------------------------------

// Sum of what the drives of joint i need: "out1" and "back1", or "wrist4".
static void read_torques(const SarModel* m, const SarData* d, double torque[JOINTS]) {
  memset(torque, 0, JOINTS * sizeof *torque);
  for (int c = 0; c < m->nconstraint; c++) {
    if (!m->constraint[c].drive) continue;
    const char* name = sar_text(m, m->constraint[c].name);
    const int joint = name[strlen(name) - 1] - '1';
    torque[joint] += sar_drive_state(m, d, m->constraint[c].row).force;
  }
}

// torque[i * JOINTS ...]: those at the middle of step i.
static SarStatus find_torques(const SarModel* driven, double step, int count, double* torque,
                              SarError* err) {
  SarData* d = NULL;
  SarSim* s = NULL;
  SarFollow follow;
  SarStatus st = sar_data_new(driven, &d, err);
  if (st == SAR_OK) st = sar_sim_new(driven, d, NULL, &s, err);
  if (st == SAR_OK) st = sar_follow_new(s, &follow, err);
  if (st == SAR_OK) {
    for (int i = 0; i < count && st == SAR_OK; i++) {
      st = sar_follow_to(&follow, (i + 0.5) * step, err);
      read_torques(driven, d, torque + i * JOINTS);
    }
    sar_follow_free(&follow);
  }
  sar_sim_free(s);
  sar_data_free(d);
  return st;
}

// ---- runs ---------------------------------------------------------------------------------------

typedef struct Robot {
  const SarModel *m, *driven;
  int heavy;  // 1: under gravity
  const double* torque;
  double step;
  double start[3], now[3];  // of the hand's pin [m]
} Robot;

static void drive(void* context, SarSim* s) {
  const Robot* b = context;
  const int i = (int)floor(s->d->t / b->step + 0.5);
  memcpy(sar_tau(s->d), b->torque + i * JOINTS, JOINTS * sizeof(double));
}

static void look(void* context, const SarSim* s) {
  static const double pin[3] = {0, 0, 0.15};
  Robot* b = context;
  double p[3], R[9];
  sar_body_pose(s->d, sar_model_find(s->m, SAR_ITEM_BODY, "hand"), p, R);
  for (int i = 0; i < 3; i++)
    b->now[i] = p[i] + R[3 * i] * pin[0] + R[3 * i + 1] * pin[1] + R[3 * i + 2] * pin[2];
  if (s->d->t == 0) memcpy(b->start, b->now, sizeof b->start);
}

static double distance(const double a[3], const double b[3]) {
  return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

static SarStatus add_run(PaperReport* r, Robot* b, int formulation, int k, SarError* err) {
  const Theirs* t = b->heavy ? &none : &theirs[formulation];
  const char* table = tables[b->heavy];
  char row[48], note[400];
  FixedRun run = {.m = b->m,
                  .formulation = paper_000_formulation[formulation],
                  .step = b->step,
                  .end = b->m->sim.end,
                  .before = drive,
                  .look = look,
                  .context = b};
  SAR_TRY(fixed_run(&run, err));
  const bool done = run.status == SAR_OK,
             stopped = !b->heavy && formulation < 3 && isnan(t->cpu[k]);
  paper_000_note(note, stopped ? "'no convergent'" : "", done ? "" : run.trouble,
                 !b->heavy && formulation == 0 && k == 0
                     ? "their torques are not published; theirs grows with the step, ours with its "
                       "square"
                     : NULL);
  paper_000_row(row, formulation, b->step);
  paper_add(r, table, row, "error [mm]", t->error[k],
            done ? 1e3 * distance(b->now, b->start) : NONE, note);
  paper_add(r, table, row, "CPU time [s]", t->cpu[k], run.cpu, NULL);
  paper_add(r, table, row, "iterations", NONE,
            run.stats.steps ? (double)run.stats.iterations / (double)run.stats.steps : NONE, NULL);
  return SAR_OK;
}

static SarStatus add_step(PaperReport* r, Robot* b, int k, SarError* err) {
  b->step = steps[b->heavy][k];
  const int count = (int)lround(b->m->sim.end / b->step);
  double* torque = sar_alloc((size_t)count * JOINTS * sizeof *torque);
  b->torque = torque;
  SarStatus st = torque ? find_torques(b->driven, b->step, count, torque, err) : SAR_NO_MEMORY;
  for (int f = 0; f < PAPER_000_FORMULATIONS && st == SAR_OK; f++)
    if (paper_000_has(f) && (!b->heavy || f == HYBRID)) st = add_run(r, b, f, k, err);
  sar_free(torque);
  return st;
}

static SarStatus add_table(PaperReport* r, int heavy, SarError* err) {
  const SarParameter g = {"g", heavy ? 9.81 : 0};
  SarModel *m = NULL, *driven = NULL;
  SarStatus st = paper_model_with("papers/000/puma_torques.yaml", &g, 1, &m, err);
  if (st == SAR_OK) st = paper_model_with("examples/puma_pinned.yaml", &g, 1, &driven, err);
  Robot b = {.m = m, .driven = driven, .heavy = heavy};
  for (int k = 0; k < STEPS && st == SAR_OK; k++) st = add_step(r, &b, k, err);
  sar_model_free(m);
  sar_model_free(driven);
  return st;
}

SarStatus paper_000_robot(PaperReport* r, SarError* err) {
  SAR_TRY(add_table(r, 0, err));
  return add_table(r, 1, err);
}
