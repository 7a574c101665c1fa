// FMUs of others as blocks of a model: co-simulation, FMI 2 or 3, as a function that a signal calls
// (SarUserFunction, docs/controls.md).
//
//   signals: {u: {call: [error, speed], function: pid, states: 1, period: 0.01}}
//     sarrus run ... --fmu pid=pid.fmu
//
// At t_k the FMU makes its step from t_{k-1} with the inputs of then, is given those of now, and
// its outputs are held until the next instant. Its own state cannot be part of the state of the
// run, which is numbers; a ticket is: the number of the call that it was left by. Of the last calls
// the FMU's states are kept, so a step that is repeated, a copy of the run and a new beginning find
// the one they belong to, or the run ends with a message.
#pragma once
#include "base/arena.h"
#include "sarrus/sarrus.h"

enum { SAR_IMPORT_MOST = 256 };  // inputs or outputs

typedef struct SarImportVariable {
  const char* name;
  unsigned reference;
} SarImportVariable;

// What modelDescription.xml says.
typedef struct SarImportDescription {
  int version;  // 2 or 3
  const char *identifier, *token;
  bool keeps_states;  // canGetAndSetFMUState
  bool needs_file;    // needsExecutionTool: nothing runs without another program
  SarImportVariable input[SAR_IMPORT_MOST], output[SAR_IMPORT_MOST];
  int inputs, outputs;
} SarImportDescription;

// Reads a text of unknown origin; `file` stands for it in messages. Texts live in the arena. What
// cannot be taken as a block (arrays, inputs that are no real numbers, no co-simulation) is
// SAR_BAD_MODEL with its place.
SarStatus sar_import_describe(SarArena* arena, const char* text, size_t size, const char* file,
                              SarImportDescription* out, SarError* err);

typedef struct SarImported SarImported;

// Unpacks, loads and instantiates. say: messages of the FMU and about its calls, one line each;
// Nullable.
SarStatus sar_import_open(const char* path, void (*say)(void* context, const char* text),
                          void* context, SarImported** out, SarError* err);
// Takes the unpacked files away too. No model that calls it may be used any more. NULL is fine.
void sar_import_close(SarImported* fmu);
const SarImportDescription* sar_import_description(const SarImported* fmu);
// Which inputs and outputs the block has, in this order, by their names with commas between; NULL
// or "": all, as the FMU lists them. Before it is called. SAR_BAD_ARGUMENT: there is none of a
// name.
SarStatus sar_import_choose(SarImported* fmu, const char* inputs, const char* outputs,
                            SarError* err);
// The function of this name that a model calls; without memory it has no `call`.
SarUserFunction sar_import_function(SarImported* fmu, const char* name);
