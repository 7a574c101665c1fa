// Spring and damper between two points, along the line that joins them.
//
//   d = p2 - p1,   L = |d|,   n = d / L,   dL/dt = n . (v2 - v1)
//   tension T = k (L - L0) + c dL/dt   |   table(L) + c dL/dt   |   law(length, rate)
//   force on 1: T n at p1;   force on 2: -T n at p2        (T > 0 pulls the points together)
//
// Energy: k (L - L0)^2 / 2, or the integral of the table, when it depends on the length alone. A
// law, or a stiffness or rest length that varies in time, does work that no potential holds: it
// goes into the work account with the damper's. At L = 0 the line has no direction: n = 0 there,
// and the element pulls nowhere.
#include "elements/forces/tangent.h"

enum { FIRST, SECOND, STIFFNESS, LENGTH, DAMPING, TABLE, LAW };

typedef struct Line {
  V3 p1, p2;  // the points, in the frames of their bodies
  V3 n;       // unit vector from the first to the second, ground axes
  double length, rate;
} Line;

static Line calc_line(const SarModel* m, const SarData* d, const SarAttrValue* a) {
  Line l;
  l.p1 = v3_load(&m->attr_data[a[FIRST].adr]);
  l.p2 = v3_load(&m->attr_data[a[SECOND].adr]);
  V3 from = x_point(body_pose(d, a[FIRST].index), l.p1);
  V3 to = x_point(body_pose(d, a[SECOND].index), l.p2);
  V3 span = v3_sub(to, from);
  l.length = v3_norm(span);
  l.n = l.length > 0 ? v3_scale(1 / l.length, span) : v3_zero();
  l.rate = v3_dot(l.n, v3_sub(point_velocity(d, a[SECOND].index, l.p2),
                              point_velocity(d, a[FIRST].index, l.p1)));
  return l;
}

// y(x) of a table with rising x: linear between its rows, constant beyond its ends
static double table_value(const double* row, int rows, double x) {
  if (x <= row[0]) return row[1];
  for (int i = 1; i < rows; i++, row += 2)
    if (x < row[2]) return row[1] + (row[3] - row[1]) * (x - row[0]) / (row[2] - row[0]);
  return row[1];
}

// integral of y from the first row to x: trapezoids, exact for straight pieces
static double table_integral(const double* row, int rows, double x) {
  if (x <= row[0]) return row[1] * (x - row[0]);
  double sum = 0;
  for (int i = 1; i < rows; i++, row += 2) {
    if (x < row[2]) {
      double y = row[1] + (row[3] - row[1]) * (x - row[0]) / (row[2] - row[0]);
      return sum + 0.5 * (row[1] + y) * (x - row[0]);
    }
    sum += 0.5 * (row[1] + row[3]) * (row[2] - row[0]);
  }
  return sum + row[1] * (x - row[0]);
}

static double rest_length(const SarModel* m, const SarData* d, int force) {
  const SarAttrValue* length = sar_force_attr(m, force, LENGTH);
  return length->given ? attr_scalar(m, d, length) : sar_force_constants(m, force)[0];
}

static double elastic_tension(const SarModel* m, const SarData* d, int force, double length) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  if (a[TABLE].given) return table_value(&m->attr_data[a[TABLE].adr], a[TABLE].index, length);
  return attr_scalar(m, d, &a[STIFFNESS]) * (length - rest_length(m, d, force));
}

// its elastic part depends on the length alone: energy() holds it
static bool has_potential(const SarAttrValue* a) {
  return !a[LAW].given && a[STIFFNESS].index < 0 && a[LENGTH].index < 0;
}

static void prepare(const SarModel* m, int force, double* constants) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  V3 from = x_point(sar_design_pose(m, a[FIRST].index), v3_load(&m->attr_data[a[FIRST].adr]));
  V3 to = x_point(sar_design_pose(m, a[SECOND].index), v3_load(&m->attr_data[a[SECOND].adr]));
  constants[0] = v3_norm(v3_sub(to, from));
}

static SarStatus check(const SarModel* m, int force, SarLoc loc, SarError* err) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const char* name = sar_text(m, m->force_name[force]);
  const char* choice = "use stiffness (with length and damping), table (with damping), or law";
  bool linear = a[STIFFNESS].given, table = a[TABLE].given, law = a[LAW].given;
  if (linear + table + law > 1 || (law && a[DAMPING].given) || (a[LENGTH].given && !linear)) {
    sar_report(err, loc, choice, "force '%s': its tension is given in more than one way", name);
    return SAR_BAD_MODEL;
  }
  if (!linear && !table && !law && !a[DAMPING].given) {
    sar_report(err, loc, choice, "force '%s': nothing says how strong it is", name);
    return SAR_BAD_MODEL;
  }
  if (table && a[TABLE].index < 2) {
    sar_report(err, loc, "table: [[length, tension], [length, tension], ...]",
               "force '%s': the table needs at least two rows", name);
    return SAR_BAD_MODEL;
  }
  if (a[DAMPING].index < 0 && m->attr_data[a[DAMPING].adr] < 0)
    sar_warn(err, loc, "a damper takes energy when damping is positive",
             "force '%s': negative damping", name);
  return SAR_OK;
}

static void apply(const SarModel* m, SarData* d, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  Line l = calc_line(m, d, a);
  // the part of the tension that energy() does not know of
  double potential = 0, other = 0;
  if (a[LAW].given) {
    other = law_value(m, d, &a[LAW], l.length, l.rate);
  } else {
    double elastic = elastic_tension(m, d, force, l.length);
    other = attr_scalar(m, d, &a[DAMPING]) * l.rate;
    if (has_potential(a))
      potential = elastic;
    else
      other += elastic;
  }
  double tension = potential + other;
  add_force_at(d, a[FIRST].index, l.p1, v3_scale(tension, l.n));
  add_force_at(d, a[SECOND].index, l.p2, v3_scale(-tension, l.n));
  d->force_power[force] = -other * l.rate;
  set_outputs(m, d, force, (double[]){l.length, l.rate, tension});
}

static double energy(const SarModel* m, const SarData* d, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  if (!has_potential(a)) return 0;
  double length = calc_line(m, d, a).length;
  if (a[TABLE].given) return table_integral(&m->attr_data[a[TABLE].adr], a[TABLE].index, length);
  double stretch = length - rest_length(m, d, force);
  return 0.5 * attr_scalar(m, d, &a[STIFFNESS]) * stretch * stretch;
}

// slope of a table's piece at x
static double table_slope(const double* row, int rows, double x) {
  if (x <= row[0]) return 0;
  for (int i = 1; i < rows; i++, row += 2)
    if (x < row[2]) return (row[3] - row[1]) / (row[2] - row[0]);
  return 0;
}

//   K = dT/dL n n' + T/L (1 - n n'),   C = dT/dL' n n'       on the motion of the second point
//
// T/L is what a stretched line resists when its end goes aside. Left out: T/L < 0; how n, and with it
// the rate, turns at a given velocity (c |v|/L, not symmetric).
static void tangent(const SarModel* m, SarData* d, int force, SarBodyTangent* out) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const Line l = calc_line(m, d, a);
  const double tension = d->force_output[m->force_output_adr[force] + 2];
  double k, c;
  if (a[LAW].given) {
    k = law_slope(m, d, &a[LAW], 0, l.length, l.rate);
    c = law_slope(m, d, &a[LAW], 1, l.length, l.rate);
  } else {
    k = a[TABLE].given ? table_slope(&m->attr_data[a[TABLE].adr], a[TABLE].index, l.length)
                       : attr_scalar(m, d, &a[STIFFNESS]);
    c = attr_scalar(m, d, &a[DAMPING]);
  }
  out->p = x_point(body_pose(d, a[SECOND].index), l.p2);
  tangent_add(out->K, k, v3_zero(), l.n);
  tangent_add(out->C, c, v3_zero(), l.n);
  if (l.length > 0) tangent_add_aside(out->K, tension / l.length, l.n);
}

const SarForceKind sar_force_spring_damper = {
    .name = "spring_damper",
    .doc = "spring and damper between two points",
    .ref = "",
    .targets = 2,
    .attr = {{"first", SAR_ATTR_POINT, NULL, "one end", NULL},
             {"second", SAR_ATTR_POINT, NULL, "other end", NULL},
             {"stiffness", SAR_ATTR_SCALAR, "", "[N/m]", NULL},
             {"length", SAR_ATTR_SCALAR, "", "at rest [m]; default: the design length", NULL},
             {"damping", SAR_ATTR_SCALAR, "", "[N s/m]", NULL},
             {"table", SAR_ATTR_TABLE, "", "[[length, tension], ...] [m, N]", NULL},
             {"law", SAR_ATTR_LAW, "", "tension [N] as an expression of length and rate", NULL}},
    .nattr = 7,
    .local = {"length", "rate"},
    .output = {"length", "rate", "tension"},  // [m, m/s, N]
    .noutput = 3,
    .nconstant = 1,
    .prepare = prepare,
    .check = check,
    .apply = apply,
    .energy = energy,
    .tangent = tangent,
};
