// What the parser of expressions (parser.c) shares with its calls of functions (parser_calls.c).
#pragma once
#include "expr/lexer.h"
#include "expr/tree.h"

typedef SAR_LIST(SarExpr*) SarExprList;

typedef struct SarParser {
  SarLexer lx;
  SarArena* arena;
  SarError* err;
  int level;    // of nesting
  bool wrong;   // something was reported
  bool failed;  // reading has stopped: syntax error or no memory
} SarParser;

// A node, or NULL: too deep, no memory.
SarExpr* sar_parser_build(SarParser* p, SarOp op, SarLoc loc, int num, SarExpr* const* arg);
// The call of a function; a stand-in where it is wrong and reported, so that reading goes on. NULL:
// as above.
SarExpr* sar_parser_call(SarParser* p, SarLoc loc, const char* name, const SarExprList* args);
