// Steps of several instances of a model at once: generated code over lanes (lanes.h), compiled and
// loaded.
//
// Values lie by rows, one value of each lane in a row (structure of arrays): state t, q, v, z;
// inputs tau, inputs, parameters that are kept.
#pragma once
#include "codegen/generate.h"

typedef struct SarStepper SarStepper;

// Lanes that this processor has vectors for: 8 with AVX-512, 4 with AVX2, else 1.
int sar_stepper_lanes(void);
// Parameters of the model file that every lane has its own values of.
typedef struct SarStepperKept {
  const char* file;
  const SarLoadOptions* load;  // Nullable
  int count;
  const char* const* name;
  const double* value;  // of the model below
} SarStepperKept;

// Code of the model with its constraints as they are at `start`. SAR_NOT_OFFERED: `note` says what
// has no equations, or why nothing was compiled. lanes: 1, 4 or 8; more than the processor has is
// still right. kept Nullable.
SarStatus sar_stepper_new(const SarModel* m, const SarData* start, SarGenerateIntegrator integrator,
                          int lanes, const SarStepperKept* kept, SarStepper** out, char* note,
                          size_t size);
void sar_stepper_free(SarStepper* p);  // NULL is fine
int sar_stepper_width(const SarStepper* p);
int sar_stepper_state_rows(const SarStepper* p);
int sar_stepper_input_rows(const SarStepper* p);
// A step of h; both aligned to 64 bytes. Bit 1 << lane: it failed, and that lane is as it was.
// Keeps nothing: any number of threads may call it.
int sar_stepper_step(const SarStepper* p, double* state, const double* input, double h);
