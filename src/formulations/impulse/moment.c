// The moment of the impulses: the time of impact within the step, or the middle where nothing hits.
#include "dynamics/cut_joints.h"
#include "dynamics/displacement.h"
#include "formulations/impulse/flight.h"
#include "formulations/impulse/impulse.h"

#include <math.h>
#include <string.h>

// of the step: a moment of impact so near the middle is the middle
static const double SHIFTED = 1e-3;

static void place_at(SarImpulseState* p, SarSim* s, double h, double theta) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  memcpy(d->q, s->start.q, (size_t)m->nq * sizeof(double));
  memcpy(d->v, s->start.v, (size_t)m->nv * sizeof(double));
  sar_drift(s, theta * h, NULL, d->q, d->v);
  memcpy(p->v0, d->v, (size_t)m->nv * sizeof(double));
  sar_expect_cuts(s, theta * h, d->q);
  d->t = fmin(fmax(s->start.t + theta * h, s->t_low), s->t_high);
  if (m->ncollider == 0) return;  // no contact to look for: sar_impulse_reach does the rest
  sar_update_kinematics(m, d);
  sar_update_world(m, d);
}

static void move_to(SarImpulseState* p, SarSim* s, double h, double theta) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  place_at(p, s, h, theta);
  if (m->ncollider == 0) return;
  sar_find_contacts(m, d, &p->search, h);
  if (d->ncontact > s->stats.contacts_max) s->stats.contacts_max = d->ncontact;
  s->stats.contacts_missed = p->search.missed;
}

typedef struct Hits {
  const SarModel* m;
  const double* speed;
  double whole;
} Hits;

static bool may_hit(const void* context, int a, int b) {
  const Hits* x = context;
  return sar_may_hit(x->m, x->speed, x->whole, a, b);
}

void sar_find_hits(SarImpulseState* p, SarSim* s, double h, double whole) {
  const Hits hits = {s->m, p->search.speed, whole};
  p->search.asked = may_hit;
  p->search.context = &hits;
  sar_find_contacts(s->m, s->d, &p->search, h);
  p->search.asked = NULL;
}

static void keep_seen(SarImpulseState* p, const SarData* d, int* seen) {
  *seen = d->ncontact;
  memcpy(p->seen, d->contact, (size_t)d->ncontact * sizeof *p->seen);
}

static void go_back_to_seen(const SarImpulseState* p, SarData* d, int seen) {
  d->ncontact = seen;
  memcpy(d->contact, p->seen, (size_t)seen * sizeof *p->seen);
}

// Is something hit within the step and comes back, by what is seen at theta?
static bool is_bounced(SarImpulseState* p, SarSim* s, double h, double theta) {
  const SarSpell spell = {h, p->whole > 0 ? p->whole : h, SAR_BOUNCES};
  bool fast;
  return sar_first_impact(s->m, s->d, p->search.speed, &spell, theta, &fast) < 1;
}

// The moment of the first impact; the middle if there is none. fast: there may be one.
static double find_moment(SarImpulseState* p, SarSim* s, double h, bool* fast) {
  const SarModel* m = s->m;
  const SarSpell spell = {h, p->whole > 0 ? p->whole : h,
                          p->between ? SAR_OTHER_IMPACTS : SAR_ALL_IMPACTS};
  bool still;
  move_to(p, s, h, 0.5);
  double first = sar_first_impact(m, s->d, p->search.speed, &spell, 0.5, fast);
  int ahead = 0;
  p->bounces = p->impacts.possible && !p->between && *fast && is_bounced(p, s, h, 0.5);
  const bool passing = sar_may_pass(&p->search, 0.5 * h);  // it may be through already
  int seen = 0;  // contacts in the middle are the ones that persist, others are looks ahead
  if (passing || *fast) keep_seen(p, s->d, &seen);
  if (passing) {
    move_to(p, s, h, 0);
    first = fmin(first, sar_first_impact(m, s->d, p->search.speed, &spell, 0, &still));
    p->bounces = p->bounces || (p->impacts.possible && !p->between && is_bounced(p, s, h, 0));
    *fast = true;
  }
  if (*fast) {
    place_at(p, s, h, 1);
    sar_find_hits(p, s, h, spell.whole);
    p->bounces = p->bounces || (p->impacts.possible && !p->between && is_bounced(p, s, h, 1));
    first = fmin(first, sar_first_impact(m, s->d, p->search.speed, &spell, 1, &still));
    ahead = sar_look_ahead(m, s->d, p->search.speed, &spell, p->ahead);
  }
  const bool hits = first < 1 && fabs(first - 0.5) > SHIFTED && !p->passes;
  const double theta = hits ? first : 0.5;
  if (*fast) go_back_to_seen(p, s->d, seen);
  if (theta != 0.5)
    move_to(p, s, h, theta);
  else if (*fast)
    place_at(p, s, h, theta);
  sar_add_ahead(m, s->d, h, theta, p->ahead, ahead);
  return theta;
}

// Newton's step on the first bounce that is known from the middle: where the mean velocity leads
// till then.
static double refine(SarImpulseState* p, SarSim* s, const SarSpell* spell, double first) {
  SarData* d = s->d;
  const double t = first * spell->h;
  bool fast;
  for (int i = 0; i < s->m->nv; i++) s->start.v[i] += 0.5 * t * p->slope[i];
  move_to(p, s, spell->h, first);
  for (int i = 0; i < s->m->nv; i++) {
    s->start.v[i] -= 0.5 * t * p->slope[i];
    d->v[i] += 0.5 * t * p->slope[i];
  }
  sar_update_velocities(s->m, d);
  return sar_first_impact(s->m, d, p->search.speed, spell, first, &fast);
}

double sar_next_bounce(SarImpulseState* p, SarSim* s, double h) {
  const SarModel* m = s->m;
  const SarSpell spell = {h, p->whole, SAR_BOUNCES};
  bool fast, still;
  move_to(p, s, h, 0.5);
  double first = sar_first_impact(m, s->d, p->search.speed, &spell, 0.5, &fast);
  if (sar_may_pass(&p->search, 0.5 * h)) {
    move_to(p, s, h, 0);
    first = fmin(first, sar_first_impact(m, s->d, p->search.speed, &spell, 0, &still));
    fast = true;
  }
  if (fast) {
    move_to(p, s, h, 1);
    first = fmin(first, sar_first_impact(m, s->d, p->search.speed, &spell, 1, &still));
  }
  return first < 1 ? h * fmin(refine(p, s, &spell, first), 1) : h;
}

SarJump sar_impulse_reach(SarImpulseState* p, SarSim* s) {
  bool fast;
  const double h = s->stop - s->start.t, theta = find_moment(p, s, h, &fast);
  memcpy(p->q, s->d->q, (size_t)s->m->nq_all * sizeof(double));
  // forces are those at the velocities expected now
  for (int i = 0; i < s->m->nv; i++) s->d->v[i] += theta * h * p->slope[i];
  if (s->m->ncollider > 0)
    sar_update_velocities(s->m, s->d);
  else
    sar_update_kinematics(s->m, s->d);
  const double rest = fmax((1 - theta) * h, 1e-9 * h), whole = p->whole > 0 ? p->whole : h;
  const SarJump jump = {h, theta, rest, fast, whole, p->between, p->v0};
  sar_sleep_wake(p, s->m, s->d, &jump, false);
  return jump;
}
