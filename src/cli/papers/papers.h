// sarrus papers: the tables of the papers, re-made. A paper is one file with one Paper, and one
// line in papers.c.
#pragma once
#include "cli/cli.h"

// One figure of a table: theirs and ours; NaN where there is none.
typedef struct PaperEntry {
  const char* paper;
  const char* table;
  char row[48], column[48];
  double theirs, ours;
  char note[400];
} PaperEntry;

enum { PAPER_MAX_ENTRIES = 1024, PAPER_MAX_PICTURES = 8, PAPER_PATH = 1024 };

typedef struct PaperReport {
  const char* paper;  // being made
  int only;           // this table of the paper; 0: all
  const CliArgs* args;
  const char* pictures;  // folder for figures; NULL: none are drawn
  int drawn;
  char picture[PAPER_MAX_PICTURES][PAPER_PATH];
  int count;
  PaperEntry entry[PAPER_MAX_ENTRIES];
} PaperReport;

typedef struct Paper {
  const char* number;
  const char* title;
  // What the tables show; printed below them.
  const char* remarks;
  int tables;  // how many can be made one by one
  SarStatus (*make)(PaperReport* r, SarError* err);
} Paper;

// Adds a figure. `note` Nullable. All texts but `table` are copied.
void paper_add(PaperReport* r, const char* table, const char* row, const char* column,
               double theirs, double ours, const char* note);

// How often to time something: `usual` times, once if asked for.
int paper_rounds(int usual);

// Models of the papers, inside the program; named as in the folder of the sources,
// "papers/001/coord24.yaml".
extern const SarTextFile paper_files[];  // ended by an entry without name
SarStatus paper_model(const char* name, SarModel** out, SarError* err);
// The same with other values of parameters.
SarStatus paper_model_with(const char* name, const SarParameter* parameters, int count,
                           SarModel** out, SarError* err);
// The same in other coordinates; NULL: the file's.
SarStatus paper_model_in(const char* name, const char* coordinates, SarModel** out, SarError* err);

// The same with any options but files.
SarStatus paper_model_by(const char* name, SarLoadOptions o, SarModel** out, SarError* err);

// 002_figures.c: the tiltrotor in the wind tunnel.
SarStatus paper_002_figures(PaperReport* r, SarError* err);
// 002_solvers.c: Jacobians by solvers for small sparse systems.
SarStatus paper_002_solvers(PaperReport* r, SarError* err);

// papers_001_cost.c: cost of one acceleration by every method, beside the bare decompositions.
SarStatus paper_001_costs(PaperReport* r, const SarModel* m, SarError* err);
