// Kinematic analysis as one call (sarrus.h): positions, speeds and accelerations of a driven
// mechanism, on every assembly mode (branch) if asked.
#include "analysis/sweep.h"
#include "analysis/sweep_columns.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/print.h"
#include "base/sized.h"
#include "sim/branches.h"

#include <math.h>
#include <string.h>

static const double LOOSE = 0.1;      // grip below which the least one is looked for
static const double SINGULAR = 1e-3;  // and below which a position counts as singular

struct SarKinematics {
  SarKinematicsReport report;
  SarTable table;
  SarBranch branch[SAR_MAX_BRANCHES];
};

// While it is being made.
typedef struct Making {
  SarKinematics* k;
  SarSweep w;
  SarSweepColumns columns;
  double* row;
  SarError* err;
} Making;

static SarStatus add_row(Making* a, int number) {
  a->row[0] = a->w.d->t;
  if (a->columns.first == 2) a->row[1] = number;
  SAR_TRY(sar_outputs_of(a->w.s, a->columns.channel, a->columns.count, a->row + a->columns.first));
  return sar_sweep_row(&a->w, &a->k->table, a->row, a->err);
}

static void warn_singular(const Making* a, int number, double t, double grip) {
  char branch[32] = "";
  if (a->columns.first == 2) sar_snprintf(branch, sizeof branch, " of branch %d", number);
  sar_warn(a->err, (SarLoc){0}, "branches meet there",
           "near a singular position%s at t = %.6g (grip %.1e)", branch, t, grip);
}

// Looks between three points for the least grip when the middle one has the least of them.
static SarStatus look_closer(Making* a, SarBranch* b, int number, const double grip[3], int point) {
  double t, least;
  if (point < 2 || grip[1] > LOOSE || grip[1] > grip[0] || grip[1] > grip[2]) return SAR_OK;
  const double low = sar_sweep_time(&a->w, point - 2), high = sar_sweep_time(&a->w, point);
  SAR_TRY(sar_follow_least_grip(&a->w.follow, fmin(low, high), fmax(low, high), &t, &least));
  if (least < b->least_grip) b->least_grip = least, b->least_time = t;
  if (least < SINGULAR) warn_singular(a, number, t, least);
  return SAR_OK;
}

static SarStatus follow_branch(Making* a, int number, SarError* err) {
  SarBranch* b = &a->k->branch[number - 1];
  double grip[3] = {1, 1, 1};
  SarStatus st = SAR_OK;
  b->row = a->k->table.rows;
  b->least_grip = HUGE_VAL;
  for (int i = 0; i < a->w.o.points && st == SAR_OK; i++) {
    st = sar_follow_to(&a->w.follow, sar_sweep_time(&a->w, i), err);
    b->reached = a->w.d->t;
    if (st != SAR_OK) break;
    st = add_row(a, number);
    grip[0] = grip[1], grip[1] = grip[2], grip[2] = a->w.follow.grip;
    if (grip[2] < b->least_grip) b->least_grip = grip[2], b->least_time = a->w.d->t;
    if (st == SAR_OK) st = look_closer(a, b, number, grip, i);
  }
  b->rows = a->k->table.rows - b->row;
  return st;
}

// From one assembly over the range. One that cannot go on ends there.
static SarStatus follow_assembly(Making* a, const SarBranches* found, int i) {
  const SarSweep* w = &a->w;
  const size_t nq = (size_t)w->m->nq_all;
  SarError ended;
  sar_error_init(&ended);
  sar_data_reset(w->d);
  memcpy(w->d->q, &found->q[(size_t)i * nq], nq * sizeof *found->q);
  sar_set_time(w->d, w->o.from);
  SAR_TRY(sar_follow_restart(&a->w.follow));
  a->k->branch[i].found = found->found[i];
  const SarStatus st = follow_branch(a, i + 1, &ended);
  return st == SAR_NOT_CONVERGED ? SAR_OK : st;
}

static SarStatus follow_all(Making* a) {
  SarKinematicsReport* report = &a->k->report;
  SarBranches found;
  SarData* d;
  SAR_TRY(sar_data_new(a->w.m, &d, a->err));
  SarStatus st = sar_data_copy(d, a->w.d);
  if (st == SAR_OK) st = sar_branches_find(a->w.m, d, a->w.o.trials, a->w.o.seed, &found, a->err);
  if (st == SAR_OK) {
    report->branches = found.count;
    report->trials = found.trials;
    report->open = found.open;
    for (int i = 0; i < found.count && st == SAR_OK; i++) st = follow_assembly(a, &found, i);
    sar_branches_free(&found);
  }
  sar_data_free(d);
  return st;
}

static SarStatus make(Making* a, SarKinematics** out) {
  const SarSweepOptions* o = &a->w.o;
  SarKinematics* k = a->k;
  SAR_TRY(sar_sweep_columns(a->w.m, o->branches, &a->columns));
  SAR_TRY(sar_table_init(&k->table, a->columns.name, a->columns.first + a->columns.count));
  k->table.limit = a->w.m->memory_limit;
  a->row = sar_alloc((size_t)k->table.columns * sizeof *a->row);
  if (!a->row) return SAR_NO_MEMORY;
  k->report =
      (SarKinematicsReport){.from = o->from, .to = o->to, .points = o->points, .branches = 1};
  *out = k;
  return o->branches ? follow_all(a) : follow_branch(a, 1, a->err);
}

SAR_API SarStatus sar_kinematics(const SarModel* m, const SarSweepOptions* o, SarKinematics** out,
                                 SarError* err) {
  SAR_GIVEN(out);
  *out = NULL;
  SAR_GIVEN(m);
  Making a = {.k = sar_alloc(sizeof *a.k), .err = err};
  if (!a.k) return SAR_NO_MEMORY;
  SarStatus st = sar_sweep_begin(&a.w, m, o, err);
  if (st == SAR_OK) st = make(&a, out);
  if (!*out) sar_kinematics_free(a.k);
  sar_sweep_columns_free(&a.columns);
  sar_free(a.row);
  sar_sweep_end(&a.w);
  return st;
}

// ---- what came of it ----------------------------------------------------------------------------

SAR_API const SarKinematicsReport* sar_kinematics_report(const SarKinematics* k) {
  return k ? &k->report : NULL;
}

SAR_API const SarTable* sar_kinematics_table(const SarKinematics* k) {
  return k ? &k->table : NULL;
}

SAR_API SarStatus sar_kinematics_branch_sized(const SarKinematics* k, int index, SarBranch* out,
                                              size_t size) {
  SAR_GIVEN(k && out && index >= 0 && index < k->report.branches);
  sar_give(out, size, &k->branch[index], sizeof *k->branch);
  return SAR_OK;
}

SAR_API void sar_kinematics_free(SarKinematics* k) {
  if (!k) return;
  sar_table_clear(&k->table);
  sar_free(k);
}
