// Tree -> program.
//
// 1. number: walk the tree and give every distinct operation on distinct operands one value
//    (hash-consing), so that a common subexpression is computed once. Definitions of functions are
//    opened here; operations on constants are folded.
// 2. keep only values that the result needs.
// 3. allocate registers in one pass: a register is free again after the last use of its value.
// Cost: O(number of nodes).
#include "expr/tree.h"

#include <stdint.h>
#include <string.h>

// An operation on earlier values; -1: no operand.
typedef struct Value {
  SarOp op;
  int b, c, d;           // d: the third operand of a choice
  int slot;              // of a name
  double number;         // constant operand
  const SarExpr* table;  // holds the points
  int last;              // index of the last value that uses it; -1: unused
  int reg;
} Value;

// A constant (id -1) or a value.
typedef struct Operand {
  int id;
  double number;
} Operand;

// Arguments of the defined function whose definition is being compiled.
typedef struct Frame {
  SarParameters parameters;
  Operand arg[SAR_MAX_PARAMETERS];
} Frame;

typedef struct Compiler {
  SarArena* arena;
  SarExprSlot* slot;
  void* context;
  const char* const* known;
  int known_count;
  SarError* err;
  SAR_LIST(Value) values;
  int* buckets;              // hash table of indices into values, -1 = empty
  int capacity;              // power of two
  SarExprGraph definitions;  // of functions, read when first used
  SarMemo seen;              // Operand* of nodes outside of definitions
  bool wrong;
} Compiler;

static const Operand nothing = {-1, 0};

static Operand constant(double number) { return (Operand){-1, number}; }

static bool is_constant(Operand x) { return x.id < 0; }

// ---- values -------------------------------------------------------------------------------------

static uint64_t bits_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static uint64_t hash_of(const Value* v) {
  uint64_t h = 14695981039346656037u;
  const uint64_t words[] = {(uint64_t)v->op, (uint64_t)v->b,    (uint64_t)v->c,
                            (uint64_t)v->d,  (uint64_t)v->slot, bits_of(v->number)};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    h = (h ^ words[i]) * 1099511628211u;
    h ^= h >> 29;
  }
  return h;
}

static bool same_points(const SarExpr* s, const SarExpr* t) {
  if (s == t) return true;
  if (!s || !t || s->num != t->num) return false;
  for (int i = 1; i < s->num; i++)
    if (s->arg[i]->value != t->arg[i]->value) return false;
  return true;
}

static bool same_value(const Value* v, const Value* w) {
  return v->op == w->op && v->b == w->b && v->c == w->c && v->d == w->d && v->slot == w->slot &&
         bits_of(v->number) == bits_of(w->number) && same_points(v->table, w->table);
}

static bool grow_buckets(Compiler* c) {
  int capacity = c->capacity ? 2 * c->capacity : 64;
  int* buckets = SAR_ARENA_ARRAY(c->arena, int, capacity);
  if (!buckets) return false;
  for (int i = 0; i < capacity; i++) buckets[i] = -1;
  for (int i = 0; i < c->values.count; i++) {
    int k = (int)(hash_of(&c->values.items[i]) & (uint64_t)(capacity - 1));
    while (buckets[k] >= 0) k = (k + 1) & (capacity - 1);
    buckets[k] = i;
  }
  c->buckets = buckets;
  c->capacity = capacity;
  return true;
}

// the value that is equal to v, made if there is none yet
static Operand intern(Compiler* c, Value v) {
  if (2 * (c->values.count + 1) > c->capacity && !grow_buckets(c)) return nothing;
  int k = (int)(hash_of(&v) & (uint64_t)(c->capacity - 1));
  for (; c->buckets[k] >= 0; k = (k + 1) & (c->capacity - 1))
    if (same_value(&c->values.items[c->buckets[k]], &v)) return (Operand){c->buckets[k], 0};
  Value* slot = SAR_LIST_ADD(c->arena, &c->values);
  if (!slot) return nothing;
  v.last = -1;
  *slot = v;
  c->buckets[k] = c->values.count - 1;
  return (Operand){c->values.count - 1, 0};
}

static int in_register(Compiler* c, Operand x) {
  if (!is_constant(x)) return x.id;
  return intern(c, (Value){.op = SAR_OP_NUMBER, .b = -1, .c = -1, .d = -1, .number = x.number}).id;
}

static Operand emit_unary(Compiler* c, SarOp op, Operand x) {
  if (is_constant(x)) return constant(sar_op_apply(op, x.number, 0));
  return intern(c, (Value){.op = op, .b = x.id, .c = -1, .d = -1});
}

static Operand emit_binary(Compiler* c, SarOp op, Operand x, Operand y) {
  if (is_constant(x) && is_constant(y)) return constant(sar_op_apply(op, x.number, y.number));
  // sums and products do not depend on the order of two operands: one form for both, constant last
  if ((op == SAR_OP_ADD || op == SAR_OP_MUL) &&
      (is_constant(x) || (!is_constant(y) && x.id > y.id))) {
    Operand swap = x;
    x = y;
    y = swap;
  }
  if (is_constant(x))
    return intern(c, (Value){.op = op + 2, .b = -1, .c = y.id, .d = -1, .number = x.number});
  if (!is_constant(y)) return intern(c, (Value){.op = op, .b = x.id, .c = y.id, .d = -1});
  // operations that leave every bit of x, and small powers as kernels.h computes them
  if (y.number == 1 && (op == SAR_OP_MUL || op == SAR_OP_DIV || op == SAR_OP_POW)) return x;
  if (y.number == 0 && op == SAR_OP_SUB) return x;
  if (op == SAR_OP_POW && y.number == 2) return emit_binary(c, SAR_OP_MUL, x, x);
  if (op == SAR_OP_POW && y.number == 3)
    return emit_binary(c, SAR_OP_MUL, emit_binary(c, SAR_OP_MUL, x, x), x);
  return intern(c, (Value){.op = op + 1, .b = x.id, .c = -1, .d = -1, .number = y.number});
}

static Operand emit_select(Compiler* c, Operand condition, Operand yes, Operand no) {
  if (is_constant(condition)) return condition.number != 0 ? yes : no;
  int y = in_register(c, yes), n = in_register(c, no);
  return y == n ? yes : intern(c, (Value){.op = SAR_OP_SELECT, .b = condition.id, .c = y, .d = n});
}

// ---- 1. walk ------------------------------------------------------------------------------------

static Operand walk(Compiler* c, const SarExpr* e, const Frame* frame);

static Operand walk_name(Compiler* c, const SarExpr* e, const Frame* frame) {
  if (frame) {
    int i = sar_parameters_find(&frame->parameters, e->name);
    if (i >= 0) return frame->arg[i];
  }
  int slot = c->slot ? c->slot(c->context, e->name) : -1;
  if (slot < 0) {
    sar_report_unknown(c->err, e->loc, e->name, c->known, c->known_count);
    c->wrong = true;
    return nothing;
  }
  return intern(c, (Value){.op = SAR_OP_SYMBOL, .b = -1, .c = -1, .d = -1, .slot = slot});
}

static Operand walk_sum(Compiler* c, const SarExpr* e, const Frame* frame) {
  Operand sum = walk(c, e->arg[0], frame);
  for (int i = 1; i < e->num; i++) {
    const SarExpr* term = e->arg[i];
    bool minus = term->op == SAR_OP_NEG;
    Operand x = walk(c, minus ? term->arg[0] : term, frame);
    sum = emit_binary(c, minus ? SAR_OP_SUB : SAR_OP_ADD, sum, x);
  }
  return sum;
}

// from the last choice to the first: c1 ? v1 : (c2 ? v2 : v)
static Operand walk_select(Compiler* c, const SarExpr* e, const Frame* frame) {
  Operand chosen = walk(c, e->arg[e->num - 1], frame);
  for (int i = e->num - 3; i >= 0; i -= 2) {
    Operand condition = walk(c, e->arg[i], frame);
    Operand value = walk(c, e->arg[i + 1], frame);
    chosen = emit_select(c, condition, value, chosen);
  }
  return chosen;
}

static Operand walk_table(Compiler* c, const SarExpr* e, const Frame* frame) {
  Operand x = walk(c, e->arg[0], frame);
  if (!sar_table_check(e, c->err)) {
    c->wrong = true;
    return nothing;
  }
  int reg = in_register(c, x);
  return intern(c, (Value){.op = e->op, .b = reg, .c = -1, .d = -1, .table = e});
}

static Operand walk_defined(Compiler* c, const SarFunction* f, const SarExpr* e,
                            const Frame* frame) {
  Frame inner = {.parameters = sar_function_parameters(f)};
  for (int i = 0; i < e->num; i++) inner.arg[i] = walk(c, e->arg[i], frame);
  const SarExpr* definition = sar_function_rule(&c->definitions, f);
  return definition ? walk(c, definition, &inner) : nothing;
}

static Operand walk_call(Compiler* c, const SarExpr* e, const Frame* frame) {
  switch (e->op) {
    case SAR_OP_SUM: return walk_sum(c, e, frame);
    case SAR_OP_SELECT: return walk_select(c, e, frame);
    case SAR_OP_TABLE:
    case SAR_OP_SLOPE:
    case SAR_OP_SPLINE:
    case SAR_OP_SPLINE_SLOPE: return walk_table(c, e, frame);
    default: break;
  }
  const SarFunction* f = sar_function_of(e->op);
  if (f->kind == SAR_KIND_BLOCK) {
    sar_block_refuse(e, c->err);
    c->wrong = true;
    return nothing;
  }
  if (f->kind == SAR_KIND_DEFINED) return walk_defined(c, f, e, frame);
  Operand x = walk(c, e->arg[0], frame);
  if (f->kind == SAR_KIND_UNARY) return emit_unary(c, e->op, x);
  Operand y = walk(c, e->arg[1], frame);
  return emit_binary(c, e->op, x, y);
}

static Operand walk(Compiler* c, const SarExpr* e, const Frame* frame) {
  if (e->op == SAR_OP_NUMBER) return constant(e->value);
  if (e->op == SAR_OP_SYMBOL) return walk_name(c, e, frame);
  if (frame) return walk_call(c, e, frame);  // has other operands at every use
  Operand* seen = sar_memo_find(&c->seen, e);
  if (seen) return *seen;
  Operand result = walk_call(c, e, NULL);
  seen = SAR_ARENA_NEW(c->arena, Operand);
  if (seen) {
    *seen = result;
    sar_memo_add(c->arena, &c->seen, e, seen);
  }
  return result;
}

// ---- 2. what is needed --------------------------------------------------------------------------

static void use(Compiler* c, int id, int user) {
  if (id >= 0 && c->values.items[id].last < 0) c->values.items[id].last = user;
}

static bool is_spline(const SarExpr* table) {
  return table->op == SAR_OP_SPLINE || table->op == SAR_OP_SPLINE_SLOPE;
}

// numbers behind the instruction: x, y of every point, of splines y'' too
static int points_of(const SarExpr* table) {
  return (table->num - 1) / 2 * (is_spline(table) ? 3 : 2);
}

// from the end, so the first user met is the last one; returns the number of instructions
static int mark_needed(Compiler* c, int result) {
  int count = 0;
  use(c, result, c->values.count);
  for (int i = result; i >= 0; i--) {
    const Value* v = &c->values.items[i];
    if (v->last < 0) continue;
    use(c, v->b, i);
    use(c, v->c, i);
    use(c, v->d, i);
    count += 1 + (v->table ? points_of(v->table) : 0);
  }
  return count;
}

// ---- 3. registers and instructions --------------------------------------------------------------

typedef struct Registers {
  int* free;
  int free_count, used;
} Registers;

static void release(Compiler* c, Registers* r, int id, int user) {
  if (id < 0 || c->values.items[id].last != user) return;
  c->values.items[id].last = -1;  // once, also when it is both operands
  r->free[r->free_count++] = c->values.items[id].reg;
}

static int reg_of(const Compiler* c, int id) { return id < 0 ? 0 : c->values.items[id].reg; }

static SarInstr* write_points(Compiler* c, SarInstr* in, const SarExpr* table) {
  const double* knot = is_spline(table) ? sar_spline_knots(c->arena, table) : NULL;
  if (is_spline(table) && !knot) return in;  // arena->failed
  for (int i = 0; i < points_of(table); i++)
    *in++ = (SarInstr){.op = SAR_OP_NUMBER, .value = knot ? knot[i] : table->arg[i + 1]->value};
  return in;
}

static void write_instrs(Compiler* c, Registers* r, int result, SarInstr* in) {
  for (int i = 0; i <= result; i++) {
    Value* v = &c->values.items[i];
    if (v->last < 0) continue;
    *in = (SarInstr){.op = (unsigned short)v->op,
                     .b = (unsigned short)reg_of(c, v->b),
                     .c = (unsigned short)reg_of(c, v->c)};
    if (v->op == SAR_OP_SYMBOL)
      in->index = v->slot;
    else if (v->op == SAR_OP_SELECT)
      in->index = reg_of(c, v->d);
    else if (v->table)
      in->index = (v->table->num - 1) / 2;
    else
      in->value = v->number;
    // operands are read before the result is written, so it may take the place of one
    release(c, r, v->b, i);
    release(c, r, v->c, i);
    release(c, r, v->d, i);
    v->reg = r->free_count ? r->free[--r->free_count] : r->used++;
    in->a = (unsigned short)v->reg;
    in++;
    if (v->table) in = write_points(c, in, v->table);
  }
}

static bool finish(Compiler* c, Operand result, SarLoc loc, SarProgram* program,
                   SarInstr** instrs) {
  if (is_constant(result) && bits_of(result.number) == 0) return true;  // an empty program is 0
  int id = in_register(c, result);
  if (id < 0) return false;
  int count = mark_needed(c, id);
  Registers r = {.free = SAR_ARENA_ARRAY(c->arena, int, c->values.count)};
  *instrs = SAR_ARENA_ARRAY(c->arena, SarInstr, count);
  if (!r.free || !*instrs) return false;
  write_instrs(c, &r, id, *instrs);
  if (c->arena->failed) return false;
  if (r.used > SAR_EXPR_MAX_REGISTERS) {
    sar_report(c->err, loc, "split it into several named parts",
               "expression needs more than %d registers", SAR_EXPR_MAX_REGISTERS);
    return false;
  }
  *program = (SarProgram){.count = count, .registers = r.used, .result = c->values.items[id].reg};
  return true;
}

bool sar_expr_compile(SarArena* a, const SarExpr* e, SarExprSlot* slot, void* context,
                      const char* const* known, int known_count, SarProgram* program,
                      SarInstr** instrs, SarError* err) {
  *program = (SarProgram){0};
  *instrs = NULL;
  Compiler* c = SAR_ARENA_NEW(a, Compiler);
  if (!c) return false;
  *c = (Compiler){.arena = a,
                  .definitions = sar_graph_as_written(a),
                  .slot = slot,
                  .context = context,
                  .known = known,
                  .known_count = known_count,
                  .err = err};
  Operand result = walk(c, e, NULL);
  return !c->wrong && !a->failed && finish(c, result, e->loc, program, instrs);
}
