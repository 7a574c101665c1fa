// Every formulation on every reference mechanism in both kinds of coordinates: it agrees with the
// reference to 1e-6 of the column's scale, or is refused before the run with a reason that is known
// here. Those that do not pass singular positions stop before the first and agree until then.
// (Forty four-bars side by side: test_forty.c.)
#include "support/loop_run.h"

#include "model/sim.h"

typedef struct Case {
  const char* name;
  double end;      // the first part of the motion: fifteen formulations have to go through it
  bool redundant;  // has constraints that follow from others, in relative or in both coordinates
  bool tree;       // has no loops: constraints only in absolute coordinates
  bool massless;   // the mass matrix is singular in absolute coordinates
  bool singular;   // passes singular positions
} Case;

static const Case CASES[] = {
    {.name = "A_double_fourbar", .end = 2.8, .singular = true},    // three passes
    {.name = "B_fivefold_fourbar", .end = 1.3, .singular = true},  // two
    {.name = "F_RSSR", .end = 1},
    {.name = "F_slider_crank", .end = 1},
    {.name = "F_spatial_slider_crank", .end = 1.5},
    {.name = "G_andrews", .end = 0.01},
    {.name = "H_bricard", .end = 1, .redundant = true},
    {.name = "H_bricard_A04", .end = 2, .redundant = true},
    {.name = "I_governor_A05", .end = 0.01, .tree = true},
    {.name = "I_governor_stiff", .end = 0.01, .tree = true},
    {.name = "J_stewart", .end = 0.3},
    {.name = "J_stewart_L2", .end = 0.3},
    {.name = "J_stewart_axial0", .end = 0.3, .massless = true},
    {.name = "J_stewart_L2_axial0", .end = 0.3, .massless = true},
    {.name = "K_five_link", .end = 1},
    {.name = "K_five_link_substitute", .end = 1},
    {.name = "L_peaucellier", .end = 1},
    {.name = "O_pcu_loop", .end = 1},
    {.name = "S_stacked_parallelograms", .end = 1.5, .redundant = true},
};
enum { CASE_COUNT = sizeof CASES / sizeof *CASES };

// Is this pair known not to be offered, and for which reason?
static const char* reason_to_refuse(const SarFormulation* f, const Case* c, bool absolute) {
  if (c->tree && !absolute) return NULL;
  if (!(f->can & SAR_CAN_CONSTRAINTS)) return "open trees only";
  if (c->redundant && !(f->can & SAR_CAN_REDUNDANT)) return "redundant";
  if (c->massless && absolute && !(f->can & SAR_CAN_SINGULAR_MASS))
    return "a mass matrix that is definite";
  return NULL;
}

static void check(const SarFormulation* f, const Case* c, const char* coordinates,
                  const Reference* r, int* refused, double* worst) {
  const char* reason = reason_to_refuse(f, c, coordinates[0] == 'a');
  LoopRun run = {.name = c->name,
                 .coordinates = coordinates,
                 .formulation = f->name,
                 .integrator = "dopri5",
                 .tolerance = 1e-10,
                 .end = c->end};
  loop_run(&run, r);
  if (run.status == SAR_NOT_OFFERED) {
    (*refused)++;
    if (!reason || !strstr(run.said, reason))
      fail_msg("%s, %s, %s: refused: %s", f->name, c->name, coordinates, run.said);
    return;
  }
  if (reason) fail_msg("%s, %s, %s: should be refused: %s", f->name, c->name, coordinates, reason);
  const bool stops = c->singular && !(f->can & SAR_CAN_RANK_CHANGE);
  if (stops && run.status == SAR_SINGULAR && strstr(run.said, "joint '")) run.status = SAR_OK;
  if (run.status != SAR_OK || !(run.worst <= 1e-6))
    fail_msg("%s, %s, %s: %.2e of scale in %s %s", f->name, c->name, coordinates, run.worst,
             run.where, run.said);
  *worst = fmax(*worst, run.worst);
}

static void every_formulation_agrees_or_says_why_not(void** state) {
  (void)state;
  static Reference r;
  for (int i = 0; i < CASE_COUNT; i++) {
    const Case* c = &CASES[i];
    int refused = 0, pairs = 0;
    double worst = 0;
    if (!test_takes((size_t)i, 16)) continue;
    reference_read(c->name, &r);
    for (int k = 0; sar_formulation(k); k++) {
      const SarFormulation* f = sar_formulation(k);
      if (f->shape != SAR_SHAPE_ACCEL)
        continue;  // no error control: tests/reference/test_implicit.c
      // the usual effort: relative coordinates or absolute ones in turn
      const bool both = test_effort_slow(5) == 5;
      if (both || (i + k) % 2 == 0) check(f, c, "relative", &r, &refused, &worst);
      if (both || (i + k) % 2 == 1) check(f, c, "absolute", &r, &refused, &worst);
      pairs += both ? 2 : 1;
    }
    print_message("%-26s %d pairs, %d refused, others within %.1e\n", c->name, pairs, refused,
                  worst);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_formulation_agrees_or_says_why_not)};
  return cmocka_run_group_tests_name("formulations", tests, NULL, NULL);
}
