// What the parts of the printer share (print.c): the text as it grows, and who writes what.
#pragma once
#include "symbolic/graph.h"
#include "symbolic/print.h"

// Precedences, loosest first, as in the grammar of src/expr.
enum { CHOICE, OR, AND, NOT, COMPARE, SUM, PRODUCT, SIGN, POWER, ATOM };

typedef struct Print {
  const SarGraph* g;
  const SarPrinter* how;
  SarArena* arena;
  SAR_LIST(char) text;
  int depth;
  bool failed;
} Print;

static inline bool is_style(const Print* p, SarPrintStyle style) { return p->how->style == style; }

static inline SarNode arg_of(const Print* p, SarNode n, int i) { return node_of(p->g, n)->arg[i]; }

static inline bool has_name(const Print* p, SarNode n) {
  return p->how->name && p->how->name(p->how->context, n);
}

// ---- print.c ----------------------------------------------------------------------------------
void sar_put(Print* p, const char* text);
void sar_put_node(Print* p, SarNode n, int above);  // in brackets if it binds less than `above`
void sar_put_binary(Print* p, SarNode x, const char* sign, SarNode y, int left, int right);

// ---- print_atoms.c: numbers and names ---------------------------------------------------------
void sar_put_number(Print* p, double value);
void sar_put_fraction(Print* p, int64_t num, int64_t den);
void sar_put_symbol(Print* p, const char* name);
bool sar_is_plain_name(const char* name);  // letters, digits and '_', no digit first
bool sar_is_decimal(int64_t den);          // a fraction that is read as decimals: hundredths

// ---- print_products.c: sums and products ------------------------------------------------------
void sar_put_product(Print* p, SarNode n, bool without_sign);
void sar_put_sum(Print* p, SarNode n);
// Does it begin with a minus that a sum can take over?
bool sar_is_negative_product(const Print* p, SarNode n);

// ---- print_calls.c: functions and tables ------------------------------------------------------
void sar_put_call(Print* p, SarNode n);
void sar_put_table(Print* p, SarNode n);
const char* sar_latex_function(SarOp op);  // "\\sin "; NULL: LaTeX has none
