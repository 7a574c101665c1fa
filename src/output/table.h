// A table of results in memory: named columns, rows in time.
#pragma once
#include "sarrus/sarrus.h"

struct SarTable {
  int columns;
  char** names;    // columns
  double* values;  // row by row
  size_t rows, capacity;
  size_t limit;  // bytes of the values; 0: that of models, 1 GB
};

// Names are copied. SAR_NO_MEMORY leaves *t empty. (Host programs have tables by pointer:
// sarrus.h.)
SarStatus sar_table_init(SarTable* t, const char* const* names, int columns);
void sar_table_clear(SarTable* t);                        // gives back what it holds; NULL is fine
SarStatus sar_table_add(SarTable* t, const double* row);  // SAR_OVER_LIMIT: it is full
// May it take so many bytes?
bool sar_table_has_room(const SarTable* t, size_t bytes);

// Files. By extension: .csv (text, one header line), .h5 or .hdf5 (HDF5, when built in).
SarStatus sar_table_read(const char* path, SarTable* t, SarError* err);

// A file that rows are streamed into. Rows reach the disk in order; what was written stays when a
// run fails.
typedef struct SarWriter SarWriter;
SarStatus sar_writer_open(const char* path, const char* const* names, int columns, int digits,
                          const char* model, SarWriter** out, SarError* err);
SarStatus sar_writer_row(SarWriter* w, const double* row);
SarStatus sar_writer_close(SarWriter* w, SarError* err);  // NULL is fine

// csv.c, hdf5.c: the two formats behind the above
typedef struct SarFormat {
  SarStatus (*open)(SarWriter* w, const char* const* names, int columns, const char* model,
                    SarError* err);
  SarStatus (*row)(SarWriter* w, const double* row);
  SarStatus (*close)(SarWriter* w, SarError* err);
  SarStatus (*read)(const char* path, SarTable* t, SarError* err);
} SarFormat;
extern const SarFormat sar_format_csv, sar_format_hdf5;

struct SarWriter {
  const SarFormat* format;
  const char* path;
  int columns, digits;
  void* file;  // of the format
};
