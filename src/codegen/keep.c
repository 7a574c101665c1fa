// Parameters that stay parameters of generated code (generate.h).
//
// The compiled model has folded them into its numbers. What they did is found again from outside,
// as for equations that people read (lift.h): M, forces and constraints are built for other values,
// and every number that varies becomes a sum of products of the parameters, to rounding; then they
// are solved. A parameter that changes which equations there are, or one that a number follows from
// in another way (an angle that turns an axis, say), is refused: code with such a number left as it
// is would be wrong for every other value.
//
// Weights of constraint rows are no quantities of the model: they stay the numbers that they are
// for the values of the file.
#include "codegen/keep.h"

#include "base/print.h"
#include "codegen/lift.h"
#include "io/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_SET = 128 };

typedef struct Keeper {
  SarGeneration* g;
  double* weight;  // nrow
} Keeper;

// ---- which --------------------------------------------------------------------------------------

static SarStatus refuse(SarError* err, const char* hint, const char* format, const char* name) {
  char text[200];
  sar_snprintf(text, sizeof text, format, name);
  sar_report(err, (SarLoc){0}, hint, "--keep: %s", text);
  return SAR_NOT_OFFERED;
}

static const SpecParameter* find_parameter(const SarSpec* spec, const char* name) {
  for (int i = 0; i < spec->parameters.count; i++)
    if (strcmp(spec->parameters.items[i].name.text, name) == 0) return &spec->parameters.items[i];
  return NULL;
}

static const char* list_parameters(const SarSpec* spec, char* text, size_t size) {
  size_t used = (size_t)sar_snprintf(
      text, size, spec->parameters.count ? "the model has" : "the model has no parameters");
  for (int i = 0; i < spec->parameters.count && used < size; i++)
    used += (size_t)sar_snprintf(text + used, size - used, "%s '%s'", i ? "," : "",
                                 spec->parameters.items[i].name.text);
  return text;
}

// The value as it is: of --set, else of the file.
static bool value_of(const SarGenerateOptions* o, const SpecParameter* p, double* value) {
  for (int i = 0; o->load && i < o->load->parameter_count; i++)
    if (strcmp(o->load->parameters[i].name, p->name.text) == 0) {
      *value = o->load->parameters[i].value;
      return true;
    }
  return sar_expr_is_number(p->value.expr, value) && isfinite(*value);
}

static SarStatus accept_method(const SarGenerateOptions* o, SarError* err) {
  if (o->method == SAR_GENERATE_ABA)
    return refuse(err, "take --method crba", "not with method '%s'", "aba");
  if (o->method == SAR_GENERATE_HYBRID)
    return refuse(err, "take --method crba, lagrange or embedding", "not with method '%s'",
                  "hybrid");
  return SAR_OK;
}

static SarStatus read_values(SarGeneration* g, const SarSpec* spec, SarError* err) {
  const SarGenerateOptions* o = &g->o;
  char hint[300];
  for (int i = 0; i < o->keeps; i++) {
    const SpecParameter* p = find_parameter(spec, o->keep[i]);
    for (int k = 0; k < i; k++)
      if (strcmp(o->keep[k], o->keep[i]) == 0)
        return refuse(err, "", "'%s' is there twice", o->keep[i]);
    if (!p)
      return refuse(err, list_parameters(spec, hint, sizeof hint), "there is no parameter '%s'",
                    o->keep[i]);
    if (!value_of(o, p, &g->kept[i]))
      return refuse(err, "keep those, or give it a number by --set",
                    "parameter '%s' follows from others", o->keep[i]);
  }
  return SAR_OK;
}

static SarStatus find_values(SarGeneration* g, SarError* err) {
  SarSpec spec;
  g->kept = SAR_ARENA_ARRAY(g->arena, double, g->o.keeps + 1);
  if (!g->kept) return SAR_NO_MEMORY;
  sar_spec_init(&spec);
  SarStatus st = sar_spec_load(g->o.model, g->o.load, &spec, err);
  if (st == SAR_OK) st = read_values(g, &spec, err);
  sar_spec_free(&spec);
  return st;
}

// ---- equations for other values -----------------------------------------------------------------

// From the file: a parameter may say how many bodies there are.
SarStatus sar_kept_model(const SarGenerateOptions* o, const double* value, SarModel** m) {
  SarParameter set[MOST_SET];
  SarLoadOptions load = o->load ? *o->load : (SarLoadOptions){0};
  int n = 0;
  for (int i = 0; i < o->keeps; i++) set[n++] = (SarParameter){o->keep[i], value[i]};
  for (int i = 0; i < load.parameter_count && n < MOST_SET; i++) {
    bool given = false;
    for (int k = 0; k < o->keeps; k++)
      given = given || strcmp(load.parameters[i].name, o->keep[k]) == 0;
    if (!given) set[n++] = load.parameters[i];
  }
  load.parameters = set;
  load.parameter_count = n;
  return sar_model_load(o->model, &load, m, NULL);
}

// The terms of the equations in a row: in, or back. They are polynomials of most parameters, and
// the solution is not, so that is found after them.
static SarNode* move(SarNode* all, SarNode* one, int n, bool back) {
  for (int i = 0; i < n; i++) *(back ? &one[i] : &all[i]) = back ? all[i] : one[i];
  return all + n;
}

static void pass(SarGeneration* g, SarNode* at, bool back) {
  const SarModel* m = g->m;
  SarSymbols* s = &g->symbols;
  at = move(at, s->mass, m->nv * m->nv, back);
  at = move(at, s->rest, m->nv, back);
  at = move(at, s->z_rate, m->nz, back);
  at = move(at, s->Phi, m->nrow, back);
  at = move(at, s->Phi_t, m->nrow, back);
  at = move(at, s->Phi_dot, m->nrow, back);
  at = move(at, s->gamma, m->nrow, back);
  at = move(at, s->Psi, m->nrow_dof, back);
  at = move(at, g->instant, 3 * m->ndiscrete, back);
  for (int i = 0; i < m->nchannel; i++)
    if (g->channel[i] >= 0) at = move(at, &g->channel[i], 1, back);
}

static int count(const SarGeneration* g) {
  const SarModel* m = g->m;
  int n = m->nv * m->nv + m->nv + m->nz + 4 * m->nrow + m->nrow_dof + 3 * m->ndiscrete;
  for (int i = 0; i < m->nchannel; i++) n += g->channel[i] >= 0;
  return n;
}

// Instants and, where something is sampled on them, kinks in time are numbers of the code.
static bool has_times_of(const SarModel* a, const SarModel* b) {
  const size_t n = sizeof(double) * (size_t)b->ndiscrete, k = sizeof(double) * (size_t)b->nkink;
  if (a->ndiscrete != b->ndiscrete) return false;
  if (b->ndiscrete == 0) return true;
  return memcmp(a->discrete_period, b->discrete_period, n) == 0 &&
         memcmp(a->discrete_offset, b->discrete_offset, n) == 0 && a->nkink == b->nkink &&
         (k == 0 || (memcmp(a->kink_time, b->kink_time, k) == 0 &&
                     memcmp(a->kink_period, b->kink_period, k) == 0));
}

static bool has_gates_of(const SarModel* a, const SarModel* b) {
  bool same = a->ngate == b->ngate;
  for (int g = 0; same && g < b->ngate; g++)
    same = a->gate[g].from.time == b->gate[g].from.time &&
           a->gate[g].until.time == b->gate[g].until.time;
  return same;
}

static bool is_alike(const SarModel* a, const SarModel* b) {
  return has_times_of(a, b) && has_gates_of(a, b) && a->nq == b->nq && a->nv == b->nv &&
         a->nz == b->nz && a->nrow == b->nrow && a->nrow_dof == b->nrow_dof &&
         a->nchannel == b->nchannel && a->ninput == b->ninput;
}

static SarNode* nodes(SarArena* arena, int n) { return SAR_ARENA_ARRAY(arena, SarNode, n + 1); }

static bool put_instants(SarGeneration* g) {
  g->instant = nodes(g->arena, 3 * g->m->ndiscrete);
  if (g->instant) sar_generation_instants(g, g->instant);
  return g->instant != NULL;
}

// Accelerations are symbols until they are known: columns show them.
static bool put(Keeper* k, SarGeneration* g, SarArena* arena) {
  const SarModel* m = g->m;
  SarSymbols* s = &g->symbols;
  char name[32];
  g->channel = nodes(arena, m->nchannel);
  if (!g->channel || !sar_symbols_init(s, m, arena, NULL)) return false;
  sar_generation_terms(g);
  if (s->refused || arena->failed) return false;
  for (int i = 0; i < m->nv; i++) {
    sar_snprintf(name, sizeof name, "a[%d]", i);
    s->a[i] = sar_sym_symbol(s->g, name);
  }
  sar_generation_channels(g);
  return put_instants(g) && !arena->failed && count(g) == count(k->g);
}

static bool build(void* context, const double* value, SarArena* arena, SarGraph** graph,
                  SarNode* output) {
  Keeper* k = context;
  SarModel* m = NULL;
  const SarStatus st = sar_kept_model(&k->g->o, value, &m);
  if (st == SAR_NO_MEMORY || st == SAR_OVER_LIMIT) arena->failed = 1;  // no fault of the values
  if (st != SAR_OK) return false;
  SarGeneration other = {.m = m, .o = k->g->o, .arena = arena};
  const bool done = is_alike(m, k->g->m) && put(k, &other, arena);
  if (done) pass(&other, output, false);
  *graph = other.symbols.g;
  sar_model_free(m);
  return done;
}

// ---- the solution -------------------------------------------------------------------------------

static bool solve(Keeper* k) {
  SarGeneration* g = k->g;
  SarSymbols* s = &g->symbols;
  if (g->partition && !sar_kept_embed(g)) return false;
  for (int i = 0; i < g->m->nrow; i++) g->weight[i] = s_num(s->g, k->weight[i]);
  sar_generation_solution(g);
  if (g->m->nrow > 0 && !g->partition) sar_symbols_project(s, g->weight, g->back_q, g->back_v);
  int which;
  for (int i = 0; i < g->m->nchannel; i++)
    if (g->channel[i] >= 0 && sar_node_op(s->g, g->channel[i]) == SAR_OP_SYMBOL &&
        sscanf(sar_node_name(s->g, g->channel[i]), "a[%d]", &which) == 1)
      g->channel[i] = s->a[which];
  return true;
}

// ---- all ----------------------------------------------------------------------------------------

static SarStatus refuse_all(const SarGeneration* g, SarError* err, const char* hint,
                            const char* format) {
  char names[160];
  size_t used = 0;
  for (int i = 0; i < g->o.keeps && used < sizeof names; i++)
    used += (size_t)sar_snprintf(names + used, sizeof names - used, "%s'%s'", i ? ", " : "",
                                 g->o.keep[i]);
  return refuse(err, hint, format, names);
}

static SarStatus judge(const SarGeneration* g, const SarLifted* l, SarError* err) {
  for (int i = 0; i < g->o.keeps; i++)
    if (!l->kept[i])
      return refuse(err, "leave it a number",
                    "parameter '%s' changes which equations there are, or has no other values",
                    g->o.keep[i]);
  if (l->numbers == 0) return SAR_OK;
  return refuse_all(g, err, "leave those that turn axes or frames numbers",
                    "numbers of the equations are no sums of products of %s");
}

SarStatus sar_generation_keep(SarGeneration* g, SarError* err) {
  const int n = count(g);
  if (g->o.keeps == 0) return SAR_OK;
  if (!put_instants(g)) return SAR_NO_MEMORY;
  SAR_TRY(accept_method(&g->o, err));
  SAR_TRY(find_values(g, err));
  Keeper k = {g, SAR_ARENA_ARRAY(g->arena, double, g->m->nrow + 1)};
  SarNode* output = nodes(g->arena, n);
  SarGraph* graph = sar_graph_new(g->arena);
  g->back_q = nodes(g->arena, g->m->nv);
  g->back_v = nodes(g->arena, g->m->nv);
  if (!k.weight || !output || !graph || !g->back_q || !g->back_v) return SAR_NO_MEMORY;
  for (int i = 0; i < g->m->nrow; i++) sar_node_is_number(g->symbols.g, g->weight[i], &k.weight[i]);
  const SarLift l = {.parameters = g->o.keeps,
                     .name = g->o.keep,
                     .value = g->kept,
                     .build = build,
                     .context = &k,
                     .outputs = n};
  SarLifted lifted;
  if (!sar_lift(&l, graph, output, &lifted)) return SAR_NO_MEMORY;
  SAR_TRY(judge(g, &lifted, err));
  if (!sar_kept_terms_hold(g, build, &k, graph, n, output))
    return refuse_all(g, err, "leave what goes through min, max, abs or a table a number",
                      "farther away the equations follow in another way from %s");
  g->symbols.g = graph;
  pass(g, output, true);
  if (!solve(&k)) return SAR_NO_MEMORY;
  return g->arena->failed ? SAR_NO_MEMORY : SAR_OK;
}

void sar_generation_default_parameters(const SarGeneration* g, SarWriter* w) {
  const char* n = g->o.name;
  if (g->o.keeps == 0) return;
  sar_write(w, "void %s_default_parameters(%s_parameters* p) {\n", n, n);
  for (int i = 0; i < g->o.keeps; i++) {
    sar_write(w, "  p->%s = ", g->names.parameter[i]);
    sar_generation_number(w, g->kept[i]);
    sar_write(w, ";\n");
  }
  sar_write(w, "}\n\n");
}
