// Force elements: what every kind promises, checked by looping over the registry with random
// attributes, then each kind against numbers worked out by hand.
#include "support/element_world.h"

enum { TRIALS = 400 };
static const double PI = 3.14159265358979323846;

// ---- random attributes --------------------------------------------------------------------------
static void random_numbers(Rng* r, double* out, int n, double low, double high) {
  for (int i = 0; i < n; i++) out[i] = rng_uniform(r, low, high);
}

// a ramp on both sides and a bump on the left, where the wheel may be
static void random_road(World* w, Rng* r, const char* name) {
  const double features[2 * SAR_FEATURE] = {SAR_FEATURE_RAMP, SAR_SIDE_BOTH, -1, 1, 0.5,
                                            SAR_FEATURE_BUMP, SAR_SIDE_LEFT, -2, 2, 0.3};
  world_set(w, name, features, 2 * SAR_FEATURE);
  w->road[0] =
      (SarRoad){.feature = w->numbers - 2 * SAR_FEATURE, .num = 1 + rng_int(r, 2), .law = -1};
  world_set_index(w, name, 0);
}

static void random_attr(World* w, const SarAttr* a, Rng* r, int body) {
  double x[36];
  random_numbers(r, x, 36, -2, 2);
  switch (a->type) {
    case SAR_ATTR_BODY: world_set_index(w, a->name, body); break;
    case SAR_ATTR_JOINT: world_set_index(w, a->name, rng_int(r, WORLD_BODIES)); break;
    case SAR_ATTR_POINT: world_set_point(w, a->name, body, v3_load(x)); break;
    case SAR_ATTR_FRAME: {
      M3 R = quat_to_m3(rng_quat(r));
      double X[12] = {R.xx, R.xy, R.xz, R.yx, R.yy, R.yz, R.zx, R.zy, R.zz, x[0], x[1], x[2]};
      world_set(w, a->name, X, 12);
      break;
    }
    case SAR_ATTR_NUMBER: world_set_number(w, a->name, 1 + rng_int(r, 3)); break;
    case SAR_ATTR_SCALAR:
    case SAR_ATTR_VECTOR: {
      int n = a->type == SAR_ATTR_SCALAR ? 1 : 3;
      if (rng_int(r, 3) == 0)
        world_set_slots(w, a->name, x, n);
      else
        world_set(w, a->name, x, n);
      break;
    }
    case SAR_ATTR_LAW: {
      const char* x0 = w->force_kind[0]->local[0];
      char text[96];
      snprintf(text, sizeof text, "3*%s^3 - 2*sin(%s) + 0.7*%s", x0, x0,
               w->force_kind[0]->local[1]);
      world_set_law(w, a->name, text);
      break;
    }
    case SAR_ATTR_DIRECTION: {
      double unit[3];
      v3_store(unit, v3_unit(v3_load(x)));
      world_set(w, a->name, unit, 3);
      break;
    }
    case SAR_ATTR_MOTION:
    case SAR_ATTR_CURVE: fail_msg("'%s': motions and curves are for constraints", a->name); break;
    case SAR_ATTR_TABLE:
      for (int i = 2; i < 8; i += 2) x[i] = x[i - 2] + rng_uniform(r, 0.1, 1);
      world_set_table(w, a->name, x, 4);
      break;
    case SAR_ATTR_MATRIX6: {
      double A[36];  // any, or symmetric and positive definite
      const bool definite = rng_int(r, 2);
      for (int i = 0; i < 36; i++) {
        A[i] = definite ? 0.1 * (i % 7 == 0) : x[i];
        for (int k = 0; definite && k < 6; k++) A[i] += x[6 * (i / 6) + k] * x[6 * (i % 6) + k];
      }
      world_set(w, a->name, A, 36);
      break;
    }
    case SAR_ATTR_VECTOR6: world_set(w, a->name, x, 6); break;
    case SAR_ATTR_CHOICE: world_set_index(w, a->name, rng_int(r, 2)); break;
    case SAR_ATTR_LIST:
      world_set(w, a->name, x, 4);
      world_set_index(w, a->name, 4);
      break;
    case SAR_ATTR_NAMED: {
      int n = 1;
      for (const char* c = a->choices; *c; c++) n += *c == ' ';
      for (int i = 0; i < n; i++) x[i] = fabs(x[i]) + 0.1;
      world_set(w, a->name, x, n);
      world_set_index(w, a->name, n);
      break;
    }
    case SAR_ATTR_ROAD: random_road(w, r, a->name); break;
    case SAR_ATTR_SPAN:
      for (int i = 0; i < 6; i += 2) x[i] = i, x[i + 1] = fabs(x[i + 1]) + 0.1;
      world_set_table(w, a->name, x, 1 + rng_int(r, 3));
      break;
    case SAR_ATTR_AIRFOIL:
    case SAR_ATTR_FORCE: break;  // none
  }
}

// an element whose attributes its own check accepts; its bodies are `first` and `second`
static void random_element(World* w, const SarForceKind* kind, Rng* r, int first, int second) {
  SarError err;
  for (int attempt = 0; attempt < 1000; attempt++) {
    world_init(w, kind, r);
    for (int i = 0; i < kind->nattr; i++) {
      bool optional = kind->attr[i].def && kind->attr[i].def[0] == 0;
      if (!optional || rng_int(r, 2)) random_attr(w, &kind->attr[i], r, i == 0 ? first : second);
    }
    sar_error_init(&err);
    if (!kind->check || kind->check(&w->m, 0, (SarLoc){"test", 1, 1}, &err) == SAR_OK) {
      world_prepare(w);
      return;
    }
    assert_true(err.errors > 0);  // a refusal says why
    world_free(w);
  }
  fail_msg("no attributes suit %s", kind->name);
}

static double power_of_all(const World* w) {
  double power = 0;
  for (int b = 0; b < WORLD_BODIES; b++) power += power_of(w->V[b], w->F[b]);
  for (int i = 0; i < 6; i++) power += w->tau[i] * w->v[i];
  return power;
}

static void expect_v3(V3 a, V3 b, double tol) {
  EXPECT_NEAR(a.x, b.x, tol);
  EXPECT_NEAR(a.y, b.y, tol);
  EXPECT_NEAR(a.z, b.z, tol);
}

// ---- what every kind promises -------------------------------------------------------------------
static void every_kind_is_found_by_name_and_complete(void** state) {
  (void)state;
  int count = 0;
  for (; sar_force_kind(count); count++) {
    const SarForceKind* k = sar_force_kind(count);
    assert_ptr_equal(sar_force_kind_find(k->name), k);
    assert_true(k->doc && k->doc[0] && k->ref && k->example);
    assert_true(k->targets >= 1 && k->targets <= k->nattr && k->nattr <= SAR_FORCE_MAX_ATTR);
    assert_true(k->noutput <= SAR_FORCE_MAX_OUTPUT);
    assert_true((k->nconstant > 0 || k->constants) == (k->prepare != NULL));
    assert_true((k->states != NULL) == (k->rates && k->start && k->state_name));
    for (int i = 0; i < k->nattr; i++) {
      assert_true(k->attr[i].name && k->attr[i].doc);
      bool words = k->attr[i].type == SAR_ATTR_CHOICE || k->attr[i].type == SAR_ATTR_NAMED;
      assert_true(words == (k->attr[i].choices != NULL));
      if (i < k->targets) assert_null(k->attr[i].def);  // targets must be given
    }
    for (int i = 0; i < k->noutput; i++) assert_non_null(k->output[i]);
  }
  assert_true(count >= 8);  // none got lost
  assert_null(sar_force_kind(-1));
  assert_null(sar_force_kind_find("spring"));
}

// the power of all it exerts is what energy() loses plus what force_power says
//
// Central difference, step 1e-5, forces up to about 1e3: truncation 1e-10 * 1e3, rounding 1e-16 *
// 1e3 / 1e-5: bound 1e-6 relative to the size of what is summed.
static void power_is_accounted_for(void** state) {
  (void)state;
  Rng r = rng_seed(1);
  const double h = 1e-5;
  for (int k = 0; sar_force_kind(k); k++)
    for (int trial = 0; trial < test_effort(TRIALS); trial++) {
      World w;
      int first = rng_int(&r, 2), second = rng_int(&r, 2) ? 1 - first : -1;
      random_element(&w, sar_force_kind(k), &r, first, second);
      world_apply(&w);
      double power = power_of_all(&w), account = w.power[0];
      World before = w, after = w;
      world_move(&after, h);
      world_move(&before, -h);
      double E0 = world_energy(&before), E1 = world_energy(&after);
      double size = 1 + fabs(power) + fabs(E1);
      EXPECT_NEAR(power, account - (E1 - E0) / (2 * h), 1e-6 * size);
      if (sar_force_kind(k)->conservative) EXPECT_NEAR(account, 0, 0);
      for (int i = 0; i < sar_force_kind(k)->noutput; i++) assert_true(isfinite(w.output[i]));
      world_free(&w);
    }
}

// action = reaction: forces between two bodies add nothing to linear and angular momentum
static void pairs_keep_momentum(void** state) {
  (void)state;
  Rng r = rng_seed(2);
  for (int k = 0; sar_force_kind(k); k++) {
    if (sar_force_kind(k)->targets != 2) continue;
    for (int trial = 0; trial < test_effort(TRIALS); trial++) {
      World w;
      random_element(&w, sar_force_kind(k), &r, 0, 1);
      world_apply(&w);
      Force a = x_force(w.X_GB[0], w.F[0]), b = x_force(w.X_GB[1], w.F[1]);
      double size = 1 + v3_norm(a.f) + v3_norm(a.n);
      expect_v3(v3_add(a.f, b.f), v3_zero(), 1e-14 * size);
      expect_v3(v3_add(a.n, b.n), v3_zero(), 1e-14 * size);
      world_free(&w);
    }
  }
}

// what happens between two bodies does not depend on where in the world they are
static void pairs_do_not_feel_where_they_are(void** state) {
  (void)state;
  Rng r = rng_seed(3);
  for (int k = 0; sar_force_kind(k); k++) {
    if (sar_force_kind(k)->targets != 2) continue;
    for (int trial = 0; trial < test_effort(TRIALS); trial++) {
      World w;
      random_element(&w, sar_force_kind(k), &r, 0, 1);
      world_apply(&w);
      Force F[2] = {w.F[0], w.F[1]};
      double energy = world_energy(&w), power = w.power[0];
      Xform X = world_random_pose(&r);
      // the whole world moves away, and turns and drifts as one body
      Motion drift_G = {rng_v3(&r, -1, 1), rng_v3(&r, -1, 1)};
      for (int b = 0; b < 2; b++) {
        w.X_GB[b] = x_mul(X, w.X_GB[b]);
        w.V[b] = motion_add(w.V[b], x_motion_inv(w.X_GB[b], drift_G));
      }
      world_apply(&w);
      double size = 1 + v3_norm(F[0].f) + v3_norm(F[0].n) + fabs(power);
      for (int b = 0; b < 2; b++) {
        expect_v3(w.F[b].f, F[b].f, 1e-11 * size);
        expect_v3(w.F[b].n, F[b].n, 1e-11 * size);
      }
      EXPECT_NEAR(world_energy(&w), energy, 1e-11 * (1 + fabs(energy)));
      EXPECT_NEAR(w.power[0], power, 1e-11 * size);
      world_free(&w);
    }
  }
}

// ---- force, torque, joint force -----------------------------------------------------------------
static void body_axes_are_those_of_the_file(void** state) {
  (void)state;
  Rng r = rng_seed(4);
  World w;
  world_init(&w, sar_force_kind_find("force"), &r);
  V3 p = v3(0.1, 0.2, 0.3), f = v3(1, 2, 3);
  world_set_point(&w, "point", 1, p);
  world_set(&w, "value", (double[]){f.x, f.y, f.z}, 3);
  world_set_index(&w, "frame", 1);
  world_apply(&w);
  V3 f_B = m3_mul_v(w.X_BU[1].R, f);
  expect_v3(w.F[1].f, f_B, 1e-14);
  expect_v3(w.F[1].n, v3_cross(p, f_B), 1e-14);
  // ground axes
  world_set_index(&w, "frame", 0);
  world_apply(&w);
  expect_v3(m3_mul_v(w.X_GB[1].R, w.F[1].f), f, 1e-14);
  expect_v3(v3_load(w.output), f, 0);
  world_free(&w);
}

static void torque_turns_with_the_body_when_asked_to(void** state) {
  (void)state;
  Rng r = rng_seed(11);
  World w;
  world_init(&w, sar_force_kind_find("torque"), &r);
  V3 n = v3(1, 2, 3);
  world_set_index(&w, "body", 1);
  world_set(&w, "value", (double[]){n.x, n.y, n.z}, 3);
  world_set_index(&w, "frame", 1);
  world_apply(&w);
  expect_v3(w.F[1].n, m3_mul_v(w.X_BU[1].R, n), 1e-14);
  world_set_index(&w, "frame", 0);
  world_apply(&w);
  expect_v3(m3_mul_v(w.X_GB[1].R, w.F[1].n), n, 1e-14);
  expect_v3(w.F[1].f, v3_zero(), 0);
  world_free(&w);
}

static void joint_force_acts_on_the_component_asked_for(void** state) {
  (void)state;
  Rng r = rng_seed(5);
  World w;
  SarError err;
  world_init(&w, sar_force_kind_find("joint_force"), &r);
  world_set_index(&w, "joint", 1);
  world_set_number(&w, "value", 2.5);
  world_set_number(&w, "component", 3);
  world_apply(&w);
  EXPECT_ARRAY_NEAR(w.tau, ((double[]){0, 0, 0, 0, 0, 2.5}), 6, 0);
  EXPECT_NEAR(w.power[0], 2.5 * w.v[5], 0);
  for (int i = 0; i < 3; i++) {
    double wrong[3] = {0, 4, 1.5};
    world_set_number(&w, "component", wrong[i]);
    sar_error_init(&err);
    EXPECT_STATUS(w.force_kind[0]->check(&w.m, 0, (SarLoc){"f", 1, 1}, &err), SAR_BAD_MODEL);
    assert_int_equal(err.errors, 1);
  }
  world_free(&w);
}

// ---- spring and damper --------------------------------------------------------------------------
// from ground (0, 0, 0) to body 0 at (0, 3, 4), which moves away at 10 m/s along (0, 3/5, 4/5)
static void stretched_spring(World* w) {
  Rng r = rng_seed(6);
  world_init(w, sar_force_kind_find("spring_damper"), &r);
  w->X_GB[0] = (Xform){m3_identity(), v3(0, 3, 4)};
  w->V[0] = (Motion){v3_zero(), v3(7, 6, 8)};
  world_set_point(w, "first", -1, v3_zero());
  world_set_point(w, "second", 0, v3_zero());
}

static void linear_spring_follows_hookes_law(void** state) {
  (void)state;
  World w;
  stretched_spring(&w);
  world_set_number(&w, "stiffness", 100);
  world_set_number(&w, "length", 4.5);
  world_set_number(&w, "damping", 2);
  world_prepare(&w);
  world_apply(&w);
  EXPECT_ARRAY_NEAR(w.output, ((double[]){5, 10, 100 * 0.5 + 2 * 10}), 3, 1e-13);
  expect_v3(w.F[0].f, v3(0, -42, -56), 1e-12);  // 70 N towards the first point
  EXPECT_NEAR(world_energy(&w), 0.5 * 100 * 0.25, 1e-12);
  EXPECT_NEAR(w.power[0], -2 * 100, 1e-12);  // -c rate^2: the damper alone
  world_free(&w);
}

static void spring_without_length_is_at_rest_as_designed(void** state) {
  (void)state;
  World w;
  stretched_spring(&w);
  w.X_PF[0] = (Xform){m3_identity(), v3(0, 0, 2)};
  world_set_number(&w, "stiffness", 10);
  world_prepare(&w);
  world_apply(&w);
  EXPECT_NEAR(w.output[2], 10 * (5 - 2), 1e-13);
  world_free(&w);
}

static void spring_table_interpolates_and_integrates(void** state) {
  (void)state;
  World w;
  stretched_spring(&w);
  const double rows[] = {1, -10, 2, 0, 4, 30};
  world_set_table(&w, "table", rows, 3);
  world_prepare(&w);
  // length, tension, energy = integral of the tension from the first row on
  const double cases[][3] = {
      {0.5, -10, 5}, {1.5, -5, -3.75}, {2, 0, -5}, {3, 15, 2.5}, {5, 30, 55}};
  for (int i = 0; i < 5; i++) {
    w.X_GB[0].p = v3(cases[i][0], 0, 0);
    world_apply(&w);
    EXPECT_NEAR(w.output[2], cases[i][1], 1e-13);
    EXPECT_NEAR(world_energy(&w), cases[i][2], 1e-13);
  }
  world_free(&w);
}

static void spring_law_is_all_work(void** state) {
  (void)state;
  World w;
  stretched_spring(&w);
  world_set_law(&w, "law", "2*length^2 + 0.5*rate");
  world_prepare(&w);
  world_apply(&w);
  EXPECT_NEAR(w.output[2], 55, 1e-12);
  EXPECT_NEAR(w.power[0], -55 * 10, 1e-11);
  EXPECT_NEAR(world_energy(&w), 0, 0);
  world_free(&w);
}

// the two points meet: no direction, no force, no NaN; nearby the force goes to its limit
static void spring_of_no_length_pulls_nowhere(void** state) {
  (void)state;
  World w;
  stretched_spring(&w);
  world_set_number(&w, "stiffness", 10);
  world_set_number(&w, "length", 1);
  world_set_number(&w, "damping", 2);
  world_prepare(&w);
  w.X_GB[0].p = v3_zero();
  world_apply(&w);
  expect_v3(w.F[0].f, v3_zero(), 0);
  EXPECT_ARRAY_NEAR(w.output, ((double[]){0, 0, -10}), 3, 0);
  EXPECT_NEAR(world_energy(&w), 5, 0);
  EXPECT_NEAR(w.power[0], 0, 0);
  w.X_GB[0].p = v3(1e-300, 0, 0);
  world_apply(&w);
  assert_true(isfinite(w.F[0].f.x) && isfinite(w.power[0]));
  world_free(&w);
}

// a stiffness that varies in time does work that no energy holds
static void varying_stiffness_is_all_work(void** state) {
  (void)state;
  World w;
  stretched_spring(&w);
  world_set_slots(&w, "stiffness", (double[]){100}, 1);
  world_set_number(&w, "length", 4);
  world_prepare(&w);
  world_apply(&w);
  EXPECT_NEAR(w.output[2], 100, 1e-12);
  EXPECT_NEAR(world_energy(&w), 0, 0);
  EXPECT_NEAR(w.power[0], -100 * 10, 1e-10);
  world_free(&w);
}

// T = 2 + 3 L - L^2, and a damper by table; energy from the design length on
static void spring_polynomial_has_energy(void** state) {
  (void)state;
  World w;
  stretched_spring(&w);
  w.X_PF[0] = (Xform){m3_identity(), v3(0, 0, 2)};
  world_set(&w, "polynomial", (double[]){2, 3, -1}, 3);
  world_set_index(&w, "polynomial", 3);
  world_set_table(&w, "damper_table", (double[]){-1, -5, 0, 0, 20, 8}, 3);
  world_prepare(&w);
  world_apply(&w);
  EXPECT_NEAR(w.output[2], 2 + 15 - 25 + 4, 1e-12);
  EXPECT_NEAR(w.power[0], -4 * 10, 1e-12);
  EXPECT_NEAR(world_energy(&w), 2 * 3 + 1.5 * (25 - 4) - (125 - 8) / 3.0, 1e-12);
  world_free(&w);
}

// along an axis of the first body the second point may slide sideways, and the pull goes through it
static void spring_along_an_axis_slides(void** state) {
  (void)state;
  World w;
  Rng r = rng_seed(12);
  world_init(&w, sar_force_kind_find("spring_damper"), &r);
  for (int b = 0; b < 2; b++) w.X_PF[b] = w.X_GB[b] = x_identity(), w.V[b] = motion_zero();
  w.X_GB[1].p = v3(0.3, 0.4, 2);
  w.V[1].v = v3(5, 6, 7);
  world_set_point(&w, "first", 0, v3_zero());
  world_set_point(&w, "second", 1, v3_zero());
  world_set(&w, "axis", (double[]){0, 0, 1}, 3);
  world_set_number(&w, "stiffness", 10);
  world_set_number(&w, "length", 1.5);
  world_prepare(&w);
  world_apply(&w);
  EXPECT_ARRAY_NEAR(w.output, ((double[]){2, 7, 5}), 3, 1e-14);
  expect_v3(w.F[0].f, v3(0, 0, 5), 1e-14);
  expect_v3(w.F[0].n, v3(0.4 * 5, -0.3 * 5, 0), 1e-14);
  expect_v3(w.F[1].f, v3(0, 0, -5), 1e-14);
  world_free(&w);
}

// one-sided: pushes below its length, holds beyond it, never the other way, and knows where it
// switches
static void bump_stop_acts_on_one_side(void** state) {
  (void)state;
  for (int side = 0; side < 2; side++) {
    World w;
    Rng r = rng_seed(13);
    world_init(&w, sar_force_kind_find("bump_stop"), &r);
    w.X_GB[0] = (Xform){m3_identity(), v3(0, 3, 4)};
    w.V[0] = motion_zero();
    world_set_point(&w, "first", -1, v3_zero());
    world_set_point(&w, "second", 0, v3_zero());
    world_set_number(&w, "stiffness", 100);
    world_set_number(&w, "damping", 2);
    world_set_index(&w, "side", side);
    const double sign = side == 0 ? -1 : 1;
    // 0.5 m within reach, at rest; then leaving so fast that it lets go; then out of reach
    world_set_number(&w, "length", 5 - sign * 0.5);
    world_prepare(&w);
    world_apply(&w);
    EXPECT_NEAR(w.output[2], sign * 50, 1e-12);
    EXPECT_NEAR(world_energy(&w), 12.5, 1e-12);
    assert_true(w.slot[WORLD_SWITCH] > 0 && w.slot[WORLD_SWITCH + 1] > 0);
    w.V[0].v = v3(0, -sign * 0.6 * 30, -sign * 0.8 * 30);
    world_apply(&w);
    EXPECT_NEAR(w.output[2], 0, 0);
    EXPECT_NEAR(w.power[0], -100 * 0.5 * 30, 1e-9);  // what was in the spring is lost
    assert_true(w.slot[WORLD_SWITCH] > 0 && w.slot[WORLD_SWITCH + 1] < 0);
    w.X_GB[0].p = v3(0, 3 - sign * 3, 4 - sign * 3.9);
    world_apply(&w);
    EXPECT_NEAR(w.output[2], 0, 0);
    EXPECT_NEAR(world_energy(&w), 0, 0);
    assert_true(w.slot[WORLD_SWITCH] < 0);
    world_free(&w);
  }
}

// ---- torsion ------------------------------------------------------------------------------------
static void torsion_between(World* w, V3 axis) {
  Rng r = rng_seed(7);
  world_init(w, sar_force_kind_find("torsion"), &r);
  world_set_index(w, "first", 0);
  world_set_index(w, "second", 1);
  world_set(w, "axis", (double[]){axis.x, axis.y, axis.z}, 3);
}

// body 1 turned against its design orientation by xi (axes of the world at design), body 0 as
// designed
static void turn_second(World* w, V3 xi) {
  w->X_GB[0] = w->X_PF[0];
  w->X_GB[1] = (Xform){m3_mul(quat_to_m3(quat_exp(xi)), w->X_PF[1].R), w->X_PF[1].p};
  w->V[0] = motion_zero();
}

static void torsion_on_a_pure_twist_is_a_hinge_spring(void** state) {
  (void)state;
  World w;
  V3 axis = v3(0, 0.6, 0.8);
  torsion_between(&w, v3_scale(3, axis));
  world_set_number(&w, "stiffness", 20);
  world_set_number(&w, "rest", 0.1);
  world_set_number(&w, "damping", 2);
  world_prepare(&w);
  const double angles[] = {0, 0.5, -2, 3, -3.1};
  for (int i = 0; i < 5; i++) {
    turn_second(&w, v3_scale(angles[i], axis));
    w.V[1].w = m3_tmul_v(w.X_GB[1].R, v3_scale(1.5, axis));
    world_apply(&w);
    double x = angles[i] - 0.1;
    if (x < -PI) x += 2 * PI;  // the shorter way to the rest angle
    EXPECT_ARRAY_NEAR(w.output, ((double[]){angles[i], 1.5, 20 * x + 3}), 3, 1e-12);
    expect_v3(m3_mul_v(w.X_GB[1].R, w.F[1].n), v3_scale(-(20 * x + 3), axis), 1e-12);
    EXPECT_NEAR(world_energy(&w), 10 * x * x, 1e-12);
    EXPECT_NEAR(w.power[0], -2 * 1.5 * 1.5, 1e-12);
  }
  world_free(&w);
}

static void torsion_does_not_feel_a_swing(void** state) {
  (void)state;
  World w;
  torsion_between(&w, v3(0, 0, 1));
  world_set_number(&w, "stiffness", 20);
  world_prepare(&w);
  turn_second(&w, v3(1.2, 0.3, 0));
  world_apply(&w);
  EXPECT_NEAR(w.output[0], 0, 1e-15);
  expect_v3(w.F[1].n, v3_zero(), 1e-13);
  // half a turn of swing: the twist is not defined, and nothing is not a number
  turn_second(&w, v3(PI, 0, 0));
  world_apply(&w);
  assert_true(isfinite(w.output[0]) && isfinite(w.output[1]) && isfinite(w.F[1].n.x));
  world_free(&w);
}

// ---- deformable hinge ---------------------------------------------------------------------------
static const double WORLD_AXES[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0.3, 0.1, -0.2};

static void hinge_between(World* w, const char* kind) {
  Rng r = rng_seed(17);
  world_init(w, sar_force_kind_find(kind), &r);
  world_set_index(w, "first", 0);
  world_set_index(w, "second", 1);
  world_set(w, "frame", WORLD_AXES, 12);
}

// T = k a + c a' + 7 a^3 about each axis alone, with the energy of the spring
static void deformable_hinge_about_one_axis(void** state) {
  (void)state;
  for (int axis = 0; axis < 3; axis++) {
    static const char* const law[] = {"7*rx^3", "7*ry^3", "7*rz^3"};
    static const char* const name[] = {"law_x", "law_y", "law_z"};
    const double k[3] = {20, 30, 40}, c[3] = {2, 3, 4}, a = -1.2, rate = 0.7;
    const V3 e = v3(axis == 0, axis == 1, axis == 2);
    World w;
    hinge_between(&w, "deformable_hinge");
    world_set(&w, "stiffness", k, 3);
    world_set(&w, "damping", c, 3);
    world_set_law(&w, name[axis], law[axis]);
    world_prepare(&w);
    turn_second(&w, v3_scale(a, e));
    w.V[1].w = m3_tmul_v(w.X_GB[1].R, v3_scale(rate, e));
    world_apply(&w);
    const double damper = c[axis] * rate + 7 * a * a * a, moment = -k[axis] * a - damper;
    EXPECT_NEAR(w.output[axis], a, 1e-14);
    EXPECT_NEAR(w.output[3 + axis], rate, 1e-14);
    EXPECT_NEAR(w.output[6 + axis], moment, 1e-12);
    expect_v3(m3_mul_v(w.X_GB[1].R, w.F[1].n), v3_scale(moment, e), 1e-12);
    EXPECT_NEAR(world_energy(&w), 0.5 * k[axis] * a * a, 1e-12);
    EXPECT_NEAR(w.power[0], -damper * rate, 1e-12);
    world_free(&w);
  }
}

// At any angle it is the bushing without stiffness of shifts.
static void deformable_hinge_is_a_bushing_that_shifts_freely(void** state) {
  (void)state;
  const double k[6] = {0, 0, 0, 20, 30, 40}, c[6] = {0, 0, 0, 2, 3, 4}, p[6] = {0, 0, 0, 1, -2, 3};
  double K[36] = {0}, C[36] = {0};
  for (int i = 0; i < 6; i++) K[7 * i] = k[i], C[7 * i] = c[i];
  World hinge, bushing;
  hinge_between(&hinge, "deformable_hinge");
  hinge_between(&bushing, "bushing");
  world_set(&hinge, "stiffness", k + 3, 3);
  world_set(&hinge, "damping", c + 3, 3);
  world_set(&hinge, "preload", p + 3, 3);
  world_set(&bushing, "stiffness", K, 36);
  world_set(&bushing, "damping", C, 36);
  world_set(&bushing, "preload", p, 6);
  world_prepare(&hinge);
  world_prepare(&bushing);
  World* both[2] = {&hinge, &bushing};
  for (int i = 0; i < 2; i++) {
    turn_second(both[i], v3(0.9, -1.1, 0.8));
    both[i]->V[1].w = v3(0.4, 0.5, -0.6);
    both[i]->V[1].v = v3_zero();
    world_apply(both[i]);
  }
  expect_v3(hinge.F[1].n, bushing.F[1].n, 1e-12);
  expect_v3(hinge.F[0].n, bushing.F[0].n, 1e-12);
  EXPECT_NEAR(world_energy(&hinge), world_energy(&bushing), 1e-12);
  EXPECT_NEAR(hinge.power[0], bushing.power[0], 1e-12);
  world_free(&hinge);
  world_free(&bushing);
}

// ---- bushing ------------------------------------------------------------------------------------
static void bushing_between(World* w) {
  Rng r = rng_seed(8);
  world_init(w, sar_force_kind_find("bushing"), &r);
  world_set_index(w, "first", 0);
  world_set_index(w, "second", 1);
  world_set(w, "frame", (double[]){1, 0, 0, 0, 0, -1, 0, 1, 0, 0.1, 0.2, 0.3}, 12);
}

static void bushing_gives_K_times_small_deflections(void** state) {
  (void)state;
  World w;
  bushing_between(&w);
  double K[36], x[6] = {1e-6, -2e-6, 3e-6, 2e-6, 1e-6, -1e-6}, y[6] = {0};
  Rng r = rng_seed(9);
  random_numbers(&r, K, 36, -100, 100);
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) y[i] -= K[6 * i + j] * x[j];
  world_set(&w, "stiffness", K, 36);
  world_prepare(&w);
  // move the second body by x, given in the bushing's frame
  Xform X_GF = {{1, 0, 0, 0, 0, -1, 0, 1, 0}, v3(0.1, 0.2, 0.3)};
  Xform move = {quat_to_m3(quat_exp(v3_load(x + 3))), v3_load(x)};
  w.X_GB[0] = w.X_PF[0];
  w.X_GB[1] = x_mul(x_mul(X_GF, move), x_mul(x_inv(X_GF), w.X_PF[1]));
  world_apply(&w);
  // second-order terms: 100 * (3e-6)^2
  EXPECT_ARRAY_NEAR(w.output, x, 6, 1e-15);
  EXPECT_ARRAY_NEAR(w.output + 6, y, 6, 1e-9);
  world_free(&w);
}

static void bushing_preload_acts_at_rest(void** state) {
  (void)state;
  World w;
  bushing_between(&w);
  const double preload[6] = {1, 2, 3, 4, 5, 6};
  world_set(&w, "preload", preload, 6);
  world_prepare(&w);
  w.X_GB[0] = w.X_PF[0], w.X_GB[1] = w.X_PF[1];
  world_apply(&w);
  EXPECT_ARRAY_NEAR(w.output + 6, preload, 6, 1e-14);
  EXPECT_NEAR(w.power[0], 0, 0);
  world_free(&w);
}

// ---- checks -------------------------------------------------------------------------------------
typedef struct Wrong {
  const char* kind;
  const char* given;  // names of optional attributes that are given, one blank between
  bool fine;
} Wrong;

static bool has_word(const char* words, const char* word) {
  const size_t n = strlen(word);
  for (const char* w = words; *w; w += strspn(w, " ")) {
    const size_t length = strcspn(w, " ");
    if (length == n && memcmp(w, word, n) == 0) return true;
    w += length;
  }
  return false;
}

// which attributes may stand together
static void contradictory_attributes_are_refused(void** state) {
  (void)state;
  const Wrong cases[] = {
      {"spring_damper", "stiffness", true},
      {"spring_damper", "damping", true},
      {"spring_damper", "stiffness length damping", true},
      {"spring_damper", "table damping", true},
      {"spring_damper", "law", true},
      {"spring_damper", "", false},
      {"spring_damper", "length", false},
      {"spring_damper", "stiffness table", false},
      {"spring_damper", "law damping", false},
      {"spring_damper", "law stiffness", false},
      {"spring_damper", "table length", false},
      {"spring_damper", "polynomial damper_table axis", true},
      {"spring_damper", "stiffness damper", true},
      {"spring_damper", "damper_polynomial", true},
      {"spring_damper", "polynomial table", false},
      {"spring_damper", "damper damping", false},
      {"spring_damper", "law damper", false},
      {"spring_damper", "polynomial length", false},
      {"tyre", "", true},
      {"tyre", "calspan", true},
      {"tyre", "linear", true},
      {"tyre", "calspan linear", false},
      {"torsion", "stiffness rest damping", true},
      {"torsion", "law", true},
      {"torsion", "rest", false},
      {"torsion", "law damping", false},
      {"bushing", "stiffness", true},
      {"bushing", "", false},
      {"deformable_hinge", "stiffness damping preload law_x law_y law_z", true},
      {"deformable_hinge", "law_z", true},
      {"deformable_hinge", "", false},
  };
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
    Rng r = rng_seed(10);
    World w;
    SarError err;
    const SarForceKind* kind = sar_force_kind_find(cases[c].kind);
    world_init(&w, kind, &r);
    for (int i = 0; i < kind->nattr; i++) {
      bool optional = kind->attr[i].def && kind->attr[i].def[0] == 0;
      if (optional && !has_word(cases[c].given, kind->attr[i].name)) continue;
      random_attr(&w, &kind->attr[i], &r, i == 0 ? 0 : 1);
      // constants only: an axis must not vary
      if (strcmp(kind->attr[i].name, "axis") == 0) world_set(&w, "axis", (double[]){0, 0, 1}, 3);
    }
    sar_error_init(&err);
    SarStatus status = kind->check(&w.m, 0, (SarLoc){"f", 1, 1}, &err);
    if ((status == SAR_OK) != cases[c].fine)
      fail_msg("%s with '%s': %s", kind->name, cases[c].given, sar_status_text(status));
    assert_true((err.errors == 0) == cases[c].fine);
    world_free(&w);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kind_is_found_by_name_and_complete),
      cmocka_unit_test(power_is_accounted_for),
      cmocka_unit_test(pairs_keep_momentum),
      cmocka_unit_test(pairs_do_not_feel_where_they_are),
      cmocka_unit_test(body_axes_are_those_of_the_file),
      cmocka_unit_test(torque_turns_with_the_body_when_asked_to),
      cmocka_unit_test(joint_force_acts_on_the_component_asked_for),
      cmocka_unit_test(linear_spring_follows_hookes_law),
      cmocka_unit_test(spring_without_length_is_at_rest_as_designed),
      cmocka_unit_test(spring_table_interpolates_and_integrates),
      cmocka_unit_test(spring_law_is_all_work),
      cmocka_unit_test(spring_of_no_length_pulls_nowhere),
      cmocka_unit_test(varying_stiffness_is_all_work),
      cmocka_unit_test(spring_polynomial_has_energy),
      cmocka_unit_test(spring_along_an_axis_slides),
      cmocka_unit_test(bump_stop_acts_on_one_side),
      cmocka_unit_test(torsion_on_a_pure_twist_is_a_hinge_spring),
      cmocka_unit_test(torsion_does_not_feel_a_swing),
      cmocka_unit_test(deformable_hinge_about_one_axis),
      cmocka_unit_test(deformable_hinge_is_a_bushing_that_shifts_freely),
      cmocka_unit_test(bushing_gives_K_times_small_deflections),
      cmocka_unit_test(bushing_preload_acts_at_rest),
      cmocka_unit_test(contradictory_attributes_are_refused),
  };
  return cmocka_run_group_tests_name("forces", tests, NULL, NULL);
}
