// LAPACK by its Fortran symbols.
//
// Not by LAPACKE: its high-level functions allocate, its others only reorder arguments. Hidden
// lengths of character arguments follow at the end, as gfortran expects them.
#include "linalg/dense.h"

#include "base/error.h"

#include <math.h>

typedef const int* In;        // Fortran passes everything by address
typedef const double* Const;  // array or scalar that is read
typedef size_t Len;

// clang-format off
void dtzrzf_(In, In, double*, In, double*, double*, In, int*);
void dormrz_(const char*, const char*, In, In, In, In, Const, In, Const, double*, In, double*, In, int*, Len, Len);
void dgesvd_(const char*, const char*, In, In, double*, In, double*, double*, In, double*, In, double*, In, int*, Len, Len);
void dsyevd_(const char*, const char*, In, double*, In, double*, double*, In, int*, In, int*, Len, Len);
void dgees_(const char*, const char*, int (*)(Const, Const), In, double*, In, int*, double*, double*, double*, In, double*, In, int*, int*, Len, Len);
void dgeev_(const char*, const char*, In, double*, In, double*, double*, double*, In, double*, In, double*, In, int*, Len, Len);
void dtrsen_(const char*, const char*, In, In, double*, In, double*, In, double*, double*, int*, double*, double*, double*, In, int*, In, int*, Len, Len);
void dsytrf_rook_(const char*, In, double*, In, int*, double*, In, int*, Len);
void dsytrs_rook_(const char*, In, In, Const, In, In, double*, In, int*, Len);
void dpstrf_(const char*, In, double*, In, int*, int*, Const, double*, int*, Len);
void xerbla_(const char*, In, Len);
// clang-format on

// LAPACK's error handler prints and stops the program; with this one in its place a wrong argument
// only comes back as a negative info.
void xerbla_(const char* name, In info, Len length) { (void)name, (void)info, (void)length; }

static const int one_i = 1;
static int at_least_one(int n) { return n > 1 ? n : 1; }
static int max_int(int a, int b) { return a > b ? a : b; }

void sar_dense_query(int n, int m, SarDenseWork* w) {
  int info, query = -1, iw[1], most = 1, imost = 1, found, size = n + m, small = n < m ? n : m;
  int ld = at_least_one(max_int(n, m));
  double x[1] = {0}, tau[1] = {0}, need[1] = {0};
  n = at_least_one(n), m = at_least_one(m), small = at_least_one(small);
  // each writes its best size into need[0]
#define SAR_NEED (most = max_int(most, (int)need[0]))
  dtzrzf_(&small, &m, x, &ld, tau, need, &query, &info), SAR_NEED;
  int rest = m - small;
  dormrz_("L", "N", &m, &one_i, &small, &rest, x, &ld, tau, x, &ld, need, &query, &info, 1, 1),
      SAR_NEED;
  dgesvd_("A", "N", &n, &m, x, &n, x, x, &n, x, &one_i, need, &query, &info, 1, 1), SAR_NEED;
  dsyevd_("V", "L", &n, x, &n, x, need, &query, iw, &query, &info, 1, 1), SAR_NEED;
  imost = max_int(imost, iw[0]);
  dgees_("V", "N", NULL, &n, x, &n, &found, x, x, x, &n, need, &query, iw, &info, 1, 1), SAR_NEED;
  size = at_least_one(size);
  dsytrf_rook_("L", &size, x, &size, iw, need, &query, &info, 1), SAR_NEED;
#undef SAR_NEED
  w->lwork = max_int(most, 2 * size);  // QR, dpstrf: 2 m, dtrsen: n
  w->liwork = imost;
}

void sar_rz(int r, int m, double* A, int ld, double* tau, SarDenseWork* w) {
  int info = 0;
  dtzrzf_(&r, &m, A, &ld, tau, w->work, &w->lwork, &info);
  SAR_ASSERT(info == 0);
}

static void z_mul(const char* trans, int m, int r, const double* RZ, int ld, const double* tau,
                  double* x, SarDenseWork* w) {
  int info = 0, rest = m - r, ldx = at_least_one(m);
  dormrz_("L", trans, &m, &one_i, &r, &rest, RZ, &ld, tau, x, &ldx, w->work, &w->lwork, &info, 1,
          1);
  SAR_ASSERT(info == 0);
}

void sar_z_mul(int m, int r, const double* RZ, int ld, const double* tau, double* x,
               SarDenseWork* w) {
  z_mul("N", m, r, RZ, ld, tau, x, w);
}

void sar_z_mul_t(int m, int r, const double* RZ, int ld, const double* tau, double* x,
                 SarDenseWork* w) {
  z_mul("T", m, r, RZ, ld, tau, x, w);
}

SarStatus sar_svd_left(int n, int m, double* A, double* sigma, double* U, SarDenseWork* w) {
  int info = 0, ld = at_least_one(n);
  double unused;
  if (m == 0) {  // LAPACK leaves U alone then
    for (int i = 0; i < n * n; i++) U[i] = i % (n + 1) == 0;
    return SAR_OK;
  }
  dgesvd_("A", "N", &n, &m, A, &ld, sigma, U, &ld, &unused, &one_i, w->work, &w->lwork, &info, 1,
          1);
  return info == 0 ? SAR_OK : SAR_NOT_CONVERGED;
}

SarStatus sar_eigen(int n, double* A, double* values, SarDenseWork* w) {
  int info = 0, ld = at_least_one(n);
  dsyevd_("V", "L", &n, A, &ld, values, w->work, &w->lwork, w->iwork, &w->liwork, &info, 1, 1);
  return info == 0 ? SAR_OK : SAR_NOT_CONVERGED;
}

SarStatus sar_schur(int n, double* A, double* re, double* im, double* K, SarDenseWork* w) {
  int info = 0, sorted = 0, ld = at_least_one(n);
  dgees_("V", "N", NULL, &n, A, &ld, &sorted, re, im, K, &ld, w->work, &w->lwork, NULL, &info, 1,
         1);
  return info == 0 ? SAR_OK : SAR_NOT_CONVERGED;
}

SarStatus sar_schur_reorder(int n, int* select, double* U, double* K, double* re, double* im,
                            SarDenseWork* w) {
  int info = 0, found = 0, ld = at_least_one(n);
  double unused;
  dtrsen_("N", "V", select, &n, U, &ld, K, &ld, re, im, &found, &unused, &unused, w->work,
          &w->lwork, w->iwork, &w->liwork, &info, 1, 1);
  return info == 0 ? SAR_OK : SAR_NOT_CONVERGED;
}

int sar_eigen_general_size(int n) {
  int info = 0, query = -1, ld = at_least_one(n);
  double x[1] = {0}, need[1] = {0};
  dgeev_("N", "V", &ld, x, &ld, x, x, x, &ld, x, &ld, need, &query, &info, 1, 1);
  return max_int((int)need[0], 4 * ld);
}

SarStatus sar_eigen_general(int n, double* A, double* re, double* im, double* vectors, double* work,
                            int work_size) {
  int info = 0, ld = at_least_one(n);
  double unused[1];
  dgeev_("N", "V", &n, A, &ld, re, im, unused, &ld, vectors, &ld, work, &work_size, &info, 1, 1);
  return info == 0 ? SAR_OK : SAR_NOT_CONVERGED;
}

void sar_ldl_factor(int n, double* A, int* pivot, SarDenseWork* w) {
  int info = 0, ld = at_least_one(n);
  // info > 0 (a zero block in D) is left to sar_ldl_smallest
  dsytrf_rook_("L", &n, A, &ld, pivot, w->work, &w->lwork, &info, 1);
  SAR_ASSERT(info >= 0);
}

void sar_ldl_solve(int n, const double* LD, const int* pivot, double* x) {
  int info = 0, ld = at_least_one(n);
  dsytrs_rook_("L", &n, &one_i, LD, &ld, pivot, x, &ld, &info, 1);
  SAR_ASSERT(info == 0);
}

double sar_ldl_smallest(int n, const double* LD, const int* pivot) {
  double smallest = HUGE_VAL;
  for (int k = 0; k < n; k++) {
    double d = LD[k + k * n], size = fabs(d);
    if (pivot[k] <
        0) {  // a 2 x 2 block: |det| / largest entry, the smaller eigenvalue to a factor 2
      double e = LD[k + 1 + k * n], f = LD[k + 1 + (k + 1) * n];
      double largest = fmax(fabs(e), fmax(fabs(d), fabs(f)));
      size = largest > 0 ? fabs(d * f - e * e) / largest : 0;
      k++;
    }
    smallest = fmin(smallest, size);
  }
  return smallest;
}

int sar_cholesky_pivoted(int n, double* A, int* pivot, double floor, SarDenseWork* w) {
  int info = 0, rank = 0, ld = at_least_one(n);
  dpstrf_("U", &n, A, &ld, pivot, &rank, &floor, w->work, &info, 1);
  SAR_ASSERT(info >= 0);
  for (int k = 0; k < n; k++) pivot[k]--;
  return rank;
}
