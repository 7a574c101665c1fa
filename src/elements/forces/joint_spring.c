// Nonlinear spring and damper on one coordinate of a joint: characteristic curves by table, or a
// law.
//
//   f = S(q) + D(v)   |   law(q, v)            what resists: -f acts on the coordinate
//   S = table(q - rest)                         energy: its integral, from the first row
//   D = damper_table(v)                         its power -D v goes into the work account, as all
//                                               of a law's
//
// q and v are the joint's own, in the direction of the file (its columns NAME.q and NAME.v). Rows
// of the tables are kinks that steps end at. A constant stiffness and damping belong to the joint.
#include "elements/forces/coordinate.h"
#include "elements/forces/curve.h"
#include "elements/forces/tangent.h"

enum { JOINT, TABLE, REST, DAMPER_TABLE, LAW, COMPONENT };

static Coordinate coordinate_of(const SarModel* m, const SarData* d, const SarAttrValue* a) {
  return read_coordinate(m, d, a[JOINT].index, (int)m->attr_data[a[COMPONENT].adr] - 1);
}

static CurvePoint curve(const SarModel* m, const SarAttrValue* table, double x) {
  if (!table->given) return (CurvePoint){.side = 1};
  return table_at(&m->attr_data[table->adr], table->index, x);
}

static CurvePoint elastic(const SarModel* m, const SarAttrValue* a, double q) {
  return curve(m, &a[TABLE], q - m->attr_data[a[REST].adr]);
}

static SarStatus check(const SarModel* m, int force, SarLoc loc, SarError* err) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const char* name = sar_text(m, m->force_name[force]);
  const char* choice = "use table (with rest), damper_table or both; or law";
  const bool tables = a[TABLE].given || a[DAMPER_TABLE].given;
  const char* wrong = NULL;
  if (a[LAW].given && (tables || a[REST].given))
    wrong = "its force is given in more than one way";
  else if (!a[LAW].given && !tables)
    wrong = "nothing says how strong it is";
  else if (a[REST].given && !a[TABLE].given)
    wrong = "'rest' shifts the table, and there is none";
  else if ((a[TABLE].given && a[TABLE].index < 2) ||
           (a[DAMPER_TABLE].given && a[DAMPER_TABLE].index < 2))
    wrong = "a table needs at least two rows", choice = "[[q, force], [q, force], ...]";
  if (wrong) {
    sar_report(err, loc, choice, "force '%s': %s", name, wrong);
    return SAR_BAD_MODEL;
  }
  return check_coordinate(m, force, a[JOINT].index, m->attr_data[a[COMPONENT].adr], loc, err);
}

static int switches(const SarModel* m, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  return a[TABLE].given + a[DAMPER_TABLE].given;
}

static void apply(const SarModel* m, SarData* d, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const Coordinate c = coordinate_of(m, d, a);
  const CurvePoint S = elastic(m, a, c.q), D = curve(m, &a[DAMPER_TABLE], c.v);
  const double other = a[LAW].given ? law_value(m, d, &a[LAW], c.q, c.v) : D.y;
  const double resists = c.on ? S.y + other : 0;
  int at = 0;
  if (a[TABLE].given) set_switch(m, d, force, at++, S.side);
  if (a[DAMPER_TABLE].given) set_switch(m, d, force, at, D.side);
  set_law_switches(m, d, force, c.q, c.v);
  push_coordinate(m, d, &c, -resists);
  d->force_power[force] = c.on ? -other * c.v : 0;
  set_outputs(m, d, force, (double[]){c.q, c.v, resists});
}

static void vary(const SarModel* m, SarData* d, SarVariation* x, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const Coordinate c = coordinate_of(m, d, a);
  const VariedCoordinate at = vary_coordinate(m, d, x, &c);
  const CurvePoint S = elastic(m, a, c.q), D = curve(m, &a[DAMPER_TABLE], c.v);
  const Dual other =
      a[LAW].given ? varied_law(m, d, x, &a[LAW], at.q, at.v) : dual(D.y, D.slope * at.v.d);
  const Dual resists = c.on ? dual_add(dual(S.y, S.slope * at.q.d), other) : dual_of(0);
  vary_push(m, d, x, &c, dual_neg(resists));
  vary_outputs(m, x, force, (Dual[]){at.q, at.v, resists});
}

static double energy(const SarModel* m, const SarData* d, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const Coordinate c = coordinate_of(m, d, a);
  return c.on ? elastic(m, a, c.q).integral : 0;
}

// Slopes of the pieces that hold; falling ones are left out, as everywhere (SarBodyTangent).
static void joint_tangent(const SarModel* m, SarData* d, int force, double* K, double* C) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const Coordinate c = coordinate_of(m, d, a);
  const int at = (m->joint_nv[c.joint] + 1) * c.i;
  const bool law = a[LAW].given;
  K[at] += fmax(law ? law_slope(m, d, &a[LAW], 0, c.q, c.v) : elastic(m, a, c.q).slope, 0);
  C[at] +=
      fmax(law ? law_slope(m, d, &a[LAW], 1, c.q, c.v) : curve(m, &a[DAMPER_TABLE], c.v).slope, 0);
}

const SarForceKind sar_force_joint_spring = {
    .name = "joint_spring",
    .doc = "nonlinear spring and damper on a coordinate of a joint: tables or a law",
    .ref = "",
    .targets = 1,
    .attr = {{"joint", SAR_ATTR_JOINT, NULL, "whose coordinate", NULL},
             {"table", SAR_ATTR_TABLE, "",
              "[[angle, torque], ...] or [[length, force], ...]: what resists a displacement",
              NULL},
             {"rest", SAR_ATTR_NUMBER, "", "position at which the table is at 0", NULL},
             {"damper_table", SAR_ATTR_TABLE, "", "[[speed, force], ...]: what resists a speed",
              NULL},
             {"law", SAR_ATTR_LAW, "", "what resists, as an expression of q and v", NULL},
             {"component", SAR_ATTR_NUMBER, "1", "which velocity coordinate, from 1", NULL}},
    .nattr = 6,
    .example = "{joint_spring: turning, law: 2*sin(q) + 0.2*v}",
    .local = {"q", "v"},
    .output = {"position", "rate", "value"},  // [rad, rad/s, N m] or [m, m/s, N]
    .noutput = 3,
    .switches = switches,
    .check = check,
    .apply = apply,
    .vary = vary,
    .regular = true,
    .energy = energy,
    .joint_tangent = joint_tangent,
};
