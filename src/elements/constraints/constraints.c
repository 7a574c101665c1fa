// The list of kinds of constraints, made from constraints.def.
#include "model/constraint_kind.h"

#define SAR_CONSTRAINT(name) extern const SarConstraintKind sar_constraint_##name;
#include "elements/constraints/constraints.def"
#undef SAR_CONSTRAINT

static const SarConstraintKind* const KINDS[] = {
#define SAR_CONSTRAINT(name) &sar_constraint_##name,
#include "elements/constraints/constraints.def"
#undef SAR_CONSTRAINT
};
enum { KIND_COUNT = sizeof KINDS / sizeof KINDS[0] };

const SarConstraintKind* sar_constraint_kind(int index) {
  return index >= 0 && index < KIND_COUNT ? KINDS[index] : NULL;
}
