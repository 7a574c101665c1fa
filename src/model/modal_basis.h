// The basis of a modal body made ready: modal masses, modes that are orthogonal, fewer of them.
#pragma once
#include "base/arena.h"
#include "model/modal.h"

enum { SAR_MOST_MODES = 200, SAR_MOST_NODES = 20000 };

// Zeroed arrays for so many nodes and modes; bends: with second-order displacements. NULL: no
// memory.
SarModalShape* sar_modal_shape_new(SarArena* arena, int nodes, int modes, bool bends);
// modes x modes: V'I V over all nodes, V how a mode moves a node.
void sar_modal_mass(const SarModalShape* s, double* M);
// Is that, M, diagonal, and the stiffness?
bool sar_modal_is_orthogonal(const SarModalShape* s, const double* M);
// Makes mass and stiffness diagonal (generalised eigenvalue problem, frequencies rising) where they
// are not, and keeps the first `keep` modes. frequency [Hz] of modes whose stiffness is NaN. NULL:
// done, else what is wrong.
const char* sar_modal_orthogonal(SarArena* arena, SarModalShape* s, const double* frequency,
                                 int keep);
