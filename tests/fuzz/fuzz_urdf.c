// libFuzzer target: any bytes as a URDF, through reader and compiler, and what compiles through the
// dynamics once. Checks: no crash, leak or hang, and SAR_BAD_MODEL exactly when there is an error to
// read.
#include "sarrus/sarrus.h"

#include <stdint.h>

static void require(bool condition) {
  if (!condition) __builtin_trap();
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  SarError err;
  SarModel* m = NULL;
  SarData* d = NULL;
  sar_error_init(&err);
  SarStatus status = sar_model_parse((const char*)data, size, "urdf", "fuzz.urdf", NULL, &m, &err);
  require(status == (err.errors > 0 ? SAR_BAD_MODEL : SAR_OK));
  require((status == SAR_OK) == (m != NULL));
  if (m) {
    require(sar_data_new(m, &d, &err) == SAR_OK);
    (void)sar_forward_dynamics(d);  // may be singular: masses are whatever the text says
  }
  sar_data_free(d);
  sar_model_free(m);
  return 0;
}
