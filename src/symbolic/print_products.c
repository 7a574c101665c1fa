// Sums and products as text. For reading (`flat`) a product is gathered from products within
// products: the number, powers of symbols, functions, the denominator, 5*L^2*m/6.
#include "base/print.h"
#include "symbolic/printing.h"

#include <math.h>

static const char* times(const Print* p) {
  return is_style(p, SAR_PRINT_LATEX) ? " " : is_style(p, SAR_PRINT_C) ? " * " : "*";
}

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
    sar_put(p, op == SAR_OP_SIN ? "\\sin" : "\\cos");
    sar_put(p, exponent);
    sar_put(p, " ");
    sar_put_node(p, arg_of(p, n, 0), ATOM);
    return;
  }
  sar_put_node(p, n, power > 1 ? POWER + 1 : PRODUCT + 1);
  if (power > 1) sar_put(p, exponent);
}

// number, then the factors, then a denominator: 5 L^2 m / 6
static bool put_flat_product(Print* p, SarNode n, bool without_sign) {
  Product f = {.number = SAR_NONE};
  int64_t num = 1, den = 1;
  char text[48];
  if (!gather(p, n, &f)) return false;
  sort_factors(p, &f);
  const bool exact =
      f.number < 0 || (sar_node_rational(p->g, f.number, &num, &den) && !sar_is_decimal(den));
  const bool latex = is_style(p, SAR_PRINT_LATEX);
  if (without_sign && num < 0) num = -num;
  if (!exact) {
    const double value = value_of(p->g, f.number);
    sar_put_number(p, without_sign ? fabs(value) : value);
    sar_put(p, times(p));
  } else if (latex && den > 1) {
    sar_put_fraction(p, num, den);
    sar_put(p, " ");
  } else if (num == -1) {
    sar_put(p, "-");
  } else if (num != 1) {
    sar_put_number(p, (double)num);
    sar_put(p, times(p));
  }
  for (int i = 0; i < f.count; i++) {
    if (i) sar_put(p, times(p));
    put_factor(p, f.factor[i].node, f.factor[i].power);
  }
  sar_snprintf(text, sizeof text, "/%lld", (long long)den);
  if (exact && den > 1 && !latex) sar_put(p, text);
  return true;
}

// number * rest without its sign
void sar_put_product(Print* p, SarNode n, bool without_sign) {
  const SarNode x = arg_of(p, n, 0), y = arg_of(p, n, 1);
  if (p->how->flat && !is_style(p, SAR_PRINT_C) && put_flat_product(p, n, without_sign)) return;
  if (is_number(p->g, y)) {  // numbers first
    int64_t num, den;
    const double value = value_of(p->g, y);
    if (sar_node_is_fraction(p->g, y) && sar_node_rational(p->g, y, &num, &den)) {
      const bool brackets = !is_style(p, SAR_PRINT_LATEX) && !sar_is_decimal(den);
      if (brackets) sar_put(p, "(");
      sar_put_fraction(p, without_sign && num < 0 ? -num : num, den);
      if (brackets) sar_put(p, ")");
    } else {
      sar_put_number(p, without_sign ? fabs(value) : value);
    }
    sar_put(p, times(p));
    if (is_style(p, SAR_PRINT_LATEX) && is_number(p->g, x)) sar_put(p, "\\cdot ");
    sar_put_node(p, x, PRODUCT + 1);
  } else if (x == y && !is_style(p, SAR_PRINT_C)) {
    const SarOp op = op_of(p->g, x);
    if (is_style(p, SAR_PRINT_LATEX) && (op == SAR_OP_SIN || op == SAR_OP_COS) && !has_name(p, x)) {
      sar_put(p, op == SAR_OP_SIN ? "\\sin^{2} " : "\\cos^{2} ");
      sar_put_node(p, arg_of(p, x, 0), ATOM);
    } else {
      sar_put_node(p, x, POWER + 1);
      sar_put(p, is_style(p, SAR_PRINT_LATEX) ? "^{2}" : "^2");
    }
  } else {
    sar_put_binary(p, x, times(p), y, PRODUCT, PRODUCT + 1);
  }
}

// does it begin with a minus that a sum can take over?
bool sar_is_negative_product(const Print* p, SarNode n) {
  return op_of(p->g, n) == SAR_OP_MUL && !has_name(p, n) && is_number(p->g, arg_of(p, n, 1)) &&
         value_of(p->g, arg_of(p, n, 1)) < 0;
}

// Does the text of a sum begin with a minus?
static bool starts_negative(const Print* p, SarNode n) {
  while ((op_of(p->g, n) == SAR_OP_ADD || op_of(p->g, n) == SAR_OP_SUB) && !has_name(p, n))
    n = arg_of(p, n, 0);
  return op_of(p->g, n) == SAR_OP_NEG || sar_is_negative_product(p, n) ||
         (is_number(p->g, n) && signbit(value_of(p->g, n)));
}

void sar_put_sum(Print* p, SarNode n) {
  const SarNode x = arg_of(p, n, 0), y = arg_of(p, n, 1);
  const bool number = is_number(p->g, y) && !sar_node_is_fraction(p->g, y);
  int64_t num, den;
  if (op_of(p->g, n) == SAR_OP_SUB) {
    sar_put_binary(p, x, " - ", y, SUM, SUM + 1);
  } else if (number && signbit(value_of(p->g, y)) && !isnan(value_of(p->g, y))) {
    sar_put_node(p, x, SUM);
    sar_put(p, " - ");
    sar_put_number(p, -value_of(p->g, y));
  } else if (sar_node_rational(p->g, y, &num, &den) && num < 0) {
    sar_put_node(p, x, SUM);
    sar_put(p, " - ");
    sar_put_fraction(p, -num, den);
  } else if (sar_is_negative_product(p, y)) {
    sar_put_node(p, x, SUM);
    sar_put(p, " - ");
    sar_put_product(p, y, true);
  } else {
    const bool flat = p->how->flat && !is_style(p, SAR_PRINT_C) && !starts_negative(p, y);
    sar_put_binary(p, x, " + ", y, SUM, flat ? SUM : SUM + 1);
  }
}
