// Coordinate partitioning over symbols: which coordinates follow from which, as the flow of the
// loops says (loops/loops.h), and linear systems of one block of it.
#pragma once
#include "codegen/families.h"
#include "codegen/symbols.h"
#include "loops/loops.h"

// The square matrix of one block. Up to three unknowns its inverse is the adjugate over the
// determinant, which no pivot spoils; larger ones are eliminated in an order that is chosen from
// numbers where the run begins (Markowitz's rule among entries that are not small).
typedef struct SymBlockTwins {  // what of a block belongs to one twin alone
  const SarFamilies* families;
  const SarTwinPlace *row, *column;  // n
} SymBlockTwins;

typedef struct SymBlock {
  int n;
  SarNode* inverse;          // n n, up to SYM_BLOCK_ADJUGATE
  SarNode *adjugate, one;    // its parts: one over the determinant
  bool few;                  // it is used for one or two right-hand sides: by its parts
  SarNode *LU, *reciprocal;  // n n in the order of elimination, L below the diagonal; n: 1 / pivot
  bool* paired;              // n: k is eliminated with k + 1, of which 1 / determinant is there
  int *row, *column;         // n: what is eliminated as number k
  const SymBlockTwins* twins;  // Nullable
  SarTwinPlace *of_row,
      *of_pivot;  // n, by number k: the twin of its row, and of row and column if it is one
  SarNode flat;   // determinant or least pivot over its value at the start: below SYM_BLOCK_FLAT it
                  // is singular
} SymBlock;

enum { SYM_BLOCK_ADJUGATE = 3, SYM_BLOCK_MOST = 256 };
#define SYM_BLOCK_FLAT 1e-3

// A: n n; value: the same in numbers, at the start; twins: Nullable. False: no memory, or singular
// there.
bool sar_block_factor(SarArena* arena, SarGraph* g, int n, const SarNode* A, const double* value,
                      const SymBlockTwins* twins, SymBlock* out);
// x <- A^-1 x, A'^-1 x
void sar_block_solve(SarGraph* g, const SymBlock* B, SarNode* x);
void sar_block_solve_transposed(SarGraph* g, const SymBlock* B, SarNode* x);

// What is known before a run: the flow, and numbers where the run begins.
typedef struct SarPartition {
  const SarLoopFlow* flow;
  bool single;            // the code will have float for double
  bool kept;              // terms have parameters: they stand alone, without what they were made of
  const double *q, *Psi;  // nq, nrow_dof: at the start
  double* unit;           // nv: of each coordinate, the mechanism's size for lengths, 1 for angles
  double* scale;          // nrow: what a row changes by for displacements of a unit
  bool* left_out;         // nrow: it follows from the others
  int free;               // independent coordinates
  int* dof;               // nv: those
  int* place;             // nv: of an independent one in that list, -1: dependent
} SarPartition;

// d: at the start; s: with Phi and Psi. NULL: no memory.
SarPartition* sar_partition_new(SarSymbols* s, const SarData* d, const SarLoopFlow* flow);

// All blocks of a graph, with the entries Psi.
typedef struct SymBlocks {
  const SarModel* m;
  const SarPartition* p;
  SarGraph* g;
  SarArena* arena;
  const SarNode* Psi;  // nrow_dof
  SymBlock* block;
  SarNode flat;                 // the least of all
  bool few;                     // each is used for one or two right-hand sides
  const SarFamilies* families;  // Nullable: gets what belongs to one member of twins alone
} SymBlocks;

// Rows, masses and forces that belong to one twin alone; what s does not have yet is left out.
void sar_symbols_note_twins(const SarSymbols* s, const SarFamilies* f);
// What there is by rows (nrow), where the row belongs to one twin alone.
void sar_symbols_note_rows(const SarSymbols* s, const SarFamilies* f, const SarNode* e);
// The twin that a block belongs to.
SarTwinPlace sar_blocks_twin(const SymBlocks* b, int which);
void sar_blocks_note(const SymBlocks* b, int which, SarNode node);

bool sar_blocks_factor(SymBlocks* b);
SarNode sar_blocks_entry(const SymBlocks* b, int row, int dof);
// Psi_d x_d + Psi_i x_i = e, for x_d: x (nv) has x_i, e is nrow.
void sar_blocks_solve(const SymBlocks* b, const SarNode* e, SarNode* x);
// Psi_d' y = r_d for the rows of the flow; others are 0. r: nv, is used up.
void sar_blocks_transposed(const SymBlocks* b, SarNode* r, SarNode* y);
