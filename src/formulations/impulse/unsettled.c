// Convergence of projected Gauss-Seidel: what the sweeps left undone when they came to their cap
// (impulse.h).
//
// The residual of a row is the speed by which it misses its law: what it would still change the
// speed of the row by if it had one more visit, Delta p / m, with p within its bounds (the natural
// residual of the complementarity problem). It matters where it is not small against the speeds of
// the step: those that the rows had before it, and those that forces give in it. An impulse that is
// missing in every step is a force: of a stack at rest the second is g h, and a share of 1/100 of
// it that is missing is 1/100 of the weight.
//
// Tangents are not asked: a point that slides or sticks a little less than it should does not fall.
#include "formulations/impulse/impulse.h"

#include <math.h>

static const double MATTERS = 1e-2;  // of the largest speed, or of what forces give

typedef struct Worst {
  double residual, speed;  // largest of all
  int row, point;          // -1: is the other
} Worst;

static double miss_of(double speed, double end, double soft, double mass, double p, double low,
                      double high) {
  if (!(mass > 0)) return 0;
  const double wanted = p + mass * (speed - end - soft * p);
  return fabs(fmin(fmax(wanted, low), high) - p) / mass;
}

static void see(Worst* w, double residual, double start, double before, int row, int point) {
  w->speed = fmax(w->speed, fmax(fabs(start), fabs(before - start)));
  if (!(residual > w->residual)) return;
  w->residual = residual, w->row = row, w->point = point;
}

static Worst look(const SarImpulses* p) {
  Worst w = {.row = -1, .point = -1};
  for (int i = 0; i < p->count; i++) {
    const SarImpulseRow* x = &p->row[i];
    if (x->limiter >= 0) continue;
    const double end = sar_impulse_speed(p, x, p->v);
    see(&w, miss_of(x->speed, end, x->soft, x->mass, x->p, x->low, x->high), x->start, x->before, i,
        -1);
  }
  for (int f = 0; f < p->points.faces; f++) {
    const SarFace* face = &p->points.face[f];
    const SarTwist end = sar_face_twist(face, p->v);
    for (int i = face->first; i < face->first + face->count; i++) {
      const SarPointRows* x = &p->points.point[i];
      double speed[3];
      sar_point_speeds(x, &end, speed);
      see(&w, miss_of(x->speed, speed[0], x->soft, x->mass, p->points.p[i][0], 0, HUGE_VAL),
          x->start[0], x->before[0], -1, i);
    }
  }
  return w;
}

static const char* body_of(const SarModel* m, int collider) {
  const SarCollider* c = &m->collider[collider];
  return c->body < 0 ? "ground" : sar_text(m, c->name);
}

static void name_contact(const SarModel* m, const SarContact* c, SarStats* z) {
  z->unsettled[0] = body_of(m, c->a);
  z->unsettled[1] = body_of(m, c->b);
}

// joints, contacts: where the rows of each begin.
static void name_row(const SarImpulseState* p, const SarSim* s, int i, int joints, int contacts,
                     SarStats* z) {
  const SarModel* m = s->m;
  const int owner = p->rows.row[i].owner;
  z->unsettled[1] = NULL;
  if (i >= contacts)
    name_contact(m, &s->d->contact[owner / SAR_CONTACT_ROWS], z);
  else if (i >= joints)
    z->unsettled[0] = sar_text(m, m->joint_name[m->dof_body[owner / SAR_DOF_IMPULSES]]);
  else
    z->unsettled[0] = sar_text(m, m->constraint[m->row[owner].constraint].name);
}

void sar_note_unsettled(const SarImpulseState* p, SarSim* s, int joints, int contacts) {
  SarStats* z = &s->stats;
  const Worst w = look(&p->rows);
  if (!(w.residual > MATTERS * w.speed)) return;
  if (z->unsettled_steps++ == 0) z->unsettled_first = s->start.t;
  if (!(w.residual > z->unsettled_speed)) return;
  z->unsettled_speed = w.residual;
  if (w.row >= 0)
    name_row(p, s, w.row, joints, contacts, z);
  else
    name_contact(s->m, &s->d->contact[p->rows.points.point[w.point].owner], z);
}
