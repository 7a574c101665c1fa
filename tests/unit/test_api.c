// The public interface, as a host program sees it: nothing but sarrus/sarrus.h.
#include "support/test.h"

#include <math.h>

static const char arm_text[] =
    "sarrus: 1\n"
    "name: arm\n"
    "parameters: {L: 1}\n"
    "inputs: {torque: 0, unused: 3}\n"
    "bodies:\n"
    "  upper: {rod: [[0, 0, 0], [L, 0, 0]], mass: 2}\n"
    "  lower: {rod: [[L, 0, 0], [2*L, 0, 0]], mass: 1, points: {tip: [2*L, 0, 0]}}\n"
    "joints:\n"
    "  shoulder: {revolute: [ground, upper], axis: y}\n"
    "  elbow: {revolute: [upper, lower], at: [L, 0, 0], axis: y, position: 0.5}\n"
    "forces:\n"
    "  motor: {joint_force: elbow, value: torque}\n"
    "outputs: [{joint: elbow}, {point: lower.tip}, energy]\n";

typedef struct Arm {
  SarModel* m;
  SarData* d;
  SarSim* s;
  SarError err;
} Arm;

static void arm_open(Arm* a, const SarSimOptions* o) {
  sar_error_init(&a->err);
  EXPECT_OK_OR(sar_model_parse(arm_text, strlen(arm_text), "yaml", "arm", NULL, &a->m, &a->err),
               &a->err);
  EXPECT_OK_OR(sar_data_new(a->m, &a->d, &a->err), &a->err);
  EXPECT_OK_OR(sar_sim_new(a->m, a->d, o, &a->s, &a->err), &a->err);
}

static void arm_close(Arm* a) {
  sar_sim_free(a->s);
  sar_data_free(a->d);
  sar_model_free(a->m);
}

static void counts_names_and_finds(void** state) {
  (void)state;
  Arm a;
  arm_open(&a, NULL);
  assert_int_equal(sar_model_count(a.m, SAR_ITEM_BODY), 2);
  assert_int_equal(sar_model_count(a.m, SAR_ITEM_JOINT), 2);
  assert_int_equal(sar_model_count(a.m, SAR_ITEM_FORCE), 1);
  assert_int_equal(sar_model_count(a.m, SAR_ITEM_INPUT), 2);
  assert_int_equal(sar_model_nq(a.m), 2);
  assert_int_equal(sar_model_nv(a.m), 2);
  for (int kind = SAR_ITEM_BODY; kind <= SAR_ITEM_POINT; kind++) {
    int n = sar_model_count(a.m, (SarItem)kind);
    for (int i = 0; i < n; i++)
      assert_int_equal(sar_model_find(a.m, (SarItem)kind, sar_model_name(a.m, (SarItem)kind, i)),
                       i);
    assert_null(sar_model_name(a.m, (SarItem)kind, n));
    assert_null(sar_model_name(a.m, (SarItem)kind, -1));
    assert_int_equal(sar_model_find(a.m, (SarItem)kind, "nobody"), -1);
  }
  assert_true(sar_model_find(a.m, SAR_ITEM_OUTPUT, "lower.tip.z") >= 0);
  SarJointInfo info;
  EXPECT_OK(sar_joint_info(a.m, sar_model_find(a.m, SAR_ITEM_JOINT, "elbow"), &info));
  assert_string_equal(info.kind, "revolute");
  assert_int_equal(info.parent, sar_model_find(a.m, SAR_ITEM_BODY, "upper"));
  EXPECT_STATUS(sar_joint_info(a.m, 7, &info), SAR_BAD_ARGUMENT);
  double lower, upper;
  EXPECT_OK(sar_joint_limits(a.m, 0, &lower, &upper, NULL, NULL));
  assert_true(isinf(lower) && lower < 0 && isinf(upper) && upper > 0);
  EXPECT_STATUS(sar_joint_limits(a.m, -1, &lower, &upper, NULL, NULL), SAR_BAD_ARGUMENT);
  assert_true(sar_data_model(a.d) == a.m);
  arm_close(&a);
}

// Mass matrix, forward and inverse dynamics agree: M (a(tau) - a(0)) = tau.
static void dynamics_at_one_instant(void** state) {
  (void)state;
  Arm a;
  arm_open(&a, NULL);
  double M[4], free_a[2], tau[2] = {3, -2}, back[2];
  sar_v(a.d)[0] = 0.4;
  EXPECT_OK(sar_forward_dynamics(a.d));
  memcpy(free_a, sar_a(a.d), sizeof free_a);
  memcpy(sar_tau(a.d), tau, sizeof tau);
  EXPECT_OK(sar_forward_dynamics(a.d));
  EXPECT_OK(sar_mass_matrix(a.d, M));
  EXPECT_NEAR(M[1], M[2], 0);
  for (int i = 0; i < 2; i++) {
    double sum = 0;
    for (int k = 0; k < 2; k++) sum += M[2 * i + k] * (sar_a(a.d)[k] - free_a[k]);
    EXPECT_NEAR(sum, tau[i], 1e-12);
  }
  // what is needed on top of the host's torques for the accelerations they give: nothing
  EXPECT_OK(sar_inverse_dynamics(a.d, sar_a(a.d), back));
  EXPECT_NEAR(back[0], 0, 1e-12);
  EXPECT_NEAR(back[1], 0, 1e-12);

  double J[6 * 2], w[3], v[3], point[3] = {2, 0, 0}, position[3], R[9];
  int lower = sar_model_find(a.m, SAR_ITEM_BODY, "lower");
  EXPECT_OK(sar_jacobian(a.d, lower, point, J));
  EXPECT_OK(sar_body_velocity(a.d, lower, point, w, v));
  for (int i = 0; i < 3; i++) {
    EXPECT_NEAR(J[2 * i] * sar_v(a.d)[0] + J[2 * i + 1] * sar_v(a.d)[1], w[i], 1e-14);
    EXPECT_NEAR(J[6 + 2 * i] * sar_v(a.d)[0] + J[7 + 2 * i] * sar_v(a.d)[1], v[i], 1e-14);
  }
  EXPECT_OK(sar_body_pose(a.d, lower, position, R));
  EXPECT_NEAR(R[0] * R[0] + R[3] * R[3] + R[6] * R[6], 1, 1e-14);
  EXPECT_STATUS(sar_jacobian(a.d, 2, point, J), SAR_BAD_ARGUMENT);
  EXPECT_STATUS(sar_body_pose(a.d, -1, position, R), SAR_BAD_ARGUMENT);
  arm_close(&a);
}

// At rest the shoulder carries the weight of both links.
static void reaction_of_a_standing_arm(void** state) {
  (void)state;
  Arm a;
  arm_open(&a, NULL);
  double force[3], torque[3], q = -1.5707963267948966, zero = 0;
  EXPECT_OK(sar_joint_set(a.d, 0, &q, &zero));  // upright: no torque, no acceleration
  q = 0;
  EXPECT_OK(sar_joint_set(a.d, 1, &q, &zero));
  EXPECT_OK(sar_forward_dynamics(a.d));
  EXPECT_NEAR(sar_a(a.d)[0], 0, 1e-12);
  EXPECT_OK(sar_reaction(a.d, 0, force, torque));
  EXPECT_NEAR(force[2], 3 * 9.81, 1e-12);
  EXPECT_NEAR(force[0], 0, 1e-12);
  EXPECT_NEAR(torque[1], 0, 1e-12);
  EXPECT_STATUS(sar_reaction(a.d, 2, force, torque), SAR_BAD_ARGUMENT);
  arm_close(&a);
}

static void inputs_drive_the_model(void** state) {
  (void)state;
  Arm a;
  arm_open(&a, NULL);
  int torque = sar_model_find(a.m, SAR_ITEM_INPUT, "torque");
  int unused = sar_model_find(a.m, SAR_ITEM_INPUT, "unused");
  EXPECT_NEAR(sar_inputs(a.d)[unused], 3, 0);
  EXPECT_OK(sar_forward_dynamics(a.d));
  double before = sar_a(a.d)[1];
  sar_inputs(a.d)[torque] = 1;
  EXPECT_OK(sar_forward_dynamics(a.d));
  assert_true(sar_a(a.d)[1] > before + 0.1);
  EXPECT_OK(sar_advance(a.s, 0.1));
  SarEnergy e;
  EXPECT_OK(sar_energy(a.d, &e));
  assert_true(fabs(e.work) > 1e-3);
  EXPECT_NEAR(e.error, 0, 1e-7);
  sar_data_reset(a.d);
  EXPECT_NEAR(sar_inputs(a.d)[torque], 0, 0);
  EXPECT_NEAR(sar_time(a.d), 0, 0);
  arm_close(&a);
}

// The columns are what the other calls say.
static void outputs_agree(void** state) {
  (void)state;
  Arm a;
  arm_open(&a, NULL);
  double values[32], q, v, w[3], speed[3], point[3] = {2, 0, 0};
  SarEnergy e;
  EXPECT_OK(sar_advance(a.s, 0.3));
  EXPECT_OK(sar_outputs(a.s, values));
  EXPECT_OK(sar_joint_get(a.d, 1, &q, &v));
  EXPECT_OK(sar_body_velocity(a.d, 1, point, w, speed));
  EXPECT_OK(sar_energy(a.d, &e));
  EXPECT_NEAR(values[sar_model_find(a.m, SAR_ITEM_OUTPUT, "elbow.q")], q, 0);
  EXPECT_NEAR(values[sar_model_find(a.m, SAR_ITEM_OUTPUT, "elbow.v")], v, 0);
  EXPECT_NEAR(values[sar_model_find(a.m, SAR_ITEM_OUTPUT, "lower.tip.vz")], speed[2], 1e-14);
  EXPECT_NEAR(values[sar_model_find(a.m, SAR_ITEM_OUTPUT, "energy.total")], e.total, 1e-14);
  EXPECT_NEAR(values[sar_model_find(a.m, SAR_ITEM_OUTPUT, "energy.error")], e.error, 1e-14);
  arm_close(&a);
}

// ---- what does not fit is said ------------------------------------------------------------------

static void refuse(const SarSimOptions* o, SarStatus status, const char* word) {
  Arm a;
  char line[1024];
  sar_error_init(&a.err);
  EXPECT_OK(sar_model_parse(arm_text, strlen(arm_text), "yaml", "arm", NULL, &a.m, &a.err));
  EXPECT_OK(sar_data_new(a.m, &a.d, &a.err));
  EXPECT_STATUS(sar_sim_new(a.m, a.d, o, &a.s, &a.err), status);
  assert_null(a.s);
  assert_true(a.err.errors > 0);
  sar_error_format(&a.err, 0, line, sizeof line);
  if (!strstr(line, word)) print_error("\"%s\" does not mention '%s'\n", line, word);
  assert_non_null(strstr(line, word));
  arm_close(&a);
}

static void options_that_do_not_fit(void** state) {
  (void)state;
  SarSimOptions o = sar_sim_options();
  o.integrator = "dopri";
  refuse(&o, SAR_BAD_ARGUMENT, "did you mean 'dopri5'");
  o = sar_sim_options();
  o.formulation = "lagrangian mechanics";
  refuse(&o, SAR_BAD_ARGUMENT, "there are auto");
  o = sar_sim_options();
  o.integrator = "rk4";
  o.adaptive = 1;
  refuse(&o, SAR_NOT_OFFERED, "error control");
  o = sar_sim_options();
  o.step = -1;
  refuse(&o, SAR_BAD_ARGUMENT, "step");
  o = sar_sim_options();
  o.rtol = (double)NAN;
  refuse(&o, SAR_BAD_ARGUMENT, "rtol");
  o = sar_sim_options();
  o.max_iterations = -1;
  refuse(&o, SAR_BAD_ARGUMENT, "max_iterations");
}

static void closed_loops_run(void** state) {
  (void)state;
  static const char text[] =
      "sarrus: 1\n"
      "bodies: {a: {rod: [[0,0,0],[0,0,1]], mass: 1}, b: {rod: [[0,0,1],[1,0,1]], mass: 1},\n"
      "         c: {rod: [[1,0,0],[1,0,1]], mass: 1}}\n"
      "joints:\n"
      "  A: {revolute: [ground, a], at: [0,0,0], axis: y}\n"
      "  B: {revolute: [a, b], at: [0,0,1], axis: y}\n"
      "  C: {revolute: [b, c], at: [1,0,1], axis: y}\n"
      "  D: {revolute: [ground, c], at: [1,0,0], axis: y}\n";
  SarError err;
  SarModel* m;
  SarData* d;
  SarSim* s;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_model_parse(text, strlen(text), "yaml", "four-bar", NULL, &m, &err), &err);
  // one index for all joints: three carry a body, one closes the loop
  assert_int_equal(sar_model_count(m, SAR_ITEM_JOINT), 4);
  int loops = 0;
  for (int j = 0; j < 4; j++) {
    SarJointInfo info;
    EXPECT_OK(sar_joint_info(m, j, &info));
    assert_int_equal(sar_model_find(m, SAR_ITEM_JOINT, info.name), j);
    loops += info.role == SAR_JOINT_LOOP;
    assert_true((info.role == SAR_JOINT_LOOP) == (info.vadr >= sar_model_nv(m)));
  }
  assert_int_equal(loops, 1);
  EXPECT_OK(sar_data_new(m, &d, &err));
  EXPECT_OK_OR(sar_sim_new(m, d, NULL, &s, &err), &err);
  // a parallelogram: the coupler stays level, whatever the cranks do
  sar_v(d)[0] = 1;
  sar_sim_free(s);
  EXPECT_OK_OR(sar_sim_new(m, d, NULL, &s, &err), &err);
  EXPECT_OK(sar_advance(s, 0.5));
  double position[3], rotation[9];
  EXPECT_OK(sar_body_pose(d, sar_model_find(m, SAR_ITEM_BODY, "b"), position, rotation));
  EXPECT_NEAR(rotation[0], 1, 1e-9);
  // a formulation of open trees says why it does not run this
  sar_sim_free(s);
  SarSimOptions o = sar_sim_options();
  o.formulation = "aba";
  sar_error_init(&err);
  EXPECT_STATUS(sar_sim_new(m, d, &o, &s, &err), SAR_NOT_OFFERED);
  assert_null(s);
  assert_true(err.errors > 0);
  sar_data_free(d);
  sar_model_free(m);
}

// ---- lists --------------------------------------------------------------------------------------

static void lists_have_no_gaps(void** state) {
  (void)state;
  static const char* const lists[] = {"formulations", "integrators", "joints",
                                      "forces",       "shapes",      "functions"};
  for (int k = 0; k < 6; k++) {
    SarListEntry e, other;
    int n = 0;
    for (; sar_list(lists[k], n, &e) == SAR_OK; n++) {
      assert_true(e.name[0] && e.doc[0] && e.ref);
      assert_null(strchr(e.doc, '\n'));
      for (int i = 0; i < n; i++) {
        EXPECT_OK(sar_list(lists[k], i, &other));
        assert_string_not_equal(e.name, other.name);
      }
    }
    assert_true(n > 0);
    EXPECT_STATUS(sar_list(lists[k], -1, &e), SAR_BAD_ARGUMENT);
  }
  SarListEntry e;
  EXPECT_STATUS(sar_list("nothing", 0, &e), SAR_BAD_ARGUMENT);
}

// Every integrator in the list either runs or says why not.
static void every_integrator_runs_or_says_why(void** state) {
  (void)state;
  SarListEntry e;
  for (int i = 0; sar_list("integrators", i, &e) == SAR_OK; i++) {
    Arm a;
    SarSimOptions o = sar_sim_options();
    o.integrator = e.name;
    sar_error_init(&a.err);
    EXPECT_OK(sar_model_parse(arm_text, strlen(arm_text), "yaml", "arm", NULL, &a.m, &a.err));
    EXPECT_OK(sar_data_new(a.m, &a.d, &a.err));
    SarStatus st = sar_sim_new(a.m, a.d, &o, &a.s, &a.err);
    if (st == SAR_OK) {
      EXPECT_OK(sar_advance(a.s, 0.01));
      assert_true(sar_time(a.d) == 0.01);
      assert_true(sar_stats(a.s).steps > 0 && sar_stats(a.s).calls > 0);
      assert_string_equal(sar_sim_trouble(a.s), "");
    } else {
      assert_int_equal(st, SAR_NOT_OFFERED);
      assert_true(a.err.count > 0 && a.err.items[0].hint[0]);
    }
    arm_close(&a);
  }
}

static void freeing_nothing_is_fine(void** state) {
  (void)state;
  sar_sim_free(NULL);
  sar_data_free(NULL);
  sar_model_free(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts_names_and_finds),
      cmocka_unit_test(dynamics_at_one_instant),
      cmocka_unit_test(reaction_of_a_standing_arm),
      cmocka_unit_test(inputs_drive_the_model),
      cmocka_unit_test(outputs_agree),
      cmocka_unit_test(options_that_do_not_fit),
      cmocka_unit_test(closed_loops_run),
      cmocka_unit_test(lists_have_no_gaps),
      cmocka_unit_test(every_integrator_runs_or_says_why),
      cmocka_unit_test(freeing_nothing_is_fine),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
