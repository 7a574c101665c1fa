// Constraints, joints and forces that switch on and off during a run, against closed forms.
#include "support/alloc_count.h"
#include "support/run.h"

#include "model/sim.h"

static Run begin(const char* yaml, const char* formulation, const char* integrator, double step) {
  SarSimOptions o = sar_sim_options();
  o.formulation = formulation;
  o.integrator = integrator;
  if (step > 0) o.step = step;
  return run_open(model_text(yaml), &o);
}

static SarEvent event(const Run* r, long k) {
  SarEvent e = {0};
  EXPECT_OK(sar_event(r->s, k, &e));
  return e;
}

static double error_of(const Run* r) {
  SarEnergy e;
  EXPECT_OK(sar_energy(r->d, &e));
  return fabs(e.error);
}

// ---- a ball sticks to a pendulum ---------------------------------------------------------------

// Angular momentum about the hinge is kept: w = m v l / I, I = M l^2 / 3 + m l^2 + 2/5 m r^2. There
// is no gravity, so the motion before and after is uniform.
static const char STICK[] =
    "gravity: [0, 0, 0]\n"
    "bodies:\n"
    "  rod:  {rod: [[0, 0, 0], [0, 0, -1]], mass: 3}\n"
    "  ball: {at: [-2, 0, -1], sphere: 0.05, mass: 1, velocity: [4, 0, 0]}\n"
    "joints:\n"
    "  hinge: {revolute: [ground, rod], axis: y}\n"
    "  grip: {fixed: [rod, ball], %s, hold: current}\n"
    "outputs: [energy, work, joints, {reaction: grip}, {value: rod.wy, name: w}]\n";

static const double INERTIA = 2.001, SPEED = 4;

static Run begin_stick(const char* when, const char* formulation, const char* integrator) {
  char text[sizeof STICK + 100];
  snprintf(text, sizeof text, STICK, when);
  return begin(text, formulation, integrator, 0.0013);
}

static bool can_switch(const SarFormulation* f) {
  return (f->can & SAR_CAN_CONSTRAINTS) && f->regroup && !f->absolute;
}

// Every formulation with every integrator. 0.5 is no multiple of the step.
static void a_time_is_hit_exactly_whatever_the_method(void** state) {
  (void)state;
  int runs = 0;
  for (int f = 0; sar_formulation(f); f++)
    for (int i = 0; sar_integrator(i); i++) {
      if (!can_switch(sar_formulation(f))) continue;
      if (sar_integrator(i)->missing || !sar_goes_with(sar_formulation(f), sar_integrator(i)))
        continue;
      Run r =
          begin_stick("from: 0.5, until: 0.8", sar_formulation(f)->name, sar_integrator(i)->name);
      alloc_count_reset();
      run_advance(&r, 1);
      assert_int_equal(alloc_count(), 0);
      assert_int_equal(sar_event_count(r.s), 2);
      const SarEvent on = event(&r, 0), off = event(&r, 1);
      EXPECT_NEAR(on.time, 0.5, 0);
      EXPECT_NEAR(off.time, 0.8, 0);
      assert_true(on.on && !off.on);
      assert_string_equal(on.name, "grip");
      assert_int_equal(on.freedoms, 1);
      assert_int_equal(off.freedoms, 7);
      // the impact itself is exact for all; the state it meets has rounding only
      const double lost = 0.5 * SPEED * SPEED - 0.5 * SPEED * SPEED / INERTIA;
      EXPECT_NEAR(on.energy, -lost, 1e-9);
      EXPECT_NEAR(on.impulse, SPEED - SPEED / INERTIA, 1e-9);  // of the ball, along x
      EXPECT_NEAR(off.energy, 0, 0);
      EXPECT_NEAR(run_output(&r, "work.impact"), -lost, 1e-9);
      EXPECT_NEAR(run_output(&r, "work.switching"), 0, 1e-12);
      // 0.3 s of turning by 2 rad/s: the pair goes on, then the rod turns and the ball flies. The
      // first-order method is off by 0.03; what damps vibrations damps points that go round too:
      // hht takes 2e-4 J in natural coordinates
      double radius, least;
      const bool damps = sar_shape_is_implicit(sar_formulation(f)->shape) &&
                         sar_integrator_radius(sar_integrator(i), &radius, &least) && radius < 1;
      const double bound = sar_integrator(i)->order == 1 ? 0.05 : damps ? 4e-4 : 1e-4;
      EXPECT_NEAR(run_output(&r, "w"), -SPEED / INERTIA, bound);
      EXPECT_AT_MOST(error_of(&r), bound);
      // nothing acts any longer
      EXPECT_NEAR(run_output(&r, "grip.fx"), 0, 0);
      EXPECT_NEAR(run_output(&r, "grip.fz"), 0, 0);
      run_close(&r);
      runs++;
    }
  assert_in_range(runs, 60, 1000);
}

// Adaptive integrators find the moment, the others switch where the step ends.
static void a_condition_is_located(void** state) {
  (void)state;
  Run found = begin_stick("from: ball.x > 0", "lagrange", "dopri5");
  run_advance(&found, 1);
  assert_int_equal(sar_event_count(found.s), 1);  // a latch: it stays on though ball.x comes back
  EXPECT_NEAR(event(&found, 0).time, 0.5, 1e-11);
  EXPECT_NEAR(run_output(&found, "w"), -SPEED / INERTIA, 1e-8);  // rtol 1e-8
  EXPECT_AT_MOST(error_of(&found), 1e-7);
  run_close(&found);
  Run late = begin_stick("from: ball.x > 0", "qr", "rk4");
  run_advance(&late, 1);
  EXPECT_NEAR(event(&late, 0).time, 385 * 0.0013, 1e-12);
  EXPECT_AT_MOST(error_of(&late), 1e-9);
  run_close(&late);
}

static void the_same_in_absolute_coordinates(void** state) {
  (void)state;
  char text[sizeof STICK + 100];
  double w[2], z[2];
  for (int k = 0; k < 2; k++) {
    snprintf(text, sizeof text, STICK, "from: ball.x > 0, until: 0.9");
    snprintf(text + strlen(text), sizeof text - strlen(text), "simulation: {coordinates: %s}\n",
             k ? "absolute" : "relative");
    Run r = begin(text, NULL, "dopri5", 0);
    run_advance(&r, 1);
    assert_int_equal(sar_event_count(r.s), 2);
    assert_int_equal(event(&r, 0).freedoms, 1);
    w[k] = run_output(&r, "w");
    z[k] = run_output(&r, "ball.pz");
    run_close(&r);
  }
  EXPECT_NEAR(w[1], w[0], 1e-7);
  EXPECT_NEAR(z[1], z[0], 1e-7);
}

// ---- a rod between two particles ---------------------------------------------------------------

// Along the rod both get the velocity of their mass centre, across it nothing changes:
// L = mu u, dT = mu u^2 / 2, u the relative velocity along the rod, mu = 1 * 2 / 3.
static void a_rod_is_pulled_taut(void** state) {
  (void)state;
  Run r = begin(
      "gravity: [0, 0, 0]\n"
      "bodies:\n"
      "  a: {at: [0, 0, 0], sphere: 0.1, mass: 1, velocity: [-3, 1, 0]}\n"
      "  b: {at: [2, 0, 0], sphere: 0.1, mass: 2, velocity: [0, 1, 0]}\n"
      "constraints:\n"
      "  rope: {rod: [a, b], length: 5, from: b.x - a.x > 5}\n"
      "outputs: [energy, joints, momentum, {constraint: rope}]\n",
      "lagrange", "dopri5", 0);
  run_advance(&r, 1.5);
  assert_int_equal(sar_event_count(r.s), 1);
  EXPECT_NEAR(event(&r, 0).time, 1, 1e-10);
  EXPECT_NEAR(event(&r, 0).impulse, 2, 1e-10);
  EXPECT_NEAR(event(&r, 0).energy, -3, 1e-9);
  EXPECT_NEAR(run_output(&r, "a.vx"), -1, 1e-9);
  EXPECT_NEAR(run_output(&r, "b.vx"), -1, 1e-9);
  EXPECT_NEAR(run_output(&r, "a.vy"), 1, 1e-9);
  EXPECT_NEAR(run_output(&r, "momentum.px"), -3, 1e-9);
  EXPECT_NEAR(run_output(&r, "rope.force"), 0, 1e-9);  // uniform motion
  EXPECT_AT_MOST(error_of(&r), 1e-9);
  run_close(&r);
}

// ---- off ---------------------------------------------------------------------------------------

// A pendulum whose hinge lets go flies on: its mass centre on a parabola, its spin as it was.
static void a_hinge_that_lets_go_leaves_free_flight(void** state) {
  (void)state;
  Run r = begin(
      "bodies:\n"
      "  rod: {cylinder: {radius: 0.05, from: [0, 0, 0], to: [1, 0, 0]}, mass: 2,\n"
      "        points: {c: [0.5, 0, 0]}}\n"
      "joints:\n"
      "  hinge: {revolute: [ground, rod], axis: y, until: 0.4}\n"
      "outputs: [energy, {point: rod.c}, {value: rod.wy, name: w}, {reaction: hinge}]\n",
      NULL, "dopri5", 0);
  run_advance(&r, 0.4);
  const double x = run_output(&r, "rod.c.x"), z = run_output(&r, "rod.c.z"),
               w = run_output(&r, "w");
  const double vx = run_output(&r, "rod.c.vx"), vz = run_output(&r, "rod.c.vz");
  assert_int_equal(sar_event_count(r.s), 1);
  // what stands at the time of an event is what follows
  EXPECT_NEAR(run_output(&r, "hinge.fz"), 0, 0);
  run_advance(&r, 1);
  EXPECT_NEAR(run_output(&r, "rod.c.x"), x + 0.6 * vx, 1e-8);
  EXPECT_NEAR(run_output(&r, "rod.c.z"), z + 0.6 * vz - 0.5 * 9.81 * 0.36, 1e-8);
  EXPECT_NEAR(run_output(&r, "w"), w, 1e-8);
  assert_true(fabs(w) > 1);
  EXPECT_AT_MOST(error_of(&r), 1e-7);
  run_close(&r);
}

// A wheel is driven at 3 rad/s for a second, runs on by itself, is braked by a damper that comes
// later: w = 3 exp(-c/J t). Then the drive takes hold again, and what it must give at once is I (3
// - w)^2 / 2.
static void a_drive_that_ends_and_returns(void** state) {
  (void)state;
  Run r = begin(
      "gravity: [0, 0, 0]\n"
      "bodies: {wheel: {cylinder: {radius: 1, length: 0.1}, mass: 4}}\n"
      "joints: {axle: {revolute: [ground, wheel]}}\n"
      "constraints:\n"
      "  first: {motion: axle, value: 3*t, until: 1}\n"
      "  again: {motion: axle, value: 3*t, from: 3, hold: current}\n"
      "forces:\n"
      "  brake: {joint_force: axle, value: -axle.v, from: 2}\n"
      "outputs: [energy, work, joints, {constraint: first}, {force: brake}]\n",
      NULL, "dopri5", 0);
  run_advance(&r, 2);
  EXPECT_NEAR(run_output(&r, "axle.v"), 3, 1e-9);
  EXPECT_NEAR(run_output(&r, "axle.q"), 6, 1e-8);
  EXPECT_NEAR(run_output(&r, "first.force"), 0, 0);
  run_advance(&r, 3 - 1e-6);
  const double w = 3 * exp(-0.5);
  EXPECT_NEAR(run_output(&r, "axle.v"), w, 1e-5);
  run_advance(&r, 4);
  EXPECT_NEAR(run_output(&r, "axle.v"), 3, 1e-9);
  EXPECT_NEAR(run_output(&r, "work.impact"), 9 - w * w, 1e-7);  // I = 2
  EXPECT_NEAR(run_output(&r, "axle.q"), 6 + 6 * (1 - exp(-0.5)) + 3, 1e-7);
  // against the brake: 3 N m at 3 rad/s for 1 s
  EXPECT_NEAR(run_output(&r, "work.again"), 9, 1e-6);
  EXPECT_AT_MOST(error_of(&r), 1e-7);
  run_close(&r);
}

// The work of drives goes on counting while conditions are looked at: a wheel of 2 kg m^2 is driven
// up by t^2 rad under a condition of the state, J a = 4 N m over 4 rad in 2 s.
static void work_is_counted_beside_conditions(void** state) {
  (void)state;
  Run r = begin(
      "gravity: [0, 0, 0]\n"
      "bodies: {wheel: {cylinder: {radius: 1, length: 0.1}, mass: 4}}\n"
      "joints: {axle: {revolute: [ground, wheel]}}\n"
      "constraints:\n"
      "  drive: {motion: axle, value: t^2, active: axle.q < 100}\n"
      "outputs: [energy, work, joints]\n",
      NULL, "dopri5", 0);
  run_advance(&r, 2);
  EXPECT_NEAR(run_output(&r, "work.drive"), 16, 1e-7);
  EXPECT_AT_MOST(error_of(&r), 1e-7);
  run_close(&r);
}

// ---- forces ------------------------------------------------------------------------------------

// A force that is on half of the time, and a spring that comes and goes with its energy.
static void a_spring_comes_with_its_energy(void** state) {
  (void)state;
  Run r = begin(
      "gravity: [0, 0, 0]\n"
      "bodies: {m: {box: [1, 1, 1], mass: 2}}\n"
      "joints: {slide: {prismatic: [ground, m], axis: x, position: 0.5}}\n"
      "points: {wall: [-3, 0, 0]}\n"
      "forces:\n"
      "  push: {force: m, value: [4, 0, 0], active: sin(2*pi*t) > 0}\n"
      "  spring: {spring_damper: [ground.wall, m], stiffness: 8, from: 2, until: 2 + pi/2}\n"
      "outputs: [energy, joints, work, {force: spring}]\n",
      NULL, "rk4", 0.03);
  run_advance(&r, 2);
  // 2 m/s^2 for half a second, twice: 1, then 2 m/s
  EXPECT_NEAR(run_output(&r, "slide.v"), 2, 1e-12);
  const double x = run_output(&r, "slide.q");
  EXPECT_NEAR(x, 0.5 + 0.25 + 0.5 + 0.25 + 0.5 + 1, 1e-12);
  EXPECT_NEAR(run_output(&r, "spring.energy"), 4 * x * x, 1e-9);
  EXPECT_NEAR(run_output(&r, "work.switching"), 4 * x * x, 1e-9);
  assert_int_equal(sar_event_count(r.s), 5);  // push off, on, off, on; spring on
  run_advance(&r, 4);
  EXPECT_NEAR(run_output(&r, "spring.energy"), 0, 0);
  EXPECT_NEAR(run_output(&r, "spring.tension"), 0, 0);
  EXPECT_AT_MOST(error_of(&r), 1e-5);  // h^4 = 8e-7
  run_close(&r);
}

// ---- places ------------------------------------------------------------------------------------

static const char DOOR[] =
    "gravity: [0, 0, 0]\n"
    "bodies: {door: {box: [1, 0.1, 2], mass: 3, at: [0.5, 0, 0]}}\n"
    "joints:\n"
    "  hinge: {revolute: [ground, door], at: [0, 0, 0], position: -0.3, speed: 1}\n"
    "  latch: {fixed: [ground, door], from: %s}\n"
    "outputs: [energy, joints]\n";

// Declared at the design position, q = 0: closed there if it is near, else refused by how much.
static void a_latch_closes_where_it_is_declared(void** state) {
  (void)state;
  char text[sizeof DOOR + 50];
  snprintf(text, sizeof text, DOOR, "hinge.q > -0.004");
  Run r = begin(text, "qr", "dopri5", 0);
  run_advance(&r, 0.5);
  EXPECT_NEAR(run_output(&r, "hinge.q"), 0, 1e-12);
  EXPECT_NEAR(run_output(&r, "hinge.v"), 0, 1e-12);
  assert_int_equal(event(&r, 0).freedoms, 0);
  EXPECT_AT_MOST(error_of(&r), 1e-9);
  run_close(&r);

  snprintf(text, sizeof text, DOOR, "0.2");
  Run far = begin(text, "qr", "dopri5", 0);
  EXPECT_STATUS(sar_advance(far.s, 0.5), SAR_NOT_CLOSED);
  assert_non_null(strstr(sar_sim_trouble(far.s), "at t = 0.2: joint 'latch' switches on while"));
  assert_non_null(strstr(sar_sim_trouble(far.s), "hold: current"));
  // nothing has happened: the state is that of the last step, and nothing is on
  assert_int_equal(sar_event_count(far.s), 0);
  assert_int_equal(far.d->nactive, 0);
  assert_true(sar_time(far.d) < 0.2);
  EXPECT_NEAR(run_output(&far, "hinge.v"), 1, 1e-9);
  run_close(&far);
}

// A second rod beside the first says the same: a method that cannot take it says so, others go on.
static void redundant_rows_may_come_too(void** state) {
  (void)state;
  static const char text[] =
      "bodies: {bar: {box: [1, 0.1, 0.1], mass: 3, points: {l: [-0.5, 0, 0], r: [0.5, 0, 0]}}}\n"
      "points: {l: [-0.5, 0, 1], r: [0.5, 0, 1]}\n"
      "planar: xz\n"
      "constraints:\n"
      "  one: {rod: [bar.l, ground.l]}\n"
      "  two: {rod: [bar.r, ground.r]}\n"
      "  three: {rod: [bar, [ground, [0, 0, 1]]], from: 0.25}\n"
      "outputs: [energy, joints]\n";
  Run r = begin(text, "qr", "dopri5", 0);
  run_advance(&r, 0.5);
  assert_int_equal(event(&r, 0).freedoms, 1);
  assert_int_equal(r.d->nactive, 3);
  run_close(&r);
  Run dense = begin(text, "lagrange-dense", "dopri5", 0);
  EXPECT_STATUS(sar_advance(dense.s, 0.5), SAR_NOT_OFFERED);
  assert_non_null(strstr(sar_sim_trouble(dense.s), "redundant"));
  run_close(&dense);
}

// ---- state --------------------------------------------------------------------------------------

static void copies_and_resets_take_the_switches_along(void** state) {
  (void)state;
  Run r = begin_stick("from: ball.x > 0, until: 0.8", "qr", "dopri5");
  SarData* before;
  EXPECT_OK(sar_data_new(r.m, &before, NULL));
  run_advance(&r, 0.3);
  EXPECT_OK(sar_data_copy(before, r.d));
  run_advance(&r, 0.6);
  assert_int_equal(r.d->nactive, 6);
  SarData* during;
  EXPECT_OK(sar_data_new(r.m, &during, NULL));
  EXPECT_OK(sar_data_copy(during, r.d));
  run_advance(&r, 1);
  assert_int_equal(r.d->nactive, 0);
  const unsigned long long hash = sar_state_hash(r.d);

  EXPECT_OK(sar_data_copy(r.d, during));  // into a run that has let go already
  assert_int_equal(r.d->nactive, 6);
  run_advance(&r, 1);
  assert_true(sar_state_hash(r.d) == hash);
  EXPECT_OK(sar_data_copy(r.d, before));
  run_advance(&r, 0.6);
  run_advance(&r, 1);
  assert_true(sar_state_hash(r.d) == hash);
  sar_data_reset(r.d);
  assert_int_equal(r.d->nactive, 0);
  run_advance(&r, 0.3);
  run_advance(&r, 0.6);
  run_advance(&r, 1);
  assert_true(sar_state_hash(r.d) == hash);
  sar_data_free(before);
  sar_data_free(during);
  run_close(&r);
}

// The host's inputs switch where the next step begins, a parameter for the whole run.
static void inputs_and_parameters_switch(void** state) {
  (void)state;
  Run r = begin(
      "gravity: [0, 0, 0]\n"
      "parameters: {with: 0}\n"
      "inputs: {button: 0}\n"
      "bodies: {m: {box: [1, 1, 1], mass: 2}}\n"
      "joints: {slide: {prismatic: [ground, m], axis: x, speed: 1}}\n"
      "constraints: {brake: {motion: slide, value: 0, active: button > 0.5, hold: current}}\n"
      "forces: {push: {joint_force: slide, value: 5, active: with}}\n"
      "outputs: [energy, joints]\n",
      NULL, "rk4", 0.1);
  run_advance(&r, 1);
  EXPECT_NEAR(run_output(&r, "slide.v"), 1, 1e-12);
  sar_inputs(r.d)[0] = 1;
  run_advance(&r, 2);
  EXPECT_NEAR(event(&r, 0).time, 1, 0);
  EXPECT_NEAR(event(&r, 0).energy, -1, 1e-12);
  EXPECT_NEAR(run_output(&r, "slide.q"), 1, 1e-12);
  EXPECT_NEAR(run_output(&r, "slide.v"), 0, 1e-12);
  EXPECT_AT_MOST(error_of(&r), 1e-12);
  run_close(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_time_is_hit_exactly_whatever_the_method),
      cmocka_unit_test(a_condition_is_located),
      cmocka_unit_test(the_same_in_absolute_coordinates),
      cmocka_unit_test(a_rod_is_pulled_taut),
      cmocka_unit_test(a_hinge_that_lets_go_leaves_free_flight),
      cmocka_unit_test(a_drive_that_ends_and_returns),
      cmocka_unit_test(work_is_counted_beside_conditions),
      cmocka_unit_test(a_spring_comes_with_its_energy),
      cmocka_unit_test(a_latch_closes_where_it_is_declared),
      cmocka_unit_test(redundant_rows_may_come_too),
      cmocka_unit_test(copies_and_resets_take_the_switches_along),
      cmocka_unit_test(inputs_and_parameters_switch),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
