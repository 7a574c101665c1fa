// Bullet's side: btConvexConvexAlgorithm by GJK and EPA, its default for hulls.
#include "hulls.h"

#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <btBulletCollisionCommon.h>

#include <algorithm>
#include <memory>

struct BulletHull {
  std::unique_ptr<btConvexHullShape> shape;
};

struct BulletPair {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btCollisionObject a, b;
};

BulletHull* bullet_hull(const double* point, int n) {
  auto* h = new BulletHull;
  h->shape = std::make_unique<btConvexHullShape>();
  for (int i = 0; i < n; i++)
    h->shape->addPoint(
        btVector3(btScalar(point[3 * i]), btScalar(point[3 * i + 1]), btScalar(point[3 * i + 2])),
        false);
  h->shape->recalcLocalAabb();
  h->shape->setMargin(0);
  return h;
}

void bullet_hull_free(BulletHull* h) { delete h; }

BulletPair* bullet_pair(BulletHull* a, BulletHull* b) {
  auto* p = new BulletPair;
  p->a.setCollisionShape(a->shape.get());
  p->b.setCollisionShape(b->shape.get());
  return p;
}

void bullet_pair_free(BulletPair* p) { delete p; }

static btTransform pose(const double* R, const double* at) {
  return btTransform(
      btMatrix3x3(btScalar(R[0]), btScalar(R[1]), btScalar(R[2]), btScalar(R[3]), btScalar(R[4]),
                  btScalar(R[5]), btScalar(R[6]), btScalar(R[7]), btScalar(R[8])),
      btVector3(btScalar(at[0]), btScalar(at[1]), btScalar(at[2])));
}

void bullet_place(BulletPair* p, const double* R_a, const double* p_a, const double* R_b,
                  const double* p_b) {
  p->a.setWorldTransform(pose(R_a, p_a));
  p->b.setWorldTransform(pose(R_b, p_b));
}

int bullet_collide(BulletPair* p, double* depth) {
  btCollisionObjectWrapper a(nullptr, p->a.getCollisionShape(), &p->a, p->a.getWorldTransform(), -1,
                             -1);
  btCollisionObjectWrapper b(nullptr, p->b.getCollisionShape(), &p->b, p->b.getWorldTransform(), -1,
                             -1);
  btCollisionAlgorithm* algorithm =
      p->dispatcher.findAlgorithm(&a, &b, nullptr, BT_CONTACT_POINT_ALGORITHMS);
  btManifoldResult result(&a, &b);
  btDispatcherInfo info;
  algorithm->processCollision(&a, &b, info, &result);
  int n = 0;
  *depth = -1e30;
  if (btPersistentManifold* m = result.getPersistentManifold()) {
    n = m->getNumContacts();
    for (int i = 0; i < n; i++)
      *depth = std::max(*depth, -double(m->getContactPoint(i).getDistance()));
  }
  algorithm->~btCollisionAlgorithm();
  p->dispatcher.freeCollisionAlgorithm(algorithm);
  return n;
}
