// A run that obeys: a thread of its own steps it at the pace of the clock, takes commands between
// steps, and leaves frames for whoever looks. The loop takes no lock and waits for nobody: frames
// go through a triple buffer, commands and notes through rings (exchange.h). Locks are taken where
// a command is carried out, which may also allocate (reset, another parameter).
#pragma once
#include "view/command.h"
#include "view/frame.h"
#include "view/scene_json.h"

#include "sarrus/sarrus.h"

typedef struct SarSession SarSession;

typedef struct SarSessionOptions {
  const char* path;            // of the model
  const SarLoadOptions* load;  // Nullable; must outlive the session
  const SarSimOptions* sim;    // NULL: the file's
  double end;                  // s; pauses there; 0: the file's, < 0: no end
  double speed;                // simulated seconds per second; 0: as fast as it goes
  bool paused;                 // begins so
  bool waits;                  // time stands still until sar_session_wake
  const char* attach;          // shows the run of this name instead of one of its own; Nullable
} SarSessionOptions;

typedef enum SarNoteKind { SAR_NOTE_LOG, SAR_NOTE_STATE, SAR_NOTE_SCENE } SarNoteKind;

// Something that took effect.
typedef struct SarNote {
  SarNoteKind kind;
  double time;     // of the simulation [s]
  char text[200];  // of the log
} SarNote;

// Reads the model and makes the simulation; the thread is not running yet.
SarStatus sar_session_new(const SarSessionOptions* o, SarSession** out, SarError* err);
// False: the system gives no thread.
bool sar_session_start(SarSession* s);
void sar_session_free(SarSession* s);  // ends the thread; NULL is fine

// From any thread: somebody looks now; a session that waits begins.
void sar_session_wake(SarSession* s);
// From any thread: looks at a command and queues it; false: `error` says why not.
bool sar_session_command(SarSession* s, SarCommand* c, char* error, size_t room);
// From any thread: the scene as JSON, whole while `use` runs.
void sar_session_scene(SarSession* s, void (*use)(void* context, const char* text, size_t size),
                       void* context);
// From any thread: values as they are now, for a message of type `state`, or the beginning of
// `hello`.
void sar_session_state(SarSession* s, SarJson* j);
// From one thread only. The newest frame, if it was not taken yet; NULL: nothing new.
const unsigned char* sar_session_frame(SarSession* s, size_t* size);
bool sar_session_note(SarSession* s, SarNote* out);
size_t sar_session_frame_room(const SarSession* s);  // bytes of the largest frame
// Between sar_session_new and sar_session_start, and after the end: the state.
const SarData* sar_session_data(const SarSession* s);
const SarSim* sar_session_sim(const SarSession* s);
