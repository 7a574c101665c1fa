// Solids that touch and are more than a few numbers: meshes from files, points, heights over a grid.
#include "io/mesh.h"
#include "io/yaml_read.h"

#include <stddef.h>
#include <string.h>

// ---- meshes -------------------------------------------------------------------------------------

// What is read counts towards the bound on all files together.
static void read_file(YamlReader* r, SpecSolid* solid) {
  SarReading* reading = r->source->reading;
  const SarMeshRequest request = {.name = solid->file.text,
                                  .loc = solid->file.loc,
                                  .model = r->source->name,
                                  .in_memory = !r->source->from_file,
                                  .options = reading->options,
                                  .scale = v3(1, 1, 1)};
  SarMeshRead read;
  const SarStatus st = sar_mesh_read(&request, r->arena, &read, r->err);
  if (st == SAR_NO_MEMORY) r->arena->failed = 1;
  if (st != SAR_OK) return;
  const size_t bytes = 1024 + (size_t)read.mesh.nvertex * sizeof *read.mesh.vertex +
                       (size_t)read.mesh.ntriangle * 3 * sizeof *read.mesh.triangle;
  if (bytes > reading->bytes_left) {
    sar_yaml_report(r, solid->file.loc, "", "the files are larger than %d MiB in all",
                    SAR_MAX_INCLUDED >> 20);
    return;
  }
  reading->bytes_left -= bytes;
  solid->mesh = read.mesh;
}

static void read_points(YamlReader* r, const YamlNode* n, SpecSolid* solid) {
  solid->points = SAR_ARENA_ARRAY(r->arena, SpecNum, 3 * (size_t)n->count);
  if (!solid->points) return;
  solid->npoint = 3 * n->count;
  for (int i = 0; i < n->count; i++)
    sar_yaml_numbers(r, n->items[i], 3, &solid->points[3 * (size_t)i]);
}

void sar_yaml_solid_mesh(YamlReader* r, const YamlNode* n, void* into) {
  SpecSolid* solid = into;
  const bool hull = strcmp(r->key, "hull") == 0;
  solid->kind = hull                          ? SPEC_SOLID_HULL
                : strcmp(r->key, "mesh") == 0 ? SPEC_SOLID_MESH
                                              : SPEC_SOLID_CONVEX;
  if (hull && n->kind == YAML_LIST) {
    read_points(r, n, solid);
  } else if (n->kind == YAML_TEXT && !sar_yaml_is_null(n)) {
    sar_yaml_name(r, n, &solid->file);
    if (solid->file.text) read_file(r, solid);
  } else {
    sar_yaml_expected(r, n, hull ? "a mesh file, or points [[x, y, z], ...]" : "a mesh file",
                      "FILE.stl or FILE.obj");
  }
}

// One number for all axes, or one each.
void sar_yaml_solid_scale(YamlReader* r, const YamlNode* n, void* into) {
  SpecNum* scale = into;
  if (n->kind == YAML_LIST) {
    sar_yaml_numbers(r, n, 3, scale);
    return;
  }
  sar_yaml_num(r, n, &scale[0]);
  scale[1] = scale[2] = scale[0];
}

// ---- heights ------------------------------------------------------------------------------------

// [[z, z, ...], ...]: the rows run along x, and follow one another along y.
static void read_rows(YamlReader* r, const YamlNode* n, SpecHeights* h) {
  static const char what[] = "rows of heights [[z, z, ...], ...], or an expression of x and y";
  if (n->count < 2 || n->items[0]->kind != YAML_LIST || n->items[0]->count < 2) {
    sar_yaml_expected(r, n, what, "at least two rows of two heights each");
    return;
  }
  const int columns = n->items[0]->count;
  h->numbers = SAR_ARENA_ARRAY(r->arena, SpecNum, (size_t)columns * (size_t)n->count);
  if (!h->numbers) return;
  h->columns = columns;
  h->rows = n->count;
  for (int i = 0; i < n->count; i++)
    sar_yaml_numbers(r, n->items[i], columns, &h->numbers[(size_t)i * (size_t)columns]);
}

void sar_yaml_solid_heights(YamlReader* r, const YamlNode* n, void* into) {
  SpecSolid* solid = into;
  solid->kind = SPEC_SOLID_HEIGHTS;
  solid->heights.loc = n->loc;
  if (n->kind == YAML_LIST)
    read_rows(r, n, &solid->heights);
  else
    sar_yaml_num(r, n, &solid->heights.height);
}

// [from, to], or [from, to, points].
void sar_yaml_solid_grid(YamlReader* r, const YamlNode* n, void* into) {
  SpecNum* grid = into;
  if (n->kind == YAML_LIST && (n->count == 2 || n->count == 3))
    sar_yaml_numbers(r, n, n->count, grid);
  else
    sar_yaml_expected(r, n, "[from, to], or [from, to, points] for an expression", "");
}

void sar_yaml_check_solid(YamlReader* r, const YamlNode* n, const SpecSolid* solid) {
  const SpecHeights* h = &solid->heights;
  const bool heights = solid->kind == SPEC_SOLID_HEIGHTS;
  const bool mesh = solid->kind == SPEC_SOLID_CONVEX || solid->kind == SPEC_SOLID_HULL ||
                    solid->kind == SPEC_SOLID_MESH;
  if (solid->scale[0].expr && !mesh)
    sar_yaml_report(r, solid->scale[0].loc, "leave it out", "'scale' is for meshes");
  if (!heights && (h->x[0].expr || h->y[0].expr))
    sar_yaml_report(r, n->loc, "leave them out", "'x' and 'y' are for heights");
  if (heights && (!h->x[0].expr || !h->y[0].expr))
    sar_yaml_report(r, n->loc, "as in {heights: 0.1*sin(x), x: [0, 10, 101], y: [-1, 1, 2]}",
                    "heights need their grid, 'x' and 'y'");
  else if (heights && h->height.expr && (!h->x[2].expr || !h->y[2].expr))
    sar_yaml_report(r, n->loc, "as in x: [0, 10, 101]",
                    "an expression needs the number of points along 'x' and 'y'");
  else if (heights && h->numbers && (h->x[2].expr || h->y[2].expr))
    sar_yaml_report(r, n->loc, "write [from, to]",
                    "the rows of heights tell how many points there are along 'x' and 'y'");
}
