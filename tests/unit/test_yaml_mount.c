// Robots that are included, and where their root is: on ground, on a cart, afloat.
#include "support/run.h"

#include "model/fingerprint.h"
#include "model/model.h"

#define ROOT SARRUS_SOURCE_DIR "/"

static SarError err;

static SarModel* parsed(const char* text) {
  char line[1200];
  SarModel* m = NULL;
  sar_error_init(&err);
  if (sar_model_parse(text, strlen(text), "yaml", "m.yaml",
                      &(SarLoadOptions){.search_paths = (const char*[]){ROOT "examples/parts", ROOT
                                                                        "tests/reference/tree"},
                                        .search_path_count = 2},
                      &m, &err) != SAR_OK)
    fail_msg("%s", sar_error_format(&err, 0, line, sizeof line));
  return m;
}

static SarModel* loaded(const char* path) {
  char line[1200];
  SarModel* m = NULL;
  sar_error_init(&err);
  if (sar_model_load(path, NULL, &m, &err) != SAR_OK)
    fail_msg("%s", sar_error_format(&err, 0, line, sizeof line));
  return m;
}

static void same_model(const char* a, const char* b) {
  SarModel *x = parsed(a), *y = parsed(b);
  assert_int_equal(x->nv, y->nv);
  assert_true(sar_model_fingerprint(x) == sar_model_fingerprint(y));
  sar_model_free(x), sar_model_free(y);
}

// The robot by `to` against the robot whose links, joints and weld are written in the model file.
// Both are one mechanism, whose turn of 180 deg is given once as rpy and once as a quaternion.
static void a_robot_on_a_cart_is_one_that_is_written_there(void** state) {
  (void)state;
  static const char* const joints[] = {"rail", "waist", "shoulder", "elbow", "flange"};
  Run a = run_open(loaded(ROOT "examples/puma_cart.yaml"), NULL);
  Run b = run_open(loaded(ROOT "tests/models/robots/puma_cart.yaml"), NULL);
  double worst = 0;
  for (int i = 1; i <= 80; i++) {
    EXPECT_OK(sar_advance(a.s, 0.1 * i));
    EXPECT_OK(sar_advance(b.s, 0.1 * i));
    for (size_t k = 0; k < sizeof joints / sizeof *joints; k++) {
      double qa, va, qb, vb;
      EXPECT_OK(sar_joint_get(a.d, sar_model_find(a.m, SAR_ITEM_JOINT, joints[k]), &qa, &va));
      EXPECT_OK(sar_joint_get(b.d, sar_model_find(b.m, SAR_ITEM_JOINT, joints[k]), &qb, &vb));
      worst = fmax(worst, fmax(fabs(qa - qb), fabs(va - vb)));
    }
  }
  print_message("on a cart, 8 s: within %.1e rad and rad/s\n", worst);
  EXPECT_NEAR(worst, 0, 1e-9);  // the tolerance of the integrator is 1e-8 of the motion
  run_close(&a), run_close(&b);
}

// Without forces from outside, momentum stays; here it is not zero: the base moves and turns at the
// start.
static void a_floating_robot_keeps_its_momentum(void** state) {
  (void)state;
  Run a = run_open(
      parsed("sarrus: 1\ninclude: [{file: puma.urdf, base: free, at: [1, 2, 3], rpy: [0.3, -0.2, "
             "1]}]\n"
             "gravity: [0, 0, 0]\nadjust:\n"
             "  pedestal: {speed: [0.3, -0.1, 0.2, 0.4, 0.5, -0.3]}\n"
             "  waist: {speed: 1, force: 10*sin(3*t)}\n  elbow: {speed: -2, force: -20*elbow.q}\n"),
      NULL);
  double before[6], after[6];
  assert_int_equal(a.m->nv, 12);
  EXPECT_OK(sar_momentum(a.d, before, before + 3));
  EXPECT_OK(sar_advance(a.s, 3));
  EXPECT_OK(sar_momentum(a.d, after, after + 3));
  double size = 0;
  for (int i = 0; i < 6; i++) size = fmax(size, fabs(before[i]));
  assert_true(size > 1);
  for (int i = 0; i < 6; i++) EXPECT_NEAR(after[i], before[i], 1e-7 * size);
  run_close(&a);
}

static void keys_are_short_for_joints(void** state) {
  (void)state;
  same_model("sarrus: 1\ninclude: [{file: puma.urdf, base: free, at: [0, 0, 1], prefix: p_}]\n",
             "sarrus: 1\ninclude: [{file: puma.urdf, prefix: p_}]\n"
             "joints: {p_pedestal: {free: [ground, p_pedestal], origin: {at: [0, 0, 1]}}}\n");
  same_model(
      "sarrus: 1\nbodies: {cart: {sphere: 1, mass: 1}}\n"
      "include: [{file: puma.urdf, to: cart, at: [0, 0, 1], euler: {sequence: zxz, angles: [1, 2, "
      "3]}}]\n",
      "sarrus: 1\nbodies: {cart: {sphere: 1, mass: 1}}\ninclude: [{file: puma.urdf}]\n"
      "joints: {pedestal: {fixed: [cart, pedestal],\n"
      "  origin: {at: [0, 0, 1], euler: {sequence: zxz, angles: [1, 2, 3]}}}}\n");
  // the default, in so many words; and twice, on one another
  same_model("sarrus: 1\ninclude: [{file: puma.urdf, base: fixed}]\n",
             "sarrus: 1\ninclude: [puma.urdf]\n");
  SarModel* m = parsed(
      "sarrus: 1\ninclude: [{file: puma.urdf, prefix: a_},\n"
      "  {repeat: {n: 2, ends: {b0_hand: a_hand}}, file: puma.urdf, prefix: b$(i)_, to: "
      "b$(i-1)_hand}]\n");
  assert_int_equal(m->nv, 18);
  sar_model_free(m);
}

// A root without mass called `world` is the ground, until the robot is moved: then it goes along.
static void a_root_called_world_moves_along(void** state) {
  (void)state;
  Run a = run_open(
      parsed("sarrus: 1\nbodies: {cart: {sphere: 1, mass: 1}}\n"
             "joints: {rail: {prismatic: [ground, cart], axis: x, speed: 2}}\n"
             "include: [{file: puma6.urdf, to: cart, at: [0, 0, 1], rpy: [0, 0, 90 deg]}]\n"),
      NULL);
  double p[3], R[9];
  assert_int_equal(a.m->nv, 7);
  EXPECT_OK(sar_advance(a.s, 0));
  EXPECT_OK(sar_body_pose(a.d, sar_model_find(a.m, SAR_ITEM_BODY, "link2"), p, R));
  EXPECT_NEAR(p[0], -0.2435, 1e-15);  // [0, 0.2435, 0.6] of the URDF, turned and lifted
  EXPECT_NEAR(p[1], 0, 1e-15);
  EXPECT_NEAR(p[2], 1.6, 1e-15);
  run_close(&a);
  // humanoid36 hangs on `world` by a floating joint, which can be bolted
  SarModel* flies =
      parsed("sarrus: 1\ninclude: [{file: humanoid36.urdf, base: free, at: [0, 0, 1]}]\n");
  SarModel* stands = parsed("sarrus: 1\ninclude: [{file: humanoid36.urdf, base: fixed}]\n");
  assert_int_equal(flies->nv - stands->nv, 6);
  sar_model_free(flies), sar_model_free(stands);
}

// Names of URDF that are no words, in expressions; puma_cart.yaml measures one of them.
static void names_are_quoted(void** state) {
  (void)state;
  same_model(
      "sarrus: 1\ninclude: [puma.urdf]\n"
      "adjust: {waist: {force: \"2*'elbow'.q - waist.'v' + 'wrist-roll'.q*'hand'.vx\"}}\n",
      "sarrus: 1\ninclude: [puma.urdf]\n"
      "adjust: {waist: {force: \"2*elbow.q - waist.v + 'wrist-roll.q'*hand.vx\"}}\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_robot_on_a_cart_is_one_that_is_written_there),
      cmocka_unit_test(a_floating_robot_keeps_its_momentum),
      cmocka_unit_test(keys_are_short_for_joints),
      cmocka_unit_test(a_root_called_world_moves_along),
      cmocka_unit_test(names_are_quoted),
  };
  return cmocka_run_group_tests_name("yaml_mount", tests, NULL, NULL);
}
