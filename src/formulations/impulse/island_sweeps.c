// The contacts of one island after the other (islands.h): some sweeps of projected Gauss-Seidel with
// nonsmooth conjugate gradients (accelerate.c), which is all that most steps need; what they leave
// is solved directly (direct.h), and sweeps have the last word.
//
// An island that the direct solve did not help leaves it out for 1, 2, 4 ... 64 steps: counters of
// its bodies remember that, and are state.
#include "formulations/impulse/impulse.h"
#include "math/lanes.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 2 };         // of sweeps and direct solves
enum { LEAST_SWEEPS = 3 };   // in each of them
enum { SHIFT_PASSES = 20 };  // for overlaps
enum { LONGEST_WAIT = SAR_DIRECT_WAIT };
static const double SHIFT_END = 1e-3;  // of the largest pseudo-impulse

// ---- conjugate gradients over one island ---------------------------------------------------------

static void move_on(double beta, double* x, double* last, double* way, int n) {
  for (int i = 0; i < n; i++) {
    way[i] = x[i] - last[i] + beta * way[i];
    last[i] = x[i] = last[i] + way[i];
  }
}

static void accelerate(SarImpulses* p, const SarIslands* islands, const SarIsland* z, bool first,
                       double* went) {
  SarPoints* x = &p->points;
  const double last = *went;
  *went = first ? 0 : x->went;
  const double beta = !first && last > 0 && *went < last ? *went / last : 0;
  for (int f = z->face; f < z->face + z->faces; f++) {
    const SarFace* face = &x->face[islands->face[f]];
    const int n = 4 * face->count;
    double *now = x->p[face->first], *from = x->last[face->first], *way = x->way[face->first];
    if (first) {
      memcpy(from, now, (size_t)n * sizeof *now);
      memset(way, 0, (size_t)n * sizeof *way);
    } else {
      move_on(beta, now, from, way, n);
    }
  }
  for (int k = z->body; k < z->body + z->bodies; k++) {
    const int at = islands->first[k];
    if (first) {
      memcpy(&p->v_last[at], &p->v[at], 6 * sizeof *p->v);
      memset(&p->v_way[at], 0, 6 * sizeof *p->v);
    } else {
      move_on(beta, &p->v[at], &p->v_last[at], &p->v_way[at], 6);
    }
  }
}

// ---- sweeps --------------------------------------------------------------------------------------

typedef struct Sweeping {
  SarImpulseState* p;
  const SarIsland* z;
  const SarSweepEnd* end;
  int sweeps;
  bool done, late;
} Sweeping;

static double sweep_once(Sweeping* s) {
  SarImpulses* rows = &s->p->rows;
  SarPoints* x = &rows->points;
  const SarDeadline* deadline = s->end->first && s->sweeps == 1 ? NULL : s->end->deadline;
  double most = 0;
  x->largest = x->went = 0;
  for (int f = s->z->face; f < s->z->face + s->z->faces && !s->late; f++) {
    most = fmax(most, sar_face_visit(x, &x->face[s->p->islands.face[f]], rows->v));
    s->late = sar_is_late(deadline);
  }
  return most;
}

// Up to `most` sweeps; the last of LEAST_SWEEPS may leave some more than others.
static void sweep_some(Sweeping* s, int most) {
  const SarSweepEnd* end = s->end;
  double went = 0;
  for (int i = 0; i < most && s->sweeps < end->most && !s->done && !s->late; i++) {
    accelerate(&s->p->rows, &s->p->islands, s->z, i == 0, &went);
    s->sweeps++;
    const double change = sweep_once(s), largest = s->p->rows.points.largest;
    const double enough = end->tolerance > 0 ? end->tolerance : end->relative * largest;
    const double quiet = i + 1 == LEAST_SWEEPS ? end->quiet : 1;
    s->done = change == 0 || (i + 1 >= LEAST_SWEEPS && change <= quiet * enough);
  }
}

// Overlaps are a matter of positions, and a share of each is taken away: they need no exactness.
static void shift(Sweeping* s) {
  SarPoints* x = &s->p->rows.points;
  for (int pass = 0; pass < SHIFT_PASSES && s->z->shifts; pass++) {
    double most = 0, largest = 0;
    for (int f = s->z->face; f < s->z->face + s->z->faces; f++) {
      const SarFace* face = &x->face[s->p->islands.face[f]];
      most = fmax(most, sar_face_shift(x, face, s->p->rows.u));
      for (int i = face->first; i < face->first + face->count; i++)
        largest = fmax(largest, x->point[i].pseudo);
    }
    if (most <= SHIFT_END * largest) break;
  }
}

// ---- direct solves -------------------------------------------------------------------------------

// Counters of an island: the largest of its bodies'.
static int* counter(int* of, const SarModel* m, const SarImpulseState* p, int k) {
  return &of[m->dof_body[p->islands.first[k]]];
}

static bool is_waiting(SarImpulseState* p, const SarModel* m, const SarIsland* z) {
  int wait = 0;
  for (int k = z->body; k < z->body + z->bodies; k++)
    wait = (int)fmax(wait, *counter(p->wait, m, p, k));
  for (int k = z->body; k < z->body + z->bodies; k++)
    *counter(p->wait, m, p, k) = wait > 0 ? wait - 1 : 0;
  return wait > 0;
}

static void note_help(SarImpulseState* p, const SarModel* m, const SarIsland* z, bool helped) {
  int level = 0;
  for (int k = z->body; k < z->body + z->bodies; k++)
    level = (int)fmax(level, *counter(p->level, m, p, k));
  level = helped ? 0 : level == 0 ? 1 : (int)fmin(2 * level, LONGEST_WAIT);
  for (int k = z->body; k < z->body + z->bodies; k++)
    *counter(p->level, m, p, k) = *counter(p->wait, m, p, k) = level;
}

// One factorisation costs no more than so many sweeps.
static bool is_worth_it(SarImpulseState* p, const SarModel* m, const SarIsland* z) {
  static const double SWEEPS = 15, POINT = 150;  // flops
  SarIslandFactor* x = &p->direct.factor;
  int points = 0;
  if (!z->rigid) return false;
  sar_island_factor_clear(x, z->bodies);
  for (int f = z->face; f < z->face + z->faces; f++) {
    const SarFace* face = &p->rows.points.face[p->islands.face[f]];
    const int ground = p->rows.points.ground;
    points += face->count;
    if (face->a.first == ground || face->b.first == ground) continue;
    if (!sar_island_factor_pair(x, p->islands.node[m->dof_body[face->a.first]],
                                p->islands.node[m->dof_body[face->b.first]]))
      return false;
  }
  return sar_island_factor_order(x) && x->flops <= SWEEPS * POINT * points;
}

static void solve(Sweeping* s, const SarModel* m) {
  SarImpulseState* p = s->p;
  sweep_some(s, LEAST_SWEEPS);
  if (!s->done && !s->late && s->sweeps < s->end->most && !is_waiting(p, m, s->z) &&
      is_worth_it(p, m, s->z)) {
    int helped = 0;
    for (int round = 0; round < ROUNDS && !s->done && !s->late; round++) {
      if (!sar_direct_solve(&p->direct, m, &p->islands, s->z, &p->rows, &p->factors)) break;
      helped++;
      sweep_some(s, LEAST_SWEEPS);
    }
    note_help(p, m, s->z, helped > 0);
  }
  sweep_some(s, s->end->most);
  shift(s);
}

bool sar_islands_sweep(SarImpulseState* p, const SarModel* m, const SarSweepEnd* end, int* sweeps,
                       bool* late) {
  bool done = true;
  for (int i = 0; i < p->islands.count; i++) {
    Sweeping s = {.p = p, .z = &p->islands.island[i], .end = end};
    solve(&s, m);
    done = done && s.done;
    *late = *late || s.late;
    if (s.sweeps > *sweeps) *sweeps = s.sweeps;
  }
  return done;
}
