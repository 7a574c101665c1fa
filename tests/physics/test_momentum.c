// Free bodies that hit each other, nothing else acting: both momenta are kept to rounding, and no
// step adds kinetic energy, whatever restitution and friction are.
#include "support/random_bodies.h"
#include "support/run.h"

enum { BODIES = 8 };
static const double END = 0.8, STEP = 1e-3;
static const double ROUNDING = 1e-12;  // measured: 1e-14 for p, 2e-14 for L, 4e-15 for the energy
static const double DEPTH = 5e-3;      // m; measured: 1.3e-3

static Run open_world(const ModelText* t) {
  SarSimOptions o = sar_sim_options();
  o.step = STEP;
  return run_open(model_parse(t->text, NULL), &o);
}

static double kinetic(const Run* w) {
  SarEnergy e;
  EXPECT_OK(sar_energy(w->d, &e));
  return e.kinetic;
}

static double norm(const double* x) { return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }

// ---- clouds -------------------------------------------------------------------------------------

// Bodies at the corners of a cube, thrown at its middle and spinning; their frames are not where
// their mass centres are.
static void add_cloud(ModelText* t, Rng* r) {
  model_add(t, "sarrus: 1\ngravity: [0, 0, 0]\nbodies:\n");
  for (int i = 0; i < BODIES; i++) {
    const V3 at = v3(i & 1 ? 0.6 : -0.6, i & 2 ? 0.6 : -0.6, i & 4 ? 0.6 : -0.6);
    const V3 v = v3_add(v3_scale(-rng_uniform(r, 2, 5), at), rng_v3(r, -1, 1));
    const V3 w = rng_v3(r, -8, 8), off = rng_v3(r, -0.2, 0.2);
    const Quat q = rng_quat(r);
    const V3 frame = v3_sub(at, m3_mul_v(quat_to_m3(q), off));
    model_add(t, "  b%d: {shapes: [", i);
    body_add_shape(t, r, rng_int(r, BODY_SHAPES), rng_uniform(r, 0.15, 0.4), off);
    model_add(t, "], density: 500, at: [%.6g, %.6g, %.6g], quat: [%.6g, %.6g, %.6g, %.6g], ",
              frame.x, frame.y, frame.z, q.w, q.x, q.y, q.z);
    model_add(t,
              "velocity: [%.6g, %.6g, %.6g], angular_velocity: [%.6g, %.6g, %.6g], contact: m}\n",
              v.x, v.y, v.z, w.x, w.y, w.z);
  }
}

typedef struct Kept {
  double p, L;     // worst change, over sqrt(2 T m) and that times 1 m: momenta may cancel
  double gain;     // worst rise of the kinetic energy in a step, over the energy
  double lost;     // share of the energy that was lost in all
  double deepest;  // overlap [m]
  long contacts;   // points that bore an impulse, all steps
} Kept;

static void watch(Kept* k, SarData* d, const double p0[3], const double L0[3], double size) {
  double p[3], L[3];
  EXPECT_OK(sar_momentum(d, p, L));
  for (int i = 0; i < 3; i++) p[i] -= p0[i], L[i] -= L0[i];
  k->p = fmax(k->p, norm(p) / size);
  k->L = fmax(k->L, norm(L) / size);
  for (int i = 0; i < sar_contact_count(d); i++) {
    SarContactPoint c;
    EXPECT_OK(sar_contact(d, i, &c));
    k->contacts += norm(c.impulse) > 0;
    k->deepest = fmax(k->deepest, -c.gap);
  }
}

static Kept collide(int seed, double restitution, double friction) {
  ModelText t = {.used = 0};
  Rng r = rng_seed((uint64_t)seed);
  Kept k = {0};
  double p[3], L[3];
  add_cloud(&t, &r);
  model_add(&t, "contact: {materials: {m: {restitution: %g, friction: %g, rolling: %g}}}\n",
            restitution, friction, seed % 3 ? 0 : 0.01);
  Run w = open_world(&t);
  const double start = kinetic(&w), size = sqrt(2 * start * 500);
  EXPECT_OK(sar_momentum(w.d, p, L));
  for (double before = start, now; sar_time(w.d) < END; before = now) {
    EXPECT_OK(sar_step(w.s));
    now = kinetic(&w);
    k.gain = fmax(k.gain, (now - before) / start);
    k.lost = 1 - now / start;
    watch(&k, w.d, p, L, size);
  }
  run_close(&w);
  return k;
}

// Points move by up to 15 mm in a step; steps jump where they hit, so that depths stay far below
// that. The deepest is a light body squeezed between two heavy ones.
static void momenta_are_kept_and_no_energy_is_made(void** state) {
  (void)state;
  static const double restitution[] = {0, 0.5, 1, 0.8}, friction[] = {0.3, 0, 0.6, 1.5};
  Kept all = {0};
  const int clouds = test_effort(100);
  for (int seed = 0; seed < clouds; seed++) {
    const Kept k = collide(seed, restitution[seed % 4], friction[seed / 4 % 4]);
    if (k.p > ROUNDING || k.L > ROUNDING || k.gain > ROUNDING || k.deepest > DEPTH)
      print_error("cloud %d: p %.1e, L %.1e, gain %.1e, %.1e m deep\n", seed, k.p, k.L, k.gain,
                  k.deepest);
    all.p = fmax(all.p, k.p);
    all.L = fmax(all.L, k.L);
    all.gain = fmax(all.gain, k.gain);
    all.deepest = fmax(all.deepest, k.deepest);
    all.lost += k.lost / clouds;
    all.contacts += k.contacts;
  }
  print_message("%d clouds, %ld impulses: p %.1e, L %.1e, gain %.1e, lost %.2f, %.1e m deep\n",
                clouds, all.contacts, all.p, all.L, all.gain, all.lost, all.deepest);
  assert_true(all.contacts > 5 * clouds);
  EXPECT_AT_MOST(all.p, ROUNDING);
  EXPECT_AT_MOST(all.L, ROUNDING);
  EXPECT_AT_MOST(all.gain, ROUNDING);
  EXPECT_AT_MOST(all.deepest, DEPTH);
}

// ---- restitution and friction -------------------------------------------------------------------

enum { MASS = 1, TILTS = 15, SPEEDS = 9 };
static const double INERTIA = 0.02, ARM = 0.5;  // of a rod's end that hits the floor

// Energy that Newton's restitution 1 and friction that sticks would add: v+ = (0, w), p = A^-1 (v+
// - v-), W = p . (v+ + v-) / 2, with v = (along the floor, off it).
static double gain_by_newton(double tilt, double slide, double w) {
  const double x = ARM * cos(tilt), z = -ARM * sin(tilt);  // the end, from the mass centre
  const double a = 1.0 / MASS + z * z / INERTIA, b = -x * z / INERTIA,
               c = 1.0 / MASS + x * x / INERTIA;
  const double dt = -slide, dn = 2 * w, det = a * c - b * b;
  const double pt = (c * dt - b * dn) / det, pn = (a * dn - b * dt) / det;
  return fabs(pt) < 5 * pn ? 0.5 * pt * slide : 0;  // the normal's part is nothing; friction 5
}

// A rod's end hits the floor: an end of a small sphere, so the contact is where it is known.
static void rods_bounce_without_gaining(void** state) {
  (void)state;
  int paradox = 0;
  double most = 0, gain = 0;
  for (int i = 0; i < TILTS * SPEEDS; i++) {
    const double tilt = 0.2 + 0.08 * (i % TILTS), slide = -2 + 0.5 * (i / TILTS), w = 1;
    ModelText t = {.used = 0};
    model_add(&t,
              "sarrus: 1\ngravity: [0, 0, 0]\nbodies:\n  rod: {mass: 1, inertia: [0.02, 0.02, "
              "0.02], at: [0, 0, %.9g], velocity: [%g, 0, %g], contact: {sphere: 1e-6, at: [%.9g, "
              "0, %.9g], material: m}}\nground: {contact: [{plane: z, material: m}]}\n"
              "contact: {materials: {m: {restitution: 1, friction: 5}}}\n",
              ARM * sin(tilt) + 0.01, slide, -w, ARM * cos(tilt), -ARM * sin(tilt));
    Run world = open_world(&t);
    const double before = kinetic(&world), newton = gain_by_newton(tilt, slide, w) / before;
    for (int n = 0; n < 20; n++) EXPECT_OK(sar_step(world.s));
    double q[7], v[6];
    EXPECT_OK(sar_joint_get(world.d, 0, q, v));
    paradox += newton > 1e-3;
    most = fmax(most, newton);
    gain = fmax(gain, kinetic(&world) / before - 1);
    assert_true(v[2] > -w);  // it was hit
    run_close(&world);
  }
  print_message("%d of %d impacts would gain up to %.0f %% by Newton's law; ours at most %.1e\n",
                paradox, TILTS * SPEEDS, 100 * most, gain);
  assert_true(paradox > 10);
  EXPECT_AT_MOST(gain, ROUNDING);
}

// ---- robots -------------------------------------------------------------------------------------

// A free tree with joints of any kind that swing, springs and dampers in some.
static void add_robot(ModelText* t, Rng* r, int bodies) {
  model_add(t, "sarrus: 1\ngravity: [0, 0, 0]\nbodies:\n");
  for (int i = 0; i < bodies; i++) {
    const V3 v = rng_v3(r, -2, 2), w = rng_v3(r, -4, 4);
    model_add(t, "  b%d: {shapes: [", i);
    body_add_shape(t, r, rng_int(r, BODY_SHAPES), rng_uniform(r, 0.1, 0.2), rng_v3(r, -0.1, 0.1));
    model_add(t, "], density: 800, at: [%.6g, 0, 0]", 0.4 * i);
    if (i == 0)
      model_add(t, ", velocity: [%.6g, %.6g, %.6g], angular_velocity: [%.6g, %.6g, %.6g]", v.x, v.y,
                v.z, w.x, w.y, w.z);
    model_add(t, "}\n");
  }
  model_add(t, "joints:\n");
  for (int i = 1; i < bodies; i++) {
    const bool ball = rng_int(r, 4) == 0;
    const V3 axis = v3_unit(rng_v3(r, -1, 1));
    model_add(t, "  j%d: {%s: [b%d, b%d], at: [%.6g, 0.1, 0]", i, ball ? "spherical" : "revolute",
              rng_int(r, i), i, 0.4 * i - 0.2);
    if (!ball)
      model_add(t, ", axis: [%.6g, %.6g, %.6g], speed: %.6g, stiffness: %.3g, damping: %.3g",
                axis.x, axis.y, axis.z, rng_uniform(r, -4, 4), rng_int(r, 2) * 5.0,
                rng_int(r, 2) * 0.01);
    model_add(t, "}\n");
  }
}

// In flight nothing changes the momenta of a robot, whatever its joints do.
static void robots_in_flight_keep_their_momenta(void** state) {
  (void)state;
  double worst = 0;
  for (int seed = 0; seed < test_effort(40); seed++) {
    static const double LENGTH[] = {1e-3, 4e-3, 1e-2};
    ModelText t = {.used = 0};
    Rng r = rng_seed((uint64_t)seed);
    SarSimOptions o = run_options("impulse", LENGTH[seed % 3]);
    double p0[3], L0[3], p[3], L[3];
    add_robot(&t, &r, 2 + rng_int(&r, 5));
    Run run = run_open(model_parse(t.text, NULL), &o);
    EXPECT_OK(sar_momentum(run.d, p0, L0));
    const double size = norm(p0) + norm(L0);
    for (int i = 0; i < 300; i++) EXPECT_OK(sar_step(run.s));
    EXPECT_OK(sar_momentum(run.d, p, L));
    for (int i = 0; i < 3; i++)
      worst = fmax(worst, fmax(fabs(p[i] - p0[i]), fabs(L[i] - L0[i])) / size);
    run_close(&run);
  }
  print_message("robots in flight: momenta off by %.1e\n", worst);
  EXPECT_AT_MOST(worst, ROUNDING);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(momenta_are_kept_and_no_energy_is_made),
      cmocka_unit_test(rods_bounce_without_gaining),
      cmocka_unit_test(robots_in_flight_keep_their_momenta),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
