// A kind of signal: a block of a control system, in the section `signals` of a model file. Blocks
// are made of what models have: variables, states (integrated with the run by every method) and
// discrete-time states (held between instants). So whatever handles these knows nothing of blocks.
//
// One const SarSignalKind in a file of elements/signals, one line in signals.def: reader, lists,
// docs and tests work from the table of keys.
#pragma once
#include "model/spec.h"

enum { SAR_SIGNAL_KEYS = 10 };

typedef enum SarSignalType {
  SAR_SIGNAL_NUMBER,  // an expression
  SAR_SIGNAL_LIST,    // [a, b, ...]
  SAR_SIGNAL_ROWS     // [[a, b, ...], ...]: as many in each row
} SarSignalType;

typedef struct SarSignalKey {
  const char* name;  // the first is the kind's own: `filter: EXPRESSION`
  SarSignalType type;
  const char* def;  // default, a rule; NULL: must be given; "": may be absent
  bool positive;    // must be a constant above 0
  const char* doc;  // with unit
} SarSignalKey;

// A value as read.
typedef struct SpecSignalValue {
  SarLoc loc;
  SpecNum* numbers;  // NULL: not given
  int count;         // all of them
  int columns;       // ROWS: in a row
} SpecSignalValue;

typedef struct SarSignalKind SarSignalKind;
typedef struct SpecSignal {
  SpecName name;
  const char* what;  // for messages: "signal"
  const SarSignalKind* kind;
  SpecSignalValue value[SAR_SIGNAL_KEYS];
} SpecSignal;

struct SarSignalBuild;  // elements/signals/build.h

struct SarSignalKind {
  const char* name;
  const char* doc;
  SarSignalKey key[SAR_SIGNAL_KEYS];
  int nkey;
  const char* example;  // as in a file; `t` is its input
  void (*build)(struct SarSignalBuild* b);
};

const SarSignalKind* sar_signal_kind(int index);     // NULL past the end
const SarSignalKind* sar_hydraulic_kind(int index);  // the same of the section `hydraulics`
// Puts what the signal is made of into the spec. Reports into err. False: no memory.
bool sar_signal_expand(SarSpec* spec, const SpecSignal* signal, SarError* err);
// Once all of a file is read: the balance of each node of its hydraulic circuit. False: no memory.
bool sar_circuit_close(SarSpec* spec, SarError* err);
