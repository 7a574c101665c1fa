// What a real-time thread asks of the system: memory that stays, a priority, a core, short sleeps.
// Each may be refused; then it is said what is missing and what to do about it, and the run goes
// on.
#define _GNU_SOURCE  // cpu sets
#include "base/error.h"
#include "realtime/realtime.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static const SarLoc nowhere;

// ---- memory -------------------------------------------------------------------------------------

static void lock_memory(SarRealtime* rt, SarError* err) {
  rt->locked = mlockall(MCL_CURRENT | MCL_FUTURE) == 0;
  if (rt->locked) return;
  struct rlimit limit = {0};
  getrlimit(RLIMIT_MEMLOCK, &limit);
  sar_warn(err, nowhere,
           "raise 'ulimit -l' ('memlock' in /etc/security/limits.conf), or give CAP_IPC_LOCK",
           "memory is not locked (%s; the limit is %llu kB): under pressure the system may take "
           "pages away, which shows as page faults",
           strerror(errno), (unsigned long long)limit.rlim_cur / 1024);
}

// Deep sleep of processors takes long to wake up from: this file keeps them out of it while it is
// open (PM QoS).
static void stay_awake(SarRealtime* rt) {
  const int32_t no_latency = 0;
  rt->latency_file = open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC);
  if (rt->latency_file < 0) return;
  if (write(rt->latency_file, &no_latency, sizeof no_latency) == (ssize_t)sizeof no_latency) return;
  close(rt->latency_file);
  rt->latency_file = -1;
}

void sar_rt_prepare_process(SarRealtime* rt, SarError* err) {
  if (rt->o.lock_memory) lock_memory(rt, err);
  if (rt->o.scheduling != SAR_RT_AS_IS) stay_awake(rt);
}

void sar_rt_leave_process(SarRealtime* rt) {
  if (rt->locked) munlockall();
  rt->locked = false;
  if (rt->latency_file >= 0) close(rt->latency_file);
  rt->latency_file = -1;
}

// ---- core ---------------------------------------------------------------------------------------

// The first core that the system keeps for such threads (isolcpus=, isolated cpusets); -1: none.
static int isolated_core(const cpu_set_t* allowed) {
  int core = -1;
  FILE* f = fopen("/sys/devices/system/cpu/isolated", "r");
  if (f && fscanf(f, "%d", &core) != 1) core = -1;
  if (f) fclose(f);
  return core >= 0 && core < CPU_SETSIZE && CPU_ISSET(core, allowed) ? core : -1;
}

static void pin(SarRealtime* rt, SarError* err) {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  const int core = rt->o.core == -1 ? isolated_core(&set) : rt->o.core;
  if (core < 0) return;
  if (rt->o.scheduling == SAR_RT_DEADLINE) {
    sar_warn(err, nowhere, "put the program into a cpuset of one core",
             "not pinned to core %d: SCHED_DEADLINE admits threads that may run on all cores of "
             "their set",
             core);
    return;
  }
  CPU_ZERO(&set);
  if (core < CPU_SETSIZE) CPU_SET(core, &set);
  rt->pinned = sched_setaffinity(0, sizeof set, &set) == 0;
  if (rt->pinned)
    rt->core = core;
  else
    sar_warn(err, nowhere, "'taskset -p' and the cpuset of the program show which it may have",
             "not pinned to core %d: %s", core, strerror(errno));
}

// ---- priority -----------------------------------------------------------------------------------

// As the kernel has it (sched_setattr(2)); the C library knows it only of late.
typedef struct Attributes {
  uint32_t size, policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime, deadline, period;  // ns
} Attributes;

enum { POLICY_FIFO = 1, POLICY_DEADLINE = 6 };

static bool schedule(const SarRealtime* rt) {
  const bool fifo = rt->o.scheduling == SAR_RT_FIFO;
  Attributes a = {.size = sizeof a, .policy = fifo ? POLICY_FIFO : POLICY_DEADLINE};
  if (fifo) {
    a.priority = (uint32_t)rt->o.priority;
  } else {
    a.period = a.deadline = (uint64_t)rt->period_ns;
    a.runtime = (uint64_t)(rt->o.share * rt->period_ns);
  }
  return syscall(SYS_sched_setattr, 0, &a, 0) == 0;
}

static void take_priority(SarRealtime* rt, SarError* err) {
  if (rt->o.scheduling == SAR_RT_AS_IS) return;
  rt->scheduled = schedule(rt);
  if (rt->scheduled) return;
  const int why = errno;
  const bool fifo = rt->o.scheduling == SAR_RT_FIFO;
  sar_warn(err, nowhere,
           why == EPERM && !fifo
               ? "give CAP_SYS_NICE (setcap cap_sys_nice,cap_ipc_lock+ep): a limit "
                 "on priorities is not enough for it; or take --scheduler fifo"
           : why == EPERM ? "raise 'ulimit -r' ('rtprio' in /etc/security/limits.conf), or give "
                            "CAP_SYS_NICE: setcap cap_sys_nice,cap_ipc_lock+ep"
           : why == EBUSY ? "other threads have what there is: a smaller share, or fewer of them"
                          : "",
           "no real-time priority (%s: %s): anything else on the machine may delay the loop",
           fifo ? "SCHED_FIFO" : "SCHED_DEADLINE", strerror(why));
}

// ---- all of it ----------------------------------------------------------------------------------

// Room for the deepest calls of a step. Written, so that no page of it is shared with zeros.
static void touch_stack(void) {
  volatile unsigned char room[SAR_LOOP_STACK / 2];
  for (size_t i = 0; i < sizeof room; i += 1024) room[i] = 1;
}

void sar_rt_prepare_thread(SarRealtime* rt, SarError* err) {
  prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);  // ns; without it sleeps of ordinary threads end 50 us late
  sar_rt_touch_memory(rt->m->memory_limit + ((size_t)1 << 28));
  touch_stack();
  pin(rt, err);
  take_priority(rt, err);
}
