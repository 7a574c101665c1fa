// Broad phase against the plain double loop, over random scenes that move; order, room, boxes
// without end.
#include "support/test.h"
#include "support/alloc_count.h"

#include "collide/broad.h"

#include <stdlib.h>

enum { MOST = 512, PAIRS = 20000 };

typedef struct Scene {
  int n;
  SarBroadItem item[MOST];
  SarBounds bounds[MOST];
} Scene;

static Scene scene;
static SarBroadPair pair[PAIRS], expected[PAIRS];

static bool odd(const void* context, int a, int b) {
  assert_ptr_equal(context, &scene);
  return (a + b) % 7 == 0;
}

static bool overlap(const SarBounds* a, const SarBounds* b) {
  return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y &&
         b->low.y <= a->high.y && a->low.z <= b->high.z && b->low.z <= a->high.z;
}

static int plain(SarBroadSkip left_out) {
  int count = 0;
  for (int a = 0; a < scene.n; a++)
    for (int b = a + 1; b < scene.n; b++) {
      const SarBroadItem *p = &scene.item[a], *q = &scene.item[b];
      if (p->body == q->body || (p->surface && q->surface)) continue;
      if (!(p->group & q->with) || !(q->group & p->with)) continue;
      if (!overlap(&scene.bounds[a], &scene.bounds[b])) continue;
      if (left_out && left_out(&scene, a, b)) continue;
      expected[count++] = (SarBroadPair){a, b};
    }
  return count;
}

static void make_scene(Rng* r, int n) {
  scene.n = n;
  double size = rng_uniform(r, 0.05, 1.5);
  V3 room = v3(rng_uniform(r, 1, 10), rng_uniform(r, 1, 10), rng_uniform(r, 1, 10));
  for (int i = 0; i < n; i++) {
    V3 c = rng_v3(r, -1, 1), d = rng_v3(r, 0, size);
    if (rng_int(r, 15) == 0) d = v3_scale(20, d);  // in many rows
    c = v3(c.x * room.x, c.y * room.y, c.z * room.z);
    scene.bounds[i] = (SarBounds){v3_sub(c, d), v3_add(c, d)};
    int kind = rng_int(r, 12);
    bool plane = kind == 0;
    // planes: without end sideways and downwards
    if (plane) scene.bounds[i].low = v3(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL);
    if (plane) scene.bounds[i].high = v3(HUGE_VAL, HUGE_VAL, c.z);
    if (kind == 1) scene.bounds[i].high.y = HUGE_VAL;
    if (kind == 2) scene.bounds[i].low.x = (double)NAN;
    scene.item[i] = (SarBroadItem){.body = kind < 3 ? -1 : rng_int(r, n / 2 + 1),
                                   .group = 1u << rng_int(r, 3),
                                   .with = (unsigned)rng_int(r, 8),
                                   .surface = kind < 3};
  }
}

static void check(SarBroad* broad, SarBroadSkip left_out) {
  int wanted = plain(left_out);
  int found = sar_broad_pairs(broad, scene.item, scene.bounds, left_out, &scene, pair, PAIRS);
  assert_int_equal(found, wanted);
  for (int i = 0; i < found; i++) {
    assert_int_equal(pair[i].a, expected[i].a);
    assert_int_equal(pair[i].b, expected[i].b);
  }
}

static void finds_what_the_double_loop_finds(void** state) {
  (void)state;
  Rng r = rng_seed(1);
  long pairs = 0;
  for (int trial = 0; trial < test_effort(200); trial++) {
    make_scene(&r, rng_int(&r, 5) == 0 ? rng_int(&r, 4) : rng_int(&r, 300));
    void* memory = malloc(sar_broad_bytes(scene.n));
    SarBroad* broad = sar_broad_init(memory, scene.n);
    for (int step = 0; step < 6; step++) {
      check(broad, step % 2 ? odd : NULL);
      pairs += plain(NULL);
      // small moves, and once a scene turned over
      for (int i = 0; i < scene.n; i++) {
        V3 d = rng_v3(&r, -0.1, 0.1);
        SarBounds* b = &scene.bounds[i];
        b->low = v3_add(b->low, d), b->high = v3_add(b->high, d);
        if (step == 3) *b = (SarBounds){v3_neg(b->high), v3_neg(b->low)};
      }
    }
    free(memory);
  }
  assert_true(pairs > 1000);  // the scenes have something to find
}

static void boxes_that_touch_are_a_pair(void** state) {
  (void)state;
  scene.n = 2;
  for (int i = 0; i < 2; i++) {
    scene.item[i] = (SarBroadItem){.body = i, .group = 1, .with = 1};
    scene.bounds[i] = (SarBounds){v3(i, 0, 0), v3(i + 1, 1, 1)};
  }
  _Alignas(8) char memory[4096];
  assert_in_range(sar_broad_bytes(2), 1, sizeof memory);
  SarBroad* broad = sar_broad_init(memory, 2);
  assert_int_equal(sar_broad_pairs(broad, scene.item, scene.bounds, NULL, NULL, pair, 1), 1);
  scene.bounds[1].low.x = nextafter(1, 2);
  assert_int_equal(sar_broad_pairs(broad, scene.item, scene.bounds, NULL, NULL, pair, 1), 0);
}

static int rows(int i, int* row) {  // the i-th box of a pyramid: place in its row
  for (*row = 0; i >= 20 - *row; ++*row) i -= 20 - *row;
  return i;
}

// 20 x 20 pyramid: 210 boxes of side 1 with gaps of 0.001, margin 0.01.
static void make_pyramid(void) {
  scene.n = 211;
  for (int i = 0; i < 210; i++) {
    int row, k = rows(i, &row);
    V3 c = v3(1.001 * (k + 0.5 * row), 0, 0.5 + 1.001 * row), d = v3(0.51, 0.51, 0.51);
    scene.bounds[i] = (SarBounds){v3_sub(c, d), v3_add(c, d)};
    scene.item[i] = (SarBroadItem){.body = i, .group = 1, .with = 1};
  }
  scene.bounds[210] =
      (SarBounds){v3(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL), v3(HUGE_VAL, HUGE_VAL, 0.01)};
  scene.item[210] = (SarBroadItem){.body = -1, .group = 1, .with = 1, .surface = true};
}

static void too_many_pairs_are_counted(void** state) {
  (void)state;
  make_pyramid();
  void* memory = malloc(sar_broad_bytes(scene.n));
  SarBroad* broad = sar_broad_init(memory, scene.n);
  check(broad, NULL);
  int all = sar_broad_pairs(broad, scene.item, scene.bounds, NULL, NULL, pair, PAIRS);
  // side by side: 190; on top: 2 x 190; on the floor: 20
  assert_int_equal(all, 590);
  for (int most = 0; most < 40; most += 13) {
    // from another order of the sweep: the same pairs, and nothing behind the room
    sar_broad_init(memory, scene.n);
    pair[most] = (SarBroadPair){-7, -7};
    assert_int_equal(sar_broad_pairs(broad, scene.item, scene.bounds, NULL, NULL, pair, most), all);
    assert_int_equal(pair[most].a, -7);
    SarBroadPair first[40];
    memcpy(first, pair, sizeof first);
    assert_int_equal(sar_broad_pairs(broad, scene.item, scene.bounds, NULL, NULL, pair, most), all);
    assert_memory_equal(first, pair, (size_t)most * sizeof *pair);
    for (int i = 1; i < most; i++)
      assert_true(pair[i - 1].a < pair[i].a ||
                  (pair[i - 1].a == pair[i].a && pair[i - 1].b < pair[i].b));
  }
  free(memory);
}

static void allocates_nothing(void** state) {
  (void)state;
  make_pyramid();
  void* memory = malloc(sar_broad_bytes(scene.n));
  SarBroad* broad = sar_broad_init(memory, scene.n);
  alloc_count_reset();
  for (int i = 0; i < 10; i++) {
    sar_broad_pairs(broad, scene.item, scene.bounds, NULL, NULL, pair, PAIRS);
    scene.bounds[3 * i] = scene.bounds[5 * i];
  }
  assert_int_equal(alloc_count(), 0);
  free(memory);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finds_what_the_double_loop_finds),
      cmocka_unit_test(boxes_that_touch_are_a_pair),
      cmocka_unit_test(too_many_pairs_are_counted),
      cmocka_unit_test(allocates_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
