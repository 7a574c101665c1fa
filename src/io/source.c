// Files and paths.
#include "io/source.h"

#include "base/alloc.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static SarStatus refuse(SarError* err, SarLoc loc, const char* path, const char* why,
                        const char* hint) {
  if (loc.line == 0) loc.file = path;
  if (loc.line == 0)
    sar_report(err, loc, hint, "%s", why);
  else
    sar_report(err, loc, hint, "'%s': %s", path, why);
  return SAR_NO_FILE;
}

static SarStatus check(const char* path, bool regular, SarLoc loc, SarFileText* out,
                       SarError* err) {
  struct stat info;
  if (stat(path, &info) != 0) {
    bool missing = errno == ENOENT || errno == ENOTDIR;
    return refuse(err, loc, path, missing ? "there is no such file" : "the file cannot be opened",
                  missing ? "check the path" : "check its permissions");
  }
  out->id = (SarFileId){(unsigned long long)info.st_dev, (unsigned long long)info.st_ino};
  if (S_ISDIR(info.st_mode))
    return refuse(err, loc, path, "this is a folder, not a model file", "name a file in it");
  if (regular && !S_ISREG(info.st_mode))
    return refuse(err, loc, path, "only plain files can be included", "");
  return SAR_OK;
}

// Doubles the room as it fills: pipes do not tell their size.
static SarStatus read_all(FILE* f, const char* path, size_t max, SarLoc loc, SarFileText* out,
                          SarError* err) {
  for (size_t room = 1 << 14;; room *= 2) {
    char* larger = sar_alloc(room + 1);
    if (!larger) return SAR_NO_MEMORY;
    if (out->size) memcpy(larger, out->text, out->size);
    sar_free(out->text);
    out->text = larger;
    out->size += fread(larger + out->size, 1, room - out->size, f);
    if (ferror(f)) return refuse(err, loc, path, "the file cannot be read to its end", "");
    if (out->size > max) {
      char why[64];
      snprintf(why, sizeof why, "larger than %zu MiB", max >> 20);
      return refuse(err, loc, path, why, "is this a model file?");
    }
    if (out->size < room) return SAR_OK;
  }
}

SarStatus sar_file_open(const char* path, size_t max, bool regular, SarLoc loc, SarFileText* out,
                        SarError* err) {
  *out = (SarFileText){0};
  SAR_TRY(check(path, regular, loc, out, err));
  FILE* f = fopen(path, "rb");
  if (!f) return refuse(err, loc, path, "the file cannot be opened", "check its permissions");
  SarStatus st = read_all(f, path, max, loc, out, err);
  fclose(f);
  return st;
}

void sar_note_file(const SarLoadOptions* o, const char* path) {
  if (o && o->on_file) o->on_file(o->on_file_context, path);
}

void sar_file_close(SarFileText* file) {
  sar_free(file->text);
  *file = (SarFileText){0};
}

bool sar_file_exists(const char* path) {
  struct stat info;
  return stat(path, &info) == 0;
}

bool sar_path_has_extension(const char* path, const char* extension) {
  size_t n = strlen(path), m = strlen(extension);
  return n > m && strcasecmp(path + n - m, extension) == 0;
}

bool sar_path_is_absolute(const char* path) { return path[0] == '/'; }

char* sar_path_beside(SarArena* a, const char* file, const char* name) {
  const char* slash = strrchr(file, '/');
  int folder = slash ? (int)(slash - file) + 1 : 0;
  return sar_arena_printf(a, "%.*s%s", folder, file, name);
}
