// Handing over between threads without waiting (exchange.h).
#include "view/exchange.h"

#include "base/alloc.h"

#include <string.h>

enum { FRESH = 4 };

bool sar_latest_begin(SarLatest* x, size_t room) {
  *x = (SarLatest){.room = room, .front = 2};
  atomic_init(&x->middle, 1);
  bool good = true;
  for (int i = 0; i < 3; i++) good = (x->slot[i] = sar_alloc(room)) != NULL && good;
  return good;
}

void sar_latest_end(SarLatest* x) {
  for (int i = 0; i < 3; i++) sar_free(x->slot[i]);
  memset(x->slot, 0, sizeof x->slot);
}

unsigned char* sar_latest_back(SarLatest* x) { return x->slot[x->back]; }

void sar_latest_publish(SarLatest* x, size_t size) {
  x->size[x->back] = size;
  x->back = atomic_exchange(&x->middle, x->back | FRESH) & ~FRESH;
}

const unsigned char* sar_latest_take(SarLatest* x, size_t* size) {
  if (!(atomic_load(&x->middle) & FRESH)) return NULL;
  x->front = atomic_exchange(&x->middle, x->front) & ~FRESH;
  *size = x->size[x->front];
  return x->slot[x->front];
}

bool sar_ring_begin(SarRing* r, size_t item, unsigned capacity) {
  *r = (SarRing){.item = item, .capacity = capacity};
  atomic_init(&r->head, 0);
  atomic_init(&r->tail, 0);
  return (r->items = sar_alloc(item * capacity)) != NULL;
}

void sar_ring_end(SarRing* r) {
  sar_free(r->items);
  r->items = NULL;
}

static unsigned char* at(const SarRing* r, unsigned n) {
  return r->items + r->item * (n & (r->capacity - 1));
}

bool sar_ring_put(SarRing* r, const void* item) {
  const unsigned head = atomic_load_explicit(&r->head, memory_order_relaxed);
  if (head - atomic_load_explicit(&r->tail, memory_order_acquire) >= r->capacity) return false;
  memcpy(at(r, head), item, r->item);
  atomic_store_explicit(&r->head, head + 1, memory_order_release);
  return true;
}

bool sar_ring_get(SarRing* r, void* item) {
  const unsigned tail = atomic_load_explicit(&r->tail, memory_order_relaxed);
  if (tail == atomic_load_explicit(&r->head, memory_order_acquire)) return false;
  memcpy(item, at(r, tail), r->item);
  atomic_store_explicit(&r->tail, tail + 1, memory_order_release);
  return true;
}
