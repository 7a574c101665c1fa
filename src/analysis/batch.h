// A batch from inside: instances, and how one thread takes some of them along (batch.c,
// batch_rollout.c).
#pragma once
#include "analysis/batch_lanes.h"
#include "base/pool.h"

typedef struct SarInstance {
  const SarModel* m;
  SarData* d;
  SarSim* s;
  SarStatus status;
  long handed;  // from generated code to the simulation
} SarInstance;

struct SarBatch {
  SarPool* pool;
  SarSimOptions sim;
  int n;
  SarInstance* instance;
  double t_end;          // of the call that is running
  SarRollout rollout;    // likewise
  SarLaneGroups* lanes;  // NULL: none
  char why[300];         // there are none
  int kept;              // parameters in which models differ
  double* value;         // n of each; NULL: none
};

// Instances that one thread takes at a time: one, or those in the lanes of one vector.
typedef struct SarBatchGroup {
  int first, count;
} SarBatchGroup;

int sar_batch_group_count(const SarBatch* b);
SarBatchGroup sar_batch_group(const SarBatch* b, int index);
void sar_batch_group_advance(SarBatch* b, int index, double t_end);
SarStatus sar_batch_first_trouble(const SarBatch* b);  // of the instances, in their order
