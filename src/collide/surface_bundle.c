// Contact reduction. Many triangles may touch, and only some contacts are of use. Those with about
// the same normal form a bundle, of which the deepest and the ones that reach farthest in eight
// directions remain. That is decided contact by contact, so the room is fixed.
//
// Contacts with bumps that touch, and may bear a load, all remain as far as there is room: what
// rests on bumps inside of others that it does not touch would come down without them, until they
// are the deepest again.
#include "collide/surface_bundle.h"

static const double ALIKE = 0.98;  // cosine of 11 degrees: normals of one bundle
static const double CLOSED = 100;  // times `near`: a gap that is closed, or soon

static SarBundle* find_bundle(SarBundles* s, V3 n) {
  int best = -1;
  for (int i = 0; i < s->count; i++)
    if (best < 0 || v3_dot(n, s->bundle[i].normal) > v3_dot(n, s->bundle[best].normal)) best = i;
  bool fits = best >= 0 && v3_dot(n, s->bundle[best].normal) > ALIKE;
  if (fits || s->count == SAR_BUNDLES) return &s->bundle[best];
  SarBundle* b = &s->bundle[s->count++];
  b->normal = n;
  b->u = v3_perp(n);
  b->v = v3_cross(n, b->u);
  for (int k = 0; k < SAR_BUNDLE_KEPT; k++) b->used[k] = false;
  return b;
}

// How far a contact reaches in direction k. Depth counts too: what is out of touch soon makes way.
static double reach(const SarBundle* b, int k, const SarTouch* t) {
  // steps of 45 degrees, turned a little: sides along u or v must not tie
  static const double TO[SAR_BUNDLE_KEPT][2] = {{0, 0},         {0.96, 0.28},  {0.48, 0.88},
                                                {-0.28, 0.96},  {-0.88, 0.48}, {-0.96, -0.28},
                                                {-0.48, -0.88}, {0.28, -0.96}, {0.88, -0.48}};
  if (k == 0) return -t->gap;
  return TO[k][0] * v3_dot(b->u, t->point) + TO[k][1] * v3_dot(b->v, t->point) - 4 * t->gap;
}

static bool is_new(const SarBundles* s, const SarTouch* t, const SarTouch* out, int n) {
  for (int i = 0; i < n; i++) {
    V3 d = v3_sub(out[i].point, t->point);
    if (v3_dot(d, d) <= 4 * s->near * s->near && v3_dot(out[i].normal, t->normal) > ALIKE)
      return false;
  }
  return true;
}

// Of those in one line along the normal the deepest.
static void add_closed(SarBundles* s, const SarTouch* t) {
  for (int i = 0; i < s->nclosed; i++) {
    SarTouch* c = &s->closed[i];
    const V3 d = v3_sub(c->point, t->point), aside = v3_axpy(-v3_dot(d, t->normal), t->normal, d);
    if (v3_dot(aside, aside) > 4 * s->near * s->near || v3_dot(c->normal, t->normal) <= ALIKE)
      continue;
    if (t->gap < c->gap - 1e-3 * s->near) *c = *t;
    return;
  }
  if (s->nclosed < SAR_CLOSED_KEPT) s->closed[s->nclosed++] = *t;
}

void sar_bundles_add(SarBundles* s, const SarTouch* t, bool stays) {
  if (stays && t->gap <= CLOSED * s->near) add_closed(s, t);
  SarBundle* b = find_bundle(s, t->normal);
  for (int k = 0; k < SAR_BUNDLE_KEPT; k++) {
    // of equal ones the first stays, whatever rounding says
    if (b->used[k] && reach(b, k, t) <= reach(b, k, &b->touch[k]) + 1e-3 * s->near) continue;
    b->used[k] = true;
    b->touch[k] = *t;
  }
}

static unsigned unique(const SarTouch* out, int n, unsigned feature) {
  for (int i = 0; i < n; i++)
    if (out[i].feature == feature) feature++, i = -1;
  return feature;
}

// What touches first; then the deepest of all bundles, the first directions, ...
int sar_bundles_collect(const SarBundles* s, SarTouch* out, int most) {
  int n = 0;
  for (int i = 0; i < s->nclosed && n < most; i++, n++) {
    out[n] = s->closed[i];
    out[n].feature = unique(out, n, out[n].feature);
  }
  for (int k = 0; k < SAR_BUNDLE_KEPT; k++)
    for (int i = 0; i < s->count; i++) {
      const SarBundle* b = &s->bundle[i];
      if (n == most || !b->used[k] || !is_new(s, &b->touch[k], out, n)) continue;
      out[n] = b->touch[k];
      out[n].feature = unique(out, n, out[n].feature);
      n++;
    }
  return n;
}
