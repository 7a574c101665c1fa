// The shared-memory object of a port: made, described, and given back. Private to io/.
#pragma once
#include "realtime/io/arrivals.h"
#include "sarrus/rt_protocol.h"

// Where things are, kept by the runner: of what lies in shared memory it believes nothing but
// samples.
typedef struct SarShmObject {
  int file;  // holds a lock (flock) that says that the runner is there
  char name[160];
  unsigned char* base;
  size_t bytes;
  SarShmHeader* header;
  size_t output_ring, input_ring;
  size_t output_bytes, input_bytes;
  uint64_t output_slots, input_slots;
} SarShmObject;

// Makes "/sarrus-NAME"; one that was left by a runner that died is replaced. slots: of a ring, 0:
// by default.
SarStatus sar_shm_object_make(SarShmObject* o, const char* name, int length, const SarPort* p,
                              const SarPortLayout* l, const SarArrivals* a, double slots,
                              SarError* err);
void sar_shm_object_end(SarShmObject* o);  // tells clients, and gives it back

static inline void* sar_shm_output_slot(const SarShmObject* o, uint64_t number) {
  return o->base + o->output_ring + (number & (o->output_slots - 1)) * o->output_bytes;
}
static inline void* sar_shm_input_slot(const SarShmObject* o, uint64_t number) {
  return o->base + o->input_ring + (number & (o->input_slots - 1)) * o->input_bytes;
}
