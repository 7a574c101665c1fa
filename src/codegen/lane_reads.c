// Lanes that are read where they stand (lane_reads.h).
#include "codegen/lane_reads.h"

// Coordinates: PREFIX_v4_step(&s->q[2], 3) is q[2], q[5], q[8], q[11].
static const char* read_array(const SarEmit* e, const SarTuple* t, int lanes, const char* vector) {
  int first = 0, step = 0;
  const char* base = NULL;
  for (int k = 0; k < lanes; k++) {
    int place = 0;
    const char* of = e->array(e->context, sar_node_name(e->g, t->node[k]), &place);
    if (!of || (base && of != base)) return NULL;
    if (k == 0) base = of, first = place;
    if (k == 1) step = place - first;
    if (place != first + k * step) return NULL;
  }
  if (step == 1) return sar_arena_printf(e->arena, "%s_there(&%s[%d])", vector, base, first);
  return sar_arena_printf(e->arena, "%s_step(&%s[%d], %d)", vector, base, first, step);
}

static const char* read_angles(const SarEmit* e, const SarTuple* t, int lanes, const char* vector,
                               SarAngles* angles) {
  const char* text[SAR_FAMILY_LANES];
  const SarOp op = sar_node_op(e->g, t->node[0]);
  for (int k = 0; k < lanes; k++) {
    const SarNode arg = sar_node_arg(e->g, t->node[k], 0);
    if (sar_node_op(e->g, t->node[k]) != op || sar_node_op(e->g, arg) != SAR_OP_SYMBOL) return NULL;
    text[k] = e->symbol(e->context, sar_node_name(e->g, arg));
    if (!text[k]) return NULL;
  }
  const int at = sar_angles_row(e->arena, angles, lanes, text);
  if (at < 0) return NULL;
  return sar_arena_printf(e->arena, "%s_there(&%s[%d])", vector,
                          op == SAR_OP_SIN ? "sine" : "cosine", at);
}

const char* sar_lane_read(const SarEmit* e, const SarTuple* t, int lanes, const char* vector,
                          SarAngles* angles) {
  const SarOp op = sar_node_op(e->g, t->node[0]);
  if (op == SAR_OP_SIN || op == SAR_OP_COS) return read_angles(e, t, lanes, vector, angles);
  for (int k = 0; k < lanes; k++)
    if (sar_node_op(e->g, t->node[k]) != SAR_OP_SYMBOL) return NULL;
  return e->array ? read_array(e, t, lanes, vector) : NULL;
}
