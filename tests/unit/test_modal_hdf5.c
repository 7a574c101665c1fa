// Modal bodies in HDF5: what is written is read again, bit for bit; what is said about files that
// are none.
#include "support/random.h"
#include "support/test.h"

#ifdef SARRUS_HAVE_HDF5
#include "io/modal_hdf5.h"
#include "model/modal_basis.h"
#include "output/modal_file.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NODES = 4, MODES = 3 };
static const char* const NAMES[NODES] = {"start", "1", "2", "end"};

static V3 any(Rng* r) { return rng_v3(r, -1, 1); }

static SarModalShape* random_shape(SarArena* a, Rng* r, bool bends) {
  SarModalShape* s = sar_modal_shape_new(a, NODES, MODES, bends);
  for (int k = 0; k < NODES; k++) {
    s->X[k] = (Xform){quat_to_m3(quat_unit((Quat){1, 0.3 * k, -0.2, 0.1})), any(r)};
    s->inertia[k] = inertia_of(0.5 + k, any(r), (S3){.xx = 0.3, .yy = 0.4, .zz = 0.5, .xy = 0.01});
    for (int i = 0; i < MODES; i++) s->mode[k * MODES + i] = (Motion){any(r), any(r)};
    for (int i = 0; bends && i < sar_pairs(MODES); i++) s->bend[k * sar_pairs(MODES) + i] = any(r);
  }
  for (int i = 0; i < MODES; i++) {
    s->stiffness[i * MODES + i] = 10 + i;
    s->damping[i] = 0.01 * i;
  }
  return s;
}

typedef struct File {
  char path[64];
  char* bytes;
  size_t size;
} File;

static void make_path(File* f) {
  snprintf(f->path, sizeof f->path, "/tmp/sarrus_modal_%d.h5", (int)getpid());
}

static void load(File* f) {
  FILE* in = fopen(f->path, "rb");
  assert_non_null(in);
  f->bytes = malloc(1 << 20);
  f->size = fread(f->bytes, 1, 1 << 20, in);
  fclose(in);
}

static void drop(File* f) {
  free(f->bytes);
  remove(f->path);
}

static File written(const SarModalShape* s) {
  File f;
  const SarModalFile file = {
      .comment = "", .name = "arm", .node = NAMES, .shape = s, .modes = s->modes};
  make_path(&f);
  assert_true(sar_modal_write_hdf5(f.path, &file));
  load(&f);
  return f;
}

static void comes_back(void** state) {
  (void)state;
  Rng r = rng_seed(11);
  for (int bends = 0; bends < 2; bends++) {
    SarArena a;
    SarError err;
    SarModalShape* again;
    const char** names;
    sar_arena_init(&a);
    sar_error_init(&err);
    const SarModalShape* s = random_shape(&a, &r, bends);
    File f = written(s);
    assert_true(sar_is_hdf5(f.bytes, f.size));
    assert_true(sar_modal_hdf5_read(&a, f.bytes, f.size, "arm.h5", &again, &names, &err));
    assert_int_equal(again->nodes, NODES);
    assert_int_equal(again->modes, MODES);
    assert_memory_equal(again->mode, s->mode, sizeof *s->mode * NODES * MODES);
    assert_memory_equal(again->stiffness, s->stiffness, sizeof(double) * MODES * MODES);
    assert_memory_equal(again->damping, s->damping, sizeof(double) * MODES);
    assert_int_equal(again->bend != NULL, bends);
    if (bends)
      assert_memory_equal(again->bend, s->bend, sizeof *s->bend * NODES * sar_pairs(MODES));
    for (int k = 0; k < NODES; k++) {
      assert_string_equal(names[k], NAMES[k]);
      assert_memory_equal(&again->X[k].p, &s->X[k].p, sizeof(V3));
      EXPECT_NEAR(again->X[k].R.xy, s->X[k].R.xy, 1e-15);  // by way of a quaternion
      EXPECT_NEAR(again->inertia[k].m, s->inertia[k].m, 0);
      EXPECT_NEAR(again->inertia[k].I.xx, s->inertia[k].I.xx, 1e-14);
      EXPECT_NEAR(again->inertia[k].h.y, s->inertia[k].h.y, 1e-15);
    }
    drop(&f);
    sar_arena_free(&a);
  }
}

// The message about a file after `change`; the read must fail.
static void refused(void (*change)(hid_t file), const char* words) {
  Rng r = rng_seed(12);
  SarArena a;
  SarError err;
  SarModalShape* again;
  const char** names;
  char message[1024];
  sar_arena_init(&a);
  sar_error_init(&err);
  File f = written(random_shape(&a, &r, true));
  free(f.bytes);
  const hid_t file = H5Fopen(f.path, H5F_ACC_RDWR, H5P_DEFAULT);
  change(file);
  H5Fclose(file);
  load(&f);
  assert_false(sar_modal_hdf5_read(&a, f.bytes, f.size, "arm.h5", &again, &names, &err));
  assert_null(again);
  if (!strstr(sar_error_format(&err, 0, message, sizeof message), words))
    fail_msg("'%s' is not in: %s", words, message);
  drop(&f);
  sar_arena_free(&a);
}

static void put(hid_t file, const char* name, int count, const double* x) {
  const hsize_t size = (hsize_t)count;
  const hid_t space = H5Screate_simple(1, &size, NULL);
  H5Ldelete(file, name, H5P_DEFAULT);
  const hid_t set =
      H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x);
  H5Dclose(set);
  H5Sclose(space);
}

static const double NUMBERS[NODES] = {1, -1, 1, 1};
static void no_modes(hid_t file) { H5Ldelete(file, "modes", H5P_DEFAULT); }
static void no_names(hid_t file) { H5Ldelete(file, "names", H5P_DEFAULT); }
static void no_places(hid_t file) { H5Ldelete(file, "at", H5P_DEFAULT); }
static void number_names(hid_t file) { put(file, "names", NODES, NUMBERS); }
static void elsewhere(hid_t file) {
  H5Ldelete(file, "mass", H5P_DEFAULT);
  H5Lcreate_external("other.h5", "mass", file, "mass", H5P_DEFAULT, H5P_DEFAULT);
}
static void few_masses(hid_t file) { put(file, "mass", NODES - 1, NUMBERS); }
static void negative_mass(hid_t file) { put(file, "mass", NODES, NUMBERS); }
static void flat_bends(hid_t file) { put(file, "bend", NODES, NUMBERS); }
static void nan_damping(hid_t file) {
  const double x[MODES] = {0, (double)NAN, 0};
  put(file, "damping", MODES, x);
}

static void wrong_ones_are_refused(void** state) {
  (void)state;
  refused(no_modes, "other sizes are expected of dataset 'modes'");
  refused(no_names, "names are expected in dataset 'names'");
  refused(no_places, "a modal body needs the dataset 'at'");
  refused(number_names, "names are expected in dataset 'names'");
  refused(elsewhere, "a modal body needs the dataset 'mass'");
  refused(few_masses, "other sizes are expected of dataset 'mass'");
  refused(negative_mass, "no body has mass and inertia of node '1'");
  refused(flat_bends, "other sizes are expected of dataset 'bend'");
  refused(nan_damping, "finite numbers are expected of dataset 'damping'");
}

// Cut off, or with bytes changed: read or refused, never more than that.
static void damaged_ones_do_no_harm(void** state) {
  (void)state;
  Rng r = rng_seed(13);
  SarArena a;
  sar_arena_init(&a);
  File f = written(random_shape(&a, &r, true));
  for (int trial = 0; trial < test_effort(200); trial++) {
    SarArena own;
    SarError err;
    SarModalShape* again;
    const char** names;
    char* bytes = malloc(f.size);
    memcpy(bytes, f.bytes, f.size);
    const size_t size = trial % 2 ? f.size : 8 + (size_t)rng_uniform(&r, 0, (double)f.size - 9);
    for (int k = 0; k < 1 + trial % 5; k++)
      bytes[8 + (size_t)rng_uniform(&r, 0, (double)size - 9)] ^= (char)(1 << trial % 8);
    sar_arena_init(&own);
    sar_error_init(&err);
    if (!sar_modal_hdf5_read(&own, bytes, size, "arm.h5", &again, &names, &err))
      assert_true(err.errors > 0);
    sar_arena_free(&own);
    free(bytes);
  }
  drop(&f);
  sar_arena_free(&a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(comes_back),
      cmocka_unit_test(wrong_ones_are_refused),
      cmocka_unit_test(damaged_ones_do_no_harm),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void) { return 0; }
#endif
