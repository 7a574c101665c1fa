// Every number and every name of a spec, one by one: what any change of a whole model goes through.
#pragma once
#include "model/spec.h"

typedef struct SpecWalk {
  // Every number that is given; `local` are the names of a law that belong to no one (NULL past the
  // last of SAR_LAW_LOCALS; NULL: none). Nullable.
  void (*number)(void* context, SpecNum* n, const char* const* local);
  // Every name of a body, joint, force, constraint, road, parameter, variable, input or group, also
  // as the first part of "body.point"; words of choices, points and materials are left alone.
  // Nullable.
  void (*name)(void* context, SpecName* n);
  void* context;
} SpecWalk;

void spec_walk(SarSpec* spec, const SpecWalk* walk);
