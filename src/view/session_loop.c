// The thread of a session: steps at the pace of the clock, frames for whoever looks (session.h).
//
// The simulation is due at  t = anchor.t + speed (now - anchor.wall).  Fixed steps are made as soon
// as their end is due. With error control steps end on the times of frames at the latest: the
// motion that is seen is even, and a step that is longer than a frame is cut there, as by an output
// step. When it falls behind by more than a quarter of a second the pace begins anew: time is lost,
// not made up for.
#include "view/session_parts.h"

#include "base/clock.h"
#include "sim/setup.h"

#include <math.h>
#include <time.h>

static const double FRAMES = 60;      // per second, at most
static const double FORGIVEN = 0.25;  // s behind the clock
static const double PULL_STEP = 1.0 / 240;

void sar_session_anchor(SarSession* s) {
  s->anchor = (SarAnchor){s->d->t, sar_clock_wall()};
  s->next = s->d->t;
}

static void sleep_for(double seconds) {
  const struct timespec t = {.tv_nsec = (long)(1e9 * fmin(fmax(seconds, 5e-5), 0.02))};
  nanosleep(&t, NULL);
}

// ---- frames -------------------------------------------------------------------------------------

static uint32_t flags_of(const SarSession* s, double now) {
  return (s->running ? SAR_FRAME_RUNNING : 0) | (s->ended ? SAR_FRAME_ENDED : 0) |
         (s->failed ? SAR_FRAME_FAILED : 0) | (s->pull.on ? SAR_FRAME_PULLED : 0) |
         (now < s->slow_until ? SAR_FRAME_SLOW : 0);
}

static void publish(SarSession* s, double now) {
  const double wall = now - s->last_frame, moved = s->d->t - s->last_frame_t;
  const SarFramePull pull = {s->pull.body, s->pull.at, s->pull.force};
  SarFrameInfo info = {.sequence = s->sequence++,
                       .steps = s->steps,
                       .overruns = s->overruns,
                       .flags = flags_of(s, now),
                       .wall = now - s->wall_start,
                       .step_cpu = s->worst_step,
                       .step = s->s ? s->s->stats.step_last : 0,
                       .pull = s->pull.on ? &pull : NULL};
  // a mean over about half a second
  if (wall > 0 && wall < 1) s->speed_now += fmin(1, 2 * wall) * (moved / wall - s->speed_now);
  if (!s->running) s->speed_now = 0;
  info.speed = s->speed_now;
  if (s->s && sar_outputs(s->s, s->outputs) == SAR_OK) info.outputs = s->outputs;
  if (sar_energy(s->d, &info.energy) != SAR_OK) info.energy = (SarEnergy){0};
  sar_latest_publish(&s->frames,
                     sar_frame_pack(&s->framer, s->d, &info, sar_latest_back(&s->frames)));
  s->last_frame = now;
  s->last_frame_t = s->d->t;
  s->worst_step = 0;
  s->changed = false;
}

// ---- steps --------------------------------------------------------------------------------------

static void tell_events(SarSession* s) {
  SarEvent e;
  for (const long count = sar_event_count(s->s); s->events < count; s->events++)
    if (sar_event(s->s, s->events, &e) == SAR_OK)
      sar_session_tell(s, SAR_NOTE_LOG, "%s is switched %s", e.name, e.on ? "on" : "off");
}

static void fail(SarSession* s) {
  s->failed = true;
  s->running = false;
  s->steps_wanted = 0;
  sar_session_tell(s, SAR_NOTE_LOG, "%.190s", sar_sim_trouble(s->s));
  sar_session_share(s);
}

static void end(SarSession* s) {
  s->ended = true;
  s->running = false;
  s->steps_wanted = 0;
  sar_session_tell(s, SAR_NOTE_LOG, "the end at %g s is reached; run goes on beyond it", s->d->t);
  sar_session_share(s);
}

static void step(SarSession* s, double limit) {
  const double before = s->d->t, cpu = sar_clock_cpu();
  if (s->pull.on) sar_pull_apply(&s->pull, s->d);
  const SarStatus st = sar_step_within(s->s, limit);
  const double took = sar_clock_cpu() - cpu;
  s->changed = true;
  if (st != SAR_OK) {
    fail(s);
    return;
  }
  s->steps++;
  s->worst_step = fmax(s->worst_step, took);
  s->overruns += s->speed > 0 && took * s->speed > s->d->t - before;
  tell_events(s);
  if (s->end > 0 && s->d->t >= s->end * (1 - 1e-12)) end(s);
}

// Where the next step may go to, and whether it is due.
static double limit_of(const SarSession* s) {
  double limit = s->s->adaptive ? s->next : (double)INFINITY;
  if (s->pull.on && s->s->adaptive) limit = fmin(limit, s->d->t + PULL_STEP);
  return s->end > 0 && s->end > s->d->t ? fmin(limit, s->end) : limit;
}

static double due(const SarSession* s) {
  const double t = s->s->adaptive ? fmin(s->next, limit_of(s)) : s->d->t + s->s->options.step;
  return s->speed > 0 ? s->anchor.wall + (t - s->anchor.t) / s->speed : 0;
}

static void advance(SarSession* s, double now) {
  if (s->s->adaptive && !(s->next > s->d->t))
    s->next = s->d->t + (s->speed > 0 ? s->speed : 1) / FRAMES;
  const double wait = due(s) - now;
  if (wait > 0) {
    sleep_for(fmin(wait, s->last_frame + 1 / FRAMES - now));
    return;
  }
  if (s->speed > 0 && wait < -FORGIVEN) {
    s->slow_until = now + 1;
    sar_session_anchor(s);
    if (s->s->adaptive) s->next = s->d->t + s->speed / FRAMES;
  }
  step(s, limit_of(s));
}

// A step of the length that the integrator takes by itself.
static void single(SarSession* s) {
  s->steps_wanted--;
  step(s, s->pull.on && s->s->adaptive ? s->d->t + PULL_STEP : (double)INFINITY);
}

void* sar_session_loop(void* session) {
  SarSession* s = session;
  sar_session_anchor(s);
  publish(s, sar_clock_wall());
  while (!atomic_load(&s->stop)) {
    sar_session_obey(s);
    const double now = sar_clock_wall();
    const bool waits = atomic_load(&s->waits);
    if (s->waited && !waits) sar_session_anchor(s);
    s->waited = waits;
    if (s->running && s->s && !waits)
      advance(s, now);
    else if (s->steps_wanted > 0 && s->s && !s->failed)
      single(s);
    else
      sleep_for(0.005);
    const double after = sar_clock_wall();
    if (s->changed && after - s->last_frame >= 0.98 / FRAMES) publish(s, after);
  }
  return NULL;
}
