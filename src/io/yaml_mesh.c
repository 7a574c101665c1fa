// Shapes from meshes: FILE, {file: FILE, scale: 0.001}, or for a hull the points themselves.
#include "io/mesh.h"
#include "io/yaml_read.h"

#include <stddef.h>

// What is read counts towards the bound on all files together.
static void read_file(YamlReader* r, SpecMesh* mesh) {
  SarReading* reading = r->source->reading;
  const SarMeshRequest request = {.name = mesh->file.text,
                                  .loc = mesh->file.loc,
                                  .model = r->source->name,
                                  .in_memory = !r->source->from_file,
                                  .within = r->source,
                                  .options = reading->options,
                                  .scale = v3(1, 1, 1)};
  SarMeshRead read;
  const SarStatus st = sar_mesh_read(&request, r->arena, &read, r->err);
  if (st == SAR_NO_MEMORY) r->arena->failed = 1;
  if (st != SAR_OK) return;
  const size_t bytes = 1024 + (size_t)read.mesh.nvertex * sizeof *read.mesh.vertex +
                       (size_t)read.mesh.ntriangle * 3 * sizeof *read.mesh.triangle;
  if (bytes > reading->bytes_left) {
    sar_yaml_report(r, mesh->file.loc, "", "the files are larger than %d MiB in all",
                    SAR_MAX_INCLUDED >> 20);
    return;
  }
  reading->bytes_left -= bytes;
  mesh->mesh = read.mesh;
}

static void read_points(YamlReader* r, const YamlNode* n, SpecMesh* mesh) {
  mesh->points = SAR_ARENA_ARRAY(r->arena, SpecNum, 3 * (size_t)n->count);
  if (!mesh->points) return;
  mesh->npoint = 3 * n->count;
  for (int i = 0; i < n->count; i++)
    sar_yaml_numbers(r, n->items[i], 3, &mesh->points[3 * (size_t)i]);
}

// That of a shape, made when it is first asked for: most shapes have none. NULL: no memory.
static SpecMesh* mesh_of(YamlReader* r, SpecMesh** mesh) {
  if (!*mesh) *mesh = SAR_ARENA_NEW(r->arena, SpecMesh);
  return *mesh;
}

// One number for all axes, or one each.
static void read_scale(YamlReader* r, const YamlNode* n, void* into) {
  SpecNum* scale = into;
  if (n->kind == YAML_LIST) {
    sar_yaml_numbers(r, n, 3, scale);
    return;
  }
  sar_yaml_num(r, n, &scale[0]);
  scale[1] = scale[2] = scale[0];
}

void sar_yaml_scale(YamlReader* r, const YamlNode* n, void* into) {
  SpecMesh* mesh = mesh_of(r, into);
  if (mesh) read_scale(r, n, mesh->scale);
}

void sar_yaml_parts(YamlReader* r, const YamlNode* n, void* into) {
  SpecMesh* mesh = mesh_of(r, into);
  if (mesh) sar_yaml_num(r, n, &mesh->parts);
}

void sar_yaml_mesh(YamlReader* r, const YamlNode* n, SpecShape* shape) {
  static const YamlField fields[] = {
      {"file", offsetof(SpecMesh, file), sar_yaml_name},
      {"scale", offsetof(SpecMesh, scale), read_scale},
  };
  SpecMesh* mesh = mesh_of(r, &shape->mesh);
  if (!mesh) return;
  const bool hull = shape->kind == SPEC_HULL;
  const int errors = sar_yaml_errors(r);
  if (hull && n->kind == YAML_LIST) {
    read_points(r, n, mesh);
    return;
  }
  if (n->kind == YAML_MAP) {
    YAML_INNER_FIELDS(r, n, fields, mesh);
    if (!mesh->file.text && sar_yaml_errors(r) == errors)
      sar_yaml_report(r, n->loc, "as in {file: part.stl, scale: 0.001}", "'file' is missing");
  } else if (n->kind == YAML_TEXT && !sar_yaml_is_null(n)) {
    sar_yaml_name(r, n, &mesh->file);
  } else {
    sar_yaml_expected(r, n, hull ? "a mesh file, or points [[x, y, z], ...]" : "a mesh file",
                      "FILE.stl or FILE.obj");
  }
  if (mesh->file.text) read_file(r, mesh);
}

void sar_yaml_check_shape(YamlReader* r, const SpecShape* shape) {
  const bool mesh =
      shape->kind == SPEC_CONVEX || shape->kind == SPEC_HULL || shape->kind == SPEC_MESH;
  if (shape->mesh && shape->mesh->scale[0].expr && !mesh)
    sar_yaml_report(r, shape->mesh->scale[0].loc, "leave it out", "'scale' is for meshes");
  if (shape->mesh && shape->mesh->parts.expr && (shape->kind != SPEC_HULL || shape->mesh->points))
    sar_yaml_report(r, shape->mesh->parts.loc, "as in {hull: cup.stl, parts: 16}",
                    "'parts' is for hulls of mesh files");
}
