// Wavefront OBJ: vertices (v) and faces (f); everything else is passed over.
//
// A corner of a face is v, v/vt, v//vn or v/vt/vn; a negative number counts back from the last
// vertex read. Faces with more than three corners are cut into a fan, which is right where they are
// convex.
#include "io/mesh_text.h"

// The number before the first slash; 0 if it is none, or too large.
static long first_number(MeshWord w) {
  long value = 0;
  bool minus = w.n > 0 && w.text[0] == '-';
  size_t i = minus, digits = 0;
  for (; i < w.n && w.text[i] != '/'; i++, digits++) {
    if (w.text[i] < '0' || w.text[i] > '9' || value > 1000000000) return 0;
    value = 10 * value + (w.text[i] - '0');
  }
  return digits == 0 ? 0 : minus ? -value : value;
}

static bool read_corner(MeshText* t, MeshWord w, SarMeshSoup* soup, int* out) {
  long number = first_number(w), count = soup->vertex.count;
  long index = number > 0 ? number - 1 : count + number;
  if (number == 0)
    return sar_mesh_refuse(soup, t->line, "as in f 1 2 3 or f 1/1 2/2 3/3",
                           "expected the number of a vertex, found '%.*s'",
                           w.n < 40 ? (int)w.n : 40, w.text);
  if (index < 0 || index >= count)
    return sar_mesh_refuse(soup, t->line, "vertices come before the faces that use them",
                           "vertex %ld of %ld", number, count);
  *out = (int)index;
  return true;
}

static bool read_face(MeshText* t, SarMeshSoup* soup) {
  int first = -1, last = -1, corners = 0;
  for (MeshWord w = sar_mesh_word(t); w.n > 0 && w.text[0] != '#'; w = sar_mesh_word(t)) {
    int corner = -1;
    if (!read_corner(t, w, soup, &corner)) return false;
    corners++;
    if (corners == 1) first = corner;
    if (corners >= 3 && !sar_mesh_add_triangle(soup, first, last, corner)) return false;
    last = corner;
  }
  return corners >= 3 || sar_mesh_refuse(soup, t->line, "", "a face needs three corners");
}

bool sar_mesh_read_obj(const char* text, size_t n, SarMeshSoup* soup) {
  MeshText t = {text, text + n, 1};
  do {
    MeshWord w = sar_mesh_word(&t);
    if (sar_mesh_word_is(w, "v")) {
      V3 p;
      if (!sar_mesh_numbers(&t, &p))
        return sar_mesh_refuse(soup, t.line, "as in v 0.5 1 2", "expected three numbers");
      if (!sar_mesh_add_vertex(soup, p)) return false;
    } else if (sar_mesh_word_is(w, "f")) {
      if (!read_face(&t, soup)) return false;
    }
  } while (sar_mesh_next_line(&t));
  return true;
}
