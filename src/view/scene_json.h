// The scene of a model as JSON, for whoever draws in another process (docs/window-protocol.md).
#pragma once
#include "output/facets.h"
#include "output/json.h"

typedef struct SarViewParameter {
  const char* name;
  double value;
} SarViewParameter;

typedef struct SarViewEvent {
  double time;
  const char* name;
  bool on;
} SarViewEvent;

typedef struct SarViewScene {
  const SarScene* scene;
  const SarData* d;  // at the start
  bool replay;
  double start, end;  // s; end 0: none
  double step;        // s; 0: error control
  double speed;
  const SarViewParameter* parameters;
  int parameter_count;
  const SarViewEvent* events;
  int event_count;
  const bool* driven;       // inputs that are not for viewers; Nullable
  const char* const* runs;  // names
  int run_count;
  const SarPatch* seen;  // box around all that happens, where it is known; Nullable
} SarViewScene;

// One object. False: no memory.
bool sar_view_scene(SarJson* j, const SarViewScene* v);
// The number of the gate that switches a force or a constraint; -1: none does.
int sar_view_switch(const SarModel* m, int force, int constraint);
