// Robots from URDF files: accelerations, torques, mass matrix and energies of 20 random states each
// against values computed in quadruple precision by another code. Forward dynamics by articulated
// bodies (ABA) and by the factored mass matrix (CRBA), inverse dynamics by Newton-Euler (RNEA).
#include "support/test.h"

#include "dynamics/mass.h"
#include "dynamics/tree.h"

#include <stdlib.h>

// Bound on every difference, relative to the largest entry of the vector or matrix. Measured: ABA
// and RNEA 3e-15 at most, the mass matrix of chain100, whose condition is that of its length,
// 2e-11.
static const double BOUND = 1e-9;

enum { MAX_JOINTS = 128, MAX_NV = 128 };

typedef struct Robot {
  char* json;        // the reference
  const char* next;  // where reading of it has got to
  SarModel* m;
  SarData* d;
  int nq, nv;
  int order[MAX_JOINTS];  // joints in the order of the reference
  int joints;
  double worst_aba, worst_crba, worst_rnea;
} Robot;

// ---- the reference ---------------------------------------------------------------------------

// Moves on to the value of the next `"key":`; false if there is none.
static bool seek(Robot* r, const char* key) {
  char text[64];
  snprintf(text, sizeof text, "\"%s\":", key);
  const char* p = strstr(r->next, text);
  if (p) r->next = p + strlen(text);
  return p != NULL;
}

// n numbers, through any brackets between them.
static void read_numbers(Robot* r, int n, double* out) {
  for (int i = 0; i < n; i++) {
    r->next += strspn(r->next, "[], ");
    char* end = NULL;
    out[i] = strtod(r->next, &end);
    if (end == r->next) fail_msg("a number is missing at: %.40s", r->next);
    r->next = end;
  }
}

static void read_vector(Robot* r, const char* key, int n, double* out) {
  if (!seek(r, key)) fail_msg("no \"%s\"", key);
  read_numbers(r, n, out);
}

static char* read_whole(const char* path) {
  FILE* f = fopen(path, "rb");
  if (!f) fail_msg("no file %s", path);
  fseek(f, 0, SEEK_END);
  size_t size = (size_t)ftell(f);
  rewind(f);
  char* text = calloc(size + 1, 1);
  assert_int_equal(fread(text, 1, size, f), size);
  fclose(f);
  return text;
}

// "joint_order":["a","b",...]
static void read_order(Robot* r) {
  assert_true(seek(r, "joint_order"));
  for (const char* p = r->next + 1; *p == '"'; r->joints++) {
    size_t n = strcspn(p + 1, "\"");
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)n, p + 1);
    r->order[r->joints] = sar_model_find(r->m, SAR_ITEM_JOINT, name);
    if (r->order[r->joints] < 0) fail_msg("no joint %s", name);
    p += n + 2;
    p += *p == ',';
  }
}

static Robot open_robot(const char* name) {
  Robot r = {0};
  SarError err;
  char path[256];
  sar_error_init(&err);
  snprintf(path, sizeof path, "tests/reference/tree/%s.urdf", name);
  EXPECT_OK_OR(sar_model_load(path, NULL, &r.m, &err), &err);
  EXPECT_OK_OR(sar_data_new(r.m, &r.d, &err), &err);
  assert_int_equal(err.count, 0);
  snprintf(path, sizeof path, "tests/reference/tree/%s.json", name);
  r.next = r.json = read_whole(path);
  double size[2];
  read_vector(&r, "nq", 1, &size[0]);
  read_vector(&r, "nv", 1, &size[1]);
  r.nq = (int)size[0];
  r.nv = (int)size[1];
  assert_int_equal(sar_model_nq(r.m), r.nq);
  assert_int_equal(sar_model_nv(r.m), r.nv);
  read_order(&r);
  return r;
}

static void close_robot(Robot* r) {
  sar_data_free(r->d);
  sar_model_free(r->m);
  free(r->json);
}

// ---- order of the coordinates ----------------------------------------------------------------

// Between the reference's order of joints and the model's. Both count a free joint as position and
// quaternion w x y z, velocity in ground axes and angular velocity in the body's.
static void copy_coordinates(const Robot* r, bool positions, const double* from, double* to,
                             bool to_model) {
  for (int j = 0, k = 0; j < r->joints; j++) {
    SarJointInfo info;
    EXPECT_OK(sar_joint_info(r->m, r->order[j], &info));
    assert_false(info.turned);
    int adr = positions ? info.qadr : info.vadr, n = positions ? info.nq : info.nv;
    for (int i = 0; i < n; i++, k++) {
      if (to_model)
        to[adr + i] = from[k];
      else
        to[k] = from[adr + i];
    }
  }
}

static double largest(const double* x, int n) {
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

// Differences of a vector of the model (its order) from one of the reference, relative to its
// largest entry.
static double check(const Robot* r, const double* values, const double* expected,
                    const char* what) {
  double mine[MAX_NV], scale = largest(expected, r->nv), worst = 0;
  copy_coordinates(r, false, values, mine, false);
  for (int i = 0; i < r->nv; i++) {
    double relative = fabs(mine[i] - expected[i]) / scale;
    if (!(relative <= BOUND))
      fail_msg("%s[%d] is %.17g, expected %.17g: off by %.3g of the largest", what, i, mine[i],
               expected[i], relative);
    worst = fmax(worst, relative);
  }
  return worst;
}

// ---- one state -------------------------------------------------------------------------------

static void check_forward(Robot* r, const double* qdd, double* mass) {
  EXPECT_OK(sar_forward_dynamics(r->d));
  r->worst_aba = fmax(r->worst_aba, check(r, sar_a(r->d), qdd, "ABA: a"));
  for (int i = 0; i < r->nv; i++) sar_a(r->d)[i] = (double)NAN;  // nothing left over from there
  sar_update_kinematics(r->m, r->d);
  sar_update_forces(r->m, r->d);
  EXPECT_OK(sar_crba_accel(r->m, r->d, mass));
  r->worst_crba = fmax(r->worst_crba, check(r, sar_a(r->d), qdd, "CRBA: a"));
}

static void check_inverse(Robot* r, const double* id_qdd, const double* id_tau) {
  double a[MAX_NV], tau[MAX_NV];
  memset(sar_tau(r->d), 0, sizeof(double) * (size_t)r->nv);
  copy_coordinates(r, false, id_qdd, a, true);
  EXPECT_OK(sar_inverse_dynamics(r->d, a, tau));
  r->worst_rnea = fmax(r->worst_rnea, check(r, tau, id_tau, "RNEA: tau"));
}

static void check_state(Robot* r, double* mass) {
  double q[MAX_NV + 1], v[MAX_NV], tau[MAX_NV], qdd[MAX_NV], id_qdd[MAX_NV], id_tau[MAX_NV], e[2];
  read_numbers(r, r->nq, q);
  read_vector(r, "qd", r->nv, v);
  read_vector(r, "tau", r->nv, tau);
  read_vector(r, "qdd", r->nv, qdd);
  read_vector(r, "id_qdd", r->nv, id_qdd);
  read_vector(r, "id_tau", r->nv, id_tau);
  read_vector(r, "kinetic_energy", 1, &e[0]);
  read_vector(r, "potential_energy", 1, &e[1]);
  copy_coordinates(r, true, q, sar_q(r->d), true);
  copy_coordinates(r, false, v, sar_v(r->d), true);
  copy_coordinates(r, false, tau, sar_tau(r->d), true);
  check_forward(r, qdd, mass);
  check_inverse(r, id_qdd, id_tau);
  SarEnergy energy;
  EXPECT_OK(sar_energy(r->d, &energy));
  EXPECT_NEAR(energy.kinetic, e[0], BOUND * fabs(e[0]));
  EXPECT_NEAR(energy.potential, e[1], BOUND * fmax(fabs(e[0]), fabs(e[1])));
}

// M of the first state, in the order of the reference.
static void check_mass_matrix(Robot* r) {
  static double M[MAX_NV * MAX_NV], expected[MAX_NV * MAX_NV], row[MAX_NV];
  int n = r->nv, at[MAX_NV];
  r->next = r->json;
  read_vector(r, "M_of_state0", n * n, expected);
  double q[MAX_NV + 1], index[MAX_NV] = {0};
  assert_true(seek(r, "states"));
  read_vector(r, "q", r->nq, q);
  copy_coordinates(r, true, q, sar_q(r->d), true);
  EXPECT_OK(sar_mass_matrix(r->d, M));
  for (int i = 0; i < n; i++) index[i] = i;
  copy_coordinates(r, false, index, row, false);
  for (int i = 0; i < n; i++) at[i] = (int)row[i];  // coordinate i of the reference in the model
  double scale = largest(expected, n * n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      EXPECT_NEAR(M[at[i] * n + at[j]], expected[i * n + j], BOUND * scale);
}

static void check_robot(const char* name, bool has_mass_matrix) {
  Robot r = open_robot(name);
  double* mass = calloc((size_t)r.nv * (size_t)(r.nv + 1) / 2, sizeof *mass);
  int states = 0;
  assert_true(seek(&r, "states"));
  for (; seek(&r, "q"); states++) check_state(&r, mass);
  assert_int_equal(states, 20);
  if (has_mass_matrix) check_mass_matrix(&r);
  print_message("%-12s largest relative difference: ABA %.1e, CRBA %.1e, RNEA %.1e\n", name,
                r.worst_aba, r.worst_crba, r.worst_rnea);
  free(mass);
  close_robot(&r);
}

#define ROBOT(name, has_mass_matrix)     \
  static void name(void** state) {       \
    (void)state;                         \
    check_robot(#name, has_mass_matrix); \
  }

ROBOT(puma6, true)
ROBOT(arm7, true)
ROBOT(humanoid36, true)
ROBOT(chain10, true)
ROBOT(chain100, false)  // its matrix was left out of the reference for its size

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(puma6),   cmocka_unit_test(arm7),     cmocka_unit_test(humanoid36),
      cmocka_unit_test(chain10), cmocka_unit_test(chain100),
  };
  return cmocka_run_group_tests_name("tree", tests, NULL, NULL);
}
