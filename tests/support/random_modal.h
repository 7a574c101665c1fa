// Random modal bodies: nodes anywhere with mass and inertia, modes that displace and turn them,
// foreshortening or not; on joints of every kind, with bodies, a second modal body, springs and
// loops on their nodes.
#pragma once
#include "model/joint_kind.h"
#include "support/random.h"
#include "support/test.h"

#include <stdarg.h>

typedef struct ModalText {
  char text[1 << 16];
  int used;
} ModalText;

static inline void __attribute__((format(printf, 2, 3)))
modal_add(ModalText* t, const char* format, ...) {
  va_list args;
  va_start(args, format);
  t->used += vsnprintf(t->text + t->used, sizeof t->text - (size_t)t->used, format, args);
  va_end(args);
  assert_in_range(t->used, 1, sizeof t->text - 1);
}

static inline void modal_vector(ModalText* t, const char* before, V3 a) {
  modal_add(t, "%s[%.17g, %.17g, %.17g]", before, a.x, a.y, a.z);
}

typedef struct ModalBody {
  const char* name;
  int nodes, modes;
  bool bends;
  V3 at;
} ModalBody;

// Stiffness is that of about a hertz, so that deformations are large and everything counts.
static inline void modal_body(ModalText* t, Rng* r, const ModalBody* b) {
  modal_add(t, "  %s:\n    damping: 0.02\n", b->name);
  modal_vector(t, "    at: ", b->at);
  modal_add(t, "\n    nodes:\n");
  for (int k = 0; k < b->nodes; k++) {
    modal_add(t, "      n%d: {", k);
    modal_vector(t, "at: ", rng_v3(r, -1, 1));
    modal_add(t, ", rpy: [%.3f, %.3f, %.3f]", rng_uniform(r, -1, 1), rng_uniform(r, -1, 1),
              rng_uniform(r, -1, 1));
    modal_add(t, ", mass: %.3f, inertia: [%.4f, %.4f, %.4f], com: [%.3f, 0.02, 0.01]}\n",
              rng_uniform(r, 0.3, 1), rng_uniform(r, 0.02, 0.03), rng_uniform(r, 0.02, 0.03),
              rng_uniform(r, 0.02, 0.03), rng_uniform(r, -0.1, 0.1));
  }
  modal_add(t, "    modes:\n");
  for (int i = 0; i < b->modes; i++) {
    modal_add(t, "      - {stiffness: %.2f, shape: {", rng_uniform(r, 20, 60));
    for (int k = 0; k < b->nodes; k++) {
      modal_add(t, "%sn%d: [", k ? ", " : "", k);
      for (int c = 0; c < 6; c++) modal_add(t, "%s%.4f", c ? ", " : "", rng_uniform(r, -0.7, 0.7));
      modal_add(t, "]");
    }
    modal_add(t, "}}\n");
  }
  if (!b->bends) return;
  modal_add(t, "    bend:\n");
  for (int k = 0; k < b->nodes; k++) {
    modal_add(t, "      n%d: [", k);
    for (int i = 1; i <= b->modes; i++)
      for (int j = 1; j <= i; j++)
        modal_add(t, "%s[%d, %d, %.3f, %.3f, %.3f]", i + j > 2 ? ", " : "", i, j,
                  rng_uniform(r, -0.5, 0.5), rng_uniform(r, -0.5, 0.5), rng_uniform(r, -0.5, 0.5));
    modal_add(t, "]\n");
  }
}

// loops: rods between nodes, and from a node to ground.
static inline void random_modal(ModalText* t, Rng* r, bool loops) {
  static const char* const KIND[] = {"revolute", "spherical", "universal",
                                     "free",     "fixed",     "cylindrical"};
  const char* kind = KIND[rng_int(r, 6)];
  const bool second = rng_int(r, 2) == 0;
  const ModalBody a = {"arm", 2 + rng_int(r, 3), 1 + rng_int(r, 4), rng_int(r, 2) == 0,
                       rng_v3(r, -0.5, 0.5)};
  const ModalBody b = {"fin", 2, 1 + rng_int(r, 2), rng_int(r, 2) == 0, rng_v3(r, -0.5, 0.5)};
  t->used = 0;
  modal_add(t, "sarrus: 1\nmodal_bodies:\n");
  modal_body(t, r, &a);
  if (second) modal_body(t, r, &b);
  modal_add(t,
            "bodies:\n  load: {mass: 0.7, inertia: [0.02, 0.03, 0.025], com: [0.1, 0, 0.05]}\n"
            "  base: {mass: 1.1, inertia: [0.02, 0.03, 0.025]}\n");
  modal_add(t, "joints:\n  root: {revolute: [ground, base], axis: z}\n  foot: {%s: [base, arm]",
            kind);
  if (strcmp(kind, "revolute") == 0 || strcmp(kind, "cylindrical") == 0)
    modal_vector(t, ", axis: ", v3_unit(rng_v3(r, -1, 1)));
  if (strcmp(kind, "universal") == 0) modal_add(t, ", axis: x, axis2: y");
  modal_add(t, "}\n  hand: {%s: [arm_n1, load]%s}\n", rng_int(r, 2) ? "revolute" : "spherical", "");
  if (second) modal_add(t, "  tail: {universal: [arm_n0, fin], axis: x, axis2: z}\n");
  modal_add(t,
            "forces:\n  s0: {spring_damper: [arm_n0, arm_n1], stiffness: 30, damping: 0.4}\n"
            "  s1: {spring_damper: [arm_n1, [ground, [1, 1, 2]]], stiffness: 10, damping: 0.2}\n"
            "  s2: {spring_damper: [base, [arm_n1, [0, 0.2, 0.1]]], stiffness: 12}\n");
  if (loops) {
    modal_add(t, "constraints:\n  r0: {rod: [arm_n0, [ground, [0.3, -0.8, 1.2]]]}\n");
    if (a.modes > 1 || second)
      modal_add(t, "  r1: {rod: [load, [%s, [0.2, 0.1, 0.9]]]}\n", second ? "fin_n1" : "arm_n0");
  }
}
