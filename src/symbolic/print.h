// Nodes as text: in the expression language (src/expr reads it back), as C, as LaTeX.
//
// A node that is used twice is written out twice, unless it has a name: sar_sym_parts chooses the
// nodes that deserve one, and `name` tells the printer. Unless `flat` is asked for, all three keep
// the order of operations of the graph, so that C gives the bits of a tape.
#pragma once
#include "symbolic/symbolic.h"

typedef enum SarPrintStyle { SAR_PRINT_TEXT, SAR_PRINT_C, SAR_PRINT_LATEX } SarPrintStyle;

typedef struct SarPrinter {
  SarPrintStyle style;
  // What stands for a node: another spelling of a symbol, or the name of a part. NULL: written out.
  const char* (*name)(void* context, SarNode n);  // Nullable
  void* context;
  bool flat;  // for reading: a (b (c d)) as a b c d, symbols first; not the order of operations
} SarPrinter;

// In the arena. NULL: no memory, SAR_NONE, or too long or deep to be written out without names for
// parts (SAR_PRINT_MAX_LENGTH, SAR_PRINT_MAX_DEPTH). The node itself is written out even if it has
// a name.
char* sar_sym_print(SarArena* a, SarGraph* g, SarNode n, const SarPrinter* printer);
enum { SAR_PRINT_MAX_LENGTH = 1 << 20, SAR_PRINT_MAX_DEPTH = 400 };

// Nodes that are computed once and named: those of at least `least` operations that are used twice,
// and those that would make a text of more than `longest` operations. Arguments come first. longest
// 1: every operation. False: no memory.
typedef struct SarParts {
  int count;
  SarNode* node;
} SarParts;
bool sar_sym_parts(SarArena* a, SarGraph* g, int n, const SarNode* y, int least, int longest,
                   SarParts* parts);

// The shortest decimal that is read back as the same double; returns buf.
enum { SAR_NUMBER_TEXT = 32 };
const char* sar_print_number(char* buf, size_t size, double value);
