// Time of impact within the step (continuous collision detection): when something fast hits, and
// what (laws.h). Looked for in the middle of the step, and where something is fast at its ends too,
// by the gap over the speed of approach: a round each of what conservative advancement iterates.
//
// A contact at the gap g that closes with the speed w at the moment theta closes at theta + g / (w
// h). The contacts in sight at one moment are those nearest then: an edge that lies across a ridge
// is not, while its end is nearer. So where something is fast, contacts are also looked for where
// the step would end without any: there they overlap, and cannot be overlooked. They are carried
// back to the moment of the jump along the velocities.
#include "formulations/impulse/laws.h"

static const double PLACE = 0.1;     // of the smaller radius: nearer is the same place
static const double BELIEVED = 0.3;  // of the smaller radius: deeper ones may point anywhere

static V3 velocity_at(const SarModel* m, const SarData* d, int collider, V3 point) {
  const int b = m->collider[collider].body;
  if (b < 0) return v3_zero();
  const Xform* X = &d->body_X_GB[b];
  const V3 r = m3_tmul_v(X->R, v3_sub(point, X->p));
  return m3_mul_v(X->R, v3_add(d->body_V[b].v, v3_cross(d->body_V[b].w, r)));
}

double sar_contact_speed(const SarModel* m, const SarData* d, const SarContact* c) {
  const V3 apart = v3_sub(velocity_at(m, d, c->b, c->point), velocity_at(m, d, c->a, c->point));
  return v3_dot(apart, c->normal);
}

// Most bodies are too slow for it, so that their contacts need not be looked at.
bool sar_may_hit(const SarModel* m, const double* speed, double whole, int a, int b) {
  const SarCollider *x = &m->collider[a], *y = &m->collider[b];
  const SarSurface* s = &m->surface[x->material * m->nmaterial + y->material];
  const double fall = whole * sar_gravity_size(m), most = speed[a] + speed[b];
  const double fast = SAR_FAST * fmin(x->solid.radius, y->solid.radius);
  return !isfinite(s->stiffness) && (s->restitution * most >= fall || most * whole >= fast);
}

// Speed of approach of a contact that closes fast, or would come back in flight; else 0.
static double fast_approach(const SarModel* m, const SarData* d, const double* speed,
                            const SarSpell* spell, const SarContact* c) {
  const SarSurface* s = sar_contact_surface(m, c);
  const double h = spell->whole;
  if (!sar_may_hit(m, speed, h, c->a, c->b)) return 0;
  const double fall = h * sar_gravity_size(m), fast = SAR_FAST * sar_contact_radius(m, c);
  const double approach = -sar_contact_speed(m, d, c);
  const bool flies = s->restitution * approach >= fall && s->restitution * approach > 0;
  if (spell->which != SAR_ALL_IMPACTS && flies != (spell->which == SAR_BOUNCES)) return 0;
  return flies || approach * h >= fast ? approach : 0;
}

double sar_first_impact(const SarModel* m, const SarData* d, const double* speed,
                        const SarSpell* spell, double theta, bool* fast) {
  double first = 1;
  *fast = false;
  for (int i = 0; i < d->ncontact; i++) {
    const double approach = fast_approach(m, d, speed, spell, &d->contact[i]);
    if (!(approach > 0)) continue;
    const double when = theta + d->contact[i].gap / (approach * spell->h);
    first = fmin(first, fmax(when, 0));  // the last step may have ended just short of it
    *fast = true;
  }
  return first;
}

int sar_look_ahead(const SarModel* m, const SarData* d, const double* speed, const SarSpell* spell,
                   SarAhead* ahead) {
  int count = 0;
  for (int i = 0; i < d->ncontact; i++) {
    const SarContact* c = &d->contact[i];
    const double approach = fast_approach(m, d, speed, spell, c);
    if (approach > 0 && c->gap < 0 && c->gap > -BELIEVED * sar_contact_radius(m, c))
      ahead[count++] = (SarAhead){*c, approach};
  }
  return count;
}

// The same features, at the same place: a rim touches with another point of it a moment later.
static bool is_known(const SarModel* m, const SarData* d, int count, const SarContact* c) {
  for (int i = 0; i < count; i++) {
    const SarContact* k = &d->contact[i];
    if (k->a == c->a && k->b == c->b && k->feature == c->feature)
      return v3_norm(v3_sub(k->point, c->point)) < PLACE * sar_contact_radius(m, c);
  }
  return false;
}

void sar_add_ahead(const SarModel* m, SarData* d, double h, double theta, const SarAhead* ahead,
                   int count) {
  const int known = d->ncontact;
  const double back = (1 - theta) * h;
  for (int i = 0; i < count && d->ncontact < m->ncontact; i++) {
    SarContact c = ahead[i].contact;
    const V3 v = v3_add(velocity_at(m, d, c.a, c.point), velocity_at(m, d, c.b, c.point));
    c.point = v3_axpy(-0.5 * back, v, c.point);
    if (is_known(m, d, known, &c)) continue;
    c.gap += back * ahead[i].approach;
    d->contact[d->ncontact++] = c;
  }
}
