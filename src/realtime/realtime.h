// What the parts of a real-time run share (include/sarrus/realtime.h says what it is).
//
// One thread steps. `live` is its own while it runs; whoever else wants to know asks for a copy
// (`wanted`), which the loop hands out where a frame ends (`given`).
#pragma once
#include "model/sim.h"
#include "sarrus/realtime.h"
#include "sim/step_times.h"

#include <pthread.h>
#include <stdatomic.h>

// A method, made before the start on the one state that all rungs share.
typedef struct SarRung {
  SarSim* s;
  SarSimOptions o;
  int ticks;        // periods that one frame of it covers
  double median;    // s of CPU time for a period, in its trial
  double distance;  // from the first rung there, of the largest motion
  SarStats before;  // its counters when the loop began
  long frames;
} SarRung;

// Counters of the loop, plain numbers: a copy of it is a report.
typedef struct SarLive {
  long long frames;        // made
  long long tick, number;  // of the clock's beat; of the simulation
  long overruns, by[SAR_RT_CAUSES];
  long long skipped;
  double slipped, behind, behind_most;  // s
  long faults, allocations, switches_waiting, switches_forced;
  double elapsed, time;  // s
  int rung;
  long down, up;
  int kept;
  SarRtOverrun overrun[SAR_RT_KEPT_OVERRUNS];
  SarStepTimes times[SAR_RT_TIMES];
  long long worst_frame[SAR_RT_TIMES];
  long steps, unsettled, rung_frames[SAR_RT_MAX_RUNGS];
  double unsettled_speed;
  int iterations_max;
} SarLive;

typedef enum SarLoopState { SAR_LOOP_NEW, SAR_LOOP_RUNS, SAR_LOOP_ENDED } SarLoopState;

// One of several simulators that are coupled (couple.h).
typedef struct SarRtPlace {
  const char* name;
  const bool* given;  // inputs that the others give: ports leave them alone
  const bool* whole;  // ports that know inputs as NAME.INPUT
} SarRtPlace;

enum { SAR_LOOP_STACK = 1 << 20 };  // bytes of the thread's stack

struct SarOutside;  // ports and the recording (outside.h)

// One beat for several loops: the last of them to begin says when tick 0 is due.
typedef struct SarBeat {
  _Atomic int absent;      // loops that have not begun
  _Atomic long long base;  // ns; 0: not known yet
} SarBeat;

struct SarRealtime {
  SarRtOptions o;
  SarSimOptions sim;
  SarRtClock clock;
  const SarModel* m;
  SarData *d, *first;  // the state, and what it was at the start
  SarRung rung[SAR_RT_MAX_RUNGS];
  int rungs;
  double period, start_time, end;  // s; end infinite: none
  long long last;                  // frame number at the end; LLONG_MAX: none
  double* outputs;  // time, all columns, and where somebody watches the state (watch.h)
  double cpu;       // s; of the last frame's steps
  struct SarOutside* outside;
  struct SarAgain* again;  // again.h
  // of coupled simulators; Nullable
  SarBeat* beat;
  void (*made)(void* context, long long number, const double* outputs);  // behind every frame
  // the loop
  long long base;  // ns; when tick 0 is due
  double period_ns;
  long long done;                          // ns; when the last frame was done
  long faults_known;                       // page faults when last looked at
  long faults_before, allocations_before;  // when the loop began
  long long calm_since;                    // frame number from which on all was in time
  int patience;                            // times `calm`: doubled where climbing was in vain
  SarLive live;
  SarStatus status;
  char trouble[400];
  // between threads
  pthread_t thread;
  bool has_thread;
  _Atomic int state;  // SarLoopState
  _Atomic int stop, wanted, given;
  SarLive copy;                      // of `live`, when `given`
  pthread_mutex_t mutex, reporting;  // of the threads around the loop, never of the loop
  pthread_cond_t changed;            // `state`
  // what the system gave
  bool locked, pinned, scheduled;
  int core, latency_file;
  SarError* words;  // of sar_rt_start, until the loop begins
};

// sar_rt_new for one of several. place: Nullable.
SarStatus sar_rt_new_among(const SarModel* m, const SarRtOptions* o, const SarRtPlace* place,
                           SarRealtime** out, SarError* err);

// options.c: rate, steps and times into *rt; the number of whole periods in a step.
SarStatus sar_rt_take_options(SarRealtime* rt, SarError* err);
// Steps of a method in this run: shares of a period, or multiples of it. False: neither.
bool sar_rt_fit_step(const SarRealtime* rt, double step, int* ticks);
double sar_rt_time(const SarRealtime* rt, long long number);  // s, simulated

// change.c: by the loop between two frames: goes on from the state as it is in a model that is like
// its own (sar_model_is_like), which must outlive it, with the methods it has. A failure leaves all
// as it was. The first state, which rehearsals begin at, stays of the old model: not for them.
SarStatus sar_rt_change(SarRealtime* rt, const SarModel* m, SarError* err);

// ladder.c: makes rt->rung.
SarStatus sar_rt_make_ladder(SarRealtime* rt, SarError* err);
// trial.c: how long a method takes for a period and where it gets to: positions behind every frame
// go to `path` where `record`, else their distance from it is measured. `path` has frames x nq
// numbers.
typedef struct SarRtTrial {
  int frames;
  double *path, *cost;  // frames nq; frames
  double extent;        // m or rad: largest motion of the first
} SarRtTrial;
SarStatus sar_rt_try(const SarRealtime* rt, SarRung* rung, SarRtTrial* t, bool record,
                     SarError* err);

// clock.c
extern const SarRtClock sar_rt_system_clock;

// place.c: memory, priority and core of this thread, with words on what was refused.
void sar_rt_prepare_process(SarRealtime* rt, SarError* err);
void sar_rt_prepare_thread(SarRealtime* rt, SarError* err);
void sar_rt_leave_process(SarRealtime* rt);
// memory.c: every page that the process has is there when this comes back.
void sar_rt_touch_memory(size_t most);

// loop.c: all frames, in the thread that calls it.
void sar_rt_loop(SarRealtime* rt);
// A frame that does not wait; for rehearsals.
SarStatus sar_rt_exchange(SarRealtime* rt, long long number, long long now);
SarStatus sar_rt_step(SarRealtime* rt, int rung, long long to);
SarStatus sar_rt_fill_outputs(SarRealtime* rt);
// The same for runs that keep no clock but count all the same: what comes before the first frame,
// one frame, the end.
struct rusage;
SarStatus sar_rt_begin(SarRealtime* rt, struct rusage* before);
SarStatus sar_rt_frame_freely(SarRealtime* rt);
void sar_rt_end(SarRealtime* rt, const struct rusage* before, SarStatus st);
void sar_rt_end_recording(SarRealtime* rt);  // realtime.c: all rows to the file
// overrun.c: why a frame was late, and what follows.
SarRtCause sar_rt_cause(const SarRtOverrun* x, double period, long faults);
void sar_rt_overrun(SarRealtime* rt, SarRtOverrun* x, long long end, long long due);
void sar_rt_in_time(SarRealtime* rt);
// report.c: a copy of what the loop counts, by the loop itself; `before` is what the thread had
// used when it began.
void sar_rt_hand_out(SarRealtime* rt, const struct rusage* before);
void sar_rt_count(const SarRealtime* rt, SarLive* v, const struct rusage* before);
