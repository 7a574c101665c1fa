// SarSim: formulation + integrator + scratch. It stands below formulations and integrators so that
// both can use it; sim/ owns its life.
#pragma once
#include "base/error.h"
#include "model/data.h"

typedef struct SarFormulation SarFormulation;
typedef struct SarIntegrator SarIntegrator;

struct SarSim {
  const SarModel* m;
  SarData* d;
  SarSimOptions options;  // all filled in
  const SarFormulation* formulation;
  const SarIntegrator* integrator;
  SarStats stats;
  double next_step;  // adaptive integrators: proposal for the next step [s]
  double stop;       // the step in progress must not pass this time [s]
  bool restart;      // state or right-hand side changed from outside: forget histories
  char trouble[256];
  void* formulation_state;
  void* integrator_state;
  unsigned char* stack;  // step stack: sized at setup, mark and pop
  size_t stack_size, stack_used;
};

typedef size_t SarMark;
static inline SarMark sar_mark(const SarSim* s) { return s->stack_used; }
static inline void sar_pop(SarSim* s, SarMark mark) { s->stack_used = mark; }
// n doubles, 64-byte aligned; NULL when the stack is too small (then return SAR_NO_SCRATCH).
double* sar_push_doubles(SarSim* s, int n);

// The three shapes a formulation may have: a = f(t, q, v); residual + tangent; owns its update.
typedef enum SarShape { SAR_SHAPE_ACCEL, SAR_SHAPE_RESIDUAL, SAR_SHAPE_STEP } SarShape;

struct SarFormulation {
  const char* name;
  const char* doc;
  const char* ref;
  SarShape shape;
  // May it run this model? SAR_OK, or SAR_NOT_OFFERED with a message in err. Nullable: any open
  // tree.
  SarStatus (*accepts)(const SarModel* m, SarError* err);
  size_t (*state_size)(const SarModel* m, const SarSimOptions* o);  // bytes; Nullable: none
  size_t (*stack_size)(const SarModel* m);  // bytes of step stack it pushes; Nullable: none
  SarStatus (*accel)(SarSim* s);            // d->t, q, v -> d->a and d->work_rate
};

struct SarIntegrator {
  const char* name;
  const char* doc;
  const char* ref;
  int order;
  bool adaptive_default, can_fix, can_adapt, implicit;
  size_t (*state_size)(const SarModel* m, const SarSimOptions* o);  // bytes; Nullable: none
  size_t (*stack_size)(const SarModel* m);
  SarStatus (*start)(SarSim* s, SarError* err);  // Nullable: nothing to prepare
  void (*finish)(SarSim* s);                     // Nullable
  // One step from d->t to at most s->stop (fixed: min(t + step, stop)). On failure d is as before.
  SarStatus (*step)(SarSim* s);
};

const SarFormulation* sar_formulation(int index);  // NULL past the end
const SarFormulation* sar_formulation_find(const char* name);
const SarIntegrator* sar_integrator(int index);
const SarIntegrator* sar_integrator_find(const char* name);
