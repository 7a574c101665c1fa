// Contact: unilateral constraints (Signorini's complementarity conditions at the level of
// velocities) with Newton's restitution, Coulomb's cone, rolling and spinning friction, compliance.
//
// With the gap g, the speed of approach and the step's remaining time r:
//
//   rigid      g + r' J v >= 0  perp  p >= 0                   speculative: r' = r + h / 2 reaches to where the
//                                                              next step jumps, and the gap is closed there
//   bounce     J v >= e w + (1 - theta) a                      w speed of approach at the moment of impact, a the
//                                                              change by forces in the step: what flies on, flies
//   compliant  p = -h (k g' + c J v') >= 0                     at a gap and a speed within the step: see soften
//   friction   |(p_t1, p_t2)| <= mu p                          a disc, not a box
//   rolling    |(p_r1, p_r2)| <= lever p;  spinning likewise
//
// Bounces that would not leave the surface within the step are none: the contact rests, so the
// infinitely many bounces before a ball lies still take finitely many steps without a threshold of
// ours. What has sunk in is lifted by pseudo-velocities, which do not stay: a share of it in each
// step.
#include "formulations/impulse/flight.h"
#include "formulations/impulse/laws.h"

#include <math.h>
#include <string.h>

static const double LIFT = 0.2;   // share of a violation that one step takes away
static const double SLOP = 1e-4;  // of the smaller radius: depth that is left alone
static const double AWAY = 1e-3;  // of the smaller radius: gap that is always watched
static const double STIR = 1e-2;  // of that: rebound within a step that is no noise

SarAllowance sar_allowance(const SarJump* jump, SarBarrier b, double start, double before) {
  SarAllowance x = {0};
  const double gained = before - start, speed = start + jump->theta * gained;  // at the jump
  // it comes back faster than forces stop it within a step: it flies on, at whatever speed
  const bool bounces = -b.restitution * speed * jump->h > fmax(-gained * jump->h, STIR * b.fast);
  const bool fast = bounces || -start * jump->h > b.fast;
  const bool hits = b.gap <= -speed * jump->rest;
  // what is slow must not have passed where the next step jumps; what is fast, where this one ends
  if (b.gap > 0) x.speed = -b.gap / (fast && !hits ? jump->rest : jump->rest + 0.5 * jump->h);
  if (speed < 0 && hits) {
    const double bounce = -b.restitution * speed + (1 - jump->theta) * gained;
    x.impact = fast;
    x.bounces = b.restitution > 0 && bounce >= x.speed;
    x.speed = fmax(x.speed, bounce);
  }
  if (b.gap < -b.slop) x.shift = LIFT * (-b.gap - b.slop) / jump->rest;
  return x;
}

static void note(SarImpulses* p, SarAllowance x) {
  if (x.impact) p->impact = true;
  if (x.bounces) p->bouncing = true;
  if (x.shift > 0) p->shifting = true;
}

void sar_one_sided(SarImpulses* p, SarImpulseRow* row, const SarModel* m, const SarData* d,
                   const SarJump* jump, SarBarrier b) {
  sar_impulse_ready(p, row, m, d, jump->v0);
  const SarAllowance x = sar_allowance(jump, b, row->start, row->before);
  row->low = 0;
  row->speed = x.speed;
  row->shift = x.shift;
  row->shifts = true;
  row->bounces = x.bounces;
  note(p, x);
}

static SarImpulseRow* add_row(SarImpulses* p, const SarModel* m, const SarData* d,
                              const SarContact* c, Force W) {
  SarImpulseRow* row = sar_impulses_add(p);
  const Force back = {v3_neg(W.n), v3_neg(W.f)};
  sar_impulse_wrench(p, row, m, d, m->collider[c->a].body, c->point, back);
  sar_impulse_wrench(p, row, m, d, m->collider[c->b].body, c->point, W);
  return row;
}

static SarBarrier barrier_of(const SarModel* m, const SarContact* c, const SarSurface* s) {
  const double r = sar_contact_radius(m, c);
  return (SarBarrier){c->gap, s->restitution, SLOP * r, SAR_FAST * r};
}

// Spring and damper: force at a gap and a speed between those where the step begins and ends,
//
//   p = -h (k ((1 - s) g0 + s g1) + c ((1 - s) v0 + s v1)),   g0 = g - theta h v0,   g1 = g + r v1
//
// Halfway, s = 1/2, it is of second order and neither gains nor loses energy, but what is too stiff
// for the step would tremble: s goes to 1, which calms it, as z = (h^2 k + h c) / m goes beyond 4.
// Returns the softness of the row, J v + soft p = speed; mass: effective without it, not 0.
static double soften(const SarSurface* s, const SarJump* jump, double gap, double mass, double v0,
                     double* speed) {
  const double h = jump->h, k = s->stiffness, c = s->damping;
  const double z = (h * h * k + h * c) / mass, w = 0.5 + 0.5 * z / (4 + z);
  const double stiff = w * (k * jump->rest + c);
  *speed = -(k * (gap - (1 - w) * jump->theta * h * v0) + c * (1 - w) * v0) / stiff;
  return 1 / (h * stiff);
}

static void add_normal(SarImpulses* p, const SarModel* m, const SarData* d, const SarContact* c,
                       const SarSurface* s, const SarJump* jump) {
  SarImpulseRow* row = add_row(p, m, d, c, (Force){v3_zero(), c->normal});
  if (!isfinite(s->stiffness)) {
    sar_one_sided(p, row, m, d, jump, barrier_of(m, c, s));
    return;
  }
  row->low = 0;
  sar_impulse_ready(p, row, m, d, jump->v0);
  if (row->mass == 0) return;
  row->soft = soften(s, jump, c->gap, row->mass, row->start, &row->speed);
  row->mass = 1 / (1 / row->mass + row->soft);
}

// Contacts of a pair of solids stand side by side.
static bool same_pair(const SarContact* x, const SarContact* y) {
  return x->a == y->a && x->b == y->b;
}

static bool is_alone(const SarData* d, int contact) {
  const SarContact* c = &d->contact[contact];
  return (contact == 0 || !same_pair(c - 1, c)) &&
         (contact + 1 == d->ncontact || !same_pair(c + 1, c));
}

static void add_point(SarImpulses* p, const SarModel* m, const SarData* d, int contact,
                      const SarSurface* s, const SarJump* jump) {
  const SarContact* c = &d->contact[contact];
  SarPointRows* x = sar_points_add(&p->points, p->held, m, d, c, p->v, jump->v0);
  double soft = 0;
  if (isfinite(s->stiffness) && x->A[0] > 0) {
    soft = soften(s, jump, c->gap, 1 / x->A[0], x->start[0], &x->speed);
  } else {
    const SarAllowance now = sar_allowance(jump, barrier_of(m, c, s), x->start[0], x->before[0]);
    x->speed = now.speed;
    x->shift = now.shift;
    x->bounces = now.bounces;
    note(p, now);
  }
  sar_point_ready(x, soft, s->friction, is_alone(d, contact));
  x->owner = contact;
}

// Acceleration of the point of a body that is at a ground point, for zero joint accelerations:
// body_A has it, from the forces of this step. Free bodies alone fly straight on.
static V3 carried_on(const SarModel* m, const SarData* d, int collider, V3 point) {
  const int b = m->collider[collider].body;
  if (b < 0 || sar_is_single_body(m, b)) return v3_zero();
  const Xform* X = &d->body_X_GB[b];
  const Motion V = d->body_V[b], A = d->body_A[b];
  const V3 r = m3_tmul_v(X->R, v3_sub(point, X->p)), v = v3_add(V.v, v3_cross(V.w, r));
  const V3 a = v3_add(v3_add(A.v, v3_cross(A.w, r)), v3_cross(V.w, v));
  return v3_add(m3_mul_v(X->R, a), m->gravity);
}

// Two rows whose impulses share a disc, or a single one. What sticks is to have no speed where the
// step ends, as held rows do (impulse.c): on curved ways something held in a hand would creep out
// of it otherwise.
static void add_friction(SarImpulses* p, const SarModel* m, const SarData* d, const SarContact* c,
                         const SarJump* jump, double factor, int rows, const Force* W) {
  const V3 apart = v3_sub(carried_on(m, d, c->b, c->point), carried_on(m, d, c->a, c->point));
  for (int i = 0; i < rows; i++) {
    SarImpulseRow* row = add_row(p, m, d, c, W[i]);
    row->limiter = p->normal;
    row->factor = factor;
    row->disc = rows == 2 && i == 0;
    row->speed = -jump->rest * v3_dot(apart, W[i].f);
    sar_impulse_ready(p, row, m, d, jump->v0);
  }
}

// Rows of a contact of anything: along the normal and two tangents, about them if there is such
// friction. Owners tell contact and which impulse of it.
static bool add_rows(SarImpulses* p, const SarModel* m, const SarData* d, int contact,
                     const SarSurface* s, const SarJump* jump) {
  const SarContact* c = &d->contact[contact];
  const V3 none = v3_zero(), second = sar_contact_tangent2(c);
  const Force slide[] = {{none, c->tangent}, {none, second}};
  const Force spin = {c->normal, none}, roll[] = {{c->tangent, none}, {second, none}};
  const int first = p->normal = p->count;
  if (first + SAR_CONTACT_ROWS > p->most) return false;
  int place[SAR_CONTACT_ROWS] = {0}, n = 1;
  add_normal(p, m, d, c, s, jump);
  if (s->friction > 0) {
    add_friction(p, m, d, c, jump, s->friction, 2, slide);
    place[n++] = 1, place[n++] = 2;
  }
  if (s->spinning > 0) {
    add_friction(p, m, d, c, jump, s->spinning, 1, &spin);
    place[n++] = 3;
  }
  if (s->rolling > 0) {
    add_friction(p, m, d, c, jump, s->rolling, 2, roll);
    place[n++] = 4, place[n++] = 5;
  }
  for (int k = 0; k < n; k++) p->row[first + k].owner = contact * SAR_CONTACT_ROWS + place[k];
  return true;
}

// Impulses of the last step, for sar_impulses_start.
static void recall(SarImpulses* p, const SarData* d, int first, double h) {
  for (int i = first; i < p->count; i++) {
    SarImpulseRow* row = &p->row[i];
    const SarContact* c = &d->contact[row->owner / SAR_CONTACT_ROWS];
    if (!(c->step > 0)) continue;
    row->p = c->p[row->owner % SAR_CONTACT_ROWS] * h / c->step;
  }
  for (int i = 0; i < p->points.count; i++) {
    const SarContact* c = &d->contact[p->points.point[i].owner];
    if (!(c->step > 0)) continue;
    for (int k = 0; k < 3; k++) p->points.p[i][k] = c->p[k] * h / c->step;
  }
}

// Cannot close within this step and half the next one. Where something hits fast, what it hits may
// turn and close any gap: nothing is far.
static bool is_far(const SarModel* m, const SarData* d, const SarContact* c, const SarJump* jump) {
  const double near = AWAY * sar_contact_radius(m, c);
  if (jump->fast || c->gap <= near) return false;
  const double fall = jump->h * sar_gravity_size(m);
  return c->gap > near + 2 * jump->h * (fabs(sar_contact_speed(m, d, c)) + fall);
}

bool sar_contact_rows(SarImpulses* p, const SarModel* m, const SarData* d, const SarJump* jump) {
  const int first = p->count;
  for (int i = 0; i < d->ncontact; i++) {
    const SarSurface* s = sar_contact_surface(m, &d->contact[i]);
    if (is_far(m, d, &d->contact[i], jump)) continue;
    if (sar_is_point(p->held, m, &d->contact[i]))
      add_point(p, m, d, i, s, jump);
    else if (!add_rows(p, m, d, i, s, jump))
      return false;
  }
  recall(p, d, first, jump->h);
  return true;
}

void sar_contact_impulses(const SarImpulses* p, SarData* d, int first, const SarJump* jump) {
  for (int i = 0; i < d->ncontact; i++) {
    memset(d->contact[i].p, 0, sizeof d->contact[i].p);
    d->contact[i].step = jump->h;
  }
  for (int i = first; i < p->count; i++) {
    const int owner = p->row[i].owner;
    d->contact[owner / SAR_CONTACT_ROWS].p[owner % SAR_CONTACT_ROWS] = p->row[i].p;
  }
  for (int i = 0; i < p->points.count; i++)
    memcpy(d->contact[p->points.point[i].owner].p, p->points.p[i], 3 * sizeof(double));
}
