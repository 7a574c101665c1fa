// What an FMU tells of a model: its variables, each with the value reference by which it is read
// and set. The same list is made where an FMU is written and where it runs, of the model alone, so
// that no table of numbers has to be believed.
//
//   0               time
//   then            inputs, outputs (columns of results), parameters, states, derivatives of the
//                   states
//
// States x = (q, v, z) are those of an importer's integrator: positions (quaternions have four),
// velocities, states of the file and of elements. Accounts of work are integrals too, which that
// integrator would have to carry along with no use for the motion: for model exchange columns that
// show them are left out.
#pragma once
#include "base/arena.h"
#include "model/data.h"

typedef enum SarFmiRole {
  SAR_FMI_TIME,
  SAR_FMI_INPUT,
  SAR_FMI_OUTPUT,
  SAR_FMI_PARAMETER,
  SAR_FMI_STATE,
  SAR_FMI_DERIVATIVE,
  SAR_FMI_ROLES
} SarFmiRole;

typedef struct SarFmiVariable {
  SarFmiRole role;
  int index;  // among those of its role
  const char* name;
  const char* unit;  // "" : none, or not known
  double start;      // inputs, parameters, states
  bool tunable;      // parameters: may change while it runs
} SarFmiVariable;

// A parameter of the file that is a plain number: what others follow from.
typedef struct SarFmiParameter {
  const char* name;
  double value;
  bool tunable;
} SarFmiParameter;

typedef struct SarFmiParameters {
  SarFmiParameter* items;
  int count;
} SarFmiParameters;

typedef struct SarFmiDescription {
  SarFmiVariable* variable;  // by value reference
  int count;
  int first[SAR_FMI_ROLES + 1];  // value reference of the first of a role
  int num[SAR_FMI_ROLES];
  int* column;     // of outputs: the model's columns
  int left_out;    // columns that are not among them
  int nq, nv, nz;  // of the states
  char token[40];  // GUID: of names and numbers of the model
} SarFmiDescription;

// Those of the file at `path` with the values that the options give instead; arrays live in the
// arena.
SarStatus sar_fmi_parameters(SarArena* arena, const char* path, const SarLoadOptions* o,
                             SarFmiParameters* out, SarError* err);
// Of the model of d, whose state gives the start values. exchange: for model exchange (too). Names
// live in the arena or in the model.
SarStatus sar_fmi_describe(SarArena* arena, const SarData* d, const SarFmiParameters* parameters,
                           bool exchange, SarFmiDescription* out);
