/* Tables of results, and a whole run to rows of outputs. */
#pragma once
#include <sarrus/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- columns of results -----------------------------------------------------------------------
 * A table in memory: named columns, rows of doubles.  What analyses give belongs to them; what is
 * loaded is freed by the caller. */

typedef struct SarTable SarTable;

SAR_API size_t sar_table_rows(const SarTable* t);
SAR_API int sar_table_columns(const SarTable* t);
SAR_API const char* sar_table_name(const SarTable* t, int column); /* "time", "arm.x", ... */
SAR_API int sar_table_find(const SarTable* t, const char* name);   /* the column of a name */
SAR_API const double* sar_table_values(const SarTable* t);         /* rows x columns, row by row */
/* FILE.csv (one header line, `digits` significant ones) or FILE.h5, where HDF5 is built in. */
SAR_API SarStatus sar_table_save(const SarTable* t, const char* path, int digits, SarError* err);
SAR_API SarStatus sar_table_load(const char* path, SarTable** out, SarError* err);
SAR_API void sar_table_free(SarTable* t); /* NULL is fine */

/* ---- analyses ---------------------------------------------------------------------------------
 * What the commands of the program do, each as one call: options made by a function and edited, a
 * result that is an object with getters, freed by the caller.  A result is there (*out is not NULL)
 * as soon as there is anything to tell, also where the status is not SAR_OK: a run that failed has
 * its rows up to there.  Reports live as long as their result and are read only. */

typedef struct SarRun SarRun;

/* Begin with sar_run_options(). */
typedef struct SarRunOptions {
  size_t size;              /* of this struct, as the program knows it */
  const SarSimOptions* sim; /* method and steps; NULL: the model file's, else the defaults */
  const SarData* start;     /* the run begins with this state; NULL: the initial one */
  double end;               /* s; 0: the model file's `end`, else 10 */
  double output_step;  /* s; 0: the model file's, else end/500 (fixed steps: a multiple near it) */
  const double* times; /* s; rows at these times instead, rising, the last is the end; Nullable */
  size_t time_count;
  bool keep_rows;   /* in memory: sar_run_table; as many as the model's memory_limit has room for */
  bool audit_steps; /* the energy after every step, not only at the rows; costs time */
  bool time_steps;  /* the time of every fixed step, for the report */
  double deadline;  /* s that a step may take; 0: none */
  bool choose;      /* where steps are fixed, "auto" makes trials (sar_choose) */
  double accuracy;  /* of these; 0: the default */
  /* Files of states (sar_data_load, sar_data_save); Nullable.  `resume`: the run goes on from
   * there, with the method and the fixed step it had where `sim` names none; rows are those behind
   * it. `save`: where the run ends, also where it fails or is stopped. */
  const char *resume, *save;
  /* All called in the thread of sar_run, all Nullable. */
  void* context;
  /* one row: time, then every output column; not SAR_OK ends the run with that status */
  SarStatus (*on_row)(void* context, const double* values, int count);
  SarStatus (*on_state)(void* context,
                        const SarData* d);             /* the state at each row, right after it */
  void (*on_progress)(void* context, double fraction); /* a few hundred times at most */
  bool (*should_stop)(void* context); /* asked after every step: true ends the run there, with a
                                         last row, which is no failure */
  /* true: steps and rows are being computed, in which nothing is allocated, written or locked, and
   * which may be left by a jump that ends everything; false: not any more */
  void (*on_stepping)(void* context, bool now);
} SarRunOptions;

SAR_API void sar_run_options_sized(SarRunOptions* out, size_t size);
static inline SarRunOptions sar_run_options(void) {
  SarRunOptions o;
  sar_run_options_sized(&o, sizeof o);
  return o;
}

/* How it went. */
typedef struct SarRunReport {
  SarStatus status;
  const char* trouble;                  /* when, where and why it failed; "" when done */
  const char *formulation, *integrator; /* chosen names */
  const char* reason; /* why this formulation, if it was chosen automatically; else "" */
  double step;        /* s; the fixed step, or the first one of an adaptive run */
  bool adaptive;
  int freedoms; /* coordinates less independent constraints, at the start */
  double start_time, end_time, end_wanted; /* s */
  const SarStats* stats;
  const SarChoice* choice; /* count 0: without trials */
  double cpu_s;            /* CPU time of the stepping alone, without output */
  double realtime_factor;  /* simulated time / CPU time */
  /* fixed steps, if they are timed: CPU time of one, the median (to 2 %) and the worst; the
   * simulated time at which it was; how many took longer than the deadline [s] */
  double step_median, step_worst, step_worst_at, deadline;
  long steps_timed, steps_late;
  double energy_start, energy_end, energy_error_max; /* J; error: largest at the rows */
  double work;                                       /* J; put in by all accounts together */
  double energy_scale; /* J; largest kinetic energy, change of potential energy or work at the rows,
                        * or what went through the accounts of work from row to row, to and fro:
                        * what the error is measured by */
  bool constrained, projected; /* there are constraints; steps are brought back onto them */
  double position_violation_max, velocity_violation_max; /* of constraints; 0 for open trees */
  const char* limit_joint; /* first joint found outside of its limits at a row; NULL = none */
  double limit_time;       /* s */
  long event_count;        /* sar_run_event */
  const char*
      ambiguous; /* columns of reactions that redundant constraints leave undecided; "": none */
  double energy_gain_max;  /* J; the most above the start and all that accounts of work gave */
  const char* unexplained; /* a sentence, if the audit is off by a tenth of what moved; else "" */
} SarRunReport;

/* From the initial state (or `start`) to the end, rows of all outputs at the output times.  *out is
 * set before the first step: a program that leaves a run by a jump from on_stepping's time finds it
 * there. `o` Nullable. */
SAR_API SarStatus sar_run(const SarModel* m, const SarRunOptions* o, SarRun** out, SarError* err);
SAR_API const SarRunReport* sar_run_report(const SarRun* run);
/* "time" and all output columns; without rows if they were not kept. */
SAR_API const SarTable* sar_run_table(const SarRun* run);
SAR_API const SarData* sar_run_data(const SarRun* run); /* where it ended */
/* What was switched on and off: the first SAR_RUN_EVENTS are kept. */
enum { SAR_RUN_EVENTS = 24 };
SAR_API SarStatus sar_run_event_sized(const SarRun* run, long index, SarEvent* out, size_t size);
static inline SarStatus sar_run_event(const SarRun* run, long index, SarEvent* out) {
  return sar_run_event_sized(run, index, out, sizeof *out);
}
SAR_API void sar_run_free(SarRun* run); /* NULL is fine */

#ifdef __cplusplus
}
#endif
