// Graph -> tape: registers are allocated in one pass over the nodes in the order of evaluation; one
// is free again after the last use of its value. Numbers become part of the instruction that uses
// them where there is a form for it.
#include "symbolic/graph.h"

#include <math.h>
#include <string.h>

typedef struct Value {
  int last;  // index of the last item that reads it; the count of items: an output
  int reg;   // -1: not in a register (a number inside of instructions)
} Value;

typedef struct Writer {
  const SarGraph* g;
  const SarOrder* order;
  Value* value;
  int* free;
  int free_count, used;
  SAR_LIST(SarInstr) code;
  SarArena* arena;
} Writer;

// those have the two forms with a constant
static bool is_binary(SarOp op) { return sar_op_arity(op) == 2; }

static bool is_number_item(const Writer* w, int i) {
  return is_number(w->g, w->order->item[i].node);
}

// May the operand stand inside of the instruction of item i?
static bool is_inline(const Writer* w, const SarOrderItem* item, int k) {
  return is_binary(op_of(w->g, item->node)) && is_number_item(w, item->arg[k]) &&
         !is_number_item(w, item->arg[1 - k]);
}

static void find_last_uses(Writer* w) {
  for (int i = 0; i < w->order->count; i++) {
    w->value[i] = (Value){-1, -1};
    for (int k = 0; k < 3 && w->order->item[i].arg[k] >= 0; k++)
      if (!is_inline(w, &w->order->item[i], k)) w->value[w->order->item[i].arg[k]].last = i;
  }
}

static SarInstr* emit(Writer* w, SarInstr in) {
  SarInstr* slot = SAR_LIST_ADD(w->arena, &w->code);
  if (slot) *slot = in;
  return slot;
}

static int take_register(Writer* w) { return w->free_count ? w->free[--w->free_count] : w->used++; }

static void release(Writer* w, int i, int user) {
  if (w->value[i].last != user || w->value[i].reg < 0) return;
  w->value[i].last = -1;  // once, also when it is both operands
  w->free[w->free_count++] = w->value[i].reg;
}

static unsigned short reg_of(const Writer* w, int i) {
  return i < 0 || w->value[i].reg < 0 ? 0 : (unsigned short)w->value[i].reg;
}

static bool emit_points(Writer* w, SarNode n) {
  const double* at;
  const int count = sar_node_points(w->g, n, &at);
  const int width = count ? w->g->tables.items[node_of(w->g, n)->table].width : 0;
  for (int i = 0; i < count * width; i++)
    if (!emit(w, (SarInstr){.op = SAR_OP_NUMBER, .value = at[i]})) return false;
  return true;
}

// the instruction of item i, before its result has a register
static SarInstr instruction(const Writer* w, int i, int slot) {
  const SarOrderItem* item = &w->order->item[i];
  const SarOp op = op_of(w->g, item->node);
  SarInstr in = {
      .op = (unsigned short)op, .b = reg_of(w, item->arg[0]), .c = reg_of(w, item->arg[1])};
  const double* at;
  if (op == SAR_OP_NUMBER) in.value = value_of(w->g, item->node);
  if (op == SAR_OP_SYMBOL) in.index = slot;
  if (op == SAR_OP_SELECT) in.index = reg_of(w, item->arg[2]);
  if (is_table(op)) in.index = sar_node_points(w->g, item->node, &at);
  for (int k = 0; k < 2 && is_binary(op); k++) {
    if (!is_inline(w, item, k)) continue;
    in.op = (unsigned short)(op + (k ? 1 : 2));  // _RK, _KR
    in.value = value_of(w->g, w->order->item[item->arg[k]].node);
  }
  return in;
}

static bool write_item(Writer* w, int i, SarSlot* slot, void* context) {
  const SarOrderItem* item = &w->order->item[i];
  int number = -1;
  if (w->value[i].last < 0) return true;  // a number that only stands inside of instructions
  if (op_of(w->g, item->node) == SAR_OP_SYMBOL) {
    number = slot(context, sar_node_name(w->g, item->node));
    if (number < 0) return false;
  }
  SarInstr in = instruction(w, i, number);
  // operands are read before the result is written, so it may take the place of one
  for (int k = 0; k < 3 && item->arg[k] >= 0; k++) release(w, item->arg[k], i);
  w->value[i].reg = take_register(w);
  in.a = (unsigned short)w->value[i].reg;
  return emit(w, in) && emit_points(w, item->node);
}

static bool write_all(Writer* w, SarSlot* slot, void* context, bool results) {
  const SarOrder* order = w->order;
  const int end = order->count;
  // which outputs an item is: lists by item
  int* first = SAR_ARENA_ARRAY(w->arena, int, end + 1);
  int* next = SAR_ARENA_ARRAY(w->arena, int, order->outputs + 1);
  if (!first || !next) return false;
  for (int i = 0; i < end; i++) first[i] = -1;
  for (int k = order->outputs - 1; k >= 0; k--) {
    next[k] = first[order->output[k]];
    first[order->output[k]] = k;
    if (w->value[order->output[k]].last < 0 || !results) w->value[order->output[k]].last = end;
  }
  for (int i = 0; i < end; i++) {
    if (!write_item(w, i, slot, context)) return false;
    for (int k = results ? first[i] : -1; k >= 0; k = next[k])
      if (!emit(w, (SarInstr){.op = SAR_OP_RESULT, .b = reg_of(w, i), .index = k})) return false;
    if (results && w->value[i].last == end) release(w, i, end);
  }
  return true;
}

static bool build(SarArena* a, SarGraph* g, int outputs, const SarNode* output, SarSlot* slot,
                  void* context, Writer* w, SarOrder* order, bool results) {
  if (!sar_sym_order(a, g, outputs, output, order)) return false;
  *w = (Writer){.g = g, .order = order, .arena = a};
  w->value = SAR_ARENA_ARRAY(a, Value, order->count + 1);
  w->free = SAR_ARENA_ARRAY(a, int, order->count + 1);
  if (!w->value || !w->free) return false;
  find_last_uses(w);
  return write_all(w, slot, context, results);
}

static SarInstr* copied(SarArena* a, const Writer* w) {
  SarInstr* code = SAR_ARENA_ARRAY(a, SarInstr, w->code.count + 1);
  if (code && w->code.count > 0)
    memcpy(code, w->code.items, sizeof(SarInstr) * (size_t)w->code.count);
  return code;
}

bool sar_tape_build(SarArena* a, SarGraph* g, int outputs, const SarNode* output, SarSlot* slot,
                    void* context, SarTape* tape) {
  SarArena scratch;
  SarOrder order;
  Writer w = {0};
  *tape = (SarTape){0};
  sar_arena_beside(&scratch, a);
  bool done = build(&scratch, g, outputs, output, slot, context, &w, &order, true);
  if (done) {
    *tape = (SarTape){w.code.count, w.used, outputs, NULL};
    done = w.used <= SAR_TAPE_MAX_REGISTERS;
    tape->instr = done ? copied(a, &w) : NULL;
  }
  sar_arena_end(&scratch, a);
  return done && tape->instr;
}

bool sar_program_build(SarArena* a, SarGraph* g, SarNode output, SarSlot* slot, void* context,
                       SarProgram* program, SarInstr** instrs) {
  SarArena scratch;
  SarOrder order;
  Writer w = {0};
  *program = (SarProgram){0};
  *instrs = NULL;
  if (sar_node_is(g, output, 0) && !signbit(value_of(g, output))) return true;  // empty: 0
  sar_arena_beside(&scratch, a);
  bool done = build(&scratch, g, 1, &output, slot, context, &w, &order, false);
  if (done) {
    *program = (SarProgram){w.code.count, w.used, w.value[order.output[0]].reg};
    done = w.used <= SAR_TAPE_MAX_REGISTERS;
    *instrs = done ? copied(a, &w) : NULL;
  }
  sar_arena_end(&scratch, a);
  return done && *instrs;
}
