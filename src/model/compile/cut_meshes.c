// Hulls of mesh files that touch, cut into convex parts where that is asked for; said once for each
// file.
#include "collide/decompose.h"
#include "model/compile/parts.h"

#include <math.h>
#include <string.h>

// The mesh of a file at its size, in an arena. False: no memory, or too large to compute with.
static bool scaled(const SpecMesh* s, V3 scale, SarArena* arena, SarMesh* out) {
  *out = s->mesh;
  out->vertex = SAR_ARENA_ARRAY(arena, V3, out->nvertex);
  out->triangle = SAR_ARENA_ARRAY(arena, int, 3 * (size_t)out->ntriangle);
  if (arena->failed) return false;
  memcpy(out->vertex, s->mesh.vertex, (size_t)out->nvertex * sizeof *out->vertex);
  memcpy(out->triangle, s->mesh.triangle, 3 * (size_t)out->ntriangle * sizeof *out->triangle);
  sar_mesh_scale(out, scale);
  return true;
}

// Cuts the mesh, and says what came of it. False: no memory.
static bool cut(Compile* c, Item item, CutPart* x, const SarMesh* mesh) {
  const char* file = x->spec->file.text;
  const SarLoc loc = x->spec->file.loc;
  const SarMeshFault closed = sar_mesh_check_closed(mesh, &c->arena);
  if (closed.flaw == SAR_MESH_NO_MEMORY) return false;
  if (closed.flaw != SAR_MESH_SOUND) {
    sar_remark(c, item, loc, "mend it to have it cut", "'%.120s' %s: its hull stands for it", file,
               sar_mesh_flaw_text(closed.flaw));
    return true;
  }
  SarParts* parts = SAR_ARENA_NEW(&c->arena, SarParts);
  const SarMeshFault fault = parts
                                 ? sar_decompose(mesh, SAR_PARTS_HOLLOW, x->most, &c->arena, parts)
                                 : (SarMeshFault){.flaw = SAR_MESH_NO_MEMORY};
  if (fault.flaw == SAR_MESH_NO_MEMORY || c->arena.failed) return false;
  if (fault.flaw != SAR_MESH_SOUND || parts->count < 2)
    return true;  // hulls that fail are reported
  x->parts = parts;
  sar_remark(c, item, loc, "",
             "'%.120s' touches as %d convex parts, hollows of up to %.2g m are filled", file,
             parts->count, parts->hollow);
  return true;
}

static bool is_same(const CutPart* x, const SpecMesh* spec, V3 scale, int most) {
  return x->most == most && x->scale.x == scale.x && x->scale.y == scale.y &&
         x->scale.z == scale.z && strcmp(x->spec->file.text, spec->file.text) == 0 &&
         x->spec->mesh.nvertex == spec->mesh.nvertex &&
         memcmp(x->spec->mesh.vertex, spec->mesh.vertex,
                (size_t)spec->mesh.nvertex * sizeof *spec->mesh.vertex) == 0;
}

static double scale_of(Compile* c, Item item, SpecNum n) {
  return n.expr ? sar_number(c, n, item, "scale", ANY_FINITE, 1) : 1;
}

bool sar_convex_parts(Compile* c, Item item, const SpecShape* shape, SpecNum otherwise,
                      const SarParts** out) {
  const SpecMesh* spec = shape->mesh;
  *out = NULL;
  if (shape->kind != SPEC_HULL || !spec || !spec->file.text || spec->mesh.ntriangle == 0)
    return true;
  const SpecNum asked = spec->parts.expr ? spec->parts : otherwise;
  if (!asked.expr) return true;
  const double most = sar_number(c, asked, item, "parts", POSITIVE, 1);
  if (isnan(most)) return true;
  if (most != floor(most) || most > SAR_PARTS_MOST) {
    sar_complain(c, item, asked.loc, "", "parts must be a whole number up to %d, but is %g",
                 SAR_PARTS_MOST, most);
    return true;
  }
  const V3 scale = {scale_of(c, item, spec->scale[0]), scale_of(c, item, spec->scale[1]),
                    scale_of(c, item, spec->scale[2])};
  for (int i = 0; i < c->cuts.count; i++)
    if (is_same(&c->cuts.items[i], spec, scale, (int)most)) {
      *out = c->cuts.items[i].parts;
      return true;
    }
  CutPart* x = SAR_LIST_ADD(&c->arena, &c->cuts);
  if (!x) return false;
  *x = (CutPart){.spec = spec, .scale = scale, .most = (int)most};
  SarArena scratch;
  SarMesh mesh;
  sar_arena_beside(&scratch, &c->arena);
  const bool done = scaled(spec, scale, &scratch, &mesh) && cut(c, item, x, &mesh);
  sar_arena_free(&scratch);
  if (!done) c->arena.failed = 1;
  *out = x->parts;
  return done;
}
