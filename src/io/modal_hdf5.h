// Modal bodies in HDF5: datasets of plain numbers, with n nodes and m modes,
//
//   names      n          texts of one length, up to 63 bytes
//   at         n x 3      places in the frame of the body       quat  n x 4  (w, x, y, z), optional
//   mass       n          inertia  n x 6  about the mass centre: xx, yy, zz, xy, xz, yz, optional
//   com        n x 3      in the node's frame, optional
//   modes      m x n x 6  ux, uy, uz, rx, ry, rz of every node
//   stiffness  m x m      or m: its diagonal                     damping  m  ratios, optional
//   bend       n x m (m + 1)/2 x 3   second-order displacements by pairs (1,1), (2,1), (2,2),
//              (3,1), ..., optional
//
// output/modal_hdf5.c writes them.
#pragma once
#include "base/arena.h"
#include "base/error.h"
#include "model/modal.h"

// Does a file begin as one of HDF5 does?
bool sar_is_hdf5(const char* bytes, size_t n);
// As sar_fem_read, from the whole file in memory.
bool sar_modal_hdf5_read(SarArena* arena, const char* bytes, size_t n, const char* file,
                         SarModalShape** out, const char*** names, SarError* err);
