// Where the page of the window is (view_page.h).
#include "cli/view_page.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

// From the folder of the program: installed, beside what was built, and in the source tree around
// the build.
static const char* const PLACES[] = {"../share/sarrus/view/index.html",
                                     "share/sarrus/view/index.html", "../web/dist/index.html"};

static bool read_file(const char* path, SarMemoryFile* out) {
  char block[65536];
  size_t n;
  FILE* f = fopen(path, "rb");
  if (!f) return false;
  bool good = sar_memory_open(out);
  while (good && (n = fread(block, 1, sizeof block, f)) > 0)
    good = fwrite(block, 1, n, out->out) == n;
  good = good && !ferror(f);
  fclose(f);
  return sar_memory_close(out) && good;
}

static bool folder_of_program(char* out, size_t size) {
  const ssize_t n = readlink("/proc/self/exe", out, size - 1);
  if (n <= 0) return false;
  out[n] = '\0';
  char* slash = strrchr(out, '/');
  if (slash) *slash = '\0';
  return slash != NULL;
}

int view_page_read(const CliArgs* args, SarMemoryFile* out) {
  const char* given = cli_value(args, "page");
  char folder[PATH_MAX], path[PATH_MAX + 64];
  if (given) {
    if (read_file(given, out)) return EXIT_DONE;
    return cli_usage_error(args->command, "--page: cannot read '%s'", cli_shown(given));
  }
  if (folder_of_program(folder, sizeof folder))
    for (size_t i = 0; i < sizeof PLACES / sizeof *PLACES; i++) {
      snprintf(path, sizeof path, "%s/%s", folder, PLACES[i]);
      if (read_file(path, out)) return EXIT_DONE;
    }
  cli_usage_error(args->command,
                  "the page of the window is not there: build it by 'cmake --build build --target "
                  "web' (needs Node.js), or name one by --page FILE");
  return EXIT_USAGE;
}
