// Formatting (print.h).
#define _POSIX_C_SOURCE 200809L
#include "base/print.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

// The "C" locale of this thread alone for a while. In glibc it is a constant: nothing is allocated.
// Where it cannot be had, things stay as they are.
typedef struct Plain {
  locale_t c, before;
} Plain;

static Plain plain_begin(void) {
  Plain p = {newlocale(LC_ALL_MASK, "C", (locale_t)0), (locale_t)0};
  if (p.c) p.before = uselocale(p.c);
  return p;
}

static void plain_end(Plain p) {
  if (!p.c) return;
  uselocale(p.before);
  freelocale(p.c);
}

int sar_vsnprintf(char* buf, size_t size, const char* format, va_list args) {
  const Plain p = plain_begin();
  const int n = vsnprintf(buf, size, format, args);
  plain_end(p);
  return n;
}

int sar_snprintf(char* buf, size_t size, const char* format, ...) {
  va_list args;
  va_start(args, format);
  const int n = sar_vsnprintf(buf, size, format, args);
  va_end(args);
  return n;
}

double sar_strtod(const char* text, char** end) {
  const Plain p = plain_begin();
  const double x = strtod(text, end);
  plain_end(p);
  return x;
}

// RFC 3629: no overlong forms, no surrogates, at most U+10FFFF.
int sar_utf8_length(const unsigned char* p) {
  const unsigned char c = p[0];
  if (c < 0x80) return 1;
  const int n = c >= 0xC2 && c <= 0xDF   ? 2
                : (c & 0xF0) == 0xE0     ? 3
                : c >= 0xF0 && c <= 0xF4 ? 4
                                         : 0;
  for (int i = 1; i < n; i++)
    if ((p[i] & 0xC0) != 0x80) return 0;
  if ((c == 0xE0 && p[1] < 0xA0) || (c == 0xED && p[1] > 0x9F)) return 0;
  if ((c == 0xF0 && p[1] < 0x90) || (c == 0xF4 && p[1] > 0x8F)) return 0;
  return n;
}

static int is_control(const unsigned char* p, int n) {
  return n == 0 || (n == 1 && (*p < 0x20 || *p == 0x7F)) || (n == 2 && *p == 0xC2 && p[1] < 0xA0);
}

const char* sar_visible(char* out, size_t size, const char* text) {
  size_t used = 0;
  if (size == 0) return out;
  for (const unsigned char* p = (const unsigned char*)text; *p;) {
    const int n = sar_utf8_length(p);
    char shown[8];
    size_t length = (size_t)n;
    const int control = is_control(p, n);
    if (control)
      length = (size_t)snprintf(shown, sizeof shown, "\\x%02x", (unsigned)(n == 2 ? p[1] : *p));
    if (length >= size - used) break;
    memcpy(out + used, control ? shown : (const char*)p, length);
    used += length;
    p += n ? n : 1;
  }
  out[used] = '\0';
  return out;
}

int sar_has_controls(const char* text) {
  for (const unsigned char* p = (const unsigned char*)text; *p;) {
    const int n = sar_utf8_length(p);
    if (is_control(p, n) && *p != '\t' && *p != '\n' && *p != '\r') return 1;
    p += n ? n : 1;
  }
  return 0;
}
