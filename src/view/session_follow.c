// The thread of a session that is attached to a run (session.h): frames of what another process
// steps.
#include "view/session_parts.h"

#include "base/clock.h"
#include "view/attach.h"

#include <time.h>

static const double FRAMES = 60;  // per second, at most

size_t sar_session_pack(SarSession* s, double now, uint32_t flags, unsigned char* out) {
  const double wall = now - s->last_frame, moved = s->d->t - s->last_frame_t;
  if (s->pull.on) sar_pull_apply(&s->pull, s->d);  // to show it
  const SarFramePull pull = {s->pull.body, s->pull.at, s->pull.force};
  SarFrameInfo info = {.sequence = s->sequence++,
                       .steps = (uint64_t)sar_attach_frame(s->attached),
                       .overruns = (uint64_t)sar_attach_overruns(s->attached),
                       .flags = flags | (s->pull.on ? SAR_FRAME_PULLED : 0),
                       .wall = now - s->wall_start,
                       .step_cpu = sar_attach_cpu(s->attached),
                       .step = sar_attach_period(s->attached),
                       .outputs = s->outputs,
                       .pull = s->pull.on ? &pull : NULL};
  if (wall > 0 && wall < 1) s->speed_now += fmin(1, 2 * wall) * (moved / wall - s->speed_now);
  info.speed = s->running ? s->speed_now : 0;
  (void)sar_energy(s->d, &info.energy);  // forces, which are shown, are evaluated for it
  info.energy = sar_attach_energy(s->attached);
  s->last_frame = now;
  s->last_frame_t = s->d->t;
  return sar_frame_pack(&s->framer, s->d, &info, out);
}

static void publish(SarSession* s, double now) {
  const uint32_t flags = s->running ? SAR_FRAME_RUNNING : SAR_FRAME_ENDED;
  sar_latest_publish(&s->frames, sar_session_pack(s, now, flags, sar_latest_back(&s->frames)));
}

void sar_session_tell_attached(SarSession* s, bool running) {
  sar_session_tell(s, SAR_NOTE_LOG, running ? "attached to the run" : "the run has ended");
}

void sar_session_become(SarSession* s, bool running) {
  if (s->running == running) return;
  s->running = running;
  sar_session_share(s);
}

void* sar_session_follow(void* session) {
  SarSession* s = session;
  const struct timespec nap = {.tv_nsec = (long)(0.5e9 / FRAMES)},
                        long_nap = {.tv_nsec = 200000000};
  while (!atomic_load(&s->stop)) {
    sar_session_obey(s);
    const SarAttached found = sar_attach_look(s->attached, s->d, s->outputs);
    const double now = sar_clock_wall();
    if (found == SAR_ATTACH_OVER && s->running) {
      sar_session_tell_attached(s, false);
      sar_session_become(s, false);
      publish(s, now);
    }
    if (found == SAR_ATTACH_NEW && !s->running) sar_session_tell_attached(s, true);
    if (found == SAR_ATTACH_NEW) sar_session_become(s, true);
    if (found == SAR_ATTACH_NEW && now - s->last_frame >= 0.9 / FRAMES) publish(s, now);
    nanosleep(found == SAR_ATTACH_OVER ? &long_nap : &nap, NULL);
  }
  return NULL;
}
