// The list of output variables, made from outputs.def.
#include "sim/outputs/outputs.h"

static const SarOutputKind* const KINDS[] = {
#define SAR_OUTPUT(name) &sar_output_##name,
#include "sim/outputs/outputs.def"
#undef SAR_OUTPUT
};
enum { KIND_COUNT = sizeof KINDS / sizeof KINDS[0] };
_Static_assert(KIND_COUNT <= 64, "sets of quantities are 64 bits");

const SarOutputKind* sar_output_kind(int index) {
  return index >= 0 && index < KIND_COUNT ? KINDS[index] : NULL;
}
