// Readers: text of a model file -> SarSpec. One function per format.
//
// `text` needs no ending 0; `file` stands for it in messages. `o` Nullable. `spec` was made ready
// by sar_spec_init and belongs to the caller, also after a failure. All errors of the text are
// reported at once (SAR_BAD_MODEL); warnings may be left in err with SAR_OK.
#pragma once
#include "model/spec.h"

// A text without a folder: what it includes is looked for in the search paths only. Files go
// through sar_read_source (io/source.h).
SarStatus sar_read_yaml(const char* text, size_t n, const char* file, const SarLoadOptions* o,
                        SarSpec* spec, SarError* err);
// Keys that every joint of a YAML file may have, with what they are; NULL past the last.
const char* sar_joint_key(int index, const char** doc);
// Relative names of meshes start from the folder of `file`.
SarStatus sar_read_urdf(const char* text, size_t n, const char* file, const SarLoadOptions* o,
                        SarSpec* spec, SarError* err);
// Reads a file by its extension. sar_compile makes models from the spec, with any parameters.
SarStatus sar_spec_load(const char* path, const SarLoadOptions* o, SarSpec* spec, SarError* err);
