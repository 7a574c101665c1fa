// Laws of contact against closed forms: rolling and spinning friction, springs in contacts, and
// what the energy audit says of them. Steps of 1 ms unless said otherwise; forces are constant
// between events, so that errors are those of the step in which something begins or ends.
#include "support/world.h"

static const double G = 9.81;

// ---- rolling and spinning -----------------------------------------------------------------------

// A solid sphere rolls without sliding at v, and a moment lever m g resists: with the friction
// force F at the foot m a = -F, (2/5) m r^2 a / r = F r - lever m g:   a = -(5/7) (lever / r) g. It
// stops, and stays.
static void rolling_sphere_stops(void** state) {
  (void)state;
  World w = world_open(
      "bodies: {ball: {sphere: 0.1, mass: 2, at: [0, 0, 0.1], velocity: [1, 0, 0],\n"
      "  angular_velocity: [0, 10, 0], contact: m}}\n"
      "ground: {contact: [{plane: z, material: m}]}\n"
      "contact: {materials: {m: {friction: 0.5, rolling: 0.004}}}\n"
      "outputs: [{value: ball.x, name: x}, {value: ball.vx, name: v}, energy, work]\n",
      1e-3);
  const double a = 5.0 / 7 * 0.004 / 0.1 * G, stop = 1 / a;
  world_run(&w, 2);
  EXPECT_NEAR(w.value[1], 1 - 2 * a, 1e-3);
  EXPECT_NEAR(w.value[0], 2 - 2 * a, 2e-3);
  world_run(&w, stop - 2e-3);
  assert_true(w.value[1] > 1e-4);
  world_run(&w, stop + 2e-3);
  EXPECT_NEAR(w.value[1], 0, 1e-9);
  const double x = w.value[0];
  EXPECT_NEAR(x, 0.5 * stop, 1e-3 * x);
  world_run(&w, stop + 1);
  EXPECT_NEAR(w.value[0], x, 1e-9);
  world_close(&w);
}

// Spinning about the vertical: (2/5) m r^2 w' = -lever m g.
static void spinning_sphere_stops(void** state) {
  (void)state;
  World w = world_open(
      "bodies: {ball: {sphere: 0.1, mass: 2, at: [0, 0, 0.1], angular_velocity: [0, 0, 20],\n"
      "  contact: m}}\n"
      "ground: {contact: [{plane: z, material: m}]}\n"
      "contact: {materials: {m: {friction: 0.5, spinning: 0.001}}}\n"
      "outputs: [{value: ball.wz, name: w}, {value: ball.x, name: x}]\n",
      1e-3);
  const double a = 0.001 * G / (0.4 * 0.01), stop = 20 / a;
  world_run(&w, 0.5 * stop);
  EXPECT_NEAR(w.value[0], 20 - a * sar_time(w.d), 1e-6);
  world_run(&w, stop - 2e-3);
  assert_true(w.value[0] > 1e-3);
  world_run(&w, stop + 2e-3);
  EXPECT_NEAR(w.value[0], 0, 1e-9);
  EXPECT_NEAR(w.value[1], 0, 1e-9);
  world_close(&w);
}

// Without the lever it spins for ever: friction acts at a point.
static void point_contact_lets_spin(void** state) {
  (void)state;
  World w = world_open(
      "bodies: {ball: {sphere: 0.1, mass: 2, at: [0, 0, 0.1], angular_velocity: [0, 0, 20],\n"
      "  contact: true}}\n"
      "ground: {contact: [{plane: z}]}\n"
      "outputs: [{value: ball.wz, name: w}]\n",
      1e-3);
  world_run(&w, 2);
  EXPECT_NEAR(w.value[0], 20, 1e-9);
  world_close(&w);
}

// ---- springs ------------------------------------------------------------------------------------

static World spring_world(double stiffness, double damping, double height, double h) {
  char text[600];
  snprintf(text, sizeof text,
           "bodies: {ball: {sphere: 0.1, mass: 2, at: [0, 0, %.17g], contact: m}}\n"
           "ground: {contact: [{plane: z, material: m}]}\n"
           "contact: {materials: {m: {stiffness: %g, damping: %g, friction: 0}, }, pairs: "
           "[{materials: [m, m], stiffness: %g, damping: %g}]}\n"
           "outputs: [{value: ball.z - 0.1, name: z}, {value: ball.vz, name: v}, energy]\n",
           height + 0.1, stiffness, damping, stiffness, damping);
  return world_open(text, h);
}

// k = 2000 N/m carries 2 kg: it sinks by m g / k, and swings with sqrt(k / m) when it is let go
// where the spring is loose: z = -(m g / k) (1 - cos(w t)), touching all the time.
static void ball_swings_on_its_spring(void** state) {
  (void)state;
  const double k = 2000, depth = 2 * G / k, w = sqrt(k / 2);
  double worst[2] = {0};
  for (int i = 0; i < 2; i++) {
    World b = spring_world(k, 0, 0, 1e-3 / (1 << i));
    for (double t = 0; t < 5 * 6.2832 / w;) {
      t = world_step(&b);
      worst[i] = fmax(worst[i], fabs(b.value[0] + depth * (1 - cos(w * t))) / depth);
    }
    world_close(&b);
  }
  print_message("off by %.1e and %.1e of the depth\n", worst[0], worst[1]);
  EXPECT_AT_MOST(worst[0], 5e-3);  // five swings of 200 steps each
  EXPECT_AT_MOST(worst[1], 0.3 * worst[0]);
}

static void damped_ball_rests_at_its_depth(void** state) {
  (void)state;
  World b = spring_world(2000, 40, 0.02, 1e-3);
  world_run(&b, 3);
  EXPECT_NEAR(b.value[0], -2 * G / 2000, 1e-9);
  EXPECT_NEAR(b.value[1], 0, 1e-9);
  world_close(&b);
}

// h^2 k / m up to 5e4: stable, and it rests where it should.
static void stiff_springs_are_stable(void** state) {
  (void)state;
  static const double stiffness[] = {1e5, 1e7, 1e9};
  for (int i = 0; i < 3; i++) {
    World b = spring_world(stiffness[i], 0.1 * sqrt(stiffness[i] * 2), 0.05, 1e-2);
    const double start = 2 * G * 0.05;
    double most = 0;
    while (sar_time(b.d) < 4) {
      world_step(&b);
      most = fmax(most, b.value[0] * 2 * G + b.value[1] * b.value[1]);
    }
    EXPECT_AT_MOST(most, 1.1 * start);
    EXPECT_NEAR(b.value[0], -2 * G / stiffness[i], 1e-6 + 1e-6 * 2 * G / stiffness[i]);
    world_close(&b);
  }
}

// ---- thin and fast ------------------------------------------------------------------------------

// A marble hits a plate of 2 cm at 1 to 30 m/s: in a step of 10 ms it would be through, at whatever
// moment it arrives.
static void no_marble_passes_a_plate(void** state) {
  (void)state;
  for (double v = 1; v <= 30; v += 0.5) {
    char yaml[512];
    snprintf(yaml, sizeof yaml,
             "bodies: {marble: {sphere: 0.01, mass: 1, at: [0, 0, 0.5], velocity: [0, 0, %g],\n"
             "  contact: true}}\n"
             "ground: {contact: {box: [2, 2, 0.02], at: [0, 0, -0.01]}}\n"
             "outputs: [{value: marble.z, name: z}]\n",
             -v);
    World w = world_open(yaml, 1e-2);
    world_run(&w, 1);
    EXPECT_NEAR(w.value[0], 0.01, 1e-4);
    world_close(&w);
  }
}

// ---- on what is fixed ---------------------------------------------------------------------------

// A ball lies still on a body that is fixed to the ground, to what a motor holds, and to another
// free body; in tree and in absolute coordinates.
static void ball_rests_on_what_is_fixed(void** state) {
  (void)state;
  static const char* const HELD[] = {
      "  base: {box: [0.2, 0.2, 0.2], mass: 3, at: [0, 0, 0.1], contact: true}\n"
      "joints: {weld: {fixed: [ground, base]}}\n",
      "  hand: {box: [0.1, 0.1, 0.1], mass: 1, at: [0, 0, 0.1]}\n"
      "  pad: {box: [0.2, 0.2, 0.02], mass: 0.1, at: [0, 0, 0.19], contact: true}\n"
      "joints:\n"
      "  lift: {prismatic: [ground, hand], axis: z, motor: {position: 0, effort: 100}}\n"
      "  weld: {fixed: [hand, pad]}\n",
      "  foot: {box: [0.3, 0.3, 0.1], mass: 1, at: [0, 0, 0.05], contact: true}\n"
      "  head: {box: [0.2, 0.2, 0.1], mass: 1, at: [0, 0, 0.15], contact: true}\n"
      "joints: {weld: {fixed: [foot, head]}}\n"
      "ground: {contact: {plane: z}}\n",
  };
  for (size_t i = 0; i < sizeof HELD / sizeof *HELD; i++)
    for (int absolute = 0; absolute < 2; absolute++) {
      char yaml[1024];
      snprintf(yaml, sizeof yaml,
               "bodies:\n  ball: {sphere: 0.05, mass: 1, at: [0.06, 0, 0.25], contact: true}\n%s"
               "simulation: {formulation: impulse, step: 0.002}\n"
               "outputs: [{value: ball.z, name: z}]\n",
               HELD[i]);
      const SarLoadOptions o = {.coordinates = absolute ? "absolute" : "relative"};
      World w = world_of(model_text_with(yaml, &o), NULL);
      world_run(&w, 1);
      EXPECT_NEAR(w.value[0], 0.25, 1e-6);
      world_close(&w);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rolling_sphere_stops),
      cmocka_unit_test(spinning_sphere_stops),
      cmocka_unit_test(point_contact_lets_spin),
      cmocka_unit_test(ball_swings_on_its_spring),
      cmocka_unit_test(damped_ball_rests_at_its_depth),
      cmocka_unit_test(stiff_springs_are_stable),
      cmocka_unit_test(no_marble_passes_a_plate),
      cmocka_unit_test(ball_rests_on_what_is_fixed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
