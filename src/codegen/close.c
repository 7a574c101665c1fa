// NAME_close of generated code by the embedding technique: dependent coordinates and speeds from
// the independent ones (generate.h, embedding.h).
//
// By the polynomials of the flow where there are any; where a root is in doubt, and for blocks
// without polynomials, by Newton's method from where the integrator brought the coordinates, of a
// bounded number of steps. A matrix that comes near to a singular one ends the step.
#include "codegen/generate.h"

bool sar_generation_has_polynomials(const SarGeneration* g) {
  return g->partition->flow->polynomials > 0;
}

bool sar_generation_closing(SarGeneration* g, const SarData* d) {
  SarSymbols* s = &g->loops;
  if (!sar_symbols_init(s, g->m, g->arena, NULL)) return false;
  s->twins = g->twins;
  sar_symbols_forces(s);
  const bool kept = g->o.keeps > 0;
  if (!kept && !sar_symbols_pin(s, g->o.flow)) return false;
  sar_symbols_constraints(s);
  sar_symbols_drive_rates(s);
  if (s->refused) return false;
  g->partition = sar_partition_new(s, d, g->o.flow);
  if (!g->partition) return false;
  g->partition->single = g->o.single;
  g->partition->kept = kept;
  if (!sar_symbols_newton(s, g->partition, &g->newton)) return false;
  return !sar_generation_has_polynomials(g) || sar_symbols_closing(s, g->partition, &g->closing);
}

// ---- functions of bounded length ----------------------------------------------------------------

typedef struct List {
  SarGeneration* g;
  SarAssign* item;
  int count;
} List;

static void add(List* l, SarNode node, const char* array, int i) {
  l->item[l->count++] =
      (SarAssign){node, i < 0 ? array : sar_arena_printf(l->g->arena, "out->%s[%d]", array, i)};
}

bool sar_generation_depends(const SarGeneration* g, int dof) {
  return g->partition->place[dof] < 0;
}

int sar_generation_q_of(const SarModel* m, int dof) {
  const int b = m->dof_body[dof];
  return m->joint_qadr[b] + dof - m->joint_vadr[b];
}

// Does the flow find this coordinate itself?
bool sar_generation_is_found(const SarGeneration* g, int dof) {
  const SarLoopFlow* f = g->partition->flow;
  if (!sar_generation_depends(g, dof)) return false;
  const SarLoopKind kind = f->block[f->dof_block[dof]].kind;
  return kind == SAR_LOOP_GIVEN || kind == SAR_LOOP_TRIANGULAR;
}

static bool emit_closing(SarGeneration* g, List* l, const char* type) {
  const SarModel* m = g->m;
  SarEmit e = sar_generation_emitter(g, "flow_of", type);
  SarEmitted done;
  e.g = g->closing.g;
  l->count = 0;
  for (int i = 0; i < m->nv; i++) {
    if (sar_generation_is_found(g, i))
      add(l, g->closing.q[sar_generation_q_of(m, i)], "q", sar_generation_q_of(m, i));
    if (sar_generation_depends(g, i)) add(l, g->closing.v[i], "v", i);
  }
  add(l, g->closing.doubt, "out->doubt", -1);
  const bool good = sar_emit_families(&e, l->count, l->item, &g->closing.families, &done);
  g->projection.statements += done.statements;
  return good;
}

static bool emit_newton(SarGeneration* g, List* l, const char* type) {
  SarEmit e = sar_generation_emitter(g, "newton_of", type);
  SarEmitted done;
  e.g = g->loops.g;
  l->count = 0;
  for (int i = 0; i < g->m->nv; i++) {
    add(l, g->newton.move[i], "move", i);
    if (sar_generation_depends(g, i)) add(l, g->newton.v[i], "v", i);
  }
  add(l, g->newton.size, "out->size", -1);
  add(l, g->newton.flat, "out->flat", -1);
  const bool good = sar_emit_families(&e, l->count, l->item, &g->newton.families, &done);
  g->projection.statements += done.statements;
  return good;
}

bool sar_generation_emit_closing(SarGeneration* g) {
  const SarModel* m = g->m;
  List l = {g, SAR_ARENA_ARRAY(g->arena, SarAssign, m->nq + 2 * m->nv + 4), 0};
  const char* type = sar_arena_printf(g->arena, "%s_closed", g->o.name);
  if (!l.item || !type) return false;
  return (!sar_generation_has_polynomials(g) || emit_closing(g, &l, type)) &&
         emit_newton(g, &l, type);
}

// ---- the function -------------------------------------------------------------------------------

void sar_generation_closed_type(const SarGeneration* g, SarWriter* w) {
  sar_write(w,
            "typedef struct %s_closed {\n  real q[%d], v[%d], move[%d];\n"
            "  real size, flat, doubt;\n} %s_closed;\n\n",
            g->o.name, g->m->nq, g->m->nv, g->m->nv, g->o.name);
}

static void write_speeds(const SarGeneration* g, SarWriter* w, const char* indent) {
  for (int i = 0; i < g->m->nv; i++)
    if (sar_generation_depends(g, i)) sar_write(w, "%ss->v[%d] = c.v[%d];\n", indent, i, i);
}

static void write_flow(const SarGeneration* g, SarWriter* w) {
  const SarModel* m = g->m;
  const bool alone = g->partition->flow->iterated + g->partition->flow->aimed == 0;
  sar_write(w,
            "  %s_flow_of(s, u, &c);\n"
            "  // roots near where the coordinates were, which the constraints confirm\n"
            "  if (c.doubt <= %.1e) {\n",
            g->o.name, sar_closing_doubt(g->o.single));
  for (int i = 0; i < m->nv; i++)
    if (sar_generation_is_found(g, i))
      sar_write(w, "    s->q[%d] = c.q[%d];\n", sar_generation_q_of(m, i),
                sar_generation_q_of(m, i));
  if (alone) {
    write_speeds(g, w, "    ");
    sar_write(w, "    return 0;\n");
  }
  sar_write(w, "  }\n");
}

void sar_generation_close(SarGeneration* g, SarWriter* w) {
  const char* n = g->o.name;
  sar_write(w, "int %s_close(%s_state* s, const %s_inputs* u) {\n  %s_closed c;\n", n, n, n, n);
  if (sar_generation_has_polynomials(g)) write_flow(g, w);
  sar_write(w,
            "  for (int i = 0; i < %d; i++) {\n"
            "    %s_newton_of(s, u, &c);\n"
            "    if (!(c.flat > %g)) return 1;\n"
            "    %s_move(s, c.move, s);\n"
            "    if (c.size > %.1e * " SAR_NEWTON_LEFT ") continue;\n",
            SAR_CLOSE_ITERATIONS, n, SYM_BLOCK_FLAT, n, sar_newton_done(g->o.single));
  write_speeds(g, w, "    ");
  sar_write(w, "    return !(c.size >= 0);\n  }\n  return 1;\n}\n\n");
}
