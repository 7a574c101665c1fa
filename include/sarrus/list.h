/* What there is: the lists behind `sarrus list`. */
#pragma once
#include <sarrus/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One entry of the lists behind `sarrus list`. */
typedef struct SarListEntry {
  const char* name;
  const char* doc; /* one line */
  const char* ref; /* where it comes from; "" if nowhere in particular */
  const char* can; /* formulations: which models it takes; else "" */
  bool absolute;   /* formulations: needs a model in absolute coordinates */
} SarListEntry;

/* Number `index` of a list: "formulations", "integrators", "joints", "forces", "constraints",
 * "shapes" or "functions".  SAR_BAD_ARGUMENT past its end, or where there is no such list. */
SAR_API SarStatus sar_list_sized(const char* list, int index, SarListEntry* out, size_t size);
static inline SarStatus sar_list(const char* list, int index, SarListEntry* out) {
  return sar_list_sized(list, index, out, sizeof *out);
}

#ifdef __cplusplus
}
#endif
