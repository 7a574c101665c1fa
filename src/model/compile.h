// SarSpec -> SarModel.
#pragma once
#include "model/model.h"
#include "model/spec.h"

// Compiles; parameters of the options override those of the spec by name, and so does their choice
// of coordinates. `o` Nullable. All errors of the spec are reported at once; *out is NULL then.
SarStatus sar_compile(const SarSpec* spec, const SarLoadOptions* o, SarModel** out, SarError* err);
