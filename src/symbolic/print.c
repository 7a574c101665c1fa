// Printing (print.h). One recursive walk that knows precedences; what differs between the styles is
// how signs, powers, quotients and functions are spelt (print_atoms.c, print_products.c,
// print_calls.c).
#include "symbolic/printing.h"

#include <math.h>
#include <string.h>

void sar_put(Print* p, const char* text) {
  const int n = (int)strlen(text);
  if (p->failed || p->text.count + n > SAR_PRINT_MAX_LENGTH ||
      !SAR_LIST_ROOM(p->arena, &p->text, n + 1)) {
    p->failed = true;
    return;
  }
  memcpy(p->text.items + p->text.count, text, (size_t)n + 1);
  p->text.count += n;
}

void sar_put_binary(Print* p, SarNode x, const char* sign, SarNode y, int left, int right) {
  sar_put_node(p, x, left);
  sar_put(p, sign);
  sar_put_node(p, y, right);
}

static void put_quotient(Print* p, SarNode n) {
  if (!is_style(p, SAR_PRINT_LATEX)) {
    sar_put_binary(p, arg_of(p, n, 0), is_style(p, SAR_PRINT_C) ? " / " : "/", arg_of(p, n, 1),
                   PRODUCT, PRODUCT + 1);
    return;
  }
  sar_put(p, "\\frac{");
  sar_put_binary(p, arg_of(p, n, 0), "}{", arg_of(p, n, 1), CHOICE, CHOICE);
  sar_put(p, "}");
}

static void put_power(Print* p, SarNode n) {
  sar_put_node(p, arg_of(p, n, 0), POWER + 1);
  sar_put(p, is_style(p, SAR_PRINT_LATEX) ? "^{" : "^");
  sar_put_node(p, arg_of(p, n, 1), is_style(p, SAR_PRINT_LATEX) ? CHOICE : POWER + 1);
  if (is_style(p, SAR_PRINT_LATEX)) sar_put(p, "}");
}

static void put_choice(Print* p, SarNode n) {
  const bool latex = is_style(p, SAR_PRINT_LATEX);
  const SarNode c = arg_of(p, n, 0), yes = arg_of(p, n, 1), no = arg_of(p, n, 2);
  if (latex) {
    sar_put(p, "\\begin{cases}");
    sar_put_binary(p, yes, " & ", c, CHOICE, CHOICE);
    sar_put(p, " \\\\ ");
    sar_put_node(p, no, CHOICE);
    sar_put(p, " & \\text{else}\\end{cases}");
    return;
  }
  sar_put_node(p, c, is_style(p, SAR_PRINT_C) ? COMPARE + 1 : CHOICE + 1);
  sar_put(p, is_style(p, SAR_PRINT_C) ? " != 0.0 ? " : " ? ");
  sar_put_binary(p, yes, " : ", no, CHOICE + 1, CHOICE);
}

static const char* comparison(const Print* p, SarOp op) {
  const bool latex = is_style(p, SAR_PRINT_LATEX);
  switch (op) {
    case SAR_OP_LT: return " < ";
    case SAR_OP_LE: return latex ? " \\le " : " <= ";
    case SAR_OP_GT: return " > ";
    case SAR_OP_GE: return latex ? " \\ge " : " >= ";
    case SAR_OP_EQ: return latex ? " = " : " == ";
    case SAR_OP_NE: return latex ? " \\ne " : " != ";
    default: return NULL;
  }
}

static int precedence_of(const Print* p, SarNode n) {
  const SarOp op = op_of(p->g, n);
  const bool c = is_style(p, SAR_PRINT_C), latex = is_style(p, SAR_PRINT_LATEX);
  int64_t num, den;
  switch (op) {
    case SAR_OP_NUMBER:
      if (signbit(value_of(p->g, n)) && !isnan(value_of(p->g, n))) return SIGN;
      return sar_node_rational(p->g, n, &num, &den) && den > 1 && !sar_is_decimal(den) && !latex
                 ? PRODUCT
                 : ATOM;
    case SAR_OP_SELECT: return latex ? ATOM : CHOICE;
    case SAR_OP_OR: return OR;
    case SAR_OP_AND: return AND;
    case SAR_OP_NOT: return c ? COMPARE : NOT;
    case SAR_OP_ADD:
    case SAR_OP_SUB: return SUM;
    case SAR_OP_NEG: return SIGN;
    case SAR_OP_MUL:
      if (sar_is_negative_product(p, n)) return c ? PRODUCT : SIGN - 1;
      if (arg_of(p, n, 0) == arg_of(p, n, 1) && !c) return POWER;
      return PRODUCT;
    case SAR_OP_DIV: return latex ? POWER : PRODUCT;
    case SAR_OP_POW: return c ? ATOM : POWER;
    case SAR_OP_SIN:
    case SAR_OP_COS:
    case SAR_OP_TAN: return latex ? POWER : ATOM;
    default:
      if (comparison(p, op)) return COMPARE;
      return latex && sar_latex_function(op) ? POWER : ATOM;
  }
}

static void put_logic(Print* p, SarNode n) {
  const SarOp op = op_of(p->g, n);
  const bool c = is_style(p, SAR_PRINT_C), latex = is_style(p, SAR_PRINT_LATEX);
  if (op == SAR_OP_NOT) {
    sar_put(p, latex ? "\\lnot " : c ? "" : "not ");
    sar_put_node(p, arg_of(p, n, 0), c ? COMPARE + 1 : NOT + 1);
    sar_put(p, c ? " == 0.0" : "");
    return;
  }
  const int level = c ? COMPARE + 1 : op == SAR_OP_OR ? OR + 1 : AND + 1;
  sar_put_node(p, arg_of(p, n, 0), level);
  sar_put(p, c ? " != 0.0" : "");
  if (op == SAR_OP_AND)
    sar_put(p, c ? " && " : latex ? " \\land " : " and ");
  else
    sar_put(p, c ? " || " : latex ? " \\lor " : " or ");
  sar_put_node(p, arg_of(p, n, 1), level);
  sar_put(p, c ? " != 0.0" : "");
}

static void put_operation(Print* p, SarNode n) {
  const SarOp op = op_of(p->g, n);
  int64_t num, den;
  switch (op) {
    case SAR_OP_NUMBER:
      if (sar_node_is_fraction(p->g, n) && sar_node_rational(p->g, n, &num, &den))
        sar_put_fraction(p, num, den);
      else
        sar_put_number(p, value_of(p->g, n));
      return;
    case SAR_OP_SYMBOL: sar_put_symbol(p, node_of(p->g, n)->name); return;
    case SAR_OP_SELECT: put_choice(p, n); return;
    case SAR_OP_TABLE:
    case SAR_OP_SLOPE:
    case SAR_OP_SPLINE:
    case SAR_OP_SPLINE_SLOPE: sar_put_table(p, n); return;
    case SAR_OP_NOT:
    case SAR_OP_AND:
    case SAR_OP_OR: put_logic(p, n); return;
    case SAR_OP_NEG:
      sar_put(p, "-");
      sar_put_node(p, arg_of(p, n, 0), is_style(p, SAR_PRINT_C) ? SIGN + 1 : PRODUCT);
      return;
    case SAR_OP_ADD:
    case SAR_OP_SUB: sar_put_sum(p, n); return;
    case SAR_OP_MUL: sar_put_product(p, n, false); return;
    case SAR_OP_DIV: put_quotient(p, n); return;
    case SAR_OP_POW:
      if (is_style(p, SAR_PRINT_C)) break;
      put_power(p, n);
      return;
    default: break;
  }
  if (comparison(p, op))
    sar_put_binary(p, arg_of(p, n, 0), comparison(p, op), arg_of(p, n, 1), COMPARE + 1,
                   COMPARE + 1);
  else
    sar_put_call(p, n);
}

void sar_put_node(Print* p, SarNode n, int above) {
  const char* name = p->how->name && p->depth > 0 ? p->how->name(p->how->context, n) : NULL;
  if (name) {
    sar_put(p, name);
    return;
  }
  if (p->failed || ++p->depth > SAR_PRINT_MAX_DEPTH) {
    p->failed = true;
    return;
  }
  const bool brackets = precedence_of(p, n) < above;
  const bool latex = is_style(p, SAR_PRINT_LATEX);
  if (brackets) sar_put(p, latex ? "\\left(" : "(");
  put_operation(p, n);
  if (brackets) sar_put(p, latex ? "\\right)" : ")");
  p->depth--;
}

char* sar_sym_print(SarArena* a, SarGraph* g, SarNode n, const SarPrinter* printer) {
  SarArena scratch;
  char* text = NULL;
  if (n < 0) return NULL;
  sar_arena_beside(&scratch, a);
  Print p = {.g = g, .how = printer, .arena = &scratch};
  const char* name =
      printer->name && op_of(g, n) == SAR_OP_SYMBOL ? printer->name(printer->context, n) : NULL;
  if (name)
    sar_put(&p, name);
  else
    sar_put_node(&p, n, CHOICE);
  if (!p.failed) text = sar_arena_strndup(a, p.text.items, (size_t)p.text.count);
  sar_arena_end(&scratch, a);
  return text;
}
