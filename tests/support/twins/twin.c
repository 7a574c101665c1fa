// Reading a model's spec, settling its constants, and making the twin that is asked for.
#include "support/twins/twin.h"

#include "base/alloc.h"
#include "io/source.h"
#include "math/rotvec.h"
#include "model/compile.h"
#include "sim/outputs/outputs.h"
#include "support/twins/walk.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char* const TWIN_NAME[TWIN_KINDS] = {
    [TWIN_SAME] = "the same",
    [TWIN_LOOKED_AT] = "looked at in every step",
    [TWIN_RESUMED] = "copied and resumed half-way",
    [TWIN_RENAMED] = "renamed, names in their order",
    [TWIN_ROWS] = "other output rows",
    [TWIN_SHUFFLED] = "renamed at random",
    [TWIN_REORDERED] = "reordered",
    [TWIN_REVERSED] = "joints reversed",
    [TWIN_CUT] = "another spanning tree",
    [TWIN_SPLIT] = "bodies split in two",
    [TWIN_FIXED_BODY] = "a fixed body added",
    [TWIN_MIRRORED] = "mirrored",
    [TWIN_TURNED] = "turned and moved",
    [TWIN_UNITS] = "other units",
    [TWIN_COORDINATES] = "other coordinates",
};

void twin_refuse(TwinJob* j, const char* format, ...) {
  if (j->twin->why[0]) return;
  va_list args;
  va_start(args, format);
  vsnprintf(j->twin->why, sizeof j->twin->why, format, args);
  va_end(args);
}

Similarity similarity_none(void) { return (Similarity){1, 1, 1, m3_identity(), v3_zero(), false}; }

double similarity_scale(const Similarity* s, Dimension d) {
  return pow(s->length, d.length) * pow(s->mass, d.mass) * pow(s->time, d.time);
}

// ---- values of a spec --------------------------------------------------------------------------

double twin_value(SpecNum n) {
  double x = (double)NAN;
  return n.expr && sar_expr_is_number(n.expr, &x) ? x : (double)NAN;
}

SpecNum twin_number(SarSpec* s, double value) {
  return (SpecNum){sar_expr_number(&s->arena, value), {s->file, 1, 1}};
}

const SarExpr* twin_replace(SarSpec* s, const SarExpr* e, SarExprReplace* replace, void* context) {
  return sar_expr_replace(&s->arena, e, replace, context);
}

static const SarExpr* argument(void* context, const char* name) {
  const SpecNum* const* x = context;
  return name[1] == '\0' && name[0] >= 'X' && name[0] <= 'Z' ? x[name[0] - 'X']->expr : NULL;
}

SpecNum twin_combine(SarSpec* s, const char* text, SpecNum x, SpecNum y, SpecNum z) {
  const SpecNum* arguments[3] = {&x, &y, &z};
  const SarExpr* e = sar_expr_parse(&s->arena, text, strlen(text), x.loc, NULL);
  return (SpecNum){twin_replace(s, e, argument, arguments), x.loc};
}

V3 twin_vector(const SpecVec3* v, V3 otherwise) {
  if (!v->c[0].expr) return otherwise;
  return v3(twin_value(v->c[0]), twin_value(v->c[1]), twin_value(v->c[2]));
}

void twin_set_vector(SarSpec* s, SpecVec3* v, V3 value) {
  v->c[0] = twin_number(s, value.x);
  v->c[1] = twin_number(s, value.y);
  v->c[2] = twin_number(s, value.z);
}

static V3 axis_of(int name) { return v3(name == 0, name == 1, name == 2); }

// R maps the two named axes to their directions, the second made perpendicular.
static M3 from_axes(const SpecPose* p) {
  const V3 a = v3_unit(twin_vector(&p->axis_dir[0], v3_zero()));
  V3 b = twin_vector(&p->axis_dir[1], v3_zero());
  b = v3_unit(v3_axpy(-v3_dot(a, b), a, b));
  const V3 i = axis_of(p->axis_name[0]), k = axis_of(p->axis_name[1]);
  const M3 from = m3_from_cols(i, k, v3_cross(i, k)), to = m3_from_cols(a, b, v3_cross(a, b));
  return m3_mul(to, m3_transpose(from));
}

static M3 from_euler(const SpecPose* p, const double r[3]) {
  M3 R = m3_identity();
  for (int i = 0; i < 3; i++) {
    const M3 turn = quat_to_m3(quat_exp(v3_scale(r[i], axis_of(p->axis_name[i]))));
    R = p->extrinsic ? m3_mul(turn, R) : m3_mul(R, turn);
  }
  return R;
}

Xform twin_pose(const SpecPose* p) {
  Xform X = {m3_identity(), twin_vector(&p->at, v3_zero())};
  double r[4] = {0};
  for (int i = 0; p->r && i < 4; i++) r[i] = twin_value(p->r[i]);
  if (p->rotation == SPEC_ROT_RPY)
    X.R = m3_mul(m3_rot_z(cos(r[2]), sin(r[2])),
                 m3_mul(m3_rot_y(cos(r[1]), sin(r[1])), m3_rot_x(cos(r[0]), sin(r[0]))));
  if (p->rotation == SPEC_ROT_QUAT) X.R = quat_to_m3(quat_unit(quat_load(r)));
  if (p->rotation == SPEC_ROT_AXES) X.R = from_axes(p);
  if (p->rotation == SPEC_ROT_EULER) X.R = from_euler(p, r);
  return X;
}

void twin_set_pose(SarSpec* s, SpecPose* p, Xform X) {
  if (!p->loc.line) p->loc = (SarLoc){s->file, 1, 1};
  twin_set_vector(s, &p->at, X.p);
  p->rotation = SPEC_ROT_AXES;
  p->axis_dir = SAR_ARENA_ARRAY(&s->arena, SpecVec3, 2);
  p->axis_name[0] = 0, p->axis_name[1] = 1;
  twin_set_vector(s, &p->axis_dir[0], m3_col_x(X.R));
  twin_set_vector(s, &p->axis_dir[1], m3_col_y(X.R));
}

SpecJoint* twin_find_joint(SarSpec* s, const char* name) {
  for (int i = 0; name && i < s->joints.count; i++)
    if (strcmp(s->joints.items[i].name.text, name) == 0) return &s->joints.items[i];
  return NULL;
}

SpecBody* twin_find_body(SarSpec* s, const char* name) {
  for (int i = 0; name && i < s->bodies.count; i++)
    if (strcmp(s->bodies.items[i].name.text, name) == 0) return &s->bodies.items[i];
  return NULL;
}

bool twin_is_placed(const SarSpec* s, const SpecBody* b) {
  for (int i = 0; i < s->joints.count; i++)
    if (s->joints.items[i].relative && strcmp(s->joints.items[i].child.text, b->name.text) == 0)
      return true;
  return false;
}

// ---- constants ---------------------------------------------------------------------------------

typedef struct Constants {
  SarSpec* spec;
  int depth;  // parameters may use one another, not in circles: the model compiles
} Constants;

static bool constant(void* context, const char* name, double* value) {
  Constants* c = context;
  for (int i = 0; i < c->spec->parameters.count; i++) {
    const SpecParameter* p = &c->spec->parameters.items[i];
    if (strcmp(p->name.text, name) != 0) continue;
    if (c->depth > 100) return false;
    Constants below = {c->spec, c->depth + 1};
    const SarExpr* e = sar_expr_put_values(&c->spec->arena, p->value.expr, constant, &below);
    return e && sar_expr_is_number(e, value);
  }
  return false;
}

static void settle(void* context, SpecNum* n, const char* const* local) {
  Constants* c = context;
  (void)local;
  n->expr = sar_expr_put_values(&c->spec->arena, n->expr, constant, c);
}

// ---- outputs -----------------------------------------------------------------------------------

static bool touches(const SarSpec* s) {
  for (int i = 0; i < s->bodies.count; i++)
    if (sar_touches(&s->bodies.items[i].touch)) return true;
  return sar_touches(&s->ground_touch);
}

// Everything that the table has of an owner, but what only impulses have.
static uint64_t all_of(SarOwner owner) {
  uint64_t set = sar_outputs_of_owner(owner);
  for (int i = 0; sar_output_kind(i); i++) {
    const SarOutputKind* k = sar_output_kind(i);
    if (k == &sar_output_momentum || k == &sar_output_joint_motor || k == &sar_output_joint_limit ||
        k == &sar_output_joint_friction)
      set &= ~((uint64_t)1 << i);
  }
  return set;
}

static void all_outputs(SarSpec* s) {
  int kept = 0;
  for (int i = 0; i < s->outputs.count; i++)
    if (s->outputs.items[i].of == SAR_OF_VALUE) s->outputs.items[kept++] = s->outputs.items[i];
  s->outputs.count = kept;
  for (int of = 0; of < SAR_OWNERS; of++) {
    if (of == SAR_OF_VALUE || of == SAR_OF_POINT || (of == SAR_OF_STATE && s->states.count == 0) ||
        (of == SAR_OF_SIGNAL && s->signals.count == 0) || (of == SAR_OF_CONTACT && !touches(s)))
      continue;
    SpecOutput* o = SAR_LIST_ADD(&s->arena, &s->outputs);
    *o = (SpecOutput){.of = (SarOwner)of, .target = {"all", {s->file, 1, 1}}};
    o->with = all_of(o->of);
    o->loc = o->target.loc;
  }
}

// ---- making ------------------------------------------------------------------------------------

static SarStatus read_spec(const char* path, SarSpec* spec, SarError* err) {
  SarFileText file;
  SarStatus st = sar_file_open(path, SAR_MAX_FILE, false, (SarLoc){0}, &file, err);
  SarReading reading = sar_reading(NULL);
  SarSource source = {.name = path, .from_file = true, .id = file.id, .reading = &reading};
  if (st == SAR_OK) st = sar_read_source(file.text, file.size, &source, spec, err);
  sar_file_close(&file);
  return st;
}

static void remember_joints(TwinJob* j) {
  Twin* t = j->twin;
  t->joints = j->spec->joints.count;
  t->joint_name = SAR_ARENA_ARRAY(&t->arena, const char*, t->joints + 1);
  t->joint = SAR_ARENA_ARRAY(&t->arena, TwinJoint, t->joints + 1);
  for (int i = 0; i < t->joints; i++) {
    t->joint_name[i] = sar_arena_strdup(&t->arena, j->spec->joints.items[i].name.text);
    for (int k = 0; k < SAR_JOINT_MAX_NV; k++) t->joint[i].sign[k] = 1;
  }
}

// A power of 2 or, half the time, of 10: scaling by the first changes no digit.
static double random_unit(Rng* r) {
  static const double UNIT[] = {1, 1e-3, 1e3, 10, 0.1, 1024, 1.0 / 1024, 0.3048};
  return UNIT[rng_int(r, 8)];
}

static bool has_tyres(const SarSpec* s, bool* road) {
  bool any = false;
  for (int i = 0; i < s->forces.count; i++)
    if (strcmp(s->forces.items[i].kind->name, "tyre") == 0) any = true;
  *road = any && s->roads.count > 0;
  return any;
}

// What may be turned how: planar models in their plane, roads not at all, tyres about the vertical.
static void choose_turn(TwinJob* j) {
  Similarity* x = &j->twin->similarity;
  bool road;
  const bool tyres = has_tyres(j->spec, &road);
  const double angle = rng_uniform(j->rng, -3, 3), c = cos(angle), s = sin(angle);
  const char* planar = j->spec->planar.text;
  x->shift = rng_v3(j->rng, -2, 2);
  for (int i = 0; i < j->spec->constraints.count; i++) {
    const char* kind = j->spec->constraints.items[i].kind->name;
    if (strcmp(kind, "rolling") == 0 || strcmp(kind, "wheel_set") == 0)
      twin_refuse(j, "what rolls keeps its plane");
  }
  if (road) {
    twin_refuse(j, "a road lies where it lies");
  } else if (tyres || (planar && strcmp(planar, "xy") == 0)) {
    x->Q = m3_rot_z(c, s);
    if (tyres) x->shift.z = 0;
  } else if (planar) {
    x->Q = strcmp(planar, "xz") == 0 ? m3_rot_y(c, s) : m3_rot_x(c, s);
  } else {
    x->Q = quat_to_m3(rng_quat(j->rng));
  }
}

static void choose_similarity(TwinJob* j) {
  Similarity* x = &j->twin->similarity;
  switch (j->twin->kind) {
    case TWIN_MIRRORED:
      x->mirrored = true;
      x->Q = (M3){1, 0, 0, 0, -1, 0, 0, 0, 1};
      break;
    case TWIN_TURNED: choose_turn(j); break;
    case TWIN_UNITS:
      while (x->length == 1 && x->mass == 1 && x->time == 1) {
        x->length = random_unit(j->rng);
        x->mass = random_unit(j->rng);
        x->time = random_unit(j->rng);
      }
      break;
    default: break;
  }
}

static void change(TwinJob* j) {
  if (j->spec->beams.count > 0)
    twin_refuse(j, "bodies and forces of beams are made by the compiler");
  if (j->spec->modals.count > 0)
    twin_refuse(j, "modes and nodes of modal bodies are made by the compiler");
  switch (j->twin->kind) {
    case TWIN_RENAMED:
    case TWIN_SHUFFLED: twin_rename(j); break;
    case TWIN_REORDERED: twin_reorder(j); break;
    case TWIN_REVERSED: twin_reverse(j); break;
    case TWIN_CUT: twin_recut(j); break;
    case TWIN_SPLIT: twin_split(j); break;
    case TWIN_FIXED_BODY: twin_add_fixed(j); break;
    case TWIN_MIRRORED:
    case TWIN_TURNED:
    case TWIN_UNITS:
      choose_similarity(j);
      if (!j->twin->why[0]) twin_similar(j);
      break;
    default: break;
  }
}

static void compile(TwinJob* j, bool absolute) {
  SarError err;
  const bool other = j->twin->kind == TWIN_COORDINATES;
  const SarLoadOptions o = {.coordinates = absolute == other ? "relative" : "absolute"};
  sar_error_init(&err);
  if (sar_compile(j->spec, &o, &j->twin->model, &err) != SAR_OK)
    twin_refuse(j, "does not compile: %.150s", err.count ? err.items[0].text : "");
}

void twin_make(const char* path, TwinKind kind, uint64_t seed, bool absolute, Twin* out) {
  SarSpec spec;
  SarError err;
  Rng rng = rng_seed(seed);
  *out = (Twin){.kind = kind, .similarity = similarity_none()};
  TwinJob j = {&spec, out, &rng};
  sar_arena_init(&out->arena);
  sar_spec_init(&spec);
  sar_error_init(&err);
  if (read_spec(path, &spec, &err) != SAR_OK)
    twin_refuse(&j, "does not load: %.150s", err.count ? err.items[0].text : "");
  if (!out->why[0]) {
    Constants c = {&spec, 0};
    spec_walk(&spec, &(SpecWalk){.number = settle, .context = &c});
    all_outputs(&spec);
    remember_joints(&j);
    change(&j);
  }
  const char* as_written = spec.simulation.coordinates.text;
  if (as_written && as_written[0] == 'a') absolute = true;
  if (!out->why[0]) compile(&j, absolute);
  sar_spec_free(&spec);
}

void twin_free(Twin* t) {
  sar_model_free(t->model);
  sar_arena_free(&t->arena);
}
