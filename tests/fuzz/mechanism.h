// A structure-aware generator: any bytes are the decisions behind a mechanism whose text is well
// formed. Bodies with shapes and masses, joints of every kind between them in either direction,
// loops, rods and couplings, springs and dampers, drives, motors, limits, dry friction, events,
// contact, every output. What cannot be built all the same (a motion without inertia, a loop that
// cannot close) is for the compiler to say. Where the bytes end, every decision is the first
// choice.
#pragma once
#include "model/joint_kind.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MECHANISM_SIZE = 16384, MECHANISM_BODIES = 6, MECHANISM_JOINTS = 10 };
// bits of Mechanism.world: see mechanism_world.h, mechanism_parts.h
enum {
  MECH_SCENE = 1,
  MECH_ROADS = 2,
  MECH_TABLES = 4,
  MECH_INCLUDES = 8,
  MECH_KINDS = 16,
  MECH_EXAMPLES = 32,
  MECH_CONTROL = 64,
  MECH_FLEXIBLE = 128
};

typedef struct Mechanism {
  const uint8_t* data;
  size_t size;
  unsigned world;
  char text[MECHANISM_SIZE];
  size_t used;
  int bodies, joints;
  const SarJointKind* kind[MECHANISM_JOINTS];
} Mechanism;

static inline unsigned mech_byte(Mechanism* k) {
  if (k->size == 0) return 0;
  k->size--;
  return *k->data++;
}
static inline int mech_choose(Mechanism* k, int n) { return (int)(mech_byte(k) % (unsigned)n); }
static inline bool mech_maybe(Mechanism* k, int one_in) {
  return mech_byte(k) % (unsigned)one_in == (unsigned)one_in - 1;
}

__attribute__((format(printf, 2, 3))) static inline void mech_add(Mechanism* k, const char* format,
                                                                  ...) {
  va_list args;
  va_start(args, format);
  const int n = vsnprintf(k->text + k->used, sizeof k->text - k->used, format, args);
  va_end(args);
  if (n > 0 && (size_t)n < sizeof k->text - k->used) k->used += (size_t)n;
}

// Coordinates from a coarse grid, so that points meet and mechanisms are singular now and then.
static inline double mech_place(Mechanism* k) { return 0.25 * (mech_choose(k, 17) - 8); }
// A positive number: ordinary, and now and then from the far ends of what physics knows.
static inline double mech_positive(Mechanism* k) {
  static const double far[] = {1e-12, 1e-6, 1e-3, 1e3, 1e6, 1e9};
  const unsigned b = mech_byte(k);
  return b >= 250 ? far[b - 250] : 0.05 + 0.05 * b;
}

static inline void mech_vector(Mechanism* k, const char* key) {
  const double x = mech_place(k), y = mech_place(k), z = mech_place(k);
  mech_add(k, ", %s: [%g, %g, %g]", key, x, y, z);
}

static inline const char* mech_axis(Mechanism* k) {
  static const char* const axes[] = {"y", "z", "x", "-y", "[1, 2, 3]", "[0, 1, 1]"};
  return axes[mech_choose(k, sizeof axes / sizeof *axes)];
}

// An expression of time, inputs and what is measured.
static inline const char* mech_expression(Mechanism* k) {
  static const char* const texts[] = {"2*sin(3*t)",
                                      "u - 0.1*b0.vx",
                                      "t < 0.004 ? 3 : -3",
                                      "w*w",
                                      "-20*b0.x - b0.vx",
                                      "exp(-t)*cos(40*t)",
                                      "max(0, 0.5 - b0.z)",
                                      "1/(1 + b0.z^2)",
                                      "smoothstep(t, 0, 0, 0.005, 2)",
                                      "sqrt(abs(b0.y))",
                                      "atan2(b0.vy, b0.vx)",
                                      "1e4*sin(t)"};
  static const char* const tables[] = {"spline(t, inline)", "table(b0.x, inline)", "table(t, rows)",
                                       "spline(b0.vz, rows)"};
  const int pick = mech_choose(k, sizeof texts / sizeof *texts);
  return k->world & MECH_TABLES && pick < 4 ? tables[pick] : texts[pick];
}

static inline const char* mech_body(Mechanism* k, char name[16], int b) {
  if (b < 0 || b >= k->bodies)
    snprintf(name, 16, "ground");
  else
    snprintf(name, 16, "b%d", b);
  return name;
}

static inline void mech_shape(Mechanism* k) {
  static const char* const shapes[] = {
      "box: [0.4, 0.3, 0.2]",
      "sphere: 0.2",
      "capsule: {radius: 0.1, length: 0.3}",
      "cylinder: {radius: 0.15, length: 0.2}",
      "hull: [[0.2, 0, 0], [-0.2, 0, 0], [0, 0.2, 0], [0, -0.2, 0], [0, 0, 0.3], [0, 0, -0.1]]",
      "ellipsoid: [0.3, 0.2, 0.1]",
      "rod: [[0, 0, 0], [0.5, 0, 0]]"};
  static const char* const files[] = {"mesh: cube.obj", "convex: cube.obj",
                                      "hull: {file: tetra.stl, scale: [1, 1, 0.5]}"};
  const int shape = mech_choose(k, 8);
  if (k->world & MECH_SCENE) {
    mech_add(k, "%s, mass: %g, contact: %s", shape < 5 ? shapes[shape] : files[shape - 5],
             mech_positive(k), mech_maybe(k, 2) ? "soft" : "true");
    return;
  }
  if (shape == 7)
    mech_add(k, "mass: %g, inertia: [%g, %g, %g]", mech_positive(k), 0.3, 0.4, 0.5);
  else
    mech_add(k, "%s, mass: %g", shapes[shape], mech_positive(k));
  if (shape < 5 && mech_maybe(k, 3)) mech_add(k, ", contact: true");
}

static inline void mech_bodies(Mechanism* k) {
  k->bodies = 1 + mech_choose(k, MECHANISM_BODIES);
  mech_add(k, "bodies:\n");
  for (int b = 0; b < k->bodies; b++) {
    mech_add(k, "  b%d: {", b);
    mech_shape(k);
    mech_vector(k, "at");
    if (mech_maybe(k, 3)) mech_vector(k, "rpy");
    mech_add(k, "}\n");
  }
}

static inline void mech_joint_laws(Mechanism* k, const SarJointKind* kind) {
  const unsigned laws = mech_byte(k);
  if (kind->nv == 0) return;
  if (laws & 1) mech_add(k, ", damping: %g", mech_positive(k));
  if (laws & 2) mech_add(k, ", stiffness: %g", mech_positive(k));
  if (laws & 4) mech_add(k, ", friction: %g", mech_positive(k));
  if (laws & 8) mech_add(k, ", force: \"%s\"", mech_expression(k));
  if ((laws & 0x30) == 0x30) mech_add(k, ", motor: {speed: \"%s\", effort: 5}", mech_expression(k));
  if (kind->nq == kind->nv && (laws & 0xc0) == 0xc0) mech_add(k, ", lower: -0.1, upper: 0.1");
  if (kind->nv == 1 && (laws & 0xc0) == 0x80) mech_add(k, ", speed: %g", mech_place(k));
}

// `holds`: joints and constraints may take hold of things as they find them.
static inline void mech_event(Mechanism* k, bool holds) {
  switch (mech_choose(k, 12)) {
    case 9: mech_add(k, ", from: 0.003"); break;
    case 10: mech_add(k, ", until: 0.002"); break;
    case 11: mech_add(k, ", from: b0.vz < -0.02%s", holds ? ", hold: current" : ""); break;
    default: break;
  }
}

static inline void mech_joint(Mechanism* k, int a, int b, bool closes) {
  char from[16], to[16];
  int kinds = 0;
  while (sar_joint_kind(kinds)) kinds++;
  // most are hinges: of other kinds most loops are rigid
  const int pick = mech_choose(k, 3 * kinds);
  const SarJointKind* kind = pick < kinds ? sar_joint_kind(pick) : sar_joint_kind_find("revolute");
  const bool back = mech_maybe(k, 4);
  mech_add(k, "  j%d: {%s: [%s, %s]", k->joints, kind->name, mech_body(k, from, back ? b : a),
           mech_body(k, to, back ? a : b));
  mech_vector(k, "at");
  if (kind->axes == SAR_AXES_TWO)
    mech_add(k, ", axis: x, axis2: y");
  else if (kind->axes != SAR_AXES_NONE)
    mech_add(k, ", axis: %s", mech_axis(k));
  for (int i = 0; i < kind->nparam; i++) mech_add(k, ", %s: 0.1", kind->param[i].name);
  mech_joint_laws(k, kind);
  if (closes) mech_event(k, true);
  mech_add(k, "}\n");
  k->kind[k->joints++] = kind;
}

static inline void mech_joints(Mechanism* k) {
  mech_add(k, "joints:\n");
  for (int b = 0; b < k->bodies; b++)
    if (!mech_maybe(k, 5)) mech_joint(k, mech_choose(k, b + 1) - 1, b, false);
  const int loops = mech_choose(k, 4);
  for (int i = 0; i < loops; i++) {
    const int a = mech_choose(k, k->bodies + 1) - 1, b = mech_choose(k, k->bodies);
    if (a != b) mech_joint(k, a, b, true);
  }
  if (k->joints == 0) mech_joint(k, -1, 0, false);
}

// A joint with one coordinate, or none at all: -1.
static inline int mech_simple_joint(Mechanism* k) {
  const int first = mech_choose(k, k->joints);
  for (int i = 0; i < k->joints; i++) {
    const int j = (first + i) % k->joints;
    if (k->kind[j]->nv == 1) return j;
  }
  return -1;
}
