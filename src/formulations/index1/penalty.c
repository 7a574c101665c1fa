// Penalty with iteration (index-1 augmented Lagrangian): stiff, damped springs in place of the
// constraints, corrected until they hold.
//
//   M a0 = F,   (M + rho Psi'Psi) ak = M ak-1 + rho Psi' gamma                (paper 003, eqs. 7-9)
//
// with gamma from sar_index1_stabilise (alpha = omega zeta, beta = omega). Since
// M (ak - ak-1) = -rho Psi'(Psi ak - gamma), the multipliers are lambda = rho sum (Psi ak - gamma)
// and M ak = F - Psi' lambda: M^-1 is not needed, so M may be singular, and only M + rho Psi'Psi
// has to be definite. Each iteration divides the error by 1 + rho sigma^2, sigma the singular
// values of Psi M^-1/2. It is written for the change of a, so that it also refines what the stiff
// matrix loses:
//
//   (M + rho Psi'Psi) (ak+1 - ak) = F - M ak - Psi'(lambda + rho (Psi ak - gamma))
//
// Weak point: rows of very different length converge at very different speed.
// Source: Uchida and McPhee 2012, section 2.2, after Garcia de Jalon and Bayo 1994.
#include "formulations/index1/family.h"

#include "base/error.h"
#include "linalg/spd.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static const double relative_penalty = 1e5;  // of rho Psi'Psi to M: about five digits an iteration
static const double stiffer = 1e4;           // where constraints have lost most of their grip
// Of the forces: a push that no longer falls is that of rows which follow from others but for what
// positions are open by. They contradict each other by as much, and no iteration takes it away:
// what it has pushed is given back.
static const double STALLED = 1e-3;

// largest M_ii and largest squared length of a row of Psi
static void sizes(const SarIndex1* p, double* mass, double* row) {
  int n = p->n;
  *mass = 0, *row = 0;
  for (int i = 0; i < n; i++) *mass = fmax(*mass, fabs(p->M[i * n + i]));
  for (int k = 0; k < p->m; k++) {
    double square = 0;
    for (int j = 0; j < n; j++) square += p->Psi[k * n + j] * p->Psi[k * n + j];
    *row = fmax(*row, square);
  }
}

static double largest(int n, const double* x) {
  double size = 0;
  for (int i = 0; i < n; i++) size = fmax(size, fabs(x[i]));
  return size;
}

// What is in hand during the iteration.
typedef struct Penalty {
  double rho, row;    // factor of the constraints; largest squared length of a row
  double* violation;  // m: Psi a - gamma
  double* push;       // n: Psi' violation
  double* force;      // n: rho times the sum of all pushes: Psi' lambda
  double* change;     // n: of a
  double last;        // largest rho push of the iteration before
  bool lenient;       // what no longer falls is left
} Penalty;

// Counts the present violation in, and finds what the equations of motion lack: F - M a - force, in
// change. Returns whether that and the push are rounding.
static bool balance(SarIndex1* p, Penalty* s) {
  int n = p->n, m = p->m;
  for (int k = 0; k < m; k++) p->lambda[k] += s->violation[k];
  sar_matvec(n, m, 1, p->Psi, n, s->violation, 0, s->push);
  for (int i = 0; i < n; i++) {
    s->force[i] += s->rho * s->push[i];
    s->change[i] = p->F[i] - s->force[i];
  }
  sar_matvec(n, n, -1, p->M, n, p->a, 1, s->change);
  // rounding of the forces, and of the push by what remains of the violation
  double force = largest(n, p->F) + largest(n, s->force);
  double remains = s->rho * sqrt(s->row) * largest(m, s->violation);
  double bound = 1e-13 * force + 1e-15 * remains;
  const double push = s->rho * largest(n, s->push);
  const bool stalls = s->lenient && push > 0.9 * s->last && push <= STALLED * force;
  s->last = push;
  return (push <= bound || stalls) && largest(n, s->change) <= bound;
}

// (M + rho Psi'Psi) a1 = F + rho Psi' gamma
static void start(SarIndex1* p, Penalty* s, const double* G) {
  int n = p->n, m = p->m;
  for (int i = 0; i < n; i++) s->push[i] = s->force[i] = 0;
  for (int k = 0; k < m; k++) p->lambda[k] = 0, s->violation[k] = p->gamma[k];
  s->last = HUGE_VAL;
  sar_matvec(n, m, 1, p->Psi, n, p->gamma, 0, s->push);
  for (int i = 0; i < n; i++) p->a[i] = p->F[i] + s->rho * s->push[i];
  sar_spd_solve(n, G, p->a);
  sar_matvec_t(n, m, 1, p->Psi, n, p->a, -1, s->violation);
}

// The iteration with one rho. SAR_NOT_CONVERGED: rows that hold with a share g of their grip gain a
// factor of only 1 + g^2 rho |Psi|^2 / |M| in each.
static SarStatus iterate(SarIndex1* p, Penalty* s) {
  int n = p->n, m = p->m;
  double* G = p->square;
  memcpy(G, p->M, sizeof(double) * (size_t)n * (size_t)n);
  sar_gram_add(n, m, s->rho, p->Psi, n, G, n);
  if (!sar_spd_factor(n, G, SAR_INDEX1_MASS_TOL)) return SAR_SINGULAR;
  start(p, s, G);
  for (p->iterations = 1; !balance(p, s); p->iterations++) {
    if (p->iterations >= p->max_iterations) return p->counted ? SAR_OK : SAR_NOT_CONVERGED;
    for (int i = 0; i < n; i++) s->change[i] -= s->rho * s->push[i];
    sar_spd_solve(n, G, s->change);
    for (int i = 0; i < n; i++) p->a[i] += s->change[i];
    // by its change: a fresh Psi a - gamma would bring its rounding, times rho, into lambda
    sar_matvec_t(n, m, 1, p->Psi, n, s->change, 1, s->violation);
  }
  return SAR_OK;
}

// Rows that contradict each other have pushed in each iteration by as much as they are weak.
// Without these k pushes, and with lambda as it is then, the equations of motion hold:
//
//   (M + rho Psi'Psi) da = k rho Psi'(Psi a - gamma),   lambda <- lambda - k rho (Psi a - gamma)
//                                                                 + rho Psi da
static void give_back(SarIndex1* p, Penalty* s) {
  const int n = p->n, m = p->m;
  for (int i = 0; i < n; i++) s->change[i] = p->iterations * s->rho * s->push[i];
  sar_spd_solve(n, p->square, s->change);
  for (int i = 0; i < n; i++) p->a[i] += s->change[i];
  for (int k = 0; k < m; k++) p->lambda[k] -= p->iterations * s->violation[k];
  sar_matvec_t(n, m, 1, p->Psi, n, s->change, 1, p->lambda);
}

static SarStatus solve(SarIndex1* p) {
  int m = p->m;
  Penalty s = {.violation = p->y, .push = p->x, .force = p->reduced, .change = p->residual};
  double mass;
  sizes(p, &mass, &s.row);
  s.rho = p->rho > 0 ? p->rho : s.row > 0 ? relative_penalty * mass / s.row : 1;

  p->rank = -1;
  SarStatus st = iterate(p, &s);
  if (st == SAR_NOT_CONVERGED && !(p->rho > 0)) {  // near a singular position
    s.rho *= stiffer;
    st = iterate(p, &s);
    if (st == SAR_NOT_CONVERGED) {  // nor that: rows that contradict each other a little
      s.rho /= stiffer;
      s.lenient = true;
      st = iterate(p, &s);
    }
  }
  SAR_TRY(st);
  // what is left of the violation cannot be removed and was counted every time
  const int all = p->counted || s.lenient ? 0 : p->iterations;
  if (s.lenient && !p->counted) give_back(p, &s);
  for (int k = 0; k < m; k++) p->lambda[k] = s.rho * (p->lambda[k] - all * s.violation[k]);
  return sar_index1_check(p);
}

const SarFormulation sar_formulation_penalty = {
    .name = "penalty",
    .doc = "stiff springs for constraints, iterated until they hold",
    .ref = "Garcia de Jalon and Bayo 1994",
    .can = SAR_CAN_CONSTRAINTS | SAR_CAN_REDUNDANT | SAR_CAN_SINGULAR_MASS,
    .stabilised = true,
    SAR_INDEX1_FORMULATION(solve),
};
