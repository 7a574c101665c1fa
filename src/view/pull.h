// Pulling at a body: a spring with a damper between a point of it and a point of the ground, f = k
// (to - p) - c dp/dt, held over each step as joint forces of the host program, tau = J' f. Their
// work has its account in the energy audit.
//
// The stiffness follows from the body and the step: natural frequency 40 rad/s, or less where steps
// are long, and critical damping, with the inertia of the body alone, free, in the direction in
// which it yields most. What the body is joined to only makes it yield less, so that a force held
// over a step is not too stiff for it.
#pragma once
#include "model/data.h"

typedef struct SarPull {
  bool on;
  int body;         // holder
  double point[3];  // in its frame U
  V3 to;            // ground
  double k, c;      // N/m, N s/m
  V3 at, force;     // as last applied, ground axes
  double* J;        // 6 nv
} SarPull;

// Room for a model; false: no memory.
bool sar_pull_begin(SarPull* p, const SarModel* m);
void sar_pull_end(SarPull* p);
// False: the body has no mass of its own, or belongs to the ground.
bool sar_pull_grasp(SarPull* p, const SarData* d, int body, const double point[3], double step);
// Between two steps: the joint forces for the next one. Nothing is allocated.
void sar_pull_apply(SarPull* p, SarData* d);
void sar_pull_release(SarPull* p, SarData* d);
