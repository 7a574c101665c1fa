// Tangents of the applied forces against finite differences of the generalised forces
//
//   Q = tau + sum J' body_F,     K = -dQ/dq,   C = -dQ/dv
//
// for every kind of force element and every kind of joint, in the tree and cut, in relative and
// absolute coordinates. K leaves out the present load on its changing levers (tangents.h). So
// joints are tested where their springs are at rest, and force elements against a twin that exerts
// the present load as a constant: the difference of the two has no such part, and must be exact.
#include "support/model_file.h"
#include "support/random_model.h"
#include "support/tree_builder.h"

#include "dynamics/tangents.h"
#include "dynamics/tree.h"
#include "math/rotvec.h"

enum { MOST = 64 };  // coordinates of the largest model

typedef struct Matrix {
  double at[MOST][MOST];
} Matrix;

// ---- generalised forces and their differences ---------------------------------------------------

static void update(const SarModel* m, SarData* d) {
  sar_update_kinematics(m, d);
  sar_update_world(m, d);
  sar_update_forces(m, d);
}

static void generalised_force(const SarModel* m, SarData* d, double* Q) {
  double J[6 * MOST];
  update(m, d);
  for (int i = 0; i < m->nv; i++) Q[i] = d->tau[i];
  for (int b = 0; b < m->nbody; b++) {
    const M3 R = d->body_X_GB[b].R;
    double F[6];
    v3_store(F, m3_mul_v(R, d->body_F[b].n));
    v3_store(F + 3, m3_mul_v(R, d->body_F[b].f));
    sar_point_jacobian(m, d, b, v3_zero(), J);
    for (int i = 0; i < m->nv; i++)
      for (int r = 0; r < 6; r++) Q[i] += J[r * m->nv + i] * F[r];
  }
}

// q = retract(q0, h e_dof)
static void displace(const SarModel* m, const double* q0, int dof, double h, double* q) {
  const int joint = m->dof_body[dof], adr = m->joint_qadr[joint], i = dof - m->joint_vadr[joint];
  const SarJointKind* kind = m->joint_kind[joint];
  double xi[SAR_JOINT_MAX_NV] = {0};
  xi[i] = h;
  sar_joint_retract(kind, &m->joint_param[joint * SAR_JOINT_MAX_PARAM], q0 + adr, xi, q + adr);
}

// -dQ/dq or -dQ/dv, symmetric part. Step 1e-5: forces and their derivatives are of order 1 to 100,
// so truncation is 1e-10 and rounding 1e-11 of them.
static Matrix difference_by(const SarModel* m, SarData* d, bool velocity, double h) {
  double q0[2 * MOST], Q[2][MOST];
  Matrix full, out;
  memcpy(q0, d->q, (size_t)m->nq_all * sizeof *q0);
  for (int j = 0; j < m->nv; j++) {
    for (int side = 0; side < 2; side++) {
      const double step = side ? h : -h;
      const double v0 = d->v[j];
      if (velocity)
        d->v[j] = v0 + step;
      else
        displace(m, q0, j, step, d->q);
      generalised_force(m, d, Q[side]);
      d->v[j] = v0;
      memcpy(d->q, q0, (size_t)m->nq_all * sizeof *q0);
    }
    for (int i = 0; i < m->nv; i++) full.at[i][j] = -(Q[1][i] - Q[0][i]) / (2 * h);
  }
  update(m, d);
  for (int i = 0; i < m->nv; i++)
    for (int j = 0; j < m->nv; j++) out.at[i][j] = 0.5 * (full.at[i][j] + full.at[j][i]);
  return out;
}

static Matrix difference(const SarModel* m, SarData* d, bool velocity) {
  return difference_by(m, d, velocity, 1e-5);
}

// The same where drag is |v| v: at rest its difference is in proportion to the step, so two steps
// are extrapolated.
static Matrix damping_at_rest(const SarModel* m, SarData* d) {
  Matrix a = difference_by(m, d, true, 1e-5);
  const Matrix b = difference_by(m, d, true, 2e-5);
  for (int i = 0; i < m->nv; i++)
    for (int j = 0; j < m->nv; j++) a.at[i][j] = 2 * a.at[i][j] - b.at[i][j];
  return a;
}

// ---- the tangents, all blocks in one matrix -----------------------------------------------------

static Matrix assembled(const SarModel* m, SarData* d, double gain_K, double gain_C) {
  Matrix out = {0};
  double block[MOST * (MOST + 1) / 2];
  update(m, d);
  for (int k = 0; k < m->ntangent; k++) {
    const SarTangentBlock* t = &m->tangent[k];
    const int* dof = &m->tangent_dof[t->adr];
    const double* entry = block;
    sar_tangent_block(m, d, k, gain_K, gain_C, block);
    for (int i = 0; i < t->num; i++) {
      assert_true(i == 0 || dof[i] > dof[i - 1]);  // rising
      for (int j = 0; j <= i; j++, entry++) {
        out.at[dof[i]][dof[j]] += *entry;
        if (i != j) out.at[dof[j]][dof[i]] += *entry;
      }
    }
  }
  return out;
}

static double largest(const SarModel* m, const Matrix* a) {
  double max = 0;
  for (int i = 0; i < m->nv; i++)
    for (int j = 0; j < m->nv; j++) max = fmax(max, fabs(a->at[i][j]));
  return max;
}

static void expect_equal(const SarModel* m, const Matrix* a, const Matrix* b, const char* what) {
  const double bound = 1e-7 * (1 + largest(m, a));
  for (int i = 0; i < m->nv; i++)
    for (int j = 0; j < m->nv; j++)
      if (!(fabs(a->at[i][j] - b->at[i][j]) <= bound))
        fail_msg("%s: entry %d %d is %.10g, by differences %.10g", what, i, j, a->at[i][j],
                 b->at[i][j]);
}

static Matrix minus(const SarModel* m, const Matrix* a, const Matrix* b) {
  Matrix out = *a;
  for (int i = 0; i < m->nv; i++)
    for (int j = 0; j < m->nv; j++) out.at[i][j] -= b->at[i][j];
  return out;
}

// J' (gain_K K + gain_C C) J of a tangent between bodies, with full Jacobians of the two at p
static void add_between(const SarModel* m, const SarData* d, const SarBodyTangent* b, double gain_K,
                        double gain_C, Matrix* out) {
  double J[6 * MOST] = {0}, of_body[6 * MOST];
  for (int end = 0; end < 2; end++) {
    if (b->body[end] < 0) continue;
    const V3 p_B = x_point_inv(d->body_X_GB[b->body[end]], b->p);
    sar_point_jacobian(m, d, b->body[end], p_B, of_body);
    for (int i = 0; i < 6 * m->nv; i++) J[i] += end ? of_body[i] : -of_body[i];
  }
  for (int i = 0; i < m->nv; i++)
    for (int j = 0; j < m->nv; j++)
      for (int r = 0; r < 36; r++)
        out->at[i][j] +=
            J[r / 6 * m->nv + i] * (gain_K * b->K[r] + gain_C * b->C[r]) * J[r % 6 * m->nv + j];
}

// The form between bodies says the same as the blocks.
static void expect_same_between_bodies(const SarModel* m, SarData* d, const char* what) {
  Matrix blocks = assembled(m, d, 0.3, 0.7), bodies = {0};
  SarBodyTangent b;
  for (int i = 0; i < m->nforce; i++)
    if (sar_force_body_tangent(m, d, i, &b)) add_between(m, d, &b, 0.3, 0.7, &bodies);
  for (int j = 0; j < m->njoint; j++)
    if (sar_joint_body_tangent(m, d, j, &b)) add_between(m, d, &b, 0.3, 0.7, &bodies);
  expect_equal(m, &bodies, &blocks, what);
}

// x' A x >= 0 for random x, up to rounding
static void expect_semidefinite(const SarModel* m, const Matrix* a, Rng* r, const char* what) {
  for (int trial = 0; trial < 20; trial++) {
    double x[MOST], sum = 0;
    for (int i = 0; i < m->nv; i++) x[i] = rng_uniform(r, -1, 1);
    for (int i = 0; i < m->nv; i++)
      for (int j = 0; j < m->nv; j++) sum += x[i] * a->at[i][j] * x[j];
    if (sum < -1e-12 * largest(m, a) * m->nv) fail_msg("%s: x'Ax = %g", what, sum);
  }
}

// ---- states -------------------------------------------------------------------------------------

static SarModel* load(const ModelText* t, const char* coordinates) {
  const SarLoadOptions o = {.coordinates = coordinates};
  SarModel* m = model_parse(t->text, &o);
  assert_true(m->nv <= MOST);
  return m;
}

static SarData* data_of(const SarModel* m) {
  SarData* d = NULL;
  EXPECT_OK(sar_data_new(m, &d, NULL));
  return d;
}

static void random_velocities(const SarModel* m, SarData* d, Rng* r, double size) {
  for (int i = 0; i < m->nv; i++) d->v[i] = rng_uniform(r, -size, size);
}

// The bodies of `to` (absolute coordinates) to where those of `from` are, so that its joints are
// closed.
static void take_poses(const SarModel* m, SarData* to, const SarData* from) {
  const SarModel* other = from->m;
  for (int b = 0; b < m->nbody; b++)
    for (int k = 0; k < other->nbody; k++) {
      if (strcmp(sar_text(m, m->body_name[b]), sar_text(other, other->body_name[k])) != 0) continue;
      const Xform X_GU = x_mul(from->body_X_GB[k], other->body_X_BU[k]);
      const Xform X_GB = x_mul(X_GU, x_inv(m->body_X_BU[b]));
      double near[SAR_JOINT_MAX_NQ], *q = &to->q[m->joint_qadr[b]];
      memcpy(near, q, (size_t)m->joint_nq[b] * sizeof *q);
      m->joint_kind[b]->coordinates(&m->joint_param[b * SAR_JOINT_MAX_PARAM],
                                    x_mul(x_inv(m->body_X_PF[b]), X_GB), near, q);
    }
}

// ---- joints -------------------------------------------------------------------------------------

static void add_joint(ModelText* t, Rng* r, const char* name, const SarJointKind* kind, int from,
                      int to) {
  V3 axis = v3_unit(rng_v3(r, -1, 1)), at = rng_v3(r, -0.5, 0.5);
  char body[2][16];
  snprintf(body[0], sizeof body[0], from < 0 ? "ground" : "b%d", from);
  snprintf(body[1], sizeof body[1], to < 0 ? "ground" : "b%d", to);
  model_add(t, "  %s: {%s: [%s, %s], at: [%.3f, %.3f, %.3f]", name, kind->name, body[0], body[1],
            at.x, at.y, at.z);
  model_add_axes(t, r, kind, axis);
  if (kind->nv > 0)
    model_add(t, ", stiffness: %.2f, damping: %.2f, friction: 0.7, friction_speed: 0.5",
              rng_uniform(r, 5, 20), rng_uniform(r, 0.1, 0.5));
  model_add(t, "}\n");
}

static void add_bodies(ModelText* t, Rng* r, int n) {
  t->used = 0;
  model_add(t, "sarrus: 1\nbodies:\n");
  for (int k = 0; k < n; k++) {
    V3 at = rng_v3(r, -0.5, 0.5);
    model_add(t, "  b%d: {box: [0.3, 0.4, 0.5], mass: 1, at: [%.3f, %.3f, %.3f]}\n", k, at.x, at.y,
              at.z);
  }
}

// A controller for every coordinate, of its own position and speed, towards the input u; where
// positions are quaternions, of its speed only. (Joints end their line with a brace, which it goes
// before.)
static void add_controller(ModelText* t, const char* name, const SarJointKind* kind) {
  if (kind->nv == 0) return;
  t->used -= 2;
  model_add(t, ", force: [");
  for (int i = 0; i < kind->nv; i++) {
    if (i) model_add(t, ", ");
    if (kind->nq == kind->nv) model_add(t, "-%d*(%s.%s - u%d)", 3 + i, name, kind->q_suffix[i], i);
    model_add(t, "-2*tanh(%s.%s)", name, kind->v_suffix[i]);
  }
  model_add(t, "]}\n");
}

// What the controllers of joint j want is where it is.
static void want_here(const SarModel* m, SarData* d, int j, const double* q) {
  if (strcmp(sar_text(m, m->joint_name[j]), "tested") != 0) return;
  for (int i = 0; i < m->ninput; i++) {
    const int u = sar_text(m, m->input_name[i])[1] - '0';
    if (u < m->joint_nq[j]) d->input[i] = q[u];
  }
}

// Springs at rest where they are now: then K has no part that is left out.
static void rest_here(SarModel* m, SarData* d) {
  update(m, d);
  for (int j = 0; j < m->njoint; j++) {
    const SarJointKind* kind = m->joint_kind[j];
    double q[SAR_JOINT_MAX_NQ], zero[SAR_JOINT_MAX_NQ], *rest = &m->dof_rest[m->joint_vadr[j]];
    if (kind->nv == 0) continue;
    sar_joint_flip(m, j, &d->q[m->joint_qadr[j]], NULL, q, NULL);
    sar_joint_flip(m, j, &m->q_zero[m->joint_qadr[j]], NULL, zero, NULL);
    want_here(m, d, j, q);
    sar_joint_displacement(kind, &m->joint_param[j * SAR_JOINT_MAX_PARAM], zero, q, rest);
  }
}

// K at rest, C at any speed
static void check_joints(SarModel* m, SarData* d, Rng* r, const char* what) {
  rest_here(m, d);
  for (int i = 0; i < m->nv; i++) d->v[i] = 0;
  Matrix K = difference(m, d, false), tangent = assembled(m, d, 1, 0);
  assert_true(largest(m, &K) > 1);
  expect_equal(m, &tangent, &K, what);
  random_velocities(m, d, r, 1);
  Matrix C = difference(m, d, true);
  tangent = assembled(m, d, 0, 1);
  assert_true(largest(m, &C) > 0.1);
  expect_equal(m, &tangent, &C, what);
  Matrix both = assembled(m, d, 0.3, 0.7);
  expect_semidefinite(m, &both, r, what);
  expect_same_between_bodies(m, d, what);
}

// Every kind on a moving carrier, in the direction of the tree and against it; then the same with
// all joints cut (absolute coordinates), in closed positions.
static void joints_of_trees(void** state) {
  (void)state;
  Rng r = rng_seed(11);
  const SarJointKind* carrier = sar_joint_kind_find("universal");
  for (int k = 0; sar_joint_kind(k); k++)
    for (int trial = 0; trial < test_effort(12); trial++) {
      ModelText t;
      const bool turned = trial % 2;
      add_bodies(&t, &r, 2);
      model_add(&t, "inputs: {u0: 0, u1: 0, u2: 0, u3: 0, u4: 0, u5: 0}\njoints:\n");
      add_joint(&t, &r, "carrier", carrier, -1, 0);
      add_joint(&t, &r, "tested", sar_joint_kind(k), turned ? 1 : 0, turned ? 0 : 1);
      if (trial % 4 > 1) add_controller(&t, "tested", sar_joint_kind(k));
      SarModel *tree = load(&t, NULL), *all_cut = load(&t, "absolute");
      SarData *d = data_of(tree), *d_cut = data_of(all_cut);
      double unused[MOST];
      tree_random_state(&r, tree, d->q, d->v, unused);
      update(tree, d);
      take_poses(all_cut, d_cut, d);
      check_joints(tree, d, &r, sar_joint_kind(k)->name);
      check_joints(all_cut, d_cut, &r, sar_joint_kind(k)->name);
      sar_data_free(d), sar_data_free(d_cut);
      sar_model_free(tree), sar_model_free(all_cut);
    }
}

// Loops in relative coordinates, closed at the design position, of all kinds in turn: some joint of
// each is cut.
static void joints_that_close_loops(void** state) {
  (void)state;
  Rng r = rng_seed(12);
  int kinds = 0, cuts = 0;
  while (sar_joint_kind(kinds)) kinds++;
  for (int k = 0; k < kinds; k++)
    for (int trial = 0; trial < test_effort(6); trial++) {
      ModelText t;
      add_bodies(&t, &r, 2);
      model_add(&t, "joints:\n");
      add_joint(&t, &r, "j0", sar_joint_kind(k), -1, 0);
      add_joint(&t, &r, "j1", sar_joint_kind_find("spherical"), 0, 1);
      add_joint(&t, &r, "j2", sar_joint_kind((k + 1 + trial) % kinds), trial % 2 ? 1 : -1,
                trial % 2 ? -1 : 1);
      SarModel* m = load(&t, NULL);
      SarData* d = data_of(m);
      cuts += m->ncut;
      check_joints(m, d, &r, sar_joint_kind(k)->name);
      sar_data_free(d);
      sar_model_free(m);
    }
  assert_true(cuts > 0);
}

// ---- force elements -----------------------------------------------------------------------------

typedef struct ForceCase {
  const char* kind;
  const char* values;  // of the element
  // its twin: values with the present load in place of %s, and which outputs are the load
  const char* twin;
  int output[6], noutput;
  double scale[6];  // load = scale * output
} ForceCase;

// Elements with two targets are put between several pairs of bodies; those with one act on b2 or
// j2.
static const ForceCase FORCES[] = {
    {"spring_damper", "stiffness: 30, length: 0.4, damping: 3", "law: %s", {2}, 1, {1}},
    {"spring_damper", "stiffness: 30, length: 2.5, damping: 3", "law: %s", {2}, 1, {1}},
    {"spring_damper",
     "table: [[0, -5], [0.7, 3], [1.9, 8], [9, 90]], damping: 2",
     "law: %s",
     {2},
     1,
     {1}},
    {"spring_damper",
     "polynomial: [1, -3, 2, 1], damper_table: [[-9, -20], [-1, -4], [0, 0], [8, 9]]",
     "law: %s",
     {2},
     1,
     {1}},
    {"spring_damper", "law: 6*length^3 + rate*length + 2*tanh(rate)", "law: %s", {2}, 1, {1}},
    {"torsion",
     "axis: [1, 2, 3], stiffness: 12, rest: 0.3, damping: 2",
     "axis: [1, 2, 3], law: %s",
     {2},
     1,
     {1}},
    {"torsion",
     "axis: [1, 2, 3], law: 5*angle + 0.3*angle^3 + angle^2*rate",
     "axis: [1, 2, 3], law: %s",
     {2},
     1,
     {1}},
    {"bushing",
     "frame: {at: [0.2, 0.1, 0], rpy: [0.3, 0.2, 0.1]}, stiffness: [9, 8, 7, 3, 2, 4], damping: "
     "[[3, 1, 0, 0, 0, 0], [0, 2, 0, 0, 0, 0.1], [0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0], [0, 0, 0, "
     "0, 2, 0], [0, 0.1, 0, 0, 0, 1]]",
     "frame: {at: [0.2, 0.1, 0], rpy: [0.3, 0.2, 0.1]}, preload: [%s]",
     {0, 1, 2, 3, 4, 5},
     6,
     {-9, -8, -7, -3, -2, -4}},
    {"deformable_hinge",
     "frame: {rpy: [0.3, 0.2, 0.1]}, stiffness: [3, 2, 4], damping: [1, 2, 0.5]",
     "frame: {rpy: [0.3, 0.2, 0.1]}, preload: [%s]",
     {0, 1, 2},
     3,
     {-3, -2, -4}},
    {"force",
     "value: [-5*b2.x - 2*b2.vx, -4*error - b2.vy, -b2.z^3 - b2.z]",
     "value: [%s]",
     {0, 1, 2},
     3,
     {1, 1, 1}},
    {"torque", "value: [-3*b2.wx, -2*b2.wy - b2.wy^3, -4*b2.wz]", NULL, {0}, 0, {0}},
    {"joint_force",
     "value: -7*(j2.q2 - 0.3) - 2*j2.v2 - j2.v2^3, component: 2",
     "value: %s, component: 2",
     {0},
     1,
     {1}},
};

enum { CASES = sizeof FORCES / sizeof *FORCES };

// b2 and b3 hang on two branches of a tree of several kinds of joints.
static void add_tree(ModelText* t, Rng* r) {
  static const char* const kinds[] = {"free", "revolute", "universal", "prismatic", "planar"};
  static const int parent[] = {-1, 0, 1, 0, 3};
  add_bodies(t, r, 5);
  model_add(t, "variables: {error: b2.y - 0.2*t}\njoints:\n");
  for (int k = 0; k < 5; k++) {
    char name[8];
    snprintf(name, sizeof name, "j%d", k);
    size_t before = t->used;
    add_joint(t, r, name, sar_joint_kind_find(kinds[k]), parent[k], k);
    char* passive = strstr(t->text + before, ", stiffness");  // only the element acts
    t->used = (size_t)(passive - t->text);
    model_add(t, "}\n");
  }
}

static void add_targets(ModelText* t, Rng* r, const SarForceKind* kind, int a, int b) {
  model_add(t, "forces:\n  tested: {%s: ", kind->name);
  if (kind->targets == 1) {
    const SarAttrType type = kind->attr[0].type;
    model_add(t, "%s, ",
              type == SAR_ATTR_JOINT  ? "j2"
              : type == SAR_ATTR_BODY ? "b2"
                                      : "[b2, [0, 0, 0]]");
    return;
  }
  model_add(t, "[");
  for (int i = 0; i < 2; i++) {
    const int body = i ? b : a;
    char name[16];
    V3 p = rng_v3(r, -1, 1);
    snprintf(name, sizeof name, body < 0 ? "ground" : "b%d", body);
    if (i) model_add(t, ", ");
    if (kind->attr[i].type == SAR_ATTR_POINT)
      model_add(t, "[%s, [%.3f, %.3f, %.3f]]", name, p.x, p.y, p.z);
    else
      model_add(t, "%s", name);
  }
  model_add(t, "], ");
}

static SarModel* with_values(ModelText* t, const char* coordinates, const char* values) {
  const size_t before = t->used;
  model_add(t, "%s}\n", values);
  SarModel* m = load(t, coordinates);
  t->used = before;
  return m;
}

// Any state of the tree; in absolute coordinates one with closed joints.
static void random_state(const SarModel* m, SarData* d, Rng* r, ModelText* t, const char* values) {
  double unused[MOST];
  if (!m->absolute) {
    tree_random_state(r, m, d->q, d->v, unused);
    return;
  }
  SarModel* tree = with_values(t, "relative", values);
  SarData* d_tree = data_of(tree);
  tree_random_state(r, tree, d_tree->q, d_tree->v, unused);
  update(tree, d_tree);
  take_poses(m, d, d_tree);
  random_velocities(m, d, r, 1);
  sar_data_free(d_tree);
  sar_model_free(tree);
}

static void check_force(ModelText* t, Rng* r, const ForceCase* c, const char* coordinates) {
  SarModel* m = with_values(t, coordinates, c->values);
  SarData* d = data_of(m);
  char load_text[256] = "", values[512];
  random_state(m, d, r, t, c->values);
  Matrix C = difference(m, d, true), tangent = assembled(m, d, 0, 1);
  expect_equal(m, &tangent, &C, c->kind);
  Matrix both = assembled(m, d, 0.6, 0.2);
  expect_semidefinite(m, &both, r, c->kind);
  expect_same_between_bodies(m, d, c->kind);

  if (!c->twin) {  // does not depend on positions
    sar_data_free(d);
    sar_model_free(m);
    return;
  }
  for (int i = 0; i < m->nv; i++) d->v[i] = 0;
  update(m, d);
  for (int i = 0; i < c->noutput; i++) {
    const double x = d->force_output[m->force_output_adr[0] + c->output[i]] * c->scale[i];
    const size_t n = strlen(load_text);
    snprintf(load_text + n, sizeof load_text - n, "%s%.17g", i ? ", " : "", x);
  }
  snprintf(values, sizeof values, c->twin, load_text);
  SarModel* twin = with_values(t, coordinates, values);
  SarData* d_twin = data_of(twin);
  memcpy(d_twin->q, d->q, (size_t)m->nq_all * sizeof *d->q);
  for (int i = 0; i < m->nv; i++) d_twin->v[i] = 0;
  Matrix K = difference(m, d, false), K_twin = difference(twin, d_twin, false);
  Matrix full = assembled(m, d, 1, 0), full_twin = assembled(twin, d_twin, 1, 0);
  K = minus(m, &K, &K_twin);
  tangent = minus(m, &full, &full_twin);
  assert_true(largest(m, &K) > 1e-3);
  expect_equal(m, &tangent, &K, c->kind);
  sar_data_free(d), sar_data_free(d_twin);
  sar_model_free(m), sar_model_free(twin);
}

static void force_elements(void** state) {
  (void)state;
  Rng r = rng_seed(13);
  static const int ends[][2] = {{2, 4}, {4, 2}, {-1, 2}, {4, -1}, {1, 2}};
  for (int k = 0; k < CASES; k++)
    for (int e = 0; e < (int)(sizeof ends / sizeof *ends); e++)
      for (int trial = 0; trial < test_effort(4); trial++) {
        ModelText t;
        add_tree(&t, &r);
        add_targets(&t, &r, sar_force_kind_find(FORCES[k].kind), ends[e][0], ends[e][1]);
        check_force(&t, &r, &FORCES[k], NULL);
        check_force(&t, &r, &FORCES[k], "absolute");
      }
}

// In contact a stop is the spring of the same numbers; out of it, it has no tangent.
static void stops(void** state) {
  (void)state;
  Rng r = rng_seed(15);
  for (int trial = 0; trial < test_effort(20); trial++) {
    Matrix tangent[3];
    ModelText t;
    add_tree(&t, &r);
    const size_t tree = t.used;
    const char* const element[] = {
        "spring_damper: [b2, [ground, [3, 1, 2]]], length: 0.01",
        "bump_stop: [b2, [ground, [3, 1, 2]]], length: 0.01, side: extension",
        "bump_stop: [b2, [ground, [3, 1, 2]]], length: 0.01"};
    const Rng same = r;
    for (int k = 0; k < 3; k++) {
      double unused[MOST];
      t.used = tree;
      model_add(&t, "forces: {f: {%s, stiffness: 300, damping: 0.1}}\n", element[k]);
      SarModel* m = load(&t, NULL);
      SarData* d = data_of(m);
      r = same;
      tree_random_state(&r, m, d->q, d->v, unused);
      tangent[k] = assembled(m, d, 0.7, 0.3);
      if (k == 1) expect_equal(m, &tangent[1], &tangent[0], "bump_stop");
      if (k == 2) EXPECT_NEAR(largest(m, &tangent[2]), 0, 0);
      sar_data_free(d);
      sar_model_free(m);
    }
  }
}

// An upright wheel on a flat road: k along z, and the side force against the speed across, C / v.
static void tyres(void** state) {
  (void)state;
  ModelText t = {.used = 0};
  model_add(&t,
            "sarrus: 1\nbodies: {b0: {mass: 1, inertia: [1, 1, 1], at: [0, 0, 0.3]}}\njoints: {j: "
            "{free: [ground, b0]}}\n"
            "forces: {f: {tyre: b0, radius: 0.4, stiffness: 500, damping: 3, slow: 1e-6, linear: "
            "{cornering: 80}}}\n");
  SarModel* m = load(&t, NULL);
  SarData* d = data_of(m);
  d->v[0] = 20;
  Matrix K = difference(m, d, false), C = difference(m, d, true);
  Matrix K_tangent = assembled(m, d, 1, 0), C_tangent = assembled(m, d, 0, 1);
  EXPECT_NEAR(K.at[2][2], 500, 1e-4);  // differences
  EXPECT_NEAR(K_tangent.at[2][2], 500, 1e-9);
  EXPECT_NEAR(C.at[1][1], 80 / 20.0, 1e-4);
  EXPECT_NEAR(C_tangent.at[1][1], 80 / 20.0, 1e-9);
  EXPECT_NEAR(C.at[2][2], 3, 1e-4);
  EXPECT_NEAR(C_tangent.at[2][2], 3, 1e-9);
  d->q[2] += 0.2;  // off the road
  Matrix none = assembled(m, d, 1, 1);
  EXPECT_NEAR(largest(m, &none), 0, 0);
  sar_data_free(d);
  sar_model_free(m);
}

// The example of every kind, at rest, where C leaves nothing out: it is what differences say; both
// are none for a kind without a tangent. At any speed the tangent is semidefinite, and the same
// between bodies.
static void examples_of_all_kinds(void** state) {
  (void)state;
  Rng r = rng_seed(16);
  for (int k = 0; sar_force_kind(k); k++) {
    const SarForceKind* kind = sar_force_kind(k);
    for (int trial = 0; trial < test_effort(8); trial++) {
      const ExampleNames names = model_names(2, 4, 1, 1, 3);
      ModelText t;
      double unused[MOST];
      add_tree(&t, &r);
      model_add(&t, "forces:\n");
      model_add_example(&t, "tested", kind->example, &names);
      SarModel* m = load(&t, NULL);
      SarData* d = data_of(m);
      tree_random_state(&r, m, d->q, d->v, unused);
      Matrix both = assembled(m, d, 0.6, 0.2);
      if (!kind->tangent && !kind->joint_tangent) EXPECT_NEAR(largest(m, &both), 0, 0);
      expect_semidefinite(m, &both, &r, kind->name);
      expect_same_between_bodies(m, d, kind->name);
      for (int i = 0; i < m->nv; i++) d->v[i] = 0;
      Matrix C = damping_at_rest(m, d), tangent = assembled(m, d, 0, 1);
      expect_equal(m, &tangent, &C, kind->name);
      sar_data_free(d);
      sar_model_free(m);
    }
  }
}

// A point at the origin of a body with a free joint moves by its own coordinates alone, so nothing
// is left out of K: a stretched line is stiff across too; one under pressure keeps its tangent
// positive.
static void stretched_lines(void** state) {
  (void)state;
  Rng r = rng_seed(14);
  for (int trial = 0; trial < test_effort(50); trial++) {
    const bool stretched = trial % 2;
    ModelText t = {.used = 0};
    model_add(&t,
              "sarrus: 1\nbodies: {b0: {mass: 1, inertia: [1, 1, 1]}}\njoints: {j: {free: [ground, "
              "b0]}}\n"
              "forces: {f: {spring_damper: [ground, b0], stiffness: 20, length: %s}}\n",
              stretched ? "0.1" : "9");
    SarModel* m = load(&t, NULL);
    SarData* d = data_of(m);
    double unused[MOST];
    tree_random_state(&r, m, d->q, d->v, unused);
    Matrix K = difference(m, d, false), tangent = assembled(m, d, 1, 0);
    if (stretched) {
      expect_equal(m, &tangent, &K, "stretched");
      assert_true(K.at[0][0] > 0 && K.at[1][1] > 0 && K.at[2][2] > 0);
    } else {
      expect_semidefinite(m, &tangent, &r, "pressed");
    }
    sar_data_free(d);
    sar_model_free(m);
  }
}

// Controllers that push away, or act on something else than they measure, would make the tangent
// indefinite: nothing is left of them. A constant force has no tangent at all.
static void controllers_without_tangent(void** state) {
  (void)state;
  static const struct {
    const char* force;
    int blocks;
  } cases[] = {{"3", 0}, {"sin(t)", 0}, {"-5*j1.q - 2*j1.v", 0}, {"5*j0.q", 1}, {"2*j0.v + t", 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ModelText t = {.used = 0};
    model_add(
        &t,
        "sarrus: 1\nbodies: {b0: {box: [1, 1, 1], mass: 1}, b1: {box: [1, 1, 1], mass: "
        "1}}\njoints:\n"
        "  j0: {revolute: [ground, b0], axis: z, force: %s}\n  j1: {revolute: [b0, b1], axis: z}\n",
        cases[i].force);
    SarModel* m = load(&t, NULL);
    SarData* d = data_of(m);
    assert_int_equal(m->ntangent, cases[i].blocks);
    Matrix tangent = assembled(m, d, 1, 1);
    assert_true(largest(m, &tangent) == 0);
    sar_data_free(d);
    sar_model_free(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(joints_of_trees), cmocka_unit_test(joints_that_close_loops),
      cmocka_unit_test(force_elements),  cmocka_unit_test(stops),
      cmocka_unit_test(tyres),           cmocka_unit_test(examples_of_all_kinds),
      cmocka_unit_test(stretched_lines), cmocka_unit_test(controllers_without_tangent),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
