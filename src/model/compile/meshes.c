// Shapes from meshes and points: checked, brought to size, weighed.
#include "base/print.h"
#include "collide/hull.h"
#include "model/compile/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// What is being made, for messages.
typedef struct Job {
  Compile* c;
  const SpecMesh* spec;
  Item item;
  SarLoc loc;
  const char* name;  // "'part.stl'", or "the hull"
} Job;

// Says what is wrong with a mesh, and what can be done about it. True: nothing is.
static bool is_sound(const Job* j, SarMeshFault f) {
  const char* hint = "";
  char where[120] = "";
  switch (f.flaw) {
    case SAR_MESH_SOUND: return true;
    case SAR_MESH_NO_MEMORY: j->c->arena.failed = 1; return false;
    case SAR_MESH_OPEN:
    case SAR_MESH_BRANCHED:
    case SAR_MESH_TWISTED:
      hint = "mend it, or use 'hull', its convex hull; open meshes are for the ground";
      sar_snprintf(where, sizeof where, ": %d edge%s, the first one between vertices %d and %d",
                   f.count, f.count == 1 ? "" : "s", f.a + 1, f.b + 1);
      break;
    case SAR_MESH_INSIDE_OUT:
      hint = "turn its triangles round, or use 'hull', its convex hull";
      break;
    case SAR_MESH_NOT_CONVEX:
      hint = "use 'hull' for its convex hull, or 'mesh' for it as it is";
      sar_snprintf(where, sizeof where, ": vertex %d stands out by %.3g m", f.a + 1, f.distance);
      break;
    case SAR_MESH_NOT_FINITE: sar_snprintf(where, sizeof where, ": vertex %d", f.a + 1); break;
    case SAR_MESH_FLAT:
    case SAR_MESH_FEW_POINTS: hint = "it takes four points that are not in a plane"; break;
    default: break;
  }
  sar_complain(j->c, j->item, j->loc, hint, "%s %s%s", j->name, sar_mesh_flaw_text(f.flaw), where);
  return false;
}

static bool read_scale(const Job* j, V3* out) {
  double s[3];
  for (int i = 0; i < 3; i++) {
    s[i] = sar_number(j->c, j->spec->scale[i], j->item, "scale", ANY_FINITE, 1);
    if (s[i] == 0)
      sar_complain(j->c, j->item, j->spec->scale[i].loc,
                   "1: as in the file, 0.001: it is in millimetres", "scale is 0");
    if (s[i] == 0 || isnan(s[i])) return false;
  }
  *out = v3(s[0], s[1], s[2]);
  return true;
}

static V3 point_of(const Job* j, int i) {
  const SpecMesh* s = j->spec;
  if (s->file.text) return s->mesh.vertex[i];
  const SpecNum* p = &s->points[3 * (size_t)i];
  return sar_vector(j->c, &(SpecVec3){{p[0], p[1], p[2]}}, j->item, "hull", v3_zero());
}

// The mesh (or points alone) at its size. False after a report.
static bool copy_scaled(const Job* j, SarMesh* out) {
  const SpecMesh* s = j->spec;
  V3 scale;
  if (!read_scale(j, &scale)) return false;
  *out = s->mesh;
  out->nvertex = s->file.text ? s->mesh.nvertex : s->npoint / 3;
  out->vertex = SAR_ARENA_ARRAY(&j->c->arena, V3, out->nvertex);
  out->triangle = SAR_ARENA_ARRAY(&j->c->arena, int, 3 * (size_t)out->ntriangle);
  if (j->c->arena.failed) return false;
  for (int i = 0; i < out->nvertex; i++) {
    const V3 p = out->vertex[i] = point_of(j, i);
    if (isnan(p.x + p.y + p.z)) return false;
  }
  if (out->ntriangle)
    memcpy(out->triangle, s->mesh.triangle, 3 * (size_t)out->ntriangle * sizeof *out->triangle);
  sar_mesh_scale(out, scale);
  if (isfinite(sar_mesh_extent(out->vertex, out->nvertex))) return true;
  sar_complain(j->c, j->item, j->loc, "use metres", "%s is too large to compute with", j->name);
  return false;
}

static bool build(const Job* j, bool open, ShapePart* out) {
  SarArena* arena = &j->c->arena;
  MeshPart* of = out->of = SAR_ARENA_NEW(arena, MeshPart);
  if (!of) return false;
  SarMesh* mesh = &of->mesh;
  if (!copy_scaled(j, mesh)) return false;
  if (out->kind == SPEC_CONVEX || (out->kind == SPEC_MESH && !open))
    if (!is_sound(j, sar_mesh_check_closed(mesh, arena))) return false;
  if (out->kind == SPEC_CONVEX && !is_sound(j, sar_mesh_check_convex(mesh))) return false;
  if (out->kind != SPEC_MESH) {
    const SarMeshFault fault = sar_hull_build(mesh->vertex, mesh->nvertex, arena, &of->hull);
    if (!is_sound(j, fault)) return false;
    if (fault.distance > 0)
      sar_remark(j->c, j->item, j->loc, "",
                 "%s has a hull of more than %d vertices: simplified to %d, which leaves out about "
                 "%.2g m",
                 j->name, SAR_HULL_MOST, of->hull.nvertex, fault.distance);
    *mesh = sar_hull_mesh(&of->hull, arena);
    if (arena->failed) return false;
  }
  if (!open) of->unit = sar_mesh_inertia(mesh);
  out->extent = of->unit.m;
  return true;
}

void sar_mesh_part(Compile* c, Item item, const SpecShape* shape, bool open, ShapePart* out) {
  const SpecMesh* s = shape->mesh;
  if (!s) {  // reported
    out->wrong = true;
    return;
  }
  Job j = {c, s, item, s->file.text ? s->file.loc : shape->loc, "the hull"};
  if (s->file.text) j.name = sar_arena_printf(&c->arena, "'%.120s'", s->file.text);
  const bool there = s->file.text ? s->mesh.ntriangle > 0 : s->points != NULL;  // else reported
  if (!j.name || !there || !build(&j, open, out)) out->wrong = true;
}
