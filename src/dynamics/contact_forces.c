// Contact forces, normal and friction: an impulse over the length of the step that gave it.
//
// The impulses p of a contact act on its second body: along the normal and two tangents, then about
// them.
#include "dynamics/contact_forces.h"

#include "base/error.h"
#include "base/sized.h"

static V3 along(const SarContact* c, const double p[3]) {
  const V3 sides = v3_axpy(p[2], sar_contact_tangent2(c), v3_scale(p[1], c->tangent));
  return v3_axpy(p[0], c->normal, sides);
}

V3 sar_contact_impulse(const SarContact* c) { return along(c, c->p); }

static V3 friction_impulse(const SarContact* c) {
  return along(c, (const double[3]){0, c->p[1], c->p[2]});
}

void sar_add_contact_forces(const SarModel* m, const SarData* d, Force* F) {
  for (int i = 0; i < d->ncontact; i++) {
    const SarContact* c = &d->contact[i];
    if (!(c->step > 0)) continue;
    const int body[2] = {m->collider[c->a].body, m->collider[c->b].body};
    const V3 f = v3_scale(1 / c->step, sar_contact_impulse(c));
    const V3 n = v3_scale(1 / c->step, along(c, &c->p[3]));
    for (int k = 0; k < 2; k++) {
      if (body[k] < 0) continue;
      const Xform* X = &d->body_X_GB[body[k]];
      const Force on = {m3_tmul_v(X->R, v3_add_cross(n, v3_sub(c->point, X->p), f)),
                        m3_tmul_v(X->R, f)};
      F[body[k]] = k == 1 ? force_add(F[body[k]], on) : force_sub(F[body[k]], on);
    }
  }
}

// ---- columns ------------------------------------------------------------------------------------

typedef struct Sum {
  int points;
  double normal, depth, gap;
  V3 force, friction;  // on the body
  V3 moment;           // sum of normal force times point
} Sum;

// Adds a contact to what a body feels; side: +1 where the body is the second one.
static void add(Sum* sum, const SarContact* c, double side) {
  sum->depth = fmax(sum->depth, -c->gap);
  sum->gap = fmin(sum->gap, c->gap);
  if (!(c->step > 0)) return;
  const double rate = 1 / c->step, normal = rate * c->p[0];
  if (c->p[0] == 0) return;
  sum->points++;
  sum->normal += normal;
  sum->force = v3_axpy(side * rate, sar_contact_impulse(c), sum->force);
  sum->friction = v3_axpy(side * rate, friction_impulse(c), sum->friction);
  sum->moment = v3_axpy(normal, c->point, sum->moment);
}

static Sum sum_of(const SarModel* m, const SarData* d, int body, int other) {
  Sum sum = {.gap = SAR_NO_CONTACT};
  for (int i = 0; i < d->ncontact; i++) {
    const SarContact* c = &d->contact[i];
    const int a = m->collider[c->a].holder, b = m->collider[c->b].holder;
    if (a != body && b != body) continue;
    if (other != SAR_ANY_BODY && (a == body ? b : a) != other) continue;
    add(&sum, c, b == body ? 1 : -1);
  }
  return sum;
}

double sar_contact_column(const SarModel* m, const SarData* d, int body, int other,
                          SarContactColumn column) {
  const Sum sum = sum_of(m, d, body, other);
  const V3 at = v3_scale(sum.normal > 0 ? 1 / sum.normal : 0, sum.moment);
  switch (column) {
    case SAR_CONTACT_POINTS: return sum.points;
    case SAR_CONTACT_NORMAL: return sum.normal;
    case SAR_CONTACT_FX: return sum.force.x;
    case SAR_CONTACT_FY: return sum.force.y;
    case SAR_CONTACT_FZ: return sum.force.z;
    case SAR_CONTACT_FRICTION: return v3_norm(sum.friction);
    case SAR_CONTACT_DEPTH: return sum.depth;
    case SAR_CONTACT_X: return at.x;
    case SAR_CONTACT_Y: return at.y;
    case SAR_CONTACT_Z: return at.z;
    case SAR_CONTACT_GAP: return sum.gap;
    case SAR_CONTACT_QUANTITIES: break;
  }
  return 0;
}

// ---- the host program ---------------------------------------------------------------------------

SAR_API int sar_contact_count(const SarData* d) { return d ? d->ncontact : 0; }

SAR_API SarStatus sar_contact_sized(const SarData* d, int index, SarContactPoint* out,
                                    size_t size) {
  SAR_GIVEN(d && out);
  if (index < 0 || index >= d->ncontact) return SAR_BAD_ARGUMENT;
  const SarModel* m = d->m;
  const SarContact* c = &d->contact[index];
  const SarCollider* solid[2] = {&m->collider[c->a], &m->collider[c->b]};
  const V3 impulse = sar_contact_impulse(c);
  SarContactPoint found = {.gap = c->gap};
  for (int k = 0; k < 2; k++) {
    found.body[k] = solid[k]->holder;
    found.solid[k] = sar_text(m, solid[k]->name);
  }
  v3_store(found.point, c->point);
  v3_store(found.normal, c->normal);
  v3_store(found.impulse, impulse);
  v3_store(found.moment, along(c, &c->p[3]));
  v3_store(found.force, v3_scale(c->step > 0 ? 1 / c->step : 0, impulse));
  sar_give(out, size, &found, sizeof found);
  return SAR_OK;
}
