// Gates by known times in generated code (gates.h): what sim/events.c and sim/impact.c do where a
// step ends.
//
// Steps land on the times of gates, which are kinks (kinks.c). NAME_switch lets what comes on there
// take hold where it is, closes positions, and changes speeds by the impact
//
//   M dv + Psi' L = 0,   Psi (v + dv) + Phi_t = 0
//
// whose equations are those of accelerations.
#include "codegen/gates.h"
#include "codegen/generate.h"
#include "dynamics/projection.h"

#include <math.h>

static const double NEAR = 1e-2, OPEN = 1e-9;  // as in sim/impact.c

bool sar_generation_switches(const SarGeneration* g) { return sar_gates_of_constraints(g->m) >= 0; }

static SarStatus refuse(const SarGeneration* g, SarError* err, const char* how, const char* hint) {
  const SarModel* m = g->m;
  sar_report(err, (SarLoc){0}, hint, "'%s' is switched on and off during the run: generated %s",
             sar_text(m, m->gate[sar_gates_of_constraints(m)].name), how);
  return SAR_NOT_OFFERED;
}

SarStatus sar_generation_accept_gates(const SarGeneration* g, SarError* err) {
  const SarModel* m = g->m;
  if (m->ngate > 0 && g->o.method == SAR_GENERATE_HYBRID) {
    sar_report(err, (SarLoc){0}, "take --method lagrange or aba",
               "method 'hybrid': '%s' is switched on and off during the run",
               sar_text(m, m->gate[0].name));
    return SAR_NOT_OFFERED;
  }
  if (!sar_generation_switches(g)) return SAR_OK;
  if (g->o.method != SAR_GENERATE_LAGRANGE)
    return refuse(g, err, "by method 'lagrange'", "take --method lagrange");
  if (g->o.single || g->o.lanes > 0)
    return refuse(g, err, "in double precision, for one instance", "leave --single or --lanes out");
  if (g->o.derivatives) return refuse(g, err, "without derivatives", "leave --derivatives out");
  if (g->o.keeps > 0 && sar_held_count(m) > 0)
    return refuse(g, err, "without --keep, since it takes hold where it is", "leave --keep out");
  return SAR_OK;
}

// ---- equations ----------------------------------------------------------------------------------

static bool emit_impact(SarGeneration* g) {
  const int nv = g->m->nv;
  SarNode* dv = SAR_ARENA_ARRAY(g->arena, SarNode, nv + 1);
  SarAssign* assign = SAR_ARENA_ARRAY(g->arena, SarAssign, nv + 1);
  SarEmitted done;
  if (!dv || !assign || !sar_symbols_impact(&g->symbols, g->weight, dv)) return false;
  for (int i = 0; i < nv; i++)
    assign[i] = (SarAssign){dv[i], sar_arena_printf(g->arena, "out[%d]", i)};
  SarEmit e = sar_generation_emitter(g, "impact_of", "real");
  return sar_emit_functions(&e, nv, assign, &done);
}

// What would be held, then what the rows are open by.
static bool emit_found(SarGeneration* g) {
  const SarModel* m = g->m;
  const int held = sar_held_count(m);
  SarNode* value = SAR_ARENA_ARRAY(g->arena, SarNode, held + 1);
  SarAssign* assign = SAR_ARENA_ARRAY(g->arena, SarAssign, held + m->nrow + 1);
  SarEmitted done;
  if (!value || !assign) return false;
  sar_symbols_hold(&g->symbols, value);
  for (int i = 0; i < held; i++)
    assign[i] = (SarAssign){value[i], sar_arena_printf(g->arena, "out->held[%d]", i)};
  for (int i = 0; i < m->nrow; i++)
    assign[held + i] =
        (SarAssign){g->symbols.Phi[i], sar_arena_printf(g->arena, "out->open[%d]", i)};
  SarEmit e =
      sar_generation_emitter(g, "found_of", sar_arena_printf(g->arena, "%s_found", g->o.name));
  return sar_emit_functions(&e, held + m->nrow, assign, &done);
}

bool sar_generation_emit_gates(SarGeneration* g) {
  return !sar_generation_switches(g) || (emit_found(g) && emit_impact(g));
}

// ---- text ---------------------------------------------------------------------------------------

void sar_generation_found_type(const SarGeneration* g, SarWriter* w) {
  const int held = sar_held_count(g->m);
  if (!sar_generation_switches(g)) return;
  sar_write(w,
            "// Where things are that may be held, and what rows are open by.\n"
            "typedef struct %s_found {\n",
            g->o.name);
  if (held > 0) sar_write(w, "  double held[%d];\n", held);
  sar_write(w, "  double open[%d];\n} %s_found;\n\n", g->m->nrow, g->o.name);
}

static const char open_text[] =
    "// The largest of what rows are open by, as a share of their units.\n"
    "static double @_gap(const @_state* s, const @_inputs* u) {\n"
    "  @_found x;\n"
    "  double most = 0;\n"
    "  @_found_of(s, u, &x);\n"
    "  for (int i = 0; i < @_ROWS; i++) {\n"
    "    const double gap = fabs(x.open[i]) / @_row_unit[i];\n"
    "    if (!(gap <= most)) most = gap;\n"
    "  }\n"
    "  return most;\n"
    "}\n\n";

static const char switch_text[] =
    "// Where a step ends on a kink: what comes on there takes hold, positions close, speeds "
    "jump.\n"
    "// 0: done; 1: it is too far from where it is to be.\n"
    "static int @_switch(@_state* s, const @_inputs* u) {\n"
    "  const double t = s->t, width = @_beside(t);\n"
    "  int came = 0, on[@_GATES];\n"
    "  for (int i = 0; i < @_GATES; i++) came |= on[i] = fabs(@_gate_from[i] - t) <= width;\n"
    "  if (!came) return 0;\n"
    "  double move[2 * @_NV], sum = 0;\n"
    "  s->t = t + width;\n";

static const char hold_text[] =
    "  @_found x;\n"
    "  @_found_of(s, u, &x);\n"
    "  for (int i = 0; i < @_GATES; i++)\n"
    "    for (int k = @_gate_held[i]; on[i] && k < @_gate_held[i + 1]; k++) s->held[k] = "
    "x.held[k];\n";

static const char close_text[] =
    "  if (!(@_gap(s, u) <= %g)) return 1;\n"
    "  for (int pass = 0; pass < %d; pass++) {\n"
    "    @_project_of(s, u, move);\n"
    "    @_move(s, move, s);\n"
    "  }\n"
    "  if (!(@_gap(s, u) <= %g)) return 1;\n"
    "  @_impact_of(s, u, move);\n"
    "  for (int i = 0; i < @_NV; i++) s->v[i] += move[i];\n"
    "  for (int i = 0; i < @_NV; i++) sum += s->v[i] * 0;\n"
    "  s->t = t;\n"
    "  return !(sum == 0);\n"
    "}\n\n";

static void write_numbers(const SarGeneration* g, SarWriter* w) {
  const SarModel* m = g->m;
  double* unit = SAR_ARENA_ARRAY(g->arena, double, m->nrow + 1);
  double* from = SAR_ARENA_ARRAY(g->arena, double, m->ngate + 1);
  int gates = 0;
  if (!unit || !from) return;
  sar_row_units(m, unit);
  for (int i = 0; i < m->ngate; i++)
    if (m->gate[i].target == SAR_GATE_CONSTRAINT)
      from[gates++] = isinf(m->gate[i].from.time) ? -1e300 : m->gate[i].from.time;
  sar_write(w,
            "// What switches on: when, and which of the numbers `held` are its own.\n"
            "enum { %s_GATES = %d, %s_ROWS = %d };\n",
            g->o.name, gates, g->o.name, m->nrow);
  sar_generation_times(g, w, "gate_from", gates, from);
  if (sar_held_count(m) > 0) {
    int at = 0;
    sar_write(w, "static const int %s_gate_held[%d] = {0", g->o.name, gates + 1);
    for (int i = 0; i < m->ngate; i++)
      if (m->gate[i].target == SAR_GATE_CONSTRAINT) sar_write(w, ", %d", at += sar_held_of(m, i));
    sar_write(w, "};\n");
  }
  sar_generation_times(g, w, "row_unit", m->nrow, unit);
  sar_write(w, "\n");
}

void sar_generation_switch(const SarGeneration* g, SarWriter* w) {
  enum { CLOSING = 8 };
  const char* n = g->o.name;
  if (!sar_generation_switches(g)) return;
  write_numbers(g, w);
  sar_runtime_text(w, n, open_text);
  sar_runtime_text(w, n, switch_text);
  if (sar_held_count(g->m) > 0) sar_runtime_text(w, n, hold_text);
  sar_runtime_text(w, n, sar_arena_printf(g->arena, close_text, NEAR, CLOSING, OPEN));
}

double* sar_generation_held(SarArena* arena, const SarModel* m, const SarData* d) {
  double* out = SAR_ARENA_ARRAY(arena, double, sar_held_count(m) + 1);
  if (out) sar_held_read(m, d, out);
  return out;
}

void sar_generation_start_held(const SarGeneration* g, SarWriter* w) {
  const int held = sar_held_count(g->m);
  const double* x = sar_generation_held(g->arena, g->m, g->start);
  for (int i = 0; x && i < held; i++) {
    sar_write(w, "  s->held[%d] = ", i);
    sar_generation_number(w, x[i]);
    sar_write(w, ";\n");
  }
}
