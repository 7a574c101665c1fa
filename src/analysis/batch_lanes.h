// Groups of instances in the lanes of generated code (codegen/stepper.h).
#pragma once
#include "codegen/stepper.h"
#include "model/sim.h"

typedef struct SarLaneGroups SarLaneGroups;

// An instance as groups see it.
typedef struct SarLaneMember {
  SarData* d;                // NULL: none
  const double* parameters;  // its values of those that are kept
} SarLaneMember;

// For n instances of one model that were set up, which `any` is one of; or of alike ones, that
// differ in `kept` (Nullable). SAR_NOT_OFFERED: `note` says why not.
SarStatus sar_lane_groups_new(const SarSim* any, int n, int lanes, const SarStepperKept* kept,
                              SarLaneGroups** out, char* note, size_t size);
// Has the code the accelerations of this simulation, where it begins, to five digits? Else it is
// not of its model. Only before anything is advanced.
bool sar_lane_groups_fit(SarLaneGroups* g, SarSim* s, const double* parameters);
void sar_lane_groups_free(SarLaneGroups* g);  // NULL is fine
int sar_lane_groups_count(const SarLaneGroups* g);
int sar_lane_groups_width(const SarLaneGroups* g);
// The members of group `index`, whose times are alike, to t_end in fixed steps. Bit 1 << i: member
// i could not be taken there and is where its last good step left it.
int sar_lane_group_advance(SarLaneGroups* g, int index, const SarLaneMember* member, int count,
                           double t_end);
