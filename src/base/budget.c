// Memory budgets (budget.h).
#include "base/budget.h"
#include "base/print.h"

#include <stdio.h>

int sar_budget_take(SarBudget* b, size_t bytes) {
  if (!b) return 1;
  if (b->limit && (b->used > b->limit || bytes > b->limit - b->used)) {
    b->exceeded = 1;
    return 0;
  }
  b->used += bytes;
  return 1;
}

void sar_budget_give(SarBudget* b, size_t bytes) {
  if (b) b->used -= bytes;
}

void sar_budget_doing(SarBudget* b, const char* doing, SarLoc at) {
  if (!b) return;
  b->doing = doing;
  b->at = at;
}

const char* sar_size_text(char* buf, size_t size, size_t bytes) {
  static const char* const unit[] = {"bytes", "kB", "MB", "GB", "TB", "PB"};
  double x = (double)bytes;
  int k = 0;
  while (x >= 999.5 && k < 5) x /= 1000, k++;
  sar_snprintf(buf, size, "%.3g %s", x, unit[k]);
  return buf;
}

SarStatus sar_over_limit(SarError* err, SarLoc at, size_t limit, const char* doing) {
  char text[32];
  sar_report(err, at, "--limit SIZE allows more", "needs more than %s of memory while %s",
             sar_size_text(text, sizeof text, limit), doing);
  return SAR_OVER_LIMIT;
}

SarStatus sar_budget_verdict(const SarBudget* b, SarStatus status, SarError* err) {
  if (status != SAR_NO_MEMORY) return status;
  const char* doing = b->doing ? b->doing : "loading the model";
  if (b->exceeded) return sar_over_limit(err, b->at, b->limit, doing);
  sar_report(err, b->at, "", "out of memory while %s", doing);
  return SAR_NO_MEMORY;
}
