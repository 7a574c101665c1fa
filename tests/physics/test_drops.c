// Random convex bodies dropped on planes, boxes, height fields and meshes: none tunnels, none
// explodes, none sinks in by more than a millimetre, with steps of 1 ms. Sizes are 1 : 10, speeds
// up to 10 m/s, spins up to 20 rad/s.
//
//   SARRUS_DROPS=10000 tests/physics_test_drops            all of them, two minutes or more
//   SARRUS_DROPS=2500 SARRUS_DROPS_FROM=5000 ...           a part of them
#include "support/random_bodies.h"
#include "support/run.h"

#include "model/data.h"
#include "support/solids.h"

#include <stdlib.h>

enum { GRID = 17, DROPS = 300, COINS = 30 };
static const double END = 1.2, STEP = 1e-3, HALF = 4;
static const double DEPTH = 1e-3;   // m, at any time; measured: 0.97e-3 in 30 000
static const double ENERGY = 1e-4;  // of the start; measured: 3e-6 in 10 000

static const double FACETS = 0.01;  // m: the hills are so much lower than their facets at most

typedef enum Floor { ON_PLANE, ON_BOX, ON_HEIGHTS, ON_MESH, FLOORS } Floor;
static const char* const FLOOR[] = {"plane", "box", "heights", "mesh"};

static double height_at(Floor f, double x, double y) {
  return f == ON_HEIGHTS || f == ON_MESH ? 0.15 * sin(1.3 * x) * cos(1.1 * y) : 0;
}

// The same hills as triangles: each cell is two.
static void add_hills(ModelText* t) {
  const double side = 2 * HALF / (GRID - 1);
  for (int k = 0; k < GRID * GRID; k++) {
    const double x = -HALF + side * (k % GRID), y = -HALF + side * (k / GRID);
    model_add(t, "v %.9g %.9g %.9g\n", x, y, height_at(ON_MESH, x, y));
  }
  for (int j = 0; j + 1 < GRID; j++)
    for (int i = 0; i + 1 < GRID; i++) {
      const int a = 1 + i + GRID * j, b = a + 1, c = a + GRID, d = c + 1;
      model_add(t, "f %d %d %d\nf %d %d %d\n", a, b, d, a, d, c);
    }
}

static void add_drop(ModelText* t, Rng* r, int shape, Floor floor) {
  const double size = 0.05 * pow(10, rng_uniform(r, 0, 1));
  const V3 v = v3(rng_uniform(r, -1, 1), rng_uniform(r, -1, 1), rng_uniform(r, -10, 0));
  const V3 w = rng_v3(r, -12, 12);
  const Quat q = rng_quat(r);
  model_add(t, "sarrus: 1\nbodies:\n  body: {shapes: [");
  body_add_shape(t, r, shape, size, v3_zero());
  model_add(t, "], density: 800, at: [%.6g, %.6g, %.6g], quat: [%.6g, %.6g, %.6g, %.6g], ",
            rng_uniform(r, -1, 1), rng_uniform(r, -1, 1), 1.5 * size + rng_uniform(r, 0.2, 0.5),
            q.w, q.x, q.y, q.z);
  model_add(t, "velocity: [%.6g, %.6g, %.6g], angular_velocity: [%.6g, %.6g, %.6g], contact: m}\n",
            v.x, v.y, v.z, w.x, w.y, w.z);
  static const char* const ground[] = {
      "plane: z", "box: [8, 8, 0.4], at: [0, 0, -0.2]",
      "heights: 0.15*sin(1.3*x)*cos(1.1*y), x: [-4, 4, 17], y: [-4, 4, 17]", "mesh: hills.obj"};
  model_add(t, "ground: {contact: [{%s, material: m}]}\n", ground[floor]);
  model_add(t, "contact: {materials: {m: {restitution: %.3g, friction: %.3g}}}\n",
            rng_int(r, 2) ? 0 : rng_uniform(r, 0, 0.9), rng_uniform(r, 0, 1));
}

typedef struct Drop {
  double deepest, settled;  // m: at any time, in the last tenth
  double gain;              // of energy, over the start
  bool tunnels, leaves;
  SarStatus status;
} Drop;

// The deepest overlap that the narrow phase finds after the body is lifted.
static double overlap(const SarModel* m, const SarData* d, double lift) {
  const int body = m->collider[0].body >= 0 ? 0 : 1;
  SarTouch touch[32];
  Xform X = x_mul(d->body_X_GB[0], m->collider[body].X_BS);
  X.p.z += lift;
  const int n = sar_collide(&m->collider[body].solid, &X, &m->collider[!body].solid,
                            &m->collider[!body].X_BS, 0, touch, 32);
  double deepest = 0;
  for (int i = 0; i < n; i++) deepest = fmax(deepest, -touch[i].gap);
  return deepest;
}

// How far the body has sunk in: of flat ground how far its lowest point is below it, by its own
// geometry; of hills how far it must be lifted to be free. (A body across a ridge is deeper along
// the normal of either side than it is in.)
static double depth_of(const SarModel* m, const SarData* d, Floor floor) {
  const int body = m->collider[0].body >= 0 ? 0 : 1;
  if (floor == ON_PLANE || floor == ON_BOX) {
    const Xform X = x_mul(d->body_X_GB[0], m->collider[body].X_BS);
    return fmax(0, solid_reach(&m->collider[body].solid, &X, v3(0, 0, -1)));
  }
  double low = 0, high = overlap(m, d, 0);
  if (high < DEPTH / 10) return high;
  for (high *= 2; overlap(m, d, high) > 0 && high < 1;) high *= 2;
  for (int i = 0; i < 8; i++) {
    const double middle = 0.5 * (low + high);
    if (overlap(m, d, middle) > 0)
      low = middle;
    else
      high = middle;
  }
  return high;
}

static Drop drop(int number) {
  static ModelText t, hills;
  Rng r = rng_seed((uint64_t)number);
  const Floor floor = number % FLOORS;
  SarEnergy e;
  SarSimOptions o = sar_sim_options();
  Drop out = {0};
  t.used = 0;
  if (hills.used == 0) add_hills(&hills);
  add_drop(&t, &r, number / FLOORS % BODY_SHAPES, floor);
  const SarTextFile file = {"hills.obj", hills.text, hills.used};
  const SarLoadOptions load = {.files = &file, .file_count = 1};
  o.step = STEP;
  Run run = run_open(model_parse(t.text, &load), &o);
  const SarModel* m = run.m;
  SarData* d = run.d;
  EXPECT_OK(sar_energy(d, &e));
  // from the floor of the hills: none has a place lower than that
  const double start = e.total + 0.15 * 9.81 * m->body_inertia[0].m;
  const double start_total = e.total;
  while (sar_time(d) < END && !out.leaves && out.status == SAR_OK) {
    out.status = sar_step(run.s);
    EXPECT_OK(sar_energy(d, &e));
    const Inertia* I = &m->body_inertia[0];
    const V3 c = x_point(d->body_X_GB[0], v3_scale(1 / I->m, I->h));
    out.leaves = fabs(c.x) > HALF - 1 || fabs(c.y) > HALF - 1;
    out.tunnels = out.tunnels || c.z < height_at(floor, c.x, c.y) - FACETS;
    out.gain = fmax(out.gain, (e.total - start_total) / start);
    const double depth = depth_of(m, d, floor);
    out.deepest = fmax(out.deepest, depth);
    if (sar_time(d) > 0.9 * END) out.settled = fmax(out.settled, depth);
  }
  run_close(&run);
  return out;
}

static int number_of(const char* name, int otherwise) {
  const char* text = getenv(name);
  return text ? atoi(text) : otherwise;
}

static bool is_good(const Drop* x) {
  return x->status == SAR_OK && !x->tunnels && x->deepest <= DEPTH && x->gain <= ENERGY;
}

// One end hits, and throws the other one, which was still far, into the ground within the same
// step.
static void ends_that_others_throw_do_not_sink(void** state) {
  (void)state;
  static const int HIT[] = {5999, 6339, 8576, 8657, 12192, 12979, 15518};
  for (size_t i = 0; i < sizeof HIT / sizeof *HIT; i++) {
    const Drop one = drop(HIT[i]);
    if (!is_good(&one)) fail_msg("drop %d is %.1e m deep", HIT[i], one.deepest);
  }
}

// A coin that leans a little, and whose point of contact runs round its rim ever faster until it
// lies.
static double coin_depth(uint64_t seed) {
  static ModelText t;
  Rng r = rng_seed(seed);
  const double radius = 0.02 * pow(10, rng_uniform(&r, 0, 1)),
               high = radius * rng_uniform(&r, 0.05, 1);
  const double lean = rng_uniform(&r, 0.02, 0.2), spin = rng_uniform(&r, -20, 20);
  SarSimOptions o = sar_sim_options();
  double deepest = 0;
  t.used = 0;
  model_add(
      &t,
      "sarrus: 1\nbodies:\n  coin: {cylinder: {radius: %.6g, length: %.6g}, density: 8000, at: [0, "
      "0, %.6g], rpy: [0, %.6g, 0], angular_velocity: [%.6g, %.6g, %.6g], contact: true}\n"
      "ground: {contact: {plane: z}}\ncontact: {materials: {default: {friction: %.3g}}}\n",
      radius, high, radius * sin(lean) + high / 2 * cos(lean) + 1e-4, lean,
      rng_uniform(&r, -10, 10), rng_uniform(&r, -10, 10), spin, rng_uniform(&r, 0.2, 1));
  o.step = pow(10, rng_uniform(&r, -3.3, -2.3));
  Run run = run_open(model_parse(t.text, NULL), &o);
  while (sar_time(run.d) < 2) {
    EXPECT_OK(sar_step(run.s));
    deepest = fmax(deepest, depth_of(run.m, run.d, ON_PLANE));
  }
  run_close(&run);
  return deepest;
}

static void wobbling_coins_do_not_sink(void** state) {
  (void)state;
  double deepest = 0;
  for (int i = 0; i < test_effort(COINS); i++) {
    const double depth = coin_depth(test_seed(2100) + (uint64_t)i);
    deepest = fmax(deepest, depth);
    if (depth > DEPTH) fail_msg("coin %d is %.1e m deep", i, depth);
  }
  print_message("coins: %.1e m deep\n", deepest);
}

static void no_drop_tunnels_explodes_or_sinks(void** state) {
  (void)state;
  const int from = number_of("SARRUS_DROPS_FROM", 0);
  const int drops = number_of("SARRUS_DROPS", test_effort(DROPS));
  Drop all = {0};
  int bad = 0, left = 0;
  for (int i = from; i < from + drops; i++) {
    const Drop one = drop(i);
    all.deepest = fmax(all.deepest, one.deepest);
    all.settled = fmax(all.settled, one.settled);
    all.gain = fmax(all.gain, one.gain);
    left += one.leaves;
    if (is_good(&one)) continue;
    print_error("drop %d, shape %d on %s: %s%s, %.1e m deep, gains %.1e\n", i,
                i / FLOORS % BODY_SHAPES, FLOOR[i % FLOORS], sar_status_text(one.status),
                one.tunnels ? ", tunnels" : "", one.deepest, one.gain);
    bad++;
  }
  print_message("%d drops (%d left the floor): %.1e m deep, settled %.1e m, energy gained %.1e\n",
                drops, left, all.deepest, all.settled, all.gain);
  assert_int_equal(bad, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ends_that_others_throw_do_not_sink),
      cmocka_unit_test(no_drop_tunnels_explodes_or_sinks),
      cmocka_unit_test(wobbling_coins_do_not_sink),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
