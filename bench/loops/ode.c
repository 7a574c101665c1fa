// ODE's side: every body free, hinges as constraints, semi-implicit Euler.
#include "loops.h"

#include <math.h>
#define dDOUBLE
#include <ode/ode.h>
#include <stdio.h>
#include <stdlib.h>

// Solver: dWorldStep's elimination, or dWorldQuickStep's sweeps. Closing joints of a plane linkage
// as hinges or as balls: fewer rows.
typedef struct Method {
  int sweeps;  // 0: elimination
  bool balls;
  double erp;
} Method;
static const Method METHOD[] = {
    {0, true, 0.8},   {0, true, 0.4},  {0, true, 1},    {0, false, 0.8}, {0, false, 0.4},
    {0, false, 1},    {5, true, 0.8},  {10, true, 0.8}, {20, true, 0.8}, {20, true, 0.4},
    {20, false, 0.8}, {50, true, 0.8}, {50, true, 1},
};
enum { METHODS = sizeof METHOD / sizeof *METHOD };

typedef struct Run {
  const Linkage* l;
  const Method* method;
  dWorldID world;
  dBodyID body[MAX_BODIES];
  dJointID joint[MAX_JOINTS];
  double h, t, angle;
  int steps;
} Run;

static bool counts_steps(int method) {
  (void)method;
  return true;
}

static void describe(Setting s, double interval, char* text, int size) {
  const Method* m = &METHOD[s.method];
  char solver[32] = "dWorldStep";
  if (m->sweeps) snprintf(solver, sizeof solver, "dWorldQuickStep %d", m->sweeps);
  snprintf(text, (size_t)size, "%s%s erp=%.1f h=%.3g", solver, m->balls ? " balls" : "", m->erp,
           interval / s.fineness);
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

static void connect_bodies(Run* r, int i, bool ball) {
  const Joint* j = &r->l->joint[i];
  r->joint[i] = ball ? dJointCreateBall(r->world, NULL) : dJointCreateHinge(r->world, NULL);
  dJointAttach(r->joint[i], j->b < 0 ? 0 : r->body[j->b], j->a < 0 ? 0 : r->body[j->a]);
  if (ball) {
    dJointSetBallAnchor(r->joint[i], j->at[0], j->at[1], j->at[2]);
    return;
  }
  dJointSetHingeAnchor(r->joint[i], j->at[0], j->at[1], j->at[2]);
  dJointSetHingeAxis(r->joint[i], j->axis == 'x', j->axis == 'y', j->axis == 'z');
}

static void add_joints(Run* r) {
  const Linkage* l = r->l;
  int carrier[MAX_BODIES];
  linkage_span(l, carrier);
  for (int i = 0; i < l->joints; i++) {
    const Joint* j = &l->joint[i];
    const bool closes = j->b < 0 || carrier[j->b] != i;
    connect_bodies(r, i, closes && r->method->balls && linkage_is_planar(l));
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
  r->method = &METHOD[s.method];
  r->h = interval / s.fineness;
  r->steps = (int)s.fineness;
  r->world = dWorldCreate();
  dWorldSetGravity(r->world, l->gravity[0], l->gravity[1], l->gravity[2]);
  dWorldSetERP(r->world, r->method->erp);
  if (r->method->sweeps) dWorldSetQuickStepNumIterations(r->world, r->method->sweeps);
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
  if (r->method->sweeps)
    dWorldQuickStep(r->world, r->h);
  else
    dWorldStep(r->world, r->h);
}

static void look(void* of, Sample* out) {
  Run* r = of;
  const Linkage* l = r->l;
  static const double TURN = 6.283185307179586477;
  const double angle = dJointGetHingeAngle(r->joint[0]);
  r->angle = angle + TURN * rint((r->angle - angle) / TURN);
  *out = (Sample){.t = r->t, .angle = r->angle};
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

static bool advance(void* of, int i, double interval) {
  Run* r = of;
  for (int k = 0; k < r->steps; k++) step(r, i * interval + k * r->h);
  r->t = (i + 1) * interval;
  return isfinite(dBodyGetPosition(r->body[0])[0]);
}

static void drop(void* of) {
  Run* r = of;
  dWorldDestroy(r->world);
  free(r);
}

const Engine engine_ode = {"ODE", METHODS, true, counts_steps, describe, make, advance, look, drop};
