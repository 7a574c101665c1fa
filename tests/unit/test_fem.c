// Modal bodies in MBDyn's text format: what is read, and what is said about files that are none;
// and the points of mass that stand for many nodes.
#include "support/random.h"
#include "support/test.h"

#include "io/fem.h"
#include "model/modal_basis.h"
#include "model/modal_lumps.h"

#include <stdio.h>
#include <string.h>

static const char GOOD[] =
    "** anything\n"
    "** RECORD GROUP 1, HEADER\n"
    "   REV0 2 1 0 0 0\n"
    "**\n"
    "** RECORD GROUP 2, NODES\n"
    " 1 tip\n"
    "** RECORD GROUP 3\n 0\n** RECORD GROUP 4\n 0\n"
    "** RECORD GROUP 5\n 0 1.5\n"
    "** RECORD GROUP 6\n 0 0.25\n"
    "** RECORD GROUP 7\n 0 -1\n"
    "** RECORD GROUP 8, MODE SHAPES\n"
    "** NORMAL MODE SHAPE # 1\n"
    " 0 0 0 0 0 0\n 0 0\n 2 0 -1 0\n"
    "** RECORD GROUP 9\n 2.02\n"
    "** RECORD GROUP 10\n 50\n"
    "** RECORD GROUP 11\n 1 1 1 0 0 0\n .5 .5 .5 .01 .02 .02\n"
    "** RECORD GROUP 12\n 1 2 3\n"
    "** RECORD GROUP 13\n 0.4\n"
    "** END OF FILE\n";

typedef struct FemFixture {
  SarArena arena;
  SarError err;
  SarModalShape* shape;
  const char** names;
  bool read;
} FemFixture;

static void read_text(FemFixture* f, const char* text, size_t n) {
  sar_arena_init(&f->arena);
  sar_error_init(&f->err);
  f->read = sar_fem_read(&f->arena, text, n, "bar.fem", &f->shape, &f->names, &f->err);
}

static void all_of_it_is_read(void** state) {
  (void)state;
  FemFixture f;
  read_text(&f, GOOD, strlen(GOOD));
  assert_true(f.read);
  assert_int_equal(f.err.count, 0);
  assert_int_equal(f.shape->nodes, 2);
  assert_int_equal(f.shape->modes, 1);
  assert_string_equal(f.names[1], "tip");
  EXPECT_NEAR(f.shape->X[1].p.x, 1.5, 0);
  EXPECT_NEAR(f.shape->X[1].p.y, 0.25, 0);
  EXPECT_NEAR(f.shape->X[1].p.z, -1, 0);
  EXPECT_NEAR(f.shape->mode[1].v.z, 2, 0);
  EXPECT_NEAR(f.shape->mode[1].w.y, -1, 0);
  EXPECT_NEAR(f.shape->stiffness[0], 50, 0);
  EXPECT_NEAR(f.shape->inertia[1].m, 0.5, 1e-16);
  EXPECT_NEAR(f.shape->inertia[1].I.yy, 0.02, 0);
  EXPECT_NEAR(f.shape->damping[0], 0.4 / (2 * sqrt(50 * 2.02)), 1e-15);
  sar_arena_free(&f.arena);
}

// GOOD with one piece replaced.
static void expect_said(const char* from, const char* to, const char* message) {
  char text[2048];
  const char* at = strstr(GOOD, from);
  assert_non_null(at);
  snprintf(text, sizeof text, "%.*s%s%s", (int)(at - GOOD), GOOD, to, at + strlen(from));
  FemFixture f;
  read_text(&f, text, strlen(text));
  if (f.read || f.err.errors != 1) fail_msg("'%s' was read", to);
  if (!strstr(f.err.items[0].text, message))
    fail_msg("said '%s', expected '%s'", f.err.items[0].text, message);
  assert_true(f.err.items[0].line > 0 && f.err.items[0].column > 0);
  sar_arena_free(&f.arena);
}

static void what_is_wrong_is_said(void** state) {
  (void)state;
  expect_said("REV0 2 1", "REV0 2.5 1", "five whole numbers");
  expect_said("REV0 2 1", "REV0 2 0", "1 to 200 modes");
  expect_said("REV0 2 1 0 0 0", "REV0 2 1 0 0 1", "rejected modes");
  expect_said("REV0 2 1", "REV0 9000 100", "too short");
  expect_said("** RECORD GROUP 11\n 1 1 1 0 0 0\n .5 .5 .5 .01 .02 .02\n", "",
              "no record group 11");
  expect_said("** RECORD GROUP 10\n 50\n", "", "no record group 10");
  expect_said("GROUP 5\n 0 1.5", "GROUP 5\n 0 nan", "'nan' is no number in record group 5");
  expect_said("GROUP 5\n 0 1.5", "GROUP 5\n 0", "record group 5 ends before");
  expect_said("GROUP 5\n 0 1.5", "GROUP 5\n 0 1.5 3", "too many numbers");
  expect_said("GROUP 6\n 0 0.25", "GROUP 5\n 0 0.25", "record group 5 is there twice");
  expect_said("GROUP 12", "GROUP 14", "no record group 14");
  expect_said("** RECORD GROUP 1, HEADER\n   REV0 2 1 0 0 0\n", "", "before group 1");
  expect_said(" 1 tip", " 1 t.p", "cannot be the name of a node");
  expect_said(".5 .5 .5 .01", "-1 .5 .5 .01", "negative lumped mass");
  expect_said(".01 .02 .02", ".01 .02 .09", "moments of inertia");
}

// A text that is cut anywhere is refused, without a crash.
static void cut_texts_are_refused(void** state) {
  (void)state;
  const size_t last = (size_t)(strstr(GOOD, " .02\n** RECORD GROUP 12") - GOOD);
  for (size_t n = 0; n < last; n++) {
    FemFixture f;
    char* text = malloc(n + 1);
    memcpy(text, GOOD, n);
    read_text(&f, text, n);
    if (f.read) fail_msg("%zu characters were read", n);
    sar_arena_free(&f.arena);
    free(text);
  }
}

static void lumped_masses_that_differ_are_told(void** state) {
  (void)state;
  char text[2048];
  const char* at = strstr(GOOD, ".5 .5 .5");
  snprintf(text, sizeof text, "%.*s.5 .6 .7%s", (int)(at - GOOD), GOOD, at + 8);
  FemFixture f;
  read_text(&f, text, strlen(text));
  assert_true(f.read);
  assert_true(f.err.count >= 1);
  EXPECT_NEAR(f.shape->inertia[1].m, 0.6, 1e-15);
  sar_arena_free(&f.arena);
}

// ---- points of mass -----------------------------------------------------------------------------

// Kinetic energy of the body for a motion of its frame and of its modes, at coordinates eta: nodes
// that turn to first order.
static double energy(const SarModalShape* s, const double* eta, Motion V, const double* rate) {
  double twice = 0;
  for (int k = 0; k < s->nodes; k++) {
    V3 p = s->X[k].p, u = v3_zero(), w = V.w;
    for (int i = 0; i < s->modes; i++) {
      p = v3_axpy(eta[i], s->mode[k * s->modes + i].v, p);
      u = v3_axpy(rate[i], s->mode[k * s->modes + i].v, u);
      w = v3_axpy(rate[i], s->mode[k * s->modes + i].w, w);
    }
    const V3 v = v3_add(v3_add_cross(V.v, V.w, p), u);
    const Motion own = {m3_tmul_v(s->X[k].R, w), m3_tmul_v(s->X[k].R, v)};
    twice += power_of(own, inertia_mul(s->inertia[k], own));
  }
  return 0.5 * twice;
}

// Of point masses the energy is the same at any deformation; of nodes with moments of inertia at
// none, and the modal masses.
static void few_points_are_the_same_body(void** state) {
  (void)state;
  Rng r = {test_seed(5101)};
  for (int trial = 0; trial < test_effort(10); trial++) {
    enum { NODES = 40, MODES = 3 };
    const bool points = trial % 2 == 0;
    SarArena arena;
    sar_arena_init(&arena);
    SarModalShape* s = sar_modal_shape_new(&arena, NODES, MODES, false);
    bool keep[NODES] = {false};
    int lumps = 0;
    keep[3] = keep[17] = true;
    assert_non_null(s);
    for (int k = 0; k < NODES; k++) {
      const double m = rng_uniform(&r, 0.1, 1);
      s->X[k] = (Xform){quat_to_m3(quat_exp(rng_v3(&r, -1, 1))), rng_v3(&r, -1, 1)};
      s->inertia[k] = (Inertia){.m = m};
      if (!points) {
        const V3 com = rng_v3(&r, -0.1, 0.1);
        s->inertia[k].h = v3_scale(m, com);
        s->inertia[k].I =
            s3_add((S3){.xx = 0.02, .yy = 0.03, .zz = 0.025}, s3_scale(m, s3_of_point(com)));
      }
      for (int i = 0; i < MODES; i++)
        s->mode[k * MODES + i] = (Motion){rng_v3(&r, -1, 1), rng_v3(&r, -1, 1)};
    }
    const SarModalShape* few = sar_modal_lumps(&arena, s, keep, &lumps);
    assert_non_null(few);
    assert_int_equal(few->nodes, 2 + lumps);
    assert_true(lumps <= 3 * MODES + 4);
    EXPECT_NEAR(few->X[1].p.x, s->X[17].p.x, 0);
    for (int n = 0; n < 5; n++) {
      double eta[MODES] = {0}, rate[MODES];
      const Motion V = {rng_v3(&r, -1, 1), rng_v3(&r, -1, 1)};
      for (int i = 0; i < MODES; i++) {
        if (points) eta[i] = rng_uniform(&r, -1, 1);
        rate[i] = rng_uniform(&r, -1, 1);
      }
      const double T = energy(s, eta, V, rate);
      EXPECT_NEAR(energy(few, eta, V, rate), T, 1e-11 * T);
    }
    sar_arena_free(&arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_of_it_is_read),
      cmocka_unit_test(what_is_wrong_is_said),
      cmocka_unit_test(cut_texts_are_refused),
      cmocka_unit_test(lumped_masses_that_differ_are_told),
      cmocka_unit_test(few_points_are_the_same_body),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
