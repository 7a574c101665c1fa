// The system's clock: CLOCK_MONOTONIC, to which a thread sleeps by absolute times, so that errors
// do not add up.
#define _GNU_SOURCE  // RUSAGE_THREAD
#include "realtime/realtime.h"

#include <errno.h>
#include <sys/resource.h>
#include <time.h>

enum { NS = 1000000000 };

static long long in_ns(struct timespec t) { return (long long)t.tv_sec * NS + t.tv_nsec; }

static long long now(void* context) {
  (void)context;
  struct timespec t = {0};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return in_ns(t);
}

static long long cpu(void* context) {
  (void)context;
  struct timespec t = {0};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return in_ns(t);
}

static void wait_until(void* context, long long until) {
  (void)context;
  const struct timespec t = {.tv_sec = (time_t)(until / NS), .tv_nsec = (long)(until % NS)};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR) continue;
}

static long faults(void* context) {
  (void)context;
  struct rusage r = {0};
  getrusage(RUSAGE_THREAD, &r);
  return r.ru_minflt + r.ru_majflt;
}

const SarRtClock sar_rt_system_clock = {
    .now = now, .wait = wait_until, .cpu = cpu, .faults = faults};
