// The world outside of a real-time run: its ports (port.h) and its recording.
#pragma once
#include "realtime/realtime.h"

// NULL in *out where there is nothing outside. Names and sizes are the model's. place: Nullable.
SarStatus sar_outside_open(const SarModel* m, const SarRtOptions* o, double period,
                           const SarRtPlace* place, struct SarOutside** out, SarError* err);
// In every frame: values to and from all ports, and the row (time and all outputs) to the
// recording.
void sar_outside_exchange(struct SarOutside* outside, const SarRtFrame* frame, const double* row);
// The last row, unless it was recorded before.
void sar_outside_record(struct SarOutside* outside, const double* row);
bool sar_outside_watched(const struct SarOutside* outside);  // a port tells the state
// Waits until the recording can take more rows: for runs that keep no clock.
void sar_outside_make_room(struct SarOutside* outside);
// All rows to the file. SAR_NO_FILE: not all of them were written. NULL is fine.
SarStatus sar_outside_end_recording(struct SarOutside* outside, SarError* err);
void sar_outside_counts(const struct SarOutside* outside, long long* recorded, long long* dropped);
const char* sar_outside_words(const struct SarOutside* outside, int port, char* text, size_t size);
void sar_outside_close(struct SarOutside* outside);  // NULL is fine
