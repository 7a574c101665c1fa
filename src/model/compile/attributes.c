// Attributes of force elements and constraints, by their type.
#include "model/compile/parts.h"

#include <math.h>
#include <string.h>

typedef struct AttrJob {
  Compile* c;
  Item item;
  const SarForm* form;
  const SarAttr* attr;
  const SpecValue* value;
  SarAttrValue* out;
} AttrJob;

int sar_take_data(Compile* c, int n) {
  int first = c->attr_data.count;
  for (int i = 0; i < n; i++) {
    double* zero = SAR_LIST_ADD(&c->arena, &c->attr_data);
    if (!zero) return 0;
  }
  return first;
}

static double* data_at(AttrJob* j, int i) { return &j->c->attr_data.items[j->out->adr + i]; }

static int tree_of(const Compile* c, int body) { return body >= 0 ? c->body[body].tree : GROUND; }

static int holder_of(const Compile* c, int body) {
  return body >= 0 ? c->body[body].number : GROUND;
}

// Knots take forces, and only some kinds of them (compile/knots.c checks which).
static void refuse_knot(AttrJob* j, int body) {
  if (body < 0 || !j->c->body[body].knot || j->c->force_in_progress >= 0) return;
  sar_complain(j->c, j->item, j->value->loc, "give the body mass, or a joint",
               "%s: body '%s' has no mass: only forces may hold it", j->attr->name,
               j->c->body[body].item.name);
}

static V3 point_in_B(const Compile* c, int body, V3 p_U) {
  return body >= 0 ? x_point(c->body[body].X_BU, p_U) : p_U;
}

// ---- one function for each type of attribute ------------------------------------------------

static void attr_body(AttrJob* j) {
  const int body = sar_find_body(j->c, j->value->name, j->item, j->attr->name);
  refuse_knot(j, body);
  j->out->index = tree_of(j->c, body);
  j->out->holder = holder_of(j->c, body);
  if (body < 0) return;
  const Inertia I = j->c->body[body].inertia;
  *data_at(j, 0) = I.m;
  if (I.m > 0) v3_store(data_at(j, 1), point_in_B(j->c, body, v3_scale(1 / I.m, I.h)));
}

static void attr_joint(AttrJob* j) {
  int joint = sar_find_joint(j->c, j->value->name, j->item, j->attr->name);
  if (joint < 0) return;
  j->out->index = j->c->joint[joint].number;
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
  refuse_knot(j, body);
  j->out->index = tree_of(c, body);
  j->out->holder = holder_of(c, body);
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
  SarNode e[3] = {SAR_NONE, SAR_NONE, SAR_NONE};
  bool vary = false, wrong = false;
  for (int i = 0; i < j->value->count; i++) {
    e[i] = sar_bound(c, j->value->numbers[i], j->item, j->attr->name, NULL);
    if (e[i] < 0)
      wrong = true, *data_at(j, i) = WRONG;
    else if (!sar_node_is_number(c->graph, e[i], data_at(j, i)))
      vary = true;
  }
  if (!vary || wrong) return;
  j->out->index = sar_take_slots(c, j->value->count);
  for (int i = 0; i < j->value->count; i++)
    if (!sar_fill_slot(c, e[i], j->out->index + i, true)) return;
}

static Locals locals_of(const AttrJob* j) {
  int n = 0;
  while (n < SAR_LAW_LOCALS && j->form->local[n]) n++;
  return (Locals){j->form->local, n};
}

static void attr_law(AttrJob* j) {
  Locals locals = locals_of(j);
  const SarNode e = sar_bound(j->c, j->value->numbers[0], j->item, j->attr->name, &locals);
  if (e >= 0) j->out->index = sar_law_of(j->c, e, &locals);
  if (j->out->index >= 0) sar_slopes_of(j->c, e, &locals);
}

static void attr_curve(AttrJob* j) {
  Locals locals = locals_of(j);
  j->out->index = sar_curve_of(j->c, j->value->numbers[0], j->item, j->attr->name, &locals);
}

static void attr_motion(AttrJob* j) {
  const bool sine = j->attr->choices && strcmp(j->attr->choices, "sin") == 0;
  j->out->index =
      sar_motion_of(j->c, j->value->numbers[0], j->item, j->attr->name, sine, data_at(j, 0));
}

static void attr_direction(AttrJob* j) {
  const SpecNum* n = j->value->numbers;
  SpecVec3 v = {{n[0], n[1], n[2]}};
  V3 direction = sar_direction(j->c, &v, j->item, j->attr->name, v3_zero());
  v3_store(data_at(j, 0), direction);
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

static void attr_list(AttrJob* j) {
  attr_numbers(j);
  j->out->index = j->value->count;
}

static void attr_road(AttrJob* j) {
  j->out->index = sar_find_road(j->c, j->value->name, j->item, j->attr->name);
}

static void attr_airfoil(AttrJob* j) {
  j->out->index = sar_find_airfoil(j->c, j->value->name, j->item, j->attr->name);
}

static void attr_force(AttrJob* j) {
  const int force = sar_find_force(j->c, j->value->name, j->item, j->attr->name);
  if (force >= 0) j->out->index = j->c->force_number[force];
}

// A constant is a table of one row.
static void attr_span(AttrJob* j) {
  if (j->value->count > 1) {
    attr_table(j);
    return;
  }
  *data_at(j, 1) = sar_number(j->c, j->value->numbers[0], j->item, j->attr->name, ANY_FINITE, 0);
  j->out->index = 1;
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
    [SAR_ATTR_BODY] = {attr_body, 4, 0, 0},
    [SAR_ATTR_JOINT] = {attr_joint, 1, 0, 0},
    [SAR_ATTR_POINT] = {attr_point, 3, 0, 0},
    [SAR_ATTR_FRAME] = {attr_frame, 12, 0, 0},
    [SAR_ATTR_NUMBER] = {attr_numbers, 1, 1, 1},
    [SAR_ATTR_SCALAR] = {attr_scalars, 1, 1, 1},
    [SAR_ATTR_VECTOR] = {attr_scalars, 3, 3, 3},
    [SAR_ATTR_LAW] = {attr_law, 1, 1, 1},
    [SAR_ATTR_TABLE] = {attr_table, 0, 0, 0},
    [SAR_ATTR_MATRIX6] = {attr_matrix6, 36, 6, 36},
    [SAR_ATTR_VECTOR6] = {attr_numbers, 6, 6, 6},
    [SAR_ATTR_CHOICE] = {attr_choice, 1, 0, 0},
    [SAR_ATTR_DIRECTION] = {attr_direction, 3, 3, 3},
    [SAR_ATTR_MOTION] = {attr_motion, 1, 1, 1},
    [SAR_ATTR_CURVE] = {attr_curve, 1, 1, 1},
    [SAR_ATTR_LIST] = {attr_list, 0, 0, 0},
    [SAR_ATTR_NAMED] = {attr_list, 0, 0, 0},
    [SAR_ATTR_ROAD] = {attr_road, 1, 0, 0},
    [SAR_ATTR_SPAN] = {attr_span, 0, 0, 0},
    [SAR_ATTR_AIRFOIL] = {attr_airfoil, 1, 0, 0},
    [SAR_ATTR_FORCE] = {attr_force, 1, 0, 0},
};
_Static_assert(sizeof COMPILER / sizeof *COMPILER == SAR_ATTR_FORCE + 1, "one for each type");

// A default is written as in a file: a word, or numbers with spaces between them.
static bool default_value(Compile* c, const SarAttr* attr, SarLoc loc, SpecValue* out) {
  *out = (SpecValue){.loc = loc, .given = true, .name = {attr->def, loc}};
  if (attr->type == SAR_ATTR_CHOICE || attr->type == SAR_ATTR_BODY || attr->type == SAR_ATTR_POINT)
    return true;
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

// Rows that could not be read: the reader has reported it, and nothing looks at the element.
static bool unreadable(AttrJob* j) {
  j->out->adr = sar_take_data(j->c, 1);
  if (!j->c->arena.failed) *data_at(j, 0) = WRONG;
  return !j->c->arena.failed;
}

static bool compile_attr(AttrJob* j) {
  Compile* c = j->c;
  const AttrCompiler* how = &COMPILER[j->attr->type];
  SpecValue otherwise;
  *j->out = (SarAttrValue){.index = -1, .holder = GROUND, .given = j->value->given};
  if (!j->value->given && !j->attr->def) {
    sar_complain(c, j->item, j->item.loc, j->attr->doc, "a %s needs '%s'", j->form->name,
                 j->attr->name);
    return true;
  }
  if (!j->value->given && j->attr->def[0]) {
    if (!default_value(c, j->attr, j->item.loc, &otherwise)) return false;
    j->value = &otherwise;
  }
  const SpecValue* v = j->value;
  if (!how->room && v->given && v->count == 0) return unreadable(j);
  j->out->adr = sar_take_data(c, how->room ? how->room : v->count);
  if (j->attr->type == SAR_ATTR_SPAN && v->count == 1) sar_take_data(c, 1);
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

bool sar_compile_attributes(Compile* c, Item item, const SarForm* form, const SpecValue* values,
                            SarAttrValue* out, bool* sound) {
  const int errors = c->err->errors, first = c->attr_data.count;
  for (int k = 0; k < form->nattr; k++) {
    AttrJob job = {c, item, form, &form->attr[k], &values[k], &out[k]};
    if (!compile_attr(&job)) return false;
  }
  *sound = c->err->errors == errors;
  for (int i = first; i < c->attr_data.count; i++)
    if (isnan(c->attr_data.items[i])) *sound = false;
  return true;
}
