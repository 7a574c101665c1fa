// Soundness and mass properties of triangle meshes.
//
// The moments are sums over the tetrahedra that the triangles (a, b, c) make with a point in the
// middle of the mesh; their signed volumes cancel outside of a closed mesh:
//   V = sum D / 6,   D = a . (b x c)
//   V c = sum D / 24 s,   s = a + b + c
//   integral of x x' = sum D / 120 (s s' + a a' + b b' + c c')
#include "collide/mesh.h"

#include <stdlib.h>

static const double CONVEX = 1e-6;  // of the extent: single precision in files, with a margin

const char* sar_mesh_flaw_text(SarMeshFlaw flaw) {
  switch (flaw) {
    case SAR_MESH_SOUND: return "is sound";
    case SAR_MESH_NOT_FINITE: return "has vertices that are not finite";
    case SAR_MESH_INDEX: return "has triangles with vertices that are not there";
    case SAR_MESH_EMPTY: return "has no triangle with an area";
    case SAR_MESH_FEW_POINTS: return "has fewer than four points";
    case SAR_MESH_FLAT: return "is flat: all its points are in a plane";
    case SAR_MESH_OPEN: return "is not closed: edges have a triangle on one side only";
    case SAR_MESH_BRANCHED: return "is not closed: more than two triangles meet at edges";
    case SAR_MESH_TWISTED: return "has neighbouring triangles that face opposite ways";
    case SAR_MESH_INSIDE_OUT: return "is inside out: its triangles face inwards";
    case SAR_MESH_NOT_CONVEX: return "is not convex";
    case SAR_MESH_TOO_LARGE: return "has a hull of too many vertices";
    case SAR_MESH_NO_MEMORY: return "needs more memory than there is";
  }
  return "";
}

double sar_mesh_extent(const V3* point, int n) {
  if (n == 0) return 0;
  V3 low = point[0], high = point[0];
  for (int i = 1; i < n; i++) {
    low = v3(fmin(low.x, point[i].x), fmin(low.y, point[i].y), fmin(low.z, point[i].z));
    high = v3(fmax(high.x, point[i].x), fmax(high.y, point[i].y), fmax(high.z, point[i].z));
  }
  return fmax(fmax(high.x - low.x, high.y - low.y), high.z - low.z);
}

// ---- closed --------------------------------------------------------------------------------

static int compare_edges(const void* pa, const void* pb) {
  const SarMeshEdge *a = pa, *b = pb;
  if (a->low != b->low) return a->low < b->low ? -1 : 1;
  if (a->high != b->high) return a->high < b->high ? -1 : 1;
  if (a->triangle != b->triangle) return a->triangle < b->triangle ? -1 : 1;
  return (a->side > b->side) - (a->side < b->side);
}

SarMeshEdge* sar_mesh_edges(const int* triangle, int ntriangle, SarArena* arena) {
  SarMeshEdge* edge = SAR_ARENA_ARRAY(arena, SarMeshEdge, 3 * (size_t)ntriangle);
  if (!edge) return NULL;
  for (int t = 0; t < ntriangle; t++)
    for (int i = 0; i < 3; i++) {
      int from = triangle[3 * t + i], to = triangle[3 * t + (i + 1) % 3];
      bool forward = from < to;
      edge[3 * t + i] = (SarMeshEdge){forward ? from : to, forward ? to : from, t, i, forward};
    }
  qsort(edge, 3 * (size_t)ntriangle, sizeof *edge, compare_edges);
  return edge;
}

static SarMeshFlaw judge(const SarMeshEdge* e, int sides) {
  if (sides == 1) return SAR_MESH_OPEN;
  if (sides > 2) return SAR_MESH_BRANCHED;
  return e[0].forward == e[1].forward ? SAR_MESH_TWISTED : SAR_MESH_SOUND;
}

// The first fault of the first kind met, and how many of that kind there are.
static SarMeshFault check_edges(const SarMeshEdge* edge, int n) {
  SarMeshFault fault = {SAR_MESH_SOUND, -1, -1, -1, 0, 0};
  for (int i = 0, sides = 0; i < n; i += sides) {
    for (sides = 1; i + sides < n; sides++)
      if (edge[i + sides].low != edge[i].low || edge[i + sides].high != edge[i].high) break;
    SarMeshFlaw flaw = judge(&edge[i], sides);
    if (flaw == SAR_MESH_SOUND) continue;
    if (fault.flaw == SAR_MESH_SOUND)
      fault = (SarMeshFault){flaw, edge[i].triangle, edge[i].low, edge[i].high, 0, 0};
    if (fault.flaw == flaw) fault.count++;
  }
  return fault;
}

SarMeshFault sar_mesh_check_closed(const SarMesh* mesh, const SarArena* beside) {
  SarMeshFault fault = {SAR_MESH_NO_MEMORY, -1, -1, -1, 1, 0};
  SarArena scratch;
  sar_arena_beside(&scratch, beside);
  const SarMeshEdge* edge = sar_mesh_edges(mesh->triangle, mesh->ntriangle, &scratch);
  if (edge) fault = check_edges(edge, 3 * mesh->ntriangle);
  sar_arena_free(&scratch);
  if (fault.flaw == SAR_MESH_SOUND && !(sar_mesh_inertia(mesh).m > 0))
    return (SarMeshFault){SAR_MESH_INSIDE_OUT, -1, -1, -1, mesh->ntriangle, 0};
  return fault;
}

// ---- convex --------------------------------------------------------------------------------

SarMeshFault sar_mesh_check_convex(const SarMesh* mesh) {
  SarMeshFault fault = {SAR_MESH_SOUND, -1, -1, -1, 0, 0};
  double tolerance = CONVEX * sar_mesh_extent(mesh->vertex, mesh->nvertex);
  for (int t = 0; t < mesh->ntriangle; t++) {
    const int* corner = &mesh->triangle[3 * t];
    V3 a = mesh->vertex[corner[0]];
    V3 ab = v3_sub(mesh->vertex[corner[1]], a), ac = v3_sub(mesh->vertex[corner[2]], a);
    V3 n = v3_cross(ab, ac);
    // the plane of a sliver says nothing: its height is less than the tolerance
    double longest = fmax(v3_norm(ab), v3_norm(ac)), size = v3_norm(n);
    if (!(size > longest * tolerance)) continue;
    n = v3_scale(1 / size, n);
    double out = tolerance;
    for (int i = 0; i < mesh->nvertex; i++) {
      double d = v3_dot(n, v3_sub(mesh->vertex[i], a));
      if (d <= out) continue;
      out = d;
      if (d > fault.distance) fault = (SarMeshFault){SAR_MESH_NOT_CONVEX, t, i, -1, fault.count, d};
    }
    if (out > tolerance) fault.count++;
  }
  return fault;
}

// ---- other ---------------------------------------------------------------------------------

void sar_mesh_flip(SarMesh* mesh) {
  for (int t = 0; t < mesh->ntriangle; t++) {
    int* corner = &mesh->triangle[3 * t];
    int keep = corner[1];
    corner[1] = corner[2];
    corner[2] = keep;
  }
}

void sar_mesh_scale(SarMesh* mesh, V3 s) {
  for (int i = 0; i < mesh->nvertex; i++) {
    V3* p = &mesh->vertex[i];
    *p = v3(s.x * p->x, s.y * p->y, s.z * p->z);
  }
  if (s.x * s.y * s.z < 0) sar_mesh_flip(mesh);
}

static void add_square(S3* sum, double w, V3 a) {  // sum += w a a'
  sum->xx += w * a.x * a.x, sum->xy += w * a.x * a.y, sum->xz += w * a.x * a.z;
  sum->yy += w * a.y * a.y, sum->yz += w * a.y * a.z, sum->zz += w * a.z * a.z;
}

Inertia sar_mesh_inertia(const SarMesh* mesh) {
  if (mesh->nvertex == 0) return inertia_zero();
  // a point near the mesh: far from it the sums would cancel
  V3 middle = v3_zero(), h = v3_zero();
  for (int i = 0; i < mesh->nvertex; i++)
    middle = v3_axpy(1.0 / mesh->nvertex, mesh->vertex[i], middle);
  double volume = 0;
  S3 C = s3_zero();
  for (int t = 0; t < mesh->ntriangle; t++) {
    const int* corner = &mesh->triangle[3 * t];
    V3 a = v3_sub(mesh->vertex[corner[0]], middle), b = v3_sub(mesh->vertex[corner[1]], middle),
       c = v3_sub(mesh->vertex[corner[2]], middle), s = v3_add(a, v3_add(b, c));
    double D = v3_dot(a, v3_cross(b, c));
    volume += D / 6;
    h = v3_axpy(D / 24, s, h);
    add_square(&C, D / 120, s);
    add_square(&C, D / 120, a);
    add_square(&C, D / 120, b);
    add_square(&C, D / 120, c);
  }
  // I = tr(C) 1 - C
  Inertia about_middle = {volume, h, {C.yy + C.zz, -C.xy, -C.xz, C.xx + C.zz, -C.yz, C.xx + C.yy}};
  return inertia_transform((Xform){m3_identity(), middle}, about_middle);
}
