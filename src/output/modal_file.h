// A modal body as a file with a section `modal_bodies`, which a model includes.
#pragma once
#include "base/error.h"
#include "model/modal.h"

#include <stdio.h>

typedef struct SarModalFile {
  const char* comment;
  const char* name;
  const char* in;  // body whose frame X refers to; NULL: ground
  Xform X;         // its frame
  const char* const* node;
  const SarModalShape* shape;  // stiffness diagonal, modal masses 1
  double radius;               // of pictures; 0: none
  int modes;                   // how many are written, the first ones
} SarModalFile;

void sar_modal_write(FILE* f, const SarModalFile* r);
// By the ending of the path: HDF5 (.h5, .hdf5), or a section of a model file.
SarStatus sar_modal_save(const char* path, const SarModalFile* r, SarError* err);
// Nodes and modes alone, to full precision, for `file:` of a modal body (io/modal_hdf5.h). False:
// not written, or this build has no HDF5.
bool sar_modal_write_hdf5(const char* path, const SarModalFile* r);
