// Methods of optimization by name (optimize_methods.c): a table over those of NLopt.
#pragma once
#include <stdbool.h>

typedef struct OptimizeMethod {
  const char* name;
  int id;            // of NLopt
  bool slopes;       // takes derivatives
  bool constraints;  // takes --subject-to
  bool global;       // ends by --evaluations alone
  int least;         // parameters
  const char* doc;
} OptimizeMethod;

extern const OptimizeMethod optimize_methods[];           // ended by one without name
const OptimizeMethod* optimize_method(const char* name);  // NULL: there is none
bool optimize_offered(void);                              // is NLopt there?
