// Edges of solids that touch, for pictures.
#pragma once
#include "model/data.h"

typedef struct Line {
  V3 from, to;
} Line;

// Lines that all solids on bodies take.
int outline_count(const SarModel* m);
// Draws them where the bodies are (needs sar_update_world); returns their number.
int outline_draw(const SarModel* m, const SarData* d, Line* lines);
