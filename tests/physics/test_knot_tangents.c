// Networks of knots between several bodies, condensed together: the tangent that implicit steps use
// against differences of the forces on the bodies, and stiff networks at steps of their masses, not
// of their springs.
#include "support/run.h"

#include "dynamics/tangents.h"
#include "dynamics/tree.h"
#include "support/random.h"

#include <math.h>

enum { MOST = 12 };  // coordinates of point masses

// Point masses and knots: every knot hangs on ground, on two masses, and on a knot before it. All
// springs are stretched, so that the equilibrium is stable.
typedef struct Web {
  int masses, knots;
  double stiffness;
  bool damped;
} Web;

static Web random_web(Rng* r, double stiffness) {
  return (Web){2 + rng_int(r, 3), 1 + rng_int(r, 4), stiffness, rng_int(r, 2) == 0};
}

// stretch: by how much of its length every spring is too short.
static SarModel* web_model(const Web* w, double stretch, Rng* r) {
  static const V3 WALL[4] = {{3, 0.2, 0.1}, {0.3, -3, 0.1}, {0.3, 0.2, 3}, {-3, 2, -1}};
  char text[16000];
  int at = snprintf(text, sizeof text, "gravity: [0, 0, -9.81]\nbodies:\n"), spring = 0;
  V3 mass[4], knot[4];
#define WRITE(...) at += snprintf(text + at, sizeof text - (size_t)at, __VA_ARGS__)
  for (int i = 0; i < w->masses; i++) {
    const V3 way = rng_v3(r, -1, 1);
    mass[i] = v3_scale(1.5 / v3_norm(way), way);  // away from all knots
    WRITE("  m%d: {at: [%.17g, %.17g, %.17g], mass: %.17g}\n", i, mass[i].x, mass[i].y, mass[i].z,
          rng_uniform(r, 0.5, 5));
  }
  for (int i = 0; i < w->knots; i++) {
    knot[i] = rng_v3(r, -0.4, 0.4);
    WRITE("  k%d: {at: [%.17g, %.17g, %.17g]}\n", i, knot[i].x, knot[i].y, knot[i].z);
  }
  WRITE("forces:\n");
  for (int i = 0; i < w->knots; i++)
    for (int j = 0; j < 6; j++) {
      const int m = (i + j) % w->masses;
      const V3 end = j < 3 ? WALL[j] : j < 5 ? mass[m] : i > 0 ? knot[i - 1] : WALL[3];
      WRITE("  s%d: {spring_damper: [", spring++);
      if (j < 3 || (j == 5 && i == 0))
        WRITE("[ground, [%g, %g, %g]]", end.x, end.y, end.z);
      else
        WRITE("%c%d", j < 5 ? 'm' : 'k', j < 5 ? m : i - 1);
      WRITE(", k%d], stiffness: %.17g, length: %.17g}\n", i, w->stiffness * rng_uniform(r, 0.5, 2),
            (1 - stretch) * v3_norm(v3_sub(end, knot[i])));
    }
  // dampers that act in all directions, on ground and on a mass
  for (int i = 0; i < 2 * w->knots && w->damped; i++) {
    const V3 x = knot[i / 2];
    const double c = w->stiffness * rng_uniform(r, 0.01, 0.1);
    if (i % 2)
      WRITE("  d%d: {bushing: [m%d, k%d]", i, i % w->masses, i / 2);
    else
      WRITE("  d%d: {bushing: [ground, k%d]", i, i / 2);
    WRITE(", frame: {at: [%.17g, %.17g, %.17g]}, damping: [%.17g, %.17g, %.17g, 0, 0, 0]}\n", x.x,
          x.y, x.z, c, 2 * c, 0.5 * c);
  }
  WRITE("outputs: [{body: all, with: [position]}, energy]\n");
#undef WRITE
  return model_text(text);
}

// ---- the tangent --------------------------------------------------------------------------------

// Forces on point masses are their generalised forces.
static void forces_of(const SarModel* m, SarData* d, double* Q) {
  sar_update_kinematics(m, d);
  sar_update_world(m, d);
  sar_update_forces(m, d);
  for (int b = 0; b < m->nbody; b++)
    v3_store(Q + m->joint_vadr[b], m3_mul_v(d->body_X_GB[b].R, d->body_F[b].f));
}

static void all_blocks(const SarModel* m, SarData* d, double gain_K, double gain_C,
                       double T[MOST][MOST]) {
  memset(T, 0, sizeof(double) * MOST * MOST);
  for (int k = 0; k < m->ntangent; k++) {
    const int* dof = &m->tangent_dof[m->tangent[k].adr];
    double block[MOST * (MOST + 1) / 2], *value = block;
    sar_tangent_block(m, d, k, gain_K, gain_C, block);
    for (int i = 0; i < m->tangent[k].num; i++)
      for (int j = 0; j <= i; j++, value++) {
        T[dof[i]][dof[j]] += *value;
        if (i != j) T[dof[j]][dof[i]] += *value;
      }
  }
}

// d(forces) along q_j, with v_j = q_j / gain where the states of knots are implicit.
static void difference(const SarModel* m, SarData* d, int j, double per_gain, double* column) {
  const double h = 1e-5;
  double Q[2][MOST];
  for (int side = 0; side < 2; side++) {
    const double step = side ? h : -h, q = d->q[j], v = d->v[j];
    d->q[j] += step;
    d->v[j] += step * per_gain;
    forces_of(m, d, Q[side]);
    d->q[j] = q, d->v[j] = v;
  }
  for (int i = 0; i < m->nv; i++) column[i] = -(Q[1][i] - Q[0][i]) / (2 * h);
}

static void tangents_are_derivatives(void** state) {
  (void)state;
  Rng rng = rng_seed(test_seed(71));
  double worst = 0;
  int coupled = 0;
  for (int trial = 0; trial < test_effort(60); trial++) {
    const Web w = random_web(&rng, 30);
    SarSimOptions o = run_options("aba", 0);
    Run r = run_open(web_model(&w, 0.9, &rng), &o);
    const double gain = w.damped ? pow(10, rng_uniform(&rng, -3, -1)) : 0;
    double T[MOST][MOST], Q[MOST], column[MOST], size = 0, error = 0;
    run_advance(&r, 0.05);
    if (w.damped) {
      memcpy(r.d->z_base, r.d->z, (size_t)r.m->nz * sizeof *r.d->z);
      r.d->z_from = r.d->z_base;
      r.d->z_gain = gain;
    }
    forces_of(r.m, r.d, Q);
    all_blocks(r.m, r.d, 1, w.damped ? 1 / gain : 0, T);
    for (int j = 0; j < r.m->nv; j++) {
      difference(r.m, r.d, j, w.damped ? 1 / gain : 0, column);
      for (int i = 0; i < r.m->nv; i++) {
        size = fmax(size, fabs(column[i]));
        error = fmax(error, fabs(T[i][j] - column[i]));
        // masses that no force joins feel each other
        coupled += r.m->dof_body[i] != r.m->dof_body[j] && fabs(column[i]) > 0.1;
      }
    }
    worst = fmax(worst, error / size);
    r.d->z_from = NULL;
    run_close(&r);
  }
  print_message("networks of knots: tangent %.1e of the largest from differences\n", worst);
  EXPECT_AT_MOST(worst, 1e-8);
  assert_true(coupled > 0);
}

// ---- stiff networks at the steps of their masses ------------------------------------------------

// Springs of 1e6 N/m (periods of 5 ms and less) between masses that gravity pulls, at 10 ms:
// Newton's method converges in a few iterations, nothing gains energy, and the audit says so.
static void stiff_networks_take_long_steps(void** state) {
  (void)state;
  enum { METHODS_COUNT = 4 };
  static const char* const METHODS[METHODS_COUNT] = {"hybrid", "topological", "global", "impulse"};
  Rng rng = rng_seed(test_seed(72));
  double most = 0, gain = 0;
  for (int trial = 0; trial < test_effort(20); trial++) {
    const Web w = random_web(&rng, 1e6);
    const Rng start = rng;
    for (int k = 0; k < METHODS_COUNT; k++) {
      SarSimOptions o = run_options(METHODS[k], 1e-2);
      rng = start;
      Run r = run_open(web_model(&w, 1e-4, &rng), &o);
      const double first = run_output(&r, "energy.potential") + run_output(&r, "energy.kinetic");
      if (sar_advance(r.s, 0.5) != SAR_OK)
        fail_msg("%s, member %d: %s", METHODS[k], trial, sar_sim_trouble(r.s));
      const double last = run_output(&r, "energy.potential") + run_output(&r, "energy.kinetic");
      gain = fmax(gain, last - first);
      const SarStats stats = sar_stats(r.s);
      most = fmax(most, (double)stats.iterations / (double)stats.steps);
      run_close(&r);
    }
  }
  print_message("networks of 1e6 N/m at 10 ms: at most %.1f iterations a step, energy +%.2g J\n",
                most, gain);
  EXPECT_AT_MOST(gain, 0.5);  // of the 50 J that a meter of height is
  EXPECT_AT_MOST(most, 8);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tangents_are_derivatives),
      cmocka_unit_test(stiff_networks_take_long_steps),
  };
  return cmocka_run_group_tests_name("knot tangents", tests, NULL, NULL);
}
