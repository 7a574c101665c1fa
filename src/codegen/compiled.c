// Compiling and loading (compiled.h).
#include "codegen/compiled.h"

#include "base/print.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

static const char* const OPTIONS[] = {"-std=c11",          "-O2",   "-fno-tree-slp-vectorize",
                                      "-ffp-contract=off", "-fPIC", "-shared"};
enum { OPTION_COUNT = sizeof OPTIONS / sizeof *OPTIONS, MORE = 4 };

typedef struct Job {
  const char* text;
  size_t length;
  const char* const* more;  // options; NULL: none
  char compiler[PATH_MAX], folder[PATH_MAX - 64];
  char source[PATH_MAX], library[PATH_MAX];  // in the cache
  char* why;
  size_t size;
} Job;

static bool refuse(const Job* j, const char* what, const char* of) {
  sar_snprintf(j->why, j->size, "%s%s%s", what, *of ? ": " : "", of);
  return false;
}

// ---- the compiler -------------------------------------------------------------------------------

static bool find_on_path(const char* name, char* path, size_t size) {
  const char* at = getenv("PATH");
  if (strchr(name, '/')) {
    sar_snprintf(path, size, "%s", name);
    return access(path, X_OK) == 0;
  }
  for (; at && *at; at += strspn(at, ":")) {
    const size_t n = strcspn(at, ":");
    sar_snprintf(path, size, "%.*s/%s", (int)n, at, name);
    if (at[0] == '/' && access(path, X_OK) == 0) return true;
    at += n;
  }
  return false;
}

static bool find_compiler(Job* j) {
  const char* wish = getenv("SARRUS_CC");
  const char* const names[] = {wish ? wish : "cc", wish ? wish : "gcc", wish ? wish : "clang"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (find_on_path(names[i], j->compiler, sizeof j->compiler)) return true;
  return refuse(j, "no C compiler is on the PATH", "");
}

// ---- the cache ----------------------------------------------------------------------------------

static bool is_private(const struct stat* s) {
  return s->st_uid == geteuid() && (s->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

static bool find_folder(Job* j) {
  const char *own = getenv("SARRUS_CACHE"), *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  char above[PATH_MAX - 80] = "";
  struct stat s;
  if (!own && xdg && *xdg) sar_snprintf(above, sizeof above, "%s", xdg);
  if (!own && !*above && home && *home) sar_snprintf(above, sizeof above, "%s/.cache", home);
  if (own)
    sar_snprintf(j->folder, sizeof j->folder, "%s", own);
  else if (*above)
    sar_snprintf(j->folder, sizeof j->folder, "%s/sarrus", above);
  else
    return refuse(j, "there is no folder for a cache: HOME is not set", "");
  if (*above) (void)mkdir(above, 0700);
  (void)mkdir(j->folder, 0700);
  if (lstat(j->folder, &s) != 0) return refuse(j, "the cache cannot be made", j->folder);
  if (!S_ISDIR(s.st_mode) || !is_private(&s) || (s.st_mode & 077) != 0)
    return refuse(j, "the cache is not a folder of this user alone (mode 0700)", j->folder);
  return true;
}

// FNV-1a, from two starts: 128 bits; what has the same name is compared as a whole anyway
static uint64_t hash(uint64_t h, const char* text, size_t n) {
  for (size_t i = 0; i < n; i++) h = (h ^ (unsigned char)text[i]) * 0x100000001b3u;
  return h;
}

static void name_files(Job* j) {
  uint64_t h[2] = {0xcbf29ce484222325u, 0x9ae16a3b2f90404fu};
  for (int k = 0; k < 2; k++) {
    h[k] = hash(h[k], j->text, j->length);
    h[k] = hash(h[k], j->compiler, strlen(j->compiler));
    for (int i = 0; i < OPTION_COUNT; i++) h[k] = hash(h[k], OPTIONS[i], strlen(OPTIONS[i]) + 1);
    for (int i = 0; j->more && j->more[i]; i++)
      h[k] = hash(h[k], j->more[i], strlen(j->more[i]) + 1);
  }
  const unsigned long long a = h[0], b = h[1];
  sar_snprintf(j->source, sizeof j->source, "%s/%016llx%016llx.c", j->folder, a, b);
  sar_snprintf(j->library, sizeof j->library, "%s/%016llx%016llx.so", j->folder, a, b);
}

// Is the file ours, and does it hold the text?
static bool holds_text(const Job* j) {
  const int file = open(j->source, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  struct stat s;
  if (file < 0) return false;
  bool same = fstat(file, &s) == 0 && S_ISREG(s.st_mode) && is_private(&s) &&
              (size_t)s.st_size == j->length;
  char part[4096];
  for (size_t at = 0; same && at < j->length;) {
    const ssize_t n = read(file, part, sizeof part);
    same = n > 0 && at + (size_t)n <= j->length && memcmp(part, j->text + at, (size_t)n) == 0;
    at += n > 0 ? (size_t)n : 0;
  }
  close(file);
  return same;
}

typedef enum Cached { CACHED_NOT, CACHED_GOOD, CACHED_FOREIGN } Cached;

static Cached look_up(const Job* j) {
  struct stat s;
  if (lstat(j->library, &s) != 0) return CACHED_NOT;
  return S_ISREG(s.st_mode) && is_private(&s) && holds_text(j) ? CACHED_GOOD : CACHED_FOREIGN;
}

// ---- making one ---------------------------------------------------------------------------------

static bool write_text(const Job* j, const char* path) {
  const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0) return false;
  size_t at = 0;
  while (at < j->length) {
    const ssize_t n = write(file, j->text + at, j->length - at);
    if (n <= 0) break;
    at += (size_t)n;
  }
  return close(file) == 0 && at == j->length;
}

static bool run_compiler(const Job* j, const char* from, const char* to) {
  char* argv[OPTION_COUNT + MORE + 6];
  int n = 0, status = -1;
  pid_t child;
  posix_spawn_file_actions_t quiet;
  argv[n++] = (char*)(uintptr_t)j->compiler;
  for (int i = 0; i < OPTION_COUNT; i++) argv[n++] = (char*)(uintptr_t)OPTIONS[i];
  for (int i = 0; j->more && j->more[i] && i < MORE; i++) argv[n++] = (char*)(uintptr_t)j->more[i];
  argv[n++] = (char*)(uintptr_t) "-o";
  argv[n++] = (char*)(uintptr_t)to;
  argv[n++] = (char*)(uintptr_t)from;
  argv[n++] = (char*)(uintptr_t) "-lm";
  argv[n] = NULL;
  if (posix_spawn_file_actions_init(&quiet) != 0) return false;
  for (int fd = 0; fd < 3; fd++)
    posix_spawn_file_actions_addopen(&quiet, fd, "/dev/null", fd ? O_WRONLY : O_RDONLY, 0);
  const bool started = posix_spawn(&child, j->compiler, &quiet, NULL, argv, environ) == 0;
  posix_spawn_file_actions_destroy(&quiet);
  if (!started) return false;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool make(const Job* j) {
  char room[PATH_MAX], from[PATH_MAX + 8], to[PATH_MAX + 8];
  sar_snprintf(room, sizeof room, "%s/new-XXXXXX", j->folder);
  if (!mkdtemp(room)) return refuse(j, "the cache cannot be written to", j->folder);
  sar_snprintf(from, sizeof from, "%s/m.c", room);
  sar_snprintf(to, sizeof to, "%s/m.so", room);
  bool made = write_text(j, from);
  if (!made) refuse(j, "the cache cannot be written to", j->folder);
  if (made && !run_compiler(j, from, to)) made = refuse(j, "the compiler failed", j->compiler);
  // the text first: a library without it is not believed
  if (made && (chmod(to, 0600) != 0 || rename(from, j->source) != 0 || rename(to, j->library) != 0))
    made = refuse(j, "the cache cannot be written to", j->folder);
  unlink(from);
  unlink(to);
  rmdir(room);
  return made;
}

// ---- the whole ----------------------------------------------------------------------------------

bool sar_compiled_open(SarCompiled* c, const char* text, size_t length, const char* name,
                       const char* const* more, char* why, size_t size) {
  Job j = {.text = text, .length = length, .more = more, .why = why, .size = size};
  *c = (SarCompiled){0};
  if (!find_compiler(&j) || !find_folder(&j)) return false;
  name_files(&j);
  const Cached cached = look_up(&j);
  if (cached == CACHED_FOREIGN)
    return refuse(&j, "a file of the cache is not what was put there", j.library);
  if (cached == CACHED_NOT && !make(&j)) return false;
  c->library = dlopen(j.library, RTLD_NOW | RTLD_LOCAL);
  c->function = c->library ? dlsym(c->library, name) : NULL;
  if (c->function) return true;
  sar_compiled_close(c);
  return refuse(&j, "what was compiled cannot be loaded", j.library);
}

void sar_compiled_close(SarCompiled* c) {
  if (c->library) dlclose(c->library);
  *c = (SarCompiled){0};
}
