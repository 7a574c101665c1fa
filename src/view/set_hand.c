// Operating one of several coupled simulators (set_hand.h).
//
// A model waits in one place: a newer one takes the place of one that was not taken up, since it
// has all that was changed before. The simulator exchanges nothing but pointers and copies; it
// takes memory where it makes its state anew, and is late by as much.
#include "view/set_hand.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/print.h"

#include <string.h>

enum { ANSWERS = 64 };

typedef struct SarSetModel {
  SarModel* m;
  long number;
} SarSetModel;

static void drop(SarSetModel* x) {
  if (x) sar_model_free(x->m);
  sar_free(x);
}

bool sar_set_hand_begin(SarSetHand* h, const SarModel* m) {
  memset(h, 0, sizeof *h);
  atomic_init(&h->next, NULL);
  return sar_pull_begin(&h->pull, m) && sar_latest_begin(&h->pulls, sizeof(SarSetPull)) &&
         sar_ring_begin(&h->answers, sizeof(SarSetAnswer), ANSWERS);
}

void sar_set_hand_end(SarSetHand* h) {
  drop(atomic_exchange(&h->next, NULL));
  sar_pull_end(&h->pull);
  sar_latest_end(&h->pulls);
  sar_ring_end(&h->answers);
}

void sar_set_hand_reset(SarSetHand* h) {
  SarSetAnswer answer;
  size_t size;
  drop(atomic_exchange(&h->next, NULL));
  while (sar_ring_get(&h->answers, &answer)) continue;
  while (sar_latest_take(&h->pulls, &size)) continue;
  h->pull.on = false;
}

// ---- by the window ------------------------------------------------------------------------------

SarStatus sar_set_hand_model(SarSetHand* h, long number, SarModel* m) {
  SarSetModel* x = sar_alloc(sizeof *x);
  if (!x) {
    sar_model_free(m);
    return SAR_NO_MEMORY;
  }
  *x = (SarSetModel){m, number};
  drop(atomic_exchange(&h->next, x));
  return SAR_OK;
}

void sar_set_hand_pull(SarSetHand* h, const SarSetPull* p) {
  memcpy(sar_latest_back(&h->pulls), p, sizeof *p);
  sar_latest_publish(&h->pulls, sizeof *p);
}

bool sar_set_hand_answer(SarSetHand* h, SarSetAnswer* out) {
  return sar_ring_get(&h->answers, out);
}

// ---- by the simulator ---------------------------------------------------------------------------

static void take_model(SarSetHand* h, SarMember* me) {
  SarError err;
  SarSetModel* x = atomic_exchange(&h->next, NULL);
  if (!x) return;
  sar_error_init(&err);
  SarSetAnswer answer = {.number = x->number, .time = me->rt->d->t};
  answer.status = sar_couple_change(me, x->m, &err);
  if (answer.status == SAR_OK) x->m = NULL;
  sar_snprintf(answer.why, sizeof answer.why, "%.119s",
               err.count ? err.items[0].text : sar_status_text(answer.status));
  sar_ring_put(&h->answers, &answer);
  drop(x);
}

static void take_pull(SarSetHand* h, SarMember* me) {
  size_t size;
  const void* mail = sar_latest_take(&h->pulls, &size);
  SarSetPull p;
  if (!mail) return;
  memcpy(&p, mail, sizeof p);
  SarPull* now = &h->pull;
  if (!p.on) {
    sar_pull_release(now, me->rt->d);
    return;
  }
  const bool same =
      now->on && now->body == p.body && memcmp(now->point, p.point, sizeof p.point) == 0;
  if (same || sar_pull_grasp(now, me->rt->d, p.body, p.point, me->rt->period))
    now->to = v3_load(p.to);
}

// The force of a pull is held over a frame, as over a step of one simulator alone.
void sar_set_hand_operate(void* hand, SarMember* me, long long number) {
  SarSetHand* h = hand;
  if (number % me->frames == 0) {
    take_model(h, me);
    take_pull(h, me);
  }
  if (h->pull.on) sar_pull_apply(&h->pull, me->rt->d);
}
