// libFuzzer target: any bytes as a command of a viewer. Checks: no crash, a word about what is
// refused, bounds of what is taken.
#include "view/command.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static void require(bool condition) {
  if (!condition) __builtin_trap();
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  SarCommand c;
  char error[128];
  if (!sar_command_parse((const char*)data, size, &c, error, sizeof error)) {
    require(error[0] != '\0' && memchr(error, '\0', sizeof error));
    require(c.id >= -1);
    return 0;
  }
  require(size <= SAR_COMMAND_BYTES && c.kind >= 0 && c.kind < SAR_DO_KINDS);
  require(c.count >= 1 && c.count <= SAR_COMMAND_STEPS && c.body >= 0 && c.id >= -1);
  require(memchr(c.name, '\0', sizeof c.name) != NULL);
  require(isfinite(c.value));
  for (int k = 0; k < 3; k++) require(isfinite(c.point[k]) && isfinite(c.to[k]));
  return 0;
}
