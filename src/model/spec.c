// Life of a spec: one arena, filled by a reader and dropped after compiling.
#include "model/spec.h"

void sar_spec_init(SarSpec* spec) {
  *spec = (SarSpec){0};
  sar_arena_init(&spec->arena);
}

void sar_spec_free(SarSpec* spec) {
  if (!spec) return;
  sar_arena_free(&spec->arena);
  *spec = (SarSpec){0};
}
