// <collision> of links as solids that touch, where the including model asks for it (`contact:
// true`).
//
//   box size, sphere radius, cylinder and capsule radius length -> the same
//   mesh filename scale                                          -> its convex hull
#include "io/mesh.h"
#include "io/source.h"
#include "io/urdf.h"

#include <string.h>

// The part of a file name behind "package://" (or package:///), "file://", "model://"; the whole
// where there is none.
static const char* without_scheme(const char* name) {
  const char* slashes = strstr(name, "://");
  if (!slashes) return name;
  const bool file = strncmp(name, "file:", 5) == 0;  // may be absolute
  return slashes + 3 + (file ? 0 : strspn(slashes + 3, "/"));
}

static bool is_in_memory(const Urdf* u) {
  for (int i = 0; u->options && i < u->options->file_count; i++)
    if (strcmp(u->options->files[i].name, u->file) == 0) return true;
  return false;
}

static bool is_somewhere(Urdf* u, const char* name) {
  const char* beside = sar_path_beside(&u->arena, u->file, name);
  if (beside && !is_in_memory(u) && sar_file_exists(beside)) return true;
  for (int i = 0; u->options && i < u->options->search_path_count; i++) {
    const char* path = sar_arena_printf(&u->arena, "%s/%s", u->options->search_paths[i], name);
    if (path && sar_file_exists(path)) return true;
  }
  return false;
}

// package://NAME/meshes/x.stl is NAME/meshes/x.stl below a search path, or meshes/x.stl if that
// path is the package itself.
static const char* file_name(Urdf* u, const char* name) {
  const char* whole = without_scheme(name);
  const char* slash = strchr(whole, '/');
  if (whole == name || !slash || is_somewhere(u, whole)) return whole;
  return is_somewhere(u, slash + 1) ? slash + 1 : whole;
}

void sar_urdf_mesh(Urdf* u, SpecName name, SarLoc loc, SpecSolid* solid) {
  const SarMeshRequest request = {.name = file_name(u, name.text),
                                  .loc = name.loc,
                                  .model = u->file,
                                  .in_memory = is_in_memory(u),
                                  .options = u->options,
                                  .scale = v3(1, 1, 1)};
  SarMeshRead read;
  const SarStatus st = sar_mesh_read(&request, &u->spec->arena, &read, u->err);
  if (st == SAR_NO_MEMORY) u->spec->arena.failed = 1;
  if (st != SAR_OK) return;
  solid->shape.kind = SPEC_HULL;
  solid->shape.loc = loc;
  SpecMesh* mesh = solid->shape.mesh = SAR_ARENA_NEW(&u->spec->arena, SpecMesh);
  if (!mesh) return;
  mesh->file = name;
  mesh->mesh = read.mesh;
}

static void read_mesh(Urdf* u, const XmlTag* tag, const char* owner, SpecSolid* solid) {
  const SpecName name = sar_urdf_name(u, tag, "filename", owner);
  if (name.text) sar_urdf_mesh(u, name, tag->loc, solid);
  if (solid->shape.mesh) sar_urdf_numbers(u, tag, "scale", owner, 3, solid->shape.mesh->scale);
}

static bool read_shape(Urdf* u, const XmlTag* tag, const char* owner, SpecSolid* solid) {
  static const struct {
    const char* tag;
    SpecShapeKind kind;
  } kinds[] = {{"box", SPEC_BOX},
               {"sphere", SPEC_SPHERE},
               {"cylinder", SPEC_CYLINDER},
               {"capsule", SPEC_CAPSULE}};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    if (strcmp(kinds[k].tag, tag->name) != 0) continue;
    solid->shape.kind = kinds[k].kind;
    solid->shape.loc = tag->loc;
    if (kinds[k].kind == SPEC_BOX) {
      sar_urdf_numbers(u, tag, "size", owner, 3, solid->shape.size);
    } else {
      sar_urdf_numbers(u, tag, "radius", owner, 1, &solid->shape.size[0]);
      sar_urdf_numbers(u, tag, "length", owner, 1, &solid->shape.size[1]);
    }
    return true;
  }
  return false;
}

static void read_collision(Urdf* u, const XmlTag* tag, const char* owner, SpecTouch* touch) {
  const XmlTag* geometry = sar_xml_child(tag, "geometry");
  const XmlTag* shape = geometry ? geometry->first : NULL;
  if (!shape) return;
  SpecSolid* solid = SAR_LIST_ADD(&u->spec->arena, &touch->solids);
  if (!solid) return;
  touch->loc = solid->loc = tag->loc;
  sar_urdf_origin(u, sar_xml_child(tag, "origin"), owner, &solid->shape.pose);
  if (strcmp(shape->name, "mesh") == 0)
    read_mesh(u, shape, owner, solid);
  else if (!read_shape(u, shape, owner, solid))
    touch->solids.count--;  // an unknown tag, of which the check warns
}

void sar_urdf_touch(Urdf* u, const XmlTag* link, const char* owner, SpecTouch* touch) {
  for (const XmlTag* tag = link->first; tag; tag = tag->next)
    if (strcmp(tag->name, "collision") == 0) read_collision(u, tag, owner, touch);
}
