// Memory that is used in steps is touched when it is taken: pages that the system has promised and
// not yet handed out would otherwise cost the first step as much as all its arithmetic.
#pragma once
#include "base/arena.h"

// Every page of a block, up to SAR_TOUCHED bytes of it. Contents stay as they are.
enum { SAR_TOUCHED = 8 << 20 };
void sar_touch(void* block, size_t size);
void sar_arena_touch(SarArena* a);
