// Work of strong dampers in a step by impulses (energy accounting of a linearly implicit force).
//
// An element whose force follows velocities acts in the step as (held.c)
//
//   Q = Q(v_s) - C (v_w - v_s),    v_s = v0 + theta h a  that its force was evaluated at,
//                                  v_w = v0 + w dv
//
// along the way h v_m, v_m = v0 + dv / 2. Of Q(v_s) only the power P = Q(v_s) . v_s is known; with
// Q(v_s) . (v_m - v_s) = -v_s' C (v_m - v_s), which is exact for a force linear in v,
//
//   W = h P - h v_s' C (v_m - v_s) - h (v_w - v_s)' C v_m          (linear: -h v_w' C v_m)
//
// Where h C is weak against M this is the power at the jump, or the mean of both ends, to second
// order; where it is strong, velocities that are only expected are off by orders of magnitude, and
// their squares by more. Weak ones are left to settle.c.
#pragma once
#include "base/block.h"
#include "model/sim.h"

typedef struct SarDampers {
  int* adr;       // ntangent + 1: where the block of each begins in `value`
  double* value;  // h C, as sar_tangent_block gives it
  int* account;   // ntangent: of work; -1: none that is its alone
  double* w;      // ntangent: where between start and end it acts; 0: weak
  double* seen;   // nv: velocities that forces were evaluated at
  double* power;  // nwork: and their power there
  bool any;       // something is strong against the step, so that velocities expected mean little
} SarDampers;

void sar_dampers_init(SarDampers* p, const SarModel* m, SarBlock* b);
void sar_dampers_clear(SarDampers* p, const SarModel* m);
// The block h C of tangent k acts at w; z: its strength h C / M.
void sar_dampers_note(SarDampers* p, int k, double z, double w, const double* block);
// Forces were evaluated at the velocities v; their power is in d.
void sar_dampers_see(SarDampers* p, const SarModel* m, const SarData* d, const double* v);
// Sets the work of strong ones in a step from work accounts `start`; v0, v1: velocities before and
// after it, at its jump.
void sar_dampers_book(const SarDampers* p, const SarModel* m, double h, const double* v0,
                      const double* v1, const double* start, double* work);
