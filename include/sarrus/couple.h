/* Coupled simulators: several models side by side, each with its own method and rate
 * (co-simulation). */
#pragma once
#include <sarrus/realtime.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A file with the key `couple` (docs/coupling.md) names models and what they exchange: outputs of
 * one are inputs of another.  Time is cut into frames.  At the beginning of a frame every simulator
 * gets what the others put out at that instant, and keeps it, or continues it along a straight
 * line, until the frame ends; so all of them compute the frame at the same time (parallel, or
 * Jacobi, exchange), and what one does reaches the others one frame later.
 *
 *   SarCouple* c;
 *   sar_couple_load("helicopter_coupled.yaml", NULL, &c, &err);
 *   sar_couple_open(c, NULL, &err);      // all memory, all files
 *   sar_couple_run(c, &err);             // one after the other, as fast as it goes
 *   sar_couple_free(c);
 *
 * or sar_couple_start: a thread for each that keeps the clock.  The numbers are the same, bit by
 * bit. */

typedef struct SarCouple SarCouple;

/* Does the file have the key `couple`?  Then it is not a model. */
SAR_API bool sar_couple_is(const char* path);
/* Reads it and all its models.  `o`: its parameters are those of this file, which says what the
 * models get; all else is for the models as well.  Nullable. */
SAR_API SarStatus sar_couple_load_sized(const char* path, const SarLoadOptions* o, size_t size,
                                        SarCouple** out, SarError* err);
static inline SarStatus sar_couple_load(const char* path, const SarLoadOptions* o, SarCouple** out,
                                        SarError* err) {
  return sar_couple_load_sized(path, o, sizeof *o, out, err);
}
SAR_API void sar_couple_free(SarCouple* c); /* ends it first; NULL is fine */

SAR_API int sar_couple_count(const SarCouple* c); /* simulators */
SAR_API const char* sar_couple_name(const SarCouple* c, int simulator);
SAR_API const SarModel* sar_couple_model(const SarCouple* c, int simulator);
/* What is exchanged: "SIMULATOR.INPUT", "SIMULATOR.OUTPUT".  False: there are no more. */
SAR_API bool sar_couple_signal(const SarCouple* c, int signal, const char** to, const char** from);

/* A port of coupled simulators (docs/real-time-protocol.md). */
typedef struct SarCouplePort {
  const char* simulator; /* its name; NULL: all of them. Then names of shared memory get
                            ".SIMULATOR" behind them, a file has columns SIMULATOR.INPUT, and "udp",
                            where each needs a port of its own, is refused */
  const char* kind;      /* "shm", "udp", "file", "watch" */
  const char* address;
} SarCouplePort;

typedef struct SarCoupleOptions {
  size_t size;
  double end;                 /* s; 0: the file's, else 10 */
  const SarRtOptions* rt;     /* of the threads: policy (not SAR_RT_DEGRADE), scheduling, memory,
                                 digits, record_every.     Rate, end, core, record and hooks are the
                                 coupling's.  NULL: sar_rt_options() */
  const char* const* record;  /* a file for each simulator, or NULL for one without; Nullable */
  const SarCouplePort* ports; /* they drive inputs that the exchange does not */
  int port_count;
} SarCoupleOptions;
SAR_API void sar_couple_options_sized(SarCoupleOptions* out, size_t size);
static inline SarCoupleOptions sar_couple_options(void) {
  SarCoupleOptions o;
  sar_couple_options_sized(&o, sizeof o);
  return o;
}

/* Everything that takes memory or files.  Once for a SarCouple, before one of the next two. */
SAR_API SarStatus sar_couple_open(SarCouple* c, const SarCoupleOptions* o, SarError* err);
/* All frames in this thread, without a clock to keep.  Recordings lose no row. */
SAR_API SarStatus sar_couple_run(SarCouple* c, SarError* err);
/* A thread for each simulator, all on one beat.  One that waits for another at the beginning of a
 * frame sleeps by the clock: where one is late all are, and simulated times stay together.  What
 * the system refused is in err. */
SAR_API SarStatus sar_couple_start(SarCouple* c, SarError* err);
SAR_API bool sar_couple_wait(SarCouple* c, double seconds); /* true: all have ended */
SAR_API void sar_couple_stop(SarCouple* c);

typedef struct SarCoupleReport {
  SarStatus status;    /* of the first simulator that failed by itself */
  const char* trouble; /* "NAME: why"; "": nothing went wrong */
  double period;       /* s: between two exchanges */
  double time;         /* s, simulated */
  bool audited;        /* the file names columns of work */
  double energy;    /* J that the coupling put in: their sum, 0 if it were exact (residual energy of
                       the bonds) */
  double exchanged; /* J: half the sum of their magnitudes */
} SarCoupleReport;
/* Once it has ended. */
SAR_API SarStatus sar_couple_report_sized(SarCouple* c, SarCoupleReport* out, size_t size);
static inline SarStatus sar_couple_report(SarCouple* c, SarCoupleReport* out) {
  return sar_couple_report_sized(c, out, sizeof *out);
}
/* One simulator, for sar_rt_report and sar_rt_data; NULL before sar_couple_open. */
SAR_API SarRealtime* sar_couple_realtime(const SarCouple* c, int simulator);

#ifdef __cplusplus
}
#endif
