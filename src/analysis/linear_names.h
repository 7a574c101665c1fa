// Names of a linearisation: what drives the model, what is measured, what its states are called.
#pragma once
#include "sim/linear.h"

enum { SAR_LINEAR_NAME = 128, SAR_LINEAR_MOST = 512 };  // letters of a name; inputs, outputs

typedef struct SarLinearNames {
  int nu, ny;
  int left_out;  // columns that have no derivative
  SarLinearInput input[SAR_LINEAR_MOST];
  int column[SAR_LINEAR_MOST];
} SarLinearNames;

// Names with commas between them; NULL: all inputs, all columns that have derivatives. False with a
// message: unknown.
bool sar_linear_choose_inputs(SarLinearNames* a, const SarModel* m, const char* list,
                              SarError* err);
bool sar_linear_choose_outputs(SarLinearNames* a, const SarModel* m, const char* list,
                               SarError* err);
// "elbow.q", "car.rx" (a rotation vector), "elbow.tau"; out: SAR_LINEAR_NAME characters.
void sar_linear_state_name(const SarModel* m, const SarLinear* l, int i, char* out);
void sar_linear_input_name(const SarModel* m, const SarLinearInput* in, char* out);
