// R(p): forces left at the position of the file, or what conditions lack where the mechanism rests.
//
// Every evaluation compiles the model anew with other parameters: they may be anything, masses,
// lengths and preloads alike. Equilibria start from the last one, so that p moves along one branch.
#include "cli/static_solve_parts.h"

#include "model/sim.h"
#include "sim/equilibrium.h"
#include "sim/outputs.h"

#include <math.h>
#include <string.h>

void solve_end_trial(SolveTrial* t) {
  sar_free(t->values);
  sar_sim_free(t->s);
  sar_data_free(t->d);
  sar_model_free(t->m);
}

static SarModel* load(SolveSearch* a, const double* p, int* status) {
  CliSolved* out = a->out;
  SarExpression columns[2 * SOLVE_MOST];
  for (int i = 0; i < out->count; i++) out->parameter[i].value = p[i];
  for (int i = 0; i < 2 * out->conditions; i++)
    columns[i] = (SarExpression){a->column[i / 2][i % 2], a->text[i / 2][i % 2]};
  const CliLoad how = {.coordinates = cli_value(a->args, "coordinates"),
                       .parameters = out->parameter,
                       .parameter_count = out->count,
                       .columns = columns,
                       .column_count = 2 * out->conditions,
                       .quiet = a->quiet};
  return cli_load_as(a->args, a->args->operand[0], &how, status);
}

// Forces that are left where the file puts the mechanism, and rates of states.
static SarStatus forces_left(SolveTrial* t, double* R, double* scale, SarError* err) {
  const SarModel* m = t->m;
  double largest = 0;
  SAR_TRY(sar_equilibrium_left(t->s, R, &largest, err));
  for (int i = 0; i < m->nv; i++) scale[i] = largest;
  for (int i = 0; i < m->nz; i++) {
    R[m->nv + i] = t->d->z_rate[i];
    scale[m->nv + i] = 1 + fabs(t->d->z[i]);
  }
  return SAR_OK;
}

static SarStatus conditions_left(SolveSearch* a, SolveTrial* t, double* R, double* scale,
                                 SarError* err) {
  const SarModel* m = t->m;
  SarStatics* statics = NULL;
  t->values = sar_alloc((size_t)(m->nchannel + 1) * sizeof(double));
  SarStatus st = t->values ? SAR_OK : SAR_NO_MEMORY;
  if (st == SAR_OK) st = sar_statics(t->d, a->o, &statics, err);
  // twice: expressions see forces and reactions as they were held before
  for (int pass = 0; st == SAR_OK && pass < 2; pass++) {
    st = sar_hold_outputs(t->s);
    if (st == SAR_OK) st = sar_outputs(t->s, t->values);
  }
  for (int i = 0; st == SAR_OK && i < a->out->conditions; i++) {
    double side[2];
    for (int k = 0; k < 2; k++)
      side[k] = t->values[sar_model_find(m, SAR_ITEM_OUTPUT, a->column[i][k])];
    R[i] = side[0] - side[1];
    scale[i] = fmax(fabs(side[0]), fabs(side[1]));
  }
  sar_statics_free(statics);
  return st;
}

// Room for R, the first time.
static SarStatus take_room(SolveSearch* a, const SarModel* m) {
  if (a->rows >= 0) return SAR_OK;
  a->rows = a->out->conditions > 0 ? a->out->conditions : m->nv + m->nz;
  a->nq = m->nq_all;
  const size_t n = (size_t)a->rows + 1;
  a->R = sar_alloc(n * sizeof(double));
  a->R_new = sar_alloc(n * sizeof(double));
  a->scale = sar_alloc(n * sizeof(double));
  a->J = sar_alloc(n * (size_t)a->out->count * sizeof(double));
  return a->R && a->R_new && a->scale && a->J ? SAR_OK : SAR_NO_MEMORY;
}

bool solve_evaluate(SolveSearch* a, const double* p, double* R, bool keep, int* status) {
  SolveTrial t = {.m = load(a, p, status)};
  SarError err;
  sar_error_init(&err);
  if (!t.m) return false;
  SarStatus st = a->rows >= 0 && a->nq != t.m->nq_all ? SAR_BAD_MODEL : take_room(a, t.m);
  if (st == SAR_OK && !R) R = a->R;
  if (st == SAR_OK) st = sar_data_new(t.m, &t.d, &err);
  if (st == SAR_OK) {
    sar_set_time(t.d, a->time);
    if (a->q) memcpy(t.d->q, a->q, (size_t)a->nq * sizeof *a->q);
    st = sar_sim_new(t.m, t.d, NULL, &t.s, &err);
  }
  if (st == SAR_OK)
    st = a->out->conditions > 0 ? conditions_left(a, &t, R, a->scale, &err)
                                : forces_left(&t, R, a->scale, &err);
  for (int i = 0; st == SAR_OK && i < a->rows; i++)
    if (!isfinite(R[i])) st = SAR_NOT_FINITE;
  if (st == SAR_OK && keep && a->out->conditions > 0) {
    if (!a->q) a->q = sar_alloc((size_t)(a->nq + 1) * sizeof *a->q);
    if (a->q) memcpy(a->q, t.d->q, (size_t)a->nq * sizeof *a->q);
  }
  if (st != SAR_OK && !a->quiet) cli_print_messages(&err);
  if (st != SAR_OK && !a->quiet && err.errors == 0)
    cli_say_status("sarrus static", a->args->operand[0], st);
  if (st != SAR_OK) *status = cli_exit_status(st);
  solve_end_trial(&t);
  return st == SAR_OK;
}
