// Dimensions of attributes, read from the units that the tables of elements carry: "radial [N
// s/m]".
#pragma once
#include "support/twins/twin.h"

static const Dimension NO_DIMENSION = {0, 0, 0};
static const Dimension LENGTH = {1, 0, 0};
static const Dimension SPEED = {1, 0, -1};
static const Dimension FORCE = {1, 1, -2};
static const Dimension ENERGY = {2, 1, -2};

// The units in the last bracket of `doc` that holds units: "[m, N]" has two. Returns how many, at
// most `most`; 0: the table gives none.
int units_of(const char* doc, Dimension* out, int most);
