// Elements between frames over symbols: torsion springs, bushings and deformable hinges.
#include "codegen/elements.h"
#include "codegen/rotation.h"

static SymXform frame(const SarSymbols* s, const double* p) {
  return sx_of(s->g,
               (Xform){{p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8]}, v3_load(p + 9)});
}

static SymM3 rotation(const SarSymbols* s, const double* p) {
  return sm3_of(s->g, (M3){p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8]});
}

// angle = 2 atan2(s, w) with Q = (w, u), s = u.a;  g = (w^2 a + w a x u + s u) / (w^2 + s^2)
void sar_symbols_torsion(SarSymbols* s, int force) {
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
  if (s->tangents)
    sar_symbols_resist(
        s, sar_symbols_tangent(s, force, sar_symbols_pose(s, second).p), g_G, sv3_zero(g),
        whole->given ? law_slope(s, whole, 0, angle, rate) : scalar(s, k),
        whole->given ? law_slope(s, whole, 1, angle, rate) : scalar(s, attr(s, force, "damping")));
  add_torque(s, first, sv3_scale(g, sum, g_G));
  add_torque(s, second, sv3_scale(g, s_neg(g, sum), g_G));
  s->force_power[force] = s_neg(g, s_mul(g, potential ? other : sum, rate));
  set_outputs(s, force, (SarNode[]){angle, rate, sum});
}

// K = B K B', C = B D B', B the wrenches of unit deflections (elements/forces/bushing.c)
static void resist_bushing(SarSymbols* s, int force, SymV3 p, SymM3 R_GA, SymV3 theta) {
  SarGraph* g = s->g;
  enum { TANGENT_K = 24, TANGENT_D = 60 };
  const double *K = sar_force_constants(s->m, force) + TANGENT_K, *D = K + TANGENT_D - TANGENT_K;
  SymTangent* t = sar_symbols_tangent(s, force, p);
  if (!t) return;
  t->num = 6;
  for (int i = 0; i < 3; i++) {
    const SymV3 e = sv3_of(g, v3(i == 0, i == 1, i == 2));
    t->B[i] = (SymMotion){sv3_zero(g), sm3_mul_v(g, R_GA, e)};
    t->B[3 + i] = (SymMotion){sm3_mul_v(g, R_GA, srotvec_rate(g, theta, e)), sv3_zero(g)};
  }
  for (int i = 0; i < 6; i++)
    for (int k = 0; k < 6; k++) {
      t->K[i][k] = s_num(g, K[6 * i + k]);
      t->C[i][k] = s_num(g, D[6 * i + k]);
    }
}

// y = preload - K x - D dx/dt, x = (p, theta) of C seen from A; see elements/forces/bushing.c
void sar_symbols_bushing(SarSymbols* s, int force) {
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
  resist_bushing(s, force, X_GC.p, X_GA.R, theta);
  add_force_at(s, second, X_2C.p, f_G);
  add_torque(s, second, n_G);
  add_force_at(s, first, p_1, sv3_neg(g, f_G));
  add_torque(s, first, sv3_neg(g, n_G));
  s->force_power[force] = power;
  set_outputs(s, force,
              (SarNode[]){x[0], x[1], x[2], x[3], x[4], x[5], f.x, f.y, f.z, n.x, n.y, n.z});
}

// law i of the hinge, or its slope by local `which` (-1: the law itself), at the locals
static SarNode hinge_law(SarSymbols* s, const SarAttrValue* a, int which) {
  if (!a->given) return s_num(s->g, 0);
  return sar_symbols_program(s, &s->m->expr[a->index + 1 + which]);
}

// y_i = preload_i - k_i theta_i - c_i dtheta_i/dt - law_i; see elements/forces/deformable_hinge.c
void sar_symbols_deformable_hinge(SarSymbols* s, int force) {
  SarGraph* g = s->g;
  enum { FRAME_A, FRAME_C = 9 };
  const int first = attr(s, force, "first")->index, second = attr(s, force, "second")->index;
  const double* constants = sar_force_constants(s->m, force);
  const SymM3 R_GA = sm3_mul(g, sar_symbols_pose(s, first).R, rotation(s, constants + FRAME_A));
  const SymM3 R_GC = sm3_mul(g, sar_symbols_pose(s, second).R, rotation(s, constants + FRAME_C));
  const SymV3 theta = squat_log(g, squat_of_m3(g, sm3_mul(g, sm3_transpose(R_GA), R_GC)));
  const SymV3 w = sv3_sub(g, sar_symbols_omega(s, second), sar_symbols_omega(s, first));
  const SymV3 turn = srotvec_rate(g, sv3_neg(g, theta), sm3_tmul_v(g, R_GA, w));
  const SarNode x[6] = {theta.x, theta.y, theta.z, turn.x, turn.y, turn.z};
  for (int i = 0; i < 6; i++) s->slot[s->m->slot_local + i] = x[i];

  static const char* const laws[3] = {"law_x", "law_y", "law_z"};
  const SarAttrValue *stiffness = attr(s, force, "stiffness"), *damping = attr(s, force, "damping"),
                     *preload = attr(s, force, "preload");
  const SymV3 K = vector(s, stiffness), D = vector(s, damping), held = vector(s, preload);
  const SarNode k[3] = {K.x, K.y, K.z}, c[3] = {D.x, D.y, D.z}, p[3] = {held.x, held.y, held.z};
  SymTangent* t = sar_symbols_tangent(s, force, sar_symbols_pose(s, second).p);
  SarNode y[3], power = s_num(g, 0);
  for (int i = 0; i < 3; i++) {
    const SarAttrValue* whole = attr(s, force, laws[i]);
    const SarNode elastic = s_neg(g, s_mul(g, k[i], x[i]));
    SarNode other = s_neg(g, s_mul(g, c[i], x[3 + i]));
    other = s_sub(g, other, hinge_law(s, whole, -1));
    y[i] = s_add(g, s_add(g, elastic, p[i]), other);
    // what no potential holds
    if (stiffness->index >= 0) other = s_add(g, other, elastic);
    if (preload->index >= 0) other = s_add(g, other, p[i]);
    power = s_mac(g, power, other, x[3 + i]);
    const SymV3 axis = sv3_of(g, v3(i == 0, i == 1, i == 2));
    if (t)
      sar_symbols_resist(s, t, sm3_mul_v(g, R_GA, srotvec_rate(g, theta, axis)), sv3_zero(g),
                         s_add(g, k[i], hinge_law(s, whole, i)),
                         s_add(g, c[i], hinge_law(s, whole, 3 + i)));
  }
  const SymV3 n = srotvec_rate(g, theta, (SymV3){y[0], y[1], y[2]}), n_G = sm3_mul_v(g, R_GA, n);
  add_torque(s, second, n_G);
  add_torque(s, first, sv3_neg(g, n_G));
  s->force_power[force] = power;
  set_outputs(s, force, (SarNode[]){x[0], x[1], x[2], x[3], x[4], x[5], n.x, n.y, n.z});
}
