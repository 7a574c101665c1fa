// Direct solve of what rests on trees (row_rest.h): contacts that are closed stick, motors and dry
// friction hold, so that the complementarity problem is linear,
//
//   u + A (p* - p) = wanted      on what holds,      u: speeds at the impulses p
//   p* = 0                       on contacts that would pull; others may close in their stead
//
// Redundant contacts make A singular, and small gaps that are not quite those of a rigid body put a
// part of u into its null space, which no impulse takes away. It is left alone, where the plain
// inverse would answer it by stress without limit:
//
//   p* <- p* + K^-1 A K^-1 (wanted - u),   K = A + eps I,      lambda / (lambda + eps)^2 by
//                                                              eigenvalue of A
//
// repeated on what is left (iterated Tikhonov regularisation). Contacts start from zero, so that
// theirs is the least norm; what motors grip, and joints, from the impulses that sweeps found.
// Kept only if all is within its bounds and the natural residual falls, or is nothing already. What
// slides, rolls with resistance or moves faster than gravity moves it in the step is left to the
// sweeps. Newton's method on all rows, sliding too (Alart, Curnier 1991), took a fifth of the
// energy of the gripper.
#include "formulations/impulse/row_rest.h"

#include "formulations/impulse/cone.h"
#include "formulations/impulse/direct.h"
#include "formulations/impulse/row_share.h"
#include "math/hypot.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 6, REFINEMENTS = 8 };
static const double EPS = 1e-8;        // of the mean of the diagonal
static const double EXACT = 1e-12;     // of the speeds wanted: what may be left
static const double ROUNDING = 1e-11;  // of the impulses: as much may be wrong
static const double GAIN = 1e-4;  // of the residual's square: a solve is kept if it falls by this

typedef struct Rest {
  SarRowSystem* p;
  const SarModel* m;
  const SarData* d;
  SarImpulses* rows;
  double fall, still;  // speeds: of gravity in the step, and one that is none
} Rest;

// ---- what there is ------------------------------------------------------------------------------

static double soft_of(const Rest* s, const SarRowItem* at) {
  if (at->row >= 0) return s->rows->row[at->row].soft;
  return at->axis == 0 ? s->rows->points.point[at->point].soft : 0;
}

static double wanted_of(const Rest* s, const SarRowItem* at) {
  if (at->row >= 0) return s->rows->row[at->row].speed;
  const SarPointRows* x = &s->rows->points.point[at->point];
  return at->axis == 0 ? x->speed : x->slip[at->axis - 1];
}

// Does a contact bear a load, or touch without one? start: its speeds before forces. False: it
// moves.
static bool choose_contact(const Rest* s, SarRowGroup* g, double p, double miss,
                           const double* start) {
  g->contact = true;
  g->takes = p > 0 || fabs(miss) <= s->still;
  for (int k = 0; k < g->count; k++)
    if (g->takes && fabs(start[k]) > s->fall) return false;
  return true;
}

static bool add_contact_rows(const Rest* s, int i, int count) {
  const SarImpulseRow* row = &s->rows->row[i];
  const bool slides = count == 3 && row[1].disc && row[1].limiter == i;
  if (!(row->mass > 0)) return true;
  if (count != 1 && !slides) return false;
  SarRowGroup* g =
      sar_row_system_add(s->p, slides && row[1].factor > 0 ? 3 : 1, (SarRowItem){.row = i});
  if (!g) return false;
  const double start[] = {row[0].start, slides ? row[1].start : 0, slides ? row[2].start : 0};
  g->friction = g->count == 3 ? row[1].factor : 0;
  return choose_contact(s, g, row->p, sar_impulse_speed(s->rows, row, s->rows->v) - row->speed,
                        start);
}

static bool add_law(const Rest* s, int i) {
  const SarImpulseRow* row = &s->rows->row[i];
  if (!(row->mass > 0)) return true;
  SarRowGroup* g = sar_row_system_add(s->p, 1, (SarRowItem){.row = i});
  if (!g) return false;
  const double miss = sar_impulse_speed(s->rows, row, s->rows->v) + row->soft * row->p - row->speed;
  const double p = row->p - row->mass * miss;
  g->low = row->low, g->high = row->high;
  g->takes = p > row->low && p < row->high;
  return true;
}

static bool add_points(const Rest* s) {
  for (int f = 0; f < s->rows->lefts; f++) {
    const SarFace* face = &s->rows->points.face[s->rows->left[f]];
    const SarTwist twist = sar_face_twist(face, s->rows->v);
    for (int i = face->first; i < face->first + face->count; i++) {
      const SarPointRows* x = &s->rows->points.point[i];
      const SarRowItem item = {.row = -1, .face = s->rows->left[f], .point = i};
      SarRowGroup* g = sar_row_system_add(s->p, x->friction > 0 ? 3 : 1, item);
      double u[3];
      if (!g) return false;
      sar_point_speeds(x, &twist, u);
      g->friction = x->friction;
      if (!choose_contact(s, g, s->rows->points.p[i][0], u[0] - x->speed, x->start)) return false;
    }
  }
  return true;
}

// False: something moves, or there is what is not solved here.
static bool collect(const Rest* s, int first) {
  const SarImpulses* rows = s->rows;
  sar_row_system_clear(s->p);
  for (int i = 0, count; i < rows->count; i += count) {
    for (count = 1; i + count < rows->count && rows->row[i + count].limiter == i;) count++;
    if (i < first ? !add_law(s, i) : !add_contact_rows(s, i, count)) return false;
  }
  return add_points(s);
}

// ---- the linear problem -------------------------------------------------------------------------

// Joints by their own masses, contacts by one for all: theirs is the least norm.
static void set_scale(const Rest* s) {
  SarRowSystem* p = s->p;
  double sum = 0, count = 0;
  for (int k = 0; k < p->groups; k++)
    for (int i = p->group[k].first; i < p->group[k].first + p->group[k].count; i++) {
      if (!p->group[k].contact) p->scale[i] = 1 / sqrt(p->A[i * (p->n + 1)]);
      if (p->group[k].contact) sum += p->A[i * (p->n + 1)], count++;
    }
  for (int k = 0; k < p->groups; k++)
    for (int i = p->group[k].first; i < p->group[k].first + p->group[k].count; i++)
      if (p->group[k].contact) p->scale[i] = sqrt(count / sum);
}

static bool shares(const Rest* s, const SarRowGroup* g) {
  const SarRowItem* at = &s->p->item[g->first];
  if (!g->contact || s->m->nmotor == 0) return g->contact;
  const int owner = at->row >= 0 ? s->rows->row[at->row].owner / SAR_CONTACT_ROWS
                                 : s->rows->points.point[at->point].owner;
  return sar_contact_on_ground(s->m, &s->d->contact[owner]);
}

// part: impulses to start from. left: speeds wanted that those lack; of what takes no part none.
static void begin(const Rest* s) {
  SarRowSystem* p = s->p;
  for (int k = 0; k < p->groups; k++) {
    const SarRowGroup* g = &p->group[k];
    const bool none = shares(s, g) || (g->contact && !g->takes);
    for (int i = g->first; i < g->first + g->count; i++) p->part[i] = none ? 0 : p->p[i];
  }
  for (int i = 0; i < p->n; i++) {
    double u = p->miss[i];
    for (int k = 0; k < p->n; k++) u += p->A[i * p->n + k] * (p->part[k] - p->p[k]);
    p->left[i] = -p->takes[i] * u;
  }
}

static double size_of(const SarRowSystem* p) {
  double sum = 0;
  for (int i = 0; i < p->n; i++) sum += p->left[i] * p->left[i] * p->scale[i] * p->scale[i];
  return sum;
}

// part += S K^-1 S A S K^-1 S left
static void improve(const SarRowSystem* p) {
  const int n = p->n;
  double* x = p->x;
  for (int i = 0; i < n; i++) x[i] = p->scale[i] * p->left[i];
  sar_row_system_solve(p, x);
  for (int i = 0; i < n; i++) x[i] *= p->scale[i] * p->takes[i];
  for (int i = 0; i < n; i++) {
    double u = 0;
    for (int k = 0; k < n; k++) u += p->A[i * n + k] * x[k];
    p->y[i] = p->scale[i] * p->takes[i] * u;
  }
  memcpy(x, p->y, (size_t)n * sizeof *x);
  sar_row_system_solve(p, x);
  for (int i = 0; i < n; i++) x[i] *= p->scale[i] * p->takes[i];
  for (int i = 0; i < n; i++) {
    double u = 0;
    for (int k = 0; k < n; k++) u += p->A[i * n + k] * x[k];
    p->part[i] += x[i];
    p->left[i] -= p->takes[i] * u;
  }
}

// False: what takes part cannot be solved for.
static bool solve(const Rest* s) {
  SarRowSystem* p = s->p;
  sar_row_system_mark(p);
  if (!sar_row_system_factor(p, EPS)) return false;
  begin(s);
  const double enough = EXACT * EXACT * size_of(p);
  double last = HUGE_VAL, now = size_of(p);
  for (int i = 0; i < REFINEMENTS && now > enough && now < 0.25 * last; i++) {
    improve(p);
    last = now;
    now = size_of(p);
  }
  return true;
}

// Contacts that would pull are left out, those that would close take part. False: neither.
static bool change_contacts(const Rest* s) {
  SarRowSystem* p = s->p;
  bool any = false;
  for (int k = 0; k < p->groups; k++) {
    SarRowGroup* g = &p->group[k];
    if (!g->contact || (g->takes && !(p->part[g->first] < 0))) continue;
    double u = p->miss[g->first];
    for (int i = 0; i < p->n && !g->takes; i++)
      u += p->A[g->first * p->n + i] * (p->part[i] - p->p[i]);
    if (!g->takes && !(u < -s->still)) continue;
    g->takes = !g->takes;
    any = true;
  }
  return any;
}

// ---- is it better? ------------------------------------------------------------------------------

// Square of the natural residual: sum a |Proj(z - u / a) - z|^2, with the shift of the cone by
// mu |u_t| (De Saxce), at impulses z and the speeds u that they miss.
static double residual(const SarRowSystem* p, const double* impulse, const double* miss) {
  double sum = 0;
  for (int k = 0; k < p->groups; k++) {
    const SarRowGroup* g = &p->group[k];
    const double *z = &impulse[g->first], *u = &miss[g->first];
    double a = 0, want[3] = {0}, near[3] = {0};
    for (int i = g->first; i < g->first + g->count; i++) a += p->A[i * (p->n + 1)] / g->count;
    for (int i = 0; i < g->count; i++) want[i] = z[i] - u[i] / a;
    if (!g->contact) {
      near[0] = fmin(fmax(want[0], g->low), g->high);
    } else {
      if (g->count == 3) want[0] -= g->friction * sar_hypot(u[1], u[2]) / a;
      sar_cone_project(g->friction, want, near);
    }
    for (int i = 0; i < g->count; i++) sum += a * (near[i] - z[i]) * (near[i] - z[i]);
  }
  return sum;
}

static bool is_within_bounds(const SarRowSystem* p) {
  for (int k = 0; k < p->groups; k++) {
    const SarRowGroup* g = &p->group[k];
    const double *z = &p->part[g->first], most = g->friction * z[0];
    if (!g->contact && !(z[0] >= g->low && z[0] <= g->high)) return false;
    if (g->contact && !(z[0] >= 0)) return false;
    if (g->count == 3 && !(z[1] * z[1] + z[2] * z[2] <= most * most)) return false;
  }
  return true;
}

static bool is_better(const SarRowSystem* p) {
  double size = 0;
  for (int i = 0; i < p->n; i++) {
    size += p->A[i * (p->n + 1)] * p->p[i] * p->p[i];
    p->x[i] = p->miss[i];
    for (int k = 0; k < p->n; k++) p->x[i] += p->A[i * p->n + k] * (p->part[k] - p->p[k]);
  }
  if (!is_within_bounds(p)) return false;
  const double before = residual(p, p->p, p->miss), after = residual(p, p->part, p->x);
  return after <= fmax(GAIN * before, ROUNDING * ROUNDING * size);
}

// ---- all of it ----------------------------------------------------------------------------------

static void read_misses(const Rest* s) {
  SarRowSystem* p = s->p;
  for (int i = 0; i < p->n; i++) {
    const double soft = soft_of(s, &p->item[i]);
    p->A[i * (p->n + 1)] += soft;
    p->miss[i] = sar_row_item_speed(s->rows, &p->item[i], s->rows->v) + soft * p->p[i] -
                 wanted_of(s, &p->item[i]);
  }
}

SarRowRest sar_row_rest(SarRowSystem* p, const SarModel* m, const SarData* d, SarImpulses* rows,
                        int first, double fall, double flops) {
  static const double ENTRY = 50, CUBE = 0.5;  // flops of an entry of A, of n^3 in a round
  const Rest s = {p, m, d, rows, fall, SAR_STILL * fall};
  if (p->most == 0 || rows->impact || !(fall > 0) || !collect(&s, first) || p->n < 2)
    return SAR_REST_MOVES;
  if (!(p->n * p->n * (ENTRY + CUBE * p->n) <= flops)) return SAR_REST_MOVES;
  sar_row_system_assemble(p, m, rows);
  read_misses(&s);
  set_scale(&s);
  for (int round = 0; round < ROUNDS; round++) {
    if (!solve(&s)) return SAR_REST_KEPT;
    if (!change_contacts(&s)) break;
    if (round + 1 == ROUNDS) return SAR_REST_KEPT;
  }
  if (!is_better(p)) return SAR_REST_KEPT;
  for (int i = 0; i < p->n; i++) sar_row_item_give(p, rows, &p->item[i], p->part[i] - p->p[i]);
  return SAR_REST_SOLVED;
}
