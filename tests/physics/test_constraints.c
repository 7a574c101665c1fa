// Phi, Psi and gamma of joints that close loops, in random trees, against finite differences.
#include "support/constraint_check.h"
#include "support/random_model.h"

// A tree of eight bodies and one joint of the kind between two of them. The joints of the tree have
// dampers, so that the other one is the one that is cut.
static SarModel* loop_model(const SarJointKind* kind, uint64_t seed) {
  static ModelText t;
  Rng r = rng_seed(seed);
  t.used = 0;
  model_add(&t, "bodies:\n");
  for (int k = 0; k < 8; k++) model_add(&t, "  b%d: {sphere: 0.1, mass: 1}\n", k);
  model_add(&t, "joints:\n");
  for (int k = 0; k < 8; k++) model_add_joint(&t, &r, k, model_moving_kind(&r));
  int a = rng_int(&r, 9) - 1, b = rng_int(&r, 8);
  if (a == b) a = -1;
  V3 axis = v3_unit(rng_v3(&r, -1, 1)), axis2 = v3_perp(axis), at = rng_v3(&r, -0.5, 0.5);
  char from[16] = "ground";
  if (a >= 0) snprintf(from, sizeof from, "b%d", a);
  model_add(&t, "  closing: {%s: [%s, b%d], at: [%.3f, %.3f, %.3f]", kind->name, from, b, at.x,
            at.y, at.z);
  if (kind->axes != SAR_AXES_NONE)
    model_add(&t, ", axis: [%.17g, %.17g, %.17g]", axis.x, axis.y, axis.z);
  if (kind->axes == SAR_AXES_TWO)
    model_add(&t, ", axis2: [%.17g, %.17g, %.17g]", axis2.x, axis2.y, axis2.z);
  for (int i = 0; i < kind->nparam; i++) model_add(&t, ", %s: 0.2", kind->param[i].name);
  model_add(&t, "}\n");
  return model_text(t.text);
}

static void every_kind_of_joint_as_a_cut(void** state) {
  (void)state;
  const int trials = test_effort(30);
  for (int k = 0; sar_joint_kind(k); k++) {
    const SarJointKind* kind = sar_joint_kind(k);
    if (kind->nv == 6) continue;  // free: holds nothing
    for (int trial = 0; trial < trials; trial++) {
      SarModel* m = loop_model(kind, (uint64_t)(1000 * k + trial));
      assert_int_equal(m->ncut, 1);
      assert_ptr_equal(m->cut[0].kind, kind);
      assert_int_equal(kind->nrow, 6 - kind->nv);
      assert_int_equal(m->nrow + m->constraint[0].identical, kind->nrow);
      check_constraints(m, (uint64_t)trial);
      sar_model_free(m);
    }
  }
}

// At the design position every loop is closed.
static void residuals_vanish_at_the_design_position(void** state) {
  (void)state;
  for (int k = 0; sar_joint_kind(k); k++) {
    const SarJointKind* kind = sar_joint_kind(k);
    if (kind->nv == 6) continue;
    SarModel* m = loop_model(kind, (uint64_t)k);
    SarData* d;
    EXPECT_OK(sar_data_new(m, &d, NULL));
    memcpy(d->q, m->q_zero, (size_t)m->nq * sizeof *d->q);
    evaluate_constraints(m, d);
    for (int i = 0; i < m->nrow; i++) EXPECT_NEAR(d->Phi[i], 0, 1e-14);  // rounding, lengths ~ 1
    sar_data_free(d);
    sar_model_free(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kind_of_joint_as_a_cut),
      cmocka_unit_test(residuals_vanish_at_the_design_position),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
