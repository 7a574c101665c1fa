// The window on a run that somebody else steps (sarrus rt --watch NAME): reads its state from
// shared memory, hands inputs over where they are free, and never waits for it nor keeps it
// waiting.
#pragma once
#include "sarrus/sarrus.h"

typedef struct SarAttachment SarAttachment;

// The model must be the one of the run. SAR_NO_FILE: there is no such run; SAR_BAD_MODEL: it is of
// another model.
SarStatus sar_attach(const SarModel* m, const char* name, SarAttachment** out, SarError* err);
void sar_detach(SarAttachment* a);  // NULL is fine

typedef enum SarAttached { SAR_ATTACH_SAME, SAR_ATTACH_NEW, SAR_ATTACH_OVER } SarAttached;

// The newest state into d and all outputs; SAME: it is the one of the last call. OVER: the run has
// ended; a later call looks whether there is another one of its name.
SarAttached sar_attach_look(SarAttachment* a, SarData* d, double* outputs);
// Of the last state: CPU time of a frame [s], overruns, period [s], number of the frame.
double sar_attach_cpu(const SarAttachment* a);
long long sar_attach_overruns(const SarAttachment* a);
long long sar_attach_frame(const SarAttachment* a);
double sar_attach_period(const SarAttachment* a);
SarEnergy sar_attach_energy(const SarAttachment* a);  // its audit
// Another model that is like the one it was attached with (sar_model_is_like).
void sar_attach_become(SarAttachment* a, const SarModel* m);
// Does a port or the exchange of the run drive this input?
bool sar_attach_is_driven(const SarAttachment* a, int input);
// Why an input cannot be set from here; NULL: it can.
const char* sar_attach_refusal(const SarAttachment* a, int input);
void sar_attach_set(SarAttachment* a, int input, double value);
