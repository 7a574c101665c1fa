// Least-norm load sharing among rows of contacts, dense (row_share.h).
#include "formulations/impulse/row_share.h"

#include "math/hypot.h"

#include <math.h>
#include <string.h>

enum { MOST = 72 };  // impulses: more are left as they are
enum { ROUNDS = 5, REFINEMENTS = 8 };
static const double EPS = 1e-6;     // of the mean of the diagonal
static const double EXACT = 1e-11;  // of the speeds that the impulses give: what may be left

void sar_row_share_init(SarRowShare* p, const SarModel* m, const SarHeld* held, SarBlock* b) {
  int most = held->direct ? 3 * m->ncontact : 0;
  if (most > MOST) most = MOST;
  *p = (SarRowShare){.most = most};
  SAR_PIECE(b, p->item, most);
  SAR_PIECE(b, p->contact, most);
  SAR_PIECE(b, p->A, (size_t)most * (size_t)most);
  SAR_PIECE(b, p->L, (size_t)most * (size_t)most);
  SAR_PIECE(b, p->p, most);
  SAR_PIECE(b, p->left, most);
  SAR_PIECE(b, p->part, most);
  SAR_PIECE(b, p->x, most);
  SAR_PIECE(b, p->unit, most > 0 ? m->ncontact : 0);
  SAR_PIECE(b, p->w, most > 0 ? m->nv + SAR_GROUND : 0);
}

// ---- contacts that hold -------------------------------------------------------------------------

static bool add(SarRowShare* p, int count, double friction, SarShareItem first) {
  if (p->n + count > p->most) return false;
  p->contact[p->contacts++] = (SarShareContact){p->n, count, friction, true};
  for (int k = 0; k < count; k++) {
    p->item[p->n] = first;
    if (first.row >= 0)
      p->item[p->n].row += k;
    else
      p->item[p->n].axis = k;
    p->n++;
  }
  return true;
}

static double miss(const SarImpulses* rows, const SarImpulseRow* row) {
  return sar_impulse_speed(rows, row, rows->v) - row->speed;
}

// Where motors press, what they grip keeps the shares that sweeps find.
static bool is_on_ground(const SarModel* m, const SarContact* c) {
  for (int end = 0; end < 2; end++) {
    int b = m->collider[end ? c->b : c->a].body;
    while (b >= 0 && m->joint_nv[b] == 0) b = m->body_parent[b];
    if (b < 0) return true;
  }
  return false;
}

// Contacts whose other rows have resistance to rolling are left alone: those are bounded by the
// normal too. False: there are too many.
static bool choose_rows(SarRowShare* p, const SarModel* m, const SarData* d,
                        const SarImpulses* rows, int first, double still) {
  for (int i = first; i < rows->count;) {
    const SarImpulseRow* row = &rows->row[i];
    int count = 1;
    while (i + count < rows->count && rows->row[i + count].limiter == i) count++;
    const bool slides = count == 3 && row[1].disc && rows->row[i + 1].factor > 0;
    const bool plain = row->soft == 0 && row->mass > 0 && (count == 1 || slides);
    const bool takes =
        m->nmotor == 0 || is_on_ground(m, &d->contact[row->owner / SAR_CONTACT_ROWS]);
    bool holds = plain && takes && fabs(miss(rows, row)) <= still;
    if (holds && slides) holds = sar_hypot(miss(rows, row + 1), miss(rows, row + 2)) <= still;
    if (holds && !add(p, count, count == 3 ? row[1].factor : 0, (SarShareItem){.row = i}))
      return false;
    i += count;
  }
  return true;
}

static bool choose_points(SarRowShare* p, const SarModel* m, const SarImpulses* rows,
                          double still) {
  for (int f = 0; f < rows->lefts; f++) {
    const SarFace* face = &rows->points.face[rows->left[f]];
    const int ground = rows->points.ground;
    if (m->nmotor > 0 && face->a.first != ground && face->b.first != ground) continue;
    const SarTwist twist = sar_face_twist(face, rows->v);
    for (int i = face->first; i < face->first + face->count; i++) {
      const SarPointRows* x = &rows->points.point[i];
      double u[3];
      sar_point_speeds(x, &twist, u);
      if (x->soft > 0 || fabs(u[0] - x->speed) > still) continue;
      if (x->friction > 0 && sar_hypot(u[1] - x->slip[0], u[2] - x->slip[1]) > still) continue;
      const SarShareItem item = {.row = -1, .face = rows->left[f], .point = i};
      if (!add(p, x->friction > 0 ? 3 : 1, x->friction, item)) return false;
    }
  }
  return true;
}

// ---- the operator -------------------------------------------------------------------------------

// v += response of one item to an impulse
static void apply_item(const SarRowShare* p, const SarImpulses* rows, const SarShareItem* at,
                       double impulse, double* v) {
  if (at->row >= 0) {
    sar_impulse_apply(rows, &rows->row[at->row], impulse, v);
    return;
  }
  const SarFace* face = &rows->points.face[at->face];
  SarPointImpulse* unit = p->unit;
  memset(unit[face->first], 0, (size_t)face->count * sizeof *unit);
  unit[at->point][at->axis] = impulse;
  sar_face_push(&rows->points, face, unit, v);
}

static double item_speed(const SarImpulses* rows, const SarShareItem* at, const double* v) {
  if (at->row >= 0) return sar_impulse_speed(rows, &rows->row[at->row], v);
  const SarTwist twist = sar_face_twist(&rows->points.face[at->face], v);
  double u[3];
  sar_point_speeds(&rows->points.point[at->point], &twist, u);
  return u[at->axis];
}

static void clear(const SarImpulses* rows, const SarShareItem* at, double* v) {
  if (at->row >= 0) {
    const SarImpulseRow* row = &rows->row[at->row];
    for (int k = 0; k < row->parts; k++)
      memset(&v[row->part[k].first], 0, (size_t)row->part[k].num * sizeof *v);
    return;
  }
  const SarFace* face = &rows->points.face[at->face];
  memset(&v[face->a.first], 0, 6 * sizeof *v);
  memset(&v[face->b.first], 0, 6 * sizeof *v);
}

static double impulse_of(const SarImpulses* rows, const SarShareItem* at) {
  return at->row >= 0 ? rows->row[at->row].p : rows->points.p[at->point][at->axis];
}

static void assemble(SarRowShare* p, const SarModel* m, SarImpulses* rows) {
  const int n = p->n;
  memset(p->w, 0, (size_t)(m->nv + SAR_GROUND) * sizeof *p->w);
  for (int j = 0; j < n; j++) {
    apply_item(p, rows, &p->item[j], 1, p->w);
    for (int i = j; i < n; i++)
      p->A[i * n + j] = p->A[j * n + i] = item_speed(rows, &p->item[i], p->w);
    clear(rows, &p->item[j], p->w);
    p->p[j] = p->left[j] = impulse_of(rows, &p->item[j]);
    p->part[j] = 0;
  }
}

// x: 1 for items that take part
static void mark(const SarRowShare* p, double* x) {
  for (int k = 0; k < p->contacts; k++)
    for (int i = 0; i < p->contact[k].count; i++) x[p->contact[k].first + i] = p->contact[k].takes;
}

static bool factor_shared(SarRowShare* p, const double* takes, double eps) {
  const int n = p->n;
  double trace = 0;
  for (int i = 0; i < n; i++) trace += p->A[i * n + i];
  for (int i = 0; i < n; i++) {
    double* Li = &p->L[i * n];
    for (int j = 0; j <= i; j++) {
      const double* Lj = &p->L[j * n];
      double sum = takes[i] * takes[j] * p->A[i * n + j];
      if (i == j) sum = takes[i] > 0 ? sum + eps * trace / n : 1;
      for (int k = 0; k < j; k++) sum -= Li[k] * Lj[k];
      if (j < i)
        Li[j] = sum / Lj[j];
      else if (sum > 0)
        Li[i] = sqrt(sum);
      else
        return false;
    }
  }
  return true;
}

static void solve_shared(const SarRowShare* p, double* x) {
  const int n = p->n;
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i; k++) x[i] -= p->L[i * n + k] * x[k];
    x[i] /= p->L[i * n + i];
  }
  for (int i = n - 1; i >= 0; i--) {
    x[i] /= p->L[i * n + i];
    for (int k = 0; k < i; k++) x[k] -= p->L[i * n + k] * x[i];
  }
}

// x = A left, of those that take part; returns left' A left: kinetic energy of what is left.
static double speeds_left(const SarRowShare* p) {
  double sum = 0;
  for (int i = 0; i < p->n; i++) {
    double u = 0;
    for (int k = 0; k < p->n; k++) u += p->A[i * p->n + k] * p->left[k];
    sum += p->left[i] * u;
    p->x[i] = u;
  }
  for (int k = 0; k < p->contacts; k++)
    if (!p->contact[k].takes)
      memset(&p->x[p->contact[k].first], 0, (size_t)p->contact[k].count * sizeof *p->x);
  return sum;
}

// False: those that take part cannot bear it.
static bool refine(SarRowShare* p) {
  mark(p, p->x);
  if (!factor_shared(p, p->x, EPS)) return false;
  double left = speeds_left(p);
  const double enough = EXACT * EXACT * left;
  for (int i = 0; i < REFINEMENTS && left > enough; i++) {
    solve_shared(p, p->x);
    for (int k = 0; k < p->n; k++) p->part[k] += p->x[k], p->left[k] -= p->x[k];
    left = speeds_left(p);
  }
  return left <= 1e4 * enough;
}

static bool leave_out_pulls(SarRowShare* p) {
  bool any = false;
  for (int k = 0; k < p->contacts; k++) {
    SarShareContact* c = &p->contact[k];
    if (!c->takes || !(p->part[c->first] < 0)) continue;
    c->takes = false;
    any = true;
  }
  for (int i = 0; any && i < p->n; i++) p->left[i] = p->p[i], p->part[i] = 0;
  return any;
}

// ---- within the cones ---------------------------------------------------------------------------

static bool is_within(const SarRowShare* p, double t) {
  for (int k = 0; k < p->contacts; k++) {
    const SarShareContact* c = &p->contact[k];
    double z[3] = {0};
    for (int i = 0; i < c->count; i++)
      z[i] = p->p[c->first + i] + t * (p->part[c->first + i] - p->p[c->first + i]);
    const double bound = c->friction * z[0];
    if (z[0] < 0 || z[1] * z[1] + z[2] * z[2] > bound * bound) return false;
  }
  return true;
}

static void take(const SarRowShare* p, SarImpulses* rows, double t) {
  for (int i = 0; i < p->n; i++) {
    const SarShareItem* at = &p->item[i];
    const double d = t * (p->part[i] - p->p[i]);
    if (d == 0) continue;
    apply_item(p, rows, at, d, rows->v);
    if (at->row >= 0)
      rows->row[at->row].p += d;
    else
      rows->points.p[at->point][at->axis] += d;
  }
}

void sar_row_share(SarRowShare* p, const SarModel* m, const SarData* d, SarImpulses* rows,
                   int first, double still) {
  p->n = p->contacts = 0;
  if (p->most == 0 || first == rows->count) return;
  if (!choose_rows(p, m, d, rows, first, still) || !choose_points(p, m, rows, still)) return;
  if (p->contacts < 2) return;
  assemble(p, m, rows);
  for (int round = 0; round < ROUNDS; round++) {
    if (!refine(p)) return;
    if (!leave_out_pulls(p)) break;
    if (round + 1 == ROUNDS) return;
  }
  for (int k = 64; k > 0; k /= 2)
    if (is_within(p, k / 64.0)) {
      take(p, rows, k / 64.0);
      return;
    }
}
