// Joints of a similar twin. Axes about which something turns are axial vectors: in a mirror they
// keep their direction across it, so that angles count as before.
#include "support/twins/similar.h"

#include <math.h>
#include <string.h>

int similar_joint_index(const SimilarJob* s, const SpecJoint* p) {
  return (int)(p - s->spec->joints.items);
}

double similar_coordinate(const SimilarJob* s, const SpecJoint* p, int i) {
  const int index = similar_joint_index(s, p);
  const double sign = index < s->job->twin->joints ? s->job->twin->joint[index].sign[i] : 1;
  return p->kind->coordinate[i] == SAR_LENGTH ? sign * s->x->length : sign;
}

// A planar joint's axes follow from its normal: are those in the mirror its own, up to signs?
static void planar_signs(SimilarJob* s, const SpecJoint* p, double* sign) {
  const V3 normal = v3_unit(twin_vector(&p->axis, v3(0, 0, 1)));
  const M3 F = m3_frame_z(normal), G = m3_frame_z(m3_mul_v(s->M, normal));
  const M3 S = m3_tmul(G, m3_mul(s->M, F));
  if (fabs(fabs(S.xx) - 1) > 1e-12 || fabs(fabs(S.yy) - 1) > 1e-12) {
    twin_refuse(s->job, "planar joint '%s' has other axes in the mirror", p->name.text);
    return;
  }
  sign[0] = S.xx, sign[1] = S.yy, sign[2] = S.xx * S.yy;
}

static void find_signs(SimilarJob* s, SpecJoint* p, double* sign) {
  static const double AXIAL[3] = {-1, 1, -1}, POLAR[3] = {1, -1, 1};
  const char* kind = p->kind->name;
  if (!s->x->mirrored) return;
  if (strcmp(kind, "cylindrical") == 0) sign[0] = -1;
  if (strcmp(kind, "spherical") == 0) memcpy(sign, AXIAL, sizeof AXIAL);
  if (strcmp(kind, "cartesian") == 0) memcpy(sign, POLAR, sizeof POLAR);
  if (strcmp(kind, "free") == 0) {
    memcpy(sign, POLAR, sizeof POLAR);
    memcpy(sign + 3, AXIAL, sizeof AXIAL);
  }
  if (strcmp(kind, "planar") == 0) planar_signs(s, p, sign);
}

// One number for all coordinates becomes one for each.
static void spread(SimilarJob* s, SpecDofs* d, int n) {
  if (d->count != 1) return;
  SpecNum* c = SAR_ARENA_ARRAY(&s->spec->arena, SpecNum, n + 1);
  for (int i = 0; i < n; i++) c[i] = d->c[0];
  d->c = c;
  d->count = n;
}

// dofs <- k dofs, with k of each coordinate by what its unit is: that of the coordinate to `power`,
// times the dimension d; `odd`: it has the coordinate's sign.
static void scale_dofs(SimilarJob* s, SpecJoint* p, SpecDofs* dofs, int power, Dimension d,
                       bool odd) {
  spread(s, dofs, p->kind->nv);
  for (int i = 0; i < dofs->count; i++) {
    const double c = similar_coordinate(s, p, i), sign = c < 0 && odd ? -1 : 1;
    similar_scale_num(s, &dofs->c[i], sign * pow(fabs(c), power) * similar_scale(s, d));
  }
}

// Quaternions come last: w stays, x y z go as speeds do.
static void position(SimilarJob* s, SpecJoint* p) {
  const SarJointKind* k = p->kind;
  if (k->nq == k->nv || p->position.count != k->nq) {
    scale_dofs(s, p, &p->position, 1, NO_DIMENSION, true);
    return;
  }
  for (int i = 0; i < k->nq; i++) {
    const int dof = i < k->nq - 4 ? i : i - 1;  // of w: unused
    if (i != k->nq - 4) similar_scale_num(s, &p->position.c[i], similar_coordinate(s, p, dof));
  }
}

static void limits(SimilarJob* s, SpecJoint* p) {
  scale_dofs(s, p, &p->lower, 1, NO_DIMENSION, true);
  scale_dofs(s, p, &p->upper, 1, NO_DIMENSION, true);
  for (int i = 0; i < p->kind->nv; i++) {
    if (similar_coordinate(s, p, i) > 0 || !(p->lower.count || p->upper.count)) continue;
    if (p->lower.count != p->upper.count) {
      twin_refuse(s->job, "joint '%s' has one limit, which changes sides", p->name.text);
      return;
    }
    const SpecNum lower = p->lower.c[i];
    p->lower.c[i] = p->upper.c[i];
    p->upper.c[i] = lower;
  }
}

// Conjugate to the coordinate is the energy over it.
static void laws(SimilarJob* s, SpecJoint* p) {
  const Dimension force = ENERGY, damping = {2, 1, -1}, inertia = {2, 1, 0};
  const Dimension speed = {0, 0, -1};
  position(s, p);
  scale_dofs(s, p, &p->speed, 1, speed, true);
  scale_dofs(s, p, &p->stiffness, -2, force, false);
  scale_dofs(s, p, &p->rest, 1, NO_DIMENSION, true);
  scale_dofs(s, p, &p->damping, -2, damping, false);
  scale_dofs(s, p, &p->friction, -1, force, false);
  scale_dofs(s, p, &p->armature, -2, inertia, false);
  if (p->rotor) {
    similar_scale_num(s, &p->rotor->inertia, similar_scale(s, inertia));
    if (!p->rotor->ratio.expr) p->rotor->ratio = twin_number(s->spec, 1);
    similar_scale_num(s, &p->rotor->ratio, 1 / similar_coordinate(s, p, 0));
  }
  scale_dofs(s, p, &p->force, -1, force, true);
  scale_dofs(s, p, &p->effort, -1, force, false);
  scale_dofs(s, p, &p->speed_limit, 1, speed, false);
  if (p->motor) {
    scale_dofs(s, p, &p->motor->speed, 1, speed, true);
    scale_dofs(s, p, &p->motor->position, 1, NO_DIMENSION, true);
    scale_dofs(s, p, &p->motor->effort, -1, force, false);
    scale_dofs(s, p, &p->motor->speed_limit, 1, speed, false);
  }
  limits(s, p);
  if (!p->friction.count) return;
  if (!p->friction_speed.expr) p->friction_speed = twin_number(s->spec, 1e-3);
  for (int i = 1; i < p->kind->nv; i++)
    if (p->kind->coordinate[i] != p->kind->coordinate[0] && s->x->length != 1)
      twin_refuse(s->job, "friction_speed of '%s' is one number of two units", p->name.text);
  similar_scale_num(s, &p->friction_speed, fabs(similar_coordinate(s, p, 0)) / s->x->time);
  if (!p->stribeck) return;
  scale_dofs(s, p, &p->stribeck->breakaway, -1, force, false);
  similar_scale_num(s, &p->stribeck->speed, fabs(similar_coordinate(s, p, 0)) / s->x->time);
}

static void geometry(SimilarJob* s, SpecJoint* p) {
  const Similarity* x = s->x;
  const char* kind = p->kind->name;
  const bool axial =
      strcmp(kind, "revolute") == 0 || strcmp(kind, "screw") == 0 || strcmp(kind, "universal") == 0;
  if (p->kind->axes != SAR_AXES_NONE && !p->axis.c[0].expr)
    twin_set_vector(s->spec, &p->axis, v3(0, 0, 1));
  if (p->relative) similar_pose(s, &p->origin, strcmp(p->parent.text, "ground") == 0);
  if (!p->in.text && !p->relative && p->kind->nv >= 3)
    p->in = (SpecName){s->reference, p->name.loc};
  const bool local = p->in.text || p->relative;
  const M3 A = local ? s->M : x->Q;
  const double sense = axial ? s->handed : 1;
  M3 D = A, P = A;
  double *d = &D.xx, *q = &P.xx;
  for (int i = 0; i < 9; i++) d[i] *= sense, q[i] *= x->length;
  similar_nums(s, p->at.c, P, local ? v3_zero() : x->shift);
  similar_nums(s, p->axis.c, D, v3_zero());
  similar_nums(s, p->axis2.c, D, v3_zero());
  if (p->rotor) {  // its axis is that of a rotation, in any joint
    M3 R = A;
    double* r = &R.xx;
    for (int i = 0; i < 9; i++) r[i] *= s->handed;
    if (!axial && !p->rotor->axis.c[0].expr && s->handed < 0)
      twin_refuse(s->job, "the rotor of '%s' turns the other way in the mirror", p->name.text);
    similar_nums(s, p->rotor->axis.c, R, v3_zero());
  }
  if (strcmp(kind, "screw") == 0)  // a right-handed thread is a left-handed one in the mirror
    similar_scale_num(s, &p->param[0], s->handed * x->length);
}

void similar_signs(SimilarJob* s) {
  for (int i = 0; i < s->job->twin->joints; i++)
    find_signs(s, &s->spec->joints.items[i], s->job->twin->joint[i].sign);
}

void similar_joints(SimilarJob* s) {
  SarSpec* spec = s->spec;
  for (int i = 0; i < s->job->twin->joints; i++) {
    SpecJoint* p = &spec->joints.items[i];
    const SpecJoint* other = twin_find_joint(spec, p->mimic.text);
    if (other) {
      const double k = similar_coordinate(s, p, 0);
      if (!p->multiplier.expr) p->multiplier = twin_number(spec, 1);
      similar_scale_num(s, &p->multiplier, k / similar_coordinate(s, other, 0));
      similar_scale_num(s, &p->offset, k);
    }
    geometry(s, p);
    laws(s, p);
  }
}
