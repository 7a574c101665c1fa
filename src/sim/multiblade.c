// Multiblade coordinates (multiblade.h).
#include "sim/multiblade.h"

#include "base/alloc.h"
#include "dynamics/tree.h"
#include "linalg/lu.h"

#include <math.h>
#include <string.h>

static const double TWO_PI = 6.28318530717958647693;

typedef struct Branch {  // bodies first ... last of the tree
  int first, last;
  double mass, azimuth;
} Branch;

// ---- branches that are alike --------------------------------------------------------------------

static int last_of(const SarModel* m, int body) {
  int last = body;
  while (last + 1 < m->nbody && m->body_parent[last + 1] >= body) last++;
  return last;
}

static bool are_alike(const SarModel* m, const Branch* a, const Branch* b) {
  if (a->last - a->first != b->last - b->first) return false;
  for (int i = 1; i <= a->last - a->first; i++)
    if (m->body_parent[a->first + i] - a->first != m->body_parent[b->first + i] - b->first)
      return false;
  for (int i = 0; i <= a->last - a->first; i++)
    if (m->joint_kind[a->first + i] != m->joint_kind[b->first + i]) return false;
  return fabs(a->mass - b->mass) <= 1e-6 * fabs(a->mass);
}

static Branch branch_at(const SarModel* m, int body) {
  Branch b = {.first = body, .last = last_of(m, body)};
  for (int i = b.first; i <= b.last; i++) b.mass += m->body_inertia[i].m;
  return b;
}

static int freedoms_of(const SarModel* m, const Branch* b) {
  int n = 0;
  for (int i = b->first; i <= b->last; i++) n += m->joint_nv[i];
  return n;
}

// The most branches of the body that are alike and move; how many, 0 where there are too many.
static int find_blades(const SarModel* m, int body, Branch* out) {
  int most = 0;
  for (int i = body + 1; i < m->nbody; i++) {
    if (m->body_parent[i] != body) continue;
    Branch found[SAR_MOST_BLADES];
    const Branch a = branch_at(m, i);
    int count = 0;
    for (int k = i; k < m->nbody && freedoms_of(m, &a) > 0; k++) {
      if (m->body_parent[k] != body) continue;
      const Branch b = branch_at(m, k);
      if (!are_alike(m, &a, &b)) continue;
      if (count == SAR_MOST_BLADES) return 0;
      found[count++] = b;
    }
    if (count <= most) continue;
    most = count;
    memcpy(out, found, (size_t)count * sizeof *found);
  }
  return most;
}

// ---- azimuths -----------------------------------------------------------------------------------

static V3 mass_centre(const SarModel* m, const SarData* d, const Branch* b) {
  V3 sum = v3_zero();
  for (int i = b->first; i <= b->last; i++) {
    const Inertia I = m->body_inertia[i];
    sum = v3_add(sum, v3_axpy(I.m, d->body_X_GB[i].p, m3_mul_v(d->body_X_GB[i].R, I.h)));
  }
  return b->mass > 0 ? v3_scale(1 / b->mass, sum) : d->body_X_GB[b->last].p;
}

// About the angular velocity of the body, counted its way; at rest about the axis of its joint.
static void find_azimuths(const SarModel* m, const SarData* d, int body, int count, Branch* b,
                          double* rate) {
  const Xform X = d->body_X_GB[body];
  const V3 w = m3_mul_v(X.R, d->body_V[body].w);
  *rate = v3_norm(w);
  const V3 n = *rate > 1e-9 ? v3_scale(1 / *rate, w) : m3_col_z(X.R);
  V3 e1 = v3_zero();
  for (int i = 0; i < count; i++) {
    const V3 r = v3_sub(mass_centre(m, d, &b[i]), X.p), flat = v3_axpy(-v3_dot(r, n), n, r);
    if (i == 0) e1 = v3_unit(flat);
    b[i].azimuth = atan2(v3_dot(v3_cross(n, e1), flat), v3_dot(e1, flat));
    if (b[i].azimuth < -1e-6) b[i].azimuth += TWO_PI;
  }
  for (int i = 1; i < count; i++)
    for (int k = i; k > 0 && b[k].azimuth < b[k - 1].azimuth; k--) {
      const Branch swap = b[k];
      b[k] = b[k - 1], b[k - 1] = swap;
    }
}

static bool are_even(int count, const Branch* b) {
  for (int i = 0; i < count; i++)
    if (!(fabs(b[i].azimuth - TWO_PI * i / count) < 0.05)) return false;
  return true;
}

// ---- patterns -----------------------------------------------------------------------------------

int sar_multiblade_harmonic(const SarMultiblade* mb, int pattern, char* which) {
  if (pattern == 0) return *which = '0', 0;
  if (mb->blades % 2 == 0 && pattern == mb->blades - 1) return *which = 'd', 0;
  *which = pattern % 2 ? 'c' : 's';
  return (pattern + 1) / 2;
}

// C or, with rate, dC/dt
static double entry(const SarMultiblade* mb, int blade, int pattern, bool rate) {
  char which;
  const int h = sar_multiblade_harmonic(mb, pattern, &which);
  const double psi = h * mb->azimuth[blade], turn = h * mb->rate;
  if (which == '0') return rate ? 0 : 1;
  if (which == 'd') return rate ? 0 : 1 - 2 * (blade % 2);
  if (which == 'c') return rate ? -turn * sin(psi) : cos(psi);
  return rate ? turn * cos(psi) : sin(psi);
}

static bool fill_matrices(SarMultiblade* mb) {
  const int n = mb->blades;
  double C[SAR_MOST_BLADES * SAR_MOST_BLADES], x[SAR_MOST_BLADES];
  int pivot[SAR_MOST_BLADES];
  for (int i = 0; i < n * n; i++) C[i] = entry(mb, i / n, i % n, false);
  if (!sar_lu_factor(n, C, pivot)) return false;
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < n; i++) x[i] = i == j;
    sar_lu_solve(n, C, pivot, x);
    for (int i = 0; i < n; i++) mb->back[i * n + j] = x[i];
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < n; k++) sum += entry(mb, i, k, true) * mb->back[k * n + j];
      mb->turn[i * n + j] = sum;
    }
  return true;
}

static void list_freedoms(SarMultiblade* mb, const SarModel* m, const Branch* b) {
  for (int blade = 0; blade < mb->blades; blade++) {
    int group = 0;
    for (int i = b[blade].first; i <= b[blade].last; i++)
      for (int k = 0; k < m->joint_nv[i]; k++)
        mb->dof[mb->blades * group++ + blade] = m->joint_vadr[i] + k;
  }
}

SarStatus sar_multiblade_find(SarMultiblade* out, const SarModel* m, SarData* d, int body,
                              SarError* err) {
  Branch b[SAR_MOST_BLADES];
  const char* name = sar_model_name(m, SAR_ITEM_BODY, body);
  *out = (SarMultiblade){.blades = find_blades(m, body, b)};
  if (out->blades < 3) {
    sar_report(err, (SarLoc){0}, "name the body that carries the blades, in relative coordinates",
               "body '%s' carries no three to %d branches that are alike", name, SAR_MOST_BLADES);
    return SAR_BAD_ARGUMENT;
  }
  sar_update_kinematics(m, d);
  sar_update_world(m, d);
  find_azimuths(m, d, body, out->blades, b, &out->rate);
  if (!are_even(out->blades, b)) {
    sar_report(err, (SarLoc){0}, "", "the blades on body '%s' are not spaced evenly about its axis",
               name);
    return SAR_BAD_ARGUMENT;
  }
  // what lags and flaps moves azimuths a little; patterns are those of the places
  for (int i = 0; i < out->blades; i++) out->azimuth[i] = TWO_PI * i / out->blades;
  if (!fill_matrices(out)) return SAR_NOT_FINITE;
  out->groups = freedoms_of(m, &b[0]);
  out->dof = sar_alloc((size_t)(out->groups * out->blades) * sizeof *out->dof);
  if (!out->dof) return SAR_NO_MEMORY;
  list_freedoms(out, m, b);
  return SAR_OK;
}

void sar_multiblade_clear(SarMultiblade* mb) {
  sar_free(mb->dof);
  *mb = (SarMultiblade){0};
}

// ---- use ----------------------------------------------------------------------------------------

static void apply(const SarMultiblade* mb, const double* A, const double* x, double* out) {
  const int n = mb->blades;
  for (int g = 0; g < mb->groups; g++) {
    const int* dof = &mb->dof[g * n];
    double y[SAR_MOST_BLADES];
    for (int i = 0; i < n; i++) {
      y[i] = 0;
      for (int j = 0; j < n; j++) y[i] += A[i * n + j] * x[dof[j]];
    }
    for (int i = 0; i < n; i++) out[dof[i]] = y[i];
  }
}

void sar_multiblade_turn(const SarMultiblade* mb, int n, const double* x, double* out) {
  memset(out, 0, (size_t)n * sizeof *out);
  apply(mb, mb->turn, x, out);
}

void sar_multiblade_patterns(const SarMultiblade* mb, double* x) { apply(mb, mb->back, x, x); }
