// The list of kinds of hydraulic elements, made from hydraulics.def.
#include "model/signal_kind.h"

#define SAR_HYDRAULIC(name) extern const SarSignalKind sar_hydraulic_##name;
#include "elements/hydraulics/hydraulics.def"
#undef SAR_HYDRAULIC

static const SarSignalKind* const KINDS[] = {
#define SAR_HYDRAULIC(name) &sar_hydraulic_##name,
#include "elements/hydraulics/hydraulics.def"
#undef SAR_HYDRAULIC
};
enum { KIND_COUNT = sizeof KINDS / sizeof KINDS[0] };

const SarSignalKind* sar_hydraulic_kind(int index) {
  return index >= 0 && index < KIND_COUNT ? KINDS[index] : NULL;
}
