// Boxes and hulls on rough ground come to rest: random bumpy height fields and meshes, random poses
// from which they drop, tumble and settle, sizes of 0.1 to 0.6 m on cells of a fifth to four fifths
// of that, friction 0.6 to 1, steps of 1 to 10 ms.
//
// They rock for a time that is not bounded by anything, and are watched from 4 s on until they have
// come to rest, up to 16 s. Bounds, over half a second: no step leaves a point faster than a
// micrometre a second, nothing creeps, and what energy nobody accounts for is less than that of a
// micrometre of height.
//
//   SARRUS_TEST_EFFORT=25 tests/physics_test_rough_ground      1000 of them, half a minute
#include "support/random_model.h"
#include "support/run.h"

enum { GRID = 21, PATCHES = 40 };
static const double SETTLE = 4, LONGEST = 16, WATCH = 0.5;
static const double SPEED = 1e-6;  // m/s

typedef struct Patch {
  double size, cell, step, friction, energy;
  double z[GRID][GRID];
  bool mesh, hull;
} Patch;

static Patch random_patch(Rng* r) {
  Patch p = {.size = 0.1 * pow(6, rng_uniform(r, 0, 1)),
             .step = pow(10, rng_uniform(r, -3, -2)),
             .friction = rng_uniform(r, 0.6, 1),
             .mesh = rng_int(r, 2),
             .hull = rng_int(r, 2)};
  p.cell = p.size * rng_uniform(r, 0.3, 0.8);
  const double rough = p.cell * rng_uniform(r, 0.02, 0.12);
  for (int k = 0; k < GRID * GRID; k++) p.z[k / GRID][k % GRID] = rough * rng_uniform(r, -1, 1);
  return p;
}

static double half_of(const Patch* p) { return 0.5 * (GRID - 1) * p->cell; }

static void add_mesh(ModelText* t, const Patch* p) {
  for (int k = 0; k < GRID * GRID; k++)
    model_add(t, "v %.6g %.6g %.6g\n", -half_of(p) + p->cell * (k % GRID),
              -half_of(p) + p->cell * (k / GRID), p->z[k / GRID][k % GRID]);
  for (int j = 0; j + 1 < GRID; j++)
    for (int i = 0; i + 1 < GRID; i++) {
      const int a = 1 + i + GRID * j, b = a + 1, c = a + GRID, d = c + 1;
      if ((i + j) % 2)
        model_add(t, "f %d %d %d\nf %d %d %d\n", a, b, d, a, d, c);
      else
        model_add(t, "f %d %d %d\nf %d %d %d\n", a, b, c, b, d, c);
    }
}

static void add_heights(ModelText* t, const Patch* p) {
  model_add(t, "heights: [");
  for (int j = 0; j < GRID; j++) {
    model_add(t, "%s[", j ? ", " : "");
    for (int i = 0; i < GRID; i++) model_add(t, "%s%.6g", i ? ", " : "", p->z[j][i]);
    model_add(t, "]");
  }
  model_add(t, "], x: [%.17g, %.17g], y: [%.17g, %.17g]", -half_of(p), half_of(p), -half_of(p),
            half_of(p));
}

static void add_body(ModelText* t, const Patch* p, Rng* r) {
  const double s = p->size;
  const Quat q = rng_quat(r);
  model_add(t, "bodies:\n  body: {");
  if (p->hull) {
    model_add(t, "hull: [");
    for (int i = 0, n = 8 + rng_int(r, 9); i < n; i++) {
      const V3 x = v3_scale(rng_uniform(r, 0.4, 0.5) * s, v3_unit(rng_v3(r, -1, 1)));
      model_add(t, "%s[%.9g, %.9g, %.9g]", i ? ", " : "", x.x, x.y, 0.7 * x.z);
    }
    model_add(t, "]");
  } else {
    model_add(t, "box: [%.9g, %.9g, %.9g]", s, rng_uniform(r, 0.4, 1) * s,
              rng_uniform(r, 0.3, 1) * s);
  }
  model_add(
      t, ", density: 800, at: [%.9g, %.9g, %.9g], quat: [%.9g, %.9g, %.9g, %.9g], contact: true}\n",
      rng_uniform(r, -1, 1) * s, rng_uniform(r, -1, 1) * s, 0.9 * s + 0.12 * p->cell, q.w, q.x, q.y,
      q.z);
}

static Run open_patch(const Patch* p, Rng* r) {
  static ModelText t, hills;
  t.used = hills.used = 0;
  model_add(&t, "sarrus: 1\ngravity: [0, 0, -9.81]\n");
  add_body(&t, p, r);
  model_add(&t, "contact: {materials: {default: {friction: %.9g}}}\nground: {contact: {",
            p->friction);
  if (p->mesh)
    model_add(&t, "mesh: hills.obj"), add_mesh(&hills, p);
  else
    add_heights(&t, p);
  model_add(&t, "}}\n");
  const SarTextFile file = {"hills.obj", hills.text, hills.used};
  const SarLoadOptions load = {.files = &file, .file_count = 1};
  const SarSimOptions o = run_options("impulse", p->step);
  return run_open(model_parse(t.text, &load), &o);
}

typedef struct Rest {
  double speed, creep;  // largest in a step; way over time [m/s]
  double error;         // of energy in that time, of what a micrometre of height is worth
  bool left;            // the patch
} Rest;

static Rest watch(const Run* run, const Patch* p) {
  Rest out = {0};
  double x[3], was[3], R[9], w[3], v[3];
  SarEnergy e, before;
  EXPECT_OK(sar_body_pose(run->d, 0, was, R));
  EXPECT_OK(sar_energy(run->d, &before));
  out.left = fabs(was[0]) > half_of(p) - p->size || fabs(was[1]) > half_of(p) - p->size;
  for (const double end = sar_time(run->d) + WATCH; sar_time(run->d) < end && !out.left;) {
    EXPECT_OK(sar_step(run->s));
    EXPECT_OK(sar_body_velocity(run->d, 0, (const double[3]){0}, w, v));
    for (int k = 0; k < 3; k++) out.speed = fmax(out.speed, fmax(fabs(v[k]), fabs(w[k]) * p->size));
  }
  EXPECT_OK(sar_body_pose(run->d, 0, x, R));
  EXPECT_OK(sar_energy(run->d, &e));
  for (int k = 0; k < 3; k++) out.creep = fmax(out.creep, fabs(x[k] - was[k]) / WATCH);
  out.error = fabs(e.error - before.error) / (9.81e-6 * sar_body_mass(run->m, 0));
  return out;
}

static bool is_at_rest(const Rest* x) {
  return x->speed <= SPEED && x->creep <= SPEED && x->error <= 1;
}

static Rest settle(const Patch* p, Rng* r) {
  Run run = open_patch(p, r);
  run_advance(&run, SETTLE);
  Rest out = watch(&run, p);
  while (!is_at_rest(&out) && !out.left && sar_time(run.d) < LONGEST) out = watch(&run, p);
  run_close(&run);
  return out;
}

static void everything_comes_to_rest(void** state) {
  (void)state;
  const uint64_t first = test_seed(1800);
  Rest worst = {0};
  int left = 0, restless = 0;
  const int n = test_effort(PATCHES);
  for (int i = 0; i < n; i++) {
    Rng r = rng_seed(first + (uint64_t)i);
    const Patch p = random_patch(&r);
    const Rest x = settle(&p, &r);
    left += x.left;
    if (!x.left) {
      worst.speed = fmax(worst.speed, x.speed);
      worst.creep = fmax(worst.creep, x.creep);
      worst.error = fmax(worst.error, x.error);
    }
    if (x.left || is_at_rest(&x)) continue;
    restless++;
    print_error(
        "patch %llu (%s on %s, %.2g m, cells of %.2g, step %.2g ms): %.1e m/s, creeps %.1e m/s, "
        "error %.1e\n",
        (unsigned long long)(first + (uint64_t)i), p.hull ? "hull" : "box",
        p.mesh ? "mesh" : "heights", p.size, p.cell / p.size, 1e3 * p.step, x.speed, x.creep,
        x.error);
  }
  print_message(
      "%d patches (%d left): at most %.1e m/s, creep %.1e m/s, energy of %.1e um unexplained\n", n,
      left, worst.speed, worst.creep, worst.error);
  assert_int_equal(restless, 0);
  EXPECT_AT_MOST(left, n / 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(everything_comes_to_rest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
