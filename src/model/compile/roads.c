// Roads: their features and tables as numbers, their expressions as laws of x and y.
#include "base/spline.h"
#include "base/spline_field.h"
#include "model/compile/parts.h"

#include <stdlib.h>
#include <string.h>

#define STEP_WIDTH 0.02  // over which a step rises unless the file says otherwise [m]

typedef SAR_LIST(double) Stations;

static bool add_station(Compile* c, Stations* stations, double x) {
  double* place = SAR_LIST_ADD(&c->arena, stations);
  if (place) *place = x;
  return place != NULL;
}

// ---- features -----------------------------------------------------------------------------------

static SarRoadSide side_of(const SpecFeature* f) {
  if (!f->side.text || strcmp(f->side.text, "both") == 0) return SAR_SIDE_BOTH;
  return strcmp(f->side.text, "left") == 0 ? SAR_SIDE_LEFT : SAR_SIDE_RIGHT;
}

static bool add_feature(Compile* c, Item item, const SpecFeature* f, Stations* stations) {
  SarFeatureShape shape = SAR_FEATURE_RAMP;
  const SpecNum* ends = f->ramp;
  if (f->smooth[0].expr) shape = SAR_FEATURE_SMOOTH, ends = f->smooth;
  if (f->bump[0].expr) shape = SAR_FEATURE_BUMP, ends = f->bump;
  double from, to;
  if (f->step.expr) {
    from = sar_number(c, f->step, item, "step", ANY_FINITE, 0);
    to = from + sar_number(c, f->width, item, "width", POSITIVE, STEP_WIDTH);
  } else {
    from = sar_number(c, ends[0], item, "from", ANY_FINITE, 0);
    to = sar_number(c, ends[1], item, "to", ANY_FINITE, 0);
  }
  const double height = sar_number(c, f->height, item, "height", ANY_FINITE, 0);
  if (from >= to)
    sar_complain(c, item, f->loc, "give it as [from, to]",
                 "a feature must end beyond its start, but goes from %g to %g", from, to);
  const int adr = sar_take_data(c, SAR_FEATURE);
  if (c->arena.failed) return false;
  const double numbers[SAR_FEATURE] = {shape, side_of(f), from, to, height};
  memcpy(&c->attr_data.items[adr], numbers, sizeof numbers);
  return add_station(c, stations, from) && add_station(c, stations, to);
}

// ---- tables -------------------------------------------------------------------------------------

static bool add_table(Compile* c, Item item, const SpecRoad* spec, SarRoad* road,
                      Stations* stations) {
  const SpecValue* v = &spec->table;
  const int n = v->count / 2;
  if (!v->given || n < 2) return true;
  road->smooth = spec->interpolation.text && strcmp(spec->interpolation.text, "cubic") == 0;
  road->table = sar_take_data(c, SPLINE_KNOT * n);
  double* work = SAR_ARENA_ARRAY(&c->arena, double, n);
  if (c->arena.failed) return false;
  double* knot = &c->attr_data.items[road->table];
  for (int i = 0; i < n; i++) {
    double* k = &knot[SPLINE_KNOT * i];
    k[SPLINE_X] = sar_number(c, v->numbers[2 * i], item, "table", ANY_FINITE, 0);
    k[SPLINE_Y] = sar_number(c, v->numbers[2 * i + 1], item, "table", ANY_FINITE, 0);
    if (i > 0 && k[SPLINE_X] <= k[SPLINE_X - SPLINE_KNOT]) {
      sar_complain(c, item, v->numbers[2 * i].loc, "order the rows by their first number",
                   "table: x must rise from row to row, but %g follows %g", k[SPLINE_X],
                   k[SPLINE_X - SPLINE_KNOT]);
      return true;
    }
    if (!road->smooth && !add_station(c, stations, k[SPLINE_X])) return false;
  }
  if (road->smooth) sar_spline_bend(knot, n, work);
  road->rows = n;
  return true;
}

// ---- expressions --------------------------------------------------------------------------------

// zt: how fast the road itself moves. False after a report.
static SarNode moving(Compile* c, Item item, const SpecRoad* spec, SarNode z) {
  const char* unknown;
  const SarNode zt = sar_rate_of(c, z, &unknown);
  if (zt < 0 || !unknown) return zt;
  sar_complain(c, item, sar_place_of_name(c, spec->height, unknown),
               "use positions, or t: their rates are known",
               "height must have a speed, but nobody knows how fast '%s' changes", unknown);
  return zt;
}

// z, zx, zy, zt, zxx, zxy, zyy as laws, one after the other.
static bool add_laws(Compile* c, Item item, const SpecRoad* spec, SarRoad* road) {
  static const char* const names[SAR_LAW_LOCALS] = {"x", "y"};
  static const struct {
    int of;
    const char* by;
  } rule[] = {{0, "x"}, {0, "y"}, {0, NULL}, {1, "x"}, {1, "y"}, {2, "y"}};
  enum { LAWS = 1 + sizeof rule / sizeof *rule };
  const Locals locals = {names, 2};
  SarNode z[LAWS];
  road->law = -1;
  if (!spec->height.expr) return true;
  z[0] = sar_bound(c, spec->height, item, "height", &locals);
  if (z[0] < 0) return !c->arena.failed;
  for (int i = 1; i < LAWS; i++) {
    const SarNode of = z[rule[i - 1].of];
    z[i] = rule[i - 1].by ? sar_sym_diff(c->graph, of, sar_sym_symbol(c->graph, rule[i - 1].by))
                          : moving(c, item, spec, of);
    if (z[i] >= 0) continue;
    if (!c->arena.failed)
      sar_complain(c, item, spec->height.loc, "write it in a simpler way",
                   "height is too long to be differentiated twice");
    return !c->arena.failed;
  }
  road->moves = !sar_node_is(c->graph, z[3], 0);
  for (int i = 0; i < LAWS; i++) {
    const int law = sar_law_of(c, z[i], &locals);
    if (law < 0) return !c->arena.failed;
    if (i == 0) road->law = law;
  }
  return true;
}

// ---- heights over a grid ------------------------------------------------------------------------

enum { MOST_POINTS = 1000000 };

// The solid of the ground that the road names: its height field, or the only one it has.
static const SpecSolid* find_field(Compile* c, Item item, const SpecRoad* spec) {
  const SpecTouch* ground = &c->spec->ground_touch;
  const bool any = strcmp(spec->field.text, "ground") == 0;
  const SpecSolid* found = NULL;
  int count = 0;
  for (int i = 0; i < ground->solids.count; i++) {
    const SpecSolid* s = &ground->solids.items[i];
    if (s->kind != SPEC_SOLID_HEIGHTS) continue;
    if (!any && (!s->name.text || strcmp(s->name.text, spec->field.text) != 0)) continue;
    found = s;
    count++;
  }
  if (count == 1) return found;
  if (count > 0)
    sar_complain(c, item, spec->field.loc, "give them names, and write the one that is meant",
                 "field: the ground has %d height fields", count);
  else
    sar_complain(c, item, spec->field.loc,
                 "as in ground: {contact: {heights: 0.1*sin(x), x: [0, 10, 101], y: [-1, 1, 5]}}",
                 "field: there are no heights '%s' among the contacts of the ground",
                 spec->field.text);
  return NULL;
}

static bool is_turned(Xform X) {
  const M3 I = m3_identity();
  return memcmp(&X.R, &I, sizeof I) != 0;
}

static bool add_field(Compile* c, Item item, const SpecRoad* spec, SarRoad* road) {
  const bool own = spec->grid.kind == SPEC_SOLID_HEIGHTS;
  if (!own && !spec->field.text) return true;
  const SpecSolid* s = own ? &spec->grid : find_field(c, item, spec);
  const SarLoc loc = own ? spec->grid.heights.loc : spec->field.loc;
  HeightGrid g;
  const double* z = s ? sar_take_heights(c, s, item, &g) : NULL;
  if (!z) return !c->arena.failed;
  const Xform X = sar_pose(c, &s->shape.pose, item, "field");
  if (is_turned(X) || g.n[0] < 4 || g.n[1] < 4 || (double)g.n[0] * g.n[1] > MOST_POINTS) {
    sar_complain(c, item, loc,
                 is_turned(X) ? "place them without a rotation" : "sample them finer, or coarser",
                 is_turned(X) ? "field: heights that are turned cannot be a road"
                              : "field: a smooth road needs 4 points each way, and at most 1000000 "
                                "in all");
    return true;
  }
  const size_t points = (size_t)g.n[0] * (size_t)g.n[1];
  road->field = sar_take_data(c, SAR_FIELD_HEAD + SAR_FIELD_POINT * (int)points);
  const int longer = g.n[0] > g.n[1] ? g.n[0] : g.n[1];
  double* work = SAR_ARENA_ARRAY(&c->arena, double, 4 * longer);
  if (c->arena.failed) return false;
  double* field = &c->attr_data.items[road->field];
  field[SAR_FIELD_X] = g.from[0] + X.p.x, field[SAR_FIELD_Y] = g.from[1] + X.p.y;
  field[SAR_FIELD_DX] = g.step[0], field[SAR_FIELD_DY] = g.step[1];
  for (size_t i = 0; i < points; i++)
    field[SAR_FIELD_HEAD + SAR_FIELD_POINT * i + SAR_FIELD_Z] = z[i] + X.p.z;
  sar_field_bend(field, g.n[0], g.n[1], work);
  road->nx = g.n[0], road->ny = g.n[1];
  return true;
}

// ---- all of them --------------------------------------------------------------------------------

static int by_size(const void* pa, const void* pb) {
  const double a = *(const double*)pa, b = *(const double*)pb;
  return (a > b) - (a < b);
}

static bool keep_stations(Compile* c, Stations* stations, SarRoad* road) {
  if (stations->count == 0) return true;
  qsort(stations->items, (size_t)stations->count, sizeof(double), by_size);
  road->station = sar_take_data(c, stations->count);
  if (c->arena.failed) return false;
  for (int i = 0; i < stations->count; i++)
    if (i == 0 || stations->items[i] > stations->items[i - 1])
      c->attr_data.items[road->station + road->stations++] = stations->items[i];
  return true;
}

bool sar_compile_roads(Compile* c) {
  const int n = c->spec->roads.count;
  c->m.road = SAR_ARENA_ARRAY(&c->arena, SarRoad, n);
  if (c->arena.failed) return false;
  c->m.nroad = n;
  for (int i = 0; i < n; i++) {
    const SpecRoad* spec = &c->spec->roads.items[i];
    SarRoad* road = &c->m.road[i];
    const Item item = {"road", spec->name.text, spec->name.loc};
    Stations stations = {0};
    *road = (SarRoad){.name = sar_intern(c, spec->name.text),
                      .feature = c->attr_data.count,
                      .num = spec->features.count};
    for (int k = 0; k < road->num; k++)
      if (!add_feature(c, item, &spec->features.items[k], &stations)) return false;
    if (!add_table(c, item, spec, road, &stations) || !add_field(c, item, spec, road) ||
        !add_laws(c, item, spec, road) || !keep_stations(c, &stations, road))
      return false;
  }
  return !c->arena.failed;
}
