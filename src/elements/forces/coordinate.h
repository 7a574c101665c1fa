// One coordinate of a joint as force elements see it: position, speed and force in the direction of
// the file. Joints of the tree and cut ones alike.
#pragma once
#include "elements/forces/element.h"

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
