// The balance of forces on knots (knots.h).
//
// Newton's method on f(s) = 0 with the Cholesky factors of A = K + C / z_gain. Springs alone: f =
// -dU/ds, so where A is not positive definite it is shifted until it is (A + mu diag(A)), which
// makes the step p go downhill, and a step that goes past the lowest point of the line, f(s + p) .
// p < -f(s) . p / 2, is halved.
#include "dynamics/knots.h"

#include "elements/forces/element.h"
#include "linalg/spd.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS = 60, HALVINGS = 12, SHIFTS = 12 };
static const double ROUNDING = 4e-16;
static const double OPEN = 1e-9;   // of the size: what Newton's method may leave
static const double LOOSE = 1e-9;  // of the diagonal: a pivot that holds nothing

// ---- places and forces --------------------------------------------------------------------------

static V3 along_ways(const SarKnot* k, const double* s) {
  V3 x = v3_zero();
  for (int i = 0; i < k->num; i++) x = v3_add(x, v3_scale(s[k->adr + i], k->way[i]));
  return x;
}

static void place(const SarModel* m, SarData* d) {
  for (int i = 0; i < m->nknot; i++) {
    const SarKnot* k = &m->knot[i];
    const V3 v = along_ways(k, d->knot_rate);
    d->body_X_GB[m->nbody + i] = (Xform){k->R, v3_add(k->base, along_ways(k, d->knot_s))};
    d->body_V[m->nbody + i] = (Motion){v3_zero(), m3_tmul_v(k->R, v)};
  }
}

// Rates of elastic knots from x; NULL: zero.
static void set_elastic_rates(const SarModel* m, SarData* d, const double* x) {
  for (int k = 0; k < m->nknot; k++) {
    const SarKnot* at = &m->knot[k];
    for (int i = at->adr; i < at->adr + at->num && at->state < 0; i++)
      d->knot_rate[i] = x ? x[i] : 0;
  }
  place(m, d);
}

// Forces along the ways of the knots that count, 0 for the others. Leaves body_F in disorder.
static void forces(const SarModel* m, SarData* d, bool elastic, bool damped, double* f) {
  place(m, d);
  for (int k = 0; k < m->nknot; k++) d->body_F[m->nbody + k] = (Force){v3_zero(), v3_zero()};
  for (int i = 0; i < m->nknot_force; i++) {
    const int force = m->knot_force[i];
    if (d->force_on[force]) m->force_kind[force]->apply(m, d, force);
  }
  for (int i = 0; i < m->nknot; i++) {
    const SarKnot* k = &m->knot[i];
    const bool counts = k->state < 0 ? elastic : damped;
    const V3 F = m3_mul_v(k->R, d->body_F[m->nbody + i].f);
    for (int j = 0; j < k->num; j++) f[k->adr + j] = counts ? v3_dot(F, k->way[j]) : 0;
  }
}

// How far the ends of the forces are from the origin: rounding of places is of this.
static double size_of(const SarModel* m, const SarData* d) {
  double most = 0;
  for (int i = 0; i < m->nknot_force; i++) {
    const SarForceKind* kind = m->force_kind[m->knot_force[i]];
    for (int k = 0; k < kind->nattr; k++) {
      const SarAttrValue* a = sar_force_attr(m, m->knot_force[i], k);
      if (kind->attr[k].type == SAR_ATTR_POINT)
        most = fmax(most, v3_norm(x_point(body_pose(d, a->index), v3_load(&m->attr_data[a->adr]))));
      else if (kind->attr[k].type == SAR_ATTR_BODY)
        most = fmax(most, v3_norm(body_pose(d, a->index).p));
    }
  }
  return most;
}

// ---- Newton's method ----------------------------------------------------------------------------

static double dot(int n, const double* a, const double* b) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

static double longest(int n, const double* x) {
  double most = 0;
  for (int i = 0; i < n; i++) most = isnan(x[i]) ? x[i] : fmax(most, fabs(x[i]));
  return most;
}

// What is solved for: s of the knots that count, with rates (s - from) / gain where 1/gain is not
// 0; or the rates of damped knots.
typedef struct Balance {
  bool elastic, damped, rates;
  double per_gain;     // 1 / z_gain, or 0
  const double* from;  // by state
} Balance;

static void matrix_of(const SarModel* m, SarData* d, const Balance* b, double* A) {
  if (b->rates)
    sar_knot_matrix(m, d, 0, 1, b->elastic, b->damped, A);
  else
    sar_knot_matrix(m, d, 1, b->per_gain, b->elastic, b->damped, A);
}

// The factor of A, shifted as far as it takes. False: not even then.
static bool factor_shifted(const SarModel* m, SarData* d, const Balance* b) {
  const int n = m->nknot_dof;
  double shift = 0;
  for (int k = 0; k <= SHIFTS; k++) {
    double most = 0;
    matrix_of(m, d, b, d->knot_matrix);
    for (int i = 0; i < n; i++) most = fmax(most, fabs(d->knot_matrix[i * n + i]));
    for (int i = 0; i < n; i++) d->knot_matrix[i * n + i] += shift * most;
    if (sar_spd_factor(n, d->knot_matrix, LOOSE)) return true;
    shift = shift == 0 ? 1e-6 : 10 * shift;
  }
  return false;
}

// In implicit steps the unknown of a damped knot is its rate, s = z_from + z_gain s': a difference
// of places over a short step would be rounding.
static bool by_rate(const Balance* b, const SarKnot* k) { return b->per_gain > 0 && k->state >= 0; }

static void remember(const SarModel* m, SarData* d, const Balance* b) {
  const double* x = b->rates ? d->knot_rate : d->knot_s;
  for (int k = 0; k < m->nknot; k++)
    for (int i = m->knot[k].adr; i < m->knot[k].adr + m->knot[k].num; i++)
      d->knot_from[i] = by_rate(b, &m->knot[k]) ? d->knot_rate[i] : x[i];
}

// The unknowns at from + share step.
static void move(const SarModel* m, SarData* d, const Balance* b, double share) {
  double* x = b->rates ? d->knot_rate : d->knot_s;
  for (int k = 0; k < m->nknot; k++) {
    const SarKnot* at = &m->knot[k];
    for (int i = 0; i < at->num; i++) {
      const int n = at->adr + i;
      const double step = share * d->knot_step[n];
      if (by_rate(b, at)) {
        d->knot_rate[n] = d->knot_from[n] + step * b->per_gain;
        d->knot_s[n] = b->from[at->state + i] + d->knot_rate[n] / b->per_gain;
      } else {
        x[n] = d->knot_from[n] + step;
      }
    }
  }
}

// The step p, shortened where it goes too far. How long it was; NaN: no forces there.
static double take_step(const SarModel* m, SarData* d, const Balance* b) {
  const int n = m->nknot_dof;
  remember(m, d, b);
  memcpy(d->knot_step, d->knot_f, (size_t)n * sizeof *d->knot_step);
  sar_spd_solve(n, d->knot_matrix, d->knot_step);
  const double downhill = dot(n, d->knot_f, d->knot_step);
  double share = 1;
  for (int k = 0; k < HALVINGS; k++, share *= 0.5) {
    move(m, d, b, share);
    forces(m, d, b->elastic, b->damped, d->knot_f);
    if (dot(n, d->knot_f, d->knot_step) >= -0.5 * downhill) break;
  }
  return share * longest(n, d->knot_step);
}

static bool solve(const SarModel* m, SarData* d, const Balance* b, double size) {
  double last = (double)INFINITY;
  remember(m, d, b);
  move(m, d, b, 0);
  forces(m, d, b->elastic, b->damped, d->knot_f);
  for (int k = 0; k < ITERATIONS; k++) {
    if (!(longest(m->nknot_dof, d->knot_f) > 0)) return !isnan(longest(m->nknot_dof, d->knot_f));
    if (!factor_shifted(m, d, b)) return false;
    const double moved = take_step(m, d, b);
    const double all = b->rates ? longest(m->nknot_dof, d->knot_rate) : size;
    if (!isfinite(moved)) return false;
    if (moved <= ROUNDING * all || (moved <= OPEN * all && moved >= 0.5 * last)) return true;
    last = moved;
  }
  return false;
}

// ---- rates of elastic knots ---------------------------------------------------------------------

// Adds df/dt of one force on its knots with elastic knots at rest: with V the velocity of body[1]
// against body[0] at p, f on body[1] changes by -K V, and turns with body[0].
static void add_rate(const SarModel* m, SarData* d, int force, double* rate) {
  const SarForceKind* kind = m->force_kind[force];
  SarBodyTangent t = {.whole = true};
  int body[2] = {-1, -1}, found = 0;
  for (int k = 0; k < kind->nattr && found < 2; k++)
    if (kind->attr[k].type == SAR_ATTR_POINT || kind->attr[k].type == SAR_ATTR_BODY)
      body[found++] = sar_force_attr(m, force, k)->index;
  if (found < 2) return;  // a force that does not vary
  kind->tangent(m, d, force, &t);
  V3 v[2];
  for (int e = 0; e < 2; e++) {
    if (sar_is_knot(m, body[e])) d->body_F[body[e]] = (Force){v3_zero(), v3_zero()};
    v[e] = point_velocity(d, body[e], x_point_inv(body_pose(d, body[e]), t.p));
  }
  kind->apply(m, d, force);
  const V3 V = v3_sub(v[1], v[0]);
  const double* K = &t.K[21];
  const V3 change = v3(K[0] * V.x + K[1] * V.y + K[2] * V.z, K[6] * V.x + K[7] * V.y + K[8] * V.z,
                       K[12] * V.x + K[13] * V.y + K[14] * V.z);
  for (int e = 0; e < 2; e++) {
    if (!sar_is_knot(m, body[e])) continue;
    const SarKnot* k = &m->knot[body[e] - m->nbody];
    const V3 f = m3_mul_v(k->R, d->body_F[body[e]].f);
    const V3 turned = v3_cross(body_omega(d, body[0]), f);
    const V3 all = v3_add(turned, v3_scale(e == 1 ? -1 : 1, change));
    for (int i = 0; i < k->num; i++)
      if (k->state < 0) rate[k->adr + i] += v3_dot(all, k->way[i]);
  }
}

// K s' = df/dt; also where K is found to hold the elastic knots. False: it does not.
static bool find_rates(const SarModel* m, SarData* d) {
  const int n = m->nknot_dof;
  set_elastic_rates(m, d, NULL);
  memset(d->knot_step, 0, (size_t)n * sizeof *d->knot_step);
  for (int i = 0; i < m->nknot_force; i++)
    if (d->force_on[m->knot_force[i]]) add_rate(m, d, m->knot_force[i], d->knot_step);
  sar_knot_matrix(m, d, 1, 0, true, false, d->knot_matrix);
  if (!sar_spd_factor(n, d->knot_matrix, LOOSE)) return false;
  sar_spd_solve(n, d->knot_matrix, d->knot_step);
  set_elastic_rates(m, d, d->knot_step);
  return true;
}

// ---- all of it ----------------------------------------------------------------------------------

// The first knot that K (or C) does not hold together with those before it, for messages.
static int loosest(const SarModel* m, SarData* d, double gain_K, double gain_C) {
  const int n = m->nknot_dof;
  double* A = d->knot_matrix;
  sar_knot_matrix(m, d, gain_K, gain_C, gain_K > 0, gain_C > 0, A);
  for (int k = 0; k < n; k++) {
    double taken = 0;
    for (int i = 0; i < k; i++) taken += A[i * n + k] * A[i * n + k];
    const double pivot = A[k * n + k] - taken;
    if (!(pivot > LOOSE * A[k * n + k])) return sar_knot_of(m, k);
    A[k * n + k] = sqrt(pivot);
    for (int j = k + 1; j < n; j++) {
      for (int i = 0; i < k; i++) A[k * n + j] -= A[i * n + k] * A[i * n + j];
      A[k * n + j] /= A[k * n + k];
    }
  }
  return 0;
}

static void fail(const SarModel* m, SarData* d, SarKnotTrouble trouble, int worst) {
  d->knot_trouble = trouble;
  d->knot_worst = worst;
  for (int i = 0; i < m->nknot_dof; i++) d->knot_s[i] = d->knot_rate[i] = (double)NAN;
  place(m, d);
}

static int worst_of(const SarModel* m, const SarData* d) {
  int worst = 0;
  for (int i = 0; i < m->nknot_dof; i++)
    if (!(fabs(d->knot_f[i]) <= fabs(d->knot_f[worst]))) worst = i;
  return sar_knot_of(m, worst);
}

// Where Newton's method starts: states, and what the last step left. Within implicit steps all
// starts from there, so that forces are a function of positions and velocities to the last bit.
static void start(const SarModel* m, SarData* d, bool implicit) {
  memcpy(d->knot_s, d->knot, (size_t)m->nknot_dof * sizeof *d->knot_s);
  memset(d->knot_rate, 0, (size_t)m->nknot_dof * sizeof *d->knot_rate);
  for (int k = 0; k < m->nknot; k++) {
    const SarKnot* at = &m->knot[k];
    for (int i = 0; i < at->num && at->state >= 0; i++) {
      const int z = at->state + i, s = at->adr + i;
      if (implicit)
        d->knot_rate[s] = (d->knot[s] - d->z_from[z]) / d->z_gain;
      else
        d->knot_s[s] = d->z[z];
    }
  }
  memset(d->knot_step, 0, (size_t)m->nknot_dof * sizeof *d->knot_step);
}

static bool find_places(const SarModel* m, SarData* d, bool implicit, double size) {
  const Balance all = {.elastic = true,
                       .damped = implicit,
                       .per_gain = implicit ? 1 / d->z_gain : 0,
                       .from = d->z_from};
  if (!solve(m, d, &all, size)) {
    const bool loose = isfinite(longest(m->nknot_dof, d->knot_f));
    matrix_of(m, d, &all, d->knot_matrix);
    if (loose && !sar_spd_factor(m->nknot_dof, d->knot_matrix, LOOSE))
      fail(m, d, SAR_KNOT_LOOSE, loosest(m, d, 1, 0));
    else
      fail(m, d, SAR_KNOT_LOST, worst_of(m, d));
    return false;
  }
  matrix_of(m, d, &all, d->knot_factor);
  if (sar_spd_factor(m->nknot_dof, d->knot_factor, LOOSE)) return true;
  fail(m, d, SAR_KNOT_LOOSE, loosest(m, d, 1, 0));
  return false;
}

// s' of damped knots from the balance of forces at given places.
static bool find_damped_rates(const SarModel* m, SarData* d) {
  const Balance rates = {.damped = true, .rates = true};
  const int n = m->nknot_dof;
  memset(d->knot_step, 0, (size_t)n * sizeof *d->knot_step);
  sar_knot_matrix(m, d, 0, 1, false, true, d->knot_matrix);
  if (!sar_spd_factor(n, d->knot_matrix, LOOSE)) {
    fail(m, d, SAR_KNOT_UNDAMPED, loosest(m, d, 0, 1));
    return false;
  }
  if (solve(m, d, &rates, 0)) return true;
  fail(m, d, SAR_KNOT_LOST, worst_of(m, d));
  return false;
}

static void set_states(const SarModel* m, SarData* d, bool places) {
  for (int k = 0; k < m->nknot; k++) {
    const SarKnot* at = &m->knot[k];
    for (int i = 0; i < at->num && at->state >= 0; i++) {
      d->z_rate[at->state + i] = d->knot_rate[at->adr + i];
      if (places) d->slot[m->z_slot[at->state + i]] = d->z[at->state + i] = d->knot_s[at->adr + i];
    }
  }
}

void sar_update_knots(const SarModel* m, SarData* d) {
  const bool implicit = d->z_from && d->z_gain > 0;
  bool damped = false;
  for (int k = 0; k < m->nknot; k++) damped |= m->knot[k].state >= 0;
  d->knot_trouble = SAR_KNOT_FOUND;
  start(m, d, implicit);
  place(m, d);
  const double size = size_of(m, d);
  bool found = find_places(m, d, implicit && damped, size);
  if (found && damped && !implicit) found = find_damped_rates(m, d);
  if (found && !find_rates(m, d)) {
    found = false;
    fail(m, d, SAR_KNOT_LOOSE, loosest(m, d, 1, 0));
  }
  set_states(m, d, found && implicit);
}

void sar_keep_knots(const SarModel* m, SarData* d) {
  if (m->nknot > 0 && d->knot_trouble == SAR_KNOT_FOUND)
    memcpy(d->knot, d->knot_s, (size_t)m->nknot_dof * sizeof *d->knot);
}
