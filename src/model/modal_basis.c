// Modes that are orthogonal with respect to mass and stiffness (modal_basis.h).
//
//   M_ij = sum over nodes of V_i' I V_j,     M = L L',  A = L^-1 K L^-T = Q W Q' (Jacobi),
//                                            T = L^-T Q
//
// and modes are replaced by their combinations T: their masses are 1, their stiffness the squared
// frequencies. A basis that is orthogonal already is left as it is.
#include "model/modal_basis.h"

#include <math.h>
#include <string.h>

static const double ORTHOGONAL = 1e-9;  // of the diagonal entries: as good as none

SarModalShape* sar_modal_shape_new(SarArena* arena, int nodes, int modes, bool bends) {
  SarModalShape* s = SAR_ARENA_NEW(arena, SarModalShape);
  if (!s) return NULL;
  const size_t n = (size_t)nodes, k = (size_t)modes;
  *s = (SarModalShape){.nodes = nodes, .modes = modes};
  s->X = SAR_ARENA_ARRAY(arena, Xform, n);
  s->inertia = SAR_ARENA_ARRAY(arena, Inertia, n);
  s->mode = SAR_ARENA_ARRAY(arena, Motion, n * k);
  s->stiffness = SAR_ARENA_ARRAY(arena, double, k* k);
  s->damping = SAR_ARENA_ARRAY(arena, double, k);
  if (bends) s->bend = SAR_ARENA_ARRAY(arena, V3, n * (size_t)sar_pairs(modes));
  if (arena->failed) return NULL;
  for (int i = 0; i < nodes; i++) s->X[i] = x_identity();
  return s;
}

// A motion given in axes of E, in those of node k.
static Motion in_node(const SarModalShape* s, int k, Motion V) {
  return (Motion){m3_tmul_v(s->X[k].R, V.w), m3_tmul_v(s->X[k].R, V.v)};
}

void sar_modal_mass(const SarModalShape* s, double* M) {
  const int n = s->modes;
  memset(M, 0, (size_t)(n * n) * sizeof *M);
  for (int k = 0; k < s->nodes; k++)
    for (int i = 0; i < n; i++) {
      const Force F = inertia_mul(s->inertia[k], in_node(s, k, s->mode[k * n + i]));
      for (int j = 0; j <= i; j++) M[i * n + j] += power_of(in_node(s, k, s->mode[k * n + j]), F);
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) M[j * n + i] = M[i * n + j];
}

static bool is_diagonal(int n, const double* A) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      if (fabs(A[i * n + j]) > ORTHOGONAL * sqrt(fabs(A[i * n + i] * A[j * n + j]))) return false;
  return true;
}

bool sar_modal_is_orthogonal(const SarModalShape* s, const double* M) {
  return is_diagonal(s->modes, M) && is_diagonal(s->modes, s->stiffness);
}

// A = L L' in place, lower triangle. False: not positive definite.
static bool factor(int n, double* A) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double sum = A[i * n + j];
      for (int k = 0; k < j; k++) sum -= A[i * n + k] * A[j * n + k];
      if (i != j)
        A[i * n + j] = sum / A[j * n + j];
      else if (sum > 1e-13 * A[i * n + i])
        A[i * n + i] = sqrt(sum);
      else
        return false;
    }
  return true;
}

// x <- L^-1 x and L^-T x for a column of a matrix with n columns
static void lower(int n, const double* L, double* x, int stride) {
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i; k++) x[i * stride] -= L[i * n + k] * x[k * stride];
    x[i * stride] /= L[i * n + i];
  }
}
static void lower_t(int n, const double* L, double* x, int stride) {
  for (int i = n - 1; i >= 0; i--) {
    x[i * stride] /= L[i * n + i];
    for (int k = 0; k < i; k++) x[k * stride] -= L[i * n + k] * x[i * stride];
  }
}

// One rotation of Jacobi's method in the plane p, q; Q: columns are eigenvectors.
static void rotate(int n, double* A, double* Q, int p, int q) {
  const double apq = A[p * n + q];
  if (apq == 0) return;
  const double h = 0.5 * (A[q * n + q] - A[p * n + p]) / apq;
  const double t = (h >= 0 ? 1 : -1) / (fabs(h) + sqrt(1 + h * h));
  const double c = 1 / sqrt(1 + t * t), s = t * c;
  for (int k = 0; k < n; k++) {
    const double a = A[k * n + p], b = A[k * n + q];
    A[k * n + p] = c * a - s * b, A[k * n + q] = s * a + c * b;
  }
  for (int k = 0; k < n; k++) {
    const double a = A[p * n + k], b = A[q * n + k];
    A[p * n + k] = c * a - s * b, A[q * n + k] = s * a + c * b;
    const double u = Q[k * n + p], v = Q[k * n + q];
    Q[k * n + p] = c * u - s * v, Q[k * n + q] = s * u + c * v;
  }
}

static void jacobi(int n, double* A, double* Q) {
  enum { SWEEPS = 60 };
  memset(Q, 0, (size_t)(n * n) * sizeof *Q);
  for (int i = 0; i < n; i++) Q[i * n + i] = 1;
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    double off = 0, size = 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) *(i == j ? &size : &off) += A[i * n + j] * A[i * n + j];
    if (!(off > 1e-30 * size)) return;
    for (int p = 0; p < n; p++)
      for (int q = p + 1; q < n; q++) rotate(n, A, Q, p, q);
  }
}

// Order of rising values.
static void rank(int n, const double* value, int* order) {
  for (int i = 0; i < n; i++) {
    int k = i;
    for (; k > 0 && value[order[k - 1]] > value[i]; k--) order[k] = order[k - 1];
    order[k] = i;
  }
}

// Modes and bends in the basis T (n x keep, column by column of rows of n).
static void combine(SarModalShape* s, const double* T, int keep, Motion* row, V3* bent) {
  const int n = s->modes;
  for (int k = 0; k < s->nodes; k++) {
    for (int j = 0; j < keep; j++) {
      row[j] = motion_zero();
      for (int i = 0; i < n; i++)
        row[j] = motion_add(row[j], motion_scale(T[i * keep + j], s->mode[k * n + i]));
    }
    for (int j = 0; s->bend && j < keep; j++)
      for (int l = 0; l <= j; l++) {
        V3 sum = v3_zero();
        for (int a = 0; a < n; a++)
          for (int b = 0; b < n; b++)
            sum = v3_axpy(T[a * keep + j] * T[b * keep + l],
                          s->bend[k * sar_pairs(n) + sar_pair(a, b)], sum);
        bent[sar_pair(j, l)] = sum;
      }
    memcpy(&s->mode[k * keep], row, (size_t)keep * sizeof *row);
    if (s->bend)
      memcpy(&s->bend[k * sar_pairs(keep)], bent, (size_t)sar_pairs(keep) * sizeof *bent);
  }
}

const char* sar_modal_orthogonal(SarArena* arena, SarModalShape* s, const double* frequency,
                                 int keep) {
  const int n = s->modes;
  const size_t nn = (size_t)n * (size_t)n;
  double* M = SAR_ARENA_ARRAY(arena, double, nn);
  double* A = SAR_ARENA_ARRAY(arena, double, nn);
  double* Q = SAR_ARENA_ARRAY(arena, double, nn);
  double* T = SAR_ARENA_ARRAY(arena, double, nn);
  double* value = SAR_ARENA_ARRAY(arena, double, n);
  int* order = SAR_ARENA_ARRAY(arena, int, n);
  Motion* row = SAR_ARENA_ARRAY(arena, Motion, n);
  V3* bent = SAR_ARENA_ARRAY(arena, V3, sar_pairs(n));
  if (arena->failed) return NULL;
  const double tau = 6.283185307179586477;
  sar_modal_mass(s, M);
  for (int i = 0; i < n; i++) {
    double* k = &s->stiffness[i * n + i];
    if (isnan(*k)) *k = tau * tau * frequency[i] * frequency[i] * M[i * n + i];
  }
  const bool orthogonal = sar_modal_is_orthogonal(s, M);
  memcpy(Q, M, nn * sizeof *Q);
  if (!factor(n, Q)) return "have no mass, or follow from each other";
  memcpy(A, s->stiffness, nn * sizeof *A);
  if (orthogonal) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) T[i * keep + j % keep] = 0;
    for (int i = 0; i < keep; i++) T[i * keep + i] = 1, value[i] = A[i * n + i], order[i] = i;
  } else {
    double* L = M;  // A <- L^-1 K L^-T, then T = L^-T Q in the order of the frequencies
    memcpy(L, Q, nn * sizeof *L);
    for (int j = 0; j < n; j++) lower(n, L, A + j, n);
    for (int i = 0; i < n; i++) lower(n, L, A + i * n, 1);
    jacobi(n, A, Q);
    for (int j = 0; j < n; j++) lower_t(n, L, Q + j, n);
    for (int i = 0; i < n; i++) value[i] = A[i * n + i];
    rank(n, value, order);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < keep; j++) T[i * keep + j] = Q[i * n + order[j]];
  }
  if (!orthogonal || keep < n) combine(s, T, keep, row, bent);
  memset(s->stiffness, 0, nn * sizeof *s->stiffness);
  for (int i = 0; i < keep; i++) s->stiffness[i * keep + i] = value[order[i]];
  s->modes = keep;
  for (int i = 0; i < keep; i++)
    if (!(s->stiffness[i * keep + i] >= -1e-9 * fabs(value[order[keep - 1]])))
      return "have a negative stiffness";
  return NULL;
}
