// Islands of contact over threads, with the same bits whatever their number.
//
// What one island does is nothing to the others: bodies, points, counters are its own, and the
// ground is only read. The rest that a solve writes, the factor of its matrix and sums over a
// sweep, is there once for each thread: a view of the state of the step with rooms of its own. Who
// is free takes the next island; what they have come to is put together in their order.
#include "base/pool.h"
#include "formulations/impulse/impulse.h"

#include <stdatomic.h>

enum { WORTH_IT = 24 };  // points in all: waking the others takes as long as these

void sar_island_crew_init(SarIslandCrew* p, const SarModel* m, int threads, SarBlock* b) {
  *p = (SarIslandCrew){.threads = threads};
  SAR_PIECE(b, p->end, m->ncontact > 0 ? m->nbody : 0);
  if (threads < 2) return;
  SAR_PIECE(b, p->view, threads - 1);
  SAR_PIECE(b, p->direct, threads - 1);
  for (int i = 0; i + 1 < threads; i++) {
    SarDirect counted;
    sar_direct_room(b->memory ? &p->direct[i] : &counted, m, b);
  }
}

typedef struct Work {
  SarImpulseState* p;
  const SarModel* m;
  const SarData* d;
  const SarSweepEnd* end;
  atomic_int next;
} Work;

static void work(void* context, int who) {
  Work* w = context;
  SarIslandCrew* crew = &w->p->crew;
  SarImpulseState* p = who > 0 ? &crew->view[who - 1] : w->p;
  for (int i; (i = atomic_fetch_add(&w->next, 1)) < p->islands.count;)
    sar_island_solve(p, w->m, w->d, w->end, i, &crew->end[i]);
}

static void share_out(SarImpulseState* p, SarPool* pool, Work* w) {
  for (int i = 0; i + 1 < p->crew.threads; i++) {
    SarImpulseState* view = &p->crew.view[i];
    *view = *p;
    view->direct.factor = p->crew.direct[i].factor;
    view->direct.x = p->crew.direct[i].x;
  }
  sar_pool_run(pool, p->crew.threads, work, w);
}

bool sar_islands_sweep(SarImpulseState* p, SarPool* pool, const SarModel* m, const SarData* d,
                       const SarSweepEnd* end, int* sweeps, bool* late) {
  Work w = {.p = p, .m = m, .d = d, .end = end};
  const SarPoints* x = &p->rows.points;
  bool done = true;
  if (pool && p->islands.count > 1 && x->count >= WORTH_IT)
    share_out(p, pool, &w);
  else
    work(&w, 0);
  for (int i = 0; i < p->islands.count; i++) {
    const SarIslandEnd* e = &p->crew.end[i];
    done = done && e->done;
    *late = *late || e->late;
    if (e->sweeps > *sweeps) *sweeps = e->sweeps;
    p->rows.points.largest = e->largest;
    p->rows.points.went = e->went;
  }
  return done;
}
