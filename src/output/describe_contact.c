// What touches, of which materials, and how these touch each other.
#include "output/describe_page.h"

#include <math.h>

static const char* const KIND[SAR_SOLID_KINDS] = {
    [SAR_SOLID_SPHERE] = "sphere",   [SAR_SOLID_BOX] = "box",
    [SAR_SOLID_CAPSULE] = "capsule", [SAR_SOLID_CYLINDER] = "cylinder",
    [SAR_SOLID_PLANE] = "plane",     [SAR_SOLID_CONVEX] = "convex",
    [SAR_SOLID_TRIANGLES] = "mesh",  [SAR_SOLID_HEIGHTS] = "heights",
};

static const char* solid_name(const SarModel* m, int i) { return sar_text(m, m->collider[i].name); }

static void describe_size(Page* p, const SarSolid* s) {
  switch (s->kind) {
    case SAR_SOLID_SPHERE: sar_page_addf(p, "radius %.4g m", s->size[0]); break;
    case SAR_SOLID_BOX:
      sar_page_addf(p, "%.4g x %.4g x %.4g m", 2 * s->size[0], 2 * s->size[1], 2 * s->size[2]);
      break;
    case SAR_SOLID_CAPSULE:
    case SAR_SOLID_CYLINDER:
      sar_page_addf(p, "radius %.4g m, length %.4g m", s->size[0], 2 * s->size[1]);
      break;
    case SAR_SOLID_CONVEX:
      sar_page_addf(p, "%d vertices, %d faces", s->of.hull.nvertex, s->of.hull.nface);
      break;
    case SAR_SOLID_TRIANGLES: sar_page_addf(p, "%d triangles", s->of.triangles.ntriangle); break;
    case SAR_SOLID_HEIGHTS:
      sar_page_addf(p, "%d x %d points", s->of.heights.nx, s->of.heights.ny);
      break;
    case SAR_SOLID_PLANE:
    case SAR_SOLID_KINDS: break;
  }
}

static void solid_row(Page* p, int i) {
  const SarModel* m = p->m;
  const SarCollider* c = &m->collider[i];
  const int width = sar_page_width_of(p, m->ncollider, solid_name);
  sar_page_tab(p, 2);
  sar_page_clip(p, solid_name(m, i), width);
  sar_page_tab(p, 4 + width);
  sar_page_add(p, KIND[c->solid.kind]);
  sar_page_tab(p, 14 + width);
  sar_page_add(p, sar_text(m, m->material_name[c->material]));
  sar_page_tab(p, 26 + width);
  describe_size(p, &c->solid);
}

// ---- materials ----------------------------------------------------------------------------------

static bool is_used(const SarModel* m, int material) {
  for (int i = 0; i < m->ncollider; i++)
    if (m->collider[i].material == material) return true;
  return false;
}

static int count_used(const SarModel* m) {
  int n = 0;
  for (int i = 0; i < m->nmaterial; i++) n += is_used(m, i);
  return n;
}

// The k-th material that some solid has.
static int used_material(const SarModel* m, int k) {
  int i = 0;
  while (!is_used(m, i) || k-- > 0) i++;
  return i;
}

// Number i of the pairs (0, 0), (0, 1) ... (1, 1), (1, 2) ...
static void pair_of(const SarModel* m, int i, int* a, int* b) {
  const int n = count_used(m);
  int k = 0;
  for (; i >= n - k; k++) i -= n - k;
  *a = used_material(m, k);
  *b = used_material(m, k + i);
}

static void surface_row(Page* p, int i) {
  const SarModel* m = p->m;
  int a, b;
  pair_of(m, i, &a, &b);
  const SarSurface* s = &m->surface[a * m->nmaterial + b];
  sar_page_addf(p, "  %s %s %s", sar_text(m, m->material_name[a]), sar_page_glyph(p, "—", "-"),
                sar_text(m, m->material_name[b]));
  sar_page_tab(p, 26);
  sar_page_addf(p, "friction %.4g, restitution %.4g", s->friction, s->restitution);
  if (s->rolling > 0) sar_page_addf(p, ", rolling %.4g m", s->rolling);
  if (s->spinning > 0) sar_page_addf(p, ", spinning %.4g m", s->spinning);
  if (isfinite(s->stiffness)) sar_page_addf(p, ", %.4g N/m, %.4g N s/m", s->stiffness, s->damping);
}

void sar_describe_contact(Page* p) {
  const SarModel* m = p->m;
  if (m->ncollider == 0) return;
  sar_page_rows(p, "Solids that touch", m->ncollider, solid_row);
  sar_page_addf(p, "  room for %d contacts", m->ncontact);
  sar_page_end(p);
  const int n = count_used(m);
  sar_page_rows(p, "Surfaces", n * (n + 1) / 2, surface_row);
}
