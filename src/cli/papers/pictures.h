// Pictures of the figures of papers.
#pragma once
#include "cli/papers/papers.h"
#include "output/figure.h"

// Writes a picture NAME into the folder that was given (pictures.c).
SarStatus paper_picture(PaperReport* r, const char* name, const SarFigure* figure, SarError* err);
// Column y over column x of a table. label: Nullable.
SarCurve paper_curve(const SarTable* t, const char* x, const char* y, const char* label);
