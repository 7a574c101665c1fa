// The direct solve of rows (row_guess.h).
#include "formulations/impulse/row_guess.h"

#include "formulations/impulse/cone.h"

#include <math.h>
#include <string.h>

enum { NEWTON_STEPS = 8 };
static const double EPS = 1e-9;   // of the mean of the diagonal: compliance of what sticks
static const double GAIN = 1e-2;  // of the residual's square: a solve is kept if it falls by this
static const double ENOUGH = 1e-12;  // of it: no further steps

// Bounds of items: those of a row; a cone of three; a disc of two, or one item, whose bound another
// row has. `contact` of SarRowShare has them, `friction` being that of a cone, or < 0.
typedef struct Bounds {
  double low, high;  // of one item, or -radius, radius of a disc
} Bounds;

static Bounds bounds_of(const SarRowShare* p, const SarImpulses* rows, const SarShareContact* c) {
  const SarShareItem* at = &p->item[c->first];
  if (at->row < 0) return (Bounds){0, HUGE_VAL};
  const SarImpulseRow* row = &rows->row[at->row];
  if (row->limiter < 0) return (Bounds){row->low, row->high};
  const double most = row->factor * fmax(0, rows->row[row->limiter].p);
  return (Bounds){-most, most};
}

static bool add(SarRowShare* p, int count, double friction, SarShareItem first) {
  if (p->n + count > p->most) return false;
  p->contact[p->contacts++] = (SarShareContact){p->n, count, friction, true};
  for (int k = 0; k < count; k++, p->n++) {
    p->item[p->n] = first;
    if (first.row >= 0)
      p->item[p->n].row += k;
    else
      p->item[p->n].axis = k;
  }
  return true;
}

static bool collect(SarRowShare* p, const SarImpulses* rows) {
  p->n = p->contacts = 0;
  for (int i = 0, count; i < rows->count; i += count) {
    const SarImpulseRow* row = &rows->row[i];
    const bool cone = row->limiter < 0 && i + 2 < rows->count && row[1].limiter == i && row[1].disc;
    count = cone ? 3 : row->disc ? 2 : 1;
    if (!add(p, count, cone ? row[1].factor : -1, (SarShareItem){.row = i})) return false;
  }
  for (int f = 0; f < rows->lefts; f++) {
    const SarFace* face = &rows->points.face[rows->left[f]];
    for (int i = face->first; i < face->first + face->count; i++) {
      const SarShareItem item = {.row = -1, .face = rows->left[f], .point = i};
      const double mu = rows->points.point[i].friction;
      if (!add(p, mu > 0 ? 3 : 1, mu > 0 ? mu : -1, item)) return false;
    }
  }
  return p->n > 1;
}

static double wanted(const SarImpulses* rows, const SarShareItem* at, double* soft) {
  *soft = 0;
  if (at->row >= 0) {
    *soft = rows->row[at->row].soft;
    return rows->row[at->row].speed;
  }
  if (at->axis > 0) return rows->points.point[at->point].slip[at->axis - 1];
  *soft = rows->points.point[at->point].soft;
  return rows->points.point[at->point].speed;
}

// left: u = J v - wanted + soft p
static void read_speeds(SarRowShare* p, const SarImpulses* rows) {
  for (int i = 0; i < p->n; i++) {
    double soft;
    const double speed = wanted(rows, &p->item[i], &soft);
    p->left[i] = sar_share_speed(rows, &p->item[i], rows->v) - speed + soft * p->p[i];
  }
}

static void cut_disc(double most, double* x) {
  const double t = hypot(x[0], x[1]);
  if (t > most) x[0] *= most / t, x[1] *= most / t;
}

static void cut(const SarShareContact* c, Bounds b, double* x) {
  if (c->count == 3) {
    x[0] = fmax(x[0], 0);
    cut_disc(c->friction * x[0], x + 1);
  } else if (c->count == 2) {
    cut_disc(b.high, x);
  } else {
    *x = fmin(fmax(*x, b.low), b.high);
  }
}

static double residual(const SarRowShare* p, const SarImpulses* rows) {
  double sum = 0;
  for (int k = 0; k < p->contacts; k++) {
    const SarShareContact* c = &p->contact[k];
    const double *x = &p->p[c->first], *u = &p->left[c->first];
    double a = 0, want[3], near[3];
    for (int i = c->first; i < c->first + c->count; i++) a += p->A[i * p->n + i] / c->count;
    if (!(a > 0)) continue;
    for (int i = 0; i < c->count; i++) want[i] = near[i] = x[i] - u[i] / a;
    if (c->count == 3) {
      want[0] -= c->friction * hypot(u[1], u[2]) / a;
      sar_cone_project(c->friction, want, near);
    } else {
      cut(c, bounds_of(p, rows, c), near);
    }
    for (int i = 0; i < c->count; i++) sum += a * (near[i] - x[i]) * (near[i] - x[i]);
  }
  return sum;
}

// ---- Newton's method -----------------------------------------------------------------------------

// Row i of the system: (A dp)_i = -u_i, what is within its bounds has its speed
static void want_speed(const SarRowShare* p, int i, double eps) {
  memcpy(&p->L[i * p->n], &p->A[i * p->n], (size_t)p->n * sizeof *p->L);
  p->L[i * p->n + i] += eps;
  p->x[i] = -p->left[i];
}

// dp_i = to - p_i
static void want_impulse(const SarRowShare* p, int i, double to) {
  memset(&p->L[i * p->n], 0, (size_t)p->n * sizeof *p->L);
  p->L[i * p->n + i] = 1;
  p->x[i] = to - p->p[i];
}

// p_t = mu p_n e of what slides, e = w / |w|, w = p_t - u_t / a, linearised:
//   dp_t - mu e dp_n - c (1 - e e') (dp_t - (A dp)_t / a) = mu p_n e - p_t,     c = mu p_n / |w|
static void want_sliding(const SarRowShare* p, const SarShareContact* c, const double* w, double a,
                         double normal) {
  const int n = p->n, t = c->first + 1;
  const double length = hypot(w[0], w[1]), e[2] = {w[0] / length, w[1] / length};
  const double turn = c->friction * normal / length;
  const double P[2][2] = {{turn * e[1] * e[1], -turn * e[0] * e[1]},
                          {-turn * e[0] * e[1], turn * e[0] * e[0]}};
  for (int k = 0; k < 2; k++) {
    double* row = &p->L[(t + k) * n];
    for (int j = 0; j < n; j++)
      row[j] = (P[k][0] * p->A[t * n + j] + P[k][1] * p->A[(t + 1) * n + j]) / a;
    row[t] -= P[k][0], row[t + 1] -= P[k][1];
    row[t + k] += 1;
    row[c->first] -= c->friction * e[k];
    p->x[t + k] = c->friction * normal * e[k] - p->p[t + k];
  }
}

static void linearise_cone(const SarRowShare* p, const SarShareContact* c, double eps) {
  const int i = c->first;
  const double a0 = p->A[i * (p->n + 1)];
  const double a = 0.5 * (p->A[(i + 1) * (p->n + 1)] + p->A[(i + 2) * (p->n + 1)]);
  const double normal = a0 > 0 ? p->p[i] - p->left[i] / a0 : 0;
  if (!(normal > 0)) {
    for (int k = 0; k < 3; k++) want_impulse(p, i + k, 0);
    return;
  }
  want_speed(p, i, eps);
  if (!(a > 0)) {
    for (int k = 1; k < 3; k++) want_impulse(p, i + k, p->p[i + k]);
    return;
  }
  const double w[2] = {p->p[i + 1] - p->left[i + 1] / a, p->p[i + 2] - p->left[i + 2] / a};
  const double bound = fmax(p->p[i], 0);
  if (hypot(w[0], w[1]) > c->friction * bound && hypot(w[0], w[1]) > 0) {
    want_sliding(p, c, w, a, bound);
  } else {
    want_speed(p, i + 1, eps);
    want_speed(p, i + 2, eps);
  }
}

static void linearise(const SarRowShare* p, const SarImpulses* rows, double eps) {
  for (int k = 0; k < p->contacts; k++) {
    const SarShareContact* c = &p->contact[k];
    const int i = c->first;
    if (c->count == 3) {
      linearise_cone(p, c, eps);
      continue;
    }
    const Bounds b = bounds_of(p, rows, c);
    double to[2] = {0}, inside = true;
    for (int j = 0; j < c->count; j++) {
      const double a = p->A[(i + j) * (p->n + 1)];
      to[j] = a > 0 ? p->p[i + j] - p->left[i + j] / a : p->p[i + j];
      if (!(a > 0)) inside = false;
    }
    const double was[2] = {to[0], to[1]};
    cut(c, b, to);
    if (to[0] != was[0] || to[1] != was[1]) inside = false;
    for (int j = 0; j < c->count; j++)
      if (inside)
        want_speed(p, i + j, eps);
      else
        want_impulse(p, i + j, to[j]);
  }
}

// x <- L^-1 x by Gauss, with pivots by rows; false: it is singular.
static bool eliminate(const SarRowShare* p) {
  const int n = p->n;
  double *L = p->L, *x = p->x;
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(L[i * n + k]) > fabs(L[best * n + k])) best = i;
    if (!(fabs(L[best * n + k]) > 0)) return false;
    for (int j = k; j < n && best != k; j++) {
      const double y = L[k * n + j];
      L[k * n + j] = L[best * n + j], L[best * n + j] = y;
    }
    const double y = x[k];
    x[k] = x[best], x[best] = best != k ? y : x[best];
    for (int i = k + 1; i < n; i++) {
      const double f = L[i * n + k] / L[k * n + k];
      if (f == 0) continue;
      for (int j = k + 1; j < n; j++) L[i * n + j] -= f * L[k * n + j];
      x[i] -= f * x[k];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) x[i] -= L[i * n + j] * x[j];
    x[i] /= L[i * n + i];
  }
  return true;
}

static void move(SarRowShare* p, SarImpulses* rows, double t) {
  for (int i = 0; i < p->n; i++) {
    const SarShareItem* at = &p->item[i];
    const double d = t * p->part[i];
    if (d == 0) continue;
    sar_share_apply(p, rows, at, d, rows->v);
    p->p[i] += d;
    if (at->row >= 0)
      rows->row[at->row].p = p->p[i];
    else
      rows->points.p[at->point][at->axis] = p->p[i];
  }
}

// One step; the speeds follow.
static bool newton(const SarRowShare* p, const SarImpulses* rows, double eps) {
  linearise(p, rows, eps);
  if (!eliminate(p)) return false;
  for (int i = 0; i < p->n; i++) p->p[i] += p->x[i], p->part[i] += p->x[i];
  for (int i = 0; i < p->n; i++)
    for (int k = 0; k < p->n; k++) p->left[i] += p->A[i * p->n + k] * p->x[k];
  return true;
}

// part <- what brings the impulses before it into their bounds after it
static void bring_back(const SarRowShare* p, const SarImpulses* rows) {
  for (int k = 0; k < p->contacts; k++) {
    const SarShareContact* c = &p->contact[k];
    double *z = &p->p[c->first], was[3];
    for (int i = 0; i < c->count; i++) was[i] = z[i] - p->part[c->first + i];
    cut(c, bounds_of(p, rows, c), z);
    for (int i = 0; i < c->count; i++) p->part[c->first + i] = z[i] - was[i], z[i] = was[i];
  }
}

int sar_row_body(const SarModel* m, const SarImpulses* rows) {
  for (int i = 0; i < rows->count; i++)
    if (rows->row[i].parts > 0) return m->dof_body[rows->row[i].part[0].first];
  return -1;
}

bool sar_row_guess(SarRowShare* p, const SarModel* m, SarImpulses* rows, double flops) {
  static const double PAIR = 50, STEP = 0.7;  // flops of an entry of A, of n^3 in a step
  if (p->most == 0 || !collect(p, rows)) return false;
  if (!(p->n * p->n * (PAIR + STEP * NEWTON_STEPS * p->n) <= flops)) return false;
  sar_share_assemble(p, m, rows);
  double trace = 0;
  for (int i = 0; i < p->n; i++) {
    double soft;
    wanted(rows, &p->item[i], &soft);
    p->A[i * (p->n + 1)] += soft;
    trace += p->A[i * (p->n + 1)];
  }
  read_speeds(p, rows);
  const double before = residual(p, rows);
  double best = before;
  for (int k = 0; k < NEWTON_STEPS && best > ENOUGH * before; k++) {
    if (!newton(p, rows, EPS * trace / p->n)) break;
    best = residual(p, rows);
  }
  bring_back(p, rows);
  move(p, rows, 1);
  read_speeds(p, rows);
  const double after = residual(p, rows);
  if (after <= GAIN * before) return true;
  move(p, rows, -1);
  return false;
}
