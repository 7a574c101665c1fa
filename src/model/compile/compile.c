// SarSpec -> SarModel: runs the stages (compile/parts.h) and copies their draft into one block.
#include "model/compile/parts.h"

#include "base/text.h"
#include "model/times.h"

#include <math.h>
#include <string.h>

// More than anyone needs, and few enough that no count overflows an int.
enum { MOST_ITEMS = 200000 };

static bool is_too_large(Compile* c) {
  const SarSpec* s = c->spec;
  const struct {
    const char* name;
    int count;
  } list[] = {{"bodies", s->bodies.count},
              {"joints", s->joints.count},
              {"forces", s->forces.count},
              {"constraints", s->constraints.count},
              {"roads", s->roads.count},
              {"airfoils", s->airfoils.count},
              {"outputs", s->outputs.count},
              {"parameters", s->parameters.count},
              {"variables", s->variables.count},
              {"inputs", s->inputs.count},
              {"states", s->states.count},
              {"discrete-time states", s->discrete.count},
              {"initial equations", s->initial.count}};
  for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
    if (list[i].count <= MOST_ITEMS) continue;
    sar_report(c->err, (SarLoc){s->file, 0, 0}, "", "the model has %d %s, more than %d",
               list[i].count, list[i].name, MOST_ITEMS);
    return true;
  }
  return false;
}

// ---- the model as a whole -------------------------------------------------------------------

// Name of the file without folders and ending.
static const char* base_name(Compile* c, const char* file) {
  const char* slash = strrchr(file, '/');
  const char* base = slash ? slash + 1 : file;
  const char* dot = strrchr(base, '.');
  size_t n = dot && dot > base ? (size_t)(dot - base) : strlen(base);
  return sar_arena_strndup(&c->arena, base, n);
}

static int text_of(Compile* c, SpecName name) { return name.text ? sar_intern(c, name.text) : -1; }

static SarPlace place_of(Compile* c, SpecName name) {
  return (SarPlace){sar_intern(c, name.loc.file ? name.loc.file : ""), name.loc.line,
                    name.loc.column};
}

// A length of time; 0: not given.
static double time_of(Compile* c, SpecNum n, Item item, const char* key) {
  const double x = sar_number(c, n, item, key, POSITIVE, 0);
  if (!n.expr || isnan(x) || sar_time_is_sensible(x)) return x;
  sar_complain(c, item, n.loc, "", "%s is %g s: expected %g to %g s", key, x, SAR_SHORTEST_TIME,
               SAR_LONGEST_TIME);
  return WRONG;
}

// Rows of the result: no disk holds more.
static void check_rows(Compile* c, const SpecSimulation* s, Item item) {
  const double rows = c->m.sim.end / c->m.sim.output_step;
  if (!s->output_step.expr || !s->end.expr || !(rows > SAR_MOST_ROWS)) return;
  sar_complain(c, item, s->output_step.loc, "take a longer output_step",
               "output_step gives %g rows, more than %g", rows, SAR_MOST_ROWS);
}

bool sar_compile_simulation(Compile* c) {
  const SpecSimulation* s = &c->spec->simulation;
  SarModel* m = &c->m;
  SarLoc loc = s->loc;
  Item item = {"block", "simulation", loc};
  const char* name = c->spec->name.text;
  if (!name) name = base_name(c, c->spec->file ? c->spec->file : "model");
  if (!name) return false;
  m->name = sar_intern(c, name);
  m->sim = (SarSimDefaults){
      .end = time_of(c, s->end, item, "end"),
      .step = time_of(c, s->step, item, "step"),
      .output_step = time_of(c, s->output_step, item, "output_step"),
      .rtol = sar_number(c, s->rtol, item, "rtol", POSITIVE, 0),
      .atol = sar_number(c, s->atol, item, "atol", POSITIVE, 0),
      .max_step = time_of(c, s->max_step, item, "max_step"),
      .formulation = text_of(c, s->formulation),
      .newton_tolerance = sar_number(c, s->newton_tolerance, item, "newton_tolerance", POSITIVE, 0),
      .integrator = text_of(c, s->integrator),
      .kinematics = text_of(c, s->kinematics),
      .kinematics_at = place_of(c, s->kinematics),
      .formulation_at = place_of(c, s->formulation),
      .integrator_at = place_of(c, s->integrator),
      .adaptive = -1,
  };
  check_rows(c, s, item);
  double adaptive = sar_number(c, s->adaptive, item, "adaptive", ANY_FINITE, -1);
  if (s->adaptive.expr && adaptive != 0 && adaptive != 1 && !isnan(adaptive))
    sar_complain(c, item, s->adaptive.loc, "write true or false", "adaptive is %g", adaptive);
  else if (s->adaptive.expr)
    m->sim.adaptive = adaptive == 1;
  return true;
}

typedef struct Stage {
  bool (*run)(Compile* c);
  const char* doing;  // for messages
  bool needs_tree;
} Stage;

static bool run_stages(Compile* c) {
  static const Stage stage[] = {
      {sar_compile_names, "compiling the names", false},
      {sar_compile_parameters, "compiling the parameters", false},
      {sar_compile_beams, "compiling the beams", false},
      {sar_compile_ends, "compiling the joints", false},
      {sar_compile_bodies, "compiling the bodies", false},
      {sar_compile_mass, "compiling the bodies", false},
      {sar_compile_joints, "compiling the joints", false},
      {sar_compile_planar, "compiling the joints", false},
      {sar_compile_tree, "compiling the tree", false},
      {sar_compile_rotors, "compiling the joints", true},
      {sar_compile_expressions, "compiling the expressions", false},
      {sar_compile_motors, "compiling the motors", false},
      {sar_compile_gravity, "compiling the gravity", false},
      {sar_compile_roads, "compiling the roads", false},
      {sar_compile_airfoils, "compiling the airfoils", false},
      {sar_compile_air, "compiling the air", false},
      {sar_compile_forces, "compiling the forces", false},
      {sar_compile_element_states, "compiling the forces", true},
      {sar_compile_knots, "compiling the forces", true},
      {sar_compile_networks, "compiling the forces", true},
      {sar_compile_constraints, "compiling the constraints", false},
      {sar_compile_contact, "compiling the contacts", false},
      {sar_compile_shapes, "compiling the shapes", false},
      {sar_compile_gates, "compiling the events", false},
      {sar_compile_initial, "compiling the initial conditions", false},
      {sar_compile_connected, "compiling the tree", true},
      {sar_compile_overlaps, "compiling the contacts", true},
      {sar_compile_limits, "compiling the joints", true},
      {sar_compile_work, "compiling the accounts of work", true},
      {sar_compile_partials, "compiling the derivatives of forces", true},
      {sar_compile_tangents, "compiling the derivatives of forces", true},
      {sar_compile_fill, "choosing the order of the coordinates", true},
      {sar_compile_outputs, "compiling the outputs", false},
      {sar_compile_states, "compiling the states", false},
      {sar_compile_simulation, "compiling the simulation block", false},
  };
  for (size_t i = 0; i < sizeof stage / sizeof *stage; i++) {
    if (stage[i].needs_tree && !c->tree_known) continue;
    sar_budget_doing(c->arena.budget, stage[i].doing, (SarLoc){c->spec->file, 0, 0});
    if (!stage[i].run(c)) return false;
  }
  return true;
}

// ---- one block ------------------------------------------------------------------------------

// The draft's arrays that were lists until now.
// Does anything act on a joint, or measure it, at every evaluation?
static bool joint_acts(const SarModel* m, int joint) {
  bool acts = m->joint_passive[joint];
  for (int i = 0; i < m->nmotor; i++) acts = acts || m->motor[i].joint == joint;
  for (int i = 0; i < m->nmeasure; i++) {
    const SarMeasureKind kind = m->measure[i].kind;
    const bool of_joint = kind == SAR_MEASURE_Q || kind == SAR_MEASURE_V;
    acts = acts || (of_joint && m->measure[i].index == joint);
  }
  for (int i = 0; i < m->nforce; i++)
    for (int k = 0; k < m->force_kind[i]->nattr; k++)
      acts = acts || (m->force_kind[i]->attr[k].type == SAR_ATTR_JOINT &&
                      m->force_attr[i * SAR_FORCE_MAX_ATTR + k].index == joint);
  return acts;
}

static void mark_acting_cuts(SarModel* m) {
  bool some = false;
  for (int k = 0; k < m->ncut; k++) {
    m->cut[k].acts = m->needs_cuts && joint_acts(m, m->nbody + k);
    some = some || m->cut[k].acts;
  }
  for (int k = 0; m->needs_cuts && !some && k < m->ncut; k++) m->cut[k].acts = true;
}

static bool finish_draft(Compile* c) {
  SarModel* draft = &c->m;
  draft->attr_data = c->attr_data.items;  // elements say how many switching functions they have
  if (!sar_seal_expressions(c)) return false;
  if (c->tree_known) mark_acting_cuts(&c->m);
  draft->text = c->text.items;
  draft->ntext = c->text.count;
  draft->attr_data = c->attr_data.items;
  draft->nattr_data = c->attr_data.count;
  return true;
}

// What only an element's kind knows about its attributes.
static void check_forces(Compile* c) {
  if (!c->tree_known) return;
  for (int i = 0; i < c->m.nforce; i++) {
    const SarForceKind* kind = c->m.force_kind[i];
    if (kind->check && c->force_sound[i]) kind->check(&c->m, i, c->force_loc[i], c->err);
  }
}

// What only the stages needed makes room for the model.
static void forget_parts(Compile* c) {
  sar_arena_release(&c->arena, c->joint, (size_t)c->joint_capacity * sizeof *c->joint);
  sar_arena_release(&c->arena, c->body, (size_t)(c->nbody + 1) * sizeof *c->body);
}

static SarModel* seal(const SarModel* draft, SarBudget* budget) {
  if (!sar_budget_take(budget, sar_model_size(draft))) return NULL;
  SarModel* m = sar_model_new(draft);
  if (!m) return NULL;
#define X(type, field, n, columns, doc) \
  if (m->n > 0) memcpy((void*)m->field, draft->field, sizeof(type) * (size_t)(m->n) * (columns));
  SAR_MODEL_ARRAYS(X)
#undef X
  sar_store_solids(draft, m);
  sar_forces_prepare(m);
  return m;
}

SarStatus sar_compile(const SarSpec* spec, const SarLoadOptions* o, SarModel** out, SarError* err) {
  Compile c = {.spec = spec, .kink_gate = -1, .force_in_progress = -1};
  const SarLoc place = {spec->file, 0, 0};
  if (o) {
    c.overrides = o->parameters;
    c.override_count = o->parameter_count;
    c.coordinates = o->coordinates;
    c.keep_fixed = o->keep_fixed;
    c.functions = o->functions;
    c.function_count = o->function_count;
  }
  c.m.memory_limit = o && o->memory_limit ? o->memory_limit : SAR_DEFAULT_LIMIT;
  SarStatus status = SAR_NO_MEMORY;
  *out = NULL;
  sar_arena_beside(&c.arena, &spec->arena);
  c.graph = sar_graph_new(&c.arena);
  c.err = err ? err : SAR_ARENA_NEW(&c.arena, SarError);
  if (!c.err || !c.graph) {
    sar_arena_free(&c.arena);
    return SAR_NO_MEMORY;
  }
  sar_graph_rules(c.graph, SAR_EXACT);
  c.errors_before = c.err->errors;
  int messages_before = c.err->count;

  if (!sar_expand_beams(&c) || !sar_expand_modals(&c)) {
    status = SAR_NO_MEMORY;
  } else if (is_too_large(&c)) {
    status = SAR_BAD_MODEL;
  } else if (!sar_compile_coordinates(&c)) {
    status = SAR_BAD_ARGUMENT;
  } else if (run_stages(&c) && finish_draft(&c) && !c.arena.failed) {
    check_forces(&c);
    sar_budget_doing(c.arena.budget, "making the model", place);
    forget_parts(&c);
    if (sar_compile_sound(&c)) *out = seal(&c.m, c.arena.budget);
    status = !sar_compile_sound(&c) ? SAR_BAD_MODEL : *out ? SAR_OK : SAR_NO_MEMORY;
  }
  sar_error_sort(c.err, messages_before);
  sar_arena_free(&c.arena);
  return status;
}
