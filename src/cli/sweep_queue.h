// Which instances of a sweep are done, which are being computed, and what to hand out next (guided
// self-scheduling).
#pragma once
#include "cli/sweep_record.h"

typedef struct SweepQueue {
  int instances, done, next;
  unsigned char* state;   // SWEEP_WAITS ...
  unsigned char* deaths;  // of workers that had this instance alone
  int* again;             // instances whose worker died: handed out alone
  int again_count;
} SweepQueue;

enum { SWEEP_WAITS, SWEEP_GIVEN, SWEEP_DONE };
enum { SWEEP_MOST_DEATHS = 3 };  // of one instance

bool sweep_queue_begin(SweepQueue* q, int instances);
void sweep_queue_end(SweepQueue* q);
// The next batch for one of so many workers; *alone: it may bring its worker down. False: nothing
// waits.
bool sweep_queue_take(SweepQueue* q, int workers, SweepBatch* b, bool* alone);
// False: it was done before, and what came now is not needed.
bool sweep_queue_done(SweepQueue* q, int instance);
// The worker that had it is gone. True: it is to blame for too many of them, and is not handed out
// again.
bool sweep_queue_return(SweepQueue* q, int instance, bool alone);
