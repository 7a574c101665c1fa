// Force elements: attributes by their type, in natural order of the elements' names.
#include "model/compile_parts.h"

#include <math.h>
#include <string.h>

typedef struct AttrJob {
  Compile* c;
  Item item;
  const SarForceKind* kind;
  const SarAttr* attr;
  const SpecValue* value;
  SarAttrValue* out;
} AttrJob;

// Room for n zeros in attr_data; the first one's place.
static int take_data(Compile* c, int n) {
  int first = c->attr_data.count;
  for (int i = 0; i < n; i++) {
    double* zero = SAR_LIST_ADD(&c->arena, &c->attr_data);
    if (!zero) return 0;
  }
  return first;
}

static double* data_at(AttrJob* j, int i) { return &j->c->attr_data.items[j->out->adr + i]; }

static int tree_of(const Compile* c, int body) { return body >= 0 ? c->body[body].tree : GROUND; }

static V3 point_in_B(const Compile* c, int body, V3 p_U) {
  return body >= 0 ? x_point(c->body[body].X_BU, p_U) : p_U;
}

// ---- one function for each type of attribute ------------------------------------------------

static void attr_body(AttrJob* j) {
  j->out->index = tree_of(j->c, sar_find_body(j->c, j->value->name, j->item, j->attr->name));
}

static void attr_joint(AttrJob* j) {
  int joint = sar_find_joint(j->c, j->value->name, j->item, j->attr->name);
  if (joint < 0) return;
  j->out->index = j->c->joint[joint].number;
  if (j->out->index >= j->c->m.nbody) j->c->m.needs_cuts = true;
}

static void attr_point(AttrJob* j) {
  Compile* c = j->c;
  Xform X_UP;
  int body = sar_find_point(c, j->value->name, j->item, j->attr->name, &X_UP);
  V3 p = X_UP.p;
  if (j->value->count == 3) {
    double x[3];
    for (int i = 0; i < 3; i++)
      x[i] = sar_number(c, j->value->numbers[i], j->item, j->attr->name, ANY_FINITE, 0);
    p = x_point(X_UP, v3_load(x));
  }
  j->out->index = tree_of(c, body);
  v3_store(data_at(j, 0), point_in_B(c, body, p));
}

static void attr_frame(AttrJob* j) {
  Xform X = sar_pose(j->c, &j->value->pose, j->item, j->attr->name);
  const double rows[9] = {X.R.xx, X.R.xy, X.R.xz, X.R.yx, X.R.yy, X.R.yz, X.R.zx, X.R.zy, X.R.zz};
  memcpy(data_at(j, 0), rows, sizeof rows);
  v3_store(data_at(j, 9), X.p);
}

static void attr_numbers(AttrJob* j) {
  for (int i = 0; i < j->value->count; i++) {
    double x = sar_number(j->c, j->value->numbers[i], j->item, j->attr->name, ANY_FINITE, 0);
    *data_at(j, i) = x;
  }
}

// One or three scalars: numbers when all are constant, else a slot for each.
static void attr_scalars(AttrJob* j) {
  Compile* c = j->c;
  const SarExpr* e[3] = {NULL};
  bool vary = false;
  for (int i = 0; i < j->value->count; i++) {
    e[i] = sar_bound(c, j->value->numbers[i], j->item, j->attr->name, NULL);
    if (!e[i]) return;
    if (!sar_expr_is_number(e[i], data_at(j, i))) vary = true;
  }
  if (!vary) return;
  j->out->index = sar_take_slots(c, j->value->count);
  for (int i = 0; i < j->value->count; i++)
    if (!sar_fill_slot(c, e[i], j->out->index + i, true)) return;
}

static void attr_law(AttrJob* j) {
  int n = 0;
  while (n < SAR_LAW_LOCALS && j->kind->local[n]) n++;
  Locals locals = {j->kind->local, n};
  const SarExpr* e = sar_bound(j->c, j->value->numbers[0], j->item, j->attr->name, &locals);
  if (e) j->out->index = sar_law_of(j->c, e, &locals);
}

static void attr_table(AttrJob* j) {
  attr_numbers(j);
  j->out->index = j->value->count / 2;
  for (int i = 1; i < j->out->index; i++) {
    double before = *data_at(j, 2 * i - 2), x = *data_at(j, 2 * i);
    if (!(x <= before)) continue;
    sar_complain(j->c, j->item, j->value->numbers[2 * i].loc,
                 "order the rows by their first number",
                 "%s: x must rise from row to row, but %g follows %g", j->attr->name, x, before);
    return;
  }
}

static void attr_matrix6(AttrJob* j) {
  Compile* c = j->c;
  if (j->value->count != 6) {
    attr_numbers(j);
    return;
  }
  for (int i = 0; i < 6; i++) {
    double x = sar_number(c, j->value->numbers[i], j->item, j->attr->name, ANY_FINITE, 0);
    *data_at(j, 7 * i) = x;
  }
}

static void attr_choice(AttrJob* j) {
  const char* word = j->value->name.text ? j->value->name.text : "";
  size_t n = strlen(word);
  int at = 0;
  for (const char* p = j->attr->choices; *p; at++) {
    size_t length = strcspn(p, " ");
    if (length == n && memcmp(p, word, n) == 0) {
      j->out->index = at;
      return;
    }
    p += length;
    while (*p == ' ') p++;
  }
  sar_complain(j->c, j->item, j->value->loc, "", "%s is '%s', but must be one of: %s",
               j->attr->name, word, j->attr->choices);
}

// ---- the table ------------------------------------------------------------------------------

typedef struct AttrCompiler {
  void (*compile)(AttrJob* j);
  int room;           // doubles in attr_data; 0: as many as there are numbers
  int count, count2;  // how many numbers may be given; 0: not checked
} AttrCompiler;

static const AttrCompiler COMPILER[] = {
    [SAR_ATTR_BODY] = {attr_body, 1, 0, 0},       [SAR_ATTR_JOINT] = {attr_joint, 1, 0, 0},
    [SAR_ATTR_POINT] = {attr_point, 3, 0, 0},     [SAR_ATTR_FRAME] = {attr_frame, 12, 0, 0},
    [SAR_ATTR_NUMBER] = {attr_numbers, 1, 1, 1},  [SAR_ATTR_SCALAR] = {attr_scalars, 1, 1, 1},
    [SAR_ATTR_VECTOR] = {attr_scalars, 3, 3, 3},  [SAR_ATTR_LAW] = {attr_law, 1, 1, 1},
    [SAR_ATTR_TABLE] = {attr_table, 0, 0, 0},     [SAR_ATTR_MATRIX6] = {attr_matrix6, 36, 6, 36},
    [SAR_ATTR_VECTOR6] = {attr_numbers, 6, 6, 6}, [SAR_ATTR_CHOICE] = {attr_choice, 1, 0, 0},
};

// A default is written as in a file: a word, or numbers with spaces between them.
static bool default_value(Compile* c, const SarAttr* attr, SarLoc loc, SpecValue* out) {
  *out = (SpecValue){.loc = loc, .given = true, .name = {attr->def, loc}};
  if (attr->type == SAR_ATTR_CHOICE || attr->type == SAR_ATTR_BODY) return true;
  out->numbers = SAR_ARENA_ARRAY(&c->arena, SpecNum, strlen(attr->def) + 1);
  if (!out->numbers) return false;
  for (const char* p = attr->def; *p;) {
    size_t n = strcspn(p, " ");
    const SarExpr* e = sar_expr_parse(&c->arena, p, n, loc, c->err);
    out->numbers[out->count++] = (SpecNum){e, loc};
    p += n;
    while (*p == ' ') p++;
  }
  return !c->arena.failed;
}

static bool compile_attr(AttrJob* j) {
  Compile* c = j->c;
  const AttrCompiler* how = &COMPILER[j->attr->type];
  SpecValue otherwise;
  *j->out = (SarAttrValue){.index = -1, .given = j->value->given};
  if (!j->value->given && !j->attr->def) {
    sar_complain(c, j->item, j->item.loc, j->attr->doc, "a %s needs '%s'", j->kind->name,
                 j->attr->name);
    return true;
  }
  if (!j->value->given && j->attr->def[0]) {
    if (!default_value(c, j->attr, j->item.loc, &otherwise)) return false;
    j->value = &otherwise;
  }
  const SpecValue* v = j->value;
  j->out->adr = take_data(c, how->room ? how->room : v->count);
  if (c->arena.failed) return false;
  if (!v->given) return true;
  if (how->count && v->count != how->count && v->count != how->count2) {
    sar_complain(c, j->item, v->loc, "", "%s has %d numbers, but needs %d", j->attr->name, v->count,
                 how->count);
    return true;
  }
  for (int i = 0; i < v->count; i++)
    if (!v->numbers[i].expr) return true;  // the reader has reported it
  how->compile(j);
  return !c->arena.failed;
}

static bool needs_world(const SarForceKind* kind) {
  for (int i = 0; i < kind->nattr; i++) {
    SarAttrType type = kind->attr[i].type;
    if (type == SAR_ATTR_BODY || type == SAR_ATTR_POINT || type == SAR_ATTR_FRAME) return true;
  }
  return false;
}

bool sar_compile_forces(Compile* c) {
  const SarSpec* s = c->spec;
  SarModel* m = &c->m;
  int n = s->forces.count;
  Named* named = SAR_ARENA_ARRAY(&c->arena, Named, n + 1);
  m->force_kind = SAR_ARENA_ARRAY(&c->arena, const SarForceKind*, n);
  m->force_name = SAR_ARENA_ARRAY(&c->arena, int, n);
  m->force_attr = SAR_ARENA_ARRAY(&c->arena, SarAttrValue, n * SAR_FORCE_MAX_ATTR);
  m->force_output_adr = SAR_ARENA_ARRAY(&c->arena, int, n);
  m->force_constant_adr = SAR_ARENA_ARRAY(&c->arena, int, n);
  c->force_loc = SAR_ARENA_ARRAY(&c->arena, SarLoc, n + 1);
  c->force_sound = SAR_ARENA_ARRAY(&c->arena, bool, n + 1);
  c->force_number = SAR_ARENA_ARRAY(&c->arena, int, n + 1);
  c->force_at = SAR_ARENA_ARRAY(&c->arena, int, n + 1);
  take_data(c, 36);  // what absent attributes may point at: zeros
  if (c->arena.failed) return false;
  for (int i = 0; i < n; i++) named[i] = (Named){s->forces.items[i].name.text, i};
  sar_sort_named(named, n);
  m->nforce = n;
  for (int i = 0; i < n; i++) {
    const SpecForce* f = &s->forces.items[named[i].index];
    Item item = {"force", f->name.text, f->name.loc};
    int errors = c->err->errors;
    c->force_at[i] = named[i].index;
    c->force_number[named[i].index] = i;
    c->force_loc[i] = f->name.loc;
    m->force_kind[i] = f->kind;
    m->force_name[i] = sar_intern(c, f->name.text);
    m->force_output_adr[i] = m->nforce_output;
    m->nforce_output += f->kind->noutput;
    if (needs_world(f->kind)) m->needs_world = true;
    for (int k = 0; k < f->kind->nattr; k++) {
      AttrJob job = {c,
                     item,
                     f->kind,
                     &f->kind->attr[k],
                     &f->values[k],
                     &m->force_attr[i * SAR_FORCE_MAX_ATTR + k]};
      if (!compile_attr(&job)) return false;
    }
    m->force_constant_adr[i] = take_data(c, f->kind->nconstant);
    c->force_sound[i] = c->err->errors == errors;
  }
  return !c->arena.failed;
}

// ---- work accounts --------------------------------------------------------------------------

static bool drives(const SarModel* m, int joint) {
  for (int k = 0; k < m->joint_nv[joint]; k++)
    if (m->dof_force_slot[m->joint_vadr[joint] + k] >= 0) return true;
  return false;
}

static bool dissipates(const SarModel* m, int joint) {
  for (int k = 0; k < m->joint_nv[joint]; k++) {
    int d = m->joint_vadr[joint] + k;
    if (m->dof_damping[d] != 0 || m->dof_friction[d] != 0) return true;
  }
  return false;
}

// The host's account, one for each element that has work of its own, then those of the joints.
bool sar_compile_work(Compile* c) {
  SarModel* m = &c->m;
  m->work = SAR_ARENA_ARRAY(&c->arena, SarWorkSource, 1 + m->nforce + 2 * m->njoint);
  m->force_work = SAR_ARENA_ARRAY(&c->arena, int, m->nforce);
  if (c->arena.failed) return false;
  m->nwork = 0;
  m->work[m->nwork++] = (SarWorkSource){SAR_WORK_HOST, 0};
  for (int i = 0; i < m->nforce; i++) {
    m->force_work[i] = m->force_kind[i]->conservative ? -1 : m->nwork;
    if (m->force_work[i] >= 0) m->work[m->nwork++] = (SarWorkSource){SAR_WORK_FORCE, i};
  }
  for (int j = 0; j < m->njoint; j++) {
    if (dissipates(m, j)) m->work[m->nwork++] = (SarWorkSource){SAR_WORK_DISSIPATION, j};
    if (drives(m, j)) m->work[m->nwork++] = (SarWorkSource){SAR_WORK_DRIVE, j};
  }
  return true;
}
