// Ideal rolling on planes over symbols (dynamics/rolling.h).
#pragma once
#include "codegen/symbols.h"

typedef struct SymRoll {
  SymV3 rho;      // from the centre to the point of contact
  SymV3 N;        // unit normal of the plane
  SymV3 heading;  // axis of a disc; of a ball a direction of the plane's body
  SymV3 forward, side;
} SymRoll;

// N, y: normal and a direction of the plane's body; e: axis of a disc. All in ground axes.
SymRoll sar_symbols_roll(SarGraph* g, const SarRoller* r, SymV3 N, SymV3 y, SymV3 e);
SymV3 sar_symbols_roll_way(const SymRoll* roll, int way);
// What is left of the second derivative of a row without accelerations, for the velocities
// (Omega, u) of the centre seen from the plane.
SarNode sar_symbols_roll_quadratic(SarGraph* g, const SarRoller* r, const SymRoll* roll, int way,
                                   SymMotion rate);
// The first constraint that rolls without slip; NULL: none.
const char* sar_symbols_rolling(const SarModel* m);
// Rolling on roads is found by iteration.
void sar_symbols_refuse_roads(SarSymbols* s);
