// What a mechanism of mechanism.h may carry beside bodies and laws, one bit of its fourth byte
// each: a control system with a hydraulic circuit (MECH_CONTROL); beams, rotors and wings in wind
// (MECH_FLEXIBLE). Kinds come from the tables, so a new one is among them on the day it is listed.
#pragma once
#include "fuzz/mechanism_laws.h"
#include "model/signal_kind.h"

// An input that depends on motion in place of the example's own, sin(3*t).
static inline void mech_signal(Mechanism* k, int i) {
  static const char* const inputs[] = {"sin(3*t)", "b0.vx", "b0.z - 0.1*t", "u*cos(9*t)"};
  static const char own[] = "sin(3*t)";
  const SarSignalKind* kind = sar_signal_kind(mech_choose(k, 32));
  if (!kind) kind = sar_signal_kind(i);
  const char* input = inputs[mech_choose(k, sizeof inputs / sizeof *inputs)];
  const char* at = strstr(kind->example, own);
  if (at)
    mech_add(k, "  s%d: %.*s%s%s\n", i, (int)(at - kind->example), kind->example, input,
             at + sizeof own - 1);
  else
    mech_add(k, "  s%d: %s\n", i, kind->example);
}

// Two sources, two volumes, and elements between them by the names that their examples agree on.
static inline void mech_circuit(Mechanism* k) {
  static const char* const fluids[] = {"{density: 870}", "{air: 0.01, vapour: 100}",
                                       "{bulk_modulus: 1e6, viscosity: 1}"};
  ExampleNames names = {{"a", "b", "turning", "turning2", "none"}};
  const int slide = mech_joint_of(k, SAR_LENGTH), n = 1 + mech_choose(k, 4);
  if (slide >= 0) snprintf(names.name[4], sizeof names.name[4], "j%d", slide);
  mech_add(k, "hydraulics:\n  fluid: %s\n", fluids[mech_choose(k, 3)]);
  mech_add(k, "  p: {pressure: 2e7}\n  r: {pressure: 1e5}\n  a: {volume: 1e-4, start: 6e6}\n");
  mech_add(k, "  b: {volume: %g, start: 2e6}\n", 1e-4 * mech_positive(k));
  for (int i = 0; i < n; i++) {
    const SarSignalKind* kind = sar_hydraulic_kind(mech_choose(k, 24));
    char text[EXAMPLE_SIZE];
    if (!kind || !example_write(text, sizeof text, kind->example, &names)) continue;
    if (slide < 0 && strstr(text, "joint: none")) continue;
    mech_add(k, "  h%d: %s\n", i, text);
  }
}

static inline void mech_control(Mechanism* k) {
  const int n = 1 + mech_choose(k, 3);
  mech_add(k, "signals:\n");
  for (int i = 0; i < n; i++) mech_signal(k, i);
  if (mech_maybe(k, 2)) mech_circuit(k);
}

static inline void mech_beam(Mechanism* k) {
  static const char* const lines[] = {"to: [1, 0, 0]", "length: 1, axis: y, curvature: [0.3, 0, 1]",
                                      "length: 0.5, axis: [1, 2, 3], twist: [[0, 0], [0.5, 1]]"};
  char from[16];
  mech_body(k, from, mech_choose(k, k->bodies + 1));
  mech_add(k, "beams:\n  blade: {from: [%s, [0, 0.5, 0]], %s", from, lines[mech_choose(k, 3)]);
  mech_add(k, ", elements: %d, section: {stiffness: [%g, 1e4, 1e4, 20, 30, 40], mass: %g%s}",
           1 + mech_choose(k, 3), 1e3 * mech_positive(k), mech_positive(k),
           mech_maybe(k, 2) ? ", damping: 0.002" : "");
  if (mech_maybe(k, 3))
    mech_add(k, ", clamp: %s", mech_body(k, from, mech_choose(k, k->bodies + 1)));
  mech_add(k, "}\n");
}

// The wind in which strips and rotors are, and what the strips look like to it.
static inline void mech_air(Mechanism* k) {
  static const char* const winds[] = {"[3, 0, 0]", "[\"-20*t\", \"u\", 0]", "[0, 0, \"w\"]"};
  mech_add(k, "air: {wind: %s}\nairfoils: {thin: {lift_slope: 5.7, zero_lift: -2 deg}}\n",
           winds[mech_choose(k, 3)]);
  if (mech_maybe(k, 2)) mech_beam(k);
}

// Lines of the section `forces`: a rotor on a body, and wings that feel what it induces.
static inline void mech_rotor(Mechanism* k) {
  static const char* const inflows[] = {"uniform", "none",    "coleman",
                                        "drees",   "glauert", "pitt_peters"};
  const int inflow = mech_choose(k, 6), hub = mech_choose(k, k->bodies), wings = mech_choose(k, 3);
  mech_add(k, "  disc: {rotor: b%d, radius: %g, inflow: %s%s%s}\n", hub, mech_positive(k),
           inflows[inflow], inflow == 1 || inflow == 5 ? "" : ", memory: 0.1",
           mech_maybe(k, 4) ? ", ground: -1" : "");
  for (int i = 0; i <= wings; i++)
    mech_add(k, "  wing%d: {strips: b%d, tip: 0.8, chord: %s, twist: 0.1, airfoil: thin%s%s}\n", i,
             mech_choose(k, k->bodies), mech_maybe(k, 2) ? "[[0, 0.2], [0.8, 0.05]]" : "0.1",
             i == 0 ? ", inflow: disc" : "",
             mech_maybe(k, 3) ? ", lift: steady, yaw: corrected" : "");
}
