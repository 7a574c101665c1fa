/* Real time: a simulation that keeps the clock (hardware in the loop, a simulator with a driver).
 */
#pragma once
#include <sarrus/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One thread steps the model at a fixed rate.  A frame is one period of the clock: it wakes up at
 * its tick, exchanges values with the world outside, makes the steps of its period and must be done
 * before the next tick; else it is an overrun.  From its first frame to its last the thread
 * allocates nothing, locks nothing, opens nothing, and makes no system call but the clock's (and
 * getrusage after an overrun or where a report is asked for) and those of its ports
 * (docs/desktop-to-real-time.md). */

typedef struct SarRealtime SarRealtime;

/* What happens after an overrun. */
typedef enum SarRtPolicy {
  SAR_RT_SKIP, /* ticks that have passed are left out, and the next frame waits for the one after
                  them: the clock's beat is kept, simulated time falls behind by whole periods */
  SAR_RT_SLIP, /* the next frame begins at once and the beat begins anew there: simulated time falls
                  behind by what was too long */
  SAR_RT_STOP, /* the run ends, with SAR_STOPPED */
  SAR_RT_DEGRADE, /* late frames follow each other at once, by a cheaper method (the next rung of a
                     ladder), until they have caught up; after a calm time back up */
  SAR_RT_CATCH_UP /* the same without a ladder */
} SarRtPolicy;

/* Why a frame was not done in time. */
typedef enum SarRtCause {
  SAR_RT_COMPUTATION, /* its steps alone took more CPU time than its period: the engine's fault */
  SAR_RT_WAKE,        /* the system woke the thread up late */
  SAR_RT_FAULT,       /* there were page faults */
  SAR_RT_IO,          /* the exchange with the outside took long */
  SAR_RT_PREEMPTED,   /* something else had the processor during the steps */
  SAR_RT_BACKLOG,     /* it began late because of frames before it */
  SAR_RT_STOLEN, /* its steps took more CPU time than its period, but computed again they do not:
                    the host of a virtual machine, interrupts or firmware had the processor. Known
                    once the run has ended */
  SAR_RT_CAUSES
} SarRtCause;
SAR_API const char* sar_rt_cause_name(SarRtCause cause); /* "computation", "wake-up", ... */

typedef enum SarRtScheduling {
  SAR_RT_AS_IS,   /* as the program has it */
  SAR_RT_FIFO,    /* SCHED_FIFO with `priority` */
  SAR_RT_DEADLINE /* SCHED_DEADLINE: the kernel sets apart `share` of every period */
} SarRtScheduling;

/* The time that a run keeps, ns.  A program may have one of its own: a timer of its hardware, or a
 * script in a test. Called by the stepping thread. */
typedef struct SarRtClock {
  void* context;
  long long (*now)(void* context);              /* rises */
  void (*wait)(void* context, long long until); /* comes back at `until` or later */
  long long (*cpu)(void* context);              /* CPU time of this thread */
  long (*faults)(void* context);                /* page faults of this thread so far */
} SarRtClock;

/* One frame at its beginning: outputs are those of the state at `time`, inputs what the coming
 * steps use. */
typedef struct SarRtFrame {
  long long number; /* rises by 1 from frame to frame, by more where ticks were left out or steps
                       are longer */
  double time;      /* s, simulated */
  long long clock;  /* ns */
  const double* outputs; /* one per SAR_ITEM_OUTPUT */
  double* inputs;        /* one per SAR_ITEM_INPUT; held until changed */
} SarRtFrame;

/* What is exchanged by the library itself. */
typedef struct SarRtPort {
  const char* kind;    /* "shm", "udp", "file": docs/real-time-protocol.md */
  const char* address; /* of its kind: "rig,timeout=0.01" */
} SarRtPort;

/* Begin with sar_rt_options(). */
typedef struct SarRtOptions {
  size_t size;
  const SarSimOptions*
      sim; /* method; NULL: the model file's, else the defaults. Steps are fixed: `step` is a whole
                               share of the period; 0: the model file's, made shorter to be one */
  const SarData* start; /* the run begins with this state; NULL: the initial one */
  double rate;          /* Hz: frames a second */
  double end;           /* s, simulated; 0: the model file's, else none; infinite: none */
  SarRtPolicy policy;
  const SarSimOptions* ladder; /* SAR_RT_DEGRADE: cheaper and cheaper methods; a step may also be a
                                  multiple of the period. NULL: fewer sweeps, longer steps */
  int ladder_count;
  double calm;   /* s without overruns before a frame is tried one rung higher */
  double behind; /* s: what frames that catch up are behind at most; more is left out as by
                    SAR_RT_SKIP */
  SarRtScheduling scheduling;
  int priority; /* of SAR_RT_FIFO, 1 .. 99 */
  double share; /* of SAR_RT_DEADLINE: of the period, 0 .. 1 */
  int core; /* the thread stays on this one; -1: on an isolated one if there is one, else where the
               system puts it; -2: where the system puts it */
  bool lock_memory; /* mlockall */
  const SarRtPort* ports;
  int port_count;
  const char* record; /* FILE.csv or FILE.h5: a row of all outputs at every frame; Nullable */
  int digits;         /* of CSV */
  int record_every;   /* frames */
  const char* model;  /* its file, for whoever attaches or reads the recording; Nullable */
  /* called in every frame behind the ports; not SAR_OK ends the run with that status. Nullable */
  SarStatus (*exchange)(void* context, const SarRtFrame* frame);
  /* called by the stepping thread before its first frame and behind its last. Nullable */
  void (*on_loop)(void* context, bool begins);
  void* context;
  const SarRtClock* clock; /* NULL: that of the system */
} SarRtOptions;

SAR_API void sar_rt_options_sized(SarRtOptions* out, size_t size);
static inline SarRtOptions sar_rt_options(void) {
  SarRtOptions o;
  sar_rt_options_sized(&o, sizeof o);
  return o;
}

/* Everything that takes memory or files: simulations of all rungs, ports, the recording.  Methods
 * of a ladder are tried here, on copies: one that fails or is not cheaper is left out, with a
 * warning in err. */
SAR_API SarStatus sar_rt_new(const SarModel* m, const SarRtOptions* o, SarRealtime** out,
                             SarError* err);
/* Makes the thread.  What it could not get of the system (locked memory, a real-time priority, a
 * core) is a warning in err with what to do, and the run goes on without it.  A run is started
 * once. */
SAR_API SarStatus sar_rt_start(SarRealtime* rt, SarError* err);
/* true: it has ended. Waits up to so many seconds; negative: as long as it takes. */
SAR_API bool sar_rt_wait(SarRealtime* rt, double seconds);
/* Ends it behind the present frame.  May be called from a signal handler or another thread. */
SAR_API void sar_rt_stop(SarRealtime* rt);
/* The three of them: start, wait; the status of the run. */
SAR_API SarStatus sar_rt_run(SarRealtime* rt, SarError* err);
SAR_API void sar_rt_free(SarRealtime* rt); /* ends it first; NULL is fine */

/* How some times are spread [s]: percentiles (to 2 %), the worst, and where that was. */
typedef struct SarRtSpread {
  long count;
  double median, p90, p99, p999, p9999, worst;
  double worst_time;     /* s, simulated, where that frame began */
  long long worst_frame; /* its number */
} SarRtSpread;

typedef enum SarRtTimes {
  SAR_RT_STEP_CPU,  /* CPU time of a frame's steps and outputs */
  SAR_RT_STEP_WALL, /* the same by the clock */
  SAR_RT_LATENCY,   /* from a tick to the moment the thread woke up */
  SAR_RT_EXCHANGE,  /* time of the exchange */
  SAR_RT_TIMES
} SarRtTimes;

enum { SAR_RT_KEPT_OVERRUNS = 32, SAR_RT_MAX_RUNGS = 8 };
typedef struct SarRtOverrun {
  long long frame;
  double time; /* s, simulated, where it began */
  SarRtCause cause;
  double late;                                            /* s behind its tick's end */
  double step_cpu, step_wall, latency, exchange, backlog; /* s */
  double again; /* s: CPU time of the same steps computed again behind the run, least of several;
                   NaN: they were not */
  int rung;
} SarRtOverrun;

typedef struct SarRtRung {
  const char *formulation, *integrator;
  double step;         /* s */
  int max_iterations;  /* 0: as the method needs */
  double tried_median; /* s of CPU time for one period, of the trial */
  double tried_error;  /* distance from the first rung in the trial, of the largest motion */
  long frames;         /* made by it */
} SarRtRung;

typedef struct SarRtReport {
  bool running;
  SarStatus status;
  const char* trouble;                 /* why it ended early; "": it did not */
  double period;                       /* s */
  double start_time, time, end_wanted; /* s, simulated */
  double elapsed;                      /* s by the clock */
  long long frames;
  long steps;
  long overruns, overruns_by[SAR_RT_CAUSES];
  long long skipped;          /* ticks left out */
  double slipped;             /* s that the beat was put off */
  double behind, behind_most; /* s that the simulated time is behind the clock */
  SarRtSpread times[SAR_RT_TIMES];
  long page_faults;                       /* of the stepping thread in the loop */
  long allocations;                       /* by the engine in the loop */
  long switches_waiting, switches_forced; /* of context: it slept; something else had to run */
  int rung, rungs;                        /* now, of how many */
  long rungs_down, rungs_up;
  SarRtRung ladder[SAR_RT_MAX_RUNGS];
  int kept; /* overruns kept: the first ones */
  SarRtOverrun overrun[SAR_RT_KEPT_OVERRUNS];
  /* sweeps that ended at their bound or budget, and the most that they left [m/s or rad/s] */
  long unsettled_steps;
  double unsettled_speed;
  int iterations_max;
  bool locked, pinned, scheduled; /* what it got of the system */
  int core;
  long long recorded, record_dropped;
} SarRtReport;

/* How it goes or went; may be called from another thread at any time: the loop hands out a copy at
 * the end of a frame.  Texts live as long as rt. */
SAR_API SarStatus sar_rt_report_sized(SarRealtime* rt, SarRtReport* out, size_t size);
static inline SarStatus sar_rt_report(SarRealtime* rt, SarRtReport* out) {
  return sar_rt_report_sized(rt, out, sizeof *out);
}
/* The histogram behind a spread as it was at the last report: from[i] <= times < from[i + 1],
 * count[i] of them, where there are any.  Returns how many bins there are; fills in up to `most`.
 */
SAR_API int sar_rt_histogram(const SarRealtime* rt, SarRtTimes which, double* from, long* count,
                             int most);
/* The state where it ended, or that it will begin with; not while it runs. */
SAR_API const SarData* sar_rt_data(const SarRealtime* rt);
/* What is known of a port, in words: "shm rig: 60000 sent, 59990 received, ..."; NULL: there are no
 * more. */
SAR_API const char* sar_rt_port_words(SarRealtime* rt, int port, char* text, size_t size);

/* A rehearsal: all frames as fast as they go, several times, without privileges.  A frame's cost is
 * the least of its passes, so that what else the machine does hardly counts. */
typedef struct SarRtRehearsal {
  SarStatus status;
  const char* trouble;
  int passes;
  long long frames;
  double period;
  double cpu_median, cpu_worst; /* s of CPU time for a frame */
  double worst_time;            /* s, simulated, where the worst began */
  long long worst_frame;
  double instructions_median,
      instructions_worst; /* of a frame, outside of the kernel; NaN: cannot be counted here */
  double instructions_worst_time;
  double margin;    /* period / worst */
  double rate_safe; /* Hz: frames like these with a margin of `margin_wanted` */
  double margin_wanted;
} SarRtRehearsal;

/* Instead of sar_rt_start, as often as one likes; goes back to the beginning at the end.
 * `margin_wanted` 0: 2. */
SAR_API SarStatus sar_rt_rehearse_sized(SarRealtime* rt, int passes, double margin_wanted,
                                        SarRtRehearsal* out, size_t size, SarError* err);
static inline SarStatus sar_rt_rehearse(SarRealtime* rt, int passes, double margin_wanted,
                                        SarRtRehearsal* out, SarError* err) {
  return sar_rt_rehearse_sized(rt, passes, margin_wanted, out, sizeof *out, err);
}

#ifdef __cplusplus
}
#endif
