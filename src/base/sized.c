// Results and options of programs that were compiled with another header (sized.h).
#include "base/sized.h"

#include "base/error.h"

#include <string.h>

void sar_give(void* out, size_t out_size, const void* what, size_t size) {
  const size_t common = out_size < size ? out_size : size;
  memcpy(out, what, common);
  memset((unsigned char*)out + common, 0, out_size - common);
}

SarStatus sar_take_options(void* full, size_t size, const void* given, const char* maker,
                           SarError* err) {
  size_t known;
  memcpy(&known, given, sizeof known);
  if (known >= sizeof known && known <= size) {
    memcpy(full, given, known);
    memcpy(full, &size, sizeof size);
    return SAR_OK;
  }
  sar_report(err, (SarLoc){0},
             known > size ? "or take the library that the program was made for" : "",
             "options must begin with %s(), which sets their size: found %zu, expected %zu", maker,
             known, size);
  return SAR_BAD_ARGUMENT;
}
