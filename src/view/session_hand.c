// A session on one of the coupled simulators that the window runs: it shows the simulator and does
// not step it, so what changes the run is handed over (set_hand.h) and told when it has taken
// effect.
#include "view/attach.h"
#include "view/session_parts.h"
#include "view/set_hand.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/print.h"

#include <string.h>

enum { WAITING = 256 };

// Told once the model of this number is taken up.
typedef struct Change {
  long number;
  char name[SAR_COMMAND_NAME];
  double value;
} Change;

struct SarHanded {
  struct SarSetHand* hand;
  SarRing changes;  // that wait
  Change next;      // ... first
  bool has_next;
  long number;   // of the last model that was handed over
  double* good;  // parameters of the last one that was taken up
};

SarStatus sar_session_take_hand(SarSession* s, SarSetHand* hand) {
  SarHanded* x = s->handed = sar_alloc(sizeof *x);
  if (!x) return SAR_NO_MEMORY;
  x->hand = hand;
  const int n = s->source.parameter_count;
  x->good = sar_alloc(sizeof *x->good * (size_t)(n + 1));
  if (!x->good || !sar_ring_begin(&x->changes, sizeof(Change), WAITING)) return SAR_NO_MEMORY;
  for (int i = 0; i < n; i++) x->good[i] = s->source.parameter[i].value;
  return sar_session_describe(s);
}

void sar_session_end_hand(SarSession* s) {
  if (!s->handed) return;
  sar_ring_end(&s->handed->changes);
  sar_free(s->handed->good);
  sar_free(s->handed);
  s->handed = NULL;
}

// ---- another model ------------------------------------------------------------------------------

static void tell_at(SarSession* s, double time, const Change* c, const char* why) {
  SarNote note = {.kind = SAR_NOTE_LOG, .time = time};
  if (why)
    sar_snprintf(note.text, sizeof note.text, "parameter %s stays: %.119s", c->name, why);
  else
    sar_snprintf(note.text, sizeof note.text, "parameter %s = %.9g", c->name, c->value);
  sar_ring_put(&s->notes, &note);
}

SarStatus sar_session_hand_over(SarSession* s, const SarCommand* c, SarError* err) {
  SarHanded* x = s->handed;
  SarModel* m = NULL;
  Change change = {.number = x->number + 1, .value = c->value};
  sar_snprintf(change.name, sizeof change.name, "%s", c->name);
  pthread_mutex_lock(&s->shared);
  SarStatus st = sar_view_source_load(&s->source, &m, err);
  pthread_mutex_unlock(&s->shared);
  if (st == SAR_OK) st = sar_set_hand_model(x->hand, change.number, m);
  if (st != SAR_OK) return st;
  x->number = change.number;
  if (!sar_ring_put(&x->changes, &change)) tell_at(s, s->d->t, &change, NULL);
  return SAR_OK;
}

// Of all models up to this number.
static void tell_changes(SarSession* s, long number, double time, const char* why) {
  SarHanded* x = s->handed;
  while (x->has_next || sar_ring_get(&x->changes, &x->next)) {
    x->has_next = x->next.number > number;
    if (x->has_next) return;
    tell_at(s, time, &x->next, why);
  }
}

static void keep_as_good(SarSession* s) {
  for (int i = 0; i < s->source.parameter_count; i++)
    s->handed->good[i] = s->source.parameter[i].value;
}

// The simulator could not go on with it (a loop that does not close, say), and went on as it was:
// so does what is shown.
static void go_back(SarSession* s, const SarSetAnswer* a) {
  tell_changes(s, s->handed->number, a->time, a->why);
  for (int i = 0; i < s->source.parameter_count; i++)
    if (s->source.parameter[i].value != s->handed->good[i])
      sar_session_show_parameter(s, i, s->handed->good[i]);
  SarError err;
  SarModel* m = NULL;
  sar_error_init(&err);
  // one that came later may have been taken up meanwhile
  pthread_mutex_lock(&s->shared);
  const SarStatus st = sar_view_source_load(&s->source, &m, &err);
  pthread_mutex_unlock(&s->shared);
  if (st == SAR_OK) sar_set_hand_model(s->handed->hand, ++s->handed->number, m);
  sar_session_share(s);
}

void sar_session_hear(SarSession* s) {
  SarSetAnswer a;
  while (sar_set_hand_answer(s->handed->hand, &a)) {
    if (a.status != SAR_OK) {
      go_back(s, &a);
      continue;
    }
    tell_changes(s, a.number, a.time, NULL);
    if (a.number == s->handed->number) keep_as_good(s);
  }
}

// ---- begun anew ---------------------------------------------------------------------------------

SarStatus sar_session_fresh_model(SarSession* s, SarModel** out, SarError* err) {
  *out = NULL;
  if (s->handed->number == 0) return SAR_OK;
  pthread_mutex_lock(&s->shared);
  const SarStatus st = sar_view_source_load(&s->source, out, err);
  pthread_mutex_unlock(&s->shared);
  return st;
}

void sar_session_begun_anew(SarSession* s) {
  tell_changes(s, s->handed->number, 0, NULL);
  keep_as_good(s);
  sar_pull_release(&s->pull, s->d);
}

// ---- a pull -------------------------------------------------------------------------------------

void sar_session_hand_pull(SarSession* s) {
  const SarPull* p = &s->pull;
  SarSetPull mail = {.on = p->on, .body = p->body};
  memcpy(mail.point, p->point, sizeof mail.point);
  v3_store(mail.to, p->to);
  sar_set_hand_pull(s->handed->hand, &mail);
}
