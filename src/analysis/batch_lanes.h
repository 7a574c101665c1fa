// Groups of instances in the lanes of generated code (codegen/stepper.h).
#pragma once
#include "codegen/stepper.h"
#include "model/sim.h"

typedef struct SarLaneGroups SarLaneGroups;

// An instance as groups see it.
typedef struct SarLaneMember {
  SarData* d;  // NULL: none
} SarLaneMember;

// For n instances of one model that were set up, which `any` is one of. SAR_NOT_OFFERED: `note` says why not.
SarStatus sar_lane_groups_new(const SarSim* any, int n, int lanes, SarLaneGroups** out, char* note,
                              size_t size);
void sar_lane_groups_free(SarLaneGroups* g);  // NULL is fine
int sar_lane_groups_count(const SarLaneGroups* g);
int sar_lane_groups_width(const SarLaneGroups* g);
// The members of group `index`, whose times are alike, to t_end in fixed steps. Bit 1 << i: member i could not be
// taken there and is where its last good step left it.
int sar_lane_group_advance(SarLaneGroups* g, int index, const SarLaneMember* member, int count,
                           double t_end);
