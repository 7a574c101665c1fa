// Files that rows are recorded into such that a process may be killed at any instant: what was
// flushed is there, and the file can be opened. Private to io/.
#pragma once
#include "realtime/port.h"

typedef struct SarRecordFile SarRecordFile;

typedef struct SarRecordFormat {
  SarStatus (*open)(const SarRecorderOptions* o, SarRecordFile** out, SarError* err);
  // Rows of 1 + columns numbers, the first of them: how many were dropped before it. False: it
  // cannot be written.
  bool (*rows)(SarRecordFile* f, const double* rows, uint64_t count);
  bool (*flush)(SarRecordFile* f);
  // `dropped`: rows behind the last one.
  bool (*close)(SarRecordFile* f, uint64_t dropped);
} SarRecordFormat;

extern const SarRecordFormat sar_record_csv, sar_record_hdf5;
