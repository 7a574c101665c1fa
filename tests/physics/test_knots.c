// Knots, bodies without mass that forces alone hold: springs in series, Maxwell elements, chains
// and random networks against closed forms, minimised energies and light masses; by every method,
// copied, refused by name.
#include "support/run.h"

#include "model/sim.h"
#include "support/derivative_check.h"
#include "support/random.h"

#include <math.h>

// ---- lines of knots and masses, solved by the matrix exponential --------------------------------

enum { NODES = 7, MOST = 12 };

// Nodes in a line along x, from a wall to a wall: masses and knots with springs and dampers between
// neighbours, damped knots with a damper to the wall besides.
typedef struct Line {
  int n;
  double mass[NODES];  // 0: a knot
  bool damped[NODES];
  double wall[NODES];                 // damper of a damped knot
  double k[NODES + 1], c[NODES + 1];  // from node i - 1 to node i
  double u[NODES], v[NODES];          // displacements and speeds at the start
} Line;

static bool is_state(const Line* l, int i) { return l->mass[i] > 0 || l->damped[i]; }

static void eliminate(int n, double A[NODES][NODES], double* b) {
  for (int k = 0; k < n; k++) {
    int p = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(A[i][k]) > fabs(A[p][k])) p = i;
    for (int j = 0; j < n; j++) {
      const double t = A[k][j];
      A[k][j] = A[p][j], A[p][j] = t;
    }
    const double t = b[k];
    b[k] = b[p], b[p] = t;
    for (int i = k + 1; i < n; i++) {
      const double f = A[i][k] / A[k][k];
      for (int j = k; j < n; j++) A[i][j] -= f * A[k][j];
      b[i] -= f * b[k];
    }
  }
  for (int k = n - 1; k >= 0; k--) {
    for (int j = k + 1; j < n; j++) b[k] -= A[k][j] * b[j];
    b[k] /= A[k][k];
  }
}

// (u of masses and damped knots, v of masses) -> its rate, and u of all nodes.
static void line_rates(const Line* l, const double* x, double* dx, double* u) {
  double A[NODES][NODES] = {{0}}, b[NODES] = {0}, w[NODES];
  int at = 0;
  // elastic knots: balance of springs
  for (int i = 0; i < l->n; i++) u[i] = is_state(l, i) ? x[at++] : 0;
  for (int i = 0; i < l->n; i++) {
    A[i][i] = 1, b[i] = u[i];
    if (is_state(l, i)) continue;
    A[i][i] = l->k[i] + l->k[i + 1], b[i] = 0;
    if (i > 0) A[i][i - 1] = -l->k[i];
    if (i + 1 < l->n) A[i][i + 1] = -l->k[i + 1];
  }
  eliminate(l->n, A, b);
  memcpy(u, b, sizeof(double) * (size_t)l->n);
  // speeds: of masses given, of damped knots by the balance of all forces (elastic ones carry no
  // damper)
  const int first_speed = at;
  for (int i = 0; i < l->n; i++) w[i] = l->mass[i] > 0 ? x[at++] : 0;
  memset(A, 0, sizeof A);
  for (int i = 0; i < l->n; i++) {
    A[i][i] = 1, b[i] = w[i];
    if (!l->damped[i]) continue;
    A[i][i] = l->c[i] + l->c[i + 1] + l->wall[i];
    if (i > 0) A[i][i - 1] = -l->c[i];
    if (i + 1 < l->n) A[i][i + 1] = -l->c[i + 1];
    b[i] = -l->k[i] * (u[i] - (i > 0 ? u[i - 1] : 0)) +
           l->k[i + 1] * ((i + 1 < l->n ? u[i + 1] : 0) - u[i]);
  }
  eliminate(l->n, A, b);
  memcpy(w, b, sizeof(double) * (size_t)l->n);
  at = 0;
  int speed = first_speed;
  for (int i = 0; i < l->n; i++) {
    if (is_state(l, i)) dx[at++] = w[i];
    if (l->mass[i] == 0) continue;
    const double left = u[i] - (i > 0 ? u[i - 1] : 0), right = (i + 1 < l->n ? u[i + 1] : 0) - u[i];
    const double left_rate = w[i] - (i > 0 ? w[i - 1] : 0);
    const double right_rate = (i + 1 < l->n ? w[i + 1] : 0) - w[i];
    dx[speed++] =
        (-l->k[i] * left - l->c[i] * left_rate + l->k[i + 1] * right + l->c[i + 1] * right_rate) /
        l->mass[i];
  }
}

static int line_start(const Line* l, double* x) {
  int n = 0;
  for (int i = 0; i < l->n; i++)
    if (is_state(l, i)) x[n++] = l->u[i];
  for (int i = 0; i < l->n; i++)
    if (l->mass[i] > 0) x[n++] = l->v[i];
  return n;
}

// x(t) = exp(A t) x(0): the system is linear, A column by column; many short Taylor series.
static void line_exact(const Line* l, double t, double* u) {
  double x[MOST] = {0}, A[MOST][MOST], column[MOST] = {0}, rate[MOST];
  const int n = line_start(l, x), steps = 4000;
  for (int j = 0; j < n; j++) {
    column[j] = 1;
    line_rates(l, column, rate, u);
    column[j] = 0;
    for (int i = 0; i < n; i++) A[i][j] = rate[i];
  }
  for (int s = 0; s < steps; s++) {
    double term[MOST];
    memcpy(term, x, sizeof term);
    for (int k = 1; k <= 8; k++) {
      double next[MOST] = {0};
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) next[i] += A[i][j] * term[j] * t / steps / k;
      memcpy(term, next, sizeof term);
      for (int i = 0; i < n; i++) x[i] += term[i];
    }
  }
  line_rates(l, x, rate, u);
}

static int node_text(const Line* l, int i, char* text, size_t size) {
  return i < 0 || i >= l->n ? snprintf(text, size, "[ground, [%d, 0, 0]]", i + 1)
                            : snprintf(text, size, "n%d", i);
}

static SarModel* line_model(const Line* l, const SarLoadOptions* with) {
  char text[8192], a[64], b[64];
  int at = snprintf(text, sizeof text, "gravity: [0, 0, 0]\nbodies:\n");
#define WRITE(...) at += snprintf(text + at, sizeof text - (size_t)at, __VA_ARGS__)
  for (int i = 0; i < l->n; i++)
    if (l->mass[i] > 0)
      WRITE("  n%d: {mass: %.17g, inertia: [1, 1, 1], at: [%d, 0, 0]}\n", i, l->mass[i], i + 1);
    else
      WRITE("  n%d: {at: [%.17g, 0, 0], along: [1, 0, 0]}\n", i,
            i + 1 + (l->damped[i] ? l->u[i] : 0));
  WRITE("joints:\n");
  for (int i = 0; i < l->n; i++)
    if (l->mass[i] > 0)
      WRITE("  j%d: {prismatic: [ground, n%d], axis: x, position: %.17g, speed: %.17g}\n", i, i,
            l->u[i], l->v[i]);
  WRITE("forces:\n");
  for (int i = 0; i <= l->n; i++) {
    node_text(l, i - 1, a, sizeof a);
    node_text(l, i, b, sizeof b);
    WRITE("  f%d: {spring_damper: [%s, %s], stiffness: %.17g, length: 1", i, a, b, l->k[i]);
    if (l->c[i] > 0) WRITE(", damping: %.17g", l->c[i]);
    WRITE("}\n");
  }
  for (int i = 0; i < l->n; i++)
    if (l->damped[i])
      WRITE("  w%d: {spring_damper: [[ground, [%d, 0, 0]], n%d], damping: %.17g}\n", i, -9, i,
            l->wall[i]);
  WRITE("outputs: [{body: all, with: [position]}, energy]\n");
#undef WRITE
  return model_text_with(text, with);
}

static Line random_line(Rng* r) {
  Line l = {.n = 1 + rng_int(r, 5)};
  const int mass = rng_int(r, l.n);
  for (int i = 0; i < l.n; i++) {
    if (i == mass || rng_int(r, 4) == 0) l.mass[i] = rng_uniform(r, 0.5, 2);
    l.damped[i] = l.mass[i] == 0 && rng_int(r, 2);
    l.wall[i] = rng_uniform(r, 1, 5);
    l.u[i] = rng_uniform(r, -0.2, 0.2);
    l.v[i] = rng_uniform(r, -0.5, 0.5);
  }
  for (int i = 0; i <= l.n; i++) {
    const bool left = i == 0 || is_state(&l, i - 1), right = i == l.n || is_state(&l, i);
    l.k[i] = rng_uniform(r, 5, 40);
    l.c[i] = left && right && rng_int(r, 2) ? rng_uniform(r, 0.5, 3) : 0;
  }
  return l;
}

static double line_error(SarModel* m, const Line* l, const SarSimOptions* o, const double* exact) {
  SarError err;
  Run r = {.m = m};
  double worst = 0;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_data_new(m, &r.d, &err), &err);
  EXPECT_OK_OR(sar_sim_new(m, r.d, o, &r.s, &err), &err);
  if (sar_advance(r.s, 1) != SAR_OK) fail_msg("%s: %s", o->formulation, sar_sim_trouble(r.s));
  for (int i = 0; i < l->n; i++) {
    char column[16];
    snprintf(column, sizeof column, "n%d.x", i);
    worst = fmax(worst, fabs(run_output(&r, column) - (i + 1) - exact[i]));
  }
  sar_sim_free(r.s);
  sar_data_free(r.d);
  return worst;
}

static void lines_are_exact_by_every_method(void** state) {
  (void)state;
  Rng r = rng_seed(test_seed(21));
  double most = 0;
  for (int trial = 0; trial < test_effort(15); trial++) {
    const Line l = random_line(&r);
    double exact[NODES];
    line_exact(&l, 1, exact);
    const SarLoadOptions own = {.coordinates = "absolute"};
    SarModel *m = line_model(&l, NULL), *absolute = line_model(&l, &own);
    SarSimOptions o = run_options("aba", 0);
    o.rtol = o.atol = 1e-12;
    most = fmax(most, line_error(m, &l, &o, exact));
    EXPECT_AT_MOST(most, 2e-10);
    // error control of implicit steps sees the states of knots too
    o = run_options("aba", 0);
    o.integrator = "trapezoidal";
    o.rtol = o.atol = 1e-7;
    EXPECT_AT_MOST(line_error(m, &l, &o, exact), 1e-4);
    for (int i = 0; sar_integrator(i) && trial < test_effort(4); i++)
      for (int k = 0; sar_formulation(k); k++) {
        const SarIntegrator* g = sar_integrator(i);
        const SarFormulation* f = sar_formulation(k);
        if (!sar_goes_with(f, g) || !g->can_fix) continue;
        // all integrators with one formulation that gives accelerations, the others of these with
        // one
        if (f->shape == SAR_SHAPE_ACCEL &&
            (!g->step || (strcmp(f->name, "aba") != 0 && strcmp(g->name, "rk4") != 0)))
          continue;
        SarModel* of = f->absolute ? absolute : m;
        o = sar_sim_options();
        o.formulation = f->name, o.integrator = g->name, o.adaptive = 0;
        o.step = 1. / 128;
        const double coarse = line_error(of, &l, &o, exact);
        o.step = 1. / 256;
        const double fine = line_error(of, &l, &o, exact);
        // halving the step divides the error by 2^order, unless rounding is all there is
        if (fine > 1e-10 && !(log2(coarse / fine) > g->order - 0.4))
          fail_msg("%s %s: errors %.2e, %.2e with half the step (order %d), member %d", f->name,
                   g->name, coarse, fine, g->order, trial);
      }
    sar_model_free(m);
    sar_model_free(absolute);
  }
  print_message("random lines of knots against the exponential: %.1e m\n", most);
}

// Two springs in series are one of k1 k2 / (k1 + k2); n knots in a row likewise.
static void springs_in_series_are_one(void** state) {
  (void)state;
  Rng r = rng_seed(test_seed(22));
  for (int knots = 1; knots <= 6; knots++) {
    Line l = {.n = knots + 1};
    double flexibility = 0, u[NODES];
    for (int i = 0; i <= knots; i++) {
      l.k[i] = rng_uniform(&r, 10, 80);
      flexibility += 1 / l.k[i];
    }
    l.mass[knots] = 2, l.u[knots] = 0.3;
    SarModel* m = line_model(&l, NULL);
    SarSimOptions o = run_options("aba", 0);
    line_exact(&l, 1, u);
    EXPECT_NEAR(u[knots], 0.3 * cos(sqrt(1 / flexibility / 2)), 1e-12);
    EXPECT_AT_MOST(line_error(m, &l, &o, u), 1e-9);
    sar_model_free(m);
  }
}

// A spring and a damper in series pull a mass: m q'' = -k s, with c (q' - s') = k s (Maxwell 1867).
// With u = q' : s'' + (k/c) s' + (k/m) s = 0.
static void maxwell_element_is_exact(void** state) {
  (void)state;
  const double k = 30, c = 8, mass = 2, v0 = 1;
  SarSimOptions o = run_options("aba", 0);
  Run r = run_open(
      model_text(
          "gravity: [0, 0, 0]\nbodies:\n  mass: {mass: 2, inertia: [1, 1, 1], at: [2, 0, 0]}\n"
          "  knot: {at: [1, 0, 0], along: [1, 0, 0]}\n"
          "joints: {slide: {prismatic: [ground, mass], axis: x, speed: 1}}\nforces:\n"
          "  spring: {spring_damper: [ground, knot], stiffness: 30, length: 1}\n"
          "  damper: {spring_damper: [knot, mass], damping: 8}\n"
          "outputs: [{body: knot}, {force: all}, states, energy]\n"),
      &o);
  const double d = k / c / 2, w = sqrt(k / mass - d * d);
  for (int i = 1; i <= 20; i++) {
    const double t = 0.1 * i, s = v0 / w * exp(-d * t) * sin(w * t);
    const double rate = v0 * exp(-d * t) * (cos(w * t) - d / w * sin(w * t));
    run_advance(&r, t);
    EXPECT_NEAR(run_output(&r, "knot.x"), 1 + s, 1e-9);
    EXPECT_NEAR(run_output(&r, "knot.s"), 1 + s, 1e-9);
    EXPECT_NEAR(run_output(&r, "knot.vx"), rate, 1e-8);
    EXPECT_NEAR(run_output(&r, "damper.tension"), k * s, 1e-8);
    EXPECT_NEAR(run_output(&r, "energy.error"), 0, 1e-9);
  }
  run_close(&r);
}

// The example is a line of a knot and a mass, about the place where its weight is borne.
static void engine_mount_is_exact(void** state) {
  (void)state;
  const Line l = {.n = 2,
                  .damped = {true},
                  .mass = {0, 80},
                  .k = {3e5, 0, 2e5},
                  .c = {0, 2000},
                  .u = {0, 0.01}};
  SarSimOptions o = run_options("aba", 0);
  Run r = run_open(model_file("engine_mount.yaml", NULL), &o);
  for (int i = 1; i <= 5; i++) {
    double u[NODES];
    run_advance(&r, 0.05 * i);
    line_exact(&l, 0.05 * i, u);
    EXPECT_NEAR(run_output(&r, "knot.z"), 0.1 + u[0], 1e-9);
    EXPECT_NEAR(run_output(&r, "bounce.q"), u[1] - 80 * 9.81 / 2e5, 1e-9);
  }
  run_close(&r);
}

// ---- networks in space --------------------------------------------------------------------------

enum { KNOTS = 5, SPRINGS = 30 };

typedef struct Net {
  int knots, springs;
  V3 start[KNOTS];
  int end[SPRINGS];    // knot of the second end
  int from[SPRINGS];   // knot of the first end; -1 ground, -2 the body
  V3 anchor[SPRINGS];  // first end, in ground or in the body
  double k[SPRINGS], length[SPRINGS];
} Net;

// Every knot on three walls at least, all springs shorter than the way: everything is stretched.
static Net random_net(Rng* r) {
  Net n = {.knots = 1 + rng_int(r, KNOTS)};
  for (int i = 0; i < n.knots; i++) n.start[i] = rng_v3(r, -0.3, 0.3);
  for (int i = 0; i < n.knots; i++)
    for (int j = 0; j < 5; j++) {
      const int s = n.springs++;
      n.end[s] = i;
      n.from[s] = j < 3 ? -1 : j == 3 ? -2 : i > 0 ? rng_int(r, i) : -1;
      const Quat q = rng_quat(r);
      n.anchor[s] = n.from[s] == -2 ? rng_v3(r, -0.2, 0.2) : v3_scale(2, v3(q.x, q.y, q.z));
      if (n.from[s] >= 0) n.anchor[s] = v3_zero();
      n.k[s] = rng_uniform(r, 5, 50);
      n.length[s] = n.from[s] >= 0 ? 0.01 : rng_uniform(r, 0.05, 0.3);
    }
  return n;
}

static SarModel* net_model(const Net* n, bool damped) {
  char text[16000];
  int at = snprintf(text, sizeof text,
                    "gravity: [0, 0, -2]\nbodies:\n  body: {mass: 2, inertia: [0.3, 0.4, 0.5], at: "
                    "[0, 0, 1.5], velocity: [0.5, 0.2, -0.3], angular_velocity: [1, 2, -1]}\n");
#define WRITE(...) at += snprintf(text + at, sizeof text - (size_t)at, __VA_ARGS__)
  for (int i = 0; i < n->knots; i++)
    WRITE("  k%d: {at: [%.17g, %.17g, %.17g]}\n", i, n->start[i].x, n->start[i].y, n->start[i].z);
  WRITE("forces:\n");
  for (int s = 0; s < n->springs; s++) {
    const V3 a = n->anchor[s];
    WRITE("  s%d: {spring_damper: [", s);
    if (n->from[s] >= 0)
      WRITE("k%d", n->from[s]);
    else
      WRITE("[%s, [%.17g, %.17g, %.17g]]", n->from[s] == -1 ? "ground" : "body", a.x, a.y, a.z);
    WRITE(", k%d], stiffness: %.17g, length: %.17g}\n", n->end[s], n->k[s], n->length[s]);
  }
  for (int i = 0; i < n->knots && damped; i += 2)
    WRITE(
        "  d%d: {bushing: [ground, k%d], frame: {at: [%.17g, %.17g, %.17g]}, damping: [3, 4, 5, 0, "
        "0, 0]}\n",
        i, i, n->start[i].x, n->start[i].y, n->start[i].z);
  WRITE("outputs: [{body: all, with: [position, velocity]}, energy]\n");
#undef WRITE
  return model_text(text);
}

static V3 first_end(const Net* n, int s, Xform X_body, const V3* x) {
  if (n->from[s] >= 0) return x[n->from[s]];
  return n->from[s] == -1 ? n->anchor[s] : x_point(X_body, n->anchor[s]);
}

static double net_energy(const Net* n, Xform X_body, const V3* x) {
  double sum = 0;
  for (int s = 0; s < n->springs; s++) {
    const double l = v3_norm(v3_sub(x[n->end[s]], first_end(n, s, X_body, x))) - n->length[s];
    sum += 0.5 * n->k[s] * l * l;
  }
  return sum;
}

// Lowest energy by steps along each knot in turn: block coordinate descent with the exact 3 x 3
// Hessian.
static void minimise(const Net* n, Xform X_body, V3* x) {
  for (int sweep = 0; sweep < 3000; sweep++)
    for (int i = 0; i < n->knots; i++) {
      V3 g = v3_zero();
      M3 H = {0};
      for (int s = 0; s < n->springs; s++) {
        const bool second = n->end[s] == i, first = n->from[s] == i;
        if (!second && !first) continue;
        V3 d = v3_sub(x[n->end[s]], first_end(n, s, X_body, x));
        if (first) d = v3_neg(d);
        const double l = v3_norm(d), T = n->k[s] * (l - n->length[s]);
        const V3 e = v3_scale(1 / l, d);
        g = v3_add(g, v3_scale(T, e));
        const double a = n->k[s] - T / l, t = T / l;
        H.xx += a * e.x * e.x + t, H.yy += a * e.y * e.y + t, H.zz += a * e.z * e.z + t;
        H.xy += a * e.x * e.y, H.xz += a * e.x * e.z, H.yz += a * e.y * e.z;
      }
      H.yx = H.xy, H.zx = H.xz, H.zy = H.yz;
      // H y = g by the adjugate
      const V3 cx = v3(H.xx, H.yx, H.zx), cy = v3(H.xy, H.yy, H.zy), cz = v3(H.xz, H.yz, H.zz);
      const double det = v3_dot(cx, v3_cross(cy, cz));
      const V3 y = v3(v3_dot(g, v3_cross(cy, cz)) / det, v3_dot(cx, v3_cross(g, cz)) / det,
                      v3_dot(cx, v3_cross(cy, g)) / det);
      x[i] = v3_sub(x[i], y);
    }
}

static Xform body_of(SarData* d) {
  double p[3], R[9];
  EXPECT_OK(sar_body_pose(d, 0, p, R));
  return (Xform){{R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]}, v3_load(p)};
}

static V3 knot_of(const Run* r, int i, const char* suffixes[3]) {
  double x[3];
  for (int k = 0; k < 3; k++) {
    char column[16];
    snprintf(column, sizeof column, "k%d.%s", i, suffixes[k]);
    x[k] = run_output(r, column);
  }
  return v3_load(x);
}

static void networks_have_the_least_energy(void** state) {
  (void)state;
  static const char *X[] = {"x", "y", "z"}, *V[] = {"vx", "vy", "vz"};
  Rng rng = rng_seed(test_seed(23));
  double apart = 0, speed = 0, lost = 0;
  for (int trial = 0; trial < test_effort(12); trial++) {
    const Net n = random_net(&rng);
    SarSimOptions o = run_options("aba", 0);
    Run r = run_open(net_model(&n, false), &o);
    V3 x[KNOTS], before[KNOTS];
    memcpy(x, n.start, sizeof x);
    for (int step = 0; step < 4; step++) {
      run_advance(&r, 0.2 * step);
      minimise(&n, body_of(r.d), x);
      for (int i = 0; i < n.knots; i++)
        apart = fmax(apart, v3_norm(v3_sub(x[i], knot_of(&r, i, X))));
      EXPECT_NEAR(run_output(&r, "energy.potential") - 2 * 2 * run_output(&r, "body.z"),
                  net_energy(&n, body_of(r.d), x), 1e-9);
      lost = fmax(lost, fabs(run_output(&r, "energy.error")));
    }
    // speeds against differences of places
    const double h = 1e-4;
    V3 v[KNOTS];
    for (int i = 0; i < n.knots; i++) before[i] = knot_of(&r, i, X);
    run_advance(&r, 0.6 + h);
    for (int i = 0; i < n.knots; i++) v[i] = knot_of(&r, i, V);
    run_advance(&r, 0.6 + 2 * h);
    for (int i = 0; i < n.knots; i++) {
      const V3 mean = v3_scale(0.5 / h, v3_sub(knot_of(&r, i, X), before[i]));
      speed = fmax(speed, v3_norm(v3_sub(mean, v[i])));
    }
    run_close(&r);
  }
  print_message("random networks: %.1e m from the least energy, speeds %.1e m/s, audit %.1e J\n",
                apart, speed, lost);
  EXPECT_AT_MOST(apart, 1e-9);
  EXPECT_AT_MOST(speed, 2e-6);  // h^2 x'''/6
  EXPECT_AT_MOST(lost, 1e-8);
}

// Some of the knots with dampers: energy balances, dampers take, and implicit steps come to the
// same.
static void damped_networks_balance(void** state) {
  (void)state;
  static const char* X[] = {"x", "y", "z"};
  static const char* const METHODS[] = {"hybrid", "global", "topological", "recursive", "impulse"};
  Rng rng = rng_seed(test_seed(24));
  double lost = 0, apart[5] = {0};
  for (int trial = 0; trial < test_effort(4); trial++) {
    const Net n = random_net(&rng);
    SarSimOptions o = run_options("aba", 0);
    Run r = run_open(net_model(&n, true), &o);
    double work = 0;
    for (int step = 1; step <= 5; step++) {
      run_advance(&r, 0.1 * step);
      lost = fmax(lost, fabs(run_output(&r, "energy.error")));
      assert_true(run_output(&r, "energy.work") <= work + 1e-9);
      work = run_output(&r, "energy.work");
    }
    for (int k = 0; k < 5; k++) {
      SarSimOptions p = run_options(METHODS[k], 1e-3);
      Run s = run_open(net_model(&n, true), &p);
      run_advance(&s, 0.5);
      for (int i = 0; i < n.knots; i++)
        apart[k] = fmax(apart[k], v3_norm(v3_sub(knot_of(&s, i, X), knot_of(&r, i, X))));
      run_close(&s);
    }
    run_close(&r);
  }
  print_message(
      "damped networks: audit %.1e J; implicit steps of 1 ms: %.1e %.1e %.1e %.1e %.1e m\n", lost,
      apart[0], apart[1], apart[2], apart[3], apart[4]);
  EXPECT_AT_MOST(lost, 1e-8);
  for (int k = 0; k < 5; k++) EXPECT_AT_MOST(apart[k], 2e-4);
}

// Exact derivatives of accelerations and rates of states against differences.
static void derivatives_agree_with_differences(void** state) {
  (void)state;
  Rng rng = rng_seed(test_seed(26));
  double worst = 0;
  for (int trial = 0; trial < test_effort(6); trial++) {
    const Net n = random_net(&rng);
    SarSimOptions o = run_options("aba", 0);
    Run r = run_open(net_model(&n, trial % 2 == 0), &o);
    run_advance(&r, 0.1);
    DerivativeCase c = derivative_case(r.m, r.d);
    for (int j = 0; j < 2 * r.m->nv + r.m->nz; j++) {
      double x[DERIVATIVE_MOST] = {0}, doubt = 0;
      x[j] = 1;
      c.direction = x;
      worst = fmax(worst, derivative_error(&c, 2e-2, &doubt));
    }
    derivative_case_end(&c);
    run_close(&r);
  }
  print_message("derivatives with knots: %.1e of the largest from differences\n", worst);
  EXPECT_AT_MOST(worst, 1e-7);
}

// ---- a knot is the limit of a light mass --------------------------------------------------------

#define Y_SHAPE                                                                            \
  "  left: {spring_damper: [[ground, [-1, 0, 0]], knot], stiffness: 300, length: 0.8}\n"   \
  "  right: {spring_damper: [[ground, [1, 0, 0.1]], knot], stiffness: 200, length: 0.8}\n" \
  "  down: {spring_damper: [knot, mass], stiffness: 100, length: 0.5}\n"                   \
  "outputs: [{body: all, with: [position]}, energy]\n"

static double light_mass_error(double light, const V3* knot, const double* mass_at) {
  char text[2048];
  snprintf(
      text, sizeof text,
      "planar: xz\nbodies:\n  mass: {mass: 2, inertia: [1, 1, 1], at: [0.1, 0, -1], velocity: "
      "[0.3, 0, 0]}\n  knot: {mass: %g, inertia: [1, 1, 1], at: [%.17g, 0, %.17g]}\nforces:\n%s",
      light, knot->x, knot->z, Y_SHAPE);
  SarSimOptions o = run_options("aba", 0);
  o.rtol = o.atol = 1e-9;
  Run r = run_open(model_text(text), &o);
  run_advance(&r, 1);
  const double error =
      hypot(run_output(&r, "mass.x") - mass_at[0], run_output(&r, "mass.z") - mass_at[1]);
  run_close(&r);
  return error;
}

// Three springs in a plane: the run of a mass that tends to 0 tends to the knot's.
static void y_of_springs_is_the_limit_of_a_light_mass(void** state) {
  (void)state;
  SarSimOptions o = run_options("aba", 0);
  Run r = run_open(
      model_text("planar: xz\nbodies:\n  mass: {mass: 2, inertia: [1, 1, 1], at: [0.1, 0, -1], "
                 "velocity: [0.3, 0, 0]}\n  knot: {at: [0.05, 0, -0.2]}\nforces:\n" Y_SHAPE),
      &o);
  const V3 knot = v3(run_output(&r, "knot.x"), 0, run_output(&r, "knot.z"));
  run_advance(&r, 1);
  const double at[2] = {run_output(&r, "mass.x"), run_output(&r, "mass.z")};
  const double coarse = light_mass_error(1e-3, &knot, at), fine = light_mass_error(1e-5, &knot, at);
  print_message("light masses of 1 g and 10 mg: %.1e, %.1e m from the knot's run\n", coarse, fine);
  EXPECT_AT_MOST(coarse, 1e-3);
  EXPECT_AT_MOST(fine, 1e-5);
  run_close(&r);
}

// ---- the state ----------------------------------------------------------------------------------

// A copy continues to the bit, whether columns were looked at or not.
static void copies_continue_to_the_bit(void** state) {
  (void)state;
  static const char* const METHODS[] = {"aba", "lagrange", "hybrid", "impulse"};
  Rng rng = rng_seed(test_seed(25));
  const Net n = random_net(&rng);
  for (int k = 0; k < 4; k++) {
    SarSimOptions o = sar_sim_options();
    o.formulation = METHODS[k];
    o.step = 1e-2;
    Run r = run_open(net_model(&n, true), &o), s = {.m = r.m};
    SarError err;
    sar_error_init(&err);
    run_advance(&r, 0.1);
    EXPECT_OK_OR(sar_data_new(r.m, &s.d, &err), &err);
    EXPECT_OK(sar_data_copy(s.d, r.d));
    EXPECT_OK_OR(sar_sim_new(s.m, s.d, &o, &s.s, &err), &err);
    for (int i = 0; i < 10; i++) {
      EXPECT_OK(sar_step(r.s));
      run_output(&r, "k0.x");
      EXPECT_OK(sar_step(s.s));
    }
    assert_true(sar_state_hash(r.d) == sar_state_hash(s.d));
    sar_sim_free(s.s);
    sar_data_free(s.d);
    run_close(&r);
  }
}

// ---- what does not hold -------------------------------------------------------------------------

static void what_nothing_holds_is_named(void** state) {
  (void)state;
  static const struct {
    const char *forces, *words;
  } CASE[] = {
      // unstretched and in one line: free to go aside
      {"  a: {spring_damper: [ground, knot], stiffness: 5}\n"
       "  b: {spring_damper: [knot, mass], stiffness: 5}\n",
       "nothing holds knot 'knot'"},
      // pressed: it would buckle
      {"  a: {spring_damper: [ground, knot], stiffness: 5, length: 2}\n"
       "  b: {spring_damper: [knot, mass], stiffness: 5, length: 2}\n",
       "knot 'knot'"},
      // one damper: no speed across it
      {"  a: {spring_damper: [ground, knot], stiffness: 5, length: 0.5}\n"
       "  b: {spring_damper: [knot, mass], damping: 5}\n",
       "dampers act on knot 'knot', but not in all directions"},
  };
  for (size_t i = 0; i < sizeof CASE / sizeof *CASE; i++) {
    char text[1024];
    snprintf(text, sizeof text,
             "bodies:\n  mass: {mass: 2, inertia: [1, 1, 1], at: [2, 0, 0]}\n  knot: {at: [1, 0, "
             "0]}\njoints: {slide: {prismatic: [ground, mass], axis: x}}\nforces:\n%s",
             CASE[i].forces);
    SarModel* m = model_text(text);
    SarError err;
    SarData* d;
    SarSim* s = NULL;
    sar_error_init(&err);
    EXPECT_OK(sar_data_new(m, &d, &err));
    EXPECT_STATUS(sar_sim_new(m, d, NULL, &s, &err), SAR_SINGULAR);
    if (!strstr(err.items[err.count - 1].text, CASE[i].words))
      fail_msg("case %d: %s", (int)i, err.items[err.count - 1].text);
    sar_data_free(d);
    sar_model_free(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(springs_in_series_are_one),
      cmocka_unit_test(maxwell_element_is_exact),
      cmocka_unit_test(engine_mount_is_exact),
      cmocka_unit_test(lines_are_exact_by_every_method),
      cmocka_unit_test(networks_have_the_least_energy),
      cmocka_unit_test(damped_networks_balance),
      cmocka_unit_test(derivatives_agree_with_differences),
      cmocka_unit_test(y_of_springs_is_the_limit_of_a_light_mass),
      cmocka_unit_test(copies_continue_to_the_bit),
      cmocka_unit_test(what_nothing_holds_is_named),
  };
  return cmocka_run_group_tests_name("knots", tests, NULL, NULL);
}
