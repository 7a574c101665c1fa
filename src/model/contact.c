#include "model/model.h"

// Is the pair in a rising list?
static bool is_listed(const SarApart* list, int n, int a, int b) {
  if (a > b) {
    const int t = a;
    a = b, b = t;
  }
  int low = 0, high = n;  // the place, if there is one, is in low .. high - 1
  while (low < high) {
    const int mid = low + (high - low) / 2;
    const SarApart* p = &list[mid];
    if (p->a == a && p->b == b) return true;
    if (p->a < a || (p->a == a && p->b < b))
      low = mid + 1;
    else
      high = mid;
  }
  return false;
}

bool sar_may_touch(const SarModel* m, int i, int j) {
  const SarCollider *a = &m->collider[i], *b = &m->collider[j];
  if (a->body == b->body || (a->still && b->still)) return false;
  if (a->weld >= 0 && a->weld == b->weld) return false;
  if (!(a->group & b->with)) return false;
  return !is_listed(m->joined, m->njoined, a->weld, b->weld) &&
         !is_listed(m->ignored, m->nignored, a->holder, b->holder);
}
