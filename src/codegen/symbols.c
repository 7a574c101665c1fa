// Symbols of a model: their arrays, and what of a model has no symbols (symbols.h).
#include "codegen/symbols.h"

#include "base/print.h"
#include "codegen/gates.h"
#include "codegen/rolling.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { NAME = 24 };

static SarNode* symbols(SarSymbols* s, const char* name, int n) {
  SarNode* node = SAR_ARENA_ARRAY(s->arena, SarNode, n + 1);
  for (int i = 0; node && i < n; i++) {
    char text[NAME];
    sar_snprintf(text, sizeof text, "%s[%d]", name, i);
    node[i] = sar_sym_symbol(s->g, text);
  }
  return node;
}

static SarNode* zeros(SarSymbols* s, int n) {
  SarNode* node = SAR_ARENA_ARRAY(s->arena, SarNode, n + 1);
  for (int i = 0; node && i < n; i++) node[i] = s_num(s->g, 0);
  return node;
}

static bool make_state(SarSymbols* s) {
  const SarModel* m = s->m;
  s->t = sar_sym_symbol(s->g, "t");
  s->q = symbols(s, "q", m->nq_all);
  s->v = symbols(s, "v", m->nv_all);
  s->z = symbols(s, "z", m->nz);
  s->discrete = symbols(s, "w", m->ndiscrete);
  s->input = symbols(s, "input", m->ninput);
  s->tau_host = symbols(s, "tau", m->nv);
  return s->q && s->v && s->z && s->discrete && s->input && s->tau_host;
}

static bool make_results(SarSymbols* s) {
  const SarModel* m = s->m;
  s->slot = zeros(s, m->nslot);
  s->tau = zeros(s, m->nv_all);
  s->force_power = zeros(s, m->nforce);
  s->force_output = zeros(s, m->nforce_output);
  s->z_rate = zeros(s, m->nz);
  s->work_rate = zeros(s, m->nwork);
  s->Phi = zeros(s, m->nrow);
  s->Phi_t = zeros(s, m->nrow);
  s->Phi_dot = zeros(s, m->nrow);
  s->gamma = zeros(s, m->nrow);
  s->Psi = zeros(s, m->nrow_dof);
  s->rest = zeros(s, m->nv);
  s->a = zeros(s, m->nv_all);
  s->lambda = zeros(s, m->nrow);
  return s->slot && s->tau && s->force_power && s->force_output && s->z_rate && s->work_rate &&
         s->Phi && s->Phi_t && s->Phi_dot && s->gamma && s->Psi && s->rest && s->a && s->lambda;
}

bool sar_symbols_init(SarSymbols* s, const SarModel* m, SarArena* arena, SarError* err) {
  *s = (SarSymbols){.m = m, .arena = arena, .g = sar_graph_new(arena), .err = err};
  if (!s->g) return false;
  for (int b = 0; b < m->nbody; b++) {
    const V3 p = m->body_X_PF[b].p;
    s->size = fmax(s->size, fmax(fmax(fabs(p.x), fabs(p.y)), fabs(p.z)));
  }
  s->joint = SAR_ARENA_ARRAY(arena, SymJoint, m->nbody + 1);
  s->X_GB = SAR_ARENA_ARRAY(arena, SymXform, m->nbody + 1);
  s->w = SAR_ARENA_ARRAY(arena, SymV3, m->nbody + 1);
  s->vel = SAR_ARENA_ARRAY(arena, SymV3, m->nbody + 1);
  s->bias = SAR_ARENA_ARRAY(arena, SymBias, m->nbody + 1);
  s->F = SAR_ARENA_ARRAY(arena, SymForce, m->nbody + 1);
  return s->joint && s->X_GB && s->w && s->vel && s->bias && s->F && make_state(s) &&
         make_results(s) && sar_symbols_gates_init(s);
}

void sar_symbols_refuse(SarSymbols* s, const char* format, ...) {
  char text[300];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  sar_report(s->err, (SarLoc){0}, "'docs/generated-code.md' lists what has equations in symbols",
             "%s", text);
  s->refused = true;
}

void sar_symbols_refuse_discrete(SarSymbols* s) {
  for (int i = 0; i < s->m->ndiscrete; i++)
    sar_symbols_refuse(s, "signal '%s' changes at instants or switches",
                       sar_text(s->m, s->m->discrete_name[i]));
}

bool sar_symbols_accept(SarSymbols* s) {
  const SarModel* m = s->m;
  if (m->ncollider > 0)
    sar_symbols_refuse(s, "the model has %d solids that touch: contact has no equations in symbols",
                       m->ncollider);
  if (m->nknot > 0)
    sar_symbols_refuse(s, "body '%s' is a knot: its place is found by iteration",
                       sar_knot_name(m, 0));
  for (int i = 0; i < m->nmotor; i++)
    sar_symbols_refuse(s, "joint '%s' has a motor, which acts by impulses",
                       sar_text(m, m->joint_name[m->motor[i].joint]));
  sar_symbols_refuse_conditions(s);
  for (int i = 0; i < m->nrotor; i++)
    sar_symbols_refuse(s, "the motor of joint '%s' has a rotor that turns with a moving body",
                       sar_text(m, m->joint_name[m->rotor[i].joint]));
  if (m->nheld > 0)
    sar_symbols_refuse(s, "an expression uses '%s' of the step before",
                       sar_text(m, m->held[0].name));
  sar_symbols_refuse_roads(s);
  if (m->needs_cuts)
    sar_symbols_refuse(s,
                       "forces or expressions use coordinates of a joint that closes a loop "
                       "('%s'%s)",
                       sar_text(m, m->joint_name[m->nbody]), m->ncut > 1 ? ", ..." : "");
  return !s->refused;
}
