// Closed contacts as bilateral constraints (held_contacts.h).
#include "dynamics/held_contacts.h"

#include <math.h>
#include <string.h>

static const double CLOSED = 1e-3;     // of the smaller radius: a gap that is none
static const double WHOLE = 1 - 1e-6;  // of its largest force: a motor that gives way

void sar_held_contacts_init(SarHeldContacts* p, const SarModel* m, SarBlock* b) {
  const size_t most = (size_t)m->ncontact, n = (size_t)m->nv;
  *p = (SarHeldContacts){0};
  sar_contact_search_init(&p->search, m, b);
  SAR_PIECE(b, p->held, most);
  SAR_PIECE(b, p->dof, n);
  SAR_PIECE(b, p->J, (SAR_HELD_ROWS * most + n) * n);
  SAR_PIECE(b, p->point_J, 12 * n);
}

static const SarSurface* surface_of(const SarModel* m, const SarContact* c) {
  return &m->surface[m->collider[c->a].material * m->nmaterial + m->collider[c->b].material];
}

static int rows_of(const SarSurface* s) {
  return (isfinite(s->stiffness) ? 0 : 1) + (s->friction > 0 ? 2 : 0);
}

// ---- which --------------------------------------------------------------------------------------

static bool pair_bears(const SarData* d, const SarContact* c) {
  for (int i = 0; i < d->ncontact; i++)
    if (d->contact[i].a == c->a && d->contact[i].b == c->b && d->contact[i].p[0] > 0) return true;
  return false;
}

static bool is_closed(const SarModel* m, const SarContact* c) {
  const double r = fmin(m->collider[c->a].solid.radius, m->collider[c->b].solid.radius);
  return c->p[0] > 0 || c->gap <= CLOSED * (isfinite(r) ? r : 0);
}

static bool motor_holds(const SarModel* m, const SarData* d, int dof) {
  const double force = d->dof_impulse[dof * SAR_DOF_IMPULSES + SAR_IMPULSE_MOTOR];
  for (int i = 0; i < m->nmotor; i++)
    if (m->joint_vadr[m->motor[i].joint] + m->motor[i].component == dof)
      return fabs(force) < WHOLE * m->motor[i].effort;
  return false;
}

static bool limit_bears(const SarData* d, int dof) {
  const double* force = &d->dof_impulse[dof * SAR_DOF_IMPULSES];
  return force[SAR_IMPULSE_LOWER] != 0 || force[SAR_IMPULSE_UPPER] != 0;
}

void sar_hold_contacts(SarHeldContacts* p, const SarModel* m, const SarData* d) {
  p->count = p->dofs = p->rows = 0;
  for (int i = 0; i < m->nv; i++)
    if (motor_holds(m, d, i) || limit_bears(d, i)) p->dof[p->dofs++] = i;
  p->rows = p->dofs;
  for (int i = 0; i < d->ncontact; i++) {
    const SarContact* c = &d->contact[i];
    const SarSurface* s = surface_of(m, c);
    // springs push only as long as they are pressed
    const bool held = isfinite(s->stiffness) ? c->gap < 0 : is_closed(m, c) && pair_bears(d, c);
    if (!held) continue;
    p->held[p->count++] = *c;
    p->rows += rows_of(s);
  }
}

// ---- where d is ---------------------------------------------------------------------------------

static const SarContact* find(const SarData* d, const SarContact* held) {
  for (int i = 0; i < d->ncontact; i++) {
    const SarContact* c = &d->contact[i];
    if (c->a == held->a && c->b == held->b && c->feature == held->feature) return c;
  }
  return NULL;
}

// How the point of body b moves less how that of body a does.
static void point_jacobians(SarHeldContacts* p, const SarModel* m, const SarData* d,
                            const SarContact* c) {
  for (int k = 0; k < 2; k++) {
    const int body = m->collider[k ? c->b : c->a].body;
    double* J = p->point_J + (size_t)k * 6 * (size_t)m->nv;
    if (body >= 0)
      sar_point_jacobian(m, d, body, x_point_inv(d->body_X_GB[body], c->point), J);
    else
      memset(J, 0, 6 * (size_t)m->nv * sizeof *J);
  }
}

static void write_row(const SarHeldContacts* p, int n, V3 u, double* row) {
  const double *a = p->point_J + 3 * n, *b = a + 6 * n;  // linear parts
  for (int i = 0; i < n; i++)
    row[i] =
        u.x * (b[i] - a[i]) + u.y * (b[n + i] - a[n + i]) + u.z * (b[2 * n + i] - a[2 * n + i]);
}

// F = -k g - c g' along the normal; `row` is scratch.
static void add_spring(const SarData* d, const SarSurface* s, double gap, int n, const double* row,
                       double* Q) {
  double speed = 0;
  for (int i = 0; i < n; i++) speed += row[i] * d->v[i];
  const double force = -s->stiffness * gap - s->damping * speed;
  for (int i = 0; i < n; i++) Q[i] += force * row[i];
}

// The velocity of a coordinate as the file counts it: laws of joints are about these.
static void coordinate_row(const SarModel* m, const SarData* d, int dof, double* row) {
  const int joint = m->dof_body[dof], first = m->joint_vadr[joint];
  double q[SAR_JOINT_MAX_NQ], v[SAR_JOINT_MAX_NV];
  memset(row, 0, (size_t)m->nv * sizeof *row);
  for (int j = 0; j < m->joint_nv[joint]; j++) {
    double unit[SAR_JOINT_MAX_NV] = {0};
    unit[j] = 1;
    sar_joint_flip(m, joint, &d->q[m->joint_qadr[joint]], unit, q, v);
    row[first + j] = v[dof - first];
  }
}

SarStatus sar_held_contacts_update(SarHeldContacts* p, const SarModel* m, SarData* d, double* Q) {
  const int n = m->nv;
  double* row = p->J;
  for (int k = 0; k < p->dofs; k++, row += n) coordinate_row(m, d, p->dof[k], row);
  if (p->count == 0) return SAR_OK;
  sar_find_contacts(m, d, &p->search, 0);
  for (int i = 0; i < p->count; i++) {
    const SarContact* c = find(d, &p->held[i]);
    const SarSurface* s = surface_of(m, &p->held[i]);
    if (!c) return SAR_NOT_CONVERGED;
    point_jacobians(p, m, d, c);
    write_row(p, n, c->normal, row);
    if (isfinite(s->stiffness))
      add_spring(d, s, c->gap, n, row, Q);
    else
      row += n;
    if (s->friction > 0) {
      write_row(p, n, c->tangent, row);
      write_row(p, n, sar_contact_tangent2(c), row + n);
      row += 2 * n;
    }
  }
  return SAR_OK;
}
