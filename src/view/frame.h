// One instant of a run as bytes (docs/window-protocol.md, "Frames"): poses, outputs, forces,
// switches, energies.
#pragma once
#include "output/scene.h"

#include <stdint.h>

enum {
  SAR_FRAME_RUNNING = 1,
  SAR_FRAME_ENDED = 2,
  SAR_FRAME_FAILED = 4,
  SAR_FRAME_PULLED = 8,
  SAR_FRAME_SLOW = 16,
  SAR_FRAME_HEADER = 128,
  SAR_FRAME_VERSION = 1
};

typedef struct SarFramePull {
  int body;  // holder
  V3 at, force;
} SarFramePull;

// What a frame says besides the state.
typedef struct SarFrameInfo {
  uint64_t sequence, steps, overruns;
  uint32_t flags;
  double wall, step_cpu, step, speed;
  SarEnergy energy;
  const double* outputs;     // of all channels; NULL: NaN
  const SarFramePull* pull;  // NULL: nobody pulls
} SarFrameInfo;

// Room that packing needs, for one scene.
typedef struct SarFramer {
  const SarScene* scene;
  Xform* poses;
  SarArrow* arrow;
  size_t most;  // bytes of the largest frame
} SarFramer;

// False: no memory; sar_framer_end in any case.
bool sar_framer_begin(SarFramer* f, const SarScene* scene);
void sar_framer_end(SarFramer* f);
// Packs into `out`, which has room for f->most bytes; returns how many there are. Allocates
// nothing.
size_t sar_frame_pack(SarFramer* f, const SarData* d, const SarFrameInfo* info, void* out);
