// The mechanisms with loops at the start, in both kinds of coordinates: the file's positions and
// speeds close every loop, and with the accelerations and multipliers of a plain solver every
// column of the first row of the reference comes out: points, speeds, accelerations, reactions,
// energies.
//
//   [M  Psi'; Psi  -e 1] [a; lambda] = [Q; gamma]
//
// e = 1e-13 makes the matrix regular where constraints are redundant; it moves the accelerations by
// about e lambda.
#include "support/reference_file.h"
#include "support/run.h"

#include "dynamics/constraints.h"
#include "linalg/lu.h"
#include "model/sim.h"
#include "sim/assemble.h"
#include "sim/setup.h"

static size_t kkt_size(const SarModel* m, const SarSimOptions* o) {
  (void)o;
  size_t n = (size_t)(m->nv + m->nrow);
  return (n * n + n + (size_t)m->nv * (size_t)(m->nv + m->nrow)) * sizeof(double) + n * sizeof(int);
}

static SarStatus kkt_accel(SarSim* s) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  int nv = m->nv, n = nv + m->nrow;
  double *A = s->formulation_state, *x = A + n * n, *M = x + n, *Psi = M + nv * nv;
  int* pivot = (int*)(void*)(Psi + nv * m->nrow);
  EXPECT_OK(sar_tree_mass_matrix(d, M));
  sar_update_kinematics(m, d);
  sar_update_forces(m, d);
  sar_update_world(m, d);
  sar_update_constraints(m, d);
  sar_update_constraint_rates(m, d);
  sar_constraint_jacobian_dense(m, d, Psi);
  sar_rnea(m, d, NULL, x);
  for (int i = 0; i < nv; i++) x[i] = d->tau[i] - x[i];
  for (int i = 0; i < m->nrow; i++) x[nv + i] = d->gamma[i];
  for (int i = 0; i < n * n; i++) A[i] = 0;
  for (int i = 0; i < nv; i++)
    for (int k = 0; k < nv; k++) A[i * n + k] = M[i * nv + k];
  for (int i = 0; i < m->nrow; i++) {
    A[(nv + i) * n + nv + i] = -1e-13;
    for (int k = 0; k < nv; k++) A[(nv + i) * n + k] = A[k * n + nv + i] = Psi[i * nv + k];
  }
  if (!sar_lu_factor(n, A, pivot)) return SAR_SINGULAR;
  sar_lu_solve(n, A, pivot, x);
  for (int i = 0; i < nv; i++) d->a[i] = x[i];
  for (int i = 0; i < m->nrow; i++) d->lambda[i] = x[nv + i];
  return SAR_OK;
}

static const SarFormulation KKT = {
    .name = "kkt", .doc = "", .ref = "", .state_size = kkt_size, .accel = kkt_accel};

static SarSimOptions precise(void) {
  SarSimOptions so = sar_sim_options();
  so.step = 1e-3, so.rtol = so.atol = 1e-11, so.adaptive = 1, so.max_iterations = 10;
  return so;
}

// Without projection: accelerations alone keep the constraints.
static Run set_up(SarModel* m) {
  Run l = {.m = m};
  SarError err;
  const SarSimOptions so = precise();
  sar_error_init(&err);
  EXPECT_OK_OR(sar_data_new(l.m, &l.d, &err), &err);
  EXPECT_OK_OR(sar_sim_setup(l.m, l.d, &so, &KKT, sar_integrator_find("dopri5"), NULL, &l.s, &err),
               &err);
  return l;
}

// With what assembling finds out about the rows.
static Run set_up_assembled(SarModel* m, const SarIntegrator* integrator) {
  enum { ROWS = 32 };
  Run l = {.m = m};
  SarError err;
  const SarSimOptions so = precise();
  int order[ROWS];
  double size[ROWS];
  SarLoops loops = {.row_order = order, .row_size = size};
  sar_error_init(&err);
  assert_in_range(m->nrow, 1, ROWS);
  EXPECT_OK_OR(sar_data_new(l.m, &l.d, &err), &err);
  EXPECT_OK_OR(sar_assemble_rows(l.m, l.d, &loops.freedom, order, size, &err), &err);
  EXPECT_OK_OR(sar_sim_setup(l.m, l.d, &so, &KKT, integrator, &loops, &l.s, &err), &err);
  return l;
}

static Run load(const char* name, const char* coordinates) {
  char file[128];
  SarLoadOptions o = {.coordinates = coordinates};
  snprintf(file, sizeof file, "reference/%s.yaml", name);
  return set_up(model_file(file, &o));
}

// Row `row` of the reference; returns the worst difference over the scale of its column.
static double compare_row(const Run* l, const Reference* r, int row, const char** where) {
  double worst = 0, values[256];
  assert_in_range(l->m->nchannel, 1, 256);
  EXPECT_OK(sar_outputs(l->s, values));
  for (int k = 1; k < r->columns; k++) {
    int column = reference_column(l->m, r->name[k]);
    if (column < 0) fail_msg("%s: no column %s", sar_text(l->m, l->m->name), r->name[k]);
    double difference = fabs(values[column] - r->value[row][k]) / reference_scale(r, k);
    if (!(difference <= worst)) worst = difference, *where = r->name[k];
  }
  return worst;
}

typedef struct Case {
  const char* name;
  int freedoms;
  int relative, absolute;  // coordinates of the tree, of the bodies' own
} Case;

static const Case CASES[] = {
    {"A_double_fourbar", 1, 5, 15},
    {"B_fivefold_fourbar", 1, 11, 33},
    {"B_fortyfold_fourbar", 1, 81, 243},
    {"F_RSSR", 2, 5, 18},
    {"F_slider_crank", 1, 3, 9},
    {"F_spatial_slider_crank", 1, 4, 18},
    {"G_andrews", 1, 7, 21},
    {"H_bricard", 1, 5, 30},
    {"H_bricard_A04", 1, 5, 30},
    {"I_governor_A05", 4, 4, 24},
    {"I_governor_A05_10s", 4, 4, 24},
    {"I_governor_stiff", 4, 4, 24},
    {"J_stewart", 6, 21, 78},
    {"J_stewart_L2", 6, 21, 78},
    {"J_stewart_L2_axial0", 6, 21, 78},
    {"J_stewart_axial0", 6, 21, 78},
    {"K_five_link", 1, 13, 36},
    {"K_five_link_substitute", 1, 13, 36},
    {"L_peaucellier", 1, 7, 21},
    {"O_pcu_loop", 1, 5, 24},
    {"S_stacked_parallelograms", 2, 8, 24},
};
enum { CASE_COUNT = sizeof CASES / sizeof *CASES };

static void check_start(const Case* c, const char* coordinates, const Reference* r) {
  Run l = load(c->name, coordinates);
  const char* where = "";
  bool absolute = strcmp(coordinates, "absolute") == 0;
  double worst = compare_row(&l, r, 0, &where), open = 0, slip = 0;
  SarFreedom freedom;
  SarError err;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_find_freedom(l.m, &freedom, NULL, 0, &err), &err);
  const int freedoms = l.m->nv - freedom.rank;
  for (int i = 0; i < l.m->nrow; i++) {
    open = fmax(open, fabs(l.d->Phi[i]));
    slip = fmax(slip, fabs(l.d->Phi_dot[i]));
  }
  print_message(
      "%-26s %s: nv %d, %d rows, %d freedoms, loops open by %.1e m, %.1e m/s; %.1e of scale in "
      "%s\n",
      c->name, coordinates, l.m->nv, l.m->nrow, freedoms, open, slip, worst, where);
  EXPECT_AT_MOST(worst, 1e-7);
  EXPECT_AT_MOST(open, 1e-12);
  EXPECT_AT_MOST(slip, 1e-12);
  assert_int_equal(l.m->nv, absolute ? c->absolute : c->relative);
  assert_int_equal(freedoms, c->freedoms);
  // the matrix of de Falco et al. 2008: 24 equations in 24 coordinates, two of them redundant
  if (absolute && c->name[0] == 'S') assert_int_equal(l.m->nrow, 24);
  run_close(&l);
}

static void every_loop_is_closed_at_the_start(void** state) {
  (void)state;
  static Reference r;
  for (int i = 0; i < CASE_COUNT; i++) {
    reference_read(CASES[i].name, &r);
    check_start(&CASES[i], "relative", &r);
    check_start(&CASES[i], "absolute", &r);
  }
}

// Along the motion too, with nothing but an accurate integrator: reactions of joints that are cut
// here and in the tree there (FA, FU, FS1), springs and dampers on them. Loops drift apart by about
// the tolerance.
static void check_run(const char* name, const char* coordinates, double bound) {
  static Reference r;
  const char* where = "";
  double worst = 0;
  Run l = load(name, coordinates);
  reference_read(name, &r);
  for (int i = 0; i < r.rows; i++) {
    const char* column = "";
    EXPECT_OK(sar_advance(l.s, r.value[i][0]));
    double here = compare_row(&l, &r, i, &column);
    if (!(here <= worst)) worst = here, where = column;
  }
  print_message("%-26s %s: %.1e of scale in %s\n", name, coordinates, worst, where);
  EXPECT_AT_MOST(worst, bound);
  run_close(&l);
}

static void the_motion_is_that_of_the_reference(void** state) {
  (void)state;
  check_run("F_slider_crank", "relative", 1e-6);
  check_run("F_slider_crank", "absolute", 1e-6);
  check_run("F_spatial_slider_crank", "relative", 1e-6);
  check_run("F_spatial_slider_crank", "absolute", 1e-6);
  check_run("O_pcu_loop", "relative", 1e-6);
  check_run("O_pcu_loop", "absolute", 1e-6);
  check_run("K_five_link", "relative", 1e-6);
  check_run("J_stewart", "relative", 1e-6);
  check_run("L_peaucellier", "absolute", 1e-6);
}

// Springs, motors, drives and followers on the joints of a tree: carried by the joint, whether it
// is in the tree or cut. Some joints run against the tree.
static const char BUSY_TREE[] =
    "bodies:\n"
    "  a: {box: [1, 0.2, 0.3], mass: 2, at: [0.5, 0, 0]}\n"
    "  b: {box: [0.3, 0.8, 0.2], mass: 1, at: [1, 0.4, 0], rpy: [0.3, 0, 0.2]}\n"
    "  c: {box: [0.3, 0.3, 0.9], mass: 1, at: [1, 1, 0.5]}\n"
    "  d: {box: [0.2, 0.3, 0.4], mass: 1, at: [1.2, 1.1, 1]}\n"
    "  e: {box: [0.2, 0.2, 0.4], mass: 1, at: [0.5, 0.5, 0.5]}\n"
    "joints:\n"
    "  A: {revolute: [ground, a], axis: [0, 1, 1], speed: 1, stiffness: 3, rest: 0.4}\n"
    "  B: {universal: [b, a], at: [1, 0, 0], axis: x, axis2: y, speed: [0.5, -1], damping: 0.3}\n"
    "  C: {prismatic: [b, c], at: [1, 1, 0], axis: [1, 1, 1], speed: 0.5, force: 2}\n"
    "  D: {cylindrical: [d, c], at: [1, 1, 1], axis: [1, 0, 2], speed: [1, 0.2]}\n"
    "  E: {revolute: [a, e], at: [0.5, 0, 0], axis: x, speed: 2, mimic: {joint: A, multiplier: "
    "2}}\n"
    "constraints:\n"
    "  turn: {motion: A, value: t + 0.3*t^2}\n"
    "  spin: {motion: D, value: sin(t), component: 1}\n"
    "outputs: [reactions, {joint: all, with: [position, velocity, acceleration]}]\n";

static void reactions_do_not_depend_on_the_coordinates(void** state) {
  (void)state;
  static const char* const KIND[] = {"relative", "absolute"};
  double values[2][128];
  Run l[2];
  for (int k = 0; k < 2; k++) {
    const SarLoadOptions o = {.coordinates = KIND[k]};
    l[k] = set_up(model_text_with(BUSY_TREE, &o));
    assert_in_range(l[k].m->nchannel, 30, 128);
    EXPECT_OK(sar_outputs(l[k].s, values[k]));
  }
  assert_int_equal(l[0].m->nchannel, l[1].m->nchannel);
  for (int i = 0; i < l[0].m->nchannel; i++) {
    const char* name = sar_model_name(l[0].m, SAR_ITEM_OUTPUT, i);
    assert_string_equal(name, sar_model_name(l[1].m, SAR_ITEM_OUTPUT, i));
    if (!(fabs(values[0][i] - values[1][i]) <= 1e-9)) print_error("column %s\n", name);
    EXPECT_NEAR(values[1][i], values[0][i], 1e-9);
  }
  // the drive asks for an acceleration of 0.6, its follower does twice as much
  int a = sar_model_find(l[1].m, SAR_ITEM_OUTPUT, "A.a");
  int e = sar_model_find(l[1].m, SAR_ITEM_OUTPUT, "E.a");
  EXPECT_NEAR(values[1][a], 0.6, 1e-9);
  EXPECT_NEAR(values[1][e], 1.2, 1e-9);
  // through the public interface too
  for (int k = 0; k < l[1].m->ncut; k++) {
    const char* name = sar_text(l[1].m, l[1].m->cut[k].name);
    double f[2][3], t[2][3];
    EXPECT_OK(sar_reaction(l[0].d, sar_model_find(l[0].m, SAR_ITEM_JOINT, name), f[0], t[0]));
    EXPECT_OK(sar_reaction(l[1].d, sar_model_find(l[1].m, SAR_ITEM_JOINT, name), f[1], t[1]));
    EXPECT_ARRAY_NEAR(f[1], f[0], 3, 1e-9);
    EXPECT_ARRAY_NEAR(t[1], t[0], 3, 1e-9);
  }
  run_close(&l[0]);
  run_close(&l[1]);
}

// A wheel that turns evenly is no trouble to an integrator: its steps take it round several times,
// and the turns of its hub, which is cut, are counted all the same.
static const char WHEEL[] =
    "sarrus: 1\n"
    "bodies: {w: {mass: 1, inertia: [1, 1, 1]}}\n"
    "joints: {hub: {revolute: [ground, w], axis: [1, 2, 3], speed: 5}}\n"
    "outputs: [joints]\n";

static void turns_are_counted_over_large_steps(void** state) {
  (void)state;
  for (int i = 0; sar_integrator(i); i++) {
    const SarIntegrator* integrator = sar_integrator(i);
    const SarLoadOptions o = {.coordinates = "absolute"};
    double values[2];
    if (!integrator->step || !integrator->can_adapt) continue;
    Run l = set_up_assembled(model_parse(WHEEL, &o), integrator);
    EXPECT_OK(sar_advance(l.s, 20));
    EXPECT_OK(sar_outputs(l.s, values));
    print_message("%s: %ld steps, longest %g s\n", integrator->name, sar_stats(l.s).steps,
                  sar_stats(l.s).step_max);
    EXPECT_NEAR(values[0], 100, 1e-6);
    EXPECT_NEAR(values[1], 5, 1e-6);
    run_close(&l);
  }
}

// IDA holds the constraints itself, those that assembling found to be independent: where nobody has
// looked it would hold none, and the wheel would fall.
static void ida_refuses_rows_that_nobody_looked_at(void** state) {
  (void)state;
  const SarIntegrator* ida = sar_integrator_find("ida");
  const SarLoadOptions o = {.coordinates = "absolute"};
  const SarSimOptions so = precise();
  SarError err;
  if (!ida->step) skip();
  Run l = {.m = model_parse(WHEEL, &o)};
  sar_error_init(&err);
  EXPECT_OK(sar_data_new(l.m, &l.d, NULL));
  assert_int_equal(sar_sim_setup(l.m, l.d, &so, &KKT, ida, NULL, &l.s, &err), SAR_BAD_ARGUMENT);
  assert_non_null(strstr(err.items[0].text, "assembled"));
  run_close(&l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_loop_is_closed_at_the_start),
      cmocka_unit_test(the_motion_is_that_of_the_reference),
      cmocka_unit_test(reactions_do_not_depend_on_the_coordinates),
      cmocka_unit_test(turns_are_counted_over_large_steps),
      cmocka_unit_test(ida_refuses_rows_that_nobody_looked_at),
  };
  return cmocka_run_group_tests_name("loop models", tests, NULL, NULL);
}
