// The memory limit of a model (SarLoadOptions.memory_limit) where simulations and analyses take
// theirs.
//
// The model is constant and shared by threads, so nobody counts what all its runs have taken: what
// counts is the model, one state, and the piece of work that asks.
#pragma once
#include "model/model.h"

// May so many bytes be taken beside the model and one state? Else SAR_OVER_LIMIT and a message.
// `doing`: "assembling the constraints".
SarStatus sar_room_for(const SarModel* m, size_t bytes, const char* doing, SarError* err);
// Takes them (sar_free gives them back); NULL after a message: SAR_OVER_LIMIT or SAR_NO_MEMORY in
// *st.
void* sar_take_for(const SarModel* m, size_t bytes, const char* doing, SarStatus* st,
                   SarError* err);
// What arenas of a piece of work may take beside `taken` bytes.
SarBudget sar_budget_for(const SarModel* m, size_t taken, const char* doing);
