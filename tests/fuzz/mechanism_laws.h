// Constraints and forces of a mechanism (mechanism.h).
#pragma once
#include "fuzz/mechanism.h"
#include "model/constraint_kind.h"
#include "model/force_kind.h"
#include "support/example.h"

static inline void mech_constraint(Mechanism* k, int i) {
  const int what = mech_choose(k, 5), b = mech_choose(k, k->bodies), j = mech_simple_joint(k);
  const int other = mech_simple_joint(k);
  mech_add(k, "  c%d: {", i);
  if (what == 1 && j >= 0)
    mech_add(k, "motion: j%d, value: \"0.1*sin(%g*t)\"", j, mech_positive(k));
  else if (what == 2 && j >= 0 && other >= 0 && j != other)
    mech_add(k, "gear: [j%d, j%d], ratio: %g", j, other, mech_place(k));
  else if (what == 3)
    mech_add(k, "on_plane: [b%d, [ground, [0, 0, 0]]], axis: %s", b, mech_axis(k));
  else if (what == 4)
    mech_add(k, "on_curve: [b%d, [ground, [0, 0, 0]]], curve: \"x^2/4\", axis: x, axis2: z", b);
  else
    mech_add(k, "rod: [b%d, [ground, [%g, %g, 1]]]", b, mech_place(k), mech_place(k));
  mech_event(k, true);
  mech_add(k, "}\n");
}

// Kinds that came later, behind a bit of their own: seeds keep their meaning.
static inline bool mech_other_constraint(Mechanism* k, int i) {
  const int what = mech_choose(k, 6), b = mech_choose(k, k->bodies);
  const int j = mech_simple_joint(k), other = mech_simple_joint(k);
  if (what < 2 && (j < 0 || other < 0 || j == other)) return false;
  mech_add(k, "  c%d: {", i);
  if (what == 0)
    mech_add(k, "rack: [j%d, j%d], radius: 0.1", j, other);
  else if (what == 1)
    mech_add(k, "screw_coupling: [j%d, j%d], pitch: 0.05", j, other);
  else if (what == 2)
    mech_add(k, "on_line: [b%d, [ground, [0, 0, 0]]], axis: %s", b, mech_axis(k));
  else if (what == 3)
    mech_add(k, "coordinate: b%d, axis: %s, value: \"%g + 0.1*t\"", b, mech_axis(k), mech_place(k));
  else if (what == 4)
    mech_add(k,
             "on_curve: [b%d, [ground, [0, 0, 0]]], table: [[-1, 0.5], [0, 0], [1, 0.2]], axis: x, "
             "axis2: z",
             b);
  else
    mech_add(k, "rod: [b%d, [ground, [0, 1, 1]]], length: \"1 + 0.1*sin(5*t)\"", b);
  mech_event(k, true);
  mech_add(k, "}\n");
  return true;
}

static inline void mech_other_force(Mechanism* k, int i) {
  static const char* const springs[] = {
      "table: [[0, 0], [1, 3], [2, 9]], damper_table: [[-1, -2], [0, 0], [1, 5]]",
      "polynomial: [1, 2, 3], damper_polynomial: [0, 1, 0, 2]",
      "law: \"max(0, length - 1)*9 + rate\"",
      "stiffness: 9, length: 0.5, damper: \"abs(rate)*rate\"", "stiffness: 5, axis: z"};
  const int what = mech_choose(k, 7), a = mech_choose(k, k->bodies), j = mech_simple_joint(k);
  mech_add(k, "  f%d: {", i);
  if (what == 1)
    mech_add(k, "torsion: [b%d, ground], axis: %s, stiffness: %g, damping: 0.1", a, mech_axis(k),
             mech_positive(k));
  else if (what == 2 && j >= 0)
    mech_add(k, "joint_force: j%d, value: \"%s\"", j, mech_expression(k));
  else if (what == 5 && j >= 0)
    mech_add(k, "joint_spring: j%d, table: [[-1, -%g], [0, 0], [1, 3]]", j, mech_positive(k));
  else if (what == 6 && j >= 0)
    mech_add(k, "backlash: j%d, gap: 0.02, stiffness: %g, damping: 0.1", j, mech_positive(k));
  else if (what == 3 && k->world & MECH_ROADS)
    mech_add(k,
             "tyre: b%d, road: way, radius: 0.5, stiffness: %g, damping: 10, linear: {cornering: "
             "100, camber: 5, aligning: 2, overturning: 1}",
             a, mech_positive(k));
  else if (what == 4)
    mech_add(k,
             "tyre: b%d, radius: 0.4, stiffness: 1e4%s, calspan: {A0: 4000, A1: 15, A2: 3000, A3: "
             "1, A4: 4000, B1: -1e-4, B3: 1, B4: 1e-8, SN: 80, K1: -1e-4, K2: 1.5}",
             a, k->world & MECH_ROADS ? ", road: way" : "");
  else
    mech_add(k, "spring_damper: [b%d, [ground, [0, 0, 2]]], %s", a,
             springs[mech_choose(k, sizeof springs / sizeof *springs)]);
  mech_event(k, false);
  mech_add(k, "}\n");
}

static inline void mech_force(Mechanism* k, int i) {
  const int what = mech_choose(k, 6), a = mech_choose(k, k->bodies);
  char other[16];
  mech_body(k, other, mech_choose(k, k->bodies + 1));
  mech_add(k, "  f%d: {", i);
  if (what == 0)
    mech_add(k, "spring_damper: [b%d, [ground, [0, 0, 2]]], stiffness: %g, damping: %g", a,
             mech_positive(k), mech_positive(k));
  else if (what == 1)
    mech_add(k, "force: b%d, value: [\"%s\", 0, \"%s\"]", a, mech_expression(k),
             mech_expression(k));
  else if (what == 2)
    mech_add(k, "torque: b%d, value: [0, \"%s\", 0], frame: body", a, mech_expression(k));
  else if (what == 3)
    mech_add(k,
             "bushing: [b%d, ground], frame: {at: [0, 0, 0.5]}, stiffness: [9, 8, 7, 3, 2, 2], "
             "damping: [1, 1, 1, 1, 1, 1]",
             a);
  else if (what == 4)
    mech_add(k, "bump_stop: [b%d, [ground, [0, 0, 0]]], length: 1, stiffness: %g", a,
             mech_positive(k));
  else
    mech_add(k, "tyre: b%d, radius: 0.5, stiffness: %g, linear: {cornering: 100, trail: 0.01}", a,
             mech_positive(k));
  mech_event(k, false);
  mech_add(k, "}\n");
}

// A joint of one coordinate that measures an angle (or a length), -1: none.
static inline int mech_joint_of(Mechanism* k, SarCoordinate what) {
  const int first = mech_choose(k, MECHANISM_JOINTS);
  for (int i = 0; i < k->joints; i++) {
    const int j = (first + i) % k->joints;
    if (k->kind[j]->nv == 1 && k->kind[j]->coordinate[0] == what) return j;
  }
  return -1;
}

// The example of a kind that the tables list, between bodies and joints of this mechanism. Choices
// run past the end of the tables: a kind that is added changes no seed.
static inline bool mech_example(Mechanism* k, char letter, int i) {
  const int pick = mech_choose(k, 32);
  const SarForceKind* force = letter == 'f' ? sar_force_kind(pick) : NULL;
  const SarConstraintKind* constraint = letter == 'c' ? sar_constraint_kind(pick) : NULL;
  if (!force && !constraint) return false;
  int number[EXAMPLE_NAMES];
  for (int w = 0; w < 2; w++) number[w] = mech_choose(k, k->bodies);
  for (int w = 2; w < EXAMPLE_NAMES; w++)
    number[w] = mech_joint_of(k, w < 4 ? SAR_ANGLE : SAR_LENGTH);
  ExampleNames names;
  char text[EXAMPLE_SIZE];
  for (int w = 0; w < EXAMPLE_NAMES; w++)
    snprintf(names.name[w], sizeof names.name[w], "%c%d", w < 2 ? 'b' : 'j', number[w]);
  if (!example_write(text, sizeof text, force ? force->example : constraint->example, &names) ||
      strstr(text, "j-1"))  // no such joint here
    return false;
  mech_add(k, "  %c%d: %s\n", letter, i, text);
  return true;
}

static inline void mech_laws(Mechanism* k, int constraints, int forces) {
  const bool other = k->world & MECH_KINDS;
  if (constraints > 0) mech_add(k, "constraints:\n");
  const bool examples = k->world & MECH_EXAMPLES;
  for (int i = 0; i < constraints; i++) {
    if (examples && mech_example(k, 'c', i)) continue;
    if (!other || !mech_other_constraint(k, i)) mech_constraint(k, i);
  }
  if (forces > 0) mech_add(k, "forces:\n");
  for (int i = 0; i < forces; i++) {
    if (examples && mech_example(k, 'f', i)) continue;
    if (other && i > 0)
      mech_other_force(k, i);
    else
      mech_force(k, i);
  }
}
