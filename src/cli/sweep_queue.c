// The queue of instances (sweep_queue.h). A batch is a share of what waits, so that the ends of all
// workers meet; runs of one model take about as long as each other, so that the first batches may
// be large.
#include "cli/sweep_queue.h"

enum { SHARE = 4 };

bool sweep_queue_begin(SweepQueue* q, int instances) {
  *q = (SweepQueue){.instances = instances};
  q->state = sar_alloc((size_t)instances);
  q->deaths = sar_alloc((size_t)instances);
  q->again = sar_alloc((size_t)instances * sizeof *q->again);
  return q->state && q->deaths && q->again;
}

void sweep_queue_end(SweepQueue* q) {
  sar_free(q->state);
  sar_free(q->deaths);
  sar_free(q->again);
  *q = (SweepQueue){0};
}

static int first_waiting(SweepQueue* q) {
  while (q->next < q->instances && q->state[q->next] != SWEEP_WAITS) q->next++;
  return q->next;
}

bool sweep_queue_take(SweepQueue* q, int workers, SweepBatch* b, bool* alone) {
  *alone = false;
  // whole batches first: what may bring workers down is for the end
  int first = first_waiting(q), n = 0;
  const int share = (q->instances - q->done) / (SHARE * workers);
  const int most = share < 1 ? 1 : share > SWEEP_MOST_BATCH ? SWEEP_MOST_BATCH : share;
  while (n < most && first + n < q->instances && q->state[first + n] == SWEEP_WAITS) n++;
  if (n == 0 && q->again_count > 0) {
    first = q->again[--q->again_count];
    n = 1;
    *alone = true;
  }
  for (int i = 0; i < n; i++) q->state[first + i] = SWEEP_GIVEN;
  *b = (SweepBatch){first, n};
  return n > 0;
}

bool sweep_queue_done(SweepQueue* q, int instance) {
  if (q->state[instance] == SWEEP_DONE) return false;
  q->state[instance] = SWEEP_DONE;
  q->done++;
  return true;
}

bool sweep_queue_return(SweepQueue* q, int instance, bool alone) {
  if (q->state[instance] != SWEEP_GIVEN) return false;
  if (alone && ++q->deaths[instance] == SWEEP_MOST_DEATHS) return true;
  q->again[q->again_count++] = instance;
  return false;
}
