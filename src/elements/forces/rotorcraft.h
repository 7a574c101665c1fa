// What strips and the rotor that they belong to know of each other.
#pragma once
#include "elements/aero/inflow.h"

// The air's force on all of an element's strips, its moment about the origin of the body, ground
// axes, and how both follow the states of the inflow: what an element of strips leaves first in
// force_cache.
typedef struct SarStripsLoad {
  V3 f, n;
  V3 f_z[SAR_INFLOW_STATES], n_z[SAR_INFLOW_STATES];
} SarStripsLoad;
_Static_assert(sizeof(SarStripsLoad) % sizeof(double) == 0, "loads are numbers");

// Into the cache. field: of the rotor; NULL: none. by_states: f_z and n_z are asked for, which stay
// as they are otherwise.
const SarStripsLoad* sar_strips_load(const SarModel* m, SarData* d, int strips,
                                     const SarInflowField* field, bool by_states);
// The loads in the cache, for states of the inflow that have moved by dz.
void sar_strips_follow(const SarModel* m, SarData* d, int strips, int states, const double* dz);
// The rotor that an element of strips belongs to, -1: none; the body it is on.
int sar_strips_rotor(const SarModel* m, int strips);
int sar_strips_body(const SarModel* m, int strips);
// Of the untwisted section, in B of the body: towards the leading edge, up, along the span; and
// where the strips begin. False: they are in line.
bool sar_strips_axes(const SarModel* m, int strips, V3* lead, V3* up, V3* span, double* root);
bool sar_is_strips(const SarModel* m, int force);
bool sar_is_rotor(const SarModel* m, int force);
bool sar_force_is_rotor(const SarForceKind* kind);

// The inflow of a rotor with its present states; x, Nullable: and how it changes.
SarInflowField sar_rotor_field(const SarModel* m, const SarData* d, const SarVariation* x,
                               int rotor);
// The same without changes, as it was left where the evaluation began.
SarInflowField sar_rotor_field_left(const SarModel* m, const SarData* d, int rotor);
double sar_rotor_radius(const SarModel* m, int rotor);
// Means over the last revolution (aero/revolution.h).
double sar_rotor_mean(const SarModel* m, const SarData* d, int rotor, int which);
