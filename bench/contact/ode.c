// ODE's side: every box free, hinges and contacts as constraints, semi-implicit Euler.
#include "contact.h"

#include <math.h>
#define dDOUBLE
#include <ode/ode.h>
#include <stdio.h>
#include <stdlib.h>

// Solver: dWorldStep's elimination with Dantzig's method, or dWorldQuickStep's sweeps. Of a plane
// linkage the joints that close loops may be balls: fewer rows.
typedef struct Setting {
  bool boxes;  // for boxes alone, or for mechanisms
  int sweeps;  // 0: elimination
  double erp;  // share of an error that is taken out in a step
  double cfm;  // softness of contacts: speed that an impulse leaves [m/s / (N s)]
  bool balls;
} Setting;
static const Setting SETTING[] = {
    {true, 0, 0.2, 1e-5, false},    {true, 0, 0.2, 1e-4, false},  {true, 20, 0.2, 1e-5, false},
    {true, 50, 0.2, 1e-5, false},   {true, 50, 0.2, 1e-4, false}, {false, 0, 0.2, 1e-6, false},
    {false, 0, 0.8, 1e-6, false},   {false, 0, 0.8, 1e-6, true},  {false, 50, 0.8, 1e-6, false},
    {false, 200, 0.8, 1e-6, false},
};
enum { SETTINGS = sizeof SETTING / sizeof *SETTING, POINTS = 4 };

typedef struct Run {
  const Scene* s;
  const Setting* setting;
  dWorldID world;
  dSpaceID space;
  dJointGroupID contacts;
  dBodyID body[MAX_BOXES];
  dJointID hinge[MAX_HINGES];
  long steps;
} Run;

static bool describe(const Scene* s, int setting, char* text, int size) {
  const Setting* x = &SETTING[setting];
  if (x->boxes != (s->hinges == 0)) return false;
  // a pyramid has 4800 rows: seconds for each elimination
  if (x->sweeps == 0 && s->boxes > 100) return false;
  bool loops = false;
  for (int i = 0; i < s->hinges; i++) loops |= s->hinge[i].closes;
  if (x->balls && !loops) return false;
  if (!text) return true;
  char solver[32] = "dWorldStep";
  if (x->sweeps) snprintf(solver, sizeof solver, "dWorldQuickStep %d", x->sweeps);
  int n = snprintf(text, (size_t)size, "%s%s erp=%.1f", solver, x->balls ? " balls" : "", x->erp);
  if (s->floor) snprintf(text + n, (size_t)(size - n), " cfm=%g", x->cfm);
  return true;
}

// Mechanisms: the direct step is to be reached; boxes: either.
static double wanted(const Scene* s, int setting) {
  return s->hinges == 0 || SETTING[setting].sweeps == 0 ? 1 : 0;
}

static void add_boxes(Run* r) {
  const Scene* s = r->s;
  for (int i = 0; i < s->boxes; i++) {
    const Box* b = &s->box[i];
    dMass mass;
    dMassSetBoxTotal(&mass, b->mass, b->size[0], b->size[1], b->size[2]);
    r->body[i] = dBodyCreate(r->world);
    dBodySetMass(r->body[i], &mass);
    dBodySetPosition(r->body[i], b->at[0], b->at[1], b->at[2]);
    dBodySetQuaternion(r->body[i], b->quat);
    if (b->touches)
      dGeomSetBody(dCreateBox(r->space, b->size[0], b->size[1], b->size[2]), r->body[i]);
  }
  if (s->floor) dCreatePlane(r->space, 0, 0, 1, 0);
}

// Dry friction is a motor of limited force that wants rest.
static void add_hinges(Run* r) {
  const Scene* s = r->s;
  for (int i = 0; i < s->hinges; i++) {
    const Hinge* j = &s->hinge[i];
    const bool ball = j->closes && r->setting->balls;
    dJointID h = ball ? dJointCreateBall(r->world, NULL) : dJointCreateHinge(r->world, NULL);
    r->hinge[i] = h;
    dJointAttach(h, r->body[j->b], j->a < 0 ? 0 : r->body[j->a]);
    if (ball) {
      dJointSetBallAnchor(h, j->at[0], j->at[1], j->at[2]);
      continue;
    }
    dJointSetHingeAnchor(h, j->at[0], j->at[1], j->at[2]);
    dJointSetHingeAxis(h, j->axis[0], j->axis[1], j->axis[2]);
    if (j->friction > 0) dJointSetHingeParam(h, dParamFMax, j->friction);
    if (j->motor) dJointSetHingeParam(h, dParamFMax, fmin(j->effort, 1e9));
  }
  // there is no joint for a repeater: the first finger has half the effort, the second follows it
  if (s->repeater[1]) {
    dJointSetHingeParam(r->hinge[s->repeater[0]], dParamFMax, s->hinge[s->repeater[0]].effort / 2);
    dJointSetHingeParam(r->hinge[s->repeater[1]], dParamFMax, 1e9);
  }
}

// Degenerate contacts make the elimination complain, and go on.
static void be_quiet(int number, const char* text, va_list args) {
  (void)number, (void)text, (void)args;
}

static void* make(const Scene* s, int setting) {
  static bool ready;
  if (!ready) dInitODE2(0);
  dSetMessageHandler(be_quiet);
  ready = true;
  Run* r = calloc(1, sizeof *r);
  r->s = s;
  r->setting = &SETTING[setting];
  dRandSetSeed(1);  // the order of sweeps
  r->world = dWorldCreate();
  r->space = dHashSpaceCreate(0);
  r->contacts = dJointGroupCreate(0);
  dWorldSetGravity(r->world, s->gravity[0], s->gravity[1], s->gravity[2]);
  dWorldSetERP(r->world, r->setting->erp);
  dWorldSetCFM(r->world, 1e-10);
  if (r->setting->sweeps) dWorldSetQuickStepNumIterations(r->world, r->setting->sweeps);
  add_boxes(r);
  add_hinges(r);
  return r;
}

static void touch(void* of, dGeomID a, dGeomID b) {
  const Run* r = of;
  dContact contact[POINTS];
  const int n = dCollide(a, b, POINTS, &contact[0].geom, sizeof *contact);
  for (int i = 0; i < n; i++) {
    // friction in proportion to the normal force
    contact[i].surface.mode = dContactApprox1 | dContactSoftCFM;
    contact[i].surface.soft_cfm = r->setting->cfm;
    contact[i].surface.mu = r->s->friction;
    dJointAttach(dJointCreateContact(r->world, r->contacts, &contact[i]), dGeomGetBody(a),
                 dGeomGetBody(b));
  }
}

static void drive(Run* r) {
  const Scene* s = r->s;
  const double t = (double)r->steps * s->step;
  for (int i = 0; i < s->hinges; i++) {
    const Hinge* j = &s->hinge[i];
    dJointID h = r->hinge[i];
    if (j->damping > 0) dJointAddHingeTorque(h, -j->damping * dJointGetHingeAngleRate(h));
    if (j->motor)
      dJointSetHingeParam(h, dParamVel, motor_speed(j, t, s->step, dJointGetHingeAngle(h)));
  }
  if (s->repeater[1]) {
    dJointID first = r->hinge[s->repeater[0]], second = r->hinge[s->repeater[1]];
    const double lag = dJointGetHingeAngle(first) - dJointGetHingeAngle(second);
    // half of the lag: what is held between them doubles it
    dJointSetHingeParam(second, dParamVel, 0.5 * lag / s->step);
  }
}

static bool step(void* of) {
  Run* r = of;
  drive(r);
  if (r->s->floor) dSpaceCollide(r->space, r, touch);
  if (r->setting->sweeps)
    dWorldQuickStep(r->world, r->s->step);
  else
    dWorldStep(r->world, r->s->step);
  dJointGroupEmpty(r->contacts);
  r->steps++;
  return isfinite(dBodyGetPosition(r->body[0])[0]);
}

static void look(void* of, Pose* out) {
  const Run* r = of;
  for (int i = 0; i < r->s->boxes; i++) {
    const dReal *p = dBodyGetPosition(r->body[i]), *R = dBodyGetRotation(r->body[i]);
    for (int k = 0; k < 3; k++) {
      out[i].p[k] = p[k];
      for (int c = 0; c < 3; c++) out[i].R[3 * k + c] = R[4 * k + c];
    }
  }
}

static void drop(void* of) {
  Run* r = of;
  dJointGroupDestroy(r->contacts);
  dSpaceDestroy(r->space);
  dWorldDestroy(r->world);
  free(r);
}

const Engine engine_ode = {"ODE", SETTINGS, describe, wanted, make, step, look, drop};
