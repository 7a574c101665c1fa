// Trees as text that reads back as the same tree: every number with as many digits as its bits
// need, parentheses around every operation within another.
#include "expr/print.h"

#include "base/print.h"
#include "base/text_out.h"
#include "expr/tree.h"

#include <math.h>
#include <string.h>

const char* sar_number_text(char* out, double x) {
  if (isnan(x)) return strcpy(out, "(0/0)");
  if (isinf(x)) return strcpy(out, x < 0 ? "-inf" : "inf");
  for (int digits = 15; digits <= 17; digits++) {
    sar_snprintf(out, SAR_NUMBER_TEXT, "%.*g", digits, x);
    const double back = sar_strtod(out, NULL);
    if (memcmp(&back, &x, sizeof x) == 0) break;
  }
  return out;
}

// A part of a name stands as it is if the lexer takes it for one.
static bool is_plain(const char* part, size_t n) {
  for (size_t i = 0; i < n; i++) {
    const char c = part[i];
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (!letter && !(i > 0 && c >= '0' && c <= '9')) return false;
  }
  return n > 0;
}

static void add_quoted(SarTextOut* p, const char* part, size_t n) {
  sar_text_add(p, "'");
  for (size_t i = 0; i < n; i++) {
    const char c[3] = {part[i], part[i] == '\'' ? '\'' : '\0', '\0'};
    sar_text_add(p, c);
  }
  sar_text_add(p, "'");
}

// left-knee.q: only the last dot is sure to be one of the language
static void add_name(SarTextOut* p, const char* name) {
  bool plain = true;
  for (const char* part = name;;) {
    const size_t n = strcspn(part, ".");
    plain = plain && is_plain(part, n);
    if (!part[n]) break;
    part += n + 1;
  }
  const char* dot = strrchr(name, '.');
  if (plain && !sar_expr_is_reserved(name)) {
    sar_text_add(p, name);
  } else if (!dot || !is_plain(dot + 1, strlen(dot + 1)) || dot == name) {
    add_quoted(p, name, strlen(name));
  } else {
    add_quoted(p, name, (size_t)(dot - name));
    sar_text_add(p, dot);
  }
}

static const char* sign_of(SarOp op) {
  static const struct {
    SarOp op;
    const char* sign;
  } signs[] = {{SAR_OP_OR, " or "}, {SAR_OP_AND, " and "}, {SAR_OP_LT, " < "},  {SAR_OP_LE, " <= "},
               {SAR_OP_GT, " > "},  {SAR_OP_GE, " >= "},   {SAR_OP_EQ, " == "}, {SAR_OP_NE, " != "},
               {SAR_OP_ADD, " + "}, {SAR_OP_SUB, " - "},   {SAR_OP_SUM, " + "}, {SAR_OP_MUL, "*"},
               {SAR_OP_DIV, "/"}};
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
    if (signs[i].op == op) return signs[i].sign;
  return NULL;
}

static void print(SarTextOut* p, const SarExpr* e, bool inside);

static void print_call(SarTextOut* p, const SarExpr* e) {
  const SarFunction* f = sar_function_of(e->op);
  const bool choice = e->op == SAR_OP_SELECT;
  sar_text_add(p, choice ? "piecewise" : f ? f->name : "");
  sar_text_add(p, "(");
  for (int i = 0; i < e->num; i++) {
    if (i) sar_text_add(p, ", ");
    print(p, e->arg[i], false);
  }
  sar_text_add(p, ")");
}

// A term -x of a sum is written as a difference, which is the same sum.
static void print_operation(SarTextOut* p, const SarExpr* e, const char* sign) {
  for (int i = 0; i < e->num; i++) {
    const SarExpr* x = e->arg[i];
    const bool less = i > 0 && e->op == SAR_OP_SUM && x->op == SAR_OP_NEG;
    if (i) sar_text_add(p, less ? " - " : sign);
    print(p, less ? x->arg[0] : x, true);
  }
}

static void print(SarTextOut* p, const SarExpr* e, bool inside) {
  char number[SAR_NUMBER_TEXT];
  if (e->op == SAR_OP_NUMBER) {
    const bool minus = inside && signbit(e->value);
    if (minus) sar_text_add(p, "(");
    sar_text_add(p, sar_number_text(number, e->value));
    if (minus) sar_text_add(p, ")");
    return;
  }
  if (e->op == SAR_OP_SYMBOL) {
    add_name(p, e->name);
    return;
  }
  const char* sign = sign_of(e->op);
  if (!sign && e->op != SAR_OP_NEG && e->op != SAR_OP_NOT) {
    print_call(p, e);
    return;
  }
  if (inside) sar_text_add(p, "(");
  if (sign) {
    print_operation(p, e, sign);
  } else {
    sar_text_add(p, e->op == SAR_OP_NEG ? "-" : "not ");
    print(p, e->arg[0], true);
  }
  if (inside) sar_text_add(p, ")");
}

const char* sar_expr_text(SarArena* a, const SarExpr* e) {
  SarTextOut p = {.arena = a};
  print(&p, e, false);
  return a->failed ? NULL : p.text;
}

bool sar_expr_is_input(const SarExpr* e, const char** name, double* gain) {
  double g;
  switch (e->op) {
    case SAR_OP_SYMBOL: *name = e->name, *gain = 1; return true;
    case SAR_OP_NEG:
      if (!sar_expr_is_input(e->arg[0], name, gain)) return false;
      *gain = -*gain;
      return true;
    case SAR_OP_MUL:
      for (int i = 0; i < 2; i++)
        if (sar_expr_is_number(e->arg[i], &g) && sar_expr_is_input(e->arg[1 - i], name, gain)) {
          *gain *= g;
          return true;
        }
      return false;
    default: return false;
  }
}
