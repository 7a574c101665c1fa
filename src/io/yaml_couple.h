// A file that couples models (co-simulation): which simulators there are and what they exchange, as
// written. Names are resolved by who has the models (realtime/couple_load.c).
#pragma once
#include "io/source.h"

typedef struct CoupleSimulator {
  SpecName name;
  SpecName model;    // as written, for messages
  const char* path;  // where it is; NULL after a report
  double rate;       // Hz; 0: that of the exchange
  int core;          // -1: not said
  SAR_LIST(SarParameter) set;
} CoupleSimulator;

// One line of `exchange`: INPUT: OUTPUT, each of a simulator; both may have one '*'.
typedef struct CoupleSignal {
  SpecName to, from;
  double gain;
  bool linear;  // extrapolated over the frame; else held
} CoupleSignal;

typedef struct SarCoupleSpec {
  SarSpec spec;  // its arena owns all of this; nothing else of it is used
  SpecName name;
  SarLoc loc;        // of `couple`
  double rate, end;  // Hz; s, 0: not said
  SAR_LIST(CoupleSimulator) simulators;
  SAR_LIST(CoupleSignal) signals;
  SAR_LIST(SpecName) energy;  // columns of work that the coupling does on the simulators
} SarCoupleSpec;

// Reads a file. SAR_BAD_MODEL after messages. *out is to be freed in any case.
SarStatus sar_read_couple(const char* path, const SarLoadOptions* o, SarCoupleSpec* out,
                          SarError* err);
void sar_couple_spec_free(SarCoupleSpec* c);
// Has the text a top-level key `couple`? Cheap where it has not.
bool sar_yaml_couples(const char* text, size_t n);
