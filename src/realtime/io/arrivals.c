// Hold-last and fail-safe values (arrivals.h).
#include "realtime/io/arrivals.h"

#include "base/alloc.h"
#include "base/block.h"
#include "base/error.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

static size_t lay_out(SarArrivals* a, void* memory) {
  SarBlock b = sar_block(memory, 0);
  SAR_PIECE(&b, a->value, a->count + 1);
  SAR_PIECE(&b, a->safe, a->count);
  SAR_PIECE(&b, a->since, a->count);
  SAR_PIECE(&b, a->known, a->count);
  SAR_PIECE(&b, a->fail_safe, a->count);
  return b.used;
}

static SarStatus set_safe(SarArrivals* a, const SarPort* p, const SarPortLayout* l,
                          const char* text, int length, SarError* err) {
  const char* colon = memchr(text, ':', (size_t)length);
  const int name = colon ? (int)(colon - text) : length;
  double value;
  if (!colon || !sar_text_to_double(colon + 1, (size_t)(length - name - 1), &value) ||
      !isfinite(value)) {
    sar_report(err, (SarLoc){0}, "", "--%s: safe=%.*s: expected INPUT:VALUE", p->kind->name, length,
               text);
    return SAR_BAD_ARGUMENT;
  }
  for (int i = 0; i < p->inputs; i++) {
    const char* other = l->input[p->input_place[i]].name;
    if ((int)strlen(other) != name || memcmp(other, text, (size_t)name) != 0) continue;
    a->safe[i] = value;
    a->fail_safe[i] = true;
    return SAR_OK;
  }
  sar_report(err, (SarLoc){0}, "", "--%s: safe=%.*s: the port drives no such input", p->kind->name,
             length, text);
  return SAR_BAD_ARGUMENT;
}

static SarStatus set_all_safe(SarArrivals* a, const SarPort* p, const SarPortLayout* l,
                              const SarPortOption* o, SarError* err) {
  for (int at = 0; at < o->length;) {
    const char* plus = memchr(o->value + at, '+', (size_t)(o->length - at));
    const int length = plus ? (int)(plus - (o->value + at)) : o->length - at;
    SAR_TRY(set_safe(a, p, l, o->value + at, length, err));
    at += length + 1;
  }
  return SAR_OK;
}

SarStatus sar_arrivals_init(SarArrivals* a, const SarPort* p, const SarPortLayout* l,
                            double timeout, const SarPortOption* safe, SarError* err) {
  *a = (SarArrivals){.count = p->inputs, .timeout = (int64_t)(1e9 * timeout)};
  void* memory = sar_alloc(lay_out(a, NULL));
  if (!memory) return SAR_NO_MEMORY;
  lay_out(a, memory);
  for (int i = 0; i < a->count; i++) {
    a->fail_safe[i] = l->input[p->input_place[i]].fail_safe;
    a->safe[i] = l->input[p->input_place[i]].safe;
  }
  return set_all_safe(a, p, l, safe, err);
}

void sar_arrivals_free(SarArrivals* a) { sar_free(a->value); }

// Clocks of another machine, and those that were made up, tell nothing.
static void add_span(SarStepTimes* h, int64_t from, int64_t to, double t) {
  const int64_t longest = 1000000000000;
  if (from > 0 && to >= from && to - from < longest)
    sar_step_times_add(h, 1e-9 * (double)(to - from), t);
}

void sar_arrivals_answer(SarArrivals* a, SarPortStats* s, const SarPortFrame* frame,
                         uint64_t echo_sequence, int64_t echo_ns, int64_t sent_ns) {
  if (a->answered && echo_sequence == a->echo_sequence) return;  // the first answer counts
  a->answered = true;
  a->echo_sequence = echo_sequence;
  add_span(&s->age, echo_ns, frame->clock_ns, frame->time);
  add_span(&s->turnaround, echo_ns, sent_ns, frame->time);
}

static void count_timeouts(SarArrivals* a, SarPortStats* s, bool stale) {
  if (stale && !a->stale) s->timeouts++;
  if (!stale && a->stale) s->recoveries++;
  if (stale) s->frames_stale++;
  a->stale = stale;
  s->connected = !stale && s->received > 0;
}

void sar_arrivals_apply(SarArrivals* a, SarPort* p, const SarPortFrame* frame) {
  bool stale = false;
  for (int i = 0; i < a->count; i++) {
    if (!a->begun && !a->known[i])
      a->since[i] = frame->clock_ns;  // time counts from the first frame
    const bool late = frame->clock_ns - a->since[i] > a->timeout;
    stale |= late;
    if (late && a->fail_safe[i])
      frame->inputs[p->input_place[i]] = a->safe[i];
    else if (a->known[i])
      frame->inputs[p->input_place[i]] = a->value[i];
  }
  a->begun = true;
  count_timeouts(a, &p->stats, stale);
}
