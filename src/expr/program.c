// Values of expressions: tapes of nodes and of trees, and constants.
#include "expr/tree.h"

// ---- names that nobody knows --------------------------------------------------------------------

typedef struct Names {
  SarExprLookup* lookup;
  SarSlot* slot;
  void* context;
  const char* const* known;
  int known_count, unknown;
  SarError* err;
} Names;

static void check_name(void* context, const char* name, SarLoc loc) {
  Names* n = context;
  double value;
  if (n->lookup && n->lookup(n->context, name, &value)) return;
  if (n->slot && n->slot(n->context, name) >= 0) return;
  n->unknown++;
  sar_report_unknown(n->err, loc, name, n->known, n->known_count);
}

// ---- tapes --------------------------------------------------------------------------------------

typedef struct Slots {
  SarSlot* slot;
  void* context;
  const char* unknown;
} Slots;

static int note_unknown(void* context, const char* name) {
  Slots* s = context;
  const int slot = s->slot ? s->slot(s->context, name) : -1;
  if (slot < 0) s->unknown = name;
  return slot;
}

bool sar_expr_program(SarArena* a, SarGraph* g, SarNode n, SarSlot* slot, void* context, SarLoc loc,
                      SarProgram* program, SarInstr** instrs, SarError* err) {
  Slots slots = {slot, context, NULL};
  const bool done = n >= 0 && sar_program_build(a, g, n, note_unknown, &slots, program, instrs);
  if (slots.unknown) sar_report_unknown(err, loc, slots.unknown, NULL, 0);
  if (n < 0 || program->registers <= SAR_EXPR_MAX_REGISTERS) return done;
  sar_report(err, loc, "split it into several named parts",
             "expression needs more than %d registers", SAR_EXPR_MAX_REGISTERS);
  return false;
}

bool sar_expr_compile(SarArena* a, const SarExpr* e, SarSlot* slot, void* context,
                      const char* const* known, int known_count, SarProgram* program,
                      SarInstr** instrs, SarError* err) {
  Names names = {
      .slot = slot, .context = context, .known = known, .known_count = known_count, .err = err};
  *program = (SarProgram){0};
  *instrs = NULL;
  sar_expr_visit_names(e, check_name, &names);
  SarArena scratch;
  sar_arena_beside(&scratch, a);
  SarGraph* g = sar_graph_new(&scratch);
  const SarNode n = g ? sar_expr_enter(g, e, NULL, NULL, err) : SAR_NONE;
  const bool done = !names.unknown && n >= 0 &&
                    sar_expr_program(a, g, n, slot, context, e->loc, program, instrs, err);
  sar_arena_end(&scratch, a);
  return done;
}

// ---- constants ----------------------------------------------------------------------------------

bool sar_expr_constant(const SarExpr* e, SarExprLookup* lookup, void* context,
                       const char* const* known, int known_count, double* value, SarError* err) {
  if (sar_expr_is_number(e, value)) return true;
  Names names = {
      .lookup = lookup, .context = context, .known = known, .known_count = known_count, .err = err};
  sar_expr_visit_names(e, check_name, &names);
  if (names.unknown) return false;
  // all names are known, so entering leaves one number, unless a table is ill-formed
  SarArena scratch;
  sar_arena_init(&scratch);
  SarGraph* g = sar_graph_new(&scratch);
  const SarNode n = g ? sar_expr_enter(g, e, lookup, context, err) : SAR_NONE;
  if (scratch.failed) sar_report(err, e->loc, "", "out of memory");
  const bool done = n >= 0 && sar_node_is_number(g, n, value);
  sar_arena_free(&scratch);
  return done;
}
