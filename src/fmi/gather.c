// The files of a model in one folder (gather.h).
#include "fmi/gather.h"

#include "base/error.h"
#include "base/print.h"
#include "io/source.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char* sar_path_absolute(SarArena* arena, const char* path) {
  char here[PATH_MAX];
  const char* full = path;
  if (path[0] != '/')
    full = getcwd(here, sizeof here) ? sar_arena_printf(arena, "%s/%s", here, path) : NULL;
  char* out = full ? sar_arena_strdup(arena, full) : NULL;
  if (!out) return NULL;
  size_t used = 0;
  for (const char* part = full; *part;) {
    part += strspn(part, "/");
    const size_t n = strcspn(part, "/");
    if (n == 2 && part[0] == '.' && part[1] == '.') {
      while (used > 0 && out[--used] != '/') {
      }
    } else if (n > 0 && !(n == 1 && part[0] == '.')) {
      out[used++] = '/';
      memmove(out + used, part, n);
      used += n;
    }
    part += n;
  }
  out[used] = 0;
  return out;
}

void sar_gather_note(void* context, const char* path) {
  SarGathered* g = context;
  const char* full = sar_path_absolute(g->arena, path);
  for (int i = 0; full && i < g->files.count; i++)
    if (strcmp(g->files.items[i], full) == 0) return;
  const char** slot = full ? SAR_LIST_ADD(g->arena, &g->files) : NULL;
  if (slot) *slot = full;
}

static bool is_in(const char* file, const char* folder) {
  const size_t n = strlen(folder);
  return strncmp(file, folder, n) == 0 && file[n] == '/';
}

// Shortens a folder until it holds the path.
static void widen(char* folder, const char* path) {
  while (folder[0] && !is_in(path, folder) && strcmp(path, folder) != 0) {
    char* slash = strrchr(folder, '/');
    if (slash)
      *slash = 0;
    else
      folder[0] = 0;
  }
}

SarStatus sar_gather_place(SarGathered* g, const char* const* paths, int count, const char** path,
                           int* found, SarError* err) {
  *found = 0;
  if (g->arena->failed || g->files.count == 0) return SAR_NO_MEMORY;
  char* root = sar_arena_strdup(g->arena, g->files.items[0]);
  if (!root) return SAR_NO_MEMORY;
  *strrchr(root, '/') = 0;
  for (int i = 0; i < g->files.count; i++) widen(root, g->files.items[i]);
  for (int k = 0; k < count; k++) {
    const char* folder = sar_path_absolute(g->arena, paths[k]);
    bool used = false;
    for (int i = 0; folder && i < g->files.count; i++)
      used = used || is_in(g->files.items[i], folder);
    if (!used) continue;
    widen(root, folder);
    path[(*found)++] = folder;
  }
  g->root = root;
  const size_t n = strlen(root);
  for (int k = 0; k < *found; k++) path[k] = sar_arena_printf(g->arena, "model%s", path[k] + n);
  for (int i = 0; i < g->files.count; i++) {
    const char** name = SAR_LIST_ADD(g->arena, &g->names);
    if (!name) return SAR_NO_MEMORY;
    *name = g->files.items[i] + n + 1;
    if (!sar_has_controls(*name) && !strchr(*name, '\n') && !strchr(*name, '\\') &&
        !strchr(*name, ':'))
      continue;
    sar_report(err, (SarLoc){.file = g->files.items[i]}, "rename the file",
               "its name has characters that an FMU cannot have");
    return SAR_BAD_ARGUMENT;
  }
  return g->arena->failed ? SAR_NO_MEMORY : SAR_OK;
}

static SarStatus copy(const char* from, const char* to, SarError* err) {
  SarFileText text;
  SarStatus st = sar_file_open(from, INT_MAX, false, (SarLoc){0}, &text, err);
  FILE* f = st == SAR_OK ? fopen(to, "wb") : NULL;
  bool good = f && fwrite(text.text, 1, text.size, f) == text.size;
  if (f && fclose(f) != 0) good = false;
  sar_file_close(&text);
  if (st != SAR_OK || good) return st;
  sar_report(err, (SarLoc){.file = to}, "", "cannot be written: %s", strerror(errno));
  return SAR_NO_FILE;
}

SarStatus sar_gather_copy(const SarGathered* g, const char* folder, SarError* err) {
  for (int i = 0; i < g->files.count; i++) {
    char* to = sar_arena_printf(g->arena, "%s/model/%s", folder, g->names.items[i]);
    if (!to) return SAR_NO_MEMORY;
    for (char* at = to + strlen(folder) + 1; (at = strchr(at, '/')); at++) {
      *at = 0;
      (void)mkdir(to, 0700);  // what fails shows where the file is written
      *at = '/';
    }
    SAR_TRY(copy(g->files.items[i], to, err));
  }
  return SAR_OK;
}
