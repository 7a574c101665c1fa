// Loss, duplicates and order of packets (sequence.h).
#include "realtime/io/sequence.h"

static void begin(SarSequence* q, uint64_t session, uint64_t sequence) {
  *q = (SarSequence){.begun = true,
                     .session = session,
                     .previous = q->session,
                     .restarted = q->begun,
                     .first = sequence,
                     .newest = sequence,
                     .seen = 1};
}

// Numbers between it and the newest are lost until they come.
static bool advance(SarSequence* q, uint64_t sequence, SarPortStats* s) {
  const uint64_t step = sequence - q->newest;
  if (step >> 32) {  // nobody has sent so many
    s->garbage++;
    return false;
  }
  s->lost += step - 1;
  q->seen = step < SAR_SEQUENCE_WINDOW ? q->seen << step | 1 : 1;
  q->newest = sequence;
  return true;
}

// Late ones are not lost after all. Further back than the window nothing is remembered: it counts
// as late.
static void look_back(SarSequence* q, uint64_t sequence, SarPortStats* s) {
  const uint64_t back = q->newest - sequence;
  const uint64_t bit = back < SAR_SEQUENCE_WINDOW ? (uint64_t)1 << back : 0;
  if (q->seen & bit) {
    s->duplicated++;
    return;
  }
  s->reordered++;
  if (bit && sequence > q->first && s->lost > 0) s->lost--;
  q->seen |= bit;
}

bool sar_sequence_note(SarSequence* q, uint64_t session, uint64_t sequence, SarPortStats* s) {
  if (q->begun && q->restarted && session == q->previous && session != q->session) {
    s->reordered++;  // of the sender's life before
    return false;
  }
  if (!q->begun || session != q->session) {
    if (q->begun) s->restarts++;
    begin(q, session, sequence);
  } else if (sequence <= q->newest) {
    look_back(q, sequence, s);
    return false;
  } else if (!advance(q, sequence, s)) {
    return false;
  }
  s->received++;
  return true;
}
