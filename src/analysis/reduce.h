// A beam of a model reduced to a modal body (Craig and Bampton 1968): what the public call
// (reduce_api.c) stands on.
#pragma once
#include "base/arena.h"
#include "base/error.h"
#include "model/modal.h"

enum { SAR_REDUCE_MOST_ELEMENTS = 200, SAR_REDUCE_MOST_MODES = 60 };

typedef struct SarBeamCut {
  const char* beam;     // its name; NULL: the only one
  int modes;            // normal modes with fixed ends
  const int* attached;  // nodes that others will be attached to, from 1 (the first after the
                        // start): static modes
  int attached_count;
  bool linear;  // without second-order displacements
} SarBeamCut;

typedef struct SarReducedBeam {
  SarModalShape* shape;  // its frame is that of the first node, which stands still in it
  const char** node;     // names within the beam: start, 1, ... end
  const char* holder;    // body that the beam begins on; NULL: ground, or it begins free
  Xform X_HE;            // its frame in that of the holder
  double radius;         // of pictures; 0: none
} SarReducedBeam;

// Number of a node of a beam by its name within it ("end", "3"); -1: there is none.
int sar_reduce_node(const SarModel* m, const char* beam, const char* node);
// The only beam of a model, or the one of this name; NULL after a report.
const char* sar_reduce_beam(SarArena* arena, const SarModel* m, const char* name, SarError* err);
// m: loaded with keep_fixed. Everything is in the arena.
SarStatus sar_reduce_to(SarArena* arena, const SarModel* m, const SarBeamCut* o,
                        SarReducedBeam* out, SarError* err);
