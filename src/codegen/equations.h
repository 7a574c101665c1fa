// Equations of motion of a model to be read, with its parameters as symbols:
//
//   M(q) v' + h(q, v, t) + J' lambda = tau,    phi(q, t) = 0,   J v' = gamma(q,
//   v, t)
//
// h has everything that acts: gravity, velocity products, springs, dampers,
// actuators; tau is what the host program adds. Numbers become functions of the
// parameters (lift.h), then everything is collected for reading
// (symbolic/collect.h).
#pragma once
#include "codegen/lift.h"
#include "loops/loops.h"
#include "model/data.h"
#include "model/model.h"
#include "model/spec.h"

typedef enum SarEquationPart {
  SAR_EQUATIONS_MASS = 1,
  SAR_EQUATIONS_BIAS = 2,
  SAR_EQUATIONS_CONSTRAINTS = 4,
  SAR_EQUATIONS_JACOBIAN = 8,
  SAR_EQUATIONS_GAMMA = 16,
  // of the embedding technique, where SarEquationsOptions.flow is given (embedded.c, solution.c)
  SAR_EQUATIONS_B = 32,
  SAR_EQUATIONS_BDOT = 64,
  SAR_EQUATIONS_SOLUTION = 128
} SarEquationPart;

typedef struct SarEquationsOptions {
  unsigned parts;              // of SarEquationPart
  const SarLoadOptions* load;  // parameters given here are numbers
  bool numbers;                // no symbols for parameters at all
  bool as_built;               // not collected
  // Nullable: how the loops of the model are solved, and data closed where it starts.
  const SarLoopFlow* flow;
  const SarData* start;
  SarStop* stop;  // Nullable
  void* stop_context;
} SarEquationsOptions;

// One line of the embedding: an entry of B, C or Bdot, or a step of the solution of a loop. Lines
// below have it as a symbol.
typedef enum SarLineKind {
  SAR_LINE_B,      // of dependent coordinate i by independent one k
  SAR_LINE_C,      // of dependent coordinate i
  SAR_LINE_BDOT,   // the same: what v' has beside B v_i'
  SAR_LINE_KNOWN,  // known quantity k of loop i
  SAR_LINE_SINE,   // of coordinate i
  SAR_LINE_COSINE,
  SAR_LINE_VALUE
} SarLineKind;
typedef struct SarEquationLine {
  SarLineKind kind;
  int i, k;
  SarNode symbol, value;
} SarEquationLine;

typedef struct SarEquations {
  SarGraph* g;
  const SarModel* m;  // with the parameters as they are
  SarNode* mass;      // nv nv; SAR_NONE where not asked for
  SarNode* bias;      // nv
  SarNode* Phi;       // nrow
  SarNode* J;         // nrow_dof, as row_adr and row_dof of the model say
  SarNode* gamma;     // nrow
  SarEquationLine* line;
  int lines;
  // symbols by name: parameters, then those of SarSymbols
  int parameters;
  const char** parameter;
  double* value;
  SarLifted lifted;
  char gravity[16];  // the name of the size of gravity; "": it is a number
} SarEquations;

// spec: what `m` was compiled from. In the arena. SAR_NOT_OFFERED after a
// report of what has no equations, SAR_STOPPED when stop said so.
SarStatus sar_equations_make(SarEquations* e, const SarSpec* spec, const SarModel* m,
                             const SarEquationsOptions* o, SarArena* arena, SarError* err);
// All outputs in a row, for passes over them; returns how many.
int sar_equations_list(const SarEquations* e, SarNode* all);
