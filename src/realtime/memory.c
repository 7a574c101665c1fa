// Pages that are there before the loop begins: memory that was asked for but not touched, and code
// that was not run yet, would be fetched by page faults in the midst of a step.
//
// Every mapping of the process (/proc/self/maps) is populated by the system itself, which changes
// no byte and so needs to know nothing of who owns it: MADV_POPULATE_WRITE for what can be written,
// _READ for code and constants. Reserved room that no program means to fill (address sanitizers
// have terabytes of it) is left alone.
#define _GNU_SOURCE  // madvise
#include "realtime/realtime.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#define MADV_POPULATE_WRITE 23
#endif

void sar_rt_touch_memory(size_t most) {
  FILE* f = fopen("/proc/self/maps", "r");
  char line[512];
  size_t sum = 0;
  while (f && fgets(line, sizeof line, f)) {
    uintptr_t from, to;
    char may[5] = "";
    if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s", &from, &to, may) != 3) continue;
    const size_t size = to - from;
    if (may[0] != 'r' || strstr(line, "[v") || size > most || sum > most - size) continue;
    sum += size;
    // refused where a file ends before its mapping does, and by old systems: advice only
    (void)madvise((void*)from, size, may[1] == 'w' ? MADV_POPULATE_WRITE : MADV_POPULATE_READ);
  }
  if (f) fclose(f);
}
