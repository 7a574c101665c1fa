// One coordinate of a joint as force elements see it: position, speed and force in the direction of
// the file. Joints of the tree and cut ones alike.
#pragma once
#include "elements/forces/varied.h"

typedef struct Coordinate {
  int joint, i;  // which velocity coordinate of the joint, from 0
  bool on;       // a cut joint that is switched off has coordinates, but feels nothing
  double q, v;
} Coordinate;

static inline Coordinate read_coordinate(const SarModel* m, const SarData* d, int joint, int i) {
  double q[SAR_JOINT_MAX_NQ], v[SAR_JOINT_MAX_NV];
  sar_joint_flip(m, joint, &d->q[m->joint_qadr[joint]], &d->v[m->joint_vadr[joint]], q, v);
  return (Coordinate){joint, i, sar_joint_is_on(m, d, joint), q[i], v[i]};
}

static inline void push_coordinate(const SarModel* m, SarData* d, const Coordinate* c, double f) {
  double tau[SAR_JOINT_MAX_NV] = {0};
  tau[c->i] = f;
  sar_joint_add_force(m, c->joint, &d->q[m->joint_qadr[c->joint]], tau,
                      &d->tau[m->joint_vadr[c->joint]]);
}

// The coordinate and its force as dual numbers.
typedef struct VariedCoordinate {
  Dual q, v;
} VariedCoordinate;

static inline VariedCoordinate vary_coordinate(const SarModel* m, const SarData* d,
                                               const SarVariation* x, const Coordinate* c) {
  const int qadr = m->joint_qadr[c->joint], vadr = m->joint_vadr[c->joint];
  double other[SAR_JOINT_MAX_NQ], dq[SAR_JOINT_MAX_NV], dv[SAR_JOINT_MAX_NV];
  if (c->joint >= m->nbody)
    return (VariedCoordinate){dual(c->q, x->q[qadr + c->i]), dual(c->v, x->v[vadr + c->i])};
  sar_joint_flip(m, c->joint, &d->q[qadr], &x->dq[vadr], other, dq);
  sar_joint_vary_flip(m, c->joint, &d->q[qadr], &d->v[vadr], &x->dq[vadr], &x->dv[vadr], dv);
  return (VariedCoordinate){dual(c->q, dq[c->i]), dual(c->v, dv[c->i])};
}

static inline void vary_push(const SarModel* m, const SarData* d, SarVariation* x,
                             const Coordinate* c, Dual f) {
  double tau[SAR_JOINT_MAX_NV] = {0}, change[SAR_JOINT_MAX_NV] = {0};
  const int vadr = m->joint_vadr[c->joint];
  tau[c->i] = f.x, change[c->i] = f.d;
  sar_joint_vary_force(m, c->joint, &d->q[m->joint_qadr[c->joint]],
                       c->joint < m->nbody ? &x->dq[vadr] : NULL, tau, change, &x->tau[vadr]);
}

// `component` from 1 is a coordinate with dq/dt = v: an angle or a length, not a rotation in space.
static inline SarStatus check_coordinate(const SarModel* m, int force, int joint, double component,
                                         SarLoc loc, SarError* err) {
  const SarJointKind* kind = m->joint_kind[joint];
  const char *name = sar_text(m, m->force_name[force]), *of = sar_text(m, m->joint_name[joint]);
  if (!(component >= 1 && component <= kind->nv && component == floor(component))) {
    sar_report(err, loc, kind->nv ? "count them from 1" : "choose a joint that moves",
               "force '%s': component %g of joint '%s', which has %d (%s)", name, component, of,
               kind->nv, kind->name);
    return SAR_BAD_MODEL;
  }
  if (kind->nq == kind->nv) return SAR_OK;
  sar_report(err, loc, "a bushing has springs against rotations in space",
             "force '%s': the coordinates of joint '%s' (%s) are no angles", name, of, kind->name);
  return SAR_BAD_MODEL;
}
