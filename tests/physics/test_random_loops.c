// Random mechanisms with loops: every formulation in both kinds of coordinates gives the same
// motion of the bodies, or says beforehand why it does not take the model.
//
// What the answers share is the evaluation of M, Psi and gamma within one kind of coordinates;
// between the two kinds, nothing but the model file: other unknowns, other constraints, other
// redundancies.
//
// Bounds: accelerations follow from the constraints as Psi^+ gamma, so rounding grows with the
// inverse of the grip of the weakest row, and with its square in those formulations that work with
// squares of Psi (zero-eigenvalue, schur, falco1, penalty, lagrange). Assembly closes loops to
// 1e-10 and less, and what is left is another position in another kind of coordinates. Hence BOUND
// / grip^2, relative to the largest acceleration (force, multiplier) of the mechanism.
#include "support/loop_twin.h"

#include "dynamics/projection.h"

enum { MECHANISMS = 10000, OFFERS = 40 };

static const double BOUND = 1e-10;
// How shortest multipliers share a force follows from how redundant rows depend on others, and that
// is known as well as loops are closed: to 1e-10, times what the choice of the independent rows
// adds.
static const double LAMBDA_BOUND = 1e-7;
// Rows that hold with less than 1e-4 of their grip are let go by `lagrange`
// (docs/theory/lagrange.md), and the iteration of `penalty` gains less than a digit in ten passes
// there.
static const double FAINT = 2e-4;

// ---- mechanisms ---------------------------------------------------------------------------------

typedef struct Tally {
  int loaded, refused, locked, redundant, driven, faint, pairs;
  int freedoms[4];  // 0, 1, 2, more
  double worst, worst_lambda;
} Tally;

static bool is_driven(const SarModel* m) {
  for (int c = 0; c < m->nconstraint; c++)
    if (m->constraint[c].drive) return true;
  return false;
}

// Freedoms are those of the mechanism, however it is described, and a locked one is called so.
static void check_freedoms(int seed, const TwinSide side[2], Tally* tally) {
  const int freedoms = twin_freedoms(&side[0]);
  if (twin_freedoms(&side[1]) != freedoms)
    fail_msg("mechanism %d: %d degrees of freedom in relative, %d in absolute coordinates", seed,
             freedoms, twin_freedoms(&side[1]));
  const bool driven = is_driven(side[0].m);
  for (int c = 0; c < 2; c++)
    if (side[c].m->nrow > 0)
      assert_int_equal(twin_says(&side[c], "locked"), freedoms == 0 && !driven);
  tally->locked += freedoms == 0 && !driven;
  tally->driven += driven;
  tally->freedoms[freedoms < 3 ? freedoms : 3]++;
  tally->redundant += side[1].loops.freedom.rank < side[1].m->nrow;
}

// ---- accelerations ------------------------------------------------------------------------------

typedef struct Answer {
  double bodies[6 * TWIN_MAX_BODIES];  // alpha and a of each
  double force[TWIN_MAX_NV];           // Psi' lambda
  double lambda[TWIN_MAX_ROWS];
} Answer;

static SarStatus answer(TwinSide* s, const SarFormulation* f, Answer* out) {
  const SarSimOptions o = {.formulation = f->name,
                           .integrator = "dopri5",
                           .step = 1e-3,
                           .rtol = 1e-8,
                           .atol = 1e-10,
                           .adaptive = 1,
                           .project = 1};
  SarSim* sim;
  EXPECT_OK(sar_sim_setup(s->m, s->d, &o, f, sar_integrator_find("dopri5"), &s->loops, &sim, NULL));
  SarStatus st = f->accel(sim);
  sar_sim_free(sim);
  memset(out, 0, sizeof *out);
  if (st != SAR_OK) return st;
  twin_accelerations(s->m, s->d, out->bodies);
  if (s->m->nrow == 0) return SAR_OK;
  sar_constraint_add_transposed(s->m, s->d, 1, s->d->lambda, out->force);
  memcpy(out->lambda, s->d->lambda, (size_t)s->m->nrow * sizeof(double));
  return SAR_OK;
}

// What Baumgarte's gamma adds at 20/s for what assembly left open.
static double returning(const TwinSide* s) {
  const SarViolation open = sar_violation(s->m, s->d);
  return 2 * 20 * open.velocity + 20 * 20 * open.position;
}

// Everything against `qr` (an open tree: articulated bodies), forces within the same coordinates,
// motion against relative ones.
static void check_answers(int seed, TwinSide side[2], Tally* tally) {
  static Answer first[2], now;
  for (int c = 0; c < 2; c++) {
    TwinSide* s = &side[c];
    const double grip = fmin(twin_grip(&side[0]), twin_grip(s));
    const bool unique = s->loops.freedom.rank == s->m->nrow;
    EXPECT_OK(answer(s, sar_formulation_find(s->m->nrow > 0 ? "qr" : "aba"), &first[c]));
    for (int i = 0; sar_formulation(i); i++) {
      const SarFormulation* f = sar_formulation(i);
      if (twin_refusal(f, s) || (s->m->nrow == 0 && f->accelerations.solve)) continue;
      const bool squares = f->accelerations.settle || f->shape != SAR_SHAPE_ACCEL ||
                           (f->stabilised && f->accelerations.solve);
      if (squares && grip < FAINT) {
        tally->faint++;
        continue;
      }
      const SarStatus st = answer(s, f, &now);
      const double a = twin_apart(now.bodies, first[0].bodies, 6 * s->m->nbody);
      const double force = twin_apart(now.force, first[c].force, s->m->nv);
      const double lambda =
          unique || !f->picks_rows ? twin_apart(now.lambda, first[c].lambda, s->m->nrow) : 0;
      const double rest = f->stabilised ? returning(s) / grip : 0;
      const double off = (fmax(a, force) - rest) * grip * grip;
      if (st != SAR_OK || !(off <= BOUND) || !(lambda * grip * grip <= LAMBDA_BOUND))
        fail_msg(
            "mechanism %d, %s, %s: %s, accelerations apart by %.1e, forces by %.1e, "
            "multipliers by %.1e; grip %.1e",
            seed, TWIN_COORDINATES[c], f->name, sar_status_text(st), a, force, lambda, grip);
      tally->worst = fmax(tally->worst, off);
      tally->worst_lambda = fmax(tally->worst_lambda, lambda * grip * grip);
      tally->pairs++;
    }
  }
}

static void formulations_agree_in_both_coordinates(void** state) {
  (void)state;
  static TwinSide side[2];
  Tally tally = {0};
  for (int k = 0; k < test_effort_slow(MECHANISMS); k++) {
    tally.loaded++;
    if (twin_make(k, side)) {
      check_freedoms(k, side, &tally);
      check_answers(k, side, &tally);
    } else {
      tally.refused++;
    }
    twin_free(&side[0]);
    twin_free(&side[1]);
  }
  print_message(
      "%d mechanisms: %d cannot move as driven, %d locked, %d with 1 freedom, %d with 2, %d with "
      "more; %d with drives, %d with redundant rows\n%d evaluations, %d too near a singular "
      "position; worst %.1e / grip^2, multipliers %.1e / grip^2\n",
      tally.loaded, tally.refused, tally.locked, tally.freedoms[1], tally.freedoms[2],
      tally.freedoms[3], tally.driven, tally.redundant, tally.pairs, tally.faint, tally.worst,
      tally.worst_lambda);
}

// ---- offers -------------------------------------------------------------------------------------

// What sar_sim_new says is what the tables of formulations say, with the reason.
static void a_formulation_runs_or_says_why_not(void** state) {
  (void)state;
  static TwinSide side[2];
  int offered = 0, refused = 0;
  for (int k = 0; k < test_effort(OFFERS); k++) {
    const bool possible = twin_make(MECHANISMS + k, side);
    for (int c = 0; c < 2 && possible; c++)
      for (int i = 0; sar_formulation(i); i++) {
        const SarFormulation* f = sar_formulation(i);
        const char* reason = twin_refusal(f, &side[c]);
        SarSimOptions o = sar_sim_options();
        SarSim* s;
        o.formulation = f->name;
        sar_error_init(&side[c].err);
        const SarStatus st = sar_sim_new(side[c].m, side[c].d, &o, &s, &side[c].err);
        if (st != (reason ? SAR_NOT_OFFERED : SAR_OK) || (reason && !twin_says(&side[c], reason)))
          fail_msg("mechanism %d, %s, %s: %s instead of %s", MECHANISMS + k, TWIN_COORDINATES[c],
                   f->name, sar_status_text(st), reason ? reason : "running");
        sar_sim_free(s);
        offered += !reason;
        refused += reason != NULL;
      }
    twin_free(&side[0]);
    twin_free(&side[1]);
  }
  print_message("%d pairs offered, %d refused\n", offered, refused);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(formulations_agree_in_both_coordinates),
      cmocka_unit_test(a_formulation_runs_or_says_why_not),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
