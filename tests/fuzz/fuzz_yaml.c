// libFuzzer target: any bytes as a model file, through reader and compiler, and one evaluation of what
// compiles. Checks: no crash, no leak, no failure without a message, no message without a place in
// the text. A text from memory has no folder and there are no search paths: `include` opens no file.
#include "sarrus/sarrus.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void require(bool condition) {
  if (!condition) __builtin_trap();
}

static void check_messages(const SarError* err, const uint8_t* data, size_t size) {
  int lines = 2;  // and the place after the last line
  for (size_t i = 0; i < size; i++) lines += data[i] == '\n' || data[i] == '\r' || data[i] >= 0x80;
  for (int i = 0; i < err->count; i++) {
    char text[1024];
    sar_error_format(err, i, text, sizeof text);
    require(strncmp(text, "fuzz.yaml", 9) == 0);
    require(err->items[i].text[0] != '\0');
    require(err->items[i].line >= 0 && err->items[i].line <= lines);
    require(err->items[i].column >= 0);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  SarModel* m = NULL;
  SarError err;
  sar_error_init(&err);
  SarStatus st = sar_model_parse((const char*)data, size, "yaml", "fuzz.yaml", NULL, &m, &err);
  require((st == SAR_OK) == (m != NULL));
  require((st == SAR_OK) == (err.errors == 0));
  check_messages(&err, data, size);
  SarData* d = NULL;
  if (m && sar_data_new(m, &d, &err) == SAR_OK) sar_forward_dynamics(d);
  sar_data_free(d);
  sar_model_free(m);
  return 0;
}
