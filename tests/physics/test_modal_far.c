// Modal bodies far from where they are at rest, by whole turns of their nodes, and in other units
// of mass, which the coordinates of modes have in theirs: as good as any. Random bodies, in loops
// and not.
#include "dynamics/mass.h"
#include "dynamics/projection.h"
#include "support/random_modal.h"
#include "support/run.h"

#include <math.h>

enum { TRIALS = 12, MOST = 64 };

static ModalText text;

// Series in t = theta^2 below one, where closed forms cancel; above, those, in more digits.
static void turns_of_any_size(void** state) {
  (void)state;
  Rng r = {test_seed(5012)};
  double worst = 0;
  for (int trial = 0; trial < test_effort(400); trial++) {
    const long double t = powl(10, (long double)rng_uniform(&r, 0, 4)), theta = sqrtl(t);
    const long double c = cosl(theta), u = sinl(theta) / theta, u1 = (c - u) / (2 * t);
    const long double u2 = -(u / 4 + 3 * u1 / 2) / t, a = (1 - c) / t, b = (1 - u) / t;
    const long double a1 = (u / 2 - a) / t, b1 = (-u1 - b) / t;
    const TurnCoefficients x = turn_coefficients((double)t);
    const double off[] = {
        x.a - (double)a, x.a1 - (double)a1, x.a2 - (double)((u1 / 2 - 2 * a1) / t),
        x.b - (double)b, x.b1 - (double)b1, x.b2 - (double)((-u2 - 2 * b1) / t)};
    for (int k = 0; k < 6; k++) worst = fmax(worst, fabs(off[k]));
  }
  print_message("coefficients of Jr off by %.1e\n", worst);
  EXPECT_AT_MOST(worst, 1e-15);
}

static V3 point_of(const SarModel* m, SarData* d, int body, V3 p) {
  sar_update_positions(m, d);
  sar_update_world(m, d);
  return x_point(d->body_X_GB[body], p);
}

// Nodes turned by up to some turns, or moved by some sizes of the mechanism.
static SarData* deformed(const SarModel* m, Rng* r, double length) {
  SarData* d = NULL;
  double xi[MOST];
  EXPECT_OK(sar_data_new(m, &d, NULL));
  assert_true(m->nv <= MOST);
  for (int i = 0; i < m->nv; i++) {
    const double far = m->joint_class[m->dof_body[i]] == SAR_CLASS_MODE ? 12 : 1;
    xi[i] = rng_uniform(r, -far, far) * sar_dof_unit(m, i, length);
    d->v[i] = rng_uniform(r, -2, 2) * sar_dof_unit(m, i, length);
  }
  sar_projection_move(m, xi, d->q);
  return d;
}

// Column j of the Jacobian of point p against differences, of a displacement of the unit.
static double column_off(const SarModel* m, SarData* d, int body, V3 p, int j, double length) {
  const double h = 1e-6 * sar_dof_unit(m, j, length);
  double J[6 * MOST], q[2 * MOST], xi[MOST] = {0};
  V3 at[2];
  memcpy(q, d->q, (size_t)m->nq * sizeof *q);
  for (int side = 0; side < 2; side++) {
    memcpy(d->q, q, (size_t)m->nq * sizeof *q);
    xi[j] = side ? h : -h;
    sar_projection_move(m, xi, d->q);
    at[side] = point_of(m, d, body, p);
  }
  memcpy(d->q, q, (size_t)m->nq * sizeof *q);
  point_of(m, d, body, p);
  sar_point_jacobian(m, d, body, p, J);
  const V3 slope = v3_scale(0.5 / h, v3_sub(at[1], at[0]));
  const V3 column = v3(J[3 * m->nv + j], J[4 * m->nv + j], J[5 * m->nv + j]);
  return v3_norm(v3_sub(slope, column)) * sar_dof_unit(m, j, length) / length;
}

// ABA undoes RNEA, of the largest force.
static double recursions_apart(const SarModel* m, SarData* d) {
  double tau[MOST], size = 0, apart = 0;
  sar_update_kinematics(m, d);
  sar_update_world(m, d);
  sar_update_forces(m, d);
  EXPECT_OK(sar_aba(m, d));
  sar_rnea(m, d, d->a, tau);
  for (int i = 0; i < m->nv; i++) size = fmax(size, fabs(d->tau[i]));
  for (int i = 0; i < m->nv; i++) apart = fmax(apart, fabs(tau[i] - d->tau[i]));
  return apart / size;
}

static void far_deformations_are_motions_too(void** state) {
  (void)state;
  Rng r = {test_seed(5013)};
  double worst = 0, apart = 0;
  for (int trial = 0; trial < test_effort(TRIALS); trial++) {
    random_modal(&text, &r, false);
    SarModel* m = model_parse(text.text, NULL);
    const double length = sar_mechanism_size(m);
    SarData* d = deformed(m, &r, length);
    for (int k = 0; k < m->nnode; k++)
      for (int i = 0; i < m->node[k].num; i++)
        worst = fmax(worst, column_off(m, d, m->node[k].body, rng_v3(&r, -1, 1), m->node[k].dof + i,
                                       length));
    apart = fmax(apart, recursions_apart(m, d));
    sar_data_free(d);
    sar_model_free(m);
  }
  print_message("Jacobians by differences: %.1e, recursions %.1e\n", worst, apart);
  EXPECT_AT_MOST(worst, 1e-7);
  EXPECT_AT_MOST(apart, 1e-8);
}

// Height of the origin of the load after so long.
static double height_by(const char* formulation, double step, double t) {
  const SarLoadOptions options = {.coordinates = "absolute"};
  SarSimOptions o = run_options(formulation, step);
  o.integrator = strcmp(formulation, "redundant") == 0 ? "two-step" : "trapezoidal";
  Run run = run_open(model_parse(text.text, &options), &o);
  run_advance(&run, t);
  const int b = sar_model_find(run.m, SAR_ITEM_BODY, "load");
  const V3 at = sar_holder_X_BU(run.m, b).p;
  const double z = point_of(run.m, run.d, sar_holder_body(run.m, b), at).z;
  run_close(&run);
  return z;
}

// All masses and forces times a factor: the same motion. Coordinates of modes have the root of a
// mass in their unit.
static void scale_forces(const ModalText* from, double factor, ModalText* to) {
  static const char* const KEY[] = {
      " mass: ", "{mass: ", " stiffness: ", "{stiffness: ", ", damping: ", "inertia: ["};
  enum { KEYS = sizeof KEY / sizeof *KEY };
  to->used = 0;
  for (const char* c = from->text; *c;) {
    int key = 0;
    while (key < KEYS && strncmp(c, KEY[key], strlen(KEY[key])) != 0) key++;
    if (key == KEYS) {
      modal_add(to, "%c", *c++);
      continue;
    }
    modal_add(to, "%s", KEY[key]);
    c += strlen(KEY[key]);
    for (int k = 0; k < (key == KEYS - 1 ? 3 : 1); k++) {
      char* end;
      const double x = strtod(c, &end);
      modal_add(to, "%s%.17g", k ? ", " : "", factor * x);
      c = end + (key == KEYS - 1 && k < 2 ? 2 : 0);
    }
  }
}

static void the_unit_of_mass_changes_nothing(void** state) {
  (void)state;
  static const char* const METHOD[] = {"redundant", "hybrid", "global"};
  static const double FACTOR[] = {1, 1e-6, 1e6};
  static ModalText usual;
  Rng r = {test_seed(5014)};
  double worst = 0;
  for (int trial = 0; trial < test_effort(6); trial++) {
    random_modal(&usual, &r, trial % 2 == 1);
    for (int method = 0; method < 3; method++) {
      double first = 0;
      for (int k = 0; k < 3; k++) {
        scale_forces(&usual, FACTOR[k], &text);
        const double z = height_by(METHOD[method], 1e-3, 0.05);
        if (k == 0) first = z;
        worst = fmax(worst, fabs(z - first));
      }
    }
  }
  print_message("masses times 1e-6 and 1e6: %.1e m\n", worst);
  EXPECT_AT_MOST(worst, 1e-8);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(turns_of_any_size),
      cmocka_unit_test(far_deformations_are_motions_too),
      cmocka_unit_test(the_unit_of_mass_changes_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
