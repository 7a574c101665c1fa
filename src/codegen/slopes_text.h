// The loops of generated derivatives: mass matrix, its factor, derivatives of inverse dynamics and
// their solution, from the columns that straight-line code leaves in a struct NAME_tree.
#pragma once
#include "codegen/emit.h"
#include "codegen/slopes.h"

enum { SAR_SLOPES_VECTOR = 4 };  // columns that loops take a multiple of

typedef struct SarSlopesText {
  SarArena* arena;
  SarWriter* out;
  const char* name;
  const SymSlopes* w;
  int wide;   // entries of a row: nv, rounded up to whole vectors
  int homes;  // beside those on the ground
  bool deep;  // accelerations come from elsewhere
  // Nullable: more members of NAME_tree, of a bordered system that M is factored in
  const char* bordered;
} SarSlopesText;

int sar_slopes_wide(const SarModel* m);
// struct NAME_tree with `more` places for single entries.
void sar_slopes_type(const SarSlopesText* x, int more);
// Which of the homes that are not on the ground body b is; -1: none of them.
int sar_slopes_home_number(const SymSlopes* w, int b);
// NAME_composites(t): F of all coordinates; NAME_directions(t): P to G.
void sar_slopes_write_columns(const SarSlopesText* x);
// NAME_accelerate(t): F, M, its factor, and a unless the tree is deep.
void sar_slopes_write_mass(const SarSlopesText* x);
// NAME_slope_rows(t, Q, V): the tree's part of dtau/dq and dtau/dv.
void sar_slopes_write_rows(const SarSlopesText* x);
// NAME_solve(t, Q, V, I): Q <- -M^-1 Q, V <- -M^-1 V of matrices with the sparsity of the tree, and
// I = M^-1. Of Q and V it reads the vectors that sar_slopes_begun marks, nv rows of wide / 4,
// alone.
void sar_slopes_write_solve(const SarSlopesText* x);

// ---- between the parts --------------------------------------------------------------------------
// Functions of bounded length NAME_WHAT_0, ..., then NAME_WHAT, which calls them.
typedef struct SarPieces {
  const SarSlopesText* x;
  const char *what, *arguments, *passed;
  const char* unused;  // "(void)t": draws no warning
  int used, functions;
} SarPieces;
void sar_pieces_room(SarPieces* p, int lines);  // before so many lines
void sar_pieces_end(SarPieces* p);

bool* sar_slopes_begun(const SarSlopesText* x, bool inverse);  // of Q and V; of I. NULL: no memory
void sar_slopes_write_mass_rows(const SarSlopesText* x);       // NAME_mass_rows(t)
int sar_slopes_end(const SarModel* m, int b);        // first coordinate behind the subtree
int sar_slopes_dof_end(const SarModel* m, int dof);  // the same, of the body of a coordinate

// Columns of a row that are marked, as runs.
typedef struct SarRun {
  int from, to;
} SarRun;
// `body` for every column c of the run; `again`: it may be done twice for the same column.
void sar_slopes_unroll(const SarSlopesText* x, SarRun run);  // before a loop over whole vectors
void sar_slopes_loop(const SarSlopesText* x, SarRun run, bool again, const char* indent,
                     const char* body);
int sar_runs(const bool* marked, int n, SarRun* run);
int sar_runs_of_vectors(const bool* marked, int n, SarRun* run);  // rounded to whole vectors
