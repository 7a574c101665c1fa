/* Simulation: a formulation, an integrator and scratch memory, step by step; what touches and what
 * was switched. */
#pragma once
#include <sarrus/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- contact --------------------------------------------------------------------------------
 * Where solids of the model touch, or were so near in the last step that they could have. */

typedef struct SarContactPoint {
  int body[2];          /* -1 = ground */
  const char* solid[2]; /* names of the solids: "hand", "hand.pad" */
  double point[3];      /* ground frame */
  double normal[3];     /* unit, ground axes, from the first body to the second */
  double gap;           /* m; negative: how far they overlap */
  double impulse[3];    /* N s; on the second body in the last step, with friction; ground axes */
  double moment[3];     /* N m s; of rolling and spinning friction, likewise */
  double force[3];      /* N; impulse / length of that step */
} SarContactPoint;

SAR_API int sar_contact_count(const SarData* d);
SAR_API SarStatus sar_contact_sized(const SarData* d, int index, SarContactPoint* out, size_t size);
static inline SarStatus sar_contact(const SarData* d, int index, SarContactPoint* out) {
  return sar_contact_sized(d, index, out, sizeof *out);
}

/* ---- simulation ----------------------------------------------------------------------------- */

typedef struct SarSim SarSim;

/* Whose choice the length of the steps is. */
typedef enum SarStepControl {
  SAR_STEPS_AS_METHOD = -1, /* as the integrator prefers */
  SAR_STEPS_FIXED = 0,
  SAR_STEPS_ADAPTIVE = 1 /* error control */
} SarStepControl;

/* Begin with sar_sim_options(), then edit: 0 is not the default of all of them, and options that it
 * did not make are refused. */
typedef struct SarSimOptions {
  size_t size;             /* of this struct, as the program knows it */
  const char* formulation; /* `sarrus list formulations`; NULL: the model file's, else "auto" */
  const char* integrator;  /* `sarrus list integrators`; NULL: the model file's, else "dopri5" */
  double step;             /* s; fixed, or first one if adaptive; 0: the model file's, else 1e-3 */
  double rtol, atol;       /* adaptive integrators; 0: the model file's, else 1e-8, 1e-10 */
  double max_step;         /* s; adaptive integrators; 0: no bound but the next output time */
  int max_iterations;      /* implicit integrators and impulses, per step; 0: as the method needs */
  double newton_tolerance; /* implicit formulations, embedding; last increment, rad or shares of the
                              size; 0: the model file's, else 1e-9 */
  double penalty;         /* implicit formulations; N/m of every constraint; 0: scaled by inertia */
  bool reselect;          /* 'topological' changes its independent coordinates where need be */
  double spectral_radius; /* Newmark family, two-step: of high frequencies, 0 .. 1; < 0: the
                             integrator's */
  SarStepControl adaptive;
  bool project;               /* back onto the constraints after each step; false: let them drift */
  double impulse_tolerance;   /* N s; sweeps end when no impulse changes by more; 0: 1e-8 of the
                                 largest */
  double budget;              /* s; sweeps end in time for the step to take so long; 0: no matter */
  long max_steps;             /* most steps of one sar_advance; 0: a thousand million */
  const volatile int* cancel; /* sar_advance ends with SAR_STOPPED after the step in which another
                                 thread or a signal handler makes it nonzero; Nullable */
  /* 'baumgarte': Phi'' + 2 alpha Phi' + beta^2 Phi = 0 [1/s]; both 0: by the step, at most 100. */
  double alpha, beta;
  /* 'penalty': rho [kg] of every constraint, natural frequency omega [rad/s] and damping ratio zeta
   * of what it pulls back; 0: rho by the inertia, the others as of 'baumgarte'.  With rho given,
   * max_iterations are made, whatever they leave. */
  double rho, omega, zeta;
  /* 'embedding': how dependent coordinates are found. "triangular": by polynomials, refused where a
   * loop has none; "block": by them where loops have them, else Newton's method; "newton": Newton's
   * method, one loop after the other; "newton-all": all at once.  NULL: the model file's, else
   * "newton-all". */
  const char* kinematics;
  /* 'impulse': threads that solve contact, with the calling one, made here and ended by
   * sar_sim_free; 0: 1. No bit of the results depends on their number.  With more than one a step
   * waits for others: futex(2). */
  int threads;
} SarSimOptions;

SAR_API void sar_sim_options_sized(SarSimOptions* out, size_t size);
static inline SarSimOptions sar_sim_options(void) {
  SarSimOptions o;
  sar_sim_options_sized(&o, sizeof o);
  return o;
}
/* Those of a run that others are judged by: error control at 1e-12, near what double precision
 * gives. */
SAR_API void sar_reference_options_sized(SarSimOptions* out, size_t size);
static inline SarSimOptions sar_reference_options(void) {
  SarSimOptions o;
  sar_reference_options_sized(&o, sizeof o);
  return o;
}
/* `o` Nullable. All memory a step needs is taken here.  Loops that are open by more than 1e-9 (of
 * the mechanism's size, of the fastest speed) are closed; otherwise no bit of the state changes.
 * Where a run goes on with the method it was made with, it goes on as if there had been no other
 * simulation. */
SAR_API SarStatus sar_sim_new(const SarModel* m, SarData* d, const SarSimOptions* o, SarSim** out,
                              SarError* err);
SAR_API void sar_sim_free(SarSim* s);

/* What a trial found about one formulation with one integrator. */
typedef struct SarTrial {
  const char *formulation, *integrator;
  SarStatus status;     /* of its steps */
  double error;         /* as a share of the motion, or of the energy that moves */
  double median, worst; /* s of CPU time for a step */
} SarTrial;

enum { SAR_MAX_TRIALS = 24 };
typedef struct SarChoice {
  double step; /* s */
  int steps;   /* each trial made */
  int count;   /* of trials */
  int chosen;  /* the index of one; negative: none */
  SarTrial trial[SAR_MAX_TRIALS];
  char reason[384]; /* one line with figures */
} SarChoice;

/* Chooses formulation and integrator for fixed steps by short trials from the state d, on copies of
 * it: the cheapest that is accurate enough and makes every step within `deadline` seconds of CPU
 * time (0: no matter how long).  `accuracy` is the largest error as a share of the motion (0:
 * 1e-3); where none is so good, three times the least error is good enough.  A formulation or
 * integrator that *o names stays. On success *o has names, step and fixed steps.  What is chosen
 * depends on the time measured: for runs that must be equal bit for bit, choose once and keep *o.
 * SAR_NOT_OFFERED: nothing meets the deadline, and err says what the fastest needs; or the model
 * has contact or motors, which one formulation runs. Takes tenths of a second at most for models of
 * usual size. */
SAR_API SarStatus sar_choose_sized(const SarModel* m, const SarData* d, double deadline,
                                   double accuracy, SarSimOptions* o, SarChoice* out, size_t size,
                                   SarError* err);
static inline SarStatus sar_choose(const SarModel* m, const SarData* d, double deadline,
                                   double accuracy, SarSimOptions* o, SarChoice* out,
                                   SarError* err) {
  return sar_choose_sized(m, d, deadline, accuracy, o, out, sizeof *out, err);
}

/* One step of the integrator: t -> t + step (fixed) or as far as the error control allows. */
SAR_API SarStatus sar_step(SarSim* s);
/* As many steps as it takes to land exactly on t_end (also on the kinks of expressions in between),
 * but max_steps at most; SAR_STOPPED: t_end is not reached, and calling again goes on. */
SAR_API SarStatus sar_advance(SarSim* s, double t_end);

/* For real-time programs, before the first step: makes one and takes it back, so that code and data
 * are in the caches, and evaluates where the first step begins, so that it takes hardly longer than
 * others of its kind.  The steps that follow are the same to the bit, and to rounding where a state
 * or a time is set in between.  Takes memory for a copy of the data while it works; does nothing
 * where the model calls functions of the host program, or has more than 2 MB of data, which
 * caches near the processor do not keep. */
SAR_API SarStatus sar_warm_up(SarSim* s);

/* Accelerations at the present state, with the forces of constraints: redundant ones and singular
 * positions as the formulation takes them.  Fills sar_a; reactions follow from it.  Allocates
 * nothing. */
SAR_API SarStatus sar_accelerations(SarSim* s);

/* Counters since sar_sim_new. */
typedef struct SarStats {
  long steps, rejected, calls; /* accepted and rejected steps, evaluations of the accelerations */
  long iterations;             /* Newton iterations of implicit integrators, sweeps over impulses */
  int iterations_max;          /* most in one step */
  long chattering;             /* steps without error control while forces jump to and fro */
  double step_min, step_max, step_last; /* s */
  int contacts_max;                     /* most contact points at one time */
  long contacts_missed;                 /* points that found no room in the model's max_contacts */
  /* constraints, the largest at the ends of steps [m or rad, m/s or rad/s]: what was left of them,
     and how far they had drifted in a step before they were projected */
  double position_violation, velocity_violation, position_drift, velocity_drift;
  size_t scratch_bytes, scratch_peak;
  /* impulses: steps whose sweeps came to their cap (max_iterations, budget) and left more than
     1/100 of the step's speeds undone; when that was first [s]; the most that was left [m/s or
     rad/s], and of what: the two bodies of a contact, or a joint or constraint and NULL. Names live
     as long as the model */
  long unsettled_steps;
  double unsettled_first, unsettled_speed;
  const char* unsettled[2];
  /* 'embedding' with polynomials: evaluations, and those in which a loop went to Newton's method
     instead, at a branch point or a vanishing leading coefficient */
  long kinematics_solved, kinematics_fallbacks;
} SarStats;

SAR_API void sar_stats_sized(const SarSim* s, SarStats* out, size_t size);
static inline SarStats sar_stats(const SarSim* s) {
  SarStats out;
  sar_stats_sized(s, &out, sizeof out);
  return out;
}
/* After a failed step: what failed, where and when, in one line ("at t = 0.31: ..."). Empty if
 * nothing failed. */
SAR_API const char* sar_sim_trouble(const SarSim* s);

/* Something was switched on or off during the run (docs/events.md). */
typedef struct SarEvent {
  double time;      /* s */
  const char* name; /* of the joint, constraint or force */
  bool on;
  double energy;  /* J; what it changed the energy by: negative where an impact took it */
  double impulse; /* N s; size of the impulse that the item itself gave, */
  double moment;  /* N m s; and of its moment */
  int freedoms;   /* degrees of freedom from here on */
} SarEvent;

/* How many there were since sar_sim_new; number `index` of them.  The last SAR_KEPT_EVENTS are
 * kept: the others are out of range. */
enum { SAR_KEPT_EVENTS = 64 };
SAR_API long sar_event_count(const SarSim* s);
SAR_API SarStatus sar_event_sized(const SarSim* s, long index, SarEvent* out, size_t size);
static inline SarStatus sar_event(const SarSim* s, long index, SarEvent* out) {
  return sar_event_sized(s, index, out, sizeof *out);
}

/* Values of all output columns (SAR_ITEM_OUTPUT) at the present state.  Accelerations, reactions
 * and forces of constraints are those of a formulation at this instant; of formulations by impulses
 * the means over the last step, as long as q, v and t are where it left them, else without
 * impulses. */
SAR_API SarStatus sar_outputs(SarSim* s, double* values);

#ifdef __cplusplus
}
#endif
