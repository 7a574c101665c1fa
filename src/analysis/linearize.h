// Linearisation of a model by the names of its inputs and outputs (sim/linear.h has the equations).
#pragma once
#include "sim/linear.h"

typedef enum SarLinearPart { SAR_LINEAR_STATE, SAR_LINEAR_INPUT, SAR_LINEAR_OUTPUT } SarLinearPart;

enum { SAR_LINEAR_NAME = 128, SAR_LINEAR_MOST = 512 };  // letters of a name; inputs, outputs

typedef struct SarLinearization {
  const SarModel* m;
  int nu, ny;
  int left_out;  // columns that are not differentiated
  SarLinearInput input[SAR_LINEAR_MOST];
  int column[SAR_LINEAR_MOST];
  SarLinear system;
  // what is not as it would be in a run
  int coordinates;  // of the tree; fewer are independent where loops are closed
  bool contacts;    // nothing touches
  bool friction;    // dry friction is its smooth law
  bool motors;      // those with a largest force are left out
} SarLinearization;

// Moves the state of s to the equilibrium next to it (sim/equilibrium.h).
SarStatus sar_linearization_rest(SarSim* s, SarError* err);
// About the present state of s. Names with commas between them: inputs of the file and JOINT.tau, JOINT.tau2, ...;
// columns. NULL: all inputs, all columns that have derivatives. Free with sar_linearization_free.
SarStatus sar_linearization_find(SarSim* s, const char* inputs, const char* outputs,
                                 SarLinearization* out, SarError* err);
void sar_linearization_free(SarLinearization* a);
// "elbow.q", "car.rx" (a rotation vector), "elbow.tau"; out: SAR_LINEAR_NAME characters.
void sar_linearization_name(const SarLinearization* a, SarLinearPart part, int i, char* out);
