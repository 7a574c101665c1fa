// The penalty method on overconstrained mechanisms: rows that follow from others contradict them as
// far as positions are open, which within a step they are by (h w)^2, and no iteration takes that
// away. Random Bennett linkages (four revolute joints in space whose axes are neither parallel nor
// meet, mobility 1 by proportions alone: three of six equations of the loop are redundant), in
// relative and in absolute coordinates, set off at a random speed: the energy stays to the order of
// RK4, (h w)^4.
//
// Geometry (Bennett 1903), in Denavit and Hartenberg's frames: lengths a, b, a, b and twists A, B,
// A, B with a / sin A = b / sin B close at turns t1, t2, -t1, -t2 with tan(t1/2) tan(t2/2) =
// sin((B + A)/2) / sin((B - A)/2).
#include "support/random_model.h"
#include "support/run.h"

#include <math.h>

enum { MEMBERS = 24 };

// The next joint's frame: turned about z by t, along x by a, twisted about x by A.
static Xform next_joint(Xform X, double t, double a, double A) {
  const M3 turn = {cos(t), -sin(t), 0, sin(t), cos(t), 0, 0, 0, 1};
  const M3 twist = {1, 0, 0, 0, cos(A), -sin(A), 0, sin(A), cos(A)};
  const V3 along = m3_mul_v(turn, v3(a, 0, 0));
  return x_mul(X, (Xform){m3_mul(turn, twist), along});
}

static void add_link(ModelText* t, Rng* r, int i, V3 from, V3 to) {
  const double l = v3_norm(v3_sub(to, from)), mass = rng_uniform(r, 0.5, 2);
  const double I = mass * l * l / 12;
  const V3 mid = v3_scale(0.5, v3_add(from, to));
  model_add(t, "  link%d: {mass: %.17g, inertia: [%.17g, %.17g, %.17g], ", i, mass, I, I, I);
  model_add(t, "at: [%.17g, %.17g, %.17g]}\n", mid.x, mid.y, mid.z);
}

static void add_joint(ModelText* t, int i, const char* from, const char* to, const Xform* X,
                      double speed) {
  const V3 z = m3_mul_v(X->R, v3(0, 0, 1));
  model_add(t, "  R%d: {revolute: [%s, %s], at: [%.17g, %.17g, %.17g]", i, from, to, X->p.x, X->p.y,
            X->p.z);
  model_add(t, ", axis: [%.17g, %.17g, %.17g]", z.x, z.y, z.z);
  if (speed != 0) model_add(t, ", speed: %.17g", speed);
  model_add(t, "}\n");
}

static void random_bennett(Rng* r, double speed, ModelText* t) {
  const double A = rng_uniform(r, 0.4, 1.1), B = A + rng_uniform(r, 0.4, 1.1);
  const double a = rng_uniform(r, 0.5, 1), b = a * sin(B) / sin(A), t1 = rng_uniform(r, 0.7, 2.3);
  const double t2 = 2 * atan(sin(0.5 * (B + A)) / sin(0.5 * (B - A)) / tan(0.5 * t1));
  Xform X[4] = {{m3_identity(), rng_v3(r, -1, 1)}};
  X[1] = next_joint(X[0], t1, a, A);
  X[2] = next_joint(X[1], t2, b, B);
  X[3] = next_joint(X[2], -t1, a, A);
  t->used = 0;
  model_add(t, "sarrus: 1\ngravity: [2, -7, -6]\nbodies:\n");
  for (int i = 0; i < 3; i++) add_link(t, r, i, X[i].p, X[i + 1].p);
  model_add(t, "joints:\n");
  add_joint(t, 0, "ground", "link0", &X[0], speed);
  add_joint(t, 1, "link0", "link1", &X[1], 0);
  add_joint(t, 2, "link1", "link2", &X[2], 0);
  add_joint(t, 3, "link2", "ground", &X[3], 0);
}

// The largest error of the audit over a run, of what moves.
static double audit(const ModelText* t, const char* coordinates, double h, double end) {
  const SarLoadOptions load = {.coordinates = coordinates};
  SarSimOptions o = run_options("penalty", h);
  o.integrator = "rk4";
  Run run = run_open(model_parse(t->text, &load), &o);
  double error = 0, size = 0;
  for (int i = 1; i <= 10; i++) {
    SarEnergy e;
    if (sar_advance(run.s, 0.1 * i * end) != SAR_OK)
      fail_msg("%s, h = %.3g: %s\n%s", coordinates, h, sar_sim_trouble(run.s), t->text);
    EXPECT_OK(sar_energy(run.d, &e));
    error = fmax(error, fabs(e.error));
    size = fmax(size, e.kinetic);
  }
  run_close(&run);
  return error / size;
}

static void redundant_rows_take_no_energy(void** state) {
  (void)state;
  static ModelText t;
  const uint64_t first = test_seed(8100);
  double worst = 0;
  for (int i = 0; i < test_effort(MEMBERS); i++) {
    Rng r = rng_seed(first + (uint64_t)i);
    const double speed = rng_uniform(&r, 1, 5), h = pow(10, rng_uniform(&r, -3.5, -2.5));
    random_bennett(&r, speed, &t);
    for (int k = 0; k < 2; k++) {
      const double off = audit(&t, k ? "absolute" : "relative", h, 0.2);
      const double w = speed + 10, bound = 1e-10 + pow(h * w, 4);
      worst = fmax(worst, off / bound);
      if (!(off <= bound))
        fail_msg("seed %llu, %s: h = %.3g loses %.3g, bound %.3g\n%s",
                 (unsigned long long)first + (unsigned long long)i, k ? "absolute" : "relative", h,
                 off, bound, t.text);
    }
  }
  print_message("%d linkages, worst %.2g of the bound\n", test_effort(MEMBERS), worst);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(redundant_rows_take_no_energy)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
