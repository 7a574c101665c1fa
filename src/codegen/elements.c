// Force elements over symbols: what elements/forces/ applies, with the power that no potential holds.
// One function for each kind, found by name; kinds without one are refused.
#include "codegen/elements.h"
#include "codegen/rotation.h"

// ---- along a line (elements/forces/line.h) --------------------------------------------------------

typedef struct Line {
  int first, second;
  SymV3 p1, p2, n;
  SarNode length, rate;
} Line;

enum { LINE_LENGTH, LINE_AXIS };  // constants of the kinds that act along a line

static Line calc_line(SarSymbols* s, int force) {
  SarGraph* g = s->g;
  const SarAttrValue *first = attr(s, force, "first"), *second = attr(s, force, "second");
  Line l = {.first = first->index, .second = second->index};
  l.p1 = sv3_of(g, v3_load(numbers(s, first)));
  l.p2 = sv3_of(g, v3_load(numbers(s, second)));
  const SymXform X_G1 = sar_symbols_pose(s, l.first);
  const SymV3 to = sx_point(g, sar_symbols_pose(s, l.second), l.p2);
  const SymV3 span = sv3_sub(g, to, sx_point(g, X_G1, l.p1));
  if (attr(s, force, "axis")->given) {
    const V3 axis = v3_load(&sar_force_constants(s->m, force)[LINE_AXIS]);
    l.n = sm3_mul_v(g, X_G1.R, sv3_of(g, axis));
    l.length = sv3_dot(g, l.n, span);
    l.p1 = sm3_tmul_v(g, X_G1.R, sv3_sub(g, to, X_G1.p));
  } else {
    l.length = sv3_norm(g, span);
    const SarNode inverse =
        sar_sym_select(g, greater(s, l.length, 0), s_div(g, s_num(g, 1), l.length), s_num(g, 0));
    l.n = sv3_scale(g, inverse, span);
  }
  l.rate = sv3_dot(g, l.n,
                   sv3_sub(g, sar_symbols_point_velocity(s, l.second, l.p2),
                           sar_symbols_point_velocity(s, l.first, l.p1)));
  return l;
}

static void pull_line(SarSymbols* s, int force, const Line* l, SarNode tension) {
  add_force_at(s, l->first, l->p1, sv3_scale(s->g, tension, l->n));
  add_force_at(s, l->second, l->p2, sv3_scale(s->g, s_neg(s->g, tension), l->n));
  set_outputs(s, force, (SarNode[]){l->length, l->rate, tension});
}

static SarNode table(SarSymbols* s, const SarAttrValue* a, SarNode x) {
  return sar_sym_table(s->g, SAR_OP_TABLE, x, a->index, numbers(s, a));
}

// c0 + c1 x + c2 x^2 + ...
static SarNode polynomial(SarSymbols* s, const SarAttrValue* a, SarNode x) {
  SarNode sum = s_num(s->g, 0);
  for (int i = a->index - 1; i >= 0; i--) sum = s_mac(s->g, s_num(s->g, numbers(s, a)[i]), sum, x);
  return sum;
}

static SarNode elastic_tension(SarSymbols* s, int force, SarNode length) {
  const SarAttrValue *rows = attr(s, force, "table"), *terms = attr(s, force, "polynomial");
  if (rows->given) return table(s, rows, length);
  if (terms->given) return polynomial(s, terms, length);
  const SarAttrValue* at_rest = attr(s, force, "length");
  const SarNode rest = at_rest->given ? scalar(s, at_rest)
                                      : s_num(s->g, sar_force_constants(s->m, force)[LINE_LENGTH]);
  return s_mul(s->g, scalar(s, attr(s, force, "stiffness")), s_sub(s->g, length, rest));
}

static SarNode damper_tension(SarSymbols* s, int force, const Line* l) {
  const SarAttrValue *rows = attr(s, force, "damper_table"),
                     *terms = attr(s, force, "damper_polynomial"),
                     *given = attr(s, force, "damper");
  if (given->given) return law(s, given, l->length, l->rate);
  if (rows->given) return table(s, rows, l->rate);
  if (terms->given) return polynomial(s, terms, l->rate);
  return s_mul(s->g, scalar(s, attr(s, force, "damping")), l->rate);
}

static void spring_damper(SarSymbols* s, int force) {
  const Line l = calc_line(s, force);
  const SarAttrValue* whole = attr(s, force, "law");
  const bool potential = !whole->given && attr(s, force, "stiffness")->index < 0 &&
                         attr(s, force, "length")->index < 0;
  SarNode elastic = s_num(s->g, 0), other;
  if (whole->given) {
    other = law(s, whole, l.length, l.rate);
  } else {
    elastic = elastic_tension(s, force, l.length);
    other = damper_tension(s, force, &l);
  }
  const SarNode tension = s_add(s->g, elastic, other);
  pull_line(s, force, &l, tension);
  s->force_power[force] = s_neg(s->g, s_mul(s->g, potential ? other : tension, l.rate));
}

static void bump_stop(SarSymbols* s, int force) {
  SarGraph* g = s->g;
  const Line l = calc_line(s, force);
  const SarNode sign = s_num(g, attr(s, force, "side")->index == 1 ? 1 : -1);
  const SarNode k = s_num(g, *numbers(s, attr(s, force, "stiffness")));
  const SarNode c = s_num(g, *numbers(s, attr(s, force, "damping")));
  const SarNode contact = s_num(g, *numbers(s, attr(s, force, "length")));
  const SarNode x = s_mul(g, sign, s_sub(g, l.length, contact)), rate = s_mul(g, sign, l.rate);
  const SarNode push = s_mac(g, s_mul(g, k, x), c, rate);
  const SarNode touching = greater(s, x, 0);
  const SarNode pushing = sar_sym_call(g, SAR_OP_AND, touching, greater(s, push, 0));
  const SarNode tension = sar_sym_select(g, pushing, s_mul(g, sign, push), s_num(g, 0));
  pull_line(s, force, &l, tension);
  const SarNode taken = sar_sym_select(g, touching, s_mul(g, s_mul(g, k, x), rate), s_num(g, 0));
  s->force_power[force] = s_msc(g, taken, tension, l.rate);
}

// ---- on points, bodies and joints -------------------------------------------------------------------

enum { FRAME_BODY = 1 };

static void point_force(SarSymbols* s, int force) {
  const SarAttrValue* point = attr(s, force, "point");
  const SymV3 p_B = sv3_of(s->g, v3_load(numbers(s, point)));
  SymV3 f = vector(s, attr(s, force, "value"));
  if (attr(s, force, "frame")->index == FRAME_BODY) f = from_file_axes(s, point, f);
  add_force_at(s, point->index, p_B, f);
  s->force_power[force] = sv3_dot(s->g, f, sar_symbols_point_velocity(s, point->index, p_B));
  set_outputs(s, force, (SarNode[]){f.x, f.y, f.z});
}

static void torque(SarSymbols* s, int force) {
  const SarAttrValue* body = attr(s, force, "body");
  SymV3 n = vector(s, attr(s, force, "value"));
  if (attr(s, force, "frame")->index == FRAME_BODY) n = from_file_axes(s, body, n);
  add_torque(s, body->index, n);
  s->force_power[force] = sv3_dot(s->g, n, sar_symbols_omega(s, body->index));
  set_outputs(s, force, (SarNode[]){n.x, n.y, n.z});
}

static void joint_force(SarSymbols* s, int force) {
  const int joint = attr(s, force, "joint")->index;
  const int i = (int)*numbers(s, attr(s, force, "component")) - 1;
  SarNode tau[SAR_JOINT_MAX_NV], q[SAR_JOINT_MAX_NQ], v[SAR_JOINT_MAX_NV];
  for (int k = 0; k < SAR_JOINT_MAX_NV; k++) tau[k] = s_num(s->g, 0);
  tau[i] = scalar(s, attr(s, force, "value"));
  sar_symbols_flip(s, joint, &s->q[s->m->joint_qadr[joint]], &s->v[s->m->joint_vadr[joint]], q, v);
  sar_symbols_add_joint_force(s, joint, tau);
  s->force_power[force] = s_mul(s->g, tau[i], v[i]);
  set_outputs(s, force, &tau[i]);
}

// A coordinate of a joint, in the direction of the file (elements/forces/coordinate.h).
typedef struct Coordinate {
  int joint, i;
  SarNode q, v;
} Coordinate;

static Coordinate read_coordinate(SarSymbols* s, int joint, int i) {
  SarNode q[SAR_JOINT_MAX_NQ], v[SAR_JOINT_MAX_NV];
  sar_symbols_flip(s, joint, &s->q[s->m->joint_qadr[joint]], &s->v[s->m->joint_vadr[joint]], q, v);
  return (Coordinate){joint, i, q[i], v[i]};
}

static void push_coordinate(SarSymbols* s, const Coordinate* c, SarNode f) {
  SarNode tau[SAR_JOINT_MAX_NV];
  for (int k = 0; k < SAR_JOINT_MAX_NV; k++) tau[k] = k == c->i ? f : s_num(s->g, 0);
  sar_symbols_add_joint_force(s, c->joint, tau);
}

// f = S(q) + D(v), or law(q, v); -f acts
static void joint_spring(SarSymbols* s, int force) {
  SarGraph* g = s->g;
  const Coordinate c = read_coordinate(s, attr(s, force, "joint")->index,
                                       (int)*numbers(s, attr(s, force, "component")) - 1);
  const SarAttrValue *rows = attr(s, force, "table"), *damper = attr(s, force, "damper_table"),
                     *whole = attr(s, force, "law");
  const SarNode x = s_sub(g, c.q, s_num(g, *numbers(s, attr(s, force, "rest"))));
  const SarNode elastic = rows->given ? table(s, rows, x) : s_num(g, 0);
  const SarNode other = whole->given    ? law(s, whole, c.q, c.v)
                        : damper->given ? table(s, damper, c.v)
                                        : s_num(g, 0);
  const SarNode resists = s_add(g, elastic, other);
  push_coordinate(s, &c, s_neg(g, resists));
  s->force_power[force] = s_neg(g, s_mul(g, other, c.v));
  set_outputs(s, force, (SarNode[]){c.q, c.v, resists});
}

// P = max(0, k |e| + c d|e|/dt) of the flank that touches; see elements/forces/backlash.c
static void backlash(SarSymbols* s, int force) {
  SarGraph* g = s->g;
  const SarAttrValue* drive = attr(s, force, "drive");
  const Coordinate load = read_coordinate(s, attr(s, force, "joint")->index,
                                          (int)*numbers(s, attr(s, force, "component")) - 1);
  const SarNode zero = s_num(g, 0);
  SarNode x = s_sub(g, load.q, s_num(g, *numbers(s, attr(s, force, "offset")))), rate = load.v;
  SarNode ratio = zero;
  Coordinate driver = {0};
  if (drive->given) {
    const SarAttrValue* given = attr(s, force, "ratio");
    ratio = s_num(g, given->given ? *numbers(s, given) : 1);
    driver = read_coordinate(s, drive->index, 0);
    x = s_msc(g, x, ratio, driver.q);
    rate = s_msc(g, rate, ratio, driver.v);
  }
  const double half = 0.5 * *numbers(s, attr(s, force, "gap"));
  const SarNode beyond = greater(s, x, half), before = greater(s, s_neg(g, x), half);
  const SarNode side =
      sar_sym_select(g, beyond, s_num(g, 1), sar_sym_select(g, before, s_num(g, -1), zero));
  const SarNode touches = sar_sym_call(g, SAR_OP_OR, beyond, before);
  const SarNode depth = s_sub(g, s_mul(g, side, x), s_num(g, half)), out = s_mul(g, side, rate);
  const SarNode k = s_num(g, *numbers(s, attr(s, force, "stiffness")));
  const SarNode raw =
      s_mac(g, s_mul(g, k, depth), s_num(g, *numbers(s, attr(s, force, "damping"))), out);
  const SarNode pushes = sar_sym_call(g, SAR_OP_AND, touches, greater(s, raw, 0));
  const SarNode value = sar_sym_select(g, pushes, s_neg(g, s_mul(g, side, raw)), zero);
  push_coordinate(s, &load, value);
  if (drive->given) push_coordinate(s, &driver, s_neg(g, s_mul(g, ratio, value)));
  const SarNode taken = sar_sym_select(g, touches, s_mul(g, s_mul(g, k, depth), out), zero);
  s->force_power[force] = s_mac(g, taken, value, rate);
  set_outputs(s, force, (SarNode[]){x, rate, value});
}

// ---- between frames ---------------------------------------------------------------------------------

static SymXform frame(const SarSymbols* s, const double* p) {
  return sx_of(s->g,
               (Xform){{p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8]}, v3_load(p + 9)});
}

// angle = 2 atan2(s, w) with Q = (w, u), s = u.a;  g = (w^2 a + w a x u + s u) / (w^2 + s^2)
static void torsion(SarSymbols* s, int force) {
  SarGraph* g = s->g;
  const int first = attr(s, force, "first")->index, second = attr(s, force, "second")->index;
  const SymXform constants = frame(s, sar_force_constants(s->m, force));
  const SymV3 a = constants.p;
  const SymM3 R_GC = sm3_mul(g, sar_symbols_pose(s, second).R, constants.R);
  const SymQuat Q = squat_of_m3(g, sm3_mul(g, sm3_transpose(sar_symbols_pose(s, first).R), R_GC));
  const SymV3 u = {Q.x, Q.y, Q.z};
  const SarNode along = sv3_dot(g, u, a), n2 = s_mac(g, s_mul(g, Q.w, Q.w), along, along);
  const SymV3 swung = sv3_axpy(g, Q.w, sv3_cross(g, a, u), sv3_scale(g, along, u));
  const SymV3 dual = sv3_axpy(g, s_mul(g, Q.w, Q.w), a, swung);
  const SarNode defined = greater(s, n2, 0);
  const SarNode inverse = sar_sym_select(g, defined, s_div(g, s_num(g, 1), n2), s_num(g, 0));
  const SymV3 g_G = sm3_mul_v(g, R_GC, sv3_scale(g, inverse, dual));
  const SarNode angle = s_mul(g, s_num(g, 2), sar_sym_call(g, SAR_OP_ATAN2, along, Q.w));
  const SarNode rate =
      sv3_dot(g, g_G, sv3_sub(g, sar_symbols_omega(s, second), sar_symbols_omega(s, first)));

  const SarAttrValue *whole = attr(s, force, "law"), *k = attr(s, force, "stiffness"),
                     *rest = attr(s, force, "rest");
  SarNode elastic = s_num(g, 0), other;
  if (whole->given) {
    other = law(s, whole, angle, rate);
  } else {
    // within half a turn of rest
    const double pi = 3.14159265358979323846;
    const SarNode x = s_sub(g, angle, scalar(s, rest)), turn = s_num(g, 2 * pi);
    const SarNode turns =
        sar_sym_call(g, SAR_OP_CEIL, s_div(g, s_sub(g, x, s_num(g, pi)), turn), SAR_NONE);
    elastic = s_mul(g, scalar(s, k), s_msc(g, x, turn, turns));
    other = s_mul(g, scalar(s, attr(s, force, "damping")), rate);
  }
  const bool potential = !whole->given && k->index < 0 && rest->index < 0;
  const SarNode sum = s_add(g, elastic, other);
  add_torque(s, first, sv3_scale(g, sum, g_G));
  add_torque(s, second, sv3_scale(g, s_neg(g, sum), g_G));
  s->force_power[force] = s_neg(g, s_mul(g, potential ? other : sum, rate));
  set_outputs(s, force, (SarNode[]){angle, rate, sum});
}

// y = preload - K x - D dx/dt, x = (p, theta) of C seen from A; see elements/forces/bushing.c
static void bushing(SarSymbols* s, int force) {
  SarGraph* g = s->g;
  enum { FRAME_A, FRAME_C = 12 };
  const int first = attr(s, force, "first")->index, second = attr(s, force, "second")->index;
  const double* constants = sar_force_constants(s->m, force);
  const SymXform X_GA = sx_mul(g, sar_symbols_pose(s, first), frame(s, constants + FRAME_A));
  const SymXform X_2C = frame(s, constants + FRAME_C);
  const SymXform X_GC = sx_mul(g, sar_symbols_pose(s, second), X_2C);
  const SymV3 p_1 = inverse_point(s, first, X_GC.p);
  const SymV3 v = sv3_sub(g, sar_symbols_point_velocity(s, second, X_2C.p),
                          sar_symbols_point_velocity(s, first, p_1));
  const SymV3 w = sv3_sub(g, sar_symbols_omega(s, second), sar_symbols_omega(s, first));
  const SymV3 theta = squat_log(g, squat_of_m3(g, sm3_mul(g, sm3_transpose(X_GA.R), X_GC.R)));
  const SymV3 p = sm3_tmul_v(g, X_GA.R, sv3_sub(g, X_GC.p, X_GA.p));
  const SymV3 p_rate = sm3_tmul_v(g, X_GA.R, v);
  const SymV3 turn = srotvec_rate(g, sv3_neg(g, theta), sm3_tmul_v(g, X_GA.R, w));
  const SarNode x[6] = {p.x, p.y, p.z, theta.x, theta.y, theta.z};
  const SarNode rate[6] = {p_rate.x, p_rate.y, p_rate.z, turn.x, turn.y, turn.z};

  const SarAttrValue *stiffness = attr(s, force, "stiffness"), *damping = attr(s, force, "damping"),
                     *preload = attr(s, force, "preload");
  const double *K = numbers(s, stiffness), *D = numbers(s, damping);
  SarNode y[6], power = s_num(g, 0);
  for (int i = 0; i < 6; i++) {
    SarNode elastic = s_num(g, 0), damper = s_num(g, 0), skew = s_num(g, 0);
    for (int j = 0; j < 6; j++) {
      if (stiffness->given) {
        elastic = s_mac(g, elastic, s_num(g, K[6 * i + j]), x[j]);
        skew = s_mac(g, skew, s_num(g, 0.5 * (K[6 * i + j] - K[6 * j + i])), x[j]);
      }
      if (damping->given) damper = s_mac(g, damper, s_num(g, D[6 * i + j]), rate[j]);
    }
    y[i] = s_num(g, preload->given ? numbers(s, preload)[i] : 0);
    y[i] = s_sub(g, s_sub(g, y[i], elastic), damper);
    power = s_msc(g, power, s_add(g, damper, skew), rate[i]);
  }
  const SymV3 f = {y[0], y[1], y[2]}, n = srotvec_rate(g, theta, (SymV3){y[3], y[4], y[5]});
  const SymV3 f_G = sm3_mul_v(g, X_GA.R, f), n_G = sm3_mul_v(g, X_GA.R, n);
  add_force_at(s, second, X_2C.p, f_G);
  add_torque(s, second, n_G);
  add_force_at(s, first, p_1, sv3_neg(g, f_G));
  add_torque(s, first, sv3_neg(g, n_G));
  s->force_power[force] = power;
  set_outputs(s, force,
              (SarNode[]){x[0], x[1], x[2], x[3], x[4], x[5], f.x, f.y, f.z, n.x, n.y, n.z});
}

// ---- the list ---------------------------------------------------------------------------------------

static const struct {
  const char* name;
  void (*apply)(SarSymbols* s, int force);
} kinds[] = {
    {"spring_damper", spring_damper},
    {"bump_stop", bump_stop},
    {"force", point_force},
    {"torque", torque},
    {"joint_force", joint_force},
    {"joint_spring", joint_spring},
    {"backlash", backlash},
    {"torsion", torsion},
    {"bushing", bushing},
    {"tyre", sar_symbols_tyre},
};

static void apply(SarSymbols* s, int force) {
  const char* name = s->m->force_kind[force]->name;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(kinds[i].name, name) == 0) {
      kinds[i].apply(s, force);
      return;
    }
  sar_symbols_refuse(s, "force '%s': a force of kind '%s' has no equations in symbols",
                     sar_text(s->m, s->m->force_name[force]), name);
}

bool sar_symbols_know_force(const char* kind) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(kinds[i].name, kind) == 0) return true;
  return false;
}

void sar_symbols_elements(SarSymbols* s) {
  for (int i = 0; i < s->m->nforce; i++) apply(s, i);
}
