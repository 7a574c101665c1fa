// Airfoil tables in C81 format: lift, drag and moment coefficients over angle of attack and Mach
// number.
//
//   columns  1-30  name, then six counts of two columns each: Mach numbers and angles of lift,
//            drag, moment
//   each table     Mach numbers from column 8 on, nine a line, seven columns each
//                  one row an angle: the angle in degrees in columns 1-7, then its values like the
//                  Mach numbers
//
// Columns count, not blanks: numbers may touch. Source: the format of the C81 rotor code as in
// Davis, USAAMRDL TR 74-10; many codes write it.
#pragma once
#include "base/arena.h"
#include "base/error.h"
#include "model/air.h"

enum { SAR_C81_MOST = 99 };  // Mach numbers or angles: two columns

// Arrays in the arena; `file` is what messages call it, and must live as long. Tables that do not
// reach from -180 to 180 degrees are warned of: beyond their ends they are constant. False:
// reported, or no memory (arena->failed).
bool sar_c81_read(SarArena* arena, const char* text, size_t n, const char* file, SarC81* out,
                  SarError* err);
