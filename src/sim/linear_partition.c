// Coordinate partitioning (linear_partition.h). Dependent are the rank columns of Psi that are
// farthest apart (QR with pivoting), so that Psi_d is well conditioned; before that, the rank rows
// are chosen likewise.
//
//   Psi_d x_d + Psi_i x_i = -open
#include "sim/linear_partition.h"

#include "linalg/lu.h"

#include <math.h>
#include <string.h>

static const double DEPENDENT = 1e-9;  // of the longest row

void sar_linear_partition_layout(SarLinearPartition* p, const SarModel* m, SarBlock* b) {
  const size_t nv = (size_t)m->nv, nrow = (size_t)m->nrow;
  SAR_PIECE(b, p->row, nrow);
  SAR_PIECE(b, p->dependent, nv);
  SAR_PIECE(b, p->independent, nv);
  SAR_PIECE(b, p->Psi, nrow * nv);
  SAR_PIECE(b, p->LU, nrow * nrow);
  SAR_PIECE(b, p->pivot, nrow);
}

void sar_linear_room_layout(SarLinearRoom* w, const SarModel* m, SarBlock* b) {
  const size_t nv = (size_t)m->nv, nrow = (size_t)m->nrow, most = nv > nrow ? nv : nrow;
  SAR_PIECE(b, w->full, nv * nrow);
  SAR_PIECE(b, w->tau, most);
  SAR_PIECE(b, w->rhs, most);
  SAR_PIECE(b, w->order, most);
  SAR_PIECE(b, w->dense.work, w->dense.lwork);
  SAR_PIECE(b, w->dense.iwork, w->dense.liwork);
}

// A row of Psi of unit length into x, every `stride` entries.
static void put_row(const SarModel* m, const SarData* d, int row, size_t stride, double* x) {
  double square = 0;
  for (int e = m->row_adr[row]; e < m->row_adr[row + 1]; e++) square += d->Psi[e] * d->Psi[e];
  for (int e = m->row_adr[row]; e < m->row_adr[row + 1]; e++)
    x[(size_t)m->row_dof[e] * stride] = square > 0 ? d->Psi[e] / sqrt(square) : 0;
}

static int rank_of(const double* R, int ld, int most) {
  int rank = 0;
  while (rank < most && fabs(R[(size_t)rank * (size_t)ld + (size_t)rank]) > DEPENDENT) rank++;
  return rank;
}

static void choose_rows(const SarModel* m, const SarData* d, SarLinearRoom* w,
                        SarLinearPartition* p, bool speeds) {
  const size_t nv = (size_t)m->nv;
  int count = 0, *row = w->order;
  memset(w->full, 0, nv * (size_t)m->nrow * sizeof *w->full);
  for (int k = 0; k < d->nactive; k++)
    if (speeds || !m->row[d->active_row[k]].nonholonomic)
      put_row(m, d, d->active_row[k], 1, &w->full[(size_t)count++ * nv]);
  sar_qr_pivoted(m->nv, count, w->full, row, w->tau, &w->dense);
  p->rank = rank_of(w->full, m->nv, count < m->nv ? count : m->nv);
  for (int k = 0; k < p->rank; k++) {  // the order-th of those that count
    int left = row[k];
    for (int i = 0; i < d->nactive; i++) {
      const int candidate = d->active_row[i];
      if (!speeds && m->row[candidate].nonholonomic) continue;
      if (left-- == 0) p->row[k] = candidate;
    }
  }
}

SarStatus sar_linear_partition_find(const SarModel* m, const SarData* d, SarLinearRoom* w,
                                    SarLinearPartition* p, bool speeds) {
  const int nv = m->nv;
  int* column = w->order;
  p->rank = 0;
  if (d->nactive > 0) choose_rows(m, d, w, p, speeds);
  const int r = p->rank;
  // chosen rows, by columns for the pivoting, by rows to keep
  memset(w->full, 0, (size_t)nv * (size_t)m->nrow * sizeof *w->full);
  memset(p->Psi, 0, (size_t)nv * (size_t)r * sizeof *p->Psi);
  for (int k = 0; k < r; k++) {
    put_row(m, d, p->row[k], (size_t)r, &w->full[k]);
    for (int e = m->row_adr[p->row[k]]; e < m->row_adr[p->row[k] + 1]; e++)
      p->Psi[k * nv + m->row_dof[e]] = d->Psi[e];
  }
  for (int i = 0; i < nv; i++) column[i] = i;
  if (r > 0) sar_qr_pivoted(r, nv, w->full, column, w->tau, &w->dense);
  for (int k = 0; k < r; k++) p->dependent[k] = column[k];
  for (int i = 0, count = 0; i < nv; i++) {
    bool free = true;
    for (int k = 0; k < r; k++) free = free && p->dependent[k] != i;
    if (free) p->independent[count++] = i;
  }
  for (int k = 0; k < r; k++)
    for (int l = 0; l < r; l++) p->LU[k * r + l] = p->Psi[k * nv + p->dependent[l]];
  return r == 0 || sar_lu_factor(r, p->LU, p->pivot) ? SAR_OK : SAR_SINGULAR;
}

void sar_linear_partition_complete(const SarModel* m, SarLinearRoom* w, const SarLinearPartition* p,
                                   const double* open, double* x) {
  const int nv = m->nv, r = p->rank;
  for (int k = 0; k < r; k++) x[p->dependent[k]] = 0;
  for (int k = 0; k < r; k++) {
    w->rhs[k] = open ? -open[p->row[k]] : 0;
    for (int i = 0; i < nv; i++) w->rhs[k] -= p->Psi[k * nv + i] * x[i];
  }
  if (r > 0) sar_lu_solve(r, p->LU, p->pivot, w->rhs);
  for (int k = 0; k < r; k++) x[p->dependent[k]] = w->rhs[k];
}
