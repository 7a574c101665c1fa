// Blocks of control systems: continuous ones against exact solutions of linear systems, sampled
// ones against difference equations, relays against the times at which they switch; instants that
// every method lands on; copies that go on alike.
#include "support/run.h"

#include "model/signal_kind.h"
#include "model/sim.h"
#include "support/random.h"

#include <math.h>

#define IDLE \
  "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\njoints: {j: {prismatic: [ground, a], axis: x}}\n"

static SarSimOptions tight(void) {
  SarSimOptions o = sar_sim_options();
  o.integrator = "dopri5";
  o.adaptive = 1;
  o.rtol = o.atol = 1e-12;
  return o;
}

// ---- linear systems -----------------------------------------------------------------------------

enum { MOST = 6 };

// Step response by partial fractions: y(t) = sum of residues c_k (e^{p_k t} - 1)/p_k, for distinct
// real poles.
typedef struct Poles {
  int n;
  double p[MOST], c[MOST], direct;
} Poles;

static Poles random_poles(Rng* rng) {
  Poles s = {.n = 1 + rng_int(rng, 5)};
  for (int k = 0; k < s.n; k++) {
    s.p[k] = -0.5 - 1.5 * k - rng_uniform(rng, 0, 1);
    s.c[k] = rng_uniform(rng, -2, 2);
  }
  s.direct = rng_uniform(rng, 0, 1) < 0.5 ? 0 : rng_uniform(rng, -1, 1);
  return s;
}

static void times_root(double* poly, int degree, double root) {  // poly: highest first
  poly[degree + 1] = 0;
  for (int i = degree + 1; i > 0; i--) poly[i] -= root * poly[i - 1];
}

// The same as polynomials: sum of c_k/(s - p_k) + direct.
static void polynomials(const Poles* s, double* num, double* den) {
  den[0] = 1;
  for (int k = 0; k < s->n; k++) times_root(den, k, s->p[k]);
  for (int i = 0; i <= s->n; i++) num[i] = s->direct * den[i];
  for (int k = 0; k < s->n; k++) {
    double part[MOST + 1] = {1};
    int degree = 0;
    for (int j = 0; j < s->n; j++)
      if (j != k) times_root(part, degree++, s->p[j]);
    for (int i = 0; i < s->n; i++) num[i + 1] += s->c[k] * part[i];
  }
}

static void list(char* out, size_t size, const double* x, int n) {
  size_t used = 0;
  for (int i = 0; i < n; i++)
    used += (size_t)snprintf(out + used, size - used, "%s%.17g", i ? ", " : "", x[i]);
}

static void transfer_functions_answer_steps(void** state) {
  (void)state;
  Rng rng = rng_seed(test_seed(5));
  double worst = 0;
  for (int trial = 0; trial < test_effort(60); trial++) {
    const Poles s = random_poles(&rng);
    double num[MOST + 1], den[MOST + 1];
    char n[300], d[300], text[1200];
    polynomials(&s, num, den);
    list(n, sizeof n, num, s.n + 1);
    list(d, sizeof d, den, s.n + 1);
    snprintf(
        text, sizeof text,
        IDLE
        "signals: {y: {transfer_function: step(t - 0.2), numerator: [%s], denominator: [%s]}}\n"
        "outputs: [signals]\n",
        n, d);
    SarSimOptions o = tight();
    Run r = run_open(model_text(text), &o);
    for (int k = 1; k <= 8; k++) {
      const double t = 0.25 * k, after = t - 0.2;
      double exact = s.direct;
      for (int i = 0; i < s.n; i++) exact += s.c[i] * (exp(s.p[i] * after) - 1) / s.p[i];
      run_advance(&r, t);
      worst = fmax(worst, fabs(run_output(&r, "y") - exact));
    }
    run_close(&r);
  }
  print_message("transfer functions of degree 1 to 5 against partial fractions: %.1e\n", worst);
  EXPECT_AT_MOST(worst, 1e-8);
}

// Two forms of one system, and one that begins at rest.
static void forms_of_one_system_agree(void** state) {
  (void)state;
  SarSimOptions o = tight();
  Run r = run_open(
      model_text(IDLE
                 "signals:\n"
                 "  u: {filter2: 'step(t - 0.1)', frequency: 5, damping: 0.3}\n"
                 "  y: {transfer_function: u, numerator: [1, 3], denominator: [2, 4, 20]}\n"
                 "  z: {state_space: [u], A: [[0, 1], [-10, -2]], B: [[0], [1]], C: [[1.5, 0.5]]}\n"
                 "  p: {transfer_function: u, numerator: [25], denominator: [1, 3, 25]}\n"
                 "  q: {filter2: u, frequency: 5, damping: 0.3}\n"
                 "  l: {lead_lag: u, lead: 0.3, lag: 0.1}\n"
                 "  m: {transfer_function: u, numerator: [0.3, 1], denominator: [0.1, 1]}\n"
                 "  rest: {transfer_function: 2 + 0*t, numerator: [3], denominator: [1, 2, 6], "
                 "steady: 1}\n"
                 "outputs: [signals]\n"),
      &o);
  for (int k = 1; k <= 20; k++) {
    run_advance(&r, 0.1 * k);
    EXPECT_NEAR(run_output(&r, "y"), run_output(&r, "z"), 1e-11);
    EXPECT_NEAR(run_output(&r, "p"), run_output(&r, "q"), 1e-11);
    EXPECT_NEAR(run_output(&r, "l"), run_output(&r, "m"), 1e-11);
    EXPECT_NEAR(run_output(&r, "rest"), 1, 1e-12);
  }
  run_close(&r);
}

// A controller with two states on a mass, and a system with two inputs and outputs: exact values of
// a reference (time, position, force, two outputs).
static void controller_on_a_mass_follows_the_reference(void** state) {
  (void)state;
  static const double rows[][5] = {
      {0, 0, 0, 0, 0},
      {0.1, 0, 400, 0, 0},
      {0.2, 0.302728887, -16.8840493, 0.0948391147, 0.0814365339},
      {0.3, 0.598485974, -16.2461109, 0.178780983, 0.131029524},
      {0.4, 0.81335077, -12.4117987, 0.251170971, 0.155787859},
      {0.5, 0.965801824, -9.40699159, 0.311694239, 0.161670107},
      {0.6, 1.0709354, -7.08210968, 0.361360849, 0.18140012},
      {0.7, 1.14043847, -5.28676895, 0.404702463, 0.231719509},
      {0.8, 1.18333655, -3.9034642, 0.444960115, 0.284501016},
      {0.9, 1.20658419, -2.8406377, 0.481986803, 0.308463193},
      {1, 1.21552517, -2.02694327, 0.512518452, 0.281207986},
      {1.1, 1.21425105, -1.40677838, 0.531675661, 0.1979776},
      {1.2, 1.20588065, -0.936806181, 0.535132153, 0.0740693968},
      {1.3, 1.19277787, -0.583248054, 0.521154824, -0.0599304389},
      {1.4, 1.17672144, -0.319775382, 0.491768545, -0.168419516},
      {1.5, 1.15903723, -0.125867861, 0.452609058, -0.222955069},
      {1.6, 1.14070144, 0.014465254, 0.411490695, -0.212061754},
      {1.7, 1.12242089, 0.113681379, 0.376169927, -0.145225214},
      {1.8, 1.10469571, 0.181480935, 0.352071986, -0.049655265},
      {1.9, 1.08786803, 0.22541249, 0.340765697, 0.0390716392},
      {2, 1.07215993, 0.251344613, 0.339714834, 0.0892420148},
      {2.1, 1.05770297, 0.263833922, 0.343392323, 0.0838535212},
      {2.2, 1.04456108, 0.266412281, 0.345370803, 0.0263086896},
      {2.3, 1.03274826, 0.261811002, 0.340664524, -0.0610206093},
      {2.4, 1.0222424, 0.252135948, 0.327511666, -0.144844903},
      {2.5, 1.01299578, 0.239004364, 0.307982816, -0.192803397},
      {2.6, 1.00494327, 0.223651856, 0.287212038, -0.184960126},
      {2.7, 0.998008485, 0.20701608, 0.271528235, -0.120929967},
      {2.8, 0.992108544, 0.189802243, 0.266148337, -0.0201432293},
      {2.9, 0.987157595, 0.172534411, 0.27324627, 0.0848437716},
      {3, 0.983069457, 0.155595711, 0.291079479, 0.15965402},
      {3.1, 0.97975955, 0.139259857, 0.314484268, 0.180059254},
      {3.2, 0.977146275, 0.123715874, 0.336571941, 0.140428985},
      {3.3, 0.975151961, 0.10908751, 0.351037048, 0.0557037796},
      {3.4, 0.973703498, 0.0954484639, 0.354274118, -0.0438006105},
      {3.5, 0.972732704, 0.0828343456, 0.346565102, -0.122947308},
      {3.6, 0.972176513, 0.0712520581, 0.331923456, -0.154007671},
      {3.7, 0.971977006, 0.0606871568, 0.316649278, -0.126297518},
      {3.8, 0.972081347, 0.0511096148, 0.307099503, -0.0498572087},
      {3.9, 0.97244163, 0.0424783309, 0.307450921, 0.0481072468},
      {4, 0.973014679, 0.0347446467, 0.318235869, 0.13277664},
      {4.1, 0.973761803, 0.0278550798, 0.336160373, 0.17392596},
      {4.2, 0.974648531, 0.0217534369, 0.355266371, 0.156521183},
      {4.3, 0.97564433, 0.0163824371, 0.369030168, 0.0860029947},
      {4.4, 0.976722322, 0.011684947, 0.37266227, -0.0135885815},
      {4.5, 0.977858996, 0.00760490758, 0.36480358, -0.107993457},
      {4.6, 0.979033929, 0.00408801829, 0.348023985, -0.164687169},
      {4.7, 0.980229516, 0.00108222824, 0.327947956, -0.164235945},
      {4.8, 0.981430705, -0.0014619247, 0.311311656, -0.107083766},
      {4.9, 0.982624758, -0.00359109458, 0.303629525, -0.0133996822},
      {5, 0.98380101, -0.00534900212, 0.307284984, 0.083962125},
  };
  SarSimOptions o = tight();
  Run r = run_open(
      model_text(
          "gravity: [0, 0, 0]\n"
          "bodies: {a: {mass: 2, inertia: [1, 1, 1]}}\n"
          "joints: {j: {prismatic: [ground, a], axis: x, force: F}}\n"
          "variables: {u2: 'piecewise(t < 0.5, 0, 0.5*sin(6*(t - 0.5)))'}\n"
          "signals:\n"
          "  F: {state_space: ['step(t - 0.1) - j.q'], A: [[0, 0], [0, -50]], B: [[1], [1]], C: "
          "[[5, -19500]], D: [[400]]}\n"
          "  y: {state_space: [step(t - 0.1), u2], A: [[-1, 2, 0], [-2, -1, 1], [0, 0, -3]], B: "
          "[[1, 0], [0, 1], [1, 1]], C: [[1, 0, 0], [0, 1, 1]]}\n"
          "outputs: [joints, signals]\n"),
      &o);
  double worst = 0;
  for (size_t i = 1; i < sizeof rows / sizeof *rows; i++) {
    run_advance(&r, rows[i][0]);
    if (fabs(rows[i][0] - 0.1) < 1e-9) continue;  // the step itself: either side
    worst = fmax(worst, fabs(run_output(&r, "j.q") - rows[i][1]));
    worst = fmax(worst, fabs(run_output(&r, "F") - rows[i][2]) / 400);
    worst = fmax(worst, fabs(run_output(&r, "y.y1") - rows[i][3]));
    worst = fmax(worst, fabs(run_output(&r, "y.y2") - rows[i][4]));
  }
  print_message("controller on a mass and a system of two inputs: %.1e\n", worst);
  EXPECT_AT_MOST(worst, 1e-8);
  run_close(&r);
}

// ---- sampled loops ------------------------------------------------------------------------------

#define SAMPLED_LOOP                                                                          \
  "gravity: [0, 0, 0]\nbodies: {a: {mass: 2, inertia: [1, 1, 1]}}\n"                          \
  "joints: {j: {prismatic: [ground, a], axis: x, position: 0.1, force: u}}\n"                 \
  "signals: {u: {sampled_pid: 0.5 - j.q, period: 0.04, offset: 0.01, kp: 30, ki: 20, kd: 4, " \
  "lower: -3, upper: 3}}\n"                                                                   \
  "outputs: [joints, signals]\n"

typedef struct Loop {  // of SAMPLED_LOOP where an instant is over
  double q, v, u, i, before;
} Loop;

static double clamp3(double x) { return fmin(fmax(x, -3), 3); }

static void next_instant(Loop* s, double h) {  // flight to the instant, then the controller
  const double a = s->u / 2;
  s->q += h * s->v + 0.5 * h * h * a;
  s->v += h * a;
  const double e = 0.5 - s->q;
  s->i = clamp3(s->i + 20 * 0.04 * e);
  s->u = clamp3(30 * e + s->i + 4 * (e - s->before) / 0.04);
  s->before = e;
}

// By every formulation and integrator: a step ends on each instant, to the bit, and the output of
// the controller is what the difference equation has, to the order of the integrator.
static void sampled_loop_by_every_method(void** state) {
  (void)state;
  int tried = 0;
  for (int f = 0; sar_formulation(f); f++)
    for (int i = 0; sar_integrator(i); i++) {
      SarSimOptions o = sar_sim_options();
      SarError err;
      Run r = {.m = model_text(SAMPLED_LOOP)};
      if (sar_integrator(i)->missing || !sar_goes_with(sar_formulation(f), sar_integrator(i)) ||
          !test_takes((size_t)(f + i), 4)) {
        sar_model_free(r.m);
        continue;
      }
      o.formulation = sar_formulation(f)->name;
      o.integrator = sar_integrator(i)->name;
      o.step = 0.007;
      sar_error_init(&err);
      EXPECT_OK_OR(sar_data_new(r.m, &r.d, &err), &err);
      if (sar_sim_new(r.m, r.d, &o, &r.s, &err) != SAR_OK) {
        run_close(&r);
        continue;
      }
      tried++;
      Loop exact = {.q = 0.1};
      int k = 0;
      // implicit rules of second order and higher ones have flights under a constant force exactly
      const bool is_exact = sar_integrator(i)->order >= 2;
      while (k < 12) {
        EXPECT_OK(sar_step(r.s));
        if (sar_time(r.d) < 0.01 + 0.04 * k) continue;
        if (sar_time(r.d) != 0.01 + 0.04 * k)
          fail_msg("%s with %s passes instant %d at %.17g", o.formulation, o.integrator, k,
                   sar_time(r.d));
        next_instant(&exact, k == 0 ? 0.01 : 0.04);
        EXPECT_NEAR(run_output(&r, "u"), exact.u, is_exact ? 1e-8 : 0.5);
        EXPECT_NEAR(run_output(&r, "j.q"), exact.q, is_exact ? 1e-9 : 0.02);
        k++;
      }
      run_close(&r);
    }
  print_message("%d pairs of formulation and integrator land on all instants\n", tried);
  assert_true(tried >= 4);
}

// A transfer function in z, the state space of the same, and the difference equation.
static void difference_equations_hold(void** state) {
  (void)state;
  SarSimOptions o = tight();
  Run r = run_open(
      model_text(IDLE "signals:\n"
                      "  y: {transfer_function: 'sin(7*t)', numerator: [0.5, 0.2], "
                      "denominator: [1, -0.9, 0.3], period: 0.05}\n"
                      "  z: {state_space: ['sin(7*t)'], A: [[0, 1], [-0.3, 0.9]], B: [[0], [1]], "
                      "C: [[0.2, 0.5]], period: 0.05}\n"
                      "  s: {sample: 'sin(7*t)', period: 0.05}\n"
                      "  b: {unit_delay: s, period: 0.05, start: 9}\n"
                      "  c: {unit_delay: b, period: 0.05, start: 8}\n"
                      "outputs: [signals]\n"),
      &o);
  double y[2] = {0}, u[2] = {0}, seen[2] = {8, 9};
  for (int k = 0; k < 40; k++) {
    const double now = sin(7 * (0.05 * k));
    const double next = 0.9 * y[0] - 0.3 * y[1] + 0.5 * u[0] + 0.2 * u[1];
    run_advance(&r, 0.05 * k + 0.02);
    EXPECT_NEAR(run_output(&r, "y"), next, 1e-13);
    EXPECT_NEAR(run_output(&r, "z"), next, 1e-13);
    EXPECT_NEAR(run_output(&r, "s"), now, 1e-13);
    EXPECT_NEAR(run_output(&r, "b"), seen[1], 1e-13);
    EXPECT_NEAR(run_output(&r, "c"), seen[0], 1e-13);
    y[1] = y[0], y[0] = next;
    u[1] = u[0], u[0] = now;
    seen[0] = seen[1], seen[1] = now;
  }
  run_close(&r);
}

static void delay_is_exact_at_instants(void** state) {
  (void)state;
  SarSimOptions o = tight();
  Run r = run_open(
      model_text(IDLE "signals: {d: {delay: 'sin(5*t)', time: 0.2, samples: 8, start: 3}}\n"
                      "outputs: [signals]\n"),
      &o);
  double between = 0;
  for (int k = 1; k <= 60; k++) {
    const double t = 0.0125 * k;
    run_advance(&r, t);
    const double exact = t < 0.2 - 1e-9 ? 3 : sin(5 * (t - 0.2)), found = run_output(&r, "d");
    if (k % 2 == 0) EXPECT_NEAR(found, exact, t < 0.225 ? 3.2 : 1e-12);
    if (t > 0.226) between = fmax(between, fabs(found - exact));
  }
  print_message("delay between its instants: %.1e\n", between);
  EXPECT_AT_MOST(between, 25 * 0.025 * 0.025 / 8 * 1.01);  // x'' h^2 / 8
  run_close(&r);
}

// ---- relays -------------------------------------------------------------------------------------

// z' = (r - z)/T between two thresholds: z(t) = r + (z0 - r) e^{-t/T}, so the relay switches after
// T ln((r - off)/(r - on)) and T ln(on/off).
static void relay_switches_on_time(void** state) {
  (void)state;
  SarSimOptions o = tight();
  Run r = run_open(model_text(IDLE "states: {z: {rate: (2*(1 - hot) - z)/0.5}}\n"
                                   "signals: {hot: {relay: z, on: 1.5, off: 0.5}}\n"
                                   "outputs: [states, signals]\n"),
                   &o);
  double t = 0, from = 0;
  bool hot = false;
  for (int k = 0; k < 10; k++) {
    const double target = hot ? 0 : 2, to = hot ? 0.5 : 1.5;
    const double next = t + 0.5 * log((target - from) / (target - to));
    run_advance(&r, next - 1e-7);
    EXPECT_NEAR(run_output(&r, "hot"), hot, 0);
    run_advance(&r, next + 1e-7);
    EXPECT_NEAR(run_output(&r, "hot"), !hot, 0);
    t = next, from = to, hot = !hot;
  }
  run_close(&r);
}

// ---- noise --------------------------------------------------------------------------------------

static void noise_is_normal_and_white(void** state) {
  (void)state;
  enum { N = 4000 };
  SarSimOptions o = sar_sim_options();
  o.step = 0.5;
  Run r = run_open(model_text(IDLE "gravity: [0, 0, 0]\n"
                                   "signals:\n"
                                   "  n: {noise: 2, period: 1, mean: 3}\n"
                                   "  m: {noise: 2, period: 1, mean: 3, seed: 2}\n"
                                   "outputs: [signals]\n"),
                   &o);
  double sum = 0, square = 0, fourth = 0, beside = 0, after = 0, before = 0;
  for (int k = 0; k < N; k++) {
    run_advance(&r, k + 0.5);
    const double x = (run_output(&r, "n") - 3) / 2, y = (run_output(&r, "m") - 3) / 2;
    sum += x, square += x * x, fourth += x * x * x * x, beside += x * y, after += x * before;
    before = x;
  }
  // five standard deviations of each mean
  EXPECT_NEAR(sum / N, 0, 5 / sqrt(N));
  EXPECT_NEAR(square / N, 1, 5 * sqrt(2.0 / N));
  EXPECT_NEAR(fourth / N, 3, 5 * sqrt(96.0 / N));
  EXPECT_NEAR(beside / N, 0, 5 / sqrt(N));
  EXPECT_NEAR(after / N, 0, 5 / sqrt(N));
  run_close(&r);
}

// ---- all kinds ----------------------------------------------------------------------------------

// The example of each kind: read, run, finite; a copy goes on alike, bit for bit; a reset begins
// anew.
static void every_kind_runs_and_copies(void** state) {
  (void)state;
  for (int k = 0; sar_signal_kind(k); k++) {
    char text[600];
    snprintf(text, sizeof text,
             "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
             "joints: {j: {revolute: [ground, a], axis: x, force: 0.1*s}}\n"
             "signals: {s: %s}\noutputs: [joints, signals, states]\n",
             sar_signal_kind(k)->example);
    SarSimOptions o = sar_sim_options();
    o.formulation = "aba", o.integrator = "rk4", o.step = 0.004;
    Run r = run_open(model_text(text), &o);
    run_with_copy(&r, &o, 0.33, 0.9, sar_signal_kind(k)->name);
    const double end = run_output(&r, "s");
    assert_true(isfinite(end));
    sar_data_reset(r.d);
    run_advance(&r, 0.33);
    run_advance(&r, 0.9);
    EXPECT_NEAR(run_output(&r, "s"), end, 0);
    run_close(&r);
  }
}

// Limits hold, in explicit and implicit steps: x' = f with f discontinuous would have no implicit
// step.
static void limits_hold_in_implicit_steps(void** state) {
  (void)state;
  static const char* const methods[][2] = {
      {"aba", "rk4"}, {"aba", "trapezoidal"}, {"hybrid", NULL}, {"impulse", NULL}};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    SarSimOptions o = sar_sim_options();
    o.formulation = methods[i][0];
    if (methods[i][1]) o.integrator = methods[i][1];
    o.step = 0.001;
    Run r = run_open(
        model_text(IDLE
                   "signals:\n"
                   "  i: {integrator: 'cos(2*t)', lower: -0.3, upper: 0.2}\n"
                   "  p: {pid: 'sin(2*t)', kp: 1, ki: 4, lower: -0.5, upper: 0.5, tracking: 0.05}\n"
                   "  r: {rate_limit: 'sin(2*t)', up: 0.5, down: 1}\n"
                   "outputs: [signals]\n"),
        &o);
    double before = 0;
    for (int k = 1; k <= 100; k++) {
      run_advance(&r, 0.05 * k);
      EXPECT_NEAR(run_output(&r, "i"), -0.05, 0.25 + 1e-9);
      EXPECT_NEAR(run_output(&r, "p"), 0, 0.5);
      EXPECT_NEAR(run_output(&r, "r") - before, -0.0125, 0.0375 + 1e-9);
      before = run_output(&r, "r");
    }
    run_close(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(transfer_functions_answer_steps),
      cmocka_unit_test(forms_of_one_system_agree),
      cmocka_unit_test(controller_on_a_mass_follows_the_reference),
      cmocka_unit_test(sampled_loop_by_every_method),
      cmocka_unit_test(difference_equations_hold),
      cmocka_unit_test(delay_is_exact_at_instants),
      cmocka_unit_test(relay_switches_on_time),
      cmocka_unit_test(noise_is_normal_and_white),
      cmocka_unit_test(every_kind_runs_and_copies),
      cmocka_unit_test(limits_hold_in_implicit_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
