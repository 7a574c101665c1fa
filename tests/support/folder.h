// Model files of a folder, by name, so that a test takes them in the same order everywhere.
#pragma once
#include "support/test.h"

#include <dirent.h>

enum { FOLDER_NAME = 128 };

static int folder_by_name(const void* a, const void* b) { return strcmp(a, b); }

// Fills in at most `most` names; returns how many. 0: there is no such folder, or none in it.
static int folder_models(const char* path, char (*names)[FOLDER_NAME], int most) {
  int count = 0;
  DIR* folder = opendir(path);
  if (!folder) return 0;
  for (struct dirent* entry; count < most && (entry = readdir(folder));)
    if (strstr(entry->d_name, ".yaml"))
      snprintf(names[count++], FOLDER_NAME, "%.120s", entry->d_name);
  closedir(folder);
  qsort(names, (size_t)count, sizeof names[0], folder_by_name);
  return count;
}
