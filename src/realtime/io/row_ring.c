// A ring for one producer and one consumer (row_ring.h).
#include "realtime/io/row_ring.h"

#include "base/alloc.h"

#include <string.h>

SarStatus sar_row_ring_init(SarRowRing* r, int columns, uint64_t rows) {
  r->width = columns + 1;
  r->capacity = rows;
  r->mask = rows - 1;
  const size_t bytes = sizeof(double) * (size_t)r->width * (size_t)rows;
  r->rows = sar_alloc(bytes);
  if (!r->rows) return SAR_NO_MEMORY;
  memset(r->rows, 0, bytes);  // touched: no page fault while it runs
  return SAR_OK;
}

void sar_row_ring_free(SarRowRing* r) { sar_free(r->rows); }

void sar_row_ring_drop(SarRowRing* r) {
  r->pending++;
  atomic_store_explicit(&r->dropped, atomic_load_explicit(&r->dropped, memory_order_relaxed) + 1,
                        memory_order_relaxed);
}

bool sar_row_ring_push(SarRowRing* r, const double* row) {
  const uint64_t head = atomic_load_explicit(&r->head, memory_order_relaxed);
  if (head - r->tail_seen > atomic_load_explicit(&r->most, memory_order_relaxed) ||
      head - r->tail_seen == r->capacity)
    r->tail_seen = atomic_load_explicit(&r->tail, memory_order_acquire);
  if (head - r->tail_seen == r->capacity) {
    sar_row_ring_drop(r);
    return false;
  }
  if (head + 1 - r->tail_seen > atomic_load_explicit(&r->most, memory_order_relaxed))
    atomic_store_explicit(&r->most, head + 1 - r->tail_seen, memory_order_relaxed);
  double* to = r->rows + (head & r->mask) * (uint64_t)r->width;
  to[0] = (double)r->pending;
  memcpy(to + 1, row, sizeof(double) * (size_t)(r->width - 1));
  r->pending = 0;
  atomic_store_explicit(&r->head, head + 1, memory_order_release);
  return true;
}

uint64_t sar_row_ring_look(SarRowRing* r, const double** rows) {
  const uint64_t tail = atomic_load_explicit(&r->tail, memory_order_relaxed);
  const uint64_t waiting = atomic_load_explicit(&r->head, memory_order_acquire) - tail;
  const uint64_t to_end = r->capacity - (tail & r->mask);
  *rows = r->rows + (tail & r->mask) * (uint64_t)r->width;
  return waiting < to_end ? waiting : to_end;
}

void sar_row_ring_done(SarRowRing* r, uint64_t rows) {
  const uint64_t tail = atomic_load_explicit(&r->tail, memory_order_relaxed);
  atomic_store_explicit(&r->tail, tail + rows, memory_order_release);
}
