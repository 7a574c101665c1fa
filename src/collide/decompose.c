// Approximate convex decomposition by planes (after Lien, Amato 2007; Mamou, Ghorbel 2009): the
// piece with the deepest hollow is cut in two, until hollows are shallow or there are enough
// pieces.
//
// Planes are square to the axes of the mesh's frame: through the deepest point of the hollow, a
// little beside it, and at even distances. Of these that one is taken which leaves least of
//
//   hulls of both sides over that of the piece (by volume)  +
//     mean of their deepest hollows over its own
//
// The first term finds walls and bars, the second rings, of which halves fill no less than the
// whole.
// Cost: as many hulls of each piece as there are planes, and for each its faces times its samples;
// of large pieces they are compared on some of their facets, so it is in proportion to the mesh.
#include "collide/decompose.h"

#include "collide/hull.h"

enum { EVEN = 5, COMPARED = 1000 };  // planes at even distances, facets
static const double THIN = 0.01;     // of the piece: no side is thinner
static const double BETTER = 1.95;   // of 2: a cut that leaves more is none

typedef struct Cut {
  int axis;
  double at, score;
} Cut;

static double component(V3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

// What both sides of a cut leave; HUGE_VAL: one of them is no solid. No memory shows in the arena.
static double score_of(const SarPiece* p, int axis, double at, const SarArena* arena,
                       bool* failed) {
  SarArena scratch;
  sar_arena_beside(&scratch, arena);
  double volume = 0, hollow = 0;
  bool fine = true;
  for (int side = 0; side < 2 && fine; side++) {
    SarPiece half;
    fine = sar_piece_cut(p, axis, at, side, &scratch, &half) &&
           sar_piece_measure(&half, NULL, &scratch).flaw == SAR_MESH_SOUND;
    if (!fine) break;
    volume += half.volume;
    hollow += 0.5 * half.hollow;
  }
  if (scratch.failed) *failed = true;
  sar_arena_free(&scratch);
  return fine ? volume / p->volume + hollow / p->hollow : HUGE_VAL;
}

static void try_cut(const SarPiece* p, int axis, double at, const SarArena* arena, Cut* best,
                    bool* failed) {
  const double low = component(p->low, axis), high = component(p->high, axis);
  const double thin = THIN * (high - low);
  if (!(at > low + thin) || !(at < high - thin) || *failed) return;
  const double score = score_of(p, axis, at, arena, failed);
  if (score < best->score) *best = (Cut){axis, at, score};
}

// Some of the facets of a large piece, in an arena.
static bool thin_out(const SarPiece* p, SarArena* arena, SarPiece* out) {
  const int stride = 1 + p->count / COMPARED;
  *out = *p;
  if (stride == 1) return true;
  out->facet = SAR_ARENA_ARRAY(arena, SarFacet, p->count / stride + 1);
  out->count = 0;
  if (!out->facet) return false;
  for (int i = 0; i < p->count; i += stride) out->facet[out->count++] = p->facet[i];
  const V3 at = p->at;
  const bool fine = sar_piece_measure(out, NULL, arena).flaw == SAR_MESH_SOUND && out->hollow > 0;
  out->at = at;
  if (!fine) *out = *p;
  return !arena->failed;
}

static void compare_cuts(const SarPiece* p, const SarArena* arena, Cut* best, bool* failed) {
  for (int axis = 0; axis < 3; axis++) {
    const double low = component(p->low, axis), high = component(p->high, axis);
    try_cut(p, axis, component(p->at, axis), arena, best, failed);
    for (int k = 1; k <= EVEN; k++)
      try_cut(p, axis, low + k * (high - low) / (EVEN + 1), arena, best, failed);
  }
}

// False: none is worth it.
static bool find_cut(const SarPiece* p, const SarArena* arena, Cut* best, bool* failed) {
  SarArena scratch;
  SarPiece some;
  *best = (Cut){0, 0, BETTER};
  sar_arena_beside(&scratch, arena);
  if (thin_out(p, &scratch, &some))
    compare_cuts(&some, arena, best, failed);
  else
    *failed = true;
  sar_arena_free(&scratch);
  return best->score < BETTER;
}

static SarPiece* deepest(SarPiece* piece, int n, double hollow) {
  SarPiece* found = NULL;
  for (int i = 0; i < n; i++)
    if (!piece[i].final && piece[i].hollow > hollow && (!found || piece[i].hollow > found->hollow))
      found = &piece[i];
  return found;
}

// Cuts p into itself and `other`.
static SarMeshFault split(SarPiece* p, const Cut* cut, const SarMesh* mesh, SarArena* arena,
                          SarPiece* other) {
  const SarPiece whole = *p;
  SarMeshFault fault = {SAR_MESH_NO_MEMORY, -1, -1, -1, 0, 0};
  if (!sar_piece_cut(&whole, cut->axis, cut->at, 0, arena, p) ||
      !sar_piece_cut(&whole, cut->axis, cut->at, 1, arena, other))
    return fault;
  fault = sar_piece_measure(p, mesh, arena);
  return fault.flaw == SAR_MESH_SOUND ? sar_piece_measure(other, mesh, arena) : fault;
}

SarMeshFault sar_decompose(const SarMesh* mesh, double hollow, int most, SarArena* arena,
                           SarParts* out) {
  SarPiece piece[SAR_PARTS_MOST];
  const double enough = hollow * sar_mesh_extent(mesh->vertex, mesh->nvertex);
  const int room = most < SAR_PARTS_MOST ? most : SAR_PARTS_MOST;
  SarMeshFault fault = {SAR_MESH_NO_MEMORY, -1, -1, -1, 0, 0};
  bool failed = false;
  int n = 1;
  *out = (SarParts){0};
  if (!sar_piece_of_mesh(mesh, arena, &piece[0])) return fault;
  fault = sar_piece_measure(&piece[0], NULL, arena);
  while (fault.flaw == SAR_MESH_SOUND && n < room && !failed) {
    SarPiece* p = deepest(piece, n, enough);
    Cut cut;
    if (!p) break;
    if (find_cut(p, arena, &cut, &failed))
      fault = split(p, &cut, mesh, arena, &piece[n++]);
    else
      p->final = true;
  }
  if (failed) fault.flaw = SAR_MESH_NO_MEMORY;
  if (fault.flaw != SAR_MESH_SOUND) return fault;
  for (int i = 0; i < n; i++) {
    out->hull[i] = piece[i].hull;
    out->hollow = fmax(out->hollow, piece[i].hollow);
  }
  out->count = n;
  return fault;
}
