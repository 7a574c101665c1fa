// Modal bodies: recursions against each other and against energy, Jacobians and derivatives against
// differences, formulations against each other, on random ones with nodes that bear joints, loops,
// springs and further modal bodies.
#include "dynamics/constraints.h"
#include "dynamics/mass.h"
#include "dynamics/tangents.h"
#include "support/derivative_check.h"
#include "support/random_modal.h"
#include "support/run.h"

enum { TRIALS = 12, MOST = 64 };

static ModalText text;

static SarModel* load(Rng* r, bool loops) {
  random_modal(&text, r, loops);
  return model_parse(text.text, NULL);
}

static SarData* data_of(const SarModel* m, Rng* r) {
  SarData* d = NULL;
  SarError err;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_data_new(m, &d, &err), &err);
  double xi[MOST];
  for (int i = 0; i < m->nv; i++) {
    xi[i] = rng_uniform(r, -0.4, 0.4);
    d->v[i] = rng_uniform(r, -2, 2);
  }
  sar_projection_move(m, xi, d->q);
  return d;
}

static void evaluate(const SarModel* m, SarData* d) {
  sar_update_kinematics(m, d);
  sar_update_world(m, d);
  sar_update_forces(m, d);
}

// Three ways to accelerations, and v'M v / 2 is the energy of the bodies.
static void recursions_agree(void** state) {
  (void)state;
  Rng r = {test_seed(5001)};
  double worst = 0;
  for (int trial = 0; trial < test_effort(TRIALS); trial++) {
    SarModel* m = load(&r, false);
    SarData* d = data_of(m, &r);
    double a[MOST], tau[MOST], M[MOST * MOST], size = 1, twice = 0;
    double* mass = malloc(sar_mass_entries(m) * sizeof *mass);
    assert_true(m->nv <= MOST && mass);
    evaluate(m, d);
    EXPECT_OK(sar_aba(m, d));
    memcpy(a, d->a, (size_t)m->nv * sizeof *a);
    for (int i = 0; i < m->nv; i++) size = fmax(size, fabs(a[i]));
    sar_rnea(m, d, a, tau);
    for (int i = 0; i < m->nv; i++) worst = fmax(worst, fabs(tau[i] - d->tau[i]) / size);
    EXPECT_OK(sar_crba_accel(m, d, mass));
    for (int i = 0; i < m->nv; i++) worst = fmax(worst, fabs(d->a[i] - a[i]) / size);
    sar_crba_dense(m, d, M);
    for (int i = 0; i < m->nv; i++)
      for (int j = 0; j < m->nv; j++) twice += d->v[i] * M[i * m->nv + j] * d->v[j];
    const double T = sar_kinetic_energy(m, d);
    EXPECT_NEAR(0.5 * twice, T, 1e-11 * (1 + T));
    free(mass);
    sar_data_free(d);
    sar_model_free(m);
  }
  print_message("ABA, CRBA and RNEA agree to %.1e of the largest acceleration\n", worst);
  EXPECT_AT_MOST(worst, 1e-9);
}

static V3 point_of(const SarModel* m, SarData* d, int body, V3 p) {
  sar_update_positions(m, d);
  sar_update_world(m, d);
  return x_point(d->body_X_GB[body], p);
}

// The Jacobian of points on all bodies, velocities and accelerations against differences of the
// motion.
static void jacobians_are_those_of_the_motion(void** state) {
  (void)state;
  Rng r = {test_seed(5002)};
  const double h = 1e-5;
  double worst = 0;
  for (int trial = 0; trial < test_effort(TRIALS); trial++) {
    SarModel* m = load(&r, false);
    SarData* d = data_of(m, &r);
    double J[6 * MOST], q[2 * MOST], xi[MOST];
    memcpy(q, d->q, (size_t)m->nq * sizeof *q);
    for (int b = 0; b < m->nbody; b++) {
      const V3 p = rng_v3(&r, -1, 1);
      point_of(m, d, b, p);
      sar_point_jacobian(m, d, b, p, J);
      for (int j = 0; j < m->nv; j++) {
        V3 at[2];
        for (int side = 0; side < 2; side++) {
          for (int i = 0; i < m->nv; i++) xi[i] = i == j ? (side ? h : -h) : 0;
          memcpy(d->q, q, (size_t)m->nq * sizeof *q);
          sar_projection_move(m, xi, d->q);
          at[side] = point_of(m, d, b, p);
        }
        memcpy(d->q, q, (size_t)m->nq * sizeof *q);
        const V3 slope = v3_scale(0.5 / h, v3_sub(at[1], at[0]));
        const V3 column = v3(J[3 * m->nv + j], J[4 * m->nv + j], J[5 * m->nv + j]);
        worst = fmax(worst, v3_norm(v3_sub(slope, column)));
      }
    }
    sar_data_free(d);
    sar_model_free(m);
  }
  print_message("Jacobians by differences: %.1e\n", worst);
  EXPECT_AT_MOST(worst, 1e-8);
}

static void derivatives_agree(void** state) {
  (void)state;
  static const double STEP[] = {2e-3, 2e-2, 2e-4};
  Rng r = {test_seed(5003)};
  double worst = 0;
  for (int trial = 0; trial < test_effort(TRIALS / 2); trial++) {
    SarModel* m = load(&r, trial % 2 == 1);
    Run run = run_open(m, NULL);
    for (int i = 0; i < m->nv && m->nrow == 0; i++) run.d->v[i] += rng_uniform(&r, -1, 1);
    DerivativeCase c = derivative_case(m, run.d);
    double x[DERIVATIVE_MOST];
    for (int j = 0; j < 2 * m->nv; j++) {
      double best = HUGE_VAL, doubt = 0;
      memset(x, 0, sizeof x);
      x[j] = 1;
      c.direction = x;
      for (int k = 0; k < 3; k++) best = fmin(best, derivative_error(&c, STEP[k], &doubt));
      worst = fmax(worst, best);
    }
    derivative_case_end(&c);
    run_close(&run);
  }
  print_message("derivatives against differences: %.1e\n", worst);
  EXPECT_AT_MOST(worst, 1e-8);
}

// Psi and gamma by differences of Phi along a motion; tangents of springs and dampers by energy and
// power.
static void rows_and_tangents_agree(void** state) {
  (void)state;
  Rng r = {test_seed(5004)};
  double worst = 0, off = 0;
  for (int trial = 0; trial < test_effort(TRIALS); trial++) {
    SarModel* m = load(&r, true);
    SarData* d = data_of(m, &r);
    const double h = 1e-5;
    double Phi[2][8], rate[8], q[2 * MOST], xi[MOST], block[MOST * (MOST + 1) / 2], all = 0,
                                                                                    power = 0;
    memcpy(q, d->q, (size_t)m->nq * sizeof *q);
    evaluate(m, d);
    sar_update_constraints(m, d);
    sar_constraint_multiply(m, d, d->v, rate);
    for (int side = 0; side < 2; side++) {
      for (int i = 0; i < m->nv; i++) xi[i] = (side ? h : -h) * d->v[i];
      memcpy(d->q, q, (size_t)m->nq * sizeof *q);
      sar_projection_move(m, xi, d->q);
      evaluate(m, d);
      sar_update_constraints(m, d);
      memcpy(Phi[side], d->Phi, (size_t)m->nrow * sizeof(double));
    }
    for (int i = 0; i < m->nrow; i++)
      worst = fmax(worst, fabs((Phi[1][i] - Phi[0][i]) / (2 * h) - rate[i]));
    memcpy(d->q, q, (size_t)m->nq * sizeof *q);
    evaluate(m, d);
    for (int k = 0; k < m->ntangent; k++) {
      const SarTangentBlock* t = &m->tangent[k];
      const int* dof = &m->tangent_dof[t->adr];
      const double* entry = block;
      if (t->source != SAR_TANGENT_FORCE) continue;
      sar_tangent_block(m, d, k, 0, 1, block);
      for (int i = 0; i < t->num; i++)
        for (int j = 0; j <= i; j++, entry++)
          all += (i == j ? 1 : 2) * *entry * d->v[dof[i]] * d->v[dof[j]];
    }
    for (int i = 0; i < m->nforce; i++) power -= d->force_power[i];
    off = fmax(off, fabs(all - power) / (1 + power));
    sar_data_free(d);
    sar_model_free(m);
  }
  print_message("rows %.1e, damping %.1e\n", worst, off);
  EXPECT_AT_MOST(worst, 1e-7);
  EXPECT_AT_MOST(off, 1e-10);
}

static double height_of(const Run* r) {
  const int b = sar_model_find(r->m, SAR_ITEM_BODY, "load");
  sar_update_positions(r->m, r->d);
  sar_update_world(r->m, r->d);
  return x_point(r->d->body_X_GB[sar_holder_body(r->m, b)], sar_holder_X_BU(r->m, b).p).z;
}

// Explicit formulations with error control agree closely, steps to their order; energy is accounted
// for.
static void formulations_agree(void** state) {
  (void)state;
  static const struct {
    const char* name;
    double step, bound;
  } METHOD[] = {{"lagrange", 0, 0},        {"qr", 0, 1e-7},        {"embedding", 0, 1e-7},
                {"partition", 0, 1e-7},    {"hybrid", 2e-4, 2e-5}, {"topological", 2e-4, 2e-5},
                {"recursive", 2e-4, 2e-5}, {"global", 2e-4, 2e-5}, {"impulse", 1e-4, 2e-4},
                {"penalty", 0, 1e-4},      {"schur", 0, 1e-7}};
  Rng r = {test_seed(5005)};
  for (int trial = 0; trial < test_effort(4); trial++) {
    random_modal(&text, &r, trial % 2 == 1);
    double first = 0;
    for (size_t k = 0; k < sizeof METHOD / sizeof *METHOD; k++) {
      SarModel* m = model_parse(text.text, NULL);
      SarData* d = NULL;
      SarSim* s = NULL;
      SarError err;
      SarSimOptions o = run_options(METHOD[k].name, METHOD[k].step);
      o.reselect = true;  // a mode that swings does not stay a good choice for long
      sar_error_init(&err);
      EXPECT_OK_OR(sar_data_new(m, &d, &err), &err);
      const SarStatus st = sar_sim_new(m, d, &o, &s, &err);
      if (st == SAR_NOT_OFFERED) {
        sar_data_free(d);
        sar_model_free(m);
        continue;
      }
      EXPECT_OK_OR(st, &err);
      Run run = {m, d, s};
      // coordinates chosen at the start may not do all the way: then these say so
      const SarStatus way = sar_advance(s, 0.5);
      if (way == SAR_SINGULAR && trial % 2 == 1 && strcmp(METHOD[k].name, "topological") != 0) {
        print_message("%-12s %s\n", METHOD[k].name, sar_sim_trouble(s));
        run_close(&run);
        continue;
      }
      EXPECT_OK(way);
      const double z = height_of(&run);
      if (k == 0) first = z;
      print_message("%-12s %.9f  %.1e\n", METHOD[k].name, z, z - first);
      if (!(fabs(z - first) <= METHOD[k].bound))
        fail_msg("%s: %s\n%s", METHOD[k].name, "off", text.text);
      const SarEnergy e = sar_energy_account(m, d);
      if (METHOD[k].step == 0) EXPECT_NEAR(e.error, 0, 1e-6);
      run_close(&run);
    }
  }
}

// A body that floats without weight keeps its momentum and its energy, however it swings.
static void momentum_is_kept(void** state) {
  (void)state;
  Rng r = {test_seed(5006)};
  text.used = 0;
  modal_add(&text, "sarrus: 1\ngravity: [0, 0, 0]\nmodal_bodies:\n");
  const ModalBody b = {"arm", 4, 3, true, v3(0.2, 0.1, 0)};
  modal_body(&text, &r, &b);
  SarSimOptions o = run_options("aba", 0);
  SarModel* m = model_parse(text.text, NULL);
  for (int i = 0; i < m->nv; i++) m->dof_damping[i] = 0, m->v0[i] = rng_uniform(&r, -1, 1);
  Run run = run_open(m, &o);
  evaluate(m, run.d);
  const Force before = sar_total_momentum(m, run.d);
  const double energy = sar_kinetic_energy(m, run.d);
  run_advance(&run, 3);
  evaluate(m, run.d);
  const Force after = sar_total_momentum(m, run.d);
  const SarEnergy e = sar_energy_account(m, run.d);
  EXPECT_NEAR(v3_norm(v3_sub(after.f, before.f)), 0, 1e-8);
  EXPECT_NEAR(v3_norm(v3_sub(after.n, before.n)), 0, 1e-8);
  EXPECT_NEAR(e.total, energy, 1e-8 * energy);
  run_close(&run);
}

// Every body on its own, joints as constraints: the same motion.
static void absolute_coordinates_agree(void** state) {
  (void)state;
  Rng r = {test_seed(5007)};
  for (int trial = 0; trial < test_effort(3); trial++) {
    double z[2];
    random_modal(&text, &r, false);
    for (int k = 0; k < 2; k++) {
      SarLoadOptions options = {0};
      options.coordinates = k ? "absolute" : "relative";
      SarSimOptions o = run_options("lagrange", 0);
      Run run = run_open(model_parse(text.text, &options), &o);
      run_advance(&run, 0.4);
      z[k] = height_of(&run);
      run_close(&run);
    }
    if (!(fabs(z[1] - z[0]) <= 1e-7))
      fail_msg("%.9g in absolute coordinates, %.9g in relative ones:\n%s", z[1], z[0], text.text);
  }
}

// Modes that are combined, with the full matrix of stiffness, are the same body.
static void any_basis_is_the_same_body(void** state) {
  (void)state;
  static const char* const MODES[] = {
      "modes:\n"
      "      - {stiffness: 40, shape: {a: [0, 0, 0.3, 0, -0.2, 0], b: [0, 0, 1, 0, -0.7, 0]}}\n"
      "      - {stiffness: 90, shape: {a: [0, 0.5, 0, 0.1, 0, 0.3], b: [0, -0.4, 0, 0.2, 0, "
      "0.6]}}\n",
      // first + 2 second, 3 first - second
      "modes:\n"
      "      - {shape: {a: [0, 1, 0.3, 0.2, -0.2, 0.6], b: [0, -0.8, 1, 0.4, -0.7, 1.2]}}\n"
      "      - {shape: {a: [0, -0.5, 0.9, -0.1, -0.6, -0.3], b: [0, 0.4, 3, -0.2, -2.1, -0.6]}}\n"
      "    stiffness: [[400, -60], [-60, 450]]\n",
      // as at first, with the frame turned about z by a quarter and modes in other units
      "rpy: [0, 0, 90 deg]\n    modes:\n"
      "      - {stiffness: 360, shape: {a: [0, 0, 0.9, -0.6, 0, 0], b: [0, 0, 3, -2.1, 0, 0]}}\n"
      "      - {stiffness: 22.5, shape: {a: [0.25, 0, 0, 0, -0.05, 0.15], b: [-0.2, 0, 0, 0, -0.1, "
      "0.3]}}\n"};
  static const char* const NODES[] = {
      "a: {at: [1, 0, 0.1], mass: 0.5, inertia: [0.01, 0.02, 0.02]}\n"
      "      b: {at: [2, 0.2, 0], mass: 0.7, inertia: [0.01, 0.02, 0.02]}\n",
      "a: {at: [0, -1, 0.1], rpy: [0, 0, -90 deg], mass: 0.5, inertia: [0.01, 0.02, 0.02]}\n"
      "      b: {at: [0.2, -2, 0], rpy: [0, 0, -90 deg], mass: 0.7, inertia: [0.01, 0.02, "
      "0.02]}\n"};
  double z[3];
  for (int k = 0; k < 3; k++) {
    text.used = 0;
    modal_add(&text,
              "sarrus: 1\nmodal_bodies:\n  arm:\n    nodes:\n      %s    %s"
              "joints:\n  pin: {universal: [ground, arm], axis: y, axis2: z}\n"
              "outputs: [{body: arm_b}]\n",
              NODES[k / 2], MODES[k]);
    SarSimOptions o = run_options("aba", 0);
    Run run = run_open(model_parse(text.text, NULL), &o);
    run_advance(&run, 1);
    z[k] = run_output(&run, "arm_b.z");
    run_close(&run);
  }
  EXPECT_NEAR(z[1], z[0], 1e-8);
  EXPECT_NEAR(z[2], z[0], 1e-8);
}

// Held by a node alone, the body floats in the tree and the joint closes a loop.
static void a_joint_at_a_node_closes_a_loop(void** state) {
  (void)state;
  static const struct {
    const char* name;
    double step, bound;
  } METHOD[] = {
      {"lagrange", 0, 0}, {"qr", 0, 1e-8}, {"hybrid", 2e-4, 1e-5}, {"impulse", 1e-4, 1e-4}};
  Rng r = {test_seed(5008)};
  const ModalBody b = {"arm", 3, 3, true, v3(0.2, 0.1, 0)};
  double first = 0;
  text.used = 0;
  modal_add(&text, "sarrus: 1\nmodal_bodies:\n");
  modal_body(&text, &r, &b);
  modal_add(&text, "joints: {hook: {spherical: [ground, arm_n1]}}\noutputs: [{body: arm_n2}]\n");
  for (size_t k = 0; k < sizeof METHOD / sizeof *METHOD; k++) {
    SarSimOptions o = run_options(METHOD[k].name, METHOD[k].step);
    Run run = run_open(model_parse(text.text, NULL), &o);
    assert_int_equal(run.m->ncut, 1);
    run_advance(&run, 0.5);
    const double z = run_output(&run, "arm_n2.z");
    if (k == 0) first = z;
    EXPECT_NEAR(z, first, METHOD[k].bound);
    if (METHOD[k].step == 0) EXPECT_NEAR(sar_energy_account(run.m, run.d).error, 0, 1e-7);
    run_close(&run);
  }
}

static double height_by(const char* formulation, double step, double t, double* energy) {
  SarLoadOptions options = {0};
  if (step > 0) options.coordinates = "absolute";
  SarSimOptions o = run_options(formulation, step);
  if (step > 0) o.integrator = strcmp(formulation, "redundant") == 0 ? "two-step" : "trapezoidal";
  Run run = run_open(model_parse(text.text, &options), &o);
  run_advance(&run, t);
  const double z = height_of(&run);
  *energy = sar_energy_account(run.m, run.d).error;
  run_close(&run);
  return z;
}

// Half the step, a quarter of the error.
static void expect_order_two(const char* formulation, uint64_t seed, int trials) {
  enum { STEPS = 3 };
  Rng r = {test_seed(seed)};
  for (int trial = 0; trial < trials; trial++) {
    double e[STEPS], energy[STEPS], none;
    random_modal(&text, &r, trial % 2 == 1);
    const double z = height_by("lagrange", 0, 0.3, &none);
    for (int k = 0; k < STEPS; k++)
      e[k] = height_by(formulation, 1e-3 / (1 << k), 0.3, &energy[k]) - z;
    print_message("%.1e %.1e %.1e, energy %.1e %.1e\n", e[0], e[1], e[2], energy[1], energy[2]);
    if (!(fabs(e[2]) < 1e-6 && fabs(e[1] - e[2]) < fabs(e[0] - e[1]) / 3 + 1e-9))
      fail_msg("errors %g, %g, %g:\n%s", e[0], e[1], e[2], text.text);
  }
}

// The rule for velocities of modal bodies, beside momenta of rigid ones.
static void redundant_is_of_order_two(void** state) {
  (void)state;
  expect_order_two("redundant", 5009, test_effort(6));
}

// Nodes as parts, tied to frame and modes.
static void global_is_of_order_two(void** state) {
  (void)state;
  expect_order_two("global", 5011, test_effort(3));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(recursions_agree),
      cmocka_unit_test(jacobians_are_those_of_the_motion),
      cmocka_unit_test(derivatives_agree),
      cmocka_unit_test(rows_and_tangents_agree),
      cmocka_unit_test(formulations_agree),
      cmocka_unit_test(momentum_is_kept),
      cmocka_unit_test(absolute_coordinates_agree),
      cmocka_unit_test(any_basis_is_the_same_body),
      cmocka_unit_test(a_joint_at_a_node_closes_a_loop),
      cmocka_unit_test(redundant_is_of_order_two),
      cmocka_unit_test(global_is_of_order_two),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
