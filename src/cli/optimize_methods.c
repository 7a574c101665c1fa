// Methods of optimization (optimize_methods.h).
#include "cli/optimize_methods.h"

#include <stddef.h>
#include <string.h>

#ifdef SARRUS_HAVE_NLOPT
#include <nlopt.h>
#define ID(x) NLOPT_##x
bool optimize_offered(void) { return true; }
#else
#define ID(x) 0
bool optimize_offered(void) { return false; }
#endif

// clang-format off
const OptimizeMethod optimize_methods[] = {
  {"slsqp", ID(LD_SLSQP), true, true, false, 1, "sequential quadratic programming (Kraft 1994)"},
  {"mma", ID(LD_MMA), true, true, false, 1, "method of moving asymptotes (Svanberg 2002)"},
  {"lbfgs", ID(LD_LBFGS), true, false, false, 1, "limited-memory BFGS (Nocedal 1980)"},
  {"cobyla", ID(LN_COBYLA), false, true, false, 1, "linear models, no derivatives (Powell 1994)"},
  {"bobyqa", ID(LN_BOBYQA), false, false, false, 2, "quadratic models, no derivatives (Powell 2009)"},
  {"sbplx", ID(LN_SBPLX), false, false, false, 1, "Nelder and Mead on subspaces (Rowan 1990)"},
  {"neldermead", ID(LN_NELDERMEAD), false, false, false, 1, "simplex (Nelder and Mead 1965)"},
  {"direct", ID(GN_DIRECT_L), false, false, true, 1, "global: dividing rectangles (Gablonsky and Kelley 2001)"},
  {"crs", ID(GN_CRS2_LM), false, false, true, 1, "global: controlled random search (Kaelo and Ali 2006)"},
  {"isres", ID(GN_ISRES), false, true, true, 1, "global: evolution strategy (Runarsson and Yao 2005)"},
  {0}};
// clang-format on

const OptimizeMethod* optimize_method(const char* name) {
  for (const OptimizeMethod* m = optimize_methods; m->name; m++)
    if (strcmp(m->name, name) == 0) return m;
  return NULL;
}
