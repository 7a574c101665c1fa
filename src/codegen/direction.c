// Directions of derivatives over symbols (direction.h).
#include "codegen/direction.h"

#include "codegen/spatial.h"

SarNode sar_direction_rate(void* direction, SarNode symbol) {
  const SymDirection* d = direction;
  for (int i = 0; i < d->symbols; i++)
    if (d->symbol[i] == symbol) return d->rate[i];
  return SAR_NONE;
}

static void add_symbol(SymDirection* d, SarNode symbol, SarNode rate) {
  d->symbol[d->symbols] = symbol;
  d->rate[d->symbols++] = rate;
}

SymDirection sar_direction_symbol(SarGraph* g, SarNode symbol) {
  SymDirection d = {.g = g};
  add_symbol(&d, symbol, s_num(g, 1));
  return d;
}

// A unit quaternion turned about axis k of the body: dq = q o (0, e_k / 2)
static void turn_quaternion(SymDirection* d, const SarNode* q, int k) {
  static const struct {
    int from, sign;
  } rule[3][4] = {{{1, -1}, {0, 1}, {3, 1}, {2, -1}},
                  {{2, -1}, {3, -1}, {0, 1}, {1, 1}},
                  {{3, -1}, {2, 1}, {1, -1}, {0, 1}}};
  for (int i = 0; i < 4; i++)
    add_symbol(d, q[i], s_mul(d->g, s_num(d->g, 0.5 * rule[k][i].sign), q[rule[k][i].from]));
}

SymDirection sar_direction_q(SarGraph* g, const SarModel* m, const SarNode* q, int joint, int k) {
  const SarJointKind* kind = m->joint_kind[joint];
  SymDirection d = {.g = g};
  const int lengths = kind->nv - 3;  // of a free joint, before the quaternion
  if (kind->nq == kind->nv || k < lengths)
    add_symbol(&d, q[k], s_num(g, 1));
  else
    turn_quaternion(&d, q + lengths, k - lengths);
  return d;
}
