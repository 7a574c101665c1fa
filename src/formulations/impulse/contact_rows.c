// Contact: non-penetration with restitution, Coulomb's cone, rolling and spinning friction, compliance.
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
// Bounces that would not leave the surface within the step are none: the contact rests, so the infinitely
// many bounces before a ball lies still take finitely many steps without a threshold of ours.
// What has sunk in is lifted by pseudo-velocities, which do not stay: a share of it in each step.
#include "formulations/impulse/laws.h"

#include <math.h>

static const double LIFT = 0.2;   // share of a violation that one step takes away
static const double SLOP = 1e-4;  // of the smaller radius: depth that is left alone
static const double STIR = 1e-2;  // of that: rebound within a step that is no noise

void sar_one_sided(SarImpulses* p, SarImpulseRow* row, const SarModel* m, const SarData* d,
                   const SarStage* stage, SarBarrier b) {
  sar_impulse_ready(p, row, m, d, stage->v0);
  const double gained = row->before - row->start;
  const double speed = row->start + stage->theta * gained;  // at the moment of the jump
  // it comes back faster than forces stop it within a step: it flies on, at whatever speed
  const bool bounces = -b.restitution * speed * stage->h > fmax(-gained * stage->h, STIR * b.fast);
  const bool fast = bounces || -row->start * stage->h > b.fast;
  const bool hits = b.gap <= -speed * stage->rest;
  row->low = 0;
  // what is slow must not have passed where the next step jumps; what is fast, where this one ends
  if (b.gap > 0) row->speed = -b.gap / (fast && !hits ? stage->rest : stage->rest + 0.5 * stage->h);
  if (speed < 0 && hits) {
    p->impact = p->impact || fast;
    const double bounce = -b.restitution * speed + (1 - stage->theta) * gained;
    row->bounces = b.restitution > 0 && bounce >= row->speed;
    row->speed = fmax(row->speed, bounce);
  }
  row->shifts = true;
  if (b.gap < -b.slop) {
    row->shift = LIFT * (-b.gap - b.slop) / stage->rest;
    p->shifting = true;
  }
}

static SarImpulseRow* add_row(SarImpulses* p, const SarModel* m, const SarData* d,
                              const SarContact* c, Force W) {
  SarImpulseRow* row = sar_impulses_add(p);
  const Force back = {v3_neg(W.n), v3_neg(W.f)};
  sar_impulse_wrench(p, row, m, d, m->collider[c->a].body, c->point, back);
  sar_impulse_wrench(p, row, m, d, m->collider[c->b].body, c->point, W);
  return row;
}

// Spring and damper, the row ready without them: force at a gap and a speed between those where the step begins and
// ends,
//
//   p = -h (k ((1 - s) g0 + s g1) + c ((1 - s) v0 + s v1)),   g0 = g - theta h v0,   g1 = g + r v1
//
// Halfway, s = 1/2, it is of second order and neither gains nor loses energy, but what is too stiff for the step would
// tremble: s goes to 1, which calms it, as z = (h^2 k + h c) / m goes beyond 4.
static void soften(SarImpulseRow* row, const SarSurface* s, const SarStage* stage, double gap) {
  if (row->mass == 0) return;
  const double h = stage->h, k = s->stiffness, c = s->damping, v0 = row->start;
  const double z = (h * h * k + h * c) / row->mass, w = 0.5 + 0.5 * z / (4 + z);
  const double stiff = w * (k * stage->rest + c);
  row->soft = 1 / (h * stiff);
  row->speed = -(k * (gap - (1 - w) * stage->theta * h * v0) + c * (1 - w) * v0) / stiff;
  row->mass = 1 / (1 / row->mass + row->soft);
}

static void add_normal(SarImpulses* p, const SarModel* m, const SarData* d, const SarContact* c,
                       const SarSurface* s, const SarStage* stage) {
  SarImpulseRow* row = add_row(p, m, d, c, (Force){v3_zero(), c->normal});
  if (isfinite(s->stiffness)) {
    row->low = 0;
    sar_impulse_ready(p, row, m, d, stage->v0);
    soften(row, s, stage, c->gap);
  } else {
    const double r = sar_contact_radius(m, c);
    sar_one_sided(p, row, m, d, stage,
                  (SarBarrier){c->gap, s->restitution, SLOP * r, SAR_FAST * r});
  }
}

// Two rows whose impulses share a disc, or a single one.
static void add_friction(SarImpulses* p, const SarModel* m, const SarData* d, const SarContact* c,
                         const SarStage* stage, int normal, double factor, int rows,
                         const Force* W) {
  for (int i = 0; i < rows; i++) {
    SarImpulseRow* row = add_row(p, m, d, c, W[i]);
    row->limiter = normal;
    row->factor = factor;
    row->disc = rows == 2 && i == 0;
    sar_impulse_ready(p, row, m, d, stage->v0);
  }
}

// Which rows a contact has: along the normal, two tangents; about the normal, two tangents.
static int rows_of(const SarSurface* s, int place[SAR_CONTACT_ROWS]) {
  int n = 0;
  place[n++] = 0;
  if (s->friction > 0) place[n++] = 1, place[n++] = 2;
  if (s->spinning > 0) place[n++] = 3;
  if (s->rolling > 0) place[n++] = 4, place[n++] = 5;
  return n;
}

bool sar_contact_rows(SarImpulses* p, const SarModel* m, const SarData* d, const SarStage* stage) {
  const int begin = p->count;
  for (int i = 0; i < d->ncontact; i++) {
    const SarContact* c = &d->contact[i];
    const SarSurface* s = sar_contact_surface(m, c);
    const int normal = p->count;
    if (normal + SAR_CONTACT_ROWS > p->most) return false;
    const V3 none = v3_zero(), second = sar_contact_tangent2(c);
    const Force slide[] = {{none, c->tangent}, {none, second}};
    const Force spin = {c->normal, none}, roll[] = {{c->tangent, none}, {second, none}};
    add_normal(p, m, d, c, s, stage);
    if (s->friction > 0) add_friction(p, m, d, c, stage, normal, s->friction, 2, slide);
    if (s->spinning > 0) add_friction(p, m, d, c, stage, normal, s->spinning, 1, &spin);
    if (s->rolling > 0) add_friction(p, m, d, c, stage, normal, s->rolling, 2, roll);
  }
  int place[SAR_CONTACT_ROWS];
  SarImpulseRow* row = p->row + begin;
  for (int i = 0; i < d->ncontact; i++) {
    const int n = rows_of(sar_contact_surface(m, &d->contact[i]), place);
    for (int k = 0; k < n && d->contact[i].step > 0; k++)
      row[k].p = d->contact[i].p[place[k]] * stage->h / d->contact[i].step;
    row += n;
  }
  return true;
}

void sar_contact_impulses(const SarImpulses* p, const SarModel* m, SarData* d, int first,
                          const SarStage* stage) {
  int place[SAR_CONTACT_ROWS];
  const SarImpulseRow* row = p->row + first;
  for (int i = 0; i < d->ncontact; i++) {
    SarContact* c = &d->contact[i];
    const int n = rows_of(sar_contact_surface(m, c), place);
    for (int k = 0; k < SAR_CONTACT_ROWS; k++) c->p[k] = 0;
    for (int k = 0; k < n; k++) c->p[place[k]] = row[k].p;
    c->step = stage->h;
    row += n;
  }
}
