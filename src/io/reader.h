// Readers: text of a model file -> SarSpec. One function per format.
//
// `text` needs no ending 0; `file` stands for it in messages and is where relative names start from.
// `o` Nullable. `spec` was made ready by sar_spec_init and belongs to the caller, also after a
// failure. All errors of the text are reported at once (SAR_BAD_MODEL); warnings may be left in err
// with SAR_OK.
#pragma once
#include "model/spec.h"

SarStatus sar_read_yaml(const char* text, size_t n, const char* file, const SarLoadOptions* o,
                        SarSpec* spec, SarError* err);
SarStatus sar_read_urdf(const char* text, size_t n, const char* file, const SarLoadOptions* o,
                        SarSpec* spec, SarError* err);
