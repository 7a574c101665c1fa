// Rows of one wheel or ball, shared by `rolling` and `wheel_set`.
#pragma once
#include "model/constraint_kind.h"

typedef struct RollingAttributes {  // numbers of the attributes
  int centre, surface, radius, axis, normal, road, in;
} RollingAttributes;

static inline bool rolling_is_sound(SarRows* r, const RollingAttributes* at, SarEnd surface) {
  if (!(sar_rows_number(r, at->radius) > 0)) {
    sar_rows_complain(r, at->radius, "", "radius must be positive, but is %g",
                      sar_rows_number(r, at->radius));
    return false;
  }
  if (sar_rows_attr(r, at->road)->given && surface.body >= 0) {
    sar_rows_complain(r, at->surface, "write ground", "a road belongs to the ground");
    return false;
  }
  return true;
}

// side: with the row across
static inline void build_roller(SarRows* r, const RollingAttributes* at, bool side) {
  const SarEnd surface = sar_rows_end(r, at->surface), centre = sar_rows_end(r, at->centre);
  const bool ball = !sar_rows_attr(r, at->axis)->given;
  if (!rolling_is_sound(r, at, surface)) return;
  const int roller = sar_rows_roller(r, at->radius, at->road, ball);
  for (int way = SAR_ROLL_GAP; way <= (side ? SAR_ROLL_SIDE : SAR_ROLL_FORWARD); way++) {
    if (way == SAR_ROLL_GAP)
      sar_rows_begin(r, 0);
    else
      sar_rows_begin_speed(r);
    SarTerm* t = sar_rows_term(r, SAR_TERM_ROLL, surface, centre, 1);
    t->roller = roller;
    t->way = way;
    t->x = sar_rows_from_ground(r, sar_rows_vector(r, at->normal), surface.body);
    t->y = v3_perp(t->x);
    if (!ball) t->w = sar_rows_direction(r, at->axis, at->in, centre.body);
  }
}
