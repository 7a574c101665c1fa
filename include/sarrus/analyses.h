/* Analyses of a state and of a prescribed motion: assembly, statics, modes, linearisation,
 * kinematics, inverse dynamics. */
#pragma once
#include <sarrus/run.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Assembly: what the constraints leave free. */
typedef struct SarAssembly {
  int freedoms;        /* degrees of freedom: coordinates less independent equations */
  int equations;       /* of constraints that are on */
  int independent;     /* of them */
  bool singular;       /* fewer are independent right here */
  char redundant[600]; /* "joint 'R6' (1 of 5), ...": whose equations follow from others */
} SarAssembly;

/* Closes the loops of d at its time, moving as little mass as possible; at the initial state what
 * the file gives is held.  SAR_BAD_MODEL: cannot be closed, and err says what is open and by how
 * much. */
SAR_API SarStatus sar_assemble_sized(SarData* d, SarAssembly* out, size_t size, SarError* err);
static inline SarStatus sar_assemble(SarData* d, SarAssembly* out, SarError* err) {
  return sar_assemble_sized(d, out, sizeof *out, err);
}

/* Statics: an equilibrium near the state of d, at its time, drives standing still. */
typedef struct SarStatics SarStatics;

typedef struct SarStaticsOptions {
  size_t size;        /* of this struct, as the program knows it */
  bool settle;        /* leaves an unstable equilibrium and looks for a stable one */
  int max_iterations; /* 0: 200 */
} SarStaticsOptions;

SAR_API void sar_statics_options_sized(SarStaticsOptions* out, size_t size);
static inline SarStaticsOptions sar_statics_options(void) {
  SarStaticsOptions o;
  sar_statics_options_sized(&o, sizeof o);
  return o;
}

typedef struct SarStaticsReport {
  int freedoms;         /* degrees of freedom */
  int redundant;        /* equations that follow from others: reactions are not unique there */
  int iterations;       /* of Newton's method; steps, where contacts were let settle */
  double force;         /* largest generalised force that is left [N m or N] */
  double potential;     /* J */
  int unstable;         /* directions that the mechanism leaves along, */
  int indifferent;      /* and those along which nothing holds it */
  const double* omega2; /* freedoms: squares of the natural frequencies [rad^2/s^2], rising, without
                           dampers; a negative one is a direction of instability.  Where forces have
                           no potential they are real parts: signs, not frequencies */
  double floor;         /* omega2 up to this size is rounding */
  bool settled;         /* it was let settle: iterations are steps */
  int contacts; /* points at which solids bear on each other: sar_contact has their forces */
} SarStaticsReport;

/* Moves d there: v and a become zero, and what depends on them is as at rest.  SAR_NOT_CONVERGED
 * with a message when there is none nearby.  `o` Nullable. Where solids may touch, the mechanism is
 * let settle by steps of impulses whose kinetic energy is taken out at every peak (kinetic
 * damping): contacts are unilateral and bear by Coulomb's law, joints stop at their limits. */
SAR_API SarStatus sar_statics(SarData* d, const SarStaticsOptions* o, SarStatics** out,
                              SarError* err);
SAR_API const SarStaticsReport* sar_statics_report(const SarStatics* s);
/* As sar_reaction; where constraints are redundant the smallest.  unique[6] (Nullable): which of
 * force x y z, torque x y z are decided. */
SAR_API SarStatus sar_statics_reaction(SarStatics* s, int joint, double force[3], double torque[3],
                                       bool unique[6]);
SAR_API void sar_statics_free(SarStatics* s); /* NULL is fine; d of the call must still be there */

/* Modes: the equations of motion linearised about the state of d, and their eigenvalues. */
typedef struct SarModes SarModes;

typedef struct SarModesOptions {
  size_t size; /* of this struct, as the program knows it */
  /* Body that carries the blades of a rotor, three or more that are alike: modes in multiblade
     coordinates, as the airframe sees them; NULL: none. Relative coordinates only. */
  const char* multiblade;
} SarModesOptions;

SAR_API void sar_modes_options_sized(SarModesOptions* out, size_t size);
static inline SarModesOptions sar_modes_options(void) {
  SarModesOptions o;
  sar_modes_options_sized(&o, sizeof o);
  return o;
}

typedef struct SarModesReport {
  int freedoms; /* degrees of freedom f */
  int count;    /* modes: at most 2 f and one for each state; of a pair one, by rising size */
  const double *re, *im;             /* count: eigenvalues [1/s, rad/s], im >= 0 */
  int shape_size;                    /* entries of a shape: velocity coordinates, then states */
  const double *shape_re, *shape_im; /* count x shape_size; the longest entry of each is 1 */
  int body_count;
  const double* share; /* count x body_count: part of the kinetic energy that is the body's */
  double
      acceleration; /* largest at the state: not 0 where it is no equilibrium [rad/s^2 or m/s^2] */
  double floor;     /* eigenvalues up to this size are rounding: rigid motion */
  int contacts;     /* points that were held */
} SarModesReport;

/* What was assumed is in err as warnings.  Contacts that bear a force at a state of rest are held
 * (those with friction stick; compliant ones are springs along the normal), and where they do d
 * must be at rest: SAR_NOT_OFFERED. Dry friction of joints at rest is left out.  `o` Nullable. */
SAR_API SarStatus sar_modes(const SarData* d, const SarModesOptions* o, SarModes** out,
                            SarError* err);
SAR_API const SarModesReport* sar_modes_report(const SarModes* modes);
SAR_API const char* sar_modes_coordinate(const SarModes* modes, int entry); /* "car.vz" */
/* In multiblade coordinates: how the blades move in a mode, "collective", "differential",
   "forward 1", "backward 1" (a wave of that harmonic that runs with the rotor or against it),
   "cyclic 1" where nothing oscillates, or "" for the airframe's; NULL without such coordinates. */
SAR_API const char* sar_modes_pattern(const SarModes* modes, int mode);
SAR_API void sar_modes_free(SarModes* modes); /* NULL is fine */

/* ---- periodic motions ---- */

/* Floquet multipliers of the motion that begins at the state of d and repeats itself after a
 * period: eigenvalues of the monodromy matrix, by central differences of whole runs. d stays as it
 * is. */
typedef struct SarFloquet SarFloquet;

typedef struct SarFloquetOptions {
  size_t size; /* of this struct, as the program knows it */
  /* NULL: the model file's, else the defaults; fixed steps are made to divide the period */
  const SarSimOptions* sim;
} SarFloquetOptions;

SAR_API void sar_floquet_options_sized(SarFloquetOptions* out, size_t size);
static inline SarFloquetOptions sar_floquet_options(void) {
  SarFloquetOptions o;
  sar_floquet_options_sized(&o, sizeof o);
  return o;
}

typedef struct SarFloquetReport {
  double period;         /* s */
  int count;             /* 2 for each velocity coordinate and one for each state */
  const double *re, *im; /* falling in size; of deviations that constraints do not allow: 0 */
  double off; /* largest change of speeds and states over the period: 0 if it repeats itself */
} SarFloquetReport;

SAR_API SarStatus sar_floquet(const SarData* d, double period, const SarFloquetOptions* o,
                              SarFloquet** out, SarError* err);
SAR_API const SarFloquetReport* sar_floquet_report(const SarFloquet* f);
SAR_API void sar_floquet_free(SarFloquet* f); /* NULL is fine */

/* ---- modal bodies from beams ---- */

/* A beam of a model, which was loaded with keep_fixed, reduced to a modal body (Craig and Bampton):
 * clamped at its start, static modes of the nodes that others will be attached to, normal modes
 * with these held, made orthogonal. */
typedef struct SarReduction SarReduction;

typedef struct SarReduceOptions {
  size_t size;      /* of this struct, as the program knows it */
  const char* beam; /* NULL: the only one */
  int modes;        /* normal modes; 4 */
  /* nodes behind the start, by their names within the beam: "end", "3"; six static modes each */
  const char* const* attach;
  int attach_count; /* -1: "end" alone */
  int keep;         /* of all these modes the first ones; 0: all */
  bool linear;      /* without second-order displacements (no geometric stiffening) */
} SarReduceOptions;

SAR_API void sar_reduce_options_sized(SarReduceOptions* out, size_t size);
static inline SarReduceOptions sar_reduce_options(void) {
  SarReduceOptions o;
  sar_reduce_options_sized(&o, sizeof o);
  return o;
}

typedef struct SarReductionReport {
  const char* beam;
  int nodes, modes;
  const double *frequency, *damping; /* modes: Hz, share of critical damping */
} SarReductionReport;

SAR_API SarStatus sar_reduce(const SarModel* m, const SarReduceOptions* o, SarReduction** out,
                             SarError* err);
SAR_API const SarReductionReport* sar_reduction_report(const SarReduction* r);
/* As a file with a section `modal_bodies`, for models to include; a path that ends in .h5: nodes
 * and modes alone, for `file` of a modal body. comment: its first line; Nullable. */
SAR_API SarStatus sar_reduction_write(const SarReduction* r, const char* path, const char* comment,
                                      SarError* err);
SAR_API void sar_reduction_free(SarReduction* r); /* NULL is fine */

/* Linearisation about the state of d, exact (no differences):
 *   d/dt x = f + A (x - x0) + B (u - u0),   y = y0 + C (x - x0) + D (u - u0)
 * x: positions, velocities, states of the file; of a mechanism with loops as many independent ones
 * as there are freedoms.  Rotations in space count as rotation vectors from the state. */
typedef struct SarLinearization SarLinearization;

typedef struct SarLinearizeOptions {
  size_t size;         /* of this struct, as the program knows it */
  const char* inputs;  /* names with commas between them: inputs of the model, and JOINT.tau
                          (JOINT.tau2, ...) for a  force on a joint; NULL: all inputs */
  const char* outputs; /* columns; NULL: all that have derivatives */
  bool rest; /* about the equilibrium next to d instead, as sar_statics finds it without contact */
} SarLinearizeOptions;

SAR_API void sar_linearize_options_sized(SarLinearizeOptions* out, size_t size);
static inline SarLinearizeOptions sar_linearize_options(void) {
  SarLinearizeOptions o;
  sar_linearize_options_sized(&o, sizeof o);
  return o;
}

typedef struct SarLinearizationReport {
  int nq, nv, nz;                  /* independent positions and velocities, states of the file */
  int nx, nu, ny;                  /* nx = nq + nv + nz; inputs; outputs */
  const double *A, *B, *C, *D;     /* row by row: nx x nx, nx x nu, ny x nx, ny x nu */
  const double *x0, *f, *u0, *y0;  /* the state, its rate, inputs, outputs */
  const double *pole_re, *pole_im; /* nx: eigenvalues of A [1/s, rad/s] */
  int zeros;                       /* transmission zeros; -1: not as many inputs as outputs */
  const double *zero_re, *zero_im;
  double
      acceleration; /* largest at the state: not 0 where it is no equilibrium [rad/s^2 or m/s^2] */
  int coordinates;  /* of the tree: more than nq where loops are closed */
  int left_out; /* columns that have no derivative: energies, powers, works, reactions, contacts */
} SarLinearizationReport;

/* What was assumed is in err as warnings: nothing touches, dry friction is its smooth law of the
 * speed, motors with a largest force and limits of joints are left out.  SAR_BAD_ARGUMENT: an
 * unknown name.  SAR_NOT_OFFERED: a force without derivatives.  SAR_SINGULAR: a singular position.
 * `o` Nullable. */
SAR_API SarStatus sar_linearize(const SarData* d, const SarLinearizeOptions* o,
                                SarLinearization** out, SarError* err);
SAR_API const SarLinearizationReport* sar_linearization_report(const SarLinearization* l);
/* "elbow.q", "car.rx" (a rotation vector), "elbow.tau"; NULL: out of range */
SAR_API const char* sar_linearization_state(const SarLinearization* l, int i);
SAR_API const char* sar_linearization_input(const SarLinearization* l, int i);
SAR_API const char* sar_linearization_output(const SarLinearization* l, int i);
SAR_API void sar_linearization_free(SarLinearization* l); /* NULL is fine */

/* Kinematics and inverse dynamics of a mechanism whose drives prescribe its whole motion, over a
 * range of time: nothing is integrated. */
typedef struct SarKinematics SarKinematics;

typedef struct SarSweepOptions {
  size_t size;             /* of this struct, as the program knows it */
  double from, to;         /* s; to = from: the model's end after it */
  int points;              /* both included; 0: 101 */
  bool branches;           /* kinematics: every way to put the mechanism together */
  int trials;              /* random positions to look for them from; 0: 200 */
  unsigned long long seed; /* of these */
  const char* formulation; /* NULL: the model file's, else "auto" */
  void* context;           /* of what follows; both Nullable */
  SarStatus (*on_row)(void* context, const double* values, int count);
  bool (*should_stop)(void* context); /* asked after every row: true ends with SAR_STOPPED */
} SarSweepOptions;

SAR_API void sar_sweep_options_sized(SarSweepOptions* out, size_t size);
static inline SarSweepOptions sar_sweep_options(void) {
  SarSweepOptions o;
  sar_sweep_options_sized(&o, sizeof o);
  return o;
}

typedef struct SarKinematicsReport {
  double from, to; /* s */
  int points;
  int branches;     /* assemblies that were followed: 1 if not looked for */
  int trials, open; /* made; that did not close */
} SarKinematicsReport;

/* One way to put the mechanism together, as far as it could be followed. */
typedef struct SarBranch {
  size_t row, rows;  /* of the table */
  int found;         /* trials that led there */
  double reached;    /* s */
  double least_grip; /* how firmly the constraints hold: 0 at a singular position, */
  double least_time; /* s; and where it was the least */
} SarBranch;

/* Columns: "time", with branches "branch", the model's outputs, accelerations of all whose speeds
 * are among them.  Singular positions on the way are warnings in err.  `o` Nullable. */
SAR_API SarStatus sar_kinematics(const SarModel* m, const SarSweepOptions* o, SarKinematics** out,
                                 SarError* err);
SAR_API const SarKinematicsReport* sar_kinematics_report(const SarKinematics* k);
SAR_API const SarTable* sar_kinematics_table(const SarKinematics* k);
SAR_API SarStatus sar_kinematics_branch_sized(const SarKinematics* k, int index, SarBranch* out,
                                              size_t size);
static inline SarStatus sar_kinematics_branch(const SarKinematics* k, int index, SarBranch* out) {
  return sar_kinematics_branch_sized(k, index, out, sizeof *out);
}
SAR_API void sar_kinematics_free(SarKinematics* k); /* NULL is fine */

/* Forces and power of the drives for the motion that they prescribe: "time", then for each equation
 * of a drive "NAME.value", ".speed", ".force", ".power".  The table is the caller's
 * (sar_table_free). */
SAR_API SarStatus sar_inverse(const SarModel* m, const SarSweepOptions* o, SarTable** out,
                              SarError* err);

#ifdef __cplusplus
}
#endif
