// Files and paths.
#include "io/source.h"

#include "base/alloc.h"
#include "base/print.h"

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

// The file that was meant, with another ending or without any: "did you mean 'arm.yaml'?".
static const char* other_ending(char* hint, size_t size, const char* path) {
  static const char* const endings[] = {".yaml", ".yml", ".json", ".urdf", ".xml"};
  const char* dot = strrchr(path, '.');
  const bool ends = dot && !strchr(dot, '/');
  for (size_t i = 0; i < 2 * sizeof endings / sizeof *endings; i++) {
    char other[1024];
    if (i % 2 == 1 && !ends) continue;
    const size_t n = i % 2 == 1 ? (size_t)(dot - path) : strlen(path);
    if (n + 8 > sizeof other) break;
    sar_snprintf(other, sizeof other, "%.*s%s", (int)n, path, endings[i / 2]);
    if (!sar_file_exists(other)) continue;
    sar_snprintf(hint, size, "did you mean '%.200s'?", other);
    return hint;
  }
  return "check the path";
}

static SarStatus check(const char* path, bool regular, SarLoc loc, SarFileText* out, size_t* room,
                       SarError* err) {
  struct stat info;
  if (stat(path, &info) != 0) {
    bool missing = errno == ENOENT || errno == ENOTDIR;
    char hint[256];
    return refuse(err, loc, path, missing ? "there is no such file" : "the file cannot be opened",
                  missing ? other_ending(hint, sizeof hint, path) : "check its permissions");
  }
  out->id = (SarFileId){(unsigned long long)info.st_dev, (unsigned long long)info.st_ino};
  if (S_ISDIR(info.st_mode))
    return refuse(err, loc, path, "this is a folder, not a model file", "name a file in it");
  if (regular && !S_ISREG(info.st_mode))
    return refuse(err, loc, path, "only plain files can be included", "");
  if (S_ISREG(info.st_mode) && info.st_size > 0) *room = (size_t)info.st_size + 1;
  return SAR_OK;
}

// Room for `room` bytes and a 0 behind them; what there is moves there.
static bool make_room(SarFileText* out, size_t room) {
  if (!sar_budget_take(out->budget, room + 1)) return false;
  char* larger = sar_alloc(room + 1);
  if (!larger) {
    sar_budget_give(out->budget, room + 1);
    return false;
  }
  if (out->size) memcpy(larger, out->text, out->size);
  sar_free(out->text);
  sar_budget_give(out->budget, out->room);
  out->text = larger;
  out->room = room + 1;
  return true;
}

// As much room as the file says it needs; doubled as it fills, for pipes do not tell their size. A
// byte more than there is shows the end.
static SarStatus read_all(FILE* f, const char* path, size_t max, size_t room, SarLoc loc,
                          SarFileText* out, SarError* err) {
  for (;; room *= 2) {
    if (!make_room(out, room)) return SAR_NO_MEMORY;
    out->size += fread(out->text + out->size, 1, room - out->size, f);
    if (ferror(f)) return refuse(err, loc, path, "the file cannot be read to its end", "");
    if (out->size > max) {
      char why[64];
      sar_snprintf(why, sizeof why, "larger than %zu MiB", max >> 20);
      return refuse(err, loc, path, why, "is this a model file?");
    }
    if (out->size < room) return SAR_OK;
  }
}

SarStatus sar_file_open_in(SarBudget* budget, const char* path, size_t max, bool regular,
                           SarLoc loc, SarFileText* out, SarError* err) {
  size_t room = 1 << 14;
  *out = (SarFileText){.budget = budget};
  sar_budget_doing(budget, "reading", loc.line ? loc : (SarLoc){path, 0, 0});
  SAR_TRY(check(path, regular, loc, out, &room, err));
  FILE* f = fopen(path, "rb");
  if (!f && errno == ENOMEM) return SAR_NO_MEMORY;
  if (!f) return refuse(err, loc, path, "the file cannot be opened", "check its permissions");
  SarStatus st = read_all(f, path, max, room > max ? max + 1 : room, loc, out, err);
  fclose(f);
  return st;
}

SarStatus sar_file_open(const char* path, size_t max, bool regular, SarLoc loc, SarFileText* out,
                        SarError* err) {
  return sar_file_open_in(NULL, path, max, regular, loc, out, err);
}

void sar_note_file(const SarLoadOptions* o, const char* path) {
  if (o && o->on_file) o->on_file(o->on_file_context, path);
}

void sar_file_close(SarFileText* file) {
  sar_free(file->text);
  sar_budget_give(file->budget, file->room);
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
