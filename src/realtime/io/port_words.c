// What a port did, in a sentence for people: counts that are zero are left out.
#include "realtime/io/port_kind.h"

#include "base/print.h"

typedef struct Words {
  char* to;
  size_t size, used;
} Words;

static void add(Words* w, const char* format, ...) __attribute__((format(printf, 2, 3)));

static void add(Words* w, const char* format, ...) {
  va_list args;
  va_start(args, format);
  const int n = sar_vsnprintf(w->to + w->used, w->size - w->used, format, args);
  va_end(args);
  if (n > 0) w->used += (size_t)n < w->size - w->used ? (size_t)n : w->size - w->used - 1;
}

static void add_count(Words* w, uint64_t count, const char* what) {
  if (count) add(w, ", %llu %s", (unsigned long long)count, what);
}

static void add_times(Words* w, const SarStepTimes* h, const char* what) {
  if (h->count)
    add(w, "; %s %.3g ms (median), %.3g ms at worst", what, 1e3 * sar_step_times_median(h),
        1e3 * h->worst);
}

const char* sar_port_words(const SarPort* p, char* text, size_t size) {
  const SarPortStats* s = &p->stats;
  Words w = {text, size, 0};
  add(&w, "%s %s: %llu sent, %llu received", p->kind->name, p->address, (unsigned long long)s->sent,
      (unsigned long long)s->received);
  add_count(&w, s->unsent, "could not be sent");
  add_count(&w, s->superseded, "overtaken by newer ones");
  add_count(&w, s->lost, "lost");
  add_count(&w, s->duplicated, "twice");
  add_count(&w, s->reordered, "late");
  add_count(&w, s->garbage, "not understood");
  add_count(&w, s->foreign, "of other senders");
  add_count(&w, s->overflowed, "beyond the system's buffer");
  add_count(&w, s->restarts, "restarts of the other side");
  add_count(&w, s->timeouts, "time-outs");
  add_count(&w, s->frames_stale, "frames without news");
  add_times(&w, &s->age, "round trip");
  add_times(&w, &s->turnaround, "answered within");
  return text;
}
