// The order of scalars and loops (stages.h).
#include "codegen/stages.h"

typedef struct Need {
  SarStages* s;
  SarArena* arena;
  SAR_LIST(int) open;  // nodes; tuples as -1 - t
} Need;

static const SarTuple* tuple_at(const SarStages* s, int t) { return &s->match.tuple.items[t]; }

static bool is_leaf(const SarStages* s, SarNode n) {
  return s->match.constant[n] || sar_node_num(s->match.g, n) == 0;
}

// ---- what is needed -----------------------------------------------------------------------------

static bool need(Need* n, int what) {
  bool* mark = what < 0 ? &n->s->wanted[-1 - what] : &n->s->needed[what];
  if (*mark) return true;
  *mark = true;
  int* slot = SAR_LIST_ADD(n->arena, &n->open);
  if (!slot) return false;
  *slot = what;
  return true;
}

static bool need_of_node(Need* n, SarNode i) {
  SarStages* s = n->s;
  if (s->from[i] >= 0) {
    s->kept[s->from[i]] = true;
    return need(n, -1 - s->from[i]);
  }
  bool done = true;
  for (int k = 0; !is_leaf(s, i) && k < sar_node_num(s->match.g, i); k++)
    done = done && need(n, sar_node_arg(s->match.g, i, k));
  return done;
}

static bool need_of_tuple(Need* n, int t) {
  const SarTuple* x = tuple_at(n->s, t);
  bool done = true;
  if (x->kind == SAR_LANE_PACKED)
    for (int k = 0; k < 3 && x->arg[k] >= 0; k++) done = done && need(n, -1 - x->arg[k]);
  if (x->kind == SAR_LANE_SHARED) done = need(n, x->node[0]);
  if (x->kind == SAR_LANE_GATHERED)
    for (int k = 0; k < sar_stages_lanes(n->s, t); k++) done = done && need(n, x->node[k]);
  return done;
}

static bool find_needs(SarStages* s, SarArena* arena) {
  Need n = {.s = s, .arena = arena};
  for (int i = 0; i < s->outputs; i++)
    if (!need(&n, s->output[i])) return false;
  while (n.open.count > 0) {
    const int what = n.open.items[--n.open.count];
    if (!(what < 0 ? need_of_tuple(&n, -1 - what) : need_of_node(&n, what))) return false;
  }
  return true;
}

// ---- stages -------------------------------------------------------------------------------------

static int level_of(const SarStages* s, SarNode n) {
  int level = 0;
  if (s->from[n] >= 0) return s->stage[s->from[n]] + 1;
  for (int k = 0; !is_leaf(s, n) && k < sar_node_num(s->match.g, n); k++) {
    const int of = s->level[sar_node_arg(s->match.g, n, k)];
    level = of > level ? of : level;
  }
  return level;
}

static int stage_of(const SarStages* s, int t) {
  const SarTuple* x = tuple_at(s, t);
  int stage = 0;
  const int num = x->kind == SAR_LANE_PACKED     ? 3
                  : x->kind == SAR_LANE_GATHERED ? sar_stages_lanes(s, t)
                  : x->kind == SAR_LANE_SHARED   ? 1
                                                 : 0;
  for (int k = 0; k < num; k++) {
    if (x->kind == SAR_LANE_PACKED && x->arg[k] < 0) break;
    const int of = x->kind == SAR_LANE_PACKED ? s->stage[x->arg[k]] : s->level[x->node[k]];
    stage = of > stage ? of : stage;
  }
  return stage;
}

static void sort_tuples(SarStages* s) {
  int count = 0;
  for (int n = 0; n < sar_graph_count(s->match.g); n++)
    for (int t = s->match.first[n]; t >= 0; t = tuple_at(s, t)->next) s->tuple[count++] = t;
}

// One pass from the leaves; has anything changed?
static bool advance(SarStages* s) {
  bool changed = false;
  for (int n = 0, at = 0; n < sar_graph_count(s->match.g); n++) {
    for (; at < s->match.tuple.count && tuple_at(s, s->tuple[at])->node[0] == n; at++) {
      const int t = s->tuple[at], stage = s->wanted[t] ? stage_of(s, t) : 0;
      changed = changed || stage != s->stage[t];
      s->stage[t] = stage;
    }
    const int level = s->needed[n] ? level_of(s, n) : 0;
    changed = changed || level != s->level[n];
    s->level[n] = level;
  }
  return changed;
}

// False: members need one another, or take turns too often.
static bool find_stages(SarStages* s) {
  for (int turn = 0; turn < 8 * SAR_STAGES_MOST; turn++) {
    if (!advance(s)) return true;
    for (int t = 0; t < s->match.tuple.count; t++)
      if (s->stage[t] > SAR_STAGES_MOST) return false;
  }
  return false;
}

// ---- places -------------------------------------------------------------------------------------

static void keep_node(SarStages* s, SarNode n) {
  if (is_leaf(s, n) || s->from[n] >= 0 || s->place[n] >= 0) return;
  const SarNode first = s->equal[n];
  if (s->place[first] < 0) s->place[first] = s->room++;
  s->place[n] = s->place[first];
}

// Scalars of the same stage that differ by the names of numbers alone.
static bool find_equal(SarStages* s, SarArena* arena) {
  const int count = sar_graph_count(s->match.g);
  SarGraph* plain = sar_graph_new(arena);
  SarNode *node = SAR_ARENA_ARRAY(arena, SarNode, count + 1), *first;
  if (!plain || !node) return false;
  for (int n = 0; n < count; n++) s->equal[n] = node[n] = n;
  if (!sar_twins_put_numbers(s->match.f->twins, s->match.g, count, node, plain, node)) return false;
  first = SAR_ARENA_ARRAY(arena, SarNode, sar_graph_count(plain) + 1);
  if (!first) return false;
  for (int i = 0; i < sar_graph_count(plain); i++) first[i] = SAR_NONE;
  for (int n = 0; n < count; n++) {
    SarNode* of = &first[node[n]];
    if (!s->needed[n] || s->from[n] >= 0 || is_leaf(s, n)) continue;
    if (*of < 0) *of = n;
    if (s->level[*of] == s->level[n]) s->equal[n] = *of;
  }
  return true;
}

static void choose_places(SarStages* s) {
  for (int n = 0; n < sar_graph_count(s->match.g); n++) {
    if (!s->needed[n] || s->from[n] >= 0 || is_leaf(s, n)) continue;
    for (int k = 0; k < sar_node_num(s->match.g, n); k++) {
      const SarNode arg = sar_node_arg(s->match.g, n, k);
      if (s->level[arg] < s->level[n]) keep_node(s, arg);
    }
  }
  for (int t = 0; t < s->match.tuple.count; t++) {
    const SarTuple* x = tuple_at(s, t);
    if (!s->wanted[t]) continue;
    if (x->kind == SAR_LANE_SHARED) keep_node(s, x->node[0]);
    for (int k = 0; x->kind == SAR_LANE_PACKED && k < 3 && x->arg[k] >= 0; k++)
      if (s->stage[x->arg[k]] < s->stage[t]) s->kept[x->arg[k]] = true;
  }
  for (int t = 0; t < s->match.tuple.count; t++) {
    const SarLaneKind kind = tuple_at(s, t)->kind;
    if (!s->wanted[t]) continue;
    s->last = s->stage[t] > s->last ? s->stage[t] : s->last;
    if (kind == SAR_LANE_GATHERED || (kind == SAR_LANE_PACKED && s->kept[t])) {
      s->at[t] = s->room;
      s->room += sar_stages_lanes(s, t);
    }
  }
  for (int i = 0; i < s->outputs; i++)
    s->last = s->level[s->output[i]] > s->last ? s->level[s->output[i]] : s->last;
}

// Coordinates, their sines and cosines are read where they stand (lane_reads.h).
static bool is_read(const SarStages* s, SarNode n) {
  const SarOp op = sar_node_op(s->match.g, n);
  return op == SAR_OP_SYMBOL || op == SAR_OP_SIN || op == SAR_OP_COS;
}

// Operations that loops save against what moves values to and fro.
static bool is_worth(const SarStages* s) {
  long saved = 0, moved = 0;
  for (int t = 0; t < s->match.tuple.count; t++) {
    const int lanes = sar_stages_lanes(s, t);
    if (!s->wanted[t]) continue;
    if (tuple_at(s, t)->kind == SAR_LANE_PACKED) saved += lanes - 1, moved += s->kept[t];
    if (tuple_at(s, t)->kind == SAR_LANE_GATHERED)
      moved += is_read(s, tuple_at(s, t)->node[0]) ? lanes / 2 : lanes;
  }
  return saved > 2 * moved;
}

static bool make_room(SarStages* s, SarArena* arena) {
  const int nodes = sar_graph_count(s->match.g) + 1, tuples = s->match.tuple.count + 1;
  s->tuple = SAR_ARENA_ARRAY(arena, int, tuples);
  s->stage = SAR_ARENA_ARRAY(arena, int, tuples);
  s->at = SAR_ARENA_ARRAY(arena, int, tuples);
  s->wanted = SAR_ARENA_ARRAY(arena, bool, tuples);
  s->kept = SAR_ARENA_ARRAY(arena, bool, tuples);
  s->needed = SAR_ARENA_ARRAY(arena, bool, nodes);
  s->from = SAR_ARENA_ARRAY(arena, int, nodes);
  s->lane = SAR_ARENA_ARRAY(arena, int, nodes);
  s->level = SAR_ARENA_ARRAY(arena, int, nodes);
  s->place = SAR_ARENA_ARRAY(arena, int, nodes);
  s->equal = SAR_ARENA_ARRAY(arena, SarNode, nodes);
  if (arena->failed) return false;
  for (int i = 0; i < nodes; i++) s->from[i] = s->place[i] = -1;
  for (int t = 0; t < tuples; t++) s->at[t] = -1;
  return true;
}

bool sar_stages_plan(SarArena* arena, const SarFamilies* f, int outputs, const SarNode* output,
                     SarStages* out) {
  *out = (SarStages){.outputs = outputs, .output = output};
  if (!sar_match_families(arena, f, &out->match) || !make_room(out, arena)) return false;
  for (int t = 0; t < out->match.tuple.count; t++)
    for (int k = 0; tuple_at(out, t)->kind == SAR_LANE_PACKED && k < sar_stages_lanes(out, t); k++)
      if (out->from[tuple_at(out, t)->node[k]] < 0) {
        out->from[tuple_at(out, t)->node[k]] = t;
        out->lane[tuple_at(out, t)->node[k]] = k;
      }
  sort_tuples(out);
  if (!find_needs(out, arena) || !find_stages(out) || !find_equal(out, arena)) return false;
  choose_places(out);
  return is_worth(out);
}
