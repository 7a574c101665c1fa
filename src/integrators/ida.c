// SUNDIALS IDA: backward differentiation formulas (BDF) of order 1 to 5 on the residual form of the
// equations, an index-2 DAE (residual_form.h), multipliers and all. An optional back end: builds
// without the library list it and say so.
//
// It is there as a second opinion: positions and velocities rest on recursive Newton-Euler and on
// the constraints themselves. What a formulation finds at their present values serves for a first
// guess where IDA starts, and for the accelerations and reactions that are shown.
//
// Multipliers are algebraic unknowns of index 2: they carry the errors of velocities over the step,
// say nothing about the motion, and take no part in error control. So work, which drives do by
// their multipliers, is not integrated along but by Simpson's rule, from powers that a formulation
// finds. Steps near a singular position, where multipliers are not determined, fail, and it says
// so.
// Source: Hindmarsh et al., SUNDIALS, ACM Trans. Math. Software 31 (2005).
#include "model/sim.h"

#ifdef SARRUS_HAVE_IDA
#include "dynamics/constraints.h"
#include "dynamics/projection.h"
#include "integrators/control.h"
#include "integrators/residual_form.h"
#include "integrators/sundials.h"
#include "model/room.h"

#include <float.h>
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

static const double NO_TEST = 1e-10;  // weight of multipliers
// Newton's method ends when what is left is this share of the tolerances, and constraints are held
// to it; near the limit of rounding the largest one that IDA can do with.
static const double NEWTON = 0.01, NEWTON_MOST = 0.33;
// What is left never gets smaller than this, of coordinates and speeds of size 1; and of the
// largest ones.
static const double ROUNDING = 1e-13, LEAST = 1e-14;

typedef struct Ida {
  SarResidualForm form;
  SUNContext context;
  void* memory;
  N_Vector y, dy, differential;
  SUNMatrix matrix;
  SUNLinearSolver solver;
  double share, newton;      // of the tolerances: given to IDA; left by Newton's method
  double* base;              // q that xi counts from
  double* work;              // nwork: Simpson's rule up to the middle of the step
  bool running;              // the history holds
  SundialsCounters counted;  // those of IDA that are in the statistics already
} Ida;

static void lay_out(Ida* p, const SarModel* m, SarBlock* b) {
  SAR_PIECE(b, p->base, m->nq_all);
  SAR_PIECE(b, p->work, m->nwork);
  sar_residual_form_layout(&p->form, m, b);
}

static size_t state_size(const SarModel* m, const SarSimOptions* o) {
  (void)o;
  Ida p;
  SarBlock b = sar_block(NULL, sizeof p);
  lay_out(&p, m, &b);
  return b.used;
}

// What is not finite at a trial state is for IDA to avoid by a smaller step: positive return.
static int residual(sunrealtype t, N_Vector y, N_Vector dy, N_Vector r, void* context) {
  SarSim* s = context;
  Ida* p = s->integrator_state;
  return sar_residual_eval(s, &p->form, t, N_VGetArrayPointer(y), N_VGetArrayPointer(dy),
                           N_VGetArrayPointer(r))
             ? 0
             : 1;
}

static int jacobian(sunrealtype t, sunrealtype c, N_Vector y, N_Vector dy, N_Vector r, SUNMatrix J,
                    void* context, N_Vector tmp1, N_Vector tmp2, N_Vector tmp3) {
  SarSim* s = context;
  Ida* p = s->integrator_state;
  (void)tmp2, (void)tmp3;
  return sar_residual_jacobian(s, &p->form, t, c, N_VGetArrayPointer(y), N_VGetArrayPointer(dy),
                               N_VGetArrayPointer(r), N_VGetArrayPointer(tmp1), SM_COLS_D(J))
             ? 0
             : 1;
}

static double largest(int n, const double* x) {
  double most = 1;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

// 1 / tolerance of every unknown. IDA takes the root mean square over all n of them, we mean the
// largest: a share 1 / sqrt(n) of what the options say makes sure.
static int weights(N_Vector y, N_Vector weight, void* context) {
  const SarSim* s = context;
  const Ida* p = s->integrator_state;
  const int nv = s->m->nv;
  const double* x = N_VGetArrayPointer(y);
  const double least = LEAST / p->newton;
  const double floor[2] = {least * largest(nv, x), least * largest(nv, x + nv)};
  double* w = N_VGetArrayPointer(weight);
  N_VConst(NO_TEST, weight);
  for (int i = 0; i < 2 * nv; i++)
    w[i] = 1 / (p->share * (s->options.atol + s->options.rtol * fabs(x[i])) + floor[i / nv]);
  for (int i = 2 * nv; i < sar_stage_work(s->m); i++)
    w[i] = 1 / (p->share * (s->options.atol + s->options.rtol * fabs(x[i])) + least * fabs(x[i]));
  return 0;
}

// ---- life ---------------------------------------------------------------------------------------

static void finish(SarSim* s) {
  Ida* p = s->integrator_state;
  if (p->memory) IDAFree(&p->memory);
  if (p->solver) SUNLinSolFree(p->solver);
  if (p->matrix) SUNMatDestroy(p->matrix);
  if (p->differential) N_VDestroy(p->differential);
  if (p->dy) N_VDestroy(p->dy);
  if (p->y) N_VDestroy(p->y);
  if (p->context) SUNContext_Free(&p->context);
}

static bool make_vectors(SarSim* s, Ida* p) {
  const int n = sar_residual_count(s->m, &p->form);
  p->share = 1 / sqrt(n);
  if (sundials_open(&p->context) != 0) return false;
  p->y = N_VNew_Serial(n, p->context);
  p->dy = N_VNew_Serial(n, p->context);
  p->differential = N_VNew_Serial(n, p->context);
  p->matrix = SUNDenseMatrix(n, n, p->context);
  p->memory = IDACreate(p->context);
  if (!p->y || !p->dy || !p->differential || !p->matrix || !p->memory) return false;
  p->solver = SUNLinSol_Dense(p->y, p->matrix, p->context);
  if (!p->solver) return false;
  for (int i = 0; i < n; i++)
    N_VGetArrayPointer(p->differential)[i] = i < sar_stage_work(s->m) ? 1 : 0;
  N_VConst(0, p->y);
  N_VConst(0, p->dy);
  return true;
}

static bool create(SarSim* s, Ida* p) {
  if (!make_vectors(s, p)) return false;
  const double tightest = p->share * fmin(s->options.rtol, s->options.atol);
  p->newton = fmin(NEWTON_MOST, fmax(NEWTON, ROUNDING / tightest));
  const double longest = s->options.max_step > 0 ? s->options.max_step : SAR_LONGEST_STEP;
#if SUNDIALS_VERSION_MAJOR < 7
  IDASetErrHandlerFn(p->memory, sundials_drop_message, NULL);
#endif
  return IDAInit(p->memory, residual, s->d->t, p->y, p->dy) == IDA_SUCCESS &&
         IDAWFtolerances(p->memory, weights) == IDA_SUCCESS &&
         IDASetUserData(p->memory, s) == IDA_SUCCESS &&
         IDASetLinearSolver(p->memory, p->solver, p->matrix) == IDA_SUCCESS &&
         IDASetJacFn(p->memory, jacobian) == IDA_SUCCESS &&
         IDASetId(p->memory, p->differential) == IDA_SUCCESS &&
         IDASetSuppressAlg(p->memory, 1) == IDA_SUCCESS &&
         IDASetNonlinConvCoef(p->memory, p->newton) == IDA_SUCCESS &&
         IDASetMaxNonlinIters(p->memory, s->options.max_iterations) == IDA_SUCCESS &&
         IDASetMaxStep(p->memory, longest) == IDA_SUCCESS;
}

// Forgets the history and starts from s->start, where d is evaluated. The first step is one of
// order 1: its residual knows the state alone, accelerations and multipliers only spare iterations.
static bool begin(SarSim* s) {
  Ida* p = s->integrator_state;
  memcpy(p->base, s->start.q, (size_t)s->m->nq * sizeof *p->base);
  sar_residual_choose(s, &p->form);
  sar_residual_first(s, &p->form, N_VGetArrayPointer(p->y), N_VGetArrayPointer(p->dy));
  p->counted = (SundialsCounters){0};
  p->running = IDAReInit(p->memory, s->start.t, p->y, p->dy) == IDA_SUCCESS;
  return p->running;
}

// The last of IDA's memory is taken at its first step: one is taken here and thrown away.
static void warm_up(SarSim* s) {
  Ida* p = s->integrator_state;
  const SarModel* m = s->m;
  SarData* d = s->d;
  double end = d->t + s->options.step, reached;
  sundials_begin_trial(s);
  sar_update_kinematics(m, d);
  sar_update_world(m, d);
  if (m->nrow > 0) sar_update_constraints(m, d);
  if (begin(s)) IDASolve(p->memory, end, &reached, p->y, p->dy, IDA_ONE_STEP);
  sundials_end_trial(s);
  p->running = false;
}

static SarStatus start(SarSim* s, SarError* err) {
  Ida* p = s->integrator_state;
  SarBlock b = sar_block(p, sizeof *p);
  lay_out(p, s->m, &b);
  if (s->m->nrow > 0 && !s->d->assembled) {
    sar_report(err, (SarLoc){0}, "sar_assemble_rows",
               "IDA holds the constraints that are independent: they must be assembled first");
    return SAR_BAD_ARGUMENT;
  }
  sar_residual_form_init(s, &p->form);
  SAR_TRY(sar_room_for(s->m,
                       s->stats.scratch_bytes + sundials_bytes(sar_residual_count(s->m, &p->form)),
                       "setting up IDA", err));
  if (create(s, p)) {
    warm_up(s);
    return SAR_OK;
  }
  sar_report(err, (SarLoc){0}, "", "out of memory while setting up IDA");
  return SAR_NO_MEMORY;
}

// ---- steps --------------------------------------------------------------------------------------

static SarStatus status_of(int flag) {
  switch (flag) {
    case IDA_SUCCESS:
    case IDA_TSTOP_RETURN: return SAR_OK;
    case IDA_CONV_FAIL: return SAR_NOT_CONVERGED;
    case IDA_LSETUP_FAIL:
    case IDA_LSOLVE_FAIL: return SAR_SINGULAR;
    case IDA_REP_RES_ERR:
    case IDA_RES_FAIL:
    case IDA_FIRST_RES_FAIL: return SAR_NOT_FINITE;
    default: return SAR_STEP_TOO_SMALL;
  }
}

static void count(SarSim* s, Ida* p) {
  SundialsCounters now = {0};
  IDAGetNumNonlinSolvIters(p->memory, &now.iterations);
  IDAGetNumErrTestFails(p->memory, &now.rejected);
  sundials_count(s, &p->counted, now);
}

// d at the end of the step, evaluated.
//
//   work += h (P(0) + 4 P(h/2) + P(h)) / 6
static SarStatus land(SarSim* s, Ida* p, double t) {
  const SarModel* m = s->m;
  const double h = t - s->start.t, sixth = h / 6;
  if (m->nwork > 0) {
    N_Vector middle = p->dy;  // IDA keeps its own
    if (IDAGetDky(p->memory, t - 0.5 * h, 0, middle) != IDA_SUCCESS) return SAR_NOT_CONVERGED;
    SAR_TRY(sar_residual_land(s, &p->form, t - 0.5 * h, N_VGetArrayPointer(middle)));
    for (int i = 0; i < m->nwork; i++)
      p->work[i] = s->start.work[i] + sixth * (s->start.power[i] + 4 * s->d->work_rate[i]);
  }
  SAR_TRY(sar_residual_land(s, &p->form, t, N_VGetArrayPointer(p->y)));
  for (int i = 0; i < m->nwork; i++) s->d->work[i] = p->work[i] + sixth * s->d->work_rate[i];
  if (s->projection) s->projection->drift = sar_violation(m, s->d);
  return SAR_OK;
}

// Where this step must not go beyond: s->stop. If its end is nearer than two steps, halves of the
// way there: IDA would take one whole step and leave a sliver, over which its differences are
// nothing but rounding.
static double stop_for(const SarSim* s, const Ida* p) {
  double h = 0;
  IDAGetCurrentStep(p->memory, &h);
  const double left = s->stop - s->start.t;
  return h < left && left < 2 * h ? s->start.t + 0.5 * left : s->stop;
}

// The state is another one: its history is not the one that the library holds.
static void adopt(SarSim* s) {
  Ida* p = s->integrator_state;
  p->running = false;
}

static SarStatus step(SarSim* s) {
  Ida* p = s->integrator_state;
  if ((s->restart || !p->running) && !begin(s)) return SAR_NOT_CONVERGED;
  double t = s->start.t, target = isfinite(s->stop) ? s->stop : t + 1;
  if (isfinite(s->stop)) IDASetStopTime(p->memory, stop_for(s, p));
  IDASetMinStep(p->memory, 16 * DBL_EPSILON * fabs(t));  // or it would creep up to a singularity
  // the turns of cut joints are those of the start of this step
  for (int i = s->m->nq; i < s->m->nq_all; i++) p->base[i] = s->start.q[i];
  double* own = sundials_swap_base(s, p->base);
  SarStatus st = status_of(IDASolve(p->memory, target, &t, p->y, p->dy, IDA_ONE_STEP));
  if (st == SAR_NOT_CONVERGED && sar_residual_is_singular(s, &p->form)) st = SAR_SINGULAR;
  count(s, p);
  IDAGetCurrentStep(p->memory, &s->tried);
  if (t > s->stop) t = s->stop;
  if (st == SAR_OK) st = land(s, p, t);
  sundials_swap_base(s, own);
  p->running = st == SAR_OK && !sundials_has_turned_far(s, N_VGetArrayPointer(p->y)) &&
               !sar_residual_is_weak(s, &p->form);
  return st;
}

#endif

const SarIntegrator sar_integrator_ida = {
    .name = "ida",
    .ref = "Hindmarsh et al. 2005",
    .order = 5,
    .serves = SAR_FOR_ACCEL,
    .adaptive_default = true,
    .can_adapt = true,
    .implicit = true,
    .keeps_history = true,
#ifdef SARRUS_HAVE_IDA
    .doc =
        "SUNDIALS IDA: backward differentiation formulas on the residual of the equations, a "
        "second opinion",
    .state_size = state_size,
    .start = start,
    .finish = finish,
    .adopt = adopt,
    .step = step,
#else
    .doc = "SUNDIALS IDA, a second opinion: not in this build (needs libsundials-dev)",
    .missing = "not in this build (needs libsundials-dev)",
#endif
};
