// Modal bodies in the text format that MBDyn's modal joint reads (finite element programs have
// converters to it).
//
// Lines that begin with ** are comments, except those that name a record group; numbers stand
// between blanks, over as many lines as they need:
//
//   1        revision, nodes, normal modes, attachment modes, constraint modes, rejected modes
//   2        labels of the nodes
//   3, 4     displacements and speeds at the start
//   5, 6, 7  x, y, z of the nodes
//   8        modes, one after the other: ux uy uz rx ry rz of every node
//   9        modal masses, modes x modes
//   10       modal stiffness, likewise
//   11       lumped masses: mx my mz jx jy jz of every node
//   12       inertia as a rigid body
//   13       modal damping, modes x modes
//
// Inertia comes from the lumped masses, without which coupling of modes and motion is not known:
// group 11 is needed. Groups 3, 4 and 12 are passed over, 9 is compared with what the lumped masses
// give, of 13 the diagonal counts.
#pragma once
#include "base/arena.h"
#include "base/error.h"
#include "model/modal.h"

// Arrays in the arena; names[k]: label of node k. `file` is what messages call it, and must live as
// long. False: reported, or no memory (arena->failed). Stiffness is as in the file:
// sar_modal_orthogonal comes next.
bool sar_fem_read(SarArena* arena, const char* text, size_t n, const char* file,
                  SarModalShape** out, const char*** names, SarError* err);
