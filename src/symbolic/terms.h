// Sums of products over a graph: what collecting works on. Private to
// src/symbolic.
//
// A term is a number times powers of atoms: symbols, functions, and whatever is
// not taken apart. Factors stand in the order of their nodes, terms are all
// different.
#pragma once
#include "symbolic/graph.h"

enum { SAR_TERM_FACTORS = 14 };

typedef struct SarFactor {
  SarNode atom;
  int power;  // negative: in the denominator
} SarFactor;

typedef struct SarProduct {
  SarNode number;
  int num;
  SarFactor factor[SAR_TERM_FACTORS];
} SarProduct;

typedef struct SarSum {
  int count;  // -1: too large, or no memory
  SarProduct* term;
} SarSum;

static inline bool sar_sum_is_good(SarSum p) { return p.count >= 0; }
extern const SarSum sar_sum_bad;

SarSum sar_sum_number(SarArena* a, SarGraph* g, SarNode number);
SarSum sar_sum_atom(SarArena* a, SarGraph* g, SarNode atom, int power);
SarSum sar_sum_add(SarArena* a, SarGraph* g, SarSum x, SarSum y,
                   double sign);  // x + sign y
SarSum sar_sum_mul(SarArena* a, SarGraph* g, SarSum x, SarSum y, int most);
bool sar_sum_invert(SarGraph* g,
                    SarSum* x);  // of a single term; false: it is none
// Adds a term to those there are; p has room for one more.
void sar_sum_put(SarGraph* g, SarSum* p, const SarProduct* t);
// Changes the power of an atom; false: too many factors.
bool sar_product_times(SarProduct* t, SarNode atom, int power);
int sar_product_power(const SarProduct* t, SarNode atom);
bool sar_product_same(const SarProduct* s,
                      const SarProduct* t);   // but for the number
SarNode sar_sum_node(SarGraph* g, SarSum p);  // as a node

// sin or cos of an angle in one form of many: terms of the angle in the order of their nodes, like
// ones added up, the first one positive; sin(-u) = -sin u comes out as a negative node. What is no
// sum of few terms stays as it is.
SarNode sar_sym_circular(SarGraph* g, SarOp op, SarNode angle);
// sin² + cos² and angles of sums, as long as terms become fewer.
SarSum sar_sum_trig(SarArena* a, SarGraph* g, SarSum p);
// The same with a² + b² + c² + d² = 1 of four atoms.
SarSum sar_sum_unit(SarArena* a, SarGraph* g, SarSum p, const SarNode* atom);
