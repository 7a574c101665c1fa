// The function table of functions.def as data: finding by name, parameters, documentation.
#include "base/print.h"
#include "expr/tree.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

static const SarFunction table[] = {
#define SAR_UNARY(id, name, parameters, value, derivative, doc) \
  {SAR_OP_##id, SAR_KIND_UNARY, name, parameters, "", doc},
#define SAR_BINARY(id, name, parameters, value, derivative, doc) \
  {SAR_OP_##id, SAR_KIND_BINARY, name, parameters, "", doc},
#define SAR_DEFINED(id, name, parameters, value, doc) \
  {SAR_OP_##id, SAR_KIND_DEFINED, name, parameters, value, doc},
#include "symbolic/functions.def"
    // as many arguments as one likes
    {SAR_OP_SELECT, SAR_KIND_VARIADIC, "if", "c, a, b", "",
     "a where c holds, else b; also written c ? a : b"},
    {SAR_OP_SELECT, SAR_KIND_VARIADIC, "piecewise", "c1, v1, c2, v2, ..., v", "",
     "the first value whose condition holds, else the last one"},
    {SAR_OP_TABLE, SAR_KIND_VARIADIC, "table", "x, x1, y1, x2, y2, ...", "",
     "linear interpolation between constant points, constant beyond the ends"},
    {SAR_OP_SPLINE, SAR_KIND_VARIADIC, "spline", "x, x1, y1, x2, y2, ...", "",
     "natural cubic spline through constant points, straight beyond the ends"},
    // these keep states: see blocks.c
    {SAR_OP_FILTER, SAR_KIND_BLOCK, "filter", "x, T, x0", "",
     "first-order lag: T z' = x - z, from x0 or at rest with x"},
    {SAR_OP_INTEGRAL, SAR_KIND_BLOCK, "integral", "x, x0", "",
     "x over time since the start, from x0 or 0"},
    {SAR_OP_PID, SAR_KIND_BLOCK, "pid", "x, kp, ki, kd, T", "",
     "kp x + ki times its integral + kd times its rate, filtered with T"},
};

enum { COUNT = sizeof table / sizeof table[0] };

const SarFunction* sar_function_of(SarOp op) {
  for (int i = 0; i < COUNT; i++)
    if (table[i].op == op) return &table[i];
  return NULL;
}

const SarFunction* sar_function_find(const char* name) {
  for (int i = 0; i < COUNT; i++)
    if (table[i].name[0] && strcmp(table[i].name, name) == 0) return &table[i];
  return NULL;
}

SarParameters sar_function_parameters(const SarFunction* f) {
  if (f->kind == SAR_KIND_UNARY) return (SarParameters){1, {"x"}};
  if (f->kind == SAR_KIND_BINARY) return (SarParameters){2, {"x", "y"}};
  SarParameters p = {0};
  if (f->kind == SAR_KIND_VARIADIC) return p;
  for (const char* c = f->parameters; *c && p.num < SAR_MAX_PARAMETERS;) {
    size_t n = strcspn(c, ", ");
    sar_snprintf(p.name[p.num++], sizeof p.name[0], "%.*s", (int)n, c);
    c += n;
    c += strspn(c, ", ");
  }
  return p;
}

int sar_parameters_find(const SarParameters* p, const char* name) {
  for (int i = 0; i < p->num; i++)
    if (strcmp(p->name[i], name) == 0) return i;
  return -1;
}

bool sar_expr_function(int index, SarFunctionDoc* out) {
  for (int i = 0; i < COUNT; i++) {
    if (!table[i].name[0] || index-- > 0) continue;
    *out = (SarFunctionDoc){table[i].name, table[i].parameters, table[i].doc,
                            table[i].kind == SAR_KIND_BLOCK};
    return true;
  }
  return false;
}

void sar_report_unknown(SarError* err, SarLoc loc, const char* name, const char* const* known,
                        int known_count) {
  char hint[256];
  const SarFunction* f = sar_function_find(name);
  if (f)
    sar_snprintf(hint, sizeof hint, "it is a function: %s(%s)", name, f->parameters);
  else
    sar_text_suggest(hint, sizeof hint, name, known, known_count);
  // nothing near: show what there is, when that is short
  if (!hint[0] && known_count > 0 && known_count <= 8) {
    size_t used = (size_t)sar_snprintf(hint, sizeof hint, "known here:");
    for (int i = 0; i < known_count && used < sizeof hint; i++)
      if (known[i])
        used +=
            (size_t)sar_snprintf(hint + used, sizeof hint - used, "%s%s", i ? ", " : " ", known[i]);
  }
  sar_report(err, loc, hint, "unknown name '%s'", name);
}
