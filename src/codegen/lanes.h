// Generated code over lanes: each value becomes a vector of several doubles, one of each instance
// (structure of arrays, SIMD across instances), by the vector types of GCC and Clang.
//
// Bits: a lane computes what the code of one instance computes. The four operations are those of
// IEEE in both, in the same order and without contraction; sine and cosine are the same
// polynomials; a function of libm is called lane by lane. Where the code of one instance leaves
// early, lanes go on and what failed is put back at the end.
#pragma once
#include "codegen/runtime.h"

// "lt", "select", "atan2": what stands behind the prefix in calls.
const char* sar_lanes_function(SarOp op);
// Functions of vectors that the code calls: PREFIX_lt, ... `one` is the prefix of those of one
// lane.
void sar_lanes_runtime(SarWriter* w, const char* prefix, const char* one, int lanes,
                       const SarRuntime* uses);
// A text in which a word is another.
void sar_lanes_replace(SarWriter* to, const SarWriter* from, const char* word, const char* by);
