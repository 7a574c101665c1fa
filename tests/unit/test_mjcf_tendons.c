// Tendons of MJCF: what they exert is F dL/dq, for lengths that are measured here from the places
// of their sites; limits, friction, what is not taken.
#include "support/test.h"
#include "support/mjcf.h"
#include "support/random.h"

#include "sarrus/sarrus.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// ---- random tendons --------------------------------------------------------------------------

enum { BODIES = 4, SITES = 3 * (BODIES + 1), MOST_PATH = 12, ROOM = 8000 };

// A chain of hinges and slides, and sites on all of its bodies and the ground.
typedef struct Scene {
  char text[ROOM];
  int n;
  double at[SITES][3];  // in the body: site i is on body i / 3 (0: ground)
  double reference[BODIES];
} Scene;

#define PUT(s, ...) ((s)->n += snprintf((s)->text + (s)->n, ROOM - (size_t)(s)->n, __VA_ARGS__))

static void put_sites(Scene* s, Rng* rng, int body) {
  for (int i = 3 * body; i < 3 * body + 3; i++) {
    for (int k = 0; k < 3; k++) s->at[i][k] = rng_uniform(rng, -0.5, 0.5);
    PUT(s, "<site name='s %d' pos='%.17g %.17g %.17g'/>", i, s->at[i][0], s->at[i][1], s->at[i][2]);
  }
}

static void put_bodies(Scene* s, Rng* rng) {
  s->n = 0;
  PUT(s, "<mujoco><compiler angle='radian'/><option gravity='0 0 0'/><worldbody>");
  put_sites(s, rng, 0);
  for (int b = 1; b <= BODIES; b++) {
    PUT(s, "<body name='b %d' pos='%g %g -1' euler='%g %g 0'>", b, rng_uniform(rng, -1, 1),
        rng_uniform(rng, -1, 1), rng_uniform(rng, -1, 1), rng_uniform(rng, -1, 1));
    s->reference[b - 1] = rng_uniform(rng, -0.3, 0.3);
    PUT(s, "<joint name='j %d' type='%s' axis='%g 0.3 1' ref='%.17g'/>", b,
        rng_int(rng, 3) ? "hinge" : "slide", rng_uniform(rng, -1, 1), s->reference[b - 1]);
    PUT(s, "<inertial pos='0.1 0 0.2' mass='1' diaginertia='0.1 0.2 0.25'/>");
    put_sites(s, rng, b);
  }
  for (int b = 0; b < BODIES; b++) PUT(s, "</body>");
  PUT(s, "</worldbody>");
}

// The tendon: a path of sites, with divisors; or coefficients of joints.
typedef struct Tendon {
  bool fixed;
  int site[MOST_PATH];  // -1: a pulley
  double divisor[MOST_PATH], coefficient[BODIES];
  int count;
  double stiffness, damping, low, high, gear;
} Tendon;

static Tendon put_tendon(Scene* s, Rng* rng) {
  Tendon t = {.fixed = rng_int(rng, 3) == 0,
              .stiffness = rng_uniform(rng, 1, 20),
              .damping = rng_int(rng, 2) ? rng_uniform(rng, 0, 3) : 0,
              .low = rng_uniform(rng, 0, 2),
              .gear = rng_int(rng, 2) ? rng_uniform(rng, -3, 3) : 0};
  t.high = rng_int(rng, 2) ? t.low : t.low + rng_uniform(rng, 0, 2);
  PUT(s, "<tendon><%s name='t' stiffness='%.17g' damping='%.17g' springlength='%.17g %.17g'>",
      t.fixed ? "fixed" : "spatial", t.stiffness, t.damping, t.low, t.high);
  for (int b = 0; b < BODIES && t.fixed; b++) {
    t.coefficient[b] = rng_uniform(rng, -2, 2);
    PUT(s, "<joint joint='j %d' coef='%.17g'/>", b + 1, t.coefficient[b]);
  }
  double divisor = 1;
  const int branches = 1 + rng_int(rng, 3);
  for (int k = 0; k < branches && !t.fixed; k++) {
    if (k > 0) {
      divisor = rng_uniform(rng, 0.5, 3);
      PUT(s, "<pulley divisor='%.17g'/>", divisor);
      t.site[t.count++] = -1;
    }
    for (int i = 0, sites = 2 + rng_int(rng, 2); i < sites; i++) {
      int site = rng_int(rng, SITES);
      while (t.count > 0 && site == t.site[t.count - 1]) site = rng_int(rng, SITES);
      t.divisor[t.count] = divisor;
      t.site[t.count++] = site;
      PUT(s, "<site site='s %d'/>", site);
    }
  }
  PUT(s, "</%s></tendon>", t.fixed ? "fixed" : "spatial");
  if (t.gear != 0)
    PUT(s, "<actuator><motor name='pull' tendon='t' gear='%.17g'/></actuator>", t.gear);
  PUT(s, "</mujoco>");
  return t;
}

static void place_of_site(const Scene* s, SarData* d, int site, double out[3]) {
  const double* p = s->at[site];
  double o[3] = {0}, R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  char name[16];
  snprintf(name, sizeof name, "b %d", site / 3);
  if (site >= 3)
    EXPECT_OK(sar_body_pose(d, sar_model_find(sar_data_model(d), SAR_ITEM_BODY, name), o, R));
  for (int k = 0; k < 3; k++)
    out[k] = o[k] + R[3 * k] * p[0] + R[3 * k + 1] * p[1] + R[3 * k + 2] * p[2];
}

static double length_of(const Scene* s, const Tendon* t, SarData* d) {
  double sum = 0, last[3] = {0};
  for (int b = 0; b < BODIES && t->fixed; b++) sum += t->coefficient[b] * sar_q(d)[b];
  for (int i = 0; i < t->count; i++) {
    double p[3];
    if (t->site[i] < 0) continue;
    place_of_site(s, d, t->site[i], p);
    if (i > 0 && t->site[i - 1] >= 0)
      sum += sqrt(pow(p[0] - last[0], 2) + pow(p[1] - last[1], 2) + pow(p[2] - last[2], 2)) /
             t->divisor[i];
    memcpy(last, p, sizeof last);
  }
  return sum;
}

// dL/dq by differences of fourth order
static void gradient(const Scene* s, const Tendon* t, SarData* d, double g[BODIES]) {
  static const double step[] = {-2, -1, 1, 2}, weight[] = {1, -8, 8, -1};
  const double h = 1e-3;
  for (int b = 0; b < BODIES; b++) {
    const double q = sar_q(d)[b];
    g[b] = 0;
    for (int k = 0; k < 4; k++) {
      sar_q(d)[b] = q + h * step[k];
      g[b] += weight[k] * length_of(s, t, d) / (12 * h);
    }
    sar_q(d)[b] = q;
  }
}

static void expect_pull(const Scene* s, const Tendon* t, SarData* d, SarData* bare, Rng* rng) {
  double g[BODIES], M[BODIES * BODIES], rate = 0;
  const double u = t->gear != 0 ? rng_uniform(rng, -2, 2) : 0;
  for (int b = 0; b < BODIES; b++) {
    sar_q(d)[b] = sar_q(bare)[b] = rng_uniform(rng, -1, 1);
    sar_v(d)[b] = sar_v(bare)[b] = rng_uniform(rng, -1, 1);
  }
  if (t->gear != 0) sar_inputs(d)[0] = u;
  gradient(s, t, d, g);
  for (int b = 0; b < BODIES; b++) rate += g[b] * sar_v(d)[b];
  const double L = length_of(s, t, d), rest = fmin(fmax(L, t->low), t->high);
  const double F = t->stiffness * (rest - L) - t->damping * rate + t->gear * u;
  EXPECT_OK(sar_forward_dynamics(d));
  EXPECT_OK(sar_forward_dynamics(bare));
  EXPECT_OK(sar_mass_matrix(d, M));
  for (int i = 0; i < BODIES; i++) {
    double tau = 0;
    for (int j = 0; j < BODIES; j++) tau += M[BODIES * i + j] * (sar_a(d)[j] - sar_a(bare)[j]);
    EXPECT_NEAR(tau, F * g[i], 1e-8 * (1 + fabs(F)));
  }
}

static void tendons_pull_along_their_length(void** state) {
  (void)state;
  Rng rng = rng_seed(test_seed(31));
  for (int trial = 0; trial < test_effort(100); trial++) {
    Scene s;
    put_bodies(&s, &rng);
    const int before = s.n;
    PUT(&s, "</mujoco>");
    SarModel* bare = good(s.text);
    s.n = before;
    const Tendon t = put_tendon(&s, &rng);
    SarModel* m = good(s.text);
    SarData *d, *b;
    EXPECT_OK(sar_data_new(m, &d, NULL));
    EXPECT_OK(sar_data_new(bare, &b, NULL));
    for (int k = 0; k < 5; k++) expect_pull(&s, &t, d, b, &rng);
    sar_data_free(d), sar_data_free(b);
    sar_model_free(m), sar_model_free(bare);
  }
}

// ---- rest lengths, limits, friction -----------------------------------------------------------

#define PENDULUM                                                                              \
  "<worldbody><site name='top' pos='0 0 1'/>"                                                 \
  "<body name='a'><joint name='j' axis='0 1 0' %s/>"                                          \
  "<inertial pos='1 0 0' mass='1' diaginertia='1 1 1'/><site name='end' pos='1 0 0'/></body>" \
  "</worldbody>"
#define HEAD "<mujoco><compiler angle='radian'/><option gravity='0 0 0'/>"

static SarModel* pendulum(const char* joint, const char* tendon) {
  char text[2000];
  int n = snprintf(text, sizeof text, HEAD);
  n += snprintf(text + n, sizeof text - (size_t)n, PENDULUM, joint);
  snprintf(text + n, sizeof text - (size_t)n, "<tendon>%s</tendon></mujoco>", tendon);
  return good(text);
}

// Without springlength the spring rests where all joints are at their springref.
static void springs_rest_at_springref(void** state) {
  (void)state;
  static const char* const tendons[] = {
      "<spatial stiffness='5'><site site='top'/><site site='end'/></spatial>",
      "<spatial stiffness='5'><site site='top'/><site site='end'/><site site='top'/></spatial>",
      "<fixed stiffness='5'><joint joint='j' coef='2'/></fixed>"};
  for (int i = 0; i < 3; i++) {
    SarModel* m = pendulum("ref='0.2' springref='0.5'", tendons[i]);
    SarData* d;
    EXPECT_OK(sar_data_new(m, &d, NULL));
    sar_q(d)[0] = 0.5;
    EXPECT_OK(sar_forward_dynamics(d));
    EXPECT_NEAR(sar_a(d)[0], 0, 1e-14);
    sar_q(d)[0] = 0.6;
    EXPECT_OK(sar_forward_dynamics(d));
    assert_true(sar_a(d)[0] < -1e-2);
    sar_data_free(d), sar_model_free(m);
  }
}

// A spring between two sites has a potential.
static void a_spring_between_sites_keeps_energy(void** state) {
  (void)state;
  SarModel* m =
      pendulum("", "<spatial stiffness='5'><site site='top'/><site site='end'/></spatial>");
  SarData* d;
  SarSim* s;
  EXPECT_OK(sar_data_new(m, &d, NULL));
  sar_q(d)[0] = 0.7;
  EXPECT_OK(sar_sim_new(m, d, NULL, &s, NULL));
  SarEnergy before, after;
  EXPECT_OK(sar_energy(d, &before));
  for (int i = 0; i < 200; i++) EXPECT_OK(sar_step(s));
  EXPECT_OK(sar_energy(d, &after));
  EXPECT_NEAR(after.kinetic + after.potential, before.kinetic + before.potential, 1e-8);
  assert_true(before.potential > 0.01 && after.kinetic > 0);
  sar_sim_free(s), sar_data_free(d), sar_model_free(m);
}

// Of a tendon of one joint they are the joint's: length = -2 q.
static void bounds_of_one_joint_are_its_own(void** state) {
  (void)state;
  SarModel* m =
      pendulum("range='-3 0.4'",
               "<fixed range='-1 2' frictionloss='3'><joint joint='j' coef='-2'/></fixed>");
  SarModel* same = pendulum("range='-1 0.4' frictionloss='6'", "");
  SarData *d, *e;
  assert_int_equal(heard.count, 0);
  EXPECT_OK(sar_data_new(m, &d, NULL));
  EXPECT_OK(sar_data_new(same, &e, NULL));
  sar_v(d)[0] = sar_v(e)[0] = -4;
  SarSim *s, *t;
  SarSimOptions o = sar_sim_options();
  o.formulation = "impulse";
  EXPECT_OK(sar_sim_new(m, d, &o, &s, NULL));
  EXPECT_OK(sar_sim_new(same, e, &o, &t, NULL));
  for (int i = 0; i < 600; i++) {
    EXPECT_OK(sar_step(s));
    EXPECT_OK(sar_step(t));
    EXPECT_NEAR(sar_q(d)[0], sar_q(e)[0], 1e-12);
    assert_true(sar_q(d)[0] > -1.001);
  }
  sar_sim_free(s), sar_sim_free(t), sar_data_free(d), sar_data_free(e);
  sar_model_free(m), sar_model_free(same);
}

static void what_is_not_taken_is_told(void** state) {
  (void)state;
  SarModel* m = good(
      HEAD
      "<worldbody><geom name='g' type='sphere' size='0.1'/><site name='w'/>"
      "<body name='a'><joint name='j'/><geom type='sphere' size='1'/><site name='s'/>"
      "<body name='b'><joint name='k'/><geom type='sphere' size='1'/></body></body></worldbody>"
      "<tendon>\n<spatial name='inside'><site site='w'/>\n<geom geom='g' sidesite='w'/><site "
      "site='s'/></spatial>"
      "\n<fixed name='two' range='-1 1' frictionloss='2' margin='0.1'><joint joint='j'/>"
      "<joint joint='k'/></fixed></tendon>"
      "<actuator>\n<motor tendon='inside'/>\n<motor name='u' site='s' refsite='w'/></actuator>"
      "</mujoco>");
  assert_true(said("model.xml:3:") && said("tendon 'inside' passes inside a geom"));
  assert_true(said("model.xml:4:") && said("the range of tendon 'two' is not taken"));
  assert_true(said("frictionloss of tendon 'two' is not taken"));
  assert_true(said("margin of <fixed> is not taken"));
  assert_true(said("model.xml:5:") && said("its tendon 'inside' is not taken"));
  assert_true(said("model.xml:6:") && said("between a site and a refsite"));
  assert_int_equal(sar_model_count(m, SAR_ITEM_INPUT), 0);
  sar_model_free(m);
  sar_error_init(&heard);
  static const char* const wrong[][2] = {
      {"<spatial><site site='x'/></spatial>", "there is no site 'x'"},
      {"<fixed><joint joint='x'/></fixed>", "there is no joint 'x'"},
      {"<spatial><pulley divisor='0'/></spatial>", "divisor must be greater than 0"}};
  for (int i = 0; i < 3; i++) {
    char text[1000];
    snprintf(text, sizeof text,
             HEAD
             "<worldbody><body><joint/><geom type='sphere' size='1'/></body></worldbody>"
             "<tendon>%s</tendon></mujoco>",
             wrong[i][0]);
    sar_error_init(&heard);
    m = NULL;
    assert_int_equal(sar_model_parse(text, strlen(text), "mjcf", "m.xml", NULL, &m, &heard),
                     SAR_BAD_MODEL);
    assert_true(said(wrong[i][1]));
  }
}

// ---- sites -----------------------------------------------------------------------------------

// A wrench in the axes of the site, and a law of its rate.
static void actuators_push_at_sites(void** state) {
  (void)state;
  SarModel* a = good(
      "<mujoco><compiler angle='radian'/><worldbody><body name='b'><freejoint/>"
      "<inertial pos='0.1 0 0' mass='2' diaginertia='1 2 2.5'/>"
      "<site name='s' pos='0.3 0.2 0.1' euler='0.4 0 0'/></body></worldbody><actuator>"
      "<motor name='u' site='s' gear='0 2 1 0.5 0 0'/>"
      "<damper name='w' site='s' kv='3' gear='0 0 1 0 0 0' ctrlrange='0 9'/></actuator></mujoco>");
  static const char yaml[] =
      "sarrus: 1\ninputs: {u: 0, w: 0}\n"
      "bodies:\n"
      "  b: {mass: 2, com: [0.1, 0, 0], inertia: [1, 2, 2.5],\n"
      "      points: {s: {at: [0.3, 0.2, 0.1], rpy: [0.4, 0, 0]}}}\n"
      "joints: {b_1: {free: [ground, b], at: [0, 0, 0], in: b}}\n"
      "variables:\n"
      "  ax: 2*(b.qx*b.qz + b.qw*b.qy)*cos(0.4) - 2*(b.qx*b.qy - b.qw*b.qz)*sin(0.4)\n"
      "  ay: 2*(b.qy*b.qz - b.qw*b.qx)*cos(0.4) - (1 - 2*(b.qx^2 + b.qz^2))*sin(0.4)\n"
      "  az: (1 - 2*(b.qx^2 + b.qy^2))*cos(0.4) - 2*(b.qy*b.qz + b.qw*b.qx)*sin(0.4)\n"
      "  drag: -3*w*(ax*b.s.vx + ay*b.s.vy + az*b.s.vz)\n"
      "forces:\n"
      "  f: {force: b.s, frame: body, value: [0, u*(2*cos(0.4) - sin(0.4)),"
      "      u*(2*sin(0.4) + cos(0.4))]}\n"
      "  t: {torque: b, frame: body, value: [0.5*u, 0, 0]}\n"
      "  d: {force: b.s, value: [drag*ax, drag*ay, drag*az]}\n";
  SarModel* b = NULL;
  EXPECT_OK(sar_model_parse(yaml, strlen(yaml), "yaml", "m.yaml", NULL, &b, &heard));
  SarData *da, *db;
  Rng rng = rng_seed(test_seed(4));
  EXPECT_OK(sar_data_new(a, &da, NULL));
  EXPECT_OK(sar_data_new(b, &db, NULL));
  for (int trial = 0; trial < 20; trial++) {
    for (int i = 0; i < 7; i++) sar_q(da)[i] = sar_q(db)[i] = rng_uniform(&rng, -1, 1);
    for (int i = 0; i < 6; i++) sar_v(da)[i] = sar_v(db)[i] = rng_uniform(&rng, -1, 1);
    for (int i = 0; i < 2; i++) sar_inputs(da)[i] = sar_inputs(db)[i] = rng_uniform(&rng, 0, 2);
    EXPECT_OK(sar_forward_dynamics(da));
    EXPECT_OK(sar_forward_dynamics(db));
    EXPECT_ARRAY_NEAR(sar_a(da), sar_a(db), 6, 1e-11);
  }
  sar_data_free(da), sar_data_free(db), sar_model_free(a), sar_model_free(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tendons_pull_along_their_length),
                                     cmocka_unit_test(springs_rest_at_springref),
                                     cmocka_unit_test(a_spring_between_sites_keeps_energy),
                                     cmocka_unit_test(bounds_of_one_joint_are_its_own),
                                     cmocka_unit_test(what_is_not_taken_is_told),
                                     cmocka_unit_test(actuators_push_at_sites)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
