// Motion of points and frames of bodies, in ground axes.
#include "sim/outputs/outputs.h"

static V3 point_velocity(Motion V, V3 p) { return v3_add(V.v, v3_cross(V.w, p)); }

static double position(const SarOutputRow* row, const SarChannel* c) {
  if (c->index < 0) return v3_component(c->point, c->component);
  return v3_component(x_point(row->s->d->body_X_GB[c->index], c->point), c->component);
}

static double orientation(const SarOutputRow* row, const SarChannel* c) {
  const SarModel* m = row->s->m;
  const int body = sar_holder_body(m, c->index);
  const M3 R_BU = sar_holder_X_BU(m, c->index).R;
  const Quat q = quat_from_m3(body < 0 ? R_BU : m3_mul(row->s->d->body_X_GB[body].R, R_BU));
  const double part[4] = {q.w, q.x, q.y, q.z};
  return part[c->component];
}

static double velocity(const SarOutputRow* row, const SarChannel* c) {
  if (c->index < 0) return 0;
  const SarData* d = row->s->d;
  const V3 v = point_velocity(d->body_V[c->index], c->point);
  return v3_component(m3_mul_v(d->body_X_GB[c->index].R, v), c->component);
}

static double omega(const SarOutputRow* row, const SarChannel* c) {
  if (c->index < 0) return 0;
  const SarData* d = row->s->d;
  return v3_component(m3_mul_v(d->body_X_GB[c->index].R, d->body_V[c->index].w), c->component);
}

// a = A.v + A.w x p + w x v, and ground's acceleration -g taken off again
static double acceleration(const SarOutputRow* row, const SarChannel* c) {
  if (c->index < 0) return 0;
  const SarData* d = row->s->d;
  const Motion V = d->body_V[c->index], A = d->body_A[c->index];
  const V3 v = point_velocity(V, c->point);
  const V3 a = v3_add(v3_add(A.v, v3_cross(A.w, c->point)), v3_cross(V.w, v));
  return v3_component(v3_add(m3_mul_v(d->body_X_GB[c->index].R, a), row->s->m->gravity),
                      c->component);
}

const SarOutputKind sar_output_body_position = {
    .name = "body position",
    .doc = "of the point, or of the body's origin [m]",
    .unit = "m",
    .of = SAR_OF_BODY,
    .with = "position",
    .by_default = true,
    .at_point = true,
    .columns = (const char* const[]){"x", "y", "z", NULL},
    .value = position,
};

const SarOutputKind sar_output_body_orientation = {
    .name = "body orientation",
    .doc = "unit quaternion of the body frame",
    .of = SAR_OF_BODY,
    .with = "orientation",
    .by_default = true,
    .by_holder = true,
    .columns = (const char* const[]){"qw", "qx", "qy", "qz", NULL},
    .value = orientation,
};

const SarOutputKind sar_output_body_velocity = {
    .name = "body velocity",
    .doc = "of the point, or of the body's origin [m/s]",
    .unit = "m/s",
    .of = SAR_OF_BODY,
    .with = "velocity",
    .by_default = true,
    .at_point = true,
    .columns = (const char* const[]){"vx", "vy", "vz", NULL},
    .value = velocity,
};

const SarOutputKind sar_output_body_omega = {
    .name = "body omega",
    .doc = "angular velocity [rad/s]",
    .unit = "rad/s",
    .of = SAR_OF_BODY,
    .with = "omega",
    .key = "omega",
    .by_default = true,
    .columns = (const char* const[]){"wx", "wy", "wz", NULL},
    .value = omega,
};

const SarOutputKind sar_output_body_acceleration = {
    .name = "body acceleration",
    .doc = "of the point, or of the body's origin [m/s^2]",
    .unit = "m/s^2",
    .of = SAR_OF_BODY,
    .with = "acceleration",
    .held = true,
    .at_point = true,
    .needs = SAR_NEEDS_ACCELERATIONS,
    .columns = (const char* const[]){"ax", "ay", "az", NULL},
    .value = acceleration,
};
