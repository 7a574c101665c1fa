// What this machine adds to a loop beside the clock by itself: the same arithmetic in registers a
// thousand times a second, with real-time priority and locked memory, and the CPU time of each
// round. It has no branches and no memory to wait for, so what differs between rounds is
// interrupts, the host of a virtual machine and the frequency of the processor, booked as CPU time
// of the thread. tools/run-minute prints it beside the engine's frames.
//   cc -O1 -o fixed_work bench/fixed_work.c && ./fixed_work SECONDS
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

enum { RATE = 1000, ROUND = 40000, NS = 1000000000 };

static double cpu(void) {
  struct timespec t = {0};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_size(const void* pa, const void* pb) {
  const double a = *(const double*)pa, b = *(const double*)pb;
  return (a > b) - (a < b);
}

static double work(void) {
  double x = 1;
  for (int k = 0; k < ROUND; k++) x = x * 1.0000001 + 1e-9;
  return x;
}

static void run(double* took, int rounds) {
  struct timespec next = {0};
  volatile double sink = 0;
  clock_gettime(CLOCK_MONOTONIC, &next);
  for (int i = 0; i < rounds; i++) {
    next.tv_nsec += NS / RATE;
    if (next.tv_nsec >= NS) next.tv_sec++, next.tv_nsec -= NS;
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
    const double before = cpu();
    sink = work();
    took[i] = cpu() - before;
  }
  (void)sink;
}

int main(int argc, char** argv) {
  const int seconds = argc > 1 ? atoi(argv[1]) : 10, rounds = seconds * RATE;
  const struct sched_param priority = {.sched_priority = 80};
  if (seconds < 1 || seconds > 3600) return 2;
  double* took = calloc((size_t)rounds, sizeof *took);
  if (!took) return 1;
  for (int i = 0; i < rounds; i++) took[i] = 1;  // touched
  const int locked = mlockall(MCL_CURRENT | MCL_FUTURE) == 0;
  const int first = sched_setscheduler(0, SCHED_FIFO, &priority) == 0;
  run(took, rounds);
  qsort(took, (size_t)rounds, sizeof *took, by_size);
  const double median = took[rounds / 2], worst = took[rounds - 1];
  printf("the same arithmetic at %d Hz, no engine: %.1f us (median), %.1f at worst: %.1f%s%s\n",
         RATE, 1e6 * median, 1e6 * worst, worst / median, locked ? "" : "; memory is not locked",
         first ? "" : "; no real-time priority");
  free(took);
  return 0;
}
