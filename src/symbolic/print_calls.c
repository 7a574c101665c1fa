// Functions and tables as text: by their names, as calls of C's library, in LaTeX.
#include "symbolic/printing.h"

#include <string.h>

// the value column with the arguments put in for x and y
static void put_c_call(Print* p, SarNode n, const char* form) {
  char letter[2] = {0};
  bool in_word = false;
  for (const char* c = form; *c; c++) {
    letter[0] = *c;
    const bool word = sar_is_plain_name(letter) || (*c >= '0' && *c <= '9');
    const bool alone =
        !in_word && !sar_is_plain_name((char[]){c[1], '\0'}) && !(c[1] >= '0' && c[1] <= '9');
    if ((*c == 'x' || *c == 'y') && alone)
      sar_put_node(p, arg_of(p, n, *c == 'y'), CHOICE);
    else
      sar_put(p, letter);
    in_word = word;
  }
}

const char* sar_latex_function(SarOp op) {
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
    sar_put(p, fences[i].open);
    sar_put_node(p, arg_of(p, n, 0), CHOICE);
    sar_put(p, fences[i].close);
    return;
  }
  if (sar_latex_function(op)) {
    sar_put(p, sar_latex_function(op));
    sar_put_node(p, arg_of(p, n, 0), ATOM);
    return;
  }
  sar_put(p, "\\operatorname{");
  sar_put(p, sar_op_name(op));
  sar_put(p, "}\\left(");
  for (int i = 0; i < node_of(p->g, n)->num; i++) {
    if (i) sar_put(p, ", ");
    sar_put_node(p, arg_of(p, n, i), CHOICE);
  }
  sar_put(p, "\\right)");
}

void sar_put_call(Print* p, SarNode n) {
  const SarOp op = op_of(p->g, n);
  if (is_style(p, SAR_PRINT_C)) {
    put_c_call(p, n, sar_op_c(op));
  } else if (is_style(p, SAR_PRINT_LATEX)) {
    put_latex_call(p, n);
  } else {
    sar_put(p, sar_op_name(op));
    sar_put(p, "(");
    for (int i = 0; i < node_of(p->g, n)->num; i++) {
      if (i) sar_put(p, ", ");
      sar_put_node(p, arg_of(p, n, i), CHOICE + 1);
    }
    sar_put(p, ")");
  }
}

// table(x, x1, y1, ...); in C the caller gives tables names
void sar_put_table(Print* p, SarNode n) {
  const SarOp op = op_of(p->g, n);
  const SarPoints* t = &p->g->tables.items[node_of(p->g, n)->table];
  const char* name = op == SAR_OP_TABLE    ? "table"
                     : op == SAR_OP_SLOPE  ? "table_slope"
                     : op == SAR_OP_SPLINE ? "spline"
                                           : "spline_slope";
  const bool latex = is_style(p, SAR_PRINT_LATEX);
  sar_put(p, latex ? "\\operatorname{" : "");
  sar_put(p, latex && strchr(name, '_') ? (op == SAR_OP_SLOPE ? "table'" : "spline'") : name);
  sar_put(p, latex ? "}\\left(" : "(");
  sar_put_node(p, arg_of(p, n, 0), CHOICE + 1);
  for (int i = 0; i < t->count; i++)
    for (int k = 0; k < 2; k++) {
      sar_put(p, ", ");
      sar_put_number(p, t->at[t->width * i + k]);
    }
  sar_put(p, latex ? "\\right)" : ")");
}
