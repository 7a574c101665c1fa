// Bodies that fixed joints join are one body of the tree. Nothing but the time it takes may tell:
// random mechanisms with fixed joints at random places, merged and with every joint kept, have the
// same accelerations, columns, poses and Jacobians to rounding.
#include "model/model.h"
#include "support/test.h"
#include "support/model_file.h"

#include <math.h>

enum { MOST_BODIES = 14, TEXT = 1 << 16 };

typedef struct Text {
  char at[TEXT];
  int n;
} Text;

__attribute__((format(printf, 2, 3))) static void put(Text* t, const char* format, ...) {
  va_list args;
  va_start(args, format);
  t->n += vsnprintf(t->at + t->n, sizeof t->at - (size_t)t->n, format, args);
  va_end(args);
  assert_in_range(t->n, 0, sizeof t->at - 1);
}

static double u(Rng* r) { return rng_uniform(r, -1, 1); }

// ---- random mechanisms --------------------------------------------------------------------------

typedef enum Extra { NOTHING, FORCES, LOOPS, CONTACT } Extra;

static void put_body(Text* t, Rng* r, int b, Extra extra) {
  // some are massless frames, where a fixed joint carries them (put_joint)
  put(t, "  b%d: {mass: %g, com: [%g, %g, %g], inertia: [%g, %g, %g, %g, %g, %g]", b,
      rng_uniform(r, 0.5, 2), 0.2 * u(r), 0.2 * u(r), 0.2 * u(r), rng_uniform(r, 0.2, 0.3),
      rng_uniform(r, 0.2, 0.3), rng_uniform(r, 0.2, 0.3), 0.02 * u(r), 0.02 * u(r), 0.02 * u(r));
  put(t, ", points: {p: [%g, %g, %g]}", 0.3 * u(r), 0.3 * u(r), 0.3 * u(r));
  if (extra == CONTACT)
    put(t, ", contact: [{sphere: 0.1, at: [%g, %g, %g], name: s}]", 0.3 * u(r), 0.3 * u(r),
        0.3 * u(r));
  put(t, "}\n");
}

// Loops start at rest: speeds that do not fit them are put right by a fit that magnifies rounding.
// With contact nothing flies and nothing is fixed to ground: one body flies by a better rule than
// two that are fixed to each other, and what is part of the ground is looked for from nearer by.
static void put_joint(Text* t, Rng* r, int b, bool fixed, Extra extra) {
  const double speed = extra == LOOPS ? 0 : extra == CONTACT ? 4 : 1;
  const bool backwards = u(r) > 0;
  static const char* const KIND[] = {"revolute", "prismatic", "spherical", "universal", "free"};
  const int parent = (int)rng_uniform(r, 0, b + 0.999) - 1;
  if (extra == CONTACT && parent < 0) fixed = false;
  const char* kind = fixed ? "fixed" : KIND[(int)rng_uniform(r, 0, extra == CONTACT ? 3.999 : 4.2)];
  char holder[16] = "ground";
  if (parent >= 0) snprintf(holder, sizeof holder, "b%d", parent);
  put(t, "  j%d: {%s: ", b, kind);
  if (fixed && backwards && parent >= 0)  // the tree runs against the file
    put(t, "[b%d, %s]", b, holder);
  else
    put(t, "[%s, b%d]", holder, b);
  put(t, ", at: [%g, %g, %g]", u(r), u(r), u(r));
  if (strcmp(kind, "revolute") == 0 || strcmp(kind, "prismatic") == 0)
    put(t, ", axis: [%g, %g, 1], speed: %g, damping: 0.1", u(r), u(r), speed * u(r));
  if (strcmp(kind, "universal") == 0)
    put(t, ", axis: x, axis2: y, speed: [%g, %g]", speed * u(r), speed * u(r));
  if (strcmp(kind, "spherical") == 0)
    put(t, ", speed: [%g, %g, %g]", speed * u(r), speed * u(r), speed * u(r));
  put(t, "}\n");
}

static int some(Rng* r, int n) { return (int)rng_uniform(r, 0, n - 0.001); }

static void put_forces(Text* t, Rng* r, int n) {
  put(t, "forces:\n");
  for (int i = 0; i < 4; i++) {
    const int a = some(r, n), b = (a + 1 + some(r, n - 1)) % n;
    put(t, "  s%d: {spring_damper: [b%d.p, b%d], stiffness: 30, damping: 0.5, length: 0.3}\n", i, a,
        b);
    put(t, "  f%d: {force: b%d.p, value: [\"3*b%d.x\", 1, \"b%d.qx\"], frame: body}\n", i, b, a, b);
    put(t, "  t%d: {torque: b%d, value: [0.1, \"b%d.wy\", \"-b%d.p.vz\"], frame: body}\n", i, a, b,
        a);
  }
}

static void put_loops(Text* t, Rng* r, int n) {
  put(t, "constraints:\n");
  for (int i = 0; i < 2; i++) {
    const int a = some(r, n), b = (a + 1 + some(r, n - 1)) % n;
    put(t, "  rod%d: {rod: [b%d.p, b%d]}\n", i, a, b);
  }
}

// Gives the number of bodies.
static int put_model(Text* t, Rng* r, Extra extra) {
  const int n = 4 + some(r, MOST_BODIES - 4);
  t->n = 0;
  put(t, "sarrus: 1\nbodies:\n");
  for (int b = 0; b < n; b++) put_body(t, r, b, extra);
  put(t, "joints:\n");
  for (int b = 0; b < n; b++) put_joint(t, r, b, u(r) > 0, extra);
  if (extra == FORCES) put_forces(t, r, n);
  if (extra == LOOPS) put_loops(t, r, n);
  // no friction: what several contacts that stick share is not unique, and neither is each one's
  // force
  if (extra == CONTACT)
    put(t,
        "ground: {contact: [{plane: z, at: [0, 0, -0.4]}]}\n"
        "contact: {materials: {default: {friction: 0}}}\n");
  put(t,
      "outputs: [energy, momentum, joints, {body: all, with: [position, orientation, velocity, "
      "omega, acceleration]}");
  for (int b = 0; b < n; b++) put(t, ", {point: b%d.p}", b);
  put(t, "]\n");
  return n;
}

// ---- twins --------------------------------------------------------------------------------------

typedef struct Side {
  SarModel* m;
  SarData* d;
  SarSim* s;
  double* column;
} Side;

static bool open_side(Side* side, const char* text, bool keep, const char* formulation) {
  const SarLoadOptions o = {.keep_fixed = keep};
  SarSimOptions so = sar_sim_options();
  SarError err;
  sar_error_init(&err);
  *side = (Side){0};
  side->m = model_parse(text, &o);
  so.formulation = formulation;
  if (formulation && strcmp(formulation, "impulse") != 0) so.integrator = "rk4";
  so.step = 1e-3;
  so.impulse_tolerance = 1e-14;
  so.max_iterations = 3000;
  EXPECT_OK(sar_data_new(side->m, &side->d, &err));
  if (sar_sim_new(side->m, side->d, &so, &side->s, &err) != SAR_OK) return false;
  side->column = calloc((size_t)sar_model_count(side->m, SAR_ITEM_OUTPUT) + 1, sizeof(double));
  return true;
}

static void close_side(Side* s) {
  free(s->column);
  sar_sim_free(s->s);
  sar_data_free(s->d);
  sar_model_free(s->m);
}

static void expect_alike(const Text* t, uint64_t seed, const char* what, double a, double b,
                         double tol) {
  if (fabs(a - b) <= tol * (1 + fabs(b))) return;
  fputs(t->at, stderr);
  fail_msg("seed %llu, %s: merged %.17g, kept %.17g, apart %.3g", (unsigned long long)seed, what, a,
           b, a - b);
}

static void expect_columns(const Text* t, uint64_t seed, Side side[2], double tol) {
  const int n = sar_model_count(side[0].m, SAR_ITEM_OUTPUT);
  assert_int_equal(n, sar_model_count(side[1].m, SAR_ITEM_OUTPUT));
  for (int k = 0; k < 2; k++) EXPECT_OK(sar_outputs(side[k].s, side[k].column));
  for (int i = 0; i < n; i++) {
    const char* name = sar_model_name(side[0].m, SAR_ITEM_OUTPUT, i);
    assert_string_equal(name, sar_model_name(side[1].m, SAR_ITEM_OUTPUT, i));
    expect_alike(t, seed, name, side[0].column[i], side[1].column[i], tol);
  }
}

// Every body of the file is there by name, in the same place, moving alike.
static void expect_bodies(const Text* t, uint64_t seed, Side side[2], int n) {
  double* J[2];
  const int nv = sar_model_nv(side[0].m);
  assert_int_equal(nv, sar_model_nv(side[1].m));
  for (int k = 0; k < 2; k++) J[k] = calloc((size_t)(6 * nv + 1), sizeof(double));
  for (int b = 0; b < n; b++) {
    const double point[3] = {0.1, -0.2, 0.3};
    double p[2][18];
    char name[16];
    snprintf(name, sizeof name, "b%d", b);
    for (int k = 0; k < 2; k++) {
      const int body = sar_model_find(side[k].m, SAR_ITEM_BODY, name);
      SarJointInfo info;
      EXPECT_OK(sar_body_pose(side[k].d, body, p[k], p[k] + 3));
      EXPECT_OK(sar_body_velocity(side[k].d, body, point, p[k] + 12, p[k] + 15));
      EXPECT_OK(sar_jacobian(side[k].d, body, point, J[k]));
      EXPECT_OK(sar_joint_info(side[k].m, body, &info));
      assert_int_equal(info.body, body);
    }
    for (int i = 0; i < 18; i++) expect_alike(t, seed, name, p[0][i], p[1][i], 1e-11);
    for (int i = 0; i < 6 * nv; i++) expect_alike(t, seed, name, J[0][i], J[1][i], 1e-11);
  }
  for (int k = 0; k < 2; k++) free(J[k]);
}

// Solids that overlap at the start may ask for what no motion can give.
static bool is_apart(const Side* side) {
  SarContactPoint p;
  bool apart = true;
  for (int i = 0; sar_contact(side->d, i, &p) == SAR_OK; i++) apart = apart && p.gap > 0;
  return apart;
}

// Runs random twins until `wanted` of them could be set up; returns how many were merged.
static void run_twins(uint64_t first, int wanted, Extra extra, const char* formulation, int steps,
                      double tol) {
  Text* t = malloc(sizeof *t);
  int done = 0, merged = 0, touched = 0;
  for (uint64_t seed = test_seed(first);
       done < wanted && seed < test_seed(first) + 20 * (uint64_t)wanted; seed++) {
    Rng r = rng_seed(seed);
    const int n = put_model(t, &r, extra);
    Side side[2];
    const bool fine = open_side(&side[0], t->at, false, formulation);
    const bool also = open_side(&side[1], t->at, true, formulation);
    if (fine != also) fail_msg("seed %llu: one twin is refused", (unsigned long long)seed);
    if (fine) {
      assert_int_equal(sar_model_count(side[0].m, SAR_ITEM_BODY), n);
      expect_columns(t, seed, side, tol);
      expect_bodies(t, seed, side, n);
      for (int k = 0; k < 2; k++) EXPECT_OK(sar_step(side[k].s));
    }
    if (fine && is_apart(&side[0])) {
      for (int i = 1; i < steps; i++)
        for (int k = 0; k < 2; k++) EXPECT_OK(sar_step(side[k].s));
      expect_columns(t, seed, side, 100 * tol);
      touched += sar_contact_count(side[0].d) > 0;
      merged += side[0].m->nfixed > 0;
      done++;
    }
    for (int k = 0; k < 2; k++) close_side(&side[k]);
  }
  assert_int_equal(done, wanted);
  assert_true(merged > wanted / 2);
  assert_true(extra != CONTACT || touched > wanted / 4);
  free(t);
}

static void trees(void** state) {
  (void)state;
  run_twins(100, test_effort(150), NOTHING, "aba", 20, 1e-10);
}

static void trees_with_forces(void** state) {
  (void)state;
  run_twins(200, test_effort(150), FORCES, "aba", 20, 1e-10);
  run_twins(300, test_effort(50), FORCES, "crba", 20, 1e-10);
}

static void loops(void** state) {
  (void)state;
  run_twins(400, test_effort(80), LOOPS, "lagrange", 20, 1e-8);
}

static void contact(void** state) {
  (void)state;
  run_twins(500, test_effort(60), CONTACT, "impulse", 60, 1e-8);
}

// ---- by name ------------------------------------------------------------------------------------

#define ARM                                                      \
  "bodies:\n"                                                    \
  "  arm: {mass: 2, inertia: [1, 1, 1], com: [1, 0, 0]}\n"       \
  "  tool: {mass: 1, inertia: [0.1, 0.1, 0.1], at: [2, 0, 0]}\n" \
  "  tip: {at: [3, 0, 0]}\n"                                     \
  "joints:\n"                                                    \
  "  hinge: {revolute: [ground, arm], axis: y}\n"                \
  "  flange: {fixed: [arm, tool], at: [2, 0, 0]}\n"              \
  "  end: {fixed: [tip, tool]}\n"

// A column that shows what a fixed joint carries keeps it in the tree, and no other one.
static void reactions_keep_their_joint(void** state) {
  (void)state;
  SarModel* merged = model_text(ARM);
  SarModel* kept = model_text(ARM "outputs: [{reaction: flange}]");
  assert_int_equal(merged->nbody, 1);
  assert_int_equal(kept->nbody, 2);
  const int flange = sar_model_find(merged, SAR_ITEM_JOINT, "flange");
  SarData* d;
  double F[6];
  EXPECT_OK(sar_data_new(merged, &d, NULL));
  EXPECT_OK(sar_forward_dynamics(d));
  EXPECT_STATUS(sar_reaction(d, flange, F, F + 3), SAR_NOT_OFFERED);
  sar_data_free(d);
  EXPECT_OK(sar_data_new(kept, &d, NULL));
  EXPECT_OK(sar_forward_dynamics(d));
  EXPECT_OK(sar_reaction(d, sar_model_find(kept, SAR_ITEM_JOINT, "flange"), F, F + 3));
  // about the hinge: (1 + 2 + 0.1 + 4) al = 9.81 (2 + 2); the tool's mass falls at 2 al
  const double al = 9.81 * 4 / 7.1;
  EXPECT_NEAR(F[2], 9.81 - 2 * al, 1e-12);
  EXPECT_NEAR(F[4], 0.1 * al, 1e-12);
  sar_data_free(d);
  sar_model_free(kept);
  sar_model_free(merged);
}

static void info_names_what_is_fixed(void** state) {
  (void)state;
  SarModel* m = model_text(ARM);
  SarJointInfo info;
  EXPECT_OK(sar_joint_info(m, sar_model_find(m, SAR_ITEM_JOINT, "end"), &info));
  assert_string_equal(sar_model_name(m, SAR_ITEM_BODY, info.body), "tip");
  assert_string_equal(sar_model_name(m, SAR_ITEM_BODY, info.parent), "tool");
  assert_true(info.turned);
  assert_int_equal(info.nv, 0);
  sar_model_free(m);
}

// Contacts are those of the body of the file, and a solid fixed to ground is not the ground.
static void contacts_are_of_the_body_of_the_file(void** state) {
  (void)state;
  Side s;
  assert_true(open_side(&s,
                        "sarrus: 1\nbodies:\n"
                        "  base: {contact: [{box: [1, 1, 0.2]}]}\n"
                        "  ball: {mass: 1, inertia: [0.1, 0.1, 0.1], at: [0, 0, 0.6]}\n"
                        "  foot: {mass: 1, inertia: [0.1, 0.1, 0.1], at: [0, 0, 0.2],"
                        " contact: [{sphere: 0.1}]}\n"
                        "joints:\n"
                        "  weld: {fixed: [ground, base]}\n"
                        "  grip: {fixed: [ball, foot]}\n"
                        "  rail: {prismatic: [ground, ball], axis: z}\n"
                        "outputs: [{contact: [foot, base]}, {contact: [foot, ground]}]\n"
                        "ground: {contact: [{plane: z, at: [0, 0, -5]}]}\n",
                        false, "impulse"));
  for (int i = 0; i < 10; i++) EXPECT_OK(sar_step(s.s));
  EXPECT_OK(sar_outputs(s.s, s.column));
  const int fz = sar_model_find(s.m, SAR_ITEM_OUTPUT, "foot.base.contact.fz");
  EXPECT_NEAR(s.column[fz], 2 * 9.81, 1e-6);
  EXPECT_NEAR(s.column[sar_model_find(s.m, SAR_ITEM_OUTPUT, "foot.ground.contact.fz")], 0, 0);
  SarContactPoint p;
  EXPECT_OK(sar_contact(s.d, 0, &p));
  const int foot = sar_model_find(s.m, SAR_ITEM_BODY, "foot");
  const int base = sar_model_find(s.m, SAR_ITEM_BODY, "base");
  assert_true((p.body[0] == base && p.body[1] == foot) || (p.body[0] == foot && p.body[1] == base));
  close_side(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(trees),
      cmocka_unit_test(trees_with_forces),
      cmocka_unit_test(loops),
      cmocka_unit_test(contact),
      cmocka_unit_test(reactions_keep_their_joint),
      cmocka_unit_test(info_names_what_is_fixed),
      cmocka_unit_test(contacts_are_of_the_body_of_the_file),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
