// ODE's side: every body free, hinges as constraints, semi-implicit Euler with the direct solver.
#include "loops.h"

#include <math.h>
#define dDOUBLE
#include <ode/ode.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Run {
  const Linkage* l;
  dWorldID world;
  dBodyID body[MAX_BODIES];
  dJointID joint[MAX_JOINTS];
  double h, angle;
  int steps;
} Run;

static const double ERP[] = {0.8, 0.4, 1.0};

static bool counts_steps(int method) {
  (void)method;
  return true;
}

static void describe(Setting s, double interval, char* text, int size) {
  snprintf(text, (size_t)size, "dWorldStep erp=%.1f h=%.3g", ERP[s.method], interval / s.fineness);
}

static void add_bodies(Run* r) {
  const Linkage* l = r->l;
  for (int i = 0; i < l->bodies; i++) {
    const Body* b = &l->body[i];
    dMass mass;
    r->body[i] = dBodyCreate(r->world);
    dMassSetParameters(&mass, b->mass, 0, 0, 0, b->inertia[0], b->inertia[1], b->inertia[2], 0, 0,
                       0);
    dBodySetMass(r->body[i], &mass);
    dBodySetPosition(r->body[i], b->com[0], b->com[1], b->com[2]);
    dBodySetQuaternion(r->body[i], b->quat);
    dBodySetGyroscopicMode(r->body[i], 1);
  }
}

static void add_joints(Run* r) {
  const Linkage* l = r->l;
  for (int i = 0; i < l->joints; i++) {
    const Joint* j = &l->joint[i];
    r->joint[i] = dJointCreateHinge(r->world, NULL);
    dJointAttach(r->joint[i], j->b < 0 ? 0 : r->body[j->b], j->a < 0 ? 0 : r->body[j->a]);
    dJointSetHingeAnchor(r->joint[i], j->at[0], j->at[1], j->at[2]);
    dJointSetHingeAxis(r->joint[i], j->axis == 'x', j->axis == 'y', j->axis == 'z');
    // cranks turn about their ground joints at once, couplers move with the tips
    if (j->speed != 0 && j->a < 0) {
      const double* c = l->body[j->b].com;
      dBodySetAngularVel(r->body[j->b], 0, 0, j->speed);
      dBodySetLinearVel(r->body[j->b], -j->speed * (c[1] - j->at[1]), j->speed * (c[0] - j->at[0]),
                        0);
    } else if (j->speed != 0) {
      dBodySetLinearVel(r->body[j->b], j->speed * j->at[1], 0, 0);
    }
  }
  if (l->driven) dJointSetHingeParam(r->joint[0], dParamFMax, 1e9);
}

static void* make(const Linkage* l, Setting s, double interval) {
  static bool ready;
  if (!ready) dInitODE2(0);
  ready = true;
  Run* r = calloc(1, sizeof *r);
  r->l = l;
  r->h = interval / s.fineness;
  r->steps = (int)s.fineness;
  r->world = dWorldCreate();
  dWorldSetGravity(r->world, l->gravity[0], l->gravity[1], l->gravity[2]);
  dWorldSetERP(r->world, ERP[s.method]);
  dWorldSetCFM(r->world, 1e-10);
  add_bodies(r);
  add_joints(r);
  return r;
}

static double spring_force(const Run* r, double* at, double* along) {
  const Point* p = &r->l->spring.end;
  dBodyGetRelPointPos(r->body[p->body], p->local[0], p->local[1], p->local[2], at);
  double length = 0;
  for (int k = 0; k < 3; k++) {
    along[k] = at[k] - r->l->spring.ground[k];
    length += along[k] * along[k];
  }
  length = sqrt(length);
  for (int k = 0; k < 3; k++) along[k] /= length;
  return r->l->spring.stiffness * (length - r->l->spring.length);
}

static void step(Run* r, double t) {
  const Linkage* l = r->l;
  if (l->spring.on) {
    dVector3 at, along;
    const double f = -spring_force(r, at, along);
    dBodyAddForceAtPos(r->body[l->spring.end.body], f * along[0], f * along[1], f * along[2], at[0],
                       at[1], at[2]);
  }
  if (l->joint[0].torque != 0) dBodyAddTorque(r->body[l->joint[0].b], 0, 0, l->joint[0].torque);
  if (l->driven) {
    const double now = dJointGetHingeAngle(r->joint[0]);
    dJointSetHingeParam(r->joint[0], dParamVel, (drive_angle(t + r->h) - now) / r->h);
  }
  dWorldStep(r->world, r->h);
}

static void look(Run* r, double t, Sample* out) {
  const Linkage* l = r->l;
  static const double TURN = 6.283185307179586477;
  const double angle = dJointGetHingeAngle(r->joint[0]);
  r->angle = angle + TURN * rint((r->angle - angle) / TURN);
  *out = (Sample){.t = t, .angle = r->angle};
  for (int i = 0; i < l->bodies; i++) {
    const Body* b = &l->body[i];
    const dReal *v = dBodyGetLinearVel(r->body[i]), *x = dBodyGetPosition(r->body[i]);
    dVector3 w;
    const dReal* turn = dBodyGetAngularVel(r->body[i]);
    dBodyVectorFromWorld(r->body[i], turn[0], turn[1], turn[2], w);
    for (int k = 0; k < 3; k++)
      out->energy += 0.5 * b->mass * v[k] * v[k] + 0.5 * b->inertia[k] * w[k] * w[k] -
                     b->mass * l->gravity[k] * x[k];
  }
  for (int p = 0; p < l->points; p++) {
    dVector3 x;
    const double* local = l->point[p].local;
    dBodyGetRelPointPos(r->body[l->point[p].body], local[0], local[1], local[2], x);
    for (int k = 0; k < 3; k++) out->point[p][k] = x[k];
  }
}

static bool run(void* of, int samples, double interval, Sample* out) {
  Run* r = of;
  for (int i = 0; i < samples; i++) {
    for (int k = 0; k < r->steps; k++) step(r, i * interval + k * r->h);
    if (!isfinite(dBodyGetPosition(r->body[0])[0])) return false;
    if (out) look(r, (i + 1) * interval, &out[i]);
  }
  return true;
}

static void drop(void* of) {
  Run* r = of;
  dWorldDestroy(r->world);
  free(r);
}

const Engine engine_ode = {"ODE", sizeof ERP / sizeof *ERP, counts_steps, describe, make, run,
                           drop};
