// libFuzzer target: any bytes as a URDF, through reader and compiler, and what compiles through a
// life of its own (life.h). Checks: SAR_BAD_MODEL exactly when there is an error to read.
#include "fuzz/life.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  SarError err;
  SarModel* m = NULL;
  sar_error_init(&err);
  SarStatus status = sar_model_parse((const char*)data, size, "urdf", "fuzz.urdf", NULL, &m, &err);
  require(status == (err.errors > 0 ? SAR_BAD_MODEL : SAR_OK));
  require((status == SAR_OK) == (m != NULL));
  life_show((const char*)data, size, &err);
  if (m) life_of_model(m, life_hash(data, size));
  sar_model_free(m);
  return 0;
}
