// Units of columns, from what they are of.
#include "model/output_kind.h"
#include "sim/outputs.h"
#include "sim/outputs/outputs.h"

enum { VECTOR = 3 };

// Coordinates of position are as many as those of velocity, or there is a quaternion among them,
// whose components are called qw to qz and have no unit.
static const char* joint_unit(const SarOutputKind* k, const SarJointKind* joint, int i) {
  if (joint->cls == SAR_CLASS_MODE) return "";  // as its shape is scaled
  const bool position = k == &sar_output_joint_position;
  if (position && joint->nq != joint->nv) return joint->q_suffix[i][0] == 'q' ? "" : k->unit;
  return joint->coordinate[i] == SAR_ANGLE ? k->unit_turn : k->unit;
}

SAR_API const char* sar_model_unit(const SarModel* m, SarItem kind, int index) {
  if (index < 0 || index >= sar_model_count(m, kind)) return NULL;
  if (kind == SAR_ITEM_INPUT) return sar_text(m, m->input_unit[index]);
  return kind == SAR_ITEM_OUTPUT ? sar_output_unit(m, index) : "";
}

const char* sar_output_unit(const SarModel* m, int output) {
  if (output < 0 || output >= m->nchannel) return "";
  const SarChannel* c = &m->channel[output];
  const SarOutputKind* k = c->kind;
  if (!k->unit) return "";
  if (!k->unit_turn) return k->unit;
  if (k->of_coordinates) return joint_unit(k, m->joint_kind[c->index], c->component);
  return c->component < VECTOR ? k->unit : k->unit_turn;
}
