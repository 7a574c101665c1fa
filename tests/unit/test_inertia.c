// Mass properties of solids against integrals over slices, and what the compiler makes of them.
#include "support/test.h"
#include "support/model_file.h"

#include "model/inertia.h"
#include "model/model.h"

#define PI 3.14159265358979323846

// A solid of revolution: outer and inner radius of the slice at z.
typedef struct Slice {
  double outer, inner;
} Slice;

static Slice slice_at(SpecShapeKind kind, const double* s, double z) {
  double half = s[1] / 2, beyond = fabs(z) - half;
  switch (kind) {
    case SPEC_CYLINDER: return (Slice){fabs(z) <= half ? s[0] : 0, 0};
    case SPEC_TUBE: return (Slice){fabs(z) <= half ? s[0] : 0, fabs(z) <= half ? s[2] : 0};
    case SPEC_SPHERE: return (Slice){sqrt(fmax(0, s[0] * s[0] - z * z)), 0};
    case SPEC_CAPSULE:
      return (Slice){beyond <= 0 ? s[0] : sqrt(fmax(0, s[0] * s[0] - beyond * beyond)), 0};
    case SPEC_ELLIPSOID:  // rx = ry
      return (Slice){s[0] * sqrt(fmax(0, 1 - z * z / (s[2] * s[2]))), 0};
    default: return (Slice){0, 0};
  }
}

// V = int A dz,  Izz = int pi/2 (R^4 - r^4) dz,  Ixx = int pi/4 (R^4 - r^4) + A z^2 dz
static void integrate(SpecShapeKind kind, const double* s, double reach, double* V, double* Ixx,
                      double* Izz) {
  enum { N = 200000 };
  *V = *Ixx = *Izz = 0;
  for (int i = 0; i < N; i++) {
    double z = reach * (2 * (i + 0.5) / N - 1), dz = 2 * reach / N;
    Slice c = slice_at(kind, s, z);
    double area = PI * (c.outer * c.outer - c.inner * c.inner);
    double fourth = PI * (pow(c.outer, 4) - pow(c.inner, 4));
    *V += area * dz;
    *Izz += fourth / 2 * dz;
    *Ixx += (fourth / 4 + area * z * z) * dz;
  }
}

static void round_solids_match_their_slices(void** state) {
  (void)state;
  static const struct {
    SpecShapeKind kind;
    double size[3], reach;
  } solids[] = {{SPEC_CYLINDER, {0.3, 1.1, 0}, 0.55},
                {SPEC_TUBE, {0.4, 0.9, 0.25}, 0.45},
                {SPEC_SPHERE, {0.7, 0, 0}, 0.7},
                {SPEC_CAPSULE, {0.2, 0.8, 0}, 0.6},
                {SPEC_ELLIPSOID, {0.5, 0.5, 0.9}, 0.9}};
  for (size_t i = 0; i < sizeof solids / sizeof solids[0]; i++) {
    double V, Ixx, Izz;
    integrate(solids[i].kind, solids[i].size, solids[i].reach, &V, &Ixx, &Izz);
    V3 g = sar_shape_gyration(solids[i].kind, solids[i].size);
    // midpoint rule, 2e5 slices; the steep ends of round solids leave about 1e-8
    EXPECT_NEAR(sar_shape_volume(solids[i].kind, solids[i].size), V, 1e-6 * V);
    EXPECT_NEAR(g.z * V, Izz, 1e-6 * Izz);
    EXPECT_NEAR(g.x * V, Ixx, 1e-6 * Ixx);
    EXPECT_NEAR(g.y, g.x, 0);
  }
}

static void solids_meet_at_their_limits(void** state) {
  (void)state;
  const double sphere[3] = {0.3, 0, 0}, capsule[3] = {0.3, 0, 0}, ball[3] = {0.3, 0.3, 0.3};
  const double thin[3] = {1e-9, 2, 0}, tube[3] = {0.3, 2, 0}, rod[3] = {0, 2, 0};
  V3 s = sar_shape_gyration(SPEC_SPHERE, sphere);
  V3 c = sar_shape_gyration(SPEC_CAPSULE, capsule), e = sar_shape_gyration(SPEC_ELLIPSOID, ball);
  EXPECT_NEAR(c.x, s.x, 1e-15);
  EXPECT_NEAR(c.z, s.z, 1e-15);
  EXPECT_NEAR(e.y, s.y, 1e-15);
  EXPECT_NEAR(sar_shape_gyration(SPEC_TUBE, tube).z, sar_shape_gyration(SPEC_CYLINDER, tube).z,
              1e-15);
  EXPECT_NEAR(sar_shape_gyration(SPEC_CYLINDER, thin).x, sar_shape_gyration(SPEC_ROD, rod).x,
              1e-15);
  EXPECT_NEAR(sar_shape_gyration(SPEC_ROD, rod).z, 0, 0);
}

static void principal_moments_do_not_feel_rotation(void** state) {
  (void)state;
  Rng r = rng_seed(7);
  for (int i = 0; i < 200; i++) {
    double a = rng_uniform(&r, 0, 1), b = rng_uniform(&r, 0, 1), c = rng_uniform(&r, 0, 1);
    if (i % 3 == 0) b = a;  // equal moments have no axes of their own
    double m[3], want[3] = {a, b, c};
    for (int k = 0; k < 2; k++)
      for (int n = 0; n < 2; n++)
        if (want[n] > want[n + 1]) {
          double t = want[n];
          want[n] = want[n + 1], want[n + 1] = t;
        }
    sar_principal_moments(s3_rotate(quat_to_m3(rng_quat(&r)), (S3){a, 0, 0, b, 0, c}), m);
    EXPECT_ARRAY_NEAR(m, want, 3, 1e-14);  // rounding of a 3x3 rotation
  }
}

static void impossible_inertias_are_found(void** state) {
  (void)state;
  double m[3];
  assert_int_equal(sar_inertia_check((S3){1, 0, 0, 1, 0, 1.9}, m), SAR_INERTIA_FINE);
  assert_int_equal(sar_inertia_check((S3){1, 0, 0, 1, 0, 2.0001}, m), SAR_INERTIA_FINE);
  assert_int_equal(sar_inertia_check((S3){1, 0, 0, 1, 0, 2.1}, m), SAR_INERTIA_TRIANGLE);
  assert_int_equal(sar_inertia_check((S3){1, 2, 0, 1, 0, 1}, m), SAR_INERTIA_NEGATIVE);
  assert_int_equal(sar_inertia_check((S3){0, 0, 0, 0, 0, 0}, m), SAR_INERTIA_FINE);
  assert_int_equal(sar_inertia_check((S3){1, 0, 0, 1, 0, 0}, m), SAR_INERTIA_FINE);  // a rod
}

// ---- through the compiler -------------------------------------------------------------------

// Inertia of the only body, fixed to ground, about the origin of its own frame.
static Inertia inertia_in(const char* body) {
  char text[1024];
  snprintf(text, sizeof text, "bodies:\n  a: {%s}\njoints: {w: {fixed: [ground, a]}}", body);
  SarModel* m = model_text(text);
  Inertia I = m->ground_inertia;
  sar_model_free(m);
  return I;
}

static void expect_same(Inertia a, Inertia b, double tol) {
  const double x[10] = {a.m, a.h.x, a.h.y, a.h.z, a.I.xx, a.I.xy, a.I.xz, a.I.yy, a.I.yz, a.I.zz};
  const double y[10] = {b.m, b.h.x, b.h.y, b.h.z, b.I.xx, b.I.xy, b.I.xz, b.I.yy, b.I.yz, b.I.zz};
  EXPECT_ARRAY_NEAR(x, y, 10, tol);
}

static void box_is_the_sum_of_its_parts(void** state) {
  (void)state;
  Inertia whole = inertia_in("box: [2, 1, 0.5], mass: 4");
  Inertia parts = inertia_in(
      "shapes: [{box: [0.5, 1, 0.5], at: [-0.75, 0, 0]}, {box: [1.5, 1, 0.5], at: [0.25, 0, 0]}],"
      "mass: 4");
  expect_same(parts, whole, 1e-15);
  // the same box lying across, turned back by its pose
  Inertia turned = inertia_in("shapes: [{box: [1, 2, 0.5], rpy: [0, 0, 90 deg], mass: 4}]");
  expect_same(turned, whole, 1e-15);
}

static void density_times_volume_is_mass(void** state) {
  (void)state;
  expect_same(inertia_in("cylinder: {radius: 0.1, length: 2}, density: 7850"),
              inertia_in("cylinder: {radius: 0.1, length: 2}, mass: 7850*pi*0.01*2"), 1e-12);
  // a hole has negative mass in no file: a tube is two cylinders, one taken away
  Inertia tube = inertia_in("tube: {radius: 0.2, inner: 0.1, length: 1}, density: 1000");
  Inertia outer = inertia_in("cylinder: {radius: 0.2, length: 1}, density: 1000");
  Inertia inner = inertia_in("cylinder: {radius: 0.1, length: 1}, density: 1000");
  expect_same(inertia_add(tube, inner), outer, 1e-13);
}

static void rod_and_from_to_lie_where_they_are_put(void** state) {
  (void)state;
  // rod from (1,0,0) to (1,2,0): centre (1,1,0), m L^2/12 + m |c|^2 across
  Inertia rod = inertia_in("rod: [[1, 0, 0], [1, 2, 0]], mass: 3");
  expect_same(rod, inertia_of(3, v3(1, 1, 0), (S3){1, 0, 0, 0, 0, 1}), 1e-15);
  Inertia a = inertia_in("capsule: {radius: 0.1, from: [0, 0, -0.5], to: [0, 0, 0.5]}, mass: 2");
  expect_same(a, inertia_in("capsule: {radius: 0.1, length: 1}, mass: 2"), 1e-15);
}

static void given_numbers_come_before_shapes(void** state) {
  (void)state;
  Inertia I = inertia_in("box: [1, 1, 1], mass: 6, com: [0, 0, 1]");
  expect_same(I, inertia_of(6, v3(0, 0, 1), (S3){1, 0, 0, 1, 0, 1}), 1e-15);
  I = inertia_in("box: [1, 1, 1], mass: 6, inertia: [3, 4, 5, 0.1, 0.2, 0.3]");
  expect_same(I, inertia_of(6, v3_zero(), (S3){3, 0.1, 0.2, 4, 0.3, 5}), 1e-15);
}

static void masses_are_shared_by_volume(void** state) {
  (void)state;
  // 1 + 3 cubic units share what the first one leaves of 10 kg
  Inertia I = inertia_in(
      "mass: 10, shapes: [{box: [1, 1, 1], at: [5, 0, 0], mass: 2},"
      "{box: [1, 1, 1], at: [1, 0, 0]}, {box: [3, 1, 1], at: [-1, 0, 0]}]");
  EXPECT_NEAR(I.m, 10, 1e-15);
  EXPECT_NEAR(I.h.x, 2 * 5 + 2 * 1 - 6 * 1, 1e-14);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(round_solids_match_their_slices),
      cmocka_unit_test(solids_meet_at_their_limits),
      cmocka_unit_test(principal_moments_do_not_feel_rotation),
      cmocka_unit_test(impossible_inertias_are_found),
      cmocka_unit_test(box_is_the_sum_of_its_parts),
      cmocka_unit_test(density_times_volume_is_mass),
      cmocka_unit_test(rod_and_from_to_lie_where_they_are_put),
      cmocka_unit_test(given_numbers_come_before_shapes),
      cmocka_unit_test(masses_are_shared_by_volume),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
