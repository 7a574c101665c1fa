// Frames computed again: was it the computation that took longer than the period, or was the
// processor elsewhere?
#pragma once
#include "realtime/realtime.h"

// *out is NULL where frames cannot be computed again (again.c says when).
SarStatus sar_again_new(const SarRealtime* rt, struct SarAgain** out);
void sar_again_free(struct SarAgain* a);  // NULL is fine
// By the loop; `a` may be NULL. Before the first frame; before the steps of a frame; behind one
// that was in time, with `left` ns until the next; behind one whose steps took too long, of which
// overrun number `kept` tells.
void sar_again_begin(struct SarAgain* a, const SarRealtime* rt);
void sar_again_note(struct SarAgain* a, const SarRealtime* rt);
void sar_again_keep(struct SarAgain* a, const SarRealtime* rt, long long left);
void sar_again_overrun(struct SarAgain* a, const SarRealtime* rt, int kept);
// Once the loop has ended, by another thread: overruns whose steps take no longer than the period
// are SAR_RT_STOLEN.
void sar_again_judge(struct SarAgain* a, SarRealtime* rt);
