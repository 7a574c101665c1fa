// Cameras and the depth buffer: projection is true to scale, what is nearer is what is seen,
// whatever was drawn first.
#include "support/test.h"

#include "output/raster.h"

static SarCamera random_camera(Rng* r) {
  SarCamera c =
      sar_camera_around_axis(rng_uniform(r, -3, 3), rng_uniform(r, -1.5, 1.5), rng_v3(r, -1, 1));
  c.scale = rng_uniform(r, 5, 50);
  return c;
}

static void cameras_are_right_handed_and_true_to_scale(void** state) {
  (void)state;
  Rng r = rng_seed(test_seed(1));
  for (int i = 0; i < test_effort(500); i++) {
    const SarCamera c =
        i < 6 ? sar_camera_plane(i / 2, (i / 2 + 1 + i % 2) % 3) : random_camera(&r);
    EXPECT_NEAR(v3_norm(c.right), 1, 1e-14);
    EXPECT_NEAR(v3_norm(c.up), 1, 1e-14);
    EXPECT_NEAR(v3_dot(c.right, c.up), 0, 1e-14);
    EXPECT_NEAR(v3_norm(v3_sub(v3_cross(c.right, c.up), c.toward)), 0, 1e-14);
    // a length across the view; a length along it, which is not seen
    const V3 p = rng_v3(&r, -3, 3);
    const double a = rng_uniform(&r, 0, 6.3), l = rng_uniform(&r, 0, 2);
    const V3 q = v3_axpy(l * cos(a), c.right, v3_axpy(l * sin(a), c.up, p));
    const V3 from = sar_camera_project(&c, p), to = sar_camera_project(&c, q);
    EXPECT_NEAR(hypot(to.x - from.x, to.y - from.y), c.scale * l, 1e-11 * c.scale);
    EXPECT_NEAR(to.z, from.z, 1e-13);
    const V3 behind = sar_camera_project(&c, v3_axpy(-l, c.toward, p));
    EXPECT_NEAR(behind.x, from.x, 1e-11 * c.scale);
    EXPECT_NEAR(behind.z, from.z - l, 1e-13);
  }
}

static void what_stands_up_is_up(void** state) {
  (void)state;
  Rng r = rng_seed(test_seed(2));
  for (int i = 0; i < test_effort(200); i++) {
    const V3 up = rng_v3(&r, -1, 1);
    const SarCamera c =
        sar_camera_around_axis(rng_uniform(&r, -3, 3), rng_uniform(&r, -1.4, 1.4), up);
    const V3 p = sar_camera_project(&c, up);
    assert_true(p.y < 0);  // pixels count downwards
    EXPECT_NEAR(p.x, 0, 1e-13);
  }
}

static void a_fit_shows_everything_and_no_more(void** state) {
  (void)state;
  Rng r = rng_seed(test_seed(3));
  for (int i = 0; i < test_effort(300); i++) {
    SarCamera c = random_camera(&r);
    SarExtent e = sar_extent_none();
    V3 p[20];
    for (int k = 0; k < 20; k++) sar_extent_add(&e, &c, p[k] = rng_v3(&r, -5, 5));
    const double w = rng_uniform(&r, 100, 900), h = rng_uniform(&r, 100, 900);
    sar_camera_fit(&c, e, 30, 40, w, h);
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (int k = 0; k < 20; k++) {
      const V3 q = sar_camera_project(&c, p[k]);
      low[0] = fmin(low[0], q.x - 30), high[0] = fmax(high[0], q.x - 30);
      low[1] = fmin(low[1], q.y - 40), high[1] = fmax(high[1], q.y - 40);
    }
    EXPECT_NEAR(low[0] + high[0], w, 1e-9 * w);  // centred
    EXPECT_NEAR(low[1] + high[1], h, 1e-9 * h);
    EXPECT_NEAR(fmax((high[0] - low[0]) / w, (high[1] - low[1]) / h), 1, 1e-9);
  }
}

static void round_numbers_are_one_two_or_five(void** state) {
  (void)state;
  Rng r = rng_seed(test_seed(4));
  for (int i = 0; i < test_effort(500); i++) {
    const double x = pow(10, rng_uniform(&r, -9, 9)), n = sar_round_number(x);
    assert_true(n >= x * (1 - 1e-8) && n <= 2.5000001 * x);
    const double digit = n / pow(10, floor(log10(n * 1.0000001)));
    assert_true(fabs(digit - 1) < 1e-6 || fabs(digit - 2) < 1e-6 || fabs(digit - 5) < 1e-6);
  }
}

// ---- depth ------------------------------------------------------------------------------------

enum { SIZE = 48, TRIANGLES = 14 };

static double area(V3 a, V3 b, double x, double y) {
  return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
}

// What a ray through a sample meets first; 0: nothing, -1: a rim or two at about the same depth.
static int seen_by_ray(const SarCamera* c, const SarFacet* f, double x, double y) {
  int best = 0;
  double z = -HUGE_VAL, next = -HUGE_VAL;
  for (int i = 0; i < TRIANGLES; i++) {
    V3 p[3];
    for (int k = 0; k < 3; k++) p[k] = sar_camera_project(c, f[i].p[k]);
    const double all = area(p[0], p[1], p[2].x, p[2].y);
    const double u = area(p[1], p[2], x, y) / all, v = area(p[2], p[0], x, y) / all, w = 1 - u - v;
    const double least = fmin(u, fmin(v, w));
    if (fabs(least) < 1e-9) return -1;
    if (least < 0) continue;
    const double here = u * p[0].z + v * p[1].z + w * p[2].z;
    next = fmax(next, fmin(here, z));
    if (here > z) z = here, best = i + 1;
  }
  return z - next < 0.1 ? -1 : best;
}

static void what_is_nearer_is_seen_in_any_order(void** state) {
  (void)state;
  Rng r = rng_seed(test_seed(5));
  int compared = 0;
  SarRaster* raster = sar_raster_new(SIZE, SIZE, 1);
  assert_non_null(raster);
  for (int trial = 0; trial < test_effort(60); trial++) {
    SarCamera c = random_camera(&r);
    c.scale = 10, c.x0 = c.y0 = SIZE / 2.0;
    SarFacet f[TRIANGLES] = {0};
    int order[TRIANGLES];
    for (int i = 0; i < TRIANGLES; i++) {
      for (int k = 0; k < 3; k++) f[i].p[k] = rng_v3(&r, -2.5, 2.5);
      const int j = rng_int(&r, i + 1);
      order[i] = order[j], order[j] = i;
    }
    sar_raster_clear(raster);
    for (int i = 0; i < TRIANGLES; i++)
      sar_raster_facet(raster, &c, &f[order[i]], &(SarPaint){.id = (uint32_t)order[i] + 1});
    for (int y = 0; y < SIZE; y++)
      for (int x = 0; x < SIZE; x++) {
        const int expected = seen_by_ray(&c, f, x + 0.5, y + 0.5);
        if (expected < 0) continue;
        compared++;
        assert_int_equal(raster->id[y * SIZE + x] >> 12, expected);
      }
  }
  assert_true(compared > 1000);
  sar_raster_free(raster);
}

static void layers_are_hidden_by_what_lies_before(void** state) {
  (void)state;
  SarRaster* r = sar_raster_new(10, 10, 2);
  SarCamera c = sar_camera_plane(0, 1);
  c.x0 = 0, c.y0 = 10;
  uint32_t pixels[100];
  const SarFacet near = {.p = {v3(-50, -50, 1), v3(50, -50, 1), v3(0, 80, 1)}};
  const SarFacet far = {.p = {v3(-50, -50, 0), v3(50, -50, 0), v3(0, 80, 0)}};
  sar_raster_facet(r, &c, &near, &(SarPaint){.id = 1, .color = 0x808080, .flat = true});
  sar_raster_forget(r);
  sar_raster_facet(r, &c, &far, &(SarPaint){.id = 2, .flat = true});
  sar_raster_resolve(r, 0, 1, pixels);
  for (int i = 0; i < 100; i++) assert_int_equal(pixels[i], 0);
  sar_raster_clear(r);
  sar_raster_facet(r, &c, &far, &(SarPaint){.id = 2, .color = 0x204060, .flat = true});
  sar_raster_keep_base(r);
  sar_raster_resolve(r, 0, 1, pixels);
  for (int i = 0; i < 100; i++) assert_int_equal(pixels[i], 0xff204060);
  sar_raster_clear(r);
  sar_raster_facet(r, &c, &far, &(SarPaint){.id = 3, .flat = true});
  sar_raster_resolve(r, 0, 1, pixels);
  for (int i = 0; i < 100; i++) assert_int_equal(pixels[i], 0);
  sar_raster_free(r);
}

static void what_cannot_be_drawn_does_no_harm(void** state) {
  (void)state;
  assert_null(sar_raster_new(0, 10, 1));
  assert_null(sar_raster_new(1 << 20, 1 << 20, 3));
  SarRaster* r = sar_raster_new(8, 8, 1);
  SarCamera c = sar_camera_plane(0, 1);
  const double odd[] = {(double)NAN, HUGE_VAL, -HUGE_VAL, 1e300, 0};
  for (int i = 0; i < 5; i++) {
    const SarFacet f = {.p = {v3(odd[i], 0, 0), v3(1, odd[i], 0), v3(0, 1, odd[i])}};
    sar_raster_facet(r, &c, &f, &(SarPaint){.id = 1});
  }
  uint32_t pixels[64];
  sar_raster_resolve(r, 1, 1, pixels);
  sar_raster_free(r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cameras_are_right_handed_and_true_to_scale),
      cmocka_unit_test(what_stands_up_is_up),
      cmocka_unit_test(a_fit_shows_everything_and_no_more),
      cmocka_unit_test(round_numbers_are_one_two_or_five),
      cmocka_unit_test(what_is_nearer_is_seen_in_any_order),
      cmocka_unit_test(layers_are_hidden_by_what_lies_before),
      cmocka_unit_test(what_cannot_be_drawn_does_no_harm),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
