// Random model files: trees with every kind of joint and every kind of force, driven and damped.
#pragma once
#include "model/force_kind.h"
#include "model/joint_kind.h"
#include "support/test.h"

enum { RANDOM_MODEL_SIZE = 32768 };

typedef struct ModelText {
  char text[RANDOM_MODEL_SIZE];
  size_t used;
} ModelText;

__attribute__((format(printf, 2, 3))) static inline void model_add(ModelText* t, const char* format,
                                                                   ...) {
  va_list args;
  va_start(args, format);
  int n = vsnprintf(t->text + t->used, sizeof t->text - t->used, format, args);
  va_end(args);
  assert_true(n >= 0 && (size_t)n < sizeof t->text - t->used);
  t->used += (size_t)n;
}

// As many axes as the kind of joint has, the second across the first, and its parameters.
static inline void model_add_axes(ModelText* t, Rng* r, const SarJointKind* kind, V3 axis) {
  const V3 axis2 = v3_perp(axis);
  if (kind->axes != SAR_AXES_NONE)
    model_add(t, ", axis: [%.17g, %.17g, %.17g]", axis.x, axis.y, axis.z);
  if (kind->axes == SAR_AXES_TWO)
    model_add(t, ", axis2: [%.17g, %.17g, %.17g]", axis2.x, axis2.y, axis2.z);
  for (int i = 0; i < kind->nparam; i++)
    model_add(t, ", %s: %.3f", kind->param[i].name, rng_uniform(r, 0.1, 0.3));
}

// Joint k carries body bk; kinds in turn, so that n >= their number has them all. All the passive
// attributes, smooth: dry friction has a wide transition.
static inline void model_add_joint(ModelText* t, Rng* r, int k, const SarJointKind* kind) {
  int parent = k == 0 ? -1 : rng_int(r, k + 1) - 1;
  V3 axis = v3_unit(rng_v3(r, -1, 1)), at = rng_v3(r, -0.5, 0.5);
  char from[16] = "ground";
  if (parent >= 0) snprintf(from, sizeof from, "b%d", parent);
  model_add(t, "  j%d: {%s: [%s, b%d], at: [%.3f, %.3f, %.3f]", k, kind->name, from, k, at.x, at.y,
            at.z);
  model_add_axes(t, r, kind, axis);
  if (kind->nv > 0)
    model_add(
        t,
        ", stiffness: %.2f, damping: %.2f, friction: 0.3, friction_speed: 0.5, armature: 0.1, "
        "force: %.2f*sin(%.1f*t)",
        rng_uniform(r, 5, 20), rng_uniform(r, 0.1, 0.5), rng_uniform(r, -2, 2),
        rng_uniform(r, 2, 5));
  model_add(t, "}\n");
}

// One element of the kind, between bodies a and b of the model. Fails for a kind without a line here.
static inline void model_add_force(ModelText* t, const char* kind, int number, int a, int b) {
  model_add(t, "  f%d: {%s: ", number, kind);
  if (!strcmp(kind, "force"))
    model_add(t, "[b%d, [0.1, 0.2, 0]], value: [2*sin(t), 1, cos(3*t)], frame: body}\n", a);
  else if (!strcmp(kind, "torque"))
    model_add(t, "b%d, value: [0.5, 0.3*sin(2*t), -0.2]}\n", a);
  else if (!strcmp(kind, "joint_force"))
    model_add(t, "j%d, value: 0.4*cos(4*t)}\n", a);
  else if (!strcmp(kind, "spring_damper"))
    model_add(
        t, "[[b%d, [0.3, 0, 0.1]], [ground, [2, 1, 1]]], stiffness: 8, length: 1, damping: 0.4}\n",
        a);
  else if (!strcmp(kind, "torsion"))
    model_add(t, "[b%d, b%d], axis: [0, 0, 1], law: 2*sin(angle) + 0.2*rate}\n", a, b);
  else if (!strcmp(kind, "bushing"))
    model_add(t,
              "[b%d, b%d], frame: {at: [0.2, 0, 0]}, stiffness: [9, 8, 7, 3, 2, 2], damping: [0.3, "
              "0.3, 0.2, 0.1, 0.1, 0.1], preload: [1, 0, 0, 0, 0, 0.5]}\n",
              a, b);
  else if (!strcmp(kind, "bump_stop"))  // always in contact: smooth
    model_add(
        t,
        "[[b%d, [0, 0.2, 0]], [ground, [2, -1, 1]]], side: extension, length: 0.01, stiffness: "
        "2, damping: 0.1}\n",
        a);
  else if (!strcmp(kind, "tyre"))  // large and soft, for the same reason
    model_add(t, "b%d, radius: 30, stiffness: 0.02}\n", a);
  else
    fail_msg("no random element of kind '%s': add one here", kind);
}

static inline void model_random(ModelText* t, Rng* r, int nbody) {
  int kinds = 0;
  while (sar_joint_kind(kinds)) kinds++;
  t->used = 0;
  model_add(t, "sarrus: 1\nname: random\nbodies:\n");
  for (int k = 0; k < nbody; k++) {
    V3 at = rng_v3(r, -0.5, 0.5);
    model_add(t, "  b%d: {box: [%.2f, %.2f, %.2f], mass: %.2f, at: [%.3f, %.3f, %.3f]}\n", k,
              rng_uniform(r, 0.3, 0.8), rng_uniform(r, 0.3, 0.8), rng_uniform(r, 0.3, 0.8),
              rng_uniform(r, 1, 3), at.x, at.y, at.z);
  }
  model_add(t, "joints:\n");
  for (int k = 0; k < nbody; k++) model_add_joint(t, r, k, sar_joint_kind(k % kinds));
  model_add(t, "forces:\n");
  // joint 1 is a revolute one: with a coordinate to push
  for (int k = 0; sar_force_kind(k); k++)
    model_add_force(t, sar_force_kind(k)->name, k, 1 + kinds * rng_int(r, nbody / kinds),
                    2 + rng_int(r, nbody - 2));
}
