// Modal bodies in HDF5 (io/modal_hdf5.h): nodes and modes only; where the body is stands in the
// model that names the file.
#include "output/modal_file.h"

#ifdef SARRUS_HAVE_HDF5
#include "base/alloc.h"

#include <hdf5.h>
#include <string.h>

// a x b x c numbers, 0: not that many dimensions
static bool put(hid_t file, const char* name, const double* x, int a, int b, int c) {
  const hsize_t size[3] = {(hsize_t)a, (hsize_t)b, (hsize_t)c};
  const hid_t space = H5Screate_simple(b == 0 ? 1 : c == 0 ? 2 : 3, size, NULL);
  const hid_t set =
      H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const bool ok =
      set >= 0 && H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) >= 0;
  if (set >= 0) H5Dclose(set);
  H5Sclose(space);
  return ok;
}

enum { NAME = 64 };

static bool put_names(hid_t file, const char* const* names, int count) {
  const hsize_t size = (hsize_t)count;
  char* text = sar_alloc((size_t)count * NAME);
  if (!text) return false;
  for (int k = 0; k < count; k++) {
    memset(text + k * NAME, 0, NAME);
    strncpy(text + k * NAME, names[k], NAME - 1);
  }
  const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate_simple(1, &size, NULL);
  H5Tset_size(type, NAME - 1);
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  const hid_t in_memory = H5Tcopy(H5T_C_S1);
  H5Tset_size(in_memory, NAME);
  const hid_t set = H5Dcreate2(file, "names", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const bool ok = set >= 0 && H5Dwrite(set, in_memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
  if (set >= 0) H5Dclose(set);
  H5Sclose(space);
  H5Tclose(type);
  H5Tclose(in_memory);
  sar_free(text);
  return ok;
}

static bool put_nodes(hid_t file, const SarModalShape* s, double* x) {
  const int n = s->nodes;
  double *at = x, *quat = x + 3 * n, *com = x + 7 * n, *J = x + 10 * n, *mass = x + 16 * n;
  for (int k = 0; k < n; k++) {
    const Inertia I = s->inertia[k];
    const V3 c = I.m > 0 ? v3_scale(1 / I.m, I.h) : v3_zero();
    const S3 own = s3_add(I.I, s3_scale(-I.m, s3_of_point(c)));
    const double six[6] = {own.xx, own.yy, own.zz, own.xy, own.xz, own.yz};
    v3_store(at + 3 * k, s->X[k].p);
    quat_store(quat + 4 * k, quat_from_m3(s->X[k].R));
    v3_store(com + 3 * k, c);
    for (int i = 0; i < 6; i++) J[6 * k + i] = six[i];
    mass[k] = I.m;
  }
  return put(file, "at", at, n, 3, 0) && put(file, "quat", quat, n, 4, 0) &&
         put(file, "com", com, n, 3, 0) && put(file, "inertia", J, n, 6, 0) &&
         put(file, "mass", mass, n, 0, 0);
}

// The first m modes.
static bool put_modes(hid_t file, const SarModalShape* s, int m, double* x) {
  const int n = s->nodes, pairs = sar_pairs(m);
  for (int i = 0; i < m; i++)
    for (int k = 0; k < n; k++) {
      double* u = x + 6 * ((size_t)i * (size_t)n + (size_t)k);
      v3_store(u, s->mode[k * s->modes + i].v);
      v3_store(u + 3, s->mode[k * s->modes + i].w);
    }
  if (!put(file, "modes", x, m, n, 6)) return false;
  for (int i = 0; i < m * m; i++) x[i] = s->stiffness[i / m * s->modes + i % m];
  if (!put(file, "stiffness", x, m, m, 0)) return false;
  for (int k = 0; s->bend && k < n * pairs; k++)
    v3_store(x + 3 * (size_t)k, s->bend[k / pairs * sar_pairs(s->modes) + k % pairs]);
  return put(file, "damping", s->damping, m, 0, 0) &&
         (!s->bend || put(file, "bend", x, n, pairs, 3));
}

bool sar_modal_write_hdf5(const char* path, const SarModalFile* r) {
  const SarModalShape* s = r->shape;
  const size_t n = (size_t)s->nodes, m = (size_t)s->modes;
  double* x =
      sar_alloc((17 * n + 6 * n * m + 3 * n * (size_t)sar_pairs(s->modes) + m * m) * sizeof *x);
  if (!x) return false;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);  // we report; HDF5 does not print
  const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  bool ok = file >= 0 && put_names(file, r->node, s->nodes) && put_nodes(file, s, x) &&
            put_modes(file, s, r->modes, x);
  if (file >= 0) ok = H5Fclose(file) >= 0 && ok;
  sar_free(x);
  return ok;
}

#else

bool sar_modal_write_hdf5(const char* path, const SarModalFile* r) {
  (void)path, (void)r;
  return false;
}
#endif
