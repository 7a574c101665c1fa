// Absolute coordinates against relative ones, and cut joints against joints of the tree: at the
// same state of the same model everything must be the same, since in absolute coordinates every
// joint is cut and in relative ones (of a tree) none is.
//
// Bounds: some ten bodies of size 1, forces and energies up to 1e3; a pose goes through about ten
// transforms, so 1e-11 relative leaves room for rounding only.
#include "support/model_file.h"
#include "support/random_model.h"

#include "dynamics/constraints.h"
#include "dynamics/cut_joints.h"
#include "dynamics/tree.h"

enum { TRIALS = 40 };

typedef struct Twin {
  SarModel *rm, *am;  // relative, absolute
  SarData *rd, *ad;
} Twin;

static SarModel* parse(const char* text, const char* coordinates) {
  // in absolute coordinates every body has its own, so its twin keeps them apart too
  const SarLoadOptions o = {.coordinates = coordinates, .keep_fixed = true};
  return model_parse(text, &o);
}

static Twin twin(const char* text) {
  Twin t = {.rm = parse(text, "relative"), .am = parse(text, "absolute")};
  EXPECT_OK(sar_data_new(t.rm, &t.rd, NULL));
  EXPECT_OK(sar_data_new(t.am, &t.ad, NULL));
  return t;
}

static void twin_free(Twin* t) {
  sar_data_free(t->rd);
  sar_data_free(t->ad);
  sar_model_free(t->rm);
  sar_model_free(t->am);
}

static Twin random_twin(Rng* r) {
  static ModelText text;
  model_random(&text, r, 9 + rng_int(r, 8));
  for (char* p = text.text; (p = strstr(p, " armature: 0.1,"));) memset(p, ' ', 15);
  return twin(text.text);
}

// evaluates forces; the pose and velocity of U are left to the caller
static void evaluate(const SarModel* m, SarData* d) {
  sar_update_kinematics(m, d);
  sar_update_world(m, d);
  sar_update_forces(m, d);
}

// Puts the absolute twin where the relative one is.
static void follow(Twin* t) {
  const SarModel *rm = t->rm, *am = t->am;
  evaluate(rm, t->rd);
  for (int b = 0; b < am->nbody; b++) {
    const SarJointKind* kind = am->joint_kind[b];
    double* q = &t->ad->q[am->joint_qadr[b]];
    SarJointCalc calc;
    Xform X_RB =
        x_mul(rm->body_X_BU[b], x_inv(am->body_X_BU[b]));  // absolute B in the relative one
    Xform X_GB = x_mul(t->rd->body_X_GB[b], X_RB);
    kind->coordinates(NULL, x_mul(x_inv(am->body_X_PF[b]), X_GB), q, q);
    kind->calc(NULL, q, NULL, &calc);
    Motion V = x_motion_inv(X_RB, t->rd->body_V[b]);
    for (int i = 0; i < kind->nv; i++)
      t->ad->v[am->joint_vadr[b] + i] = v3_dot(calc.S[i].w, V.w) + v3_dot(calc.S[i].v, V.v);
  }
}

static void random_state(Rng* r, const SarModel* m, SarData* d) {
  for (int b = 0; b < m->nbody; b++) {
    double xi[SAR_JOINT_MAX_NV], *q = &d->q[m->joint_qadr[b]];
    for (int i = 0; i < m->joint_nv[b]; i++) xi[i] = rng_uniform(r, -1, 1);
    for (int i = 0; i < m->joint_nv[b]; i++) d->v[m->joint_vadr[b] + i] = rng_uniform(r, -1, 1);
    if (m->joint_kind[b]->retract)
      m->joint_kind[b]->retract(&m->joint_param[b * SAR_JOINT_MAX_PARAM], q, xi, q);
    else
      for (int i = 0; i < m->joint_nv[b]; i++) q[i] += xi[i];
  }
  d->t = rng_uniform(r, 0, 3);
}

static void expect_coordinates_alike(const Twin* t) {
  const SarModel *rm = t->rm, *am = t->am;
  for (int k = 0; k < am->ncut; k++) {
    int j = sar_model_find(rm, SAR_ITEM_JOINT, sar_text(am, am->cut[k].name));
    double q[SAR_JOINT_MAX_NQ], v[SAR_JOINT_MAX_NV], cut_q[SAR_JOINT_MAX_NQ],
        cut_v[SAR_JOINT_MAX_NV];
    assert_true(j >= 0);
    EXPECT_OK(sar_joint_get(t->rd, j, q, v));
    EXPECT_OK(sar_joint_get(t->ad, sar_joint_item(am, am->nbody + k), cut_q, cut_v));
    EXPECT_ARRAY_NEAR(cut_q, q, am->joint_nq[am->nbody + k], 1e-12);
    EXPECT_ARRAY_NEAR(cut_v, v, am->joint_nv[am->nbody + k], 1e-12);
  }
}

// ---- state --------------------------------------------------------------------------------------

static void both_start_at_the_same_place(void** state) {
  (void)state;
  Twin t = twin(
      "sarrus: 1\n"
      "bodies:\n"
      "  a: {at: [1, 2, 3], rpy: [0.3, 0.2, 0.5], mass: 2, inertia: [1, 2, 2.5], com: [0.1, 0, "
      "0.2],"
      " velocity: [1, -2, 0.5], angular_velocity: [0.4, 1, -1]}\n"
      "  b: {at: [1.5, 2, 3], mass: 1, inertia: [1, 1, 1], com: [0.3, 0.1, 0]}\n"
      "  c: {at: [2, 2, 3], rpy: [0, 1, 0], mass: 1, inertia: [1, 1, 1]}\n"
      "  d: {at: [2, 2.5, 3], mass: 1, inertia: [1, 1, 1], com: [0, 0, 0.4]}\n"
      "joints:\n"
      "  h: {revolute: [a, b], at: [1.2, 2, 3], axis: [1, 1, 0], position: 0.7, speed: 2}\n"
      "  u: {universal: [c, b], axis: x, axis2: y, position: [0.4, -0.3], speed: [1, 0.5]}\n"
      "  s: {spherical: [c, d], position: [0.2, 0.3, -0.9], speed: [1, 2, 3]}\n");
  for (int b = 0; b < t.rm->nbody; b++) {
    double p[2][3], R[2][9], w[2][3], v[2][3], at[3] = {0.1, -0.2, 0.3};
    assert_string_equal(sar_model_name(t.rm, SAR_ITEM_BODY, b),
                        sar_model_name(t.am, SAR_ITEM_BODY, b));
    EXPECT_OK(sar_body_pose(t.rd, b, p[0], R[0]));
    EXPECT_OK(sar_body_pose(t.ad, b, p[1], R[1]));
    EXPECT_OK(sar_body_velocity(t.rd, b, at, w[0], v[0]));
    EXPECT_OK(sar_body_velocity(t.ad, b, at, w[1], v[1]));
    EXPECT_ARRAY_NEAR(p[1], p[0], 3, 1e-14);
    EXPECT_ARRAY_NEAR(R[1], R[0], 9, 1e-14);
    EXPECT_ARRAY_NEAR(w[1], w[0], 3, 1e-14);
    EXPECT_ARRAY_NEAR(v[1], v[0], 3, 1e-14);
  }
  expect_coordinates_alike(&t);
  // the mass matrix of a carried body is block diagonal: m 1 and the inertia about the mass centre
  int b = sar_model_find(t.am, SAR_ITEM_BODY, "b");
  assert_true(t.am->body_inertia[b].h.x == 0 && t.am->body_inertia[b].h.y == 0);
  // given values are known as such
  int h = sar_model_find(t.am, SAR_ITEM_JOINT, "h");
  SarJointInfo info;
  EXPECT_OK(sar_joint_info(t.am, h, &info));
  assert_int_equal(t.am->q0_given[info.vadr], 1);
  assert_int_equal(t.am->v0_given[info.vadr], 1);
  EXPECT_NEAR(t.am->q0[info.qadr], 0.7, 0);
  assert_int_equal(t.am->v0_given[0], 1);  // body a: the first in the tree, its velocity is given
  assert_int_equal(t.am->q0_given[0], 0);
  twin_free(&t);
}

static void coordinates_energies_and_powers_are_the_same(void** state) {
  (void)state;
  Rng r = rng_seed(12);
  for (int trial = 0; trial < test_effort(TRIALS); trial++) {
    Twin t = random_twin(&r);
    random_state(&r, t.rm, t.rd);
    follow(&t);
    t.ad->t = t.rd->t;
    expect_coordinates_alike(&t);
    evaluate(t.am, t.ad);
    EXPECT_NEAR(sar_kinetic_energy(t.am, t.ad), sar_kinetic_energy(t.rm, t.rd), 1e-10);
    EXPECT_NEAR(sar_potential_energy(t.am, t.ad), sar_potential_energy(t.rm, t.rd), 1e-10);
    Force pa = sar_total_momentum(t.am, t.ad), pr = sar_total_momentum(t.rm, t.rd);
    EXPECT_NEAR(pa.n.x + pa.n.y + pa.n.z, pr.n.x + pr.n.y + pr.n.z, 1e-10);
    EXPECT_NEAR(pa.f.x + pa.f.y + pa.f.z, pr.f.x + pr.f.y + pr.f.z, 1e-10);

    // each account, and all forces together: sum F . V of the bodies = the same + tau . v
    double work[2] = {0, 0}, power[2] = {0, 0};
    assert_int_equal(t.am->nwork, t.rm->nwork);
    for (int i = 0; i < t.am->nwork; i++) {
      work[0] += t.rd->work_rate[i];
      work[1] += t.ad->work_rate[i];
    }
    for (int b = 0; b < t.rm->nbody; b++) {
      power[0] += power_of(t.rd->body_V[b], t.rd->body_F[b]);
      power[1] += power_of(t.ad->body_V[b], t.ad->body_F[b]);
    }
    for (int i = 0; i < t.rm->nv; i++) power[0] += t.rd->tau[i] * t.rd->v[i];
    EXPECT_NEAR(work[1], work[0], 1e-10);
    EXPECT_NEAR(power[1], power[0], 1e-10);
    twin_free(&t);
  }
}

static void accelerations_of_cut_joints_follow_from_those_of_the_bodies(void** state) {
  (void)state;
  Rng r = rng_seed(13);
  for (int trial = 0; trial < test_effort(TRIALS); trial++) {
    Twin t = random_twin(&r);
    random_state(&r, t.rm, t.rd);
    follow(&t);
    EXPECT_OK(sar_forward_dynamics(t.rd));
    evaluate(t.am, t.ad);
    for (int b = 0; b < t.am->nbody; b++) {
      Xform X_RB = x_mul(t.rm->body_X_BU[b], x_inv(t.am->body_X_BU[b]));
      t.ad->body_A[b] = x_motion_inv(X_RB, t.rd->body_A[b]);
    }
    sar_update_cut_joints(t.am, t.ad);
    sar_update_cut_accelerations(t.am, t.ad);
    for (int k = 0; k < t.am->ncut; k++) {
      int j = sar_model_find(t.rm, SAR_ITEM_JOINT, sar_text(t.am, t.am->cut[k].name));
      SarJointInfo tree, cut;
      EXPECT_OK(sar_joint_info(t.rm, j, &tree));
      EXPECT_OK(sar_joint_info(t.am, sar_joint_item(t.am, t.am->nbody + k), &cut));
      assert_false(tree.turned);  // random models are joined in the direction of the tree
      for (int i = 0; i < cut.nv; i++) {
        double a = t.rd->a[tree.vadr + i];
        EXPECT_NEAR(t.ad->a[cut.vadr + i], a, 1e-10 * (1 + fabs(a)));
      }
    }
    twin_free(&t);
  }
}

// off the constraints too, where the joints come apart
static void forces_on_cut_joints_are_dual_to_their_speeds(void** state) {
  (void)state;
  Rng r = rng_seed(14);
  for (int trial = 0; trial < test_effort(TRIALS); trial++) {
    Twin t = random_twin(&r);
    const SarModel* m = t.am;
    SarData* d = t.ad;
    random_state(&r, m, d);
    sar_update_kinematics(m, d);
    sar_update_world(m, d);
    sar_update_cut_joints(m, d);
    for (int k = 0; k < m->ncut; k++) {
      int j = sar_cut_joint(m, k), nv = m->joint_nv[j];
      double tau[SAR_JOINT_MAX_NV], power = 0;
      Force F[2];
      for (int i = 0; i < nv; i++) tau[i] = rng_uniform(&r, -1, 1);
      for (int i = 0; i < nv; i++) power += tau[i] * d->v[m->joint_vadr[j] + i];
      sar_cut_wrench(m, d, k, tau, F);
      for (int end = 0; end < 2; end++)
        if (m->cut[k].body[end] >= 0) power -= power_of(d->body_V[m->cut[k].body[end]], F[end]);
      EXPECT_NEAR(power, 0, 1e-12);
    }
    twin_free(&t);
  }
}

// ---- turns --------------------------------------------------------------------------------------

static const char WHEEL[] =
    "sarrus: 1\n"
    "bodies: {w: {mass: 1, inertia: [1, 1, 1]}}\n"
    "joints: {hub: {revolute: [ground, w], axis: [1, 2, 3], position: 2*pi, speed: 5}}\n";

static double hub_angle(SarData* d) {
  double q, v;
  EXPECT_OK(sar_joint_get(d, sar_model_find(sar_data_model(d), SAR_ITEM_JOINT, "hub"), &q, &v));
  return q;
}

static void angles_of_cut_joints_count_turns(void** state) {
  (void)state;
  SarModel* m = parse(WHEEL, "absolute");
  SarData *d, *copy;
  EXPECT_OK(sar_data_new(m, &d, NULL));
  EXPECT_OK(sar_data_new(m, &copy, NULL));
  EXPECT_NEAR(hub_angle(d), 6.283185307179586, 1e-14);  // the turn that the file asks for
  const double turn[6] = {0, 0, 0, 1 / sqrt(14), 2 / sqrt(14), 3 / sqrt(14)};
  for (int i = 0; i < 30; i++) {
    m->joint_kind[0]->retract(NULL, d->q, turn, d->q);
    EXPECT_NEAR(hub_angle(d), 6.283185307179586 + i + 1, 1e-13);
  }
  // the turns belong to the state: a copy has them, a reset forgets them
  EXPECT_OK(sar_data_copy(copy, d));
  EXPECT_NEAR(hub_angle(copy), 6.283185307179586 + 30, 1e-13);
  sar_data_reset(d);
  EXPECT_NEAR(hub_angle(d), 6.283185307179586, 1e-14);
  sar_data_free(d);
  sar_data_free(copy);
  sar_model_free(m);
}

// ---- the host's forces --------------------------------------------------------------------------

static void the_host_may_drive_a_cut_joint(void** state) {
  (void)state;
  SarModel* m = parse(WHEEL, "absolute");
  SarData* d;
  SarJointInfo info;
  EXPECT_OK(sar_data_new(m, &d, NULL));
  EXPECT_OK(sar_joint_info(m, sar_model_find(m, SAR_ITEM_JOINT, "hub"), &info));
  sar_tau(d)[info.vadr] = 3;
  evaluate(m, d);
  // about the axis [1 2 3] / sqrt 14 through the origin, which the pose 2 pi leaves in place
  EXPECT_NEAR(d->body_F[0].n.x, 3 / sqrt(14), 1e-14);
  EXPECT_NEAR(d->body_F[0].n.z, 9 / sqrt(14), 1e-14);
  EXPECT_NEAR(d->work_rate[0], 15, 1e-13);
  sar_data_free(d);
  sar_model_free(m);
}

// ---- loops in relative coordinates --------------------------------------------------------------

// A four-bar whose only joint with spring, damper and motor must be cut: all others have armature.
static const char FOUR_BAR[] =
    "sarrus: 1\n"
    "bodies:\n"
    "  a: {rod: [[0, 0, 0], [0, 1, 0]], mass: 1}\n"
    "  b: {rod: [[0, 1, 0], [2, 1, 0]], mass: 2}\n"
    "  c: {rod: [[2, 1, 0], [2, 0, 0]], mass: 1}\n"
    "joints:\n"
    "  A: {revolute: [ground, a], at: [0, 0, 0], armature: 0.1, speed: 1}\n"
    "  B: {revolute: [a, b], at: [0, 1, 0], armature: 0.1, speed: -1}\n"
    "  C: {revolute: [c, b], at: [2, 1, 0], stiffness: 3, rest: 0.5, damping: 0.2, force: 2*C.q + "
    "D.v,"
    " position: 0.1}\n"
    "  D: {revolute: [ground, c], at: [2, 0, 0], armature: 0.1, speed: 1}\n"
    "forces:\n"
    "  push: {joint_force: C, value: 0.5}\n"
    "outputs: [{joint: C, with: [acceleration]}, {value: C.q + C.v, name: sum}]\n";

static void a_cut_joint_keeps_what_it_has(void** state) {
  (void)state;
  SarModel* m = parse(FOUR_BAR, NULL);
  SarData* d;
  EXPECT_OK(sar_data_new(m, &d, NULL));
  assert_int_equal(m->ncut, 1);
  assert_string_equal(sar_text(m, m->cut[0].name), "C");
  assert_true(m->needs_cuts && m->has_passive);
  EXPECT_NEAR(m->q0[m->nq], 0.1, 0);
  assert_int_equal(m->q0_given[m->nv], 1);
  assert_int_equal(m->v0_given[m->nv], 0);
  // a and c turn with 1 rad/s, b stays level: C, from c to b, turns with -1
  evaluate(m, d);
  EXPECT_NEAR(d->q[m->nq], 0, 1e-14);
  EXPECT_NEAR(d->v[m->nv], -1, 1e-14);
  // spring -3 (0 - 0.5), damper 0.2, motor 2 * 0 + 1, element 0.5
  EXPECT_NEAR(d->tau[m->nv], 1.5 + 0.2 + 1 + 0.5, 1e-14);
  int b = sar_model_find(m, SAR_ITEM_BODY, "b"), c = sar_model_find(m, SAR_ITEM_BODY, "c");
  EXPECT_NEAR(d->body_F[b].n.z, 3.2, 1e-14);
  EXPECT_NEAR(d->body_F[c].n.z, -3.2, 1e-14);
  EXPECT_NEAR(sar_joint_spring_energy(m, d, m->nbody), 0.5 * 3 * 0.25, 1e-14);
  EXPECT_NEAR(sar_joint_spring_energy(m, d, 0), 0, 0);
  sar_data_free(d);
  sar_model_free(m);
}

// ---- planar models ------------------------------------------------------------------------------

static void a_planar_model_has_three_coordinates_a_body(void** state) {
  (void)state;
  // two links in each plane, the second offset along the normal; n turns x' towards y'
  static const char* const PLANE[] = {"xy", "xz", "yz"};
  static const char* const AXIS[] = {"z", "-y", "x"};
  for (int k = 0; k < 3; k++) {
    char text[1024];
    snprintf(text, sizeof text,
             "sarrus: 1\nplanar: %s\n"
             "bodies: {a: {at: [1, 1, 1], mass: 1, inertia: [1, 1, 1], com: [0.1, 0.2, 0.3]},"
             " b: {at: [1, 2, 3], mass: 1, inertia: [1, 2, 3], rpy: [1, 0, 1]},"
             " free: {mass: 1, inertia: [1, 1, 1]}}\n"
             "joints:\n"
             "  h: {revolute: [ground, a], axis: %s, position: 0.3, speed: 1}\n"
             "  g: {revolute: [a, b], at: [0.5, 0.4, 0.3], axis: %s, position: 0.2, speed: -2}\n",
             PLANE[k], AXIS[k], AXIS[k]);
    Twin t = twin(text);
    assert_int_equal(t.am->nv, 9);
    assert_int_equal(t.am->nq, 9);
    assert_int_equal(t.rm->nv, 5);
    expect_coordinates_alike(&t);
    int a = sar_model_find(t.am, SAR_ITEM_BODY, "a"), b = sar_model_find(t.am, SAR_ITEM_BODY, "b");
    EXPECT_NEAR(t.ad->q[3 * a + 2], 0.3, 1e-14);
    EXPECT_NEAR(t.ad->q[3 * b + 2], 0.5, 1e-14);
    EXPECT_NEAR(t.ad->v[3 * b + 2], -1, 1e-14);
    // the first two coordinates are the mass centre's
    double p[3], R[9], com[3] = {0.1, 0.2, 0.3}, at[3];
    EXPECT_OK(sar_body_pose(t.ad, a, p, R));
    for (int i = 0; i < 3; i++)
      at[i] = p[i] + R[3 * i] * com[0] + R[3 * i + 1] * com[1] + R[3 * i + 2] * com[2];
    EXPECT_NEAR(t.ad->q[3 * a], at[k == 2 ? 1 : 0], 1e-14);
    EXPECT_NEAR(t.ad->q[3 * a + 1], at[k == 0 ? 1 : 2], 1e-14);
    twin_free(&t);
  }
}

// ---- messages -----------------------------------------------------------------------------------

static void expect_message(const char* text, const char* coordinates, SarStatus status,
                           const char* message) {
  SarError err;
  SarModel* m = NULL;
  SarLoadOptions o = {.coordinates = coordinates};
  char line[1200];
  sar_error_init(&err);
  EXPECT_STATUS(sar_model_parse(text, strlen(text), "yaml", "m.yaml", &o, &m, &err), status);
  assert_true(err.count >= 1);
  sar_error_format(&err, 0, line, sizeof line);
  if (!strstr(line, message)) print_error("   is       %s\n   expected %s\n", line, message);
  assert_non_null(strstr(line, message));
  assert_null(m);
}

static void what_is_not_offered_is_said(void** state) {
  (void)state;
  expect_message(WHEEL, "natural", SAR_BAD_ARGUMENT, "no such coordinates: 'natural'");
  expect_message("sarrus: 1\nsimulation: {coordinates: absolut}\n", NULL, SAR_BAD_MODEL,
                 "m.yaml:2:27: error: block 'simulation': no such coordinates: 'absolut' (did you "
                 "mean 'absolute'?)");
  expect_message(FOUR_BAR, "absolute", SAR_BAD_MODEL,
                 "joint 'A': 'armature' is not offered in absolute coordinates");
  expect_message("sarrus: 1\nplanar: ab\n", NULL, SAR_BAD_MODEL, "there is no plane 'ab'");
  expect_message(
      "sarrus: 1\nplanar: xz\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
      "joints: {h: {revolute: [ground, a], axis: z}}\n",
      NULL, SAR_BAD_MODEL,
      "joint 'h': the model is planar (xz), but this revolute joint turns about [0, 0, 1] (the "
      "plane xz allows turning about y and moving across it)");
  expect_message(
      "sarrus: 1\nplanar: xy\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
      "joints: {h: {prismatic: [ground, a], axis: [1, 0, 1]}}\n",
      "absolute", SAR_BAD_MODEL, "this prismatic joint moves along [0.707107, 0, 0.707107]");
  expect_message(
      "sarrus: 1\nplanar: xy\nbodies: {a: {mass: 1, inertia: [1, 1, 1], angular_velocity: [1, 0, "
      "0]}}\n",
      NULL, SAR_BAD_MODEL, "'angular_velocity' leads out of it");
  expect_message(
      "sarrus: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
      "joints: {h: {revolute: [ground, a], armature: 1}, g: {revolute: [ground, a], armature: "
      "1}}\n",
      NULL, SAR_BAD_MODEL, "closes a loop of joints that all have armature");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_start_at_the_same_place),
      cmocka_unit_test(coordinates_energies_and_powers_are_the_same),
      cmocka_unit_test(accelerations_of_cut_joints_follow_from_those_of_the_bodies),
      cmocka_unit_test(forces_on_cut_joints_are_dual_to_their_speeds),
      cmocka_unit_test(angles_of_cut_joints_count_turns),
      cmocka_unit_test(the_host_may_drive_a_cut_joint),
      cmocka_unit_test(a_cut_joint_keeps_what_it_has),
      cmocka_unit_test(a_planar_model_has_three_coordinates_a_body),
      cmocka_unit_test(what_is_not_offered_is_said),
  };
  return cmocka_run_group_tests_name("absolute", tests, NULL, NULL);
}
