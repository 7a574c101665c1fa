// Generated C in single precision: the text of the double code with other literals, types and names
// of libm's functions. Sine and cosine are libm's: theirs of double precision is made of its bits.
#include "codegen/generate.h"

#include <ctype.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static bool is_function(const char* word, size_t n) {
  static const char* const names[] = {"sin",   "cos",   "tan",  "asin",  "acos",  "atan",
                                      "atan2", "sinh",  "cosh", "tanh",  "asinh", "acosh",
                                      "atanh", "exp",   "log",  "log10", "sqrt",  "cbrt",
                                      "pow",   "hypot", "fabs", "floor", "ceil",  "fmod"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strlen(names[i]) == n && strncmp(names[i], word, n) == 0) return true;
  return false;
}

// A number that begins here: how long it is; *decimal: it has a point or an exponent.
static size_t number_length(const char* at, const char* end, bool* decimal) {
  const char* c = at;
  *decimal = false;
  while (c < end && isdigit((unsigned char)*c)) c++;
  if (c < end && *c == '.') {
    *decimal = true;
    for (c++; c < end && isdigit((unsigned char)*c);) c++;
  }
  if (c < end && *c == 'e') {
    *decimal = true;
    c++;
    if (c < end && (*c == '-' || *c == '+')) c++;
    while (c < end && isdigit((unsigned char)*c)) c++;
  }
  return (size_t)(c - at);
}

static const char* write_word(SarWriter* to, const char* at, const char* end) {
  const char* c = at;
  while (c < end && is_word(*c)) c++;
  const size_t n = (size_t)(c - at);
  if (n == 6 && strncmp(at, "double", 6) == 0)
    sar_write(to, "float");
  else
    sar_write(to, "%.*s%s", (int)n, at, c < end && *c == '(' && is_function(at, n) ? "f" : "");
  return c;
}

void sar_single_write(SarWriter* to, const char* text, int length) {
  const char *at = text, *end = text + length;
  while (at < end) {
    bool decimal;
    if (*at == '"') {  // names of files
      const char* close = memchr(at + 1, '"', (size_t)(end - at - 1));
      const char* after = close ? close + 1 : end;
      sar_write(to, "%.*s", (int)(after - at), at);
      at = after;
    } else if (at[0] == '/' && at + 1 < end && at[1] == '/') {
      const char* line = memchr(at, '\n', (size_t)(end - at));
      const char* after = line ? line : end;
      sar_write(to, "%.*s", (int)(after - at), at);
      at = after;
    } else if (isdigit((unsigned char)*at)) {
      const size_t n = number_length(at, end, &decimal);
      const bool nothing = decimal && strtod(at, NULL) < (double)FLT_MIN;
      if (nothing)
        sar_write(to, "0.0f");
      else
        sar_write(to, "%.*s%s", (int)n, at, decimal ? "f" : "");
      at += n;
    } else if (is_word(*at)) {
      at = write_word(to, at, end);
    } else {
      sar_write(to, "%c", *at++);
    }
  }
}
