// Files that belong to the program (beside.h).
#include "cli/beside.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// From the folder of the program: beside what was built, and installed.
static const char* const PLACES[] = {"", "../lib/sarrus/", "../lib64/sarrus/",
                                     "../" SARRUS_LIBDIR "/sarrus/"};

bool cli_find_beside(const char* name, char* path, size_t size) {
  char folder[PATH_MAX];
  const ssize_t n = readlink("/proc/self/exe", folder, sizeof folder - 1);
  char* slash = n > 0 ? (folder[n] = 0, strrchr(folder, '/')) : NULL;
  if (!slash) return false;
  *slash = 0;
  for (size_t i = 0; i < sizeof PLACES / sizeof *PLACES; i++)
    if (snprintf(path, size, "%s/%s%s", folder, PLACES[i], name) < (int)size &&
        access(path, R_OK) == 0)
      return true;
  return false;
}
