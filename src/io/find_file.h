// Which file a name in a model means, and whether the model may have it: one rule for includes,
// tables and meshes.
//
// A name is looked for beside the file that names it, then in the search paths. What is found must,
// with all links followed, be in the folder of that file, of one that includes it, or in a search
// path, or below these: a model from elsewhere reads nothing but what came with it. Only what the
// model itself includes may be anywhere, since its author and its user agree on that.
#pragma once
#include "io/source.h"

typedef struct SarFileRequest {
  const char* name;
  const char* what;               // for messages: "mesh file"
  const char* from;               // path of the file that names it; NULL: it has no folder
  const SarSource* within;        // that file and those that include it; Nullable
  const SarLoadOptions* options;  // Nullable
  bool anywhere;
} SarFileRequest;

typedef struct SarFileFound {
  const char* path;  // NULL: not found, or not to be had, as text and hint say
  char text[320];
  const char* hint;
} SarFileFound;

SarFileFound sar_find_file(const SarFileRequest* q, SarArena* arena);
