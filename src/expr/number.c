// A number as model files have them (sarrus.h).
#include "base/error.h"
#include "expr/expr.h"

#include <math.h>
#include <string.h>

SAR_API SarStatus sar_parse_number(const char* text, double* out) {
  SAR_GIVEN(text && out);
  double value = 0;
  SarArena arena;
  sar_arena_init(&arena);
  SarExpr* e = sar_expr_parse(&arena, text, strlen(text), (SarLoc){0}, NULL);
  const bool good = e && sar_expr_is_number(e, &value) && isfinite(value);
  const bool failed = arena.failed;
  sar_arena_free(&arena);
  if (good) *out = value;
  return good ? SAR_OK : failed ? SAR_NO_MEMORY : SAR_BAD_ARGUMENT;
}
