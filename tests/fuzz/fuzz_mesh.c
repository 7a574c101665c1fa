// libFuzzer target: any bytes as a mesh file (the first byte chooses the format), through the
// checks, the hull and the box tree. Checks: no crash, leak or hang, a message exactly when there
// is no mesh, and a hull that holds its points (within the coarsest grid of its builder).
#include "collide/hull.h"
#include "collide/triangles.h"
#include "io/mesh.h"

#include <stdint.h>

static void require(bool condition) {
  if (!condition) __builtin_trap();
}

static void build(const SarMesh* mesh, SarArena* arena) {
  SarHull hull;
  SarTriangles triangles;
  SarMeshFlaw flaw = sar_triangles_build(mesh, arena, &triangles).flaw;
  require(flaw == SAR_MESH_SOUND);  // one with an area is there
  (void)sar_mesh_check_closed(mesh, arena);
  (void)sar_mesh_check_convex(mesh);
  if (sar_hull_build(mesh->vertex, mesh->nvertex, arena, &hull).flaw != SAR_MESH_SOUND) return;
  double tolerance = 1e-3 * sar_mesh_extent(mesh->vertex, mesh->nvertex);
  require(hull.nvertex - hull.nedge + hull.nface == 2);
  for (int f = 0; f < hull.nface; f++)
    for (int i = 0; i < mesh->nvertex; i++)
      require(v3_dot(hull.normal[f], v3_sub(mesh->vertex[i], hull.centre)) <=
              hull.offset[f] - v3_dot(hull.normal[f], hull.centre) + tolerance);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  SarError err;
  SarArena arena;
  SarMeshRead read;
  static const char* const NAME[] = {"fuzz.obj", "fuzz.stl", "fuzz.dae"};
  SarMeshRequest q = {.name = NAME[data[0] % 3], .loc = {"fuzz.yaml", 1, 1}, .scale = {1, 1, 1}};
  sar_error_init(&err);
  sar_arena_init(&arena);
  SarStatus status = sar_mesh_parse((const char*)data + 1, size - 1, &q, &arena, &read, &err);
  require(status == (err.errors > 0 ? SAR_BAD_MODEL : SAR_OK));
  if (status == SAR_OK) build(&read.mesh, &arena);
  sar_arena_free(&arena);
  return 0;
}
