// SUNDIALS CVODE: backward differentiation formulas (BDF) of order 1 to 5, for stiff models. An
// optional back end: builds without the library list it and say so.
//
// Its local coordinates xi count from a base of their own (sundials.h). Constraints are projected
// within its steps. Work is integrated along but left out of the error test.
// Source: Hindmarsh et al., SUNDIALS, ACM Trans. Math. Software 31 (2005).
#include "base/block.h"
#include "dynamics/projection.h"
#include "integrators/control.h"
#include "integrators/stage.h"

#ifdef SARRUS_HAVE_SUNDIALS
#include "integrators/sundials.h"
#include "model/room.h"

#include <cvode/cvode.h>
#include <float.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

static const double NO_TEST = 1e10;  // absolute tolerance of work [J]

typedef struct Cvode {
  SUNContext context;
  void* memory;
  N_Vector y, tolerance;
  SUNMatrix matrix;
  SUNLinearSolver solver;
  double* base;              // q that xi counts from
  bool warm;                 // all memory is taken
  bool running;              // the history holds
  SarStatus failed;          // what the accelerations said last
  SundialsCounters counted;  // those of CVODE that are in the statistics already
} Cvode;

static size_t state_size(const SarModel* m, const SarSimOptions* o) {
  (void)o;
  Cvode p;
  SarBlock b = sar_block(NULL, sizeof p);
  SAR_PIECE(&b, p.base, m->nq_all);
  return b.used;
}

// Anything wrong at a trial state is for CVODE to avoid by a smaller step: positive return.
static int rate(sunrealtype t, N_Vector y, N_Vector dy, void* context) {
  SarSim* s = context;
  Cvode* p = s->integrator_state;
  p->failed = sar_stage_rate(s, t, N_VGetArrayPointer(y), N_VGetArrayPointer(dy));
  for (int i = 0; i < s->m->nv && p->failed == SAR_OK; i++)
    if (!isfinite(s->d->a[i])) {
      p->failed = SAR_NOT_FINITE;
      s->worst = i;
    }
  for (int i = 0; i < s->m->nz && p->failed == SAR_OK; i++)
    if (!isfinite(s->d->z_rate[i])) {
      p->failed = SAR_NOT_FINITE;
      s->worst = s->m->nv + i;
    }
  return p->failed == SAR_OK ? 0 : 1;
}

// By differences, as CVODE's own, which takes memory from the heap each time. Nothing depends on
// the work accounts: their columns are zero, as CVODE left them.
static int jacobian(sunrealtype t, N_Vector y, N_Vector dy, SUNMatrix J, void* context,
                    N_Vector tmp1, N_Vector tmp2, N_Vector tmp3) {
  SarSim* s = context;
  int n = sar_stage_size(s->m);
  double *x = N_VGetArrayPointer(y), *at = N_VGetArrayPointer(dy),
         *moved = N_VGetArrayPointer(tmp1);
  (void)tmp2, (void)tmp3;
  for (int i = 0; i < sar_stage_work(s->m); i++) {
    double kept = x[i], step = 1e-8 * (1 + fabs(kept)), *column = SUNDenseMatrix_Column(J, i);
    x[i] = kept + step;
    int failed = rate(t, y, tmp1, context);
    x[i] = kept;
    if (failed) return failed;
    for (int k = 0; k < n; k++) column[k] = (moved[k] - at[k]) / step;
  }
  return 0;
}

// CVODE lets us correct what a step has found before it enters the history: back onto the
// constraints, by the way that moves least mass. xi is that of the corrected position, counted from
// the base.
static int project(sunrealtype t, N_Vector y, N_Vector corr, sunrealtype eps, N_Vector err,
                   void* context) {
  SarSim* s = context;
  const SarModel* m = s->m;
  Cvode* p = s->integrator_state;
  const double* x = N_VGetArrayPointer(y);
  double* dx = N_VGetArrayPointer(corr);
  (void)eps, (void)err;
  sar_stage_set(s, t, x);
  sar_projection_forget(s->projection);
  p->failed = sar_project(m, s->d, s->projection);
  if (p->failed != SAR_OK) return 1;
  for (int j = 0; j < m->nbody; j++) {
    const SarJointKind* kind = m->joint_kind[j];
    const int iq = m->joint_qadr[j], iv = m->joint_vadr[j];
    const double *base = &p->base[iq], *q = &s->d->q[iq];
    sar_joint_displacement(kind, &m->joint_param[j * SAR_JOINT_MAX_PARAM], base, q, &dx[iv]);
  }
  for (int i = 0; i < m->nv; i++) dx[i] -= x[i];
  for (int i = 0; i < m->nv; i++) dx[m->nv + i] = s->d->v[i] - x[m->nv + i];
  for (int i = 2 * m->nv; i < sar_stage_size(m); i++) dx[i] = 0;
  return 0;
}

static void be_quiet(void* memory) {
#if SUNDIALS_VERSION_MAJOR < 7
  CVodeSetErrHandlerFn(memory, sundials_drop_message, NULL);
#else
  (void)memory;
#endif
}

static void finish(SarSim* s) {
  Cvode* p = s->integrator_state;
  if (p->memory) CVodeFree(&p->memory);
  if (p->solver) SUNLinSolFree(p->solver);
  if (p->matrix) SUNMatDestroy(p->matrix);
  if (p->tolerance) N_VDestroy(p->tolerance);
  if (p->y) N_VDestroy(p->y);
  if (p->context) SUNContext_Free(&p->context);
}

static bool create(SarSim* s) {
  Cvode* p = s->integrator_state;
  int tested = sar_stage_work(s->m), n = sar_stage_size(s->m);
  if (sundials_open(&p->context) != 0) return false;
  p->y = N_VNew_Serial(n, p->context);
  p->tolerance = N_VNew_Serial(n, p->context);
  p->matrix = SUNDenseMatrix(n, n, p->context);
  p->memory = CVodeCreate(CV_BDF, p->context);
  if (!p->y || !p->tolerance || !p->matrix || !p->memory) return false;
  p->solver = SUNLinSol_Dense(p->y, p->matrix, p->context);
  if (!p->solver) return false;
  // CVODE takes the root mean square over all n of them, we mean the largest, as in ida.c
  const double share = 1 / sqrt(n);
  double* tolerance = N_VGetArrayPointer(p->tolerance);
  for (int i = 0; i < n; i++) tolerance[i] = i < tested ? share * s->options.atol : NO_TEST;
  double longest = s->options.max_step > 0 ? s->options.max_step : SAR_LONGEST_STEP;
  N_VConst(0, p->y);
  be_quiet(p->memory);
  return CVodeInit(p->memory, rate, s->d->t, p->y) == CV_SUCCESS &&
         CVodeSVtolerances(p->memory, share * s->options.rtol, p->tolerance) == CV_SUCCESS &&
         CVodeSetUserData(p->memory, s) == CV_SUCCESS &&
         CVodeSetLinearSolver(p->memory, p->solver, p->matrix) == CV_SUCCESS &&
         CVodeSetJacFn(p->memory, jacobian) == CV_SUCCESS &&
         CVodeSetMaxStep(p->memory, longest) == CV_SUCCESS &&
         (!s->projection || (CVodeSetProjFn(p->memory, project) == CV_SUCCESS &&
                             CVodeSetProjErrEst(p->memory, 0) == CV_SUCCESS));
}

// Forgets the history and starts from s->start.
static bool begin(SarSim* s) {
  Cvode* p = s->integrator_state;
  memcpy(p->base, s->start.q, (size_t)s->m->nq * sizeof *p->base);
  sar_stage_first(s, N_VGetArrayPointer(p->y), NULL);
  p->counted = (SundialsCounters){0};
  p->running = CVodeReInit(p->memory, s->start.t, p->y) == CV_SUCCESS;
  return p->running;
}

// The last of CVODE's memory is taken at its first step: one is taken here and thrown away. It
// evaluates accelerations, so not before the formulation has its state; no evaluation changes that.
static void warm_up(SarSim* s) {
  Cvode* p = s->integrator_state;
  double reached;
  sundials_begin_trial(s);
  if (begin(s)) CVode(p->memory, s->start.t + s->options.step, p->y, &reached, CV_ONE_STEP);
  sundials_end_trial(s);
  p->warm = true;
}

static SarStatus start(SarSim* s, SarError* err) {
  Cvode* p = s->integrator_state;
  SarBlock b = sar_block(p, sizeof *p);
  SAR_PIECE(&b, p->base, s->m->nq_all);
  SAR_TRY(sar_room_for(s->m, s->stats.scratch_bytes + sundials_bytes(sar_stage_size(s->m)),
                       "setting up CVODE", err));
  if (create(s)) return SAR_OK;
  sar_report(err, (SarLoc){0}, "", "out of memory while setting up CVODE");
  return SAR_NO_MEMORY;
}

static SarStatus status_of(const Cvode* p, int flag) {
  switch (flag) {
    case CV_SUCCESS:
    case CV_TSTOP_RETURN: return SAR_OK;
    case CV_CONV_FAILURE: return SAR_NOT_CONVERGED;
    case CV_LSETUP_FAIL:
    case CV_LSOLVE_FAIL: return SAR_SINGULAR;
    case CV_REPTD_RHSFUNC_ERR:
    case CV_UNREC_RHSFUNC_ERR:
    case CV_FIRST_RHSFUNC_ERR: return p->failed != SAR_OK ? p->failed : SAR_NOT_FINITE;
    default: return SAR_STEP_TOO_SMALL;
  }
}

static void count(SarSim* s, Cvode* p) {
  SundialsCounters now = {0};
  CVodeGetNumNonlinSolvIters(p->memory, &now.iterations);
  CVodeGetNumErrTestFails(p->memory, &now.rejected);
  sundials_count(s, &p->counted, now);
}

// The state is another one: its history is not the one that the library holds.
static void adopt(SarSim* s) {
  Cvode* p = s->integrator_state;
  if (!p->warm) warm_up(s);
  p->running = false;
}

static SarStatus step(SarSim* s) {
  Cvode* p = s->integrator_state;
  if ((s->restart || !p->running) && !begin(s)) return SAR_NOT_CONVERGED;
  double t = s->start.t, target = isfinite(s->stop) ? s->stop : t + 1;
  if (isfinite(s->stop)) CVodeSetStopTime(p->memory, s->stop);
  CVodeSetMinStep(p->memory, 16 * DBL_EPSILON * fabs(t));  // or it would creep up to a singularity
  // the turns of cut joints are those of the start of this step
  for (int i = s->m->nq; i < s->m->nq_all; i++) p->base[i] = s->start.q[i];
  double* own = sundials_swap_base(s, p->base);
  SarStatus st = status_of(p, CVode(p->memory, target, p->y, &t, CV_ONE_STEP));
  count(s, p);
  CVodeGetCurrentStep(p->memory, &s->tried);
  if (t > s->stop) t = s->stop;
  if (st == SAR_OK) st = sar_stage_rate(s, t, N_VGetArrayPointer(p->y), NULL);
  sundials_swap_base(s, own);
  p->running = st == SAR_OK && !sundials_has_turned_far(s, N_VGetArrayPointer(p->y));
  return st;
}

#endif

const SarIntegrator sar_integrator_cvode = {
    .name = "cvode",
    .ref = "Hindmarsh et al. 2005",
    .order = 5,
    .serves = SAR_FOR_ACCEL,
    .adaptive_default = true,
    .can_adapt = true,
    .implicit = true,
    .keeps_history = true,
#ifdef SARRUS_HAVE_SUNDIALS
    .doc = "SUNDIALS CVODE: backward differentiation formulas of order 1 to 5, for stiff models",
    .state_size = state_size,
    .start = start,
    .finish = finish,
    .adopt = adopt,
    .step = step,
#else
    .doc = "SUNDIALS CVODE for stiff models: not in this build (needs libsundials-dev)",
    .missing = "not in this build (needs libsundials-dev)",
#endif
};
