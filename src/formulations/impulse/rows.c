// Responses to impulses, and sweeps of projected Gauss-Seidel over rows (rows.h).
//
// A sweep is one pass of projected Gauss-Seidel: every row takes the impulse that gives it its
// wanted speed, cut to its bounds by what it has accumulated; the two tangents of a contact are cut
// together, to the circle of Coulomb's cone.
// Source: Mikhaylyuk et al. 2017, secs. 3 and 4 (seed paper 004).
#include "formulations/impulse/rows.h"

#include "base/block.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const double NOTHING = 1e-8;  // of a lever: rounding

static size_t pool_entries(const SarModel* m, bool direct, int rows) {
  const size_t parts = (size_t)(2 * (rows - m->nrow) + SAR_IMPULSE_PARTS * m->nrow);
  return parts * (size_t)(2 * sar_held_widest(m, direct) + (direct ? m->nrow : 0));
}

void sar_impulses_init(SarImpulses* p, const SarModel* m, SarHeld* held, int rows, SarBlock* b) {
  const size_t room = pool_entries(m, held->direct, rows);
  const int nv = m->nv + SAR_GROUND;
  *p = (SarImpulses){.held = held, .most = rows, .room = (int)room};
  SAR_PIECE(b, p->row, rows);
  SAR_PIECE(b, p->pool, room);
  SAR_PIECE(b, p->v, nv);
  SAR_PIECE(b, p->u, nv);
  SAR_PIECE(b, p->v_last, nv);
  SAR_PIECE(b, p->v_way, nv);
  SAR_PIECE(b, p->p_last, rows);
  SAR_PIECE(b, p->p_way, rows);
  SAR_PIECE(b, p->lump, m->ncontact > 0 ? m->nbody : 0);
  sar_points_init(&p->points, m, b);
}

// ---- Jacobians ----------------------------------------------------------------------------------

SarImpulseRow* sar_impulses_add(SarImpulses* p) {
  if (p->count == p->most) return NULL;
  SarImpulseRow* row = &p->row[p->count++];
  memset(row, 0, offsetof(SarImpulseRow, part));
  row->limiter = row->only = -1;
  row->low = -HUGE_VAL, row->high = HUGE_VAL;
  return row;
}

static double largest(int n, const double* x) {
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

// J of the group that a coordinate belongs to, counted from the group's first.
static double* jacobian_of(SarImpulses* p, SarImpulseRow* row, int dof) {
  const SarHeldGroup* g = &p->held->group[p->held->group_of[dof]];
  int i = 0;
  while (i < row->parts && row->part[i].first != g->first) i++;
  if (i == row->parts) {
    row->part[row->parts++] = (SarImpulsePart){g->first, g->num, p->used};
    memset(&p->pool[p->used], 0, (size_t)g->num * sizeof *p->pool);
    p->used += 2 * g->num + g->rows;
  }
  return &p->pool[row->part[i].adr] - g->first;
}

void sar_impulse_coordinate(SarImpulses* p, SarImpulseRow* row, int dof, double value) {
  const bool alone = row->parts == 0;
  jacobian_of(p, row, dof)[dof] += value;
  row->only = alone ? dof : -1;
  row->entry = value;
}

void sar_impulse_wrench(SarImpulses* p, SarImpulseRow* row, const SarModel* m, const SarData* d,
                        int body, V3 point, Force W) {
  if (body < 0) return;
  row->only = -1;
  double* J = NULL;
  const int parts = row->parts;
  for (int b = body; b >= 0; b = m->body_parent[b]) {
    const SarModalNode* node = m->joint_class[b] == SAR_CLASS_NODE ? sar_own_node(m, b) : NULL;
    const int first = node ? node->dof : m->joint_vadr[b];
    const int end = first + (node ? node->num : m->joint_nv[b]);
    if (first == end) continue;
    if (!J) {
      const SarHeldGroup* g = &p->held->group[p->held->group_of[first]];
      J = jacobian_of(p, row, first);
      if (row->parts == parts) row->lever = largest(g->num, &J[g->first]);
    }
    const Xform* X = &d->body_X_GB[b];
    const V3 n = m3_tmul_v(X->R, v3_add(W.n, v3_cross(v3_sub(point, X->p), W.f)));
    const V3 f = m3_tmul_v(X->R, W.f);
    switch (m->joint_class[b]) {
      case SAR_CLASS_REVOLUTE: J[first] += n.z; break;
      case SAR_CLASS_PRISMATIC: J[first] += f.z; break;
      default: {
        const Motion* S = node ? &d->node_S[node->mode] : &d->dof_S[first];
        for (int i = first; i < end; i++, S++) J[i] += v3_dot(S->w, n) + v3_dot(S->v, f);
      }
    }
  }
}

void sar_impulse_ready(SarImpulses* p, SarImpulseRow* row, const SarModel* m, const SarData* d,
                       const double* v0) {
  double moved = 0, most = 0;  // J H^-1 J'; entry of J
  row->start = sar_impulse_speed(p, row, v0);
  row->before = sar_impulse_speed(p, row, p->v);
  for (int i = 0; i < row->parts; i++) {
    const SarImpulsePart* part = &row->part[i];
    const SarHeldGroup* g = &p->held->group[p->held->group_of[part->first]];
    double *J = &p->pool[part->adr], *reply = J + part->num;
    memcpy(reply, J, (size_t)part->num * sizeof *J);
    sar_held_respond(p->held, m, d, g, reply);
    if (g->rows > 0) sar_held_answer(p->held, m, d, g, reply, reply + part->num);
    for (int k = 0; k < part->num; k++) moved += J[k] * reply[k];
    if (row->lever > 0) most = fmax(most, largest(part->num, J));
  }
  if (most < NOTHING * row->lever) moved = 0;  // what two bodies of a tree cannot do to each other
  row->mass = moved + row->soft > 0 ? 1 / (moved + row->soft) : 0;
}

// ---- sweeps -------------------------------------------------------------------------------------

// Sums by two, so that additions need not wait for each other; most rows are of trees with few
// coordinates.
static inline double dot(int n, const double* a, const double* b) {
  double even = n & 1 ? a[n - 1] * b[n - 1] : 0, odd = 0;
  for (int i = 0; i + 1 < n; i += 2) {
    even += a[i] * b[i];
    odd += a[i + 1] * b[i + 1];
  }
  return even + odd;
}

static inline void axpy(int n, double s, const double* a, double* restrict b) {
  for (int i = 0; i + 1 < n; i += 2) {
    b[i] += s * a[i];
    b[i + 1] += s * a[i + 1];
  }
  if (n & 1) b[n - 1] += s * a[n - 1];
}

double sar_impulse_speed(const SarImpulses* p, const SarImpulseRow* row, const double* v) {
  if (row->only >= 0) return row->entry * v[row->only];
  double sum = 0;
  for (int i = 0; i < row->parts; i++)
    sum += dot(row->part[i].num, &p->pool[row->part[i].adr], &v[row->part[i].first]);
  return sum;
}

void sar_impulse_apply(const SarImpulses* p, const SarImpulseRow* row, double impulse, double* v) {
  for (int i = 0; i < row->parts; i++) {
    const SarImpulsePart* part = &row->part[i];
    axpy(part->num, impulse, &p->pool[part->adr + part->num], &v[part->first]);
  }
}

void sar_impulses_start(SarImpulses* p) {
  for (int i = 0; i < p->count; i++) sar_impulse_apply(p, &p->row[i], p->row[i].p, p->v);
  for (int i = 0; i < p->points.faces; i++) sar_face_apply(&p->points, &p->points.face[i], p->v);
}

static double wanted_impulse(const SarImpulses* p, const SarImpulseRow* row) {
  const double miss = row->speed - sar_impulse_speed(p, row, p->v) - row->soft * row->p;
  return row->p + row->mass * miss;
}

static double set(SarImpulses* p, SarImpulseRow* row, double impulse) {
  const double change = impulse - row->p;
  row->p = impulse;
  if (change != 0) sar_impulse_apply(p, row, change, p->v);
  return fabs(change);
}

static inline double larger(double a, double b) { return a > b ? a : b; }
static inline double clip(double x, double low, double high) {
  return x < low ? low : x > high ? high : x;
}

// Two tangents at once: |(a, b)| <= bound. What sticks is stopped, by the mass of each row; what
// slides is met by friction against the way it slides, so both rows then take the same mass.
static double solve_disc(SarImpulses* p, SarImpulseRow* row, double bound) {
  const double s1 = sar_impulse_speed(p, row, p->v) - row[0].speed;
  const double s2 = sar_impulse_speed(p, row + 1, p->v) - row[1].speed;
  double a = row[0].p - row[0].mass * s1, b = row[1].p - row[1].mass * s2;
  if (a * a + b * b > bound * bound) {
    const double mass = row[0].mass < row[1].mass ? row[0].mass : row[1].mass;
    a = row[0].p - mass * s1, b = row[1].p - mass * s2;
    const double length = sqrt(a * a + b * b);
    if (length > bound) a *= bound / length, b *= bound / length;
  }
  const double first = set(p, row, a);
  return larger(first, set(p, row + 1, b));
}

static double shift(SarImpulses* p, SarImpulseRow* row) {
  const double moved = row->mass * (row->shift - sar_impulse_speed(p, row, p->u));
  const double low = row->low < 0 ? -HUGE_VAL : 0, high = row->high > 0 ? HUGE_VAL : 0;
  const double now = clip(row->pseudo + moved, low, high), change = now - row->pseudo;
  row->pseudo = now;
  if (change != 0) sar_impulse_apply(p, row, change, p->u);
  return fabs(change);
}

bool sar_is_late(const SarDeadline* deadline) {
  return deadline && deadline->now() > deadline->end;
}

static double sweep_points(SarImpulses* p, const SarDeadline* deadline, bool* late) {
  SarPoints* x = &p->points;
  double most = 0;
  x->largest = x->went = 0;
  for (int i = 0; i < p->lefts && !*late; i++) {
    const SarFace* face = &x->face[p->left[i]];
    most = larger(most, sar_face_visit(x, face, p->v));
    if (p->shifting) most = larger(most, sar_face_shift(x, face, p->u));
    *late = sar_is_late(deadline);
  }
  p->largest = larger(p->largest, x->largest);
  return most;
}

double sar_impulses_sweep(SarImpulses* p, const SarDeadline* deadline, bool* late) {
  double most = 0;
  p->largest = 0;
  for (int i = 0; i < p->count; i++) {
    SarImpulseRow* row = &p->row[i];
    if (row->limiter < 0) {
      most = larger(most, set(p, row, clip(wanted_impulse(p, row), row->low, row->high)));
      if (p->shifting && row->shifts) most = larger(most, shift(p, row));
    } else {
      const double bound = row->factor * fmax(0, p->row[row->limiter].p);
      if (row->disc) {
        most = larger(most, solve_disc(p, row, bound));
        i++;
      } else {
        most = larger(most, set(p, row, clip(wanted_impulse(p, row), -bound, bound)));
      }
    }
    p->largest = larger(p->largest, fabs(row->p));
    *late = sar_is_late(deadline);
    if (*late) return most;
  }
  return larger(most, sweep_points(p, deadline, late));
}

void sar_impulses_answer(const SarImpulses* p) {
  for (int i = 0; i < p->count; i++) {
    const SarImpulseRow* row = &p->row[i];
    for (int k = 0; k < row->parts; k++) {
      const SarImpulsePart* part = &row->part[k];
      const SarHeldGroup* g = &p->held->group[p->held->group_of[part->first]];
      const double* z = &p->pool[part->adr + 2 * part->num];
      for (int r = 0; r < g->rows; r++) p->held->p[g->row + r] -= row->p * z[r];
    }
  }
}
