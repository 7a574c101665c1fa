// Robots, a humanoid and chains from URDF against accelerations computed in quadruple precision by
// another method (and confirmed by five public engines): tests/reference/tree/*.json.
//
// Largest differences seen, relative to the largest value: articulated bodies 3e-15 on all of them;
// mass matrix and Newton-Euler 2e-14 for the robots, 2e-11 for the chain of 100, whose mass matrix has
// a condition number above 1e9.
#include "support/test.h"
#include "support/json_numbers.h"

#include "dynamics/mass.h"

#include <stdlib.h>

enum { MAX_NV = 100, MAX_NQ = 101, STATES = 20 };
static const double BOUND = 1e-9, BOUND_ABA = 1e-13;
static const char* const NAMES[] = {"puma6", "arm7", "humanoid36", "chain10", "chain100"};

typedef struct Case {
  char* json;
  SarModel* m;
  SarData* d;
  int q_of[MAX_NQ], v_of[MAX_NV];  // our coordinate of each one of the file
} Case;

// the file lists joints in its own order; ours is the tree's
static void map_coordinates(Case* c) {
  char name[64];
  int nq = 0, nv = 0;
  const char* at = json_find(c->json, "joint_order");
  assert_non_null(at);
  while (json_string(&at, name, sizeof name)) {
    SarJointInfo info;
    int joint = sar_model_find(c->m, SAR_ITEM_JOINT, name);
    // the file calls the floating base by its link
    if (joint < 0) joint = sar_model_find(c->m, SAR_ITEM_BODY, name);
    if (joint < 0) fail_msg("no joint %s", name);
    EXPECT_OK(sar_joint_info(c->m, joint, &info));
    for (int i = 0; i < info.nq; i++) c->q_of[nq++] = info.qadr + i;
    for (int i = 0; i < info.nv; i++) c->v_of[nv++] = info.vadr + i;
  }
  assert_int_equal(nq, sar_model_nq(c->m));
  assert_int_equal(nv, sar_model_nv(c->m));
}

static Case load_case(const char* name) {
  Case c = {0};
  char path[512];
  SarError err;
  sar_error_init(&err);
  snprintf(path, sizeof path, SARRUS_SOURCE_DIR "/tests/reference/tree/%s.json", name);
  c.json = json_read_file(path);
  snprintf(path, sizeof path, SARRUS_SOURCE_DIR "/tests/reference/tree/%s.urdf", name);
  EXPECT_OK_OR(sar_model_load(path, NULL, &c.m, &err), &err);
  EXPECT_OK_OR(sar_data_new(c.m, &c.d, &err), &err);
  map_coordinates(&c);
  return c;
}

static void free_case(Case c) {
  sar_data_free(c.d);
  sar_model_free(c.m);
  free(c.json);
}

// the array after `key`, in our order
static const char* read_in_order(const char* at, const char* key, const int* order, int n,
                                 double* out) {
  double values[MAX_NQ];
  at = json_find(at, key);
  assert_non_null(at);
  assert_int_equal(json_numbers(&at, values, MAX_NQ), n);
  for (int i = 0; i < n; i++) out[order[i]] = values[i];
  return at;
}

static double relative_difference(const double* a, const double* b, int n) {
  double difference = 0, scale = 0;
  for (int i = 0; i < n; i++) {
    difference = fmax(difference, fabs(a[i] - b[i]));
    scale = fmax(scale, fabs(b[i]));
    if (isnan(a[i])) return HUGE_VAL;
  }
  return difference / scale;
}

static void check_states(const char* name) {
  Case c = load_case(name);
  const int nv = c.m->nv;
  double a[MAX_NV], tau[MAX_NV], worst_aba = 0, worst_crba = 0, worst_rnea = 0;
  double* mass = calloc(sar_mass_size(c.m, c.d), sizeof *mass);
  const char* at = json_find(c.json, "states");
  for (int k = 0; k < STATES; k++) {
    at = read_in_order(at, "q", c.q_of, c.m->nq, c.d->q);
    at = read_in_order(at, "qd", c.v_of, nv, c.d->v);
    at = read_in_order(at, "tau", c.v_of, nv, c.d->tau_host);
    at = read_in_order(at, "qdd", c.v_of, nv, a);
    EXPECT_OK(sar_forward_dynamics(c.d));
    worst_aba = fmax(worst_aba, relative_difference(c.d->a, a, nv));
    EXPECT_OK(sar_crba_accel(c.m, c.d, mass));
    worst_crba = fmax(worst_crba, relative_difference(c.d->a, a, nv));
    sar_rnea(c.m, c.d, a, tau);
    worst_rnea = fmax(worst_rnea, relative_difference(tau, c.d->tau_host, nv));
  }
  print_message("%-12s ABA %.1e  CRBA %.1e  RNEA %.1e\n", name, worst_aba, worst_crba, worst_rnea);
  EXPECT_AT_MOST(worst_aba, BOUND_ABA);
  EXPECT_AT_MOST(worst_crba, BOUND);
  EXPECT_AT_MOST(worst_rnea, BOUND);
  free(mass);
  free_case(c);
}

static void accelerations_and_forces(void** state) {
  (void)state;
  for (int k = 0; k < 5; k++) check_states(NAMES[k]);
}

static void mass_matrices(void** state) {
  (void)state;
  for (int k = 0; k < 4; k++) {  // there is none in the file of the long chain
    Case c = load_case(NAMES[k]);
    const int nv = c.m->nv;
    double *M = calloc((size_t)(nv * nv), sizeof *M), *file = calloc((size_t)(nv * nv), sizeof *M);
    double* expected = calloc((size_t)(nv * nv), sizeof *M);
    const char* at = json_find(c.json, "M_of_state0");
    assert_int_equal(json_numbers(&at, file, nv * nv), nv * nv);
    for (int i = 0; i < nv; i++)
      for (int j = 0; j < nv; j++) expected[c.v_of[i] * nv + c.v_of[j]] = file[i * nv + j];
    read_in_order(json_find(c.json, "states"), "q", c.q_of, c.m->nq, c.d->q);
    EXPECT_OK(sar_mass_matrix(c.d, M));
    EXPECT_AT_MOST(relative_difference(M, expected, nv * nv), 1e-13);
    free(M);
    free(file);
    free(expected);
    free_case(c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(accelerations_and_forces),
      cmocka_unit_test(mass_matrices),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
