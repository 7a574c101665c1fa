// Tyres and roads: side forces against their equations, contact, standstill, profiles.
#include "support/element_world.h"

#include "elements/forces/calspan.h"
#include "elements/road.h"

static const double PI = 3.14159265358979323846;

// of the benchmark: A0 A1 A2 A3 A4 B1 B3 B4 SN K1 K2
static const double BENCHMARK[] = {2625,  14.47,    12930,  2.29,     18175,  -4.64e-5,
                                   1.216, 2.18e-11, 1.0274, -1.71e-5, 1.71e-5};

// ---- side force ---------------------------------------------------------------------------------
// For small angles Fy = N alpha + N G gamma; at the front load of the Iltis the benchmark's linear
// tyre has 41641 N/rad and 6925 N/rad.
static void calspan_is_linear_for_small_angles(void** state) {
  (void)state;
  const double F = 3830, small = 1e-6;
  // rounded loads in the source: 0.1 %
  EXPECT_NEAR(calspan_force(BENCHMARK, F, small, 0).Fy / small, -41641, 41);
  EXPECT_NEAR(calspan_force(BENCHMARK, F, 0, small).Fy / small, -6925, 7);
}

// beyond |s| = 3 friction carries all: Fy = f F
static void calspan_saturates(void** state) {
  (void)state;
  const double F = 4000, f = (-4.64e-5 * F + 1.216 + 2.18e-11 * F * F) * 1.0274;
  EXPECT_NEAR(calspan_force(BENCHMARK, F, 1, 0).Fy, -f * F, 1e-9);
  EXPECT_NEAR(calspan_force(BENCHMARK, F, -1, 0).Fy, f * F, 1e-9);
  EXPECT_NEAR(calspan_force(BENCHMARK, F, 1, 0).Fy_alpha, 0, 0);
  EXPECT_NEAR(calspan_force(BENCHMARK, 0, 1, 0).Fy, 0, 0);
}

// The force does not jump where the load passes A2.
static void calspan_is_continuous_at_A2(void** state) {
  (void)state;
  const double d = 1e-6;
  const SideForce low = calspan_force(BENCHMARK, 12930 - d, 0.1, 0.05);
  const SideForce high = calspan_force(BENCHMARK, 12930 + d, 0.1, 0.05);
  EXPECT_NEAR(low.Fy, high.Fy, 1e-5);
  EXPECT_NEAR(low.Mz, high.Mz, 1e-5);
}

// Central differences of relative step 1e-6: truncation about 1e-12 of the third derivative,
// rounding 1e-16 / 1e-6 of the value: 1e-6 of the largest is safe.
static void calspan_slopes_are_derivatives(void** state) {
  (void)state;
  Rng r = rng_seed(1);
  for (int i = 0; i < test_effort(500); i++) {
    const double F = rng_uniform(&r, 100, 16000), a = rng_uniform(&r, -0.4, 0.4);
    const double g = rng_uniform(&r, -0.3, 0.3), hF = 1e-2, h = 1e-6;
    if (fabs(F - 12930) < 1) continue;
    const SideForce p = calspan_force(BENCHMARK, F, a, g);
    const SideForce F1 = calspan_force(BENCHMARK, F + hF, a, g),
                    F0 = calspan_force(BENCHMARK, F - hF, a, g);
    const SideForce a1 = calspan_force(BENCHMARK, F, a + h, g),
                    a0 = calspan_force(BENCHMARK, F, a - h, g);
    const SideForce g1 = calspan_force(BENCHMARK, F, a, g + h),
                    g0 = calspan_force(BENCHMARK, F, a, g - h);
    EXPECT_NEAR(p.Fy_F, (F1.Fy - F0.Fy) / (2 * hF), 1e-5);
    EXPECT_NEAR(p.Fy_alpha, (a1.Fy - a0.Fy) / (2 * h), 0.1);
    EXPECT_NEAR(p.Fy_gamma, (g1.Fy - g0.Fy) / (2 * h), 0.1);
    EXPECT_NEAR(p.Mz_F, (F1.Mz - F0.Mz) / (2 * hF), 1e-5);
    EXPECT_NEAR(p.Mz_alpha, (a1.Mz - a0.Mz) / (2 * h), 0.1);
    EXPECT_NEAR(p.Mz_gamma, (g1.Mz - g0.Mz) / (2 * h), 0.1);
  }
}

// ---- the element --------------------------------------------------------------------------------
// wheel of radius 0.5 and 1000 N/m upright at height z, moving at v
static void wheel_at(World* w, double z, V3 v) {
  Rng r = rng_seed(2);
  world_init(w, sar_force_kind_find("tyre"), &r);
  w->X_PF[0] = x_identity();
  w->X_GB[0] = (Xform){m3_identity(), v3(0, 0, z)};
  w->V[0] = (Motion){v3(0, 40, 0), v};
  world_set_point(w, "wheel", 0, v3_zero());
  world_set(w, "axis", (double[]){0, 1, 0}, 3);
  world_set_number(w, "radius", 0.5);
  world_set_number(w, "stiffness", 1000);
  world_set_number(w, "damping", 0);
  world_set_number(w, "slow", 0.1);
  world_set(w, "calspan", BENCHMARK, 11);
  world_set_index(w, "calspan", 11);
  world_prepare(w);
  world_apply(w);
}

enum { LOAD, LATERAL, ALIGNING, SLIP, CAMBER, DEFLECTION };

static void tyre_carries_and_steers(void** state) {
  (void)state;
  World w;
  wheel_at(&w, 0.4, v3(10, 1, 0));
  const double alpha = atan2(1, hypot(10, 0.1));
  const SideForce side = calspan_force(BENCHMARK, 100, alpha, 0);
  EXPECT_NEAR(w.output[LOAD], 100, 1e-12);
  EXPECT_NEAR(w.output[SLIP], alpha, 1e-15);
  EXPECT_NEAR(w.output[LATERAL], side.Fy, 1e-12);
  EXPECT_NEAR(w.output[CAMBER], 0, 0);
  assert_true(side.Fy < 0);  // against the slip
  // at the contact, 0.4 m below: about x the side force turns the wheel
  EXPECT_NEAR(w.F[0].n.x, 0.4 * side.Fy, 1e-12);
  EXPECT_NEAR(w.F[0].n.y, 0, 1e-12);
  EXPECT_NEAR(w.F[0].n.z, side.Mz * 10 / hypot(10, 0.1), 1e-12);  // it rolls
  EXPECT_NEAR(world_energy(&w), 0.5 * 1000 * 0.01, 1e-12);
  EXPECT_NEAR(w.power[0], side.Fy * 1, 1e-12);
  world_free(&w);
}

// A wheel leant to y has camber and pushes there when it rolls; standing it does not.
static void camber_pushes_a_rolling_wheel(void** state) {
  (void)state;
  const double lean = 0.05;
  for (int rolls = 0; rolls < 2; rolls++) {
    World w;
    wheel_at(&w, 0.4, v3_zero());
    w.X_GB[0].R = quat_to_m3(quat_exp(v3(-lean, 0, 0)));  // top to +y, axis down at its +y end
    w.V[0].v = v3(rolls ? 20 : 0, 0, 0);
    world_apply(&w);
    EXPECT_NEAR(w.output[CAMBER], -lean, 1e-12);
    if (rolls)
      assert_true(w.output[LATERAL] > 0);
    else
      EXPECT_NEAR(w.output[LATERAL], 0, 0);
    world_free(&w);
  }
}

// nothing is not a number: at standstill, off the road, lying flat, without load
static void tyre_has_no_holes(void** state) {
  (void)state;
  const double z[] = {0.4, 0.5, 0.6, -0.5, 0};
  for (int i = 0; i < 5; i++)
    for (int flat = 0; flat < 2; flat++) {
      World w;
      wheel_at(&w, z[i], v3_zero());
      if (flat) w.X_GB[0].R = quat_to_m3(quat_exp(v3(PI / 2, 0, 0)));
      w.V[0] = motion_zero();
      world_apply(&w);
      for (int k = 0; k < 9; k++) assert_true(isfinite(w.output[k]));
      assert_true(isfinite(w.F[0].n.x) && isfinite(w.F[0].f.z) && isfinite(w.power[0]));
      if (z[i] >= 0.5) EXPECT_NEAR(w.output[LOAD], 0, 0);
      assert_true((w.slot[WORLD_SWITCH] > 0) == (z[i] < 0.5));
      world_free(&w);
    }
}

// ---- roads --------------------------------------------------------------------------------------
// ramp to 1 over [0, 2], smooth step of 0.5 over [3, 4], bump of 0.2 over [5, 6] on the left
static void road_profiles_and_slopes(void** state) {
  (void)state;
  double numbers[] = {SAR_FEATURE_RAMP,
                      SAR_SIDE_BOTH,
                      0,
                      2,
                      1,
                      SAR_FEATURE_SMOOTH,
                      SAR_SIDE_BOTH,
                      3,
                      4,
                      0.5,
                      SAR_FEATURE_BUMP,
                      SAR_SIDE_LEFT,
                      5,
                      6,
                      0.2,
                      0,
                      2,
                      3,
                      4,
                      5,
                      6};
  SarRoad road = {.feature = 0, .num = 3, .law = -1, .station = 15, .stations = 6};
  SarModel m = {.attr_data = numbers, .road = &road, .nroad = 1};
  SarData d = {.m = &m};
  const double cases[][3] = {{-1, 1, 0},    {1, 1, 0.5},   {2.5, 1, 1},    {3.5, 1, 1.25},
                             {4.5, 1, 1.5}, {5.5, 1, 1.7}, {5.5, -1, 1.5}, {7, 1, 1.5}};
  for (int i = 0; i < 8; i++)
    EXPECT_NEAR(sar_road_at(&m, &d, 0, cases[i][0], cases[i][1]).z, cases[i][2], 1e-15);
  // slopes by central differences: third derivatives are below 0.1 (2 pi)^3, so 1e-9 holds for h =
  // 1e-5
  const double h = 1e-5;
  for (double x = -0.55; x < 7; x += 0.1) {
    const SarRoadPoint p = sar_road_bend(&m, &d, 0, x, 1);
    const SarRoadPoint p1 = sar_road_bend(&m, &d, 0, x + h, 1),
                       p0 = sar_road_bend(&m, &d, 0, x - h, 1);
    EXPECT_NEAR(p.zx, (p1.z - p0.z) / (2 * h), 1e-8);
    EXPECT_NEAR(p.zxx, (p1.zx - p0.zx) / (2 * h), 1e-7);
  }
  // one change of sign at every station
  double side = sar_road_at(&m, &d, 0, -1, 1).side;
  for (int i = 0; i < 6; i++) {
    const double before = sar_road_at(&m, &d, 0, numbers[15 + i] - 1e-3, 1).side;
    const double after = sar_road_at(&m, &d, 0, numbers[15 + i] + 1e-3, 1).side;
    assert_true(before * side > 0 && after * before < 0);
    side = after;
  }
  EXPECT_NEAR(sar_road_at(&m, &d, -1, 3, 4).z, 0, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(calspan_is_linear_for_small_angles),
      cmocka_unit_test(calspan_saturates),
      cmocka_unit_test(calspan_is_continuous_at_A2),
      cmocka_unit_test(calspan_slopes_are_derivatives),
      cmocka_unit_test(tyre_carries_and_steers),
      cmocka_unit_test(camber_pushes_a_rolling_wheel),
      cmocka_unit_test(tyre_has_no_holes),
      cmocka_unit_test(road_profiles_and_slopes),
  };
  return cmocka_run_group_tests_name("tyre", tests, NULL, NULL);
}
