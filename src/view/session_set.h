// The window on all simulators of a coupled set (sarrus/couple.h) in one scene. Each has a session
// that is attached to its run; one thread follows all of them and takes states that are of the same
// time. To viewers the set is one session: a scene of parts, and messages with a frame of each, one
// behind the other (docs/window-protocol.md, "Several simulators").
//
// Without a run to attach to the set is run by this program, in threads that keep a clock of the
// window's: it stands still, goes on by steps, or faster and slower (hand_clock.h).
#pragma once
#include "view/exchange.h"
#include "view/session.h"

typedef struct SarSet SarSet;

// Does the file couple models, and is none of them named?
bool sar_set_is(const SarSessionOptions* o);
SarStatus sar_set_new(const SarSessionOptions* o, SarSet** out, SarError* err);
bool sar_set_start(SarSet* x);
void sar_set_free(SarSet* x);  // NULL is fine
// As of a session (session.h).
void sar_set_wake(SarSet* x);
bool sar_set_command(SarSet* x, SarCommand* c, char* error, size_t room);
void sar_set_scene(SarSet* x, void (*use)(void* context, const char* text, size_t size),
                   void* context);
void sar_set_state(SarSet* x, SarJson* j);
SarLatest* sar_set_frames(SarSet* x);
bool sar_set_note(SarSet* x, SarNote* out);
