// Static rolling resistance: what has nearly come to rest comes to rest (rest.c has the equations).
#pragma once
#include "base/block.h"
#include "formulations/impulse/laws.h"

// Of a body of an island; sums: of all that is slowed down together with the one at `root`.
typedef struct SarRestBody {
  int root;
  double radius;            // smallest of the contacts that bear a load
  bool sticks;              // in all of these
  bool rolls;               // some of them are of round solids; sums: some of all
  int points;               // how many there are
  const SarFaceSide* side;  // of the last one
  double arm[3];            // from the mass centre to it, in the axes of its face
  V3 spin;                  // angular velocity that is left alone, in axes of the body
  double twice, speed;      // twice the kinetic energy beside it; root of that by the mass
  bool left_alone;          // some are too fast, or slide
  double forced;            // impulses of forces in the step, along that motion
  double energy, momentum;  // sums of twice the energies, of masses by speeds
  double driven;            // sum of `forced`
} SarRestBody;

typedef struct SarRest {
  SarRestBody* body;  // nbody
  double* taken;      // nbody: energy, in this step [J]
  double* v;          // nv and the ground: velocities before that
  double work;        // of all of it: less than none [J]
} SarRest;

// Takes its pieces of a block.
void sar_rest_init(SarRest* p, const SarModel* m, SarBlock* b);
// Nothing has been taken.
void sar_rest_clear(SarRest* p, const SarModel* m);
