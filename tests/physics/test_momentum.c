// Free bodies that hit each other, nothing else acting: both momenta are kept to rounding, and no step adds
// kinetic energy, whatever restitution and friction are.
#include "support/model_file.h"
#include <stdlib.h>
#include "support/random_bodies.h"

enum { BODIES = 8 };
static const double END = 1.5;

// Bodies on a lattice, thrown at the middle and spinning; their frames are not where their mass centres are.
static void add_cloud(ModelText* t, Rng* r) {
  model_add(t, "sarrus: 1\ngravity: [0, 0, 0]\nbodies:\n");
  for (int i = 0; i < BODIES; i++) {
    const V3 at = v3(i & 1 ? 0.7 : -0.7, i & 2 ? 0.7 : -0.7, i & 4 ? 0.7 : -0.7);
    const V3 v = v3_add(v3_scale(-rng_uniform(r, 1, 4), at), rng_v3(r, -1, 1));
    const V3 w = rng_v3(r, -8, 8), off = rng_v3(r, -0.2, 0.2);
    const Quat q = rng_quat(r);
    const V3 frame = v3_sub(at, m3_mul_v(quat_to_m3(q), off));
    model_add(t, "  b%d: {shapes: [", i);
    body_add_shape(t, r, rng_int(r, BODY_SHAPES), rng_uniform(r, 0.15, 0.45), off);
    model_add(t, "], density: 500, at: [%.6g, %.6g, %.6g], quat: [%.6g, %.6g, %.6g, %.6g], ",
              frame.x, frame.y, frame.z, q.w, q.x, q.y, q.z);
    model_add(t, "velocity: [%.6g, %.6g, %.6g], angular_velocity: [%.6g, %.6g, %.6g], contact: m}\n",
              v.x, v.y, v.z, w.x, w.y, w.z);
  }
}

typedef struct Kept {
  double p, L;     // worst change over the size
  double gain;     // worst rise of the kinetic energy in a step, over the energy
  double lost;     // of the energy in all
  double deepest;  // overlap [m]
  long contacts;   // that bore an impulse, all steps
} Kept;

static double norm(const double* x) { return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }

// Momenta that cancel: what they are measured by is sum m |v| ~ sqrt(2 T m), times 1 m.
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

static Kept collide(int seed, double restitution, double friction, double step) {
  ModelText t = {.used = 0};
  Rng r = rng_seed((uint64_t)seed);
  SarError err;
  SarModel* m;
  SarData* d;
  SarSim* s;
  SarEnergy energy;
  SarSimOptions o = sar_sim_options();
  Kept k = {0};
  add_cloud(&t, &r);
  model_add(&t, "contact: {materials: {m: {restitution: %g, friction: %g}}}\n", restitution,
            friction);
  sar_error_init(&err);
  o.step = step;
  EXPECT_OK_OR(sar_model_parse(t.text, t.used, "yaml", "cloud", NULL, &m, &err), &err);
  EXPECT_OK_OR(sar_data_new(m, &d, &err), &err);
  EXPECT_OK_OR(sar_sim_new(m, d, &o, &s, &err), &err);
  double p[3], L[3];
  EXPECT_OK(sar_momentum(d, p, L));
  EXPECT_OK(sar_energy(d, &energy));
  const double start = energy.kinetic, size = sqrt(2 * start * 500);
  for (double before = start; sar_time(d) < END; before = energy.kinetic) {
    EXPECT_OK(sar_step(s));
    EXPECT_OK(sar_energy(d, &energy));
    if ((energy.kinetic - before) / start > 1e-12 && getenv("SHOW")) {
    int n=0; for (int i = 0; i < sar_contact_count(d); i++) { SarContactPoint c; sar_contact(d, i, &c); n+= norm(c.impulse)>0; }
    printf("t %g gain %g contacts %d\n", sar_time(d), (energy.kinetic - before) / start, n); }
    k.gain = fmax(k.gain, (energy.kinetic - before) / start);
    watch(&k, d, p, L, size);
  }
  k.lost = 1 - energy.kinetic / start;
  sar_sim_free(s);
  sar_data_free(d);
  sar_model_free(m);
  return k;
}

static void momenta_are_kept(void** state) {
  (void)state;
  static const double restitution[] = {0, 0.5, 1, 0.8}, friction[] = {0.3, 0, 0.6, 1.5};
  for (int seed = 0; seed < 16; seed++) {
    const Kept k = collide(seed, restitution[seed % 4], friction[seed / 4], 1e-3);
    print_message("%2d e %.1f mu %.1f: p %.1e, L %.1e, gain %.1e, lost %.3f, depth %.1e, %ld\n", seed,
                  restitution[seed % 4], friction[seed / 4], k.p, k.L, k.gain, k.lost, k.deepest,
                  k.contacts);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(momenta_are_kept)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
