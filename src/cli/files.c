// Files that a command reads and writes: no output replaces an input or another output.
//
// Files are compared by device and inode, so links of both kinds are seen through. With --force an
// input may be replaced; the new file is written beside it and takes its name only when all went
// well.
#include "cli/files.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Known {
  dev_t device;
  ino_t inode;
  char* path;
} Known;

static struct {
  Known* input;
  int inputs, capacity;
  const char* output[CLI_MAX_OUTPUTS];
  int outputs;
} files;

void cli_input(void* context, const char* path) {
  struct stat s;
  (void)context;
  if (stat(path, &s) != 0) return;
  if (files.inputs == files.capacity) {
    const int larger = files.capacity ? 2 * files.capacity : 64;
    Known* moved = sar_alloc((size_t)larger * sizeof *moved);
    if (!moved) return;
    if (files.inputs) memcpy(moved, files.input, (size_t)files.inputs * sizeof *moved);
    sar_free(files.input);
    files.input = moved;
    files.capacity = larger;
  }
  const size_t n = strlen(path) + 1;
  char* copy = sar_alloc(n);
  if (copy) memcpy(copy, path, n);
  files.input[files.inputs++] = (Known){s.st_dev, s.st_ino, copy};
}

static bool is_known(int index) {
  for (int i = 0; i < index; i++)
    if (files.input[i].device == files.input[index].device &&
        files.input[i].inode == files.input[index].inode)
      return true;
  return false;
}

// FNV-1a
static bool hash_file(const char* path, unsigned long long* hash) {
  unsigned char bytes[4096];
  FILE* f = path ? fopen(path, "rb") : NULL;
  if (!f) return false;
  for (size_t n; (n = fread(bytes, 1, sizeof bytes, f)) > 0;)
    for (size_t i = 0; i < n; i++) *hash = (*hash ^ bytes[i]) * 0x100000001b3u;
  const bool good = !ferror(f);
  fclose(f);
  *hash = (*hash ^ 0x100) * 0x100000001b3u;
  return good;
}

bool cli_inputs_hash(unsigned long long* hash) {
  *hash = 0xcbf29ce484222325u;
  for (int i = 0; i < files.inputs; i++)
    if (!is_known(i) && !hash_file(files.input[i].path, hash)) return false;
  return true;
}

static bool is_input(const struct stat* s) {
  for (int i = 0; i < files.inputs; i++)
    if (files.input[i].device == s->st_dev && files.input[i].inode == s->st_ino) return true;
  return false;
}

// Is it one name in one folder, however the way there is written?
static bool is_same_name(const char* a, const char* b) {
  const char *end_a = strrchr(a, '/'), *end_b = strrchr(b, '/');
  char folder[PATH_MAX];
  struct stat s, t;
  if (strcmp(end_a ? end_a + 1 : a, end_b ? end_b + 1 : b) != 0) return false;
  snprintf(folder, sizeof folder, "%.*s", end_a ? (int)(end_a - a) + 1 : 1, end_a ? a : ".");
  if (stat(folder, &s) != 0) return strcmp(a, b) == 0;
  snprintf(folder, sizeof folder, "%.*s", end_b ? (int)(end_b - b) + 1 : 1, end_b ? b : ".");
  return stat(folder, &t) == 0 && s.st_dev == t.st_dev && s.st_ino == t.st_ino;
}

// Output that has been begun already; devices (/dev/null) may be so twice.
static bool is_output(const char* path, const struct stat* s) {
  for (int i = 0; i < files.outputs; i++) {
    struct stat other;
    if ((!s || S_ISREG(s->st_mode)) && is_same_name(files.output[i], path)) return true;
    if (s && S_ISREG(s->st_mode) && stat(files.output[i], &other) == 0 &&
        other.st_dev == s->st_dev && other.st_ino == s->st_ino)
      return true;
  }
  return false;
}

// FOLDER/.PID-NAME: the same ending, which says the format, in the same file system
static bool name_beside(CliOutput* out) {
  const char* slash = strrchr(out->path, '/');
  const int folder = slash ? (int)(slash - out->path) + 1 : 0;
  const int n = snprintf(out->temporary, sizeof out->temporary, "%.*s.%ld-%s", folder, out->path,
                         (long)getpid(), out->path + folder);
  return n < (int)sizeof out->temporary;
}

SarStatus cli_output_begin(const CliArgs* args, const char* path, CliOutput* out, SarError* err) {
  struct stat s;
  const bool exists = stat(path, &s) == 0;
  const SarLoc loc = {.file = path};
  *out = (CliOutput){.path = path};
  if (is_output(path, exists ? &s : NULL) || files.outputs == CLI_MAX_OUTPUTS) {
    sar_report(err, loc, "give each its own", "two results cannot be written to one file");
    return SAR_BAD_ARGUMENT;
  }
  if (exists && is_input(&s)) {
    if (!args->force) {
      sar_report(err, loc, "name another file, or say --force",
                 "not written: this is one of the files that are read");
      return SAR_BAD_ARGUMENT;
    }
    if (!name_beside(out)) {
      sar_report(err, loc, "", "the name is too long");
      return SAR_BAD_ARGUMENT;
    }
  }
  files.output[files.outputs++] = path;
  return SAR_OK;
}

SarStatus cli_output_folder(const CliOutput* out, SarError* err) {
  char folder[sizeof out->temporary] = ".";
  const char* slash = strrchr(out->path, '/');
  const size_t n = slash ? (size_t)(slash - out->path) + 1 : 0;
  if (n >= sizeof folder) return SAR_OK;  // opening it will tell
  if (n) memcpy(folder, out->path, n), folder[n] = '\0';
  if (access(folder, W_OK | X_OK) == 0) return SAR_OK;
  sar_report(err, (SarLoc){.file = out->path}, "", "cannot be written: %s", strerror(errno));
  return SAR_NO_FILE;
}

const char* cli_output_path(const CliOutput* out) {
  return out->temporary[0] ? out->temporary : out->path;
}

SarStatus cli_output_end(CliOutput* out, SarStatus status, SarError* err) {
  if (!out->temporary[0]) return status;
  if (status != SAR_OK) {
    unlink(out->temporary);
  } else if (rename(out->temporary, out->path) != 0) {
    sar_report(err, (SarLoc){.file = out->path}, "", "cannot be replaced: %s", strerror(errno));
    unlink(out->temporary);
    status = SAR_NO_FILE;
  }
  out->temporary[0] = '\0';
  return status;
}
