// A script and its data down a pipe to gnuplot: nothing is left on the disk but the picture.
#pragma once
#include "sarrus/sarrus.h"

#include <stdio.h>

// gnuplot reads '...' literally; a quote inside is written twice, line ends become blanks.
void sar_gnuplot_quoted(FILE* f, const char* text);

typedef void SarGnuplotScript(FILE* f, const void* context, const char* path, bool svg);
// The ending of path chooses: .png or .svg. SAR_NOT_OFFERED with a message when gnuplot is not
// installed.
SarStatus sar_gnuplot_draw(SarGnuplotScript* script, const void* context, const char* path,
                           SarError* err);
