// Mesh files: which file, and what is in it.
//
// Own readers of STL, OBJ and COLLADA rather than a library: assimp 5.2 ends the process (abort)
// when the file is empty, and keeps coordinates in single precision; docs/theory/contact.md has the
// figures.
#include "io/mesh.h"

#include "collide/triangles.h"
#include "io/find_file.h"
#include "io/mesh_text.h"
#include "io/source.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

// ---- which file ----------------------------------------------------------------------------

static const char* find(const SarMeshRequest* q, SarArena* arena, SarError* err) {
  const SarFileFound found = sar_find_file(
      &(SarFileRequest){.name = q->name,
                        .what = "mesh file",
                        .from = q->in_memory ? NULL : q->model,  // "" is where the program runs
                        .within = q->within,
                        .options = q->options},
      arena);
  if (!found.path) sar_report(err, q->loc, found.hint, "%s", found.text);
  return found.path;
}

// A text of the options that has the mesh's name, as seen from the model in memory.
static const SarTextFile* find_text(const SarMeshRequest* q, SarArena* arena) {
  const SarLoadOptions* o = q->options;
  if (!q->in_memory || !q->model || !o) return NULL;
  const char* path = sar_path_beside(arena, q->model, q->name);
  for (int i = 0; path && i < o->file_count; i++)
    if (strcmp(o->files[i].name, path) == 0) return &o->files[i];
  return NULL;
}

// ---- what is in it -------------------------------------------------------------------------

typedef struct Corner {
  V3 p;
  int vertex;
} Corner;

static int compare_corners(const void* pa, const void* pb) {
  const Corner *a = pa, *b = pb;
  if (a->p.x != b->p.x) return a->p.x < b->p.x ? -1 : 1;
  if (a->p.y != b->p.y) return a->p.y < b->p.y ? -1 : 1;
  if (a->p.z != b->p.z) return a->p.z < b->p.z ? -1 : 1;
  return (a->vertex > b->vertex) - (a->vertex < b->vertex);
}

// For every vertex in use, the first in the file at the same place.
static int* same_place(SarMeshSoup* soup) {
  int n = soup->vertex.count, m = 0;
  Corner* corner = SAR_ARENA_ARRAY(soup->scratch, Corner, n);
  int* first = SAR_ARENA_ARRAY(soup->scratch, int, n);
  if (!corner || !first) return NULL;
  for (int i = 0; i < soup->index.count; i++) first[soup->index.items[i]] = 1;
  for (int i = 0; i < n; i++)
    if (first[i]) corner[m++] = (Corner){soup->vertex.items[i], i};
  qsort(corner, (size_t)m, sizeof *corner, compare_corners);
  for (int i = 0, from = 0; i < m; i++) {
    V3 a = corner[i].p, b = corner[from].p;
    if (a.x != b.x || a.y != b.y || a.z != b.z) from = i;
    first[corner[i].vertex] = corner[from].vertex;
  }
  return first;
}

// Vertices at the same place become one, numbered in the order of the file.
static bool weld(SarMeshSoup* soup, SarArena* arena, SarMeshRead* out) {
  const int *first = same_place(soup), *index = soup->index.items;
  int n = soup->vertex.count, triangles = soup->index.count / 3;
  int* number = SAR_ARENA_ARRAY(soup->scratch, int, n);
  SarMesh* m = &out->mesh;
  m->triangle = SAR_ARENA_ARRAY(arena, int, 3 * (size_t)triangles);
  if (!first || !number || !m->triangle) return false;
  for (int i = 0; i < n; i++) number[i] = -1;
  for (int t = 0; t < triangles; t++) {
    int v[3];
    for (int i = 0; i < 3; i++) v[i] = first[index[3 * t + i]];
    if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) {
      out->degenerate++;
      continue;
    }
    for (int i = 0; i < 3; i++) {
      if (number[v[i]] < 0) number[v[i]] = m->nvertex++;
      m->triangle[3 * m->ntriangle + i] = number[v[i]];
    }
    m->ntriangle++;
  }
  m->vertex = SAR_ARENA_ARRAY(arena, V3, m->nvertex);
  if (!m->vertex) return false;
  for (int i = 0; i < n; i++)
    if (number[i] >= 0) m->vertex[number[i]] = soup->vertex.items[i];
  return true;
}

static bool check_soup(SarMeshSoup* soup) {
  V3 s = soup->request->scale;
  for (int i = 0; i < soup->vertex.count; i++) {
    V3 p = soup->vertex.items[i];
    if (!isfinite(p.x) || !isfinite(p.y) || !isfinite(p.z))
      return sar_mesh_refuse(soup, 0, "write the file again from where it came",
                             "has a vertex that is not finite, number %d: (%g, %g, %g)", i + 1, p.x,
                             p.y, p.z);
  }
  if (!(isfinite(s.x) && isfinite(s.y) && isfinite(s.z) && s.x != 0 && s.y != 0 && s.z != 0))
    return sar_mesh_refuse(soup, 0, "as in 0.001 for millimetres",
                           "has a scale of (%g, %g, %g), expected finite numbers other than 0", s.x,
                           s.y, s.z);
  return soup->index.count > 0 || sar_mesh_refuse(soup, 0, "", "has no triangles");
}

static bool has_area(const SarMesh* m) {
  double extent = sar_mesh_extent(m->vertex, m->nvertex);
  if (!(extent > 0) || !isfinite(extent)) return false;
  for (int t = 0; t < m->ntriangle; t++) {
    const int* v = &m->triangle[3 * t];
    if (sar_triangle_has_area(m->vertex[v[0]], m->vertex[v[1]], m->vertex[v[2]], extent))
      return true;
  }
  return false;
}

static bool read_soup(const char* text, size_t n, SarMeshSoup* soup) {
  const char* name = soup->request->name;
  if (sar_path_has_extension(name, ".stl")) return sar_mesh_read_stl(text, n, soup);
  if (sar_path_has_extension(name, ".obj")) return sar_mesh_read_obj(text, n, soup);
  if (sar_path_has_extension(name, ".dae")) return sar_mesh_read_dae(text, n, soup);
  return sar_mesh_refuse(soup, 0, "convert it to one of these",
                         "is of a format that is not read: expected .stl, .obj or .dae");
}

SarStatus sar_mesh_parse(const char* text, size_t n, const SarMeshRequest* request, SarArena* arena,
                         SarMeshRead* out, SarError* err) {
  SarArena scratch;
  sar_arena_beside(&scratch, arena);
  SarMeshSoup soup = {.scratch = &scratch, .request = request, .err = err};
  *out = (SarMeshRead){.path = request->name};
  bool fine = read_soup(text, n, &soup) && check_soup(&soup) && weld(&soup, arena, out);
  if (fine) {
    sar_mesh_scale(&out->mesh, request->scale);
    fine = has_area(&out->mesh) || sar_mesh_refuse(&soup, 0, "", "has no triangle with an area");
  }
  bool memory = !scratch.failed && !arena->failed;
  sar_arena_free(&scratch);
  if (!fine) *out = (SarMeshRead){0};
  return fine ? SAR_OK : memory ? SAR_BAD_MODEL : SAR_NO_MEMORY;
}

SarStatus sar_mesh_read(const SarMeshRequest* request, SarArena* arena, SarMeshRead* out,
                        SarError* err) {
  *out = (SarMeshRead){0};
  const SarTextFile* memory = find_text(request, arena);
  if (memory) return sar_mesh_parse(memory->text, memory->size, request, arena, out, err);
  const char* path = find(request, arena, err);
  if (!path) return arena->failed ? SAR_NO_MEMORY : SAR_NO_FILE;
  SarFileText file;
  sar_note_file(request->options, path);
  SarStatus st =
      sar_file_open_in(arena->budget, path, SAR_MAX_MESH_FILE, true, request->loc, &file, err);
  if (st == SAR_OK) st = sar_mesh_parse(file.text, file.size, request, arena, out, err);
  sar_file_close(&file);
  if (st == SAR_OK) out->path = path;
  return st;
}
