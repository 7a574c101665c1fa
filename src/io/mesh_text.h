// What the readers of mesh formats share: triangles as they come, and words of a text.
#pragma once
#include "io/mesh.h"

#include <stdbool.h>

// Triangles as they come. Arrays in the scratch arena.
typedef struct SarMeshSoup {
  SarArena* scratch;
  SAR_LIST(V3) vertex;
  SAR_LIST(int) index;  // three for each triangle
  const SarMeshRequest* request;
  SarError* err;
} SarMeshSoup;

// One message about the mesh; line 0: about the file as a whole. Always false.
bool sar_mesh_refuse(SarMeshSoup* soup, int line, const char* hint, const char* format, ...)
    __attribute__((format(printf, 4, 5)));
// False: no memory, or too many triangles (which is reported).
bool sar_mesh_add_vertex(SarMeshSoup* soup, V3 p);
bool sar_mesh_add_triangle(SarMeshSoup* soup, int a, int b, int c);

// Readers. False: reported, or no memory (scratch->failed).
bool sar_mesh_read_stl(const char* text, size_t n, SarMeshSoup* soup);
bool sar_mesh_read_obj(const char* text, size_t n, SarMeshSoup* soup);
bool sar_mesh_read_dae(const char* text, size_t n, SarMeshSoup* soup);

// A walk through a text, word by word.
typedef struct MeshText {
  const char *at, *end;
  int line;
} MeshText;
typedef struct MeshWord {
  const char* text;
  size_t n;  // 0: there is none
} MeshWord;

// The next word of this line.
MeshWord sar_mesh_word(MeshText* t);
// To the next line that has something in it; false at the end.
bool sar_mesh_next_line(MeshText* t);
bool sar_mesh_word_is(MeshWord w, const char* text);  // in small or capital letters
// The next word, of this line or of one that follows.
MeshWord sar_mesh_any_word(MeshText* t);
// Three numbers of this line, finite or not.
bool sar_mesh_numbers(MeshText* t, V3* out);
