// The hardware's counter of instructions (instructions.h).
#include "realtime/instructions.h"

#include <linux/perf_event.h>
#include <math.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

int sar_instructions_open(void) {
  struct perf_event_attr a = {.type = PERF_TYPE_HARDWARE,
                              .size = sizeof a,
                              .config = PERF_COUNT_HW_INSTRUCTIONS,
                              .exclude_kernel = 1,
                              .exclude_hv = 1};
  return (int)syscall(SYS_perf_event_open, &a, 0, -1, -1, 0);
}

double sar_instructions_read(int file) {
  uint64_t count;
  if (file < 0 || read(file, &count, sizeof count) != (ssize_t)sizeof count) return (double)NAN;
  return (double)count;
}

void sar_instructions_close(int file) {
  if (file >= 0) close(file);
}
