// Recording as HDF5, in the mode "single writer, multiple readers" (SWMR): the library orders its
// writes such that the file can be read at any instant, also while it is recorded and after a kill.
// Datasets as those of results, /values and /columns, and /dropped: (row, how many were dropped
// before it). Chunks are not compressed, so that one that fills up is written again in its place.
#include "realtime/io/record_format.h"

#include "base/alloc.h"
#include "base/error.h"

#ifdef SARRUS_HAVE_HDF5
#include <hdf5.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK_BYTES = 1 << 16, FEWEST_ROWS = 16, MOST_ROWS = 1024, GAP_ROWS = 64 };

// Rows that are appended to a dataset of two dimensions.
typedef struct Series {
  hid_t set;
  hsize_t rows, columns;
} Series;

struct SarRecordFile {
  hid_t file;
  Series values, dropped;
  bool quiet;      // HDF5 does not print in the thread that writes
  double* buffer;  // rows without the number before them
  uint64_t room;   // of the buffer, rows
};

// ---- making ----

static hid_t text_type(void) {
  hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, H5T_VARIABLE);
  return type;
}

static bool write_attribute(hid_t object, const char* name, const char* text) {
  hid_t type = text_type(), space = H5Screate(H5S_SCALAR);
  hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  const bool ok = attribute >= 0 && H5Awrite(attribute, type, &text) >= 0;
  if (attribute >= 0) H5Aclose(attribute);
  H5Sclose(space);
  H5Tclose(type);
  return ok;
}

static bool write_names(hid_t file, const char* const* names, int columns) {
  hsize_t count = (hsize_t)columns;
  hid_t type = text_type(), space = H5Screate_simple(1, &count, NULL);
  hid_t set = H5Dcreate2(file, "columns", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const bool ok = set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, names) >= 0;
  if (set >= 0) H5Dclose(set);
  H5Sclose(space);
  H5Tclose(type);
  return ok;
}

static Series make_series(hid_t file, const char* name, int columns, int chunk_rows) {
  hsize_t size[2] = {0, (hsize_t)columns}, limit[2] = {H5S_UNLIMITED, (hsize_t)columns};
  hsize_t chunk[2] = {(hsize_t)chunk_rows, (hsize_t)columns};
  hid_t space = H5Screate_simple(2, size, limit), layout = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(layout, 2, chunk);
  hid_t set = H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, layout, H5P_DEFAULT);
  H5Pclose(layout);
  H5Sclose(space);
  return (Series){set, 0, (hsize_t)columns};
}

static int chunk_rows(int columns) {
  const int rows = CHUNK_BYTES / (int)sizeof(double) / columns;
  return rows < FEWEST_ROWS ? FEWEST_ROWS : rows < MOST_ROWS ? rows : MOST_ROWS;
}

static bool make_file(SarRecordFile* f, const SarRecorderOptions* o, const char* path) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_LATEST);  // as SWMR wants it
  f->file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  H5Pclose(access);
  if (f->file < 0 || !write_names(f->file, o->names, o->columns) ||
      !write_attribute(f->file, "model", o->model ? o->model : "") ||
      !write_attribute(f->file, "program", sar_version()))
    return false;
  f->values = make_series(f->file, "values", o->columns, chunk_rows(o->columns));
  f->dropped = make_series(f->file, "dropped", 2, GAP_ROWS);
  return f->values.set >= 0 && f->dropped.set >= 0 && H5Fstart_swmr_write(f->file) >= 0;
}

// Until it can be read, it has another name beside its own: FOLDER/.PID-NAME.
static bool make_named(SarRecordFile* f, const SarRecorderOptions* o) {
  const char* slash = strrchr(o->path, '/');
  const int folder = slash ? (int)(slash - o->path) + 1 : 0;
  const size_t room = strlen(o->path) + 32;
  char* other = sar_alloc(room);
  if (!other) return false;
  snprintf(other, room, "%.*s.%ld-%s", folder, o->path, (long)getpid(), o->path + folder);
  const bool ok = make_file(f, o, other) && rename(other, o->path) == 0;
  if (!ok) unlink(other);
  sar_free(other);
  return ok;
}

static bool release(SarRecordFile* f) {
  bool ok = true;
  if (f->values.set >= 0) ok = H5Dclose(f->values.set) >= 0 && ok;
  if (f->dropped.set >= 0) ok = H5Dclose(f->dropped.set) >= 0 && ok;
  if (f->file >= 0) ok = H5Fclose(f->file) >= 0 && ok;
  sar_free(f->buffer);
  sar_free(f);
  return ok;
}

static SarStatus open_file(const SarRecorderOptions* o, SarRecordFile** out, SarError* err) {
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);  // we report; HDF5 does not print
  SarRecordFile* f = sar_alloc(sizeof *f);
  if (!f) return SAR_NO_MEMORY;
  *f = (SarRecordFile){.file = -1, .values = {.set = -1}, .dropped = {.set = -1}};
  f->room = (uint64_t)chunk_rows(o->columns);
  f->buffer = sar_alloc(sizeof(double) * (size_t)f->room * (size_t)o->columns);
  if (f->buffer && make_named(f, o)) {
    *out = f;
    return SAR_OK;
  }
  const SarStatus st = f->buffer ? SAR_NO_FILE : SAR_NO_MEMORY;
  if (st == SAR_NO_FILE)
    sar_report(err, (SarLoc){.file = o->path}, "", "HDF5: the file cannot be written");
  release(f);
  return st;
}

// ---- writing ----

static bool append(Series* s, const double* rows, hsize_t count) {
  hsize_t size[2] = {s->rows + count, s->columns}, start[2] = {s->rows, 0};
  hsize_t block[2] = {count, s->columns};
  if (count == 0) return true;
  if (H5Dset_extent(s->set, size) < 0) return false;
  hid_t in_file = H5Dget_space(s->set), in_memory = H5Screate_simple(2, block, NULL);
  H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start, NULL, block, NULL);
  const bool ok = H5Dwrite(s->set, H5T_NATIVE_DOUBLE, in_memory, in_file, H5P_DEFAULT, rows) >= 0;
  H5Sclose(in_memory);
  H5Sclose(in_file);
  s->rows += count;
  return ok;
}

static bool note_dropped(SarRecordFile* f, hsize_t row, double count) {
  const double gap[2] = {(double)row, count};
  return count == 0 || append(&f->dropped, gap, 1);
}

static bool add_rows(SarRecordFile* f, const double* rows, uint64_t count) {
  bool ok = true;
  if (!f->quiet) H5Eset_auto2(H5E_DEFAULT, NULL, NULL);  // each thread has its own
  f->quiet = true;
  const size_t n = (size_t)f->values.columns;
  for (uint64_t i = 0; i < count && ok;) {
    uint64_t k = 0;
    for (; i < count && k < f->room; i++, k++, rows += n + 1) {
      ok = note_dropped(f, f->values.rows + k, rows[0]) && ok;
      memcpy(f->buffer + k * n, rows + 1, n * sizeof(double));
    }
    ok = append(&f->values, f->buffer, k) && ok;
  }
  return ok;
}

static bool flush(SarRecordFile* f) {
  return H5Dflush(f->values.set) >= 0 && (f->dropped.rows == 0 || H5Dflush(f->dropped.set) >= 0);
}

static bool close_file(SarRecordFile* f, uint64_t dropped) {
  const bool ok = note_dropped(f, f->values.rows, (double)dropped);
  return release(f) && ok;
}

const SarRecordFormat sar_record_hdf5 = {open_file, add_rows, flush, close_file};

#else

static SarStatus no_open(const SarRecorderOptions* o, SarRecordFile** out, SarError* err) {
  *out = NULL;
  sar_report(err, (SarLoc){.file = o->path}, "use FILE.csv, or build with libhdf5-dev installed",
             "this build has no HDF5");
  return SAR_NOT_OFFERED;
}
const SarRecordFormat sar_record_hdf5 = {no_open, NULL, NULL, NULL};
#endif
