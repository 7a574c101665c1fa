// Lexer: ASCII tokens with places. Columns count characters, not bytes, so that a text with accents
// before the mistake is still marked where an editor shows it.
#include "expr/lexer.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static bool is_name_part(char c) { return is_name_start(c) || is_digit(c) || c == '.'; }
static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static char peek(const SarLexer* lx, size_t ahead) {
  return lx->length - lx->next > ahead ? lx->text[lx->next + ahead] : '\0';
}

// passes n bytes, keeping the place
static void take(SarLexer* lx, size_t n) {
  for (; n > 0 && lx->next < lx->length; n--) {
    unsigned char c = (unsigned char)lx->text[lx->next++];
    if (c == '\n') {
      lx->place.line++;
      lx->place.column = 1;
    } else if ((c & 0xC0) != 0x80) {  // continuation bytes of UTF-8 are not columns
      lx->place.column++;
    }
  }
}

// digits [. digits] [e [+-] digits]; "2e" is 2 followed by the name e
static void take_number(SarLexer* lx) {
  while (is_digit(peek(lx, 0))) take(lx, 1);
  if (peek(lx, 0) == '.') take(lx, 1);
  while (is_digit(peek(lx, 0))) take(lx, 1);
  char e = peek(lx, 0), sign = peek(lx, 1);
  size_t mark = (sign == '+' || sign == '-') ? 2 : 1;
  if ((e == 'e' || e == 'E') && is_digit(peek(lx, mark))) {
    take(lx, mark);
    while (is_digit(peek(lx, 0))) take(lx, 1);
  }
  lx->kind = SAR_T_NUMBER;
  size_t n = lx->next - lx->start;
  if (!sar_text_to_double(lx->text + lx->start, n, &lx->value)) {
    lx->kind = SAR_T_BAD;
    lx->hint = "a number has at most 127 characters";
  } else if (isinf(lx->value)) {
    lx->kind = SAR_T_BAD;
    lx->hint = "the largest number is about 1.8e308; write inf for infinity";
  }
}

// 'left-knee': any characters, a quote twice. False: it does not end.
static bool take_quoted(SarLexer* lx) {
  do {
    take(lx, 1);
    while (lx->next < lx->length && peek(lx, 0) != '\'') take(lx, 1);
    if (lx->next >= lx->length) return false;
    take(lx, 1);
  } while (peek(lx, 0) == '\'');
  return true;
}

static void take_name(SarLexer* lx) {
  static const struct {
    const char* word;
    SarToken kind;
  } words[] = {{"and", SAR_T_AND}, {"or", SAR_T_OR}, {"not", SAR_T_NOT}};
  bool closed = true, begins = true;  // a quoted part is a whole part, from dot to dot
  while (closed) {
    const char c = peek(lx, 0);
    const bool quote = begins && c == '\'';
    if (!quote && !is_name_part(c)) break;
    if (quote)
      closed = take_quoted(lx);
    else
      take(lx, 1);
    if (quote && peek(lx, 0) != '.') break;
    begins = c == '.';
  }
  lx->kind = closed ? SAR_T_NAME : SAR_T_BAD;
  if (!closed) lx->hint = "the quote is not closed";
  size_t n = lx->next - lx->start;
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (strlen(words[i].word) == n && memcmp(words[i].word, lx->text + lx->start, n) == 0)
      lx->kind = (int)words[i].kind;
}

// signs of two characters, and those of other languages that deserve a hint
static bool take_pair(SarLexer* lx) {
  static const struct {
    char pair[3];
    SarToken kind;
    const char* hint;
  } pairs[] = {
      {"<=", SAR_T_LE, ""},
      {">=", SAR_T_GE, ""},
      {"==", SAR_T_EQ, ""},
      {"!=", SAR_T_NE, ""},
      {"**", SAR_T_BAD, "a power is written x^y"},
      {"&&", SAR_T_BAD, "write 'and'"},
      {"||", SAR_T_BAD, "write 'or'"},
  };
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
    if (peek(lx, 0) != pairs[i].pair[0] || peek(lx, 1) != pairs[i].pair[1]) continue;
    take(lx, 2);
    lx->kind = (int)pairs[i].kind;
    lx->hint = pairs[i].hint;
    return true;
  }
  return false;
}

static void take_sign(SarLexer* lx) {
  if (take_pair(lx)) return;
  char c = peek(lx, 0);
  if (c != '\0' && strchr("(),?:+-*/%^<>", c)) {
    take(lx, 1);
    lx->kind = c;
    return;
  }
  lx->kind = SAR_T_BAD;
  if (c == '=') lx->hint = "equality is written ==";
  if (c == '!' || c == '~') lx->hint = "write 'not'";
  if (c == '&') lx->hint = "write 'and'";
  if (c == '|') lx->hint = "write 'or'; an absolute value is abs(x)";
  if (c == '[' || c == ']' || c == '{' || c == '}') lx->hint = "only ( and ) group";
  if (c == ';') lx->hint = "arguments are separated by ','";
  // a whole character, so that messages show no half of one
  do take(lx, 1);
  while (((unsigned char)peek(lx, 0) & 0xC0) == 0x80);
}

void sar_lexer_init(SarLexer* lx, const char* text, size_t length, SarLoc loc) {
  *lx = (SarLexer){.text = text, .length = length, .place = loc, .hint = ""};
  sar_lexer_advance(lx);
}

void sar_lexer_advance(SarLexer* lx) {
  while (is_space(peek(lx, 0))) take(lx, 1);
  lx->start = lx->next;
  lx->loc = lx->place;
  lx->hint = "";
  char c = peek(lx, 0);
  if (lx->next >= lx->length)
    lx->kind = SAR_T_END;
  else if (is_digit(c) || (c == '.' && is_digit(peek(lx, 1))))
    take_number(lx);
  else if (is_name_start(c) || c == '\'')
    take_name(lx);
  else
    take_sign(lx);
}
