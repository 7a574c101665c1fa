// A stop that pushes two points apart when they come too close, or holds them when they go too far:
// one-sided, along the line that joins them or along an axis (line.h).
//
//   x = L0 - L  (compression)   |   L - L0  (extension)       contact where x > 0
//   P = max(0, k x + c dx/dt)                                  it pushes, it never pulls
//   tension T = -P  (compression)   |   P  (extension)
//
// Energy k x^2 / 2 in contact; the rest of the power goes into the work account. With damping a
// stop that is left fast lets go before x is 0; the energy still in it then is lost, which the
// account shows. Contact made and push lost are kinks that steps end at.
#include "elements/forces/line.h"
#include "elements/forces/tangent.h"

enum { FIRST, SECOND, STIFFNESS, LENGTH, DAMPING, SIDE, AXIS };
enum { COMPRESSION, EXTENSION };

typedef struct Contact {
  Line line;
  double sign;     // of the tension: -1 pushes apart, 1 holds together
  double x, rate;  // depth and its rate
  double push;     // P, before it is cut off at 0
} Contact;

static Contact calc_contact(const SarModel* m, const SarData* d, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  Contact c = {.line = calc_line(m, d, force, &a[AXIS]),
               .sign = a[SIDE].index == EXTENSION ? 1 : -1};
  c.x = c.sign * (c.line.length - m->attr_data[a[LENGTH].adr]);
  c.rate = c.sign * c.line.rate;
  c.push = m->attr_data[a[STIFFNESS].adr] * c.x + m->attr_data[a[DAMPING].adr] * c.rate;
  return c;
}

static void prepare(const SarModel* m, int force, double* constants) {
  prepare_line(m, force, sar_force_attr(m, force, AXIS), constants);
}

static SarStatus check(const SarModel* m, int force, SarLoc loc, SarError* err) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const char* name = sar_text(m, m->force_name[force]);
  const int errors = err->errors;
  if (!(m->attr_data[a[STIFFNESS].adr] > 0))
    sar_report(err, loc, "a stop pushes back", "force '%s': stiffness must be greater than 0",
               name);
  if (!(m->attr_data[a[DAMPING].adr] >= 0))
    sar_report(err, loc, "a damper takes energy when damping is positive",
               "force '%s': damping must not be negative", name);
  return err->errors > errors ? SAR_BAD_MODEL : SAR_OK;
}

static int switches(const SarModel* m, int force) {
  return m->attr_data[sar_force_attr(m, force, DAMPING)->adr] > 0 ? 2 : 1;
}

static void apply(const SarModel* m, SarData* d, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const Contact c = calc_contact(m, d, force);
  const bool pushes = c.x > 0 && c.push > 0;
  const double tension = pushes ? c.sign * c.push : 0;
  pull_line(m, d, force, &c.line, tension);
  // what both pulls do, and what the spring takes up
  const double taken = c.x > 0 ? m->attr_data[a[STIFFNESS].adr] * c.x * c.rate : 0;
  d->force_power[force] = -tension * c.line.rate + taken;
  set_switch(m, d, force, 0, c.x);
  if (switches(m, force) > 1) set_switch(m, d, force, 1, c.push);
  set_outputs(m, d, force, (double[]){c.line.length, c.line.rate, tension});
}

static void vary(const SarModel* m, SarData* d, SarVariation* x, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const Contact c = calc_contact(m, d, force);
  const VariedLine l = vary_line(m, d, x, force, &a[AXIS]);
  const bool pushes = c.x > 0 && c.push > 0;
  const double k = m->attr_data[a[STIFFNESS].adr], damping = m->attr_data[a[DAMPING].adr];
  const double slope = k * l.length.d + damping * l.rate.d;
  vary_pull(m, x, force, &l, pushes ? dual(c.sign * c.push, slope) : dual_of(0));
}

static double energy(const SarModel* m, const SarData* d, int force) {
  const Contact c = calc_contact(m, d, force);
  const double k = m->attr_data[sar_force_attr(m, force, STIFFNESS)->adr];
  return c.x > 0 ? 0.5 * k * c.x * c.x : 0;
}

// K = k n n' + T/L (1 - n n'),  C = c n n' while it pushes, as for a spring.
static void tangent(const SarModel* m, SarData* d, int force, SarBodyTangent* out) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const Contact c = calc_contact(m, d, force);
  out->p = x_point(body_pose(d, a[SECOND].index), c.line.p2);
  if (!(c.x > 0 && c.push > 0)) return;
  tangent_add_along(out, out->K, m->attr_data[a[STIFFNESS].adr], c.line.n);
  tangent_add_along(out, out->C, m->attr_data[a[DAMPING].adr], c.line.n);
  if (c.line.length > 0 && !a[AXIS].given)
    tangent_add_aside(out, out->K, c.sign * c.push / c.line.length, c.line.n);
}

static bool on_knot(const SarModel* m, int force, int attr) {
  return attr == SECOND || !sar_force_attr(m, force, AXIS)->given;
}

static bool damps(const SarModel* m, int force) {
  return m->attr_data[sar_force_attr(m, force, DAMPING)->adr] > 0;
}

static void look(const SarModel* m, int force, SarForceLook* out) {
  look_along_line(m, force, out);
  out->stop = true;
}

const SarForceKind sar_force_bump_stop = {
    .name = "bump_stop",
    .doc = "one-sided stop between two points",
    .ref = "",
    .targets = 2,
    .attr = {{"first", SAR_ATTR_POINT, NULL, "one end", NULL},
             {"second", SAR_ATTR_POINT, NULL, "other end", NULL},
             {"stiffness", SAR_ATTR_NUMBER, NULL, "in contact [N/m]", NULL},
             {"length", SAR_ATTR_NUMBER, NULL, "at which contact is made [m]", NULL},
             {"damping", SAR_ATTR_NUMBER, "0", "in contact [N s/m]", NULL},
             {"side", SAR_ATTR_CHOICE, "compression", "acts below this length, or beyond it",
              "compression extension"},
             {"axis", SAR_ATTR_DIRECTION, "",
              "acts along this direction, fixed in the first body, instead of the line between the "
              "points",
              NULL}},
    .nattr = 7,
    // always in contact, so that random models are smooth
    .example =
        "{bump_stop: [[a, [0, 0.2, 0]], [ground, [2, -1, 1]]], side: extension, length: 0.01, "
        "stiffness: 2, damping: 0.1}",
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
