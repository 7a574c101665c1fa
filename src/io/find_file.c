#include "io/find_file.h"
#include "base/print.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Does a relative path climb out of the folder that it starts from? By its text: links are looked
// at later.
static bool climbs_out(const char* path) {
  int depth = 0;
  for (const char* part = path; *part;) {
    size_t n = strcspn(part, "/");
    if (n == 2 && part[0] == '.' && part[1] == '.') {
      if (--depth < 0) return true;
    } else if (n > 0 && !(n == 1 && part[0] == '.')) {
      depth++;
    }
    part += n;
    part += strspn(part, "/");
  }
  return false;
}

// Is the file, with all links followed, in the folder or below it?
static bool is_below(const char* path, const char* folder) {
  char file[PATH_MAX], root[PATH_MAX];
  if (!realpath(path, file) || !realpath(folder[0] ? folder : ".", root)) return false;
  size_t n = strlen(root);
  if (n > 0 && root[n - 1] == '/') n--;
  return strncmp(file, root, n) == 0 && file[n] == '/';
}

static bool is_beside(SarArena* arena, const char* path, const char* file) {
  const char* folder = sar_path_beside(arena, file, "");
  return folder && is_below(path, folder);
}

static bool is_allowed(const SarFileRequest* q, SarArena* arena, const char* path) {
  const SarLoadOptions* o = q->options;
  if (q->anywhere || (q->from && is_beside(arena, path, q->from))) return true;
  for (const SarSource* s = q->within; s; s = s->parent)
    if (s->from_file && is_beside(arena, path, s->name)) return true;
  for (int i = 0; o && i < o->search_path_count; i++)
    if (is_below(path, o->search_paths[i])) return true;
  return false;
}

// A path is taken if it exists and may be read; *outside: it may not. Nothing is said about whether
// there is a file where none may be read.
static bool take(const SarFileRequest* q, SarArena* arena, const char* path, bool* outside) {
  if (!path) return false;
  if (!sar_file_exists(path)) {
    if (!q->anywhere && (sar_path_is_absolute(q->name) || climbs_out(q->name))) *outside = true;
    return false;
  }
  if (is_allowed(q, arena, path)) return true;
  *outside = true;
  return false;
}

static const char* search(const SarFileRequest* q, SarArena* arena, bool* outside) {
  const SarLoadOptions* o = q->options;
  if (sar_path_is_absolute(q->name)) return take(q, arena, q->name, outside) ? q->name : NULL;
  if (q->from) {
    const char* path = sar_path_beside(arena, q->from, q->name);
    if (take(q, arena, path, outside)) return path;
  }
  for (int i = 0; o && i < o->search_path_count; i++) {
    const char* path = sar_arena_printf(arena, "%s/%s", o->search_paths[i], q->name);
    if (take(q, arena, path, outside)) return path;
  }
  return NULL;
}

SarFileFound sar_find_file(const SarFileRequest* q, SarArena* arena) {
  SarFileFound found = {.hint = ""};
  bool outside = false;
  if (strstr(q->name, "://")) {
    sar_snprintf(found.text, sizeof found.text, "expected a file, found the address '%.120s'",
                 q->name);
    return found;
  }
  found.path = search(q, arena, &outside);
  if (found.path) return found;
  if (outside) {
    sar_snprintf(found.text, sizeof found.text,
                 "%s '%.200s' is outside the folder of the model and the search paths", q->what,
                 q->name);
    found.hint = "put it there or below, or name its folder with --path";
    return found;
  }
  sar_snprintf(found.text, sizeof found.text, "there is no %s '%.200s'", q->what, q->name);
  found.hint = q->from ? "it is looked for beside the file that names it and in the search paths"
                       : "a model from memory finds files in search paths only";
  return found;
}
