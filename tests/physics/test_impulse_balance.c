// What formulations by impulses report of a step: accelerations are changes of velocity over its
// length, and what joints and contacts exert balances them, body by body (Newton and Euler), in
// random scenes with contact, limits, motors and dry friction, trees, loops and free bodies, in
// relative and in absolute coordinates.
#include "support/model_file.h"
#include "support/random.h"

#include "model/data.h"

enum { STEPS = 60, MOST = 64 };

typedef struct Scene {
  SarModel* m;
  SarData* d;
  SarSim* s;
} Scene;

// An arm of two links with a motor, a limit and dry friction beside a ball and a crate that fall on
// a plane with another crate against them, and a four-bar whose joints rub, driven by a motor.
static void write_scene(Rng* r, char* text, size_t size) {
  const double L = rng_uniform(r, 0.4, 0.8), w = rng_uniform(r, -3, 3);
  snprintf(
      text, size,
      "gravity: [0, 0, -9.81]\n"
      "ground: {contact: [{plane: z}]}\n"
      "contact: {materials: {default: {friction: %.3g, restitution: %.3g, rolling: 0.002}}}\n"
      "bodies:\n"
      "  upper: {box: [%.3g, 0.1, 0.1], mass: %.3g, at: [%.3g, 0, 1], contact: true}\n"
      "  lower: {box: [0.5, 0.08, 0.08], mass: 0.7, at: [%.3g, 0, 1], contact: true}\n"
      "  ball: {sphere: 0.1, mass: 0.6, at: [3, 0, %.3g], contact: true, velocity: [1, %.3g, 0]}\n"
      "  crate: {box: [0.3, 0.2, 0.2], mass: 2, at: [3.3, 0.1, %.3g], rpy: [%.3g, %.3g, 0],"
      " contact: true, velocity: [-1, 0, 0]}\n"
      "  crank: {cylinder: {radius: 0.02, from: [0, 3, 1], to: [0.3, 3, 1]}, mass: 1}\n"
      "  coupler: {cylinder: {radius: 0.02, from: [0.3, 3, 1], to: [1, 3.0, 1.4]}, mass: 1}\n"
      "  rocker: {cylinder: {radius: 0.02, from: [1, 3, 0.7], to: [1, 3.0, 1.4]}, mass: 2}\n"
      "joints:\n"
      "  shoulder: {revolute: [ground, upper], at: [0, 0, 1], axis: y, motor: {speed: %.3g, "
      "effort: %.3g}}\n"
      "  elbow: {revolute: [lower, upper], at: [%.3g, 0, 1], axis: [0, %.3g, 1], lower: -0.1, "
      "upper: 0.2,"
      " friction: %.3g, speed: %.3g}\n"
      "  A: {revolute: [ground, crank], at: [0, 3, 1], axis: y, motor: {speed: 2, effort: 3}}\n"
      "  B: {revolute: [crank, coupler], at: [0.3, 3, 1], axis: y, friction: 0.05}\n"
      "  C: {revolute: [rocker, coupler], at: [1, 3, 1.4], axis: y, friction: 0.1, lower: -0.2}\n"
      "  D: {revolute: [ground, rocker], at: [1, 3, 0.7], axis: y}\n"
      "outputs: [{joint: all, with: [acceleration]}, reactions]\n",
      rng_uniform(r, 0, 0.8), rng_uniform(r, 0, 0.6), L, rng_uniform(r, 0.5, 2), L / 2, L + 0.25,
      rng_uniform(r, 0.1, 0.4), w, rng_uniform(r, 0.15, 0.5), w / 5, w / 3, w,
      rng_uniform(r, 1, 30), L, rng_uniform(r, -1, 1), rng_uniform(r, 0.01, 0.5), w);
}

static Scene open_scene(uint64_t seed, const char* formulation, const char* coordinates) {
  static char text[8192];
  const SarLoadOptions load = {.coordinates = coordinates};
  SarSimOptions o = sar_sim_options();
  SarError err;
  Scene x;
  Rng r = {.state = 31 * seed + 7};
  write_scene(&r, text, sizeof text);
  sar_error_init(&err);
  x.m = model_text_with(text, &load);
  o.formulation = formulation;
  o.step = 1e-3 * rng_uniform(&r, 0.5, 4);
  EXPECT_OK_OR(sar_data_new(x.m, &x.d, &err), &err);
  EXPECT_OK_OR(sar_sim_new(x.m, x.d, &o, &x.s, &err), &err);
  return x;
}

static void close_scene(Scene* x) {
  sar_sim_free(x->s);
  sar_data_free(x->d);
  sar_model_free(x->m);
}

typedef struct Balance {
  Force left[MOST];  // at the body's origin, ground axes: what acts less what is needed
  double size;       // largest force or torque seen
} Balance;

static void put(Balance* b, const SarData* d, int body, V3 at, V3 f, V3 n) {
  b->size = fmax(b->size, fmax(v3_norm(f), v3_norm(n)));
  if (body < 0) return;
  b->left[body].f = v3_add(b->left[body].f, f);
  b->left[body].n =
      v3_add(b->left[body].n, v3_add(n, v3_cross(v3_sub(at, d->body_X_GB[body].p), f)));
}

static void put_joint(Balance* b, const SarModel* m, SarData* d, int joint) {
  double f[3], n[3];
  int child = joint, parent;
  V3 at;
  if (joint >= m->nbody) {
    const SarCut* cut = &m->cut[joint - m->nbody];
    parent = cut->body[0], child = cut->body[1];
    at = d->cut_X_B[joint - m->nbody].p;
  } else {
    parent = m->body_parent[joint];
    if (m->joint_turned[joint]) child = parent, parent = joint;
    at = m->joint_X_BF[2 * joint + 1].p;
  }
  EXPECT_OK(sar_reaction(d, sar_joint_item(m, joint), f, n));
  if (child >= 0) at = x_point(d->body_X_GB[child], at);
  put(b, d, child, at, v3_load(f), v3_load(n));
  put(b, d, parent, at, v3_neg(v3_load(f)), v3_neg(v3_load(n)));
}

static void put_contacts(Balance* b, const SarModel* m, const SarData* d) {
  for (int i = 0; i < sar_contact_count(d); i++) {
    SarContactPoint c;
    EXPECT_OK(sar_contact(d, i, &c));
    const double rate = d->contact[i].step > 0 ? 1 / d->contact[i].step : 0;
    const V3 f = v3_load(c.force), n = v3_scale(rate, v3_load(c.moment));
    const int body[2] = {m->collider[d->contact[i].a].body, m->collider[d->contact[i].b].body};
    put(b, d, body[1], v3_load(c.point), f, n);
    put(b, d, body[0], v3_load(c.point), v3_neg(f), v3_neg(n));
  }
}

// Inertia, with gravity as the ground's acceleration; nothing else acts in these scenes.
static void take_inertia(Balance* b, const SarModel* m, const SarData* d) {
  for (int i = 0; i < m->nbody; i++) {
    const Inertia I = m->body_inertia[i];
    const Force F =
        force_add(inertia_mul(I, d->body_A[i]), crossf(d->body_V[i], inertia_mul(I, d->body_V[i])));
    const M3 R = d->body_X_GB[i].R;
    put(b, d, i, d->body_X_GB[i].p, v3_neg(m3_mul_v(R, F.f)), v3_neg(m3_mul_v(R, F.n)));
  }
}

static double largest(const Balance* b, int nbody) {
  double most = 0;
  for (int i = 0; i < nbody; i++)
    most = fmax(most, fmax(v3_norm(b->left[i].f), v3_norm(b->left[i].n)));
  return most;
}

// free: joints to ground that hold nothing, as in absolute coordinates, count too. They take what
// forces at the end of the step and in its middle differ by.
static double unbalanced(Scene* x, bool free, double* size) {
  static Balance b;
  const SarModel* m = x->m;
  b = (Balance){.size = 0};
  for (int j = 0; j < m->njoint; j++)
    if (free || j >= m->nbody || m->joint_nv[j] < 6) put_joint(&b, m, x->d, j);
  put_contacts(&b, m, x->d);
  take_inertia(&b, m, x->d);
  *size = b.size;
  return largest(&b, m->nbody);
}

static void check_step(Scene* x, const double* v, double t, bool direct, double* worst) {
  static double values[4 * MOST];
  const SarModel* m = x->m;
  const double h = sar_time(x->d) - t;
  double size, scale = 1;
  assert_in_range(sar_model_count(m, SAR_ITEM_OUTPUT), 1, 4 * MOST);
  for (int i = 0; i < m->nv && m->nrow == 0; i++)
    EXPECT_NEAR(sar_a(x->d)[i], (sar_v(x->d)[i] - v[i]) / h, 1e-12 * fabs(v[i]) / h + 1e-9);
  const double closed = unbalanced(x, true, &size);
  EXPECT_AT_MOST(closed, 1e-10 * size);
  EXPECT_OK(sar_outputs(x->s, values));
  for (int i = 0; i < sar_model_count(m, SAR_ITEM_OUTPUT); i++) assert_true(isfinite(values[i]));
  const double again = unbalanced(x, true, &size);  // columns show the same step
  EXPECT_AT_MOST(again, 1e-10 * size);
  for (int i = 0; i < m->nv; i++) scale = fmax(scale, fabs(sar_v(x->d)[i]));
  if (direct) *worst = fmax(*worst, unbalanced(x, false, &size) / (size * h * scale));
}

// What free joints carry is of first order: 2 h w of the largest force at most seen, w the fastest
// coordinate.
static void check_scene(uint64_t seed, const char* formulation, const char* coordinates,
                        double* worst) {
  Scene x = open_scene(seed, formulation, coordinates);
  double v[MOST * 6];
  assert_in_range(x.m->nbody, 1, MOST - 1);
  for (int k = 0; k < STEPS; k++) {
    memcpy(v, sar_v(x.d), (size_t)x.m->nv * sizeof *v);
    const double t = sar_time(x.d);
    EXPECT_OK(sar_step(x.s));
    check_step(&x, v, t, true, worst);
  }
  close_scene(&x);
}

static void bodies_are_in_balance(void** state) {
  (void)state;
  const uint64_t first = test_seed(1);
  double worst = 0;
  for (int k = 0; k < test_effort(20); k++)
    check_scene(first + (uint64_t)k, "impulse", k % 2 ? "absolute" : "relative", &worst);
  print_message("free joints carry at most %.2g h w of the largest force\n", worst);
  EXPECT_AT_MOST(worst, 5);
}

// ---- at rest ------------------------------------------------------------------------------------

static double column(SarSim* s, const SarModel* m, const char* name) {
  static double values[256];
  const int i = sar_model_find(m, SAR_ITEM_OUTPUT, name);
  if (i < 0) fail_msg("no column %s", name);
  EXPECT_OK(sar_outputs(s, values));
  return values[i];
}

// An arm that a motor holds, one on its limit, one that dry friction holds, a crate on the floor:
// nothing accelerates, and what holds them is their weight. To the sweeps' tolerance.
static void what_is_held_does_not_accelerate(void** state) {
  (void)state;
  static const char text[] =
      "gravity: [0, -9.81, 0]\n"
      "ground: {contact: [{plane: y}]}\n"
      "bodies:\n"
      "  arm1: {at: [1, 3, 0], mass: 1, inertia: [0.01, 0.01, 0.01]}\n"
      "  arm2: {at: [1, 3, 1], mass: 1, inertia: [0.01, 0.01, 0.01]}\n"
      "  arm3: {at: [1, 3, 2], mass: 1, inertia: [0.01, 0.01, 0.01]}\n"
      "  crate: {box: [1, 1, 1], mass: 2, at: [5, 0.5, 0], contact: true}\n"
      "joints:\n"
      "  held: {revolute: [ground, arm1], at: [0, 3, 0], axis: z, motor: {speed: 0, effort: 50}}\n"
      "  stopped: {revolute: [arm2, ground], at: [0, 3, 1], axis: z, upper: 0}\n"
      "  stuck: {revolute: [ground, arm3], at: [0, 3, 2], axis: z, friction: 12}\n"
      "outputs: [{joint: all, with: [acceleration]}, reactions, {body: crate, with: "
      "[acceleration]}]\n";
  for (int k = 0; k < 2; k++) {
    const SarLoadOptions load = {.coordinates = k ? "absolute" : "relative"};
    SarSimOptions o = sar_sim_options();
    SarError err;
    SarData* d;
    SarSim* s;
    sar_error_init(&err);
    SarModel* m = model_text_with(text, &load);
    o.formulation = "impulse";
    o.step = 1e-2;
    EXPECT_OK_OR(sar_data_new(m, &d, &err), &err);
    EXPECT_OK_OR(sar_sim_new(m, d, &o, &s, &err), &err);
    EXPECT_OK(sar_advance(s, 0.2));
    static const char* const ARM[] = {"held", "stopped", "stuck"};
    for (int i = 0; i < 3; i++) {
      char a[32], tz[32];
      snprintf(a, sizeof a, "%s.a", ARM[i]);
      snprintf(tz, sizeof tz, "%s.tz", ARM[i]);
      EXPECT_NEAR(column(s, m, a), 0, 1e-6);
      EXPECT_NEAR(column(s, m, tz), i == 1 ? -9.81 : 9.81,
                  1e-5);  // on the child: ground, of the second
    }
    EXPECT_NEAR(column(s, m, "crate.ay"), 0, 1e-6);
    sar_sim_free(s);
    sar_data_free(d);
    sar_model_free(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bodies_are_in_balance),
      cmocka_unit_test(what_is_held_does_not_accelerate),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
