// What instruments on a body measure, in the axes of the point that carries them (an inertial
// measurement unit, a force-torque sensor): angular velocity, velocity, specific force, and what a
// joint carries.
//
//   gyro           R_PB w
//   velocimeter    R_PB (v + w x p)
//   accelerometer  R_PB (A.v + A.w x p + w x (v + w x p)),   A with ground's acceleration -g in it
//   load           f = R f_G,   n = R (n_G + (p_joint - p) x f_G)
//
// p, R_PB: the point and its axes in its body B; f_G, n_G: reaction of the joint at its joint
// point.
#include "dynamics/cut_joints.h"
#include "dynamics/gravity_field.h"
#include "dynamics/tree.h"
#include "sim/outputs/outputs.h"
#include "sim/outputs/reactions.h"

// A vector of the body's B in the axes of the point.
static V3 in_frame(const SarModel* m, int frame, V3 a_B) {
  const M3 R = frame >= 0 ? m->point[frame].X_BP.R : sar_holder_X_BU(m, -1 - frame).R;
  return m3_tmul_v(R, a_B);
}

static V3 point_velocity(Motion V, V3 p) { return v3_add(V.v, v3_cross(V.w, p)); }

static double gyro(const SarOutputRow* row, const SarChannel* c) {
  if (c->index < 0) return 0;
  const V3 w = row->s->d->body_V[c->index].w;
  return v3_component(in_frame(row->s->m, c->frame, w), c->component);
}

static double velocimeter(const SarOutputRow* row, const SarChannel* c) {
  if (c->index < 0) return 0;
  const V3 v = point_velocity(row->s->d->body_V[c->index], c->point);
  return v3_component(in_frame(row->s->m, c->frame, v), c->component);
}

// Gravity that is a field is not in A.
static double accelerometer(const SarOutputRow* row, const SarChannel* c) {
  const SarModel* m = row->s->m;
  SarData* d = row->s->d;
  if (c->index < 0) return v3_component(in_frame(m, c->frame, v3_neg(m->gravity)), c->component);
  const Motion V = d->body_V[c->index], A = d->body_A[c->index];
  const Xform X = d->body_X_GB[c->index];
  V3 a = v3_add(v3_add(A.v, v3_cross(A.w, c->point)), v3_cross(V.w, point_velocity(V, c->point)));
  if (m->field.kind != SAR_GRAVITY_UNIFORM)
    a = v3_sub(a, m3_tmul_v(X.R, sar_gravity_at(m, d, x_point(X, c->point))));
  return v3_component(in_frame(m, c->frame, a), c->component);
}

// ---- load of a joint -------------------------------------------------------------------------

// The body that the file calls the joint's child, its frame of the file, and the joint point on it.
static int child_of(const SarModel* m, const SarData* d, int joint, Xform* X_BU, V3* at_B) {
  if (joint >= m->nbody) {
    const SarCut* cut = &m->cut[joint - m->nbody];
    *at_B = d->cut_X_B[joint - m->nbody].p;
    *X_BU = cut->body[1] < 0 ? x_identity() : sar_holder_X_BU(m, cut->holder[1]);
    return cut->body[1];
  }
  const int child = m->joint_turned[joint] ? m->body_parent[joint] : joint;
  *at_B = m->joint_X_BF[2 * joint + 1].p;
  *X_BU = child < 0 ? x_identity() : sar_holder_X_BU(m, child);
  return child;
}

static double load(const SarOutputRow* row, const SarChannel* c) {
  const SarModel* m = row->s->m;
  const SarData* d = row->s->d;
  V3 at_B;
  Xform X_BU;
  const int child = child_of(m, d, c->index, &X_BU, &at_B);
  const int body = c->frame >= 0 ? m->point[c->frame].body : child;
  const Xform X_GC = child < 0 ? x_identity() : d->body_X_GB[child];
  const Xform X_GB = body < 0 ? x_identity() : d->body_X_GB[body];
  Force F = sar_output_reaction_of(row->s, c->index);
  if (c->frame >= 0) {
    const V3 p = x_point(X_GB, m->point[c->frame].X_BP.p);
    F.n = v3_add_cross(F.n, v3_sub(x_point(X_GC, at_B), p), F.f);
  }
  const V3 part = m3_tmul_v(X_GB.R, c->component < 3 ? F.f : F.n);
  return v3_component(c->frame >= 0 ? in_frame(m, c->frame, part) : m3_tmul_v(X_BU.R, part),
                      c->component % 3);
}

// ---- the table -------------------------------------------------------------------------------

const SarOutputKind sar_output_gyro = {
    .name = "gyro",
    .doc = "angular velocity in the axes of the point [rad/s]",
    .unit = "rad/s",
    .of = SAR_OF_BODY,
    .with = "gyro",
    .at_point = true,
    .at_frame = true,
    .columns = (const char* const[]){"gyro_x", "gyro_y", "gyro_z", NULL},
    .value = gyro,
};

const SarOutputKind sar_output_velocimeter = {
    .name = "velocimeter",
    .doc = "velocity of the point in its axes [m/s]",
    .unit = "m/s",
    .of = SAR_OF_BODY,
    .with = "velocimeter",
    .at_point = true,
    .at_frame = true,
    .columns = (const char* const[]){"speed_x", "speed_y", "speed_z", NULL},
    .value = velocimeter,
};

const SarOutputKind sar_output_accelerometer = {
    .name = "accelerometer",
    .doc = "specific force in the axes of the point: acceleration less gravity [m/s^2]",
    .unit = "m/s^2",
    .of = SAR_OF_BODY,
    .with = "accelerometer",
    .at_point = true,
    .at_frame = true,
    .needs = SAR_NEEDS_ACCELERATIONS,
    .columns = (const char* const[]){"accel_x", "accel_y", "accel_z", NULL},
    .value = accelerometer,
};

const SarOutputKind sar_output_load = {
    .name = "joint load",
    .doc =
        "the reaction as a force-torque sensor measures it: at the point that `at` names, in its "
        "axes; else at the joint point, in axes of the child [N, N m]",
    .unit = "N",
    .unit_turn = "N m",
    .of = SAR_OF_JOINT,
    .key = "load",
    .at_frame = true,
    .needs = SAR_NEEDS_ACCELERATIONS | SAR_NEEDS_REACTIONS,
    .columns = (const char* const[]){"load_fx", "load_fy", "load_fz", "load_tx", "load_ty",
                                     "load_tz", NULL},
    .value = load,
    .undecided = sar_output_reaction_is_undecided,
};
