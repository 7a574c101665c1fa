// Heights over a grid, as solids that touch.
#include "io/yaml_read.h"

#include <stddef.h>

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

void sar_yaml_heights(YamlReader* r, const YamlNode* n, void* into) {
  SpecSolid* solid = into;
  solid->kind = SPEC_SOLID_HEIGHTS;
  solid->heights.loc = n->loc;
  if (n->kind == YAML_LIST)
    read_rows(r, n, &solid->heights);
  else
    sar_yaml_num(r, n, &solid->heights.height);
}

// [from, to], or [from, to, points].
void sar_yaml_grid(YamlReader* r, const YamlNode* n, void* into) {
  SpecNum* grid = into;
  if (n->kind == YAML_LIST && (n->count == 2 || n->count == 3))
    sar_yaml_numbers(r, n, n->count, grid);
  else
    sar_yaml_expected(r, n, "[from, to], or [from, to, points] for an expression", "");
}

void sar_yaml_check_solid(YamlReader* r, const YamlNode* n, const SpecSolid* solid) {
  const SpecHeights* h = &solid->heights;
  const bool heights = solid->kind == SPEC_SOLID_HEIGHTS;
  const SpecMesh* mesh = solid->shape.mesh;
  if (solid->kind != SPEC_SOLID_SHAPE && mesh)
    sar_yaml_report(r, mesh->scale[0].expr ? mesh->scale[0].loc : mesh->parts.loc, "leave it out",
                    "'%s' is for meshes", mesh->scale[0].expr ? "scale" : "parts");
  else
    sar_yaml_check_shape(r, &solid->shape);
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
