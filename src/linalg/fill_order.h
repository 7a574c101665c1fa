// Order of the unknowns of a sparse symmetric matrix in which its factor (panels.h) fills in
// little: approximate minimum degree, by the library AMD.
#pragma once
#include "base/arena.h"
#include "linalg/profile.h"

#include <stdbool.h>

// place (n): where each unknown goes. False: the library is not there, the matrix has more than
// `most` pairs of neighbours in its groups, or memory ran out (scratch->failed).
bool sar_fill_order(const SarGroups* g, double most, SarArena* scratch, int* place);
