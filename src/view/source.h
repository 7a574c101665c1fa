// A model with its parameters: read once for their names, and made anew where one changes.
#pragma once
#include "base/arena.h"
#include "model/data.h"
#include "view/scene_json.h"

typedef struct SarViewSource {
  SarArena arena;
  const char* path;
  SarLoadOptions load;  // as given, but for the parameters
  // Those of the file that are plain numbers: what others follow from. Names live as long as this.
  SarViewParameter* parameter;
  int parameter_count;
  SarParameter* given;  // of the options, and what was changed since
  int given_count;
} SarViewSource;

// `o` Nullable; what it points to must outlive the source. run: of a file that couples several
// models, the run that is attached to, which names one of them; Nullable. sar_view_source_end in
// any case.
SarStatus sar_view_source_begin(SarViewSource* s, const char* path, const char* run,
                                const SarLoadOptions* o, SarModel** out, SarError* err);
// source_part.c: the file and the options of the simulator that `run` names.
SarStatus sar_view_source_part(SarViewSource* s, const char* path, const char* run,
                               const SarLoadOptions* o, SarLoadOptions* out, SarError* err);
void sar_view_source_end(SarViewSource* s);
// The model once more, with the parameters as they are.
SarStatus sar_view_source_load(const SarViewSource* s, SarModel** out, SarError* err);
// Another value of parameter `index`, and the model with it. A failure leaves the old value.
SarStatus sar_view_source_change(SarViewSource* s, int index, double value, SarModel** out,
                                 SarError* err);
