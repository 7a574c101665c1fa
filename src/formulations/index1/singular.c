// Near singular positions (kinematic singularities: Psi loses rank), where constraints lose their
// grip on some motion.
//
// With S the scaling of the rows to their usual size (a row may vanish as a whole), U the units of
// the coordinates (the mechanism's size for lengths: a grip must not depend on the unit of length)
// and P the order of the rows, (S Psi U)' P = Q1 R,  and the constraints say
//
//   Q1' U^-1 a = y,   R' y = S gamma                 rows of Q1' orthonormal
//
// Where the last diagonal entries of R vanish, y = 0/0 there: the limit exists along a smooth
// motion, but what is computed is rounding over R_kk, and without the row the motion would be free
// to leave the branch it is on. So as R_kk vanishes, y is led over to the acceleration that the
// last step lets expect,
//
//   y_k = w (rounded y_k) + (1 - w) (Q1' U^-1 a_expected)_k,   w = 1 / (1 + (faint / R_kk)^8)
//   a_expected = a_start + (t - t_start) (a_start - a_before) / h_before
//
// The error, of second order in h, lasts for the time in which R_kk < faint, and lies in a
// motion that the next projection takes out. The rows Q1' U^-1 take the place of Psi for the
// method, whichever it is: nothing near singular reaches it.
#include "dynamics/projection.h"
#include "formulations/index1/family.h"
#include "linalg/pivoted_cholesky.h"

#include <math.h>
#include <string.h>

static const double NEAR = 5e-3;    // R_kk at which a step must be careful, if it stays there
static const double PART = 0.3;     // of the usual R_kk: beyond, a step need not look ahead
static const double TELLS = 1;      // rad after which the R_kk seen so far tell the usual one
static const double FINE = 0.25;    // rad a step turns joints by, at most, for that to be supposed
static const double LEAST = 1e-10;  // and the least to divide multipliers by
// rounding of y is 1e-16 / R_kk^3: below this it is larger than what is expected
static const double ROUGH = 1e-5;
static const double AHEAD = 4;  // steps in which a grip that vanishes is not passed any more
// of the largest R_kk: what has no projection drifts past beside it
static const double GONE = 1e-2;
// R_kk below so many times the way back onto the constraints is not believed
static const double UNSURE = 10;
// share of the acceleration that speeds which projections have left open may be wrong by
static const double HELD = 1e-2;

// The farthest that a coordinate was moved, lengths in units of the mechanism.
static double way_back(const SarSim* s, const SarIndex1Run* run) {
  const SarModel* m = s->m;
  double most = 0;
  for (int b = 0; b < m->nbody; b++) {
    const double *unit = &run->unit[m->joint_vadr[b]], *now = &s->d->q[m->joint_qadr[b]];
    const double* given = &run->q[m->joint_qadr[b]];
    for (int i = 0; i < m->joint_nq[b]; i++) {
      const double way = fabs(now[i] - given[i]) / (i < m->joint_nv[b] ? unit[i] : 1);
      most = way > most ? way : most;
    }
  }
  return most;
}

void sar_index1_set_aside(SarSim* s, SarIndex1Run* run) {
  run->faint = fmax(s->faint, ROUGH);
  memcpy(run->q, s->d->q, (size_t)s->m->nq * sizeof(double));
  memcpy(run->v, s->d->v, (size_t)s->m->nv * sizeof(double));
}

// What the rows are open by [1/s] over the quickest speed [1/s]: a number.
static double left_open(const SarSim* s, const SarIndex1Run* run) {
  const SarModel* m = s->m;
  double open = 0, speed = 0;
  for (int i = 0; i < m->nrow; i++) {
    const double size = fabs(s->d->Phi_dot[i]) / s->projection->unit[i];
    open = size > open ? size : open;
  }
  for (int i = 0; i < m->nv; i++) {
    const double size = fabs(s->d->v[i]) / run->unit[i];
    speed = size > speed ? size : speed;
  }
  return speed > 0 ? open / speed : 0;
}

// Speeds that stay open by e, a share of the quickest speed w, are wrong by e / R_kk of it in the
// motion that is hardly held, and so its acceleration by about e / R_kk^2 of w^2.
void sar_index1_doubt(SarSim* s, SarIndex1Run* run) {
  if (!*run->near) return;
  run->faint = fmax(run->faint, UNSURE * way_back(s, run));
  run->faint = fmax(run->faint, sqrt(left_open(s, run) / HELD));
}

// Stages of an integrator lie beside the constraints, and there the accelerations have a pole at
// singular positions; on them they have none. Where branches cross nearer than the stage was off,
// the way back may have led to the wrong one: run->faint is the grip below which that may be.
SarStatus sar_index1_close(SarSim* s, SarIndex1Run* run) {
  sar_index1_set_aside(s, run);
  if (!s->projection) return SAR_OK;
  sar_projection_forget(s->projection);
  SAR_TRY(sar_project(s->m, s->d, s->projection));
  sar_index1_doubt(s, run);
  return SAR_OK;
}

void sar_index1_reopen(SarSim* s, SarIndex1Run* run) {
  memcpy(s->d->q, run->q, (size_t)s->m->nq * sizeof(double));
  memcpy(s->d->v, run->v, (size_t)s->m->nv * sizeof(double));
}

// S Psi U in place of Psi, S gamma in place of gamma (Nullable)
static void scale_rows(const SarSim* s, const double* unit, double* Psi, double* gamma) {
  const int n = s->m->nv;
  for (int k = 0; k < s->freedom.rows; k++) {
    const double scale = 1 / s->d->row_span[s->row_order[k]];
    for (int j = 0; j < n; j++) Psi[k * n + j] *= scale * unit[j];
    if (gamma) gamma[k] *= scale;
  }
}

// (S Psi U)' P = Q R. Rows come with their scale, so none is left for sar_rows.
static void factor(SarIndex1Run* run) {
  SarRows* rows = &run->strong;
  memcpy(rows->QR, run->Psi, (size_t)rows->n * (size_t)rows->m * sizeof(double));
  for (int k = 0; k < rows->m; k++) rows->scale[k] = 1;
  sar_rows_pivot(rows, &run->problem.dense);
  rows->rank = rows->rank_max;
}

double sar_index1_turned(const SarSim* s, double h) {
  double most = 0;
  for (int i = 0; i < s->m->nv; i++) {
    const int j = s->m->dof_body[i];
    const bool turns = s->m->joint_kind[j]->coordinate[i - s->m->joint_vadr[j]] == SAR_ANGLE;
    if (turns) most = fmax(most, fabs(s->d->v[i]));
  }
  return h * most;
}

// How far the next step may go: the most that R_kk can change.
static double reach(const SarSim* s) {
  const double next = s->adaptive && s->d->clock.next > 0 ? s->d->clock.next : s->options.step;
  return sar_index1_turned(s, next);
}

void sar_index1_mark(SarSim* s, int near) {
  s->near_singular = near != 0;
  s->let_go = near > 1 ? near - 1 : 0;
  if (s->projection) s->projection->eager = near != 0;
}

// Where a run begins beside a singular position all that it has seen are weak grips: until joints
// have turned a good way the usual one is taken for that of rows at right angles, 1, less what they
// have turned.
static double usual_grip(const double* seen) {
  return fmax(seen[SAR_GRIP_LARGEST], 1 - seen[SAR_GRIP_TURNED] / TELLS);
}

// Coarse steps, as those of a rotor, are past any singular position before it could be told: they
// suppose nothing.
void sar_index1_turn(const SarSim* s, double h, double* seen) {
  double* turned = &seen[SAR_GRIP_TURNED];
  if (*turned >= TELLS) return;
  if (reach(s) > FINE) *turned = TELLS;
  if (!s->restart) *turned = fmin(*turned + sar_index1_turned(s, h), TELLS);
}

bool sar_index1_is_near(const SarSim* s, double grip, double* seen) {
  seen[SAR_GRIP_LARGEST] = fmax(seen[SAR_GRIP_LARGEST], grip);
  return grip < NEAR + fmin(reach(s), PART * usual_grip(seen));
}

double sar_index1_clear(double grip, const double* seen) {
  return grip - NEAR - PART * usual_grip(seen);
}

double sar_index1_deep(const SarSim* s, double grip, const double* seen) {
  return NEAR + fmin(reach(s), PART * usual_grip(seen)) - grip;
}

// Baumgarte's gamma, penalties and sweeps do not bring back what has left its branch, so their
// steps must end before. A grip that falls as it did in the last step vanishes in the next one, or
// is gone as far as they are concerned. Which coordinate is let go: the largest of Q1 e_k, k the
// last row.
static int passes(const SarSim* s, SarIndex1Run* run, double grip) {
  const int n = run->strong.n, last = run->strong.rank_max - 1;
  const double next = s->adaptive && s->d->clock.next > 0 ? s->d->clock.next : s->options.step;
  const double fell = *run->grip - grip, h = *run->length;
  const bool vanishes = *run->grip > 0 && h > 0 && grip < AHEAD * fell * next / h;
  *run->grip = grip;
  if (!vanishes && !(grip < GONE * run->seen[SAR_GRIP_LARGEST])) return -1;
  int which = 0;
  memset(run->expected, 0, (size_t)n * sizeof(double));
  run->expected[last] = 1;
  sar_q_mul(n, 1, last + 1, run->strong.QR, run->strong.tau, run->expected);
  for (int i = 1; i < n; i++)
    if (fabs(run->expected[i]) > fabs(run->expected[which])) which = i;
  return which;
}

// Off the constraints redundant rows are nearly, not quite, redundant, and motions that one choice
// of rows leaves free are not those that another one does. What keeps off them lets a step have one
// choice, lest accelerations jump between two evaluations.
static void choose_rows(SarIndex1Run* run) {
  const SarRows* rows = &run->strong;
  if (!run->first) return;
  for (int k = 0; k < rows->m; k++) run->first[rows->row[k]] = k < rows->rank_max;
}

// The grip of the weakest row where d is, by the decomposition, with the choice of rows.
static double decompose(const SarSim* s, SarIndex1Run* run) {
  SarRows* rows = &run->strong;
  const int n = rows->n, last = rows->rank_max - 1;
  sar_index1_fill_Psi(s, run->Psi);
  scale_rows(s, run->unit, run->Psi, NULL);
  rows->first = NULL;
  factor(run);
  rows->first = run->first;
  choose_rows(run);
  return fabs(rows->QR[last * n + last]);
}

// A row of Psi times x.
static inline double product(const SarSim* s, int row, const double* x) {
  const SarModel* m = s->m;
  double sum = 0;
  for (int e = m->row_adr[row]; e < m->row_adr[row + 1]; e++)
    sum += s->d->Psi[e] * x[m->row_dof[e]];
  return sum / s->d->row_span[row];
}

// First and last coordinate of each row, for rows in their order. (Coordinates of a row rise.)
static void find_spans(const SarSim* s, int rows, int* first, int* last) {
  const SarModel* m = s->m;
  for (int k = 0; k < rows; k++) {
    const int row = s->row_order[k], adr = m->row_adr[row], end = m->row_adr[row + 1];
    first[k] = adr < end ? m->row_dof[adr] : m->nv;
    last[k] = adr < end ? m->row_dof[end - 1] : -1;
  }
}

// The same R_kk from the products of the rows, which are mostly zeros: (S Psi U)(S Psi U)' = R'R.
// It is right to 1e-8 only, which tells what is near.
static double weakest(const SarSim* s, SarIndex1Run* run) {
  const SarModel* m = s->m;
  const int rows = run->strong.m;
  double *A = run->strong.C, *x = run->expected;
  int *first = run->span, *last = run->span + rows;
  memset(x, 0, (size_t)m->nv * sizeof *x);
  find_spans(s, rows, first, last);
  for (int k = 0; k < rows; k++) {
    const int row = s->row_order[k], adr = m->row_adr[row], end = m->row_adr[row + 1];
    const double scale = 1 / s->d->row_span[row];
    for (int e = adr; e < end; e++) {
      const int j = m->row_dof[e];
      x[j] = scale * s->d->Psi[e] * run->unit[j] * run->unit[j];
    }
    for (int i = 0; i <= k; i++) {
      const bool meet = first[i] <= last[k] && last[i] >= first[k];
      A[k * rows + i] = meet ? product(s, s->row_order[i], x) : 0;
    }
    for (int e = adr; e < end; e++) x[m->row_dof[e]] = 0;
  }
  return sar_cholesky_pivot(rows, run->strong.rank_max, A, run->pivots);
}

// Only what keeps its choice of rows needs the decomposition.
static double grip_here(const SarSim* s, SarIndex1Run* run) {
  return run->first ? decompose(s, run) : weakest(s, run);
}

static void look(SarSim* s, SarIndex1Run* run, double grip) {
  *run->near = sar_index1_is_near(s, grip, run->seen);
  if (run->stops) {
    const int which = passes(s, run, grip);
    if (which >= 0 && *run->near) *run->near = 2 + which;
  }
  sar_index1_mark(s, *run->near);
}

void sar_index1_run_look(SarSim* s, SarIndex1Run* run) {
  *run->near = 0;
  sar_index1_remember(s, run);
  sar_index1_turn(s, s->d->t - s->start.t, run->seen);
  if (run->strong.rank_max > 0) look(s, run, grip_here(s, run));
}

void sar_index1_look_beside(SarSim* s, SarIndex1Run* run, double grip, const double* seen) {
  const double own = grip_here(s, run), like = grip > 0 ? fmin(own / grip, 1) : 1;
  double* mine = run->seen;
  *run->near = 0;
  sar_index1_remember(s, run);
  mine[SAR_GRIP_LARGEST] = fmax(mine[SAR_GRIP_LARGEST], like * seen[SAR_GRIP_LARGEST]);
  mine[SAR_GRIP_TURNED] = fmax(mine[SAR_GRIP_TURNED], seen[SAR_GRIP_TURNED]);
  look(s, run, own);
}

void sar_index1_look(SarSim* s) { sar_index1_run_look(s, s->formulation_state); }

// y of the kept rows; those whose grip is faint are led over to what is expected
static void solve_weighted(const SarIndex1Run* run, double faint, const double* expected,
                           double* y) {
  const SarRows* rows = &run->strong;
  const int n = rows->n;
  for (int k = 0; k < rows->rank_max; k++) {
    const double* column = &rows->QR[k * n];
    const double w = 1 / (1 + pow(faint / fabs(column[k]), 8));
    double sum = y[k];
    for (int i = 0; i < k; i++) sum -= column[i] * y[i];
    y[k] = (1 - w) * expected[k] + (w > 0 ? w * sum / column[k] : 0);
  }
}

void sar_index1_remember(SarSim* s, SarIndex1Run* run) {
  *run->length = s->restart ? 0 : s->d->t - s->start.t;
  memcpy(run->before, s->start.a, (size_t)s->m->nv * sizeof(double));
}

// Never farther ahead than it knows from behind: the slope over a short step is rounding.
static void expect(const SarSim* s, SarIndex1Run* run) {
  const double ahead = s->d->t - s->start.t, behind = *run->length;
  const double share = behind > 0 ? fmin(ahead / behind, 1) : 0;
  for (int i = 0; i < s->m->nv; i++)
    run->expected[i] = s->start.a[i] + share * (s->start.a[i] - run->before[i]);
}

// (S Psi U)' P = Q1 R, and y of the kept rows.
static void weigh(SarSim* s, SarIndex1Run* run) {
  SarRows* rows = &run->strong;
  const int n = rows->n, r = rows->rank_max;
  scale_rows(s, run->unit, run->Psi, run->gamma);
  factor(run);
  for (int k = 0; k < r; k++) {
    double* diagonal = &rows->QR[k * n + k];
    if (!(fabs(*diagonal) >= LEAST)) *diagonal = copysign(LEAST, *diagonal);
  }
  sar_rows_redundant(rows, rows->QR, n);
  expect(s, run);
  for (int i = 0; i < n; i++) run->expected[i] /= run->unit[i];
  sar_q_mul_t(n, 1, r, rows->QR, rows->tau, run->expected);
  sar_rows_gather(rows, run->gamma, run->y);
  solve_weighted(run, run->faint, run->expected, run->y);
}

void sar_index1_strengthen(SarSim* s, SarIndex1Run* run) {
  SarIndex1* p = &run->problem;
  SarRows* rows = &run->strong;
  const int n = p->n, r = rows->rank_max;
  weigh(s, run);
  memcpy(run->gamma, run->y, (size_t)r * sizeof(double));

  // Q1, column by column, is Q1' row by row
  memset(run->Psi, 0, (size_t)n * (size_t)r * sizeof(double));
  for (int k = 0; k < r; k++) run->Psi[k * n + k] = 1;
  sar_q_mul(n, r, r, rows->QR, rows->tau, run->Psi);
  for (int k = 0; k < r; k++)
    for (int i = 0; i < n; i++) run->Psi[k * n + i] /= run->unit[i];
  p->m = p->rows.m = r;
}

// V = U Q2 and c = U Q1 y are at hand: Q1' U^-1 (c + V z) = y. Of the multipliers U^-1 Q1
// lambda_strong = F - M a.
SarStatus sar_index1_strong_qr(SarSim* s, SarIndex1Run* run) {
  SarIndex1* p = &run->problem;
  const SarRows* rows = &run->strong;
  const int n = p->n, r = rows->rank_max, f = n - r;
  weigh(s, run);
  p->rank = r;
  memset(p->basis, 0, (size_t)n * (size_t)(f + 1) * sizeof(double));
  for (int j = 0; j < f; j++) p->basis[j * n + r + j] = 1;
  memcpy(&p->basis[f * n], run->y, (size_t)r * sizeof(double));
  sar_q_mul(n, f + 1, r, rows->QR, rows->tau, p->basis);
  for (int j = 0; j <= f; j++)
    for (int i = 0; i < n; i++) p->basis[j * n + i] *= run->unit[i];
  SAR_TRY(sar_index1_reduced(p));
  for (int i = 0; i < n; i++) p->residual[i] *= run->unit[i];
  sar_q_mul_t(n, 1, r, rows->QR, rows->tau, p->residual);
  memcpy(p->lambda, p->residual, (size_t)r * sizeof(double));
  sar_index1_return(s, run);
  return sar_index1_check(p);
}

// Psi' lambda = U^-1 Q1 lambda_strong
void sar_index1_return(SarSim* s, SarIndex1Run* run) {
  SarIndex1* p = &run->problem;
  p->m = p->rows.m = s->freedom.rows;
  memcpy(run->y, p->lambda, (size_t)run->strong.rank * sizeof(double));
  sar_rows_solve_t(&run->strong, run->y, p->lambda);
  for (int k = 0; k < s->freedom.rows; k++) p->lambda[k] /= s->d->row_span[s->row_order[k]];
}
