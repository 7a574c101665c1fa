// The recorder: the loop puts rows into a ring, a thread writes them. The thread looks into the
// ring every few milliseconds, so that the loop need not wake it: no system call there.
#include "realtime/io/record_format.h"
#include "realtime/io/row_ring.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <strings.h>
#include <time.h>

enum { USUAL_ROWS = 4096, FEWEST_ROWS = 64, MOST_BYTES = 64 << 20, PAUSE_NS = 2000000 };
#define USUAL_FLUSH 0.1

struct SarRecorder {
  SarRowRing ring;
  const SarRecordFormat* format;
  SarRecordFile* file;
  pthread_t thread;
  bool running;
  double flush;
  _Alignas(64) atomic_bool stop, failed;  // between the threads
  atomic_uint_least64_t pushed, written;
  atomic_uint_least64_t longest;  // of a write [ns]
};

// ---- the thread ----

static void note_time(SarRecorder* r, double began) {
  const uint64_t took = (uint64_t)(1e9 * (sar_clock_wall() - began));
  if (took > atomic_load(&r->longest)) atomic_store(&r->longest, took);
}

// Writes what is there; rows that cannot be written are taken out all the same. Returns how many.
static uint64_t write_rows(SarRecorder* r) {
  const double* rows;
  const uint64_t count = sar_row_ring_look(&r->ring, &rows);
  if (count == 0) return 0;
  const double began = sar_clock_wall();
  if (!atomic_load(&r->failed) && !r->format->rows(r->file, rows, count))
    atomic_store(&r->failed, true);
  sar_row_ring_done(&r->ring, count);
  note_time(r, began);
  return count;
}

static void flush_rows(SarRecorder* r, uint64_t* unflushed) {
  const double began = sar_clock_wall();
  if (!atomic_load(&r->failed) && !r->format->flush(r->file)) atomic_store(&r->failed, true);
  if (!atomic_load(&r->failed)) atomic_fetch_add(&r->written, *unflushed);
  *unflushed = 0;
  note_time(r, began);
}

static void* work(void* recorder) {
  SarRecorder* r = recorder;
  const struct timespec pause = {0, PAUSE_NS};
  uint64_t unflushed = 0;
  double flushed = sar_clock_wall();
  for (bool last = false; !last;) {
    last = atomic_load(&r->stop);  // before looking: what was pushed before it was set is written
    uint64_t count, all = 0;
    while ((count = write_rows(r)) > 0) {
      all += count;
      if (all > r->ring.capacity) break;
    }
    unflushed += all;
    if (unflushed && (last || sar_clock_wall() - flushed >= r->flush)) {
      flush_rows(r, &unflushed);
      flushed = sar_clock_wall();
    }
    if (!last && all <= r->ring.capacity / 2) nanosleep(&pause, NULL);
  }
  return NULL;
}

// Signals are for others. `priority` 0: an ordinary thread whatever the loop's is.
static bool make_thread(SarRecorder* r, int priority) {
  sigset_t all, before;
  pthread_attr_t how;
  const struct sched_param sched = {.sched_priority = priority};
  sigfillset(&all);
  pthread_attr_init(&how);
  pthread_attr_setinheritsched(&how, PTHREAD_EXPLICIT_SCHED);
  pthread_attr_setschedpolicy(&how, priority > 0 ? SCHED_FIFO : SCHED_OTHER);
  pthread_attr_setschedparam(&how, &sched);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  r->running = pthread_create(&r->thread, &how, work, r) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&how);
  return r->running;
}

// Below the loop and before all ordinary threads: a machine that is busy otherwise would keep rows
// in the ring, and a kill would take them.
static bool start(SarRecorder* r, int priority) {
  return (priority > 0 && make_thread(r, priority)) || make_thread(r, 0);
}

// ---- the loop ----

bool sar_recorder_push(SarRecorder* r, const double* row) {
  if (atomic_load_explicit(&r->failed, memory_order_relaxed)) {
    sar_row_ring_drop(&r->ring);
    return false;
  }
  if (!sar_row_ring_push(&r->ring, row)) return false;
  atomic_store_explicit(&r->pushed, atomic_load_explicit(&r->pushed, memory_order_relaxed) + 1,
                        memory_order_relaxed);
  return true;
}

void sar_recorder_make_room(SarRecorder* r) {
  const struct timespec pause = {0, PAUSE_NS / 4};
  while (!atomic_load(&r->failed) &&
         atomic_load(&r->ring.head) - atomic_load(&r->ring.tail) > r->ring.capacity / 2)
    nanosleep(&pause, NULL);
}

SarRecorderStats sar_recorder_stats(const SarRecorder* r) {
  SarRecorder* s = (SarRecorder*)r;  // atomics are loaded from what may change
  return (SarRecorderStats){.pushed = atomic_load(&s->pushed),
                            .dropped = atomic_load(&s->ring.dropped),
                            .written = atomic_load(&s->written),
                            .most_waiting = atomic_load(&s->ring.most),
                            .longest_write = 1e-9 * (double)atomic_load(&s->longest),
                            .failed = atomic_load(&s->failed)};
}

// ---- life ----

static const SarRecordFormat* format_of(const char* path, SarError* err) {
  const char* dot = strrchr(path, '.');
  if (dot && strcasecmp(dot, ".csv") == 0) return &sar_record_csv;
  if (dot && (strcasecmp(dot, ".h5") == 0 || strcasecmp(dot, ".hdf5") == 0))
    return &sar_record_hdf5;
  sar_report(err, (SarLoc){.file = path}, "name it FILE.csv or FILE.h5",
             "the ending does not name a format to record in");
  return NULL;
}

static uint64_t ring_rows(const SarRecorderOptions* o) {
  const uint64_t wanted = o->rows > 0 ? (uint64_t)o->rows : USUAL_ROWS;
  const uint64_t bytes = sizeof(double) * (uint64_t)(o->columns + 1);
  uint64_t rows = FEWEST_ROWS;
  while (rows < wanted && 2 * rows * bytes <= MOST_BYTES) rows *= 2;
  return rows;
}

static SarStatus set_up(SarRecorder* r, const SarRecorderOptions* o, SarError* err) {
  r->flush = o->flush > 0 ? o->flush : USUAL_FLUSH;
  SAR_TRY(sar_row_ring_init(&r->ring, o->columns, ring_rows(o)));
  SAR_TRY(r->format->open(o, &r->file, err));
  if (start(r, o->priority)) return SAR_OK;
  sar_report(err, (SarLoc){.file = o->path}, "", "no thread to record with");
  return SAR_NO_MEMORY;
}

SarStatus sar_recorder_open(const SarRecorderOptions* o, SarRecorder** out, SarError* err) {
  *out = NULL;
  const SarRecordFormat* format = format_of(o->path, err);
  if (!format) return SAR_BAD_ARGUMENT;
  SarRecorder* r = sar_alloc(sizeof *r);
  if (!r) return SAR_NO_MEMORY;
  r->format = format;
  const SarStatus st = set_up(r, o, err);
  if (st != SAR_OK) {
    sar_recorder_close(r, NULL);
    return st;
  }
  *out = r;
  return SAR_OK;
}

SarStatus sar_recorder_close(SarRecorder* r, SarError* err) {
  if (!r) return SAR_OK;
  atomic_store(&r->stop, true);
  if (r->running) pthread_join(r->thread, NULL);
  bool ok = !atomic_load(&r->failed);
  if (r->file) ok = r->format->close(r->file, r->ring.pending) && ok;
  sar_row_ring_free(&r->ring);
  sar_free(r);
  if (!ok) sar_report(err, (SarLoc){0}, "is the disk full?", "the recording was not written whole");
  return ok ? SAR_OK : SAR_NO_FILE;
}
