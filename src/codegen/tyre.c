// Tyres over symbols: the equations of elements/forces/tyre.c and calspan.h, with choices for
// branches.
#include "codegen/elements.h"
#include "elements/forces/calspan.h"

typedef struct Side {
  SarNode Fy, Mz, Mx;
  SarNode Fy_alpha;  // slope by the slip angle
} Side;

typedef struct Tyre {
  SymV3 n, ex, ey, arm;  // ground axes
  SarNode depth, rate, load, alpha, gamma, rolling;
  SarNode touches;
} Tyre;

static double number(const SarSymbols* s, int force, const char* name) {
  return *numbers(s, attr(s, force, name));
}

static SarNode either(const SarSymbols* s, SarNode condition, SarNode yes) {
  return sar_sym_select(s->g, condition, yes, s_num(s->g, 0));
}

static SymV3 either_v(const SarSymbols* s, SarNode c, SymV3 yes, SymV3 no) {
  return (SymV3){sar_sym_select(s->g, c, yes.x, no.x), sar_sym_select(s->g, c, yes.y, no.y),
                 sar_sym_select(s->g, c, yes.z, no.z)};
}

// ---- where and how the wheel touches ------------------------------------------------------------

// A wheel that lies flat on the road, |y x n| <= 1e-6, has no direction to roll.
static void roll(SarSymbols* s, int force, int body, SymV3 v, SarNode H, Tyre* t) {
  SarGraph* g = s->g;
  const SarNode radius = s_num(g, number(s, force, "radius")), one = s_num(g, 1);
  const double slow = number(s, force, "slow");
  const SymV3 axis = sm3_mul_v(g, sar_symbols_pose(s, body).R,
                               sv3_of(g, v3_load(sar_force_constants(s->m, force))));
  const SymV3 ahead = sv3_cross(g, axis, t->n);
  const SarNode size = sv3_norm(g, ahead), rolls = greater(s, size, 1e-6);
  const SarNode height = s_neg(g, s_div(g, s_sub(g, radius, t->depth), H));
  const SymV3 zero = sv3_zero(g), ex = sv3_scale(g, s_div(g, one, size), ahead);
  const SymV3 ez = sv3_cross(g, ex, axis);
  const SymV3 arm = sv3_scale(g, s_div(g, height, size), ez);  // size is also n . ez
  t->ex = either_v(s, rolls, ex, zero);
  t->ey = sv3_cross(g, t->n, t->ex);
  t->arm = either_v(s, rolls, arm, sv3_scale(g, height, t->n));
  t->gamma = either(s, rolls, sar_sym_call(g, SAR_OP_ATAN2, sv3_dot(g, t->n, axis), size));
  const SarNode along = sv3_dot(g, v, t->ex);
  const SarNode speed = sar_sym_sqrt(g, s_mac(g, s_num(g, slow * slow), along, along));
  t->rolling = s_div(g, along, speed);
  const SymV3 turning = sv3_cross(g, sar_symbols_omega(s, body), t->arm);
  const SymV3 u = sv3_axpy(g, s_msc(g, one, t->rolling, t->rolling), turning, v);
  t->alpha = either(s, rolls, sar_sym_call(g, SAR_OP_ATAN2, sv3_dot(g, u, t->ey), speed));
}

static Tyre calc_tyre(SarSymbols* s, int force, SymV3 p_B, SymV3 v) {
  SarGraph* g = s->g;
  const SarAttrValue* of_road = attr(s, force, "road");
  const int body = attr(s, force, "wheel")->index;
  const SymV3 c = sx_point(g, sar_symbols_pose(s, body), p_B);
  const SymRoad r = sar_symbols_road(s, of_road->given ? of_road->index : -1, c.x, c.y);
  const SarNode one = s_num(g, 1);
  const SarNode H = sar_sym_sqrt(g, s_mac(g, s_mac(g, one, r.zx, r.zx), r.zy, r.zy));
  Tyre t = {.depth = s_sub(g, s_num(g, number(s, force, "radius")), s_sub(g, c.z, r.z))};
  t.rate = s_sub(g, s_add(g, s_mac(g, s_mul(g, r.zx, v.x), r.zy, v.y), r.zt), v.z);
  const SarNode push = s_mac(g, s_mul(g, s_num(g, number(s, force, "stiffness")), t.depth),
                             s_num(g, number(s, force, "damping")), t.rate);
  t.n = sv3_scale(g, s_div(g, one, H), (SymV3){s_neg(g, r.zx), s_neg(g, r.zy), one});
  const SarNode load = s_div(g, push, H);
  t.touches = sar_sym_call(g, SAR_OP_AND, greater(s, t.depth, 0), greater(s, load, 0));
  t.load = either(s, t.touches, load);
  roll(s, force, body, v, H, &t);
  return t;
}

// ---- side forces --------------------------------------------------------------------------------

// s - s |s| / 3 + s^3 / 27 up to |s| = 3, sign s beyond
static SarNode saturated(const SarSymbols* s, SarNode x) {
  SarGraph* g = s->g;
  const SarNode size =
      sar_sym_call(g, SAR_OP_MIN, sar_sym_call(g, SAR_OP_ABS, x, SAR_NONE), s_num(g, 3));
  const SarNode square = s_mul(g, size, size);
  const SarNode S =
      s_mac(g, s_msc(g, size, s_num(g, 1. / 3), square), s_num(g, 1. / 27), s_mul(g, square, size));
  return sar_sym_select(g, sar_sym_call(g, SAR_OP_LT, x, s_num(g, 0)), s_neg(g, S), S);
}

// (1 - |s|/3)^2
static SarNode saturation_slope(const SarSymbols* s, SarNode x) {
  SarGraph* g = s->g;
  const SarNode size =
      sar_sym_call(g, SAR_OP_MIN, sar_sym_call(g, SAR_OP_ABS, x, SAR_NONE), s_num(g, 3));
  const SarNode left = s_msc(g, s_num(g, 1), s_num(g, 1. / 3), size);
  return s_mul(g, left, left);
}

static Side calspan(const SarSymbols* s, const double* c, const Tyre* t, SarNode gamma) {
  SarGraph* g = s->g;
  const double A0 = c[CALSPAN_A0], A2 = c[CALSPAN_A2], A4 = c[CALSPAN_A4], SN = c[CALSPAN_SN];
  const SarNode F = t->load, high = greater(s, F, A2);
  const SarNode f = s_mac(g, s_num(g, SN * c[CALSPAN_B3]), F,
                          s_mac(g, s_num(g, SN * c[CALSPAN_B1]), s_num(g, SN * c[CALSPAN_B4]), F));
  const SarNode low =
      s_mul(g, s_mul(g, s_num(g, c[CALSPAN_A1] / A2), F), s_sub(g, F, s_num(g, A2)));
  const SarNode N = sar_sym_select(g, high, s_num(g, -A0), s_sub(g, low, s_num(g, A0)));
  const SarNode L = sar_sym_select(g, high, s_num(g, A2), F);
  const SarNode NG =
      s_mul(g, s_mul(g, s_num(g, -c[CALSPAN_A3] / A4), s_sub(g, s_num(g, A4), L)), L);
  const SarNode top = s_mul(g, f, F), slip = s_mac(g, s_mul(g, N, t->alpha), NG, gamma);
  const SarNode share = s_div(g, slip, top), Fy = s_mul(g, top, saturated(s, share));
  const SarNode lever = s_mac(g, s_mul(g, s_num(g, c[CALSPAN_K1]), F), s_num(g, c[CALSPAN_K2]),
                              sar_sym_call(g, SAR_OP_ABS, Fy, SAR_NONE));
  return (Side){Fy, s_mul(g, lever, Fy), s_num(g, 0), s_mul(g, N, saturation_slope(s, share))};
}

static Side linear(const SarSymbols* s, const double* c, const Tyre* t, SarNode gamma) {
  SarGraph* g = s->g;
  const SarNode Fy = s_msc(g, s_mul(g, s_num(g, -c[LINEAR_CORNERING]), t->alpha),
                           s_num(g, c[LINEAR_CAMBER]), gamma);
  const SarNode Mz =
      s_msc(g, s_mul(g, s_num(g, c[LINEAR_ALIGNING]), t->alpha), s_num(g, c[LINEAR_TRAIL]), Fy);
  return (Side){Fy, Mz, s_mul(g, s_num(g, c[LINEAR_OVERTURNING]), gamma),
                s_num(g, -c[LINEAR_CORNERING])};
}

static Side side_force(SarSymbols* s, int force, const Tyre* t) {
  SarGraph* g = s->g;
  const SarAttrValue *by_load = attr(s, force, "calspan"), *plain = attr(s, force, "linear");
  const SarNode gamma = s_mul(g, s_mul(g, t->rolling, t->rolling), t->gamma), zero = s_num(g, 0);
  Side side = {zero, zero, zero, zero};
  if (by_load->given) side = calspan(s, numbers(s, by_load), t, gamma);
  if (plain->given) side = linear(s, numbers(s, plain), t, gamma);
  return (Side){either(s, t->touches, side.Fy),
                s_mul(g, either(s, t->touches, side.Mz), t->rolling),
                either(s, t->touches, side.Mx), either(s, t->touches, side.Fy_alpha)};
}

//   K = k n n',   C = d n n' - Fy_alpha dalpha/dv ey ey'        on the motion of the wheel centre
static void resist(SarSymbols* s, int force, const Tyre* t, const Side* side, SymV3 centre,
                   SymV3 v) {
  SarGraph* g = s->g;
  const double slow = number(s, force, "slow");
  const SarNode along = sv3_dot(g, v, t->ex), across = sv3_dot(g, v, t->ey);
  const SarNode speed2 = s_mac(g, s_num(g, slow * slow), along, along);
  const SarNode alpha_v = s_div(g, sar_sym_sqrt(g, speed2), s_mac(g, speed2, across, across));
  const SymV3 none = sv3_zero(g);
  SymTangent* out = sar_symbols_tangent(s, force, centre);
  sar_symbols_resist(s, out, none, t->n,
                     either(s, t->touches, s_num(g, number(s, force, "stiffness"))),
                     either(s, t->touches, s_num(g, number(s, force, "damping"))));
  sar_symbols_resist(s, out, none, t->ey, s_num(g, 0), s_neg(g, s_mul(g, side->Fy_alpha, alpha_v)));
}

// ---- the force ----------------------------------------------------------------------------------

void sar_symbols_tyre(SarSymbols* s, int force) {
  SarGraph* g = s->g;
  const SarAttrValue* wheel = attr(s, force, "wheel");
  const int body = wheel->index;
  const SymV3 p_B = sv3_of(g, v3_load(numbers(s, wheel)));
  const SymV3 v = sar_symbols_point_velocity(s, body, p_B);
  const Tyre t = calc_tyre(s, force, p_B, v);
  const Side side = side_force(s, force, &t);
  const SymV3 f = sv3_axpy(g, side.Fy, t.ey, sv3_scale(g, t.load, t.n));
  const SymV3 turn = sv3_axpy(g, side.Mx, t.ex, sv3_scale(g, side.Mz, t.n));
  const SymV3 torque = sv3_add(g, sv3_cross(g, t.arm, f), turn);  // about the wheel centre
  if (s->tangents) resist(s, force, &t, &side, sx_point(g, sar_symbols_pose(s, body), p_B), v);
  add_force_at(s, body, p_B, f);
  add_torque(s, body, torque);
  const SarNode spring = s_mul(g, s_num(g, number(s, force, "stiffness")), t.depth);
  const SarNode taken = either(s, greater(s, t.depth, 0), s_mul(g, spring, t.rate));
  const SarNode done = s_add(g, sv3_dot(g, f, v), sv3_dot(g, torque, sar_symbols_omega(s, body)));
  s->force_power[force] = s_add(g, done, taken);
  set_outputs(s, force,
              (SarNode[]){t.load, side.Fy, side.Mz, t.alpha, t.gamma, t.depth, f.x, f.y, f.z});
}
