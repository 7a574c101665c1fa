// What names mean in expressions that vary: t, inputs, variables, measured quantities, locals of
// laws.
#include "base/print.h"
#include "model/compile/parts.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- measured quantities --------------------------------------------------------------------

static int index_of(const char* const* suffixes, int n, const char* suffix) {
  for (int i = 0; i < n; i++)
    if (suffixes[i] && strcmp(suffixes[i], suffix) == 0) return i;
  return -1;
}

// Quantity number `at` of the nine of a body or point: x y z, vx vy vz, wx wy wz.
static SarMeasure point_measure(const Compile* c, int body, V3 p_U, int at) {
  static const SarMeasureKind KIND[] = {SAR_MEASURE_POINT, SAR_MEASURE_SPEED, SAR_MEASURE_OMEGA};
  const BodyPart* b = &c->body[body];
  return (SarMeasure){KIND[at / 3], b->tree, at % 3, 0, x_point(b->X_BU, p_U)};
}

// zyx1: the first angle of the rotation about z, then the new y, then the new x. Component of
// SAR_MEASURE_ANGLE; -1: none.
static int angle_of(const char* suffix) {
  if (strlen(suffix) != 4 || suffix[3] < '1' || suffix[3] > '3') return -1;
  for (int i = 0; i < SAR_SEQUENCES; i++)
    if (memcmp(sar_sequence[i], suffix, 3) == 0) return 3 * i + suffix[3] - '1';
  return -1;
}

// What a name such as elbow.q, arm.x or arm.tip.vx measures. False: nothing. A body comes before a
// joint of the same name: BODY.wx is in ground axes. But a free body's quaternion is its joint's,
// which never jumps to the other sign.
static bool find_measure(const Compile* c, const char* owner, const char* suffix, SarMeasure* out) {
  static const char* const QUANTITY[] = {"x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz"};
  static const char* const QUAT[] = {"qw", "qx", "qy", "qz"};
  int at = index_of(QUANTITY, 9, suffix);
  int body = sar_names_find(&c->body_names, owner);
  if (body >= 0 && c->body[body].knot) return false;  // follows from forces, which expressions set
  if (body >= 0 && at >= 0) {
    *out = point_measure(c, body, v3_zero(), at);
    return true;
  }
  int point = sar_names_find(&c->point_names, owner);
  if (point >= 0 && at >= 0 && at < 6 && c->point[point].body >= 0) {
    *out = point_measure(c, c->point[point].body, c->point[point].X_UP.p, at);
    return true;
  }
  int joint = sar_names_find(&c->joint_names, owner), q = -1, v = -1;
  const JointPart* p = joint >= 0 ? &c->joint[joint] : NULL;
  if (p) q = index_of(p->kind->q_suffix, p->kind->nq, suffix);
  if (p) v = index_of(p->kind->v_suffix, p->kind->nv, suffix);
  if (q < 0 && v < 0) {
    const int quat = index_of(QUAT, 4, suffix), angle = angle_of(suffix);
    if (body < 0 || (quat < 0 && angle < 0)) return false;
    *out = (SarMeasure){quat >= 0 ? SAR_MEASURE_QUAT : SAR_MEASURE_ANGLE, c->body[body].number,
                        quat >= 0 ? quat : angle, 0, v3_zero()};
    return true;
  }
  *out =
      (SarMeasure){q >= 0 ? SAR_MEASURE_Q : SAR_MEASURE_V, p->number, q >= 0 ? q : v, 0, v3_zero()};
  return true;
}

// Splits at the last dot; false: there is none, or no memory.
static bool split(Compile* c, const char* name, const char** owner, const char** suffix) {
  const char* dot = strrchr(name, '.');
  if (!dot) return false;
  *owner = sar_arena_strndup(&c->arena, name, (size_t)(dot - name));
  *suffix = dot + 1;
  return *owner != NULL;
}

bool sar_find_measure(Compile* c, const char* name, SarMeasure* out) {
  const char *owner, *suffix;
  SarChannel held;
  if (!split(c, name, &owner, &suffix)) return false;
  if (find_measure(c, owner, suffix, out)) return true;
  *out = (SarMeasure){.kind = SAR_MEASURE_HELD, .index = -1};
  return sar_find_held(c, owner, suffix, &held);
}

// Makes room for a quantity of the last step.
static bool hold(Compile* c, const char* name, SarMeasure* out) {
  const char *owner, *suffix;
  SarChannel held;
  if (out->kind != SAR_MEASURE_HELD) return true;
  out->index = split(c, name, &owner, &suffix) && sar_find_held(c, owner, suffix, &held)
                   ? sar_hold(c, held)
                   : -1;
  return out->index >= 0;
}

bool sar_name_is_lost(const Compile* c, const char* name) {
  enum { OWNERS = SPEC_LOST_BODIES | SPEC_LOST_JOINTS | SPEC_LOST_FORCES };
  enum { PLAIN = SPEC_LOST_PARAMETERS | SPEC_LOST_VALUES };
  return (c->spec->lost & (strchr(name, '.') ? OWNERS : PLAIN)) != 0;
}

bool sar_name_varies(Compile* c, const char* name) {
  SarMeasure ignored;
  int i = sar_names_find(&c->symbol_names, name);
  if (i >= 0) return !c->symbol[i].constant;
  return strcmp(name, "t") == 0 || sar_find_state(c, name) >= 0 ||
         sar_find_measure(c, name, &ignored);
}

static int slot_of_measure(Compile* c, const char* name) {
  SarMeasure measure;
  int slot = sar_names_find(&c->measure_names, name);
  if (slot >= 0) return slot;
  if (!sar_find_measure(c, name, &measure) || !hold(c, name, &measure)) return -1;
  SarMeasure* m = SAR_LIST_ADD(&c->arena, &c->measures);
  char* copy = sar_arena_strdup(&c->arena, name);
  if (!m || !copy) return -1;
  measure.slot = sar_take_slots(c, 1);
  *m = measure;
  const bool of_joint = measure.kind == SAR_MEASURE_Q || measure.kind == SAR_MEASURE_V;
  if (!of_joint && measure.kind != SAR_MEASURE_HELD)
    c->m.needs_world = true;
  else if (of_joint && measure.index >= c->m.nbody)
    c->m.needs_cuts = true;
  return sar_names_add(&c->arena, &c->measure_names, copy, measure.slot) ? measure.slot : -1;
}

// ---- names in expressions -------------------------------------------------------------------

typedef struct Scope {
  Compile* c;
  const Locals* locals;  // Nullable
  Item item;
  const char* key;
  SarLoc loc;
  bool wrong;
} Scope;

static int local_of(const Scope* s, const char* name) {
  return s->locals ? index_of(s->locals->name, s->locals->count, name) : -1;
}

// Constants: parameters, variables that do not vary, and the coordinates of ground points.
static bool constant_of(void* context, const char* name, double* value) {
  const Scope* s = context;
  Compile* c = s->c;
  const char *owner, *suffix;
  static const char* const XYZ[] = {"x", "y", "z"};
  if (local_of(s, name) >= 0) return false;
  if (sar_symbol_value(c, name, value)) return true;
  if (strncmp(name, "ground.", 7) != 0 || !split(c, name, &owner, &suffix)) return false;
  int point = sar_names_find(&c->point_names, owner), at = index_of(XYZ, 3, suffix);
  if (point < 0 || at < 0) return false;
  double p[3];
  v3_store(p, c->point[point].X_UP.p);
  *value = p[at];
  return true;
}

static bool is_knot(const Compile* c, const char* owner) {
  const int body = sar_names_find(&c->body_names, owner);
  return body >= 0 && c->body[body].knot;
}

// What an owner of measured quantities has to offer; false: there is none of this name.
static bool offer_of(Compile* c, const char* owner, char* hint, size_t size) {
  int joint = sar_names_find(&c->joint_names, owner);
  int force = sar_names_find(&c->force_names, owner);
  if (joint >= 0) {
    const SarJointKind* kind = c->joint[joint].kind;
    int n = sar_snprintf(hint, size, "a %s joint has", kind->name);
    for (int i = 0; i < kind->nq; i++)
      n += sar_snprintf(hint + n, size - (size_t)n, " .%s", kind->q_suffix[i]);
    for (int i = 0; i < kind->nv; i++)
      n += sar_snprintf(hint + n, size - (size_t)n, " .%s", kind->v_suffix[i]);
    if (kind->nv == 1)
      sar_snprintf(hint + n, size - (size_t)n,
                   ", of the last step .a .motor .limit .friction .fx .. .tz");
  } else if (force >= 0) {
    sar_offer_force(c, force, hint, size);
  } else if (is_knot(c, owner)) {
    sar_snprintf(hint, size,
                 "where a knot is follows from the forces on it, and no expression may use that: "
                 "ask for it as an output, 'body: %.40s'",
                 owner);
  } else if (sar_names_find(&c->body_names, owner) >= 0) {
    sar_snprintf(
        hint, size,
        "a body has .x .y .z .qw .qx .qy .qz .vx .vy .vz .wx .wy .wz, angles .zyx1 .zyx2 .zyx3 "
        "(any sequence), and its points");
  } else if (sar_names_find(&c->point_names, owner) >= 0) {
    sar_snprintf(hint, size, "a point has .x .y .z .vx .vy .vz");
  } else {
    return false;
  }
  return true;
}

static bool is_word(char ch) { return isalnum((unsigned char)ch) || ch == '_'; }

// Is `word` a piece of a name with other characters, which a reader takes apart: knee of left-knee?
static bool is_piece(const char* name, const char* word, size_t n) {
  for (const char* at = name; (at = strstr(at, word)); at++) {
    const bool begins = at == name || !is_word(at[-1]), ends = !is_word(at[n]);
    if (begins && ends && name[n]) return true;
  }
  return false;
}

// "left" of left-knee.q: the name of a joint or body that must be quoted; NULL: none.
static const char* unquoted(Compile* c, const char* name) {
  const size_t n = strcspn(name, ".");
  const char* word = sar_arena_strndup(&c->arena, name, n);
  if (!word || n == 0) return NULL;
  for (int j = 0; j < c->njoint; j++)
    if (is_piece(c->joint[j].item.name, word, n)) return c->joint[j].item.name;
  for (int b = 0; b < c->nbody; b++)
    if (is_piece(c->body[b].item.name, word, n)) return c->body[b].item.name;
  return NULL;
}

// A name is only suggested if it measures something.
static void suggest(const Scope* s, const char* name, char* hint, size_t size) {
  Compile* c = s->c;
  const char *owner, *suffix, *whole = unquoted(c, name);
  if (whole)
    snprintf(hint, size, "a name with other characters is quoted: '%.60s'.q", whole);
  else if (!split(c, name, &owner, &suffix))
    sar_suggest_symbol(c, name, -1, s->locals, hint, size);
  else if (!offer_of(c, owner, hint, size))
    sar_suggest_measure(c, owner, suffix, hint, size);
}

static void check_name(void* context, const char* name, SarLoc loc) {
  Scope* s = context;
  Compile* c = s->c;
  double value;
  char hint[192];
  SarMeasure measure;
  int i = sar_names_find(&c->symbol_names, name);
  if (local_of(s, name) >= 0 || strcmp(name, "t") == 0 || sar_find_state(c, name) >= 0) return;
  if (constant_of(s, name, &value) || i >= 0) {
    if (i >= 0 && isnan(c->symbol[i].value)) s->wrong = true;  // reported where it is defined
    return;
  }
  if (loc.line == 0) loc = s->loc;
  if (sar_find_measure(c, name, &measure)) return;
  s->wrong = true;
  if (sar_name_is_lost(c, name)) return;
  suggest(s, name, hint, sizeof hint);
  sar_complain(c, s->item, loc, hint, "%s: there is nothing called '%s'", s->key, name);
}

SarNode sar_bound(Compile* c, SpecNum n, Item item, const char* key, const Locals* locals) {
  Scope scope = {c, locals, item, key, n.loc, false};
  double value;
  sar_expr_visit_names(n.expr, check_name, &scope);
  if (scope.wrong) return SAR_NONE;
  const SarExpr* plain = sar_without_blocks(c, n, item);
  if (!plain) return SAR_NONE;
  const SarNode bound = sar_expr_enter(c->graph, plain, constant_of, &scope, c->err);
  if (sar_node_is_number(c->graph, bound, &value) && !isfinite(value)) {
    sar_complain(c, item, n.loc, "", "%s is not finite", key);
    return SAR_NONE;
  }
  return bound;
}

// ---- programs ---------------------------------------------------------------------------------

static int slot_of_name(void* context, const char* name) {
  const Scope* s = context;
  Compile* c = s->c;
  int local = local_of(s, name);
  if (local >= 0) return c->m.slot_local + local;
  if (strcmp(name, "t") == 0) return 0;
  int i = sar_find_state(c, name);
  if (i >= 0) return c->states.items[i].slot;
  i = sar_names_find(&c->symbol_names, name);
  return i >= 0 ? c->symbol[i].slot : slot_of_measure(c, name);
}

bool sar_program_of(Compile* c, SarNode e, const Locals* locals, ExprPart* out) {
  Scope scope = {.c = c, .locals = locals};
  if (!sar_expr_program(&c->arena, c->graph, e, slot_of_name, &scope, (SarLoc){0}, &out->program,
                        &out->instr, c->err))
    return false;
  if (out->program.registers > c->m.nregister) c->m.nregister = out->program.registers;
  return true;
}
