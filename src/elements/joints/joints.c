// The list of joint kinds, made from joints.def.
#include "model/joint_kind.h"

#include <string.h>

#define SAR_JOINT(name) extern const SarJointKind sar_joint_##name;
#include "elements/joints/joints.def"
#undef SAR_JOINT

static const SarJointKind* const KINDS[] = {
#define SAR_JOINT(name) &sar_joint_##name,
#include "elements/joints/joints.def"
#undef SAR_JOINT
};
enum { KIND_COUNT = sizeof KINDS / sizeof KINDS[0] };

const SarJointKind* sar_joint_kind(int index) {
  return index >= 0 && index < KIND_COUNT ? KINDS[index] : NULL;
}

const SarJointKind* sar_joint_kind_find(const char* name) {
  for (int i = 0; i < KIND_COUNT; i++)
    if (strcmp(KINDS[i]->name, name) == 0) return KINDS[i];
  return NULL;
}
