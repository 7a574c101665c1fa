// The calls on the dynamics at one instant where there are loops: none gives the open tree's answer
// without a word. Accelerations are those of the formulations, and inverse dynamics of them are the
// forces of the constraints: M a + h - Q = -Psi' lambda.
//
// Bound: two solutions of the same equations, rounding over the square of the constraints' grip.
#include "support/loop_twin.h"

#include "dynamics/constraints.h"

enum { MECHANISMS = 150 };

static void accelerations_of(TwinSide* s, const char* formulation, double* a) {
  SarSimOptions o = sar_sim_options();
  SarSim* sim;
  o.formulation = formulation;
  EXPECT_OK_OR(sar_sim_new(s->m, s->d, &o, &sim, &s->err), &s->err);
  EXPECT_OK(sar_accelerations(sim));
  memcpy(a, sar_a(s->d), (size_t)s->m->nv * sizeof *a);
  sar_sim_free(sim);
}

// The active row that moves most; -1 if none does: a row that holds at every position is all zeros,
// and nothing opens it.
static int widest_row(const TwinSide* s) {
  int widest = -1;
  double most = 1e-6;
  for (int k = 0; k < s->d->nactive; k++) {
    const int row = s->d->active_row[k];
    double size = 0;
    for (int e = s->m->row_adr[row]; e < s->m->row_adr[row + 1]; e++)
      size += s->d->Psi[e] * s->d->Psi[e];
    if (size > most) most = size, widest = row;
  }
  return widest;
}

static void check_mechanism(int seed, TwinSide* s) {
  static double a[TWIN_MAX_NV], other[TWIN_MAX_NV], tau[TWIN_MAX_NV], force[TWIN_MAX_NV];
  static double M[TWIN_MAX_NV * TWIN_MAX_NV];
  const double grip = twin_grip(s);
  if (s->d->nactive == 0 || grip < 1e-3) return;
  EXPECT_STATUS(sar_forward_dynamics(s->d), SAR_NOT_OFFERED);
  EXPECT_STATUS(sar_mass_matrix(s->d, M), SAR_NOT_OFFERED);
  EXPECT_OK(sar_tree_mass_matrix(s->d, M));
  accelerations_of(s, "lagrange", other);
  accelerations_of(s, "qr", a);
  if (!(twin_apart(a, other, s->m->nv) * grip * grip <= 1e-8))
    fail_msg("mechanism %d: lagrange and qr are apart by %g", seed, twin_apart(a, other, s->m->nv));
  memset(force, 0, sizeof force);
  sar_constraint_add_transposed(s->m, s->d, -1, s->d->lambda, force);
  EXPECT_OK(sar_inverse_dynamics(s->d, a, tau));
  if (!(twin_apart(tau, force, s->m->nv) * grip * grip <= 1e-8))
    fail_msg("mechanism %d: inverse dynamics is off by %g", seed, twin_apart(tau, force, s->m->nv));
  // a motion that opens the loop has no forces; what opens it is judged by how large accelerations
  // are
  const int row = widest_row(s);
  if (row < 0) return;
  double most = 1;
  for (int i = 0; i < s->m->nv; i++) most = fmax(most, fabs(a[i]));
  for (int e = s->m->row_adr[row]; e < s->m->row_adr[row + 1]; e++)
    a[s->m->row_dof[e]] += most * 10 * s->d->Psi[e];
  EXPECT_STATUS(sar_inverse_dynamics(s->d, a, tau), SAR_NOT_CLOSED);
}

static void loops_are_never_left_out(void** state) {
  (void)state;
  static TwinSide side[2];
  for (int k = 0; k < test_effort(MECHANISMS); k++) {
    const int seed = (int)test_seed((uint64_t)k);
    if (twin_make(seed, side))
      for (int c = 0; c < 2; c++) check_mechanism(seed, &side[c]);
    twin_free(&side[0]);
    twin_free(&side[1]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(loops_are_never_left_out)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
