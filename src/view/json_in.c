// A strict reader of small JSON texts (json_in.h).
#include "view/json_in.h"

#include "base/print.h"
#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

bool sar_json_in_fail(SarJsonIn* in, const char* format, ...) {
  if (in->failed) return false;
  in->failed = true;
  va_list args;
  va_start(args, format);
  if (in->room > 0) sar_vsnprintf(in->error, in->room, format, args);
  va_end(args);
  return false;
}

static void skip(SarJsonIn* in) {
  while (in->at < in->end && strchr(" \t\r\n", *in->at) && *in->at) in->at++;
}

// The next character that is no space; 0: none.
static char next(SarJsonIn* in) {
  skip(in);
  return in->at < in->end ? *in->at : '\0';
}

bool sar_json_in_open(SarJsonIn* in, char bracket) {
  if (in->failed) return false;
  if (next(in) != bracket) return sar_json_in_fail(in, "expected '%c'", bracket);
  in->at++;
  return true;
}

bool sar_json_in_more(SarJsonIn* in, char bracket, bool another) {
  if (in->failed) return false;
  const char c = next(in);
  if (c == bracket) {
    in->at++;
    return false;
  }
  if (!another) return true;
  if (c != ',') return sar_json_in_fail(in, "expected ',' or '%c'", bracket);
  in->at++;
  return true;
}

bool sar_json_in_end(SarJsonIn* in) {
  if (in->failed) return false;
  skip(in);
  return in->at == in->end || sar_json_in_fail(in, "there is something behind the object");
}

// ---- numbers ------------------------------------------------------------------------------------

static const char* digits(const char* p, const char* end) {
  while (p < end && *p >= '0' && *p <= '9') p++;
  return p;
}

// The end of what JSON calls a number; NULL: it is none.
static const char* number_end(const char* p, const char* end) {
  const char* first;
  if (p < end && *p == '-') p++;
  first = p;
  p = digits(p, end);
  if (p == first || (*first == '0' && p > first + 1)) return NULL;
  if (p < end && *p == '.') {
    first = ++p;
    p = digits(p, end);
    if (p == first) return NULL;
  }
  if (p < end && (*p == 'e' || *p == 'E')) {
    p++;
    if (p < end && (*p == '+' || *p == '-')) p++;
    first = p;
    p = digits(p, end);
    if (p == first) return NULL;
  }
  return p;
}

bool sar_json_in_number(SarJsonIn* in, double* out) {
  enum { MOST = 64 };
  if (in->failed) return false;
  skip(in);
  const char* end = number_end(in->at, in->end);
  if (!end || end - in->at > MOST || !sar_text_to_double(in->at, (size_t)(end - in->at), out) ||
      !isfinite(*out))
    return sar_json_in_fail(in, "expected a number");
  in->at = end;
  return true;
}

bool sar_json_in_numbers(SarJsonIn* in, double* out, int count) {
  int n = 0;
  if (!sar_json_in_open(in, '[')) return false;
  while (sar_json_in_more(in, ']', n > 0)) {
    double x;
    if (!sar_json_in_number(in, &x)) return false;
    if (n < count) out[n] = x;
    if (++n > count) break;
  }
  if (in->failed) return false;
  return n == count || sar_json_in_fail(in, "expected %d numbers", count);
}

// ---- texts --------------------------------------------------------------------------------------

static int hex(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

static bool code_unit(SarJsonIn* in, uint32_t* out) {
  *out = 0;
  if (in->end - in->at < 4) return false;
  for (int i = 0; i < 4; i++) {
    const int h = hex(*in->at++);
    if (h < 0) return false;
    *out = *out << 4 | (uint32_t)h;
  }
  return true;
}

// Behind \u: one code unit, or a pair of surrogates.
static bool code_point(SarJsonIn* in, uint32_t* out) {
  uint32_t low;
  if (!code_unit(in, out)) return false;
  if (*out < 0xd800 || *out > 0xdfff) return true;
  if (*out > 0xdbff || in->end - in->at < 6 || in->at[0] != '\\' || in->at[1] != 'u') return false;
  in->at += 2;
  if (!code_unit(in, &low) || low < 0xdc00 || low > 0xdfff) return false;
  *out = 0x10000 + ((*out - 0xd800) << 10) + (low - 0xdc00);
  return true;
}

static int utf8(uint32_t c, char* out) {
  if (c < 0x80) {
    out[0] = (char)c;
    return 1;
  }
  const int n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
  static const unsigned char LEAD[] = {0, 0, 0xc0, 0xe0, 0xf0};
  for (int i = n - 1; i > 0; i--, c >>= 6) out[i] = (char)(0x80 | (c & 0x3f));
  out[0] = (char)(LEAD[n] | c);
  return n;
}

// One character of a text into out[4]; how many bytes; 0: it is none that may be there.
static int character(SarJsonIn* in, char* out) {
  static const char ESCAPED[] = "\"\\/";
  uint32_t c;
  if (*in->at == '\\') {
    if (++in->at == in->end) return 0;
    const char e = *in->at++;
    if (e && strchr(ESCAPED, e)) return utf8((uint32_t)e, out);
    // control characters, however written, are no part of a name
    if (e != 'u' || !code_point(in, &c) || c < 0x20 || c == 0x7f) return 0;
    return utf8(c, out);
  }
  char whole[5] = {0};
  const size_t left = (size_t)(in->end - in->at);
  memcpy(whole, in->at, left < 4 ? left : 4);
  const int n = sar_utf8_length((const unsigned char*)whole);
  if (n == 0 || (unsigned char)whole[0] < 0x20 || whole[0] == 0x7f) return 0;
  memcpy(out, whole, (size_t)n);
  in->at += n;
  return n;
}

bool sar_json_in_text(SarJsonIn* in, char* out, size_t size) {
  size_t used = 0;
  if (in->failed) return false;
  if (next(in) != '"') return sar_json_in_fail(in, "expected a text");
  in->at++;
  while (in->at < in->end && *in->at != '"') {
    char c[4];
    const int n = character(in, c);
    if (n == 0) return sar_json_in_fail(in, "a text has a character that may not be there");
    if (used + (size_t)n >= size) return sar_json_in_fail(in, "a text is too long");
    memcpy(out + used, c, (size_t)n);
    used += (size_t)n;
  }
  if (in->at == in->end) return sar_json_in_fail(in, "a text has no end");
  in->at++;
  out[used] = '\0';
  return true;
}

bool sar_json_in_key(SarJsonIn* in, char* out, size_t size) {
  if (!sar_json_in_text(in, out, size)) return false;
  if (next(in) != ':') return sar_json_in_fail(in, "expected ':'");
  in->at++;
  return true;
}
