#include "support/tree_builder.h"

#include <string.h>

static void fill_joint(SarModel* m, int b, const TreeBody* body, int qadr, int vadr) {
  const SarJointKind* kind = body->kind;
  m->joint_kind[b] = kind;
  m->joint_class[b] = kind->cls;
  m->joint_qadr[b] = qadr, m->joint_vadr[b] = vadr;
  m->joint_nq[b] = kind->nq, m->joint_nv[b] = kind->nv;
  memcpy(&m->joint_param[b * SAR_JOINT_MAX_PARAM], body->param, sizeof body->param);
  m->joint_X_BF[2 * b] = body->X_PF;
  m->joint_X_BF[2 * b + 1] = x_identity();
  sar_joint_zero(kind, &m->q_zero[qadr]);
  sar_joint_zero(kind, &m->q0[qadr]);
  // the last coordinate on the way to ground, past joints that have none
  int above = body->parent;
  while (above >= 0 && m->joint_nv[above] == 0) above = m->body_parent[above];
  for (int i = 0; i < kind->nv; i++) {
    int k = vadr + i;
    m->dof_body[k] = b;
    m->dof_parent[k] =
        i > 0 ? k - 1 : (above < 0 ? -1 : m->joint_vadr[above] + m->joint_nv[above] - 1);
    m->dof_armature[k] = body->armature;
    m->dof_force_slot[k] = -1;
    m->dof_friction_speed[k] = 1;
  }
  m->has_general |= kind->cls == SAR_CLASS_GENERAL;
  m->has_revolute |= kind->cls == SAR_CLASS_REVOLUTE;
}

SarModel* tree_build(const TreeBody* bodies, int count, V3 gravity) {
  SarModel sizes = {
      .nbody = count, .nbody_all = count, .ntext = 1, .gravity = gravity, .sim.adaptive = -1};
  for (int b = 0; b < count; b++) sizes.nq += bodies[b].kind->nq, sizes.nv += bodies[b].kind->nv;
  sizes.njoint = count, sizes.nq_all = sizes.nq, sizes.nv_all = sizes.nv;
  SarModel* m = sar_model_new(&sizes);
  if (!m) return NULL;
  int qadr = 0, vadr = 0;
  for (int b = 0; b < count; b++) {
    m->body_parent[b] = bodies[b].parent;
    m->body_subtree[b] = 1;
    m->body_inertia[b] = bodies[b].inertia;
    m->body_X_PF[b] = bodies[b].X_PF;
    m->body_X_BU[b] = x_identity();
    fill_joint(m, b, &bodies[b], qadr, vadr);
    qadr += bodies[b].kind->nq, vadr += bodies[b].kind->nv;
  }
  for (int b = count - 1; b >= 0; b--)
    if (m->body_parent[b] >= 0) m->body_subtree[m->body_parent[b]] += m->body_subtree[b];
  return m;
}

Inertia tree_random_inertia(Rng* r) {
  enum { POINTS = 5 };
  V3 center = rng_v3(r, -0.3, 0.3);
  Inertia sum = inertia_zero();
  for (int i = 0; i < POINTS; i++) {
    double mass = rng_uniform(r, 0.1, 0.4);
    V3 p = v3_add(center, rng_v3(r, -0.3, 0.3));
    sum = inertia_add(sum, inertia_of(mass, p, s3_zero()));
  }
  return sum;
}

static TreeBody random_body(Rng* r, int parent, const SarJointKind* kind) {
  TreeBody body = {.parent = parent, .kind = kind};
  for (int i = 0; i < SAR_JOINT_MAX_PARAM; i++) body.param[i] = rng_uniform(r, 0.05, 0.3);
  M3 R = quat_to_m3(rng_quat(r));
  body.X_PF = (Xform){R, rng_v3(r, -0.5, 0.5)};
  body.inertia = tree_random_inertia(r);
  body.armature = rng_int(r, 3) == 0 ? rng_uniform(r, 0.01, 0.5) : 0;
  return body;
}

enum { MAX_BODIES = 1000 };

static SarModel* random_tree(Rng* r, int nbody, const SarJointKind* only) {
  TreeBody bodies[MAX_BODIES];
  int kinds = 0;
  while (sar_joint_kind(kinds)) kinds++;
  for (int b = 0; b < nbody; b++) {
    // subtrees stay contiguous when the parent is the body before or one of its ancestors; the
    // first half of the choices extends the chain, so that trees are deep and bushy
    int parent = b - 1;
    if (rng_int(r, 2))
      for (int up = rng_int(r, 4); up > 0 && parent >= 0; up--) parent = bodies[parent].parent;
    bodies[b] = random_body(r, parent, only ? only : sar_joint_kind(rng_int(r, kinds)));
  }
  V3 gravity = rng_v3(r, -10, 10);
  return tree_build(bodies, nbody, gravity);
}

SarModel* tree_random(Rng* r, int nbody) { return random_tree(r, nbody, NULL); }
SarModel* tree_random_of(Rng* r, int nbody, const SarJointKind* kind) {
  return random_tree(r, nbody, kind);
}

SarModel* tree_chain(int nbody) {
  TreeBody bodies[MAX_BODIES];
  const SarJointKind* revolute = sar_joint_kind_find("revolute");
  // a rod along x; B has its z along the axis: z of the rod for even bodies, y for odd ones
  const M3 R_UB[2] = {m3_identity(), {1, 0, 0, 0, 0, 1, 0, -1, 0}};
  const S3 I = {0.0008, 0, 0, 0.0038, 0, 0.0042};
  for (int b = 0; b < nbody; b++) {
    const M3 R = m3_transpose(R_UB[b % 2]);  // from the rod's axes to B's
    const V3 end = m3_tmul_v(R_UB[(b + 1) % 2], v3(0.2, 0, 0));
    bodies[b] = (TreeBody){.parent = b - 1, .kind = revolute};
    bodies[b].X_PF = b ? (Xform){m3_tmul(R_UB[(b + 1) % 2], R_UB[b % 2]), end} : x_identity();
    bodies[b].inertia = inertia_of(1, m3_mul_v(R, v3(0.1, 0, 0)), s3_rotate(R, I));
  }
  return tree_build(bodies, nbody, v3(0, 0, -9.81));
}

void tree_random_state(Rng* r, const SarModel* m, double* q, double* v, double* tau) {
  for (int b = 0; b < m->nbody; b++) {
    const SarJointKind* kind = m->joint_kind[b];
    const double* zero = &m->q_zero[m->joint_qadr[b]];
    double xi[SAR_JOINT_MAX_NV], *to = &q[m->joint_qadr[b]];
    for (int i = 0; i < kind->nv; i++)
      xi[i] = rng_uniform(r, -1, 1) * (kind->coordinate[i] == SAR_ANGLE ? 3 : 1);
    sar_joint_retract(kind, &m->joint_param[b * SAR_JOINT_MAX_PARAM], zero, xi, to);
  }
  for (int i = 0; i < m->nv; i++) {
    v[i] = rng_uniform(r, -1, 1);
    tau[i] = rng_uniform(r, -10, 10);
  }
}
