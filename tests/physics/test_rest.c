// At rest on contacts: random boxes and balls on planes and on one another, carts on their wheels.
// The forces of the contacts balance weight and moments of every body, press, and stay within the
// cone of friction.
#include "support/run.h"

#include "support/random.h"

#include <math.h>

enum { BODIES = 5 };
static const double G = 9.81, MU = 0.7;

typedef struct Balance {
  V3 f[BODIES],
      n[BODIES];  // forces on the bodies of the file and their moments about the mass centres
  double loads[BODIES];  // normal forces of each
  double worst;          // of the friction, over what friction can bear
} Balance;

static V3 centre_of(SarData* d, int body) {
  double p[3], R[9];
  EXPECT_OK(sar_body_pose(d, body, p, R));
  return v3_load(p);
}

static Balance balance_of(SarData* d, int bodies, double mu) {
  Balance b = {0};
  SarContactPoint c;
  for (int i = 0; sar_contact(d, i, &c) == SAR_OK; i++) {
    const V3 f = v3_load(c.force), n = v3_load(c.normal);
    const double normal = v3_dot(f, n);
    const V3 friction = v3_axpy(-normal, n, f);
    assert_true(normal >= 0);
    b.worst = fmax(b.worst, v3_norm(friction) - mu * normal);
    for (int s = 0; s < 2; s++) {
      if (c.body[s] < 0 || c.body[s] >= bodies) continue;
      const V3 F = v3_scale(s ? 1 : -1, f);
      const V3 arm = v3_sub(v3_load(c.point), centre_of(d, c.body[s]));
      b.f[c.body[s]] = v3_add(b.f[c.body[s]], F);
      b.n[c.body[s]] = v3_add(b.n[c.body[s]], v3_cross(arm, F));
      b.loads[c.body[s]] += normal;
    }
  }
  return b;
}

typedef struct Rest {
  SarModel* m;
  SarData* d;
  SarStatics* s;
} Rest;

static Rest rest_of(SarModel* m) {
  Rest r = {.m = m};
  SarError err;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_data_new(m, &r.d, &err), &err);
  EXPECT_OK_OR(sar_statics(r.d, NULL, &r.s, &err), &err);
  return r;
}

static void rest_end(Rest* r) {
  sar_statics_free(r->s);
  sar_data_free(r->d);
  sar_model_free(r->m);
}

// Weight, and what the contacts add to it, of a body that nothing else holds.
static void expect_balance(const Rest* r, const Balance* b, int body, V3 gravity, double* worst) {
  const double m = sar_body_mass(r->m, body), size = m * v3_norm(gravity);
  const V3 left = v3_add(b->f[body], v3_scale(m, gravity));
  *worst = fmax(*worst, fmax(v3_norm(left), v3_norm(b->n[body])) / size);
}

// One body on a plane that leans less than friction holds: gravity leans instead.
static void bodies_rest_on_planes(void** state) {
  (void)state;
  Rng rng = rng_seed(test_seed(41));
  double worst = 0, cone = 0;
  for (int trial = 0; trial < test_effort(20); trial++) {
    char text[1024], shape[128];
    const double size = rng_uniform(&rng, 0.05, 0.5), mass = rng_uniform(&rng, 0.1, 20);
    const bool ball = trial % 4 == 0;
    const double lean = ball ? 0 : rng_uniform(&rng, 0, 0.3), way = rng_uniform(&rng, 0, 6.28);
    const V3 g = v3(G * sin(lean) * cos(way), G * sin(lean) * sin(way), -G * cos(lean));
    if (ball)
      snprintf(shape, sizeof shape, "sphere: %.17g", size);
    else
      snprintf(shape, sizeof shape, "box: [%.17g, %.17g, %.17g]", rng_uniform(&rng, 1, 3) * size,
               rng_uniform(&rng, 1, 3) * size, size);
    snprintf(
        text, sizeof text,
        "gravity: [%.17g, %.17g, %.17g]\nbodies: {b: {%s, mass: %.17g, at: [0.3, -0.2, %.17g], "
        "rpy: [0, 0, %.17g], contact: true}}\nground: {contact: {plane: z}}\n"
        "contact: {materials: {default: {friction: %g}}}\n",
        g.x, g.y, g.z, shape, mass, (ball ? 1 : 0.5) * size * rng_uniform(&rng, 1, 1.02),
        rng_uniform(&rng, -3, 3), MU);
    Rest r = rest_of(model_text(text));
    const Balance b = balance_of(r.d, 1, MU);
    expect_balance(&r, &b, 0, g, &worst);
    cone = fmax(cone, b.worst / (mass * G));
    rest_end(&r);
  }
  print_message("bodies on planes: %.1e of the weight out of balance, %.1e beyond the cone\n",
                worst, cone);
  EXPECT_AT_MOST(worst, 1e-5);
  EXPECT_AT_MOST(cone, 1e-6);
}

// Boxes on one another, each over the middle of the one below: every one bears what stands on it.
static void stacks_bear_their_weight(void** state) {
  (void)state;
  Rng rng = rng_seed(test_seed(42));
  double worst = 0;
  for (int trial = 0; trial < test_effort(8); trial++) {
    char text[2048];
    const int n = 2 + rng_int(&rng, BODIES - 1);
    double z = 0, x = 0, side = 0.6, above[BODIES] = {0}, mass[BODIES];
    int at = snprintf(text, sizeof text, "gravity: [0, 0, -9.81]\nbodies:\n");
    for (int i = 0; i < n; i++) {
      const double height = rng_uniform(&rng, 0.1, 0.3);
      mass[i] = rng_uniform(&rng, 1, 4);
      at += snprintf(
          text + at, sizeof text - (size_t)at,
          "  b%d: {box: [%.17g, %.17g, %.17g], mass: %.17g, at: [%.17g, 0, %.17g], contact: "
          "true}\n",
          i, side, side, height, mass[i], x, z + height / 2);
      z += height, side *= rng_uniform(&rng, 0.7, 1);
      x += rng_uniform(&rng, -0.05, 0.05) * side;
    }
    snprintf(text + at, sizeof text - (size_t)at,
             "ground: {contact: {plane: z}}\ncontact: {materials: {default: {friction: %g}}}\n",
             MU);
    for (int i = n - 2; i >= 0; i--) above[i] = above[i + 1] + mass[i + 1];
    Rest r = rest_of(model_text(text));
    const Balance b = balance_of(r.d, n, MU);
    for (int i = 0; i < n; i++) {
      const int body = sar_model_find(r.m, SAR_ITEM_BODY, (char[]){'b', (char)('0' + i), 0});
      expect_balance(&r, &b, body, v3(0, 0, -G), &worst);
      // what stands on it, and what that and it stand on
      EXPECT_NEAR(b.loads[body], (2 * above[i] + mass[i]) * G, 1e-4 * (2 * above[i] + mass[i]) * G);
    }
    rest_end(&r);
  }
  print_message("stacks: %.1e of the weight out of balance\n", worst);
  EXPECT_AT_MOST(worst, 1e-4);
}

// Weight and its moments about the origin of all that stands there, and of what it stands on.
static void sum_up(SarData* d, const SarModel* m, V3 com, V3* force, V3* moment) {
  SarContactPoint c;
  *force = *moment = v3_zero();
  for (int i = 0; i < sar_model_count(m, SAR_ITEM_BODY); i++) {
    double p[3], R[9];
    EXPECT_OK(sar_body_pose(d, i, p, R));
    V3 at = v3_load(p);
    if (i == sar_model_find(m, SAR_ITEM_BODY, "chassis"))
      at = v3_add(at, v3(R[0] * com.x + R[1] * com.y, R[3] * com.x + R[4] * com.y,
                         R[6] * com.x + R[7] * com.y));
    const V3 weight = v3(0, 0, -G * sar_body_mass(m, i));
    *force = v3_add(*force, weight);
    *moment = v3_add(*moment, v3_cross(at, weight));
  }
  for (int i = 0; sar_contact(d, i, &c) == SAR_OK; i++) {
    const V3 f = v3_scale(c.body[1] < 0 ? -1 : 1, v3_load(c.force));
    *force = v3_add(*force, f);
    *moment = v3_add(*moment, v3_cross(v3_load(c.point), f));
  }
}

static double wheel_load(SarData* d, int wheel) {
  double sum = 0;
  SarContactPoint c;
  for (int i = 0; sar_contact(d, i, &c) == SAR_OK; i++)
    if (c.body[0] == wheel || c.body[1] == wheel) sum += fabs(c.force[2]);
  return sum;
}

static int cart_text(char* text, size_t size, double mass, V3 com, double base, double track) {
  static const char* const CORNER[] = {"fl", "fr", "rl", "rr"};
  int at = snprintf(
      text, size,
      "gravity: [0, 0, -9.81]\nbodies:\n  chassis: {mass: %.17g, inertia: [100, 200, 200], "
      "com: [%.17g, %.17g, 0], at: [0, 0, 0.5]}\n",
      mass, com.x, com.y);
  for (int k = 0; k < 4; k++)
    at += snprintf(text + at, size - (size_t)at,
                   "  %s: {at: [%.17g, %.17g, 0.3], sphere: 0.3, mass: 15, contact: true}\n",
                   CORNER[k], (k < 2 ? 0.5 : -0.5) * base, (k % 2 ? -0.5 : 0.5) * track);
  at += snprintf(text + at, size - (size_t)at, "joints:\n");
  for (int k = 0; k < 4; k++)
    at += snprintf(
        text + at, size - (size_t)at,
        "  %s_strut: {prismatic: [chassis, %s], axis: z, stiffness: 30000, damping: 2500}\n",
        CORNER[k], CORNER[k]);
  return at +
         snprintf(
             text + at, size - (size_t)at,
             "ground: {contact: {plane: z}}\ncontact: {materials: {default: {friction: 0.9}}}\n");
}

// A cart on four struts with its mass centre anywhere between the wheels: they bear by lever arms.
static void carts_bear_by_lever_arms(void** state) {
  (void)state;
  Rng rng = rng_seed(test_seed(43));
  double worst = 0;
  for (int trial = 0; trial < test_effort(4); trial++) {
    char text[4096];
    const double base = rng_uniform(&rng, 1.5, 3), track = rng_uniform(&rng, 1, 2);
    const double mass = rng_uniform(&rng, 200, 900), weight = (mass + 60) * G;
    const V3 com = v3(rng_uniform(&rng, -0.3, 0.3) * base, rng_uniform(&rng, -0.3, 0.3) * track, 0);
    cart_text(text, sizeof text, mass, com, base, track);
    Rest r = rest_of(model_text(text));
    V3 force, moment;
    sum_up(r.d, r.m, com, &force, &moment);
    worst = fmax(worst, fmax(v3_norm(force), v3_norm(moment) / base) / weight);
    // it leans by a few degrees: levers of the drawing to that
    const int fl = sar_model_find(r.m, SAR_ITEM_BODY, "fl"),
              fr = sar_model_find(r.m, SAR_ITEM_BODY, "fr");
    const double front = wheel_load(r.d, fl) + wheel_load(r.d, fr);
    EXPECT_NEAR(front, (mass * (0.5 + com.x / base) + 30) * G, 0.05 * weight);
    rest_end(&r);
  }
  print_message("carts: %.1e of the weight out of balance\n", worst);
  EXPECT_AT_MOST(worst, 1e-5);
}

// The example at rest: its motors want a speed that rises from 0 at t = 0, where time stands still.
static void the_car_rests(void** state) {
  (void)state;
  static const char* const WHEEL[] = {"fl_wheel", "fr_wheel", "rl_wheel", "rr_wheel"};
  Rest r = rest_of(model_file("car.yaml", NULL));
  const double quarter = (600 + 4 * 23) * G / 4;
  for (int k = 0; k < 4; k++) {
    const double load = wheel_load(r.d, sar_model_find(r.m, SAR_ITEM_BODY, WHEEL[k]));
    EXPECT_NEAR(load, quarter, 1e-5 * quarter);
  }
  print_message("car at rest in %d steps\n", sar_statics_report(r.s)->iterations);
  rest_end(&r);
}

// A hand on an arm that only its motors hold. One motor of a largest torque closes both fingers, by
// a gear: they press a box on the floor, or one in the air, which they touch from the start or it
// would fall first.
static SarModel* hand(Rng* r, double* mass, double* press) {
  char text[2400];
  const double L = rng_uniform(r, 0.2, 0.8), wide = rng_uniform(r, 0.03, 0.08);
  const double finger = wide * rng_uniform(r, 1.4, 2), high = rng_uniform(r, 0.2, 0.5);
  const double lifted = rng_int(r, 2) ? 0 : rng_uniform(r, 0.01, 0.1);
  const double open = lifted > 0 ? 0 : rng_uniform(r, 0.02, 0.2);
  *mass = rng_uniform(r, 0.05, 1);
  *press = *mass * G * rng_uniform(r, 1.2, 5);
  snprintf(text, sizeof text,
           "parameters: {L: %.9g, w: %.9g, l: %.9g, H: %.9g, z: %.9g, open: %.9g}\n"
           "bodies:\n"
           "  arm: {cylinder: {radius: 0.02, from: [0, 0, H], to: [L, 0, H]}, mass: %.9g}\n"
           "  palm: {at: [L, 0, H], box: [0.1, 0.04, 0.04], mass: %.9g}\n"
           "  left: {at: [L - w/2 - 0.005, 0, z + 0.2*w + l/2], box: [0.01, 0.03, l], mass: 0.1, "
           "contact: true}\n"
           "  right: {at: [L + w/2 + 0.005, 0, z + 0.2*w + l/2], box: [0.01, 0.03, l], mass: 0.1, "
           "contact: true}\n"
           "  cube: {at: [L, 0, z + w/2], box: [w, w, w], mass: %.9g, contact: true}\n"
           "joints:\n"
           "  shoulder: {revolute: [ground, arm], at: [0, 0, H], axis: -y, motor: {position: 0, "
           "effort: 1000}}\n"
           "  wrist: {revolute: [arm, palm], at: [L, 0, H], axis: -y, motor: {position: 0, effort: "
           "1000}}\n"
           "  finger: {revolute: [palm, left], at: [L - w/2 - 0.005, 0, z + 0.2*w + l], axis: -y, "
           "position: -open, motor: {speed: %.9g, effort: %.9g}}\n"
           "  other: {revolute: [palm, right], at: [L + w/2 + 0.005, 0, z + 0.2*w + l], axis: y, "
           "position: -open}\n"
           "constraints: {repeater: {gear: [finger, other], ratio: 1}}\n"
           "%scontact: {materials: {default: {friction: %g}}}\n"
           "simulation: {step: %.9g}\n",
           L, wide, finger, high, lifted, open, rng_uniform(r, 0.2, 3), rng_uniform(r, 0.1, 1),
           *mass, rng_uniform(r, 0.2, 2), 2 * *press * finger,
           lifted > 0 ? "" : "ground: {contact: {plane: z}}\n", MU, rng_uniform(r, 0.002, 0.01));
  return model_text(text);
}

static void hands_hold_what_they_grip(void** state) {
  (void)state;
  double worst = 0;
  for (int k = 0; k < test_effort(20); k++) {
    Rng r = rng_seed(test_seed(70) + (uint64_t)k);
    double mass, press;
    Rest rest = rest_of(hand(&r, &mass, &press));
    const int cube = sar_model_find(rest.m, SAR_ITEM_BODY, "cube");
    const Balance b = balance_of(rest.d, BODIES, MU);
    expect_balance(&rest, &b, cube, v3(0, 0, -G), &worst);
    EXPECT_AT_MOST(b.worst, 1e-6 * mass * G);
    assert_true(b.loads[cube] > 2 * press);  // by both fingers
    assert_int_equal(sar_statics_report(rest.s)->unstable, 0);
    assert_int_equal(sar_statics_report(rest.s)->freedoms, 0);
    rest_end(&rest);
  }
  print_message("hands: %.1e of the weight out of balance\n", worst);
  EXPECT_AT_MOST(worst, 1e-5);
}

// A mast that leans against its limit beside a box, and carries a boom on a motor: both would fall,
// and neither can. A spring on a second boom leaves it one motion, whose frequency is known.
static void limits_and_motors_hold(void** state) {
  (void)state;
  for (int k = 0; k < test_effort(10); k++) {
    Rng r = rng_seed(test_seed(80) + (uint64_t)k);
    char text[1500];
    const double lean = rng_uniform(&r, 0.05, 0.5), L = rng_uniform(&r, 0.5, 2);
    const double I = rng_uniform(&r, 0.1, 2), c = rng_uniform(&r, 10, 500);
    const bool turned = rng_int(&r, 2);
    snprintf(text, sizeof text,
             "parameters: {L: %.9g}\n"
             "bodies:\n"
             "  mast: {at: [0, 0, L/2], mass: 3, inertia: [0.1, 0.1, 0.1]}\n"
             "  boom: {at: [0.3, 0, L], mass: 2, inertia: [0.1, 0.1, 0.1]}\n"
             "  fly: {at: [0, 0, L], mass: 1, inertia: [%.9g, %.9g, %.9g]}\n"
             "  box: {at: [3, 0, 0.1], box: [0.2, 0.2, 0.2], mass: 1, contact: true}\n"
             "joints:\n"
             "  foot: {revolute: [%s], axis: y, position: %.9g, lower: %.9g, upper: %.9g}\n"
             "  arm: {revolute: [mast, boom], at: [0, 0, L], axis: y, motor: {position: 0, effort: "
             "1000}}\n"
             "  spin: {revolute: [mast, fly], at: [0, 0, L], axis: y, stiffness: %.9g}\n"
             "ground: {contact: {plane: z}}\n"
             "simulation: {step: 0.005}\n",
             L, I, I, I, turned ? "mast, ground" : "ground, mast", (turned ? -0.5 : 0.5) * lean,
             -lean, lean, c);
    Rest rest = rest_of(model_text(text));
    const SarStaticsReport* report = sar_statics_report(rest.s);
    assert_int_equal(report->unstable, 0);
    assert_int_equal(report->freedoms, 1);
    EXPECT_NEAR(report->omega2[0], c / I, 1e-4 * c / I);
    rest_end(&rest);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bodies_rest_on_planes),     cmocka_unit_test(stacks_bear_their_weight),
      cmocka_unit_test(carts_bear_by_lever_arms),  cmocka_unit_test(the_car_rests),
      cmocka_unit_test(hands_hold_what_they_grip), cmocka_unit_test(limits_and_motors_hold),
  };
  return cmocka_run_group_tests_name("rest", tests, NULL, NULL);
}
