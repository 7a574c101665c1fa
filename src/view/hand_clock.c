// A clock that a hand holds (hand_clock.h). Whoever waits sleeps by the system's clock for a moment
// and looks again. Who waits for a moment only waits for another simulator (it polls), and comes
// back also where the clock stands still: that one may be there by now.
#include "view/hand_clock.h"

#include "base/clock.h"

#include <limits.h>
#include <math.h>
#include <time.h>

enum { NAP = 2000000, SPIN = 20000 };  // ns: at most; of who polls

static long long wall(void) { return llround(1e9 * sar_clock_wall()); }

// `at` as it is now; both with the mutex held.
static long long look(SarHandClock* p) {
  const long long now = wall();
  const double speed = p->speed > 0 ? p->speed : 1;
  if (p->running && !p->held) p->at += llround(speed * (double)(now - p->since));
  p->since = now;
  if (p->at >= p->limit) {
    p->at = p->limit;
    p->running = false;
    p->limit = LLONG_MAX;
  }
  return p->at;
}

// Without a speed the time comes to whoever waits for it.
static bool skip_to(SarHandClock* p, long long until) {
  if (p->speed > 0 || !p->running || p->held || until > p->limit) return false;
  p->at = until;
  return true;
}

static long long now(void* context) {
  SarHandClock* p = context;
  pthread_mutex_lock(&p->mutex);
  const long long at = look(p);
  pthread_mutex_unlock(&p->mutex);
  return at;
}

static void nap(double ns) {
  const struct timespec t = {.tv_nsec = (long)fmin(fmax(ns, SPIN), NAP)};
  nanosleep(&t, NULL);
}

static void wait_until(void* context, long long until) {
  SarHandClock* p = context;
  bool there = false, polls = false;
  for (int looks = 0; !there; looks = 1) {
    pthread_mutex_lock(&p->mutex);
    const long long left = until - look(p);
    const double speed = p->speed;
    const bool skipped = left > 0 && skip_to(p, until);
    there = left <= 0 || p->over || (polls && looks > 0);
    if (looks == 0) polls = left <= SPIN;
    pthread_mutex_unlock(&p->mutex);
    if (skipped) nap(0);  // others wait too
    if (!there && !skipped) nap(speed > 0 ? (double)left / speed : 0);
  }
}

static long long cpu(void* context) {
  (void)context;
  return llround(1e9 * sar_clock_cpu());
}

static long no_faults(void* context) {
  (void)context;
  return 0;
}

SarRtClock sar_hand_clock_clock(SarHandClock* p) {
  return (SarRtClock){p, now, wait_until, cpu, no_faults};
}

void sar_hand_clock_begin(SarHandClock* p, double speed) {
  *p = (SarHandClock){.since = wall(), .limit = LLONG_MAX, .speed = speed};
  pthread_mutex_init(&p->mutex, NULL);
}

void sar_hand_clock_end(SarHandClock* p) { pthread_mutex_destroy(&p->mutex); }

void sar_hand_clock_run(SarHandClock* p, bool running) {
  pthread_mutex_lock(&p->mutex);
  look(p);
  p->running = running;
  p->limit = LLONG_MAX;
  pthread_mutex_unlock(&p->mutex);
}

void sar_hand_clock_speed(SarHandClock* p, double speed) {
  pthread_mutex_lock(&p->mutex);
  look(p);
  p->speed = speed;
  pthread_mutex_unlock(&p->mutex);
}

void sar_hand_clock_hold(SarHandClock* p, bool held) {
  pthread_mutex_lock(&p->mutex);
  look(p);
  p->held = held;
  pthread_mutex_unlock(&p->mutex);
}

void sar_hand_clock_step(SarHandClock* p, long long ns) {
  pthread_mutex_lock(&p->mutex);
  const long long at = look(p);
  p->limit = (p->limit == LLONG_MAX ? at : p->limit) + ns;
  p->running = true;
  pthread_mutex_unlock(&p->mutex);
}

bool sar_hand_clock_runs(SarHandClock* p) {
  pthread_mutex_lock(&p->mutex);
  look(p);
  const bool runs = p->running && p->limit == LLONG_MAX;
  pthread_mutex_unlock(&p->mutex);
  return runs;
}

void sar_hand_clock_let_go(SarHandClock* p, bool over) {
  pthread_mutex_lock(&p->mutex);
  look(p);
  p->over = over;
  p->running = over;
  p->held = false;
  p->limit = LLONG_MAX;
  pthread_mutex_unlock(&p->mutex);
}
