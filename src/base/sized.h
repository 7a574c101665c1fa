// Structs that host programs allocate, across versions of the library: a program knows those of the
// header it was compiled with, and says how large they are (include/sarrus/sarrus.h, at its head).
#pragma once
#include "sarrus/sarrus.h"

// A result: as much of `what` as the program has room for, zeros where it expects more.
void sar_give(void* out, size_t out_size, const void* what, size_t size);

// Options that begin with their size: what the program knows of them over the defaults in `full`,
// which has `size` bytes. SAR_BAD_ARGUMENT: `maker` did not make them, or that of a newer library.
SarStatus sar_take_options(void* full, size_t size, const void* given, const char* maker,
                           SarError* err);
