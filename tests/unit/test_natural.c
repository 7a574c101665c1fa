// Natural coordinates: how many come out, and that they say the same as the coordinates of the
// tree.
#include "dynamics/constraints.h"
#include "formulations/natural/natural.h"
#include "support/model_file.h"
#include "support/random_modal.h"
#include "support/random_model.h"

#include <glob.h>

enum { MOST = 512 };  // items and rows of the models here

typedef struct World {
  SarModel* m;
  SarData* d;
  SarNatural* p;
  double acc[MOST], scratch[MOST], near[MOST];
  V3 x[MOST], v[MOST], a[MOST];
} World;

static void open_world(World* w, SarModel* m) {
  SarError err;
  sar_error_init(&err);
  w->m = m;
  EXPECT_OK_OR(sar_data_new(m, &w->d, &err), &err);
  EXPECT_OK_OR(sar_natural_new(m, &w->p, &err), &err);
  assert_in_range(w->p->nitem, 0, MOST - 1);
  assert_in_range(w->p->nrow, 0, MOST - 1);
  assert_in_range(m->nq_all, 0, MOST - 1);
}

static void close_world(World* w) {
  sar_natural_free(w->p);
  sar_data_free(w->d);
  sar_model_free(w->m);
}

// A random state of the tree, and what it is in natural coordinates.
static void read_random(World* w, Rng* r, double spread) {
  const SarModel* m = w->m;
  double xi[SAR_JOINT_MAX_NV];
  for (int b = 0; b < m->nbody; b++) {
    const int q = m->joint_qadr[b];
    for (int i = 0; i < m->joint_nv[b]; i++) xi[i] = rng_uniform(r, -spread, spread);
    sar_joint_retract(m->joint_kind[b], &m->joint_param[b * SAR_JOINT_MAX_PARAM], &m->q0[q], xi,
                      &w->d->q[q]);
  }
  for (int i = 0; i < m->nv; i++) {
    w->d->v[i] = rng_uniform(r, -1, 1);
    w->acc[i] = rng_uniform(r, -1, 1);
  }
  w->d->t = rng_uniform(r, 0, 1);
  sar_natural_read(w->p, w->d, w->acc, w->scratch, w->x, w->v, w->a);
}

static SarModel* random_tree(uint64_t seed, int nbody) {
  static ModelText t;
  Rng r = rng_seed(seed);
  model_random(&t, &r, nbody);
  return model_text(strstr(t.text, "name:"));  // without the version, which model_text adds
}

static SarModel* random_flexible(Rng* r) {
  static ModalText t;
  random_modal(&t, r, false);
  return model_parse(t.text, NULL);
}

// A random tree of 20 bodies, every third one with modal bodies, in a random state; returns the
// generator, for more.
static Rng open_random(World* w, int trial, double spread) {
  Rng r = rng_seed((uint64_t)trial);
  open_world(w, trial % 3 == 2 ? random_flexible(&r) : random_tree((uint64_t)trial, 20));
  read_random(w, &r, spread);
  return r;
}

// ---- how many -----------------------------------------------------------------------------------

static void expect_count(const char* file, int dim, int items, int rows) {
  World w;
  open_world(&w, model_file(file, NULL));
  if (w.p->dim != dim || w.p->nitem != items || w.p->nrow != rows)
    fail_msg("%s: %d items of %d components, %d rows, expected %d of %d, %d", file, w.p->nitem,
             w.p->dim, w.p->nrow, items, dim, rows);
  close_world(&w);
}

static void double_four_bar_has_six_coordinates(void** state) {
  (void)state;
  // three points of two components, five distances: as in Cuadrado et al. 2003, sec. 4.1
  expect_count("reference/A_double_fourbar.yaml", 2, 3, 5);
  expect_count("reference/B_fortyfold_fourbar.yaml", 2, 41, 81);
}

static void bricard_has_the_books_coordinates(void** state) {
  (void)state;
  // five moving bars between six hinges, two of them on ground: four points and four axes, and each
  // bar is known by two points and two axes
  expect_count("reference/H_bricard.yaml", 3, 8, 24);
}

// Rows are weighed by what resists them in each item, and an item without any would make a row as
// weak as nothing: an axis that two bodies share, and neither needs for its basis, was such a one
// (the wrists of examples/acrobat.yaml in absolute coordinates).
static void every_item_resists(void** state) {
  (void)state;
  static const char* const WHERE[] = {"examples/*.yaml", "tests/models/*.yaml",
                                      "tests/models/reference/*.yaml",
                                      "tests/reference/tree/*.urdf"};
  int models = 0;
  glob_t found = {0};
  for (size_t i = 0; i < sizeof WHERE / sizeof *WHERE; i++) {
    char pattern[512];
    snprintf(pattern, sizeof pattern, "%s/%s", SARRUS_SOURCE_DIR, WHERE[i]);
    assert_int_equal(glob(pattern, i ? GLOB_APPEND : 0, NULL, &found), 0);
  }
  for (size_t k = 0; k < 2 * found.gl_pathc; k++) {
    const SarLoadOptions o = {.coordinates = k % 2 ? "absolute" : "relative"};
    const char* path = found.gl_pathv[k / 2];
    SarModel* m;
    SarNatural* p = NULL;
    if (sar_model_load(path, &o, &m, NULL) == SAR_OK && sar_natural_new(m, &p, NULL) == SAR_OK) {
      models++;
      for (int i = 0; i < p->nitem; i++)
        if (!(p->inertia[i] > 0))
          fail_msg("%s, %s: item %d of body %d", path, o.coordinates, i, p->item[i].body);
    }
    sar_natural_free(p);
    sar_model_free(m);
  }
  globfree(&found);
  assert_true(models > 150);
}

// ---- the same motion ----------------------------------------------------------------------------

// Phi, Phi' and Phi'' vanish for every motion of the tree: joints and rigid bodies are all it has.
static void motions_of_the_tree_meet_all_equations(void** state) {
  (void)state;
  for (int trial = 0; trial < test_effort(20); trial++) {
    World w;
    open_random(&w, trial, 0.7);
    sar_natural_constraints(w.p, w.d, w.x);
    sar_natural_constraint_rates(w.p, w.d, w.x, w.v);
    double second[MOST];
    sar_natural_multiply(w.p, w.a, second);
    for (int i = 0; i < w.p->nrow; i++) {
      EXPECT_NEAR(w.p->Phi[i], 0, 1e-12);  // sums of products of size 10
      EXPECT_NEAR(w.p->Phi_dot[i], 0, 1e-11);
      EXPECT_NEAR(second[i] + w.p->bias[i], 0, 1e-9);
    }
    close_world(&w);
  }
}

static void states_come_back(void** state) {
  (void)state;
  for (int trial = 0; trial < test_effort(20); trial++) {
    World w;
    open_random(&w, trial, 0.7);
    double q[MOST], v[MOST], acc[MOST];
    memcpy(q, w.d->q, (size_t)w.m->nq * sizeof *q);
    memcpy(v, w.d->v, (size_t)w.m->nv * sizeof *v);
    memcpy(w.near, w.m->q0, (size_t)w.m->nq * sizeof *q);
    memset(w.d->q, 0, (size_t)w.m->nq * sizeof *q);
    sar_natural_write(w.p, w.d, w.near, w.x, w.v);
    sar_update_kinematics(w.m, w.d);
    sar_natural_write_accelerations(w.p, w.d, w.a, acc);
    for (int i = 0; i < w.m->nq; i++) EXPECT_NEAR(w.d->q[i], q[i], 1e-11);
    for (int i = 0; i < w.m->nv; i++) EXPECT_NEAR(w.d->v[i], v[i], 1e-11);
    for (int i = 0; i < w.m->nv; i++) EXPECT_NEAR(acc[i], w.acc[i], 1e-10);
    close_world(&w);
  }
}

// 1/2 z' M z' is the kinetic energy (without the motors' own, which are forces here).
static void kinetic_energy_is_the_same(void** state) {
  (void)state;
  for (int trial = 0; trial < test_effort(20); trial++) {
    World w;
    open_random(&w, trial, 2);
    V3 momentum[MOST] = {{0, 0, 0}};
    sar_natural_add_inertia(w.p, w.v, momentum);
    double energy = 0, motors = 0;
    for (int k = 0; k < w.p->nitem; k++) energy += v3_dot(momentum[k], w.v[k]) / 2;
    for (int i = 0; i < w.m->nv; i++) motors += w.m->dof_armature[i] * w.d->v[i] * w.d->v[i] / 2;
    const double expected = sar_kinetic_energy(w.m, w.d) - motors;
    EXPECT_NEAR(energy, expected, 1e-12 * expected);
    close_world(&w);
  }
}

// Applied forces and weights have the same power in both coordinates.
static void power_of_forces_is_the_same(void** state) {
  (void)state;
  for (int trial = 0; trial < test_effort(20); trial++) {
    World w;
    open_random(&w, trial, 0.7);
    memcpy(w.near, w.d->q, (size_t)w.m->nq * sizeof *w.near);
    sar_natural_write(w.p, w.d, w.near, w.x, w.v);
    sar_update_kinematics(w.m, w.d);
    sar_update_forces(w.m, w.d);
    sar_update_world(w.m, w.d);
    V3 Q[MOST] = {{0, 0, 0}};
    sar_natural_add_forces(w.p, w.d, Q);
    double power = 0, expected = 0, size = 0;
    for (int k = 0; k < w.p->nitem; k++) power += v3_dot(Q[k], w.v[k]);
    for (int i = 0; i < w.m->nv; i++) {
      expected += w.d->tau[i] * w.d->v[i];
      size += fabs(w.d->tau[i]);
    }
    for (int b = 0; b < w.m->nbody; b++) {
      const Motion V = w.d->body_V[b];
      const Inertia* I = &w.m->body_inertia[b];
      const V3 weight = m3_tmul_v(w.d->body_X_GB[b].R, w.m->gravity);  // per mass, in B
      expected += power_of(V, w.d->body_F[b]) + I->m * v3_dot(weight, V.v) +
                  v3_dot(v3_cross(I->h, weight), V.w);
      size += I->m * v3_norm(weight);
    }
    EXPECT_NEAR(power, expected, 1e-12 * size);
    close_world(&w);
  }
}

// ---- derivatives --------------------------------------------------------------------------------

// Every kind of constraint of the file, on joints and points.
static const char DRIVEN[] =
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  a: {box: [0.4, 0.3, 0.2], mass: 2, at: [0, 0, 0]}\n"
    "  b: {box: [0.3, 0.5, 0.2], mass: 1, at: [1, 0.2, 0]}\n"
    "  c: {box: [0.3, 0.2, 0.4], mass: 1, at: [1.5, 1, 0.3]}\n"
    "  e: {box: [0.3, 0.2, 0.4], mass: 1, at: [0.5, 1.5, 0.3]}\n"
    "joints:\n"
    "  ja: {revolute: [ground, a], at: [0, 0, 0], axis: [0, 0.6, 0.8]}\n"
    "  jb: {screw: [a, b], at: [0.5, 0, 0], axis: [1, 0, 0], pitch: 0.1}\n"
    "  jc: {universal: [b, c], at: [1.2, 0.5, 0], axis: [0, 1, 0], axis2: [0, 0, 1]}\n"
    "  je: {prismatic: [ground, e], at: [0.5, 1.5, 0.3], axis: [0.6, 0, 0.8]}\n"
    "constraints:\n"
    "  drive: {motion: ja, value: 0.3*sin(2*t)}\n"
    "  tilt: {motion: jc, value: 0.2*t, component: 2}\n"
    "  bar: {rod: [[c, [0.1, 0, 0]], [e, [0, 0.1, 0]]], length: 1.2 + 0.1*t}\n"
    "  nut: {screw_coupling: [jb, je], pitch: 0.3}\n"
    "  line: {on_line: [[c, [0, 0.1, 0]], [e, [0, 0, 0.1]]], axis: [0, 1, 0]}\n"
    "  track: {on_curve: [[c, [0, 0, 0.1]], [ground, [0, 0, 0]]], axis: [1, 0, 0], axis2: [0, 0, "
    "1], curve: 0.2*sin(x)}\n";

// Phi_z by central differences, and d/dt of Phi' along a straight line in z: Phi'' with z'' = 0.
static void check_derivatives(World* w, Rng* r) {
  SarNatural* p = w->p;
  static double Phi[2][MOST], rate[2][MOST], entries[MOST], bias[MOST];
  V3 v[MOST], x[MOST];
  const double h = 1e-6, t = w->d->t;
  for (int k = 0; k < p->nitem; k++) {
    v[k] = rng_v3(r, -1, 1);
    w->x[k] = v3_axpy(0.05, rng_v3(r, -1, 1), w->x[k]);  // off the constraints too
    if (p->dim == 2) v[k].z = w->x[k].z = 0;
  }
  sar_natural_constraints(p, w->d, w->x);
  sar_natural_constraint_rates(p, w->d, w->x, v);
  memcpy(entries, p->Phi_dot, (size_t)p->nrow * sizeof *entries);
  memcpy(bias, p->bias, (size_t)p->nrow * sizeof *bias);
  for (int side = 0; side < 2; side++) {
    const double step = side ? h : -h;
    for (int k = 0; k < p->nitem; k++) x[k] = v3_axpy(step, v[k], w->x[k]);
    w->d->t = t + step;
    sar_natural_constraints(p, w->d, x);
    sar_natural_constraint_rates(p, w->d, x, v);
    memcpy(Phi[side], p->Phi, (size_t)p->nrow * sizeof *Phi[0]);
    memcpy(rate[side], p->Phi_dot, (size_t)p->nrow * sizeof *rate[0]);
  }
  w->d->t = t;
  for (int i = 0; i < p->nrow; i++) {
    // rounding 1e-16 / h and the third derivative times h^2, sizes up to 10
    EXPECT_NEAR((Phi[1][i] - Phi[0][i]) / (2 * h), entries[i], 1e-8);
    EXPECT_NEAR((rate[1][i] - rate[0][i]) / (2 * h), bias[i], 1e-7);
  }
}

static void jacobians_and_biases_are_derivatives(void** state) {
  (void)state;
  for (int trial = 0; trial < test_effort(10); trial++) {
    World w;
    Rng r = open_random(&w, trial, 0.5);
    check_derivatives(&w, &r);
    close_world(&w);
    open_world(&w, model_text(DRIVEN));
    assert_true(w.p->nrow > 10);
    read_random(&w, &r, 0.2);
    check_derivatives(&w, &r);
    close_world(&w);
    open_world(&w, model_file("reference/G_andrews.yaml", NULL));
    read_random(&w, &r, 0.2);
    check_derivatives(&w, &r);
    close_world(&w);
  }
}

// The file's rows have the values that the tree finds (cut joints are met by sharing).
static void rows_of_the_file_are_the_trees(void** state) {
  (void)state;
  World w;
  Rng r = rng_seed(5);
  open_world(&w, model_text(DRIVEN));
  read_random(&w, &r, 0.2);
  memcpy(w.near, w.d->q, (size_t)w.m->nq * sizeof *w.near);
  sar_natural_constraints(w.p, w.d, w.x);
  sar_natural_constraint_rates(w.p, w.d, w.x, w.v);
  sar_update_constraints(w.m, w.d);
  sar_update_constraint_rates(w.m, w.d);
  const int first = w.p->nrow - w.m->nrow;
  for (int i = 0; i < w.m->nrow; i++) {
    EXPECT_NEAR(w.p->Phi[first + i], w.d->Phi[i], 1e-12);
    EXPECT_NEAR(w.p->Phi_dot[first + i], w.d->Phi_dot[i], 1e-12);
  }
  close_world(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(double_four_bar_has_six_coordinates),
      cmocka_unit_test(bricard_has_the_books_coordinates),
      cmocka_unit_test(every_item_resists),
      cmocka_unit_test(motions_of_the_tree_meet_all_equations),
      cmocka_unit_test(states_come_back),
      cmocka_unit_test(kinetic_energy_is_the_same),
      cmocka_unit_test(power_of_forces_is_the_same),
      cmocka_unit_test(jacobians_and_biases_are_derivatives),
      cmocka_unit_test(rows_of_the_file_are_the_trees),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
