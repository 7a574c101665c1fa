// Constraints of the file: their attributes, and what their kinds build rows with.
#include "base/print.h"
#include "base/spline.h"
#include "model/compile/parts.h"

#include <stdarg.h>
#include <stdio.h>

struct SarRowBuilder {
  Compile* c;
  Item item;
  const SpecConstraint* spec;
  const SarForm* form;
  const SarAttrValue* attr;
  SarTerm spare;  // what is filled in when memory ran out
};

// ---- what the file says -----------------------------------------------------------------------

const SarAttrValue* sar_builder_attr(const SarRowBuilder* r, int attr) { return &r->attr[attr]; }

static const double* data_of(const SarRowBuilder* r, int attr) {
  return &r->c->attr_data.items[r->attr[attr].adr];
}

double sar_builder_number(const SarRowBuilder* r, int attr) { return *data_of(r, attr); }

V3 sar_builder_vector(const SarRowBuilder* r, int attr) { return v3_load(data_of(r, attr)); }

SarEnd sar_builder_end(const SarRowBuilder* r, int attr) {
  return (SarEnd){r->attr[attr].index, v3_load(data_of(r, attr))};
}

V3 sar_builder_place(const SarRowBuilder* r, SarEnd end) {
  return x_point(sar_design_pose(&r->c->m, end.body), end.point);
}

Xform sar_builder_frame(const SarRowBuilder* r, int attr) {
  return sar_holder_X_BU(&r->c->m, r->attr[attr].holder);
}

V3 sar_builder_direction(const SarRowBuilder* r, int attr, int in, int body) {
  const SarModel* m = &r->c->m;
  const SarAttrValue* frame = &r->attr[in];
  const Xform X_GU = x_mul(sar_design_pose(m, frame->index), sar_holder_X_BU(m, frame->holder));
  return sar_builder_from_ground(r, m3_mul_v(X_GU.R, v3_load(data_of(r, attr))), body);  // from U
}

V3 sar_builder_from_ground(const SarRowBuilder* r, V3 direction, int body) {
  return m3_tmul_v(sar_design_pose(&r->c->m, body).R, direction);
}

int sar_builder_freedoms(const SarRowBuilder* r, int joint, SarCoordinate* kind, int component) {
  const SarJointKind* k = r->c->m.joint_kind[r->attr[joint].index];
  if (component < k->nv) *kind = k->coordinate[component];
  return k->nv;
}

void sar_builder_complain(SarRowBuilder* r, int attr, const char* hint, const char* format, ...) {
  char text[sizeof r->c->err->items[0].text];
  va_list args;
  va_start(args, format);
  sar_vsnprintf(text, sizeof text, format, args);
  va_end(args);
  SarLoc loc = attr >= 0 ? r->spec->values[attr].loc : r->item.loc;
  sar_complain(r->c, r->item, loc, hint, "%s", text);
}

// ---- rows ---------------------------------------------------------------------------------------

void sar_builder_begin(SarRowBuilder* r, double f) { sar_add_row(r->c, f); }

void sar_builder_begin_motion(SarRowBuilder* r, int attr) {
  if (!sar_add_row(r->c, sar_builder_number(r, attr))) return;
  int slot = r->attr[attr].index;
  r->c->rows.items[r->c->rows.count - 1].slot = slot;
  if (slot >= 0) r->c->constraints.items[r->c->constraints.count - 1].drive = true;
}

void sar_builder_begin_speed(SarRowBuilder* r) {
  if (sar_add_row(r->c, 0)) r->c->rows.items[r->c->rows.count - 1].nonholonomic = true;
}

// A road with edges would stop a wheel, and one that moves would drive it: neither is rolling.
static const char* why_not_rolling(const double* data, const SarRoad* road) {
  if (road->moves) return "moves in time";
  if (road->rows > 0 && !road->smooth) return "has a table with corners";
  for (int i = 0; i < road->num; i++) {
    const double* f = &data[road->feature + SAR_FEATURE * i];
    if (f[0] == SAR_FEATURE_RAMP) return "has a ramp or step, with corners";
    if (f[1] != SAR_SIDE_BOTH) return "differs from left to right by a jump";
  }
  return NULL;
}

static void check_road(SarRowBuilder* r, int attr) {
  const int index = r->attr[attr].index;
  if (index < 0) return;
  const SarRoad* road = &r->c->m.road[index];
  const char* why = why_not_rolling(r->c->attr_data.items, road);
  if (why)
    sar_builder_complain(
        r, attr, "features 'smooth' and 'bump', cubic tables, fields and smooth heights of x, y",
        "a wheel cannot roll on road '%s': it %s", r->c->text.items + road->name, why);
}

int sar_builder_roller(SarRowBuilder* r, int radius, int road, bool ball) {
  check_road(r, road);
  SarRoller* roller = SAR_LIST_ADD(&r->c->arena, &r->c->rollers);
  if (!roller) return -1;
  *roller = (SarRoller){.radius = sar_builder_number(r, radius),
                        .ball = ball,
                        .road = r->attr[road].given,
                        .index = r->attr[road].index};
  return r->c->rollers.count - 1;
}

SarTerm* sar_builder_term(SarRowBuilder* r, SarTermKind kind, SarEnd a, SarEnd b,
                          double coefficient) {
  int pair = sar_add_pair(r->c, a.body, a.point, b.body, b.point);
  SarTerm* t = pair < 0 ? NULL : sar_add_term(r->c, kind, pair, coefficient);
  return t ? t : &r->spare;
}

void sar_builder_coordinate(SarRowBuilder* r, int joint, int component, double coefficient) {
  sar_add_coordinate(r->c, r->c->joint_by_number[r->attr[joint].index], component, coefficient);
}

int sar_builder_track(SarRowBuilder* r, int attr) {
  Compile* c = r->c;
  SarTrack* track = SAR_LIST_ADD(&c->arena, &c->tracks);
  if (!track) return -1;
  *track = (SarTrack){.law = r->attr[attr].index};
  if (r->form->attr[attr].type == SAR_ATTR_TABLE) {
    int n = r->attr[attr].index, adr = sar_take_data(c, 3 * n);
    double* work = SAR_ARENA_ARRAY(&c->arena, double, n + 1);
    if (c->arena.failed) return -1;
    const double* table = data_of(r, attr);
    double* knot = &c->attr_data.items[adr];
    for (int i = 0; i < n; i++) {
      knot[3 * i] = table[2 * i];
      knot[3 * i + 1] = table[2 * i + 1];
    }
    sar_spline_bend(knot, n, work);
    *track = (SarTrack){-1, adr, n};
  }
  return c->tracks.count - 1;
}

// ---- all of them --------------------------------------------------------------------------------

static bool add_element(Compile* c, int at, int index) {
  const SpecConstraint* spec = &c->spec->constraints.items[at];
  SarAttrValue attr[SAR_MAX_ATTR];
  Item item = {"constraint", spec->name.text, spec->name.loc};
  SarForm form = sar_constraint_form(spec->kind);
  bool sound;
  if (!sar_compile_attributes(c, item, &form, spec->values, attr, &sound)) return false;
  if (!c->tree_known || !sound) return true;
  if (!sar_add_constraint(c, item, SAR_FROM_ELEMENT, index)) return false;
  c->element_constraint[at] = c->constraints.count - 1;
  c->constraints.items[c->constraints.count - 1].kind = spec->kind;
  c->constraints.items[c->constraints.count - 1].held = sar_holds_current(&spec->gate);
  SarRowBuilder rows = {c, item, spec, &form, attr, {0}};
  spec->kind->build(&rows);
  return !c->arena.failed;
}

bool sar_compile_elements(Compile* c) {
  const SarSpec* s = c->spec;
  int n = s->constraints.count;
  Named* named = SAR_ARENA_ARRAY(&c->arena, Named, n + 1);
  c->element_constraint = SAR_ARENA_ARRAY(&c->arena, int, n + 1);
  if (!named || !c->element_constraint) return false;
  for (int i = 0; i < n; i++) {
    named[i] = (Named){s->constraints.items[i].name.text, i};
    c->element_constraint[i] = -1;
  }
  sar_sort_named(named, n);
  for (int i = 0; i < n; i++)
    if (!add_element(c, named[i].index, i)) return false;
  return true;
}
