// What the file itself defines: states of the user's own, signals, and expressions.
#include "sim/outputs/outputs.h"

static const char* const LABEL_ALONE[] = {"", NULL};

static double state(const SarOutputRow* row, const SarChannel* c) { return row->s->d->z[c->index]; }

const SarOutputKind sar_output_state = {
    .name = "state",
    .doc = "a state of the file, or of a call that keeps states",
    .of = SAR_OF_STATE,
    .by_default = true,
    .columns = LABEL_ALONE,
    .value = state,
};

static double value(const SarOutputRow* row, const SarChannel* c) {
  return row->s->d->slot[c->index];
}

const SarOutputKind sar_output_signal = {
    .name = "signal",
    .doc = "a signal of the file",
    .of = SAR_OF_SIGNAL,
    .by_default = true,
    .columns = LABEL_ALONE,
    .value = value,
};

const SarOutputKind sar_output_value = {
    .name = "value",
    .doc = "an expression, as {value: EXPRESSION, name: COLUMN}",
    .of = SAR_OF_VALUE,
    .by_default = true,
    .columns = LABEL_ALONE,
    .value = value,
};
