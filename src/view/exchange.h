// Handing over between threads without waiting: the newest value of something large, and queues of
// small things.
//
// A triple buffer: the writer fills the slot that is its own and exchanges it for the one in the
// middle; the reader does the same when the middle is fresh. Neither ever waits, and the reader
// gets the newest (latest-value semantics).
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct SarLatest {
  unsigned char* slot[3];
  size_t size[3];  // bytes in each
  size_t room;
  int back, front;    // the writer's, the reader's
  atomic_int middle;  // with a bit that says it is fresh
} SarLatest;

bool sar_latest_begin(SarLatest* x, size_t room);  // false: no memory
void sar_latest_end(SarLatest* x);
// Writer: fill sar_latest_back(x), then publish it.
unsigned char* sar_latest_back(SarLatest* x);
void sar_latest_publish(SarLatest* x, size_t size);
// Reader: what was published last, if that was not taken yet; NULL: nothing new. Good until the
// next call.
const unsigned char* sar_latest_take(SarLatest* x, size_t* size);

// A ring of items with one writer and one reader at a time.
typedef struct SarRing {
  unsigned char* items;
  size_t item;
  unsigned capacity;  // a power of 2
  atomic_uint head, tail;
} SarRing;

bool sar_ring_begin(SarRing* r, size_t item, unsigned capacity);  // false: no memory
void sar_ring_end(SarRing* r);
bool sar_ring_put(SarRing* r, const void* item);  // false: it is full
bool sar_ring_get(SarRing* r, void* item);        // false: it is empty
