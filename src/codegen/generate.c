// Header and source of generated code (generate.h).
#include "codegen/generate.h"

#include "base/print.h"
#include "codegen/gates.h"
#include "codegen/rolling.h"
#include "dynamics/constraints.h"
#include "dynamics/inertia_floor.h"
#include "dynamics/tree.h"
#include "symbolic/print.h"

#include <stdio.h>
#include <string.h>

static const char* const METHODS[] = {"aba", "crba", "lagrange", "embedding", "hybrid"};
static const char* const INTEGRATORS[] = {"euler", "semi-implicit", "rk4", "trapezoidal"};

const char* sar_generate_method_name(int i) {
  return i >= 0 && i < SAR_GENERATE_METHODS ? METHODS[i] : NULL;
}

const char* sar_generate_integrator_name(int i) {
  return i >= 0 && i < SAR_GENERATE_INTEGRATORS ? INTEGRATORS[i] : NULL;
}

// ---- the model in symbols -----------------------------------------------------------------------

enum { MOST_TESTED = 8 };        // statements by fours
static const double GRIP = 1e8;  // as in dynamics/augmented.c

void sar_generation_weights(const SarModel* m, SarData* d, double* weight) {
  SarArena scratch;
  sar_arena_init(&scratch);
  double* M = SAR_ARENA_ARRAY(&scratch, double, m->nv * m->nv + 1);
  double* inertia = SAR_ARENA_ARRAY(&scratch, double, m->nv + 1);
  if (M && inertia) {
    sar_update_kinematics(m, d);
    sar_update_world(m, d);
    sar_update_constraints(m, d);
    sar_crba_dense(m, d, M);
    double most = 0;
    for (int i = 0; i < m->nv; i++) {
      inertia[i] = M[i * m->nv + i];
      most = inertia[i] > most ? inertia[i] : most;
    }
    sar_inertia_floor(m, inertia);
    for (int i = 0; i < m->nrow; i++) {
      double sum = 0;
      for (int k = m->row_adr[i]; k < m->row_adr[i + 1]; k++)
        sum += d->Psi[k] * d->Psi[k] / inertia[m->row_dof[k]];
      weight[i] = sum > 0 ? GRIP / sum : GRIP * (most > 0 ? most : 1);
    }
  }
  sar_arena_free(&scratch);
}

static SarStatus accept_hybrid(const SarGeneration* g, SarError* err) {
  const bool hybrid = g->o.method == SAR_GENERATE_HYBRID,
             trapezoidal = g->o.integrator == SAR_GENERATE_TRAPEZOIDAL;
  if (hybrid != trapezoidal) {
    sar_report(err, (SarLoc){0}, "take --method hybrid --integrator trapezoidal",
               "method '%s' is not generated with integrator '%s'",
               sar_generate_method_name((int)g->o.method),
               sar_generate_integrator_name((int)g->o.integrator));
    return SAR_NOT_OFFERED;
  }
  if (!hybrid || (g->m->nv > 0 && !g->o.single && g->o.lanes == 0)) return SAR_OK;
  sar_report(err, (SarLoc){0}, g->m->nv > 0 ? "leave --single or --lanes out" : "",
             "method 'hybrid' is generated %s",
             g->m->nv > 0 ? "in double precision, for one instance" : "for models that move");
  return SAR_NOT_OFFERED;
}

// The weights as numbers of the graph.
static void weigh_rows(SarGeneration* g, SarData* d) {
  double* weight = SAR_ARENA_ARRAY(g->arena, double, g->m->nrow + 1);
  if (!weight) return;
  sar_generation_weights(g->m, d, weight);
  for (int i = 0; i < g->m->nrow; i++) g->weight[i] = s_num(g->symbols.g, weight[i]);
}

static SarStatus accept_method(SarGeneration* g, SarError* err) {
  SAR_TRY(accept_hybrid(g, err));
  if (g->o.lanes > 0 && g->o.single) {
    sar_report(err, (SarLoc){0}, "take double precision", "lanes are of double precision");
    return SAR_NOT_OFFERED;
  }
  const bool embedding = g->o.method == SAR_GENERATE_EMBEDDING;
  if (embedding && g->m->nrow == 0) {
    sar_report(err, (SarLoc){0}, "take --method aba",
               "method 'embedding' is for constraints, and the model has none");
    return SAR_NOT_OFFERED;
  }
  if (embedding && g->m->drives_follow) {
    sar_report(err, (SarLoc){0}, "take --method lagrange",
               "method 'embedding': a prescribed motion follows states or measured quantities");
    return SAR_NOT_OFFERED;
  }
  const char* roller = embedding ? sar_symbols_rolling(g->m) : NULL;
  if (roller) {
    sar_report(err, (SarLoc){0}, "take --method lagrange",
               "method 'embedding': '%s' rolls without slip: it holds speeds, and no position "
               "follows from it",
               roller);
    return SAR_NOT_OFFERED;
  }
  if (g->m->nrow > 0 && g->o.single && !embedding) {
    sar_report(
        err, (SarLoc){0}, "take double precision, or --method embedding",
        "single precision has too few digits for constraints, and the model has %d (%s, ...)",
        g->m->nconstraint, sar_text(g->m, g->m->constraint[0].name));
    return SAR_NOT_OFFERED;
  }
  if (g->m->nrow == 0 || g->o.method == SAR_GENERATE_LAGRANGE || embedding ||
      g->o.method == SAR_GENERATE_HYBRID)
    return SAR_OK;
  sar_report(err, (SarLoc){0}, "take --method lagrange or embedding",
             "method '%s' is for open trees, and the model has %d constraint%s (%s, ...)",
             sar_generate_method_name((int)g->o.method), g->m->nconstraint,
             g->m->nconstraint == 1 ? "" : "s", sar_text(g->m, g->m->constraint[0].name));
  return SAR_NOT_OFFERED;
}

void sar_generation_terms(SarGeneration* g) {
  SarSymbols* s = &g->symbols;
  const bool hybrid = g->o.method == SAR_GENERATE_HYBRID;
  sar_symbols_forces(s);
  if (g->o.method == SAR_GENERATE_ABA || (hybrid && s->m->nrow == 0)) return;
  sar_symbols_bias(s);
  sar_symbols_rest(s);
  sar_symbols_mass(s);
  if (g->o.method == SAR_GENERATE_CRBA) return;
  sar_symbols_constraints(s);
  sar_symbols_constraint_rates(s);
}

void sar_generation_solution(SarGeneration* g) {
  SarSymbols* s = &g->symbols;
  const bool hybrid = g->o.method == SAR_GENERATE_HYBRID;
  if (g->o.method == SAR_GENERATE_ABA || (hybrid && s->m->nrow == 0)) sar_symbols_aba(s);
  if (g->o.method == SAR_GENERATE_CRBA) sar_symbols_crba(s);
  if (g->o.method == SAR_GENERATE_LAGRANGE || (hybrid && s->m->nrow > 0))
    sar_symbols_lagrange(s, g->weight);
}

// What embedding chooses, where the run begins; then its equations.
static SarStatus put_embedding(SarGeneration* g, SarData* d, SarError* err) {
  d->t = g->start->t;
  g->twins = g->o.keeps > 0 ? sar_twins_none(g->arena, g->m) : sar_twins_find(g->arena, g->m);
  g->symbols.twins = g->twins;
  if (!g->twins) return SAR_NO_MEMORY;
  const bool done =
      sar_generation_closing(g, d) && sar_symbols_embedding(&g->symbols, g->partition);
  if (done || g->symbols.refused || g->loops.refused) return SAR_OK;
  if (g->arena->failed) return SAR_NO_MEMORY;
  sar_report(err, (SarLoc){0}, "take --method lagrange",
             "method 'embedding': the position where the run begins is singular");
  return SAR_NOT_OFFERED;
}

SarStatus sar_generation_begin(SarGeneration* g, const SarModel* m, const SarData* start,
                               const SarGenerateOptions* o, SarArena* arena, SarError* err) {
  *g = (SarGeneration){.m = m, .start = start, .o = *o, .arena = arena};
  g->header.arena = g->source.arena = arena;
  if (!sar_symbols_init(&g->symbols, m, arena, err)) return SAR_NO_MEMORY;
  g->weight = SAR_ARENA_ARRAY(arena, SarNode, m->nrow + 1);
  g->channel = SAR_ARENA_ARRAY(arena, SarNode, m->nchannel + 1);
  SarData* d = NULL;
  if (!g->weight || !g->channel || sar_data_new(m, &d, NULL) != SAR_OK) return SAR_NO_MEMORY;
  const bool accepted = sar_symbols_accept(&g->symbols);
  SarStatus st = accept_method(g, err);
  if (st == SAR_OK) st = sar_generation_accept_discrete(g, err);
  if (st == SAR_OK) st = sar_generation_accept_gates(g, err);
  if (st == SAR_OK) st = sar_derivatives_accept(g, err);
  if (!accepted) st = SAR_NOT_OFFERED;
  if (st == SAR_OK) {
    for (int i = 0; i < m->nq; i++) d->q[i] = start->q[i];
    if (m->ngate > 0) sar_gates_meet(m, d);
    if (m->nrow > 0) weigh_rows(g, d);
    if (o->method == SAR_GENERATE_EMBEDDING && o->flow) {
      st = put_embedding(g, d, err);
    } else {
      sar_generation_terms(g);
      sar_generation_solution(g);
    }
    // what forces refuse is reported once
    if (o->method == SAR_GENERATE_HYBRID && !g->symbols.refused &&
        !sar_implicit_make(&g->implicit, m, arena, err))
      st = g->implicit.s.refused ? SAR_NOT_OFFERED : SAR_NO_MEMORY;
  }
  if (st == SAR_OK) {
    sar_generation_channels(g);
    if (g->symbols.refused) st = SAR_NOT_OFFERED;
    if (st == SAR_OK && (arena->failed || !sar_identifiers_make(g))) st = SAR_NO_MEMORY;
  }
  sar_data_free(d);
  return st;
}

// ---- text ---------------------------------------------------------------------------------------

const char* sar_generation_symbol(void* context, const char* name) {
  const SarGeneration* g = context;
  int i;
  if (strcmp(name, "t") == 0) return "s->t";
  if (sscanf(name, "tau[%d]", &i) == 1) return sar_arena_printf(g->arena, "u->%s", g->names.tau[i]);
  if (sscanf(name, "input[%d]", &i) == 1)
    return sar_arena_printf(g->arena, "u->%s", g->names.input[i]);
  if (sscanf(name, "q[%d]", &i) == 1 && i < g->m->nq)
    return sar_arena_printf(g->arena, "s->%s", g->names.q[i]);
  if (sscanf(name, "v[%d]", &i) == 1 && i < g->m->nv)
    return sar_arena_printf(g->arena, "s->%s", g->names.v[i]);
  if (sscanf(name, "z[%d]", &i) == 1) return sar_arena_printf(g->arena, "s->%s", g->names.z[i]);
  if (sscanf(name, "w[%d]", &i) == 1) return sar_arena_printf(g->arena, "s->%s", g->names.w[i]);
  if (sscanf(name, "kept[%d]", &i) == 1) return sar_arena_printf(g->arena, "s->w_kept[%d]", i);
  if (sscanf(name, "due[%d]", &i) == 1) return sar_arena_printf(g->arena, "out->due[%d]", i);
  if (sscanf(name, "held[%d]", &i) == 1) return sar_arena_printf(g->arena, "s->held[%d]", i);
  for (i = 0; i < g->o.keeps; i++)
    if (strcmp(name, g->o.keep[i]) == 0)
      return sar_arena_printf(g->arena, "u->parameters.%s", g->names.parameter[i]);
  return NULL;
}

static const char* array_of(void* context, const char* name, int* place) {
  const SarGeneration* g = context;
  if (sscanf(name, "q[%d]", place) == 1 && *place < g->m->nq) return "s->q";
  if (sscanf(name, "v[%d]", place) == 1 && *place < g->m->nv) return "s->v";
  return sscanf(name, "tau[%d]", place) == 1 ? "u->tau" : NULL;
}

SarEmit sar_generation_emitter(SarGeneration* g, const char* what, const char* out_type) {
  const char* n = g->o.name;
  return (SarEmit){
      .g = g->symbols.g,
      .arena = g->arena,
      .out = &g->body,
      .prefix = sar_arena_printf(g->arena, "%s_%s", n, what),
      .arguments = sar_arena_printf(
          g->arena, "const %s_state* restrict s, const %s_inputs* restrict u, %s* restrict out", n,
          n, out_type),
      .unused = "(void)s, (void)u, (void)out",
      .passed = "s, u, out",
      .model = n,
      .symbol = sar_generation_symbol,
      .array = array_of,
      .context = g,
      .uses = &g->runtime,
      // with lanes the code of one instance is in the same order: bit for bit
      .family_uses = g->o.single || g->o.lanes > 0 ? NULL : g->family_runtime,
      .lanes = g->lanes,
  };
}

static bool emit_rates(SarGeneration* g) {
  const SarModel* m = g->m;
  SarSymbols* s = &g->symbols;
  SarEmit e =
      sar_generation_emitter(g, "rates_of", sar_arena_printf(g->arena, "%s_work", g->o.name));
  SarAssign* assign = SAR_ARENA_ARRAY(g->arena, SarAssign, m->nv + m->nz + m->nrow + 3);
  int n = 0;
  if (!assign) return false;
  for (int i = 0; i < m->nv; i++)
    assign[n++] = (SarAssign){s->a[i], sar_arena_printf(g->arena, "out->rates.a[%d]", i)};
  for (int i = 0; i < m->nz; i++)
    assign[n++] = (SarAssign){s->z_rate[i], sar_arena_printf(g->arena, "out->rates.z_rate[%d]", i)};
  for (int i = 0; i < m->nrow; i++)
    assign[n++] = (SarAssign){s->lambda[i], sar_arena_printf(g->arena, "out->rates.lambda[%d]", i)};
  if (m->nrow > 0) assign[n++] = (SarAssign){s->open, "out->open"};
  if (g->partition) assign[n++] = (SarAssign){s->flat, "out->flat"};
  return sar_emit_families(&e, n, assign, &s->families, &g->accelerations);
}

// By the embedding technique a step needs the accelerations of independent coordinates alone: the
// speeds of the others follow where it ends. But the rates of rotation vectors mix the components
// of a joint in space (dexp^-1): where some of them are independent a stage needs the speeds of all
// to its order. Explicit Euler has one stage, at the speeds where it begins.
bool sar_generation_is_pushed(const SarGeneration* g, int dof) {
  const SarModel* m = g->m;
  const int joint = m->dof_body[dof], first = m->joint_vadr[joint];
  if (m->joint_nq[joint] == m->joint_nv[joint] || g->o.integrator == SAR_GENERATE_EULER)
    return g->partition->place[dof] >= 0;
  for (int i = first; i < first + m->joint_nv[joint]; i++)
    if (g->partition->place[i] >= 0) return true;
  return false;
}

static bool emit_pushes(SarGeneration* g) {
  const SarModel* m = g->m;
  SarSymbols* s = &g->symbols;
  if (!g->partition) return true;
  SarEmit e =
      sar_generation_emitter(g, "pushes_of", sar_arena_printf(g->arena, "%s_work", g->o.name));
  SarAssign* assign = SAR_ARENA_ARRAY(g->arena, SarAssign, m->nv + m->nz + 3);
  SarEmitted done;
  int n = 0;
  if (!assign) return false;
  for (int i = 0; i < m->nv; i++)
    if (sar_generation_is_pushed(g, i))
      assign[n++] = (SarAssign){s->a[i], sar_arena_printf(g->arena, "out->rates.a[%d]", i)};
  for (int i = 0; i < m->nz; i++)
    assign[n++] = (SarAssign){s->z_rate[i], sar_arena_printf(g->arena, "out->rates.z_rate[%d]", i)};
  assign[n++] = (SarAssign){s->open, "out->open"};
  assign[n++] = (SarAssign){s->flat, "out->flat"};
  return sar_emit_families(&e, n, assign, &s->families, &done);
}

static bool emit_projection(SarGeneration* g) {
  const SarModel* m = g->m;
  if (g->o.method == SAR_GENERATE_HYBRID) return sar_generation_emit_implicit(g);
  if (m->nrow == 0) return true;
  if (g->partition) return sar_generation_emit_closing(g);
  SarEmit e = sar_generation_emitter(g, "project_of", "real");
  SarNode *dq = g->back_q, *dv = g->back_v;
  if (!dq) {
    dq = SAR_ARENA_ARRAY(g->arena, SarNode, m->nv + 1);
    dv = SAR_ARENA_ARRAY(g->arena, SarNode, m->nv + 1);
    if (dq && dv) sar_symbols_project(&g->symbols, g->weight, dq, dv);
  }
  SarAssign* assign = SAR_ARENA_ARRAY(g->arena, SarAssign, 2 * m->nv + 1);
  if (!dq || !dv || !assign) return false;
  for (int i = 0; i < m->nv; i++) {
    assign[i] = (SarAssign){dq[i], sar_arena_printf(g->arena, "out[%d]", i)};
    assign[m->nv + i] = (SarAssign){dv[i], sar_arena_printf(g->arena, "out[%d]", m->nv + i)};
  }
  return sar_emit_functions(&e, 2 * m->nv, assign, &g->projection);
}

static bool emit_outputs(SarGeneration* g) {
  if (g->names.outputs == 0) return true;
  SarEmit e =
      sar_generation_emitter(g, "outputs_of", sar_arena_printf(g->arena, "%s_outputs", g->o.name));
  SarAssign* assign = SAR_ARENA_ARRAY(g->arena, SarAssign, g->names.outputs + 1);
  int n = 0;
  for (int i = 0; assign && i < g->m->nchannel; i++)
    if (g->names.output[i])
      assign[n++] =
          (SarAssign){g->channel[i], sar_arena_printf(g->arena, "out->%s", g->names.output[i])};
  return assign && sar_emit_families(&e, n, assign, &g->symbols.families, &g->outputs);
}

void sar_generation_number(SarWriter* w, double x) {
  char text[SAR_NUMBER_TEXT];
  sar_print_number(text, sizeof text, x);
  sar_write(w, "%s%s", text, strpbrk(text, ".en") ? "" : ".0");
}

static void write_start(SarGeneration* g, SarWriter* w) {
  const SarModel* m = g->m;
  const char* n = g->o.name;
  sar_generation_default_parameters(g, w);
  sar_write(w, "void %s_start(%s_state* s) {\n  s->t = ", n, n);
  sar_generation_number(w, g->start->t);
  sar_write(w, ";\n");
  for (int i = 0; i < m->nq; i++) {
    sar_write(w, "  s->%s = ", g->names.q[i]);
    sar_generation_number(w, g->start->q[i]);
    sar_write(w, ";\n");
  }
  for (int i = 0; i < m->nv; i++) {
    sar_write(w, "  s->%s = ", g->names.v[i]);
    sar_generation_number(w, g->start->v[i]);
    sar_write(w, ";\n");
  }
  for (int i = 0; i < m->nz; i++) {
    sar_write(w, "  s->%s = ", g->names.z[i]);
    sar_generation_number(w, g->start->z[i]);
    sar_write(w, ";\n");
  }
  for (int i = 0; i < m->ndiscrete; i++) {
    sar_write(w, "  s->%s = ", g->names.w[i]);
    sar_generation_number(w, g->start->discrete[i]);
    sar_write(w, ", s->w_kept[%d] = ", i);
    sar_generation_number(w, g->start->discrete_kept[i]);
    sar_write(w, ";\n");
  }
  sar_generation_start_held(g, w);
  if (g->o.method == SAR_GENERATE_HYBRID) sar_write(w, "  s->memory = (%s_memory){0};\n", n);
  sar_write(w, "}\n\nvoid %s_default_inputs(%s_inputs* u) {\n", n, n);
  if (m->nv > 0) sar_write(w, "  for (int i = 0; i < %d; i++) u->tau[i] = 0;\n", m->nv);
  for (int i = 0; i < m->ninput; i++) {
    sar_write(w, "  u->%s = ", g->names.input[i]);
    sar_generation_number(w, m->input_default[i]);
    sar_write(w, ";\n");
  }
  if (m->nv + m->ninput == 0) sar_write(w, "  u->unused = 0;\n");
  if (g->o.keeps > 0) sar_write(w, "  %s_default_parameters(&u->parameters);\n", n);
  sar_write(w, "}\n\n");
}

// What `rates` finds where loops are closed.
static void write_evaluation(const SarGeneration* g, SarWriter* w, const char* rates) {
  const char* n = g->o.name;
  const double open = sar_embedding_open(g->o.single);
  sar_write(w, "  %s_work work;\n  %s_%s(s, u, &work);\n", n, n, rates);
  if (!g->partition) return;
  sar_write(w,
            "  if (!(work.open <= %.1e)) {\n    %s_state x = *s;\n"
            "    if (%s_close(&x, u)) return 1;\n    %s_%s(&x, u, &work);\n  }\n"
            "  if (!(work.open <= %.1e && work.flat > %g)) return 1;\n",
            open, n, n, n, rates, open, SYM_BLOCK_FLAT);
}

static void write_push(const SarGeneration* g, SarWriter* w) {
  const SarModel* m = g->m;
  const char* n = g->o.name;
  sar_write(w,
            "// Accelerations of independent coordinates; those of others follow%s.\n"
            "static int %s_push(const %s_state* s, const %s_inputs* u, %s_rates* out) {\n",
            sar_generation_pushes_alone(g) ? "" : ": 0", n, n, n, n);
  write_evaluation(g, w, "pushes_of");
  sar_write(w, "  double sum = 0;\n  (void)out;\n");  // with drives alone nothing is pushed
  for (int i = 0; i < m->nv; i++) {
    if (!sar_generation_is_pushed(g, i) && !sar_generation_pushes_alone(g))
      sar_write(w, "  out->a[%d] = 0;\n", i);
    if (sar_generation_is_pushed(g, i))
      sar_write(w, "  out->a[%d] = work.rates.a[%d], sum += out->a[%d] * 0;\n", i, i, i);
  }
  for (int i = 0; i < m->nz; i++)
    sar_write(w, "  out->z_rate[%d] = work.rates.z_rate[%d], sum += out->z_rate[%d] * 0;\n", i, i,
              i);
  sar_write(w, "  return !(sum == 0);\n}\n\n");
}

// A sum that is not finite where any of them is not: four at a time, so that one need not wait for
// another.
static void write_test(SarWriter* w, int n, const char* of) {
  const int whole = n / 4 * 4;
  if (whole > 4 * MOST_TESTED)
    sar_write(
        w,
        "  for (int i = 0; i < %d; i += 4)\n"
        "    sum += out->%s[i] * 0 + out->%s[i + 1] * 0 + (out->%s[i + 2] * 0 + out->%s[i + 3] "
        "* 0);\n",
        whole, of, of, of, of);
  for (int i = whole > 4 * MOST_TESTED ? whole : 0; i < n; i++)
    sar_write(w, "%sout->%s[%d] * 0%s", i % 4 == 0 ? "  sum += " : " + ", of, i,
              i % 4 == 3 || i == n - 1 ? ";\n" : "");
}

static void write_accelerations(SarGeneration* g, SarWriter* w) {
  const SarModel* m = g->m;
  const char* n = g->o.name;
  sar_write(w, "int %s_accelerations(const %s_state* s, const %s_inputs* u, %s_rates* out) {\n", n,
            n, n, n);
  write_evaluation(g, w, "rates_of");
  sar_write(w, "  *out = work.rates;\n");
  sar_write(w, "  double sum = 0;\n");
  write_test(w, m->nv, "a");
  write_test(w, m->nz, "z_rate");
  sar_write(w,
            m->nrow > 0 && !g->partition ? "  return !(sum == 0 && work.open <= %.1e);\n}\n\n"
                                         : "  return !(sum == 0);\n}\n\n",
            SAR_SYMBOLS_OPEN);
}

static void to_single(SarWriter* w) {
  SarWriter single = {.arena = w->arena};
  sar_single_write(&single, w->text.items, w->text.count);
  *w = single;
}

bool sar_generation_emit(SarGeneration* g) {
  return emit_rates(g) && emit_pushes(g) && emit_projection(g) && emit_outputs(g) &&
         sar_derivatives_emit(g) && sar_generation_emit_discrete(g) && sar_generation_emit_gates(g);
}

SarStatus sar_generation_write(SarGeneration* g) {
  const char* n = g->o.name;
  SarWriter* w = &g->source;
  g->runtime.single = g->o.single;
  g->body.arena = g->arena;
  sar_generation_header(g, &g->header);
  g->runtime.turns = g->m->nq > g->m->nv;
  g->runtime.turn_rates = g->runtime.turns && g->o.integrator == SAR_GENERATE_RK4;
  if (!sar_generation_emit(g)) return SAR_NO_MEMORY;
  sar_write(
      w,
      "// Equations of motion of '%s', made by Sarrus: %d statements in functions of bounded\n"
      "// length. Change the model, not this file.\n"
      "#include \"%s.h\"\n\n#include <math.h>\n#include <stdint.h>\n#include <string.h>\n\n"
      "typedef double real;\n\n"
      "typedef struct %s_work {\n  %s_rates rates;\n  double open, flat;\n} %s_work;\n\n",
      g->o.model, g->accelerations.statements, n, n, n, n);
  const bool hybrid = g->o.method == SAR_GENERATE_HYBRID;
  if (g->partition) sar_generation_closed_type(g, w);
  if (hybrid) sar_generation_implicit_types(g, w);
  sar_generation_instant_type(g, w);
  sar_generation_found_type(g, w);
  sar_runtime_write(w, n, &g->runtime, g->family_runtime);
  sar_write(w, "%.*s", g->body.text.count, g->body.text.items);
  write_start(g, w);
  if (g->m->nv > 0) sar_generation_move(g, w);
  if (g->partition) sar_generation_close(g, w);
  write_accelerations(g, w);
  if (g->partition) write_push(g, w);
  if (hybrid && !sar_generation_implicit_step(g, w)) return SAR_NO_MEMORY;
  if (!hybrid) sar_generation_step(g, w);
  if (sar_generation_lands(g)) sar_generation_kinks(g, w);
  sar_generation_switch(g, w);
  if (g->m->ndiscrete > 0) sar_generation_discrete(g, w);
  if (sar_generation_lands(g)) sar_generation_landing(g, w);
  if (g->names.outputs > 0)
    sar_write(w,
              "void %s_output_values(const %s_state* s, const %s_inputs* u, %s_outputs* out) {\n"
              "  %s_outputs_of(s, u, out);\n}\n",
              n, n, n, n, n);
  if (g->o.single) {
    to_single(&g->header);
    to_single(w);
  }
  return g->arena->failed ? SAR_NO_MEMORY : SAR_OK;
}
