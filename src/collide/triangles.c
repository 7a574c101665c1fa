// Bounding volume hierarchy (BVH, a tree of AABBs) over the triangles of a surface, and who is
// whose neighbour.
//
// A node is split in the middle of the longest side of the box around its triangles' centres.
// Splitting in space keeps the boxes small; where all centres fall on one side, and below a depth
// that only odd meshes reach, the triangles are halved by count, so that the depth stays below
// SAR_TREE_DEPTH and a walk through the tree needs a stack of that size.
#include "collide/triangles.h"

#include <string.h>

enum {
  LEAF = 4,
  SPLITS_IN_SPACE = 64
};  // 64 + log2 of the triangles (2^31 at most) < SAR_TREE_DEPTH

static const double THIN = 1e-12;  // height of a triangle over the extent of the mesh: no area

typedef struct Builder {
  V3* centre;  // of each triangle of the mesh
  int* order;  // triangles in the order of the leaves
  SarTreeNode* node;
  const int* triangle;
  const V3* vertex;
  int nnode;
} Builder;

static V3 lower(V3 a, V3 b) { return v3(fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z)); }
static V3 upper(V3 a, V3 b) { return v3(fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z)); }
static double component(V3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

static void fit_box(const Builder* b, SarTreeNode* node, int from, int to) {
  node->low = node->high = b->vertex[b->triangle[3 * b->order[from]]];
  for (int i = from; i < to; i++)
    for (int k = 0; k < 3; k++) {
      V3 p = b->vertex[b->triangle[3 * b->order[i] + k]];
      node->low = lower(node->low, p);
      node->high = upper(node->high, p);
    }
}

// Those with their centre on the low side come first; returns where the others begin.
static int split(const Builder* b, int from, int to, int depth) {
  V3 low = b->centre[b->order[from]], high = low;
  for (int i = from; i < to; i++) {
    low = lower(low, b->centre[b->order[i]]);
    high = upper(high, b->centre[b->order[i]]);
  }
  V3 d = v3_sub(high, low);
  int axis = d.x >= d.y && d.x >= d.z ? 0 : d.y >= d.z ? 1 : 2, at = from;
  double middle = component(low, axis) / 2 + component(high, axis) / 2;
  for (int i = from; i < to && depth < SPLITS_IN_SPACE; i++)
    if (component(b->centre[b->order[i]], axis) < middle) {
      int keep = b->order[i];
      b->order[i] = b->order[at];
      b->order[at++] = keep;
    }
  return at == from || at == to ? from + (to - from) / 2 : at;
}

// A work list instead of recursion: what is still to be split, as ranges of `order`.
static void build_tree(Builder* b, int n) {
  struct {
    int node, from, to, depth;
  } pending[2 * SAR_TREE_DEPTH];
  int count = 1;
  pending[0].node = 0, pending[0].from = 0, pending[0].to = n, pending[0].depth = 0;
  b->nnode = 1;
  while (count > 0) {
    int at = pending[--count].node, from = pending[count].from, to = pending[count].to;
    int depth = pending[count].depth;
    SarTreeNode* node = &b->node[at];
    fit_box(b, node, from, to);
    node->first = from, node->count = to - from;
    if (to - from <= LEAF) continue;
    int middle = split(b, from, to, depth);
    node->first = b->nnode, node->count = 0;
    b->nnode += 2;
    for (int side = 1; side >= 0; side--, count++) {
      pending[count].node = node->first + side, pending[count].depth = depth + 1;
      pending[count].from = side ? middle : from, pending[count].to = side ? to : middle;
    }
  }
}

// ---- neighbours ----------------------------------------------------------------------------

static bool find_neighbours(const int* triangle, int n, const SarArena* beside, int* neighbour) {
  SarArena scratch;
  sar_arena_beside(&scratch, beside);
  const SarMeshEdge* e = sar_mesh_edges(triangle, n, &scratch);
  for (int i = 0; i < 3 * n; i++) neighbour[i] = -1;
  for (int i = 0, sides = 0; e && i < 3 * n; i += sides) {
    for (sides = 1; i + sides < 3 * n; sides++)
      if (e[i + sides].low != e[i].low || e[i + sides].high != e[i].high) break;
    if (sides != 2 || e[i].forward == e[i + 1].forward) continue;
    neighbour[3 * e[i].triangle + e[i].side] = e[i + 1].triangle;
    neighbour[3 * e[i + 1].triangle + e[i + 1].side] = e[i].triangle;
  }
  sar_arena_free(&scratch);
  return e != NULL;
}

// ---- all -----------------------------------------------------------------------------------

bool sar_triangle_has_area(V3 a, V3 b, V3 c, double extent) {
  V3 ab = v3_sub(b, a), ac = v3_sub(c, a), bc = v3_sub(c, b);
  double longest = fmax(fmax(v3_norm(ab), v3_norm(ac)), v3_norm(bc));
  return v3_norm(v3_cross(ab, ac)) > THIN * extent * longest;
}

static SarMeshFault check(const SarMesh* mesh) {
  for (int i = 0; i < mesh->nvertex; i++) {
    V3 p = mesh->vertex[i];
    if (!isfinite(p.x) || !isfinite(p.y) || !isfinite(p.z))
      return (SarMeshFault){SAR_MESH_NOT_FINITE, -1, i, -1, 1, 0};
  }
  for (int i = 0; i < 3 * mesh->ntriangle; i++)
    if (mesh->triangle[i] < 0 || mesh->triangle[i] >= mesh->nvertex)
      return (SarMeshFault){SAR_MESH_INDEX, i / 3, mesh->triangle[i], -1, 1, 0};
  return (SarMeshFault){SAR_MESH_SOUND, -1, -1, -1, 0, 0};
}

// The triangles with an area, and their centres; returns how many there are.
static int take(const SarMesh* mesh, Builder* b) {
  int n = 0;
  double extent = sar_mesh_extent(mesh->vertex, mesh->nvertex);
  for (int t = 0; t < mesh->ntriangle; t++) {
    const int* corner = &mesh->triangle[3 * t];
    V3 p = mesh->vertex[corner[0]], q = mesh->vertex[corner[1]], r = mesh->vertex[corner[2]];
    if (!sar_triangle_has_area(p, q, r, extent)) continue;
    b->centre[t] = v3_scale(1.0 / 3, v3_add(p, v3_add(q, r)));
    b->order[n++] = t;
  }
  return n;
}

SarMeshFault sar_triangles_build(const SarMesh* mesh, SarArena* arena, SarTriangles* out) {
  SarMeshFault fault = check(mesh);
  *out = (SarTriangles){0};
  if (fault.flaw != SAR_MESH_SOUND) return fault;
  SarArena scratch;
  sar_arena_beside(&scratch, arena);
  Builder b = {.centre = SAR_ARENA_ARRAY(&scratch, V3, mesh->ntriangle),
               .order = SAR_ARENA_ARRAY(&scratch, int, mesh->ntriangle),
               .vertex = mesh->vertex,
               .triangle = mesh->triangle};
  int n = scratch.failed ? 0 : take(mesh, &b);
  b.node = SAR_ARENA_ARRAY(arena, SarTreeNode, 2 * (size_t)n);
  int* triangle = SAR_ARENA_ARRAY(arena, int, 3 * (size_t)n);
  int* neighbour = SAR_ARENA_ARRAY(arena, int, 3 * (size_t)n);
  if (n == 0) {
    fault.flaw = SAR_MESH_EMPTY;
  } else if (b.node && triangle && neighbour) {
    build_tree(&b, n);
    for (int i = 0; i < n; i++)
      memcpy(&triangle[3 * i], &mesh->triangle[3 * b.order[i]], 3 * sizeof(int));
    *out = (SarTriangles){mesh->nvertex, n, b.nnode, mesh->vertex, triangle, neighbour, b.node};
  }
  if (scratch.failed || arena->failed || (n > 0 && !find_neighbours(triangle, n, arena, neighbour)))
    fault.flaw = SAR_MESH_NO_MEMORY;
  sar_arena_free(&scratch);
  return fault;
}
