// Expressions as text in their own language.
#pragma once
#include "expr/expr.h"

enum { SAR_NUMBER_TEXT = 32 };
// The shortest of 15, 16 or 17 digits that reads back as the same bits; inf and -inf as they are
// written. Returns out, which has room for SAR_NUMBER_TEXT characters.
const char* sar_number_text(char* out, double x);
// Text whose tree has the same value, bit for bit. In the arena; NULL: no memory.
const char* sar_expr_text(SarArena* a, const SarExpr* e);
// Is it one name times a number?
bool sar_expr_is_input(const SarExpr* e, const char** name, double* gain);
