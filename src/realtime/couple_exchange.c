// The exchange between coupled simulators, in their own threads: no lock, no call of the system but
// the clock's.
//
// With u_k what another simulator put out at the k-th exchange, H the time between two, and h = H/n
// the receiver's own frame, frame j of n gets (zero-order hold, or straight line through the last
// two, at the middle of the frame)
//   u = u_k          or          u = u_k + (u_k - u_(k-1)) (j + 1/2) / n
// The first is of first order in H, the second of second (explicit parallel co-simulation). At k =
// 0 all is held.
#include "realtime/couple.h"

#include <math.h>
#include <string.h>

enum { NAP = 20000 };  // ns between two looks at who is late

void sar_couple_made(void* context, long long number, const double* outputs) {
  SarMember* me = context;
  if (number % me->frames != 0) return;
  const long long k = number / me->frames;
  double* slot = me->slot[k % SAR_COUPLE_SLOTS];
  memcpy(slot, outputs, sizeof *outputs * (size_t)me->outputs);
  slot[me->outputs] = me->rt->d->t;
  atomic_store_explicit(&me->published, k, memory_order_release);
}

void sar_couple_on_loop(void* context, bool begins) {
  SarMember* me = context;
  if (!begins) atomic_store(&me->left, 1);
}

static bool is_there(const SarMember* other, long long k) {
  return atomic_load_explicit(&other->published, memory_order_acquire) >= k;
}

// Until it has published exchange k. False: it never will.
static bool await(const SarMember* me, const SarMember* other, long long k) {
  const SarRtClock* clock = &me->rt->clock;
  while (!is_there(other, k)) {
    if (atomic_load(&other->left)) return is_there(other, k);  // it may have published before
    clock->wait(clock->context, clock->now(clock->context) + NAP);
  }
  return true;
}

static bool take(SarMember* me, long long k) {
  for (int i = 0; i < me->c->members; i++)
    if (!await(me, &me->c->member[i], k)) return false;
  for (int i = 0; i < me->inputs; i++) {
    SarCoupleInput* x = &me->input[i];
    x->before = x->now;
    x->now = me->c->member[x->from].slot[k % SAR_COUPLE_SLOTS][x->column];
    if (k == 0) x->before = x->now;
  }
  return true;
}

SarStatus sar_couple_exchange(void* context, const SarRtFrame* frame) {
  SarMember* me = context;
  const long long j = frame->number % me->frames;
  if (me->operate) me->operate(me->hand, me, frame->number);  // it may have other data behind that
  if (j == 0 && !take(me, frame->number / me->frames)) {
    me->alone = true;
    return SAR_STOPPED;
  }
  const double ahead = ((double)j + 0.5) / me->frames;
  for (int i = 0; i < me->inputs; i++) {
    const SarCoupleInput* x = &me->input[i];
    const double u = x->linear ? x->now + (x->now - x->before) * ahead : x->now;
    if (!isfinite(u)) return SAR_NOT_FINITE;
    sar_inputs(me->rt->d)[x->input] = x->gain * u;
  }
  return SAR_OK;
}
