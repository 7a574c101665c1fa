// Memory of runs within the model's limit (room.h).
#include "model/room.h"

#include "base/alloc.h"
#include "model/data.h"

// The model and one state, beside which everything else has to fit.
static size_t base_of(const SarModel* m) { return m->bytes + sar_data_size(m); }

SarStatus sar_room_for(const SarModel* m, size_t bytes, const char* doing, SarError* err) {
  const size_t base = base_of(m), limit = m->memory_limit;
  if (!limit || (base <= limit && bytes <= limit - base)) return SAR_OK;
  return sar_over_limit(err, (SarLoc){0}, limit, doing);
}

void* sar_take_for(const SarModel* m, size_t bytes, const char* doing, SarStatus* st,
                   SarError* err) {
  *st = sar_room_for(m, bytes, doing, err);
  if (*st != SAR_OK) return NULL;
  void* block = sar_alloc(bytes);
  if (block) return block;
  char size[32];
  sar_report(err, (SarLoc){0}, "", "out of memory while %s (%s)", doing,
             sar_size_text(size, sizeof size, bytes));
  *st = SAR_NO_MEMORY;
  return NULL;
}

SarBudget sar_budget_for(const SarModel* m, size_t taken, const char* doing) {
  return (SarBudget){.limit = m->memory_limit, .used = base_of(m) + taken, .doing = doing};
}
