// What there is to see of a mechanism: parts on bodies, between bodies and on the ground, and the
// forces that act. One description for whoever draws (a picture, a window), in terms of geometry
// only: no colours, no triangles, no camera.
//
// The parts of a model are listed once. Where they are follows from the poses of the bodies:
//
//   sar_scene_new(m, &scene)
//   sar_scene_poses(scene, d, poses)              at every instant
//   sar_scene_place(scene, d, poses, i)           pose and ends of part i; or it is switched off
//   sar_scene_arrows(scene, d, poses, arrows, n)  contacts and applied forces
//
// A body is drawn by the solids that others can touch and by the shapes that give it its mass. One
// that has neither gets a stand-in made of what the equations know of it: bars between its joints
// and other points where something acts, or the homogeneous box that has its mass and inertia
// (scene_bodies.c).
#pragma once
#include "base/arena.h"
#include "model/data.h"

typedef enum SarPartKind {
  // in a frame S on a body
  SAR_PART_BOX,        // size: half lengths
  SAR_PART_ELLIPSOID,  // size: half axes
  SAR_PART_CYLINDER,   // size: radius, half length along z, radius of the bore
  SAR_PART_CAPSULE,    // size: radius, half length of the axis along z
  SAR_PART_MESH,       // vertices and triangles
  SAR_PART_PLATE,      // the convex polygon of `vertex` in the plane z = 0; size: half thickness,
                       // rounding
  // on the ground, in a frame S; without end (PLANE, ROAD): whoever draws cuts a piece out
  SAR_PART_PLANE,    // everything below z = 0
  SAR_PART_HEIGHTS,  // everything below a grid of heights
  SAR_PART_ROAD,     // everything below z(x, y) of road `road`, -1: flat
  // between two points; size: radius
  SAR_PART_LINK,      // a rod of fixed length
  SAR_PART_ACTUATOR,  // a rod whose length is driven: a hydraulic cylinder
  SAR_PART_SPRING,    // a coil
  SAR_PART_DAMPER,    // cylinder and piston rod
  SAR_PART_STOP       // a buffer: a block at the second point
} SarPartKind;

typedef enum SarPartRole {
  SAR_ROLE_BODY,
  SAR_ROLE_JOINT,    // pins, balls, sleeves
  SAR_ROLE_SUPPORT,  // what holds a joint on the ground
  SAR_ROLE_GROUND,
  SAR_ROLE_WHEEL,  // tyres
  SAR_ROLE_SPRING,
  SAR_ROLE_DAMPER,
  SAR_ROLE_LINK
} SarPartRole;

typedef struct SarPart {
  SarPartKind kind;
  SarPartRole role;
  const char* name;  // of the body, joint, force or constraint it shows
  int holder;        // body of the file that it is on; -1: ground
  int body[2];       // of the tree: that it is on; of both ends; -1: ground
  Xform X_BS;        // of parts in a frame
  V3 end[2];         // of parts between points, in B of each
  V3 axis;  // in B of body[0]: the line ends at the second point and is parallel to it; or zero
  double size[3];
  bool pale;  // best shown translucent: a stand-in that has other parts inside or behind it
  const V3* vertex;
  const int* triangle;  // three entries each
  int nvertex, ntriangle;
  const SarHeights* heights;
  int road;
  int force, constraint;  // it is there while this is on; -1: always
} SarPart;

typedef struct SarScene {
  SarArena arena;
  const SarModel* m;
  SarPart* part;
  int count;
  double reach;       // largest extent of the mechanism at the start [m]
  double unit;        // half the thickness of a bar that has none of its own [m]
  double* thickness;  // of each body of the tree: radius of its bars; 0: it has a shape
  int most_arrows;
} SarScene;

// Where a part is, in ground axes.
typedef struct SarPlaced {
  bool there;
  Xform X_GS;   // of parts in a frame
  V3 from, to;  // of parts between points
} SarPlaced;

typedef enum SarArrowKind { SAR_ARROW_CONTACT, SAR_ARROW_APPLIED, SAR_ARROW_TORQUE } SarArrowKind;

// A force where it acts. Of a contact: on the second body, with friction, mean over the last step.
typedef struct SarArrow {
  SarArrowKind kind;
  V3 at, force;  // [m, N], ground axes; of a torque N m
} SarArrow;

// The scene of a model, which must outlive it. SAR_NO_MEMORY otherwise.
SarStatus sar_scene_new(const SarModel* m, SarScene** out);
void sar_scene_free(SarScene* s);  // NULL is fine
// Poses of all bodies of the tree; nbody of them.
void sar_scene_poses(const SarScene* s, const SarData* d, Xform* poses);
SarPlaced sar_scene_place(const SarScene* s, const SarData* d, const Xform* poses, int part);
// At most s->most_arrows; returns how many. Forces are those of the last evaluation.
int sar_scene_arrows(const SarScene* s, const SarData* d, const Xform* poses, SarArrow* out);

// ---- for the files that list the parts ----------------------------------------------------------

typedef SAR_LIST(SarPart) SarPartList;

typedef struct SceneMaker {
  SarScene* s;
  SarPartList parts;
  SarPart spare;
  SarForceLook* look;  // of each force; with neither kind of picture: body[0] = -1, nothing set
  Xform* start;        // poses of the bodies at the start
} SceneMaker;

// A zeroed part, always on; never NULL (a spare one after memory ran out).
SarPart* sar_scene_part(SceneMaker* k, SarPartKind kind, SarPartRole role, const char* name);
// Does a joint hold bodies together at a point?
bool sar_joint_has_place(const SarJointKind* kind);
// The box of homogeneous material that has this inertia: X_BS and half lengths. False: there is
// none, the mass is in a point.
bool sar_inertia_box(Inertia inertia, Xform* X_BS, double half[3]);
void sar_scene_add_ground(SceneMaker* k);
void sar_scene_add_bodies(SceneMaker* k);
// Strips on a body of the tree, -1: on the ground.
void sar_scene_add_blades(SceneMaker* k, int body);
void sar_scene_add_joints(SceneMaker* k);
void sar_scene_add_elements(SceneMaker* k);
void sar_scene_add_modals(SceneMaker* k);
