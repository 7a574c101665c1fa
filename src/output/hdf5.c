// HDF5: dataset /values (rows x columns, chunked, compressed) and /columns (their names),
// attributes model and program. Rows are gathered and written in blocks: one write takes
// milliseconds, so it is never done per row.
#include "output/table.h"

#include "base/alloc.h"
#include "base/error.h"

#ifdef SARRUS_HAVE_HDF5
#include <hdf5.h>

#include <string.h>

enum { BLOCK_ROWS = 512 };

typedef struct Hdf5File {
  hid_t file, values;
  hsize_t rows;      // in the file
  double* buffer;    // BLOCK_ROWS rows
  hsize_t buffered;  // rows in the buffer
} Hdf5File;

static SarStatus failed(const char* path, const char* what, SarError* err) {
  sar_report(err, (SarLoc){.file = path}, "", "HDF5: %s", what);
  return SAR_NO_FILE;
}

static hid_t text_type(void) {
  hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, H5T_VARIABLE);
  return type;
}

static void write_attribute(hid_t object, const char* name, const char* text) {
  hid_t type = text_type(), space = H5Screate(H5S_SCALAR);
  hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  if (attribute >= 0) H5Awrite(attribute, type, &text);
  if (attribute >= 0) H5Aclose(attribute);
  H5Sclose(space);
  H5Tclose(type);
}

static bool write_names(hid_t file, const char* const* names, int columns) {
  hsize_t count = (hsize_t)columns;
  hid_t type = text_type(), space = H5Screate_simple(1, &count, NULL);
  hid_t how = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_obj_track_times(how, false);  // equal results are equal files
  hid_t set = H5Dcreate2(file, "columns", type, space, H5P_DEFAULT, how, H5P_DEFAULT);
  H5Pclose(how);
  bool ok = set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, names) >= 0;
  if (set >= 0) H5Dclose(set);
  H5Sclose(space);
  H5Tclose(type);
  return ok;
}

static hid_t create_values(hid_t file, int columns) {
  hsize_t size[2] = {0, (hsize_t)columns}, limit[2] = {H5S_UNLIMITED, (hsize_t)columns};
  hsize_t chunk[2] = {BLOCK_ROWS, (hsize_t)columns};
  hid_t space = H5Screate_simple(2, size, limit), layout = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_obj_track_times(layout, false);
  H5Pset_chunk(layout, 2, chunk);
  H5Pset_shuffle(layout);
  H5Pset_deflate(layout, 4);
  hid_t set = H5Dcreate2(file, "values", H5T_IEEE_F64LE, space, H5P_DEFAULT, layout, H5P_DEFAULT);
  H5Pclose(layout);
  H5Sclose(space);
  return set;
}

static void release(Hdf5File* h) {
  if (h->values >= 0) H5Dclose(h->values);
  if (h->file >= 0) H5Fclose(h->file);
  sar_free(h->buffer);
  sar_free(h);
}

static SarStatus hdf5_open(SarWriter* w, const char* const* names, int columns, const char* model,
                           SarError* err) {
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);  // we report; HDF5 does not print
  Hdf5File* h = sar_alloc(sizeof *h);
  if (!h) return SAR_NO_MEMORY;
  *h = (Hdf5File){.file = -1, .values = -1};
  h->buffer = sar_alloc(sizeof(double) * BLOCK_ROWS * (size_t)columns);
  if (!h->buffer) {
    release(h);
    return SAR_NO_MEMORY;
  }
  h->file = H5Fcreate(w->path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  if (h->file >= 0) h->values = create_values(h->file, columns);
  if (h->values < 0 || !write_names(h->file, names, columns)) {
    release(h);
    return failed(w->path, "the file cannot be written", err);
  }
  write_attribute(h->file, "model", model ? model : "");
  write_attribute(h->file, "program", sar_version());
  w->file = h;
  return SAR_OK;
}

static bool write_block(Hdf5File* h, int columns) {
  if (h->buffered == 0) return true;
  hsize_t size[2] = {h->rows + h->buffered, (hsize_t)columns}, start[2] = {h->rows, 0};
  hsize_t count[2] = {h->buffered, (hsize_t)columns};
  if (H5Dset_extent(h->values, size) < 0) return false;
  hid_t in_file = H5Dget_space(h->values), in_memory = H5Screate_simple(2, count, NULL);
  H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start, NULL, count, NULL);
  bool ok = H5Dwrite(h->values, H5T_NATIVE_DOUBLE, in_memory, in_file, H5P_DEFAULT, h->buffer) >= 0;
  H5Sclose(in_memory);
  H5Sclose(in_file);
  h->rows += h->buffered;
  h->buffered = 0;
  return ok;
}

static SarStatus hdf5_row(SarWriter* w, const double* row) {
  Hdf5File* h = w->file;
  memcpy(h->buffer + h->buffered * (size_t)w->columns, row, sizeof(double) * (size_t)w->columns);
  h->buffered++;
  if (h->buffered < BLOCK_ROWS) return SAR_OK;
  return write_block(h, w->columns) ? SAR_OK : SAR_NO_FILE;
}

static SarStatus hdf5_close(SarWriter* w, SarError* err) {
  Hdf5File* h = w->file;
  bool ok = write_block(h, w->columns);
  ok = H5Fflush(h->file, H5F_SCOPE_GLOBAL) >= 0 && ok;
  release(h);
  return ok ? SAR_OK : failed(w->path, "the file was not written whole", err);
}

// ---- reading ------------------------------------------------------------------------------------

static SarStatus read_names(hid_t file, int columns, SarTable* t) {
  char** names = sar_alloc(sizeof *names * (size_t)columns);
  if (!names) return SAR_NO_MEMORY;
  hid_t set = H5Dopen2(file, "columns", H5P_DEFAULT), type = text_type();
  hid_t space = set >= 0 ? H5Dget_space(set) : -1;
  SarStatus st = SAR_NO_FILE;
  if (space >= 0 && H5Sget_simple_extent_npoints(space) == columns &&
      H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, names) >= 0) {
    st = sar_table_init(t, (const char* const*)names, columns);
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, names);
  }
  if (space >= 0) H5Sclose(space);
  if (set >= 0) H5Dclose(set);
  H5Tclose(type);
  sar_free(names);
  return st;
}

static SarStatus read_values(hid_t file, hid_t values, SarTable* t) {
  hid_t space = H5Dget_space(values);
  hsize_t size[2] = {0, 0};
  bool flat =
      H5Sget_simple_extent_ndims(space) == 2 && H5Sget_simple_extent_dims(space, size, NULL) == 2;
  H5Sclose(space);
  if (!flat || size[1] == 0 || size[1] > 100000 || size[0] > ((hsize_t)1 << 40) / size[1])
    return SAR_NO_FILE;
  SarStatus st = read_names(file, (int)size[1], t);
  if (st != SAR_OK) return st;
  const size_t bytes = sizeof(double) * (size_t)(size[0] * size[1]);
  if (!sar_table_has_room(t, bytes)) return SAR_OVER_LIMIT;
  t->values = sar_alloc(bytes);
  if (!t->values) return SAR_NO_MEMORY;
  t->rows = t->capacity = (size_t)size[0];
  return H5Dread(values, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, t->values) >= 0
             ? SAR_OK
             : SAR_NO_FILE;
}

static SarStatus hdf5_read(const char* path, SarTable* t, SarError* err) {
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  // one that is being recorded, or whose recorder was killed
  if (file < 0) file = H5Fopen(path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, H5P_DEFAULT);
  if (file < 0) return failed(path, "the file cannot be read", err);
  hid_t values = H5Dopen2(file, "values", H5P_DEFAULT);
  SarStatus st = values >= 0 ? read_values(file, values, t) : SAR_NO_FILE;
  if (values >= 0) H5Dclose(values);
  H5Fclose(file);
  if (st != SAR_OK) sar_table_clear(t);
  return st == SAR_NO_FILE
             ? failed(path, "expected the datasets 'values' and 'columns' of a Sarrus result", err)
             : st;
}

const SarFormat sar_format_hdf5 = {hdf5_open, hdf5_row, hdf5_close, hdf5_read};

#else

static SarStatus not_built(const char* path, SarError* err) {
  sar_report(err, (SarLoc){.file = path}, "use FILE.csv, or build with libhdf5-dev installed",
             "this build has no HDF5");
  return SAR_NOT_OFFERED;
}
static SarStatus no_open(SarWriter* w, const char* const* names, int columns, const char* model,
                         SarError* err) {
  (void)names, (void)columns, (void)model;
  return not_built(w->path, err);
}
static SarStatus no_read(const char* path, SarTable* t, SarError* err) {
  (void)t;
  return not_built(path, err);
}
const SarFormat sar_format_hdf5 = {no_open, NULL, NULL, no_read};
#endif
