// Reading of modal bodies in HDF5 (modal_hdf5.h). The library sees an image of the file in memory:
// what may be opened, and how much of it, is decided where all files are.
#include "io/modal_hdf5.h"

#include "base/print.h"
#include "model/inertia.h"
#include "model/modal_basis.h"

#include <math.h>
#include <string.h>

bool sar_is_hdf5(const char* bytes, size_t n) {
  static const char SIGNATURE[] = "\x89HDF\r\n\x1a\n";
  return n >= sizeof SIGNATURE - 1 && memcmp(bytes, SIGNATURE, sizeof SIGNATURE - 1) == 0;
}

static bool refuse(SarError* err, const char* file, const char* hint, const char* what,
                   const char* name) {
  sar_report(err, (SarLoc){file, 0, 0}, hint, "%s '%.40s'", what, name);
  return false;
}

#ifdef SARRUS_HAVE_HDF5
#include <hdf5.h>

enum { MOST_RANK = 3, NAME = 64 };

typedef struct Reader {
  SarArena* arena;
  SarError* err;
  const char* file;
  hid_t in;
  int nodes, modes;
  SarModalShape* shape;
} Reader;

typedef struct Size {
  int rank;
  hsize_t n[MOST_RANK];
} Size;

// Are its numbers in this file? Links and datasets may lead to others, which are not opened.
static bool is_here(const Reader* r, const char* name) {
  H5L_info_t link;
  if (H5Lexists(r->in, name, H5P_DEFAULT) <= 0) return false;
  return H5Lget_info(r->in, name, &link, H5P_DEFAULT) >= 0 && link.type == H5L_TYPE_HARD;
}

static bool is_whole(hid_t set) {
  const hid_t made = H5Dget_create_plist(set);
  const bool good =
      made >= 0 && H5Pget_layout(made) != H5D_VIRTUAL && H5Pget_external_count(made) == 0;
  if (made >= 0) H5Pclose(made);
  return good;
}

// Of a dataset; rank 0: there is none, or it is no array.
static Size size_of(const Reader* r, const char* name) {
  Size size = {0, {0}};
  if (!is_here(r, name)) return size;
  const hid_t set = H5Dopen2(r->in, name, H5P_DEFAULT);
  const hid_t space = set >= 0 && is_whole(set) ? H5Dget_space(set) : -1;
  const int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : 0;
  if (rank >= 1 && rank <= MOST_RANK && H5Sget_simple_extent_dims(space, size.n, NULL) == rank)
    size.rank = rank;
  if (space >= 0) H5Sclose(space);
  if (set >= 0) H5Dclose(set);
  return size;
}

static bool is_size(Size size, int rank, int a, int b, int c) {
  const int want[MOST_RANK] = {a, b, c};
  if (size.rank != rank) return false;
  for (int k = 0; k < rank; k++)
    if (size.n[k] != (hsize_t)want[k]) return false;
  return true;
}

// Numbers of a dataset of a x b x c (0: not that many dimensions); NULL: there is none, or after a
// report.
static double* numbers(Reader* r, const char* name, int a, int b, int c) {
  const Size size = size_of(r, name);
  const size_t count = (size_t)a * (size_t)(b ? b : 1) * (size_t)(c ? c : 1);
  if (size.rank == 0) return NULL;
  if (!is_size(size, b == 0 ? 1 : c == 0 ? 2 : 3, a, b, c)) {
    char want[64];
    sar_snprintf(want, sizeof want, c ? "%d x %d x %d" : b ? "%d x %d" : "%d", a, b, c);
    refuse(r->err, r->file, want, "other sizes are expected of dataset", name);
    return NULL;
  }
  double* x = SAR_ARENA_ARRAY(r->arena, double, count);
  if (!x) return NULL;
  const hid_t set = H5Dopen2(r->in, name, H5P_DEFAULT);
  bool good = set >= 0 && H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) >= 0;
  if (set >= 0) H5Dclose(set);
  for (size_t i = 0; good && i < count; i++) good = isfinite(x[i]);
  if (good) return x;
  refuse(r->err, r->file, "", "finite numbers are expected of dataset", name);
  return NULL;
}

static const double* needed(Reader* r, const char* name, int a, int b, int c) {
  const int errors = r->err->errors;
  const double* x = numbers(r, name, a, b, c);
  if (!x && r->err->errors == errors && !r->arena->failed)
    refuse(r->err, r->file, "", "a modal body needs the dataset", name);
  return x;
}

// ---- names --------------------------------------------------------------------------------------

static bool is_name(const char* text) {
  static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  return text[0] && strspn(text, LETTERS) == strlen(text);
}

// Of one length: texts of variable length are in a heap of the file's own, in which damaged files
// lead the library astray.
static bool has_texts(hid_t set) {
  const hid_t type = set >= 0 ? H5Dget_type(set) : -1;
  const bool good = type >= 0 && H5Tget_class(type) == H5T_STRING &&
                    H5Tis_variable_str(type) == 0 && H5Tget_size(type) < NAME;
  if (type >= 0) H5Tclose(type);
  return good;
}

static bool read_names(Reader* r, const char** names) {
  char* text = SAR_ARENA_ARRAY(r->arena, char, r->nodes* NAME);
  if (!text) return false;
  const hid_t set = H5Dopen2(r->in, "names", H5P_DEFAULT), type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, NAME);  // with a zero at its end
  bool good = has_texts(set) && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
  for (int k = 0; good && k < r->nodes; k++) {
    text[k * NAME + NAME - 1] = '\0';
    names[k] = text + k * NAME;
    good = is_name(names[k]);
  }
  if (set >= 0) H5Dclose(set);
  H5Tclose(type);
  return good || refuse(r->err, r->file, "texts of one length, up to 63: letters, digits and _",
                        "names are expected in dataset", "names");
}

// ---- what is in it ------------------------------------------------------------------------------

static bool set_inertia(Reader* r, int k, double mass, const double* J, const double* com,
                        const char* name) {
  double moments[3];
  const S3 I =
      J ? (S3){.xx = J[0], .yy = J[1], .zz = J[2], .xy = J[3], .xz = J[4], .yz = J[5]} : s3_zero();
  if (mass < 0 || sar_inertia_check(I, moments) != SAR_INERTIA_FINE)
    return refuse(r->err, r->file, "", "no body has mass and inertia of node", name);
  r->shape->inertia[k] = inertia_of(mass, com ? v3_load(com) : v3_zero(), I);
  return true;
}

static bool read_nodes(Reader* r, const char** names) {
  const int n = r->nodes, errors = r->err->errors;
  const double *at = needed(r, "at", n, 3, 0), *mass = needed(r, "mass", n, 0, 0);
  const double *quat = numbers(r, "quat", n, 4, 0), *com = numbers(r, "com", n, 3, 0);
  const double* J = numbers(r, "inertia", n, 6, 0);
  if (!at || !mass || r->err->errors != errors || r->arena->failed) return false;
  for (int k = 0; k < n; k++) {
    const double* q = quat ? quat + 4 * k : NULL;
    const double length = q ? hypot(hypot(q[0], q[1]), hypot(q[2], q[3])) : 1;
    if (!(fabs(length - 1) < 1e-3))
      return refuse(r->err, r->file, "", "no unit quaternion is that of node", names[k]);
    const M3 R = q ? quat_to_m3(quat_unit(quat_load(q))) : m3_identity();
    r->shape->X[k] = (Xform){R, v3_load(at + 3 * k)};
    if (!set_inertia(r, k, mass[k], J ? J + 6 * k : NULL, com ? com + 3 * k : NULL, names[k]))
      return false;
  }
  return true;
}

static bool read_modes(Reader* r) {
  const int n = r->nodes, m = r->modes, pairs = sar_pairs(m), errors = r->err->errors;
  SarModalShape* s = r->shape;
  const bool full = size_of(r, "stiffness").rank == 2;
  const double *shape = needed(r, "modes", m, n, 6),
               *K = needed(r, "stiffness", m, full ? m : 0, 0);
  const double *damping = numbers(r, "damping", m, 0, 0), *bend = numbers(r, "bend", n, pairs, 3);
  if (!shape || !K || r->err->errors != errors || r->arena->failed) return false;
  for (int i = 0; i < m; i++) {
    s->damping[i] = damping ? damping[i] : 0;
    for (int j = 0; j < m; j++)
      s->stiffness[i * m + j] = full ? 0.5 * (K[i * m + j] + K[j * m + i]) : i == j ? K[i] : 0;
    for (int k = 0; k < n; k++) {
      const double* u = shape + 6 * ((size_t)i * (size_t)n + (size_t)k);
      s->mode[k * m + i] = (Motion){v3_load(u + 3), v3_load(u)};
    }
  }
  for (int k = 0; s->bend && bend && k < n * pairs; k++) s->bend[k] = v3_load(bend + 3 * (size_t)k);
  return true;
}

static bool read_all(Reader* r, const char*** names) {
  const Size modes = size_of(r, "modes"), named = size_of(r, "names");
  if (named.rank != 1 || named.n[0] < 1 || named.n[0] > SAR_MOST_NODES)
    return refuse(r->err, r->file, "1 to 20000 nodes", "names are expected in dataset", "names");
  if (modes.rank != 3 || modes.n[0] < 1 || modes.n[0] > SAR_MOST_MODES)
    return refuse(r->err, r->file, "modes x nodes x 6, 1 to 200 modes",
                  "other sizes are expected of dataset", "modes");
  r->nodes = (int)named.n[0], r->modes = (int)modes.n[0];
  r->shape = sar_modal_shape_new(r->arena, r->nodes, r->modes, size_of(r, "bend").rank > 0);
  *names = SAR_ARENA_ARRAY(r->arena, const char*, r->nodes);
  if (r->arena->failed) return false;
  return read_names(r, *names) && read_nodes(r, *names) && read_modes(r) && !r->arena->failed;
}

bool sar_modal_hdf5_read(SarArena* arena, const char* bytes, size_t n, const char* file,
                         SarModalShape** out, const char*** names, SarError* err) {
  Reader r = {.arena = arena, .err = err, .file = file};
  bool good = false;
  *out = NULL;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);  // we report; HDF5 does not print
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  if (H5Pset_fapl_core(access, 1 << 16, 0) >= 0 &&
      H5Pset_file_image(access, (void*)(uintptr_t)bytes, n) >= 0)
    r.in = H5Fopen("modal body", H5F_ACC_RDONLY, access);
  else
    r.in = -1;
  H5Pclose(access);
  if (r.in < 0) return refuse(err, file, "", "HDF5: the file cannot be read:", file);
  good = read_all(&r, names);
  H5Fclose(r.in);
  if (good) *out = r.shape;
  return good;
}

#else

bool sar_modal_hdf5_read(SarArena* arena, const char* bytes, size_t n, const char* file,
                         SarModalShape** out, const char*** names, SarError* err) {
  (void)arena, (void)bytes, (void)n, (void)names;
  *out = NULL;
  return refuse(err, file, "build with libhdf5-dev installed", "this build has no HDF5 to read",
                file);
}
#endif
