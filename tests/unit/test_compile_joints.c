// Joints through the compiler: every kind, both ways of placing, both directions of the tree.
//
// The law that must hold in every case, with frames worked out here from the file's numbers:
//   X_G,parent X_UF(parent) X_FB(q) = X_G,child X_UF(child)       q in the direction of the file
// and the same for velocities, V_child - V_parent = S v.
#include "support/test.h"
#include "support/model_file.h"

#include "model/model.h"

typedef struct Case {
  const SarJointKind* kind;
  bool turned, relative;
  Xform X_GU[2];  // design poses of parent a and child b
  V3 at, axis, axis2;
  double param[SAR_JOINT_MAX_PARAM];
} Case;

static Xform random_pose(Rng* r) {
  M3 R = quat_to_m3(rng_quat(r));
  return (Xform){R, rng_v3(r, -1, 1)};
}

static int print_pose(char* text, size_t size, Xform X) {
  Quat q = quat_from_m3(X.R);
  return snprintf(text, size, "at: [%.17g, %.17g, %.17g], quat: [%.17g, %.17g, %.17g, %.17g]",
                  X.p.x, X.p.y, X.p.z, q.w, q.x, q.y, q.z);
}

// Relative: the axes are given in `origin`, and the child's frame is there.
static Case random_case(Rng* r, const SarJointKind* kind, bool turned, bool relative) {
  Case c = {.kind = kind, .turned = turned, .relative = relative, .param = {0.37, 0.41}};
  c.X_GU[0] = random_pose(r);
  c.X_GU[1] = random_pose(r);
  c.at = rng_v3(r, -1, 1);
  c.axis = v3_unit(rng_v3(r, -1, 1));
  c.axis2 = v3_unit(v3_cross(c.axis, rng_v3(r, -1, 1)));
  return c;
}

static SarModel* compile_case(const Case* c, const char* more) {
  char text[4096], pose[512], axes[512] = "", params[128] = "";
  int n = 0;
  if (c->kind->axes != SAR_AXES_NONE)
    n = snprintf(axes, sizeof axes, ", axis: [%.17g, %.17g, %.17g]", c->axis.x, c->axis.y,
                 c->axis.z);
  if (c->kind->frame)  // two axes, or one and a direction across it
    snprintf(axes + n, sizeof axes - (size_t)n, ", axis2: [%.17g, %.17g, %.17g]", c->axis2.x,
             c->axis2.y, c->axis2.z);
  for (int i = 0; i < c->kind->nparam; i++)
    snprintf(params, sizeof params, ", %s: %.17g", c->kind->param[i].name, c->param[i]);
  print_pose(pose, sizeof pose, c->X_GU[0]);
  n = snprintf(text, sizeof text,
               "bodies:\n  a: {mass: 1, inertia: [1, 1, 1], %s}\n  b: {mass: 2, inertia: [2, 3, 4]",
               pose);
  print_pose(pose, sizeof pose, c->relative ? x_mul(x_inv(c->X_GU[0]), c->X_GU[1]) : c->X_GU[1]);
  if (!c->relative) n += snprintf(text + n, sizeof text - (size_t)n, ", %s", pose);
  n += snprintf(text + n, sizeof text - (size_t)n, "}\njoints:\n  weld: {fixed: [ground, %s]}\n",
                c->turned ? "b" : "a");
  if (c->relative)
    snprintf(text + n, sizeof text - (size_t)n, "  j: {%s: [a, b], origin: {%s}%s%s%s}\n",
             c->kind->name, pose, axes, params, more);
  else
    snprintf(text + n, sizeof text - (size_t)n,
             "  j: {%s: [a, b], at: [%.17g, %.17g, %.17g]%s%s%s}\n", c->kind->name, c->at.x,
             c->at.y, c->at.z, axes, params, more);
  return model_text(text);
}

static M3 joint_rotation(const Case* c) {
  if (c->kind->frame) return c->kind->frame(c->axis, c->axis2);
  return c->kind->axes == SAR_AXES_NONE ? m3_identity() : m3_frame_z(c->axis);
}

// Joint frame in U of parent (0) and child (1).
static Xform joint_frame(const Case* c, int end) {
  Xform J = {joint_rotation(c), v3_zero()};
  if (c->relative) return end == 1 ? J : x_mul(x_mul(x_inv(c->X_GU[0]), c->X_GU[1]), J);
  J.p = c->at;
  return x_mul(x_inv(c->X_GU[end]), J);
}

static Xform pose_now(SarData* d, const char* body) {
  double p[3], R[9];
  int b = sar_model_find(sar_data_model(d), SAR_ITEM_BODY, body);
  EXPECT_OK(sar_body_pose(d, b, p, R));
  return (Xform){{R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]}, v3_load(p)};
}

// Velocity of a body about the ground origin, ground axes.
static Motion velocity_now(SarData* d, const char* body) {
  double w[3], v[3];
  const double origin[3] = {0, 0, 0};
  int b = sar_model_find(sar_data_model(d), SAR_ITEM_BODY, body);
  EXPECT_OK(sar_body_velocity(d, b, origin, w, v));
  V3 W = v3_load(w);
  return (Motion){W, v3_sub(v3_load(v), v3_cross(W, pose_now(d, body).p))};
}

static void expect_same_pose(Xform X, Xform Y, double tol) {
  EXPECT_ARRAY_NEAR(&X.R.xx, &Y.R.xx, 9, tol);
  EXPECT_ARRAY_NEAR(&X.p.x, &Y.p.x, 3, tol);
}

static void expect_law(const Case* c, SarData* d, const double* q, const double* v) {
  SarJointCalc calc;
  c->kind->calc(c->param, q, v, &calc);
  Xform X_GF = x_mul(pose_now(d, "a"), joint_frame(c, 0));
  Xform X_GB = x_mul(pose_now(d, "b"), joint_frame(c, 1));
  expect_same_pose(x_mul(X_GF, calc.X_FB), X_GB, 1e-13);  // a dozen rotations of rounding
  Motion V = motion_add(velocity_now(d, "b"), motion_scale(-1, velocity_now(d, "a")));
  V = x_motion_inv(X_GB, V);
  Motion S = motion_zero();
  for (int i = 0; i < c->kind->nv; i++) S = motion_add(S, motion_scale(v[i], calc.S[i]));
  EXPECT_ARRAY_NEAR(&V.w.x, &S.w.x, 3, 1e-13);
  EXPECT_ARRAY_NEAR(&V.v.x, &S.v.x, 3, 1e-13);
}

static void random_coordinates(const Case* c, Rng* r, double* q, double* v) {
  double zero[SAR_JOINT_MAX_NQ] = {0}, xi[SAR_JOINT_MAX_NV];
  if (c->kind->zero) c->kind->zero(zero);
  for (int i = 0; i < c->kind->nv; i++) {
    xi[i] = rng_uniform(r, -1, 1);
    v[i] = rng_uniform(r, -1, 1);
  }
  for (int i = 0; i < c->kind->nq; i++) q[i] = zero[i] + (i < c->kind->nv ? xi[i] : 0);
  if (c->kind->retract) c->kind->retract(c->param, zero, xi, q);
}

static void every_kind_obeys_the_law(void** state) {
  (void)state;
  Rng r = rng_seed(11);
  for (int k = 0; sar_joint_kind(k); k++)
    for (int variant = 0; variant < 4; variant++) {
      // a relative joint places its child, so the tree may still run either way
      Case c = random_case(&r, sar_joint_kind(k), variant & 1, variant & 2);
      SarModel* m = compile_case(&c, "");
      SarData* d;
      EXPECT_OK(sar_data_new(m, &d, NULL));
      int j = sar_model_find(m, SAR_ITEM_JOINT, "j");
      SarJointInfo info;
      EXPECT_OK(sar_joint_info(m, j, &info));
      assert_int_equal(info.turned, c.turned);
      // as designed
      expect_same_pose(pose_now(d, "a"), c.X_GU[0], 1e-14);
      expect_same_pose(pose_now(d, "b"), c.X_GU[1], 1e-14);
      for (int trial = 0; trial < 5; trial++) {
        double q[SAR_JOINT_MAX_NQ], v[SAR_JOINT_MAX_NV], q2[SAR_JOINT_MAX_NQ], v2[SAR_JOINT_MAX_NV];
        random_coordinates(&c, &r, q, v);
        EXPECT_OK(sar_joint_set(d, j, q, v));
        expect_law(&c, d, q, v);
        EXPECT_OK(sar_joint_get(d, j, q2, v2));
        EXPECT_ARRAY_NEAR(q2, q, c.kind->nq, 1e-15);
        EXPECT_ARRAY_NEAR(v2, v, c.kind->nv, 1e-15);
      }
      sar_data_free(d);
      sar_model_free(m);
    }
}

// position and speed of the file are what sar_joint_get says at the start
static void every_kind_starts_as_the_file_says(void** state) {
  (void)state;
  Rng r = rng_seed(12);
  for (int k = 0; sar_joint_kind(k); k++)
    for (int turned = 0; turned < 2; turned++) {
      Case c = random_case(&r, sar_joint_kind(k), turned, false);
      double zero[SAR_JOINT_MAX_NQ] = {0}, xi[SAR_JOINT_MAX_NV], q[SAR_JOINT_MAX_NQ],
             v[SAR_JOINT_MAX_NV], want[SAR_JOINT_MAX_NQ];
      char more[512] = "";
      int nv = c.kind->nv, n = 0;
      if (nv == 0) continue;
      if (c.kind->zero) c.kind->zero(zero);
      for (int i = 0; i < nv; i++) xi[i] = 0.1 * (i + 1), want[i] = zero[i] + xi[i];
      if (c.kind->retract) c.kind->retract(c.param, zero, xi, want);
      n += snprintf(more + n, sizeof more - (size_t)n, ", position: [");
      for (int i = 0; i < nv; i++)
        n += snprintf(more + n, sizeof more - (size_t)n, "%s%.17g", i ? ", " : "", xi[i]);
      n += snprintf(more + n, sizeof more - (size_t)n, "], speed: [");
      for (int i = 0; i < nv; i++)
        n += snprintf(more + n, sizeof more - (size_t)n, "%s%.17g", i ? ", " : "", 1 - xi[i]);
      snprintf(more + n, sizeof more - (size_t)n, "]");
      SarModel* m = compile_case(&c, more);
      SarData* d;
      EXPECT_OK(sar_data_new(m, &d, NULL));
      EXPECT_OK(sar_joint_get(d, sar_model_find(m, SAR_ITEM_JOINT, "j"), q, v));
      EXPECT_ARRAY_NEAR(q, want, c.kind->nq, 1e-15);
      for (int i = 0; i < nv; i++) EXPECT_NEAR(v[i], 1 - xi[i], 1e-15);
      expect_law(&c, d, q, v);
      sar_data_free(d);
      sar_model_free(m);
    }
}

// Kinetic energy of the armature, sum of A v_file^2 / 2, is the same whichever way the tree runs.
static void armature_follows_the_turn(void** state) {
  (void)state;
  Rng r = rng_seed(13);
  static const struct {
    const char *kind, *armature;
    double value[3];
  } cases[] = {{"revolute", "0.7", {0.7, 0, 0}},
               {"cylindrical", "[0.7, 0.2]", {0.7, 0.2, 0}},
               {"universal", "[0.7, 0.2]", {0.7, 0.2, 0}},
               {"spherical", "0.7", {0.7, 0.7, 0.7}}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    Case c = random_case(&r, sar_joint_kind_find(cases[i].kind), true, false);
    char more[64];
    snprintf(more, sizeof more, ", armature: %s", cases[i].armature);
    SarModel* m = compile_case(&c, more);
    int j = sar_model_find(m, SAR_ITEM_JOINT, "j");
    double q[SAR_JOINT_MAX_NQ], v[SAR_JOINT_MAX_NV], q_tree[SAR_JOINT_MAX_NQ],
        v_tree[SAR_JOINT_MAX_NV], energy = 0;
    random_coordinates(&c, &r, q, v);
    sar_joint_flip(m, j, q, v, q_tree, v_tree);
    for (int k = 0; k < c.kind->nv; k++) {
      energy += cases[i].value[k] * v[k] * v[k];
      energy -= m->dof_armature[m->joint_vadr[j] + k] * v_tree[k] * v_tree[k];
    }
    EXPECT_NEAR(energy, 0, 1e-14);
    sar_model_free(m);
  }
}

// A quaternion is taken as it is, whatever its length.
static void positions_may_be_quaternions(void** state) {
  (void)state;
  SarModel* m = model_text(
      "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}\n"
      "joints:\n"
      "  s: {spherical: [ground, a], position: [2, 0, 0, 2]}\n"
      "  f: {free: [ground, b], position: [1, 2, 3, 0, 3, 0, 0]}\n");
  int s = sar_model_find(m, SAR_ITEM_JOINT, "s"), f = sar_model_find(m, SAR_ITEM_JOINT, "f");
  const double h = sqrt(0.5), want_s[4] = {h, 0, 0, h}, want_f[7] = {1, 2, 3, 0, 1, 0, 0};
  EXPECT_ARRAY_NEAR(&m->q0[m->joint_qadr[s]], want_s, 4, 1e-15);
  EXPECT_ARRAY_NEAR(&m->q0[m->joint_qadr[f]], want_f, 7, 1e-15);
  sar_model_free(m);
}

static void cuts_close_at_the_design_position(void** state) {
  (void)state;
  SarModel* m = model_text(
      "parameters: {L: 0.7}\n"
      "bodies:\n"
      "  crank:   {rod: [[0, 0, 0], [0, L, 0]], mass: 1, at: [0.1, 0.2, 0.3], rpy: [1, 2, 3]}\n"
      "  coupler: {box: [1, 1, 1], mass: 1, at: [0, 1, 0], axes: {z: [1, 1, 0], x: [0, 0, 1]}}\n"
      "  rocker:  {box: [1, 1, 1], mass: 1, in: coupler, at: [0.3, 0, 0]}\n"
      "joints:\n"
      "  A: {revolute: [ground, crank], axis: z, at: [0, 0, 0]}\n"
      "  B: {revolute: [crank, coupler], axis: z, at: [0, L, 0]}\n"
      "  C: {universal: [coupler, rocker], axis: x, axis2: y, at: [L, L, 0]}\n"
      "  D: {revolute: [rocker, ground], axis: [0, 1, 1], at: [L, 0, 0]}\n");
  assert_int_equal(m->ncut, 1);
  assert_string_equal(sar_text(m, m->cut[0].name), "C");  // two freedoms: the one to cut
  Xform X[2];
  for (int k = 0; k < 2; k++)
    X[k] = x_mul(sar_design_pose(m, m->cut[0].body[k]), m->cut[0].X_BF[k]);
  expect_same_pose(X[0], X[1], 1e-15);
  EXPECT_ARRAY_NEAR(&X[0].p.x, ((double[]){0.7, 0.7, 0}), 3, 1e-15);
  EXPECT_NEAR(X[0].R.xx, 1, 1e-15);  // x of the cross along `axis`
  EXPECT_NEAR(X[0].R.yy, 1, 1e-15);
  int D = sar_model_find(m, SAR_ITEM_JOINT, "D");
  assert_int_equal(m->joint_turned[D], 1);
  sar_model_free(m);
}

static void followers_start_with_their_leaders(void** state) {
  (void)state;
  SarModel* m = model_text(
      "bodies: {a: {box: [1, 1, 1], mass: 1}, b: {box: [1, 1, 1], mass: 1},"
      " c: {box: [1, 1, 1], mass: 1}}\n"
      "joints:\n"
      "  x: {revolute: [ground, a], mimic: {joint: y, multiplier: 3, offset: 1}}\n"
      "  y: {revolute: [ground, b], mimic: {joint: z, multiplier: -2}}\n"
      "  z: {prismatic: [ground, c], position: 0.5, speed: 2}\n");
  EXPECT_ARRAY_NEAR(m->q0, ((double[]){-2, -1, 0.5}), 3, 1e-15);
  EXPECT_ARRAY_NEAR(m->v0, ((double[]){-12, -4, 2}), 3, 1e-15);
  assert_int_equal(m->ncoupling, 2);
  assert_int_equal(m->coupling[0].joint, 0);
  assert_int_equal(m->coupling[0].other, 1);
  sar_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kind_obeys_the_law),
      cmocka_unit_test(every_kind_starts_as_the_file_says),
      cmocka_unit_test(armature_follows_the_turn),
      cmocka_unit_test(positions_may_be_quaternions),
      cmocka_unit_test(cuts_close_at_the_design_position),
      cmocka_unit_test(followers_start_with_their_leaders),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
