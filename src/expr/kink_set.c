// The set of kinks found so far: open addressing, in the order in which they were found.
#include "expr/kink_set.h"

#include <stdint.h>
#include <string.h>

// Kinks in time are equal when their times are, others when their switching functions are one node.
static bool same_kink(const SarKink* x, const SarKink* y) {
  if (x->is_time != y->is_time || x->period != y->period) return false;
  if (x->is_time || x->period > 0) return x->time == y->time;
  return x->g == y->g;
}

static uint64_t hash_of(const SarKink* kink) {
  if (!kink->is_time && kink->period == 0) return (uint64_t)kink->g * 0x9E3779B97F4A7C15u >> 32;
  const double time = kink->time + 0;  // -0 is 0
  uint64_t bits;
  memcpy(&bits, &time, sizeof bits);
  bits *= 0x9E3779B97F4A7C15u;  // multiplicative hashing
  return bits ^ bits >> 32;
}

static int bucket_of(const SarKinkSet* k, const SarKink* kink) {
  int i = (int)(hash_of(kink) & (uint64_t)(k->capacity - 1));
  while (k->bucket[i] >= 0 && !same_kink(&k->kinks.items[k->bucket[i]], kink))
    i = (i + 1) & (k->capacity - 1);
  return i;
}

static bool grow(SarKinkSet* k) {
  k->capacity = k->capacity ? 2 * k->capacity : 32;
  k->bucket = SAR_ARENA_ARRAY(k->arena, int, k->capacity);
  if (!k->bucket) return false;
  for (int i = 0; i < k->capacity; i++) k->bucket[i] = -1;
  for (int i = 0; i < k->kinks.count; i++) k->bucket[bucket_of(k, &k->kinks.items[i])] = i;
  return true;
}

void sar_kink_add(SarKinkSet* k, SarKink kink) {
  if (2 * (k->kinks.count + 1) > k->capacity && !grow(k)) return;
  const int i = bucket_of(k, &kink);
  SarKink* place = k->bucket[i] < 0 ? SAR_LIST_ADD(k->arena, &k->kinks) : NULL;
  if (!place) return;
  *place = kink;
  k->bucket[i] = k->kinks.count - 1;
}
