// What the window does with one of the coupled simulators that it runs (set_run.h): another model,
// a pull at a body. Both are handed over to the simulator's own thread, which takes them up at an
// exchange and says when that was.
#pragma once
#include "realtime/couple.h"
#include "view/exchange.h"
#include "view/pull.h"

typedef struct SarSetPull {
  bool on;
  int body;  // holder
  double point[3], to[3];
} SarSetPull;

typedef struct SarSetAnswer {
  long number;  // of the model
  SarStatus status;
  double time;  // s, of the exchange
  char why[120];
} SarSetAnswer;

typedef struct SarSetHand {
  // to the simulator
  _Atomic(struct SarSetModel*) next;
  SarLatest pulls;
  // from it
  SarRing answers;
  // its own
  SarPull pull;
} SarSetHand;

bool sar_set_hand_begin(SarSetHand* h, const SarModel* m);  // false: no memory
void sar_set_hand_end(SarSetHand* h);
// While no thread of the simulator runs: nobody pulls, no model waits.
void sar_set_hand_reset(SarSetHand* h);
// The model (taken in any case) in place of one that still waits.
SarStatus sar_set_hand_model(SarSetHand* h, long number, SarModel* m);
void sar_set_hand_pull(SarSetHand* h, const SarSetPull* p);
bool sar_set_hand_answer(SarSetHand* h, SarSetAnswer* out);
// By the simulator's thread (SarMember.operate).
void sar_set_hand_operate(void* hand, SarMember* me, long long number);
