// A bound on the memory that one piece of work takes: reading and compiling a model, making a
// simulation. Arenas that belong to the work share its budget; what is taken elsewhere (the text of
// a file, the model's own block) is entered by hand. It also knows what is being done and where, so
// that a message can say what was too much.
#pragma once
#include "base/error.h"

#include <stddef.h>

typedef struct SarBudget {
  size_t limit, used;  // bytes; limit 0: none
  int exceeded;        // something was refused that would have passed the limit
  const char* doing;   // "reading", "compiling joints"; NULL: not said
  SarLoc at;           // what of the file is being worked on; line 0: no place
} SarBudget;

enum { SAR_DEFAULT_LIMIT = 1000000000 };  // bytes: 1 GB

// Enters bytes; false (and `exceeded` is set) when they pass the limit. b: Nullable, no limit.
int sar_budget_take(SarBudget* b, size_t bytes);
void sar_budget_give(SarBudget* b, size_t bytes);
// What is being done from here on. b: Nullable.
void sar_budget_doing(SarBudget* b, const char* doing, SarLoc at);
// After SAR_NO_MEMORY: says what was being done, and whether it was the limit (SAR_OVER_LIMIT) or
// the heap that had no more. Other statuses are passed through.
SarStatus sar_budget_verdict(const SarBudget* b, SarStatus status, SarError* err);
// The sentence of SAR_OVER_LIMIT, at a place of the file or none.
SarStatus sar_over_limit(SarError* err, SarLoc at, size_t limit, const char* doing);
// "1 GB", "250 MB", "1.5 GB"; returns buf.
const char* sar_size_text(char* buf, size_t size, size_t bytes);
