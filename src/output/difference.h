// How far a result is from a reference: columns matched by name, rows by time, differences in units
// of the column's scale.
#pragma once
#include "output/table.h"

typedef struct SarDifference {
  int columns;  // that both have and that count
  size_t rows;  // at times that both have
  double
      largest;  // |run - reference| / scale, over all of them; infinite where the run is not finite
  int column;   // of the reference, where it is the largest; -1: nothing was compared
  double time;  // and when [s]
  // When the two part: the difference passes a tenth of the scale. NaN: never.
  double parted;
  // How far the reference moved, in scales, while the difference grew from a fiftieth to a tenth.
  // Errors of the steps add up over many scales; a run that takes another branch leaves within one.
  double parting;
} SarDifference;

// The scale of a column is the largest magnitude in it and in the other components of the same
// vector (x y z), and not less than rounding: 1e-7 of the columns of the same item, 1e-9 of all.
// `patterns` (sar_name_matches) chooses columns of the reference; NULL: all but the account of the
// energy's error. Names that other programs use are understood: .qd .sd .kin .pot .tot
SarStatus sar_table_difference(const SarTable* reference, const SarTable* run, const char* patterns,
                               SarDifference* out);

// Does `name` match one of the comma-separated patterns, with * and ?
bool sar_name_matches(const char* patterns, const char* name);
