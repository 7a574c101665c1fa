// Straight-line C from nodes of a graph.
//
// Outputs become a row of static functions of bounded length, so that compilers stay linear; what
// one leaves for later ones is kept in an array, whose places are used again when their value is
// done with. Sines and cosines of symbols, and of short expressions of them, are computed together
// before the first (angles.h).
#pragma once
#include "symbolic/symbolic.h"

#include <stdarg.h>

// Text that grows in an arena; a failed allocation leaves arena->failed.
typedef struct SarWriter {
  SarArena* arena;
  SAR_LIST(char) text;
} SarWriter;
void sar_write(SarWriter* w, const char* format, ...) __attribute__((format(printf, 2, 3)));

typedef struct SarAssign {
  SarNode node;
  const char* to;  // where it goes: "out->a[0]"
} SarAssign;

typedef struct SarEmit {
  SarGraph* g;
  SarArena* arena;
  SarWriter* out;
  const char* prefix;     // of the functions: "arm_accelerations"
  const char* arguments;  // their parameters: "const arm_state* restrict s, ..."
  const char* unused;     // "(void)s, (void)out": they draw no warning where they are not used
  const char* passed;     // the same in a call: "s, u, out"
  const char* model;      // prefix of sincos: "arm"
  // The C text of a symbol; NULL: not known. The text lives as long as the arena.
  const char* (*symbol)(void* context, const char* name);
  // Nullable: the array that a symbol stands in, as C text, and its place there; NULL: in none
  const char* (*array)(void* context, const char* name, int* place);
  void* context;
  int longest;  // statements of a function; 0: 250
  bool bare;    // of a family: statements alone, for a function that others stand in too
  char letter;  // names of values begin with it; 0: 'x'
  // Nullable: a statement that runs between the first `before` outputs and what makes the others
  const char* pause;
  int before;
  // Nullable: the caller computes sines and cosines of these and passes `sine` and `cosine` on.
  // Symbols l[...] are not known by then.
  struct SarAngles* angles;
  const char* vector;       // values are PREFIX_real of a family (families.h); NULL: real
  int lanes;                // values are vectors of so many doubles (lanes.h); 0: doubles
  struct SarRuntime* uses;  // gets what of it the functions call
  // Nullable: the same of families, by their lanes; NULL: there are none
  struct SarRuntime* family_uses;
} SarEmit;

typedef struct SarEmitted {
  int functions, statements;
  int work;    // doubles kept from function to function
  int angles;  // sines and cosines computed together, rounded up to whole vectors
  int paused;  // the first function after the pause; 0: none
} SarEmitted;

// Writes the functions PREFIX_0 ... and PREFIX, which calls them. False: no memory, or a symbol
// that is not known.
bool sar_emit_functions(SarEmit* e, int n, const SarAssign* assign, SarEmitted* done);
