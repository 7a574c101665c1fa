// Units as columns have them ("kg m^2/s", "N m", "1/s") in terms of base units, as FMI wants them.
#pragma once
#include <stdbool.h>

enum { SAR_UNIT_KG, SAR_UNIT_M, SAR_UNIT_S, SAR_UNIT_RAD, SAR_UNIT_BASES };

typedef struct SarUnit {
  int exponent[SAR_UNIT_BASES];
} SarUnit;

// False: a symbol is not known.
bool sar_unit_parse(const char* text, SarUnit* out);
const char* sar_unit_base(int base);  // "kg", ...
