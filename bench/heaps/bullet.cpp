// Bullet's side of the heaps: as it comes (10 sweeps), but that nothing falls asleep.
#include "heaps.h"

#include <btBulletDynamicsCommon.h>

#include <memory>
#include <vector>

namespace {

struct Run {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
  std::vector<std::unique_ptr<btCollisionShape>> shape;
  std::vector<std::unique_ptr<btRigidBody>> body;
  double step;
  int solids;
};

btScalar s(double x) { return btScalar(x); }
btVector3 vec(const double* x) { return btVector3(s(x[0]), s(x[1]), s(x[2])); }

btRigidBody* add(Run& r, btCollisionShape* shape, double mass, const btVector3& inertia,
                 const btTransform& at, double friction) {
  r.shape.emplace_back(shape);
  btRigidBody::btRigidBodyConstructionInfo info(s(mass), nullptr, shape, inertia);
  info.m_startWorldTransform = at;
  info.m_friction = s(friction);
  r.body.emplace_back(new btRigidBody(info));
  r.world.addRigidBody(r.body.back().get());
  return r.body.back().get();
}

// Bullet multiplies the frictions of two bodies.
void* make(const Heap* h) {
  Run* r = new Run;
  const double friction = std::sqrt(h->friction);
  r->step = h->step;
  r->solids = h->solids;
  r->world.setGravity(btVector3(0, 0, s(-9.81)));
  for (int i = 0; i < h->solids; i++) {
    const Solid& x = h->solid[i];
    btCollisionShape* shape;
    btMatrix3x3 turn =
        btMatrix3x3(btQuaternion(s(x.quat[1]), s(x.quat[2]), s(x.quat[3]), s(x.quat[0])));
    if (x.kind == BOX)
      shape = new btBoxShape(vec(x.size) / 2);
    else if (x.kind == SPHERE)
      shape = new btSphereShape(s(x.size[0]));
    else
      shape = new btCapsuleShapeZ(s(x.size[0]), s(x.size[1]));
    add(*r, shape, x.mass, vec(x.inertia), btTransform(turn, vec(x.at)), friction)
        ->setActivationState(DISABLE_DEACTIVATION);
  }
  const btVector3 normal[] = {{0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
  for (int k = 0; k < 5; k++)
    add(*r, new btStaticPlaneShape(normal[k], s(k ? -0.5 * h->room : 0)), 0, btVector3(0, 0, 0),
        btTransform::getIdentity(), friction);
  return r;
}

bool step(void* of) {
  Run* r = static_cast<Run*>(of);
  r->world.stepSimulation(s(r->step), 0, s(r->step));
  return true;
}

void look(void* of, double (*at)[3]) {
  Run* r = static_cast<Run*>(of);
  for (int i = 0; i < r->solids; i++)
    for (int k = 0; k < 3; k++) at[i][k] = r->body[i]->getWorldTransform().getOrigin()[k];
}

void drop(void* of) {
  Run* r = static_cast<Run*>(of);
  for (auto& b : r->body) r->world.removeRigidBody(b.get());
  delete r;
}

}  // namespace

const HeapEngine heap_bullet = {"Bullet", make, step, look, drop};
