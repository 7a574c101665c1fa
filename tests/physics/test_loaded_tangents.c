// Tangents under load (geometric stiffness) against differences of the forces, in absolute
// coordinates: random poses and velocities of two bodies with a beam between them, or one on
// ground, loaded far beyond small strains, and of a wing.
#include "support/run.h"

#include "formulations/implicit/relative.h"
#include "formulations/redundant/system.h"
#include "math/rotvec.h"

#include <math.h>
#include <string.h>

static const char* const MODEL =
    "sarrus: 1\ngravity: [0, 0, 0]\n"
    "bodies:\n"
    "  a: {mass: 1, com: [0.1, 0, 0.2], inertia: [0.1, 0.2, 0.3], at: [0.3, 0.1, 0], rpy: [0.2, "
    "0.5, -0.3]}\n"
    "  b: {mass: 2, inertia: [0.3, 0.2, 0.3], at: [1.2, 0.5, 0.1], rpy: [0.1, 0.2, 0.4]}\n"
    "forces: {k: {beam: [%s, b], stiffness: [[900, 10, 0, 0, 5, 0], [10, 500, 0, 0, 0, 0], [0, 0, "
    "400, 3, 0, 0], [0, 0, 3, 30, 0, 0], [5, 0, 0, 0, 20, 2], [0, 0, 0, 0, 2, 50]]%s}}\n"
    "simulation: {end: 1}\n";

// Generalised forces of both bodies: of the origins in axes of the joints' frames F, of rotations
// in B.
static void forces_at(const SarModel* m, SarData* d, double* Q) {
  sar_update_kinematics(m, d);
  sar_update_forces(m, d);
  for (int b = 0; b < m->nbody; b++) {
    const V3 f = m3_mul_v(d->body_X_GB[b].R, d->body_F[b].f);
    v3_store(Q + m->joint_vadr[b], m3_tmul_v(m->body_X_PF[b].R, f));
    v3_store(Q + m->joint_vadr[b] + 3, d->body_F[b].n);
  }
}

// A rotation of the body leaves the velocity of its origin in axes of F, and its angular velocity
// in axes that stand still: in B it changes by w x phi.
static void displace(const SarModel* m, SarData* d, const double* q0, const double* v0, int dof,
                     double by) {
  const int b = m->dof_body[dof], i = dof - m->joint_vadr[b], at = m->joint_qadr[b];
  memcpy(d->q, q0, (size_t)m->nq * sizeof *q0);
  memcpy(d->v, v0, (size_t)m->nv * sizeof *v0);
  if (i < 3) {
    d->q[at + i] += by;
    return;
  }
  const V3 turn = v3(by * (i == 3), by * (i == 4), by * (i == 5));
  const V3 w = v3_load(v0 + m->joint_vadr[b] + 3);
  quat_store(d->q + at + 3, quat_mul(quat_load(q0 + at + 3), quat_exp(turn)));
  v3_store(d->v + m->joint_vadr[b] + 3, v3_add_cross(w, w, turn));
}

static void set_random(const SarModel* m, SarData* d, double speed, Rng* r) {
  for (int b = 0; b < m->nbody; b++) {
    const int at = m->joint_qadr[b];
    for (int i = 0; i < 3; i++) d->q[at + i] += rng_uniform(r, -0.2, 0.2);
    const V3 turn =
        v3(rng_uniform(r, -0.4, 0.4), rng_uniform(r, -0.4, 0.4), rng_uniform(r, -0.4, 0.4));
    quat_store(d->q + at + 3, quat_unit(quat_mul(quat_load(d->q + at + 3), quat_exp(turn))));
  }
  for (int i = 0; i < m->nv; i++) d->v[i] = speed * rng_uniform(r, -1, 1);
}

// velocities: the element's C is all of its derivative
static void compare(const char* text, double speed, bool velocities, Rng* r) {
  double q0[14], v0[12], high[12], low[12], one[144], two[144];
  SarModel* m = model_parse(text, &(SarLoadOptions){.coordinates = "absolute"});
  SarSimOptions o = run_options("redundant", 1e-3);
  o.integrator = "two-step";
  o.adaptive = 0;
  Run x = run_open(m, &o);
  SarData* d = x.d;
  set_random(m, d, speed, r);
  memcpy(q0, d->q, (size_t)m->nq * sizeof *q0);
  memcpy(v0, d->v, (size_t)m->nv * sizeof *v0);
  forces_at(m, d, high);
  double size = 1000;
  for (int i = 0; i < m->nv; i++) size = fmax(size, fabs(high[i]));
  const SarAbsoluteSystem* system = ((SarRelative*)x.s->formulation_state)->factored.self;
  const SarTangentBlock* t = &m->tangent[0];
  assert_int_equal(m->ntangent, 1);
  assert_true(sar_absolute_load_block(system, d, 0, 1, one));  // K + C
  assert_true(sar_absolute_load_block(system, d, 0, 2, two));  // 4 K + 2 C
  const double step = 1e-5;
  for (int c = 0; c < t->num; c++) {
    const int column = m->tangent_dof[t->adr + c];
    displace(m, d, q0, v0, column, step);
    forces_at(m, d, high);
    displace(m, d, q0, v0, column, -step);
    forces_at(m, d, low);
    for (int i = 0; i < t->num; i++) {
      const int dof = m->tangent_dof[t->adr + i], at = i * t->num + c;
      EXPECT_NEAR(two[at] / 2 - one[at], -(high[dof] - low[dof]) / (2 * step), 1e-6 * size);
    }
    displace(m, d, q0, v0, column, 0);
    d->v[column] = v0[column] + step;
    forces_at(m, d, high);
    d->v[column] = v0[column] - step;
    forces_at(m, d, low);
    for (int i = 0; velocities && i < t->num; i++) {
      const int dof = m->tangent_dof[t->adr + i], at = i * t->num + c;
      EXPECT_NEAR(2 * one[at] - two[at] / 2, -(high[dof] - low[dof]) / (2 * step), 1e-6 * size);
    }
  }
  run_close(&x);
}

static void beams_under_load(void** state) {
  (void)state;
  Rng r = rng_seed(17);
  char text[2048];
  for (int trial = 0; trial < 20; trial++) {
    snprintf(text, sizeof text, MODEL, "a", "");
    compare(text, 0, true, &r);
    snprintf(text, sizeof text, MODEL, "ground", "");
    compare(text, 1, true, &r);
    snprintf(text, sizeof text, MODEL, "a", ", damping: [0.1, 0.1, 0.1, 0.1, 0.1, 0.1]");
    compare(text, 0, true, &r);
  }
}

static void wings(void** state) {
  (void)state;
  Rng r = rng_seed(18);
  char text[1024];
  for (int trial = 0; trial < 20; trial++) {
    snprintf(text, sizeof text,
             "sarrus: 1\ngravity: [0, 0, 0]\nair: {wind: [-20, 3, 1]}\n"
             "bodies: {a: {mass: 1, inertia: [0.1, 0.2, 0.3], at: [0.3, 0.1, 0], rpy: [0.2, 0.5, "
             "-0.3]}}\n"
             "forces: {w: {strips: [a, [0.1, -0.2, 0.3]], span: y, lead: x, up: z, tip: 2, chord: "
             "0.3, twist: 0.1, lift: %s, yaw: %s}}\nsimulation: {end: 1}\n",
             trial % 2 ? "steady" : "quasi_steady", trial % 4 < 2 ? "cross" : "corrected");
    compare(text, 2, true, &r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(beams_under_load), cmocka_unit_test(wings)};
  return cmocka_run_group_tests_name("loaded tangents", tests, NULL, NULL);
}
