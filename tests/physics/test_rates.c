// Rates of what is prescribed by expressions, against differences along the motion: heights of
// roads that change with time in any way the language allows, written directly, through variables,
// by measured quantities, by functions of all of them. The rate that a tyre sees must be that of
// the height it sees. Likewise drives of joints, lengths of rods and positions of motors, which the
// language lets depend on time through variables. (These are all places where a derivative in t is
// taken: sar_rate_of and function_of in src/model.)
//
// Bound: central differences of fourth order over 1e-3 s of functions with frequencies up to 5/s
// leave (5 e)^4 / 30 and rounding 1e-16 / e: 1e-9 of values of size 1; ten times that for nesting.
#include "support/random_model.h"
#include "support/run.h"

#include "dynamics/constraints.h"
#include "dynamics/tree.h"
#include "elements/road.h"

enum { TRIALS = 400, VARIABLES = 3 };

static const double E = 1e-3;

// An expression of size about 1, smooth, of t, x, variables before number `known`, and what is
// measured.
static void add_expression(ModelText* t, Rng* r, int known, int depth, bool locals) {
  static const char* const MEASURED[] = {"turn.q",  "slide.q", "a.x",  "a.tip.z", "b.y",
                                         "b.tip.x", "a.qw",    "b.qx", "b.qz"};
  static const char* const FORM[] = {"sin(%.2f*", "cos(%.2f*", "tanh(%.2f*", "(1 + %.2f*",
                                     "exp(-%.2f*"};
  if (depth == 0) {
    const int kind = rng_int(r, 4);
    if (kind == 0) model_add(t, "t");
    if (kind == 1) model_add(t, known > 0 ? "s%d" : "t", rng_int(r, known > 0 ? known : 1));
    if (kind == 2) model_add(t, "%s", MEASURED[rng_int(r, 9)]);
    if (kind == 3) model_add(t, "%s", locals ? "x" : "u");
    return;
  }
  const int form = rng_int(r, 8);
  if (form < 5) {
    model_add(t, FORM[form], rng_uniform(r, 0.3, 1.5));
    add_expression(t, r, known, depth - 1, locals);
    model_add(t, form == 4 ? "^2)" : ")");
    return;
  }
  model_add(t, form == 7 ? "spline(" : "(");
  add_expression(t, r, known, depth - 1, locals);
  if (form == 7) {
    model_add(t, ", -9, 0.2, -1, 0.1, 0, -0.3, 1, 0.4, 9, 0.1)");
    return;
  }
  model_add(t, form == 5 ? " + " : " * ");
  add_expression(t, r, known, depth - 1, locals);
  model_add(t, ")");
}

static SarModel* random_road(Rng* r, ModelText* t) {
  t->used = 0;
  model_add(t, "sarrus: 1\ninputs: {u: 0.7}\nvariables:\n");
  for (int i = 0; i < VARIABLES; i++) {
    model_add(t, "  s%d: \"", i);
    add_expression(t, r, i, 2, false);
    model_add(t, "\"\n");
  }
  model_add(t, "roads:\n  rig: {height: \"");
  add_expression(t, r, VARIABLES, 3, true);
  model_add(
      t,
      "\"}\nbodies:\n"
      "  a: {box: [0.2, 0.3, 0.4], mass: 1, points: {tip: [0.3, 0.2, 0.1]}}\n"
      "  b: {box: [0.3, 0.2, 0.1], mass: 2, at: [0.5, 0, 0], points: {tip: [0.1, 0.4, 0.2]}}\n"
      "joints:\n"
      "  turn: {revolute: [ground, a], axis: [1, 2, 2]}\n"
      "  slide: {prismatic: [a, b], axis: [2, 1, 0]}\n"
      "forces:\n  ty: {tyre: b, radius: 0.3, stiffness: 2000, road: rig}\n");
  return model_parse(t->text, NULL);
}

// The height at (0.3, 0.1), `dt` from now along the present motion.
static SarRoadPoint road_after(const SarModel* m, SarData* d, const SarData* now, double dt) {
  EXPECT_OK(sar_data_copy(d, now));
  d->t += dt;
  for (int i = 0; i < m->nq; i++) d->q[i] += dt * d->v[i];
  sar_update_kinematics(m, d);
  sar_update_world(m, d);
  sar_update_forces(m, d);
  return sar_road_at(m, d, 0, 0.3, 0.1);
}

static void roads_move_as_fast_as_their_height_changes(void** state) {
  (void)state;
  static ModelText t;
  const uint64_t first = test_seed(700);
  for (int i = 0; i < test_effort(TRIALS); i++) {
    Rng r = rng_seed(first + (uint64_t)i);
    SarModel* m = random_road(&r, &t);
    SarData *now, *d;
    EXPECT_OK(sar_data_new(m, &now, NULL));
    EXPECT_OK(sar_data_new(m, &d, NULL));
    now->t = rng_uniform(&r, 0, 1);
    for (int k = 0; k < m->nv; k++) {
      now->q[k] = rng_uniform(&r, -1, 1);
      now->v[k] = rng_uniform(&r, -1, 1);
    }
    const double near = road_after(m, d, now, E).z - road_after(m, d, now, -E).z;
    const double far = road_after(m, d, now, 2 * E).z - road_after(m, d, now, -2 * E).z;
    const double expected = (8 * near - far) / (12 * E), zt = road_after(m, d, now, 0).zt;
    if (!(fabs(zt - expected) <= 1e-8 * fmax(1, fabs(expected))))
      fail_msg("seed %llu: zt = %.12g, differences say %.12g:\n%s",
               (unsigned long long)(first + (uint64_t)i), zt, expected, t.text);
    sar_data_free(now);
    sar_data_free(d);
    sar_model_free(m);
  }
}

// What has no rate that forces could know is refused, also through variables.
static void a_height_by_speeds_is_refused(void** state) {
  (void)state;
  static const char* const HEIGHT[] = {"turn.v", "a.vx", "0.1*s", "a.wz*x"};
  for (size_t i = 0; i < sizeof HEIGHT / sizeof *HEIGHT; i++) {
    char text[512];
    SarModel* m;
    SarError err;
    sar_error_init(&err);
    snprintf(text, sizeof text,
             "sarrus: 1\nvariables: {s: sin(turn.v)}\nroads: {rig: {height: %s}}\n"
             "bodies: {a: {box: [1, 1, 1], mass: 1}}\njoints: {turn: {revolute: [ground, a]}}\n"
             "forces: {ty: {tyre: a, radius: 0.3, stiffness: 2000, road: rig}}\n",
             HEIGHT[i]);
    EXPECT_STATUS(sar_model_parse(text, strlen(text), "yaml", "road.yaml", NULL, &m, &err),
                  SAR_BAD_MODEL);
    assert_non_null(strstr(err.items[0].text, "nobody knows how fast"));
  }
}

// ---- drives and motors --------------------------------------------------------------------------

// A smooth function of t, of size about 1, through variables.
static void add_function(ModelText* t, Rng* r, int known, int depth) {
  static const char* const FORM[] = {"sin(%.2f*", "cos(%.2f*", "tanh(%.2f*", "(1 + %.2f*"};
  if (depth == 0) {
    if (known > 0 && rng_int(r, 2))
      model_add(t, "s%d", rng_int(r, known));
    else
      model_add(t, "t");
    return;
  }
  model_add(t, FORM[rng_int(r, 4)], rng_uniform(r, 0.3, 1.5));
  add_function(t, r, known, depth - 1);
  model_add(t, rng_int(r, 2) ? ")" : " + 0.3*t)");
}

// A driven joint, a rod whose length is prescribed, a motor that follows a position.
static SarModel* random_drives(Rng* r, ModelText* t) {
  t->used = 0;
  model_add(t, "sarrus: 1\nvariables:\n");
  for (int i = 0; i < VARIABLES; i++) {
    model_add(t, "  s%d: \"", i);
    add_function(t, r, i, 2);
    model_add(t, "\"\n");
  }
  model_add(t,
            "bodies:\n"
            "  a: {box: [0.2, 0.3, 0.4], mass: 1}\n"
            "  b: {box: [0.3, 0.2, 0.1], mass: 2, at: [0.5, 0, 0]}\n"
            "  c: {box: [0.3, 0.2, 0.1], mass: 2, at: [3, 0, 0], points: {tip: [3, 0.4, 0.2]}}\n"
            "joints:\n"
            "  turn: {revolute: [ground, a], axis: [1, 2, 2]}\n"
            "  slide: {prismatic: [a, b], axis: [2, 1, 0], motor: {position: \"");
  add_function(t, r, VARIABLES, 2);
  model_add(t,
            "\", effort: 100}}\n  fly: {free: [ground, c]}\nconstraints:\n  m: {motion: turn, "
            "value: \"");
  add_function(t, r, VARIABLES, 2);
  model_add(t, "\"}\n  l: {rod: [[ground, [0, 0, 0]], [c, [0, 0.4, 0.2]]], length: \"4 + 0.1*");
  add_function(t, r, VARIABLES, 2);
  model_add(t, "\"}\n");
  return model_parse(t->text, NULL);
}

static void evaluate_at(const SarModel* m, SarData* d, double time) {
  d->t = time;
  sar_update_kinematics(m, d);
  sar_update_world(m, d);
  sar_update_forces(m, d);
  sar_update_constraints(m, d);
  sar_update_constraint_rates(m, d);
}

// Phi_t against differences of Phi, -gamma at rest against those of Phi_t, the motor's rate against
// its position.
static void drives_and_motors_know_their_rates(void** state) {
  (void)state;
  static ModelText t;
  const uint64_t first = test_seed(900);
  for (int i = 0; i < test_effort(TRIALS); i++) {
    const unsigned long long seed = first + (uint64_t)i;
    Rng r = rng_seed(seed);
    SarModel* m = random_drives(&r, &t);
    SarData* d;
    EXPECT_OK(sar_data_new(m, &d, NULL));
    assert_int_equal(m->nmotor, 1);
    const double now = rng_uniform(&r, 0, 1), step[4] = {-2 * E, -E, E, 2 * E};
    const double weight[4] = {1, -8, 8, -1};
    double Phi[8] = {0}, Phi_t[8] = {0}, rate = 0;
    for (int k = 0; k < 4; k++) {
      evaluate_at(m, d, now + step[k]);
      for (int row = 0; row < m->nrow; row++) {
        Phi[row] += weight[k] * d->Phi[row] / (12 * E);
        Phi_t[row] += weight[k] * d->Phi_t[row] / (12 * E);
      }
      rate += weight[k] * d->slot[m->motor[0].slot] / (12 * E);
    }
    evaluate_at(m, d, now);
    for (int row = 0; row < m->nrow; row++) {
      if (!(fabs(d->Phi_t[row] - Phi[row]) <= 1e-8 * fmax(1, fabs(Phi[row]))))
        fail_msg("seed %llu: row %d: %.12g, differences say %.12g\n%s", seed, row, d->Phi_t[row],
                 Phi[row], t.text);
      if (!(fabs(-d->gamma[row] - Phi_t[row]) <= 1e-7 * fmax(1, fabs(Phi_t[row]))))
        fail_msg("seed %llu: row %d: gamma %.12g, differences say %.12g\n%s", seed, row,
                 -d->gamma[row], Phi_t[row], t.text);
    }
    const int slot = m->motor[0].rate;
    if (!(fabs((slot < 0 ? 0 : d->slot[slot]) - rate) <= 1e-8 * fmax(1, fabs(rate))))
      fail_msg("seed %llu: motor %.12g, differences say %.12g\n%s", seed, d->slot[m->motor[0].rate],
               rate, t.text);
    sar_data_free(d);
    sar_model_free(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(roads_move_as_fast_as_their_height_changes),
      cmocka_unit_test(a_height_by_speeds_is_refused),
      cmocka_unit_test(drives_and_motors_know_their_rates),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
