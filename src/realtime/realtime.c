// The life of a real-time run: made, started in a thread of its own, waited for, ended.
#include "realtime/realtime.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/print.h"
#include "base/sized.h"
#include "realtime/again.h"
#include "realtime/outside.h"
#include "sim/watch.h"
#include "sim/setup.h"

#include <math.h>
#include <signal.h>
#include <string.h>
#include <time.h>

// ---- made ---------------------------------------------------------------------------------------

static SarStatus make(SarRealtime* rt, const SarRtPlace* place, SarError* err) {
  const SarModel* m = rt->m;
  SAR_TRY(sar_sim_options_take(rt->o.sim, &rt->sim, err));
  SAR_TRY(sar_data_new(m, &rt->d, err));
  if (rt->o.start) SAR_TRY(sar_data_copy(rt->d, rt->o.start));
  SAR_TRY(sar_rt_take_options(rt, err));
  SAR_TRY(sar_rt_make_ladder(rt, err));
  rt->outputs = sar_alloc((size_t)(m->nchannel + 1 + sar_watch_count(m)) * sizeof *rt->outputs);
  if (!rt->outputs) return SAR_NO_MEMORY;
  SAR_TRY(sar_again_new(rt, &rt->again));
  return sar_outside_open(m, &rt->o, rt->period, place, &rt->outside, err);
}

static bool make_locks(SarRealtime* rt) {
  pthread_condattr_t attributes;
  if (pthread_condattr_init(&attributes) != 0) return false;
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_mutex_init(&rt->mutex, NULL);
  pthread_mutex_init(&rt->reporting, NULL);
  pthread_cond_init(&rt->changed, &attributes);
  pthread_condattr_destroy(&attributes);
  return true;
}

SAR_API SarStatus sar_rt_new(const SarModel* m, const SarRtOptions* o, SarRealtime** out,
                             SarError* err) {
  return sar_rt_new_among(m, o, NULL, out, err);
}

SarStatus sar_rt_new_among(const SarModel* m, const SarRtOptions* o, const SarRtPlace* place,
                           SarRealtime** out, SarError* err) {
  SAR_GIVEN(out);
  *out = NULL;
  SAR_GIVEN(m && (!o || !o->start || sar_data_model(o->start) == m));
  SarRealtime* rt = sar_alloc(sizeof *rt);
  if (!rt) return SAR_NO_MEMORY;
  if (!make_locks(rt)) {
    sar_free(rt);
    return SAR_NO_MEMORY;
  }
  rt->m = m;
  rt->core = rt->latency_file = -1;
  sar_rt_options_sized(&rt->o, sizeof rt->o);
  SarStatus st = o ? sar_take_options(&rt->o, sizeof rt->o, o, "sar_rt_options", err) : SAR_OK;
  if (st == SAR_OK) st = make(rt, place, err);
  if (st == SAR_OK)
    *out = rt;
  else
    sar_rt_free(rt);
  return st;
}

// ---- the thread ---------------------------------------------------------------------------------

static void become(SarRealtime* rt, SarLoopState state) {
  pthread_mutex_lock(&rt->mutex);
  atomic_store(&rt->state, (int)state);
  pthread_cond_broadcast(&rt->changed);
  pthread_mutex_unlock(&rt->mutex);
}

// What the loop pushed reaches the file before the run counts as ended.
void sar_rt_end_recording(SarRealtime* rt) {
  SarError err;
  char text[400];
  sar_error_init(&err);
  const SarStatus st = sar_outside_end_recording(rt->outside, &err);
  if (st == SAR_OK || rt->status != SAR_OK) return;
  rt->status = st;
  if (err.count > 0) sar_error_format(&err, 0, text, sizeof text);
  sar_snprintf(rt->trouble, sizeof rt->trouble, "%s", err.count > 0 ? text : sar_status_text(st));
}

static void* thread(void* context) {
  SarRealtime* rt = context;
  sar_rt_prepare_thread(rt, rt->words);
  (void)sar_warm_up(rt->rung[0].s);  // without memory for it the first frame is slower
  become(rt, SAR_LOOP_RUNS);
  sar_rt_loop(rt);
  sar_rt_end_recording(rt);
  become(rt, SAR_LOOP_ENDED);
  return NULL;
}

// Signals are for the other threads of the program.
static int make_thread(SarRealtime* rt) {
  pthread_attr_t attributes;
  sigset_t all, before;
  sigfillset(&all);
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, SAR_LOOP_STACK);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const int refused = pthread_create(&rt->thread, &attributes, thread, rt);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  return refused;
}

SAR_API SarStatus sar_rt_start(SarRealtime* rt, SarError* err) {
  SAR_GIVEN(rt && atomic_load(&rt->state) == SAR_LOOP_NEW && !rt->has_thread);
  rt->words = err;
  sar_rt_prepare_process(rt, err);
  if (make_thread(rt) != 0) {
    sar_rt_leave_process(rt);
    sar_report(err, (SarLoc){0}, "", "the system makes no more threads");
    return SAR_NO_MEMORY;
  }
  rt->has_thread = true;
  pthread_mutex_lock(&rt->mutex);
  while (atomic_load(&rt->state) == SAR_LOOP_NEW) pthread_cond_wait(&rt->changed, &rt->mutex);
  pthread_mutex_unlock(&rt->mutex);
  return SAR_OK;
}

// ---- waited for ---------------------------------------------------------------------------------

static struct timespec in(double seconds) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  const double whole = floor(fmin(seconds, 1e9));
  t.tv_sec += (time_t)whole;
  t.tv_nsec += (long)(1e9 * (fmin(seconds, 1e9) - whole));
  if (t.tv_nsec >= 1000000000) t.tv_sec++, t.tv_nsec -= 1000000000;
  return t;
}

SAR_API bool sar_rt_wait(SarRealtime* rt, double seconds) {
  if (!rt || !rt->has_thread) return true;
  const struct timespec until = in(fmax(seconds, 0));
  int late = 0;
  pthread_mutex_lock(&rt->mutex);
  while (atomic_load(&rt->state) != SAR_LOOP_ENDED && late == 0)
    late = seconds < 0 ? pthread_cond_wait(&rt->changed, &rt->mutex)
                       : pthread_cond_timedwait(&rt->changed, &rt->mutex, &until);
  pthread_mutex_unlock(&rt->mutex);
  return atomic_load(&rt->state) == SAR_LOOP_ENDED;
}

SAR_API void sar_rt_stop(SarRealtime* rt) {
  if (rt) atomic_store(&rt->stop, 1);
}

SAR_API SarStatus sar_rt_run(SarRealtime* rt, SarError* err) {
  SAR_TRY(sar_rt_start(rt, err));
  sar_rt_wait(rt, -1);
  return rt->status;
}

SAR_API void sar_rt_free(SarRealtime* rt) {
  if (!rt) return;
  sar_rt_stop(rt);
  if (rt->has_thread) {
    pthread_join(rt->thread, NULL);
    sar_rt_leave_process(rt);
  }
  sar_outside_close(rt->outside);
  sar_again_free(rt->again);
  for (int k = 0; k < rt->rungs; k++) sar_sim_free(rt->rung[k].s);
  sar_data_free(rt->d);
  sar_data_free(rt->first);
  sar_free(rt->outputs);
  pthread_cond_destroy(&rt->changed);
  pthread_mutex_destroy(&rt->mutex);
  pthread_mutex_destroy(&rt->reporting);
  sar_free(rt);
}
