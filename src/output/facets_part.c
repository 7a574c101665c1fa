// Surfaces of the parts of a scene.
#include "output/facets.h"

#include "collide/heights.h"
#include "elements/road.h"

#include <math.h>

// Triangles in one plane, or nearly, are one face of a mesh: their group is that of their
// direction.
static int group_of_direction(V3 n) {
  const double length = v3_norm(n);
  if (!(length > 0)) return 0;
  const int x = (int)lround(6 * n.x / length), y = (int)lround(6 * n.y / length),
            z = (int)lround(6 * n.z / length);
  return 1 + (x + 6) + 13 * (y + 6) + 169 * (z + 6);
}

static void mesh(SarFacetSink* s, const SarPart* p, const Xform* X) {
  const int first = s->group;
  for (int i = 0; i < p->ntriangle; i++) {
    const int* t = &p->triangle[3 * i];
    V3 c[3];
    for (int k = 0; k < 3; k++) c[k] = x_point(*X, p->vertex[t[k]]);
    const V3 n = m3_tmul_v(X->R, v3_cross(v3_sub(c[1], c[0]), v3_sub(c[2], c[0])));
    // a mesh of many triangles is taken for a smooth one, without edges
    s->group = p->ntriangle > 300 ? first + 1 : first + group_of_direction(n);
    sar_facet_triangle(s, c[0], c[1], c[2]);
  }
  s->group = first + 13 * 169 + 1;
}

// A convex plate with its rim.
static void plate(SarFacetSink* s, const SarPart* p, const Xform* X) {
  const V3 up = v3(0, 0, p->size[0]);
  for (int side = -1; side <= 1; side += 2) {
    s->group++;
    for (int i = 1; i + 1 < p->nvertex; i++)
      sar_facet_triangle(s, x_point(*X, v3_axpy(side, up, p->vertex[0])),
                         x_point(*X, v3_axpy(side, up, p->vertex[i])),
                         x_point(*X, v3_axpy(side, up, p->vertex[i + 1])));
  }
  // rounded along its rim, so that corners are joints and not points
  for (int i = 0, group = s->group; i < p->nvertex; i++, s->group = group)
    sar_facet_rod(s, x_point(*X, p->vertex[i]), x_point(*X, p->vertex[(i + 1) % p->nvertex]),
                  p->size[1], true);
  s->group++;
}

// ---- what is between points ---------------------------------------------------------------------

static void spring(SarFacetSink* s, const SarPlaced* at, double radius) {
  V3 line[SAR_COIL_POINTS];
  sar_coil(at->from, at->to, radius, line);
  sar_facet_tube(s, line, SAR_COIL_POINTS, 0.2 * radius);
}

// The cylinder takes 0.55 of the length, the rod the rest: its end stays in it as it moves.
static void damper(SarFacetSink* s, const SarPlaced* at, double radius, double share) {
  const V3 d = v3_sub(at->to, at->from);
  sar_facet_rod(s, v3_axpy(0.12, d, at->from), v3_axpy(share, d, at->from), radius, false);
  sar_facet_rod(s, at->from, at->to, 0.35 * radius, true);
}

static void stop(SarFacetSink* s, const SarPlaced* at, double radius) {
  const V3 d = v3_sub(at->from, at->to);
  const double length = v3_norm(d);
  if (length > 0)
    sar_facet_rod(s, at->to, v3_axpy(fmin(0.35, radius / length), d, at->to), radius, false);
}

// ---- ground -------------------------------------------------------------------------------------

// A grid of cells, two triangles each, with a skirt down to `depth` below around it.
typedef struct Field {
  const SarScene* scene;
  const SarData* d;
  const SarPart* part;
  Xform X;
  V3 low, high;
  int nx, ny;
  double depth;
} Field;

static V3 field_point(const Field* f, int i, int j) {
  const double x = f->low.x + (f->high.x - f->low.x) * i / f->nx;
  const double y = f->low.y + (f->high.y - f->low.y) * j / f->ny;
  double z = 0;
  if (f->part->heights) {
    sar_heights_at(f->part->heights, x, y, &z, NULL);
  } else if (f->part->kind == SAR_PART_ROAD) {
    z = sar_road_at(f->scene->m, f->d, f->part->road, x, y).z;
  }
  return x_point(f->X, v3(x, y, z));
}

static V3 field_normal(const Field* f, int i, int j) {
  const int i0 = i > 0 ? i - 1 : i, i1 = i < f->nx ? i + 1 : i;
  const int j0 = j > 0 ? j - 1 : j, j1 = j < f->ny ? j + 1 : j;
  return v3_cross(v3_sub(field_point(f, i1, j), field_point(f, i0, j)),
                  v3_sub(field_point(f, i, j1), field_point(f, i, j0)));
}

static void skirt(SarFacetSink* s, const Field* f, int i0, int j0, int di, int dj, int n) {
  const V3 down = v3_scale(-f->depth, m3_col_z(f->X.R));
  s->group++;
  for (int k = 0; k < n; k++) {
    const V3 a = field_point(f, i0 + k * di, j0 + k * dj);
    const V3 b = field_point(f, i0 + (k + 1) * di, j0 + (k + 1) * dj);
    sar_facet_triangle(s, a, b, v3_add(b, down));
    sar_facet_triangle(s, a, v3_add(b, down), v3_add(a, down));
  }
}

static void field(SarFacetSink* s, const Field* f) {
  s->group++;
  for (int j = 0; j < f->ny; j++)
    for (int i = 0; i < f->nx; i++) {
      const int di[4] = {0, 1, 1, 0}, dj[4] = {0, 0, 1, 1};
      V3 p[4], n[4];
      for (int k = 0; k < 4; k++) {
        p[k] = field_point(f, i + di[k], j + dj[k]);
        n[k] = field_normal(f, i + di[k], j + dj[k]);
      }
      const SarFacet a = {{p[0], p[1], p[2]}, {n[0], n[1], n[2]}, s->group};
      const SarFacet b = {{p[0], p[2], p[3]}, {n[0], n[2], n[3]}, s->group};
      s->take(s->context, &a);
      s->take(s->context, &b);
    }
  skirt(s, f, 0, 0, 1, 0, f->nx);
  skirt(s, f, 0, f->ny, 1, 0, f->nx);
  skirt(s, f, 0, 0, 0, 1, f->ny);
  skirt(s, f, f->nx, 0, 0, 1, f->ny);
}

// Heights have an end: what the patch and the grid have in common. False: nothing.
static bool cut_heights(Field* f) {
  enum { MOST_CELLS = 300 };
  const SarHeights* h = f->part->heights;
  const double x1 = h->x0 + h->dx * (h->nx - 1), y1 = h->y0 + h->dy * (h->ny - 1);
  f->low = v3(fmax(f->low.x, h->x0), fmax(f->low.y, h->y0), 0);
  f->high = v3(fmin(f->high.x, x1), fmin(f->high.y, y1), 0);
  if (!(f->high.x > f->low.x && f->high.y > f->low.y)) return false;
  f->nx = (int)fmin(MOST_CELLS, ceil(2 * (f->high.x - f->low.x) / h->dx));
  f->ny = (int)fmin(MOST_CELLS, ceil(2 * (f->high.y - f->low.y) / h->dy));
  return true;
}

static void ground(SarFacetSink* s, const SarScene* scene, const SarData* d, const SarPart* p,
                   const SarPlaced* at, const SarPatch* patch) {
  enum { ROAD_CELLS = 600 };
  Field f = {.scene = scene, .d = d, .part = p, .X = at->X_GS, .nx = 1, .ny = 1};
  f.depth = 0.03 * scene->reach;
  // what of it lies below the box of the patch
  f.low = v3(HUGE_VAL, HUGE_VAL, 0), f.high = v3(-HUGE_VAL, -HUGE_VAL, 0);
  for (int i = 0; i < 8; i++) {
    const V3 corner = v3(i & 1 ? patch->high.x : patch->low.x, i & 2 ? patch->high.y : patch->low.y,
                         i & 4 ? patch->high.z : patch->low.z);
    const V3 q = x_point_inv(f.X, corner);
    f.low = v3(fmin(f.low.x, q.x), fmin(f.low.y, q.y), 0);
    f.high = v3(fmax(f.high.x, q.x), fmax(f.high.y, q.y), 0);
  }
  if (p->kind == SAR_PART_ROAD) f.nx = ROAD_CELLS, f.ny = p->road < 0 ? 1 : 8;
  if (p->kind == SAR_PART_HEIGHTS && !cut_heights(&f)) return;
  field(s, &f);
}

void sar_facet_part(SarFacetSink* s, const SarScene* scene, const SarData* d, int part,
                    const SarPlaced* at, const SarPatch* patch) {
  const SarPart* p = &scene->part[part];
  const double* size = p->size;
  if (!at->there) return;
  switch (p->kind) {
    case SAR_PART_BOX: sar_facet_box(s, at->X_GS, size); break;
    case SAR_PART_ELLIPSOID: sar_facet_ellipsoid(s, at->X_GS, size); break;
    case SAR_PART_CYLINDER: sar_facet_cylinder(s, at->X_GS, size[0], size[1], size[2]); break;
    case SAR_PART_CAPSULE: sar_facet_capsule(s, at->X_GS, size[0], size[1]); break;
    case SAR_PART_MESH: mesh(s, p, &at->X_GS); break;
    case SAR_PART_PLATE: plate(s, p, &at->X_GS); break;
    case SAR_PART_PLANE:
    case SAR_PART_HEIGHTS:
    case SAR_PART_ROAD: ground(s, scene, d, p, at, patch); break;
    case SAR_PART_LINK: sar_facet_rod(s, at->from, at->to, size[0], true); break;
    case SAR_PART_ACTUATOR: damper(s, at, size[0], 0.6); break;
    case SAR_PART_SPRING: spring(s, at, size[0]); break;
    case SAR_PART_DAMPER: damper(s, at, size[0], 0.55); break;
    case SAR_PART_STOP: stop(s, at, size[0]); break;
  }
}
