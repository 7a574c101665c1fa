// An importer of FMUs for model exchange: Runge-Kutta of order 4 by steps of its own, events by
// bisection.
#pragma once
#include "support/fmu.h"

#include <math.h>

enum { MOST = 200 };

typedef struct Exchange {
  Fmu fmu;
  Fmi3Instance c;
  Fmi3SetTime* set_time;
  Fmi3SetStates* set_states;
  Fmi3GetNumbers *get_states, *rates, *indicators;
  Fmi3GetFloat64* get;
  Fmi3SetFloat64* set;
  Fmi3CompletedIntegratorStep* completed;
  Fmi3Plain *to_events, *to_time;
  Fmi3UpdateDiscreteStates* update;
  size_t nx, nz;
  double t, next;  // next: time event
  double silent;   // steps are told of this much apart, or where something happens [s]
  double told;     // the last one
  int events;
  double x[MOST];
} Exchange;

// An instance of @me.fmu.
static inline void attach_exchange(Exchange* e) {
  fmu_open(&e->fmu, "me.fmu");
  FMU_FUNCTION(&e->fmu, Fmi3SetTime, fmi3SetTime);
  FMU_FUNCTION(&e->fmu, Fmi3SetStates, fmi3SetContinuousStates);
  FMU_FUNCTION(&e->fmu, Fmi3GetNumbers, fmi3GetContinuousStates);
  FMU_FUNCTION(&e->fmu, Fmi3GetNumbers, fmi3GetContinuousStateDerivatives);
  FMU_FUNCTION(&e->fmu, Fmi3GetNumbers, fmi3GetEventIndicators);
  FMU_FUNCTION(&e->fmu, Fmi3GetFloat64, fmi3GetFloat64);
  FMU_FUNCTION(&e->fmu, Fmi3SetFloat64, fmi3SetFloat64);
  FMU_FUNCTION(&e->fmu, Fmi3CompletedIntegratorStep, fmi3CompletedIntegratorStep);
  FMU_FUNCTION(&e->fmu, Fmi3Plain, fmi3EnterEventMode);
  FMU_FUNCTION(&e->fmu, Fmi3Plain, fmi3EnterContinuousTimeMode);
  FMU_FUNCTION(&e->fmu, Fmi3UpdateDiscreteStates, fmi3UpdateDiscreteStates);
  FMU_FUNCTION(&e->fmu, Fmi3GetCount, fmi3GetNumberOfContinuousStates);
  FMU_FUNCTION(&e->fmu, Fmi3GetCount, fmi3GetNumberOfEventIndicators);
  e->set_time = fmi3SetTime, e->set_states = fmi3SetContinuousStates;
  e->get_states = fmi3GetContinuousStates, e->rates = fmi3GetContinuousStateDerivatives;
  e->indicators = fmi3GetEventIndicators, e->get = fmi3GetFloat64, e->set = fmi3SetFloat64;
  e->completed = fmi3CompletedIntegratorStep;
  e->to_events = fmi3EnterEventMode, e->to_time = fmi3EnterContinuousTimeMode;
  e->update = fmi3UpdateDiscreteStates;
  e->c = fmu_make3(&e->fmu, true);
  assert_int_equal(fmi3GetNumberOfContinuousStates(e->c, &e->nx), 0);
  assert_int_equal(fmi3GetNumberOfEventIndicators(e->c, &e->nz), 0);
  assert_true(e->nx <= MOST && e->nz <= MOST);
  assert_int_equal(e->nz, e->fmu.indicators);
}

static inline void open_exchange(Exchange* e, const char* model, const char* options) {
  char arguments[400];
  snprintf(arguments, sizeof arguments, "export %s %s --me -o @me.fmu", model, options);
  expect_status_of(sarrus(arguments), 0);
  attach_exchange(e);
}

static inline void close_exchange(Exchange* e) {
  FMU_FUNCTION(&e->fmu, Fmi3FreeInstance, fmi3FreeInstance);
  fmi3FreeInstance(e->c);
  fmu_close(&e->fmu);
}

static inline void in_event_mode(Exchange* e) {
  bool again, terminate, nominals, values, next;
  assert_int_equal(e->update(e->c, &again, &terminate, &nominals, &values, &next, &e->next), 0);
  assert_false(again);
  assert_int_equal(e->get_states(e->c, e->x, e->nx), 0);
  assert_int_equal(e->to_time(e->c), 0);
}

static inline void begin(Exchange* e) {
  FMU_FUNCTION(&e->fmu, Fmi3EnterInitializationMode, fmi3EnterInitializationMode);
  FMU_FUNCTION(&e->fmu, Fmi3Plain, fmi3ExitInitializationMode);
  assert_int_equal(fmi3EnterInitializationMode(e->c, true, 1e-9, 0, false, 0), 0);
  assert_int_equal(fmi3ExitInitializationMode(e->c), 0);
  e->t = 0;
  in_event_mode(e);
}

static inline void rates_at(Exchange* e, double t, const double* x, double* dx) {
  assert_int_equal(e->set_time(e->c, t), 0);
  assert_int_equal(e->set_states(e->c, x, e->nx), 0);
  assert_int_equal(e->rates(e->c, dx, e->nx), 0);
}

// The classical method from (t, x) over h.
static inline void rk4(Exchange* e, double h, double* out) {
  static const double node[] = {0, 0.5, 0.5, 1}, weight[] = {1 / 6.0, 1 / 3.0, 1 / 3.0, 1 / 6.0};
  double k[MOST] = {0}, y[MOST], sum[MOST] = {0};
  for (int s = 0; s < 4; s++) {
    for (size_t i = 0; i < e->nx; i++) y[i] = e->x[i] + h * node[s] * k[i];
    rates_at(e, e->t + h * node[s], y, k);
    for (size_t i = 0; i < e->nx; i++) sum[i] += weight[s] * k[i];
  }
  for (size_t i = 0; i < e->nx; i++) out[i] = e->x[i] + h * sum[i];
  assert_int_equal(e->set_time(e->c, e->t + h), 0);
  assert_int_equal(e->set_states(e->c, out, e->nx), 0);
}

static inline bool changes(const Exchange* e, const double* a, const double* b) {
  for (size_t i = 0; i < e->nz; i++)
    if ((a[i] > 0) != (b[i] > 0)) return true;
  return false;
}

static inline void advance(Exchange* e, double end, double longest) {
  double before[MOST], after[MOST], x[MOST];
  while (e->t < end) {
    double h = fmin(longest, fmin(end, e->next) - e->t);
    const bool timed = h > 0 && e->t + h >= e->next - 1e-14;
    assert_int_equal(e->set_time(e->c, e->t), 0);
    assert_int_equal(e->set_states(e->c, e->x, e->nx), 0);
    assert_int_equal(e->indicators(e->c, before, e->nz), 0);
    rk4(e, h, x);
    assert_int_equal(e->indicators(e->c, after, e->nz), 0);
    bool crossed = changes(e, before, after);
    if (crossed) {  // the earliest change is between low and high
      double low = 0, high = h;
      while (high - low > 1e-13) {
        rk4(e, (low + high) / 2, x);
        assert_int_equal(e->indicators(e->c, after, e->nz), 0);
        *(changes(e, before, after) ? &high : &low) = (low + high) / 2;
      }
      h = high;
      rk4(e, h, x);
    }
    e->t = timed && !crossed ? e->next : e->t + h;
    assert_int_equal(e->set_time(e->c, e->t), 0);
    memcpy(e->x, x, e->nx * sizeof *x);
    bool event = false, terminate;
    if (!crossed && !timed && e->t < end && e->t - e->told < e->silent) continue;
    assert_int_equal(e->completed(e->c, true, &event, &terminate), 0);
    e->told = e->t;
    if (!event && !crossed && !timed) continue;
    e->events++;
    assert_int_equal(e->to_events(e->c), 0);
    in_event_mode(e);
  }
}

static inline double read_one(Exchange* e, unsigned vr) {
  double value;
  assert_int_equal(e->get(e->c, &vr, 1, &value, 1), 0);
  return value;
}
