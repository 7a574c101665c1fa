// Printing (print.h). One recursive walk that knows precedences; what differs between the styles is how
// signs, powers, quotients and functions are spelt.
#include "symbolic/print.h"

#include "base/print.h"
#include "base/text.h"
#include "symbolic/graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static void put(Print* p, const char* text) {
  const int n = (int)strlen(text);
  if (p->failed || p->text.count + n > SAR_PRINT_MAX_LENGTH ||
      !SAR_LIST_ROOM(p->arena, &p->text, n + 1)) {
    p->failed = true;
    return;
  }
  memcpy(p->text.items + p->text.count, text, (size_t)n + 1);
  p->text.count += n;
}

static bool is_style(const Print* p, SarPrintStyle style) { return p->how->style == style; }

static void put_node(Print* p, SarNode n, int above);

// ---- numbers and names ------------------------------------------------------------------------------

const char* sar_print_number(char* buf, size_t size, double value) {
  double back;
  for (int digits = 6; digits <= 17; digits++) {
    sar_snprintf(buf, size, "%.*g", digits, value);
    if (sar_text_to_double(buf, strlen(buf), &back) && back == value) break;
  }
  return buf;
}

static void put_number(Print* p, double value);

// Halves, quarters, thirds, ... are read as fractions, hundredths as decimals.
static bool is_decimal(int64_t den) {
  const bool tenths = den % 5 == 0;
  while (den % 2 == 0) den /= 2;
  while (den % 5 == 0) den /= 5;
  return den == 1 && tenths;
}

static void put_fraction(Print* p, int64_t num, int64_t den) {
  char text[64];
  if (is_decimal(den)) {
    put_number(p, (double)num / (double)den);
    return;
  }
  const char* form = is_style(p, SAR_PRINT_LATEX) ? "%s\\tfrac{%lld}{%lld}"
                     : is_style(p, SAR_PRINT_C)   ? "%s%lld.0 / %lld.0"
                                                  : "%s%lld/%lld";
  sar_snprintf(text, sizeof text, form, num < 0 ? "-" : "",
               num < 0 ? -(long long)num : (long long)num, (long long)den);
  put(p, text);
}

// 1.5e-05 as 1.5 \cdot 10^{-5}
static void put_latex_number(Print* p, char* text) {
  char* e = strchr(text, 'e');
  if (e) *e = '\0';
  put(p, text);
  if (!e) return;
  char power[32];
  sar_snprintf(power, sizeof power, " \\cdot 10^{%d}", atoi(e + 1));
  put(p, power);
}

static void put_number(Print* p, double value) {
  char text[SAR_NUMBER_TEXT];
  const bool c = is_style(p, SAR_PRINT_C), latex = is_style(p, SAR_PRINT_LATEX);
  if (isnan(value)) {
    put(p, c ? "(double)NAN" : latex ? "\\mathrm{NaN}" : "(inf - inf)");
  } else if (isinf(value)) {
    if (value < 0) put(p, "-");
    put(p, c ? "(double)INFINITY" : latex ? "\\infty" : "inf");
  } else {
    sar_print_number(text, sizeof text, value);
    if (latex) {
      put_latex_number(p, text);
      return;
    }
    put(p, text);
    if (c && !strpbrk(text, ".e")) put(p, ".0");
  }
}

static bool is_plain_name(const char* name) {
  for (const char* c = name; *c; c++)
    if (!(*c == '_' || (*c >= '0' && *c <= '9') || (*c >= 'a' && *c <= 'z') ||
          (*c >= 'A' && *c <= 'Z')))
      return false;
  return name[0] != '\0' && !(name[0] >= '0' && name[0] <= '9');
}

// a C identifier; \mathrm{} of what is no single letter; as it is
static void put_symbol(Print* p, const char* name) {
  if (is_style(p, SAR_PRINT_TEXT) || (is_style(p, SAR_PRINT_C) && is_plain_name(name)) ||
      (is_style(p, SAR_PRINT_LATEX) && strlen(name) == 1 && is_plain_name(name))) {
    put(p, name);
    return;
  }
  if (is_style(p, SAR_PRINT_LATEX)) put(p, "\\mathrm{");
  for (const char* c = name; *c; c++) {
    const char letter[2] = {*c, '\0'};
    const bool plain = is_plain_name(letter) || (*c >= '0' && *c <= '9');
    if (is_style(p, SAR_PRINT_LATEX))
      put(p, *c == '_' ? "\\_" : plain || *c == '.' ? letter : "\\,");
    else
      put(p, plain ? letter : "_");
  }
  if (is_style(p, SAR_PRINT_LATEX)) put(p, "}");
}

// ---- operations -------------------------------------------------------------------------------------

static void put_binary(Print* p, SarNode x, const char* sign, SarNode y, int left, int right) {
  put_node(p, x, left);
  put(p, sign);
  put_node(p, y, right);
}

static SarNode arg_of(const Print* p, SarNode n, int i) { return node_of(p->g, n)->arg[i]; }

static bool has_name(const Print* p, SarNode n) {
  return p->how->name && p->how->name(p->how->context, n);
}

static const char* times(const Print* p) {
  return is_style(p, SAR_PRINT_LATEX) ? " " : is_style(p, SAR_PRINT_C) ? " * " : "*";
}

// ---- products for reading -----------------------------------------------------------------------------

enum { MOST_FACTORS = 24 };

typedef struct Product {
  SarNode number;  // SAR_NONE: 1
  int count;
  struct {
    SarNode node;
    int power;
  } factor[MOST_FACTORS];
} Product;

static bool add_factor(Product* f, SarNode n) {
  for (int i = 0; i < f->count; i++)
    if (f->factor[i].node == n) {
      f->factor[i].power++;
      return true;
    }
  if (f->count == MOST_FACTORS) return false;
  f->factor[f->count].node = n;
  f->factor[f->count++].power = 1;
  return true;
}

// Factors of products in products; false: too many, or more than one number.
static bool gather(const Print* p, SarNode n, Product* f) {
  SarNode open[MOST_FACTORS] = {n};
  for (int top = 1; top > 0;) {
    const SarNode x = open[--top];
    if (is_number(p->g, x)) {
      if (f->number >= 0) return false;
      f->number = x;
    } else if (op_of(p->g, x) == SAR_OP_MUL && (x == n || !has_name(p, x))) {
      if (top + 2 > MOST_FACTORS) return false;
      open[top++] = arg_of(p, x, 1);
      open[top++] = arg_of(p, x, 0);
    } else if (!add_factor(f, x)) {
      return false;
    }
  }
  return f->count > 0;
}

// Symbols before functions, each in the order in which they were made.
static bool comes_first(const Print* p, SarNode x, SarNode y) {
  const bool a = op_of(p->g, x) == SAR_OP_SYMBOL, b = op_of(p->g, y) == SAR_OP_SYMBOL;
  return a != b ? a : x < y;
}

static void sort_factors(const Print* p, Product* f) {
  for (int i = 1; i < f->count; i++)
    for (int k = i; k > 0 && comes_first(p, f->factor[k].node, f->factor[k - 1].node); k--) {
      const SarNode node = f->factor[k].node;
      const int power = f->factor[k].power;
      f->factor[k] = f->factor[k - 1];
      f->factor[k - 1].node = node;
      f->factor[k - 1].power = power;
    }
}

static void put_factor(Print* p, SarNode n, int power) {
  char exponent[32];
  const SarOp op = op_of(p->g, n);
  const bool latex = is_style(p, SAR_PRINT_LATEX);
  sar_snprintf(exponent, sizeof exponent, latex ? "^{%d}" : "^%d", power);
  if (power > 1 && latex && (op == SAR_OP_SIN || op == SAR_OP_COS) && !has_name(p, n)) {
    put(p, op == SAR_OP_SIN ? "\\sin" : "\\cos");
    put(p, exponent);
    put(p, " ");
    put_node(p, arg_of(p, n, 0), ATOM);
    return;
  }
  put_node(p, n, power > 1 ? POWER + 1 : PRODUCT + 1);
  if (power > 1) put(p, exponent);
}

// number, then the factors, then a denominator: 5 L^2 m / 6
static bool put_flat_product(Print* p, SarNode n, bool without_sign) {
  Product f = {.number = SAR_NONE};
  int64_t num = 1, den = 1;
  char text[48];
  if (!gather(p, n, &f)) return false;
  sort_factors(p, &f);
  const bool exact =
      f.number < 0 || (sar_node_rational(p->g, f.number, &num, &den) && !is_decimal(den));
  const bool latex = is_style(p, SAR_PRINT_LATEX);
  if (without_sign && num < 0) num = -num;
  if (!exact) {
    const double value = value_of(p->g, f.number);
    put_number(p, without_sign ? fabs(value) : value);
    put(p, times(p));
  } else if (latex && den > 1) {
    put_fraction(p, num, den);
    put(p, " ");
  } else if (num == -1) {
    put(p, "-");
  } else if (num != 1) {
    put_number(p, (double)num);
    put(p, times(p));
  }
  for (int i = 0; i < f.count; i++) {
    if (i) put(p, times(p));
    put_factor(p, f.factor[i].node, f.factor[i].power);
  }
  sar_snprintf(text, sizeof text, "/%lld", (long long)den);
  if (exact && den > 1 && !latex) put(p, text);
  return true;
}

// number * rest without its sign
static void put_product(Print* p, SarNode n, bool without_sign) {
  const SarNode x = arg_of(p, n, 0), y = arg_of(p, n, 1);
  if (p->how->flat && !is_style(p, SAR_PRINT_C) && put_flat_product(p, n, without_sign)) return;
  if (is_number(p->g, y)) {  // numbers first
    int64_t num, den;
    const double value = value_of(p->g, y);
    if (sar_node_is_fraction(p->g, y) && sar_node_rational(p->g, y, &num, &den)) {
      const bool brackets = !is_style(p, SAR_PRINT_LATEX) && !is_decimal(den);
      if (brackets) put(p, "(");
      put_fraction(p, without_sign && num < 0 ? -num : num, den);
      if (brackets) put(p, ")");
    } else {
      put_number(p, without_sign ? fabs(value) : value);
    }
    put(p, times(p));
    if (is_style(p, SAR_PRINT_LATEX) && is_number(p->g, x)) put(p, "\\cdot ");
    put_node(p, x, PRODUCT + 1);
  } else if (x == y && !is_style(p, SAR_PRINT_C)) {
    const SarOp op = op_of(p->g, x);
    if (is_style(p, SAR_PRINT_LATEX) && (op == SAR_OP_SIN || op == SAR_OP_COS) && !has_name(p, x)) {
      put(p, op == SAR_OP_SIN ? "\\sin^{2} " : "\\cos^{2} ");
      put_node(p, arg_of(p, x, 0), ATOM);
    } else {
      put_node(p, x, POWER + 1);
      put(p, is_style(p, SAR_PRINT_LATEX) ? "^{2}" : "^2");
    }
  } else {
    put_binary(p, x, times(p), y, PRODUCT, PRODUCT + 1);
  }
}

// does it begin with a minus that a sum can take over?
static bool is_negative_product(const Print* p, SarNode n) {
  return op_of(p->g, n) == SAR_OP_MUL && !has_name(p, n) && is_number(p->g, arg_of(p, n, 1)) &&
         value_of(p->g, arg_of(p, n, 1)) < 0;
}

// Does the text of a sum begin with a minus?
static bool starts_negative(const Print* p, SarNode n) {
  while ((op_of(p->g, n) == SAR_OP_ADD || op_of(p->g, n) == SAR_OP_SUB) && !has_name(p, n))
    n = arg_of(p, n, 0);
  return op_of(p->g, n) == SAR_OP_NEG || is_negative_product(p, n) ||
         (is_number(p->g, n) && signbit(value_of(p->g, n)));
}

static void put_sum(Print* p, SarNode n) {
  const SarNode x = arg_of(p, n, 0), y = arg_of(p, n, 1);
  const bool number = is_number(p->g, y) && !sar_node_is_fraction(p->g, y);
  int64_t num, den;
  if (op_of(p->g, n) == SAR_OP_SUB) {
    put_binary(p, x, " - ", y, SUM, SUM + 1);
  } else if (number && signbit(value_of(p->g, y)) && !isnan(value_of(p->g, y))) {
    put_node(p, x, SUM);
    put(p, " - ");
    put_number(p, -value_of(p->g, y));
  } else if (sar_node_rational(p->g, y, &num, &den) && num < 0) {
    put_node(p, x, SUM);
    put(p, " - ");
    put_fraction(p, -num, den);
  } else if (is_negative_product(p, y)) {
    put_node(p, x, SUM);
    put(p, " - ");
    put_product(p, y, true);
  } else {
    const bool flat = p->how->flat && !is_style(p, SAR_PRINT_C) && !starts_negative(p, y);
    put_binary(p, x, " + ", y, SUM, flat ? SUM : SUM + 1);
  }
}

static void put_quotient(Print* p, SarNode n) {
  if (!is_style(p, SAR_PRINT_LATEX)) {
    put_binary(p, arg_of(p, n, 0), is_style(p, SAR_PRINT_C) ? " / " : "/", arg_of(p, n, 1), PRODUCT,
               PRODUCT + 1);
    return;
  }
  put(p, "\\frac{");
  put_binary(p, arg_of(p, n, 0), "}{", arg_of(p, n, 1), CHOICE, CHOICE);
  put(p, "}");
}

static void put_power(Print* p, SarNode n) {
  put_node(p, arg_of(p, n, 0), POWER + 1);
  put(p, is_style(p, SAR_PRINT_LATEX) ? "^{" : "^");
  put_node(p, arg_of(p, n, 1), is_style(p, SAR_PRINT_LATEX) ? CHOICE : POWER + 1);
  if (is_style(p, SAR_PRINT_LATEX)) put(p, "}");
}

static void put_choice(Print* p, SarNode n) {
  const bool latex = is_style(p, SAR_PRINT_LATEX);
  const SarNode c = arg_of(p, n, 0), yes = arg_of(p, n, 1), no = arg_of(p, n, 2);
  if (latex) {
    put(p, "\\begin{cases}");
    put_binary(p, yes, " & ", c, CHOICE, CHOICE);
    put(p, " \\\\ ");
    put_node(p, no, CHOICE);
    put(p, " & \\text{else}\\end{cases}");
    return;
  }
  put_node(p, c, is_style(p, SAR_PRINT_C) ? COMPARE + 1 : CHOICE + 1);
  put(p, is_style(p, SAR_PRINT_C) ? " != 0.0 ? " : " ? ");
  put_binary(p, yes, " : ", no, CHOICE + 1, CHOICE);
}

// ---- functions --------------------------------------------------------------------------------------

// the value column with the arguments put in for x and y
static void put_c_call(Print* p, SarNode n, const char* form) {
  char letter[2] = {0};
  bool in_word = false;
  for (const char* c = form; *c; c++) {
    letter[0] = *c;
    const bool word = is_plain_name(letter) || (*c >= '0' && *c <= '9');
    const bool alone =
        !in_word && !is_plain_name((char[]){c[1], '\0'}) && !(c[1] >= '0' && c[1] <= '9');
    if ((*c == 'x' || *c == 'y') && alone)
      put_node(p, arg_of(p, n, *c == 'y'), CHOICE);
    else
      put(p, letter);
    in_word = word;
  }
}

static const char* latex_function(SarOp op) {
  switch (op) {
    case SAR_OP_SIN: return "\\sin ";
    case SAR_OP_COS: return "\\cos ";
    case SAR_OP_TAN: return "\\tan ";
    case SAR_OP_ASIN: return "\\arcsin ";
    case SAR_OP_ACOS: return "\\arccos ";
    case SAR_OP_ATAN: return "\\arctan ";
    case SAR_OP_SINH: return "\\sinh ";
    case SAR_OP_COSH: return "\\cosh ";
    case SAR_OP_TANH: return "\\tanh ";
    case SAR_OP_EXP: return "\\exp ";
    case SAR_OP_LOG: return "\\ln ";
    default: return NULL;
  }
}

static void put_latex_call(Print* p, SarNode n) {
  const SarOp op = op_of(p->g, n);
  const struct {
    SarOp op;
    const char *open, *close;
  } fences[] = {{SAR_OP_SQRT, "\\sqrt{", "}"},
                {SAR_OP_CBRT, "\\sqrt[3]{", "}"},
                {SAR_OP_ABS, "\\left|", "\\right|"},
                {SAR_OP_FLOOR, "\\left\\lfloor ", "\\right\\rfloor "},
                {SAR_OP_CEIL, "\\left\\lceil ", "\\right\\rceil "}};
  for (size_t i = 0; i < sizeof fences / sizeof *fences; i++) {
    if (fences[i].op != op) continue;
    put(p, fences[i].open);
    put_node(p, arg_of(p, n, 0), CHOICE);
    put(p, fences[i].close);
    return;
  }
  if (latex_function(op)) {
    put(p, latex_function(op));
    put_node(p, arg_of(p, n, 0), ATOM);
    return;
  }
  put(p, "\\operatorname{");
  put(p, sar_op_name(op));
  put(p, "}\\left(");
  for (int i = 0; i < node_of(p->g, n)->num; i++) {
    if (i) put(p, ", ");
    put_node(p, arg_of(p, n, i), CHOICE);
  }
  put(p, "\\right)");
}

static void put_call(Print* p, SarNode n) {
  const SarOp op = op_of(p->g, n);
  if (is_style(p, SAR_PRINT_C)) {
    put_c_call(p, n, sar_op_c(op));
  } else if (is_style(p, SAR_PRINT_LATEX)) {
    put_latex_call(p, n);
  } else {
    put(p, sar_op_name(op));
    put(p, "(");
    for (int i = 0; i < node_of(p->g, n)->num; i++) {
      if (i) put(p, ", ");
      put_node(p, arg_of(p, n, i), CHOICE + 1);
    }
    put(p, ")");
  }
}

// table(x, x1, y1, ...); in C the caller gives tables names
static void put_table(Print* p, SarNode n) {
  const SarOp op = op_of(p->g, n);
  const SarPoints* t = &p->g->tables.items[node_of(p->g, n)->table];
  const char* name = op == SAR_OP_TABLE    ? "table"
                     : op == SAR_OP_SLOPE  ? "table_slope"
                     : op == SAR_OP_SPLINE ? "spline"
                                           : "spline_slope";
  const bool latex = is_style(p, SAR_PRINT_LATEX);
  put(p, latex ? "\\operatorname{" : "");
  put(p, latex && strchr(name, '_') ? (op == SAR_OP_SLOPE ? "table'" : "spline'") : name);
  put(p, latex ? "}\\left(" : "(");
  put_node(p, arg_of(p, n, 0), CHOICE + 1);
  for (int i = 0; i < t->count; i++)
    for (int k = 0; k < 2; k++) {
      put(p, ", ");
      put_number(p, t->at[t->width * i + k]);
    }
  put(p, latex ? "\\right)" : ")");
}

// ---- all --------------------------------------------------------------------------------------------

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
      return sar_node_rational(p->g, n, &num, &den) && den > 1 && !is_decimal(den) && !latex
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
      if (is_negative_product(p, n)) return c ? PRODUCT : SIGN - 1;
      if (arg_of(p, n, 0) == arg_of(p, n, 1) && !c) return POWER;
      return PRODUCT;
    case SAR_OP_DIV: return latex ? POWER : PRODUCT;
    case SAR_OP_POW: return c ? ATOM : POWER;
    case SAR_OP_SIN:
    case SAR_OP_COS:
    case SAR_OP_TAN: return latex ? POWER : ATOM;
    default:
      if (comparison(p, op)) return COMPARE;
      return latex && latex_function(op) ? POWER : ATOM;
  }
}

static void put_logic(Print* p, SarNode n) {
  const SarOp op = op_of(p->g, n);
  const bool c = is_style(p, SAR_PRINT_C), latex = is_style(p, SAR_PRINT_LATEX);
  if (op == SAR_OP_NOT) {
    put(p, latex ? "\\lnot " : c ? "" : "not ");
    put_node(p, arg_of(p, n, 0), c ? COMPARE + 1 : NOT + 1);
    put(p, c ? " == 0.0" : "");
    return;
  }
  const int level = c ? COMPARE + 1 : op == SAR_OP_OR ? OR + 1 : AND + 1;
  put_node(p, arg_of(p, n, 0), level);
  put(p, c ? " != 0.0" : "");
  if (op == SAR_OP_AND)
    put(p, c ? " && " : latex ? " \\land " : " and ");
  else
    put(p, c ? " || " : latex ? " \\lor " : " or ");
  put_node(p, arg_of(p, n, 1), level);
  put(p, c ? " != 0.0" : "");
}

static void put_operation(Print* p, SarNode n) {
  const SarOp op = op_of(p->g, n);
  int64_t num, den;
  switch (op) {
    case SAR_OP_NUMBER:
      if (sar_node_is_fraction(p->g, n) && sar_node_rational(p->g, n, &num, &den))
        put_fraction(p, num, den);
      else
        put_number(p, value_of(p->g, n));
      return;
    case SAR_OP_SYMBOL: put_symbol(p, node_of(p->g, n)->name); return;
    case SAR_OP_SELECT: put_choice(p, n); return;
    case SAR_OP_TABLE:
    case SAR_OP_SLOPE:
    case SAR_OP_SPLINE:
    case SAR_OP_SPLINE_SLOPE: put_table(p, n); return;
    case SAR_OP_NOT:
    case SAR_OP_AND:
    case SAR_OP_OR: put_logic(p, n); return;
    case SAR_OP_NEG:
      put(p, "-");
      put_node(p, arg_of(p, n, 0), is_style(p, SAR_PRINT_C) ? SIGN + 1 : PRODUCT);
      return;
    case SAR_OP_ADD:
    case SAR_OP_SUB: put_sum(p, n); return;
    case SAR_OP_MUL: put_product(p, n, false); return;
    case SAR_OP_DIV: put_quotient(p, n); return;
    case SAR_OP_POW:
      if (is_style(p, SAR_PRINT_C)) break;
      put_power(p, n);
      return;
    default: break;
  }
  if (comparison(p, op))
    put_binary(p, arg_of(p, n, 0), comparison(p, op), arg_of(p, n, 1), COMPARE + 1, COMPARE + 1);
  else
    put_call(p, n);
}

static void put_node(Print* p, SarNode n, int above) {
  const char* name = p->how->name && p->depth > 0 ? p->how->name(p->how->context, n) : NULL;
  if (name) {
    put(p, name);
    return;
  }
  if (p->failed || ++p->depth > SAR_PRINT_MAX_DEPTH) {
    p->failed = true;
    return;
  }
  const bool brackets = precedence_of(p, n) < above;
  const bool latex = is_style(p, SAR_PRINT_LATEX);
  if (brackets) put(p, latex ? "\\left(" : "(");
  put_operation(p, n);
  if (brackets) put(p, latex ? "\\right)" : ")");
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
    put(&p, name);
  else
    put_node(&p, n, CHOICE);
  if (!p.failed) text = sar_arena_strndup(a, p.text.items, (size_t)p.text.count);
  sar_arena_end(&scratch, a);
  return text;
}
