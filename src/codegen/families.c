// Which parts of a graph are alike (families.h).
//
// From the seeds to what they are made of, all lanes at a time: the same operation in every lane is
// one operation on vectors; one node that all lanes have is a scalar; numbers are a row of a table;
// and what is none of these is gathered from scalars. Arguments of sums and products are exchanged
// where they match better that way round.
#include "codegen/families.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- shapes -------------------------------------------------------------------------------------

static uint64_t mix(uint64_t h, uint64_t x) {  // splitmix64
  h += 0x9e3779b97f4a7c15u + x;
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
  return h ^ (h >> 31);
}

static uint64_t shape_of_text(const char* text, const char* end) {
  uint64_t h = 1;
  for (; text < end; text++) h = mix(h, (unsigned char)*text);
  return h;
}

// Coordinates of twins and their numbers are alike where they stand at the same place in each; all
// other symbols are only like themselves.
static uint64_t shape_of_symbol(const SarTwins* t, const char* name) {
  const SarModel* m = t->m;
  const char* bracket = strchr(name, '[');
  int i = 0, b = -1, from = 0;
  double value;
  if (!bracket) return shape_of_text(name, name + strlen(name));
  if (sar_twins_value(t, name, &value)) return shape_of_text(name, bracket);
  if (sscanf(name, "q[%d]", &i) == 1) {
    for (b = m->nbody - 1; b >= 0 && m->joint_qadr[b] > i;) b--;
  } else if ((sscanf(name, "v[%d]", &i) == 1 || sscanf(name, "tau[%d]", &i) == 1) && i < m->nv) {
    b = m->dof_body[i];
  }
  if (b < 0 || t->body[b].group < 0) return shape_of_text(name, name + strlen(name));
  from = b - t->body[b].at;
  from = name[0] == 'q' ? m->joint_qadr[from] : m->joint_vadr[from];
  return mix(mix(shape_of_text(name, bracket), (uint64_t)t->body[b].group), (uint64_t)(i - from));
}

static bool commutes(SarOp op) { return op == SAR_OP_ADD || op == SAR_OP_MUL; }

// Sums of constants that rounding alone keeps from a whole number: entries of a rotation and its
// inverse, say. Zeros and ones drop out of the equations.
static const double ROUNDING = 16 * 0x1p-53;

static double clean(double x, double size) {
  const double whole = rint(x);
  return fabs(x - whole) <= ROUNDING * size ? whole : x;
}

static double size_of(SarOp op, const double* x, const double* size) {
  if (op == SAR_OP_ADD || op == SAR_OP_SUB) return fmax(size[0], size[1]);
  if (op == SAR_OP_MUL) return size[0] * size[1];
  return op == SAR_OP_NEG ? size[0] : fabs(sar_op_apply(op, x[0], x[1]));
}

// Shape and constant value of a node whose arguments have theirs.
static void look_at(SarMatch* m, SarNode i) {
  const SarGraph* g = m->g;
  const SarOp op = sar_node_op(g, i);
  const int num = sar_node_num(g, i);
  uint64_t sum = 0, row = 0;
  double x[2] = {0}, size[2] = {0};
  m->constant[i] = num == 1 || num == 2;
  for (int k = 0; k < num; k++) {
    const SarNode arg = sar_node_arg(g, i, k);
    sum += m->shape[arg], row = mix(row, m->shape[arg]);
    m->constant[i] = m->constant[i] && m->constant[arg];
    if (k < 2) x[k] = m->value[arg], size[k] = m->size[arg];
  }
  if (m->constant[i]) {
    m->size[i] = size_of(op, x, size);
    m->value[i] = clean(sar_op_apply(op, x[0], x[1]), m->size[i]);
  }
  if (op == SAR_OP_NUMBER) m->constant[i] = sar_node_is_number(g, i, &m->value[i]);
  if (op == SAR_OP_SYMBOL)
    m->constant[i] = sar_twins_value(m->f->twins, sar_node_name(g, i), &m->value[i]);
  if (num == 0 && m->constant[i]) m->size[i] = fabs(m->value[i]);
  m->shape[i] = op == SAR_OP_NUMBER   ? 0
                : op == SAR_OP_SYMBOL ? shape_of_symbol(m->f->twins, sar_node_name(g, i))
                                      : mix((uint64_t)op, commutes(op) ? sum : row);
}

// ---- members ------------------------------------------------------------------------------------

bool sar_families_begin(SarFamilies* f, SarArena* arena, SarGraph* g, SarTwins* twins) {
  *f = (SarFamilies){.arena = arena, .g = g, .twins = twins};
  f->seed = SAR_ARENA_ARRAY(arena, SarSeeds*, twins->group.count + 1);
  for (int i = 0; f->seed && i < twins->group.count; i++)
    f->seed[i] = SAR_ARENA_ARRAY(arena, SarSeeds, twins->group.items[i].members);
  return !arena->failed;
}

void sar_families_note(const SarFamilies* f, SarTwinPlace of, SarNode node) {
  if (of.group < 0 || node < 0) return;
  SarNode* to = SAR_LIST_ADD(f->arena, &f->seed[of.group][of.member].node);
  if (to) *to = node;
}

static bool add_family(SarFamilies* f, const SarSeeds* member, int lanes) {
  const int seeds = member[0].node.count;
  for (int k = 1; k < lanes; k++)
    if (member[k].node.count != seeds) return true;
  SarFamily* to = SAR_LIST_ADD(f->arena, &f->list);
  if (!to) return false;
  *to = (SarFamily){lanes, seeds, SAR_ARENA_ARRAY(f->arena, SarNode, lanes * seeds + 1)};
  if (!to->seed) return false;
  for (int i = 0; i < seeds; i++)
    for (int k = 0; k < lanes; k++) to->seed[i * lanes + k] = member[k].node.items[i];
  return true;
}

bool sar_families_end(SarFamilies* f) {
  for (int i = 0; i < f->twins->group.count; i++)
    for (int at = 0, left = f->twins->group.items[i].members; left >= 2;) {
      const int lanes = left >= SAR_FAMILY_LANES ? SAR_FAMILY_LANES : 2;
      if (!add_family(f, &f->seed[i][at], lanes)) return false;
      at += lanes, left -= lanes;
    }
  return !f->arena->failed;
}

// ---- tuples -------------------------------------------------------------------------------------

static bool is_same(const SarNode* a, const SarNode* b, int lanes) {
  return memcmp(a, b, (size_t)lanes * sizeof *a) == 0;
}

// What vectors have; sines are computed together before.
static bool can_pack(SarOp op) {
  switch (op) {
    case SAR_OP_NEG:
    case SAR_OP_ADD:
    case SAR_OP_SUB:
    case SAR_OP_MUL:
    case SAR_OP_DIV:
    case SAR_OP_SQRT:
    case SAR_OP_ABS:
    case SAR_OP_LT:
    case SAR_OP_LE:
    case SAR_OP_GT:
    case SAR_OP_GE:
    case SAR_OP_EQ:
    case SAR_OP_MIN:
    case SAR_OP_MAX:
    case SAR_OP_SELECT: return true;
    default: return false;
  }
}

static SarLaneKind kind_of(const SarMatch* m, const SarNode* node, int lanes) {
  bool same = true, numbers = true, packed = can_pack(sar_node_op(m->g, node[0]));
  for (int k = 0; k < lanes; k++) {
    same = same && node[k] == node[0];
    numbers = numbers && m->constant[node[k]];
    packed = packed && sar_node_op(m->g, node[k]) == sar_node_op(m->g, node[0]);
  }
  return same      ? SAR_LANE_SHARED
         : numbers ? SAR_LANE_NUMBERS
         : packed  ? SAR_LANE_PACKED
                   : SAR_LANE_GATHERED;
}

// The tuple of these nodes; -1: no memory.
static int tuple_of(SarMatch* m, int family, const SarNode* node) {
  const int lanes = m->f->list.items[family].lanes;
  for (int i = m->first[node[0]]; i >= 0; i = m->tuple.items[i].next)
    if (m->tuple.items[i].family == family && is_same(m->tuple.items[i].node, node, lanes))
      return i;
  SarTuple* t = SAR_LIST_ADD(m->arena, &m->tuple);
  if (!t) return -1;
  *t = (SarTuple){.family = family, .kind = kind_of(m, node, lanes), .arg = {-1, -1, -1}};
  memcpy(t->node, node, (size_t)lanes * sizeof *node);
  t->next = m->first[node[0]];
  m->first[node[0]] = m->tuple.count - 1;
  for (int k = 1; k < lanes; k++) m->mate[k][node[0]] = node[k];
  return m->tuple.count - 1;
}

// Do the arguments a, b of lane k go better with x, y the other way round?
static bool is_crossed(const SarMatch* m, int k, SarNode x, SarNode y, SarNode a, SarNode b) {
  const uint64_t* s = m->shape;
  const int straight = (s[x] == s[a]) + (s[y] == s[b]), crossed = (s[x] == s[b]) + (s[y] == s[a]);
  if (straight != crossed) return crossed > straight;
  const SarNode* mate = m->mate[k];
  const int met = (x == a) + (y == b) + (mate[x] == a) + (mate[y] == b),
            other = (x == b) + (y == a) + (mate[x] == b) + (mate[y] == a);
  return other > met;
}

static bool match_arguments(SarMatch* m, int at) {
  const SarTuple t = m->tuple.items[at];
  const int lanes = m->f->list.items[t.family].lanes, num = sar_node_num(m->g, t.node[0]);
  SarNode arg[3][SAR_FAMILY_LANES];
  for (int k = 0; k < lanes; k++) {
    for (int i = 0; i < num; i++) arg[i][k] = sar_node_arg(m->g, t.node[k], i);
    if (k > 0 && commutes(sar_node_op(m->g, t.node[0])) &&
        is_crossed(m, k, arg[0][0], arg[1][0], arg[0][k], arg[1][k])) {
      const SarNode x = arg[0][k];
      arg[0][k] = arg[1][k], arg[1][k] = x;
    }
  }
  for (int i = 0; i < num; i++) {
    const int of = tuple_of(m, t.family, arg[i]);
    if (of < 0) return false;
    m->tuple.items[at].arg[i] = of;
  }
  return true;
}

bool sar_match_families(SarArena* arena, const SarFamilies* f, SarMatch* out) {
  const int n = sar_graph_count(f->g);
  *out = (SarMatch){.g = f->g, .f = f, .arena = arena};
  out->first = SAR_ARENA_ARRAY(arena, int, n + 1);
  out->shape = SAR_ARENA_ARRAY(arena, uint64_t, n + 1);
  out->constant = SAR_ARENA_ARRAY(arena, bool, n + 1);
  out->value = SAR_ARENA_ARRAY(arena, double, n + 1);
  out->size = SAR_ARENA_ARRAY(arena, double, n + 1);
  for (int k = 1; k < SAR_FAMILY_LANES; k++) out->mate[k] = SAR_ARENA_ARRAY(arena, SarNode, n + 1);
  if (arena->failed) return false;
  for (int i = 0; i < n; i++) {
    out->first[i] = -1;
    look_at(out, i);
    for (int k = 1; k < SAR_FAMILY_LANES; k++) out->mate[k][i] = SAR_NONE;
  }
  for (int i = 0; i < f->list.count; i++)
    for (int k = 0; k < f->list.items[i].seeds; k++)
      if (tuple_of(out, i, &f->list.items[i].seed[k * f->list.items[i].lanes]) < 0) return false;
  for (int i = 0; i < out->tuple.count; i++)  // grows
    if (out->tuple.items[i].kind == SAR_LANE_PACKED && !match_arguments(out, i)) return false;
  return true;
}
