// A ring of rows for one producer and one consumer, without locks: the producer alone moves the
// head, the consumer alone the tail, each on a cache line of its own. Private to io/.
#pragma once
#include "sarrus/status.h"

#include <stdatomic.h>
#include <stdint.h>

typedef struct SarRowRing {
  double* rows;  // each begins with how many were dropped before it
  uint64_t mask, capacity;
  int width;  // of a row, with that number
  // of the producer
  _Alignas(64) atomic_uint_least64_t head;  // rows that were ever put in
  uint64_t tail_seen, pending;          // the tail as last looked at; dropped since the last row
  atomic_uint_least64_t dropped, most;  // rows refused; rows waiting, at the worst
  // of the consumer
  _Alignas(64) atomic_uint_least64_t tail;  // rows that were ever taken out
} SarRowRing;

SarStatus sar_row_ring_init(SarRowRing* r, int columns, uint64_t rows);  // a power of 2
void sar_row_ring_free(SarRowRing* r);

// The producer: false, there is no room.
bool sar_row_ring_push(SarRowRing* r, const double* row);
void sar_row_ring_drop(SarRowRing* r);  // a row that is not even tried
// The consumer: how many rows lie from the tail on without a break, and where; then how many are
// done with.
uint64_t sar_row_ring_look(SarRowRing* r, const double** rows);
void sar_row_ring_done(SarRowRing* r, uint64_t rows);
