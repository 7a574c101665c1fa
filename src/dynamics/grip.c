// The weakest combination of rows, by power iteration (grip.h).
//
// With rows scaled to unit weight, A = w^1/2 Psi, a correction by G = M + A'A leaves of residuals e
//
//   e <- (I - A G^-1 A') e = (I + A M^-1 A')^-1 e
//
// whose eigenvalues are 1 / (1 + GRIP g^2), g the grip: the power iteration of this matrix is the
// inverse iteration of A M^-1 A', and goes to the weakest combination. Grips differ by their
// squares in each pass, so two passes from a vector that prefers no combination are enough to see
// one that is weak.
//
// Source: Golub and Van Loan, Matrix Computations, sec. 8.2.
// Cost: two solutions with the factor at hand.
#include "dynamics/grip.h"

#include "dynamics/constraints.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

// Numbers between 1/2 and 1 of either sign, of no pattern that a mechanism might have (Knuth's
// multiplicative hash).
static double scattered(int k) {
  const uint32_t bits = (uint32_t)(k + 1) * 2654435769u;
  const double size = 0.5 + 0.5 * (double)(bits & 0xffffff) / 0x1000000;
  return bits >> 31 ? size : -size;
}

// e <- e - Psi G^-1 Psi' w e; returns sum w e^2. Psi is that of the factor on both sides: one that
// has moved on since would leave a share of e, however firmly the rows hold.
static double pass(const SarFactored* G) {
  const SarModel* m = G->m;
  double sum = 0;
  memset(G->r, 0, (size_t)m->nv * sizeof *G->r);
  G->correct(G, G->c, G->r, G->e);
  for (int k = 0; k < m->nrow; k++) {
    if (!(G->weight[k] > 0)) continue;
    G->c[k] += G->e[k] / G->weight[k];
    sum += G->weight[k] * G->c[k] * G->c[k];
  }
  return sum;
}

// A row may vanish as a whole, which its weight would hide.
static double shortest(const SarFactored* G, const SarData* d, const double* usual) {
  const SarModel* m = G->m;
  double least = 1;
  for (int k = 0; k < m->nrow; k++) {
    double square = 0;
    if (!(G->weight[k] > 0)) continue;
    for (int e = m->row_adr[k]; e < m->row_adr[k + 1]; e++) square += d->Psi[e] * d->Psi[e];
    least = fmin(least, square / (usual[k] * usual[k]));
  }
  return sqrt(least);
}

double sar_least_grip(const SarFactored* G, const SarData* d, const double* usual) {
  for (int k = 0; k < G->m->nrow; k++)
    G->c[k] = G->weight[k] > 0 ? scattered(k) / sqrt(G->weight[k]) : 0;
  const double first = pass(G), second = pass(G);
  if (!(first > 0) || !(second > 0)) return 1;  // no rows
  const double left = sqrt(second / first);     // 1 / (1 + GRIP g^2)
  const double grip = sqrt(fmax(1 / left - 1, 0) / *G->grip);
  return fmin(grip, 1) * shortest(G, d, usual);
}
