// Paper 003, in parts: bases, and runs.
#pragma once
#include "cli/papers/papers.h"

SarStatus paper_003_bases(PaperReport* r, SarError* err);
SarStatus paper_003_stewart(PaperReport* r, SarError* err);
SarStatus paper_003_five_link(PaperReport* r, SarError* err);
SarStatus paper_003_figures(PaperReport* r, SarError* err);

// A row of generated C: theirs in ms for a second (MS compiler), kinematic 0: not asked for.
typedef struct Paper003Code {
  const char *name, *method, *kinematics;
  double dynamic, kinematic;
} Paper003Code;
SarStatus paper_003_generated(PaperReport* r, const char* table, const SarModel* m,
                              const Paper003Code* rows, int count, SarError* err);
