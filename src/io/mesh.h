// Mesh files: STL (binary and text), OBJ and COLLADA.
#pragma once
#include "base/error.h"
#include "collide/mesh.h"
#include "io/source.h"

#include <stdbool.h>

enum {
  SAR_MAX_MESH_FILE = 256 << 20,  // bytes
  SAR_MAX_MESH_TRIANGLES = 4 << 20
};

// A mesh as the model file names it.
typedef struct SarMeshRequest {
  const char* name;               // the file
  SarLoc loc;                     // where the model says so
  const char* model;              // path of that model file; NULL: it has no folder
  bool in_memory;                 // `model` is the name of a text in memory: no folder either
  const SarSource* within;        // that file and those that include it; Nullable
  const SarLoadOptions* options;  // search paths and texts in memory; Nullable
  V3 scale;  // of each axis: 1, 1, 1 for files in metres, 0.001 for millimetres
} SarMeshRequest;

typedef struct SarMeshRead {
  SarMesh mesh;  // arrays in the arena; equal vertices are one, and all are corners of triangles
  const char* path;  // where it was found
  int degenerate;    // triangles with two corners at one place, left out
} SarMeshRead;

// Reads the file, which must be in the folder of the model file (or below) or in a search path (or
// below). What is wrong is reported at request->loc; SAR_NO_FILE, SAR_BAD_MODEL or SAR_NO_MEMORY
// then.
SarStatus sar_mesh_read(const SarMeshRequest* request, SarArena* arena, SarMeshRead* out,
                        SarError* err);

// The same from memory; the extension of request->name tells the format.
SarStatus sar_mesh_parse(const char* text, size_t n, const SarMeshRequest* request, SarArena* arena,
                         SarMeshRead* out, SarError* err);
