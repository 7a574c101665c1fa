// Forces in whole models: at any instant the energy changes by exactly the power of the work
// accounts, for every kind of joint, run through either way, with every kind of force on it; and a
// few motions whose answer is known.
#include "support/test.h"

#include "dynamics/tree.h"

enum { TRIALS = 5, MAX_N = 32 };

static SarModel* parse(const char* text) {
  SarModel* m = NULL;
  SarError err;
  sar_error_init(&err);
  SarStatus status = sar_model_parse(text, strlen(text), "yaml", "test.yaml", NULL, &m, &err);
  if (status != SAR_OK) print_error("%s\n", text);
  EXPECT_OK_OR(status, &err);
  return m;
}

static SarData* new_data(const SarModel* m) {
  SarData* d = NULL;
  EXPECT_OK(sar_data_new(m, &d, NULL));
  return d;
}

// ---- the account at one instant -----------------------------------------------------------------
// a joint of a kind with everything a joint can have
static int write_joint(char* buf, size_t size, const char* name, const SarJointKind* k,
                       const char* parent, const char* child) {
  int n =
      snprintf(buf, size, "  %s: {%s: [%s, %s], at: [0.1, 0.2, 0.3]", name, k->name, parent, child);
  if (k->axes != SAR_AXES_NONE) n += snprintf(buf + n, size - (size_t)n, ", axis: [0.6, 0, 0.8]");
  if (k->axes == SAR_AXES_TWO) n += snprintf(buf + n, size - (size_t)n, ", axis2: y");
  for (int i = 0; i < k->nparam; i++)
    n += snprintf(buf + n, size - (size_t)n, ", %s: 0.3", k->param[i].name);
  if (k->nv > 0)
    n += snprintf(buf + n, size - (size_t)n,
                  ", stiffness: 3, rest: 0.1, damping: 0.2, friction: 0.4, friction_speed: 0.5,"
                  " force: 0.3*sin(t) + 0.2*%s.%s",
                  name, k->v_suffix[0]);
  return n + snprintf(buf + n, size - (size_t)n, "}\n");
}

// body b hangs on a, but its joint is written from b to a: the tree runs through it backwards
static SarModel* model_of(const SarJointKind* first, const SarJointKind* second) {
  char text[4096];
  int n =
      snprintf(text, sizeof text,
               "sarrus: 1\n"
               "inputs: {u: 1.5}\n"
               "variables: {w: u*a.vx + b.y}\n"
               "bodies:\n"
               "  a: {at: [0.3, 0, 0.1], mass: 1.1, inertia: [0.1, 0.2, 0.25], com: [0.1, 0, 0]}\n"
               "  b: {at: [0, 0.5, 0.2], rpy: [0.1, 0.2, 0.3], mass: 0.7, inertia: [0.2, 0.3, 0.2],"
               " com: [0, 0.2, 0.1]}\n"
               "joints:\n");
  n += write_joint(text + n, sizeof text - (size_t)n, "j1", first, "ground", "a");
  n += write_joint(text + n, sizeof text - (size_t)n, "j2", second, "b", "a");
  n +=
      snprintf(text + n, sizeof text - (size_t)n,
               "forces:\n"
               "  f1: {force: [a, [0.1, 0.2, 0.3]], value: [1, w, sin(t)], frame: body}\n"
               "  f2: {torque: b, value: [0.3, t, -w]}\n"
               "  f3: {spring_damper: [[a, [0.3, 0.2, 0.9]], [b, [0, 0.3, 0]]], stiffness: 5,"
               " damping: 0.7}\n"
               "  f4: {spring_damper: [ground, b], table: [[0, 3], [0.5, 0], [1, -2], [9, 5]]}\n"
               "  f5: {spring_damper: [a, [ground, [0, 0, 2]]], law: 3*length^2 + rate + 0.1*t}\n"
               "  f6: {torsion: [a, b], axis: [0, 0.6, 0.8], stiffness: 4, rest: 0.2, damping: 1}\n"
               "  f7: {torsion: [ground, b], axis: [1, 0, 0], law: sin(angle) + 0.3*rate}\n"
               "  f8: {bushing: [a, b], frame: {at: [0.1, 0.3, 0], rpy: [0.3, 0, 0.2]},"
               " stiffness: [3, 4, 5, 2, 3, 1], damping: [1, 1, 1, 0.5, 0.4, 0.3],"
               " preload: [1, 2, 3, 1, 2, 3]}\n"
               "  f9: {spring_damper: [a, b], stiffness: 2 + cos(t), length: 0.1*t}\n");
  if (first->nv > 0)
    n += snprintf(text + n, sizeof text - (size_t)n,
                  "  fa: {joint_force: j1, value: 0.8 - u, component: %d}\n", first->nv);
  if (second->nv > 0)
    n += snprintf(text + n, sizeof text - (size_t)n,
                  "  fb: {joint_force: j2, value: cos(t), component: %d}\n", second->nv);
  assert_true((size_t)n < sizeof text);
  return parse(text);
}

static void retract(const SarModel* m, const double* q0, const double* xi, double* q) {
  for (int b = 0; b < m->nbody; b++) {
    const SarJointKind* k = m->joint_kind[b];
    const double *from = &q0[m->joint_qadr[b]], *by = &xi[m->joint_vadr[b]];
    double* to = &q[m->joint_qadr[b]];
    sar_joint_retract(k, &m->joint_param[b * SAR_JOINT_MAX_PARAM], from, by, to);
  }
}

static double energy_at(const SarModel* m, SarData* d, const double* q, const double* v) {
  memcpy(d->q, q, (size_t)m->nq * sizeof *q);
  memcpy(d->v, v, (size_t)m->nv * sizeof *v);
  sar_update_kinematics(m, d);
  sar_update_world(m, d);
  sar_update_forces(m, d);
  return sar_kinetic_energy(m, d) + sar_potential_energy(m, d);
}

// dE/dt by a central difference along the motion q(h) = q0 + h v, v(h) = v0 + h a; energies of
// about 10 J and a step of 1e-5 leave 1e-10 from rounding and about 1e-8 from third derivatives
static void expect_account_closes(const SarModel* m, SarData* d, Rng* r) {
  double q0[MAX_N], v0[MAX_N], xi[MAX_N], q[2][MAX_N], v[2][MAX_N], E[2];
  const double h = 1e-5;
  assert_true(m->nq <= MAX_N && m->nv <= MAX_N);
  d->t = rng_uniform(r, 0, 3);
  for (int i = 0; i < m->nv; i++) xi[i] = rng_uniform(r, -0.6, 0.6);
  for (int i = 0; i < m->nv; i++) v0[i] = rng_uniform(r, -1, 1);
  for (int i = 0; i < m->nv; i++) d->tau_host[i] = rng_uniform(r, -1, 1);
  retract(m, m->q_zero, xi, q0);
  energy_at(m, d, q0, v0);
  double power = 0;
  for (int i = 0; i < m->nwork; i++) power += d->work_rate[i];
  EXPECT_OK(sar_aba(m, d));
  for (int side = 0; side < 2; side++) {
    double step = side ? h : -h;
    for (int i = 0; i < m->nv; i++) xi[i] = step * v0[i], v[side][i] = v0[i] + step * d->a[i];
    retract(m, q0, xi, q[side]);
  }
  for (int side = 0; side < 2; side++) E[side] = energy_at(m, d, q[side], v[side]);
  EXPECT_NEAR((E[1] - E[0]) / (2 * h), power, 1e-6 * (1 + fabs(power)));
}

static void energy_account_closes_for_all_joints_and_forces(void** state) {
  (void)state;
  Rng r = rng_seed(1);
  int turned = 0;
  for (int i = 0; sar_joint_kind(i); i++)
    for (int j = 0; sar_joint_kind(j); j++) {
      SarModel* m = model_of(sar_joint_kind(i), sar_joint_kind(j));
      SarData* d = new_data(m);
      for (int b = 0; b < m->nbody; b++) turned += m->joint_turned[b];
      for (int trial = 0; trial < TRIALS; trial++) expect_account_closes(m, d, &r);
      sar_data_free(d);
      sar_model_free(m);
    }
  assert_true(turned > 0);  // some joints were indeed run through backwards
}

// ---- motions whose answer is known --------------------------------------------------------------
static SarSim* new_sim(const SarModel* m, SarData* d) {
  SarSimOptions o = sar_sim_options();
  SarSim* s = NULL;
  SarError err;
  sar_error_init(&err);
  o.integrator = "dopri5";
  o.rtol = 1e-10, o.atol = 1e-12;
  EXPECT_OK_OR(sar_sim_new(m, d, &o, &s, &err), &err);
  return s;
}

// m x'' + c x' + k x = 0 from x = 1 at rest:
// x = exp(-z t) (cos(p t) + z/p sin(p t)), z = c/2m, p = sqrt(k/m - z^2); the same from a spring on
// the joint, between points, and of a shaft in torsion
static void oscillators_follow_the_closed_form(void** state) {
  (void)state;
  const char* texts[] = {
      "sarrus: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 2}}\n"
      "joints: {j: {prismatic: [ground, a], axis: x, stiffness: 50, damping: 1.2, position: 1}}\n",
      "sarrus: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 2}}\n"
      "joints: {j: {prismatic: [ground, a], axis: x, position: 1}}\n"
      "forces: {s: {spring_damper: [[ground, [-3, 0, 0]], a], stiffness: 50, damping: 1.2}}\n",
      "sarrus: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 9, inertia: [7, 7, 2]}}\n"
      "joints: {j: {revolute: [ground, a], axis: z, position: 1}}\n"
      "forces: {s: {torsion: [ground, a], axis: [0, 0, 1], stiffness: 50, damping: 1.2}}\n",
      "sarrus: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 2, inertia: [1, 1, 1]}}\n"
      "joints: {j: {prismatic: [ground, a], axis: x, position: 1}}\n"
      "forces: {s: {bushing: [ground, a], frame: {at: [0, 0, 0]}, stiffness: [50, 9, 9, 1, 1, 1],"
      " damping: [1.2, 0, 0, 0, 0, 0]}}\n",
      "sarrus: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 2}}\n"
      "joints: {j: {prismatic: [ground, a], axis: x, position: 1, force: -50*j.q - 1.2*a.vx}}\n",
  };
  const double zeta = 1.2 / 4, p = sqrt(25 - zeta * zeta), t = 2;
  const double x = exp(-zeta * t) * (cos(p * t) + zeta / p * sin(p * t));
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    SarModel* m = parse(texts[i]);
    SarData* d = new_data(m);
    SarSim* s = new_sim(m, d);
    SarEnergy e;
    EXPECT_OK(sar_advance(s, t));
    EXPECT_NEAR(sar_q(d)[0], x, 1e-8);  // tolerance 1e-10 a step, some hundred steps
    EXPECT_OK(sar_energy(d, &e));
    EXPECT_NEAR(e.error, 0, 1e-7);  // 25 J at the start
    sar_sim_free(s), sar_data_free(d), sar_model_free(m);
  }
}

// two free bodies that only feel each other: momentum stays, and the energy goes where the account
// says
static void pair_in_free_flight_keeps_its_momentum(void** state) {
  (void)state;
  const char* text =
      "sarrus: 1\ngravity: [0, 0, 0]\n"
      "bodies:\n"
      "  a: {mass: 1, inertia: [0.1, 0.2, 0.25], velocity: [1, 0, 0.3], angular_velocity: [1, 2, "
      "3]}\n"
      "  b: {mass: 2, inertia: [0.3, 0.2, 0.4], at: [0.5, 0, 0], angular_velocity: [0, -1, 2]}\n"
      "forces:\n"
      "  s: {spring_damper: [[a, [0.1, 0.1, 0]], [b, [0, 0.2, 0.1]]], stiffness: 30, damping: "
      "0.5}\n"
      "  t: {torsion: [a, b], axis: [0, 0, 1], stiffness: 2, damping: 0.1}\n"
      "  u: {bushing: [b, a], frame: {at: [0.2, 0, 0]}, stiffness: [8, 9, 7, 1, 2, 3],"
      " damping: [0.2, 0.2, 0.2, 0.1, 0.1, 0.1]}\n";
  SarModel* m = parse(text);
  SarData* d = new_data(m);
  SarSim* s = new_sim(m, d);
  double p0[3], L0[3], p[3], L[3];
  SarEnergy e;
  EXPECT_OK(sar_momentum(d, p0, L0));
  EXPECT_OK(sar_advance(s, 3));
  EXPECT_OK(sar_momentum(d, p, L));
  EXPECT_ARRAY_NEAR(p, p0, 3, 1e-9);
  EXPECT_ARRAY_NEAR(L, L0, 3, 1e-8);
  EXPECT_OK(sar_energy(d, &e));
  assert_true(e.work < -0.1);  // the dampers took something worth speaking of
  EXPECT_NEAR(e.error, 0, 1e-7);
  sar_sim_free(s), sar_data_free(d), sar_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(energy_account_closes_for_all_joints_and_forces),
      cmocka_unit_test(oscillators_follow_the_closed_form),
      cmocka_unit_test(pair_in_free_flight_keeps_its_momentum),
  };
  return cmocka_run_group_tests_name("force_work", tests, NULL, NULL);
}
