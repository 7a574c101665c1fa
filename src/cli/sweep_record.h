// What a worker sends and a journal keeps (manager/worker scheme): entries of one stream.
//
//   entry    bytes behind this head (32 bit), whose (32 bit: an instance, or one of the words
//            below); then
//   record   exit status, rows, length of the message (32 bit each), 0; rows of time and kept
//            columns; the message
#pragma once
#include "cli/sweep.h"

#include <stdint.h>

enum { SWEEP_HELLO = -1, SWEEP_ACCOUNT = -2 };  // who it is; how long it has worked and waited
enum { SWEEP_ENTRY_HEAD = 8 };

// A buffer that grows.
typedef struct SweepBytes {
  unsigned char* at;
  size_t used, room;
} SweepBytes;
bool sweep_bytes_room(SweepBytes* b, size_t more);  // false: no memory
bool sweep_bytes_add(SweepBytes* b, const void* from, size_t n);
bool sweep_bytes_entry(SweepBytes* b, int32_t whose, const void* from, size_t n);

// The record of an outcome, as an entry; false: no memory, or too large.
bool sweep_record_add(const Sweep* s, int instance, const SweepOutcome* o, SweepBytes* out);
// The record of an instance that has no outcome: whoever computed it is gone.
bool sweep_record_lost(int instance, const char* why, SweepBytes* out);

// A record, taken apart in place; false: it is none of this sweep.
typedef struct SweepRecord {
  int status, rows;
  const unsigned char* values;  // rows x (1 + columns) doubles, not aligned
  const char* trouble;
  size_t trouble_length;
} SweepRecord;
bool sweep_record_read(const Sweep* s, const void* bytes, size_t size, SweepRecord* out);

// Instances first ... first + count - 1 for a worker; count 0: there is no more work.
enum { SWEEP_MOST_BATCH = 64 };  // instances of a batch
typedef struct SweepBatch {
  int32_t first, count;
} SweepBatch;

// The master as a worker sees it.
typedef struct SweepChannel {
  void* context;
  bool (*receive)(void* context, SweepBatch* b);  // waits; false: the master is gone
  bool (*send)(void* context, const void* bytes, size_t size);
} SweepChannel;
// sweep_worker.c: says hello and works until there is no more, or the master is gone. `halt`:
// Nullable.
void sweep_work(const Sweep* s, const char* identity, const SweepChannel* c,
                const atomic_bool* halt);
SweepChannel sweep_socket_channel(int* fd);
// sweep_identity.c: what a journal, and all ranks, must have in common: lines "name=value"; for
// sar_free.
char* sweep_identity(const Sweep* s);
