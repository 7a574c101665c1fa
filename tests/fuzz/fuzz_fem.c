// libFuzzer target: any bytes as a modal body in MBDyn's text format. Checks: no crash, leak or
// hang, a message exactly when there is no body, finite numbers, and what the basis and the points
// of mass are made of survive as well.
#include "io/fem.h"
#include "model/modal_basis.h"
#include "model/modal_lumps.h"

#include <math.h>
#include <stdint.h>

static void require(bool condition) {
  if (!condition) __builtin_trap();
}

static void require_sound(const SarModalShape* s, const char** names) {
  require(s->nodes >= 1 && s->nodes <= SAR_MOST_NODES);
  require(s->modes >= 1 && s->modes <= SAR_MOST_MODES);
  for (int k = 0; k < s->nodes; k++) {
    require(names[k] && names[k][0]);
    require(s->inertia[k].m >= 0 && isfinite(s->inertia[k].m));
    require(isfinite(s->X[k].p.x + s->X[k].p.y + s->X[k].p.z));
  }
  for (int i = 0; i < s->nodes * s->modes; i++)
    require(isfinite(v3_dot(s->mode[i].v, v3(0, 0, 0))));
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  enum { MOST = 12 };
  SarError err;
  SarArena arena;
  SarModalShape* shape;
  const char** names;
  sar_error_init(&err);
  sar_arena_init(&arena);
  const bool read = sar_fem_read(&arena, (const char*)data, size, "fuzz.fem", &shape, &names, &err);
  require(read == (err.errors == 0));
  if (read) require_sound(shape, names);
  if (read && shape->modes <= MOST && shape->nodes <= 1000) {
    bool keep[1000] = {true};
    int lumps = 0;
    if (!sar_modal_orthogonal(&arena, shape, NULL, shape->modes)) {
      const SarModalShape* few = sar_modal_lumps(&arena, shape, keep, &lumps);
      require(few && lumps <= 3 * shape->modes + 4);
    }
  }
  sar_arena_free(&arena);
  return 0;
}
