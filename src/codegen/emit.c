// Straight-line C from nodes (emit.h).
//
// Order: depth first from the outputs, so that values are made shortly before they are used. A node
// that is used once is written into the statement that uses it; the others, and those that would
// make a statement long, are named.
#include "codegen/angles.h"
#include "codegen/lanes.h"
#include "codegen/runtime.h"

#include "base/print.h"
#include "symbolic/print.h"

#include <stdio.h>
#include <string.h>

enum { STATEMENTS = 250, OPERATIONS = 16, VECTOR = 4, EARLY = 8 };

void sar_write(SarWriter* w, const char* format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  const int n = vsnprintf(NULL, 0, format, args);
  if (n >= 0 && SAR_LIST_ROOM(w->arena, &w->text, n + 1)) {
    vsnprintf(w->text.items + w->text.count, (size_t)n + 1, format, again);
    w->text.count += n;
  }
  va_end(again);
  va_end(args);
}

typedef struct Value {
  bool named;
  int place;        // in the order of the outputs
  int first, last;  // functions that make it, and that use it last
  int slot;         // where it is kept between functions; -1: nowhere
  int loaded;       // the function that has it in a variable; -1: none yet
  int angle;        // sin and cos that are computed before: its number; -1: not of one
} Value;

typedef struct Plan {
  SarEmit* e;
  SarOrder order;
  Value* value;       // by place
  int* place_of;      // by node: place in the order; -1: not in it
  const char** text;  // by place: what stands for it where it is named
  int statements;     // of the function so far
  int function;
  SarAngles own, *angles;  // own: those that are computed here
  bool failed;
} Plan;

static SarOp op_at(const Plan* p, int i) { return sar_node_op(p->e->g, p->order.item[i].node); }

static bool is_leaf(SarOp op) { return op == SAR_OP_NUMBER || op == SAR_OP_SYMBOL; }

static bool is_circular(SarOp op) { return op == SAR_OP_SIN || op == SAR_OP_COS; }

static bool is_table(SarOp op) {
  return op == SAR_OP_TABLE || op == SAR_OP_SLOPE || op == SAR_OP_SPLINE ||
         op == SAR_OP_SPLINE_SLOPE;
}

// Vectors have the four operations and a sign; all else is a call.
static bool is_call(const Plan* p, SarOp op) {
  if (p->e->lanes == 0) return is_circular(op) || is_table(op);
  return op != SAR_OP_NEG && op != SAR_OP_ADD && op != SAR_OP_SUB && op != SAR_OP_MUL &&
         op != SAR_OP_DIV;
}

// ---- what is named ------------------------------------------------------------------------------

static const char* symbol_text(void* context, SarNode n) {
  const SarEmit* e = context;
  const char* name = sar_node_name(e->g, n);
  return name ? e->symbol(e->context, name) : NULL;
}

// Operations of an expression that can be computed before all others; more than EARLY: it cannot.
static int early_operations(const Plan* p, int i) {
  const SarOp op = op_at(p, i);
  const char* name = sar_node_name(p->e->g, p->order.item[i].node);
  if (op == SAR_OP_NUMBER) return 0;
  if (op == SAR_OP_SYMBOL) return p->e->angles && strncmp(name, "l[", 2) == 0 ? EARLY + 1 : 0;
  if (op != SAR_OP_NEG && op != SAR_OP_ADD && op != SAR_OP_SUB && op != SAR_OP_MUL &&
      op != SAR_OP_DIV)
    return EARLY + 1;
  int sum = 1;
  for (int k = 0; k < 2 && p->order.item[i].arg[k] >= 0 && sum <= EARLY; k++)
    sum += early_operations(p, p->order.item[i].arg[k]);
  return sum;
}

// The number of an angle; -1: it is not known before.
static int find_angle(Plan* p, int i) {
  SarEmit* e = p->e;
  const int most = e->lanes > 0 ? 0 : EARLY;
  if (e->vector || early_operations(p, i) > most) return -1;
  const SarPrinter printer = {.style = SAR_PRINT_C, .name = symbol_text, .context = e};
  const SarNode n = p->order.item[i].node;
  const char* text =
      op_at(p, i) == SAR_OP_SYMBOL ? symbol_text(e, n) : sar_sym_print(e->arena, e->g, n, &printer);
  if (!text) p->failed = true;
  return text ? sar_angles_find(e->arena, p->angles, text) : -1;
}

// Values that are no part of angles alone.
static bool* find_reached(Plan* p) {
  bool* reached = SAR_ARENA_ARRAY(p->e->arena, bool, p->order.count + 1);
  for (int i = 0; reached && i < p->order.outputs; i++) reached[p->order.output[i]] = true;
  for (int i = p->order.count - 1; reached && i >= 0; i--)
    for (int k = 0; reached[i] && p->value[i].angle < 0 && k < 3 && p->order.item[i].arg[k] >= 0;
         k++)
      reached[p->order.item[i].arg[k]] = true;
  return reached;
}

static bool find_angles(Plan* p) {
  for (int i = 0; i < p->order.count; i++) {
    p->value[i] = (Value){.place = i, .slot = -1, .loaded = -1, .angle = -1};
    if (is_circular(op_at(p, i))) p->value[i].angle = find_angle(p, p->order.item[i].arg[0]);
  }
  return !p->failed;
}

static void choose_names(Plan* p, const bool* reached, int* length) {
  for (int i = 0; i < p->order.count; i++) {
    const SarOrderItem* item = &p->order.item[i];
    const SarOp op = op_at(p, i);
    Value* v = &p->value[i];
    if (is_leaf(op) || v->angle >= 0 || !reached[i]) continue;
    length[i] = 1;
    for (int k = 0; k < 3 && item->arg[k] >= 0; k++) length[i] += length[item->arg[k]];
    // what calls take by name: arguments of sincos and tables, and these themselves
    const bool call = is_call(p, op);
    for (int k = 0; call && k < 3 && item->arg[k] >= 0; k++)
      if (!is_leaf(op_at(p, item->arg[k])) && p->value[item->arg[k]].angle < 0)
        p->value[item->arg[k]].named = true;
    v->named = call || item->uses > 1 || length[i] >= OPERATIONS;
    if (op == SAR_OP_NEG && is_leaf(op_at(p, item->arg[0]))) v->named = false;
    if (v->named) length[i] = 0;
  }
  for (int i = 0; i < p->order.outputs; i++) {
    const int at = p->order.output[i];
    if (!is_leaf(op_at(p, at)) && p->value[at].angle < 0) p->value[at].named = true;
  }
}

// ---- functions ----------------------------------------------------------------------------------

// What the named values in the tree of value i are.
typedef void Visit(Plan* p, int used, void* context);
static void visit_used(Plan* p, int i, Visit* visit, void* context) {
  const SarOrderItem* item = &p->order.item[i];
  for (int k = 0; k < 3 && item->arg[k] >= 0; k++) {
    const int a = item->arg[k];
    if (p->value[a].named)
      visit(p, a, context);
    else if (p->value[a].angle < 0)
      visit_used(p, a, visit, context);  // bounded by OPERATIONS
  }
}

static void mark_last(Plan* p, int used, void* context) {
  p->value[used].last = *(const int*)context;
}

static int statements_of(const SarEmit* e) { return e->longest > 0 ? e->longest : STATEMENTS; }

// Places of what the outputs before the pause are made of.
static int places_before_pause(const Plan* p) {
  int end = 0;
  for (int k = 0; k < p->e->before; k++)
    if (p->order.output[k] >= end) end = p->order.output[k] + 1;
  return end;
}

// How often each value is an output. NULL: no memory.
static int* count_outputs(const Plan* p) {
  int* times = SAR_ARENA_ARRAY(p->e->arena, int, p->order.count + 1);
  for (int k = 0; times && k < p->order.outputs; k++) times[p->order.output[k]]++;
  return times;
}

// Outputs are statements, too: what compilers take for many of them in one function grows faster
// than their number.
static void divide(Plan* p, const int* times, SarEmitted* done) {
  int count = 0, function = 0;
  const int pause = p->e->pause ? places_before_pause(p) : p->order.count;
  for (int i = 0; i < p->order.count; i++) {
    if (!p->value[i].named) continue;
    const bool pauses = i >= pause && done->paused == 0;
    if (pauses || count >= statements_of(p->e)) count = 0, function++;
    if (pauses) done->paused = function;
    count += 1 + times[i];
    done->statements++;
    p->value[i].first = p->value[i].last = function;
    visit_used(p, i, mark_last, &function);
  }
  if (p->e->pause && done->paused == 0) done->paused = ++function;
  done->functions = function + 1;
}

// A place is taken again by what a later function makes.
static bool place_values(Plan* p, SarEmitted* done) {
  int* until = SAR_ARENA_ARRAY(p->e->arena, int, p->order.count + 1);
  if (!until) return false;
  for (int i = 0; i < p->order.count; i++) {
    Value* v = &p->value[i];
    if (!v->named || v->last == v->first) continue;
    int at = 0;
    while (at < done->work && until[at] >= v->first) at++;
    if (at == done->work) done->work++;
    v->slot = at;
    until[at] = v->last;
  }
  return true;
}

// ---- text ---------------------------------------------------------------------------------------

static char letter_of(const Plan* p) { return p->e->letter ? p->e->letter : 'x'; }

static const char* name_of(void* context, SarNode n) {
  Plan* p = context;
  const int i = p->place_of[n];
  if (i < 0) return NULL;
  const SarOp op = op_at(p, i);
  if (op == SAR_OP_NUMBER) return NULL;
  if (!p->text[i] && op == SAR_OP_SYMBOL) {
    p->text[i] = p->e->symbol(p->e->context, sar_node_name(p->e->g, n));
    if (!p->text[i]) p->failed = true;
  } else if (!p->text[i] && p->value[i].angle >= 0) {
    p->text[i] = sar_arena_printf(p->e->arena, "%s[%d]", op == SAR_OP_SIN ? "sine" : "cosine",
                                  p->value[i].angle);
  } else if (!p->text[i] && p->value[i].named) {
    p->text[i] = sar_arena_printf(p->e->arena, "%c%d", letter_of(p), i);
  }
  return p->text[i];
}

static const char* type_of(const Plan* p) {
  return p->e->vector ? sar_arena_printf(p->e->arena, "%s_real", p->e->vector) : "real";
}

static const char* work_at(const Plan* p, int slot) {
  const SarEmit* e = p->e;
  if (!e->vector) return sar_arena_printf(e->arena, "w[%d]", slot);
  return sar_arena_printf(e->arena, "%s_here(&w[%d])", e->vector, e->lanes * slot);
}

static void load(Plan* p, int used, void* context) {
  (void)context;
  Value* v = &p->value[used];
  if (v->first == p->function || v->loaded == p->function) return;
  v->loaded = p->function;
  sar_write(p->e->out, "  const %s %c%d = %s;\n", type_of(p), letter_of(p), used,
            work_at(p, v->slot));
}

static void keep(Plan* p, int i) {
  if (p->value[i].slot >= 0)
    sar_write(p->e->out, "  %s = %c%d;\n", work_at(p, p->value[i].slot), letter_of(p), i);
}

// A number as a value.
static const char* constant(const Plan* p, double x) {
  char number[SAR_NUMBER_TEXT];
  sar_print_number(number, sizeof number, x);
  if (p->e->lanes) return sar_arena_printf(p->e->arena, "%s_all(%s)", p->e->model, number);
  return sar_arena_printf(p->e->arena, "(real)%s", number);
}

static const char* argument(Plan* p, int i, int which) {
  const int a = p->order.item[i].arg[which];
  const char* name = name_of(p, p->order.item[a].node);
  if (name) return name;
  double x = 0;
  sar_node_is_number(p->e->g, p->order.item[a].node, &x);
  return constant(p, x);
}

// sin and cos of a named value, together where both are used
static void write_circular(Plan* p, int i) {
  const SarEmit* e = p->e;
  const SarNode arg = p->order.item[p->order.item[i].arg[0]].node;
  const bool sine = op_at(p, i) == SAR_OP_SIN;
  int other = -1;  // the same function makes both
  for (int k = i + 1; k < p->order.count && other < 0; k++)
    if (p->value[k].named && p->value[k].first == p->function && is_circular(op_at(p, k)) &&
        p->order.item[p->order.item[k].arg[0]].node == arg)
      other = k;
  if (p->value[i].loaded == p->function) return;  // the other one brought it along
  sar_write(e->out, "  real x%d;\n", i);
  if (other >= 0)
    sar_write(e->out, "  real x%d;\n", other);
  else
    sar_write(e->out, "  real y%d;\n", i);
  char mine[24], its[24];
  sar_snprintf(mine, sizeof mine, "x%d", i);
  sar_snprintf(its, sizeof its, other >= 0 ? "x%d" : "y%d", other >= 0 ? other : i);
  sar_write(e->out, "  %s_sincos_one(%s, &%s, &%s);\n", e->model, argument(p, i, 0),
            sine ? mine : its, sine ? its : mine);
  if (other < 0) sar_write(e->out, "  (void)y%d;\n", i);
  if (other >= 0) {
    p->value[other].loaded = p->function;
    keep(p, other);
  }
  keep(p, i);
}

static void write_table(Plan* p, int i) {
  const SarEmit* e = p->e;
  const double* points;
  const SarNode node = p->order.item[i].node;
  const SarOp op = op_at(p, i);
  const int n = sar_node_points(e->g, node, &points);
  const int width = op == SAR_OP_SPLINE || op == SAR_OP_SPLINE_SLOPE ? 3 : 2;
  char number[SAR_NUMBER_TEXT];
  const char* type = e->lanes ? "double" : "real";
  sar_write(e->out, "  static const %s p%d[%d] = {", type, i, n * width);
  for (int k = 0; k < n * width; k++)
    sar_write(e->out, "%s(%s)%s", k ? ", " : "", type,
              sar_print_number(number, sizeof number, points[k]));
  const char* name = op == SAR_OP_TABLE    ? "table"
                     : op == SAR_OP_SLOPE  ? "table_slope"
                     : op == SAR_OP_SPLINE ? "spline"
                                           : "spline_slope";
  sar_write(e->out, "};\n  const real x%d = %s_%s(p%d, %d, %s);\n", i, e->model, name, i, n,
            argument(p, i, 0));
  keep(p, i);
}

// Functions, comparisons and choices of vectors.
static void write_call(Plan* p, int i) {
  const SarEmit* e = p->e;
  sar_write(e->out, "  const %s %c%d = %s_%s(", type_of(p), letter_of(p), i, e->model,
            sar_lanes_function(op_at(p, i)));
  for (int k = 0; k < 3 && p->order.item[i].arg[k] >= 0; k++)
    sar_write(e->out, "%s%s", k ? ", " : "", argument(p, i, k));
  sar_write(e->out, ");\n");
  keep(p, i);
}

static void write_statement(Plan* p, int i) {
  SarEmit* e = p->e;
  visit_used(p, i, load, NULL);
  if (is_circular(op_at(p, i))) {
    write_circular(p, i);
    return;
  }
  if (is_table(op_at(p, i))) {
    write_table(p, i);
    return;
  }
  if (is_call(p, op_at(p, i))) {
    write_call(p, i);
    return;
  }
  const SarPrinter printer = {.style = SAR_PRINT_C, .name = name_of, .context = p};
  SarArena scratch;
  sar_arena_beside(&scratch, e->arena);
  const char* text = sar_sym_print(&scratch, e->g, p->order.item[i].node, &printer);
  if (text)
    sar_write(e->out, "  const %s %c%d = %s;\n", type_of(p), letter_of(p), i, text);
  else
    p->failed = true;
  sar_arena_free(&scratch);
  keep(p, i);
}

// Compilers inline what is called once, whatever its length: of many functions they would make one
// again, over which clang does not end.
enum { MOST_INLINED = 40 };

static void open_function(Plan* p, const SarEmitted* done) {
  const SarEmit* e = p->e;
  if (e->bare) return;
  if (done->functions > MOST_INLINED)
    sar_write(e->out, "#if defined(__GNUC__)\n__attribute__((noinline))\n#endif\n");
  sar_write(e->out, "static void %s_%d(%s", e->prefix, p->function, e->arguments);
  if (done->angles > 0)
    sar_write(e->out, ", const real* restrict sine, const real* restrict cosine");
  if (done->work > 0) sar_write(e->out, ", %s* restrict w", e->vector ? "double" : "real");
  sar_write(e->out, ") {\n  %s%s%s;\n", e->unused,
            done->angles > 0 ? ", (void)sine, (void)cosine" : "",
            done->work > 0 ? ", (void)w" : "");
  if (e->vector) sar_write(e->out, "  %s_each {\n", e->vector);
}

static void write_outputs(Plan* p, const SarAssign* assign, int i) {
  for (int k = 0; k < p->order.outputs; k++)
    if (p->order.output[k] == i)
      sar_write(p->e->out, "  %s = %c%d;\n", assign[k].to, letter_of(p), i);
}

// numbers, symbols and sines that are outputs themselves
static void write_plain_outputs(Plan* p, const SarAssign* assign, int from, int to) {
  for (int k = from; k < to; k++) {
    const int i = p->order.output[k];
    if (p->value[i].named) continue;
    const char* name = name_of(p, p->order.item[i].node);
    double x = 0;
    sar_node_is_number(p->e->g, p->order.item[i].node, &x);
    sar_write(p->e->out, "  %s = %s;\n", assign[k].to, name ? name : constant(p, x));
  }
}

// Parameters that a function does not use draw no warning this way.
static void close_function(Plan* p) {
  if (!p->e->bare) sar_write(p->e->out, p->e->vector ? "  }\n}\n\n" : "}\n\n");
}

static void go_to(Plan* p, const SarAssign* assign, const SarEmitted* done, int function) {
  while (p->function < function) {
    if (p->function + 1 == done->paused) write_plain_outputs(p, assign, 0, p->e->before);
    close_function(p);
    p->function++;
    open_function(p, done);
  }
}

static void write_functions(Plan* p, const SarAssign* assign, const int* times,
                            const SarEmitted* done) {
  p->function = 0;
  open_function(p, done);
  for (int i = 0; i < p->order.count; i++) {
    if (!p->value[i].named) continue;
    go_to(p, assign, done, p->value[i].first);
    write_statement(p, i);
    if (times[i] > 0) write_outputs(p, assign, i);
  }
  go_to(p, assign, done, done->functions - 1);
  write_plain_outputs(p, assign, done->paused > 0 ? p->e->before : 0, p->order.outputs);
  close_function(p);
}

static int vector_of(const SarEmit* e) { return e->lanes ? 1 : VECTOR; }

// PREFIX calls them all.
static void write_whole(Plan* p, const SarEmitted* done) {
  const SarEmit* e = p->e;
  sar_write(e->out, "static void %s(%s) {\n", e->prefix, e->arguments);
  sar_angles_write(&p->own, e->out, e->model, vector_of(e));
  if (done->work > 0 && e->vector)
    sar_write(e->out, "  double w[%d];\n", done->work * e->lanes);
  else if (done->work > 0)
    sar_write(e->out, "  real w[%d];\n", done->work);
  for (int f = 0; f < done->functions; f++) {
    if (done->paused > 0 && f == done->paused) sar_write(e->out, "  %s;\n", e->pause);
    sar_write(e->out, "  %s_%d(%s%s%s);\n", e->prefix, f, e->passed,
              done->angles > 0 ? ", sine, cosine" : "", done->work > 0 ? ", w" : "");
  }
  sar_write(e->out, "}\n\n");
}

static void note_uses(const Plan* p) {
  SarRuntime* uses = p->e->uses;
  uses->sincos = uses->sincos || p->own.text.count > 0;
  for (int i = 0; i < p->order.count; i++) {
    uses->op[op_at(p, i)] = true;
    if (is_circular(op_at(p, i)) && p->value[i].angle < 0) uses->sincos_one = true;
  }
}

bool sar_emit_functions(SarEmit* e, int n, const SarAssign* assign, SarEmitted* done) {
  Plan p = {.e = e};
  p.angles = e->angles ? e->angles : &p.own;
  *done = (SarEmitted){0};
  SarNode* output = SAR_ARENA_ARRAY(e->arena, SarNode, n + 1);
  if (!output) return false;
  for (int i = 0; i < n; i++) output[i] = assign[i].node;
  if (!sar_sym_order(e->arena, e->g, n, output, &p.order)) return false;
  const int nodes = sar_graph_count(e->g), count = p.order.count;
  int* length = SAR_ARENA_ARRAY(e->arena, int, count + 1);
  p.value = SAR_ARENA_ARRAY(e->arena, Value, count + 1);
  p.text = SAR_ARENA_ARRAY(e->arena, const char*, count + 1);
  p.place_of = SAR_ARENA_ARRAY(e->arena, int, nodes + 1);
  if (!length || !p.value || !p.text || !p.place_of) return false;
  for (int i = 0; i < nodes; i++) p.place_of[i] = -1;
  for (int i = 0; i < count; i++) p.place_of[p.order.item[i].node] = i;
  const bool* reached = find_angles(&p) ? find_reached(&p) : NULL;
  const int* times = count_outputs(&p);
  if (!reached || !times) return false;
  choose_names(&p, reached, length);
  done->angles = sar_angles_room(&p.own, vector_of(e));
  divide(&p, times, done);
  if (!place_values(&p, done)) return false;
  write_functions(&p, assign, times, done);
  if (!e->bare) write_whole(&p, done);
  note_uses(&p);
  return !p.failed && !e->arena->failed;
}
