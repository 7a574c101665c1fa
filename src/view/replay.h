// Runs to be replayed: a scene, and all frames of each run one behind the other.
#pragma once
#include "base/memory_file.h"
#include "view/frame.h"
#include "view/scene_json.h"

enum { SAR_REPLAY_RUNS = 8 };

typedef struct SarReplay {
  SarMemoryFile scene;
  SarMemoryFile frames[SAR_REPLAY_RUNS];
  char name[SAR_REPLAY_RUNS][128];
  int runs;
} SarReplay;

void sar_replay_free(SarReplay* r);

// Writing the frames of one run.
typedef struct SarRecorder {
  SarFramer framer;
  SarMemoryFile file;
  unsigned char* room;
  uint64_t sequence;
  SarPatch seen;  // box around the frames of all bodies
  size_t limit;   // bytes
  bool full;
} SarRecorder;

// False: no memory; sar_recorder_end in any case.
bool sar_recorder_begin(SarRecorder* r, const SarScene* scene, size_t limit);
// `outputs` Nullable. SAR_OVER_LIMIT: the frames are more than the limit.
SarStatus sar_recorder_add(SarRecorder* r, SarData* d, const double* outputs);
// Closes the file of frames into `out`; false: no memory.
bool sar_recorder_finish(SarRecorder* r, SarMemoryFile* out);
void sar_recorder_end(SarRecorder* r);
