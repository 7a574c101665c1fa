// One instance of an FMU of ours: what both versions of the interface are thin layers over.
//
// A model is made where an instance is, and again where parameters have other values: before
// initialisation for every parameter, later for tunable ones, and the run goes on in the new model.
// Nothing is shared between instances, nothing is global: any number of them may live in one
// process.
#pragma once
#include "dynamics/derivatives.h"
#include "fmi/source.h"
#include "model/sim.h"

// The same numbers in FMI 2 and 3.
typedef enum SarFmuStatus { FMU_OK, FMU_WARNING, FMU_DISCARD, FMU_ERROR, FMU_FATAL } SarFmuStatus;

typedef enum SarFmuMode {
  FMU_NEW,         // instantiated, or reset
  FMU_STARTING,    // initialisation mode
  FMU_EVENT,       // event mode
  FMU_CONTINUOUS,  // model exchange: continuous-time mode
  FMU_STEPPING,    // co-simulation: step mode
  FMU_ENDED        // terminated, or a step has failed
} SarFmuMode;

typedef struct SarFmuLog {
  void (*say)(void* owner, SarFmuStatus status, const char* category, const char* text);
  void* owner;
} SarFmuLog;

// A model and the values of the parameters that it was made with; instance and saved states share
// it.
typedef struct SarFmuModel {
  int users;
  SarModel* m;
  double* value;
  double* held;  // room for quantities that expressions take from the last step
} SarFmuModel;

typedef struct SarFmu {
  SarFmuLog log;
  bool logging;
  bool me;  // model exchange; else co-simulation
  SarFmuMode mode;
  SarFmiSource source;
  SarFmiDescription description;
  SarFmuModel* model;
  SarData* d;
  SarSim* s;
  SarDerivatives* w;   // NULL: not needed yet
  double start;        // time of the beginning [s]
  double* value;       // parameters that are wanted
  double* input;       // inputs likewise
  double* x;           // states: start values until a run begins, then room for them
  double* dx;          // room for rates
  bool* x_given;       // which were set before
  double* output;      // the model's columns,
  bool output_is_new;  // evaluated at the present state
  bool rates_are_new;  // so are accelerations
  bool stale;          // what was set wants another model or another beginning
  double tolerance;    // of the importer's integrator, relative
  double sampled;      // model exchange: when samples were taken last [s]
  double t_low,
      t_high;   // model exchange: the right-hand side sees times within these (sim/kinks.h)
  int pause;    // SarSimOptions.cancel: back after every step
  long events;  // that were told
} SarFmu;

typedef struct SarFmuMake {
  const char* token;
  const char* resources;  // a path
  bool me, logging;
  SarFmuLog log;
} SarFmuMake;

// NULL after a message.
SarFmu* sar_fmu_new(const SarFmuMake* how);
void sar_fmu_free(SarFmu* f);
SarFmuStatus sar_fmu_enter_initialization(SarFmu* f, double start);
SarFmuStatus sar_fmu_exit_initialization(SarFmu* f);
SarFmuStatus sar_fmu_reset(SarFmu* f);

// Messages: with a sentence of ours, all of an error, what a simulation says of its last step.
SarFmuStatus sar_fmu_say(const SarFmu* f, SarFmuStatus status, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
SarFmuStatus sar_fmu_tell(const SarFmu* f, SarStatus status, const SarError* err,
                          const char* doing);
SarFmuStatus sar_fmu_step_failed(const SarFmu* f, SarStatus status);
void sar_fmu_tell_events(SarFmu* f);

// The simulation with all that was set in it, made if it is not there; false after a message.
bool sar_fmu_ready(SarFmu* f);
// The state has changed: nothing that was evaluated holds.
void sar_fmu_touch(SarFmu* f);
// The model with the values that are wanted; NULL after a message.
SarFmuModel* sar_fmu_model_make(const SarFmu* f);
SarFmuModel* sar_fmu_model_take(SarFmuModel* model);
void sar_fmu_model_drop(SarFmuModel* model);
// Goes on in another model, which is taken over, with the state of `from`; false after a message,
// and all is as it was.
bool sar_fmu_adopt(SarFmu* f, SarFmuModel* model, const SarData* from, bool same_model);

// values.c: by value references
SarFmuStatus sar_fmu_get(SarFmu* f, const unsigned* vr, size_t n, double* value);
SarFmuStatus sar_fmu_set(SarFmu* f, const unsigned* vr, size_t n, const double* value);
void sar_fmu_read_states(const SarFmu* f, double* x);
void sar_fmu_write_states(SarFmu* f, const double* x);

// settle.c: model exchange: what expressions take from the last step is that of this instant
SarStatus sar_fmu_settle(SarFmu* f);

// continuous.c: model exchange
SarFmuStatus sar_fmu_rates(SarFmu* f, double* dx);
SarFmuStatus sar_fmu_indicators(SarFmu* f, double* value);
SarFmuStatus sar_fmu_indicator(SarFmu* f, int index, double* value);
SarFmuStatus sar_fmu_set_time(SarFmu* f, double t);
SarFmuStatus sar_fmu_step_completed(SarFmu* f, bool* event);
typedef struct SarFmuEvent {
  bool values_changed, next_time_defined;
  double next_time;
} SarFmuEvent;
SarFmuStatus sar_fmu_update_discrete(SarFmu* f, SarFmuEvent* out);
void sar_fmu_enter_continuous(SarFmu* f);

// step.c: co-simulation
typedef struct SarFmuStep {
  double t, h;
  // back where something is switched within the step, if this is allowed
  bool may_return;
  // asked after every step of the integrator: true ends the communication step there. Nullable.
  bool (*after)(void* context, double t);
  void* context;
  bool event, early;  // what came of it
} SarFmuStep;
SarFmuStatus sar_fmu_do_step(SarFmu* f, SarFmuStep* step);

// direction.c: exact derivatives of outputs and rates along a direction of states and inputs
SarFmuStatus sar_fmu_direction(SarFmu* f, const unsigned* unknown, size_t unknowns,
                               const unsigned* known, size_t knowns, const double* seed,
                               double* sensitivity);

// saved.c: states of the whole instance
typedef struct SarFmuSaved SarFmuSaved;
SarFmuStatus sar_fmu_save(SarFmu* f, SarFmuSaved** state);
SarFmuStatus sar_fmu_restore(SarFmu* f, const SarFmuSaved* state);
void sar_fmu_saved_free(SarFmuSaved* state);
SarFmuStatus sar_fmu_saved_size(SarFmu* f, const SarFmuSaved* state, size_t* size);
SarFmuStatus sar_fmu_serialize(SarFmu* f, const SarFmuSaved* state, unsigned char* bytes,
                               size_t size);
SarFmuStatus sar_fmu_deserialize(SarFmu* f, const unsigned char* bytes, size_t size,
                                 SarFmuSaved** state);
