// Random model files: trees with every kind of joint and every kind of force, driven and damped.
#pragma once
#include "model/force_kind.h"
#include "model/joint_kind.h"
#include "support/example.h"
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

// The example of a kind of force or constraint as entry `name`, with the names of this model.
static inline void model_add_example(ModelText* t, const char* name, const char* example,
                                     const ExampleNames* names) {
  char text[EXAMPLE_SIZE];
  assert_non_null(example);
  assert_true(example_write(text, sizeof text, example, names));
  model_add(t, "  %s: %s\n", name, text);
}

// Bodies b<a> and b<b>; joints are those that carry bodies: a revolute, a screw, a prismatic one.
static inline ExampleNames model_names(int a, int b, int turning, int turning2, int sliding) {
  const int number[EXAMPLE_NAMES] = {a, b, turning, turning2, sliding};
  ExampleNames names;
  for (int i = 0; i < EXAMPLE_NAMES; i++)
    snprintf(names.name[i], sizeof names.name[i], "%c%d", i < 2 ? 'b' : 'j', number[i]);
  return names;
}

// Any kind of joint that moves.
static inline const SarJointKind* model_moving_kind(Rng* r) {
  const SarJointKind* kind = NULL;
  int kinds = 0;
  while (sar_joint_kind(kinds)) kinds++;
  while (!kind || kind->nv == 0) kind = sar_joint_kind(rng_int(r, kinds));
  return kind;
}

// A tree of n boxes on joints that move, with springs, dampers and dry friction.
static inline void model_random_tree(ModelText* t, Rng* r, int n) {
  t->used = 0;
  model_add(t, "sarrus: 1\nbodies:\n");
  for (int k = 0; k < n; k++)
    model_add(t, "  b%d: {box: [0.3, 0.4, 0.5], mass: %.2f, at: [%.2f, 0.1, %.2f]}\n", k,
              rng_uniform(r, 1, 3), rng_uniform(r, -1, 1), rng_uniform(r, -1, 1));
  model_add(t, "joints:\n");
  for (int k = 0; k < n; k++) model_add_joint(t, r, k, model_moving_kind(r));
}

static inline int model_kind_index(const char* joint) {
  int k = 0;
  while (sar_joint_kind(k) != sar_joint_kind_find(joint)) k++;
  return k;
}

static inline void model_random(ModelText* t, Rng* r, int nbody) {
  int kinds = 0;
  while (sar_joint_kind(kinds)) kinds++;
  t->used = 0;
  // in a wind that nothing keeps up with: drag has a kink where the air is at rest
  model_add(t, "sarrus: 1\nname: random\nair: {density: 0.05, wind: [20, 5, 3]}\nbodies:\n");
  for (int k = 0; k < nbody; k++) {
    V3 at = rng_v3(r, -0.5, 0.5);
    model_add(t, "  b%d: {box: [%.2f, %.2f, %.2f], mass: %.2f, at: [%.3f, %.3f, %.3f]}\n", k,
              rng_uniform(r, 0.3, 0.8), rng_uniform(r, 0.3, 0.8), rng_uniform(r, 0.3, 0.8),
              rng_uniform(r, 1, 3), at.x, at.y, at.z);
  }
  model_add(t, "joints:\n");
  for (int k = 0; k < nbody; k++) model_add_joint(t, r, k, sar_joint_kind(k % kinds));
  model_add(t, "forces:\n");
  // joints come in the order of their kinds, again and again
  const int revolute = model_kind_index("revolute"), prismatic = model_kind_index("prismatic"),
            screw = model_kind_index("screw");
  for (int k = 0; sar_force_kind(k); k++) {
    const int b = 2 + rng_int(r, nbody - 2), round = kinds * rng_int(r, nbody / kinds);
    const ExampleNames names =
        model_names(revolute + round, b, revolute + round, screw + round, prismatic + round);
    char name[16];
    snprintf(name, sizeof name, "f%d", k);
    model_add_example(t, name, sar_force_kind(k)->example, &names);
  }
}
