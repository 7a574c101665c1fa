// Impacts in the order of time (event-driven stepping within a step of fixed length).
//
// A step with one jump has one impact: what it throws against something else within the same step
// is stopped there without a rebound, and the smooth forces of the whole step act at the moment of
// the impact, which leaves the energy off by m (g h)^2 (theta - 1/2). So a step in which something
// bounces is made of parts: smooth ones by the midpoint rule up to the next bounce, and the bounces
// between them, jumps without time or forces in which only those contacts act that are closed.
// After MOST of them the rest of the step has one jump. What shows of a step, impulses, multipliers
// and mean accelerations, is summed over its parts.
#include "base/block.h"
#include "dynamics/constraints.h"
#include "formulations/impulse/impulse.h"

#include <string.h>

enum { MOST = 24 };                  // bounces of a step that have a moment of their own
static const double AT_ONCE = 1e-3;  // of the step: what closes within that closes now
static const double NO_TIME = 1e-7;  // of the step: no part is made for it

static bool bounces(const SarModel* m) {
  for (int i = 0; i < m->nmaterial * m->nmaterial; i++)
    if (m->surface[i].restitution > 0) return true;
  return false;
}

void sar_impacts_init(SarImpacts* x, const SarModel* m, SarBlock* b) {
  *x = (SarImpacts){.possible = m->ncollider > 0 && bounces(m)};
  if (!x->possible) return;
  SAR_PIECE(b, x->hit, m->ncontact);
  SAR_PIECE(b, x->impulse, m->nv_all * SAR_DOF_IMPULSES);
  SAR_PIECE(b, x->lambda, m->nrow);
  SAR_PIECE(b, x->start.q, m->nq_all);
  SAR_PIECE(b, x->start.v, m->nv_all);
  SAR_PIECE(b, x->start.z, m->nz);
  SAR_PIECE(b, x->start.work, m->nwork);
  SAR_PIECE(b, x->start.a, m->nv);
  SAR_PIECE(b, x->start.z_rate, m->nz);
  SAR_PIECE(b, x->start.power, m->nwork);
}

static void copy(double* to, const double* from, int n) {
  if (n > 0) memcpy(to, from, (size_t)n * sizeof *to);
}

static void copy_instant(const SarModel* m, SarInstant* to, const SarInstant* from) {
  to->t = from->t;
  copy(to->q, from->q, m->nq_all);
  copy(to->v, from->v, m->nv_all);
  copy(to->z, from->z, m->nz);
  copy(to->work, from->work, m->nwork);
  copy(to->a, from->a, m->nv);
  copy(to->z_rate, from->z_rate, m->nz);
  copy(to->power, from->power, m->nwork);
}

// The next part begins where d is.
static void begin_here(SarSim* s) {
  SarData* d = s->d;
  const SarInstant here = {d->t, d->q, d->v, d->z, d->work, d->a, d->z_rate, d->work_rate};
  copy_instant(s->m, &s->start, &here);
  s->restart = false;
}

static void go_back(SarSim* s) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  d->t = s->start.t;
  copy(d->q, s->start.q, m->nq_all);
  copy(d->v, s->start.v, m->nv_all);
  copy(d->z, s->start.z, m->nz);
  copy(d->work, s->start.work, m->nwork);
  d->z_from = NULL;
}

// ---- sums ---------------------------------------------------------------------------------------

static V3 vector_of(const SarContact* c, const double* p) {
  const V3 t = v3_axpy(p[1], c->tangent, v3_scale(p[2], sar_contact_tangent2(c)));
  return v3_axpy(p[0], c->normal, t);
}

// to += the impulses of c, along the axes of `to`
static void add_impulses(SarContact* to, const SarContact* c) {
  for (int k = 0; k < SAR_CONTACT_ROWS; k += 3) {
    const V3 P = vector_of(c, &c->p[k]);
    to->p[k] += v3_dot(P, to->normal);
    to->p[k + 1] += v3_dot(P, to->tangent);
    to->p[k + 2] += v3_dot(P, sar_contact_tangent2(to));
  }
}

static void add_contact(SarContact* list, int* count, int most, const SarContact* c) {
  for (int i = 0; i < *count; i++)
    if (list[i].a == c->a && list[i].b == c->b && list[i].feature == c->feature) {
      add_impulses(&list[i], c);
      return;
    }
  if (*count < most) list[(*count)++] = *c;
}

// What a part, or an impact, has left in d; h: its length, of an impact 1.
static void sum(SarImpacts* x, const SarModel* m, const SarData* d, double h) {
  for (int i = 0; i < d->ncontact; i++)
    if (d->contact[i].p[0] > 0) add_contact(x->hit, &x->count, m->ncontact, &d->contact[i]);
  for (int i = 0; i < m->nv_all * SAR_DOF_IMPULSES; i++) x->impulse[i] += h * d->dof_impulse[i];
  for (int i = 0; i < m->nrow; i++) x->lambda[i] += h * d->lambda[i];
}

// ---- parts --------------------------------------------------------------------------------------

// Velocities jump where d is, which is where the part before ended.
static SarStatus bounce(SarImpulseState* p, SarSim* s, double whole) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  const SarJump jump = {0, 0, AT_ONCE * whole, true, whole, false, p->v0};
  SarPlaces at;
  sar_update_kinematics(m, d);
  sar_update_world(m, d);
  sar_find_contacts(m, d, &p->search, whole);
  for (int i = 0; i < d->ncontact; i++) d->contact[i].rest = 0;
  if (m->nrow > 0) {
    sar_update_constraints(m, d);
    sar_update_constraint_rates(m, d);
  }
  copy(p->v0, d->v, m->nv);
  copy(p->rows.v, d->v, m->nv);
  memset(p->rows.u, 0, (size_t)m->nv * sizeof *p->rows.u);
  memset(p->corrected_p, 0, (size_t)m->nrow * sizeof *p->corrected_p);
  memset(p->held.p, 0, (size_t)m->nrow * sizeof *p->held.p);
  memset(p->x, 0, (size_t)m->nv * sizeof *p->x);
  SAR_TRY(sar_held_factor(&p->held, s, 0, 0, p->slope, p->x));
  if (!sar_impulse_solve(p, s, &jump, &at, false)) return SAR_NO_SCRATCH;
  copy(d->v, p->rows.v, m->nv);
  const SarJump unit = {1, 0, jump.rest, true, whole, false, p->v0};  // impulses as they are
  sar_impulse_keep(p, s, &unit, at.joints, at.contacts);
  sar_balance(p, s, &jump, at.contacts);
  sar_book_impulses(&p->books, &p->rows, m, &jump, at.joints, at.contacts, p->balance.jammed,
                    d->work);
  sum(&p->impacts, m, d, 1);
  for (int i = 0; i < d->ncontact; i++) d->contact[i].step = 0;
  return SAR_OK;
}

static SarStatus make_part(SarImpulseState* p, SarSim* s, double end, double whole, bool between) {
  p->whole = whole;
  p->between = between;
  s->stop = end;
  SAR_TRY(sar_impulse_part(s, NULL));
  sum(&p->impacts, s->m, s->d, end - s->start.t);
  return SAR_OK;
}

static SarStatus all_parts(SarImpulseState* p, SarSim* s, double end) {
  const double whole = end - s->start.t;
  for (int k = 0; k < MOST && !p->late; k++) {
    const double left = end - s->start.t;
    p->whole = whole;
    memcpy(p->slope, s->start.a, (size_t)s->m->nv * sizeof *p->slope);
    double time = sar_next_bounce(p, s, left);
    go_back(s);
    const bool last = left - time < AT_ONCE * whole;
    if (time > NO_TIME * whole || last)
      SAR_TRY(make_part(p, s, last ? end : s->start.t + time, whole, true));
    begin_here(s);
    SAR_TRY(bounce(p, s, whole));
    sar_impulse_evaluate(s);
    begin_here(s);
    if (last) return SAR_OK;
  }
  return make_part(p, s, end, whole, false);
}

// Means over the whole step.
static void show_means(SarImpulseState* p, SarSim* s, double h) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  SarImpacts* x = &p->impacts;
  for (int i = 0; i < d->ncontact; i++) {
    memset(d->contact[i].p, 0, sizeof d->contact[i].p);
    d->contact[i].step = h;
  }
  for (int i = 0; i < x->count; i++) add_contact(d->contact, &d->ncontact, m->ncontact, &x->hit[i]);
  for (int i = 0; i < d->ncontact; i++) d->contact[i].step = h;
  for (int i = 0; i < m->nv_all * SAR_DOF_IMPULSES; i++) d->dof_impulse[i] = x->impulse[i] / h;
  for (int i = 0; i < m->nrow; i++) p->multiplier[i] = d->lambda[i] = x->lambda[i] / h;
  for (int i = 0; i < m->nv; i++) p->step_a[i] = (d->v[i] - s->start.v[i]) / h;
  d->t = s->stop;
}

SarStatus sar_impulse_parts(SarImpulseState* p, SarSim* s) {
  const SarModel* m = s->m;
  SarImpacts* x = &p->impacts;
  const double end = s->stop;
  const bool restart = s->restart;
  x->count = 0;
  memset(x->impulse, 0, (size_t)(m->nv_all * SAR_DOF_IMPULSES) * sizeof *x->impulse);
  memset(x->lambda, 0, (size_t)m->nrow * sizeof *x->lambda);
  copy_instant(m, &x->start, &s->start);
  go_back(s);
  const SarStatus st = all_parts(p, s, end);
  copy_instant(m, &s->start, &x->start);
  s->stop = end;
  s->restart = restart;
  p->whole = 0;
  if (st == SAR_OK) show_means(p, s, end - s->start.t);
  return st;
}
