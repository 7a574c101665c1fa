// Words and triangles of mesh files.
#include "io/mesh_text.h"
#include "base/print.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <strings.h>

bool sar_mesh_refuse(SarMeshSoup* soup, int line, const char* hint, const char* format, ...) {
  char text[300];
  va_list args;
  va_start(args, format);
  sar_vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (line > 0)
    sar_report(soup->err, soup->request->loc, hint, "mesh '%.120s', line %d: %s",
               soup->request->name, line, text);
  else
    sar_report(soup->err, soup->request->loc, hint, "mesh '%.120s' %s", soup->request->name, text);
  return false;
}

bool sar_mesh_add_vertex(SarMeshSoup* soup, V3 p) {
  if (soup->vertex.count >= 3 * SAR_MAX_MESH_TRIANGLES)
    return sar_mesh_refuse(soup, 0, "", "has more than %d vertices", 3 * SAR_MAX_MESH_TRIANGLES);
  V3* slot = SAR_LIST_ADD(soup->scratch, &soup->vertex);
  if (slot) *slot = p;
  return slot != NULL;
}

bool sar_mesh_add_triangle(SarMeshSoup* soup, int a, int b, int c) {
  const int corner[3] = {a, b, c};
  if (soup->index.count >= 3 * SAR_MAX_MESH_TRIANGLES)
    return sar_mesh_refuse(soup, 0, "a coarser mesh is faster too", "has more than %d triangles",
                           SAR_MAX_MESH_TRIANGLES);
  for (int i = 0; i < 3; i++) {
    int* slot = SAR_LIST_ADD(soup->scratch, &soup->index);
    if (!slot) return false;
    *slot = corner[i];
  }
  return true;
}

// ---- words ---------------------------------------------------------------------------------

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == '\0';
}

// A backslash at the end of a line continues it (OBJ).
static bool skip_continued(MeshText* t) {
  const char* c = t->at;
  if (c == t->end || *c != '\\') return false;
  for (c++; c < t->end && *c == '\r';) c++;
  if (c == t->end || *c != '\n') return false;
  t->at = c + 1;
  t->line++;
  return true;
}

MeshWord sar_mesh_word(MeshText* t) {
  while (t->at < t->end && (is_blank(*t->at) || *t->at == '\\')) {
    if (is_blank(*t->at))
      t->at++;
    else if (!skip_continued(t))
      break;
  }
  MeshWord w = {t->at, 0};
  // a backslash in the middle of a word belongs to it
  while (t->at < t->end && !is_blank(*t->at) && *t->at != '\n') t->at++;
  w.n = (size_t)(t->at - w.text);
  return w;
}

bool sar_mesh_next_line(MeshText* t) {
  for (;;) {
    while (t->at < t->end && *t->at != '\n') t->at++;
    if (t->at == t->end) return false;
    t->at++;
    t->line++;
    MeshText look = *t;
    if (sar_mesh_word(&look).n > 0) return true;
  }
}

MeshWord sar_mesh_any_word(MeshText* t) {
  MeshWord w = sar_mesh_word(t);
  return w.n == 0 && sar_mesh_next_line(t) ? sar_mesh_word(t) : w;
}

bool sar_mesh_word_is(MeshWord w, const char* text) {
  size_t i = 0;
  for (; i < w.n && text[i]; i++) {
    char c = w.text[i] >= 'A' && w.text[i] <= 'Z' ? (char)(w.text[i] - 'A' + 'a') : w.text[i];
    if (c != text[i]) return false;
  }
  return i == w.n && !text[i];
}

bool sar_mesh_numbers(MeshText* t, V3* out) {
  double x[3];
  for (int i = 0; i < 3; i++) {
    MeshWord w = sar_mesh_word(t);
    if (!sar_text_to_double(w.text, w.n, &x[i])) return false;
  }
  *out = v3_load(x);
  return true;
}
