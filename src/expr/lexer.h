// Tokens of the expression language. Private to src/expr.
#pragma once
#include "base/error.h"

typedef enum SarToken {
  SAR_T_END,
  SAR_T_NUMBER,
  SAR_T_NAME,  // also the words and, or, not; parts of it may be quoted: 'left-knee'.q
  SAR_T_AND,
  SAR_T_OR,
  SAR_T_NOT,
  SAR_T_LE,
  SAR_T_GE,
  SAR_T_EQ,
  SAR_T_NE,
  SAR_T_BAD,  // no token starts here; `hint` may say what was meant
  // single characters ( ) , ? : + - * / % ^ < > are their own kind
  SAR_T_FIRST_CHARACTER = 33
} SarToken;

typedef struct SarLexer {
  const char* text;
  size_t length, next;  // next: first character after the token
  SarLoc place;         // of `next`
  // the token
  int kind;      // SarToken or a character
  size_t start;  // its text is text[start .. next)
  SarLoc loc;
  double value;      // of a number
  const char* hint;  // of a bad token; ""
} SarLexer;

void sar_lexer_init(SarLexer* lx, const char* text, size_t length, SarLoc loc);
void sar_lexer_advance(SarLexer* lx);  // to the next token; stays at the end
