// The tables of formulations and integrators: every entry has what its shape asks for, every shape
// has an integrator of its own, and what the engine looks for by flags is there.
#include "support/test.h"

#include "sim/method.h"

static void a_formulation_has_the_interface_of_its_shape(void** state) {
  (void)state;
  for (int k = 0; sar_formulation(k); k++) {
    const SarFormulation* f = sar_formulation(k);
    assert_true(f->name && f->doc && f->ref && f->accel);
    assert_ptr_equal(sar_formulation_find(f->name), f);
    assert_true(sar_shape_is_implicit(f->shape) == (f->implicit.step != NULL));
    assert_true((f->shape == SAR_SHAPE_IMPULSE) == (f->impulses.step != NULL));
    assert_true((f->shape == SAR_SHAPE_IMPULSE) == (f->impulses.show != NULL));
    assert_true(!f->accelerations.settle == !f->accelerations.filter);
    if (f->shape != SAR_SHAPE_ACCEL) assert_true(!f->accelerations.settle && !f->stabilised);
    if (f->tried & SAR_TRY_LOOPS) assert_true(f->can & SAR_CAN_CONSTRAINTS);
  }
}

static void an_integrator_has_what_it_serves_with(void** state) {
  (void)state;
  for (int k = 0; sar_integrator(k); k++) {
    const SarIntegrator* i = sar_integrator(k);
    assert_true(i->name && i->doc && i->ref && i->order > 0 && i->serves);
    assert_ptr_equal(sar_integrator_find(i->name), i);
    assert_true((i->usual & ~i->serves) == 0);
    assert_true(i->can_fix || i->can_adapt);
    assert_true((i->serves & SAR_FOR_ACCEL && !i->missing) == (i->step != NULL));
    assert_true(!(i->serves & SAR_FOR_STEP) == !i->newmark.scheme);
    assert_true(!(i->serves & SAR_FOR_MULTISTEP) == !i->multistep.rule);
    if (i->dense) assert_non_null(i->step);
  }
}

static void every_shape_has_its_usual_integrator(void** state) {
  (void)state;
  for (int shape = 0; shape < SAR_SHAPES; shape++) {
    int usual = 0;
    for (int k = 0; sar_integrator(k); k++) usual += (int)(sar_integrator(k)->usual >> shape & 1);
    assert_int_equal(usual, 1);
    assert_null(sar_usual_integrator((SarShape)shape)->missing);
  }
}

static void what_the_engine_looks_for_is_there(void** state) {
  (void)state;
  char names[120];
  assert_true(sar_integrator_for(SAR_USE_STIFF)->can_adapt);
  assert_true(sar_integrator_for(SAR_USE_STIFF)->implicit);
  assert_true(sar_integrator_for(SAR_USE_DAMPED)->newmark.spectral_radius < 1);
  assert_non_null(sar_integrator_for(SAR_USE_TRIAL));
  assert_string_equal(sar_formulation_names(names, sizeof names, "try ", sar_passes_singular),
                      "try 'lagrange', 'qr', 'hybrid' or 'impulse'");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_formulation_has_the_interface_of_its_shape),
      cmocka_unit_test(an_integrator_has_what_it_serves_with),
      cmocka_unit_test(every_shape_has_its_usual_integrator),
      cmocka_unit_test(what_the_engine_looks_for_is_there),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
