// How blocks are made (model/signal_kind.h). A rule is a text of the expression language in which
// names of keys stand for what the file gives there (`x` for the kind's own key), and names of
// states of the block for them. State z of block `lag` is the state lag.z of the model.
#pragma once
#include "model/signal_kind.h"

enum { SAR_SIGNAL_MOST = 40 };  // states of one block

typedef struct SarSignalBuild {
  SarSpec* spec;
  const SpecSignal* s;
  SarError* err;
  const char* local[SAR_SIGNAL_MOST];  // names of its states
  int nlocal;
  const char *period, *offset;  // rules, of the discrete-time states that come
  bool failed;                  // no memory
} SarSignalBuild;

// Is key number `key` given?
static inline bool signal_given(const SarSignalBuild* b, int key) {
  return b->s->value[key].numbers != NULL;
}
static inline int signal_count(const SarSignalBuild* b, int key) { return b->s->value[key].count; }

// A report at a key's place: "signal 'NAME': ...".
void signal_wrong(SarSignalBuild* b, int key, const char* hint, const char* format, ...)
    __attribute__((format(printf, 4, 5)));

// Names first, then what they are: rules may use states that come later.
void signal_name(SarSignalBuild* b, const char* local);
// z' = rate, z = start where a run begins.
void signal_state(SarSignalBuild* b, const char* local, const char* rate, const char* start);
void signal_sample(SarSignalBuild* b, const char* local, const char* value, const char* start);
void signal_delay(SarSignalBuild* b, const char* local, const char* value, const char* start);
// A part of a call: an input with its value, a state or an output with names of all inputs.
void signal_called(SarSignalBuild* b, const SpecCall* call, SarCallRole role, int place,
                   const char* value);
void signal_relay(SarSignalBuild* b, const char* local, const char* rise, const char* fall,
                  const char* start);
// The value of the block, or of output NAME.local.
void signal_value(SarSignalBuild* b, const char* rule);
void signal_output(SarSignalBuild* b, const char* local, const char* rule);

// fluid_density and its like (elements/hydraulics); NULL: no such name.
const SarExpr* signal_fluid(SarSpec* spec, const char* name);
// What a rule means, for parts of other kinds.
SpecNum signal_number(SarSignalBuild* b, const char* rule);

// A rule that is put together: a growing text.
typedef struct SignalRule {
  SarSignalBuild* b;
  char* text;
  int count, capacity;
} SignalRule;
void rule_add(SignalRule* r, const char* format, ...) __attribute__((format(printf, 2, 3)));
const char* rule_text(SignalRule* r);  // "0" if nothing was added
