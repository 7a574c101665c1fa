// Bullet's side. Boxes that are free alone: btDiscreteDynamicsWorld with its sequential impulses.
// Mechanisms: one btMultiBody in reduced coordinates, loops closed by btMultiBodyPoint2Point, the
// repeater by btMultiBodyGearConstraint; what is held is a free body.
#include "contact.h"

#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyGearConstraint.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointMotor.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <BulletDynamics/Featherstone/btMultiBodyMLCPConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyPoint2Point.h>
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <btBulletDynamicsCommon.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

namespace {

enum Solver { SWEEPS, DANTZIG };

struct Setting {
  Solver solver;
  int sweeps;
  double erp;     // share of an error that is taken out in a step
  double slop;    // depth that is left alone [m]
  bool anchored;  // friction pulls back to where sticking began
  bool random;    // order of sweeps
  bool sleeps;    // what is slow for two seconds is left alone
};

// The first is Bullet as it comes.
const std::array<Setting, 11> SETTING = {{
    {SWEEPS, 10, 0.2, 0, false, false, false},
    {SWEEPS, 10, 0.2, 5e-4, true, false, false},
    {SWEEPS, 10, 0.2, 5e-4, true, false, true},
    {SWEEPS, 20, 0.2, 0, true, true, false},
    {SWEEPS, 20, 0.2, 5e-4, true, false, false},
    {SWEEPS, 50, 0.2, 5e-4, true, true, false},
    {SWEEPS, 50, 0.8, 0, false, false, false},
    {SWEEPS, 100, 0.8, 0, false, false, false},
    {SWEEPS, 200, 0.8, 0, true, false, false},
    {SWEEPS, 500, 0.8, 0, true, false, false},
    {DANTZIG, 0, 0.8, 0, false, false, false},
}};

struct Run {
  const Scene* s;
  long steps = 0;
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btDantzigSolver dantzig;
  std::unique_ptr<btConstraintSolver> solver;
  std::unique_ptr<btDiscreteDynamicsWorld> world;
  btMultiBodyDynamicsWorld* mechanisms = nullptr;  // the same world, or none
  std::vector<std::unique_ptr<btCollisionShape>> shape;
  std::vector<std::unique_ptr<btCollisionObject>> object;
  std::unique_ptr<btMultiBody> tree;
  std::vector<std::unique_ptr<btMultiBodyConstraint>> constraint;
  std::vector<btMultiBodyJointMotor*> motor;  // of each hinge, or none
  std::vector<btRigidBody*> body;             // of each box, or none: then it is
  std::vector<int> link;                      // a link of the tree
  explicit Run(const Scene* scene) : s(scene) {}
};

btVector3 vec(const double* x) { return btVector3(btScalar(x[0]), btScalar(x[1]), btScalar(x[2])); }

btQuaternion turned(const double* q) {
  return btQuaternion(btScalar(q[1]), btScalar(q[2]), btScalar(q[3]), btScalar(q[0]));
}

// Settings for boxes are of no use to mechanisms, and the other way round.
bool describe(const Scene* s, int setting, char* text, int size) {
  const Setting& x = SETTING[setting];
  const bool for_boxes = x.erp < 0.5;
  if (setting > 0 && (s->hinges == 0) != for_boxes) return false;
  if (!text) return true;
  const char* world = s->hinges ? "multibody" : "rigid";
  if (x.solver == DANTZIG)
    std::snprintf(text, size, "%s Dantzig erp=%.1f", world, x.erp);
  else
    std::snprintf(text, size, "%s %d sweeps%s erp=%.1f%s%s%s", world, x.sweeps,
                  x.random ? " random" : "", x.erp, x.slop > 0 ? " slop=0.5mm" : "",
                  x.anchored && s->floor ? " anchored" : "", x.sleeps ? " sleeping" : "");
  return true;
}

// Mechanisms: 5 times faster than the iterative solver; few boxes: as fast, many: 2.5 times. A
// small stack that sleeps costs nothing here or there.
double wanted(const Scene* s, int setting) {
  if (SETTING[setting].solver == DANTZIG) return 0;
  if (s->hinges) return 5;
  return s->boxes > 50 ? 2.5 : SETTING[setting].sleeps ? 0 : 1;
}

// Coefficients of the two bodies are multiplied.
btScalar friction(const Run& r) { return btScalar(std::sqrt(r.s->friction)); }

btCollisionShape* add_shape(Run& r, const Box& b) {
  r.shape.emplace_back(new btBoxShape(vec(b.size) / 2));
  return r.shape.back().get();
}

void add_free(Run& r, int i) {
  const Box& b = r.s->box[i];
  double inertia[3];
  box_inertia(&b, inertia);
  btRigidBody::btRigidBodyConstructionInfo info(btScalar(b.mass), nullptr, add_shape(r, b),
                                                vec(inertia));
  info.m_startWorldTransform = btTransform(turned(b.quat), vec(b.at));
  info.m_friction = friction(r);
  r.body[i] = new btRigidBody(info);
  r.object.emplace_back(r.body[i]);
  r.body[i]->setActivationState(DISABLE_DEACTIVATION);
  r.world->addRigidBody(r.body[i]);
}

void add_floor(Run& r) {
  const btVector3 half(20, 20, 1);
  r.shape.emplace_back(new btBoxShape(half));
  btRigidBody::btRigidBodyConstructionInfo info(0, nullptr, r.shape.back().get());
  info.m_startWorldTransform.setOrigin(btVector3(0, 0, -1));
  info.m_friction = friction(r);
  btRigidBody* floor = new btRigidBody(info);
  r.object.emplace_back(floor);
  r.world->addRigidBody(floor);
}

// ---- the tree: link i is carried by the i-th hinge that does not close a loop
void add_link(Run& r, const Hinge& j, int i) {
  const Box& b = r.s->box[j.b];
  const btQuaternion q = turned(b.quat);
  const btQuaternion parent = j.a < 0 ? btQuaternion::getIdentity() : turned(r.s->box[j.a].quat);
  const btVector3 from = j.a < 0 ? btVector3(0, 0, 0) : vec(r.s->box[j.a].at);
  double inertia[3];
  box_inertia(&b, inertia);
  r.tree->setupRevolute(i, btScalar(b.mass), vec(inertia), j.a < 0 ? -1 : r.link[j.a],
                        q.inverse() * parent, quatRotate(q.inverse(), vec(j.axis)),
                        quatRotate(parent.inverse(), vec(j.at) - from),
                        quatRotate(q.inverse(), vec(b.at) - vec(j.at)), true);
  r.link[j.b] = i;
}

// Constraints are only solved between links that have colliders: they make them an island.
void add_collider(Run& r, int i) {
  const Box& b = r.s->box[i];
  btMultiBodyLinkCollider* c = new btMultiBodyLinkCollider(r.tree.get(), r.link[i]);
  r.object.emplace_back(c);
  c->setCollisionShape(add_shape(r, b));
  c->setFriction(friction(r));
  c->setWorldTransform(btTransform(turned(b.quat), vec(b.at)));
  c->setActivationState(DISABLE_DEACTIVATION);
  r.tree->getLink(r.link[i]).m_collider = c;
  const int any = btBroadphaseProxy::AllFilter;
  r.world->addCollisionObject(c, b.touches ? any : 0, b.touches ? any : 0);
}

void hold(Run& r, btMultiBodyConstraint* c) {
  r.constraint.emplace_back(c);
  r.mechanisms->addMultiBodyConstraint(c);
}

btVector3 local(const Run& r, int box, const double* at) {
  if (box < 0) return vec(at);
  return quatRotate(turned(r.s->box[box].quat).inverse(), vec(at) - vec(r.s->box[box].at));
}

// Dry friction is a motor of limited force that wants rest. Impulses limit both.
void add_rows(Run& r) {
  const Scene* s = r.s;
  for (int i = 0; i < s->hinges; i++) {
    const Hinge& j = s->hinge[i];
    if (j.closes) {
      hold(r, new btMultiBodyPoint2Point(r.tree.get(), r.link[j.a], r.tree.get(), r.link[j.b],
                                         local(r, j.a, j.at), local(r, j.b, j.at)));
      r.constraint.back()->setMaxAppliedImpulse(btScalar(1e9));
    }
    const double most = j.motor ? std::fmin(j.effort, 1e9) : j.friction;
    if (most == 0) continue;
    r.motor[i] = new btMultiBodyJointMotor(r.tree.get(), r.link[j.b], 0, btScalar(most * s->step));
    hold(r, r.motor[i]);
  }
  if (s->repeater[1]) {
    const int first = r.link[s->hinge[s->repeater[0]].b],
              second = r.link[s->hinge[s->repeater[1]].b];
    btMultiBodyGearConstraint* gear = new btMultiBodyGearConstraint(
        r.tree.get(), first, r.tree.get(), second, btVector3(0, 0, 0), btVector3(0, 0, 0),
        btMatrix3x3::getIdentity(), btMatrix3x3::getIdentity());
    gear->setGearRatio(-1);
    gear->setErp(1);
    gear->setMaxAppliedImpulse(btScalar(1e9));
    hold(r, gear);
  }
}

void add_tree(Run& r) {
  const Scene* s = r.s;
  int links = 0;
  for (int i = 0; i < s->hinges; i++) links += !s->hinge[i].closes;
  r.tree.reset(new btMultiBody(links, 0, btVector3(0, 0, 0), true, false));
  for (int i = 0, next = 0; i < s->hinges; i++)
    if (!s->hinge[i].closes) add_link(r, s->hinge[i], next++);
  r.tree->finalizeMultiDof();
  r.tree->setLinearDamping(0);
  r.tree->setAngularDamping(0);
  r.tree->setHasSelfCollision(true);
  for (int i = 0; i < s->boxes; i++)
    if (r.link[i] >= 0) add_collider(r, i);
  r.mechanisms->addMultiBody(r.tree.get());
  add_rows(r);
}

void choose_solver(Run& r, const Setting& x) {
  btConstraintSolver* solver;
  if (r.s->hinges) {
    btMultiBodyConstraintSolver* sweeps = x.solver == DANTZIG
                                              ? new btMultiBodyMLCPConstraintSolver(&r.dantzig)
                                              : new btMultiBodyConstraintSolver;
    r.mechanisms =
        new btMultiBodyDynamicsWorld(&r.dispatcher, &r.broadphase, sweeps, &r.configuration);
    solver = sweeps;
    r.world.reset(r.mechanisms);
  } else {
    solver = new btSequentialImpulseConstraintSolver;
    r.world.reset(
        new btDiscreteDynamicsWorld(&r.dispatcher, &r.broadphase, solver, &r.configuration));
  }
  r.solver.reset(solver);
  btContactSolverInfo& info = r.world->getSolverInfo();
  if (x.sweeps) info.m_numIterations = x.sweeps;
  info.m_erp = info.m_erp2 = btScalar(x.erp);
  info.m_linearSlop = btScalar(x.slop);
  info.m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
  if (x.random) info.m_solverMode |= SOLVER_RANDMIZE_ORDER;
}

void anchor(Run& r) {
  for (auto& o : r.object)
    o->setCollisionFlags(o->getCollisionFlags() | btCollisionObject::CF_HAS_FRICTION_ANCHOR);
}

void* make(const Scene* s, int setting) {
  Run* r = new Run(s);
  r->body.assign(s->boxes, nullptr);
  r->link.assign(s->boxes, -1);
  r->motor.assign(s->hinges, nullptr);
  choose_solver(*r, SETTING[setting]);
  r->world->setGravity(vec(s->gravity));
  if (s->floor) add_floor(*r);
  if (s->hinges) add_tree(*r);
  for (int i = 0; i < s->boxes; i++)
    if (r->link[i] < 0) add_free(*r, i);
  if (SETTING[setting].anchored) anchor(*r);
  for (btRigidBody* body : r->body)
    if (body && SETTING[setting].sleeps) body->forceActivationState(ACTIVE_TAG);
  return r;
}

void drive(Run& r) {
  const Scene* s = r.s;
  for (int i = 0; i < s->hinges; i++) {
    const Hinge& j = s->hinge[i];
    const int link = r.link[j.b];
    if (j.damping > 0)
      r.tree->addJointTorque(link, btScalar(-j.damping * r.tree->getJointVel(link)));
    if (j.motor)
      r.motor[i]->setVelocityTarget(
          btScalar(motor_speed(&j, r.steps * s->step, s->step, r.tree->getJointPos(link))));
  }
}

bool step(void* of) {
  Run& r = *static_cast<Run*>(of);
  drive(r);
  r.world->stepSimulation(btScalar(r.s->step), 0);
  r.steps++;
  return true;
}

void put(const btTransform& x, Pose* out) {
  for (int k = 0; k < 3; k++) {
    out->p[k] = x.getOrigin()[k];
    for (int c = 0; c < 3; c++) out->R[3 * k + c] = x.getBasis()[k][c];
  }
}

void look(void* of, Pose* out) {
  Run& r = *static_cast<Run*>(of);
  if (r.tree) {
    btAlignedObjectArray<btQuaternion> q;
    btAlignedObjectArray<btVector3> p;
    r.tree->forwardKinematics(q, p);
  }
  for (int i = 0; i < r.s->boxes; i++)
    put(r.body[i] ? r.body[i]->getWorldTransform()
                  : r.tree->getLink(r.link[i]).m_cachedWorldTransform,
        &out[i]);
}

void drop(void* of) {
  Run* r = static_cast<Run*>(of);
  for (auto& c : r->constraint) r->mechanisms->removeMultiBodyConstraint(c.get());
  if (r->tree) r->mechanisms->removeMultiBody(r->tree.get());
  for (auto& o : r->object) r->world->removeCollisionObject(o.get());
  delete r;
}

}  // namespace

extern "C" const Engine engine_bullet = {
    "Bullet", static_cast<int>(SETTING.size()), describe, wanted, make, step, look, drop};
