// The choice of independent coordinates and the elimination of the others (partitioning.h).
#include "formulations/partitioning.h"

#include "linalg/lu_complete.h"

#include <float.h>
#include <math.h>
#include <string.h>

void sar_partitioning_layout(SarPartitioning* p, const SarModel* m, const double* unit,
                             SarBlock* b) {
  SAR_PIECE(b, p->order, m->nv);
  SAR_PIECE(b, p->held, m->nv);
  SAR_PIECE(b, p->LU, (size_t)m->nrow * (size_t)m->nv);
  SAR_PIECE(b, p->b, m->nrow);
  p->unit = unit;
  p->weight = NULL;
}

void sar_partitioning_declare(SarPartitioning* p, SarSim* s) {
  sar_state_ints(s, "choice.row", &p->row, s->m->nrow, s->m->nrow);
  sar_state_ints(s, "choice.column", &p->column, s->m->nv, s->m->nv);
  sar_state_doubles(s, "choice.pivot", &p->pivot, s->m->nrow);
}

static void count_positions(SarPartitioning* p, const SarModel* m) {
  p->positions = 0;
  while (p->positions < p->rank && !m->row[p->row[p->positions]].nonholonomic) p->positions++;
}

void sar_partitioning_adopt(SarPartitioning* p, const SarSim* s) {
  p->rank = s->freedom.rank;
  count_positions(p, s->m);
}

// ---- elimination --------------------------------------------------------------------------------

// LU = L^-1 Psi in the order of the choice: U of Psi_u, then L^-1 Psi_w; L below the diagonal.
bool sar_partitioning_eliminate(SarPartitioning* p, const SarSim* s) {
  const SarModel* m = s->m;
  const int n = m->nv, r = p->rank;
  count_positions(p, m);
  for (int k = 0; k < n; k++) p->order[p->column[k]] = k;
  memset(p->LU, 0, (size_t)r * (size_t)n * sizeof *p->LU);
  for (int i = 0; i < r; i++)
    for (int e = m->row_adr[p->row[i]]; e < m->row_adr[p->row[i] + 1]; e++)
      p->LU[i * n + p->order[m->row_dof[e]]] = s->d->Psi[e];
  for (int k = 0; k < r; k++) {
    const double* top = &p->LU[k * n];
    if (!(fabs(top[k]) > DBL_MIN)) return false;
    for (int i = k + 1; i < r; i++) {
      double* row = &p->LU[i * n];
      if (row[k] == 0) continue;
      const double factor = row[k] /= top[k];
      for (int j = k + 1; j < n; j++) row[j] -= factor * top[j];
    }
  }
  return true;
}

// b <- U^-1 b, of the first `count` pivots
static void solve_upper(const SarPartitioning* p, int n, int count, double* b) {
  for (int i = count - 1; i >= 0; i--) {
    for (int j = i + 1; j < count; j++) b[i] -= p->LU[i * n + j] * b[j];
    b[i] /= p->LU[i * n + i];
  }
}

static void take_off(SarPartitioning* p, int nv, int count, const double* e, double* x) {
  for (int i = 0; i < count; i++) {
    p->b[i] = e[p->row[i]];
    for (int j = 0; j < i; j++) p->b[i] -= p->LU[i * nv + j] * p->b[j];
  }
  solve_upper(p, nv, count, p->b);
  for (int i = 0; i < count; i++) x[p->column[i]] -= p->b[i];
}

void sar_partitioning_take_off(SarPartitioning* p, int nv, const double* e, double* x) {
  take_off(p, nv, p->rank, e, x);
}

void sar_partitioning_close(SarPartitioning* p, int nv, const double* e, double* x) {
  take_off(p, nv, p->positions, e, x);
}

void sar_partitioning_multipliers(SarPartitioning* p, int nv, const double* r, int nrow,
                                  double* lambda) {
  for (int i = 0; i < p->rank; i++) {
    p->b[i] = r[p->column[i]];
    for (int j = 0; j < i; j++) p->b[i] -= p->LU[j * nv + i] * p->b[j];
    p->b[i] /= p->LU[i * nv + i];
  }
  for (int i = p->rank - 1; i >= 0; i--)
    for (int j = i + 1; j < p->rank; j++) p->b[i] -= p->LU[j * nv + i] * p->b[j];
  memset(lambda, 0, (size_t)nrow * sizeof *lambda);
  for (int i = 0; i < p->rank; i++) lambda[p->row[i]] = p->b[i];
}

void sar_partitioning_column(const SarPartitioning* p, int nv, int k, double* R) {
  for (int i = 0; i < p->rank; i++) R[i] = -p->LU[i * nv + p->rank + k];
  solve_upper(p, nv, p->rank, R);
}

// ---- the choice ---------------------------------------------------------------------------------

// How long row i usually is, with lengths among its coordinates in units of the mechanism: what is
// chosen then does not depend on the unit of length.
static double usual_length(const SarPartitioning* p, const SarSim* s, int i) {
  const SarModel* m = s->m;
  double square = 0, scaled = 0;
  for (int e = m->row_adr[i]; e < m->row_adr[i + 1]; e++) {
    const double x = s->d->Psi[e], y = x * p->unit[m->row_dof[e]];
    square += x * x, scaled += y * y;
  }
  return square > 0 ? sqrt(scaled) * fmax(1, s->row_size[i] / sqrt(square)) : s->row_size[i];
}

// Nonholonomic rows, made so small, give pivots after all holonomic ones that count.
static double row_weight(const SarModel* m, int row) {
  return m->row[row].nonholonomic ? SAR_PARTITIONING_LEAST : 1;
}

// Of the matrix that was eliminated with `count` columns.
static double smallest_pivot(const SarPartitioning* p, const SarModel* m, int count) {
  double least = DBL_MAX;
  for (int k = 0; k < p->rank; k++)
    least = fmin(least, fabs(p->LU[k * (count + 1)]) / row_weight(m, p->row[k]));
  return least;
}

double sar_partitioning_choose(SarPartitioning* p, const SarSim* s, bool anew) {
  const SarModel* m = s->m;
  const int count = anew ? m->nv : p->rank;
  if (p->rank == 0) return 1;
  for (int k = 0; k < m->nv; k++) p->order[p->column[k]] = k;
  memset(p->LU, 0, (size_t)m->nrow * (size_t)count * sizeof *p->LU);
  for (int i = 0; i < m->nrow; i++) {
    const double size = usual_length(p, s, i) / row_weight(m, i);
    for (int e = m->row_adr[i]; e < m->row_adr[i + 1]; e++) {
      const int dof = m->row_dof[e], k = p->order[dof];
      const double weight = p->weight ? p->weight[dof] : 1;
      if (k < count) p->LU[i * count + k] = weight * s->d->Psi[e] * p->unit[dof] / size;
    }
  }
  const int rank = sar_lu_complete(m->nrow, count, p->LU, DBL_MIN, p->row, p->order, p->b);
  memcpy(p->held, p->column, (size_t)m->nv * sizeof *p->held);
  for (int k = 0; k < count; k++) p->column[k] = p->held[p->order[k]];
  return rank < p->rank ? 0 : smallest_pivot(p, m, count);
}

void sar_partitioning_keep(SarPartitioning* p, const SarSim* s, bool good) {
  for (int k = 0; k < p->rank; k++) p->pivot[k] = good ? p->LU[k * (s->m->nv + 1)] : 0;
}

int sar_partitioning_crossed(const SarPartitioning* p, const SarSim* s, double near) {
  for (int k = 0; k < p->rank; k++)
    if (!(p->LU[k * (s->m->nv + 1)] / p->pivot[k] > near)) return p->column[k];
  return -1;
}
