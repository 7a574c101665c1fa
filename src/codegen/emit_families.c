// Scalars and loops over families as C (families.h).
//
//   PREFIX_a0   scalars of stage 0, into l
//   PREFIX_b0_0 the first family's vectors: from l[7] on there are lanes, PREFIX_b0_0_c[3] are
//   numbers
//   PREFIX_a1   scalars that need those, and so on
//
// A chain of roots and quotients keeps a processor waiting: families that have such chains at the
// same stage are written statement by statement in turn, in one function PREFIX_b0, where there are
// vectors.
#include "codegen/interleave.h"
#include "codegen/lane_reads.h"
#include "codegen/runtime.h"
#include "codegen/stages.h"

#include "base/print.h"
#include "symbolic/print.h"
#include "symbolic/rewrite.h"

#include <limits.h>
#include <string.h>

enum { LONGEST = 1000, MOST_TOGETHER = 4 };  // statements of a function; families in one

typedef struct Staged {
  SarEmit* e;
  SarStages s;
  int stage;
  SarGraph* to;
  SarEmitted* done;
  const char* arguments;
  const char* passed;
  const char* vector;  // of the loop that is written; NULL: of scalars
  SarWriter calls;
  SarAngles angles;   // of all functions
  const char** read;  // by tuple: gathered lanes that stand somewhere already; NULL: in l
} Staged;

static const char* symbol_of(void* context, const char* name) {
  const Staged* x = context;
  if (strncmp(name, "l[", 2) == 0 || strstr(name, "_v")) return name;
  if (x->vector)
    return sar_arena_printf(x->e->arena, "%s_all(%s)", x->vector,
                            x->e->symbol(x->e->context, name));
  return x->e->symbol(x->e->context, name);
}

static SarNode symbol(const Staged* x, int i) {
  char name[24];
  sar_snprintf(name, sizeof name, "l[%d]", i);
  return sar_sym_symbol(x->to, name);
}

// A scalar in all lanes, and lanes side by side.
static SarNode in_all(const Staged* x, int i) {
  const char* name = sar_arena_printf(x->e->arena, "%s_all(l[%d])", x->vector, i);
  return name ? sar_sym_symbol(x->to, name) : SAR_NONE;
}

static const char* here(const Staged* x, int i) {
  return sar_arena_printf(x->e->arena, "%s_here(&l[%d])", x->vector, i);
}

static SarNode at_here(const Staged* x, int i) {
  const char* name = here(x, i);
  return name ? sar_sym_symbol(x->to, name) : SAR_NONE;
}

// What was computed before, as a symbol; SAR_NONE: it was not.
static SarNode known(void* context, SarNode n) {
  const Staged* x = context;
  const SarStages* s = &x->s;
  if (s->match.constant[n]) return sar_sym_number(x->to, s->match.value[n]);
  if (s->from[n] >= 0 && s->wanted[s->from[n]] && s->at[s->from[n]] >= 0)
    return symbol(x, s->at[s->from[n]] + s->lane[n]);
  return s->place[n] >= 0 && s->level[n] < x->stage ? symbol(x, s->place[n]) : SAR_NONE;
}

static SarEmit emitter(Staged* x, const char* kind, int number, int lanes) {
  SarEmit e = *x->e;
  e.prefix = number < 0
                 ? sar_arena_printf(e.arena, "%s_%s%d", x->e->prefix, kind, x->stage)
                 : sar_arena_printf(e.arena, "%s_%s%d_%d", x->e->prefix, kind, x->stage, number);
  e.g = x->to;
  e.arguments = x->arguments;
  e.passed = x->passed;
  e.unused = sar_arena_printf(e.arena, "%s, (void)l, (void)sine, (void)cosine", x->e->unused);
  e.angles = &x->angles;
  e.symbol = symbol_of;
  e.context = x;
  x->vector = lanes > 0 ? sar_arena_printf(e.arena, "%s_v%d", x->e->model, lanes) : NULL;
  if (lanes == 0) return e;
  e.vector = e.model = x->vector;
  e.lanes = lanes;
  e.uses = &x->e->family_uses[lanes];
  e.longest = LONGEST;
  return e;
}

static bool emit(Staged* x, SarEmit* e, int n, const SarAssign* assign) {
  SarEmitted part;
  if (!e->prefix || !sar_emit_functions(e, n, assign, &part)) return false;
  x->done->functions += part.functions;
  x->done->statements += part.statements;
  sar_write(&x->calls, "  %s(%s);\n", e->prefix, x->passed);
  return true;
}

// ---- scalars ------------------------------------------------------------------------------------

typedef struct List {
  SAR_LIST(SarAssign) item;
} List;

static bool add(const Staged* x, List* l, SarNode node, const char* to) {
  SarAssign* a = SAR_LIST_ADD(x->e->arena, &l->item);
  if (!a || !to) return false;
  *a = (SarAssign){node, to};
  return true;
}

static bool add_place(const Staged* x, List* l, SarNode node, int place) {
  return add(x, l, node, sar_arena_printf(x->e->arena, "l[%d]", place));
}

static bool list_scalars(const Staged* x, int n, const SarAssign* assign, List* l) {
  const SarStages* s = &x->s;
  bool done = true;
  for (int i = 0; i < n; i++)
    if (s->level[assign[i].node] == x->stage)
      done = done && add(x, l, assign[i].node, assign[i].to);
  for (int i = 0; i < sar_graph_count(x->e->g); i++)
    if (s->place[i] >= 0 && s->equal[i] == i && s->level[i] == x->stage)
      done = done && add_place(x, l, i, s->place[i]);
  for (int t = 0; t < s->match.tuple.count; t++) {
    const SarTuple* of = &s->match.tuple.items[t];
    if (!s->wanted[t] || of->kind != SAR_LANE_GATHERED || x->read[t]) continue;
    for (int k = 0; k < sar_stages_lanes(s, t); k++)
      if (s->level[of->node[k]] == x->stage)
        done = done && add_place(x, l, of->node[k], s->at[t] + k);
  }
  return done;
}

static bool emit_scalars(Staged* x, int n, const SarAssign* assign) {
  List l = {0};
  SarArena* arena = x->e->arena;
  if (!list_scalars(x, n, assign, &l)) return false;
  const int count = l.item.count;
  if (count == 0) return true;
  x->to = sar_graph_new(arena);
  SarNode* node = SAR_ARENA_ARRAY(arena, SarNode, count + 1);
  if (!x->to || !node) return false;
  for (int i = 0; i < count; i++) node[i] = l.item.items[i].node;
  if (!sar_sym_translate(x->e->g, count, node, x->to, known, x, node)) return false;
  for (int i = 0; i < count; i++) l.item.items[i].node = node[i];
  SarEmit e = emitter(x, "a", -1, 0);
  return emit(x, &e, count, l.item.items);
}

// ---- loops --------------------------------------------------------------------------------------

static SarNode apply(SarGraph* g, SarOp op, const SarNode* x) {
  switch (op) {
    case SAR_OP_NEG: return sar_sym_neg(g, x[0]);
    case SAR_OP_ADD: return sar_sym_add(g, x[0], x[1]);
    case SAR_OP_SUB: return sar_sym_sub(g, x[0], x[1]);
    case SAR_OP_MUL: return sar_sym_mul(g, x[0], x[1]);
    case SAR_OP_DIV: return sar_sym_div(g, x[0], x[1]);
    case SAR_OP_SELECT: return sar_sym_select(g, x[0], x[1], x[2]);
    default: return sar_sym_call(g, op, x[0], x[1]);
  }
}

static SarNode shared(const Staged* x, SarNode n) {
  const SarStages* s = &x->s;
  if (s->match.constant[n]) return sar_sym_number(x->to, s->match.value[n]);
  if (sar_node_num(x->e->g, n) == 0) return sar_sym_symbol(x->to, sar_node_name(x->e->g, n));
  return in_all(x, s->from[n] >= 0 ? s->at[s->from[n]] + s->lane[n] : s->place[n]);
}

// Numbers of the lanes, one row of the table; a row that is there already is taken again.
typedef struct Row {
  double x[SAR_FAMILY_LANES];
} Row;
typedef struct Table {
  const char* name;
  SAR_LIST(Row) row;
} Table;

static SarNode numbers(const Staged* x, Table* table, const SarTuple* t, int lanes) {
  Row row = {{0}};
  int at = 0;
  bool same = true;
  for (int k = 0; k < lanes; k++) {
    row.x[k] = x->s.match.value[t->node[k]];
    same = same && row.x[k] == row.x[0];
  }
  if (same) return sar_sym_number(x->to, row.x[0]);
  while (at < table->row.count && memcmp(&table->row.items[at], &row, sizeof row) != 0) at++;
  if (at == table->row.count) {
    Row* to = SAR_LIST_ADD(x->e->arena, &table->row);
    if (!to) return SAR_NONE;
    *to = row;
  }
  const char* name =
      sar_arena_printf(x->e->arena, "%s_there(%s_c[%d])", x->vector, table->name, at);
  return name ? sar_sym_symbol(x->to, name) : SAR_NONE;
}

static void write_table(const Staged* x, const Table* table, int lanes) {
  SarWriter* w = x->e->out;
  char text[SAR_NUMBER_TEXT];
  if (table->row.count == 0) return;
  sar_write(w, "static const double %s_c[%d][%d] = {\n", table->name, table->row.count, lanes);
  for (int i = 0; i < table->row.count; i++) {
    sar_write(w, "    {");
    for (int k = 0; k < lanes; k++)
      sar_write(w, "%s%s", k ? ", " : "",
                sar_print_number(text, sizeof text, table->row.items[i].x[k]));
    sar_write(w, "},\n");
  }
  sar_write(w, "};\n\n");
}

static SarNode packed(const Staged* x, int t, const SarNode* made) {
  const SarTuple* of = &x->s.match.tuple.items[t];
  SarNode arg[3] = {SAR_NONE, SAR_NONE, SAR_NONE};
  if (x->s.stage[t] < x->stage) return at_here(x, x->s.at[t]);
  for (int k = 0; k < 3 && of->arg[k] >= 0; k++) arg[k] = made[of->arg[k]];
  return apply(x->to, sar_node_op(x->e->g, of->node[0]), arg);
}

// Is there anything to do for the family at this stage?
static bool has_work(const Staged* x, int family) {
  const SarStages* s = &x->s;
  for (int t = 0; t < s->match.tuple.count; t++)
    if (s->wanted[t] && s->kept[t] && s->stage[t] == x->stage &&
        s->match.tuple.items[t].family == family)
      return true;
  return false;
}

// Tuples that the loop computes or needs.
static void mark_used(const Staged* x, int family, bool* used) {
  const SarStages* s = &x->s;
  for (int t = 0; t < s->match.tuple.count; t++) {
    const SarTuple* of = &s->match.tuple.items[t];
    if (!s->wanted[t] || of->family != family || of->kind != SAR_LANE_PACKED ||
        s->stage[t] != x->stage)
      continue;
    used[t] = true;
    for (int k = 0; k < 3 && of->arg[k] >= 0; k++) used[of->arg[k]] = true;
  }
}

static bool build_loop(Staged* x, int family, Table* table, List* l) {
  const SarStages* s = &x->s;
  SarNode* made = SAR_ARENA_ARRAY(x->e->arena, SarNode, s->match.tuple.count + 1);
  bool* used = SAR_ARENA_ARRAY(x->e->arena, bool, s->match.tuple.count + 1);
  if (!made || !used) return false;
  mark_used(x, family, used);
  for (int i = 0; i < s->match.tuple.count; i++) {
    const int t = s->tuple[i];
    const SarTuple* of = &s->match.tuple.items[t];
    if (!used[t]) continue;
    made[t] = of->kind == SAR_LANE_PACKED    ? packed(x, t, made)
              : of->kind == SAR_LANE_SHARED  ? shared(x, of->node[0])
              : of->kind == SAR_LANE_NUMBERS ? numbers(x, table, of, sar_stages_lanes(s, t))
              : x->read[t]                   ? sar_sym_symbol(x->to, x->read[t])
                                             : at_here(x, s->at[t]);
    if (made[t] < 0) return false;
    if (of->kind == SAR_LANE_PACKED && s->kept[t] && s->stage[t] == x->stage &&
        !add(x, l, made[t], here(x, s->at[t])))
      return false;
  }
  return true;
}

// The loop as functions into `out`; bare: Nullable, gets its statements too.
static bool emit_loop(Staged* x, int family, SarWriter* out, SarWriter* bare) {
  const int lanes = x->s.match.f->list.items[family].lanes;
  List l = {0};
  x->to = sar_graph_new(x->e->arena);
  if (!x->to) return false;
  SarEmit e = emitter(x, "b", family, lanes);
  Table table = {.name = e.prefix};
  e.g = x->to;
  if (!e.prefix || !build_loop(x, family, &table, &l)) return false;
  write_table(x, &table, lanes);
  e.out = out;
  if (!emit(x, &e, l.item.count, l.item.items)) return false;
  if (!bare) return true;
  SarEmitted part;
  e.out = bare;
  e.bare = true;
  e.longest = INT_MAX;  // one function, which the caller writes
  e.letter = (char)('a' + family % 26);
  return sar_emit_functions(&e, l.item.count, l.item.items, &part) && part.functions == 1;
}

// Where roots and quotients are more than one operation in a hundred.
static bool is_slow(const Staged* x, int family) {
  const SarStages* s = &x->s;
  int all = 0, slow = 0;
  for (int t = 0; t < s->match.tuple.count; t++) {
    const SarTuple* of = &s->match.tuple.items[t];
    if (!s->wanted[t] || of->family != family || of->kind != SAR_LANE_PACKED ||
        s->stage[t] != x->stage)
      continue;
    const SarOp op = sar_node_op(x->e->g, of->node[0]);
    all++, slow += op == SAR_OP_DIV || op == SAR_OP_SQRT;
  }
  return all <= LONGEST && 100 * slow > all;
}

// In turn where there are vectors, else one loop after the other.
static bool emit_together(Staged* x) {
  SarEmit* e = x->e;
  SarWriter loops = {.arena = e->arena}, calls = x->calls, bare[MOST_TOGETHER];
  int n = 0;
  x->calls = (SarWriter){.arena = e->arena};
  for (int f = 0; f < x->s.match.f->list.count; f++) {
    if (!has_work(x, f)) continue;
    bare[n] = (SarWriter){.arena = e->arena};
    if (!emit_loop(x, f, &loops, &bare[n++])) return false;
  }
  sar_write(
      e->out,
      "#ifdef %s_VECTORS\nstatic void %s_b%d(%s) {\n  %s, (void)l, (void)sine, (void)cosine;\n",
      e->model, e->prefix, x->stage, x->arguments, e->unused);
  sar_interleave(e->out, n, bare);
  sar_write(e->out, "}\n#else\n%.*sstatic void %s_b%d(%s) {\n%.*s}\n#endif\n\n", loops.text.count,
            loops.text.items, e->prefix, x->stage, x->arguments, x->calls.text.count,
            x->calls.text.items);
  x->calls = calls;
  sar_write(&x->calls, "  %s_b%d(%s);\n", e->prefix, x->stage, x->passed);
  return true;
}

static bool emit_loops(Staged* x) {
  int count = 0;
  bool slow = true;
  for (int f = 0; f < x->s.match.f->list.count; f++)
    if (has_work(x, f)) slow = slow && is_slow(x, f), count++;
  if (slow && count > 1 && count <= MOST_TOGETHER) return emit_together(x);
  for (int f = 0; f < x->s.match.f->list.count; f++)
    if (has_work(x, f) && !emit_loop(x, f, x->e->out, NULL)) return false;
  return true;
}

// ---- all ----------------------------------------------------------------------------------------

static bool find_reads(Staged* x) {
  const SarStages* s = &x->s;
  x->read = SAR_ARENA_ARRAY(x->e->arena, const char*, s->match.tuple.count + 1);
  for (int t = 0; x->read && t < s->match.tuple.count; t++) {
    const SarTuple* of = &s->match.tuple.items[t];
    const int lanes = sar_stages_lanes(s, t);
    if (s->wanted[t] && of->kind == SAR_LANE_GATHERED)
      x->read[t] = sar_lane_read(
          x->e, of, lanes, sar_arena_printf(x->e->arena, "%s_v%d", x->e->model, lanes), &x->angles);
  }
  return !x->e->arena->failed;
}

static bool emit_stages(Staged* x, int n, const SarAssign* assign) {
  SarEmit* e = x->e;
  x->arguments = sar_arena_printf(
      e->arena, "%s, double* restrict l, const real* restrict sine, const real* restrict cosine",
      e->arguments);
  x->calls.arena = e->arena;
  x->passed = sar_arena_printf(e->arena, "%s, l, sine, cosine", e->passed);
  if (!x->arguments || !x->passed || !find_reads(x)) return false;
  for (x->stage = 0; x->stage <= x->s.last; x->stage++) {
    if (!emit_scalars(x, n, assign)) return false;
    if (!emit_loops(x)) return false;
  }
  sar_write(e->out, "static void %s(%s) {\n  double l[%d];\n", e->prefix, e->arguments,
            x->s.room + 1);
  if (x->angles.text.count > 0)
    sar_angles_write(&x->angles, e->out, e->model, SAR_FAMILY_LANES);
  else
    sar_write(e->out, "  const double *sine = l, *cosine = l;  // there are none\n");
  e->uses->sincos = e->uses->sincos || x->angles.text.count > 0;
  sar_write(e->out, "%.*s}\n\n", x->calls.text.count, x->calls.text.items);
  return !e->arena->failed;
}

// ---- one or the other ---------------------------------------------------------------------------

bool sar_emit_families(SarEmit* e, int n, const SarAssign* assign, const SarFamilies* f,
                       SarEmitted* done) {
  Staged x = {.e = e, .done = done};
  SarNode* output = SAR_ARENA_ARRAY(e->arena, SarNode, n + 1);
  if (!output) return false;
  for (int i = 0; i < n; i++) output[i] = assign[i].node;
  if (!f || !f->twins) return sar_emit_functions(e, n, assign, done);
  if (f->list.count == 0 || e->lanes > 0 || !e->family_uses ||
      !sar_stages_plan(e->arena, f, n, output, &x.s))
    return !e->arena->failed && sar_emit_plain(e, n, assign, f->twins, output, done);
  *done = (SarEmitted){0};
  return emit_stages(&x, n, assign);
}
