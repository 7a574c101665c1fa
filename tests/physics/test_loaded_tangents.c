// Tangents under load (geometric stiffness) against differences of the forces, in absolute coordinates: random poses of
// two bodies with a beam between them, or one on ground, loaded far beyond small strains.
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
    "400, 3, 0, 0], "
    "[0, 0, 3, 30, 0, 0], [5, 0, 0, 0, 20, 2], [0, 0, 0, 0, 2, 50]]%s}}\n"
    "simulation: {end: 1}\n";

// Generalised forces of both bodies: of the origins in axes of the joints' frames F, of rotations in B.
static void forces_at(const SarModel* m, SarData* d, double* Q) {
  sar_update_kinematics(m, d);
  sar_update_forces(m, d);
  for (int b = 0; b < m->nbody; b++) {
    const V3 f = m3_mul_v(d->body_X_GB[b].R, d->body_F[b].f);
    v3_store(Q + m->joint_vadr[b], m3_tmul_v(m->body_X_PF[b].R, f));
    v3_store(Q + m->joint_vadr[b] + 3, d->body_F[b].n);
  }
}

static void displace(const SarModel* m, SarData* d, const double* q0, int dof, double by) {
  const int b = m->dof_body[dof], i = dof - m->joint_vadr[b], at = m->joint_qadr[b];
  memcpy(d->q, q0, (size_t)m->nq * sizeof *q0);
  if (i < 3) {
    d->q[at + i] += by;
    return;
  }
  const V3 turn = v3(by * (i == 3), by * (i == 4), by * (i == 5));
  quat_store(d->q + at + 3, quat_mul(quat_load(q0 + at + 3), quat_exp(turn)));
}

static void compare(const char* first, const char* damping, Rng* r) {
  char text[2048];
  double q0[14], high[12], low[12], block[144];
  snprintf(text, sizeof text, MODEL, first, damping);
  SarModel* m = model_parse(text, &(SarLoadOptions){.coordinates = "absolute"});
  SarSimOptions o = run_options("redundant", 1e-3);
  o.integrator = "two-step";
  o.adaptive = 0;
  Run x = run_open(m, &o);
  SarData* d = x.d;
  for (int b = 0; b < m->nbody; b++) {
    const int at = m->joint_qadr[b];
    for (int i = 0; i < 3; i++) d->q[at + i] += rng_uniform(r, -0.2, 0.2);
    const V3 turn =
        v3(rng_uniform(r, -0.4, 0.4), rng_uniform(r, -0.4, 0.4), rng_uniform(r, -0.4, 0.4));
    quat_store(d->q + at + 3, quat_unit(quat_mul(quat_load(d->q + at + 3), quat_exp(turn))));
  }
  memset(d->v, 0, (size_t)m->nv * sizeof *d->v);
  memcpy(q0, d->q, (size_t)m->nq * sizeof *q0);
  forces_at(m, d, high);
  double size = 0;
  for (int i = 0; i < m->nv; i++) size = fmax(size, fabs(high[i]));
  const SarAbsoluteSystem* system = ((SarRelative*)x.s->formulation_state)->factored.self;
  const SarTangentBlock* t = &m->tangent[0];
  assert_int_equal(m->ntangent, 1);
  const double gain = 1e5;  // of K: gain^2, of C: gain, which must not be seen beside it
  assert_true(sar_absolute_load_block(system, d, 0, gain, block));
  const double step = 1e-5;
  for (int c = 0; c < t->num; c++) {
    displace(m, d, q0, m->tangent_dof[t->adr + c], step);
    forces_at(m, d, high);
    displace(m, d, q0, m->tangent_dof[t->adr + c], -step);
    forces_at(m, d, low);
    for (int i = 0; i < t->num; i++) {
      const int dof = m->tangent_dof[t->adr + i];
      EXPECT_NEAR(block[i * t->num + c] / (gain * gain), -(high[dof] - low[dof]) / (2 * step),
                  1e-6 * (1000 + size));
    }
  }
  run_close(&x);
}

static void beams_under_load(void** state) {
  (void)state;
  Rng r = rng_seed(17);
  for (int trial = 0; trial < 20; trial++) {
    compare("a", "", &r);
    compare("ground", "", &r);
    compare("a", ", damping: [0.1, 0.1, 0.1, 0.1, 0.1, 0.1]", &r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(beams_under_load)};
  return cmocka_run_group_tests_name("loaded tangents", tests, NULL, NULL);
}
