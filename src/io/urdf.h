// The parts of the URDF reader: values (urdf.c), connections (urdf_tree.c), and what is only checked
// (urdf_check.c).
#pragma once
#include "io/xml.h"
#include "model/spec.h"

typedef struct Urdf {
  SarSpec* spec;  // bodies are the links, joints the joints, in the order of the file
  SarError* err;
  SarArena arena;  // the XML tree and other things that die with the reading
  const XmlTag* robot;
  const char* file;
  const SarLoadOptions* options;  // Nullable
} Urdf;

// Names unique, every joint between known links, one root, no loops; then the root becomes the
// ground (a massless link "world") or is welded to it.
void sar_urdf_connect(Urdf* u);
// Tags given twice are errors; unknown tags and attributes and missing mesh files are warnings.
void sar_urdf_check(Urdf* u);
