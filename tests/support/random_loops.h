// Random mechanisms with loops. Bodies are put anywhere first and joined where they stand, so every
// loop is closed at the design position whatever closes it: joints of every kind, rods, gears,
// drives, points on lines, planes and curves. Some move, some are locked; planar ones in space have
// redundant constraints.
#pragma once
#include "support/random_model.h"

typedef enum LoopFamily {
  LOOPS_PLANAR,  // planar: xy
  LOOPS_FLAT,    // planar motion, but a model in space: three equations of every loop are redundant
  LOOPS_SPATIAL,
  LOOPS_FAMILIES
} LoopFamily;

enum { LOOPS_MAX_BODIES = 8, LOOPS_MAX_JOINTS = 16 };

typedef struct LoopMaker {
  ModelText* t;
  Rng* r;
  LoopFamily family;
  int bodies, joints, elements;
  const SarJointKind* kind[LOOPS_MAX_JOINTS];
  int freedoms;  // coordinates less equations: what is left if no equation is redundant
} LoopMaker;

static inline V3 loops_point(LoopMaker* k) {
  V3 p = rng_v3(k->r, -1, 1);
  return k->family == LOOPS_SPATIAL ? p : v3(p.x, p.y, 0);
}

// a direction that the family allows a kind of joint to move along, or to turn about
static inline V3 loops_axis(LoopMaker* k, bool turns) {
  if (k->family == LOOPS_SPATIAL) return v3_unit(rng_v3(k->r, -1, 1));
  if (turns) return v3(0, 0, 1);
  const double angle = rng_uniform(k->r, -3, 3);
  return v3(cos(angle), sin(angle), 0);
}

static inline const SarJointKind* loops_kind(LoopMaker* k) {
  static const char* const flat[] = {"revolute", "revolute",  "revolute", "revolute",
                                     "revolute", "prismatic", "planar",   "fixed"};
  static const char* const spatial[] = {"revolute",  "revolute",  "universal", "gimbal",
                                        "spherical", "spherical", "spherical", "cylindrical",
                                        "prismatic", "screw",     "planar",    "fixed"};
  const char* name = k->family == LOOPS_SPATIAL
                         ? spatial[rng_int(k->r, sizeof spatial / sizeof *spatial)]
                         : flat[rng_int(k->r, sizeof flat / sizeof *flat)];
  return sar_joint_kind_find(name);
}

static inline void loops_body_name(char name[16], int b) {
  if (b < 0)
    snprintf(name, 16, "ground");
  else
    snprintf(name, 16, "b%d", b);
}

static inline void loops_add_vector(ModelText* t, const char* key, V3 a) {
  model_add(t, ", %s: [%.17g, %.17g, %.17g]", key, a.x, a.y, a.z);
}

// A joint between bodies a and b, in either direction, where they stand.
static inline void loops_add_joint(LoopMaker* k, int a, int b) {
  const SarJointKind* kind = k->kind[k->joints] = loops_kind(k);
  char from[16], to[16];
  const bool back = rng_int(k->r, 3) == 0;
  loops_body_name(from, back ? b : a);
  loops_body_name(to, back ? a : b);
  model_add(k->t, "  j%d: {%s: [%s, %s]", k->joints, kind->name, from, to);
  loops_add_vector(k->t, "at", loops_point(k));
  if (kind->axes != SAR_AXES_NONE) {
    const V3 axis = loops_axis(k, strcmp(kind->name, "prismatic") != 0);
    loops_add_vector(k->t, "axis", axis);
    if (kind->axes == SAR_AXES_TWO) loops_add_vector(k->t, "axis2", v3_perp(axis));
  }
  for (int i = 0; i < kind->nparam; i++)
    model_add(k->t, ", %s: %.3f", kind->param[i].name, rng_uniform(k->r, 0.1, 0.3));
  if (kind->nv > 0 && rng_int(k->r, 4) == 0)
    model_add(k->t, ", stiffness: %.2f, damping: %.2f, force: %.2f*cos(%.1f*t)",
              rng_uniform(k->r, 5, 20), rng_uniform(k->r, 0.1, 0.5), rng_uniform(k->r, -2, 2),
              rng_uniform(k->r, 2, 5));
  model_add(k->t, "}\n");
  k->joints++;
  k->freedoms -= (k->family == LOOPS_SPATIAL ? 6 : 3) - kind->nv;
}

// A joint that turns (moves along: false) by one coordinate; -1: there is none.
static inline int loops_find_joint(LoopMaker* k, bool turns, int not_this) {
  const int first = rng_int(k->r, k->joints);
  for (int i = 0; i < k->joints; i++) {
    const int j = (first + i) % k->joints;
    const SarJointKind* kind = k->kind[j];
    if (j == not_this || kind->nv != 1 || !strcmp(kind->name, "screw")) continue;
    if ((kind->coordinate[0] == SAR_ANGLE) == turns) return j;
  }
  return -1;
}

// Joint j follows, or drives, or is driven: nothing is added where the joints for it are missing.
static inline bool loops_add_coupling(LoopMaker* k, int what) {
  const int turns = loops_find_joint(k, true, -1);
  const int other = loops_find_joint(k, what == 0, turns);
  if (what == 3) {
    const int driven = turns >= 0 ? turns : other;
    if (driven < 0) return false;
    model_add(k->t, "  c%d: {motion: j%d, value: \"%.2f*sin(%.2f*t) + %.2f*t\"}\n", k->elements,
              driven, rng_uniform(k->r, -0.5, 0.5), rng_uniform(k->r, 1, 4),
              rng_uniform(k->r, -1, 1));
    return true;
  }
  if (turns < 0 || other < 0) return false;
  model_add(k->t, "  c%d: {", k->elements);
  if (what == 0) model_add(k->t, "gear: [j%d, j%d], ratio", turns, other);
  if (what == 1) model_add(k->t, "rack: [j%d, j%d], radius", turns, other);
  if (what == 2) model_add(k->t, "screw_coupling: [j%d, j%d], pitch", turns, other);
  model_add(k->t, ": %.3f}\n", rng_uniform(k->r, 0.2, 2));
  return true;
}

// Where the body frame's origin stands, kept so that a constraint can be written that holds there.
typedef struct LoopPoses {
  V3 at[LOOPS_MAX_BODIES];
} LoopPoses;

static inline void loops_add_element(LoopMaker* k, const LoopPoses* poses) {
  int what = rng_int(k->r, 10);
  if (what >= 8) what = 3;  // more drives than others
  const int a = rng_int(k->r, k->bodies);
  const int b = (a + 1 + rng_int(k->r, k->bodies - 1)) % k->bodies;
  const V3 p = poses->at[a], axis = loops_axis(k, false);
  if (what < 4) {
    if (loops_add_coupling(k, what)) k->elements++, k->freedoms--;
    return;
  }
  model_add(k->t, "  c%d: {", k->elements++);
  k->freedoms--;
  if (what == 4) {
    model_add(k->t, "rod: [b%d, b%d]}\n", a, b);
  } else if (what == 5) {
    model_add(k->t, "coordinate: b%d, value: \"%.17g + %.2f*sin(%.2f*t)\"", a, v3_dot(axis, p),
              rng_uniform(k->r, -0.3, 0.3), rng_uniform(k->r, 1, 4));
    loops_add_vector(k->t, "axis", axis);
    model_add(k->t, "}\n");
  } else if (what == 6) {
    // the plane, or the line, goes through a point of ground that lies where the body's origin is
    const bool line = k->family == LOOPS_SPATIAL && rng_int(k->r, 2);
    model_add(k->t, "%s: [b%d, [ground, [%.17g, %.17g, %.17g]]]", line ? "on_line" : "on_plane", a,
              p.x, p.y, p.z);
    loops_add_vector(k->t, "axis", axis);
    model_add(k->t, "}\n");
    k->freedoms -= line;
  } else {
    // y = g(x) with g(0) = 0
    model_add(k->t, "on_curve: [b%d, [ground, [%.17g, %.17g, %.17g]]], curve: \"%.2f*sin(2*x)\"", a,
              p.x, p.y, p.z, rng_uniform(k->r, -1, 1));
    loops_add_vector(k->t, "axis", axis);
    loops_add_vector(k->t, "axis2",
                     k->family == LOOPS_SPATIAL ? v3_perp(axis) : v3(-axis.y, axis.x, 0));
    model_add(k->t, "}\n");
  }
}

static inline void loops_add_bodies(LoopMaker* k, LoopPoses* poses) {
  model_add(k->t, "bodies:\n");
  for (int b = 0; b < k->bodies; b++) {
    const V3 at = poses->at[b] = loops_point(k), com = rng_v3(k->r, -0.3, 0.3);
    const bool flat = k->family != LOOPS_SPATIAL;
    model_add(k->t,
              "  b%d: {mass: %.2f, inertia: [%.3f, %.3f, %.3f], rpy: [%.3f, %.3f, %.3f], com: "
              "[%.3f, %.3f, %.3f]",
              b, rng_uniform(k->r, 0.5, 3), rng_uniform(k->r, 0.1, 0.3),
              rng_uniform(k->r, 0.1, 0.3), rng_uniform(k->r, 0.2, 0.3),
              flat ? 0 : rng_uniform(k->r, -3, 3), flat ? 0 : rng_uniform(k->r, -1.5, 1.5),
              rng_uniform(k->r, -3, 3), com.x, com.y, flat ? 0 : com.z);
    loops_add_vector(k->t, "at", at);
    model_add(k->t, "}\n");
    k->freedoms += flat ? 3 : 6;
  }
}

// A mechanism of 3 to 8 bodies with at least one loop.
static inline void loops_random(ModelText* t, Rng* r, LoopFamily family, int bodies) {
  LoopMaker k = {.t = t, .r = r, .family = family, .bodies = bodies};
  LoopPoses poses;
  t->used = 0;
  const V3 g = rng_v3(r, -10, 10);
  model_add(t, "sarrus: 1\nname: loops\n%sgravity: [%.3f, %.3f, %.3f]\n",
            family == LOOPS_PLANAR ? "planar: xy\n" : "", g.x, g.y,
            family == LOOPS_SPATIAL ? g.z : 0);
  loops_add_bodies(&k, &poses);
  model_add(t, "joints:\n");
  for (int b = 0; b < bodies; b++) loops_add_joint(&k, b == 0 ? -1 : rng_int(r, b + 1) - 1, b);
  // loops while motion is left, mostly
  const int loops = 1 + rng_int(r, 3);
  for (int i = 0; i < loops && (i == 0 || k.freedoms > 3 || rng_int(r, 8) == 0); i++) {
    const int a = rng_int(r, bodies + 1) - 1;
    const int b = (a + 2 + rng_int(r, bodies)) % (bodies + 1) - 1;
    loops_add_joint(&k, a, b);
  }
  if (rng_int(r, 2)) {
    const size_t before = t->used;
    model_add(t, "constraints:\n");
    for (int i = 1 + rng_int(r, 3); i > 0 && (k.freedoms > 1 || rng_int(r, 8) == 0); i--)
      loops_add_element(&k, &poses);
    if (k.elements == 0) t->used = before, t->text[before] = 0;
  }
  model_add(t,
            "forces:\n  s: {spring_damper: [[b0, [0.1, 0.2, 0]], b%d], stiffness: 20, damping: "
            "0.5}\noutputs: [reactions]\n",
            bodies - 1);
}
