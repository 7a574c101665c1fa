// Variables that use one another many times: 40 lines that written out in full have 2^40 parts. In
// every place that takes them apart (actuators, forces, gates, drives, motors, heights, laws) they
// must load at once, and mean what the same value written in closed form means.
#include "support/model_file.h"

#include "base/arena.h"
#include "model/model.h"
#include "sarrus/sarrus.h"

enum { LEVELS = 40, TEXT = 4096 };

// p0 = p1*a + p1*b with a + b = 1, ...: p0 = q for any number of levels, up to rounding
static int chain(char* text, size_t size, const char* q) {
  int n = snprintf(text, size, "variables:\n");
  for (int i = 0; i < LEVELS; i++)
    n += snprintf(text + n, size - (size_t)n, "  p%d: p%d*0.25 + p%d*0.75\n", i, i + 1, i + 1);
  return n + snprintf(text + n, size - (size_t)n, "  p%d: %s\n", LEVELS, q);
}

typedef struct Place {
  const char *what, *quantity, *model;  // %s: the variable, or the quantity itself
} Place;

static const Place places[] = {
    {"force of a joint", "sin(3*t) - j.v",
     "bodies: {a: {mass: 1, inertia: [1, 1, 1], com: [0.3, 0, 0]}}\n"
     "joints: {j: {revolute: [ground, a], axis: y, force: %s}}\n"},
    {"motor", "0.3*sin(t)",
     "bodies: {a: {mass: 1, inertia: [1, 1, 1], com: [0.3, 0, 0]}}\n"
     "joints: {j: {revolute: [ground, a], axis: y, motor: {position: %s, effort: 100}}}\n"},
    {"motion", "0.5*sin(2*t)",
     "bodies: {a: {mass: 1, inertia: [1, 1, 1], com: [0.3, 0, 0]}}\n"
     "joints: {j: {revolute: [ground, a], axis: y}}\n"
     "constraints: {d: {motion: j, value: %s}}\n"},
    {"force", "1 - a.vx",
     "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
     "forces: {f: {force: a, value: [%s, 0, 0]}}\n"},
    {"torque", "abs(a.wz) - 0.5",
     "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
     "forces: {f: {torque: a, value: [0, 0, %s]}}\n"},
    {"active", "a.z + 0.1",
     "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
     "forces: {f: {force: a, value: [0, 0, 20], active: %s < 0}}\n"},
};
enum { PLACES = sizeof places / sizeof *places };

static SarModel* load(const Place* p, bool by_variables) {
  char text[TEXT];
  int n = by_variables ? chain(text, sizeof text, p->quantity) : 0;
  n += snprintf(text + n, sizeof text - (size_t)n, p->model, by_variables ? "p0" : p->quantity);
  assert_true(n < TEXT);
  return model_text(text);
}

static void simulate(const SarModel* m, double x[6]) {
  SarError err;
  SarData* d;
  SarSim* s;
  SarSimOptions o = sar_sim_options();
  o.step = 1e-3;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_data_new(m, &d, &err), &err);
  EXPECT_OK_OR(sar_sim_new(m, d, &o, &s, &err), &err);
  assert_int_equal(sar_advance(s, 0.3), SAR_OK);
  double position[3], rotation[9], zero[3] = {0}, w[3], v[3];
  sar_body_pose(d, 0, position, rotation);
  sar_body_velocity(d, 0, zero, w, v);
  for (int i = 0; i < 3; i++) x[i] = position[i] + rotation[i], x[3 + i] = w[i] + v[i];
  sar_sim_free(s);
  sar_data_free(d);
}

static void means_what_it_says(void** state) {
  (void)state;
  for (int i = 0; i < PLACES; i++) {
    double x[6], expected[6];
    SarModel *m = load(&places[i], true), *direct = load(&places[i], false);
    simulate(m, x);
    simulate(direct, expected);
    for (int k = 0; k < 6; k++)
      if (fabs(x[k] - expected[k]) > 1e-9)
        fail_msg("%s: %.12g is not %.12g", places[i].what, x[k], expected[k]);
    // all programs of the model together: some instructions for each line
    if (m->ninstr > 40 * LEVELS) fail_msg("%s: %d instructions", places[i].what, m->ninstr);
    sar_model_free(m);
    sar_model_free(direct);
  }
}

// A chain of more variables than any expression is deep is fine, also where they are all put in.
static void long_chains(void** state) {
  (void)state;
  enum { N = 20000 };
  const size_t size = (size_t)N * 32 + 1024;
  char* text = malloc(size);
  assert_non_null(text);
  for (int needed = 0; needed < 2; needed++) {
    SarError err;
    SarModel* m = NULL;
    sar_error_init(&err);
    int n = snprintf(text, size,
                     "sarrus: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
                     "forces: {f: {force: a, value: [p0, 0, 0]%s}}\nvariables:\n",
                     needed ? ", active: p0 > 1" : "");
    for (int i = 0; i < N; i++)
      n += snprintf(text + n, size - (size_t)n, "  p%d: p%d + 1e-9\n", i, i + 1);
    n += snprintf(text + n, size - (size_t)n, "  p%d: sin(a.vx)\n", N);
    const SarStatus status = sar_model_parse(text, (size_t)n, "yaml", "long.yaml", NULL, &m, &err);
    assert_int_equal(status, SAR_OK);
    sar_model_free(m);
  }
  free(text);
}

// A message about a name is at the name, also inside a variable and although other lines use it
// too.
static void places_of_names(void** state) {
  (void)state;
  SarError err;
  SarModel* m = NULL;
  const char* text =
      "sarrus: 1\n"
      "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
      "joints: {j: {revolute: [ground, a], axis: y, force: -j.v}}\n"
      "variables:\n"
      "  r: 2*s\n"
      "  s: t + j.v\n"
      "constraints: {d: {motion: j, value: r + r}}\n";
  sar_error_init(&err);
  assert_int_equal(sar_model_parse(text, strlen(text), "yaml", "x.yaml", NULL, &m, &err),
                   SAR_BAD_MODEL);
  assert_int_equal(err.items[0].line, 6);
  assert_int_equal(err.items[0].column, 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(means_what_it_says),
      cmocka_unit_test(long_chains),
      cmocka_unit_test(places_of_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
