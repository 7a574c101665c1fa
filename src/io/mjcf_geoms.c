// Geoms of MJCF as shapes: what they give a body of mass and inertia, and what of them touches.
//
//   sphere r, capsule and cylinder r h (half length along z, or fromto), ellipsoid and box (half
//   lengths), mesh
#include "io/mesh.h"
#include "io/mjcf.h"

#include <math.h>
#include <string.h>

static const struct {
  const char* type;
  SpecShapeKind kind;
  int sizes;      // numbers in `size`
  bool along;     // may be given by fromto
  double factor;  // our sizes are so many of theirs
} TYPES[] = {{"sphere", SPEC_SPHERE, 1, false, 1},
             {"capsule", SPEC_CAPSULE, 2, true, 1},
             {"cylinder", SPEC_CYLINDER, 2, true, 1},
             {"ellipsoid", SPEC_ELLIPSOID, 3, true, 1},
             {"box", SPEC_BOX, 3, true, 2}};
enum { TYPE_COUNT = sizeof TYPES / sizeof *TYPES };

static const XmlTag* asset(const Mjcf* m, const char* kind, const char* name) {
  for (const XmlTag* section = m->root->first; section; section = section->next) {
    if (!sar_mjcf_is(section, "asset")) continue;
    for (const XmlTag* t = section->first; t; t = t->next) {
      if (!sar_mjcf_is(t, kind)) continue;
      const XmlAttribute *own = sar_xml_attribute(t, "name"), *file = sar_xml_attribute(t, "file");
      if (own ? strcmp(own->value, name) == 0 : false) return t;
      if (own || !file) continue;
      // without a name it has that of its file, without folder and extension
      const char* slash = strrchr(file->value, '/');
      const char* base = slash ? slash + 1 : file->value;
      const char* dot = strrchr(base, '.');
      const size_t n = dot ? (size_t)(dot - base) : strlen(base);
      if (strlen(name) == n && strncmp(base, name, n) == 0) return t;
    }
  }
  return NULL;
}

static bool read_mesh(Mjcf* m, const XmlTag* geom, bool hull, SpecShape* out) {
  const SpecName name = sar_mjcf_reference(m, geom, "mesh");
  const XmlTag* mesh = name.text ? asset(m, "mesh", name.text) : NULL;
  const XmlAttribute* file = mesh ? sar_xml_attribute(mesh, "file") : NULL;
  if (!file) {
    sar_report(m->err, name.loc, "", "<geom>: there is no mesh '%s' with a file",
               name.text ? name.text : "");
    return false;
  }
  double scale[3] = {1, 1, 1};
  sar_mjcf_numbers(m, mesh, "scale", 3, 3, scale);
  const char *folder = m->compiler.meshdir, *slash = strrchr(file->value, '/');
  const char* own = m->compiler.strippath && slash ? slash + 1 : file->value;
  const size_t end = folder ? strlen(folder) : 0;
  const char* path = folder ? sar_arena_printf(&m->spec->arena, "%s%s%s", folder,
                                               end && folder[end - 1] == '/' ? "" : "/", own)
                            : own;
  if (!path) return false;
  const SarMeshRequest request = {.name = path,
                                  .loc = file->loc,
                                  .model = m->file,
                                  .in_memory = !m->source->from_file,
                                  .within = m->source,
                                  .options = m->options,
                                  .scale = v3(scale[0], scale[1], scale[2])};
  SarMeshRead read;
  const SarStatus st = sar_mesh_read(&request, &m->spec->arena, &read, m->err);
  if (st == SAR_NO_MEMORY) m->spec->arena.failed = 1;
  if (st != SAR_OK) return false;
  out->kind = hull ? SPEC_HULL : SPEC_MESH;
  out->mesh = SAR_ARENA_NEW(&m->spec->arena, SpecMesh);
  if (!out->mesh) return false;
  out->mesh->file = (SpecName){sar_arena_strdup(&m->spec->arena, path), file->loc};
  out->mesh->mesh = read.mesh;
  return true;
}

// Half length and place of a shape along the line between two points.
bool sar_mjcf_ends(Mjcf* m, const XmlTag* geom, double* half, Xform* X) {
  double e[6];
  if (sar_mjcf_numbers(m, geom, "fromto", 6, 6, e) != 6) return false;
  const V3 a = v3(e[0], e[1], e[2]), b = v3(e[3], e[4], e[5]), along = v3_sub(a, b);
  const double length = v3_norm(along);
  *half = length / 2;
  X->p = v3_scale(0.5, v3_add(a, b));
  X->R = length > 0 ? sar_mjcf_turn_z(v3_scale(1 / length, along)) : m3_identity();
  *X = x_mul(sar_mjcf_frame(m, geom), *X);
  return true;
}

bool sar_mjcf_shape(Mjcf* m, const XmlTag* geom, bool hull, SpecShape* out) {
  const char* type = sar_mjcf_word(m, geom, "type", "sphere");
  Xform X = sar_mjcf_pose(m, geom);
  out->loc = geom->loc;
  if (strcmp(type, "mesh") == 0) {
    out->pose = sar_mjcf_spec_pose(m, X, geom->loc);
    return read_mesh(m, geom, hull, out);
  }
  for (int i = 0; i < TYPE_COUNT; i++) {
    if (strcmp(type, TYPES[i].type) != 0) continue;
    double size[3] = {0}, half = 0;
    const XmlAttribute* fitted = sar_mjcf_attribute(m, geom, "mesh");
    if (fitted) {
      sar_warn(m->err, fitted->loc, "", "<geom>: a %s fitted to a mesh is not taken", type);
      return false;
    }
    const bool ends = TYPES[i].along && sar_mjcf_ends(m, geom, &half, &X);
    const int least = ends ? 1 : TYPES[i].sizes;
    const int n = sar_mjcf_numbers(m, geom, "size", least, 3, size);
    if (n == 0) {
      if (!sar_mjcf_attribute(m, geom, "size"))
        sar_report(m->err, geom->loc, "", "<geom> of type %s needs size=\"...\"", type);
      return false;
    }
    if (ends && TYPES[i].sizes == 3) size[1] = size[0], size[2] = half;
    if (ends && TYPES[i].sizes == 2) size[1] = half;
    if (TYPES[i].sizes == 2) size[1] *= 2;
    out->kind = TYPES[i].kind;
    for (int k = 0; k < TYPES[i].sizes; k++)
      out->size[k] = sar_mjcf_num(m, TYPES[i].factor * size[k], geom->loc);
    out->pose = sar_mjcf_spec_pose(m, X, geom->loc);
    return true;
  }
  static const char* const other[] = {"plane", "hfield", "sdf"};
  for (int i = 0; i < 3; i++)
    if (strcmp(type, other[i]) == 0) return false;
  sar_report(m->err, geom->loc, "one of sphere capsule cylinder ellipsoid box mesh plane hfield",
             "<geom> type '%.40s'", type);
  return false;
}

static bool counts(Mjcf* m, const XmlTag* geom) {
  const int group = (int)sar_mjcf_number(m, geom, "group", 0);
  return group >= m->compiler.group[0] && group <= m->compiler.group[1];
}

static void add_mass(Mjcf* m, const XmlTag* geom, SpecBody* body) {
  const double mass = sar_mjcf_number(m, geom, "mass", (double)NAN);
  const double density = sar_mjcf_number(m, geom, "density", 1000);
  if (mass == 0 || (isnan(mass) && density == 0)) return;
  SpecShape shape = {0};
  if (!sar_mjcf_shape(m, geom, false, &shape)) return;
  if (isnan(mass))
    shape.density = sar_mjcf_num(m, density, geom->loc);
  else
    shape.mass = sar_mjcf_num(m, mass, geom->loc);
  SpecShape* out = SAR_LIST_ADD(&m->spec->arena, &body->shapes);
  if (out) *out = shape;
}

void sar_mjcf_geoms(Mjcf* m, const XmlTag* tag, bool inertia, SpecBody* body) {
  for (const XmlTag* geom = tag->first; geom && inertia; geom = geom->next)
    if (sar_mjcf_is(geom, "geom") && counts(m, geom)) add_mass(m, geom, body);
  sar_mjcf_touch(m, tag, &body->touch);
}
