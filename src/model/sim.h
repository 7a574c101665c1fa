// SarSim: formulation + integrator + scratch. It stands below formulations and integrators so that
// both can use it; sim/ owns its life. What a step leaves for the next one is in SarData, all of
// it.
#pragma once
#include "base/error.h"
#include "model/data.h"
#include "model/rule.h"

typedef struct SarFormulation SarFormulation;
typedef struct SarIntegrator SarIntegrator;
// A state and the rates that go with it.
typedef struct SarInstant {
  double t;
  double* q;       // nq, then of the cuts: the turns they are in (nq_all)
  double* v;       // nv, then of the cuts (nv_all)
  double* z;       // nz
  double* work;    // nwork
  double* a;       // nv
  double* z_rate;  // nz
  double* power;   // nwork: rates of `work`
} SarInstant;

// A run of coordinates that are integrated alike: one joint with local coordinates of its own
// (quaternions), or any number of plain ones with q = q0 + xi.
typedef struct SarSpan {
  int joint;  // -1: plain
  int qadr, vadr, nv;
} SarSpan;

// A method of the Newmark family, in the form that keeps its order where there are constraints
// (Arnold and Bruls 2007). x is the displacement of the step, A an average of accelerations, and
// the equations of motion hold at the end of the step:
//
//   x  = h v0 + h^2 ((1/2 - beta) A0 + beta A1)
//   v1 = v0 + h ((1 - gamma) A0 + gamma A1)
//   (1 - alpha_m) A1 + alpha_m A0 = (1 - alpha_f) a1 + alpha_f a0
//
// The trapezoidal rule is alpha_m = alpha_f = 0, beta = 1/4, gamma = 1/2: A = a.
typedef struct SarScheme {
  double alpha_m, alpha_f, beta, gamma;
} SarScheme;

// What a simulation calls of its formulation and integrator, all of it there (sim/method.c).
typedef struct SarCalls {
  SarStatus (*accel)(SarSim* s);
  SarStatus (*step)(SarSim* s);  // of whoever makes the steps
  void (*init)(SarSim* s);
  void (*adopt)(SarSim* s);
  void (*adopt_integrator)(SarSim* s);
  void (*regroup)(SarSim* s);
  void (*look)(SarSim* s);
  bool (*show)(SarSim* s);
  void (*finish)(SarSim* s);
  void (*finish_integrator)(SarSim* s);
} SarCalls;

struct SarSim {
  const SarModel* m;
  SarData* d;
  SarSimOptions options;  // all filled in
  const SarFormulation* formulation;
  const char* reason;  // why `auto` took this formulation; "" when it was asked for
  const SarIntegrator* integrator;
  SarCalls call;
  bool adaptive;     // error control is on
  SarScheme scheme;  // of the integrator, for formulations of SAR_SHAPE_STEP
  SarRule rule;      // likewise, of SAR_SHAPE_MULTISTEP
  SarStats stats;
  SarFreedom freedom;                // that of d, as this simulation knows it
  int* row_order;                    // nrow: that of d
  double* row_size;                  // nrow: that of d
  double* row_unit;                  // nrow: the mechanism's size for lengths, 1 for angles
  double* dof_unit;                  // nv, where there are rows: the same of coordinates
  double size;                       // of the mechanism [m]; 1: no constraints
  double faint;                      // share of their grip below which rows are not believed
  struct SarProjection* projection;  // onto the constraints, where a step ends; NULL: none
  struct SarSharing* sharing;  // of forces among redundant constraints, for columns; NULL: none
  struct SarEvents* events;    // what is switched on and off (sim/events.h); NULL: nothing
  // the step in progress, prepared by sar_step
  SarInstant start;      // state at its beginning: local coordinates xi count from start.q
  double* start_switch;  // switching functions there
  SarClock start_clock;
  bool restart;              // a new beginning: rates and histories do not hold
  struct SarBefore* before;  // the rest of the state at its beginning (sim/state.h)
  struct SarPool* pool;      // threads that share the work of a step (base/pool.h); NULL: none
  // budgets of time [s]: clock when the step began, and when iterations in it ended; time that is
  // needed after that
  double began, iterated, tail;
  double stop;           // fixed steps end here, adaptive ones must not pass it [s]
  bool locate;           // an adaptive step may end beyond a kink of the state: it will be repeated
  double t_low, t_high;  // the right-hand side sees times within these: one-sided at kinks
  bool stepping;         // nobody looks at more than accelerations and rates of an evaluation
  bool bare;             // ... and the last one left no kinematics in d
  bool still;            // time stands still for it (analysis/settle.c)
  double* end_switch;    // nswitch: scratch, switching functions at the end of an attempt
  int worst;             // coordinate (of nv) that held up the step, -1 = none
  double tried;          // length of the last attempt at a step [s]
  // what is asked of its energy (sim/judge_energy.c)
  bool near_singular;  // set by the formulation, from its state: the step may pass a singular
                       // position
  int let_go;          // likewise: 1 + coordinate that it would let go, which ends the run; 0: none
  bool judged;         // it was so when the step began
  double* usual;       // state: largest kinetic energy, rate of the step before
  double energy_error;  // of the account where it began [J]
  double end_error;     // and where the last step that was judged has ended,
  size_t end_version;   // if d->version is this one still
  double balanced;  // energy that the formulation took out of it, for its account to balance [J]
  double lost;      // share of the kinetic energy that no order explains; 0: none
  // what the method remembers: fields as they were declared, and where pointers to them are
  SarMethod method;  // without a block: that is in d
  void** field_at[SAR_METHOD_FIELDS];
  // in d: shape STEP, averaged rates of the states; MULTISTEP, states and rates where the last step
  // began, and its length (implicit/states.h)
  double *z_average, *z_before, *z_rate_before, *z_length;
  size_t version;  // of d that this simulation knows
  int nspan;
  SarSpan* span;
  double (*now)(void);  // for budgets of time only
  char trouble[400];
  void* formulation_state;
  void* integrator_state;
  unsigned char* stack;  // step stack: sized at setup, mark and pop
  size_t stack_size, stack_used;
};

// Declares a field of the method's state, in `start`: *at will point to `count` numbers in d, zero
// where a run begins. They are copied, hashed and saved with the data; so whatever a step reads
// that does not follow from the rest of the state belongs there, and scratch must not carry
// anything from step to step. The second: whole numbers from 0 to `most`.
void sar_state_doubles(SarSim* s, const char* name, double** at, int count);
void sar_state_ints(SarSim* s, const char* name, int** at, int count, int most);

typedef size_t SarMark;
static inline SarMark sar_mark(const SarSim* s) { return s->stack_used; }
static inline void sar_pop(SarSim* s, SarMark mark) { s->stack_used = mark; }
// n doubles, 64-byte aligned; NULL when the stack is too small (then return SAR_NO_SCRATCH).
double* sar_push_doubles(SarSim* s, int n);

// ---- formulations -------------------------------------------------------------------------------
//
// Equations of motion of the whole model. A formulation has one of four shapes; whatever its shape,
// `accel` gives the accelerations at an instant, and its shape's own small interface the rest:
//
//   SAR_SHAPE_ACCEL  a = f(t, q, v), stepped by any integrator; .accelerations (all of it optional)
//   SAR_SHAPE_STEP      makes the step itself, implicit in positions, with the numbers of an
//                       integrator of the Newmark family (s->scheme); .implicit
//   SAR_SHAPE_MULTISTEP likewise, by a two-step rule for first-order equations (s->rule)
//   SAR_SHAPE_IMPULSE   makes the step itself, with velocities that jump (Moreau); .impulses
//
// The smallest formulation is a name and `accel`. What an entry leaves out is filled in once, when
// a simulation is made (SarCalls), so that nobody asks again whether it is there.
typedef enum SarShape {
  SAR_SHAPE_ACCEL,
  SAR_SHAPE_STEP,
  SAR_SHAPE_MULTISTEP,
  SAR_SHAPE_IMPULSE,
  SAR_SHAPES
} SarShape;
// Does it make steps that are implicit in positions?
static inline bool sar_shape_is_implicit(SarShape shape) {
  return shape == SAR_SHAPE_STEP || shape == SAR_SHAPE_MULTISTEP;
}

// What a formulation can take, besides open trees.
typedef enum SarCan {
  SAR_CAN_CONSTRAINTS = 1,    // closed loops, couplings, drives
  SAR_CAN_REDUNDANT = 2,      // constraints that follow from others
  SAR_CAN_SINGULAR_MASS = 4,  // bodies without inertia, as far as constraints hold them
  SAR_CAN_RANK_CHANGE = 8,    // positions where constraints lose their grip
  SAR_CAN_CONTACT = 16        // solids that touch, motors
} SarCan;

// Models for which sar_choose tries a formulation.
enum { SAR_TRY_TREES = 1, SAR_TRY_LOOPS = 2 };

struct SarIndex1;  // formulations/index1/index1.h

typedef struct SarAccelerations {
  // Its own projection, of what accel left: takes out of a displacement x (nv) what the constraints
  // do not allow; and moves q and v onto the constraints. Both or none: sar_project.
  void (*filter)(SarSim* s, double* x);
  SarStatus (*settle)(SarSim* s);
  // The index-1 family: its linear problem. Nullable: it is none of the family.
  SarStatus (*solve)(struct SarIndex1* p);
} SarAccelerations;

typedef struct SarImplicitStep {
  SarStatus (*step)(SarSim* s);  // one fixed step by s->scheme or s->rule, under the contract of
                                 // SarIntegrator.step
  // Of the step just made: what the rule left out, e = (e_x, e_v, e_z). Nullable: there is no error
  // control.
  void (*error)(SarSim* s, double* e);
} SarImplicitStep;

typedef struct SarImpulseStep {
  SarStatus (*step)(SarSim* s);  // one fixed step, under the contract of SarIntegrator.step
  // Where a step has ended: d->a and d->lambda are those that acted in it, as means, with impulses.
  // False: no step was made yet.
  bool (*show)(SarSim* s);
  int max_iterations;  // where options leave it open
} SarImpulseStep;

struct SarFormulation {
  const char* name;
  const char* doc;
  const char* ref;
  const char* why;  // the reason when `auto` takes it
  SarShape shape;
  unsigned can;      // of SarCan
  unsigned tried;    // SAR_TRY_*
  bool recommended;  // hints name it
  bool absolute;     // for models in absolute coordinates only
  bool stabilised;   // keeps to the constraints by itself: no projection
  bool closes;       // dependent coordinates follow from the others: projects whatever options say
  SarFrictionLaw friction;  // how it takes dry friction of joints
  bool picks_rows;  // of redundant constraints only some act: reactions are not the smallest
  // Under constraints: kinematics and forces of d are those of where a step ended.
  bool ends_evaluated;
  // d->t, q, v, z -> d->a, d->lambda, d->z_rate and d->work_rate
  SarStatus (*accel)(SarSim* s);
  SarAccelerations accelerations;  // by shape
  SarImplicitStep implicit;
  SarImpulseStep impulses;
  // life of its memory, all Nullable: bytes of scratch, bytes of step stack that it pushes;
  // preparing (start may fail half-way, finish comes all the same)
  size_t (*state_size)(const SarModel* m, const SarSimOptions* o);
  size_t (*stack_size)(const SarModel* m);
  SarStatus (*start)(SarSim* s, SarError* err);
  void (*finish)(SarSim* s);
  // what happens to a run, all Nullable. None of them allocates.
  void (*init)(SarSim* s);  // begins where d is: fields of the state that are not zero then
  void (*adopt)(
      SarSim* s);  // is another one (a copy, a file, other rows): scratch that follows from it
  // rows have come or gone: s->row_order and s->freedom are new, constraints evaluated. NULL: it
  // cannot take constraints that are switched.
  void (*regroup)(SarSim* s);
  void (*look)(SarSim* s);  // a step ended, or a run begins, d being evaluated: what lies ahead?
};

// ---- integrators --------------------------------------------------------------------------------
//
// A rule for going from t to t + h. For each shape of formulation that it serves it is one thing: a
// `step` for accelerations, the numbers of a Newmark scheme or of a two-step rule for implicit
// steps, a name for what formulations with impulses do.
enum {
  SAR_FOR_ACCEL = 1 << SAR_SHAPE_ACCEL,
  SAR_FOR_STEP = 1 << SAR_SHAPE_STEP,
  SAR_FOR_MULTISTEP = 1 << SAR_SHAPE_MULTISTEP,
  SAR_FOR_IMPULSE = 1 << SAR_SHAPE_IMPULSE
};

// What the engine itself takes an integrator for.
enum {
  SAR_USE_TRIAL = 1,   // sar_choose tries it
  SAR_USE_DAMPED = 2,  // and this one where the others ring
  SAR_USE_STIFF = 4    // with error control where the usual one takes for ever
};

typedef struct SarNewmark {
  SarScheme (*scheme)(const SarSimOptions* o);
  double spectral_radius, least;  // at infinite frequency: default, and the least it can have
} SarNewmark;

typedef struct SarMultistep {
  SarRule (*rule)(const SarSimOptions* o);
  double spectral_radius, least;
} SarMultistep;

struct SarIntegrator {
  const char* name;
  const char* doc;
  const char* ref;
  const char* missing;  // why it is not in this build; NULL: it is
  int order;
  unsigned serves;  // SAR_FOR_*
  unsigned usual;   // those of them that take it where none is named
  unsigned use;     // SAR_USE_*
  bool adaptive_default, can_fix, can_adapt, implicit;
  // life of its memory, as that of a formulation
  size_t (*state_size)(const SarModel* m, const SarSimOptions* o);
  size_t (*stack_size)(const SarModel* m);
  SarStatus (*start)(SarSim* s, SarError* err);
  void (*finish)(SarSim* s);
  void (*adopt)(SarSim* s);
  // Its history is in a library and cannot be copied: a copy of the data begins it anew.
  bool keeps_history;
  // SAR_FOR_ACCEL: one step from s->start (where d is, rates included) to s->stop, or not so far if
  // s->adaptive. Leaves the new state in d, with a, z_rate and work_rate evaluated there. On
  // failure d may be left anywhere: sar_step puts it back to s->start.
  SarStatus (*step)(SarSim* s);
  // y = (xi, v, z, work) at start.t + theta h of the step just taken, 0 <= theta <= 1. Nullable.
  void (*dense)(SarSim* s, double theta, double* y);
  SarNewmark newmark;      // SAR_FOR_STEP
  SarMultistep multistep;  // SAR_FOR_MULTISTEP
};

enum { SAR_MOST_METHODS = 63 };                    // entries of either table
const SarFormulation* sar_formulation(int index);  // NULL past the end
const SarFormulation* sar_formulation_find(const char* name);
const SarIntegrator* sar_integrator(int index);
const SarIntegrator* sar_integrator_find(const char* name);
// By the names people give (model/methods.c); false after a report at the place of the name, which
// is the caller's if there is none. *out of the formulation "auto" is NULL: it is found from the
// model.
bool sar_is_auto(const char* formulation);
bool sar_formulation_named(const char* name, SarLoc loc, const SarFormulation** out, SarError* err);
bool sar_integrator_named(const char* name, SarLoc loc, const SarIntegrator** out, SarError* err);
// How `embedding` finds dependent coordinates; *out: the same name, for good.
bool sar_kinematics_named(const char* name, SarLoc loc, const char** out, SarError* err);
// Can a formulation be stepped by an integrator? Which one goes with it where none is named?
bool sar_goes_with(const SarFormulation* f, const SarIntegrator* i);
const SarIntegrator* sar_usual_integrator(SarShape shape);
// Of an integrator that has one: the spectral radius at infinite frequency, usual and least. False:
// it has none.
bool sar_integrator_radius(const SarIntegrator* i, double* usual, double* least);
