/* Sarrus: real-time multibody dynamics.  The whole public interface, in the order one uses it.
 *
 *   SarError err;                          // collects every message: file, line, column, hint
 *   sar_error_init(&err);
 *   SarModel* m;                           // constant, shared by any number of runs and threads
 *   if (sar_model_load("arm.yaml", NULL, &m, &err) != SAR_OK) { ... print err.items[0..count) ... }
 *   SarData* d;                            // all that changes: t q v ...; copy it to copy the run
 *   sar_data_new(m, &d, &err);
 *   SarSimOptions o = sar_sim_options();
 *   o.step = 1e-3;
 *   SarSim* s;                             // formulation + integrator + scratch memory
 *   sar_sim_new(m, d, &o, &s, &err);
 *   while (sar_time(d) < 10) sar_step(s);  // allocates nothing, prints nothing, never exits
 *   sar_sim_free(s);  sar_data_free(d);  sar_model_free(m);
 *
 * Conventions: SI units, radians, right-handed frames, quaternions w x y z (body to parent), spatial
 * vectors angular part first.  "Ground frame" is the fixed frame of the model file.
 * Every function returns a status or a value; none exits, aborts, prints or keeps hidden state.
 * One rule for arguments: a NULL that is not called Nullable, and an index out of range, give
 * SAR_BAD_ARGUMENT and fill nothing in; where no status is returned, nothing happens, and the value
 * is 0, NULL, false, "" or (sar_time) NaN; an index of something that is not there is -1.  SarError
 * pointers are all Nullable.
 * One number for each joint, body, ...: the index that sar_model_find gives and all functions take.
 * A newer library serves programs that were compiled with an older header: structs only grow at
 * their ends, and the library always knows how much of one the program has.  Options begin with
 * their size, which the function that makes them sets.  Results are asked for with their size:
 * sar_stats(s) is sar_stats_sized(s, &out, sizeof out) in the program's own code, and so is every
 * function that has one named _sized beside it.  (Call those from languages that load the library
 * at run time; the others are no symbols of it.)  Structs that stand in arrays do not change:
 * SarError, SarDiag, SarParameter, SarTextFile, SarTrial.
 * Threads: one SarModel may be shared freely; a SarData and the SarSim on it belong to one thread at
 * a time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#define SAR_API
#else
#define SAR_API __attribute__((visibility("default")))
#endif

/* ---- status and messages ------------------------------------------------------------------- */

/* What a call came to.  SAR_OK is 0; sar_status_text gives one line for each. */
typedef enum SarStatus {
  SAR_OK = 0,
  SAR_BAD_MODEL,      /* the model is wrong; SarError says where and why */
  SAR_BAD_ARGUMENT,   /* an option, name or size does not fit; SarError says which */
  SAR_NO_FILE,        /* a file cannot be read or written */
  SAR_NO_MEMORY,      /* an allocation failed; nothing is leaked */
  SAR_NOT_OFFERED,    /* this build or this pairing does not offer it; SarError says why */
  SAR_NO_SCRATCH,     /* the step's scratch memory was sized too small (a defect: please report) */
  SAR_NOT_CONVERGED,  /* an iteration reached its bound; state is the last accepted step's */
  SAR_SINGULAR,       /* a matrix that must be positive definite is not */
  SAR_NOT_FINITE,     /* NaN or infinity turned up; state is the last accepted step's */
  SAR_STEP_TOO_SMALL, /* the error control asked for a step below the smallest one */
  SAR_NOT_CLOSED, /* a constraint is switched on far from where it holds, or a step left it open */
  SAR_STOPPED,    /* stopped from outside, or after max_steps; state is the last step's */
  SAR_OVER_LIMIT /* needs more memory than memory_limit; SarError says for what.  Nothing is leaked */
} SarStatus;

SAR_API const char* sar_status_text(SarStatus status);

typedef enum SarSeverity { SAR_ERROR = 0, SAR_WARNING = 1 } SarSeverity;

/* One message about the input: where (line 0 = no place), what, and what to do about it. */
typedef struct SarDiag {
  SarSeverity severity;
  int line, column;
  char file[256];
  char text[384];
  char hint[256];
} SarDiag;

enum { SAR_MAX_DIAGS = 32 };

/* All messages of one call.  Owned by the caller, no allocation; sar_error_init empties it. */
typedef struct SarError {
  int count;   /* messages kept in items */
  int errors;  /* how many of all messages were errors (not warnings), kept or not */
  int dropped; /* messages beyond SAR_MAX_DIAGS */
  SarDiag items[SAR_MAX_DIAGS];
} SarError;

SAR_API void sar_error_init(SarError* err);

/* Writes "file:line:column: error: text (hint)" of message i into buf; returns buf. */
SAR_API const char* sar_error_format(const SarError* err, int i, char* buf, size_t size);

/* "1.0.0 (gcc 12.2, portable)": version, compiler, and whether the build trades bit-reproducibility
 * for speed. */
SAR_API const char* sar_version(void);

/* ---- model: load and look at ---------------------------------------------------------------- */

typedef struct SarModel SarModel;

/* One override of a parameter of the model file, as --set does on the command line. */
typedef struct SarParameter {
  const char* name;
  double value;
} SarParameter;

/* A text that stands for a file: what an include: of this name means in a model from memory. */
typedef struct SarTextFile {
  const char* name; /* "parts/wheel.yaml", relative to the model's own name */
  const char* text;
  size_t size;
} SarTextFile;

/* How to read a model.  Zeros and NULLs are the defaults: SarLoadOptions o = {0}, then edit. */
/* A column in addition to those of the file: an expression as in `outputs: [{value: ..., name: ...}]`. */
typedef struct SarExpression {
  const char* name; /* of the column */
  const char* text;
} SarExpression;

typedef struct SarLoadOptions {
  const SarParameter* parameters; /* Nullable */
  int parameter_count;
  const char* const* search_paths; /* for include: and package://; Nullable */
  int search_path_count;
  const char* coordinates; /* "relative" (tree and loop closures), "absolute" (each body its own) or
                              "mixed" (platforms their own); "auto": the model file's, else mixed;
                              NULL: the model file's, else relative */
  const SarTextFile* files; /* of a model from memory; Nullable */
  int file_count;
  bool
      keep_fixed; /* fixed joints stay joints of the tree, and sar_reaction knows what they carry; else
                      the bodies they join are one body to the dynamics (the same motion, sooner) */
  /* called with every file that is read: the model, includes, tables, meshes; Nullable */
  void (*on_file)(void* context, const char* path);
  void* on_file_context;
  /* bytes; 0: 1e9.  Reading and compiling take no more, and neither do the model, one state and one
   * simulation together: what would is SAR_OVER_LIMIT, with a message that says where and for what */
  size_t memory_limit;
  const SarExpression* columns; /* Nullable */
  int column_count;
} SarLoadOptions;

/* Reads FILE.yaml, .yml, .json or .urdf and compiles it.  `o` Nullable.  On failure *out is NULL and
 * err holds every message found.  Warnings (unknown URDF tags, say) are left in err on success too. */
SAR_API SarStatus sar_model_load_sized(const char* path, const SarLoadOptions* o, size_t size,
                                       SarModel** out, SarError* err);
static inline SarStatus sar_model_load(const char* path, const SarLoadOptions* o, SarModel** out,
                                       SarError* err) {
  return sar_model_load_sized(path, o, sizeof *o, out, err);
}

/* The same from memory.  `format` is "yaml" or "urdf"; `name` stands for the file in messages.  What
 * the text includes is looked for in the options' files and in the search paths. */
SAR_API SarStatus sar_model_parse_sized(const char* text, size_t size, const char* format,
                                        const char* name, const SarLoadOptions* o,
                                        size_t options_size, SarModel** out, SarError* err);
static inline SarStatus sar_model_parse(const char* text, size_t size, const char* format,
                                        const char* name, const SarLoadOptions* o, SarModel** out,
                                        SarError* err) {
  return sar_model_parse_sized(text, size, format, name, o, sizeof *o, out, err);
}

SAR_API void sar_model_free(SarModel* m); /* NULL is fine */

/* What a model is made of, by kind: for counting, naming and finding. */
typedef enum SarItem {
  SAR_ITEM_BODY,  /* without ground: those of the tree, in its order, then those fixed to others */
  SAR_ITEM_JOINT, /* joint i carries body i; behind these, the joints that close loops */
  SAR_ITEM_FORCE,
  SAR_ITEM_INPUT,      /* values the host program sets before each step */
  SAR_ITEM_OUTPUT,     /* columns of the result, "arm.x", "elbow.q", "energy.total", ... */
  SAR_ITEM_POINT,      /* named points and frames, "arm.tip" */
  SAR_ITEM_CONSTRAINT, /* those of the file's `constraints`, joints that close loops among them */
  SAR_ITEM_STATE       /* states of the file and of filter, integral, pid: x of sar_states */
} SarItem;

/* How many there are; the name of one; the index of a name. */
SAR_API int sar_model_count(const SarModel* m, SarItem kind);
SAR_API const char* sar_model_name(const SarModel* m, SarItem kind, int index);
SAR_API int sar_model_find(const SarModel* m, SarItem kind, const char* name);
/* Are two models alike: the same names of all these kinds in the same order, as many coordinates and
 * equations, and only other numbers?  Those of one file with other parameters are, unless a parameter
 * changes the topology. */
SAR_API bool sar_model_is_like(const SarModel* a, const SarModel* b);
/* Coordinates of the tree: nq of position (quaternions count 4), nv of velocity. */
SAR_API int sar_model_nq(const SarModel* m);
SAR_API int sar_model_nv(const SarModel* m);
/* The same with those of the joints that close loops: the lengths of sar_q, sar_v, sar_a, sar_tau. */
SAR_API int sar_model_nq_all(const SarModel* m);
SAR_API int sar_model_nv_all(const SarModel* m);

/* The model as a whole, and what its `simulation` block says. */
typedef struct SarModelInfo {
  const char* name;
  bool absolute;                        /* coordinates: each body its own */
  const char* plane;                    /* "xy", "xz", "yz": all motion is in it; "": it is not */
  bool contact;                         /* there are solids that may touch */
  int equations;                        /* of constraints, switched on or not */
  double mass;                          /* kg; of all bodies */
  size_t bytes;                         /* that the model takes */
  size_t memory_limit;                  /* SarLoadOptions */
  double end, step, output_step;        /* s; 0: not given */
  const char *formulation, *integrator; /* NULL: not given */
  int platforms; /* mixed coordinates: bodies with their own though joints carry them */
} SarModelInfo;

SAR_API SarStatus sar_model_info_sized(const SarModel* m, SarModelInfo* out, size_t size);
static inline SarStatus sar_model_info(const SarModel* m, SarModelInfo* out) {
  return sar_model_info_sized(m, out, sizeof *out);
}
/* kg; with the bodies that are fixed to it and of one piece with it. */
SAR_API double sar_body_mass(const SarModel* m, int body);

typedef struct SarConstraintInfo {
  const char* name;
  const char* kind; /* "rod", "revolute" (a joint that closes a loop), "mimic", ... */
  int equations;    /* without */
  int identical;    /* those that hold at every position of the tree */
  bool drive;       /* it prescribes a motion */
} SarConstraintInfo;

SAR_API SarStatus sar_constraint_info_sized(const SarModel* m, int constraint,
                                            SarConstraintInfo* out, size_t size);
static inline SarStatus sar_constraint_info(const SarModel* m, int constraint,
                                            SarConstraintInfo* out) {
  return sar_constraint_info_sized(m, constraint, out, sizeof *out);
}
/* SAR_BAD_MODEL, with places in err: the `simulation` block names what there is not. */
SAR_API SarStatus sar_model_check(const SarModel* m, SarError* err);
/* A number as model files have them: "2.5", "30 deg", "2*pi".  SAR_BAD_ARGUMENT: it is none. */
SAR_API SarStatus sar_parse_number(const char* text, double* out);

/* What a joint is to the tree that the dynamics run along. */
typedef enum SarJointRole {
  SAR_JOINT_TREE,  /* its coordinates are unknowns of the equations */
  SAR_JOINT_FIXED, /* makes two bodies one; no coordinates */
  SAR_JOINT_LOOP   /* closes a loop: its coordinates follow from those of the tree.  In absolute
                      coordinates all joints of the file, and each body is carried by a tree joint of
                      its own with six (or three) freedoms */
} SarJointRole;

/* Where a joint's coordinates live: q[qadr .. qadr+nq), v[vadr .. vadr+nv).  Those of SAR_JOINT_LOOP stand
 * behind those of the tree; a force written there in sar_tau acts on the joint's two bodies. */
typedef struct SarJointInfo {
  const char* name;
  const char* kind; /* "revolute", ... */
  int body;         /* the body it carries in the tree; SAR_JOINT_LOOP: its child in the file */
  int parent;       /* the body it hangs on, or its parent in the file; -1 = ground */
  int qadr, nq, vadr, nv;
  bool turned; /* the tree runs against the file's direction: q and v are the tree's way round, what
                  sar_joint_get and sar_joint_set take is the file's */
  SarJointRole role;
} SarJointInfo;

SAR_API SarStatus sar_joint_info_sized(const SarModel* m, int joint, SarJointInfo* out,
                                       size_t size);
static inline SarStatus sar_joint_info(const SarModel* m, int joint, SarJointInfo* out) {
  return sar_joint_info_sized(m, joint, out, sizeof *out);
}

/* Limits of a joint's coordinates as the file gives them, nv values each, infinite where there is none;
 * each array Nullable.  Formulations by impulses enforce lower and upper; the rest is for the host
 * program. */
SAR_API SarStatus sar_joint_limits(const SarModel* m, int joint, double* lower, double* upper,
                                   double* speed, double* effort);

/* ---- data: the state ------------------------------------------------------------------------ */

typedef struct SarData SarData;

/* A new one is at the initial state, and reset goes back there.  Copying between two of the same model
 * saves and restores a run: a simulation on the copy continues bit for bit like the original, and so does
 * the one on data that a copy is put back into.  What the method remembers is copied too, so copying takes
 * memory the first time (SAR_NO_MEMORY: `to` is as it was).  Simulations with SUNDIALS begin their history
 * anew. */
SAR_API SarStatus sar_data_new(const SarModel* m, SarData** out, SarError* err);
SAR_API void sar_data_free(SarData* d); /* NULL is fine */
SAR_API void sar_data_reset(SarData* d);
SAR_API SarStatus sar_data_copy(SarData* to, const SarData* from);
/* The same through a file, also for another process or machine: it continues bit for bit.  Saving writes
 * beside `path` and renames.  Loading refuses the state of another model (masses, parameters, coordinates;
 * columns and the `simulation` block may differ), a file that is cut short or changed, and one of another
 * version, each with a message; d is as it was then. */
SAR_API SarStatus sar_data_save(const SarData* d, const char* path, SarError* err);
SAR_API SarStatus sar_data_load(SarData* d, const char* path, SarError* err);
SAR_API const SarModel* sar_data_model(const SarData* d);

SAR_API double sar_time(const SarData* d);
SAR_API void sar_set_time(SarData* d, double t);

/* The arrays themselves; write q, v, states and inputs between steps as you like.  Quaternions are
 * normalised when used.  After writing q or v call sar_energy_restart, or what you put in counts as
 * an error of the energy; sar_set_time and sar_joint_set do so themselves. */
SAR_API double* sar_q(SarData* d);      /* nq; behind them those of loops, as last evaluated */
SAR_API double* sar_v(SarData* d);      /* nv; likewise */
SAR_API double* sar_a(SarData* d);      /* nv: accelerations of the last evaluation; after a step by
                                           impulses the mean over it: change of v / length */
SAR_API double* sar_states(SarData* d); /* one per SAR_ITEM_STATE */
SAR_API double* sar_inputs(SarData* d); /* one per SAR_ITEM_INPUT; held until changed */
SAR_API double* sar_tau(SarData* d);    /* nv: joint forces of the host program; held likewise */
/* The same arrays to read. */
SAR_API const double* sar_get_q(const SarData* d);
SAR_API const double* sar_get_v(const SarData* d);
SAR_API const double* sar_get_a(const SarData* d);
SAR_API const double* sar_get_states(const SarData* d);
SAR_API const double* sar_get_inputs(const SarData* d);
SAR_API const double* sar_get_tau(const SarData* d);

/* A joint's coordinates in the direction of the file, whichever way the tree runs; nq and nv of the
 * joint.  Those of a joint that closes a loop are evaluated, angles in the turn nearest to the one last
 * seen; they cannot be set (SAR_NOT_OFFERED): set the tree's, and sar_sim_new closes the loop. */
SAR_API SarStatus sar_joint_get(SarData* d, int joint, double* q, double* v);
SAR_API SarStatus sar_joint_set(SarData* d, int joint, const double* q, const double* v);

/* FNV-1a hash of everything that determines how a run goes on: t, q, v, work, inputs, what is switched on,
 * what touches, and what the method remembers.  Equal hashes mean bit-equal runs. */
SAR_API unsigned long long sar_state_hash(const SarData* d);

/* ---- dynamics at one instant ----------------------------------------------------------------
 * All use t, q, v, inputs and tau of d. Each evaluates what it needs; none allocates. Contact, limits and
 * motors with a largest force, and dry friction that sticks, act by impulses over a step: at one instant they
 * cannot be known, and sar_forward_dynamics and sar_inverse_dynamics leave them out (dry friction is a smooth law
 * of the speed there). What acted in a step is in sar_a, sar_reaction and sar_outputs after it. */

/* Evaluates kinematics, measured quantities, expressions and forces, then the accelerations a
 * (articulated bodies).  SAR_NOT_OFFERED where constraints are on: sar_accelerations has them. */
SAR_API SarStatus sar_forward_dynamics(SarData* d);
/* tau[nv] that gives accelerations a[nv], all forces of the model taken into account.  Where constraints are
 * on, a must keep them (else SAR_NOT_CLOSED), and of the many answers this is the one in which they
 * carry nothing: Psi' lambda may be added, with Psi their Jacobian and any lambda. */
SAR_API SarStatus sar_inverse_dynamics(SarData* d, const double* a, double* tau);
/* M[nv*nv], row by row, full symmetric.  SAR_NOT_OFFERED where constraints are on: inertia is not M
 * alone then.  sar_tree_mass_matrix gives M of the tree also there: M a + Psi' lambda = Q. */
SAR_API SarStatus sar_mass_matrix(SarData* d, double* M);
SAR_API SarStatus sar_tree_mass_matrix(SarData* d, double* M);
/* J[6*nv], row by row: v_point = J v.  Rows: angular x y z, linear x y z; ground axes; point in body
 * axes. */
SAR_API SarStatus sar_jacobian(SarData* d, int body, const double point[3], double* J);

/* Pose of a body's frame as the file defines it: position[3], rotation[9] (row by row, body to
 * ground). */
SAR_API SarStatus sar_body_pose(SarData* d, int body, double position[3], double rotation[9]);
/* Velocity of a body point: angular[3] and linear[3], ground axes. */
SAR_API SarStatus sar_body_velocity(SarData* d, int body, const double point[3], double angular[3],
                                    double linear[3]);

typedef struct SarEnergy {
  double kinetic, potential, total; /* J; potential = gravity + springs */
  double
      work; /* J put in since the account was opened by all not in `potential` (dampers take, motors give) */
  double error; /* total - total at start - work: what the numerics lost or made */
} SarEnergy;

SAR_API SarStatus sar_energy_sized(SarData* d, SarEnergy* out, size_t size);
static inline SarStatus sar_energy(SarData* d, SarEnergy* out) {
  return sar_energy_sized(d, out, sizeof *out);
}
/* The energy account begins anew with the present state, all work 0: after q or v were written by hand. */
SAR_API void sar_energy_restart(SarData* d);
/* Linear p and angular momentum about the ground origin L, ground axes. */
SAR_API SarStatus sar_momentum(SarData* d, double p[3], double L[3]);
/* Force and torque that a joint exerts on its child body (in the direction of the file) at the
 * joint point: force[3], torque[3], ground axes, all six components including the joint's own springs
 * and motors. SAR_NOT_OFFERED for a fixed joint that is not of the tree (SarLoadOptions.keep_fixed).
 * Needs accelerations: call sar_forward_dynamics or sar_step before. After a step by impulses it is the mean
 * over the step, with contacts, limits, motors and dry friction, in balance with sar_a. Where constraints are
 * redundant this is one of many answers; the columns of sar_outputs have the smallest. */
SAR_API SarStatus sar_reaction(SarData* d, int joint, double force[3], double torque[3]);

/* ---- derivatives -----------------------------------------------------------------------------
 * Exact first derivatives (analytical for the tree, forward mode for forces, expressions and constraints: no
 * differences) of the dynamics at one instant, of what sar_forward_dynamics, sar_accelerations and
 * sar_inverse_dynamics compute. Matrices stand row by row: a[i] by q[j] is at i * columns + j.
 *
 * Columns of q are the nv local coordinates of the joints, not the nq stored numbers: position j moves
 * along v[j], q = q + dq for plain joints, and for spherical and free ones the quaternion Q exp(dq) with dq a rotation
 * vector in body axes. At a kink of a force the derivative is that of the branch that holds. What acts by impulses (contact,
 * limits, motors with a largest force, sticking) is left out, as at sar_forward_dynamics; dry friction is its smooth law.
 *
 * Where constraints are on, a and the multipliers are differentiated together: M a + Psi' lambda = Q, Psi a = gamma. Every
 * column is the derivative of these equations, also along directions that open a loop; where constraints are
 * redundant it holds along what they allow, and across it for the rows that were chosen (the farthest apart). */

typedef struct SarDerivatives SarDerivatives;

/* Memory for a model's derivatives; belongs to one thread at a time. SAR_NOT_OFFERED, with the name of the
 * element, where a force of the model has no derivative. */
SAR_API SarStatus sar_derivatives_new(const SarModel* m, SarDerivatives** out, SarError* err);
SAR_API void sar_derivatives_free(SarDerivatives* w); /* NULL is fine */

/* What is asked for: each array Nullable. nv coordinates, nu inputs, nz states of the file. */
typedef struct SarForwardDerivatives {
  double *a_q, *a_v, *a_tau;          /* nv x nv: accelerations by positions, velocities, sar_tau */
  double *a_input, *a_state, *a_time; /* nv x nu, nv x nz, nv */
  double *rate_q, *rate_v;            /* nz x nv: rates of states */
  double *rate_input, *rate_state, *rate_time; /* nz x nu, nz x nz, nz */
} SarForwardDerivatives;

/* Of the accelerations; sar_a is filled too. Allocates nothing. SAR_SINGULAR at a singular position of the
 * constraints. */
SAR_API SarStatus sar_forward_dynamics_derivatives_sized(SarDerivatives* w, SarData* d,
                                                         const SarForwardDerivatives* out,
                                                         size_t size);
static inline SarStatus sar_forward_dynamics_derivatives(SarDerivatives* w, SarData* d,
                                                         const SarForwardDerivatives* out) {
  return sar_forward_dynamics_derivatives_sized(w, d, out, sizeof *out);
}

typedef struct SarInverseDerivatives {
  double *tau_q, *tau_v, *tau_a; /* nv x nv: by positions, velocities, accelerations (M) */
  double *tau_input, *tau_state, *tau_time; /* nv x nu, nv x nz, nv */
} SarInverseDerivatives;

/* Of the joint forces that give accelerations a[nv], constraints carrying nothing. Allocates nothing. */
SAR_API SarStatus sar_inverse_dynamics_derivatives_sized(SarDerivatives* w, SarData* d,
                                                         const double* a,
                                                         const SarInverseDerivatives* out,
                                                         size_t size);
static inline SarStatus sar_inverse_dynamics_derivatives(SarDerivatives* w, SarData* d,
                                                         const double* a,
                                                         const SarInverseDerivatives* out) {
  return sar_inverse_dynamics_derivatives_sized(w, d, a, out, sizeof *out);
}

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
  double
      newton_tolerance; /* implicit formulations, embedding; last increment, rad or shares of the size; 0: the model file's, else 1e-9 */
  double penalty;       /* implicit formulations; N/m of every constraint; 0: scaled by inertia */
  bool reselect;        /* 'topological' changes its independent coordinates where need be */
  double
      spectral_radius; /* Newmark family, two-step: of high frequencies, 0 .. 1; < 0: the integrator's */
  SarStepControl adaptive;
  bool project; /* back onto the constraints after each step; false: let them drift */
  double
      impulse_tolerance; /* N s; sweeps end when no impulse changes by more; 0: 1e-8 of the largest */
  double budget;         /* s; sweeps end in time for the step to take so long; 0: no matter */
  long max_steps;        /* most steps of one sar_advance; 0: a thousand million */
  const volatile int* cancel; /* sar_advance ends with SAR_STOPPED after the step in which another
                                 thread or a signal handler makes it nonzero; Nullable */
  /* 'baumgarte': Phi'' + 2 alpha Phi' + beta^2 Phi = 0 [1/s]; both 0: by the step, at most 100. */
  double alpha, beta;
  /* 'penalty': rho [kg] of every constraint, natural frequency omega [rad/s] and damping ratio zeta of what
   * it pulls back; 0: rho by the inertia, the others as of 'baumgarte'.  With rho given,
   * max_iterations are made, whatever they leave. */
  double rho, omega, zeta;
  /* 'embedding': how dependent coordinates are found. "triangular": by polynomials, refused where a loop has
   * none; "block": by them where loops have them, else Newton's method; "newton": Newton's method, one loop
   * after the other; "newton-all": all at once.  NULL: the model file's, else "newton-all". */
  const char* kinematics;
} SarSimOptions;

SAR_API void sar_sim_options_sized(SarSimOptions* out, size_t size);
static inline SarSimOptions sar_sim_options(void) {
  SarSimOptions o;
  sar_sim_options_sized(&o, sizeof o);
  return o;
}
/* Those of a run that others are judged by: error control at 1e-12, near what double precision gives. */
SAR_API void sar_reference_options_sized(SarSimOptions* out, size_t size);
static inline SarSimOptions sar_reference_options(void) {
  SarSimOptions o;
  sar_reference_options_sized(&o, sizeof o);
  return o;
}
/* `o` Nullable. All memory a step needs is taken here.  Loops that are open by more than 1e-9 (of the
 * mechanism's size, of the fastest speed) are closed; otherwise no bit of the state changes.  Where a run
 * goes on with the method it was made with, it goes on as if there had been no other simulation. */
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

/* Chooses formulation and integrator for fixed steps by short trials from the state d, on copies of it:
 * the cheapest that is accurate enough and makes every step within `deadline` seconds of CPU time (0:
 * no matter how long).  `accuracy` is the largest error as a share of the motion (0: 1e-3); where none is so
 * good, three times the least error is good enough.  A formulation or integrator that *o names stays.
 * On success *o has names, step and fixed steps.  What is chosen depends on the time measured: for runs
 * that must be equal bit for bit, choose once and keep *o.  SAR_NOT_OFFERED: nothing meets the deadline,
 * and err says what the fastest needs; or the model has contact or motors, which one formulation runs.
 * Takes tenths of a second at most for models of usual size. */
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
/* As many steps as it takes to land exactly on t_end (also on the kinks of expressions in between), but
 * max_steps at most; SAR_STOPPED: t_end is not reached, and calling again goes on. */
SAR_API SarStatus sar_advance(SarSim* s, double t_end);

/* Accelerations at the present state, with the forces of constraints: redundant ones and singular positions as the
 * formulation takes them.  Fills sar_a; reactions follow from it.  Allocates nothing. */
SAR_API SarStatus sar_accelerations(SarSim* s);

/* Counters since sar_sim_new. */
typedef struct SarStats {
  long steps, rejected, calls; /* accepted and rejected steps, evaluations of the accelerations */
  long iterations;             /* Newton iterations of implicit integrators */
  int iterations_max;          /* most in one step */
  long chattering;             /* steps without error control while forces jump to and fro */
  double step_min, step_max, step_last; /* s */
  int contacts_max;                     /* most contact points at one time */
  long contacts_missed;                 /* points that found no room in the model's max_contacts */
  /* constraints, the largest at the ends of steps [m or rad, m/s or rad/s]: what was left of them, and
     how far they had drifted in a step before they were projected */
  double position_violation, velocity_violation, position_drift, velocity_drift;
  size_t scratch_bytes, scratch_peak;
  /* impulses: steps whose sweeps came to their cap (max_iterations, budget) and left more than 1/100 of the step's
     speeds undone; when that was first [s]; the most that was left [m/s or rad/s], and of what: the two bodies of a
     contact, or a joint or constraint and NULL. Names live as long as the model */
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

/* How many there were since sar_sim_new; number `index` of them.  The last SAR_KEPT_EVENTS are kept: the
 * others are out of range. */
enum { SAR_KEPT_EVENTS = 64 };
SAR_API long sar_event_count(const SarSim* s);
SAR_API SarStatus sar_event_sized(const SarSim* s, long index, SarEvent* out, size_t size);
static inline SarStatus sar_event(const SarSim* s, long index, SarEvent* out) {
  return sar_event_sized(s, index, out, sizeof *out);
}

/* Values of all output columns (SAR_ITEM_OUTPUT) at the present state.  Accelerations, reactions and forces of
 * constraints are those of a formulation at this instant; of formulations by impulses the means over the last step,
 * as long as q, v and t are where it left them, else without impulses. */
SAR_API SarStatus sar_outputs(SarSim* s, double* values);

/* ---- columns of results -----------------------------------------------------------------------
 * A table in memory: named columns, rows of doubles.  What analyses give belongs to them; what is loaded
 * is freed by the caller. */

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
 * What the commands of the program do, each as one call: options made by a function and edited, a result
 * that is an object with getters, freed by the caller.  A result is there (*out is not NULL) as soon as
 * there is anything to tell, also where the status is not SAR_OK: a run that failed has its rows up to
 * there.  Reports live as long as their result and are read only. */

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
  /* Files of states (sar_data_load, sar_data_save); Nullable.  `resume`: the run goes on from there,
   * with the method and the fixed step it had where `sim` names none; rows are those behind it.
   * `save`: where the run ends, also where it fails or is stopped. */
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
  /* fixed steps, if they are timed: CPU time of one, the median (to 2 %) and the worst; the simulated time at
   * which it was; how many took longer than the deadline [s] */
  double step_median, step_worst, step_worst_at, deadline;
  long steps_timed, steps_late;
  double energy_start, energy_end, energy_error_max; /* J; error: largest at the rows */
  double work;                                       /* J; put in by all accounts together */
  double
      energy_scale; /* J; largest kinetic energy, change of potential energy or work at the rows: what the
                          error is measured by */
  bool constrained, projected; /* there are constraints; steps are brought back onto them */
  double position_violation_max, velocity_violation_max; /* of constraints; 0 for open trees */
  const char* limit_joint; /* first joint found outside of its limits at a row; NULL = none */
  double limit_time;       /* s */
  long event_count;        /* sar_run_event */
  const char*
      ambiguous; /* columns of reactions that redundant constraints leave undecided; "": none */
} SarRunReport;

/* From the initial state (or `start`) to the end, rows of all outputs at the output times.  *out is set
 * before the first step: a program that leaves a run by a jump from on_stepping's time finds it there. `o`
 * Nullable. */
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

/* Assembly: what the constraints leave free. */
typedef struct SarAssembly {
  int freedoms;        /* degrees of freedom: coordinates less independent equations */
  int equations;       /* of constraints that are on */
  int independent;     /* of them */
  bool singular;       /* fewer are independent right here */
  char redundant[600]; /* "joint 'R6' (1 of 5), ...": whose equations follow from others */
} SarAssembly;

/* Closes the loops of d at its time, moving as little mass as possible; at the initial state what the
 * file gives is held.  SAR_BAD_MODEL: cannot be closed, and err says what is open and by how much. */
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
  int freedoms;     /* degrees of freedom */
  int redundant;    /* equations that follow from others: reactions are not unique there */
  int iterations;   /* of Newton's method; steps, where contacts were let settle */
  double force;     /* largest generalised force that is left [N m or N] */
  double potential; /* J */
  int unstable;     /* directions that the mechanism leaves along, */
  int indifferent;  /* and those along which nothing holds it */
  const double*
      omega2; /* freedoms: squares of the natural frequencies [rad^2/s^2], rising, without dampers; a
                           negative one is a direction of instability.  Where forces have no potential they
                           are real parts: signs, not frequencies */
  double floor; /* omega2 up to this size is rounding */
  bool settled; /* it was let settle: iterations are steps */
  int contacts; /* points at which solids bear on each other: sar_contact has their forces */
} SarStaticsReport;

/* Moves d there: v and a become zero, and what depends on them is as at rest.  SAR_NOT_CONVERGED with a
 * message when there is none nearby.  `o` Nullable.
 * Where solids may touch, the mechanism is let settle by steps of impulses whose kinetic energy is taken out
 * at every peak (kinetic damping): contacts are unilateral and bear by Coulomb's law, joints stop at their limits. */
SAR_API SarStatus sar_statics(SarData* d, const SarStaticsOptions* o, SarStatics** out,
                              SarError* err);
SAR_API const SarStaticsReport* sar_statics_report(const SarStatics* s);
/* As sar_reaction; where constraints are redundant the smallest.  unique[6] (Nullable): which of force x y z,
 * torque x y z are decided. */
SAR_API SarStatus sar_statics_reaction(SarStatics* s, int joint, double force[3], double torque[3],
                                       bool unique[6]);
SAR_API void sar_statics_free(SarStatics* s); /* NULL is fine; d of the call must still be there */

/* Modes: the equations of motion linearised about the state of d, and their eigenvalues. */
typedef struct SarModes SarModes;

typedef struct SarModesOptions {
  size_t size; /* of this struct, as the program knows it */
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

/* What was assumed is in err as warnings.  Contacts that bear a force at a state of rest are held (those with friction
 * stick; compliant ones are springs along the normal), and where they do d must be at rest: SAR_NOT_OFFERED.
 * Dry friction of joints at rest is left out.  `o` Nullable. */
SAR_API SarStatus sar_modes(const SarData* d, const SarModesOptions* o, SarModes** out,
                            SarError* err);
SAR_API const SarModesReport* sar_modes_report(const SarModes* modes);
SAR_API const char* sar_modes_coordinate(const SarModes* modes, int entry); /* "car.vz" */
SAR_API void sar_modes_free(SarModes* modes);                               /* NULL is fine */

/* Linearisation about the state of d, exact (no differences):
 *   d/dt x = f + A (x - x0) + B (u - u0),   y = y0 + C (x - x0) + D (u - u0)
 * x: positions, velocities, states of the file; of a mechanism with loops as many independent ones as there are
 * freedoms.  Rotations in space count as rotation vectors from the state. */
typedef struct SarLinearization SarLinearization;

typedef struct SarLinearizeOptions {
  size_t size; /* of this struct, as the program knows it */
  const char*
      inputs; /* names with commas between them: inputs of the model, and JOINT.tau (JOINT.tau2, ...) for a
                          force on a joint; NULL: all inputs */
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

/* What was assumed is in err as warnings: nothing touches, dry friction is its smooth law of the speed, motors with a
 * largest force and limits of joints are left out.  SAR_BAD_ARGUMENT: an unknown name.  SAR_NOT_OFFERED: a force
 * without derivatives.  SAR_SINGULAR: a singular position.  `o` Nullable. */
SAR_API SarStatus sar_linearize(const SarData* d, const SarLinearizeOptions* o,
                                SarLinearization** out, SarError* err);
SAR_API const SarLinearizationReport* sar_linearization_report(const SarLinearization* l);
/* "elbow.q", "car.rx" (a rotation vector), "elbow.tau"; NULL: out of range */
SAR_API const char* sar_linearization_state(const SarLinearization* l, int i);
SAR_API const char* sar_linearization_input(const SarLinearization* l, int i);
SAR_API const char* sar_linearization_output(const SarLinearization* l, int i);
SAR_API void sar_linearization_free(SarLinearization* l); /* NULL is fine */

/* Kinematics and inverse dynamics of a mechanism whose drives prescribe its whole motion, over a range of
 * time: nothing is integrated. */
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

/* Columns: "time", with branches "branch", the model's outputs, accelerations of all whose speeds are among
 * them.  Singular positions on the way are warnings in err.  `o` Nullable. */
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

/* Forces and power of the drives for the motion that they prescribe: "time", then for each equation of a drive
 * "NAME.value", ".speed", ".force", ".power".  The table is the caller's (sar_table_free). */
SAR_API SarStatus sar_inverse(const SarModel* m, const SarSweepOptions* o, SarTable** out,
                              SarError* err);

/* Trim: values of parameters or inputs for which averages over a period of the periodic (or steady) motion are as
 * wanted: thrust, flapping and moments of a rotor, the speed of a machine.  Each trial runs the model period after
 * period, from where the last one ended, until the averages repeat; Broyden's method brings what is left to 0. */
typedef struct SarTrim SarTrim;

enum { SAR_TRIM_MOST = 16 };

typedef struct SarTrimUnknown {
  const char* name;    /* a parameter or an input of the file */
  double lower, upper; /* limits; both 0: none */
} SarTrimUnknown;

typedef struct SarTrimCondition {
  const char *left,
      *right; /* expressions of measured quantities: their averages over a period shall be equal */
} SarTrimCondition;

/* After each iteration of the search; number 0 is where it starts. */
typedef struct SarTrimProgress {
  int iteration, trials, periods; /* so far */
  int count;
  const double *value, *left, *right; /* count each: of the unknowns, of the conditions */
  double worst; /* largest of what conditions lack, in shares of their tolerance: met below 1 */
} SarTrimProgress;

typedef struct SarTrimOptions {
  size_t size;                       /* of this struct, as the program knows it */
  const SarLoadOptions* load;        /* Nullable */
  const SarSimOptions* sim;          /* NULL: the model file's, else the defaults */
  const SarTrimUnknown* unknown;     /* as many as conditions, at most SAR_TRIM_MOST */
  const SarTrimCondition* condition; /* */
  int count;
  const char* period; /* s; an expression of parameters, "2*pi/Omega" */
  double start;       /* s; averages begin after this time: what is wound up is over.  0 */
  int max_periods;    /* of one trial; 0: 200 */
  int max_iterations; /* 0: 30 */
  double tolerance; /* of the conditions, relative to their sides and to how they follow; 0: 1e-5 */
  void* context;
  void (*on_progress)(void* context, const SarTrimProgress* progress); /* Nullable */
  bool (*should_stop)(void* context); /* asked after every period; Nullable */
} SarTrimOptions;

SAR_API void sar_trim_options_sized(SarTrimOptions* out, size_t size);
static inline SarTrimOptions sar_trim_options(void) {
  SarTrimOptions o;
  sar_trim_options_sized(&o, sizeof o);
  return o;
}

typedef struct SarTrimReport {
  int count;
  const double *value, *before; /* of the unknowns: found, and as the file has them */
  const double *left, *right;   /* averages of the conditions' sides */
  double period;                /* s */
  int iterations, trials, periods;
  double simulated; /* s; in all trials */
} SarTrimReport;

/* SAR_NOT_CONVERGED with a message where there is none, the motion does not become periodic, or an unknown stands at a
 * limit; *out then holds the best that was found.  SAR_BAD_MODEL, SAR_BAD_ARGUMENT: *out is NULL. */
SAR_API SarStatus sar_trim(const char* path, const SarTrimOptions* o, SarTrim** out, SarError* err);
SAR_API const SarTrimReport* sar_trim_report(const SarTrim* trim);
/* The model with the values found, and its state where the last period ended: the trim's. */
SAR_API const SarModel* sar_trim_model(const SarTrim* trim);
SAR_API const SarData* sar_trim_data(const SarTrim* trim);
SAR_API void sar_trim_free(SarTrim* trim); /* NULL is fine */

/* ---- batches ----------------------------------------------------------------------------------
 * n instances of one model, each with its own state, inputs and parameters, advanced together by
 * threads.  They do not know of each other: what one computes is, bit for bit, what it computes alone,
 * whatever the number of threads. */

typedef struct SarBatch SarBatch;

/* Begin with sar_batch_options(). */
typedef struct SarBatchOptions {
  size_t size;              /* of this struct, as the program knows it */
  const SarSimOptions* sim; /* of every instance; NULL: the model file's, else the defaults */
  int threads;              /* with the calling one; 0: as many as there are processors */
  /* Fixed steps by code that is generated from the model and compiled, several instances in the lanes of
   * the processor's vectors: for integrators euler, semi-implicit and rk4, and what `sarrus generate` takes;
   * for one model shared by all, or models that differ in parameters which are named below.  What it does not take runs as without; the report says why.  Agrees with the
   * interpreter to rounding; where it meets singular positions the interpreter steps in.  Work accounts
   * begin anew with every advance. */
  bool generated;
  int lanes; /* of generated code: 1, 4 or 8; 0: as the processor has */
  /* Of generated code for models of their own: the file that they were loaded from and how (`load`
   * Nullable), the names of the parameters in which they differ, and their values, first all of
   * instance 0.  Read by sar_batch_new alone, which compares accelerations of every
   * instance, where it begins, with those of its model. */
  const char* file;
  const SarLoadOptions* load;
  const char* const* parameters;
  int parameter_count;
  const double* parameter_values;
} SarBatchOptions;

SAR_API void sar_batch_options_sized(SarBatchOptions* out, size_t size);
static inline SarBatchOptions sar_batch_options(void) {
  SarBatchOptions o;
  sar_batch_options_sized(&o, sizeof o);
  return o;
}

/* Instance i is of models[i]: n times the same one, or alike ones that differ in parameters
 * (sar_model_is_like).  They must live as long as the batch.  Each begins with its model's initial state.
 * Takes all memory that advancing needs.  Where instances cannot be set up the others can still be
 * advanced: then *out is not NULL, the status is that of the first of them, and err says why.  `o`
 * Nullable. */
SAR_API SarStatus sar_batch_new(const SarModel* const* models, int n, const SarBatchOptions* o,
                                SarBatch** out, SarError* err);
SAR_API void sar_batch_free(SarBatch* b); /* NULL is fine */
SAR_API int sar_batch_count(const SarBatch* b);
/* State and inputs of an instance: to read, and to change between two calls of sar_batch_advance.  NULL:
 * it was not set up. */
SAR_API SarData* sar_batch_data(SarBatch* b, int instance);
/* All instances to t_end, as sar_advance does.  One that fails stays at its last good step and is not
 * advanced any more; the others are.  Allocates nothing.  The status of the first that failed, else SAR_OK. */
SAR_API SarStatus sar_batch_advance(SarBatch* b, double t_end);
/* Of one instance: what became of it, and when, where and why it failed ("": it did not). */
SAR_API SarStatus sar_batch_status(const SarBatch* b, int instance);
SAR_API const char* sar_batch_trouble(const SarBatch* b, int instance);
/* Values of its output columns at its present state. */
SAR_API SarStatus sar_batch_outputs(SarBatch* b, int instance, double* values);

typedef struct SarBatchReport {
  int failed;      /* instances so far */
  int threads;     /* that work, with the calling one */
  int lanes;       /* of generated code; 0: the interpreter */
  long handed;     /* advances that generated code began and the interpreter ended */
  const char* why; /* generated code was asked for and is not there, because; else "" */
} SarBatchReport;

SAR_API SarStatus sar_batch_report_sized(const SarBatch* b, SarBatchReport* out, size_t size);
static inline SarStatus sar_batch_report(const SarBatch* b, SarBatchReport* out) {
  return sar_batch_report_sized(b, out, sizeof *out);
}

/* ---- what there is -------------------------------------------------------------------------- */

/* One entry of the lists behind `sarrus list`. */
typedef struct SarListEntry {
  const char* name;
  const char* doc; /* one line */
  const char* ref; /* where it comes from; "" if nowhere in particular */
  const char* can; /* formulations: which models it takes; else "" */
  bool absolute;   /* formulations: needs a model in absolute coordinates */
} SarListEntry;

/* Number `index` of a list: "formulations", "integrators", "joints", "forces", "constraints", "shapes"
 * or "functions".  SAR_BAD_ARGUMENT past its end, or where there is no such list. */
SAR_API SarStatus sar_list_sized(const char* list, int index, SarListEntry* out, size_t size);
static inline SarStatus sar_list(const char* list, int index, SarListEntry* out) {
  return sar_list_sized(list, index, out, sizeof *out);
}

#ifdef __cplusplus
}
#endif
