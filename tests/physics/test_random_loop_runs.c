// Random mechanisms with loops for a short time: every formulation in both kinds of coordinates,
// projected (or stabilised) step by step, ends at the same place with its energy accounted for.
//
// Bounds: speeds of 1/s and accelerations of some 10/s^2 on bodies of 1 m. A step of 2 ms by RK4
// errs by about (h w)^5 / 120 with w up to 10/s of springs and drives: 3e-11, twenty of them 1e-9,
// more where loops are near singular positions (grip down to 1e-2). What projections differ by, and
// what Baumgarte's gamma leaves open, is of this size too. The audit counts in joules over the
// largest energy.
#include "support/loop_twin.h"

enum { FIRST = 20000, RUNS = 200 };

// Positions of the bodies at the end.
typedef struct End {
  double at[3 * TWIN_MAX_BODIES];
  double energy, open;  // error of the audit over the largest energy, violation that was left
} End;

static const double END = 0.04, STEP = 2e-3;  // s

// From the state of the side, which is kept.
static SarStatus run(const TwinSide* side, const char* formulation, End* out) {
  SarSimOptions o = sar_sim_options();
  SarData* d;
  SarSim* s;
  SarEnergy e;
  o.formulation = formulation;
  o.integrator = "rk4";
  o.step = STEP;
  memset(out, 0, sizeof *out);
  EXPECT_OK(sar_data_new(side->m, &d, NULL));
  EXPECT_OK(sar_data_copy(d, side->d));
  SarStatus st = sar_sim_new(side->m, d, &o, &s, NULL);
  if (st == SAR_OK) st = sar_advance(s, END);
  if (st == SAR_OK) {
    for (int b = 0; b < side->m->nbody; b++) {
      double R[9];
      EXPECT_OK(sar_body_pose(d, b, &out->at[3 * b], R));
    }
    EXPECT_OK(sar_energy(d, &e));
    out->energy = fabs(e.error) / fmax(1, fabs(e.kinetic) + fabs(e.potential) + fabs(e.work));
    out->open = sar_stats(s).position_violation;
  }
  sar_sim_free(s);
  sar_data_free(d);
  return st;
}

static void short_runs_agree(void** state) {
  (void)state;
  static TwinSide side[2];
  int runs = 0;
  double worst = 0, energy = 0, open = 0;
  for (int k = 0; k < test_effort_slow(2 * RUNS); k++) {
    End first, now;
    const bool possible = twin_make(FIRST + k, side);
    const double grip =
        possible && side[0].m->nrow > 0 ? fmin(twin_grip(&side[0]), twin_grip(&side[1])) : 0;
    if (grip > 1e-2) {
      EXPECT_OK(run(&side[0], "auto", &first));
      for (int c = 0; c < 2; c++)
        for (int i = 0; sar_formulation(i); i++) {
          const SarFormulation* f = sar_formulation(i);
          if (f->shape != SAR_SHAPE_ACCEL || twin_refusal(f, &side[c])) continue;
          const SarStatus st = run(&side[c], f->name, &now);
          const double off = twin_apart(now.at, first.at, 3 * side[c].m->nbody);
          if (st != SAR_OK || !(off <= 1e-7) || !(now.energy <= 1e-6) || !(now.open <= 1e-7))
            fail_msg("mechanism %d, %s, %s: %s, apart by %.1e m, energy error %.1e, open by %.1e",
                     FIRST + k, TWIN_COORDINATES[c], f->name, sar_status_text(st), off, now.energy,
                     now.open);
          worst = fmax(worst, off), energy = fmax(energy, now.energy), open = fmax(open, now.open);
          runs++;
        }
    }
    twin_free(&side[0]);
    twin_free(&side[1]);
  }
  print_message("%d runs: apart by %.1e m, energy error %.1e, open by %.1e m\n", runs, worst,
                energy, open);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(short_runs_agree)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
