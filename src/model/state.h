// Visiting the state of a run number by number, in one order and without padding or pointers: for
// the hash, for files, for comparing two states. SarData (data.h) says what belongs to it.
#pragma once
#include "model/data.h"

typedef enum SarStatePart {
  SAR_STATE_SCALARS = 1,  // single numbers; how many contacts there are among them
  SAR_STATE_ARRAYS = 2,   // all arrays of the state but the next two
  SAR_STATE_CUTS = 4,     // coordinates and velocities of cuts: they follow but for full turns
  SAR_STATE_START = 8,    // where a reset goes
  SAR_STATE_METHOD = 16   // fields of the method's block, as d->method describes it
} SarStatePart;

// `most`: whole numbers are 0 to this; -1: any.
typedef struct SarStateVisitor {
  void* context;
  void (*numbers)(void* context, const char* name, double* x, size_t count);
  void (*whole)(void* context, const char* name, int* x, size_t count, int most);
} SarStateVisitor;

// parts: of SarStatePart. A visitor may change what it sees; those that do must tell by d->version.
void sar_state_visit(SarData* d, unsigned parts, const SarStateVisitor* v);
