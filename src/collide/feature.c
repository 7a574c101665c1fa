// Support features: the face, edge or corner of a core that looks in a direction.
//
// Always the largest feature there is: the face nearest to the direction, even if a corner is what
// touches. Corners of it that are too far off drop out later by their gap, and nothing depends on
// how nearly flat a contact is.
#include "collide/pairs.h"

static const int BOX_CORNER[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                     {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

// the axis of the box with the largest share of d
static void box_face(const Core* c, const Xform* X, V3 d, Feature* f) {
  double x = fabs(d.x), y = fabs(d.y), z = fabs(d.z);
  int axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
  bool up = (axis == 0 ? d.x : axis == 1 ? d.y : d.z) > 0;
  V3 out = axis == 0 ? m3_col_x(X->R) : axis == 1 ? m3_col_y(X->R) : m3_col_z(X->R);
  const int* corner = BOX_CORNER[2 * axis + up];
  f->n = 4;
  f->normal = up ? out : v3_neg(out);
  for (int i = 0; i < 4; i++) {
    int v = corner[i];
    f->p[i] = x_point(*X, sar_box_corner(c->size, v));
    f->vertex[i] = v;
    f->edge[i] = edge_label(v, corner[(i + 1) & 3]);
  }
}

// A face at the vertex that looks more in direction d than `face` does; the same if there is none.
static int better_face(const SarHull* h, int vertex, V3 d, int face, double* most) {
  for (int k = h->ring_adr[vertex]; k < h->ring_adr[vertex + 1]; k++) {
    const int* e = h->edge + 4 * h->ring_edge[k];
    const int f = e[0] == vertex ? e[2] : e[3];
    const double along = v3_dot(h->normal[f], d);
    if (along > *most) *most = along, face = f;
  }
  return face;
}

// From the faces at the vertex farthest along d on to better ones that share a vertex.
static int climb_faces(const Core* c, V3 d) {
  const SarHull* h = &c->hull;
  int at, face = -1;
  double most = -HUGE_VAL;
  sar_core_support(c, d, &at);
  for (int next = better_face(h, at, d, -1, &most); next != face;) {
    face = next;
    for (int k = h->face_adr[face]; k < h->face_adr[face + 1]; k++)
      next = better_face(h, h->face_vertex[k], d, next, &most);
  }
  return face;
}

static int look_at_all_faces(const SarHull* h, V3 d) {
  int face = 0;
  for (int i = 1; i < h->nface; i++)
    if (v3_dot(h->normal[i], d) > v3_dot(h->normal[face], d)) face = i;
  return face;
}

static void hull_face(const Core* c, const Xform* X, V3 d, Feature* f) {
  const SarHull* h = &c->hull;
  const int face = sar_hull_climbed(h) ? climb_faces(c, d) : look_at_all_faces(h, d);
  const int* corner = h->face_vertex + h->face_adr[face];
  int num = h->face_adr[face + 1] - h->face_adr[face];
  f->n = num < FEATURE_MOST ? num : FEATURE_MOST;
  f->normal = m3_mul_v(X->R, h->normal[face]);
  // corners evenly left out where there are too many: the polygon stays convex and inside the face
  for (int i = 0; i < f->n; i++) f->vertex[i] = corner[(long)i * num / f->n];
  for (int i = 0; i < f->n; i++) {
    f->p[i] = x_point(*X, h->vertex[f->vertex[i]]);
    f->edge[i] = edge_label(f->vertex[i], f->vertex[i + 1 < f->n ? i + 1 : 0]);
  }
}

// a segment or a point is all there is of its core
static void edge_or_corner(const Core* c, const Xform* X, Feature* f) {
  f->n = c->hull.nvertex;
  for (int i = 0; i < f->n; i++) {
    f->p[i] = x_point(*X, c->hull.vertex[i]);
    f->vertex[i] = i;
    f->edge[i] = edge_label(0, 1);
  }
}

// cos and sin of i/16 turns
static const double TURN[FEATURE_MOST][2] = {
    {1, 0},
    {0.92387953251128674, 0.38268343236508977},
    {0.70710678118654752, 0.70710678118654752},
    {0.38268343236508977, 0.92387953251128674},
    {0, 1},
    {-0.38268343236508977, 0.92387953251128674},
    {-0.70710678118654752, 0.70710678118654752},
    {-0.92387953251128674, 0.38268343236508977},
    {-1, 0},
    {-0.92387953251128674, -0.38268343236508977},
    {-0.70710678118654752, -0.70710678118654752},
    {-0.38268343236508977, -0.92387953251128674},
    {0, -1},
    {0.38268343236508977, -0.92387953251128674},
    {0.70710678118654752, -0.70710678118654752},
    {0.92387953251128674, -0.38268343236508977},
};

// An end of a cylinder is a face with 16 corners that turn with it; its side is the line that looks
// that way.
static void cylinder_feature(const Core* c, const Xform* X, V3 d, Feature* f) {
  double r = c->size[0], half = c->size[1], across = sqrt(d.x * d.x + d.y * d.y);
  if (fabs(d.z) < across) {
    double x = r * d.x / across, y = r * d.y / across;
    f->n = 2;
    for (int i = 0; i < 2; i++) {
      f->p[i] = x_point(*X, v3(x, y, i ? half : -half));
      f->vertex[i] = 16 + i;
      f->edge[i] = edge_label(16, 17);
    }
    return;
  }
  int up = d.z > 0;
  f->n = FEATURE_MOST;
  f->normal = v3_scale(up ? 1 : -1, m3_col_z(X->R));
  for (int i = 0; i < f->n; i++) {
    int k = up ? i : f->n - 1 - i, next = up ? (k + 1) & 15 : (k + 15) & 15;
    f->p[i] = x_point(*X, v3(r * TURN[k][0], r * TURN[k][1], up ? half : -half));
    f->vertex[i] = k + 32 * up;
    f->edge[i] = edge_label(k + 32 * up, next + 32 * up);
  }
}

void sar_feature_find(const Core* c, const Xform* X, V3 d, Feature* f) {
  V3 local = m3_tmul_v(X->R, d);
  f->round = c->kind == CORE_CYLINDER;
  if (c->kind == CORE_BOX)
    box_face(c, X, local, f);
  else if (c->kind == CORE_CYLINDER)
    cylinder_feature(c, X, local, f);
  else if (c->hull.nface > 0)
    hull_face(c, X, local, f);
  else
    edge_or_corner(c, X, f);
}
