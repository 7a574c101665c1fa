// Spring and damper between two points, along the line that joins them or along an axis (line.h).
//
//   tension T = S(L) + D(dL/dt)   |   law(length, rate)
//   S = k (L - L0)   |   table(L)   |   c0 + c1 L + c2 L^2 + ...
//   D = c rate       |   table(rate)   |   c0 + c1 rate + ...   |   damper(length, rate)
//
// Energy: the integral of S, when it depends on the length alone. A law, or a stiffness or rest
// length that varies in time, does work that no potential holds: it goes into the work account with
// the damper's. Where the piece of a table or of an expression changes is a kink that steps end at.
#include "elements/forces/curve.h"
#include "elements/forces/line.h"
#include "elements/forces/tangent.h"

enum {
  FIRST,
  SECOND,
  STIFFNESS,
  LENGTH,
  DAMPING,
  TABLE,
  LAW,
  POLYNOMIAL,
  DAMPER_TABLE,
  DAMPER_POLYNOMIAL,
  DAMPER,
  AXIS
};

static double rest_length(const SarModel* m, const SarData* d, int force) {
  const SarAttrValue* length = sar_force_attr(m, force, LENGTH);
  return length->given ? attr_scalar(m, d, length) : sar_force_constants(m, force)[LINE_LENGTH];
}

// S at a length, with dS/dL and the energy
static CurvePoint elastic_tension(const SarModel* m, const SarData* d, int force, double length) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  if (a[TABLE].given) return table_at(&m->attr_data[a[TABLE].adr], a[TABLE].index, length);
  if (a[POLYNOMIAL].given)
    return polynomial_at(&m->attr_data[a[POLYNOMIAL].adr], a[POLYNOMIAL].index, length);
  const double k = attr_scalar(m, d, &a[STIFFNESS]), x = length - rest_length(m, d, force);
  return (CurvePoint){k * x, k, 0.5 * k * x * x, 1};
}

// D at a rate, with dD/drate, where it depends on the rate alone
static CurvePoint damper_tension(const SarModel* m, const SarData* d, int force, double rate) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const SarAttrValue* rows = &a[DAMPER_TABLE];
  if (rows->given) return table_at(&m->attr_data[rows->adr], rows->index, rate);
  const SarAttrValue* terms = &a[DAMPER_POLYNOMIAL];
  if (terms->given) return polynomial_at(&m->attr_data[terms->adr], terms->index, rate);
  const double c = attr_scalar(m, d, &a[DAMPING]);
  return (CurvePoint){c * rate, c, 0, 1};
}

// its elastic part depends on the length alone: energy() holds it
static bool has_potential(const SarAttrValue* a) {
  return !a[LAW].given && a[STIFFNESS].index < 0 && a[LENGTH].index < 0;
}

static void prepare(const SarModel* m, int force, double* constants) {
  prepare_line(m, force, sar_force_attr(m, force, AXIS), constants);
}

// ---- checks -------------------------------------------------------------------------------------

static SarStatus refuse(const SarModel* m, int force, SarLoc loc, SarError* err, const char* hint,
                        const char* what) {
  sar_report(err, loc, hint, "force '%s': %s", sar_text(m, m->force_name[force]), what);
  return SAR_BAD_MODEL;
}

static SarStatus check(const SarModel* m, int force, SarLoc loc, SarError* err) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const char* choice =
      "use stiffness (with length), table or polynomial for the spring, damping, damper_table, "
      "damper_polynomial or damper for the damper; or law for both";
  const int springs = a[STIFFNESS].given + a[TABLE].given + a[POLYNOMIAL].given;
  const int dampers =
      a[DAMPING].given + a[DAMPER_TABLE].given + a[DAMPER_POLYNOMIAL].given + a[DAMPER].given;
  if (springs > 1 || dampers > 1 || (a[LAW].given && springs + dampers > 0) ||
      (a[LENGTH].given && !a[STIFFNESS].given))
    return refuse(m, force, loc, err, choice, "its tension is given in more than one way");
  if (springs + dampers == 0 && !a[LAW].given)
    return refuse(m, force, loc, err, choice, "nothing says how strong it is");
  if ((a[TABLE].given && a[TABLE].index < 2) ||
      (a[DAMPER_TABLE].given && a[DAMPER_TABLE].index < 2))
    return refuse(m, force, loc, err, "[[x, force], [x, force], ...]",
                  "the table needs at least two rows");
  if (a[STIFFNESS].index < 0 && m->attr_data[a[STIFFNESS].adr] < 0)
    sar_warn(err, loc, "a spring pulls back when stiffness is positive",
             "force '%s': negative stiffness", sar_text(m, m->force_name[force]));
  if (a[DAMPING].index < 0 && m->attr_data[a[DAMPING].adr] < 0)
    sar_warn(err, loc, "a damper takes energy when damping is positive",
             "force '%s': negative damping", sar_text(m, m->force_name[force]));
  return SAR_OK;
}

// ---- the force ----------------------------------------------------------------------------------

static int switches(const SarModel* m, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  return a[TABLE].given + a[DAMPER_TABLE].given;
}

static void apply(const SarModel* m, SarData* d, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const Line l = calc_line(m, d, force, &a[AXIS]);
  // the part of the tension that energy() does not know of
  double potential = 0, other = 0;
  if (a[LAW].given) {
    other = law_value(m, d, &a[LAW], l.length, l.rate);
  } else {
    const CurvePoint elastic = elastic_tension(m, d, force, l.length);
    const CurvePoint damper = damper_tension(m, d, force, l.rate);
    other = a[DAMPER].given ? law_value(m, d, &a[DAMPER], l.length, l.rate) : damper.y;
    if (has_potential(a))
      potential = elastic.y;
    else
      other += elastic.y;
    int at = 0;
    if (a[TABLE].given) set_switch(m, d, force, at++, elastic.side);
    if (a[DAMPER_TABLE].given) set_switch(m, d, force, at, damper.side);
  }
  set_law_switches(m, d, force, l.length, l.rate);
  const double tension = potential + other;
  pull_line(m, d, force, &l, tension);
  d->force_power[force] = -other * l.rate;
  set_outputs(m, d, force, (double[]){l.length, l.rate, tension});
}

static Dual on_curve(CurvePoint c, Dual x) { return dual(c.y, c.slope * x.d); }

static Dual varied_spring(const SarModel* m, const SarData* d, const SarVariation* x, int force,
                          Dual length) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  if (a[TABLE].given || a[POLYNOMIAL].given)
    return on_curve(elastic_tension(m, d, force, length.x), length);
  const Dual rest = a[LENGTH].given ? varied_scalar(m, d, x, &a[LENGTH])
                                    : dual_of(sar_force_constants(m, force)[LINE_LENGTH]);
  return dual_mul(varied_scalar(m, d, x, &a[STIFFNESS]), dual_sub(length, rest));
}

static Dual varied_damper(const SarModel* m, SarData* d, SarVariation* x, int force,
                          const VariedLine* l) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  if (a[DAMPER].given) return varied_law(m, d, x, &a[DAMPER], l->length, l->rate);
  if (a[DAMPER_TABLE].given || a[DAMPER_POLYNOMIAL].given)
    return on_curve(damper_tension(m, d, force, l->rate.x), l->rate);
  return dual_mul(varied_scalar(m, d, x, &a[DAMPING]), l->rate);
}

static void vary(const SarModel* m, SarData* d, SarVariation* x, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const VariedLine l = vary_line(m, d, x, force, &a[AXIS]);
  const Dual tension = a[LAW].given ? varied_law(m, d, x, &a[LAW], l.length, l.rate)
                                    : dual_add(varied_spring(m, d, x, force, l.length),
                                               varied_damper(m, d, x, force, &l));
  vary_pull(m, x, force, &l, tension);
}

static double energy(const SarModel* m, const SarData* d, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  if (!has_potential(a)) return 0;
  const Line l = calc_line(m, d, force, &a[AXIS]);
  const double energy = elastic_tension(m, d, force, l.length).integral;
  // a polynomial counts from the design length: from 0 it could be out of all proportion
  if (!a[POLYNOMIAL].given) return energy;
  return energy - elastic_tension(m, d, force, sar_force_constants(m, force)[LINE_LENGTH]).integral;
}

//   K = dT/dL n n' + T/L (1 - n n'),   C = dT/dL' n n'       on the motion of the second point
//
// T/L is what a stretched line resists when its end goes aside; along an axis nothing resists that.
// Left out: T/L < 0; how n, and with it the rate, turns at a given velocity (c |v|/L, not
// symmetric).
static void tangent(const SarModel* m, SarData* d, int force, SarBodyTangent* out) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const Line l = calc_line(m, d, force, &a[AXIS]);
  const double tension = d->force_output[m->force_output_adr[force] + 2];
  const SarAttrValue* law = a[LAW].given ? &a[LAW] : a[DAMPER].given ? &a[DAMPER] : NULL;
  double k = 0, c = 0;
  if (law) k = law_slope(m, d, law, 0, l.length, l.rate);
  if (law) c = law_slope(m, d, law, 1, l.length, l.rate);
  if (!a[LAW].given) k += elastic_tension(m, d, force, l.length).slope;
  if (!law) c = damper_tension(m, d, force, l.rate).slope;
  out->p = x_point(body_pose(d, a[SECOND].index), l.p2);
  tangent_add_along(out, out->K, k, l.n);
  tangent_add_along(out, out->C, c, l.n);
  if (l.length > 0 && !a[AXIS].given) tangent_add_aside(out, out->K, tension / l.length, l.n);
}

// Along an axis the pull meets the first body beside its point.
static bool on_knot(const SarModel* m, int force, int attr) {
  return attr == SECOND || !sar_force_attr(m, force, AXIS)->given;
}

static bool damps(const SarModel* m, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  return a[DAMPING].given || a[DAMPER_TABLE].given || a[DAMPER_POLYNOMIAL].given || a[DAMPER].given;
}

// A law of the length is a spring, and one that knows no length pushes like a cylinder.
static bool is_elastic(const SarModel* m, const SarAttrValue* law) {
  return law->given &&
         m->expr[law->index + 1].program.count > 0;  // its slope is not the constant 0
}

static void look(const SarModel* m, int force, SarForceLook* out) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  look_along_line(m, force, out);
  out->coil = a[STIFFNESS].given || a[TABLE].given || a[POLYNOMIAL].given || is_elastic(m, &a[LAW]);
  out->damper = a[DAMPING].given || a[DAMPER_TABLE].given || a[DAMPER_POLYNOMIAL].given ||
                a[DAMPER].given || a[LAW].given;
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
             {"law", SAR_ATTR_LAW, "", "tension [N] as an expression of length and rate", NULL},
             {"polynomial", SAR_ATTR_LIST, "",
              "tension [c0, c1, ...]: c0 + c1 length + c2 length^2 + ... [N]", NULL},
             {"damper_table", SAR_ATTR_TABLE, "", "[[rate, tension], ...] [m/s, N]", NULL},
             {"damper_polynomial", SAR_ATTR_LIST, "",
              "tension [c0, c1, ...]: c0 + c1 rate + c2 rate^2 + ... [N]", NULL},
             {"damper", SAR_ATTR_LAW, "",
              "the damper's tension [N] as an expression of rate (and length)", NULL},
             {"axis", SAR_ATTR_DIRECTION, "",
              "acts along this direction, fixed in the first body, instead of the line between the "
              "points",
              NULL}},
    .nattr = 12,
    .example =
        "{spring_damper: [[a, [0.3, 0, 0.1]], [ground, [2, 1, 1]]], stiffness: 8, length: 1, "
        "damping: 0.4}",
    .local = {"length", "rate"},
    .output = {"length", "rate", "tension"},  // [m, m/s, N]
    .noutput = 3,
    .nconstant = LINE_CONSTANTS,
    .prepare = prepare,
    .switches = switches,
    .check = check,
    .apply = apply,
    .vary = vary,
    .regular = true,
    .energy = energy,
    .tangent = tangent,
    .on_knot = on_knot,
    .damps = damps,
    .look = look,
};
