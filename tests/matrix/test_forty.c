// Every formulation on forty four-bars side by side, reference case B. Dense ones need up to 50 ms
// for an acceleration in absolute coordinates (243 unknowns, 242 equations), so there the first
// tenth of a second has to do; in relative coordinates (81 unknowns) all of them go through the
// first singular position, which is at t = 0.72 s, or stop before it where they do not claim to
// pass it.
#include "support/loop_run.h"

#include "model/sim.h"

#define NAME "B_fortyfold_fourbar"

static void expect_reference(const LoopRun* run) {
  if (run->status != SAR_OK || !(run->worst <= 1e-6))
    fail_msg("%s, %s: %.2e of scale in %s %s", run->formulation, run->coordinates, run->worst,
             run->where, run->said);
}

// Fixed steps of RK4, the fewest calls for 1e-6.
static void every_formulation_in(const char* coordinates, double step, double end) {
  static Reference r;
  double worst = 0;
  reference_read(NAME, &r);
  for (int k = 0; sar_formulation(k); k++) {
    const SarFormulation* f = sar_formulation(k);
    if (f->shape != SAR_SHAPE_ACCEL) continue;  // tests/reference/test_implicit.c
    LoopRun run = {.name = NAME,
                   .coordinates = coordinates,
                   .formulation = f->name,
                   .integrator = "rk4",
                   .step = step,
                   .end = end};
    if (test_effort(10) < 10 && f->accelerations.solve && k % 4 != 3) continue;
    loop_run(&run, &r);
    const bool stops = !(f->can & SAR_CAN_RANK_CHANGE) && end > 0.72;
    if (f->can & SAR_CAN_CONSTRAINTS) {
      if (stops && run.status == SAR_SINGULAR && strstr(run.said, "joint '")) run.status = SAR_OK;
      expect_reference(&run);
      worst = fmax(worst, run.worst);
    } else {
      assert_int_equal(run.status, SAR_NOT_OFFERED);
      assert_non_null(strstr(run.said, "open trees only"));
    }
  }
  print_message("%s %s: all within %.1e\n", NAME, coordinates, worst);
}

static void relative_coordinates(void** state) {
  (void)state;
  every_formulation_in("relative", 0.0125, 0.8);
}

static void absolute_coordinates(void** state) {
  (void)state;
  every_formulation_in("absolute", 1.0 / 30, 0.1);
}

// The sparse formulation goes through the whole ten seconds and ten singular positions: 3e-7
// measured; Dormand and Prince at 1e-12 come to 5e-9, in 24 s.
static void absolute_coordinates_all_the_way(void** state) {
  (void)state;
  static Reference r;
  LoopRun run = {.name = NAME,
                 .coordinates = "absolute",
                 .formulation = "lagrange",
                 .integrator = "rk4",
                 .step = 0.005};
  if (test_effort(10) < 10) skip();
  reference_read(NAME, &r);
  loop_run(&run, &r);
  print_message("lagrange, absolute, 10 s: %.1e of scale in %s\n", run.worst, run.where);
  expect_reference(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(relative_coordinates),
      cmocka_unit_test(absolute_coordinates),
      cmocka_unit_test(absolute_coordinates_all_the_way),
  };
  return cmocka_run_group_tests_name("forty", tests, NULL, NULL);
}
