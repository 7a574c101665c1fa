// Explicit Runge-Kutta: Dormand and Prince's embedded pair of order 5(4), with dense output of
// order 4.
//
// Seven stages, of which the last is the first of the next step: six evaluations a step. The
// default: the cheapest way to a few up to twelve digits for models that are not stiff.
// Source: Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I (1993), table
// II.5.2 and eq. II.6.
#include "base/block.h"
#include "integrators/control.h"
#include "integrators/stage.h"

enum { STAGES = 7, ERROR_ORDER = 5 };

// clang-format off
static const double C[STAGES] = {0, 1./5, 3./10, 4./5, 8./9, 1, 1};
static const double A[STAGES][STAGES - 1] = {
    {0},
    {1./5},
    {3./40, 9./40},
    {44./45, -56./15, 32./9},
    {19372./6561, -25360./2187, 64448./6561, -212./729},
    {9017./3168, -355./33, 46732./5247, 49./176, -5103./18656},
    {35./384, 0, 500./1113, 125./192, -2187./6784, 11./84},  // = b: the result
};
// difference of the two results, and the last coefficient of the dense output
static const double E[STAGES] = {71./57600, 0, -71./16695, 71./1920, -17253./339200, 22./525, -1./40};
static const double D[STAGES] = {-12715105075./11282082432., 0, 87487479700./32700410799.,
                                 -10690763975./1880347072., 701980252875./199316789632.,
                                 -1453857185./822651844., 69997945./29380423.};
// clang-format on

typedef struct Dopri5 {
  double h;           // of the last attempt
  double *y0, *y1;    // its start and end
  double* k[STAGES];  // its stages
} Dopri5;

static void lay_out(Dopri5* p, const SarModel* m, SarBlock* b) {
  const int n = sar_stage_size(m);
  SAR_PIECE(b, p->y0, n);
  SAR_PIECE(b, p->y1, n);
  for (int i = 0; i < STAGES; i++) SAR_PIECE(b, p->k[i], n);
}

static size_t state_size(const SarModel* m, const SarSimOptions* o) {
  (void)o;
  Dopri5 p;
  SarBlock b = sar_block(NULL, sizeof p);
  lay_out(&p, m, &b);
  return b.used;
}

static SarStatus start(SarSim* s, SarError* err) {
  (void)err;
  Dopri5* p = s->integrator_state;
  SarBlock b = sar_block(p, sizeof *p);
  lay_out(p, s->m, &b);
  return SAR_OK;
}

// x = y0 + h sum_j a_j k_j over the stages before `stage`
static void combine(const Dopri5* p, int n, int stage, double* x) {
  const double* a = A[stage];
  for (int i = 0; i < n; i++) {
    double sum = a[0] * p->k[0][i];
    for (int j = 1; j < stage; j++) sum += a[j] * p->k[j][i];
    x[i] = p->y0[i] + p->h * sum;
  }
}

// All stages; d ends where the step does, evaluated there.
static SarStatus take(SarSim* s, double h, double t_end) {
  Dopri5* p = s->integrator_state;
  int n = sar_stage_size(s->m);
  p->h = h;
  sar_stage_first(s, p->y0, p->k[0]);
  for (int stage = 1; stage < STAGES; stage++) {
    double t = C[stage] < 1 ? s->start.t + C[stage] * h : t_end;
    combine(p, n, stage, p->y1);
    SAR_TRY(sar_stage_rate(s, t, p->y1, p->k[stage]));
  }
  return SAR_OK;
}

static double error(SarSim* s, double* e) {
  const Dopri5* p = s->integrator_state;
  for (int i = 0; i < sar_stage_work(s->m); i++) {
    double sum = 0;
    for (int j = 0; j < STAGES; j++) sum += E[j] * p->k[j][i];
    e[i] = p->h * sum;
  }
  return sar_attempt_error(s, p->h, e);
}

static SarStatus adaptive_step(SarSim* s, double* e) {
  SarAttempt a = sar_attempt_first(s);
  for (int i = 0; i < SAR_MAX_ATTEMPTS; i++) {
    SarStatus st = take(s, a.h, a.t_end);
    double err = st == SAR_OK ? error(s, e) : 0;
    bool good = st == SAR_OK && sar_attempt_is_good(s, &a, err, ERROR_ORDER);
    if (good) st = sar_stage_settle(s);
    if (good && st == SAR_OK) return SAR_OK;
    SAR_TRY(sar_attempt_reject(s, &a, st, err, ERROR_ORDER));
  }
  return SAR_STEP_TOO_SMALL;
}

static SarStatus step(SarSim* s) {
  if (!s->adaptive) {
    SAR_TRY(take(s, s->stop - s->start.t, s->stop));
    return sar_stage_settle(s);
  }
  SarMark mark = sar_mark(s);
  double* e = sar_push_doubles(s, sar_stage_work(s->m));
  SarStatus st = e ? adaptive_step(s, e) : SAR_NO_SCRATCH;
  sar_pop(s, mark);
  return st;
}

// y(theta) = y0 + theta (c2 + (1 - theta) (c3 + theta (c4 + (1 - theta) c5)))
static void dense(SarSim* s, double theta, double* y) {
  const Dopri5* p = s->integrator_state;
  int n = sar_stage_size(s->m);
  double h = p->h, rest = 1 - theta;
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < STAGES; j++) sum += D[j] * p->k[j][i];
    double c2 = p->y1[i] - p->y0[i], c3 = h * p->k[0][i] - c2;
    double c4 = c2 - h * p->k[STAGES - 1][i] - c3, c5 = h * sum;
    y[i] = p->y0[i] + theta * (c2 + rest * (c3 + theta * (c4 + rest * c5)));
  }
}

static size_t stack_size(const SarModel* m) { return sar_doubles((size_t)sar_stage_work(m)); }

const SarIntegrator sar_integrator_dopri5 = {
    .name = "dopri5",
    .doc = "Dormand-Prince 5(4): adaptive (or fixed) steps, dense output, kinks located",
    .ref = "Dormand and Prince 1980; Hairer, Norsett and Wanner 1993, sec. II.5",
    .order = 5,
    .serves = SAR_FOR_ACCEL,
    .usual = SAR_FOR_ACCEL,
    .adaptive_default = true,
    .can_fix = true,
    .can_adapt = true,
    .state_size = state_size,
    .stack_size = stack_size,
    .start = start,
    .step = step,
    .dense = dense,
};
