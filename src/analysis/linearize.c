// Linearisation as one call (sarrus.h): A, B, C, D about a state, by the names of inputs and
// columns.
#include "analysis/linear_names.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/print.h"
#include "base/sized.h"
#include "sim/equilibrium.h"

enum { ITERATIONS = 200 };

typedef char Name[SAR_LINEAR_NAME];

struct SarLinearization {
  SarLinearizationReport report;
  SarLinearNames chosen;
  SarLinear system;
  Name* name;  // of the states, the inputs, the outputs
};

SAR_API void sar_linearize_options_sized(SarLinearizeOptions* out, size_t size) {
  const SarLinearizeOptions o = {.size = size};
  if (out) sar_give(out, size, &o, sizeof o);
}

// ---- what is assumed ----------------------------------------------------------------------------

static bool has_friction(const SarModel* m) {
  for (int i = 0; i < m->nv_all; i++)
    if (m->dof_friction[i] != 0) return true;
  return false;
}

static void say_assumptions(const SarModel* m, SarError* err) {
  const SarLoc nowhere = {0};
  if (m->ncollider > 0)
    sar_warn(err, nowhere, "", "linearising knows no contact: nothing touches here");
  if (has_friction(m))
    sar_warn(err, nowhere, "", "dry friction is taken by its smooth law of the speed");
  if (m->nmotor > 0)
    sar_warn(err, nowhere, "", "motors with a largest force act by impulses: they are left out");
}

// ---- the analysis -------------------------------------------------------------------------------

static SarStatus go_to_rest(SarSim* s, SarError* err) {
  const SarEquilibriumOptions o = {.max_iterations = ITERATIONS};
  SarEquilibrium e = {.omega2 = sar_alloc((size_t)(s->m->nv + 1) * sizeof(double))};
  if (!e.omega2) return SAR_NO_MEMORY;
  const SarStatus st = sar_equilibrium_find(s, &o, &e, err);
  sar_free(e.omega2);
  return st;
}

static SarStatus name_all(SarLinearization* r, const SarModel* m) {
  const SarLinear* l = &r->system;
  r->name = sar_alloc((size_t)(l->nx + l->nu + l->ny + 1) * sizeof *r->name);
  if (!r->name) return SAR_NO_MEMORY;
  Name* at = r->name;
  for (int i = 0; i < l->nx; i++) sar_linear_state_name(m, l, i, *at++);
  for (int i = 0; i < l->nu; i++) sar_linear_input_name(m, &r->chosen.input[i], *at++);
  for (int i = 0; i < l->ny; i++)
    sar_snprintf(*at++, sizeof *at, "%.120s", sar_text(m, m->channel[r->chosen.column[i]].name));
  return SAR_OK;
}

static void fill_report(SarLinearization* r, const SarModel* m) {
  const SarLinear* l = &r->system;
  r->report = (SarLinearizationReport){.nq = l->nq,
                                       .nv = l->nv,
                                       .nz = l->nz,
                                       .nx = l->nx,
                                       .nu = l->nu,
                                       .ny = l->ny,
                                       .A = l->A,
                                       .B = l->B,
                                       .C = l->C,
                                       .D = l->D,
                                       .x0 = l->x0,
                                       .f = l->f,
                                       .u0 = l->u0,
                                       .y0 = l->y0,
                                       .pole_re = l->pole_re,
                                       .pole_im = l->pole_im,
                                       .zeros = l->zeros,
                                       .zero_re = l->zero_re,
                                       .zero_im = l->zero_im,
                                       .acceleration = l->acceleration,
                                       .coordinates = m->nv,
                                       .left_out = r->chosen.left_out};
}

static SarStatus find_at(SarLinearization* r, SarSim* s, const SarLinearizeOptions* o,
                         SarError* err) {
  const SarModel* m = s->m;
  SarLinearNames* c = &r->chosen;
  const bool inputs = sar_linear_choose_inputs(c, m, o->inputs, err);
  if (!sar_linear_choose_outputs(c, m, o->outputs, err) || !inputs) return SAR_BAD_ARGUMENT;
  if (o->rest) SAR_TRY(go_to_rest(s, err));
  SAR_TRY(sar_linearise(s, c->input, c->nu, c->column, c->ny, &r->system, err));
  SAR_TRY(name_all(r, m));
  fill_report(r, m);
  return SAR_OK;
}

// On a copy, so that the data of the call stay as they are.
static SarStatus find(SarLinearization* r, const SarData* d, const SarLinearizeOptions* o,
                      SarError* err) {
  SarData* copy = NULL;
  SarSim* s = NULL;
  SarStatus st = sar_data_new(d->m, &copy, err);
  if (st == SAR_OK) st = sar_data_copy(copy, d);
  if (st == SAR_OK) st = sar_sim_new(d->m, copy, NULL, &s, err);
  if (st == SAR_OK) st = find_at(r, s, o, err);
  sar_sim_free(s);
  sar_data_free(copy);
  return st;
}

SAR_API SarStatus sar_linearize(const SarData* d, const SarLinearizeOptions* o,
                                SarLinearization** out, SarError* err) {
  SAR_GIVEN(out);
  *out = NULL;
  SAR_GIVEN(d);
  SarLinearizeOptions full = sar_linearize_options();
  if (o) SAR_TRY(sar_take_options(&full, sizeof full, o, "sar_linearize_options", err));
  SarLinearization* r = sar_alloc(sizeof *r);
  if (!r) return SAR_NO_MEMORY;
  say_assumptions(d->m, err);
  const SarStatus st = find(r, d, &full, err);
  if (st == SAR_OK)
    *out = r;
  else
    sar_linearization_free(r);
  return st;
}

// ---- what came of it ----------------------------------------------------------------------------

SAR_API const SarLinearizationReport* sar_linearization_report(const SarLinearization* l) {
  return l ? &l->report : NULL;
}

static const char* name_of(const SarLinearization* l, int first, int count, int i) {
  return l && i >= 0 && i < count ? l->name[first + i] : NULL;
}

SAR_API const char* sar_linearization_state(const SarLinearization* l, int i) {
  return name_of(l, 0, l ? l->report.nx : 0, i);
}

SAR_API const char* sar_linearization_input(const SarLinearization* l, int i) {
  return name_of(l, l ? l->report.nx : 0, l ? l->report.nu : 0, i);
}

SAR_API const char* sar_linearization_output(const SarLinearization* l, int i) {
  return name_of(l, l ? l->report.nx + l->report.nu : 0, l ? l->report.ny : 0, i);
}

SAR_API void sar_linearization_free(SarLinearization* l) {
  if (!l) return;
  sar_linear_free(&l->system);
  sar_free(l->name);
  sar_free(l);
}
