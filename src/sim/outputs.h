// Output variables: columns of results, also others than those of the model.
#pragma once
#include "model/sim.h"

// Values of `count` columns at the present state; see sar_outputs.
SarStatus sar_outputs_of(SarSim* s, const SarChannel* channel, int count, double* values);
// Does one of them need this (SAR_NEEDS_*)?
bool sar_columns_need(const SarChannel* channel, int count, unsigned needs);
// Unit of a column of the results, "rad/s"; "": it has none, or it is not known (values of
// expressions).
const char* sar_output_unit(const SarModel* m, int output);
// Where a step has ended: the quantities that expressions hold over the next one (d->held).
SarStatus sar_hold_outputs(SarSim* s);
// "left.fz, right.fz, ...": reactions among the model's columns that redundant constraints leave
// undecided at the state of the last sar_outputs; "" if there are none. Returns buf.
const char* sar_ambiguous_text(SarSim* s, char* buf, size_t size);
