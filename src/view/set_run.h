// Coupled simulators that the window runs by itself: threads of this program (sarrus/couple.h) that
// keep a clock which the window holds (hand_clock.h) and hand out their states as any run does that
// is watched.
#pragma once
#include "view/exchange.h"
#include "view/session.h"
#include "view/set_hand.h"

typedef struct SarSetRun SarSetRun;

// rate: of the exchange [Hz]; single steps are as long as it.
SarStatus sar_set_run_new(const SarSessionOptions* o, double rate, SarSetRun** out, SarError* err);
// What changes a simulator while it runs.
SarSetHand* sar_set_run_hand(SarSetRun* r, int simulator);
// Where models come from when all begins anew; NULL in *out: the file's.
typedef SarStatus (*SarSetModels)(void* context, int simulator, SarModel** out, SarError* err);
void sar_set_run_models(SarSetRun* r, SarSetModels models, void* context);
void sar_set_run_free(SarSetRun* r);
const char* sar_set_run_name(const SarSetRun* r);  // to attach to, with ".SIMULATOR" behind it
// From any thread. False: not a command for it.
bool sar_set_run_command(SarSetRun* r, const SarCommand* c);
bool sar_set_run_runs(SarSetRun* r);
bool sar_set_run_is_slow(const SarSetRun* r);  // the clock waits for the simulators
double sar_set_run_speed(SarSetRun* r);
// By the one thread that follows it: carries out what was commanded. woken: somebody looks, it may
// begin; there: all have handed out a state since the start; time: of that [s]. What took effect
// goes to `notes`. True: these are other runs of that name now.
bool sar_set_run_obey(SarSetRun* r, bool woken, bool there, double time, SarRing* notes);
