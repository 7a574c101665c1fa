// Tree dynamics against derivatives in time, taken numerically along the motion: velocities and
// Jacobians against positions, reactions against the momentum of each body (Newton and Euler),
// power against energy.
//
// Derivatives are 4-point central differences with h = 1e-3. Their error is h^4 times a fifth
// derivative (up to about 1e3 here) / 30, and rounding / h: both below 1e-9 of the values.
#include "support/test.h"
#include "support/tree_builder.h"

#include "dynamics/tree.h"

enum { TREES = 60, MAX_BODIES = 12, MAX_NV = 6 * MAX_BODIES, MAX_VALUES = 16 * MAX_BODIES };
static const double H = 1e-3, BOUND = 1e-8;

typedef struct Case {
  SarModel* m;
  SarData *d, *near;  // the state, and states next to it
} Case;

static Case random_case(int seed) {
  Rng r = rng_seed((uint64_t)seed);
  int nbody = 1 + rng_int(&r, MAX_BODIES);
  Case c = {.m = tree_random(&r, nbody)};
  assert_non_null(c.m);
  EXPECT_OK(sar_data_new(c.m, &c.d, NULL));
  EXPECT_OK(sar_data_new(c.m, &c.near, NULL));
  tree_random_state(&r, c.m, c.d->q, c.d->v, c.d->tau_host);
  EXPECT_OK(sar_forward_dynamics(c.d));
  return c;
}

static void free_case(Case c) {
  sar_data_free(c.d);
  sar_data_free(c.near);
  sar_model_free(c.m);
}

// near = the state time t later to first order, for velocity v and acceleration a: first
// derivatives see no more
static void go_to(Case* c, const double* v, double t) {
  const SarModel* m = c->m;
  for (int b = 0; b < m->nbody; b++) {
    const SarJointKind* kind = m->joint_kind[b];
    const double *param = &m->joint_param[b * SAR_JOINT_MAX_PARAM], *q = &c->d->q[m->joint_qadr[b]];
    const double* v_b = &v[m->joint_vadr[b]];
    double xi[SAR_JOINT_MAX_NV] = {0}, rate[SAR_JOINT_MAX_NV], *to = &c->near->q[m->joint_qadr[b]];
    if (kind->rate)
      kind->rate(param, q, xi, v_b, rate);
    else
      for (int i = 0; i < kind->nv; i++) rate[i] = v_b[i];
    for (int i = 0; i < kind->nv; i++) xi[i] = t * rate[i];
    sar_joint_retract(kind, param, q, xi, to);
  }
  for (int i = 0; i < m->nv; i++) c->near->v[i] = c->d->v[i] + t * c->d->a[i];
}

typedef void Values(const Case* c, double* values);  // of c->near

// d(values)/dt along velocity v
static void derivative(Case* c, const double* v, Values* of, int n, double* out) {
  static const double AT[] = {1, -1, 2, -2}, WEIGHT[] = {8, -8, -1, 1};
  double values[MAX_VALUES];
  for (int i = 0; i < n; i++) out[i] = 0;
  for (int k = 0; k < 4; k++) {
    go_to(c, v, AT[k] * H);
    of(c, values);
    for (int i = 0; i < n; i++) out[i] += WEIGHT[k] * values[i] / (12 * H);
  }
}

// ---- positions ------------------------------------------------------------------------------

static const double POINT[3] = {0.3, -0.2, 0.5};

// of the last body: position of the point and its rotation matrix
static void pose_of_last(const Case* c, double* values) {
  double position[3], R[9];
  EXPECT_OK(sar_body_pose(c->near, c->m->nbody - 1, position, R));
  for (int i = 0; i < 3; i++) {
    values[i] = position[i];
    for (int k = 0; k < 3; k++) values[i] += R[3 * i + k] * POINT[k];
  }
  for (int i = 0; i < 9; i++) values[3 + i] = R[i];
}

// w from dR/dt = w~ R
static void angular_velocity(const double* rates, const double* R, double* w) {
  double tilde[9];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      tilde[3 * i + j] = 0;
      for (int k = 0; k < 3; k++) tilde[3 * i + j] += rates[3 * i + k] * R[3 * j + k];
    }
  w[0] = tilde[7], w[1] = tilde[2], w[2] = tilde[3];
}

static void jacobian_is_the_derivative_of_the_pose(void** state) {
  (void)state;
  for (int seed = 0; seed < test_effort(TREES); seed++) {
    Case c = random_case(seed);
    const int nv = c.m->nv, last = c.m->nbody - 1;
    double J[6 * MAX_NV], rates[12], position[3], R[9], w[3], unit[MAX_NV] = {0};
    EXPECT_OK(sar_jacobian(c.d, last, POINT, J));
    EXPECT_OK(sar_body_pose(c.d, last, position, R));
    for (int j = 0; j < nv; j++) {
      unit[j] = 1;
      derivative(&c, unit, pose_of_last, 12, rates);
      unit[j] = 0;
      angular_velocity(rates + 3, R, w);
      for (int i = 0; i < 3; i++) {
        EXPECT_NEAR(J[i * nv + j], w[i], BOUND);
        EXPECT_NEAR(J[(3 + i) * nv + j], rates[i], BOUND);
      }
    }
    // J v is the velocity
    double angular[3], linear[3];
    EXPECT_OK(sar_body_velocity(c.d, last, POINT, angular, linear));
    for (int i = 0; i < 3; i++) {
      double from_J[2] = {0, 0};
      for (int j = 0; j < nv; j++) {
        from_J[0] += J[i * nv + j] * c.d->v[j];
        from_J[1] += J[(3 + i) * nv + j] * c.d->v[j];
      }
      EXPECT_NEAR(angular[i], from_J[0], 1e-12);
      EXPECT_NEAR(linear[i], from_J[1], 1e-12);
    }
    free_case(c);
  }
}

// ---- momentum -------------------------------------------------------------------------------

// of every body: linear, angular about the ground origin
static void momenta(const Case* c, double* values) {
  sar_update_kinematics(c->m, c->near);
  sar_update_world(c->m, c->near);
  for (int b = 0; b < c->m->nbody; b++) {
    Force p = inertia_mul(c->m->body_inertia[b], c->near->body_V[b]);
    p = x_force(c->near->body_X_GB[b], p);
    v3_store(values + 6 * b, p.f);
    v3_store(values + 6 * b + 3, p.n);
  }
}

// d(momentum)/dt of each body = its joint's reaction - those of its children + weight
static void reactions_move_the_bodies(void** state) {
  (void)state;
  for (int seed = 0; seed < test_effort(TREES); seed++) {
    Case c = random_case(seed);
    double rates[6 * MAX_BODIES], sums[6 * MAX_BODIES] = {0}, scale = 1;
    derivative(&c, c.d->v, momenta, 6 * c.m->nbody, rates);
    for (int b = 0; b < c.m->nbody; b++) {
      double force[3], torque[3];
      EXPECT_OK(sar_reaction(c.d, b, force, torque));
      V3 f = v3_load(force), at = c.d->body_X_GB[b].p;  // the joint's point is B
      V3 n = v3_add(v3_load(torque), v3_cross(at, f));
      const Inertia I = c.m->body_inertia[b];
      V3 weight = v3_scale(I.m, c.m->gravity);
      V3 mc = v3_axpy(I.m, at, m3_mul_v(c.d->body_X_GB[b].R, I.h));
      int p = c.m->body_parent[b];
      double *own = sums + 6 * b, *below = p >= 0 ? sums + 6 * p : NULL;
      v3_store(own, v3_add(v3_load(own), v3_add(f, weight)));
      v3_store(own + 3, v3_add(v3_load(own + 3), v3_add(n, v3_cross(mc, c.m->gravity))));
      if (below) {
        v3_store(below, v3_sub(v3_load(below), f));
        v3_store(below + 3, v3_sub(v3_load(below + 3), n));
      }
      scale = fmax(scale, v3_norm(f) + v3_norm(n));
    }
    EXPECT_ARRAY_NEAR(rates, sums, 6 * c.m->nbody, 10 * BOUND * scale);
    free_case(c);
  }
}

static void total_momentum(const Case* c, double* values) {
  EXPECT_OK(sar_momentum(c->near, values, values + 3));
}

static void momentum_is_the_sum_over_bodies(void** state) {
  (void)state;
  for (int seed = 0; seed < test_effort(TREES); seed++) {
    Case c = random_case(seed);
    double all[6 * MAX_BODIES], total[6], sum[6] = {0};
    EXPECT_OK(sar_data_copy(c.near, c.d));
    momenta(&c, all);
    total_momentum(&c, total);
    for (int i = 0; i < 6 * c.m->nbody; i++) sum[i % 6] += all[i];
    EXPECT_ARRAY_NEAR(total, sum, 6, 1e-11);
    free_case(c);
  }
}

// ---- energy ---------------------------------------------------------------------------------

static void total_energy(const Case* c, double* values) {
  SarEnergy energy;
  EXPECT_OK(sar_energy(c->near, &energy));
  values[0] = energy.total;
}

// d(T + V)/dt = power of the joint forces
static void power_is_the_derivative_of_energy(void** state) {
  (void)state;
  for (int seed = 0; seed < test_effort(TREES); seed++) {
    Case c = random_case(seed);
    double rate, power = 0, scale = 1;
    derivative(&c, c.d->v, total_energy, 1, &rate);
    for (int i = 0; i < c.m->nv; i++) {
      power += c.d->tau_host[i] * c.d->v[i];
      scale = fmax(scale, fabs(c.d->a[i]));
    }
    EXPECT_NEAR(rate, power, 10 * BOUND * scale);
    free_case(c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(jacobian_is_the_derivative_of_the_pose),
      cmocka_unit_test(reactions_move_the_bodies),
      cmocka_unit_test(momentum_is_the_sum_over_bodies),
      cmocka_unit_test(power_is_the_derivative_of_energy),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
