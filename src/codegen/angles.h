// Angles whose sines and cosines generated code computes together, in a loop that vectorises: each
// is known by its text in C and has a number, under which the arrays `sine` and `cosine` hold its
// own.
#pragma once
#include "codegen/emit.h"

typedef struct SarAngles {
  SAR_LIST(const char*) text;
} SarAngles;

// Its number, a new one if it has none. -1: no memory.
int sar_angles_find(SarArena* arena, SarAngles* a, const char* text);
// The first of n numbers that follow one another, for these texts. -1: no memory, or some of them
// have others.
int sar_angles_row(SarArena* arena, SarAngles* a, int n, const char* const* text);
// How many are computed: whole vectors of so many.
int sar_angles_room(const SarAngles* a, int vector);
// The arrays, filled: declarations and statements of a function.
void sar_angles_write(const SarAngles* a, SarWriter* w, const char* model, int vector);
