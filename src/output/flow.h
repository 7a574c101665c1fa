// The solution flow of the kinematics in words: which loops are solved in which order, what is
// known in each, what is found and how (Figs. 2 and 6 of Uchida and McPhee 2012). What `sarrus
// loops`, `sarrus equations
// --kinematics` and the picture of both show.
#pragma once
#include "sarrus/sarrus.h"

#include "base/arena.h"

// A polynomial of a lexicographic basis: "cos A.q" of degree 2 in it.
typedef struct SarFlowPolynomial {
  const char* of;     // "cos A.q"
  int coordinate;     // place among the loop's unknowns
  char part;          // 's', 'c', 'x': sine, cosine, value
  int degree, terms;  // degree in `of`
  int digits;         // of the longest coefficient
} SarFlowPolynomial;

typedef struct SarFlowLoop {
  const char* kind;  // "given", "triangular", "newton"
  const char* reason;
  int unknowns;
  const char** unknown;
  int* dof;    // the same as coordinates
  int knowns;  // coordinates that its equations contain and that are there before it
  const char** known;
  int* from;  // the loop that found each, -1: independent
  int constraints;
  const char** constraint;
  int symbols;      // known quantities in its polynomials
  int basis;        // elements of its basis
  long work;        // reductions that it took,
  double seconds;   // CPU time
  size_t bytes;     // and memory
  int polynomials;  // in the order of their use
  SarFlowPolynomial* polynomial;
  int level;  // loops of a level do not need each other
} SarFlowLoop;

typedef struct SarFlowReport {
  SarArena arena;
  const char* name;     // of the model
  const char* verdict;  // "triangular", "block-triangular", "newton", "no loops"
  int coordinates, dependent, independents;
  const char** independent;
  const struct SarLoopFlow* flow;  // NULL: no loops
  SarData* start;                  // closed
  const int* loop_of;              // by coordinate, -1: independent; NULL: no loops
  int loops, levels;
  SarFlowLoop* loop;  // in the order of their solution
} SarFlowReport;

// Assembles the model and plans. Free the report, also after a failure. SAR_NOT_OFFERED after a
// message: rolling without slip holds speeds, which leave positions open.
SarStatus sar_flow_report(const SarModel* m, SarFlowReport* out, SarError* err);
void sar_flow_report_free(SarFlowReport* r);
