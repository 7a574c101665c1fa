// Equations of a model (equations.h).
#include "codegen/equations.h"

#include "base/error.h"
#include "base/print.h"
#include "codegen/equations_loops.h"
#include "codegen/gates.h"
#include "codegen/symbols.h"
#include "model/compile.h"
#include "symbolic/rewrite.h"

#include <math.h>
#include <string.h>

enum { MOST_PARAMETERS = 64 };

typedef struct Maker {
  SarEquations* e;
  const SarSpec* spec;
  const SarEquationsOptions* o;
  SarArena* arena;
} Maker;

// ---- outputs of one model -----------------------------------------------------------------------

static int count_outputs(const SarModel* m, unsigned parts) {
  return (parts & SAR_EQUATIONS_MASS ? m->nv * (m->nv + 1) / 2 : 0) +
         (parts & SAR_EQUATIONS_BIAS ? m->nv : 0) +
         (parts & SAR_EQUATIONS_CONSTRAINTS ? m->nrow : 0) +
         (parts & SAR_EQUATIONS_JACOBIAN ? m->nrow_dof : 0) +
         (parts & SAR_EQUATIONS_GAMMA ? m->nrow : 0);
}

static SarNode no_host_force(void* context, SarNode symbol) {
  const SarSymbols* s = context;
  for (int i = 0; i < s->m->nv; i++)
    if (s->tau_host[i] == symbol) return sar_sym_number(s->g, 0);
  return SAR_NONE;
}

// h = -(tau less the bias forces), where the host adds nothing
static bool put_bias(SarSymbols* s, SarNode* to) {
  if (!sar_sym_substitute(s->g, s->m->nv, s->rest, no_host_force, s, to)) return false;
  for (int i = 0; i < s->m->nv; i++) to[i] = sar_sym_neg(s->g, to[i]);
  return true;
}

static SarNode* put(SarNode* to, const SarNode* from, int n) {
  for (int i = 0; i < n; i++) to[i] = from[i];
  return to + n;
}

static bool put_outputs(SarSymbols* s, unsigned parts, SarNode* to) {
  const SarModel* m = s->m;
  sar_symbols_forces(s);
  sar_symbols_bias(s);
  sar_symbols_rest(s);
  sar_symbols_mass(s);
  sar_symbols_constraints(s);
  sar_symbols_constraint_rates(s);
  if (s->refused || s->arena->failed) return false;
  for (int i = 0; i < m->nv && parts & SAR_EQUATIONS_MASS; i++)
    to = put(to, &s->mass[i * m->nv], i + 1);
  if (parts & SAR_EQUATIONS_BIAS) {
    if (!put_bias(s, to)) return false;
    to += m->nv;
  }
  if (parts & SAR_EQUATIONS_CONSTRAINTS) to = put(to, s->Phi, m->nrow);
  if (parts & SAR_EQUATIONS_JACOBIAN) to = put(to, s->Psi, m->nrow_dof);
  if (parts & SAR_EQUATIONS_GAMMA) put(to, s->gamma, m->nrow);
  return true;
}

// ---- unit quaternions ---------------------------------------------------------------------------

enum { MOST_QUATERNIONS = 64 };

typedef struct Norms {
  SarNode norm2[MOST_QUATERNIONS];
  int count;
  SarGraph* to;
} Norms;

static SarNode put_one(void* context, SarNode n) {
  const Norms* k = context;
  for (int i = 0; i < k->count; i++)
    if (k->norm2[i] == n) return sar_sym_number(k->to, 1);
  return SAR_NONE;
}

// First coordinate of the quaternion of a joint; -1: it has none.
static int quaternion_of(const SarModel* m, int joint) {
  const bool has = m->joint_nq[joint] == m->joint_nv[joint] + 1;
  return has ? m->joint_qadr[joint] + m->joint_nq[joint] - 4 : -1;
}

// The sums of squares that rotation matrices divide by, as sm3_of_quaternion builds them, are 1.
static bool drop_norms(SarSymbols* s, int n, SarNode* output, SarGraph** g) {
  const SarModel* m = s->m;
  Norms k = {.to = s->g};
  for (int b = 0; b < m->nbody && k.count < MOST_QUATERNIONS; b++) {
    const int at = quaternion_of(m, b);
    if (at < 0) continue;
    SarNode norm2 = sar_sym_square(s->g, s->q[at]);
    for (int i = 1; i < 4; i++) norm2 = s_mac(s->g, norm2, s->q[at + i], s->q[at + i]);
    k.norm2[k.count++] = norm2;
  }
  *g = s->g;
  if (k.count == 0) return true;
  *g = k.to = sar_graph_new(s->arena);
  return *g && sar_sym_translate(s->g, n, output, *g, put_one, &k, output);
}

// The same relations for collecting, over the symbols of the equations.
static int list_units(const SarModel* m, SarGraph* g, SarUnit* unit) {
  int count = 0;
  for (int b = 0; b < m->nbody && count < MOST_QUATERNIONS; b++) {
    const int at = quaternion_of(m, b);
    for (int i = 0; i < 4 && at >= 0; i++) {
      char name[32];
      sar_snprintf(name, sizeof name, "q[%d]", at + i);
      unit[count].of[i] = sar_sym_symbol(g, name);
    }
    count += at >= 0;
  }
  return count;
}

// ---- models with other values -------------------------------------------------------------------

static SarStatus compile_with(const Maker* k, const double* value, SarModel** m) {
  SarParameter set[MOST_PARAMETERS + 64];
  SarLoadOptions o = k->o->load ? *k->o->load : (SarLoadOptions){0};
  const int named = k->e->parameters - (k->e->gravity[0] != '\0');
  int n = 0;
  for (int i = 0; i < o.parameter_count && n < 64; i++) set[n++] = o.parameters[i];
  for (int j = 0; j < named; j++) set[n++] = (SarParameter){k->e->parameter[j], value[j]};
  o.parameters = set;
  o.parameter_count = n;
  const SarStatus st = sar_compile(k->spec, &o, m, NULL);
  if (st == SAR_OK && k->e->gravity[0]) {
    const double size = v3_norm((*m)->gravity);
    (*m)->gravity = v3_scale(value[named] / size, (*m)->gravity);
  }
  return st;
}

static bool build(void* context, const double* value, SarArena* arena, SarGraph** g,
                  SarNode* output) {
  const Maker* k = context;
  SarModel* m = NULL;
  SarSymbols s;
  const SarStatus st = compile_with(k, value, &m);
  if (st == SAR_NO_MEMORY || st == SAR_OVER_LIMIT) arena->failed = 1;  // no fault of the values
  if (st != SAR_OK) return false;
  const bool same =
      m->nv == k->e->m->nv && m->nrow == k->e->m->nrow && m->nrow_dof == k->e->m->nrow_dof;
  const bool done = same && sar_symbols_init(&s, m, arena, NULL) &&
                    put_outputs(&s, k->o->parts, output) &&
                    drop_norms(&s, count_outputs(m, k->o->parts), output, g);
  sar_model_free(m);
  return done;
}

static bool stop(void* context) {
  const Maker* k = context;
  return k->o->stop && k->o->stop(k->o->stop_context);
}

// ---- parameters ---------------------------------------------------------------------------------

static bool is_set(const Maker* k, const char* name) {
  const SarLoadOptions* o = k->o->load;
  for (int i = 0; o && i < o->parameter_count; i++)
    if (strcmp(o->parameters[i].name, name) == 0) return true;
  return false;
}

static bool is_parameter(const SarSpec* spec, const char* name) {
  for (int i = 0; i < spec->parameters.count; i++)
    if (strcmp(spec->parameters.items[i].name.text, name) == 0) return true;
  return false;
}

// Those that are numbers in the file and not set by hand; others follow from
// them. Gravity is one more.
static bool list_parameters(Maker* k) {
  SarEquations* e = k->e;
  e->parameter = SAR_ARENA_ARRAY(k->arena, const char*, MOST_PARAMETERS + 1);
  e->value = SAR_ARENA_ARRAY(k->arena, double, MOST_PARAMETERS + 1);
  if (!e->parameter || !e->value) return false;
  if (k->o->numbers) return true;
  for (int i = 0; i < k->spec->parameters.count && e->parameters < MOST_PARAMETERS - 1; i++) {
    const SpecParameter* p = &k->spec->parameters.items[i];
    double value;
    if (is_set(k, p->name.text) || !sar_expr_is_number(p->value.expr, &value) || !isfinite(value))
      continue;
    e->parameter[e->parameters] = p->name.text;
    e->value[e->parameters++] = value;
  }
  const double gravity = e->m->field.kind == SAR_GRAVITY_UNIFORM ? v3_norm(e->m->gravity) : 0;
  if (gravity == 0 || is_parameter(k->spec, "g")) return true;
  strcpy(e->gravity, "g");
  e->parameter[e->parameters] = e->gravity;
  e->value[e->parameters++] = gravity;
  return true;
}

// B follows from J, C from phi, Bdot from gamma.
static unsigned needed_parts(const SarEquationsOptions* o) {
  unsigned parts = o->parts & (SAR_EQUATIONS_B - 1);
  if (!o->flow) return parts;
  if (o->parts & (SAR_EQUATIONS_B | SAR_EQUATIONS_BDOT)) parts |= SAR_EQUATIONS_JACOBIAN;
  if (o->parts & SAR_EQUATIONS_B) parts |= SAR_EQUATIONS_CONSTRAINTS;
  if (o->parts & SAR_EQUATIONS_BDOT) parts |= SAR_EQUATIONS_GAMMA;
  return parts;
}

static void forget(SarNode* node, int n) {
  for (int i = 0; i < n; i++) node[i] = SAR_NONE;
}

// What was needed and not asked for.
static void drop_parts(SarEquations* e, unsigned parts) {
  if (!(parts & SAR_EQUATIONS_CONSTRAINTS)) forget(e->Phi, e->m->nrow);
  if (!(parts & SAR_EQUATIONS_JACOBIAN)) forget(e->J, e->m->nrow_dof);
  if (!(parts & SAR_EQUATIONS_GAMMA)) forget(e->gamma, e->m->nrow);
}

// ---- all ----------------------------------------------------------------------------------------

static SarNode* nodes(SarArena* a, int n) {
  SarNode* node = SAR_ARENA_ARRAY(a, SarNode, n + 1);
  for (int i = 0; node && i < n; i++) node[i] = SAR_NONE;
  return node;
}

static const SarNode* take(SarNode* to, const SarNode* from, int n, bool wanted) {
  for (int i = 0; i < n && wanted; i++) to[i] = from[i];
  return wanted ? from + n : from;
}

static void share_out(SarEquations* e, unsigned parts, const SarNode* from) {
  const SarModel* m = e->m;
  for (int i = 0; i < m->nv && parts & SAR_EQUATIONS_MASS; i++)
    for (int k = 0; k <= i; k++) e->mass[i * m->nv + k] = e->mass[k * m->nv + i] = *from++;
  from = take(e->bias, from, m->nv, parts & SAR_EQUATIONS_BIAS);
  from = take(e->Phi, from, m->nrow, parts & SAR_EQUATIONS_CONSTRAINTS);
  from = take(e->J, from, m->nrow_dof, parts & SAR_EQUATIONS_JACOBIAN);
  take(e->gamma, from, m->nrow, parts & SAR_EQUATIONS_GAMMA);
}

// Says all that has no equations, from the model as it is.
static SarStatus check(const SarModel* m, unsigned parts, SarError* err) {
  SarArena scratch;
  SarSymbols s;
  sar_arena_init(&scratch);
  SarStatus st = sar_symbols_init(&s, m, &scratch, err) ? SAR_OK : SAR_NO_MEMORY;
  SarNode* output = nodes(&scratch, count_outputs(m, parts));
  if (st == SAR_OK) sar_symbols_refuse_discrete(&s);
  if (st == SAR_OK) sar_symbols_refuse_gates(&s);
  if (st == SAR_OK && !sar_symbols_accept(&s)) st = SAR_NOT_OFFERED;
  if (st == SAR_OK && (!output || !put_outputs(&s, parts, output)))
    st = s.refused ? SAR_NOT_OFFERED : SAR_NO_MEMORY;
  sar_arena_free(&scratch);
  return st;
}

SarStatus sar_equations_make(SarEquations* e, const SarSpec* spec, const SarModel* m,
                             const SarEquationsOptions* o, SarArena* arena, SarError* err) {
  SarEquationsOptions inner = *o;
  inner.parts = needed_parts(o);
  const int n = count_outputs(m, inner.parts);
  *e = (SarEquations){.g = sar_graph_new(arena),
                      .m = m,
                      .mass = nodes(arena, m->nv * m->nv),
                      .bias = nodes(arena, m->nv),
                      .Phi = nodes(arena, m->nrow),
                      .J = nodes(arena, m->nrow_dof),
                      .gamma = nodes(arena, m->nrow)};
  Maker k = {e, spec, &inner, arena};
  SarNode* output = nodes(arena, n);
  if (!e->g || arena->failed || !list_parameters(&k)) return SAR_NO_MEMORY;
  SAR_TRY(check(m, inner.parts, err));
  SAR_TRY(sar_equations_check_loops(m, o, err));
  const SarLift l = {.parameters = e->parameters,
                     .name = e->parameter,
                     .value = e->value,
                     .build = build,
                     .context = &k,
                     .outputs = n,
                     .stop = stop};
  bool done = sar_lift(&l, e->g, output, &e->lifted);
  SarUnit unit[MOST_QUATERNIONS];
  const int units = list_units(m, e->g, unit);
  if (done && !o->as_built) done = sar_sym_collect(e->g, n, output, units, unit, stop, &k, output);
  if (!done) return stop(&k) ? SAR_STOPPED : SAR_NO_MEMORY;
  share_out(e, inner.parts, output);
  const SarCollecting c = {.g = e->g, .arena = arena, .o = o, .units = units, .unit = unit};
  if (o->flow && !(sar_equations_embed(e, &c) && sar_equations_solve(e, &c)))
    return stop(&k) ? SAR_STOPPED : SAR_NO_MEMORY;
  drop_parts(e, o->parts);
  return SAR_OK;
}

int sar_equations_list(const SarEquations* e, SarNode* all) {
  const SarModel* m = e->m;
  const struct {
    const SarNode* node;
    int n;
  } lists[] = {{e->bias, m->nv}, {e->Phi, m->nrow}, {e->J, m->nrow_dof}, {e->gamma, m->nrow}};
  int count = 0;
  for (int i = 0; i < e->lines; i++) all[count++] = e->line[i].value;
  for (int i = 0; i < m->nv; i++)
    for (int k = 0; k <= i; k++)
      if (e->mass[i * m->nv + k] >= 0) all[count++] = e->mass[i * m->nv + k];
  for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
    for (int i = 0; i < lists[k].n; i++)
      if (lists[k].node[i] >= 0) all[count++] = lists[k].node[i];
  return count;
}
