// What the files of a session share: session.c (life), session_loop.c (the thread), session_apply.c
// (commands).
#pragma once
#include "base/memory_file.h"
#include "model/sim.h"
#include "view/exchange.h"
#include "view/pull.h"
#include "view/session.h"
#include "view/source.h"

#include <pthread.h>

// The pace: the simulation is at `t` when the clock is at `wall`.
typedef struct SarAnchor {
  double t, wall;
} SarAnchor;

struct SarSession {
  SarViewSource source;
  SarSimOptions sim;
  // of the thread
  SarModel* m;
  SarData* d;
  SarSim* s;
  SarScene* scene;
  SarFramer framer;
  SarPull pull;
  double* outputs;
  SarAnchor anchor;
  double next;  // error control: the time of the next frame [s]
  double end;   // s; 0: none, or passed
  double end_given;
  double last_frame, last_frame_t, slow_until;  // wall times, and the simulation's
  double wall_start, worst_step, speed_now;
  long events;  // that were told
  uint64_t sequence, steps, overruns;
  int steps_wanted;  // single steps still to be made
  bool running, ended, failed, changed;
  double speed;
  // between threads
  SarLatest frames;
  SarRing commands, notes;
  pthread_mutex_t queue;   // of those who put commands
  pthread_mutex_t shared;  // of what follows, and of `source`
  SarMemoryFile text;      // the scene
  double* input;           // as they are now
  bool* driven;            // inputs that the run attached to drives by itself
  bool shared_running;
  double shared_speed;
  atomic_bool stop, waits;
  bool waited;  // the pace has not begun yet
  pthread_t thread;
  bool started;
  struct SarAttachment* attached;  // to another process's run; NULL: it steps by itself
  struct SarHanded* handed;        // ... of one that the window runs in a set: session_hand.c
  struct SarSet* set;              // several simulators: each has a session; nothing else is used
};

// session.c
SarStatus sar_session_describe(SarSession* s);    // the scene as text, anew
int sar_session_parameters(const SarSession* s);  // that can be changed
void sar_session_tell(SarSession* s, SarNoteKind kind, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
void sar_session_share(SarSession* s);  // values that others see
SarStatus sar_session_sim_new(SarSession* s, SarError* err);

// session_loop.c
void* sar_session_loop(void* session);
void sar_session_anchor(SarSession* s);   // the pace begins here and now
void* sar_session_follow(void* session);  // session_follow.c: attached
size_t sar_session_pack(SarSession* s, double now, uint32_t flags, unsigned char* out);
void sar_session_become(SarSession* s, bool running);
void sar_session_tell_attached(SarSession* s, bool running);
// session_apply.c
void sar_session_obey(SarSession* s);                                     // all commands that came
void sar_session_show_parameter(SarSession* s, int index, double value);  // and nothing else

// session_hand.c: one of the simulators that the window runs in a set.
typedef struct SarHanded SarHanded;
struct SarSetHand;
SarStatus sar_session_take_hand(SarSession* s, struct SarSetHand* hand);  // must outlive it
void sar_session_end_hand(SarSession* s);
// The model with the parameters as they are now, since command `c`, to the simulator.
SarStatus sar_session_hand_over(SarSession* s, const SarCommand* c, SarError* err);
void sar_session_hear(SarSession* s);  // what it took up
// For a run that begins anew: the model, NULL where it is the file's; and once it has begun.
SarStatus sar_session_fresh_model(SarSession* s, SarModel** out, SarError* err);
void sar_session_begun_anew(SarSession* s);
void sar_session_hand_pull(SarSession* s);  // the pull as it is now
