// Rows of one wheel or ball, shared by `rolling` and `wheel_set`.
#pragma once
#include "model/constraint_kind.h"

typedef struct RollingAttributes {  // numbers of the attributes
  int centre, surface, radius, axis, normal, road, in;
} RollingAttributes;

static inline bool rolling_is_sound(SarRowBuilder* r, const RollingAttributes* at, SarEnd surface) {
  if (!(sar_builder_number(r, at->radius) > 0)) {
    sar_builder_complain(r, at->radius, "", "radius must be positive, but is %g",
                         sar_builder_number(r, at->radius));
    return false;
  }
  if (sar_builder_attr(r, at->road)->given && surface.body >= 0) {
    sar_builder_complain(r, at->surface, "write ground", "a road belongs to the ground");
    return false;
  }
  return true;
}

// side: with the row across
static inline void build_roller(SarRowBuilder* r, const RollingAttributes* at, bool side) {
  const SarEnd surface = sar_builder_end(r, at->surface), centre = sar_builder_end(r, at->centre);
  const bool ball = !sar_builder_attr(r, at->axis)->given;
  if (!rolling_is_sound(r, at, surface)) return;
  const int roller = sar_builder_roller(r, at->radius, at->road, ball);
  for (int way = SAR_ROLL_GAP; way <= (side ? SAR_ROLL_SIDE : SAR_ROLL_FORWARD); way++) {
    if (way == SAR_ROLL_GAP)
      sar_builder_begin(r, 0);
    else
      sar_builder_begin_speed(r);
    SarTerm* t = sar_builder_term(r, SAR_TERM_ROLL, surface, centre, 1);
    t->roller = roller;
    t->way = way;
    t->x = sar_builder_from_ground(r, sar_builder_vector(r, at->normal), surface.body);
    t->y = v3_perp(t->x);
    if (!ball) t->w = sar_builder_direction(r, at->axis, at->in, centre.body);
  }
}
