// Contact: unilateral constraints (Signorini's complementarity conditions at the level of
// velocities) with Newton's restitution, Coulomb's cone, rolling and spinning friction, compliance.
//
// With the gap g, the speed of approach and the step's remaining time r:
//
//   rigid      g + r' J v >= 0  perp  p >= 0       speculative: r' = r + h / 2 reaches to where the
//                                                              next step jumps, and the gap is
//                                                              closed there
//   bounce     J v >= e w + (1 - theta) a        w speed of approach at the moment of impact, a the
//                                                              change by forces in the step: what
//                                                              flies on, flies
//   compliant  p = -h (k g' + c J v') >= 0         at a gap and a speed within the step: see soften
//   friction   |(p_t1, p_t2)| <= mu p                          a disc, not a box
//   rolling    |(p_r1, p_r2)| <= lever p;  spinning likewise
//
// Bounces that would not leave the surface within the step are none: the contact rests, so the
// infinitely many bounces before a ball lies still take finitely many steps without a threshold of
// ours. What has sunk in is lifted by pseudo-velocities, which do not stay: a share of it in each
// step.
#include "dynamics/contacts.h"
#include "formulations/impulse/flight.h"
#include "formulations/impulse/laws.h"

#include <math.h>
#include <string.h>

static const double LIFT = 0.2;    // share of a violation that one step takes away
static const double SLOP = 1e-4;   // of the smaller radius: depth that is left alone
static const double FINE = 1e-3;   // of the slop: overlap beyond it that is none
static const double AWAY = 1e-3;   // of the smaller radius: gap that is always watched
static const double CLOSED = 0.1;  // of the slop: gap that is none in an impact
static const double ANY = 1e12;    // a speed that nothing has [m/s]
static const double SOON = 0.1;    // of the step: what turns in less is not known from it
static const double STIR = 1e-2;   // of that: rebound within a step that is no noise

// The largest speed b at the end that gives no energy. Forces of a step that jumps early (theta <
// 1/2) have taken m D^2 (1/2 - theta) from what falls by D in it, which what bears it may give
// back:
//
//   p (a + b') / 2 <= (1/2 - theta) m D^2,   p = m (b - before),
//     a + b' = b + start + (2 theta - 1) D
//
// Without that, what rests would fall by D in every step in which something else hits.
static double passive_speed(const SarJump* jump, double start, double before) {
  const double D = before - start, late = 1 - jump->theta;
  const double square = late * late * D * D + start * (start + 2 * jump->theta * D);
  if (jump->theta >= 0.5 || D >= 0 || square < 0) return sar_idle_speed(jump, start, before);
  return late * D + sqrt(square);
}

SarAllowance sar_allowance(const SarJump* jump, SarBarrier b, double start, double before) {
  SarAllowance x = {0};
  const double gained = before - start, speed = start + jump->theta * gained;  // at the jump
  const double turned = jump->theta * jump->h * b.turn;  // of it by the turning of J: no approach
  const double fall = jump->h > 0 ? -gained * jump->whole / jump->h : b.pull * jump->whole;
  // it comes back faster than forces stop it within a step: it flies on, at whatever speed
  const bool bounces =
      -b.restitution * (speed - turned) * jump->whole > fmax(fall * jump->whole, STIR * b.fast);
  const bool fast = bounces || -(start - turned) * jump->whole > b.fast;
  const bool hits = b.gap <= -speed * jump->rest;
  // what is slow must not have passed where the next step jumps; what is fast, where this one ends
  const double reach = fast && !hits ? jump->rest : jump->rest + 0.5 * jump->h;
  x.speed = -fmax(b.gap, 0) / reach - 0.5 * reach * b.turn;
  if (speed < 0 && hits) {
    const double bounce = -b.restitution * (speed - turned) + (1 - jump->theta) * gained;
    x.impact = fast;
    x.bounces = b.restitution > 0 && bounce >= x.speed;
    x.speed = fmax(x.speed, bounce);
  }
  x.speed = fmin(x.speed, passive_speed(jump, start, before));
  // impacts in order: what has not come to its own moment lets pass
  if (jump->h > 0 ? jump->between && bounces && b.gap > 0 : !hits && b.gap > CLOSED * b.slop)
    return (SarAllowance){.speed = -ANY};
  if (b.gap < -(1 + FINE) * b.slop) x.shift = LIFT * (-b.gap - b.slop) / jump->rest;
  return x;
}

double sar_turning(const SarContact* c, const SarJump* jump, int along, double start) {
  const double past = c->rest + jump->theta * jump->h;
  if (!(c->rest > 0) || past < SOON * jump->h) return 0;
  return (start - c->u[along]) / past;
}

static void note(SarImpulses* p, SarAllowance x) {
  if (x.impact) p->impact = true;
  if (x.bounces) p->bouncing = true;
  if (x.shift > 0) p->shifting = true;
}

void sar_one_sided(SarImpulses* p, SarImpulseRow* row, const SarJump* jump, SarBarrier b) {
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

static SarBarrier barrier_of(const SarModel* m, const SarContact* c, const SarSurface* s,
                             const SarJump* jump, double start) {
  const double r = sar_contact_radius(m, c);
  return (SarBarrier){c->gap,       s->restitution,      SLOP * r,
                      SAR_FAST * r, sar_gravity_size(m), sar_turning(c, jump, 0, start)};
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
  sar_impulse_ready(p, row, m, d, jump->v0);
  if (!isfinite(s->stiffness)) {
    sar_one_sided(p, row, jump, barrier_of(m, c, s, jump, row->start));
    return;
  }
  row->low = 0;
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
    const SarBarrier b = barrier_of(m, c, s, jump, x->start[0]);
    const SarAllowance now = sar_allowance(jump, b, x->start[0], x->before[0]);
    x->speed = now.speed;
    x->shift = now.shift;
    x->bounces = now.bounces;
    note(p, now);
  }
  for (int k = 0; k < 2; k++)
    x->slip[k] = -jump->rest * sar_turning(c, jump, 1 + k, x->start[1 + k]);
  sar_point_ready(x, soft, s->friction, is_alone(d, contact));
  x->owner = contact;
}

// Two rows whose impulses share a disc, or a single one. What sticks is to have no speed where the
// step ends, as held rows do (impulse.c): on curved ways something held in a hand would creep out
// of it otherwise.
static void add_friction(SarImpulses* p, const SarModel* m, const SarData* d, const SarContact* c,
                         const SarJump* jump, double factor, int rows, const Force* W,
                         bool slides) {
  for (int i = 0; i < rows; i++) {
    SarImpulseRow* row = add_row(p, m, d, c, W[i]);
    row->limiter = p->normal;
    row->factor = factor;
    row->disc = rows == 2 && i == 0;
    sar_impulse_ready(p, row, m, d, jump->v0);
    if (slides) row->speed = -jump->rest * sar_turning(c, jump, 1 + i, row->start);
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
    add_friction(p, m, d, c, jump, s->friction, 2, slide, true);
    place[n++] = 1, place[n++] = 2;
  }
  if (s->spinning > 0) {
    add_friction(p, m, d, c, jump, s->spinning, 1, &spin, false);
    place[n++] = 3;
  }
  if (s->rolling > 0) {
    add_friction(p, m, d, c, jump, s->rolling, 2, roll, false);
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
bool sar_contact_is_far(const SarModel* m, const SarData* d, const SarContact* c,
                        const SarJump* jump) {
  const double near = AWAY * sar_contact_radius(m, c);
  if (jump->fast || c->gap <= near) return false;
  const double fall = jump->h * sar_gravity_size(m);
  return c->gap > near + 2 * jump->h * (fabs(sar_contact_speed(m, d, c)) + fall);
}

// Its impulses stay as they are.
static bool rests(const SarImpulses* p, const SarModel* m, const SarContact* c) {
  return sar_pair_rests(m, p->rest, c->a, c->b);
}

bool sar_contact_rows(SarImpulses* p, const SarModel* m, const SarData* d, const SarJump* jump) {
  const int first = p->count;
  for (int i = 0; i < d->ncontact; i++) {
    const SarSurface* s = sar_contact_surface(m, &d->contact[i]);
    if (rests(p, m, &d->contact[i])) continue;
    if (sar_contact_is_far(m, d, &d->contact[i], jump)) continue;
    if (sar_is_point(p->held, m, &d->contact[i]))
      add_point(p, m, d, i, s, jump);
    else if (!add_rows(p, m, d, i, s, jump))
      return false;
  }
  recall(p, d, first, jump->h);
  sar_relax_start(p, first);
  return true;
}

void sar_contact_impulses(const SarImpulses* p, SarData* d, int first, const SarJump* jump) {
  for (int i = 0; i < d->ncontact; i++) {
    if (rests(p, d->m, &d->contact[i])) continue;
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

void sar_contact_speeds(const SarImpulses* p, SarData* d, int first, const SarJump* jump) {
  for (int i = 0; i < d->ncontact; i++) {
    SarContact* c = &d->contact[i];
    if (rests(p, d->m, c)) continue;
    memset(c->u, 0, sizeof c->u);
    c->rest = c->p[0] > 0 ? jump->rest : 0;
  }
  for (int i = first; i < p->count; i++) {
    const int owner = p->row[i].owner, k = owner % SAR_CONTACT_ROWS;
    SarContact* c = &d->contact[owner / SAR_CONTACT_ROWS];
    if (k < 3 && c->rest > 0) c->u[k] = sar_impulse_speed(p, &p->row[i], p->v);
  }
  for (int f = 0; f < p->points.faces; f++) {
    const SarFace* face = &p->points.face[f];
    const SarTwist end = sar_face_twist(face, p->v);
    for (int i = face->first; i < face->first + face->count; i++) {
      SarContact* c = &d->contact[p->points.point[i].owner];
      if (c->rest > 0) sar_point_speeds(&p->points.point[i], &end, c->u);
    }
  }
}
