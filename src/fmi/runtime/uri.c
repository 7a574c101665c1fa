// Paths from addresses (uri.h; RFC 8089).
#include "fmi/runtime/uri.h"

#include <string.h>

static int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool sar_fmu_path_of(const char* uri, char* out, size_t size) {
  const bool address = strncmp(uri, "file:", 5) == 0;
  size_t n = 0;
  if (!address && strstr(uri, "://")) return false;
  if (address) uri += 5;
  if (address && strncmp(uri, "//", 2) == 0) {
    uri += 2;
    if (strncmp(uri, "localhost/", 10) == 0) uri += 9;
    if (*uri != '/') return false;  // of another machine
  }
  for (; *uri && n + 1 < size; n++) {
    const int high = address && *uri == '%' ? digit(uri[1]) : -1;
    const int low = high >= 0 ? digit(uri[2]) : -1;
    out[n] = low >= 0 ? (char)(16 * high + low) : *uri;
    if (low >= 0 && out[n] == 0) return false;
    uri += low >= 0 ? 3 : 1;
  }
  while (n > 1 && out[n - 1] == '/') n--;
  if (size > 0) out[n] = 0;
  return *uri == 0 && n > 0;
}
