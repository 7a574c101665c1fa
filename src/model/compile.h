// SarSpec -> SarModel.
#pragma once
#include "model/model.h"
#include "model/spec.h"

// Compiles; parameters[] override those of the spec by name. All errors of the spec are reported at
// once; *out is NULL then.
SarStatus sar_compile(const SarSpec* spec, const SarParameter* parameters, int parameter_count,
                      SarModel** out, SarError* err);
