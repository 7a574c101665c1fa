// Forces, constraints, roads and gates of a similar twin, by the types and units of their
// attributes.
#include "support/twins/similar.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct ElementJob {
  SimilarJob* s;
  SarForm form;
  SpecValue* values;
} ElementJob;

static SpecValue* find(const ElementJob* e, const char* name) {
  for (int i = 0; i < e->form.nattr; i++)
    if (strcmp(e->form.attr[i].name, name) == 0) return &e->values[i];
  return NULL;
}

static bool says(const ElementJob* e, const char* attr, const char* word) {
  const SpecValue* v = find(e, attr);
  return v && v->given && v->name.text && strcmp(v->name.text, word) == 0;
}

static M3 times(double k, M3 A) {
  double* a = &A.xx;
  for (int i = 0; i < 9; i++) a[i] *= k;
  return A;
}

// Coordinate of the joint that attribute `attr` names, which `component` chooses.
static double joint_scale(const ElementJob* e, const char* attr) {
  const SpecValue* which = find(e, "component");
  const SpecJoint* p = twin_find_joint(e->s->spec, find(e, attr)->name.text);
  int i = which && which->given ? (int)twin_value(which->numbers[0]) - 1 : 0;
  if (!p || i < 0 || i >= p->kind->nv) {
    twin_refuse(e->s->job, "joint '%s'", find(e, attr)->name.text);
    return 1;
  }
  return similar_coordinate(e->s, p, i);
}

static void all_by(ElementJob* e, SpecValue* v, double k) {
  for (int i = 0; i < v->count; i++) similar_scale_num(e->s, &v->numbers[i], k);
}

// c_i x^i is a tension: c_i has its unit over that of x to the power i.
static void polynomial(ElementJob* e, SpecValue* v, Dimension of) {
  for (int i = 0; i < v->count; i++)
    similar_scale_num(e->s, &v->numbers[i],
                      similar_scale(e->s, FORCE) / pow(similar_scale(e->s, of), i));
}

static void laws_locals(ElementJob* e, SpecValue* v) {
  const bool turns = strcmp(e->form.name, "torsion") == 0;
  for (int i = 0; i < SAR_LAW_LOCALS && e->form.local[i]; i++) {
    const char* name = e->form.local[i];
    const Dimension d = {turns || strcmp(name, "angle") == 0 ? 0 : 1, 0,
                         strcmp(name, "rate") == 0 ? -1 : 0};
    similar_local(e->s, &v->numbers[0], name, similar_scale(e->s, d));
  }
}

static void matrix6(ElementJob* e, SpecValue* v, Dimension d) {
  SimilarJob* s = e->s;
  const double h = s->handed, sign[6] = {1, h, 1, h, 1, h}, L = s->x->length;
  const double k = similar_scale(s, d);
  for (int i = 0; i < v->count; i++) {
    const int row = v->count == 36 ? i / 6 : i, column = v->count == 36 ? i % 6 : i;
    const double levers = (row < 3 ? 1 : L) * (column < 3 ? 1 : L);
    similar_scale_num(s, &v->numbers[i], sign[row] * sign[column] * levers * k);
  }
}

static void vector6(ElementJob* e, SpecValue* v) {
  const double h = e->s->handed, sign[6] = {1, h, 1, h, 1, h};
  for (int i = 0; i < 6; i++)
    similar_scale_num(e->s, &v->numbers[i], sign[i] * similar_scale(e->s, i < 3 ? FORCE : ENERGY));
}

// calspan and linear: {cornering [N/rad], camber [N/rad], trail [m], aligning, overturning [N
// m/rad]}
static void named(ElementJob* e, SpecValue* v, const SarAttr* attr) {
  const Similarity* x = e->s->x;
  if (strcmp(attr->name, "calspan") == 0) {
    if (x->length != 1 || x->mass != 1 || x->time != 1)
      twin_refuse(e->s->job, "Calspan's numbers have units of their own");
    return;
  }
  for (int i = 0; i < v->count; i++)
    similar_scale_num(e->s, &v->numbers[i],
                      similar_scale(e->s, i < 2    ? FORCE
                                          : i == 2 ? LENGTH
                                                   : ENERGY));
}

static void direction(ElementJob* e, SpecValue* v) {
  const SpecValue* in = find(e, "in");
  const bool air = strcmp(e->form.name, "strips") == 0 || strcmp(e->form.name, "rotor") == 0;
  const bool local =
      air || (in && in->given && in->name.text && strcmp(in->name.text, "ground") != 0);
  const double sense =
      strcmp(e->form.name, "tyre") == 0 ? e->s->handed : 1;  // a spin axis is axial
  similar_nums(e->s, v->numbers, times(sense, local ? e->s->M : e->s->x->Q), v3_zero());
}

// deformable_hinge: about x, y and z of its frame, of which mirrors turn x and z round.
static void about_axes(ElementJob* e, SpecValue* v, const SarAttr* attr) {
  const double h = e->s->handed, sign[3] = {h, 1, h}, T = e->s->x->time;
  const double k = similar_scale(e->s, ENERGY) * (strcmp(attr->name, "damping") == 0 ? T : 1);
  const bool law = attr->type == SAR_ATTR_LAW, preload = strcmp(attr->name, "preload") == 0;
  for (int i = 0; law && i < 6; i++)
    similar_local(e->s, &v->numbers[0], e->form.local[i], sign[i % 3] / (i < 3 ? 1 : T));
  if (law) all_by(e, v, sign[attr->name[4] - 'x'] * k);
  for (int i = 0; !law && i < 3; i++)
    similar_scale_num(e->s, &v->numbers[i], preload ? k * sign[i] : k);
}

static void vector(ElementJob* e, SpecValue* v) {
  const SimilarJob* s = e->s;
  if (strcmp(e->form.name, "drag") == 0) {  // areas
    for (int i = 0; i < 3; i++)
      similar_scale_num(e->s, &v->numbers[i], similar_scale(s, (Dimension){2, 0, 0}));
    return;
  }
  const M3 A = says(e, "frame", "body") ? s->M : s->x->Q;
  const bool force = strcmp(e->form.name, "force") == 0,
             axis = strcmp(e->form.name, "torsion") == 0;
  const double k = axis    ? s->handed
                   : force ? similar_scale(s, FORCE)
                           : s->handed * similar_scale(s, ENERGY);
  similar_nums(e->s, v->numbers, times(k, A), v3_zero());
}

static void point(ElementJob* e, SpecValue* v) {
  const Similarity* x = e->s->x;
  const bool ground = strcmp(v->name.text, "ground") == 0;
  if (ground && v->count == 0 && (v3_norm(x->shift) > 0)) {  // its origin is elsewhere now
    v->numbers = SAR_ARENA_ARRAY(&e->s->spec->arena, SpecNum, 3);
    v->count = 3;
    for (int i = 0; i < 3; i++) v->numbers[i] = twin_number(e->s->spec, 0);
  }
  if (v->count == 3)
    similar_nums(e->s, v->numbers, times(x->length, ground ? x->Q : e->s->M),
                 ground ? x->shift : v3_zero());
}

// The value of `coordinate` is measured from the ground's origin along its axis.
static void coordinate_value(ElementJob* e, SpecValue* v) {
  const SpecValue* axis = find(e, "axis");
  V3 a =
      v3(twin_value(axis->numbers[0]), twin_value(axis->numbers[1]), twin_value(axis->numbers[2]));
  char text[96];
  a = v3_unit(m3_mul_v(e->s->x->Q, a));
  snprintf(text, sizeof text, "(%.17g) * X + (%.17g)", e->s->x->length, v3_dot(a, e->s->x->shift));
  v->numbers[0] = twin_combine(e->s->spec, text, v->numbers[0], v->numbers[0], v->numbers[0]);
}

// Couplings: q2 = ratio q1 + offset.
static void coupling(ElementJob* e) {
  const double k1 = joint_scale(e, e->form.attr[0].name), k2 = joint_scale(e, e->form.attr[1].name);
  for (int i = 2; i < e->form.nattr; i++)
    if (e->values[i].given)
      all_by(e, &e->values[i], strcmp(e->form.attr[i].name, "offset") == 0 ? k2 : k2 / k1);
}

// Tables, laws and numbers of an element on a coordinate of a joint, which is counted by k in the
// twin (k < 0: the other way): forces are energies over it.
static void on_coordinate(ElementJob* e, SpecValue* v, const SarAttr* attr) {
  const double k = joint_scale(e, "joint"), speed = k / e->s->x->time;
  const double force = similar_scale(e->s, ENERGY) / k;
  const char* name = attr->name;
  if (attr->type == SAR_ATTR_LAW) {
    similar_local(e->s, &v->numbers[0], "q", k);
    similar_local(e->s, &v->numbers[0], "v", speed);
    all_by(e, v, force);
  } else if (attr->type == SAR_ATTR_TABLE) {
    for (int i = 0; i < v->count; i++)
      similar_scale_num(e->s, &v->numbers[i],
                        i % 2                               ? force
                        : strcmp(name, "damper_table") == 0 ? speed
                                                            : k);
    for (int i = 0, j = v->count - 2; k < 0 && i < j; i += 2, j -= 2)
      for (int c = 0; c < 2; c++) {
        const SpecNum swap = v->numbers[i + c];
        v->numbers[i + c] = v->numbers[j + c];
        v->numbers[j + c] = swap;
      }
  } else if (strcmp(name, "ratio") == 0) {
    all_by(e, v, k / joint_scale(e, "drive"));
  } else if (strcmp(name, "stiffness") == 0) {
    all_by(e, v, force / k);
  } else if (strcmp(name, "damping") == 0) {
    all_by(e, v, force / speed);
  } else {
    all_by(e, v, strcmp(name, "gap") == 0 ? fabs(k) : k);
  }
}

// A plain quantity, by the unit its table gives.
static void quantity(ElementJob* e, SpecValue* v, const SarAttr* attr) {
  Dimension d[2] = {{0, 0, 0}};
  const char* kind = e->form.name;
  static const char* const plain[] = {"component", "points", "panels", "tip_loss"};
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
    if (strcmp(attr->name, plain[i]) == 0) return;
  if (strcmp(kind, "joint_force") == 0) {
    all_by(e, v, similar_scale(e->s, ENERGY) / joint_scale(e, "joint"));
    return;
  }
  if (strcmp(kind, "joint_spring") == 0 || strcmp(kind, "backlash") == 0) {
    on_coordinate(e, v, attr);
    return;
  }
  if (strcmp(kind, "motion") == 0) {
    all_by(e, v, joint_scale(e, "joint"));
    return;
  }
  if (attr->type == SAR_ATTR_LIST) {
    polynomial(e, v, strcmp(attr->name, "polynomial") == 0 ? LENGTH : SPEED);
    return;
  }
  if (attr->type == SAR_ATTR_LAW || attr->type == SAR_ATTR_CURVE) laws_locals(e, v);
  const int units = units_of(attr->doc, d, 2);
  if (units == 0) twin_refuse(e->s->job, "%s: '%s' has no unit in its table", kind, attr->name);
  for (int i = 0; i < v->count; i++)
    similar_scale_num(e->s, &v->numbers[i],
                      similar_scale(e->s, d[attr->type == SAR_ATTR_TABLE ? i % 2 : 0]));
}

// A number, or a table over the station.
static void span(ElementJob* e, SpecValue* v, const SarAttr* attr) {
  Dimension d[2] = {{0, 0, 0}};
  const int units = units_of(attr->doc, d, 2);
  if (units == 0) twin_refuse(e->s->job, "'%s' has no unit in its table", attr->name);
  for (int i = 0; i < v->count; i++)
    similar_scale_num(e->s, &v->numbers[i],
                      similar_scale(e->s, v->count > 1 && i % 2 == 0 ? LENGTH : d[units > 1]));
}

static void attribute(ElementJob* e, SpecValue* v, const SarAttr* attr) {
  const bool hinge = strcmp(e->form.name, "deformable_hinge") == 0;
  switch (attr->type) {
    case SAR_ATTR_POINT: point(e, v); break;
    case SAR_ATTR_FRAME: similar_pose(e->s, &v->pose, true); break;
    case SAR_ATTR_VECTOR: hinge ? about_axes(e, v, attr) : vector(e, v); break;
    case SAR_ATTR_MATRIX6:
      matrix6(e, v, (Dimension){0, 1, strcmp(attr->name, "damping") == 0 ? -1 : -2});
      break;
    case SAR_ATTR_VECTOR6: vector6(e, v); break;
    case SAR_ATTR_NAMED: named(e, v, attr); break;
    case SAR_ATTR_DIRECTION: direction(e, v); break;
    case SAR_ATTR_BODY:
    case SAR_ATTR_JOINT:
    case SAR_ATTR_CHOICE:
    case SAR_ATTR_AIRFOIL:
    case SAR_ATTR_FORCE:
    case SAR_ATTR_ROAD: break;
    case SAR_ATTR_SPAN: span(e, v, attr); break;
    default: hinge ? about_axes(e, v, attr) : quantity(e, v, attr); break;
  }
}

// Roll, pitch and yaw of a motion have no simple form in axes that are turned or mirrored.
static void refuse_turned_motion(ElementJob* e) {
  const Similarity* x = e->s->x;
  if (fabs(x->Q.xx + x->Q.yy + x->Q.zz - 3) > 1e-12 || x->mirrored || v3_norm(x->shift) > 0)
    twin_refuse(e->s->job, "prescribed positions and angles of a body");
}

static void gate(SimilarJob* s, SpecGate* g) {
  SpecNum* moments[] = {&g->from, &g->until};
  for (int i = 0; i < 2; i++)
    if (moments[i]->expr && sar_expr_is_number(moments[i]->expr, NULL))
      similar_scale_num(s, moments[i], s->x->time);
}

static void element(SimilarJob* s, SarForm form, SpecValue* values, SpecGate* g) {
  ElementJob e = {s, form, values};
  const char* kind = form.name;
  gate(s, g);
  if (strcmp(kind, "gear") == 0 || strcmp(kind, "rack") == 0 ||
      strcmp(kind, "screw_coupling") == 0) {
    coupling(&e);
    return;
  }
  SpecValue* slow = find(&e, "slow");  // the only default with a unit that is not 0
  if (slow && !slow->given) {
    *slow = (SpecValue){.given = true, .loc = {s->spec->file, 1, 1}, .count = 1};
    slow->numbers = SAR_ARENA_ARRAY(&s->spec->arena, SpecNum, 1);
    slow->numbers[0] = twin_number(s->spec, 0.1);
  }
  if (strcmp(kind, "total_motion") == 0) refuse_turned_motion(&e);
  if (strcmp(kind, "coordinate") == 0) coordinate_value(&e, find(&e, "value"));
  for (int i = 0; i < form.nattr; i++) {
    const bool done = strcmp(kind, "coordinate") == 0 && strcmp(form.attr[i].name, "value") == 0;
    if (values[i].given && !done) attribute(&e, &values[i], &form.attr[i]);
  }
}

static void road(SimilarJob* s, SpecRoad* r) {
  const double k = s->x->length;
  for (int i = 0; i < r->features.count; i++) {
    SpecFeature* f = &r->features.items[i];
    SpecNum* lengths[] = {&f->ramp[0], &f->ramp[1], &f->smooth[0], &f->smooth[1], &f->bump[0],
                          &f->bump[1], &f->step,    &f->width,     &f->height};
    if (f->step.expr && !f->width.expr) f->width = twin_number(s->spec, 0.02);
    for (size_t n = 0; n < sizeof lengths / sizeof *lengths; n++)
      similar_scale_num(s, lengths[n], k);
    if (s->x->mirrored && f->side.text && f->side.text[0] != 'b')
      f->side.text = f->side.text[0] == 'l' ? "right" : "left";
  }
  for (int i = 0; i < r->table.count; i++) similar_scale_num(s, &r->table.numbers[i], k);
  similar_local(s, &r->height, "x", k);
  similar_local(s, &r->height, "y", s->handed * k);
  similar_scale_num(s, &r->height, k);
}

// The air, with its usual density and speed of sound where the file says nothing.
static void air(SimilarJob* s) {
  static const double usual[] = {SAR_AIR_USUAL_DENSITY, SAR_AIR_USUAL_SOUND};
  const Dimension unit[] = {{-3, 1, 0}, {1, 0, -1}};
  SarSpec* x = s->spec;
  bool any = false;
  for (int i = 0; i < x->forces.count; i++)
    any |= strcmp(x->forces.items[i].kind->name, "strips") == 0 ||
           strcmp(x->forces.items[i].kind->name, "drag") == 0;
  if (!any) return;
  if (x->air[SAR_AIR_ALTITUDE].given) twin_refuse(s->job, "the standard atmosphere has units");
  x->air_at = (SpecName){"air", {x->file, 1, 1}};
  for (int i = 0; i < 2; i++) {
    SpecValue* v = &x->air[i];
    if (!v->given) {
      *v = (SpecValue){.given = true, .loc = {x->file, 1, 1}, .count = 1};
      v->numbers = SAR_ARENA_ARRAY(&x->arena, SpecNum, 1);
      v->numbers[0] = twin_number(x, usual[i]);
    }
    similar_scale_num(s, &v->numbers[0], similar_scale(s, unit[i]));
  }
  SpecValue* wind = &x->air[SAR_AIR_WIND];
  if (wind->given)
    similar_nums(s, wind->numbers, times(similar_scale(s, unit[1]), s->x->Q), v3_zero());
}

void similar_elements(SimilarJob* s) {
  SarSpec* x = s->spec;
  air(s);
  for (int i = 0; i < x->forces.count; i++)
    element(s, sar_force_form(x->forces.items[i].kind), x->forces.items[i].values,
            &x->forces.items[i].gate);
  for (int i = 0; i < x->constraints.count; i++)
    element(s, sar_constraint_form(x->constraints.items[i].kind), x->constraints.items[i].values,
            &x->constraints.items[i].gate);
  for (int i = 0; i < x->joints.count; i++) gate(s, &x->joints.items[i].gate);
  for (int i = 0; i < x->roads.count; i++) road(s, &x->roads.items[i]);
}
