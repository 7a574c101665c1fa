// Numbers in equations as functions of the model's parameters.
//
// A compiled model holds numbers: masses, offsets and inertias that its
// parameters have gone into. What they did is found again from outside. The
// equations are built for random values of the parameters; graphs of the same
// structure are compared number by number; a number that varies is fitted by a
// sum of few products of powers of the parameters it depends on (least squares
// over all small exponents, then over those that count), and the fit is
// accepted if it holds to rounding at every sample, of which there are more
// than coefficients. A number that has no such form (the cosine of a parameter,
// say) gets a name of its own. A parameter whose change alters the structure,
// or makes the model wrong, stays a number.
#pragma once
#include "symbolic/collect.h"

typedef struct SarLift {
  int parameters;
  const char* const* name;
  const double* value;  // as they are
  // The outputs for other values, in a graph of its own; false: no model has
  // these values.
  bool (*build)(void* context, const double* value, SarArena* arena, SarGraph** g, SarNode* output);
  void* context;
  int outputs;
  SarStop* stop;  // Nullable; asked before every build
} SarLift;

// A number that is no sum of products of the parameters.
typedef struct SarLiftedNumber {
  const char* name;  // k1, k2, ...
  double value;
} SarLiftedNumber;

typedef struct SarLifted {
  bool* kept;  // by parameter: it is a symbol
  int numbers;
  SarLiftedNumber* number;
  int builds;
} SarLifted;

// output[i]: the outputs in graph `to`, whose arena takes `out` too. False: no
// memory, the graph is full, the work was stopped, or not even the values as
// they are give a model.
bool sar_lift(const SarLift* l, SarGraph* to, SarNode* output, SarLifted* out);

// ---- between the parts --------------------------------------------------------------------------
enum { SAR_FIT_PARAMETERS = 4, SAR_FIT_TERMS = 150 };
typedef struct SarFitTerm {
  double coefficient;
  int power[SAR_FIT_PARAMETERS];
} SarFitTerm;
typedef struct SarFit {
  int count;
  SarFitTerm term[SAR_FIT_TERMS];
} SarFit;
// f = sum of products of powers of x, from samples f[i] at x[i * n ...]; false:
// no such sum fits.
bool sar_fit_products(SarArena* scratch, int samples, int n, const double* x, const double* f,
                      SarFit* fit);
// A number as a person would write it, 1/12, 9.81, where that is it but for a
// relative error.
SarNode sar_lift_coefficient(SarGraph* g, double c, double error);
