// Integrators: order, error control, dense output, exact times, stiffness, failures.
// Every one in the list is tested, on a tree with every kind of joint unless a case needs less.
#include "support/test.h"

#include "integrators/stage.h"
#include "sim/setup.h"
#include "support/tree_builder.h"

#include <math.h>

typedef struct Bench {
  SarModel* m;
  SarData *d, *reference;
  SarError err;
} Bench;

// The index-th of those that step accelerations and are in this build; NULL past the end.
static const SarIntegrator* built(int index) {
  const SarIntegrator* i = NULL;
  for (int k = 0; (i = sar_integrator(k)); k++)
    if (i->step && index-- == 0) return i;
  return NULL;
}

static SarSim* new_sim(Bench* b, SarData* d, const SarIntegrator* i, double step, int adaptive) {
  SarSimOptions o = sar_sim_options();
  SarSim* s;
  o.integrator = i->name;
  o.step = step;
  o.adaptive = adaptive;
  EXPECT_OK_OR(sar_sim_new(b->m, d, &o, &s, &b->err), &b->err);
  return s;
}

// Springs and dampers, so that the motion stays moderate whatever the tree. No springs on
// quaternions: a rotation vector turns about at half a turn, which is no test of an order.
static void bench_open(Bench* b, SarModel* m, uint64_t seed) {
  Rng r = rng_seed(seed);
  b->m = m;
  sar_error_init(&b->err);
  for (int i = 0; i < m->nv; i++) {
    if (!m->joint_kind[m->dof_body[i]]->retract) m->dof_stiffness[i] = 5;
    m->dof_damping[i] = 0.2;
  }
  for (int k = 0; k < m->nbody; k++) m->joint_passive[k] = 1;
  m->has_passive = true;
  EXPECT_OK_OR(sar_data_new(m, &b->d, &b->err), &b->err);
  EXPECT_OK_OR(sar_data_new(m, &b->reference, &b->err), &b->err);
  tree_random_state(&r, m, b->d->q, b->d->v, b->d->tau_host);
  EXPECT_OK(sar_data_copy(b->reference, b->d));
}

static void bench_close(Bench* b) {
  sar_data_free(b->d);
  sar_data_free(b->reference);
  sar_model_free(b->m);
}

// One joint of each kind, hanging on ground: no chaos, all kinds of coordinates.
static SarModel* every_joint(void) {
  TreeBody bodies[16];
  Rng r = rng_seed(3);
  int n = 0;
  for (; sar_joint_kind(n); n++) {
    bodies[n] = (TreeBody){.parent = n == 4 ? 3 : -1, .kind = sar_joint_kind(n), .param = {0.2}};
    bodies[n].X_PF = (Xform){quat_to_m3(rng_quat(&r)), rng_v3(&r, -0.5, 0.5)};
    bodies[n].inertia = tree_random_inertia(&r);
    bodies[n].armature = 0.2;
  }
  return tree_build(bodies, n, v3(0, 0, -9.81));
}

static void to_reference(Bench* b, double t) {
  SarSimOptions o = sar_sim_options();
  SarSim* s;
  o.integrator = "dopri5";
  o.adaptive = 1;
  o.rtol = 1e-13;
  o.atol = 1e-14;
  EXPECT_OK_OR(sar_sim_new(b->m, b->reference, &o, &s, &b->err), &b->err);
  EXPECT_OK(sar_advance(s, t));
  sar_sim_free(s);
}

static double distance(const Bench* b, const SarData* d) {
  double largest = 0;
  for (int i = 0; i < b->m->nq; i++) largest = fmax(largest, fabs(d->q[i] - b->reference->q[i]));
  for (int i = 0; i < b->m->nv; i++) largest = fmax(largest, fabs(d->v[i] - b->reference->v[i]));
  return largest;
}

// Error at t = 0.5 with a fixed step.
static double fixed_error(Bench* b, const SarIntegrator* i, double step) {
  SarData* d;
  EXPECT_OK_OR(sar_data_new(b->m, &d, &b->err), &b->err);
  EXPECT_OK(sar_data_copy(d, b->d));
  SarSim* s = new_sim(b, d, i, step, 0);
  EXPECT_OK(sar_advance(s, 0.5));
  double error = distance(b, d);
  sar_sim_free(s);
  sar_data_free(d);
  return error;
}

static void have_their_order(void** state) {
  (void)state;
  Bench b;
  bench_open(&b, every_joint(), 1);
  to_reference(&b, 0.5);
  for (int k = 0; built(k); k++) {
    const SarIntegrator* i = built(k);
    if (!i->can_fix) continue;
    // steps at which the leading term of the error rules and rounding does not
    double h = i->order >= 4 ? 1.0 / 256 : 1.0 / 1024;
    double coarse = fixed_error(&b, i, h), fine = fixed_error(&b, i, h / 2);
    double order = log2(coarse / fine);
    print_message("%s: order %.3f (errors %.2e, %.2e)\n", i->name, order, coarse, fine);
    EXPECT_NEAR(order, i->order, 0.2);
  }
  bench_close(&b);
}

static void keep_to_the_tolerance(void** state) {
  (void)state;
  Bench b;
  bench_open(&b, every_joint(), 1);
  to_reference(&b, 0.5);
  for (int k = 0; built(k); k++) {
    const SarIntegrator* i = built(k);
    if (!i->can_adapt) continue;
    for (double rtol = 1e-4; rtol > 1e-10; rtol *= 1e-2) {
      if (i->order < 4 && rtol < 1e-8) continue;  // more steps than a test should take
      SarData* d;
      SarSim* s;
      SarSimOptions o = sar_sim_options();
      o.integrator = i->name;
      o.rtol = rtol;
      o.atol = rtol;
      o.adaptive = 1;
      EXPECT_OK_OR(sar_data_new(b.m, &d, &b.err), &b.err);
      EXPECT_OK(sar_data_copy(d, b.d));
      EXPECT_OK_OR(sar_sim_new(b.m, d, &o, &s, &b.err), &b.err);
      EXPECT_OK(sar_advance(s, 0.5));
      SarStats z = sar_stats(s);
      print_message(
          "%s: rtol %.0e error %.1e, %ld steps, %ld rejected, %ld calls, %ld iterations\n", i->name,
          rtol, distance(&b, d), z.steps, z.rejected, z.calls, z.iterations);
      // local errors add up over the steps; nothing drives neighbours apart here
      EXPECT_AT_MOST(distance(&b, d), 2 * (double)z.steps * rtol);
      assert_true(z.rejected <= z.steps / 4 + 5);
      sar_sim_free(s);
      sar_data_free(d);
    }
  }
  bench_close(&b);
}

static void stay_on_the_manifold(void** state) {
  (void)state;
  for (int k = 0; built(k); k++) {
    Bench b;
    bench_open(&b, every_joint(), 2);
    SarSim* s = new_sim(&b, b.d, built(k), 1e-3, -1);
    for (int n = 0; n < 500; n++) EXPECT_OK(sar_step(s));
    for (int j = 0; j < b.m->nbody; j++) {
      const SarJointKind* kind = b.m->joint_kind[j];
      if (!kind->retract) continue;
      Quat q = quat_load(&b.d->q[b.m->joint_qadr[j] + kind->nq - 4]);
      EXPECT_NEAR(quat_norm2(q), 1, 1e-15);  // normalised in every step: a rounding or two
    }
    sar_sim_free(s);
    bench_close(&b);
  }
}

// The integrators take it that local coordinates move with the speeds where they begin.
static void local_coordinates_begin_with_the_speeds(void** state) {
  (void)state;
  Rng r = rng_seed(5);
  for (int k = 0; sar_joint_kind(k); k++) {
    const SarJointKind* kind = sar_joint_kind(k);
    double q[SAR_JOINT_MAX_NQ] = {0}, xi[SAR_JOINT_MAX_NV] = {0}, v[SAR_JOINT_MAX_NV];
    double rate[SAR_JOINT_MAX_NV], param[SAR_JOINT_MAX_PARAM] = {0.1, 0.1};
    if (!kind->rate) continue;
    kind->zero(q);
    for (int i = 0; i < kind->nv; i++) v[i] = rng_uniform(&r, -1, 1);
    kind->rate(param, q, xi, v, rate);
    EXPECT_ARRAY_NEAR(rate, v, kind->nv, 1e-15);
  }
}

// t_k = t_0 + k h, not a sum of roundings; what cuts a step does not move the others.
static void count_fixed_steps(void** state) {
  (void)state;
  for (int k = 0; built(k); k++) {
    if (!built(k)->can_fix) continue;
    Bench b;
    bench_open(&b, tree_chain(1), 1);
    SarSim* s = new_sim(&b, b.d, built(k), 0.01, 0);
    sar_set_time(b.d, 1);
    for (int n = 1; n <= 1000; n++) {
      EXPECT_OK(sar_step(s));
      assert_true(sar_time(b.d) == 1 + n * 0.01);
      if (n != 500) continue;
      double inside[2] = {1 + 500.25 * 0.01, 1 + 500.75 * 0.01};  // a detour within a step
      for (int i = 0; i < 2; i++) {
        EXPECT_OK(sar_advance(s, inside[i]));
        assert_true(sar_time(b.d) == inside[i]);
      }
    }
    assert_int_equal(sar_stats(s).steps, 1002);
    sar_sim_free(s);
    bench_close(&b);
  }
}

// Two simulations take turns on the same data: the grid of fixed steps begins where the other
// ended.
static void take_turns(void** state) {
  (void)state;
  Bench b;
  bench_open(&b, tree_chain(2), 1);
  SarSim* fixed = new_sim(&b, b.d, sar_integrator_find("rk4"), 1e-2, 0);
  SarSim* adaptive = new_sim(&b, b.d, sar_integrator_find("dopri5"), 1e-2, 1);
  for (int n = 0; n < 3; n++) EXPECT_OK(sar_step(fixed));
  EXPECT_OK(sar_advance(adaptive, 0.1234));
  EXPECT_OK(sar_step(fixed));
  assert_true(sar_time(b.d) == 0.1234 + 1e-2);
  sar_sim_free(fixed);
  sar_sim_free(adaptive);
  bench_close(&b);
}

// A model in which nothing moves has no coordinates at all.
static void run_without_coordinates(void** state) {
  (void)state;
  for (int k = 0; built(k); k++) {
    // SUNDIALS wants at least one unknown
    if (strcmp(built(k)->name, "cvode") == 0 || strcmp(built(k)->name, "ida") == 0) continue;
    Bench b;
    TreeBody body = {.parent = -1, .kind = sar_joint_kind_find("fixed"), .X_PF = x_identity()};
    bench_open(&b, tree_build(&body, 1, v3(0, 0, -9.81)), 1);
    SarSim* s = new_sim(&b, b.d, built(k), 1e-2, -1);
    EXPECT_OK(sar_advance(s, 1));
    assert_true(sar_time(b.d) == 1);
    sar_sim_free(s);
    bench_close(&b);
  }
}

static void land_where_asked(void** state) {
  (void)state;
  for (int k = 0; built(k); k++) {
    Bench b;
    bench_open(&b, tree_chain(2), 1);
    SarSim* s = new_sim(&b, b.d, built(k), 1e-3, -1);
    for (int n = 1; n <= 300; n++) {
      EXPECT_OK(sar_advance(s, n * 0.001));
      assert_true(sar_time(b.d) == n * 0.001);
    }
    // a fixed grid and n * 0.001 differ by roundings only: no sliver steps
    if (built(k)->can_fix && !built(k)->adaptive_default) assert_int_equal(sar_stats(s).steps, 300);
    EXPECT_STATUS(sar_advance(s, 0.1), SAR_BAD_ARGUMENT);
    EXPECT_STATUS(sar_advance(s, (double)NAN), SAR_BAD_ARGUMENT);
    assert_true(sar_sim_trouble(s)[0] != 0);
    sar_sim_free(s);
    bench_close(&b);
  }
}

// The interpolant agrees with steps that really end there, to its own order.
static double dense_error(const SarIntegrator* i, double h, double theta) {
  Bench b;
  bench_open(&b, every_joint(), 4);
  SarSim* s = new_sim(&b, b.d, i, h, 0);
  double y[128];
  assert_true(sar_stage_size(b.m) <= 128);
  to_reference(&b, theta * h);
  EXPECT_OK(sar_step(s));
  i->dense(s, theta, y);
  sar_stage_set(s, theta * h, y);
  double error = distance(&b, b.d);
  sar_sim_free(s);
  bench_close(&b);
  return error;
}

static void interpolate(void** state) {
  (void)state;
  for (int k = 0; built(k); k++) {
    const SarIntegrator* i = built(k);
    if (!i->dense || !i->can_fix) continue;
    EXPECT_AT_MOST(dense_error(i, 0.02, 0), 1e-15);
    double coarse = dense_error(i, 0.04, 0.4), fine = dense_error(i, 0.02, 0.4);
    print_message("%s: dense output, local errors %.2e, %.2e\n", i->name, coarse, fine);
    // dopri5: of order 4, local error h^5; trapezoidal: no better than the rule itself, h^3
    double expected = i->order == 2 ? 3 : 5;
    EXPECT_AT_MOST(expected - log2(coarse / fine), 0.5);
  }
}

// A stiff spring and damper whose fast motion has died out: the step follows the slow one.
static void pass_over_stiffness(void** state) {
  (void)state;
  for (int k = 0; built(k); k++) {
    const SarIntegrator* i = built(k);
    if (!i->implicit || !i->can_adapt) continue;
    Bench b;
    bench_open(&b, tree_chain(2), 1);
    // second joint: locked by a spring of 1e8 N m/rad with as much damping as it takes
    b.m->dof_stiffness[1] = 1e8;
    b.m->dof_damping[1] = 1e5;
    b.d->q[1] = 0;
    b.d->v[1] = 0;
    SarSimOptions o = sar_sim_options();
    SarSim* s;
    o.integrator = i->name;
    o.adaptive = 1;
    o.rtol = 1e-4;
    o.atol = 1e-6;
    EXPECT_OK_OR(sar_sim_new(b.m, b.d, &o, &s, &b.err), &b.err);
    EXPECT_OK(sar_advance(s, 2));
    SarStats z = sar_stats(s);
    print_message("%s: stiff, %ld steps, %ld calls, %ld iterations, at most %d\n", i->name, z.steps,
                  z.calls, z.iterations, z.iterations_max);
    // an explicit method needs h < 2.8 c / k = 3e-3 ... and in fact h |lambda| < 3 with the fast
    // root |lambda| of about 1e7: millions of steps
    assert_true(z.steps < 1000);
    assert_true(z.iterations_max <= 3 * 20);  // three attempts of 20, the default
    EXPECT_AT_MOST(fabs(b.d->q[1]), 1e-5);
    sar_sim_free(s);
    bench_close(&b);
  }
}

// The host changes state, inputs or forces between steps: nothing of the old state is used.
static void notice_changes_from_outside(void** state) {
  (void)state;
  for (int k = 0; built(k); k++) {
    Bench b;
    bench_open(&b, tree_chain(3), 1);
    SarSim* s = new_sim(&b, b.d, built(k), 1e-3, -1);
    for (int n = 0; n < 10; n++) EXPECT_OK(sar_step(s));
    sar_tau(b.d)[0] += 5;
    sar_v(b.d)[1] = 0.5;
    EXPECT_OK(sar_data_copy(b.reference, b.d));
    SarSim* fresh = new_sim(&b, b.reference, built(k), 1e-3, -1);
    for (int n = 0; n < 10; n++) {
      EXPECT_OK(sar_step(s));
      EXPECT_OK(sar_step(fresh));
    }
    assert_true(sar_state_hash(b.d) == sar_state_hash(b.reference));
    sar_sim_free(s);
    sar_sim_free(fresh);
    bench_close(&b);
  }
}

// ---- failures -----------------------------------------------------------------------------------

static SarStatus breaks_down(SarSim* s) {  // a = -q until t = 0.05, then not a number
  for (int i = 0; i < s->m->nv; i++)
    s->d->a[i] = s->d->t > 0.05 && i == 1 ? (double)NAN : -s->d->q[i];
  return SAR_OK;
}

static SarStatus blows_up(SarSim* s) {  // dv/dt = v^2: infinite at t = 1/v0
  for (int i = 0; i < s->m->nv; i++) s->d->a[i] = i == 1 ? s->d->v[i] * s->d->v[i] : 0;
  return SAR_OK;
}

static SarStatus is_singular(SarSim* s) { return s->d->t > 0.05 ? SAR_SINGULAR : breaks_down(s); }

static void fails_at_the_last_good_state(const SarIntegrator* i, SarStatus (*accel)(SarSim*),
                                         double v1, const char* word) {
  Bench b;
  SarFormulation f = {.name = "mock", .doc = "", .ref = "", .accel = accel};
  SarSimOptions o = sar_sim_options();
  SarSim* s;
  bench_open(&b, tree_chain(2), 1);
  b.m->joint_name[1] = 0;  // ""
  o.step = 1e-3;
  o.rtol = o.atol = 1e-6;
  o.adaptive = i->can_adapt;
  b.d->v[1] = v1;
  EXPECT_OK(sar_sim_setup(b.m, b.d, &o, &f, i, NULL, &s, &b.err));
  SarStatus st = SAR_OK;
  for (int n = 0; n < 100000 && st == SAR_OK; n++) {
    EXPECT_OK(sar_data_copy(b.reference, b.d));
    st = sar_step(s);
  }
  assert_true(st == SAR_NOT_FINITE || st == SAR_STEP_TOO_SMALL || st == SAR_NOT_CONVERGED ||
              st == SAR_SINGULAR);
  assert_true(sar_state_hash(b.d) == sar_state_hash(b.reference));
  print_message("%s: %s: %s\n", i->name, sar_status_text(st), sar_sim_trouble(s));
  assert_non_null(strstr(sar_sim_trouble(s), "at t = "));
  assert_non_null(strstr(sar_sim_trouble(s), word));
  assert_true(sar_step(s) == st);  // again the same, not worse
  assert_true(sar_state_hash(b.d) == sar_state_hash(b.reference));
  sar_sim_free(s);
  bench_close(&b);
}

static void fail_with_a_reason(void** state) {
  (void)state;
  for (int k = 0; built(k); k++) {
    if (strcmp(built(k)->name, "ida") == 0)
      continue;  // accelerations do not steer it: reference/test_ida.c
    fails_at_the_last_good_state(built(k), breaks_down, 0.3, "joint");
    fails_at_the_last_good_state(built(k), is_singular, 0.3, "singular");
    fails_at_the_last_good_state(built(k), blows_up, 20, "joint");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(have_their_order),
      cmocka_unit_test(keep_to_the_tolerance),
      cmocka_unit_test(stay_on_the_manifold),
      cmocka_unit_test(local_coordinates_begin_with_the_speeds),
      cmocka_unit_test(count_fixed_steps),
      cmocka_unit_test(take_turns),
      cmocka_unit_test(run_without_coordinates),
      cmocka_unit_test(land_where_asked),
      cmocka_unit_test(interpolate),
      cmocka_unit_test(pass_over_stiffness),
      cmocka_unit_test(notice_changes_from_outside),
      cmocka_unit_test(fail_with_a_reason),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
