// Solids from meshes, points and heights.
#include "collide/heights.h"
#include "collide/hull.h"
#include "collide/store.h"
#include "collide/triangles.h"
#include "model/compile_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_HEIGHTS = 4000000 };

// What is being made, for messages and the result.
typedef struct Job {
  Compile* c;
  const SpecSolid* spec;
  Item item;
  SarLoc loc;
  const char* name;  // "'part.stl'", or "the hull"
  bool moving;
  SarSolid* out;
} Job;

// ---- meshes -------------------------------------------------------------------------------------

// Reports a flaw, with what can be done about it. False: no memory.
static bool report_flaw(const Job* j, SarMeshFault f) {
  const char* hint = "";
  char where[120] = "";
  switch (f.flaw) {
    case SAR_MESH_NO_MEMORY: j->c->arena.failed = 1; return false;
    case SAR_MESH_OPEN:
    case SAR_MESH_BRANCHED:
    case SAR_MESH_TWISTED:
      hint = "mend it, or use 'hull', its convex hull; open meshes are for the ground";
      snprintf(where, sizeof where, ": %d edge%s, the first one between vertices %d and %d",
               f.count, f.count == 1 ? "" : "s", f.a + 1, f.b + 1);
      break;
    case SAR_MESH_INSIDE_OUT:
      hint = "turn its triangles round, or use 'hull', its convex hull";
      break;
    case SAR_MESH_NOT_CONVEX:
      hint = "use 'hull' for its convex hull, or 'mesh' for it as it is";
      snprintf(where, sizeof where, ": vertex %d stands out by %.3g m", f.a + 1, f.distance);
      break;
    case SAR_MESH_NOT_FINITE: snprintf(where, sizeof where, ": vertex %d", f.a + 1); break;
    case SAR_MESH_FLAT:
    case SAR_MESH_FEW_POINTS: hint = "it takes four points that are not in a plane"; break;
    default: break;
  }
  sar_complain(j->c, j->item, j->loc, hint, "contact: %s %s%s", j->name, sar_mesh_flaw_text(f.flaw),
               where);
  return true;
}

// The mesh at its size, or the points of the file. False after a report.
static bool scaled_mesh(const Job* j, SarMesh* out) {
  const SpecSolid* s = j->spec;
  Compile* c = j->c;
  double scale[3];
  const int n = s->file.text ? s->mesh.nvertex : s->npoint / 3;
  for (int i = 0; i < 3; i++) {
    scale[i] = sar_number(c, s->scale[i], j->item, "scale", ANY_FINITE, 1);
    if (scale[i] == 0)
      sar_complain(c, j->item, s->scale[i].loc, "1: as in the file, 0.001: it is in millimetres",
                   "contact: scale is 0");
    if (scale[i] == 0 || isnan(scale[i])) return false;
  }
  *out = s->mesh;
  out->nvertex = n;
  out->vertex = SAR_ARENA_ARRAY(&c->arena, V3, n);
  out->triangle = SAR_ARENA_ARRAY(&c->arena, int, 3 * (size_t)out->ntriangle);
  if (c->arena.failed) return false;
  for (int i = 0; i < n; i++)
    out->vertex[i] =
        s->file.text
            ? s->mesh.vertex[i]
            : sar_vector(
                  c, &(SpecVec3){{s->points[3 * i], s->points[3 * i + 1], s->points[3 * i + 2]}},
                  j->item, "hull", v3_zero());
  if (out->ntriangle)
    memcpy(out->triangle, s->mesh.triangle, 3 * (size_t)out->ntriangle * sizeof *out->triangle);
  sar_mesh_scale(out, v3(scale[0], scale[1], scale[2]));
  for (int i = 0; i < n && !s->file.text; i++)
    if (isnan(out->vertex[i].x + out->vertex[i].y + out->vertex[i].z)) return false;  // reported
  return true;
}

static bool build_hull(const Job* j, const SarMesh* mesh) {
  SarHull hull;
  const SarMeshFault f = sar_hull_build(mesh->vertex, mesh->nvertex, &j->c->arena, &hull);
  if (f.flaw != SAR_MESH_SOUND) return report_flaw(j, f);
  *j->out = sar_solid_of_hull(&hull);
  return true;
}

static bool build_triangles(const Job* j, const SarMesh* mesh) {
  SarTriangles triangles;
  const SarMeshFault f = sar_triangles_build(mesh, &j->c->arena, &triangles);
  if (f.flaw != SAR_MESH_SOUND) return report_flaw(j, f);
  *j->out = sar_solid_of_triangles(&triangles);
  return true;
}

static bool build_mesh(const Job* j) {
  const SpecSolidKind kind = j->spec->kind;
  SarMesh mesh;
  if (j->spec->file.text && j->spec->mesh.ntriangle == 0) return true;  // reported by the reader
  if (!scaled_mesh(j, &mesh)) return !j->c->arena.failed;
  if (kind == SPEC_SOLID_CONVEX || (kind == SPEC_SOLID_MESH && j->moving)) {
    const SarMeshFault f = sar_mesh_check_closed(&mesh);
    if (f.flaw != SAR_MESH_SOUND) return report_flaw(j, f);
  }
  if (kind == SPEC_SOLID_CONVEX) {
    const SarMeshFault f = sar_mesh_check_convex(&mesh);
    if (f.flaw != SAR_MESH_SOUND) return report_flaw(j, f);
  }
  return kind == SPEC_SOLID_MESH ? build_triangles(j, &mesh) : build_hull(j, &mesh);
}

// ---- heights ------------------------------------------------------------------------------------

typedef struct Grid {
  double from, to;
  int n;
} Grid;

// Points along an axis; `known`: how many rows or columns there are, 0: the file says. False after a report.
static bool read_grid(const Job* j, const SpecNum num[3], const char* key, int known, Grid* out) {
  out->from = sar_number(j->c, num[0], j->item, key, ANY_FINITE, 0);
  out->to = sar_number(j->c, num[1], j->item, key, ANY_FINITE, 1);
  const double n = sar_number(j->c, num[2], j->item, key, ANY_FINITE, known);
  if (isnan(out->from + out->to + n)) return false;
  if (out->to <= out->from)
    sar_complain(j->c, j->item, num[1].loc, "give it as [from, to]",
                 "contact: '%s' must rise, but goes from %g to %g", key, out->from, out->to);
  else if (n < 2 || n > MOST_HEIGHTS || n != floor(n))
    sar_complain(j->c, j->item, num[2].loc, "at least 2",
                 "contact: %g is no number of points along '%s'", n, key);
  else
    out->n = (int)n;
  return out->n > 0;
}

static int slot_of_local(void* context, const char* name) {
  (void)context;
  return name[1] ? -1 : name[0] == 'x' ? 0 : name[0] == 'y' ? 1 : -1;
}

typedef struct OnlyXY {
  const Job* job;
  bool wrong;
} OnlyXY;

static void check_xy(void* context, const char* name, SarLoc loc) {
  OnlyXY* o = context;
  if (o->wrong || slot_of_local(NULL, name) >= 0) return;
  o->wrong = true;
  sar_complain(o->job->c, o->job->item, loc.line ? loc : o->job->loc,
               "the surface is made once, before the run",
               "contact: heights must be a function of x and y alone, but they use '%s'", name);
}

// z = f(x, y) at all points of the grid. False after a report, or without memory.
static bool sample(const Job* j, Grid x, Grid y, double* z) {
  static const char* const names[] = {"x", "y"};
  const Locals locals = {names, 2};
  Compile* c = j->c;
  OnlyXY only = {j, false};
  SarProgram program;
  SarInstr* instrs;
  const SarExpr* bound = sar_bound(c, j->spec->heights.height, j->item, "heights", &locals);
  const SarExpr* f = bound ? sar_expanded(c, bound) : NULL;
  if (!f) return false;
  sar_expr_visit_names(f, check_xy, &only);
  if (only.wrong ||
      !sar_expr_compile(&c->arena, f, slot_of_local, NULL, names, 2, &program, &instrs, c->err))
    return false;
  double* scratch = SAR_ARENA_ARRAY(&c->arena, double, program.registers + 1);
  if (!scratch) return false;
  for (int iy = 0; iy < y.n; iy++)
    for (int ix = 0; ix < x.n; ix++) {
      const double at[2] = {x.from + (x.to - x.from) * ix / (x.n - 1),
                            y.from + (y.to - y.from) * iy / (y.n - 1)};
      z[ix + (size_t)x.n * (size_t)iy] = sar_program_eval(&program, instrs, at, scratch);
    }
  return true;
}

static bool build_heights(const Job* j) {
  const SpecHeights* h = &j->spec->heights;
  Compile* c = j->c;
  Grid x = {0}, y = {0};
  const bool known = read_grid(j, h->x, "x", h->columns, &x);
  if (!read_grid(j, h->y, "y", h->rows, &y) || !known) return true;
  if ((double)x.n * y.n > MOST_HEIGHTS) {
    sar_complain(c, j->item, j->loc, "", "contact: more than %d heights", MOST_HEIGHTS);
    return true;
  }
  if (j->moving)
    sar_complain(c, j->item, j->loc, "give them to the ground, or use a mesh",
                 "contact: heights cannot be part of a body that moves");
  const size_t n = (size_t)x.n * (size_t)y.n;
  double* z = SAR_ARENA_ARRAY(&c->arena, double, n);
  if (!z) return false;
  if (h->height.expr && !sample(j, x, y, z)) return !c->arena.failed;
  for (size_t i = 0; i < n && h->numbers; i++) {
    z[i] = sar_number(c, h->numbers[i], j->item, "heights", ANY_FINITE, 0);
    if (isnan(z[i])) return true;
  }
  SarHeights heights;
  if (!sar_heights_build(x.n, y.n, x.from, y.from, (x.to - x.from) / (x.n - 1),
                         (y.to - y.from) / (y.n - 1), z, &heights)) {
    sar_complain(c, j->item, j->loc, "look for divisions by 0",
                 "contact: heights are not finite everywhere on the grid");
    return true;
  }
  *j->out = sar_solid_of_heights(&heights);
  return true;
}

bool sar_build_solid(Compile* c, const SpecSolid* s, Item item, bool moving, SarSolid* out) {
  Job j = {c, s, item, s->file.text ? s->file.loc : s->loc, "the hull", moving, out};
  if (s->kind == SPEC_SOLID_HEIGHTS) return build_heights(&j);
  if (s->file.text) {
    j.name = sar_arena_printf(&c->arena, "'%.120s'", s->file.text);
    if (!j.name) return false;
  }
  return build_mesh(&j);
}
