// What a mechanism of mechanism.h may stand in, one bit of its fourth byte each: ground of every
// kind to touch with its materials, roads, tables, included files. The files are texts in memory.
// And the whole: mech_write.
#pragma once
#include "fuzz/mechanism_parts.h"
#include "model/output_kind.h"
#include "sarrus/sarrus.h"

static const char mech_cube[] =
    "v -0.2 -0.2 -0.2\nv 0.2 -0.2 -0.2\nv -0.2 0.2 -0.2\nv 0.2 0.2 -0.2\n"
    "v -0.2 -0.2 0.2\nv 0.2 -0.2 0.2\nv -0.2 0.2 0.2\nv 0.2 0.2 0.2\n"
    "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
static const char mech_floor[] =
    "v -2 -2 -0.5\nv 2 -2 -0.5\nv 2 2 -0.4\nv -2 2 -0.5\nv 0 0 -0.6\n"
    "f 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n";
static const char mech_tetra[] =
    "solid t\n"
    "facet normal 0 0 -1\nouter loop\nvertex 0 0 0\nvertex 0 0.4 0\nvertex 0.4 0 "
    "0\nendloop\nendfacet\n"
    "facet normal 0 -1 0\nouter loop\nvertex 0 0 0\nvertex 0.4 0 0\nvertex 0 0 "
    "0.4\nendloop\nendfacet\n"
    "facet normal -1 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 0.4\nvertex 0 0.4 "
    "0\nendloop\nendfacet\n"
    "facet normal 1 1 1\nouter loop\nvertex 0.4 0 0\nvertex 0 0.4 0\nvertex 0 0 "
    "0.4\nendloop\nendfacet\n"
    "endsolid t\n";
static const char mech_rows[] =
    "# rows\ntime, push, other\n0, 0, 1\n0.002, 3, 1\n0.01, -2, 0\n1, 5, 2\n";
static const char mech_part[] =
    "sarrus: 1\nparameters: {r: 0.2}\nbodies: {hub: {sphere: r, mass: 2, at: [1, 1, 0], contact: "
    "true}}\n"
    "joints: {axle: {revolute: [ground, hub], axis: z, damping: 0.1}}\n";
static const char mech_robot[] =
    "<robot name='r'><link name='base'/><link name='arm'><inertial><origin xyz='0 0 0.2'/><mass "
    "value='1'/><inertia ixx='.1' iyy='.1' izz='.1' ixy='0' ixz='0' "
    "iyz='0'/></inertial><collision><geometry><mesh "
    "filename='cube.obj'/></geometry></collision></link><link name='tool'><inertial><mass "
    "value='0.1'/><inertia ixx='.01' iyy='.01' izz='.01' ixy='0' ixz='0' "
    "iyz='0'/></inertial><collision><geometry><cylinder radius='0.1' "
    "length='0.2'/></geometry></collision></link><joint name='swing' type='revolute'><parent "
    "link='base'/><child link='arm'/><axis xyz='0 1 0'/><limit lower='-1' upper='1' effort='5' "
    "velocity='2'/><dynamics damping='0.1' friction='0.2'/></joint><joint name='wrist' "
    "type='fixed'><parent link='arm'/><child link='tool'/><origin xyz='0 0 .4' rpy='0 1 "
    "0'/></joint></robot>";

#define MECH_FILE(name, text) \
  { name, text, sizeof text - 1 }
static const SarTextFile mech_files[] = {
    MECH_FILE("cube.obj", mech_cube),   MECH_FILE("floor.obj", mech_floor),
    MECH_FILE("tetra.stl", mech_tetra), MECH_FILE("rows.csv", mech_rows),
    MECH_FILE("part.yaml", mech_part),  MECH_FILE("robot.urdf", mech_robot)};
enum { MECH_FILES = sizeof mech_files / sizeof *mech_files };

// Ground to fall on. Every second solid of the bodies is of the material `soft` (mech_shape).
static inline void mech_ground(Mechanism* k) {
  static const char* const grounds[] = {
      "plane: z, at: [0, 0, -0.5]",
      "heights: 0.1*sin(3*x) - 0.5, x: [-2, 2, 9], y: [-2, 2, 3]",
      "heights: [[-0.5, -0.4, -0.5], [-0.5, -0.6, -0.3]], x: [-2, 2], y: [-2, 2]",
      "mesh: floor.obj",
      "box: [4, 4, 0.4], at: [0, 0, -0.7], material: soft",
      "cylinder: {radius: 0.3, length: 4}, rpy: [1.5, 0, 0], at: [0, 0, -0.6]",
      "capsule: {radius: 0.3, from: [-1, 0, -0.6], to: [1, 0, -0.5]}",
      "plane: [1, 0, 3], at: [0, 0, -0.4], material: soft",
      "convex: cube.obj, at: [0, 0, -0.3]",
      "sphere: 0.5, at: [0, 0, -0.8]"};
  const int n = 1 + mech_choose(k, 2);
  mech_add(k, "ground: {contact: [");
  for (int i = 0; i < n; i++)
    mech_add(k, "%s{%s}", i ? ", " : "", grounds[mech_choose(k, sizeof grounds / sizeof *grounds)]);
  mech_add(k, "]}\n");
  mech_add(k, "contact:\n  materials:\n    default: {friction: %g, restitution: %g}\n",
           0.1 * mech_choose(k, 12), 0.1 * mech_choose(k, 11));
  mech_add(k, "    soft: {friction: 0.7%s%s}\n",
           mech_maybe(k, 2) ? ", rolling: 1 mm, spinning: 2 mm" : "",
           mech_maybe(k, 2) ? ", stiffness: 1e4, damping: 20" : "");
  if (mech_maybe(k, 2)) mech_add(k, "  pairs: [{materials: [soft, default], friction: 0.05}]\n");
  if (mech_maybe(k, 3)) mech_add(k, "  ignore: [[b0, ground]]\n");
  if (mech_maybe(k, 4)) mech_add(k, "  max_contacts: 64\n");
}

static inline void mech_roads(Mechanism* k) {
  static const char* const roads[] = {
      "features: [{ramp: [-1, 0], height: 0.3}, {step: 0.5, height: -0.2}, {bump: [0, 1], height: "
      "0.1, side: left}]",
      "table: [[-1, 0], [0, 0.1], [0.5, 0], [1, 0.4]], interpolation: cubic",
      "table: [[-1, 0], [0, 0.1], [1, 0]]",
      "height: 0.1*sin(4*x)*cos(y) + 0.01*t",
      "features: [{smooth: [-1, 1], height: 0.2}, {step: 0, height: 0.1, width: 0.01, side: "
      "right}], height: w*0.01",
      ""};
  mech_add(k, "roads: {way: {%s}}\n", roads[mech_choose(k, sizeof roads / sizeof *roads)]);
}

static inline void mech_includes(Mechanism* k) {
  static const char* const parts[] = {"part.yaml", "robot.urdf",
                                      "{file: part.yaml, prefix: p_, parameters: {r: 0.1}}",
                                      "{file: robot.urdf, prefix: q_, contact: true}"};
  mech_add(k, "include: [%s]\n", parts[mech_choose(k, sizeof parts / sizeof *parts)]);
}

static inline void mech_surroundings(Mechanism* k) {
  if (k->world & MECH_SCENE) mech_ground(k);
  if (k->world & MECH_ROADS) mech_roads(k);
  if (k->world & MECH_INCLUDES) mech_includes(k);
  if (k->world & MECH_CONTROL) mech_control(k);
  if (k->world & MECH_FLEXIBLE) mech_air(k);
}

// Every quantity of the table that the model can have.
static inline void mech_outputs(Mechanism* k, bool forces, bool constraints) {
  mech_add(k, "outputs: [energy");
  for (int i = 0; sar_output_kind(i); i++) {
    const SarOutputKind* o = sar_output_kind(i);
    const SarOwnerWords owner = sar_owner_words(o->of);
    if ((o->of == SAR_OF_FORCE && !forces) || (o->of == SAR_OF_CONSTRAINT && !constraints) ||
        (o->of == SAR_OF_CONTACT && !(k->world & MECH_SCENE)))
      continue;
    if (o->with)
      mech_add(k, ", {%s: all, with: %s}", owner.one, o->with);
    else if (o->group || owner.all)
      mech_add(k, ", %s", o->group ? o->group : owner.all);
  }
  mech_add(k, "]\n");
}

static inline void mech_write(Mechanism* k) {
  mech_add(k, "sarrus: 1\ninputs: {u: 0.5}\nvariables: {w: u + t%s}\n",
           k->world & MECH_CONTROL ? " + s0" : "");
  if (k->world & MECH_TABLES)
    mech_add(k,
             "tables: {inline: [[-1, 2], [0, 0], [0.004, 3], [1, 1]],"
             " rows: {file: rows.csv, columns: [time, push]}}\n");
  if (mech_maybe(k, 8)) mech_add(k, "gravity: [0, 0, 0]\n");
  mech_bodies(k);
  mech_joints(k);
  const int constraints = mech_choose(k, 4) - 1, forces = mech_choose(k, 4);
  mech_laws(k, constraints, forces);
  if (k->world & MECH_FLEXIBLE) {
    if (forces == 0) mech_add(k, "forces:\n");
    mech_rotor(k);
  }
  if (mech_maybe(k, 2) && !(k->world & MECH_SCENE))
    mech_add(k,
             "ground: {contact: {plane: z, at: [0, 0, -0.5]}}\n"
             "contact: {materials: {default: {friction: %g, restitution: %g}}}\n",
             0.1 * mech_choose(k, 12), 0.1 * mech_choose(k, 11));
  mech_add(k, "simulation: {coordinates: %s}\n", mech_maybe(k, 3) ? "absolute" : "relative");
  mech_outputs(k, forces > 0 || k->world & MECH_FLEXIBLE, constraints > 0);
  mech_surroundings(k);
}
