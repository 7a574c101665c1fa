// Datagrams that are one line of JSON: an object of scalars, with one object of numbers in it,
//   {"sequence": 7, "echo": 6, "inputs": {"torque": 1.5}}
// The grammar is that of RFC 8259 without further nesting; keys that are not ours are passed over.
// Nothing is allocated and nothing called again: what a datagram costs is bounded by its length.
#include "realtime/io/packet.h"

#include "base/text.h"

#include <math.h>

typedef struct Scan {
  const char *at, *end;
  bool bad;
} Scan;

static void blank(Scan* s) {
  while (s->at < s->end && (*s->at == ' ' || *s->at == '\t' || *s->at == '\n' || *s->at == '\r'))
    s->at++;
}

// Is this the next character? Then it is passed.
static bool next_is(Scan* s, char c) {
  blank(s);
  if (s->bad || s->at >= s->end || *s->at != c) return false;
  s->at++;
  return true;
}

static void expect(Scan* s, char c) {
  if (!next_is(s, c)) s->bad = true;
}

// ---- texts ----

static int hex_digit(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

// \u and four digits, as UTF-8; a half of a pair is nothing that a name has.
static int unicode(Scan* s, char out[3]) {
  unsigned code = 0;
  for (int i = 0; i < 4; i++) {
    const int digit = s->at < s->end ? hex_digit(*s->at++) : -1;
    if (digit < 0) s->bad = true;
    code = 16 * code + (unsigned)(digit & 15);
  }
  if (code < 0x80) return out[0] = (char)code, 1;
  if (code < 0x800)
    return out[0] = (char)(0xC0 | code >> 6), out[1] = (char)(0x80 | (code & 0x3F)), 2;
  out[0] = (char)(0xE0 | code >> 12);
  out[1] = (char)(0x80 | (code >> 6 & 0x3F));
  out[2] = (char)(0x80 | (code & 0x3F));
  return 3;
}

static int escaped(Scan* s, char out[3]) {
  static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
  if (s->at >= s->end) return s->bad = true, 0;
  const char c = *s->at++;
  if (c == 'u') return unicode(s, out);
  for (int i = 0; from[i]; i++)
    if (from[i] == c) return out[0] = to[i], 1;
  return s->bad = true, 0;
}

// A text between quotes; what is longer than a name is cut off, and no name.
static void text(Scan* s, char out[SAR_RT_NAME]) {
  int n = 0;
  expect(s, '"');
  while (!s->bad && s->at < s->end && *s->at != '"') {
    char piece[3];
    int count = 1;
    piece[0] = *s->at++;
    if ((unsigned char)piece[0] < 0x20) s->bad = true;
    if (piece[0] == '\\') count = escaped(s, piece);
    for (int i = 0; i < count; i++)
      if (n < SAR_RT_NAME - 1) out[n++] = piece[i];
  }
  if (s->bad || s->at >= s->end)
    s->bad = true;
  else
    s->at++;
  out[n] = '\0';
}

// ---- numbers ----

static bool is_digit(const Scan* s) { return s->at < s->end && *s->at >= '0' && *s->at <= '9'; }

static void digits(Scan* s) {
  if (!is_digit(s)) s->bad = true;
  while (is_digit(s)) s->at++;
}

// -?(0|[1-9][0-9]*)(.[0-9]+)?([eE][+-]?[0-9]+)?  Returns where it begins; *whole: without point and
// exponent.
static const char* number_text(Scan* s, bool* whole) {
  blank(s);
  const char* begin = s->at;
  if (s->at < s->end && *s->at == '-') s->at++;
  if (s->at < s->end && *s->at == '0')
    s->at++;
  else
    digits(s);
  *whole = true;
  if (s->at < s->end && *s->at == '.') s->at++, *whole = false, digits(s);
  if (s->at < s->end && (*s->at == 'e' || *s->at == 'E')) {
    s->at++;
    *whole = false;
    if (s->at < s->end && (*s->at == '+' || *s->at == '-')) s->at++;
    digits(s);
  }
  return begin;
}

static double number(Scan* s) {
  bool whole;
  double x = 0;
  const char* begin = number_text(s, &whole);
  if (s->bad || !sar_text_to_double(begin, (size_t)(s->at - begin), &x) || !isfinite(x))
    s->bad = true;
  return x;
}

// Below 2^63, exactly.
static uint64_t integer(Scan* s) {
  bool whole;
  const char* at = number_text(s, &whole);
  uint64_t x = 0;
  if (s->bad || !whole || s->at - at > 19 || *at == '-') return s->bad = true, 0;
  for (; at < s->at; at++) x = 10 * x + (uint64_t)(*at - '0');
  if (x >> 63) s->bad = true;
  return x;
}

// ---- objects ----

static bool word(Scan* s, const char* expected) {
  blank(s);
  const size_t n = strlen(expected);
  if ((size_t)(s->end - s->at) < n || memcmp(s->at, expected, n) != 0) return false;
  s->at += n;
  return true;
}

static void pass_scalar(Scan* s) {
  char ignored[SAR_RT_NAME];
  blank(s);
  if (s->at < s->end && *s->at == '"')
    text(s, ignored);
  else if (!word(s, "true") && !word(s, "false") && !word(s, "null"))
    (void)number(s);
}

static void input(Scan* s, const char* name, const SarPacketNames* names, SarPacketIn* in) {
  const double x = number(s);
  for (int i = 0; i < names->inputs; i++) {
    if (strcmp(names->input[i], name) != 0) continue;
    in->value[i] = x;
    in->given[i] = true;
    return;
  }
  s->bad = true;  // no such input: whoever sends it means another model
}

static void inputs(Scan* s, const SarPacketNames* names, SarPacketIn* in) {
  char name[SAR_RT_NAME];
  expect(s, '{');
  if (next_is(s, '}')) return;
  do {
    text(s, name);
    expect(s, ':');
    if (!s->bad) input(s, name, names, in);
  } while (next_is(s, ','));
  expect(s, '}');
}

static void member(Scan* s, const char* key, const SarPacketNames* names, SarPacketIn* in) {
  if (strcmp(key, "inputs") == 0) {
    inputs(s, names, in);
    in->what = SAR_PACKET_IS_INPUTS;
  } else if (strcmp(key, "sequence") == 0) {
    in->sequence = integer(s);
    in->numbered = true;
  } else if (strcmp(key, "session") == 0) {
    in->session = integer(s);
  } else if (strcmp(key, "clock_ns") == 0) {
    in->clock_ns = (int64_t)integer(s);
  } else if (strcmp(key, "echo") == 0) {
    in->echo_sequence = integer(s);
  } else if (strcmp(key, "echo_ns") == 0) {
    in->echo_clock_ns = (int64_t)integer(s);
  } else {
    if (strcmp(key, "describe") == 0) in->what = SAR_PACKET_IS_QUESTION;
    pass_scalar(s);
  }
}

void sar_packet_parse_json(const char* data, size_t size, const SarPacketNames* names,
                           SarPacketIn* in) {
  Scan s = {data, data + size, false};
  char key[SAR_RT_NAME];
  in->json = true;
  expect(&s, '{');
  if (!next_is(&s, '}')) {
    do {
      text(&s, key);
      expect(&s, ':');
      if (!s.bad) member(&s, key, names, in);
    } while (!s.bad && next_is(&s, ','));
    expect(&s, '}');
  }
  blank(&s);
  if (s.bad || s.at != s.end) in->what = SAR_PACKET_IS_GARBAGE;
}
