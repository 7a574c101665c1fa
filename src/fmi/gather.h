// The files that a model is made of, brought into one folder without leaving its own layout: what
// they call each other stays true.
#pragma once
#include "base/arena.h"
#include "sarrus/sarrus.h"

typedef struct SarGathered {
  SarArena* arena;
  SAR_LIST(const char*) files;  // absolute, without links followed; the model is the first
  SAR_LIST(const char*) names;  // of the same files, relative to `root`
  const char* root;             // the folder that holds all of them
} SarGathered;

// The path from the root of the file system, with "." and ".." taken out by their text; NULL: no
// memory.
const char* sar_path_absolute(SarArena* arena, const char* path);
// SarLoadOptions.on_file, with the list as its context.
void sar_gather_note(void* context, const char* path);
// Once all are known: root and names. `paths`: search paths that a file was found in become `path`,
// relative likewise.
SarStatus sar_gather_place(SarGathered* g, const char* const* paths, int count, const char** path,
                           int* found, SarError* err);
// Copies into folder/model/.
SarStatus sar_gather_copy(const SarGathered* g, const char* folder, SarError* err);
