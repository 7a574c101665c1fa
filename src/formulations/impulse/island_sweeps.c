// The contacts of one island after the other (islands.h): some sweeps of projected Gauss-Seidel
// with nonsmooth conjugate gradients (accelerate.c), which is all that most steps need; what they
// leave is solved directly (direct.h), and sweeps have the last word.
//
// An island that the direct solve did not help leaves it out for 1, 2, 4 ... 64 steps: counters of
// its bodies remember that, and are state. One that it has not helped for some time, that is too
// large for it or flies about ends sooner than others: heaps of what rolls, in which every sweep
// goes on changing something, are then solved over the steps, each of which starts where the last
// ended.
#include "formulations/impulse/impulse.h"
#include "math/lanes.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 2 };          // of sweeps and direct solves
enum { LEAST_SWEEPS = 3 };    // in each of them
enum { MOVING_SWEEPS = 12 };  // more, before what moves is solved directly
// A direct solve may cost as much as so many sweeps, or FEW factorisations in islands that are
// SMALL. Larger ones in which nothing moves may spend AT_ONCE times as much, and then pause for
// as long as makes that up: walls and pyramids come to rest by it, which sweeps alone never get to.
enum { DIRECT_SWEEPS = 60, SMALL = 40, FEW = 150 };
static const double AT_ONCE = 8, MOST_AT_ONCE = 1e8;  // of that, flops
static const double CALM = 1e-2;              // of what gravity gives in a step: nothing moves
enum { SHIFT_PASSES = 6, ALONE_PASSES = 2 };  // for overlaps
// Islands on their own, without direct solves: not helped for so many steps; so many sweeps at
// least; changes of impulses over the largest, of speeds over what gravity gives, that are enough;
// of what moves, or of what gravity gives in a step, so many times the energy of other changes; in
// flight: speeds over what gravity gives.
enum { PATIENCE = 4, ALONE_SWEEPS = 6 };
static const double ALONE_END = 1e-3, ALONE_KINETIC = 100, FLIES = 8;
enum { LONGEST_WAIT = SAR_DIRECT_WAIT };
// Of the largest impulse: changes after which loads are shared anew, at once and after SAR_STALE
// steps
static const double CHANGED = 1e-5, CHANGED_A_LITTLE = 1e-9;
static const double SHIFT_END = 1e-3;  // of the largest pseudo-impulse
// Of what moves: a sweep that changes velocities by this share of them is enough.
static const double KINETIC_END = 1e-3;
static const double SPEED_END = 1e-6;  // of what gravity gives in a step

// ---- conjugate gradients over one island --------------------------------------------------------

static void move_on(double beta, double* restrict x, double* restrict last, double* restrict way,
                    int n) {
  const L4 share = l4_all(beta);
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    const L4 from = l4_load(&last[i]), step = l4_sub(l4_load(&x[i]), from);
    const L4 d = l4_mul_add(share, l4_load(&way[i]), step), now = l4_add(from, d);
    l4_store(&way[i], d);
    l4_store(&x[i], now);
    l4_store(&last[i], now);
  }
  for (; i < n; i++) {
    way[i] = beta * way[i] + (x[i] - last[i]);
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

// ---- sweeps -------------------------------------------------------------------------------------

typedef struct Sweeping {
  SarImpulseState* p;
  const SarIsland* z;
  const SarSweepEnd* end;
  int sweeps;
  bool done, late;
  bool alone;         // without direct solves
  bool flies;         // it moves fast
  double moving;      // 0: at rest; else KINETIC_END^2 v' M v
  double enough;      // alone: energy of changes that is
  double speed;       // square of the largest change of a speed in the last sweep, about
  double fair, room;  // flops of direct solves: in every step, in this one
} Sweeping;

static double sweep_once(Sweeping* s) {
  SarImpulses* rows = &s->p->rows;
  SarPoints* x = &rows->points;
  const SarDeadline* deadline = s->end->first && s->sweeps == 1 ? NULL : s->end->deadline;
  double most = 0;
  x->largest = x->went = s->speed = 0;
  for (int f = s->z->face; f < s->z->face + s->z->faces && !s->late; f++) {
    const SarFace* face = &x->face[s->p->islands.face[f]];
    const double before = x->went;
    most = fmax(most, sar_face_visit(x, face, rows->v));
    s->speed = fmax(s->speed, (x->went - before) * x->point[face->first].A[0]);
    s->late = sar_is_late(deadline);
  }
  return most;
}

// Impulses are measured by the largest, speeds by what gravity gives in a step: light bodies among
// heavy ones are moved by what is nothing to those.
static bool is_settled(const Sweeping* s, int sweeps, double change) {
  const SarSweepEnd* end = s->end;
  if (change == 0 || s->p->rows.points.went <= s->moving) return true;
  if (sweeps < LEAST_SWEEPS) return false;
  if (end->tolerance > 0) return change <= end->tolerance;
  const double most = SPEED_END * end->fall, largest = s->p->rows.points.largest;
  if (s->alone && s->sweeps >= ALONE_SWEEPS && s->p->rows.points.went <= s->enough) return true;
  if (s->alone && s->sweeps >= ALONE_SWEEPS && change <= ALONE_END * largest &&
      s->speed <= ALONE_END * ALONE_END * end->fall * end->fall)
    return true;
  if (s->speed > most * most && most > 0) return false;
  const double quiet = sweeps == LEAST_SWEEPS ? end->quiet : 1;
  return change <= quiet * end->relative * largest;
}

// Up to `most` sweeps; the last of LEAST_SWEEPS may leave some more than others.
static void sweep_some(Sweeping* s, int most) {
  double went = 0;
  for (int i = 0; i < most && s->sweeps < s->end->most && !s->done && !s->late; i++) {
    accelerate(&s->p->rows, &s->p->islands, s->z, i == 0, &went);
    s->sweeps++;
    const double change = sweep_once(s);
    s->done = is_settled(s, i + 1, change);
  }
}

static double mass_of(const Sweeping* s, const SarModel* m) {
  double mass = 0;
  for (int k = s->z->body; k < s->z->body + s->z->bodies; k++)
    mass += m->body_inertia[m->dof_body[s->p->islands.first[k]]].m;
  return mass;
}

// Where the step begins
static bool is_slower(const Sweeping* s, const SarModel* m, double share) {
  const double twice = sar_direct_dot(m, &s->p->islands, s->z, s->p->v0, s->p->v0);
  const double most = share * s->end->fall;
  return twice <= most * most * mass_of(s, m);
}

// More than gravity gives in a step
static bool is_moving(Sweeping* s, const SarModel* m) {
  const SarIslands* islands = &s->p->islands;
  const double twice = sar_direct_dot(m, islands, s->z, s->p->rows.v, s->p->rows.v);
  const double fall = s->end->fall, slow = mass_of(s, m) * fall * fall;
  if (twice > slow) s->moving = KINETIC_END * KINETIC_END * twice;
  s->flies = fall > 0 && twice > FLIES * FLIES * slow;
  s->enough = ALONE_KINETIC * KINETIC_END * KINETIC_END * fmax(twice, slow);
  return s->moving > 0;
}

// Overlaps are a matter of positions, and a share of each is taken away: they need no exactness.
static void shift(Sweeping* s) {
  SarPoints* x = &s->p->rows.points;
  const int passes = s->alone ? ALONE_PASSES : SHIFT_PASSES;
  for (int pass = 0; pass < passes && s->z->shifts; pass++) {
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

// ---- direct solves ------------------------------------------------------------------------------

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

static void note_help(const Sweeping* s, const SarModel* m, bool helped) {
  SarImpulseState* p = s->p;
  const SarIsland* z = s->z;
  const double used = s->room - p->direct.left;
  int level = 0;
  for (int k = z->body; k < z->body + z->bodies; k++)
    level = (int)fmax(level, *counter(p->level, m, p, k));
  level = helped ? 0 : level == 0 ? 1 : (int)fmin(2 * level, LONGEST_WAIT);
  if (used > s->fair) level = (int)fmin(fmax(level, used / s->fair), LONGEST_WAIT);
  for (int k = z->body; k < z->body + z->bodies; k++)
    *counter(p->level, m, p, k) = *counter(p->wait, m, p, k) = level;
}

static int points_of(const SarImpulseState* p, const SarIsland* z) {
  int points = 0;
  for (int f = z->face; f < z->face + z->faces; f++)
    points += p->rows.points.face[p->islands.face[f]].count;
  return points;
}

// Is the factor of an island worth it? Not if it costs more than so many sweeps, or than a budget
// of time has left.
static bool is_worth_it(Sweeping* s, const SarModel* m) {
  static const double SLOW = 2e8;                             // flops in a second, at the least
  static const double SWEEPS = 15, POINT = 150, FACE = 1000;  // flops
  SarImpulseState* p = s->p;
  const SarIsland* z = s->z;
  const SarDeadline* deadline = s->end->deadline;
  const double points = points_of(p, z);
  SarIslandFactor* x = &p->direct.factor;
  if (!z->rigid) return false;
  sar_island_factor_clear(x, z->bodies);
  for (int f = z->face; f < z->face + z->faces; f++) {
    const SarFace* face = &p->rows.points.face[p->islands.face[f]];
    const int ground = p->rows.points.ground;
    if (face->a.first == ground || face->b.first == ground) continue;
    sar_island_factor_pair(x, p->islands.node[m->dof_body[face->a.first]],
                           p->islands.node[m->dof_body[face->b.first]]);
  }
  if (!sar_island_factor_order(x, SWEEPS * POINT * points)) return false;
  p->direct.cost = x->flops + FACE * z->faces + 2 * POINT * points;
  s->fair = p->direct.left = DIRECT_SWEEPS * POINT * points;
  if (z->bodies <= SMALL && !s->flies)
    s->fair = p->direct.left = fmax(p->direct.left, FEW * p->direct.cost);
  else if (is_slower(s, m, CALM))
    p->direct.left = fmax(s->fair, fmin(AT_ONCE * s->fair, MOST_AT_ONCE));
  if (deadline) p->direct.left = fmin(p->direct.left, SLOW * (deadline->end - deadline->now()));
  s->room = p->direct.left;
  return p->direct.left >= p->direct.cost;
}

// Points whose gap is closed: what it may close by is nothing.
static int touching(const SarImpulseState* p, const SarIsland* z, double speed) {
  int points = 0;
  for (int f = z->face; f < z->face + z->faces; f++) {
    const SarFace* face = &p->rows.points.face[p->islands.face[f]];
    for (int i = face->first; i < face->first + face->count; i++)
      points += fabs(p->rows.points.point[i].speed) <= speed;
  }
  return points;
}

// Largest change of an impulse since the step before, over the largest impulse.
static double change_of(const SarImpulseState* p, const SarIsland* z, const SarData* d, double h) {
  double most = 0, largest = 0;
  for (int f = z->face; f < z->face + z->faces; f++) {
    const SarFace* face = &p->rows.points.face[p->islands.face[f]];
    for (int i = face->first; i < face->first + face->count; i++) {
      const SarContact* c = &d->contact[p->rows.points.point[i].owner];
      const double scale = c->step > 0 ? h / c->step : 0, *now = p->rows.points.p[i];
      largest = fmax(largest, now[0]);
      for (int k = 0; k < 3; k++) most = fmax(most, fabs(now[k] - scale * c->p[k]));
    }
  }
  return largest > 0 ? most / largest : 0;
}

// Are the shares of the load still good? Not if other points touch, if impulses have changed, or if
// they have changed a little some steps ago. Loads that go on changing are shared anew after 1, 2,
// 4
// ... 64 steps.
static bool is_shared(SarImpulseState* p, const SarModel* m, const SarIsland* z, int points,
                      double change) {
  bool shared = change <= CHANGED;
  int stale = 0, pause = 0;
  for (int k = z->body; k < z->body + z->bodies; k++) {
    shared = shared && *counter(p->shared, m, p, k) == points;
    stale = (int)fmax(stale, *counter(p->stale, m, p, k));
    pause = (int)fmax(pause, *counter(p->pause, m, p, k));
  }
  stale = stale > 0 || change > CHANGED_A_LITTLE ? stale + 1 : 0;
  if (stale >= SAR_STALE) shared = false;
  for (int k = z->body; k < z->body + z->bodies; k++) {
    *counter(p->stale, m, p, k) = shared || pause > 0 ? (int)fmin(stale, SAR_STALE) : 0;
    *counter(p->pause, m, p, k) = pause > 0 ? pause - 1 : 0;
    if (shared && stale == 0) *counter(p->restless, m, p, k) = 0;
  }
  return shared || pause > 0;
}

static int restlessness(SarImpulseState* p, const SarModel* m, const SarIsland* z) {
  int most = 0;
  for (int k = z->body; k < z->body + z->bodies; k++)
    most = (int)fmax(most, *counter(p->restless, m, p, k));
  return most == 0 ? 1 : (int)fmin(2 * most, LONGEST_WAIT);
}

// An island that has come to rest shares its load among what touches. Where it is still, it first
// takes what the sweeps have left of loads: where feet stand nearly in line that is much, though
// little moves.
static void share(Sweeping* s, const SarModel* m, const SarData* d) {
  SarImpulseState* p = s->p;
  const SarIsland* z = s->z;
  const double still = SAR_STILL * s->end->fall;
  const int points = touching(p, z, still);
  if (!s->done || s->late || s->alone) return;
  if (is_shared(p, m, z, points, change_of(p, z, d, s->end->h))) return;
  const bool rests = points > 0 && !is_moving(s, m) && is_worth_it(s, m);
  if (rests && is_slower(s, m, SAR_STILL))
    sar_direct_guess(&p->direct, m, d, &p->islands, z, &p->rows);
  const bool wholly = rests && sar_direct_share(&p->direct, m, d, &p->islands, z, &p->rows, still);
  const int restless = rests ? restlessness(p, m, z) : 0;
  for (int k = z->body; k < z->body + z->bodies; k++) {
    *counter(p->shared, m, p, k) = rests ? points : 0;
    *counter(p->stale, m, p, k) = wholly ? 0 : 1;  // the rest of it later
    *counter(p->restless, m, p, k) = *counter(p->pause, m, p, k) = restless;
  }
}

// Not helped by direct solves for some time
static bool is_given_up(SarImpulseState* p, const SarModel* m, const SarIsland* z) {
  int level = 0;
  for (int k = z->body; k < z->body + z->bodies; k++)
    level = (int)fmax(level, *counter(p->level, m, p, k));
  return level >= PATIENCE;
}

static void solve_directly(Sweeping* s, const SarModel* m, const SarData* d) {
  SarImpulseState* p = s->p;
  bool helped = false;
  for (int round = 0; round < ROUNDS && !s->done && !s->late && p->direct.left > 0; round++) {
    if (!sar_direct_solve(&p->direct, m, d, &p->islands, s->z, &p->rows)) break;
    helped = true;
    sweep_some(s, LEAST_SWEEPS);
  }
  note_help(s, m, helped && (s->done || p->direct.left > 0));
}

// Large islands that fly about are left to sweeps: a direct solve costs as much as hundreds of them
// there. Small ones may be towers that land: they have all that helps, and are never loose.
static bool is_left_alone(const Sweeping* s) {
  return s->flies && s->z->bodies > SMALL && !(s->end->tolerance > 0);
}

static void go_on(Sweeping* s, const SarModel* m, const SarData* d) {
  SarImpulseState* p = s->p;
  if (is_left_alone(s)) {
    s->alone = true;
  } else if (is_waiting(p, m, s->z)) {
    s->alone = is_given_up(p, m, s->z);
  } else if (is_worth_it(s, m)) {
    solve_directly(s, m, d);
    s->alone = !s->done && !(p->direct.left > 0);
  } else {
    s->alone = true;
  }
  if (s->z->bodies <= SMALL) s->alone = false;
}

void sar_island_solve(SarImpulseState* p, const SarModel* m, const SarData* d,
                      const SarSweepEnd* end, int island, SarIslandEnd* out) {
  Sweeping s = {.p = p, .z = &p->islands.island[island], .end = end};
  sweep_some(&s, LEAST_SWEEPS);
  if (!s.done && is_moving(&s, m)) {
    s.alone = is_left_alone(&s);
    sweep_some(&s, MOVING_SWEEPS);
  }
  if (!s.done && !s.late && s.sweeps < s.end->most) go_on(&s, m, d);
  sweep_some(&s, s.end->most);
  share(&s, m, d);
  shift(&s);
  const SarPoints* x = &p->rows.points;
  *out = (SarIslandEnd){s.sweeps, s.done, s.late, x->largest, x->went};
}
