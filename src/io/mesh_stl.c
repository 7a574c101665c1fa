// STL, binary and text.
//
// Binary: 80 bytes of anything, the number of triangles as 32 bits, then 50 bytes for each: normal
// and three corners as 12 floats, low byte first, and 16 bits of anything. The normal is not used:
// the order of the corners says which side is outside. A file whose length is right for its number
// is binary even if it begins with `solid`, as some programs write it.
#include "io/mesh_text.h"

#include <stdint.h>
#include <string.h>

enum { HEADER = 84, RECORD = 50 };

static uint32_t word_at(const char* text) {
  const unsigned char* b = (const unsigned char*)text;
  return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double float_at(const char* text) {
  uint32_t bits = word_at(text);
  float x;
  memcpy(&x, &bits, sizeof x);
  return (double)x;
}

static bool add_corners(SarMeshSoup* soup, const V3 corner[3]) {
  int first = soup->vertex.count;
  for (int i = 0; i < 3; i++)
    if (!sar_mesh_add_vertex(soup, corner[i])) return false;
  return sar_mesh_add_triangle(soup, first, first + 1, first + 2);
}

static bool read_binary(const char* text, size_t n, SarMeshSoup* soup) {
  if (n < HEADER)
    return sar_mesh_refuse(soup, 0, "is this an STL file?", "ends after %zu bytes, in the header",
                           n);
  size_t count = word_at(text + 80), room = (n - HEADER) / RECORD;
  if (count > room)
    return sar_mesh_refuse(soup, 0, "the file is cut off, or not an STL file",
                           "is said to have %zu triangles, but ends after %zu", count, room);
  for (size_t i = 0; i < count; i++) {
    V3 corner[3];
    const char* record = text + HEADER + RECORD * i + 12;
    for (size_t k = 0; k < 3; k++)
      corner[k] = v3(float_at(record + 12 * k), float_at(record + 12 * k + 4),
                     float_at(record + 12 * k + 8));
    if (!add_corners(soup, corner)) return false;
  }
  return true;
}

// facet normal .. / outer loop / vertex x y z, three times / endloop / endfacet. Only the vertices
// say something; they must come in threes.
static bool read_text(const char* text, size_t n, SarMeshSoup* soup) {
  MeshText t = {text, text + n, 1};
  V3 corner[3];
  int corners = 0;
  bool in_loop = false, ended = false;
  do {
    MeshWord w = sar_mesh_word(&t);
    if (sar_mesh_word_is(w, "vertex")) {
      V3 p;
      if (!in_loop || corners == 3)
        return sar_mesh_refuse(soup, t.line, "",
                               "expected three vertices between outer loop and endloop");
      if (!sar_mesh_numbers(&t, &p))
        return sar_mesh_refuse(soup, t.line, "as in vertex 0.5 1 2", "expected three numbers");
      corner[corners++] = p;
    } else if (sar_mesh_word_is(w, "outer")) {
      in_loop = true, corners = 0;
    } else if (sar_mesh_word_is(w, "endloop")) {
      if (!in_loop || corners != 3)
        return sar_mesh_refuse(soup, t.line, "",
                               "expected three vertices between outer loop and endloop");
      if (!add_corners(soup, corner)) return false;
      in_loop = false;
    } else if (sar_mesh_word_is(w, "solid") || sar_mesh_word_is(w, "endsolid")) {
      ended = sar_mesh_word_is(w, "endsolid");  // a file may hold several
    } else if (w.n > 0 && !sar_mesh_word_is(w, "facet") && !sar_mesh_word_is(w, "endfacet")) {
      return sar_mesh_refuse(soup, t.line, "is this an STL file?",
                             "expected facet, outer loop, vertex, endloop, endfacet or endsolid");
    }
  } while (sar_mesh_next_line(&t));
  if (in_loop || !ended)
    return sar_mesh_refuse(soup, t.line, "the file is cut off", "expected endsolid");
  return true;
}

// Does it begin with `solid`, and not contain what no text does?
static bool looks_like_text(const char* text, size_t n) {
  MeshText t = {text, text + n, 1};
  if (n == 0 || memchr(text, 0, n < 1000 ? n : 1000)) return false;
  MeshText look = t;
  if (sar_mesh_word(&look).n == 0 && !sar_mesh_next_line(&t)) return false;
  return sar_mesh_word_is(sar_mesh_word(&t), "solid");
}

bool sar_mesh_read_stl(const char* text, size_t n, SarMeshSoup* soup) {
  bool exact = n >= HEADER && n - HEADER == (size_t)word_at(text + 80) * RECORD;
  return !exact && looks_like_text(text, n) ? read_text(text, n, soup) : read_binary(text, n, soup);
}
