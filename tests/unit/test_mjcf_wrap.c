// Tendons of MJCF that wrap around spheres and cylinders: their lengths beside tangents that are
// drawn here, what they exert is F dL/dq of these lengths, and runs with them keep account of their
// energy.
#include "support/test.h"
#include "support/alloc_count.h"
#include "support/mjcf.h"
#include "support/random.h"
#include "support/run.h"

#include "math/spatial.h"
#include "sarrus/sarrus.h"

#include <math.h>
#include <stdio.h>

#define PI 3.14159265358979323846

// ---- random scenes ---------------------------------------------------------------------------

enum { BODIES = 3, SITES = 3 * (BODIES + 1), GEOMS = 2 * (BODIES + 1), MOST_PIECES = 4 };
enum { ROOM = 12000 };

typedef struct Geom {
  bool cylinder;
  double radius;
  Xform X;  // in its body
  V3 side;  // of its side site, in its body
} Geom;

typedef struct Piece {
  int a, b, geom;
  bool sided;
  double divisor;
} Piece;

// A chain of hinges and slides on the ground, body 0, with sites and geoms; one tendon.
typedef struct Scene {
  char text[ROOM];
  int n;
  V3 site[SITES];    // site i is on body i / 3
  Geom geom[GEOMS];  // geom i on body i / 2
  Piece piece[MOST_PIECES];
  int pieces;
  double stiffness, damping, rest;
} Scene;

#define PUT(s, ...) ((s)->n += snprintf((s)->text + (s)->n, ROOM - (size_t)(s)->n, __VA_ARGS__))

static V3 random_vector(Rng* rng, double size) {
  const double x = rng_uniform(rng, -size, size), y = rng_uniform(rng, -size, size);
  return v3(x, y, rng_uniform(rng, -size, size));
}

static Quat random_quat(Rng* rng) {
  const V3 v = random_vector(rng, 1);
  return quat_unit((Quat){rng_uniform(rng, 0.1, 1), v.x, v.y, v.z});
}

static void put_geom(Scene* s, Rng* rng, int i) {
  const Quat q = random_quat(rng);
  Geom* g = &s->geom[i];
  *g = (Geom){.cylinder = rng_int(rng, 2) == 0, .radius = rng_uniform(rng, 0.1, 0.5)};
  g->X = (Xform){quat_to_m3(q), random_vector(rng, 0.5)};
  V3 way = random_vector(rng, 1);
  if (g->cylinder && hypot(way.x, way.y) < 0.3) way.x = 0.5;  // not along its axis
  const double across = g->cylinder ? hypot(way.x, way.y) : v3_norm(way);
  g->side = x_point(g->X, v3_scale(g->radius * rng_uniform(rng, 1.1, 3) / across, way));
  PUT(s,
      "<geom name='g%d' type='%s' size='%.17g 0.4' pos='%.17g %.17g %.17g' quat='%.17g %.17g "
      "%.17g %.17g' mass='0'/><site name='side%d' pos='%.17g %.17g %.17g'/>",
      i, g->cylinder ? "cylinder" : "sphere", g->radius, g->X.p.x, g->X.p.y, g->X.p.z, q.w, q.x,
      q.y, q.z, i, g->side.x, g->side.y, g->side.z);
}

static void put_what_is_on(Scene* s, Rng* rng, int body) {
  for (int i = 3 * body; i < 3 * body + 3; i++) {
    s->site[i] = random_vector(rng, 1);
    PUT(s, "<site name='s %d' pos='%.17g %.17g %.17g'/>", i, s->site[i].x, s->site[i].y,
        s->site[i].z);
  }
  for (int i = 2 * body; i < 2 * body + 2; i++) put_geom(s, rng, i);
}

static void put_bodies(Scene* s, Rng* rng) {
  s->n = 0;
  PUT(s,
      "<mujoco><compiler angle='radian'/><option gravity='0 0 0'>"
      "<flag contact='disable'/></option><worldbody>");
  put_what_is_on(s, rng, 0);
  for (int b = 1; b <= BODIES; b++) {
    const V3 p = random_vector(rng, 0.7), axis = random_vector(rng, 1);
    PUT(s, "<body name='b %d' pos='%g %g %g' euler='%g 0.3 0'>", b, p.x, p.y, p.z,
        rng_uniform(rng, -1, 1));
    PUT(s, "<joint name='j %d' type='%s' axis='%g %g 1'/>", b, rng_int(rng, 3) ? "hinge" : "slide",
        axis.x, axis.y);
    PUT(s, "<inertial pos='0.1 0 0.2' mass='1' diaginertia='0.1 0.2 0.25'/>");
    put_what_is_on(s, rng, b);
  }
  for (int b = 0; b < BODIES; b++) PUT(s, "</body>");
  PUT(s, "</worldbody>");
}

static void put_tendon(Scene* s, Rng* rng, int pieces) {
  double divisor = 1;
  s->pieces = pieces;
  s->stiffness = rng_uniform(rng, 1, 20), s->damping = rng_uniform(rng, 0, 2);
  s->rest = rng_uniform(rng, 0, 2);
  PUT(s, "<tendon><spatial name='a rope' stiffness='%.17g' damping='%.17g' springlength='%.17g'>",
      s->stiffness, s->damping, s->rest);
  for (int i = 0; i < pieces; i++) {
    Piece* p = &s->piece[i];
    const bool branch = i > 0 && rng_int(rng, 3) == 0;
    if (branch) PUT(s, "<pulley divisor='%.17g'/>", divisor = rng_uniform(rng, 0.5, 3));
    p->a = i > 0 && !branch ? s->piece[i - 1].b : rng_int(rng, SITES);
    do p->b = rng_int(rng, SITES);
    while (p->b == p->a);
    p->geom = rng_int(rng, GEOMS), p->sided = rng_int(rng, 2), p->divisor = divisor;
    if (i == 0 || branch) PUT(s, "<site site='s %d'/>", p->a);
    PUT(s, "<geom geom='g%d'", p->geom);
    if (p->sided) PUT(s, " sidesite='side%d'", p->geom);
    PUT(s, "/><site site='s %d'/>", p->b);
  }
  PUT(s,
      "</spatial></tendon><sensor><tendonpos name='L' tendon='a rope'/>"
      "<tendonvel name='rate' tendon='a rope'/></sensor>");
}

// ---- tangents, drawn -------------------------------------------------------------------------

typedef struct P2 {
  double x, y;
} P2;

static double dot2(P2 a, P2 b) { return a.x * b.x + a.y * b.y; }
static double cross2(P2 a, P2 b) { return a.x * b.y - a.y * b.x; }
static P2 from_to(P2 a, P2 b) { return (P2){b.x - a.x, b.y - a.y}; }
static double distance2(P2 a, P2 b) { return hypot(b.x - a.x, b.y - a.y); }

// Where the tangent from p touches, so that the path from p on goes about the centre in this sense.
static P2 touching(P2 p, double r, double sense) {
  const double pp = dot2(p, p), l = sqrt(pp - r * r), c = r * r / pp, s = sense * r * l / pp;
  return (P2){c * p.x - s * p.y, c * p.y + s * p.x};
}

static bool segments_meet(P2 a, P2 b, P2 c, P2 d) {
  const double left = cross2(from_to(a, b), from_to(a, c)),
               right = cross2(from_to(a, b), from_to(a, d));
  const double above = cross2(from_to(c, d), from_to(c, a)),
               below = cross2(from_to(c, d), from_to(c, b));
  return left * right <= 0 && above * below <= 0;
}

static double distance_of_segment(P2 a, P2 b, P2* nearest) {
  const P2 d = from_to(a, b);
  const double f = fmin(fmax(-dot2(a, d) / dot2(d, d), 0), 1);
  *nearest = (P2){a.x + f * d.x, a.y + f * d.y};
  return hypot(nearest->x, nearest->y);
}

typedef struct Way {
  double length;
  int kind;     // 0: straight, 1 and -1: the sense
  double calm;  // how far it is from where its derivatives are large
} Way;

// `side` Nullable: the shortest of all ways that do not enter the circle.
static Way way_around(P2 a, P2 b, double r, const P2* side) {
  const double ra = hypot(a.x, a.y), rb = hypot(b.x, b.y);
  Way best = {distance2(a, b), 0, fmin(fabs(ra / r - 1), fabs(rb / r - 1))};
  P2 nearest;
  best.calm = fmin(best.calm, fabs(cross2(a, b)) / (ra * rb));
  const double off = distance_of_segment(a, b, &nearest);
  if (ra < r || rb < r || (off > r && (!side || dot2(*side, nearest) >= 0))) return best;
  double most = -HUGE_VAL;
  for (int sense = -1; sense <= 1; sense += 2) {
    const P2 ta = touching(a, r, sense), tb = touching(b, r, -sense);
    double turn = sense * atan2(cross2(ta, tb), dot2(ta, tb));
    if (turn < 0) turn += 2 * PI;
    const double length = distance2(a, ta) + distance2(b, tb) + r * turn;
    const P2 sum = {ta.x + tb.x, ta.y + tb.y};
    const double good = side ? dot2(*side, sum) / hypot(sum.x, sum.y) : -length;
    if (segments_meet(a, ta, b, tb) || good <= most) continue;
    most = good;
    best.length = length, best.kind = sense;
  }
  return best;
}

static Xform pose(SarData* d, int body) {
  Xform X = x_identity();
  double p[3], R[9];
  char name[16];
  if (body == 0) return X;
  snprintf(name, sizeof name, "b %d", body);
  EXPECT_OK(sar_body_pose(d, sar_model_find(sar_data_model(d), SAR_ITEM_BODY, name), p, R));
  X.p = v3_load(p);
  X.R = (M3){R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]};
  return X;
}

static Way way_of(const Scene* s, const Piece* p, SarData* d) {
  const Geom* g = &s->geom[p->geom];
  const Xform G = x_mul(pose(d, p->geom / 2), g->X);
  const V3 a = x_point_inv(G, x_point(pose(d, p->a / 3), s->site[p->a]));
  const V3 b = x_point_inv(G, x_point(pose(d, p->b / 3), s->site[p->b]));
  const V3 side = x_point_inv(g->X, g->side);
  V3 e1 = v3(1, 0, 0), e2 = v3(0, 1, 0);
  if (!g->cylinder) {  // the plane through both and the centre
    e1 = v3_unit(a);
    e2 = v3_unit(v3_cross(v3_cross(a, b), a));
  }
  const P2 a2 = {v3_dot(a, e1), v3_dot(a, e2)}, b2 = {v3_dot(b, e1), v3_dot(b, e2)};
  const P2 s2 = {v3_dot(side, e1), v3_dot(side, e2)};
  Way w = way_around(a2, b2, g->radius, p->sided ? &s2 : NULL);
  if (g->cylinder) w.length = hypot(w.length, b.z - a.z);
  return w;
}

// All pieces; how they go, in `kind`.
static Way length_of(const Scene* s, SarData* d) {
  Way all = {.calm = 1};
  for (int i = 0; i < s->pieces; i++) {
    const Way w = way_of(s, &s->piece[i], d);
    all.length += w.length / s->piece[i].divisor;
    all.kind = 3 * all.kind + w.kind + 1;
    all.calm = fmin(all.calm, w.calm);
  }
  return all;
}

// ---- tests -----------------------------------------------------------------------------------

typedef struct Pair {
  SarModel *m, *bare;
  Run with;
  SarData* without;
} Pair;

static Pair open_pair(Scene* s, Rng* rng, int pieces) {
  Pair p;
  put_bodies(s, rng);
  const int before = s->n;
  PUT(s, "</mujoco>");
  p.bare = good(s->text);
  s->n = before;
  put_tendon(s, rng, pieces);
  PUT(s, "</mujoco>");
  p.m = good(s->text);
  assert_int_equal(heard.count, 0);
  p.with = run_open(p.m, NULL);
  EXPECT_OK(sar_data_new(p.bare, &p.without, NULL));
  return p;
}

static void close_pair(Pair* p) {
  run_close(&p->with);
  sar_data_free(p->without), sar_model_free(p->bare);
}

static void shake(const Pair* p, Rng* rng) {
  for (int b = 0; b < BODIES; b++) {
    sar_q(p->with.d)[b] = sar_q(p->without)[b] = rng_uniform(rng, -1.5, 1.5);
    sar_v(p->with.d)[b] = sar_v(p->without)[b] = rng_uniform(rng, -1, 1);
  }
}

static double column(const Pair* p, const char* name) {
  static double values[2000];
  const int i = sar_model_find(p->m, SAR_ITEM_OUTPUT, name);
  assert_in_range(i, 0, 1999);
  EXPECT_OK(sar_outputs(p->with.s, values));
  return values[i];
}

static void lengths_are_those_of_tangents(void** state) {
  (void)state;
  Rng rng = rng_seed(test_seed(71));
  int wrapped = 0, straight = 0;
  for (int trial = 0; trial < test_effort(60); trial++) {
    static Scene s;
    Pair p = open_pair(&s, &rng, 1);
    for (int k = 0; k < 20; k++) {
      shake(&p, &rng);
      const Way w = length_of(&s, p.with.d);
      if (w.calm < 1e-4) continue;
      *(w.kind == 1 ? &straight : &wrapped) += 1;
      EXPECT_NEAR(column(&p, "L"), w.length, 1e-9);
    }
    close_pair(&p);
  }
  if (test_effort(60) >= 60) assert_true(wrapped > 100 && straight > 100);
}

// dL/dq by differences of eighth order; false: the way changes nearby.
static bool gradient(const Scene* s, SarData* d, double g[BODIES]) {
  static const double weight[] = {4. / 5, -1. / 5, 4. / 105, -1. / 280};
  const double h = 1e-3;
  const int kind = length_of(s, d).kind;
  for (int b = 0; b < BODIES; b++) {
    const double q = sar_q(d)[b];
    g[b] = 0;
    for (int k = -4; k <= 4; k++) {
      sar_q(d)[b] = q + h * k;
      const Way w = length_of(s, d);
      if (k) g[b] += (k > 0 ? 1 : -1) * weight[abs(k) - 1] * w.length / h;
      if (w.kind != kind || w.calm < 0.05) return false;
    }
    sar_q(d)[b] = q;
  }
  return true;
}

static void expect_pull(const Scene* s, const Pair* p, const double g[BODIES]) {
  double M[BODIES * BODIES], rate = 0;
  for (int b = 0; b < BODIES; b++) rate += g[b] * sar_v(p->with.d)[b];
  const double F = s->stiffness * (s->rest - length_of(s, p->with.d).length) - s->damping * rate;
  EXPECT_NEAR(column(p, "rate"), rate, 1e-9);
  EXPECT_OK(sar_forward_dynamics(p->with.d));
  EXPECT_OK(sar_forward_dynamics(p->without));
  EXPECT_OK(sar_mass_matrix(p->with.d, M));
  for (int i = 0; i < BODIES; i++) {
    double tau = 0;
    for (int j = 0; j < BODIES; j++)
      tau += M[BODIES * i + j] * (sar_a(p->with.d)[j] - sar_a(p->without)[j]);
    EXPECT_NEAR(tau, F * g[i], 1e-9 * (1 + fabs(F)));
  }
}

static void they_pull_along_their_length(void** state) {
  (void)state;
  Rng rng = rng_seed(test_seed(72));
  int seen = 0;
  for (int trial = 0; trial < test_effort(60); trial++) {
    static Scene s;
    double g[BODIES];
    Pair p = open_pair(&s, &rng, 1 + rng_int(&rng, MOST_PIECES));
    for (int k = 0; k < 20; k++) {
      shake(&p, &rng);
      if (!gradient(&s, p.with.d, g)) continue;
      seen++;
      expect_pull(&s, &p, g);
    }
    close_pair(&p);
  }
  if (test_effort(60) >= 60) assert_true(seen > 100);
}

// A weight on a spring that runs over a drum, on it and off it; what the spring stores is in the
// work account.
static SarModel* swing(const char* geom, const char* side) {
  char text[2000];
  snprintf(text, sizeof text,
           "<mujoco><compiler angle='radian'/><option><flag contact='disable'/></option>"
           "<worldbody><site name='wall' pos='-1 0.1 -0.2'/><geom name='drum' %s/>"
           "<site name='low' pos='0.1 0.2 -2'/>"
           "<body name='b 1' pos='0.2 0 0.3'><joint axis='0 1 0.2'/>"
           "<inertial pos='0.5 0 0' mass='1' diaginertia='0.1 0.1 0.1'/>"
           "<site name='end' pos='0.9 -0.1 0'/></body></worldbody><tendon>"
           "<spatial name='rope' stiffness='30' springlength='1.5'><site site='wall'/>"
           "<geom geom='drum'%s/><site site='end'/></spatial></tendon>"
           "<sensor><tendonpos name='L' tendon='rope'/></sensor></mujoco>",
           geom, side);
  return good(text);
}

static bool leaves_the_line(Run* r) {
  double values[20];
  const int i = sar_model_find(r->m, SAR_ITEM_OUTPUT, "L");
  assert_in_range(i, 0, 19);
  EXPECT_OK(sar_outputs(r->s, values));
  const V3 end = x_point(pose(r->d, 1), v3(0.9, -0.1, 0));
  return values[i] > v3_norm(v3_sub(end, v3(-1, 0.1, -0.2))) + 1e-6;
}

static void energy_is_accounted_for(void** state) {
  (void)state;
  static const char* const scenes[][2] = {
      {"type='sphere' size='0.3'", ""},
      {"type='cylinder' size='0.3 1' euler='1.5 0.2 0'", ""},
      {"type='cylinder' size='0.3 1' euler='1.2 0 0.4'", " sidesite='low'"},
      {"type='sphere' size='0.3' pos='0 0 -0.1'", " sidesite='low'"}};
  for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
    const SarSimOptions o = run_options("aba", 0);
    Run r = run_open(swing(scenes[i][0], scenes[i][1]), &o);
    double moved = 0, work = 0;
    int on = 0, off = 0;
    for (int k = 1; k <= 200; k++) {
      SarEnergy e;
      run_advance(&r, 0.01 * k);
      EXPECT_OK(sar_energy(r.d, &e));
      moved = fmax(moved, e.kinetic), work = fmax(work, fabs(e.work));
      *(leaves_the_line(&r) ? &on : &off) += 1;
      EXPECT_NEAR(e.error, 0, 1e-8 * (1 + moved));
    }
    if (moved < 0.5 || work < 0.1 || on < 10 || off < 10)
      fail_msg("scene %zu: %g J moved, %g J of work, %d times on the drum, %d off", i, moved, work,
               on, off);
    run_close(&r);
  }
}

// ---- messages --------------------------------------------------------------------------------

#define BEGIN                                                                                \
  "<mujoco><option><flag contact='disable'/></option><worldbody><site name='w' pos='2 0 "    \
  "0'/><geom name='g' type='sphere' size='0.1'/>"                                            \
  "<site name='in' pos='0.05 0 0'/><geom name='c' type='capsule' size='0.1 1'/>"             \
  "<geom name='z' type='cylinder' size='0.1 1'/><site name='along' pos='0.05 0 3'/><site "   \
  "name='s2' pos='0 2 0'/>"                                                                  \
  "<body name='a'><joint/><geom type='sphere' size='1'/><site name='s' pos='0 0 1'/></body>" \
  "</worldbody><tendon>\n<spatial name='t'>"

static void what_is_not_wrapped_is_told(void** state) {
  (void)state;
  static const struct {
    const char *path, *says;
    bool loads;
  } cases[] = {
      {"<site site='w'/><geom geom='g'/><site site='s'/>", NULL, true},
      {"<site site='w'/><geom geom='g' sidesite='in'/><site site='s'/>", "passes inside a geom",
       true},
      {"<site site='w'/><geom geom='z' sidesite='along'/><site site='s'/>", "passes inside a geom",
       true},
      {"<site site='w'/><geom geom='g' sidesite='s'/><site site='s'/>",
       "on another body than the geom", true},
      {"<site site='w'/><geom geom='g' sidesite='x'/><site site='s'/>", "there is no site 'x'",
       false},
      {"<site site='w'/><geom geom='x'/><site site='s'/>", "there is no geom 'x'", false},
      {"<site site='w'/><geom geom='c'/><site site='s'/>", "only spheres and cylinders", false},
      {"<geom geom='g'/><site site='w'/><site site='s'/>", "must stand between two sites", false},
      {"<site site='w'/><site site='s'/><geom geom='g'/>", "must stand between two sites", false},
      {"<site site='w'/><geom geom='g'/><geom geom='z'/><site site='s'/>",
       "must stand between two sites", false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[2000];
    snprintf(text, sizeof text, BEGIN "%s</spatial></tendon></mujoco>", cases[i].path);
    SarModel* m = parse(text, "mjcf");
    assert_int_equal(m != NULL, cases[i].loads);
    if (cases[i].says) assert_true(said(cases[i].says) && said("model.xml:2:"));
    if (!cases[i].says) assert_int_equal(heard.count, 0);
    sar_model_free(m);
  }
}

// No failed allocation is taken for a tendon.
static void memory_may_run_out(void** state) {
  (void)state;
  static const char text[] = BEGIN
      "<site site='w'/><geom geom='z' sidesite='s2'/><site site='s'/><geom geom='g'/>"
      "<site site='w'/></spatial></tendon><actuator><motor tendon='t'/></actuator></mujoco>";
  sar_model_free(good(text));
  const long stride = test_effort(1) > 1 ? 1 : 5;
  for (long n = 1;; n += stride) {
    alloc_count_reset();
    alloc_fail_at(n);
    SarModel* m = parse(text, "mjcf");
    const bool failed = alloc_has_failed(), other = !m && !said("memory");
    alloc_fail_at(0);
    sar_model_free(m);
    if (!failed) break;
    if (other) fail_msg("%ld: %s", n, heard.items[0].text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lengths_are_those_of_tangents),
      cmocka_unit_test(they_pull_along_their_length), cmocka_unit_test(energy_is_accounted_for),
      cmocka_unit_test(what_is_not_wrapped_is_told), cmocka_unit_test(memory_may_run_out)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
