// The master of a sweep: hands out instances, keeps records in the journal (sweep_master.c), writes
// the result from it (sweep_team.c).
#pragma once
#include "cli/sweep_peers.h"
#include "cli/sweep_queue.h"
#include "output/journal.h"

typedef struct SweepMaster {
  Sweep* s;
  SweepQueue queue;
  SarJournal* journal;
  uint64_t* place;  // of every instance that is done, in the journal
  SweepPeers peers;
  double began, synced;
  int barren;  // workers that died since the last record
  SarError* err;
} SweepMaster;

// Until all instances are in the journal: SAR_OK; SAR_STOPPED by a signal; or what went wrong,
// after a report.
SarStatus sweep_master_run(SweepMaster* w);
