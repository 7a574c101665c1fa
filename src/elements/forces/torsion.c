// Rotational spring and damper between two bodies about an axis fixed in the first one.
//
// A is the first body's frame B, C the frame on the second body that lies on A at the design
// position; Q = (w, u) is the quaternion of R_AC and a the unit axis. Any rotation is a twist about
// a and a swing perpendicular to it; the twist is the angle that is sprung:
//
//   angle = 2 atan2(s, w),   s = u . a,   in (-pi, pi]
//   d angle/dt = g . w_AC (in C),   g = (w^2 a + w a x u + s u) / (w^2 + s^2)
//   T = k wrap(angle - rest) + c d angle/dt   |   law(angle, rate)
//   torque on the second body: -T g;   on the first: T g
//
// g follows from dQ/dt = Q (0, w_AC)/2. It is the dual of the angle: the power of the torques is
// exactly -T d angle/dt, so the spring conserves energy at any swing. Without swing g = a, as for a
// hinge; else |g| = 1/cos(swing/2). At a swing of half a turn the twist is not defined and the
// element exerts nothing. Turns are not counted: the deviation from rest is taken within (-pi, pi].
#include "elements/forces/varied.h"
#include "elements/forces/tangent.h"

enum { FIRST, SECOND, AXIS, STIFFNESS, REST, DAMPING, LAW };
static const double PI = 3.14159265358979323846;

typedef struct Twist {
  double angle, rate;
  V3 g_G;  // dual direction, ground axes
} Twist;

static void prepare(const SarModel* m, int force, double* constants) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  M3 R_G1 = sar_design_pose(m, a[FIRST].index).R, R_G2 = sar_design_pose(m, a[SECOND].index).R;
  V3 axis = v3_unit(v3_load(&m->attr_data[a[AXIS].adr]));
  // R_2C makes C parallel to A at the design position; the axis goes along as its "origin"
  xform_store(constants, (Xform){m3_tmul(R_G2, R_G1), m3_tmul_v(R_G1, axis)});
}

static Twist calc_twist(const SarModel* m, const SarData* d, int force) {
  const SarAttrValue* attr = sar_force_attr(m, force, 0);
  int first = attr[FIRST].index, second = attr[SECOND].index;
  Xform constants = xform_load(sar_force_constants(m, force));
  V3 a = constants.p;
  M3 R_GC = m3_mul(body_pose(d, second).R, constants.R);
  Quat Q = quat_from_m3(m3_tmul(body_pose(d, first).R, R_GC));
  V3 u = v3(Q.x, Q.y, Q.z);
  double s = v3_dot(u, a), n2 = Q.w * Q.w + s * s;
  if (n2 == 0) return (Twist){0, 0, v3_zero()};
  V3 g = v3_axpy(Q.w * Q.w, a, v3_axpy(Q.w, v3_cross(a, u), v3_scale(s, u)));
  Twist t = {.angle = 2 * atan2(s, Q.w), .g_G = m3_mul_v(R_GC, v3_scale(1 / n2, g))};
  t.rate = v3_dot(t.g_G, v3_sub(body_omega(d, second), body_omega(d, first)));
  return t;
}

// energy() holds the elastic part when it depends on the angle alone
static bool has_potential(const SarAttrValue* a) {
  return !a[LAW].given && a[STIFFNESS].index < 0 && a[REST].index < 0;
}

static double deviation(const SarModel* m, const SarData* d, const SarAttrValue* a, double angle) {
  double x = angle - attr_scalar(m, d, &a[REST]);
  return x - 2 * PI * ceil((x - PI) / (2 * PI));
}

static SarStatus check(const SarModel* m, int force, SarLoc loc, SarError* err) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const char* name = sar_text(m, m->force_name[force]);
  const char* choice = "use stiffness (with rest and damping), or law";
  SarStatus status = SAR_OK;
  if (a[AXIS].index >= 0 || !(v3_norm(v3_load(&m->attr_data[a[AXIS].adr])) > 0)) {
    sar_report(err, loc, "for example axis: [0, 0, 1]",
               "force '%s': the axis must be three constants, not all zero", name);
    status = SAR_BAD_MODEL;
  }
  if (a[LAW].given && (a[STIFFNESS].given || a[REST].given || a[DAMPING].given)) {
    sar_report(err, loc, choice, "force '%s': its torque is given in more than one way", name);
    status = SAR_BAD_MODEL;
  }
  if (!a[LAW].given && !a[STIFFNESS].given && !a[DAMPING].given) {
    sar_report(err, loc, choice, "force '%s': nothing says how strong it is", name);
    status = SAR_BAD_MODEL;
  }
  if (a[DAMPING].index < 0 && m->attr_data[a[DAMPING].adr] < 0)
    sar_warn(err, loc, "a damper takes energy when damping is positive",
             "force '%s': negative damping", name);
  return status;
}

static void apply(const SarModel* m, SarData* d, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  Twist t = calc_twist(m, d, force);
  double potential = 0, other = 0;
  if (a[LAW].given) {
    other = law_value(m, d, &a[LAW], t.angle, t.rate);
    set_law_switches(m, d, force, t.angle, t.rate);
  } else {
    double elastic = attr_scalar(m, d, &a[STIFFNESS]) * deviation(m, d, a, t.angle);
    other = attr_scalar(m, d, &a[DAMPING]) * t.rate;
    if (has_potential(a))
      potential = elastic;
    else
      other += elastic;
  }
  double torque = potential + other;
  add_torque(d, a[FIRST].index, v3_scale(torque, t.g_G));
  add_torque(d, a[SECOND].index, v3_scale(-torque, t.g_G));
  d->force_power[force] = -other * t.rate;
  set_outputs(m, d, force, (double[]){t.angle, t.rate, torque});
}

// dQ = Q (0, turn)/2 with the turn of C against A, in C
static void vary(const SarModel* m, SarData* d, SarVariation* x, int force) {
  const SarAttrValue* attr = sar_force_attr(m, force, 0);
  const int first = attr[FIRST].index, second = attr[SECOND].index;
  const Xform constants = xform_load(sar_force_constants(m, force));
  const VariedBody A = varied_body(d, x, first), C = varied_body(d, x, second);
  const M3 R_GC = m3_mul(C.R, constants.R);
  const Quat Q = quat_from_m3(m3_tmul(A.R, R_GC));
  const V3 turn = v3_scale(0.5, m3_tmul_v(R_GC, v3_sub(C.turn, A.turn)));
  const Quat dQ = quat_mul(Q, (Quat){0, turn.x, turn.y, turn.z});
  const Dual w = dual(Q.w, dQ.w);
  const D3 u = d3(v3(Q.x, Q.y, Q.z), v3(dQ.x, dQ.y, dQ.z)), a = d3_of(constants.p);
  const Dual s = d3_dot(u, a), n2 = dual_add(dual_mul(w, w), dual_mul(s, s));
  if (n2.x == 0) return;
  D3 g = d3_axpy(dual_mul(w, w), a, d3_axpy(w, d3_cross(a, u), d3_scale(s, u)));
  g = d3_turn(R_GC, C.turn, d3_scale(dual_div(dual_of(1), n2), g));
  const Dual angle = dual_scale(2, dual_atan2(s, w)), rate = d3_dot(g, d3_sub(C.w, A.w));
  Dual torque;
  if (attr[LAW].given) {
    torque = varied_law(m, d, x, &attr[LAW], angle, rate);
  } else {
    const Dual off =
        dual(deviation(m, d, attr, angle.x), angle.d - varied_scalar(m, d, x, &attr[REST]).d);
    torque = dual_add(dual_mul(varied_scalar(m, d, x, &attr[STIFFNESS]), off),
                      dual_mul(varied_scalar(m, d, x, &attr[DAMPING]), rate));
  }
  vary_torque(x, first, &A, d3_scale(torque, g));
  vary_torque(x, second, &C, d3_neg(d3_scale(torque, g)));
  vary_outputs(m, x, force, (Dual[]){angle, rate, torque});
}

static double energy(const SarModel* m, const SarData* d, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  if (!has_potential(a)) return 0;
  double x = deviation(m, d, a, calc_twist(m, d, force).angle);
  return 0.5 * attr_scalar(m, d, &a[STIFFNESS]) * x * x;
}

//   K = dT/d angle g g',   C = dT/d rate g g'
//
// Left out: T dg/d rotation, how the direction g turns with the swing. It is of the size of the
// torque, zero at rest, and has no sign.
static void tangent(const SarModel* m, SarData* d, int force, SarBodyTangent* out) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const Twist t = calc_twist(m, d, force);
  const bool law = a[LAW].given;
  const double k =
      law ? law_slope(m, d, &a[LAW], 0, t.angle, t.rate) : attr_scalar(m, d, &a[STIFFNESS]);
  const double c =
      law ? law_slope(m, d, &a[LAW], 1, t.angle, t.rate) : attr_scalar(m, d, &a[DAMPING]);
  out->p = body_pose(d, a[SECOND].index).p;
  tangent_add(out->K, k, t.g_G, v3_zero());
  tangent_add(out->C, c, t.g_G, v3_zero());
}

const SarForceKind sar_force_torsion = {
    .name = "torsion",
    .doc = "rotational spring and damper between two bodies about an axis of the first",
    .ref = "",
    .targets = 2,
    .attr = {{"first", SAR_ATTR_BODY, NULL, "body that carries the axis", NULL},
             {"second", SAR_ATTR_BODY, NULL, "body that turns against it", NULL},
             {"axis", SAR_ATTR_VECTOR, NULL, "direction in ground at the design position", NULL},
             {"stiffness", SAR_ATTR_SCALAR, "", "[N m/rad]", NULL},
             {"rest", SAR_ATTR_SCALAR, "", "angle at rest [rad]; default: as designed, 0", NULL},
             {"damping", SAR_ATTR_SCALAR, "", "[N m s/rad]", NULL},
             {"law", SAR_ATTR_LAW, "", "torque that turns back [N m], of angle and rate", NULL}},
    .nattr = 7,
    .example = "{torsion: [a, b], axis: [0, 0, 1], law: 2*sin(angle) + 0.2*rate}",
    .local = {"angle", "rate"},
    .output = {"angle", "rate", "torque"},  // [rad, rad/s, N m]
    .noutput = 3,
    .nconstant = 12,
    .prepare = prepare,
    .check = check,
    .apply = apply,
    .vary = vary,
    .energy = energy,
    .tangent = tangent,
};
