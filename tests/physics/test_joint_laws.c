// Laws of joints by impulses against closed forms: stops, dry friction, motors that can lose,
// couplings; and the accounts of their work. Steps of 1 ms unless said otherwise.
#include "support/world.h"

static const double G = 9.81;

// 2 kg on a rail whose joint has the attributes given; columns: s.q, s.v, energy, work.
static World open_slider(const char* gravity, const char* axis, const char* attributes) {
  char text[400];
  snprintf(text, sizeof text,
           "gravity: %s\n"
           "bodies: {slider: {mass: 2, inertia: [1, 1, 1]}}\n"
           "joints: {s: {prismatic: [ground, slider], axis: %s, %s}}\n"
           "outputs: [{joint: s}, energy, work]\n",
           gravity, axis, attributes);
  return world_open(text, 1e-3);
}

// Upright, with its weight; and level, without.
static World open_lift(const char* attributes) {
  return open_slider("[0, 0, -9.81]", "z", attributes);
}
static World open_sled(const char* attributes) { return open_slider("[0, 0, 0]", "x", attributes); }

// ---- stops --------------------------------------------------------------------------------------

// A pendulum let go at 60 degrees hits a stop where it hangs and comes back to 1 - cos b = e^2 (1 -
// cos a).
static void pendulum_comes_back_from_its_stop(void** state) {
  (void)state;
  const double a = 3.14159265358979 / 3, e = 0.6;
  double worst[2];
  for (int i = 0; i < 2; i++) {
    World w = world_open(
        "bodies: {bob: {mass: 1, at: [0, 0, -1], inertia: [1e-9, 1e-9, 1e-9]}}\n"
        "joints: {hinge: {revolute: [ground, bob], at: [0, 0, 0], axis: y, position: 60 deg,\n"
        "  lower: 0, restitution: 0.6}}\n"
        "outputs: [{joint: hinge}, energy, work]\n",
        2e-3 / (1 << i));
    double most = 0;  // angle after the first impact
    bool hit = false;
    for (double before = 0; sar_time(w.d) < 1.6 && !(hit && before > 0 && w.value[1] < 0);) {
      before = w.value[1];
      world_step(&w);
      hit = hit || w.value[1] > 0;
      if (hit) most = fmax(most, w.value[0]);
      assert_true(w.value[0] > -1e-4);
    }
    worst[i] = fabs(most - acos(1 - e * e * (1 - cos(a))));
    // what the stop took: (1 - e^2) of the energy that came
    EXPECT_NEAR(world_value(&w, "work.limits"), -(1 - e * e) * G * (1 - cos(a)), 5e-3 * G);
    world_close(&w);
  }
  print_message("comes back to its angle within %.1e, %.1e rad\n", worst[0], worst[1]);
  EXPECT_AT_MOST(worst[1],
                 1e-5);  // steps jump where they hit: no more than the midpoint rule itself
}

// Without restitution it stays there, for good.
static void slider_rests_at_its_stop(void** state) {
  (void)state;
  World w = open_lift("lower: -0.5");
  world_run(&w, 1);
  const double rest = w.value[0];
  EXPECT_NEAR(rest, -0.5, 1e-5);
  world_run(&w, 10);
  EXPECT_NEAR(w.value[0], rest, 1e-9);
  EXPECT_NEAR(w.value[1], 0, 1e-12);
  world_close(&w);
}

// ---- dry friction -------------------------------------------------------------------------------

// 10 N of friction on 2 kg: 9 N do nothing at all, 16 N pull it with 3 m/s^2, nothing stops it with
// 5 m/s^2.
static void dry_friction_sticks_and_slides(void** state) {
  (void)state;
  World w = open_sled("friction: 10, force: \"t < 1 ? 9 : t < 2 ? 16 : 0\"");
  world_run(&w, 1);
  EXPECT_NEAR(w.value[0], 0, 0);
  world_run(&w, 2);
  EXPECT_NEAR(w.value[1], 3, 1e-9);
  EXPECT_NEAR(w.value[0], 1.5, 1e-9);
  world_run(&w, 2.6);  // it stops where a step ends
  EXPECT_NEAR(w.value[0], 1.5 + 0.9, 1e-6);
  EXPECT_NEAR(w.value[1], 0, 1e-9);
  EXPECT_NEAR(world_value(&w, "work.s.losses"), -10 * 2.4, 1e-6);
  const double x = w.value[0];
  world_run(&w, 30);
  EXPECT_NEAR(w.value[0], x, 0);
  world_close(&w);
}

// ---- motors -------------------------------------------------------------------------------------

// 4 N on 2 kg: 2 m/s^2 until 1 m/s, then exactly that.
static void motor_gets_to_its_speed(void** state) {
  (void)state;
  World w = open_sled("motor: {speed: 1, effort: 4}");
  world_run(&w, 0.4);
  EXPECT_NEAR(w.value[1], 0.8, 1e-12);
  EXPECT_NEAR(w.value[0], 0.16, 1e-12);
  world_run(&w, 2);
  EXPECT_NEAR(w.value[1], 1, 1e-12);
  EXPECT_NEAR(w.value[0], 0.25 + 1.5, 1e-6);
  EXPECT_NEAR(world_value(&w, "work.s.drive"), 1, 1e-9);  // m v^2 / 2
  world_close(&w);
}

// 2 kg hang on it: 15 N cannot hold them, and they come down with g - 15/2.
static void motor_stalls(void** state) {
  (void)state;
  World w = open_lift("motor: {speed: 0.5, effort: 15}");
  world_run(&w, 1);
  EXPECT_NEAR(w.value[1], -(G - 7.5), 1e-9);
  world_close(&w);
}

// To a position: at most 0.5 m/s on the way, then there and at rest, load or not.
static void motor_gets_to_its_position(void** state) {
  (void)state;
  World w = open_lift("motor: {position: 0.3, effort: 60, speed_limit: 0.5}");
  double fastest = 0;
  while (sar_time(w.d) < 2) world_step(&w), fastest = fmax(fastest, fabs(w.value[1]));
  EXPECT_NEAR(fastest, 0.5, 1e-9);
  EXPECT_NEAR(w.value[0], 0.3, 1e-9);
  EXPECT_NEAR(w.value[1], 0, 1e-9);
  world_close(&w);
}

// ---- couplings ----------------------------------------------------------------------------------

// One motor moves two joints, the second twice as far: it sees m1 + 4 m2 = 6 kg.
static void repeater_moves_two_joints(void** state) {
  (void)state;
  World w = world_open(
      "gravity: [0, 0, 0]\n"
      "bodies: {a: {mass: 2, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}\n"
      "joints:\n"
      "  s: {prismatic: [ground, a], axis: x, motor: {speed: 1, effort: 3}}\n"
      "  r: {prismatic: [ground, b], axis: y, mimic: {joint: s, multiplier: 2}}\n"
      "outputs: [{joint: s}, {joint: r}]\n",
      1e-3);
  world_run(&w, 1);
  EXPECT_NEAR(w.value[1], 0.5, 1e-9);
  EXPECT_NEAR(w.value[3], 1, 1e-9);
  EXPECT_NEAR(w.value[2], 2 * w.value[0], 1e-9);
  world_run(&w, 4);
  EXPECT_NEAR(w.value[1], 1, 1e-9);
  EXPECT_NEAR(w.value[2], 2 * w.value[0], 1e-9);
  world_close(&w);
}

// A belt over two pulleys, 3 : 1 (crossed: the other way round): I1 + I2 / 9, driven until it slips
// off its motor.
static void belt_turns_two_pulleys(void** state) {
  (void)state;
  for (int crossed = 0; crossed < 2; crossed++) {
    char text[700];
    snprintf(text, sizeof text,
             "bodies: {a: {mass: 1, inertia: [1, 1, 0.2]}, b: {mass: 1, at: [1, 0, 0], inertia: "
             "[1, 1, 1.8]}}\n"
             "joints:\n"
             "  p: {revolute: [ground, a], at: [0, 0, 0], motor: {speed: 6, effort: 0.8}}\n"
             "  q: {revolute: [ground, b], at: [1, 0, 0]}\n"
             "constraints: {belt: {gear: [p, q], ratio: %s}}\n"
             "outputs: [{joint: p}, {joint: q}]\n",
             crossed ? "-1/3" : "1/3");
    World w = world_open(text, 1e-3);
    const double ratio = crossed ? -1.0 / 3 : 1.0 / 3;
    world_run(&w, 2);
    EXPECT_NEAR(w.value[1], 2 * 0.8 / 0.4, 1e-9);
    EXPECT_NEAR(w.value[2], ratio * w.value[0], 1e-9);
    world_run(&w, 5);
    EXPECT_NEAR(w.value[1], 6, 1e-9);
    EXPECT_NEAR(w.value[3], 6 * ratio, 1e-9);
    world_close(&w);
  }
}

// ---- audit --------------------------------------------------------------------------------------

// Everything at once: a cart with a motor and a stop, dry friction, a pendulum on it, balls that
// bounce and roll, a block that slides. What all accounts leave of the balance is the error of the
// steps.
static double imbalance(double h, double* moved) {
  World w = world_open(
      "bodies:\n"
      "  cart: {box: [0.4, 0.2, 0.1], mass: 3, at: [0, 0, 1]}\n"
      "  bob: {mass: 1, inertia: [0.01, 0.01, 0.01], at: [0, 0, 0.5]}\n"
      "  ball: {sphere: 0.1, mass: 1, at: [0, 2, 0.6], velocity: [1, 0, 0], contact: m}\n"
      "  block: {box: [0.3, 0.3, 0.2], mass: 2, at: [0, 4, 0.1], velocity: [2, 0, 0], contact: m}\n"
      "joints:\n"
      "  slide: {prismatic: [ground, cart], axis: x, upper: 0.3, restitution: 0.4, friction: 2,\n"
      "    motor: {speed: 1, effort: 20}}\n"
      "  hinge: {revolute: [cart, bob], at: [0, 0, 1], axis: y, position: 70 deg, lower: -0.5,\n"
      "    restitution: 0.5, damping: 0.05}\n"
      "ground: {contact: [{plane: z, material: m}]}\n"
      "contact: {materials: {m: {friction: 0.3, restitution: 0.6}}}\n"
      "outputs: [energy, work]\n",
      h);
  double worst = 0;
  for (*moved = 0; sar_time(w.d) < 2 - 1e-9;) {
    world_step(&w);
    worst = fmax(worst, fabs(w.value[4]));  // energy.error
    *moved = fmax(*moved, fabs(w.value[3]));
  }
  static const char* const accounts[] = {"work.contact.impact", "work.contact.friction",
                                         "work.limits", "work.slide.losses", "work.slide.drive"};
  for (int i = 0; i < 5; i++) {
    const double work = world_value(&w, accounts[i]);
    if (i < 4) assert_true(work < -0.1);  // each of them took part, and took energy
  }
  world_close(&w);
  return worst;
}

static void accounts_close_the_balance(void** state) {
  (void)state;
  double moved;
  const double a = imbalance(2e-3, &moved), b = imbalance(0.5e-3, &moved);
  print_message("balance off by %.1e, %.1e J of %.1f J\n", a, b, moved);
  EXPECT_AT_MOST(b, 1e-3 * moved);
  EXPECT_AT_MOST(b, 0.5 * a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pendulum_comes_back_from_its_stop),
      cmocka_unit_test(slider_rests_at_its_stop),
      cmocka_unit_test(dry_friction_sticks_and_slides),
      cmocka_unit_test(motor_gets_to_its_speed),
      cmocka_unit_test(motor_stalls),
      cmocka_unit_test(motor_gets_to_its_position),
      cmocka_unit_test(repeater_moves_two_joints),
      cmocka_unit_test(belt_turns_two_pulleys),
      cmocka_unit_test(accounts_close_the_balance),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
