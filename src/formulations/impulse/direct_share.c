// Load sharing: of all impulses that move the bodies of an island as those found do, the smallest
// (least norm, as equal elastic feet would share), over the points that stick or touch.
//
//   min |p*|^2,   J' p* = J' p:     p* = G J K^-1 J' p,   K = M + J' G J,   G = 1 / (eps a)
//
// repeated on what is left of J' p (iterative refinement). Contacts only push: points that would
// pull are left out, and the rest shares again. Nothing moves, so nothing depends on it but the
// impulses themselves; it makes them the same for mirror images and for any order in the file.
#include "formulations/impulse/direct.h"

#include <string.h>

static const double EPS = 1e-6;
static const double EXACT = 1e-11;  // of the speeds that the impulses give: what may be left
enum { ROUNDS = 5, REFINEMENTS = 8 };

typedef struct Share {
  SarDirect* p;
  const SarModel* m;
  const SarData* d;
  const SarIslands* islands;
  const SarIsland* z;
  SarImpulses* rows;
  SarPointImpulse *left, *share;  // what is to be shared still, and what is
} Share;

typedef void PointFunction(const Share* s, int i, void* to);

static void for_points(const Share* s, PointFunction* f, void* to) {
  for (int k = s->z->face; k < s->z->face + s->z->faces; k++) {
    const SarFace* x = &s->rows->points.face[s->islands->face[k]];
    for (int i = x->first; i < x->first + x->count; i++) f(s, i, to);
  }
}

// ---- who takes part -----------------------------------------------------------------------------

typedef struct Chosen {
  double still, sum;
  int count;
} Chosen;

// What does not move, be it at the limit of its friction: that may be stress of its own.
static void choose(const Share* s, int i, void* to) {
  Chosen* c = to;
  SarDirectPoint* at = &s->p->point[i];
  const double* u = at->u;
  const bool sticks =
      s->rows->points.point[i].friction == 0 || u[1] * u[1] + u[2] * u[2] <= c->still * c->still;
  const bool takes = fabs(u[0]) <= c->still && sticks;
  at->G[0] = takes ? 1 : 0;
  if (takes) c->sum += at->a, c->count++;
}

static void set_slope(const Share* s, int i, void* to) {
  SarDirectPoint* at = &s->p->point[i];
  const double stiff = *(double*)to, takes = at->G[0] != 0 ? stiff : 0;
  const double mu = s->rows->points.point[i].friction;
  memset(at->G, 0, sizeof at->G);
  at->G[0] = takes;
  if (mu > 0) at->G[3] = at->G[5] = takes;
  memset(s->left[i], 0, sizeof *s->left);
  memset(s->share[i], 0, sizeof *s->share);
  if (takes > 0) memcpy(s->left[i], at->p, sizeof at->p);
  memcpy(at->bar, at->p, sizeof at->bar);
}

// ---- sharing ------------------------------------------------------------------------------------

static void give(const Share* s, int i, void* to) {
  (void)to;
  SarDirectPoint* at = &s->p->point[i];
  const double d[3] = {at->G[0] * at->du[0], at->G[3] * at->du[1], at->G[5] * at->du[2]};
  for (int k = 0; k < 3; k++) s->share[i][k] += d[k], s->left[i][k] -= d[k];
}

static void read_changes(const Share* s) {
  for (int k = s->z->face; k < s->z->face + s->z->faces; k++) {
    const SarFace* x = &s->rows->points.face[s->islands->face[k]];
    const SarTwist twist = sar_face_twist(x, s->p->way);
    for (int i = x->first; i < x->first + x->count; i++)
      sar_point_speeds(&s->rows->points.point[i], &twist, s->p->point[i].du);
  }
}

static double speed_left(const Share* s) {
  sar_direct_answer(s->p, s->islands, s->z, s->rows, s->left);
  return sar_direct_dot(s->m, s->islands, s->z, s->p->answer, s->p->answer);
}

// False: those that take part cannot bear it.
static bool refine(const Share* s) {
  if (!sar_direct_factor(s->p, s->m, s->d, s->islands, s->z, s->rows)) return false;
  const double all = speed_left(s), enough = EXACT * EXACT * all;
  double left = all;
  for (int i = 0; i < REFINEMENTS && left > enough; i++) {
    sar_direct_way(s->p, s->m, s->d, s->islands, s->z, s->p->answer);
    read_changes(s);
    for_points(s, give, NULL);
    left = speed_left(s);
  }
  return left <= 1e4 * enough;
}

// Points that would pull: their shares go back to what is left, they take no part from now on.
static void leave_out(const Share* s, int i, void* to) {
  SarDirectPoint* at = &s->p->point[i];
  if (!(s->share[i][0] < 0) || at->G[0] == 0) return;
  memset(at->G, 0, sizeof at->G);
  *(bool*)to = true;
}

static void begin_again(const Share* s, int i, void* to) {
  (void)to;
  for (int k = 0; k < 3; k++) s->left[i][k] += s->share[i][k], s->share[i][k] = 0;
}

// ---- within the cones ---------------------------------------------------------------------------

typedef struct Within {
  double t;
  bool all;
} Within;

static bool took_part(const Share* s, int i) {
  for (int k = 0; k < 3; k++)
    if (s->share[i][k] != 0 || s->left[i][k] != 0) return true;
  return false;
}

static void check(const Share* s, int i, void* to) {
  Within* w = to;
  if (!took_part(s, i)) return;
  const double mu = s->rows->points.point[i].friction, *bar = s->p->point[i].bar;
  double p[3];
  for (int k = 0; k < 3; k++) p[k] = bar[k] + w->t * (s->share[i][k] - bar[k]);
  if (p[0] < 0 || p[1] * p[1] + p[2] * p[2] > mu * mu * p[0] * p[0]) w->all = false;
}

static void take(const Share* s, int i, void* to) {
  const double t = *(double*)to, *bar = s->p->point[i].bar;
  if (!took_part(s, i)) return;
  for (int k = 0; k < 3; k++) s->rows->points.p[i][k] = bar[k] + t * (s->share[i][k] - bar[k]);
}

// The largest share of the way, of 64, that keeps the cones.
static double way_within(const Share* s) {
  for (int k = 64; k > 0; k /= 2) {
    Within w = {k / 64.0, true};
    for_points(s, check, &w);
    if (w.all) return w.t;
  }
  return 0;
}

bool sar_direct_share(SarDirect* p, const SarModel* m, const SarData* d, const SarIslands* islands,
                      const SarIsland* z, SarImpulses* rows, double still) {
  const Share s = {p, m, d, islands, z, rows, rows->points.last, rows->points.way};
  Chosen chosen = {.still = still};
  sar_direct_read(p, islands, z, rows);
  for_points(&s, choose, &chosen);
  if (chosen.count == 0) return false;
  double stiff = chosen.count / (EPS * chosen.sum);
  for_points(&s, set_slope, &stiff);
  for (int round = 0; round < ROUNDS; round++) {
    bool pulls = false;
    if (!refine(&s)) return false;
    for_points(&s, leave_out, &pulls);
    if (!pulls) break;
    if (round + 1 == ROUNDS) return false;
    for_points(&s, begin_again, NULL);
  }
  double t = way_within(&s);
  for_points(&s, take, &t);
  sar_direct_move(p, islands, z, rows);
  return t == 1;
}
