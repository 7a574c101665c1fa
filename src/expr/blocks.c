// Blocks: functions of expressions that keep states (filter, integral, pid).
//
// A block is one line of the table below: its states z with rate and start, and its value, all in
// the expression language, of its arguments and its states. A call is taken apart before an
// expression is compiled: each of its states becomes a state of the model, and the call becomes the
// value.
#include "expr/tree.h"

#include <string.h>

enum { MOST_STATES = 2, MOST_ARGUMENTS = SAR_MAX_PARAMETERS };

typedef struct BlockState {
  const char *name, *rate, *start;
} BlockState;

typedef struct Block {
  SarOp op;
  int required;          // arguments; at most one more, which is
  const char* fallback;  // this where it is not given
  const char* value;
  BlockState state[MOST_STATES];
} Block;

static const Block blocks[] = {
    {SAR_OP_FILTER, 2, "x", "z", {{"z", "(x - z)/T", "x0"}}},
    {SAR_OP_INTEGRAL, 1, "0", "z", {{"z", "x", "x0"}}},
    {SAR_OP_PID, 5, NULL, "kp*x + ki*i + kd*(x - f)/T", {{"i", "x", "0"}, {"f", "(x - f)/T", "x"}}},
};

static const Block* block_of(SarOp op) {
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
    if (blocks[i].op == op) return &blocks[i];
  return NULL;
}

bool sar_op_is_block(SarOp op) { return block_of(op) != NULL; }

bool sar_block_takes(SarOp op, int num) {
  const Block* b = block_of(op);
  return num == b->required || (b->fallback && num == b->required + 1);
}

void sar_block_refuse(const SarExpr* call, SarError* err) {
  sar_report(err, call->loc, "use numbers and parameters here",
             "%s keeps a state: it cannot stand where a constant is wanted",
             sar_function_of(call->op)->name);
}

const SarExpr* sar_expr_find_block(const SarExpr* e) {
  if (sar_op_is_block(e->op)) return e;
  for (int i = 0; i < e->num; i++) {
    const SarExpr* found = sar_expr_find_block(e->arg[i]);
    if (found) return found;
  }
  return NULL;
}

// ---- taking a call apart ------------------------------------------------------------------------

typedef struct Call {
  SarArena* arena;
  const SarExprBlocks* to;
  const SarExpr* call;
  SarParameters parameters;
  SarExpr* arg[MOST_ARGUMENTS];  // NULL: not given
  const Block* block;
  const char* state[MOST_STATES];  // their names in the model
} Call;

static SarExpr* put_in(Call* c, const SarExpr* e);

static SarExpr* text(Call* c, const char* rule) {
  const SarExpr* e = sar_expr_parse(c->arena, rule, strlen(rule), sar_expr_loc(c->call), NULL);
  return e ? put_in(c, e) : NULL;
}

static SarExpr* value_of(Call* c, const char* name) {
  const int i = sar_parameters_find(&c->parameters, name);
  if (i >= 0) return c->arg[i] ? c->arg[i] : text(c, c->block->fallback);
  for (int k = 0; k < MOST_STATES && c->block->state[k].name; k++)
    if (strcmp(c->block->state[k].name, name) == 0)
      return sar_tree_name(c->arena, c->call->loc, c->state[k]);
  return NULL;
}

// A rule with arguments and states in place of their names.
static SarExpr* put_in(Call* c, const SarExpr* e) {
  SarExpr* arg[8];
  if (e->op == SAR_OP_NUMBER) return (SarExpr*)e;
  if (e->op == SAR_OP_SYMBOL) return value_of(c, e->name);
  for (int i = 0; i < e->num; i++) {
    arg[i] = put_in(c, e->arg[i]);
    if (!arg[i]) return NULL;
  }
  return sar_tree_make(c->arena, e->op, c->call->loc, e->num, arg);
}

static SarExpr* put_blocks(SarArena* a, const SarExpr* e, const SarExprBlocks* to);

static SarExpr* take_apart(SarArena* a, const SarExpr* e, const SarExprBlocks* to) {
  const SarFunction* f = sar_function_of(e->op);
  Call c = {.arena = a,
            .to = to,
            .call = e,
            .parameters = sar_function_parameters(f),
            .block = block_of(e->op)};
  for (int i = 0; i < e->num; i++) {
    c.arg[i] = put_blocks(a, e->arg[i], to);
    if (!c.arg[i]) return NULL;
  }
  const bool several = c.block->state[1].name != NULL;
  for (int k = 0; k < MOST_STATES && c.block->state[k].name; k++) {
    const BlockState* s = &c.block->state[k];
    c.state[k] = to->name(to->context, e, f->name, several ? s->name : "");
    SarExpr *rate = c.state[k] ? text(&c, s->rate) : NULL,
            *start = rate ? text(&c, s->start) : NULL;
    if (!start || !to->define(to->context, c.state[k], e, rate, start)) return NULL;
  }
  return text(&c, c.block->value);
}

static SarExpr* put_blocks(SarArena* a, const SarExpr* e, const SarExprBlocks* to) {
  if (!sar_expr_find_block(e)) return (SarExpr*)e;
  if (sar_op_is_block(e->op)) return take_apart(a, e, to);
  SarExpr** arg = SAR_ARENA_ARRAY(a, SarExpr*, e->num);
  if (!arg) return NULL;
  for (int i = 0; i < e->num; i++) {
    arg[i] = put_blocks(a, e->arg[i], to);
    if (!arg[i]) return NULL;
  }
  return sar_tree_make(a, e->op, e->loc, e->num, arg);
}

SarExpr* sar_expr_put_blocks(SarArena* a, const SarExpr* e, const SarExprBlocks* to) {
  return put_blocks(a, e, to);
}
