// C for a model: a header with documented names, a source that needs libm only, a test program, a
// CMake file and a README, as text.
//
// What the user's code sees: structs MODEL_state, _inputs, _rates and _outputs whose members have
// the model's own names (and, for loops, are arrays too), and functions
//   MODEL_start, MODEL_default_inputs, MODEL_accelerations, MODEL_step, MODEL_output_values,
//   and MODEL_close where coordinates follow from others.
// No allocation, no globals, no recursion, bounded loops.
#pragma once
#include "codegen/embedding.h"
#include "codegen/emit.h"
#include "codegen/implicit.h"
#include "codegen/runtime.h"
#include "codegen/slopes.h"
#include "codegen/symbols.h"
#include "model/data.h"

typedef enum SarGenerateMethod {
  SAR_GENERATE_ABA,
  SAR_GENERATE_CRBA,
  SAR_GENERATE_LAGRANGE,
  SAR_GENERATE_EMBEDDING,
  SAR_GENERATE_HYBRID,
  SAR_GENERATE_METHODS
} SarGenerateMethod;

typedef enum SarGenerateIntegrator {
  SAR_GENERATE_EULER,
  SAR_GENERATE_SEMI_IMPLICIT,
  SAR_GENERATE_RK4,
  SAR_GENERATE_TRAPEZOIDAL,
  SAR_GENERATE_INTEGRATORS
} SarGenerateIntegrator;

const char* sar_generate_method_name(int method);          // NULL past the last
const char* sar_generate_integrator_name(int integrator);  // NULL past the last

typedef struct SarGenerateOptions {
  const char* name;   // identifier that all names begin with
  const char* model;  // path of the model, for comments
  SarGenerateMethod method;
  SarGenerateIntegrator integrator;
  bool single;       // float in place of double
  int lanes;         // 4 or 8: code for so many instances at a time too; 0: none
  bool derivatives;  // MODEL_acceleration_derivatives too
  bool bare;         // no output columns
  // of the embedding technique; NULL: the model is looked at and nothing else
  const SarLoopFlow* flow;
  const SarImplicitRows* rows;  // of hybrid, likewise
  // parameters that stay fields of a struct (sar_generation_keep); load: how the model was loaded
  // from the path above
  int keeps;
  const char* const* keep;
  const SarLoadOptions* load;  // Nullable
} SarGenerateOptions;

// A state with the accelerations that the interpreter finds there: for the test program.
typedef struct SarSample {
  double t;
  double *q, *v, *z, *w, *held, *input, *tau;
  double *a, *z_rate;
  double* output;    // nchannel: all columns; NULL: not asked for
  double size;       // what errors of a are shares of
  double* slope;     // nv + nz: derivatives along sar_derivatives_direction; NULL: not asked for
  double* kept;      // nv + nz: the same along parameters that are kept; NULL: not asked for
  double kept_size;  // what errors of these are shares of
} SarSample;

// Where a run of the interpreter is after some steps.
typedef struct SarCheckPoint {
  SarSample at;
  int steps;
  double grown;      // what a change of 1e-13 of the first speeds has grown to at most
  double corrected;  // how far rates from after the corrections lead from those from before them
} SarCheckPoint;

typedef struct SarCheck {
  int samples;
  SarSample* sample;
  // a run by the interpreter with the same integrator and fixed steps; steps 0: none
  int steps, points;
  double step;
  SarCheckPoint* point;
  const char* ended;  // what comes where the run ends before its second; NULL: it does not
} SarCheck;

// Identifiers of all coordinates and columns.
typedef struct SarIdentifiers {
  const char **q, **v, **tau, **z, **w, **input;  // nq, nv, nv, nz, ndiscrete, ninput
  const char** output;                            // nchannel; NULL: not generated
  const char** parameter;                         // o.keeps
  int outputs;
} SarIdentifiers;

typedef struct SarGeneration {
  const SarModel* m;
  const SarData* start;  // assembled
  SarGenerateOptions o;
  SarArena* arena;
  SarSymbols symbols;
  SarIdentifiers names;
  SarNode* channel;  // by channel: its value; SAR_NONE: not generated
  SarRuntime runtime, family_runtime[SAR_FAMILY_LANES + 1];  // of families by their lanes
  SarEmitted accelerations, projection, outputs, derivatives;
  SymSlopes slopes;
  SarNode* weight;           // nrow: of the constraint rows
  SarNode *back_q, *back_v;  // nv: of the projection; NULL: found where they are written
  double* kept;              // o.keeps: values of the parameters that are kept
  SarNode* instant;          // of sar_generation_instants; NULL: found where they are written
  // embedding: the choice of coordinates, and how loops are closed
  SarTwins* twins;
  SarPartition* partition;
  SarSymbols loops;
  SarSymbols terms;  // with parameters that are kept: of speeds as they are
  SymClosing closing;
  SymNewton newton;
  SarImplicit implicit;  // hybrid
  SarWriter header, source, body;
  int lanes;  // it is the code of lanes that is being written; 0: of one instance
} SarGeneration;

// Puts the model into symbols by the method; reports all that cannot be. SAR_NOT_OFFERED then.
SarStatus sar_generation_begin(SarGeneration* g, const SarModel* m, const SarData* start,
                               const SarGenerateOptions* o, SarArena* arena, SarError* err);
// After that: o.keep as symbols in place of numbers. SAR_NOT_OFFERED after a report of one that
// cannot be.
SarStatus sar_generation_keep(SarGeneration* g, SarError* err);
// The model with other values of the parameters that are kept, from its file.
SarStatus sar_kept_model(const SarGenerateOptions* o, const double* value, SarModel** m);
// Header and source.
SarStatus sar_generation_write(SarGeneration* g);
// Test program, CMakeLists.txt and README.md.
void sar_generation_test(SarGeneration* g, const SarCheck* check, SarWriter* out);
// Of that: the numbers of the run, and the function that compares with them (check_run.c).
void sar_generation_test_of_run(const SarGeneration* g, const SarCheck* check, SarWriter* w);
void sar_generation_print_run(const SarGeneration* g, const SarCheck* check, SarWriter* w);
void sar_generation_cmake(SarGeneration* g, SarWriter* out);
void sar_generation_readme(SarGeneration* g, SarWriter* out);

// With lanes: header, source and test program of the code for several instances at a time. `alone`:
// the source stands for itself, without the code for one instance.
SarStatus sar_generation_lanes(const SarGeneration* g, bool alone, SarWriter* header,
                               SarWriter* source, SarWriter* test);

// ---- between the parts --------------------------------------------------------------------------
// An identifier of C made of a text: letters, digits and '_', no keyword.
const char* sar_identifier(SarArena* arena, const char* text);
bool sar_identifiers_make(SarGeneration* g);
// g->m by the method: M, forces, constraints; then what follows from them, with weights.
void sar_generation_terms(SarGeneration* g);
void sar_generation_solution(SarGeneration* g);
void sar_generation_number(SarWriter* w, double x);  // with a point
void sar_generation_default_parameters(const SarGeneration* g, SarWriter* w);
// The values of the columns that can be generated.
void sar_generation_channels(SarGeneration* g);
// Weights of the constraint rows at the present state of `d`.
void sar_generation_weights(const SarModel* m, SarData* d, double* weight);
void sar_generation_header(const SarGeneration* g, SarWriter* out);
const char* sar_generation_symbol(void* context, const char* name);
// The text in single precision.
void sar_single_write(SarWriter* to, const char* text, int length);
void sar_generation_step(SarGeneration* g, SarWriter* out);
// Do steps end at kinks in time? Then NAME_stretch is a step between two of them, and this writes
// NAME_step.
bool sar_generation_lands(const SarGeneration* g);
// NAME_what: n times as constants; where there are none, an array of one that nobody reads.
void sar_generation_times(const SarGeneration* g, SarWriter* out, const char* what, int n,
                          const double* x);
void sar_generation_kinks(const SarGeneration* g, SarWriter* out);  // NAME_kink_after, NAME_beside
void sar_generation_landing(const SarGeneration* g, SarWriter* out);
void sar_generation_structs(const SarGeneration* g, SarWriter* out);
// Discrete-time states: NAME_discrete, for the end of a step (discrete.c).
SarStatus sar_generation_accept_discrete(const SarGeneration* g, SarError* err);
// out (3 ndiscrete): what relays settle to, what held values become at an instant, what delays keep
// then.
void sar_generation_instants(SarGeneration* g, SarNode* out);
bool sar_generation_emit_discrete(SarGeneration* g);
void sar_generation_instant_type(const SarGeneration* g, SarWriter* out);
void sar_generation_discrete(const SarGeneration* g, SarWriter* out);
// The functions of accelerations, projection and outputs into g->body.
// Gates by known times: what of them is not generated; equations of what switches; NAME_switch.
SarStatus sar_generation_accept_gates(const SarGeneration* g, SarError* err);
bool sar_generation_switches(const SarGeneration* g);  // are constraints switched?
bool sar_generation_emit_gates(SarGeneration* g);
void sar_generation_found_type(const SarGeneration* g, SarWriter* out);
void sar_generation_switch(const SarGeneration* g, SarWriter* out);
double* sar_generation_held(SarArena* arena, const SarModel* m, const SarData* d);  // of a sample
void sar_generation_start_held(const SarGeneration* g, SarWriter* out);
bool sar_generation_emit(SarGeneration* g);
void sar_generation_move(const SarGeneration* g, SarWriter* out);
SarEmit sar_generation_emitter(SarGeneration* g, const char* what, const char* out_type);
// Derivatives of open trees.
SarStatus sar_derivatives_accept(const SarGeneration* g, SarError* err);
void sar_derivatives_header(const SarGeneration* g, SarWriter* w);
bool sar_derivatives_emit(SarGeneration* g);
void sar_derivatives_test(const SarGeneration* g, SarWriter* w);
int sar_derivatives_slopes(const SarModel* m);
// The test's direction: displacements, speeds, inputs, states, time, forces, one after the other.
double sar_derivatives_direction(int i);
// That of parameters: shares of their values.
double sar_derivatives_kept_direction(const SarGeneration* g, int i);
double sar_derivatives_bound(const SarGeneration* g);  // of the test
// Closing loops by the embedding technique: equations, functions, the struct they fill, NAME_close.
bool sar_generation_closing(SarGeneration* g, const SarData* d);
bool sar_generation_emit_closing(SarGeneration* g);
void sar_generation_closed_type(const SarGeneration* g, SarWriter* out);
void sar_generation_close(SarGeneration* g, SarWriter* out);
enum { SAR_CLOSE_ITERATIONS = 20 };  // of Newton's method
bool sar_generation_has_polynomials(const SarGeneration* g);
bool sar_generation_depends(const SarGeneration* g, int dof);
bool sar_generation_is_found(const SarGeneration* g, int dof);  // by the flow itself
int sar_generation_q_of(const SarModel* m, int dof);
bool sar_generation_is_pushed(const SarGeneration* g, int dof);  // a step needs its acceleration
// The same over lanes (lanes_close.c): NAME_close; open, flat and sum of accelerations as bits.
void sar_lanes_close(const SarGeneration* v, SarWriter* out);
void sar_lanes_evaluation(const SarGeneration* v, SarWriter* out, const char* rates);
void sar_lanes_push(const SarGeneration* v, SarWriter* out);
// Implicit steps: functions, the structs, NAME_step.
bool sar_generation_emit_implicit(SarGeneration* g);
void sar_generation_memory_type(const SarGeneration* g, SarWriter* out);
void sar_generation_implicit_types(const SarGeneration* g, SarWriter* out);
bool sar_generation_implicit_step(SarGeneration* g, SarWriter* out);
// Is nothing read of the accelerations and new speeds of coordinates that follow? (explicit Euler,
// one instance)
bool sar_generation_pushes_alone(const SarGeneration* g);
