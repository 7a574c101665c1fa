// How symbols and parts of equations are spelt: as columns and model files do,
// as C, as LaTeX.
#pragma once
#include "codegen/equations.h"
#include "symbolic/print.h"

typedef struct EquationNames {
  const SarEquations* e;
  SarPrintStyle style;
  SarArena* arena;
  const char** of;    // by node: how it is spelt; NULL: written out
  SarParts parts;     // named e1, e2, ...
  const char** line;  // of each line of the embedding, as others have it
  int* after;         // of each part: the last line that it needs, -1: none
} EquationNames;

// False: no memory.
bool equation_names_make(EquationNames* n, const SarEquations* e, SarPrintStyle style,
                         SarArena* arena);
// The text of a node, in the arena, which for a part is its name; and of a part
// written out. "?": no memory.
const char* equation_text(const EquationNames* n, SarNode node);
const char* equation_part(const EquationNames* n, SarNode node);
// "elbow", or "ball.wx" of a joint with several; of speed i.
const char* equation_speed(const EquationNames* n, int i);
const char* equation_row(const EquationNames* n,
                         int row);  // "loop" or "loop[2]"
