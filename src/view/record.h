// Filling a replay: by a run, or from tables of results.
#pragma once
#include "view/replay.h"
#include "view/source.h"

enum { SAR_RECORD_EVENTS = 64 };

// What is to be replayed, and how it was made.
typedef struct SarRecording {
  const SarModel* m;
  SarScene* scene;
  SarData* start;  // the state of the first frame
  SarReplay* replay;
  const SarViewSource* source;  // names and values of parameters; Nullable
  SarViewEvent event[SAR_RECORD_EVENTS];
  int events;
  double first, last, step;  // s; of the first run
  SarPatch seen;
  size_t limit;  // bytes of all frames
} SarRecording;

SarStatus sar_recording_begin(SarRecording* r, const SarModel* m, SarReplay* replay, SarError* err);
void sar_recording_end(SarRecording* r);
// A run of the model. Frames are at options' times or output steps. *run: for sar_run_free, with
// its report; NULL: it did not begin.
SarStatus sar_record_run(SarRecording* r, const SarRunOptions* o, const char* name, SarRun** run,
                         SarError* err);

// How much a table says of the motion.
typedef struct SarResultUse {
  int coordinates, missing;  // of the tree; columns that are not there
  int columns;               // outputs that are the file's
  size_t rows;
} SarResultUse;

// A table of results as a run: positions from its columns where all coordinates of the tree are
// there. Otherwise SAR_NOT_OFFERED, and *use says what is missing.
SarStatus sar_record_table(SarRecording* r, const SarTable* t, const char* name, SarResultUse* use,
                           SarError* err);
// The scene, when all runs are there.
SarStatus sar_recording_finish(SarRecording* r);
