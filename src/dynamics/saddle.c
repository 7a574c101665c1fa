// Saddle points by conjugate gradients on the Schur complement (saddle.h).
//
// With c = Psi x + e, a direction w z of the multipliers and d = -G^-1 Psi' w z, as far as s along
// it:
//
//   x += s d,   mu += s w z,   c += s Psi d                         c' w c: what is open, an energy
//
// and G0 x + Psi' (mu + w c) = b throughout: in the end w c is added to mu.
//
// A pass of Uzawa's is z = c, s = 1. It takes off what rows hold well, and what conjugate gradients
// stir up of that again: they go on with the rest only, z = c + beta z, s = c' w z / z' w Psi G^-1
// Psi' w z, beta of Polak and Ribiere, which forgives that c has been touched in between. Rows of
// weight zero take no part.
//
// Sources: Golub and Greif, SIAM J. Sci. Comput. 24 (2003); Verfuerth, A combined conjugate
// gradient-multigrid algorithm for the Stokes problem, IMA J. Numer. Anal. 4 (1984), for conjugate
// gradients in Uzawa's iteration. Cost of a pass: a back-substitution.
#include "dynamics/saddle.h"

#include "base/block.h"

#include <math.h>
#include <string.h>

// lever that holds; the rounding of Phi, 1e-16, over it is seen
static const double SHORTEST = 1e-9;
// where rows are redundant: they are so up to the model's digits; or all firm
static const double UNSURE = 1e-6;
static const double TRUST = 10;   // times the way that closes the loops
static const double LEFT = 0.01;  // share of x that may be open where the lever is the shortest
static const double FALLS = 0.9;  // passes that take off less lead nowhere
enum { SWEEPS = 6, DIRECTIONS = 40 };

void sar_saddle_layout(SarSaddle* p, const SarModel* m, const double* unit, SarBlock* b) {
  SAR_PIECE(b, p->c, m->nrow);
  SAR_PIECE(b, p->before, m->nrow);
  SAR_PIECE(b, p->z, m->nrow);
  SAR_PIECE(b, p->y, m->nrow);
  SAR_PIECE(b, p->d, m->nv);
  SAR_PIECE(b, p->way, m->nv);
  p->unit = unit;
}

// a' w b
static double product(const SarFactored* G, int nrow, const double* a, const double* b) {
  double sum = 0;
  for (int k = 0; k < nrow; k++) sum += G->weight[k] * a[k] * b[k];
  return sum;
}

// x = G^-1 (b - Psi' w e),   mu = 0.   Returns what is open.
static double first_pass(SarSaddle* p, const SarFactored* G, const double* e, double* x,
                         double* mu) {
  const SarModel* m = G->m;
  double open = 0;
  G->correct(G, e, x, p->y);
  for (int k = 0; k < m->nrow; k++) {
    const double w = G->weight[k];
    mu[k] = 0;
    p->c[k] = w > 0 ? p->y[k] / w + e[k] : 0;
    open += w * p->c[k] * p->c[k];
  }
  return open;
}

// d and y of a direction.
static void respond(SarSaddle* p, const SarFactored* G, const double* z) {
  memset(p->d, 0, (size_t)G->m->nv * sizeof *p->d);
  G->correct(G, z, p->d, p->y);
}

// As far as s along z, which may be c. Returns what is open then.
static double go(SarSaddle* p, const SarFactored* G, double s, const double* z, double* x,
                 double* mu) {
  const SarModel* m = G->m;
  double open = 0;
  for (int i = 0; i < m->nv; i++) x[i] += s * p->d[i];
  for (int k = 0; k < m->nrow; k++) {
    const double w = G->weight[k];
    if (!(w > 0)) continue;
    mu[k] += s * w * z[k];
    p->c[k] += s * p->y[k] / w;
    open += w * p->c[k] * p->c[k];
  }
  return open;
}

// Passes of Uzawa's, as long as they take something off.
static double sweep(SarSaddle* p, const SarFactored* G, double open, double enough, double* x,
                    double* mu) {
  for (int i = 0; i < SWEEPS && open > enough; i++) {
    const double was = open;
    respond(p, G, p->c);
    open = go(p, G, 1, p->c, x, mu);
    if (!(open < FALLS * was)) break;
  }
  return open;
}

// z' w Psi G^-1 Psi' w z over z' w z, and the step along z to where nothing of it is open.
static double search(SarSaddle* p, const SarFactored* G, double* step) {
  respond(p, G, p->z);
  const SarModel* m = G->m;
  double held = 0;
  for (int k = 0; k < m->nrow; k++) held -= p->z[k] * p->y[k];
  *step = product(G, m->nrow, p->c, p->z) / held;
  return held / product(G, m->nrow, p->z, p->z);
}

// z <- c + beta z
static void turn(SarSaddle* p, const SarFactored* G, int nrow, double open, double was) {
  const double beta = was > 0 ? fmax(0, (open - product(G, nrow, p->c, p->before)) / was) : 0;
  for (int k = 0; k < nrow; k++) {
    p->z[k] = p->c[k] + (was > 0 ? beta * p->z[k] : 0);
    p->before[k] = p->c[k];
  }
}

// The share g of a lever.
static double grip_of(const SarFactored* G, double lever) { return *G->grip * lever * lever; }

// x' D x, D the diagonal of G0
static double size_of(const SarFactored* G, const double* x) {
  double size = 0;
  for (int i = 0; i < G->m->nv; i++) size += x[i] * G->inertia[i] * x[i];
  return size;
}

// The shortest lever to be trusted, with the way that closes the loops.
static double shortest_lever(SarSaddle* p, const SarFactored* G, const double* e) {
  const SarModel* m = G->m;
  double longest = 0;
  memset(p->way, 0, (size_t)m->nv * sizeof *p->way);
  G->correct(G, e, p->way, NULL);
  for (int i = 0; i < m->nv; i++) longest = fmax(longest, fabs(p->way[i]) / p->unit[i]);
  return fmax(UNSURE, TRUST * longest);
}

// As long as something is open that a lever holds. False: none that can be trusted yet.
static bool close(SarSaddle* p, const SarFactored* G, const double* e, double* x, double* mu) {
  const SarModel* m = G->m;
  double open = first_pass(p, G, e, x, mu), was = 0;
  double least = grip_of(G, p->redundant || p->firm ? UNSURE : SHORTEST);
  for (int i = 0; i < DIRECTIONS; i++) {
    const double enough = LEFT * LEFT * least * size_of(G, x);
    open = sweep(p, G, open, enough, x, mu);
    if (!(open > enough)) return true;
    turn(p, G, m->nrow, open, was);
    was = open;
    if (i == 0 && p->redundant) least = grip_of(G, shortest_lever(p, G, e));
    double step;
    const double held = search(p, G, &step);
    if (!(held > least)) return i > 0 || !p->redundant || least <= grip_of(G, UNSURE);
    open = go(p, G, step, p->z, x, mu);
  }
  return true;
}

bool sar_saddle_solve(SarSaddle* p, const SarFactored* G, const double* e, double* x, double* mu) {
  const SarModel* m = G->m;
  const bool closed = close(p, G, e, x, mu);
  if (!closed) memcpy(x, p->way, (size_t)m->nv * sizeof *x);
  for (int k = 0; k < m->nrow; k++) mu[k] = closed ? mu[k] + G->weight[k] * p->c[k] : 0;
  return closed;
}
