// The allocation counter as a library to preload into any program, libraries it uses included.
//
//   SARRUS_ALLOC_FAIL=n       the n-th allocation of the process fails
//   SARRUS_ALLOC_REPORT=file  at exit, writes "COUNT REFUSED LIVE": allocations asked for, 1 if the
//   n-th one was refused, and blocks that nobody gave back
#include "alloc_count.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((constructor)) static void start(void) {
  const char* n = getenv("SARRUS_ALLOC_FAIL");
  alloc_count_reset();
  if (n) alloc_fail_at(strtol(n, NULL, 10));
}

// open and write, not fopen: the report must not allocate
__attribute__((destructor)) static void report(void) {
  const char* path = getenv("SARRUS_ALLOC_REPORT");
  if (!path) return;
  char line[64];
  int n = snprintf(line, sizeof line, "%ld %d %ld\n", alloc_count(), alloc_has_failed(),
                   alloc_count_live());
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file < 0) return;
  if (write(file, line, (size_t)n) != n) unlink(path);
  close(file);
}
