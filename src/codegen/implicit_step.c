// C of implicit steps: straight-line functions, types and tables of the rows (implicit.h).
#include "codegen/implicit.h"

#include "codegen/generate.h"
#include "dynamics/projection.h"
#include "symbolic/print.h"

#include <stdio.h>
#include <string.h>

static int room(int n) { return n > 0 ? n : 1; }

// ---- straight-line functions --------------------------------------------------------------------

static const char* symbol(void* context, const char* name) {
  static const char* const of_in[] = {"acc[", "lambda[", "gain_", "T[", "Psi["};
  static const char* const of_f[] = {"L[", "inverse[", "scaled["};
  const SarGeneration* g = context;
  for (size_t i = 0; i < sizeof of_in / sizeof *of_in; i++)
    if (strncmp(name, of_in[i], strlen(of_in[i])) == 0)
      return sar_arena_printf(g->arena, "in->%s", name);
  for (size_t i = 0; i < sizeof of_f / sizeof *of_f; i++)
    if (strncmp(name, of_f[i], strlen(of_f[i])) == 0)
      return sar_arena_printf(g->arena, "f->%s", name);
  if (strncmp(name, "b[", 2) == 0) return name;
  return sar_generation_symbol(context, name);
}

typedef struct List {
  SarGeneration* g;
  SarAssign* item;
  int count;
} List;

static void add(List* l, SarNode node, const char* array, int i) {
  l->item[l->count++] = (SarAssign){node, sar_arena_printf(l->g->arena, "%s[%d]", array, i)};
}

static void add_all(List* l, int n, const SarNode* node, const char* array) {
  for (int i = 0; i < n; i++) add(l, node[i], array, i);
}

static bool emit(List* l, const char* what, SarGraph* graph, const char* arguments,
                 const char* unused, const char* passed) {
  SarGeneration* g = l->g;
  SarEmit e = sar_generation_emitter(g, what, "real");
  SarEmitted done;
  e.g = graph;
  e.symbol = symbol;
  e.arguments = arguments;
  e.unused = unused;
  e.passed = passed;
  const bool good = sar_emit_functions(&e, l->count, l->item, &done);
  g->projection.statements += done.statements;
  l->count = 0;
  return good;
}

// At a state: what is found there.
static bool emit_at(List* l, const char* what) {
  const char* n = l->g->o.name;
  const char* arguments = sar_arena_printf(
      l->g->arena,
      "const %s_state* restrict s, const %s_inputs* restrict u, const %s_trial* restrict in, "
      "%s_found* restrict out",
      n, n, n, n);
  return emit(l, what, l->g->implicit.s.g, arguments, "(void)s, (void)u, (void)in, (void)out",
              "s, u, in, out");
}

static void add_rows(List* l) {
  const SarSymbols* s = &l->g->implicit.s;
  add_all(l, s->m->nrow, s->Phi, "out->Phi");
  add_all(l, s->m->nrow_dof, s->Psi, "out->Psi");
}

static bool emit_factor(List* l) {
  const SarGeneration* g = l->g;
  const SarImplicit* p = &g->implicit;
  const int nv = g->m->nv;
  const char* n = g->o.name;
  int kept = 0;
  for (int i = 0; i < nv; i++)
    for (int k = 0; k < i; k++)
      if (!s_is_zero(p->g, p->F.L[i * nv + k])) add(l, p->F.L[i * nv + k], "f->L", kept++);
  add_all(l, nv, p->F.inverse, "f->inverse");
  if (!emit(l, "factor_of", p->g,
            sar_arena_printf(g->arena, "const %s_found* restrict in, %s_factor* restrict f", n, n),
            "(void)in, (void)f", "in, f"))
    return false;
  add_all(l, nv, p->x, "x");
  return emit(
      l, "solve_of", p->g,
      sar_arena_printf(g->arena,
                       "const %s_factor* restrict f, const real* restrict b, real* restrict x", n),
      "(void)f, (void)b, (void)x", "f, b, x");
}

bool sar_generation_emit_implicit(SarGeneration* g) {
  const SarImplicit* p = &g->implicit;
  const SarModel* m = g->m;
  const int nv = m->nv;
  List l = {
      g, SAR_ARENA_ARRAY(g->arena, SarAssign, 2 * nv * nv + nv + 2 * m->nrow + m->nrow_dof + 1), 0};
  if (!l.item) return false;
  if (m->nrow > 0) {
    add_rows(&l);
    add_all(&l, m->nrow, p->s.Phi_t, "out->Phi_t");
    if (!emit_at(&l, "positions_of")) return false;
    add_all(&l, m->nrow, p->s.gamma, "out->gamma");
    if (!emit_at(&l, "gamma_of")) return false;
  }
  for (int tangent = 0; tangent < 2; tangent++) {
    add_rows(&l);
    add_all(&l, nv, p->r, "out->r");
    for (int i = 0; tangent && i < nv; i++)
      for (int j = 0; j <= i; j++)
        if (p->T_place[i * nv + j] >= 0)
          add(&l, p->T[i * nv + j], "out->T", p->T_place[i * nv + j]);
    if (!emit_at(&l, tangent ? "tangent_of" : "residual_of")) return false;
  }
  return emit_factor(&l);
}

// ---- types and tables ---------------------------------------------------------------------------

void sar_generation_memory_type(const SarGeneration* g, SarWriter* w) {
  const SarModel* m = g->m;
  const char* n = g->o.name;
  sar_write(
      w,
      "// What a step keeps for the next one. It is part of the state; leave it alone. A state or "
      "an\n// input that was changed by hand is noticed.\n"
      "typedef struct %s_memory {\n  int known, order;\n  double rate, h;\n"
      "  double a[3][%d], lambda[%d];\n  double t, q[%d], v[%d], u[%d];\n} %s_memory;\n\n",
      n, room(m->nv), room(m->nrow), room(m->nq), room(m->nv), room(m->nv + m->ninput), n);
}

void sar_generation_implicit_types(const SarGeneration* g, SarWriter* w) {
  const SarModel* m = g->m;
  const SarImplicit* p = &g->implicit;
  const char* n = g->o.name;
  const int nv = room(m->nv), nrow = room(m->nrow), entries = room(m->nrow_dof);
  sar_write(w,
            "typedef struct %s_trial {  // of a step, and what its tangent takes\n"
            "  double acc[%d], lambda[%d], gain_K, gain_C;\n} %s_trial;\n\n",
            n, nv, nrow, n);
  sar_write(w,
            "typedef struct %s_found {  // residual, constraints, tangent\n"
            "  double r[%d], Phi[%d], Phi_t[%d], gamma[%d], Psi[%d], T[%d];\n} %s_found;\n\n",
            n, nv, nrow, nrow, nrow, entries, room(p->entries), n);
  sar_write(w,
            "typedef struct %s_factor {  // of T + Psi' w Psi\n"
            "  double inertia[%d], weight[%d], over_weight[%d], scaled[%d], grip;\n"
            "  double L[%d], inverse[%d];\n} %s_factor;\n\n",
            n, nv, nrow, nrow, entries, room(p->factors), nv, n);
}

static void write_doubles(const SarGeneration* g, SarWriter* w, const char* what, int n,
                          const double* x, double power) {
  char text[SAR_NUMBER_TEXT];
  sar_write(w, "static const double %s_%s[%d] = {", g->o.name, what, room(n));
  for (int i = 0; i < n; i++)
    sar_write(w, "%s%s", i ? ", " : "",
              sar_print_number(text, sizeof text, power < 0 ? 1 / x[i] : x[i]));
  sar_write(w, "%s};\n", n > 0 ? "" : "0");
}

static void write_ints(const SarGeneration* g, SarWriter* w, const char* what, int n,
                       const int* x) {
  sar_write(w, "static const int %s_%s[%d] = {", g->o.name, what, room(n));
  for (int i = 0; i < n; i++) sar_write(w, "%s%d", i ? ", " : "", x[i]);
  sar_write(w, "%s};\n", n > 0 ? "" : "0");
}

static bool write_tables(SarGeneration* g, SarWriter* w) {
  const SarModel* m = g->m;
  const SarImplicitRows* rows = g->o.rows;
  double* unit = SAR_ARENA_ARRAY(g->arena, double, m->nv + 1);
  int *diagonal = SAR_ARENA_ARRAY(g->arena, int, m->nv + 1),
      *length = SAR_ARENA_ARRAY(g->arena, int, m->nv + 1);
  if (!unit || !diagonal || !length) return false;
  sar_dof_units(m, unit);
  for (int i = 0; i < m->nv; i++) {
    const int j = m->dof_body[i];
    diagonal[i] = g->implicit.T_place[i * m->nv + i];
    length[i] = m->joint_kind[j]->coordinate[i - m->joint_vadr[j]] == SAR_LENGTH;
  }
  sar_write(
      w,
      "// Coordinates: 1 over their units, where their inertia is in T, which are lengths. Rows of "
      "the\n// constraints: 1 over their units, their usual lengths, their entries.\n");
  write_doubles(g, w, "over_unit", m->nv, unit, -1);
  sar_write(w, "enum { %s_NROW = %d, %s_ITERATIONS = %d };\n", g->o.name, m->nrow, g->o.name,
            rows->iterations);
  sar_write(w, "static const double %s_TOLERANCE = %.17g;\n", g->o.name, rows->tolerance);
  if (m->nrow > 0) {
    sar_write(w, "static const double %s_SHORTEST = %s;  // lever that holds\n", g->o.name,
              rows->redundant ? "1e-6" : "1e-9");
    write_ints(g, w, "diagonal", m->nv, diagonal);
    write_ints(g, w, "is_length", m->nv, length);
    write_doubles(g, w, "over_row_unit", m->nrow, rows->unit, -1);
    write_doubles(g, w, "row_size", m->nrow, rows->size, 1);
    write_ints(g, w, "row_adr", m->nrow + 1, m->row_adr);
    write_ints(g, w, "row_dof", m->nrow_dof, m->row_dof);
  }
  sar_write(w, "\n");
  return true;
}

bool sar_generation_implicit_step(SarGeneration* g, SarWriter* w) {
  if (!write_tables(g, w)) return false;
  sar_implicit_driver(w, g->o.name, g->m->nrow > 0, g->o.rows->redundant, sar_generation_lands(g));
  return true;
}
