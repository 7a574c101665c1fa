// A tyre on a road: radial spring, side force and aligning moment; no longitudinal slip.
//
// The road is felt at one point below the wheel centre c. With its height z there, slopes zx, zy:
//
//   H = sqrt(1 + zx^2 + zy^2),   n = (-zx, -zy, 1) / H              normal of the road
//   delta = radius - (c_z - z),  F = max(0, (k delta + d delta') / H)   load, along n
//   y = spin axis of the wheel,  ex = y x n / |y x n|,  ey = n x ex     road-tangent wheel frame
//   ez = ex x y                                                     spoke towards the road
//   alpha = atan2(u . ey, sqrt((v . ex)^2 + v0^2))                  slip angle
//   gamma = atan(n . y / n . ez)                                    camber angle
//   sigma = v . ex / sqrt((v . ex)^2 + v0^2)                   rolls forward: 1, back: -1, rests: 0
//
// F n and Fy ey act on the wheel where its spoke meets the tangent plane of the road, with the
// moment sigma Mz n: what a trail is behind depends on which way the wheel rolls, and the load
// stays below the centre, or it would turn the wheel. v0 (`slow`) keeps the slip angle defined at
// standstill: below it the side force is a viscous damper. For that to take energy whatever the
// wheel does, u is the velocity of the point where the force acts; of a wheel that rolls it is that
// of the centre, as in the source: u = v + (1 - sigma^2) w x arm. Camber makes a side force by
// rolling: gamma counts in the share sigma^2, so that a car at rest is not pushed apart. delta is
// measured along the vertical, as the benchmark does: a road that is steeper than a wheel can
// follow (an edge) gives no more than the height says. Turning fast about the spin axis does
// nothing: the forces have no moment about it but that of camber.
//
// Energy: k delta^2 / 2 in contact. What the forces do beyond that (dampers, side forces, driving
// up a slope against n) goes into the work account:   account = power on the wheel + d(energy)/dt.
// Contact made and lost, edges of the road and F = A2 are kinks that steps end at.
//
// Source: Frik, Leister and Schwartz, Vehicle System Dynamics 22, 1993 (IAVSD benchmark).
#include "elements/forces/calspan.h"
#include "elements/forces/varied.h"
#include "elements/forces/tangent.h"
#include "elements/road.h"

enum { WHEEL, AXIS, RADIUS, STIFFNESS, DAMPING, ROAD, CALSPAN, LINEAR, SLOW };
enum { SWITCHES = 4 };

typedef struct TyreState {
  V3 n, ex, ey;        // road-tangent wheel frame, ground axes
  V3 arm;              // from the wheel centre to where the forces act, ground axes
  V3 v;                // of the wheel centre, ground axes
  SarRoadPoint road;   // below the wheel centre
  double depth, rate;  // delta and its rate
  double load;         // before it is cut off at 0
  double alpha, gamma;
  double rolling;  // sigma
} TyreState;

static double number(const SarModel* m, int force, int attr) {
  return m->attr_data[sar_force_attr(m, force, attr)->adr];
}

// where the road is, how deep the tyre is in it, and how fast it goes deeper
static TyreState calc_contact(const SarModel* m, const SarData* d, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const V3 p_B = v3_load(&m->attr_data[a[WHEEL].adr]);
  const V3 c = x_point(body_pose(d, a[WHEEL].index), p_B);
  TyreState s = {.v = point_velocity(d, a[WHEEL].index, p_B),
                 .road = sar_road_at(m, d, a[ROAD].given ? a[ROAD].index : -1, c.x, c.y)};
  s.depth = number(m, force, RADIUS) - (c.z - s.road.z);
  s.rate = s.road.zx * s.v.x + s.road.zy * s.v.y + s.road.zt - s.v.z;
  return s;
}

static TyreState calc_tyre(const SarModel* m, const SarData* d, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  TyreState s = calc_contact(m, d, force);
  const double H = sqrt(1 + s.road.zx * s.road.zx + s.road.zy * s.road.zy);
  const double radius = number(m, force, RADIUS), slow = number(m, force, SLOW);
  s.n = v3(-s.road.zx / H, -s.road.zy / H, 1 / H);
  s.load = (number(m, force, STIFFNESS) * s.depth + number(m, force, DAMPING) * s.rate) / H;
  const V3 axis = m3_mul_v(body_pose(d, a[WHEEL].index).R, v3_load(sar_force_constants(m, force)));
  const V3 ahead = v3_cross(axis, s.n);
  const double size = v3_norm(ahead);
  s.arm = v3_scale(-(radius - s.depth) / H, s.n);
  if (!(size > 1e-6)) return s;  // the wheel lies flat on the road: it has no direction to roll
  s.ex = v3_scale(1 / size, ahead);
  s.ey = v3_cross(s.n, s.ex);
  const V3 ez = v3_cross(s.ex, axis);
  const double up = v3_dot(s.n, ez);  // cosine of the camber angle, = size
  s.gamma = atan2(v3_dot(s.n, axis), up);
  s.arm = v3_scale(-(radius - s.depth) / (H * up), ez);
  const double along = v3_dot(s.v, s.ex), speed = sqrt(along * along + slow * slow);
  s.rolling = along / speed;
  const V3 turning = v3_cross(body_omega(d, a[WHEEL].index), s.arm);
  const V3 u = v3_axpy(1 - s.rolling * s.rolling, turning, s.v);
  s.alpha = atan2(v3_dot(u, s.ey), speed);
  return s;
}

static void prepare(const SarModel* m, int force, double* constants) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const Xform X_GB = sar_design_pose(m, a[WHEEL].index);
  v3_store(constants, m3_tmul_v(X_GB.R, v3_load(&m->attr_data[a[AXIS].adr])));
}

// ---- checks -------------------------------------------------------------------------------------

static void demand(const SarModel* m, int force, int attr, bool zero, SarLoc loc, SarError* err) {
  const double x = number(m, force, attr);
  if (x > 0 || (zero && x == 0)) return;
  sar_report(err, loc, "", "force '%s': %s is %g, but must %s", sar_text(m, m->force_name[force]),
             m->force_kind[force]->attr[attr].name, x,
             zero ? "not be negative" : "be greater than 0");
}

static SarStatus check(const SarModel* m, int force, SarLoc loc, SarError* err) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const char* name = sar_text(m, m->force_name[force]);
  const int errors = err->errors;
  demand(m, force, RADIUS, false, loc, err);
  demand(m, force, STIFFNESS, false, loc, err);
  demand(m, force, DAMPING, true, loc, err);
  demand(m, force, SLOW, false, loc, err);
  if (a[CALSPAN].given && a[LINEAR].given)
    sar_report(err, loc, "use calspan or linear; neither: no side force",
               "force '%s': its side force is given in two ways", name);
  const double* c = &m->attr_data[a[CALSPAN].adr];
  if (a[CALSPAN].given &&
      !(c[CALSPAN_A0] > 0 && c[CALSPAN_A2] > 0 && c[CALSPAN_A4] > 0 && c[CALSPAN_SN] > 0))
    sar_report(err, loc, "", "force '%s': A0, A2, A4 and SN of calspan must be greater than 0",
               name);
  return err->errors > errors ? SAR_BAD_MODEL : SAR_OK;
}

// ---- the force ----------------------------------------------------------------------------------

static int switches(const SarModel* m, int force) {
  (void)m, (void)force;
  return SWITCHES;
}

static void set_kinks(const SarModel* m, SarData* d, int force, const TyreState* s) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const bool calspan = a[CALSPAN].given;
  set_switch(m, d, force, 0, s->depth);
  set_switch(m, d, force, 1, number(m, force, DAMPING) > 0 ? s->load : 1);
  set_switch(m, d, force, 2, s->road.side);
  set_switch(m, d, force, 3, calspan ? m->attr_data[a[CALSPAN].adr + CALSPAN_A2] - s->load : 1);
}

static bool touches(const TyreState* s) { return s->depth > 0 && s->load > 0; }

static SideForce side_force(const SarModel* m, int force, const TyreState* s) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const double gamma = s->rolling * s->rolling * s->gamma;
  SideForce side = {0};
  if (touches(s) && a[CALSPAN].given)
    side = calspan_force(&m->attr_data[a[CALSPAN].adr], s->load, s->alpha, gamma);
  if (touches(s) && a[LINEAR].given)
    side = linear_force(&m->attr_data[a[LINEAR].adr], s->alpha, gamma);
  side.Mz *= s->rolling;
  return side;
}

static void apply(const SarModel* m, SarData* d, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const int body = a[WHEEL].index;
  const TyreState s = calc_tyre(m, d, force);
  const double load = touches(&s) ? s.load : 0;
  const SideForce side = side_force(m, force, &s);
  const V3 f = v3_axpy(side.Fy, s.ey, v3_scale(load, s.n));
  // about the wheel centre
  const V3 torque = v3_add(v3_cross(s.arm, f), v3_axpy(side.Mx, s.ex, v3_scale(side.Mz, s.n)));
  add_force_at(d, body, v3_load(&m->attr_data[a[WHEEL].adr]), f);
  add_torque(d, body, torque);
  // what the spring takes up
  const double taken = s.depth > 0 ? number(m, force, STIFFNESS) * s.depth * s.rate : 0;
  d->force_power[force] = v3_dot(f, s.v) + v3_dot(torque, body_omega(d, body)) + taken;
  set_kinks(m, d, force, &s);
  set_outputs(m, d, force,
              (double[]){load, side.Fy, side.Mz, s.alpha, s.gamma, s.depth, f.x, f.y, f.z});
}

// Fy, Mz, Mx as the load, slip and camber vary, by the slopes that side_force knows
static void varied_side(const SarModel* m, int force, const TyreState* s, Dual load, Dual alpha,
                        Dual gamma, Dual rolling, Dual out[3]) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const Dual share = dual_mul(dual_mul(rolling, rolling), gamma);
  SideForce side = {0};
  out[0] = out[1] = out[2] = dual_of(0);
  if (!touches(s) || !(a[CALSPAN].given || a[LINEAR].given)) return;
  side = a[CALSPAN].given ? calspan_force(&m->attr_data[a[CALSPAN].adr], load.x, alpha.x, share.x)
                          : linear_force(&m->attr_data[a[LINEAR].adr], alpha.x, share.x);
  out[0] = dual(side.Fy, side.Fy_F * load.d + side.Fy_alpha * alpha.d + side.Fy_gamma * share.d);
  const Dual Mz =
      dual(side.Mz, side.Mz_F * load.d + side.Mz_alpha * alpha.d + side.Mz_gamma * share.d);
  out[1] = dual_mul(Mz, rolling);
  if (a[LINEAR].given) out[2] = dual_scale(m->attr_data[a[LINEAR].adr + LINEAR_OVERTURNING], share);
}

// calc_tyre and apply in dual numbers
static void vary(const SarModel* m, SarData* d, SarVariation* x, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const int body = a[WHEEL].index;
  const double radius = number(m, force, RADIUS), slow = number(m, force, SLOW);
  const TyreState s = calc_tyre(m, d, force);
  const VariedBody b = varied_body(d, x, body);
  const D3 c = varied_point(&b, v3_load(&m->attr_data[a[WHEEL].adr])), v = varied_velocity(&b, c);
  const SarVariedRoad road =
      sar_road_vary(m, d, x, a[ROAD].given ? a[ROAD].index : -1, d3_x(c), d3_y(c));
  const D3 N = d3_from(dual_neg(road.zx), dual_neg(road.zy), dual_of(1)), n = d3_unit(N);
  const Dual H = d3_norm(N), height = dual_sub(d3_z(c), road.z);
  const Dual depth = dual_sub(dual_of(radius), height);
  const Dual rate = dual_sub(road.zt, d3_dot(N, v));
  const Dual push = dual_div(dual_add(dual_scale(number(m, force, STIFFNESS), depth),
                                      dual_scale(number(m, force, DAMPING), rate)),
                             H);
  const Dual load = touches(&s) ? push : dual_of(0);
  const D3 axis = varied_axis(&b, v3_load(sar_force_constants(m, force)));
  const D3 ahead = d3_cross(axis, n);
  Dual side[3] = {{0}}, alpha = {0}, gamma = {0};
  D3 arm = d3_scale(dual_neg(dual_div(height, H)), n), ex = d3_of(v3_zero()), ey = ex;
  if (v3_norm(ahead.x) > 1e-6) {
    ex = d3_unit(ahead);
    ey = d3_cross(n, ex);
    const D3 ez = d3_cross(ex, axis);
    const Dual up = d3_dot(n, ez);
    gamma = dual_atan2(d3_dot(n, axis), up);
    arm = d3_scale(dual_neg(dual_div(height, dual_mul(H, up))), ez);
    const Dual along = d3_dot(v, ex);
    const Dual speed = dual_sqrt(dual_add(dual_mul(along, along), dual_of(slow * slow)));
    const Dual rolling = dual_div(along, speed);
    const Dual share = dual_sub(dual_of(1), dual_mul(rolling, rolling));
    const D3 u = d3_axpy(share, d3_cross(b.w, arm), v);
    alpha = dual_atan2(d3_dot(u, ey), speed);
    varied_side(m, force, &s, load, alpha, gamma, rolling, side);
  }
  const D3 f = d3_axpy(side[0], ey, d3_scale(load, n));
  const D3 torque = d3_add(d3_cross(arm, f), d3_axpy(side[2], ex, d3_scale(side[1], n)));
  vary_force_at(x, body, &b, c, f);
  vary_torque(x, body, &b, torque);
  vary_outputs(m, x, force,
               (Dual[]){load, side[0], side[1], alpha, gamma, depth, d3_x(f), d3_y(f), d3_z(f)});
}

static double energy(const SarModel* m, const SarData* d, int force) {
  const TyreState s = calc_contact(m, d, force);
  return s.depth > 0 ? 0.5 * number(m, force, STIFFNESS) * s.depth * s.depth : 0;
}

//   K = k n n',   C = d n n' - Fy_alpha dalpha/dv ey ey'        on the motion of the wheel centre
//
// dF = -(k dx + d dv) . n n, because H n . dx is what dx takes off delta; dalpha/dv = cos alpha /
// |v|. Left out: what turns the frame of the wheel (side forces by steering are not symmetric), the
// bend of the road, and moments.
static void tangent(const SarModel* m, SarData* d, int force, SarBodyTangent* out) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const TyreState s = calc_tyre(m, d, force);
  const double along = v3_dot(s.v, s.ex), across = v3_dot(s.v, s.ey);
  const double slow = number(m, force, SLOW);
  const double speed2 = along * along + slow * slow;
  out->p = x_point(body_pose(d, a[WHEEL].index), v3_load(&m->attr_data[a[WHEEL].adr]));
  if (!touches(&s)) return;
  tangent_add(out->K, number(m, force, STIFFNESS), v3_zero(), s.n);
  tangent_add(out->C, number(m, force, DAMPING), v3_zero(), s.n);
  const double alpha_v = sqrt(speed2) / (speed2 + across * across);
  tangent_add(out->C, -side_force(m, force, &s).Fy_alpha * alpha_v, v3_zero(), s.ey);
}

static void look(const SarModel* m, int force, SarForceLook* out) {
  enum { FX = 6 };  // among the outputs
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  out->body[0] = a[WHEEL].index;
  out->point[0] = v3_load(&m->attr_data[a[WHEEL].adr]);
  out->axis = v3_load(sar_force_constants(m, force));
  out->wheel = number(m, force, RADIUS);
  out->road = a[ROAD].given ? a[ROAD].index : -1;
  out->arrow = FX;
}

const SarForceKind sar_force_tyre = {
    .name = "tyre",
    .doc = "tyre on a road: radial spring, side force, aligning moment",
    .ref = "Frik, Leister and Schwartz 1993",
    .targets = 1,
    .attr = {{"wheel", SAR_ATTR_POINT, NULL, "centre of the wheel", NULL},
             {"axis", SAR_ATTR_DIRECTION, "0 1 0", "spin axis at the design position", NULL},
             {"radius", SAR_ATTR_NUMBER, NULL, "unloaded [m]", NULL},
             {"stiffness", SAR_ATTR_NUMBER, NULL, "radial [N/m]", NULL},
             {"damping", SAR_ATTR_NUMBER, "0", "radial [N s/m]", NULL},
             {"road", SAR_ATTR_ROAD, "", "name of a road; default: flat at z = 0", NULL},
             {"calspan", SAR_ATTR_NAMED, "", "side force by load, slip angle and camber",
              CALSPAN_NAMES},
             {"linear", SAR_ATTR_NAMED, "",
              "side force in proportion to the angles [N/rad, m, N m/rad]", LINEAR_NAMES},
             {"slow", SAR_ATTR_NUMBER, "0.1", "speed below which slip is viscous [m/s]", NULL}},
    .nattr = 9,
    // large and soft: always in contact, so that random models are smooth
    .example = "{tyre: a, radius: 30, stiffness: 0.02}",
    // [N, N, N m, rad, rad, m], force on the wheel in ground axes [N]
    .output = {"load", "lateral", "aligning", "slip", "camber", "deflection", "fx", "fy", "fz"},
    .noutput = 9,
    .nconstant = 3,
    .prepare = prepare,
    .switches = switches,
    .check = check,
    .apply = apply,
    .vary = vary,
    .energy = energy,
    .tangent = tangent,
    .look = look,
};
