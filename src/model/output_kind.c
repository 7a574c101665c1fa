// What the table of output variables says as a whole: words of owners, sets of quantities.
#include "model/output_kind.h"

#include <string.h>

SarOwnerWords sar_owner_words(SarOwner owner) {
  static const SarOwnerWords WORDS[SAR_OWNERS] = {
      [SAR_OF_JOINT] = {"joint", "joints"},
      [SAR_OF_BODY] = {"body", "bodies"},
      [SAR_OF_POINT] = {"point", NULL},
      [SAR_OF_FORCE] = {"force", "forces"},
      [SAR_OF_CONSTRAINT] = {"constraint", "constraints"},
      [SAR_OF_CONTACT] = {"contact", "contacts"},
      [SAR_OF_STATE] = {"state", "states"},
      [SAR_OF_SIGNAL] = {"signal", "signals"},
      [SAR_OF_VALUE] = {"value", NULL},
  };
  return WORDS[owner];
}

const SarOutputKind* sar_output_kind_find(const char* name) {
  for (int i = 0; sar_output_kind(i); i++)
    if (strcmp(sar_output_kind(i)->name, name) == 0) return sar_output_kind(i);
  return NULL;
}

uint64_t sar_outputs_with(const char* word) {
  uint64_t set = 0;
  for (int i = 0; sar_output_kind(i); i++) {
    const char* with = sar_output_kind(i)->with;
    if (with && strcmp(with, word) == 0) set |= (uint64_t)1 << i;
  }
  return set;
}

uint64_t sar_outputs_of_owner(SarOwner owner) {
  uint64_t set = 0;
  const SarOwner of = owner == SAR_OF_POINT ? SAR_OF_BODY : owner;
  for (int i = 0; sar_output_kind(i); i++)
    if (sar_output_kind(i)->of == of) set |= (uint64_t)1 << i;
  return set;
}

uint64_t sar_outputs_by_default(SarOwner owner) {
  uint64_t set = sar_outputs_of_owner(owner);
  for (int i = 0; sar_output_kind(i); i++) {
    const SarOutputKind* kind = sar_output_kind(i);
    if (!kind->by_default || (owner == SAR_OF_POINT && !kind->at_point)) set &= ~((uint64_t)1 << i);
  }
  return set;
}

bool sar_output_column(const SarOutputKind* kind, const SarOutputOwner* of, int i, SarColumn* out) {
  *out = (SarColumn){.name = "", .rest = "", .component = i};
  if (kind->column) return kind->column(of, i, out);
  // the list has an end: nobody asks for i + 1 without having got i
  out->name = kind->columns[i];
  return out->name != NULL;
}
