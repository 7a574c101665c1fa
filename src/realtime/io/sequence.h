// Numbers of a sender's packets: what is lost, twice, late (RFC 3550's sequence numbers, without
// their wrap). Private to io/.
#pragma once
#include "realtime/port.h"

enum { SAR_SEQUENCE_WINDOW = 64 };

typedef struct SarSequence {
  bool begun;
  uint64_t session, previous;  // of the sender: now, and before it began anew
  bool restarted;
  uint64_t first, newest;
  uint64_t seen;  // bit k: newest - k has come
} SarSequence;

// Counts a packet. True: it is newer than all before it, and is to be used.
bool sar_sequence_note(SarSequence* q, uint64_t session, uint64_t sequence, SarPortStats* s);
