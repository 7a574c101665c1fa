// Warm start of contacts of mechanisms (laws.h): without stress of their own.
//
// A linkage with one degree of freedom is moved by a normal impulse and by friction alike: the
// block A = J H^-1 J' of that one contact is singular. Sweeps in which the two contradict each
// other (a jam, Painleve's paradox) add to both by the same amount, each taking back what the other
// does. What starts the sweeps of the next step with that takes thousands of them to be rid of it:
// till then friction holds, and pushes, by far more than the load. So of all impulses that move the
// mechanism as those of the last step did sweeps start with the least norm, as near as the cone
// lets:
//
//   p* = (A + eps)^-1 A p,    p <- p + t (p* - p),   the largest t in [0, 1] within the cone
#include "formulations/impulse/laws.h"

#include <string.h>

static const double EPS = 1e-6;   // of the trace
static const double MUCH = 1e-2;  // of the impulses: less than that is left

// J of one row by the response of another: both are of the same two groups, in one order.
static double entry(const SarImpulses* p, const SarImpulseRow* a, const SarImpulseRow* b) {
  double sum = 0;
  for (int i = 0; i < a->parts && i < b->parts; i++) {
    const SarImpulsePart *x = &a->part[i], *y = &b->part[i];
    for (int k = 0; k < x->num; k++) sum += p->pool[x->adr + k] * p->pool[y->adr + y->num + k];
  }
  return sum;
}

static bool is_within(const double* p, const double* way, double t, double mu) {
  double z[3];
  for (int i = 0; i < 3; i++) z[i] = p[i] + t * way[i];
  return z[0] >= 0 && z[1] * z[1] + z[2] * z[2] <= mu * mu * z[0] * z[0];
}

// Cholesky's factor.
static void factor(double (*A)[3]) {
  for (int j = 0; j < 3; j++) {
    for (int k = 0; k < j; k++) A[j][j] -= A[j][k] * A[j][k];
    A[j][j] = sqrt(A[j][j]);
    for (int i = j + 1; i < 3; i++) {
      for (int k = 0; k < j; k++) A[i][j] -= A[i][k] * A[j][k];
      A[i][j] /= A[j][j];
    }
  }
}

static void solve(double (*A)[3], double* x) {
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < i; k++) x[i] -= A[i][k] * x[k];
    x[i] /= A[i][i];
  }
  for (int i = 2; i >= 0; i--) {
    for (int k = i + 1; k < 3; k++) x[i] -= A[k][i] * x[k];
    x[i] /= A[i][i];
  }
}

// way <- p* - p. False: it is nothing.
static bool find_way(const SarImpulses* p, const SarImpulseRow* row, double* way) {
  double A[3][3], L[3][3], trace = 0, off = 0, size = 0;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k <= i; k++) A[i][k] = A[k][i] = entry(p, &row[i], &row[k]);
  for (int i = 0; i < 3; i++) trace += A[i][i];
  if (!(trace > 0)) return false;
  memcpy(L, A, sizeof L);
  for (int i = 0; i < 3; i++) L[i][i] += EPS * trace;
  factor(L);
  for (int i = 0; i < 3; i++) way[i] = A[i][0] * row[0].p + A[i][1] * row[1].p + A[i][2] * row[2].p;
  solve(L, way);
  for (int i = 0; i < 3; i++) {
    way[i] -= row[i].p;
    off += way[i] * way[i];
    size += row[i].p * row[i].p;
  }
  return off > MUCH * MUCH * size;
}

static void relax(const SarImpulses* p, SarImpulseRow* row) {
  enum { HALVINGS = 20 };
  const double mu = row[1].factor, z[3] = {row[0].p, row[1].p, row[2].p};
  double way[3], low = 0, high = 1;
  if (!find_way(p, row, way) || !is_within(z, way, 0, mu)) return;
  if (is_within(z, way, 1, mu)) low = 1;
  for (int i = 0; i < HALVINGS && low < 1; i++) {
    const double t = 0.5 * (low + high);
    *(is_within(z, way, t, mu) ? &low : &high) = t;
  }
  for (int i = 0; i < 3; i++) row[i].p += low * way[i];
}

void sar_relax_start(const SarImpulses* p, int contacts) {
  if (!p->held->direct) return;
  for (int i = contacts; i + 2 < p->count; i++) {
    SarImpulseRow* row = &p->row[i];
    if (row->limiter < 0 && row->soft == 0 && row[1].limiter == i && row[1].disc && row->p > 0)
      relax(p, row);
  }
}
