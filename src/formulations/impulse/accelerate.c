// Nonsmooth nonlinear conjugate gradients (NNCG, in the form of Fletcher and Reeves) over the
// sweeps of projected Gauss-Seidel (rows.h): faster sweeps.
//
// A sweep takes p to p + s; conjugate gradients add a share of the way d gone before, as large as
// the change has shrunk, and none if it has grown:
//
//   beta = |s|^2 / |s_last|^2,   d <- s + beta d,   p <- p_last + d,   v likewise
//
// Sweeps alone need as many passes as the square of a stack's height, with this they need about its
// height. Bounds may be passed by the way, so a sweep has the last word. Changes are measured by
// the kinetic energy they stand for.
// Source: Silcowitz-Hansen, Niebe, Erleben 2010 (nonsmooth nonlinear conjugate gradients).
#include "formulations/impulse/rows.h"
#include "math/lanes.h"

static double square_of_step(const SarImpulses* p) {
  double sum = 0;
  for (int i = 0; i < p->count; i++) {
    const double step = p->row[i].p - p->p_last[i];
    if (p->row[i].mass > 0) sum += step * step / p->row[i].mass;
  }
  return sum + p->points.went;
}

// x <- last + way of numbers that stand side by side, four at a time: there is room for whole
// fours.
static void move_on(int n, double beta, double* x, double* last, double* way) {
  const L4 share = l4_all(beta);
  for (int i = 0; i < n; i += 4) {
    const L4 from = l4_load(&last[i]), step = l4_sub(l4_load(&x[i]), from);
    const L4 d = l4_mul_add(share, l4_load(&way[i]), step), now = l4_add(from, d);
    l4_store(&way[i], d);
    l4_store(&x[i], now);
    l4_store(&last[i], now);
  }
}

static void start(int n, const double* x, double* last, double* way) {
  memcpy(last, x, (size_t)n * sizeof *x);
  memset(way, 0, (size_t)n * sizeof *way);
}

static void start_all(SarImpulses* p, const SarModel* m) {
  SarPoints* x = &p->points;
  if (x->count > 0) start(4 * x->count, *x->p, *x->last, *x->way);
  for (int i = 0; i < p->count; i++) p->p_last[i] = p->row[i].p, p->p_way[i] = 0;
  start(m->nv + SAR_GROUND, p->v, p->v_last, p->v_way);
}

void sar_impulses_accelerate(SarImpulses* p, const SarModel* m, bool first) {
  const double last = first ? 0 : p->went;
  p->went = first ? 0 : square_of_step(p);
  if (first) {
    start_all(p, m);
    return;
  }
  SarPoints* x = &p->points;
  const double beta = last > 0 && p->went < last ? p->went / last : 0;
  if (x->count > 0) move_on(4 * x->count, beta, *x->p, *x->last, *x->way);
  for (int i = 0; i < p->count; i++) {
    SarImpulseRow* row = &p->row[i];
    p->p_way[i] = row->p - p->p_last[i] + beta * p->p_way[i];
    p->p_last[i] = row->p = p->p_last[i] + p->p_way[i];
  }
  move_on(m->nv, beta, p->v, p->v_last, p->v_way);
}
