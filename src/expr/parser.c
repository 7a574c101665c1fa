// SarParser: precedence climbing over the tokens of lexer.c. Grammar in expr.h.
//
// A syntax error ends the reading of an expression, since what follows would be guesswork. Mistakes
// that leave the structure clear (unknown function, wrong number of arguments, ill-formed table)
// are all reported.
#include "base/print.h"
#include "expr/tree.h"

#include "base/text.h"
#include "expr/parser.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

typedef struct NamedValue {
  const char* name;
  double value;
} NamedValue;

static const NamedValue constants[] = {{"pi", PI},        {"e", 2.71828182845904523536},
                                       {"deg", PI / 180}, {"inf", (double)INFINITY},
                                       {"true", 1},       {"false", 0}};
static const NamedValue units[] = {
    {"deg", PI / 180}, {"rad", 1}, {"rpm", PI / 30}, {"mm", 1e-3}, {"cm", 1e-2}};

static SarExpr* parse_expr(SarParser* p);
static SarExpr* parse_binary(SarParser* p, int lowest);
static SarExpr* parse_unary(SarParser* p);

// ---- messages -----------------------------------------------------------------------------------

static const char* token_text(const SarParser* p, char* buf, size_t size) {
  int n = (int)(p->lx.next - p->lx.start);
  if (p->lx.kind == SAR_T_END)
    sar_snprintf(buf, size, "the end");
  else
    sar_snprintf(buf, size, "'%.*s'%s", n < 40 ? n : 40, p->lx.text + p->lx.start,
                 n < 40 ? "" : "...");
  return buf;
}

// the token does not fit; what the lexer knows about it is the better hint
static SarExpr* unexpected(SarParser* p, const char* expected, const char* hint) {
  char found[64];
  if (!p->failed)
    sar_report(p->err, p->lx.loc, p->lx.hint[0] ? p->lx.hint : hint, "expected %s, found %s",
               expected, token_text(p, found, sizeof found));
  p->wrong = p->failed = true;
  return NULL;
}

static SarExpr* too_deep(SarParser* p, SarLoc loc) {
  if (!p->failed)
    sar_report(p->err, loc, "split it: give a part its own name under 'parameters' or 'variables'",
               "expression nested deeper than %d levels", SAR_EXPR_MAX_DEPTH);
  p->wrong = p->failed = true;
  return NULL;
}

SarExpr* sar_parser_build(SarParser* p, SarOp op, SarLoc loc, int num, SarExpr* const* arg) {
  SarExpr* e = sar_tree_make(p->arena, op, loc, num, arg);
  if (!e) p->failed = true;
  if (e && e->depth > SAR_EXPR_MAX_DEPTH) return too_deep(p, loc);
  return e;
}

static SarExpr* build2(SarParser* p, SarOp op, SarExpr* x, SarExpr* y) {
  if (!x || !y) return NULL;
  return sar_parser_build(p, op, x->loc, 2, (SarExpr*[]){x, y});
}

static bool expect(SarParser* p, int kind, const char* what, const char* hint) {
  if (p->lx.kind != kind) {
    unexpected(p, what, hint);
    return false;
  }
  sar_lexer_advance(&p->lx);
  return true;
}

// ---- calls --------------------------------------------------------------------------------------

// name ( [expr {, expr}] )
static SarExpr* parse_call(SarParser* p, SarLoc loc, const char* name) {
  SarExprList args = {0};
  sar_lexer_advance(&p->lx);
  while (p->lx.kind != ')') {
    SarExpr* e = parse_expr(p);
    if (!e) return NULL;
    SarExpr** slot = SAR_LIST_ADD(p->arena, &args);
    if (!slot) return NULL;
    *slot = e;
    if (p->lx.kind == ')') break;
    if (!expect(p, ',', "',' or ')'", "")) return NULL;
    if (p->lx.kind == ')') return unexpected(p, "an argument after ','", "");
  }
  sar_lexer_advance(&p->lx);
  return sar_parser_call(p, loc, name, &args);
}

// ---- values -------------------------------------------------------------------------------------

static const NamedValue* find_value(const NamedValue* list, size_t count, const char* text,
                                    size_t n) {
  for (size_t i = 0; i < count; i++)
    if (strlen(list[i].name) == n && memcmp(list[i].name, text, n) == 0) return &list[i];
  return NULL;
}

static const NamedValue* find_constant(const char* text, size_t n) {
  return find_value(constants, sizeof constants / sizeof constants[0], text, n);
}

bool sar_expr_is_reserved(const char* name) {
  return find_constant(name, strlen(name)) || strcmp(name, "and") == 0 || strcmp(name, "or") == 0 ||
         strcmp(name, "not") == 0;
}

// number [unit]
static SarExpr* parse_number(SarParser* p) {
  SarLoc loc = p->lx.loc;
  double value = p->lx.value;
  sar_lexer_advance(&p->lx);
  if (p->lx.kind == SAR_T_NAME) {
    const NamedValue* unit = find_value(units, sizeof units / sizeof units[0],
                                        p->lx.text + p->lx.start, p->lx.next - p->lx.start);
    if (!unit)
      return unexpected(
          p, "an operator or a unit after the number",
          "numbers are in SI units; deg, rad, rpm, mm, cm may follow; a product is written with *");
    value *= unit->value;
    sar_lexer_advance(&p->lx);
  }
  return sar_tree_number(p->arena, loc, value);
}

// 'left-knee'.q -> left-knee.q; of two quotes within quotes one stays.
static char* without_quotes(SarParser* p, const char* text, size_t n) {
  char* name = sar_arena_strndup(p->arena, text, n);
  size_t used = 0;
  bool inside = false;
  for (size_t i = 0; name && i < n; i++) {
    if (text[i] != '\'') {
      name[used++] = text[i];
    } else if (inside && i + 1 < n && text[i + 1] == '\'') {
      name[used++] = text[i++];
    } else {
      inside = !inside;
    }
  }
  if (name) name[used] = '\0';
  return name;
}

static SarExpr* parse_name(SarParser* p) {
  SarLoc loc = p->lx.loc;
  const char* text = p->lx.text + p->lx.start;
  size_t n = p->lx.next - p->lx.start;
  sar_lexer_advance(&p->lx);
  if (memchr(text, '\'', n)) {
    char* quoted = without_quotes(p, text, n);
    return quoted ? sar_tree_name(p->arena, loc, quoted) : NULL;
  }
  if (p->lx.kind != '(') {
    const NamedValue* constant = find_constant(text, n);
    if (constant) return sar_tree_number(p->arena, loc, constant->value);
  }
  char* name = sar_arena_strndup(p->arena, text, n);
  if (!name) return NULL;
  return p->lx.kind == '(' ? parse_call(p, loc, name) : sar_tree_name(p->arena, loc, name);
}

static SarExpr* parse_primary(SarParser* p) {
  if (p->lx.kind == SAR_T_NUMBER) return parse_number(p);
  if (p->lx.kind == SAR_T_NAME) return parse_name(p);
  if (p->lx.kind == SAR_T_NOT) return unexpected(p, "a value", "put parentheses around (not ...)");
  if (p->lx.kind != '(') return unexpected(p, "a number, a name or '('", "");
  SarLoc open = p->lx.loc;
  sar_lexer_advance(&p->lx);
  SarExpr* e = parse_expr(p);
  if (!e) return NULL;
  char hint[64];
  sar_snprintf(hint, sizeof hint, "it closes the '(' at %d:%d", open.line, open.column);
  if (!expect(p, ')', "an operator or ')'", hint)) return NULL;
  if (e->op != SAR_OP_SYMBOL) e->loc = open;  // a name keeps its own place for messages
  return e;
}

// ---- operators ----------------------------------------------------------------------------------

// - unary | + unary | primary [^ unary], so -x^2 is -(x^2) and x^-1 is allowed
static SarExpr* parse_unary(SarParser* p) {
  SarLoc loc = p->lx.loc;
  if (p->level >= SAR_EXPR_MAX_DEPTH) return too_deep(p, loc);
  p->level++;
  SarExpr* e = NULL;
  if (p->lx.kind == '-' || p->lx.kind == '+') {
    bool minus = p->lx.kind == '-';
    sar_lexer_advance(&p->lx);
    e = parse_unary(p);
    if (e && minus) e = sar_parser_build(p, SAR_OP_NEG, loc, 1, &e);
  } else {
    e = parse_primary(p);
    if (e && p->lx.kind == '^') {
      sar_lexer_advance(&p->lx);
      SarExpr* exponent = parse_unary(p);
      e = build2(p, SAR_OP_POW, e, exponent);
    }
  }
  p->level--;
  return e;
}

enum { LEVEL_OR = 1, LEVEL_AND, LEVEL_NOT, LEVEL_COMPARE, LEVEL_SUM, LEVEL_PRODUCT };

typedef struct Operator {
  int token, level;
  SarOp op;
} Operator;

static const Operator* find_operator(int token) {
  static const Operator operators[] = {
      {SAR_T_OR, LEVEL_OR, SAR_OP_OR},      {SAR_T_AND, LEVEL_AND, SAR_OP_AND},
      {'<', LEVEL_COMPARE, SAR_OP_LT},      {SAR_T_LE, LEVEL_COMPARE, SAR_OP_LE},
      {'>', LEVEL_COMPARE, SAR_OP_GT},      {SAR_T_GE, LEVEL_COMPARE, SAR_OP_GE},
      {SAR_T_EQ, LEVEL_COMPARE, SAR_OP_EQ}, {SAR_T_NE, LEVEL_COMPARE, SAR_OP_NE},
      {'+', LEVEL_SUM, SAR_OP_SUM},         {'-', LEVEL_SUM, SAR_OP_SUM},
      {'*', LEVEL_PRODUCT, SAR_OP_MUL},     {'/', LEVEL_PRODUCT, SAR_OP_DIV},
      {'%', LEVEL_PRODUCT, SAR_OP_MOD},
  };
  for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++)
    if (operators[i].token == token) return &operators[i];
  return NULL;
}

// x + y - z ... as one flat node; x - y is x + (-y), which has the same bits
static SarExpr* parse_sum(SarParser* p, SarExpr* first) {
  SarExprList terms = {0};
  SarExpr** slot = SAR_LIST_ADD(p->arena, &terms);
  if (!slot) return NULL;
  *slot = first;
  while (p->lx.kind == '+' || p->lx.kind == '-') {
    bool minus = p->lx.kind == '-';
    SarLoc loc = p->lx.loc;
    sar_lexer_advance(&p->lx);
    SarExpr* term = parse_binary(p, LEVEL_SUM + 1);
    if (term && minus) term = sar_parser_build(p, SAR_OP_NEG, loc, 1, &term);
    slot = term ? SAR_LIST_ADD(p->arena, &terms) : NULL;
    if (!slot) return NULL;
    *slot = term;
  }
  return sar_parser_build(p, SAR_OP_SUM, first->loc, terms.count, terms.items);
}

static SarExpr* parse_not(SarParser* p) {
  SarLoc loc = p->lx.loc;
  if (p->level >= SAR_EXPR_MAX_DEPTH) return too_deep(p, loc);
  p->level++;
  sar_lexer_advance(&p->lx);
  SarExpr* e = parse_binary(p, LEVEL_NOT);
  p->level--;
  return e ? sar_parser_build(p, SAR_OP_NOT, loc, 1, &e) : NULL;
}

// operators of at least level `lowest`, left to right
static SarExpr* parse_binary(SarParser* p, int lowest) {
  bool negated = p->lx.kind == SAR_T_NOT && lowest <= LEVEL_NOT;
  SarExpr* e = negated ? parse_not(p) : parse_unary(p);
  const Operator* o;
  while (e && (o = find_operator(p->lx.kind)) && o->level >= lowest) {
    if (o->op == SAR_OP_SUM) {
      e = parse_sum(p, e);
      continue;
    }
    sar_lexer_advance(&p->lx);
    SarExpr* right = parse_binary(p, o->level + 1);
    e = build2(p, o->op, e, right);
    const Operator* next = e ? find_operator(p->lx.kind) : NULL;
    if (next && o->level == LEVEL_COMPARE && next->level == LEVEL_COMPARE)
      return unexpected(p, "one comparison", "write a < b and b < c");
  }
  return e;
}

// binary [? expr : expr]
static SarExpr* parse_expr(SarParser* p) {
  SarExpr* condition = parse_binary(p, LEVEL_OR);
  if (!condition || p->lx.kind != '?') return condition;
  if (p->level >= SAR_EXPR_MAX_DEPTH) return too_deep(p, p->lx.loc);
  p->level++;
  sar_lexer_advance(&p->lx);
  SarExpr* yes = parse_expr(p);
  SarExpr* no = NULL;
  if (yes && expect(p, ':', "':'", "a choice is written c ? a : b")) no = parse_expr(p);
  p->level--;
  return no ? sar_parser_build(p, SAR_OP_SELECT, condition->loc, 3,
                               (SarExpr*[]){condition, yes, no})
            : NULL;
}

SarExpr* sar_expr_parse(SarArena* a, const char* text, size_t n, SarLoc loc, SarError* err) {
  if (n > SAR_EXPR_MAX_LENGTH) {
    sar_report(err, loc, "", "expression longer than %d characters", SAR_EXPR_MAX_LENGTH);
    return NULL;
  }
  SarParser p = {.arena = a, .err = err};
  sar_lexer_init(&p.lx, text, n, loc);
  if (p.lx.kind == SAR_T_END) return unexpected(&p, "an expression", "");
  SarExpr* e = parse_expr(&p);
  if (e && p.lx.kind != SAR_T_END) {
    if (p.lx.kind == '(' || p.lx.kind == SAR_T_NAME || p.lx.kind == SAR_T_NUMBER)
      return unexpected(&p, "an operator", "a product is written with *");
    return unexpected(&p, "an operator", p.lx.kind == ')' ? "no '(' stands before it" : "");
  }
  return p.wrong ? NULL : e;
}
