// Any bytes as a URDF: no crash, no leak, no hang, and SAR_BAD_MODEL exactly when there is an error to read.
#include "io/reader.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  SarError err;
  SarSpec spec;
  sar_error_init(&err);
  sar_spec_init(&spec);
  SarStatus status = sar_read_urdf((const char*)data, size, "fuzz.urdf", NULL, &spec, &err);
  if (status != (err.errors > 0 ? SAR_BAD_MODEL : SAR_OK)) abort();
  sar_spec_free(&spec);
  return 0;
}
