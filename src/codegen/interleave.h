// Lines of several texts in turn, so that a processor that waits for one has others to go on with.
#pragma once
#include "codegen/emit.h"

// Each text keeps its order; longer ones have more lines between those of others.
void sar_interleave(SarWriter* out, int n, const SarWriter* text);
