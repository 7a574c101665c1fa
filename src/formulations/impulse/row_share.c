// Least-norm load sharing among rows of contacts, dense (row_share.h).
#include "formulations/impulse/row_share.h"

#include "math/hypot.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 5, REFINEMENTS = 8 };
static const double EPS = 1e-6;     // of the mean of the diagonal
static const double EXACT = 1e-11;  // of the speeds that the impulses give: what may be left

// ---- contacts that hold -------------------------------------------------------------------------

static bool add(SarRowSystem* p, int count, double friction, SarRowItem first) {
  SarRowGroup* group = sar_row_system_add(p, count, first);
  if (!group) return false;
  group->contact = true;
  group->friction = friction;
  return true;
}

static double miss(const SarImpulses* rows, const SarImpulseRow* row) {
  return sar_impulse_speed(rows, row, rows->v) - row->speed;
}

bool sar_contact_on_ground(const SarModel* m, const SarContact* c) {
  for (int end = 0; end < 2; end++) {
    int b = m->collider[end ? c->b : c->a].body;
    while (b >= 0 && m->joint_nv[b] == 0) b = m->body_parent[b];
    if (b < 0) return true;
  }
  return false;
}

// Contacts whose other rows have resistance to rolling are left alone: those are bounded by the
// normal too. False: there are too many.
static bool choose_rows(SarRowSystem* p, const SarModel* m, const SarData* d,
                        const SarImpulses* rows, int first, double still) {
  for (int i = first; i < rows->count;) {
    const SarImpulseRow* row = &rows->row[i];
    int count = 1;
    while (i + count < rows->count && rows->row[i + count].limiter == i) count++;
    const bool slides = count == 3 && row[1].disc && rows->row[i + 1].factor > 0;
    const bool plain = row->soft == 0 && row->mass > 0 && (count == 1 || slides);
    const bool takes =
        m->nmotor == 0 || sar_contact_on_ground(m, &d->contact[row->owner / SAR_CONTACT_ROWS]);
    bool holds = plain && takes && fabs(miss(rows, row)) <= still;
    if (holds && slides) holds = sar_hypot(miss(rows, row + 1), miss(rows, row + 2)) <= still;
    if (holds && !add(p, count, count == 3 ? row[1].factor : 0, (SarRowItem){.row = i}))
      return false;
    i += count;
  }
  return true;
}

static bool choose_points(SarRowSystem* p, const SarModel* m, const SarImpulses* rows,
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
      const SarRowItem item = {.row = -1, .face = rows->left[f], .point = i};
      if (!add(p, x->friction > 0 ? 3 : 1, x->friction, item)) return false;
    }
  }
  return true;
}

// ---- sharing ------------------------------------------------------------------------------------

// x = A left, of those that take part; returns left' A left: kinetic energy of what is left.
static double speeds_left(const SarRowSystem* p) {
  double sum = 0;
  for (int i = 0; i < p->n; i++) {
    double u = 0;
    for (int k = 0; k < p->n; k++) u += p->A[i * p->n + k] * p->left[k];
    sum += p->left[i] * u;
    p->x[i] = u;
  }
  for (int k = 0; k < p->groups; k++)
    if (!p->group[k].takes)
      memset(&p->x[p->group[k].first], 0, (size_t)p->group[k].count * sizeof *p->x);
  return sum;
}

// False: those that take part cannot bear it.
static bool refine(SarRowSystem* p) {
  sar_row_system_mark(p);
  if (!sar_row_system_factor(p, EPS)) return false;
  double left = speeds_left(p);
  const double enough = EXACT * EXACT * left;
  for (int i = 0; i < REFINEMENTS && left > enough; i++) {
    sar_row_system_solve(p, p->x);
    for (int k = 0; k < p->n; k++) p->part[k] += p->x[k], p->left[k] -= p->x[k];
    left = speeds_left(p);
  }
  return left <= 1e4 * enough;
}

static bool leave_out_pulls(SarRowSystem* p) {
  bool any = false;
  for (int k = 0; k < p->groups; k++) {
    SarRowGroup* c = &p->group[k];
    if (!c->takes || !(p->part[c->first] < 0)) continue;
    c->takes = false;
    any = true;
  }
  for (int i = 0; any && i < p->n; i++) p->left[i] = p->p[i], p->part[i] = 0;
  return any;
}

// ---- within the cones ---------------------------------------------------------------------------

static bool is_within(const SarRowSystem* p, double t) {
  for (int k = 0; k < p->groups; k++) {
    const SarRowGroup* c = &p->group[k];
    double z[3] = {0};
    for (int i = 0; i < c->count; i++)
      z[i] = p->p[c->first + i] + t * (p->part[c->first + i] - p->p[c->first + i]);
    const double bound = c->friction * z[0];
    if (z[0] < 0 || z[1] * z[1] + z[2] * z[2] > bound * bound) return false;
  }
  return true;
}

void sar_row_share(SarRowSystem* p, const SarModel* m, const SarData* d, SarImpulses* rows,
                   int first, double still) {
  sar_row_system_clear(p);
  if (p->most == 0 || first == rows->count) return;
  if (!choose_rows(p, m, d, rows, first, still) || !choose_points(p, m, rows, still)) return;
  if (p->groups < 2) return;
  sar_row_system_assemble(p, m, rows);
  for (int i = 0; i < p->n; i++) p->left[i] = p->p[i], p->part[i] = 0;
  for (int round = 0; round < ROUNDS; round++) {
    if (!refine(p)) return;
    if (!leave_out_pulls(p)) break;
    if (round + 1 == ROUNDS) return;
  }
  for (int k = 64; k > 0; k /= 2)
    if (is_within(p, k / 64.0)) {
      for (int i = 0; i < p->n; i++)
        sar_row_item_give(p, rows, &p->item[i], k / 64.0 * (p->part[i] - p->p[i]));
      return;
    }
}
