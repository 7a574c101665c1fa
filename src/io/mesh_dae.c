// COLLADA 1.4 and 1.5 (.dae), as far as meshes of robots use it: triangles of geometries, placed by
// the nodes of the scene.
//
//   asset/unit meter="0.001"                                  lengths are that many metres
//   library_geometries/geometry/mesh: source, vertices,   triangles, polylist, polygons, tristrips,
//                                                             trifans
//   library_visual_scenes/visual_scene/node: matrix, translate, rotate, scale, instance_geometry,
//                                            instance_node, node
//
// The axis that points up (asset/up_axis) is passed over, as the tools of ROS do: the numbers stand
// in the frame of the link. A file without a scene has its geometries as they are. Polygons are cut
// into a fan, which is right where they are convex. Curves, lines, skins and materials are no
// surface to touch.
#include "base/text.h"
#include "io/mesh_text.h"
#include "io/xml.h"

#include <math.h>
#include <string.h>

enum { DEEPEST = 64, MOST_NODES = 100000, MOST_INPUTS = 64 };

// x -> A x + p, not always a rotation
typedef struct Affine {
  M3 A;
  V3 p;
} Affine;

typedef struct Dae {
  SarMeshSoup* soup;
  const XmlTag* root;
  double metre;
  int nodes;  // placed so far
} Dae;

static Affine compose(Affine a, Affine b) {
  return (Affine){m3_mul(a.A, b.A), m3_mul_add(a.A, b.p, a.p)};
}

static bool refuse(const Dae* d, const XmlTag* at, const char* what) {
  return sar_mesh_refuse(d->soup, at->loc.line, "", "<%.40s> %s", at->name, what);
}

// ---- finding things ------------------------------------------------------------------------

static const char* value_of(const XmlTag* tag, const char* name) {
  const XmlAttribute* a = sar_xml_attribute(tag, name);
  return a ? a->value : NULL;
}

// The tag of that name in one of the libraries, for a reference "#id".
static const XmlTag* find_id(const XmlTag* root, const char* library, const char* name,
                             const char* reference) {
  if (!reference || reference[0] != '#') return NULL;
  for (const XmlTag* l = root->first; l; l = l->next)
    for (const XmlTag* t = strcmp(l->name, library) == 0 ? l->first : NULL; t; t = t->next) {
      const char* id = value_of(t, "id");
      if (strcmp(t->name, name) == 0 && id && strcmp(id, reference + 1) == 0) return t;
    }
  return NULL;
}

static const XmlTag* find_within(const XmlTag* parent, const char* name, const char* reference) {
  if (!reference || reference[0] != '#') return NULL;
  for (const XmlTag* t = parent->first; t; t = t->next) {
    const char* id = value_of(t, "id");
    if (strcmp(t->name, name) == 0 && id && strcmp(id, reference + 1) == 0) return t;
  }
  return NULL;
}

// ---- numbers -------------------------------------------------------------------------------

static MeshText words_of(const XmlTag* tag) {
  return (MeshText){tag->text, tag->text ? tag->text + tag->text_size : NULL, tag->loc.line};
}

static bool read_numbers(const Dae* d, const XmlTag* tag, double* out, int n) {
  MeshText t = words_of(tag);
  for (int i = 0; i < n; i++) {
    const MeshWord w = sar_mesh_any_word(&t);
    if (!sar_text_to_double(w.text, w.n, &out[i]) || !isfinite(out[i]))
      return refuse(d, tag, "has not the numbers that it needs");
  }
  return true;
}

// A whole number from 0 to 2e9; otherwise if the attribute is not there. -1: it is none.
static int whole(const XmlTag* tag, const char* name, int otherwise) {
  const char* text = value_of(tag, name);
  double x;
  if (!text) return otherwise;
  if (!sar_text_to_double(text, strlen(text), &x)) return -1;
  return x >= 0 && x <= 2e9 && x == floor(x) ? (int)x : -1;
}

// ---- geometries ----------------------------------------------------------------------------

// Adds the positions of a <source>, placed; `first`: number of the first, `count`: how many.
static bool add_positions(const Dae* d, const XmlTag* source, const Affine* X, int* first,
                          int* count) {
  const XmlTag* array = sar_xml_child(source, "float_array");
  const XmlTag* common = sar_xml_child(source, "technique_common");
  const XmlTag* accessor = common ? sar_xml_child(common, "accessor") : NULL;
  const int stride = accessor ? whole(accessor, "stride", 1) : 3,
            offset = accessor ? whole(accessor, "offset", 0) : 0;
  *first = d->soup->vertex.count;
  *count = 0;
  if (!array || stride < 3 || offset < 0) return refuse(d, source, "has no points in space");
  MeshText t = words_of(array);
  double x[3] = {0};
  for (long i = -(long)offset;; i++) {
    const MeshWord w = sar_mesh_any_word(&t);
    if (w.n == 0) return true;
    const int k = i < 0 ? 3 : (int)(i % stride);
    if (k >= 3) continue;
    if (!sar_text_to_double(w.text, w.n, &x[k]))
      return refuse(d, array, "has a word among numbers");
    if (k < 2) continue;
    if (!sar_mesh_add_vertex(d->soup, m3_mul_add(X->A, v3_load(x), X->p))) return false;
    ++*count;
  }
}

typedef struct Corners {  // of a <triangles>, <polylist>, ...
  MeshText text;
  int step, at;      // numbers a corner has, and which of them is the vertex
  int first, count;  // of the positions
  bool flip;         // mirrored: the other way round
} Corners;

// 1: a corner, 0: there is none, -1: reported
static int next_corner(const Dae* d, const XmlTag* tag, Corners* c, int* out) {
  double x;
  *out = 0;
  for (int i = 0; i < c->step; i++) {
    const MeshWord w = sar_mesh_any_word(&c->text);
    if (w.n == 0) return 0;
    if (i != c->at) continue;
    if (!sar_text_to_double(w.text, w.n, &x) || !(x >= 0 && x < c->count) || x != floor(x)) {
      refuse(d, tag, "names a vertex that is not there");
      return -1;
    }
    *out = c->first + (int)x;
  }
  return 1;
}

static bool add_triangle(const Dae* d, const Corners* c, int i, int j, int k) {
  return c->flip ? sar_mesh_add_triangle(d->soup, i, k, j)
                 : sar_mesh_add_triangle(d->soup, i, j, k);
}

typedef enum Sequence { FAN, STRIP } Sequence;

// One polygon of n corners (-1: all that are there).
static bool add_polygon(const Dae* d, const XmlTag* tag, Corners* c, long n, Sequence how) {
  int v[3] = {0};
  for (long i = 0; n < 0 || i < n; i++) {
    int corner;
    const int got = next_corner(d, tag, c, &corner);
    if (got < 0) return false;
    if (got == 0) return n < 0 || refuse(d, tag, "has fewer corners than it says");
    if (i < 2) {
      v[i] = corner;
      continue;
    }
    v[2] = corner;
    const bool odd = how == STRIP && i % 2 == 1;
    if (!add_triangle(d, c, v[odd ? 1 : 0], v[odd ? 0 : 1], v[2])) return false;
    if (how == STRIP) v[0] = v[1];
    v[1] = v[2];
  }
  return true;
}

// <triangles>: corners without end; <polylist>: as many a polygon as <vcount> says.
static bool add_list(const Dae* d, const XmlTag* tag, Corners* c) {
  const XmlTag *p = sar_xml_child(tag, "p"), *vcount = sar_xml_child(tag, "vcount");
  if (!p) return true;  // none
  c->text = words_of(p);
  if (strcmp(tag->name, "triangles") == 0) {
    for (;;) {
      MeshText look = c->text;
      if (sar_mesh_any_word(&look).n == 0) return true;
      if (!add_polygon(d, tag, c, 3, FAN)) return false;
    }
  }
  if (!vcount) return refuse(d, tag, "has no <vcount>");
  MeshText counts = words_of(vcount);
  for (;;) {
    double n;
    const MeshWord w = sar_mesh_any_word(&counts);
    if (w.n == 0) return true;
    if (!sar_text_to_double(w.text, w.n, &n) || !(n >= 1 && n <= 1e9) || n != floor(n))
      return refuse(d, vcount, "has a number of corners that is none");
    if (!add_polygon(d, tag, c, (long)n, FAN)) return false;
  }
}

// <polygons>, <tristrips>, <trifans>: one <p> for each.
static bool add_each(const Dae* d, const XmlTag* tag, Corners* c, Sequence how) {
  for (const XmlTag* p = tag->first; p; p = p->next) {
    const XmlTag* loop =
        strcmp(p->name, "ph") == 0 ? sar_xml_child(p, "p") : p;  // holes are closed
    if (!loop || strcmp(loop->name, "p") != 0) continue;
    c->text = words_of(loop);
    if (!add_polygon(d, tag, c, -1, how)) return false;
  }
  return true;
}

// Where its vertices are; false: it has none that can be used.
static bool read_inputs(const XmlTag* mesh, const XmlTag* tag, Corners* c, const XmlTag** source) {
  const char* vertices = NULL;
  c->step = 0;
  for (const XmlTag* i = tag->first; i; i = i->next) {
    if (strcmp(i->name, "input") != 0) continue;
    const char* semantic = value_of(i, "semantic");
    const int offset = whole(i, "offset", 0);
    if (offset < 0 || offset >= MOST_INPUTS) return false;
    if (offset >= c->step) c->step = offset + 1;
    if (semantic && strcmp(semantic, "VERTEX") == 0)
      vertices = value_of(i, "source"), c->at = offset;
  }
  const XmlTag* of = find_within(mesh, "vertices", vertices);
  *source = NULL;
  for (const XmlTag* i = of ? of->first : NULL; i; i = i->next) {
    const char* semantic = value_of(i, "semantic");
    if (semantic && strcmp(semantic, "POSITION") == 0)
      *source = find_within(mesh, "source", value_of(i, "source"));
  }
  return *source != NULL;
}

static bool is_one_of(const char* name, const char* const* list) {
  while (*list && strcmp(*list, name) != 0) list++;
  return *list != NULL;
}

static bool add_geometry(const Dae* d, const XmlTag* geometry, const Affine* X) {
  static const char* const SURFACES[] = {"triangles", "polylist", "polygons",
                                         "tristrips", "trifans",  NULL};
  const XmlTag *mesh = sar_xml_child(geometry, "mesh"), *last = NULL;
  const M3* A = &X->A;
  const V3 row[3] = {{A->xx, A->xy, A->xz}, {A->yx, A->yy, A->yz}, {A->zx, A->zy, A->zz}};
  Corners c = {.flip = v3_dot(v3_cross(row[0], row[1]), row[2]) < 0};
  for (const XmlTag* t = mesh ? mesh->first : NULL; t; t = t->next) {
    const XmlTag* source;
    if (!is_one_of(t->name, SURFACES)) continue;
    if (!read_inputs(mesh, t, &c, &source))
      return refuse(d, t, "has no vertices (input semantic=\"VERTEX\" with a POSITION)");
    // parts of a geometry share their positions
    if (source != last && !add_positions(d, source, X, &c.first, &c.count)) return false;
    last = source;
    const bool strips = strcmp(t->name, "tristrips") == 0, fans = strcmp(t->name, "trifans") == 0,
               polygons = strcmp(t->name, "polygons") == 0;
    if (!(strips || fans || polygons ? add_each(d, t, &c, strips ? STRIP : FAN)
                                     : add_list(d, t, &c)))
      return false;
  }
  return true;
}

// ---- the scene -----------------------------------------------------------------------------

// <matrix>, <translate>, <rotate> and <scale> one after the other, each in the frame of those
// before.
static bool place(const Dae* d, const XmlTag* tag, Affine* X) {
  double x[16];
  Affine step = {m3_identity(), v3_zero()};
  if (strcmp(tag->name, "matrix") == 0) {
    if (!read_numbers(d, tag, x, 16)) return false;
    step.A = (M3){x[0], x[1], x[2], x[4], x[5], x[6], x[8], x[9], x[10]};
    step.p = v3(x[3], x[7], x[11]);
  } else if (strcmp(tag->name, "translate") == 0) {
    if (!read_numbers(d, tag, x, 3)) return false;
    step.p = v3_load(x);
  } else if (strcmp(tag->name, "scale") == 0) {
    if (!read_numbers(d, tag, x, 3)) return false;
    step.A = (M3){x[0], 0, 0, 0, x[1], 0, 0, 0, x[2]};
  } else if (strcmp(tag->name, "rotate") == 0) {
    if (!read_numbers(d, tag, x, 4)) return false;
    const V3 axis = v3_load(x);
    const double angle = x[3] * 0.017453292519943295, length = v3_norm(axis);
    if (length > 0) {
      const double s = sin(0.5 * angle) / length;
      step.A = quat_to_m3((Quat){cos(0.5 * angle), s * axis.x, s * axis.y, s * axis.z});
    }
  } else {
    return true;
  }
  *X = compose(*X, step);
  return true;
}

static bool add_node(Dae* d, const XmlTag* node, Affine X, int depth) {
  if (depth == DEEPEST || d->nodes++ == MOST_NODES)
    return refuse(d, node, "is one of too many nodes, or they contain each other");
  for (const XmlTag* t = node->first; t; t = t->next) {
    const char* url = value_of(t, "url");
    const XmlTag* of = NULL;
    if (!place(d, t, &X)) return false;
    if (strcmp(t->name, "node") == 0) {
      if (!add_node(d, t, X, depth + 1)) return false;
    } else if (strcmp(t->name, "instance_geometry") == 0) {
      of = find_id(d->root, "library_geometries", "geometry", url);
      if (!of) return refuse(d, t, "names a geometry that is not there");
      if (!add_geometry(d, of, &X)) return false;
    } else if (strcmp(t->name, "instance_node") == 0) {
      of = find_id(d->root, "library_nodes", "node", url);
      if (!of) return refuse(d, t, "names a node that is not there");
      if (!add_node(d, of, X, depth + 1)) return false;
    }
  }
  return true;
}

static const XmlTag* find_scene(const XmlTag* root) {
  const XmlTag *scene = sar_xml_child(root, "scene"),
               *instance = scene ? sar_xml_child(scene, "instance_visual_scene") : NULL,
               *library = sar_xml_child(root, "library_visual_scenes");
  const XmlTag* named =
      instance ? find_id(root, "library_visual_scenes", "visual_scene", value_of(instance, "url"))
               : NULL;
  return named || !library ? named : sar_xml_child(library, "visual_scene");
}

static bool read_unit(Dae* d) {
  const XmlTag *asset = sar_xml_child(d->root, "asset"),
               *unit = asset ? sar_xml_child(asset, "unit") : NULL;
  const char* metre = unit ? value_of(unit, "meter") : NULL;
  d->metre = 1;
  if (!metre) return true;
  return (sar_text_to_double(metre, strlen(metre), &d->metre) && d->metre > 0 &&
          isfinite(d->metre)) ||
         refuse(d, unit, "has no length in metres");
}

bool sar_mesh_read_dae(const char* text, size_t n, SarMeshSoup* soup) {
  XmlTag* root;
  Dae d = {.soup = soup};
  if (sar_xml_read(soup->scratch, text, n, soup->request->name, &root, soup->err) != SAR_OK)
    return false;
  d.root = root;
  if (strcmp(root->name, "COLLADA") != 0) return refuse(&d, root, "is no COLLADA");
  if (!read_unit(&d)) return false;
  const Affine X = {(M3){d.metre, 0, 0, 0, d.metre, 0, 0, 0, d.metre}, v3_zero()};
  const XmlTag* scene = find_scene(root);
  if (scene) return add_node(&d, scene, X, 0);
  for (const XmlTag* l = root->first; l; l = l->next)
    for (const XmlTag* g = strcmp(l->name, "library_geometries") == 0 ? l->first : NULL; g;
         g = g->next)
      if (strcmp(g->name, "geometry") == 0 && !add_geometry(&d, g, &X)) return false;
  return true;
}
