// FMUs as archives (archive.h).
#include "fmi/archive.h"

#include "base/print.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_PATH = 4096, DEPTH = 64 };
enum { NO_TIME = 315532800, LEVEL = 3 };  // 1980, where ZIP begins; a fifth of the time of the best

void sar_folder_remove(const char* folder) {
  char path[MOST_PATH];
  DIR* all = opendir(folder);
  const struct dirent* entry;
  while (all && (entry = readdir(all))) {
    struct stat s;
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    if (sar_snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) >= (int)sizeof path)
      continue;
    if (lstat(path, &s) == 0 && S_ISDIR(s.st_mode))
      sar_folder_remove(path);
    else
      unlink(path);
  }
  if (all) closedir(all);
  rmdir(folder);
}

SarStatus sar_folder_make(char* out, size_t size, SarError* err) {
  const char* temporary = getenv("TMPDIR");
  const int n = sar_snprintf(out, size, "%s/sarrus-fmu-XXXXXX",
                             temporary && temporary[0] ? temporary : "/tmp");
  if (n > 0 && (size_t)n < size && mkdtemp(out)) return SAR_OK;
  sar_report(err, (SarLoc){0}, "set TMPDIR to a folder that can be written to",
             "no folder to unpack an FMU into: %s", strerror(errno));
  return SAR_NO_FILE;
}

#ifdef SARRUS_HAVE_ZIP
#include <zip.h>

bool sar_archive_offered(void) { return true; }

static SarStatus refuse(SarError* err, const char* path, const char* format, const char* what) {
  char shown[200];
  sar_report(err, (SarLoc){.file = path}, "", format, sar_visible(shown, sizeof shown, what));
  return SAR_BAD_MODEL;
}

// ---- writing ------------------------------------------------------------------------------------

static bool add_file(zip_t* z, const SarArchiveFile* f) {
  zip_source_t* source =
      f->path ? zip_source_file(z, f->path, 0, -1) : zip_source_buffer(z, f->text, f->size, 0);
  const zip_int64_t index =
      source ? zip_file_add(z, f->name, source, ZIP_FL_ENC_UTF_8 | ZIP_FL_OVERWRITE) : -1;
  if (source && index < 0) zip_source_free(source);
  return index >= 0 && zip_file_set_mtime(z, (zip_uint64_t)index, NO_TIME, 0) == 0 &&
         zip_set_file_compression(z, (zip_uint64_t)index, ZIP_CM_DEFLATE, LEVEL) == 0;
}

SarStatus sar_archive_write(const char* path, const SarArchiveFile* file, int count,
                            SarError* err) {
  int code = 0;
  zip_error_t why;
  zip_t* z = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, &code);
  if (!z) {
    zip_error_init_with_code(&why, code);
    sar_report(err, (SarLoc){.file = path}, "", "cannot be written: %s", zip_error_strerror(&why));
    zip_error_fini(&why);
    return SAR_NO_FILE;
  }
  bool good = true;
  for (int i = 0; good && i < count; i++) good = add_file(z, &file[i]);
  if (good && zip_close(z) == 0) return SAR_OK;
  sar_report(err, (SarLoc){.file = path}, "", "cannot be written: %s", zip_strerror(z));
  zip_discard(z);
  return SAR_NO_FILE;
}

// ---- unpacking ----------------------------------------------------------------------------------

// Parts between strokes, none of them empty, "." or ".."; no backslash, no colon (drives), no
// control characters.
static bool is_safe(const char* name) {
  int parts = 0;
  if (!name[0] || sar_has_controls(name)) return false;
  for (const char* part = name; *part;) {
    const size_t n = strcspn(part, "/");
    if (n == 0 || (n == 1 && part[0] == '.') || (n == 2 && part[0] == '.' && part[1] == '.'))
      return false;
    for (size_t i = 0; i < n; i++)
      if (part[i] == '\\' || part[i] == ':') return false;
    part += n;
    if (*part == '/') part++;
    if (++parts > DEPTH) return false;
  }
  return true;
}

static bool is_link(zip_t* z, zip_uint64_t i) {
  zip_uint8_t system;
  zip_uint32_t attributes;
  if (zip_file_get_external_attributes(z, i, 0, &system, &attributes) != 0) return false;
  return system == ZIP_OPSYS_UNIX && S_ISLNK(attributes >> 16);
}

// Everything that the list of entries tells, before a byte is written.
static SarStatus check(zip_t* z, const char* path, SarError* err) {
  const zip_int64_t count = zip_get_num_entries(z, 0);
  zip_uint64_t bytes = 0;
  if (count <= 0 || count > SAR_ARCHIVE_ENTRIES)
    return refuse(err, path, "not unpacked: %s", count > 0 ? "too many entries" : "it is empty");
  for (zip_uint64_t i = 0; i < (zip_uint64_t)count; i++) {
    zip_stat_t s;
    if (zip_stat_index(z, i, 0, &s) != 0 || !(s.valid & ZIP_STAT_NAME) ||
        !(s.valid & ZIP_STAT_SIZE) || !(s.valid & ZIP_STAT_COMP_SIZE))
      return refuse(err, path, "not unpacked: %s", "an entry is damaged");
    if (!is_safe(s.name))
      return refuse(err, path, "not unpacked: entry '%s' has a name that leads elsewhere", s.name);
    if (is_link(z, i)) return refuse(err, path, "not unpacked: entry '%s' is a link", s.name);
    if (s.encryption_method != ZIP_EM_NONE)
      return refuse(err, path, "not unpacked: entry '%s' is encrypted", s.name);
    if (s.size > SAR_ARCHIVE_BYTES || (bytes += s.size) > SAR_ARCHIVE_BYTES ||
        s.size / SAR_ARCHIVE_GROWTH > s.comp_size + 64)
      return refuse(err, path, "not unpacked: entry '%s' is too large", s.name);
  }
  return SAR_OK;
}

// Folders on the way to a file.
static bool make_folders(char* path, size_t from) {
  for (char* at = path + from; (at = strchr(at, '/')); at++) {
    *at = 0;
    const bool there = mkdir(path, 0700) == 0 || errno == EEXIST;
    *at = '/';
    if (!there) return false;
  }
  return true;
}

// As many bytes as the list says and no more, whatever the entry holds.
static bool copy_entry(zip_file_t* from, FILE* to, zip_uint64_t size) {
  char block[65536];
  while (size > 0) {
    const zip_uint64_t most = size < sizeof block ? size : sizeof block;
    const zip_int64_t n = zip_fread(from, block, most);
    if (n <= 0 || fwrite(block, 1, (size_t)n, to) != (size_t)n) return false;
    size -= (zip_uint64_t)n;
  }
  return zip_fread(from, block, 1) == 0;
}

static bool unpack_entry(zip_t* z, zip_uint64_t i, const zip_stat_t* s, const char* folder) {
  char path[MOST_PATH];
  const int n = sar_snprintf(path, sizeof path, "%s/%s", folder, s->name);
  if (n <= 0 || n >= (int)sizeof path || !make_folders(path, strlen(folder) + 1)) return false;
  if (path[n - 1] == '/') return true;
  zip_file_t* from = zip_fopen_index(z, i, 0);
  FILE* to = from ? fopen(path, "wbx") : NULL;
  bool good = to && copy_entry(from, to, s->size);
  if (to && fclose(to) != 0) good = false;
  if (from) zip_fclose(from);
  return good;
}

static SarStatus unpack(zip_t* z, const char* path, const char* folder, SarError* err) {
  SAR_TRY(check(z, path, err));
  const zip_int64_t count = zip_get_num_entries(z, 0);
  for (zip_uint64_t i = 0; i < (zip_uint64_t)count; i++) {
    zip_stat_t s;
    if (zip_stat_index(z, i, 0, &s) != 0 || !unpack_entry(z, i, &s, folder))
      return refuse(
          err, path,
          "entry '%s' cannot be unpacked: it is damaged, there twice, or the disk is full",
          s.name ? s.name : "");
  }
  return SAR_OK;
}

SarStatus sar_archive_unpack(const char* path, const char* folder, SarError* err) {
  int code = 0;
  zip_error_t why;
  zip_t* z = zip_open(path, ZIP_RDONLY, &code);
  if (!z) {
    zip_error_init_with_code(&why, code);
    sar_report(err, (SarLoc){.file = path}, "", "no FMU: %s", zip_error_strerror(&why));
    zip_error_fini(&why);
    return code == ZIP_ER_NOENT || code == ZIP_ER_OPEN ? SAR_NO_FILE : SAR_BAD_MODEL;
  }
  const SarStatus st = unpack(z, path, folder, err);
  zip_discard(z);
  return st;
}

SarStatus sar_archive_unpack_bytes(const void* bytes, size_t size, const char* name,
                                   const char* folder, SarError* err) {
  zip_error_t why;
  zip_error_init(&why);
  zip_source_t* source = zip_source_buffer_create(bytes, size, 0, &why);
  zip_t* z = source ? zip_open_from_source(source, ZIP_RDONLY, &why) : NULL;
  SarStatus st = SAR_BAD_MODEL;
  if (z)
    st = unpack(z, name, folder, err);
  else
    refuse(err, name, "no FMU: %s", zip_error_strerror(&why));
  if (z)
    zip_discard(z);
  else if (source)
    zip_source_free(source);
  zip_error_fini(&why);
  return st;
}
#else
bool sar_archive_offered(void) { return false; }

static SarStatus missing(const char* path, SarError* err) {
  sar_report(err, (SarLoc){.file = path}, "build it with libzip-dev installed",
             "this build reads and writes no FMUs: it was made without libzip");
  return SAR_NOT_OFFERED;
}

SarStatus sar_archive_write(const char* path, const SarArchiveFile* file, int count,
                            SarError* err) {
  (void)file, (void)count;
  return missing(path, err);
}

SarStatus sar_archive_unpack(const char* path, const char* folder, SarError* err) {
  (void)folder;
  return missing(path, err);
}

SarStatus sar_archive_unpack_bytes(const void* bytes, size_t size, const char* name,
                                   const char* folder, SarError* err) {
  (void)bytes, (void)size, (void)folder;
  return missing(name, err);
}
#endif
