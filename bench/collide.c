// collide_bench: the narrow phase, pair by pair, beside ODE's dCollide (boxes, spheres, capsules:
// its own code; cylinders and hulls: libccd).
//
// Two sets of poses: any pose with the second solid 0.1 % to 5 % of its size inside the first, and
// solids lying flat on each other. Depths are compared with ours, after checking that ours is the
// gap along our own normal; what is deeper in ODE's answer is a direction that is not the nearest
// way out.
#include "bench.h"

#include "collide/collide.h"
#include "collide/hull.h"
#include "base/arena.h"

#define dDOUBLE
#include <ode/ode.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { POSES = 256, ROUNDS = 401, CONTACTS = 8 };

void fail(const char* format, ...) {
  va_list args;
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
  exit(1);
}

typedef struct Shape {
  const char* name;
  SarSolid solid;
  dGeomID geom;
} Shape;

typedef struct Pose {
  Xform a, b;
} Pose;

// ---- random poses

static unsigned long long state = 1;
static double uniform(double low, double high) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return low + (high - low) * (double)(state >> 11) * 0x1p-53;
}

static M3 any_turn(void) {
  Quat q;
  do {
    double w = uniform(-1, 1), x = uniform(-1, 1), y = uniform(-1, 1), z = uniform(-1, 1);
    q = (Quat){w, x, y, z};
  } while (quat_norm2(q) > 1 || quat_norm2(q) < 0.01);
  return quat_to_m3(q);
}

static double deepest(const SarTouch* t, int n) {
  double least = HUGE_VAL;
  for (int i = 0; i < n; i++) least = fmin(least, t[i].gap);
  return least;
}

// Shifts b along the normal until the gap is what it ought to be.
static bool set_gap(const Shape* a, const Shape* b, Pose* p, double gap) {
  for (int i = 0; i < 20; i++) {
    SarTouch t[SAR_TOUCH_MOST];
    int n = sar_collide(&a->solid, &p->a, &b->solid, &p->b, 10, t, SAR_TOUCH_MOST);
    if (n == 0) return false;
    double off = gap - deepest(t, n);
    if (fabs(off) < 1e-6) return true;
    p->b.p = v3_axpy(off, t[0].normal, p->b.p);
  }
  return false;
}

static void any_poses(const Shape* a, const Shape* b, Pose* pose) {
  for (int i = 0; i < POSES; i++) {
    do {
      pose[i].a = (Xform){any_turn(), v3_zero()};
      pose[i].b = (Xform){any_turn(), v3(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1))};
    } while (!set_gap(a, b, &pose[i], -uniform(0.001, 0.05)));
  }
}

static void flat_poses(const Shape* a, const Shape* b, Pose* pose) {
  for (int i = 0; i < POSES; i++) {
    double yaw = uniform(0, 6.28);
    pose[i].a = x_identity();
    do {
      pose[i].b =
          (Xform){m3_rot_z(cos(yaw), sin(yaw)), v3(uniform(-0.3, 0.3), uniform(-0.3, 0.3), 1.5)};
    } while (!set_gap(a, b, &pose[i], -uniform(0.001, 0.01)));
  }
}

// ---- both engines

static void place(dGeomID g, const Xform* X) {
  dMatrix3 R = {X->R.xx, X->R.xy, X->R.xz, 0,       X->R.yx, X->R.yy,
                X->R.yz, 0,       X->R.zx, X->R.zy, X->R.zz, 0};
  dGeomSetRotation(g, R);
  dGeomSetPosition(g, X->p.x, X->p.y, X->p.z);
}

typedef struct Result {
  double ns, contacts;
} Result;

static Result time_ours(const Shape* a, const Shape* b, const Pose* pose, double margin) {
  double least = HUGE_VAL;  // of the rounds: other work on the machine only adds
  int contacts = 0;
  for (int r = 0; r < ROUNDS; r++) {
    contacts = 0;
    double start = clock_now();
    for (int i = 0; i < POSES; i++) {
      SarTouch touch[SAR_TOUCH_MOST];
      contacts +=
          sar_collide(&a->solid, &pose[i].a, &b->solid, &pose[i].b, margin, touch, SAR_TOUCH_MOST);
    }
    least = fmin(least, (clock_now() - start) / POSES);
  }
  return (Result){1e9 * least, contacts / (double)POSES};
}

// The time to move the geoms is measured by itself and taken off.
static Result time_ode(const Shape* a, const Shape* b, const Pose* pose) {
  double still = HUGE_VAL;
  double least = HUGE_VAL;  // of the rounds: other work on the machine only adds
  int contacts = 0;
  for (int r = 0; r < ROUNDS; r++) {
    contacts = 0;
    double start = clock_now();
    for (int i = 0; i < POSES; i++) {
      place(a->geom, &pose[i].a);
      place(b->geom, &pose[i].b);
    }
    double moved = clock_now();
    for (int i = 0; i < POSES; i++) {
      dContactGeom c[CONTACTS];
      place(a->geom, &pose[i].a);
      place(b->geom, &pose[i].b);
      contacts += dCollide(a->geom, b->geom, CONTACTS, c, sizeof *c);
    }
    still = fmin(still, (moved - start) / POSES);
    least = fmin(least, (clock_now() - moved) / POSES);
  }
  return (Result){1e9 * (least - still), contacts / (double)POSES};
}

// How much deeper ODE says they are than the nearest way out, at most; and how often it finds
// nothing.
static double depth_error(const Shape* a, const Shape* b, const Pose* pose, int* missed) {
  double worst = 0;
  *missed = 0;
  for (int i = 0; i < POSES; i++) {
    SarTouch touch[SAR_TOUCH_MOST];
    dContactGeom c[CONTACTS];
    int n = sar_collide(&a->solid, &pose[i].a, &b->solid, &pose[i].b, 0, touch, SAR_TOUCH_MOST);
    place(a->geom, &pose[i].a);
    place(b->geom, &pose[i].b);
    int m = dCollide(a->geom, b->geom, CONTACTS, c, sizeof *c);
    double depth = 0;
    for (int k = 0; k < m; k++) depth = fmax(depth, c[k].depth);
    if (m == 0)
      (*missed)++;
    else
      worst = fmax(worst, fabs(depth + deepest(touch, n)));
  }
  return worst;
}

static void compare(const char* set, const Shape* a, const Shape* b, const Pose* pose) {
  int missed;
  Result apart = time_ours(a, b, pose, 0.01), ours = time_ours(a, b, pose, 0),
         ode = time_ode(a, b, pose);
  double error = depth_error(a, b, pose, &missed);
  printf("%-5s %-8s %-8s %8.0f %6.1f %8.0f %6.1f %8.0f %6.1f %10.2g %6d\n", set, a->name, b->name,
         ours.ns, ours.contacts, apart.ns, apart.contacts, ode.ns, ode.contacts, error, missed);
}

// ---- solids: a unit cube and round things of the same size, a prism with twelve sides as a hull

static SarSolid make_solid(SarSolidKind kind, double x, double y, double z) {
  return (SarSolid){.kind = kind, .size = {x, y, z}, .radius = 1};
}

enum { SIDES = 12 };
static V3 prism_point[2 * SIDES];
static dReal prism_plane[4 * (SIDES + 2)], prism_vertex[3 * 2 * SIDES];
static unsigned prism_polygon[5 * SIDES + 2 * (SIDES + 1)];

static void prism_points(void) {
  for (int i = 0; i < 2 * SIDES; i++) {
    double angle = 6.283185307179586 * (i % SIDES) / SIDES;
    prism_point[i] = v3(0.5 * cos(angle), 0.5 * sin(angle), i < SIDES ? -0.5 : 0.5);
    v3_store(prism_vertex + 3 * i, prism_point[i]);
  }
}

// the same hull for ODE: planes, and polygons with their counts before them
static dGeomID prism_ode(const SarHull* h) {
  unsigned* to = prism_polygon;
  for (int f = 0; f < h->nface; f++) {
    v3_store(prism_plane + 4 * f, h->normal[f]);
    prism_plane[4 * f + 3] = h->offset[f];
    *to++ = (unsigned)(h->face_adr[f + 1] - h->face_adr[f]);
    for (int k = h->face_adr[f]; k < h->face_adr[f + 1]; k++) *to++ = (unsigned)h->face_vertex[k];
  }
  for (int i = 0; i < h->nvertex; i++) v3_store(prism_vertex + 3 * i, h->vertex[i]);
  return dCreateConvex(NULL, prism_plane, (unsigned)h->nface, prism_vertex, (unsigned)h->nvertex,
                       prism_polygon);
}

int main(void) {
  clock_pin();
  dInitODE2(0);
  SarArena arena;
  sar_arena_init(&arena);
  SarSolid hull = make_solid(SAR_SOLID_CONVEX, 0, 0, 0);
  prism_points();
  if (sar_hull_build(prism_point, 2 * SIDES, &arena, &hull.of.hull).flaw != SAR_MESH_SOUND)
    fail("collide_bench: no hull\n");
  Shape sphere = {"sphere", make_solid(SAR_SOLID_SPHERE, 0.5, 0, 0), dCreateSphere(NULL, 0.5)};
  Shape other_sphere = {"sphere", sphere.solid, dCreateSphere(NULL, 0.5)};
  Shape box = {"box", make_solid(SAR_SOLID_BOX, 0.5, 0.5, 0.5), dCreateBox(NULL, 1, 1, 1)};
  Shape other_box = {"box", box.solid, dCreateBox(NULL, 1, 1, 1)};
  Shape capsule = {"capsule", make_solid(SAR_SOLID_CAPSULE, 0.25, 0.5, 0),
                   dCreateCapsule(NULL, 0.25, 1)};
  Shape other_capsule = {"capsule", capsule.solid, dCreateCapsule(NULL, 0.25, 1)};
  Shape rod = {"cylinder", make_solid(SAR_SOLID_CYLINDER, 0.5, 0.5, 0),
               dCreateCylinder(NULL, 0.5, 1)};
  Shape other_rod = {"cylinder", rod.solid, dCreateCylinder(NULL, 0.5, 1)};
  Shape convex = {"convex", hull, prism_ode(&hull.of.hull)};
  Shape other_convex = {"convex", hull, prism_ode(&hull.of.hull)};
  const Shape* const pair[][2] = {
      {&sphere, &other_sphere},   {&sphere, &box},  {&sphere, &capsule}, {&sphere, &rod},
      {&box, &other_box},         {&box, &capsule}, {&box, &rod},        {&box, &convex},
      {&capsule, &other_capsule}, {&capsule, &rod}, {&capsule, &convex}, {&rod, &other_rod},
      {&convex, &other_convex}};
  printf(
      "poses a        b        ours [ns] points  +margin points      ODE points depth err "
      "missed\n");
  static Pose pose[POSES];
  for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
    any_poses(pair[i][0], pair[i][1], pose);
    compare("any", pair[i][0], pair[i][1], pose);
  }
  flat_poses(&box, &other_box, pose);
  compare("flat", &box, &other_box, pose);
  flat_poses(&box, &rod, pose);
  compare("flat", &box, &rod, pose);
  flat_poses(&box, &convex, pose);
  compare("flat", &box, &convex, pose);
  flat_poses(&convex, &other_convex, pose);
  compare("flat", &convex, &other_convex, pose);
  sar_arena_free(&arena);
  dCloseODE();
  return 0;
}
