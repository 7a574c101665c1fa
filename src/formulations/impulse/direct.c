// Guess, stages and the check of both (direct.h).
#include "formulations/impulse/direct.h"

#include "formulations/impulse/cone.h"

#include <string.h>

static const double GUESS_EPS = 1e-9;  // compliance of what sticks, of the diagonal
static const double STAGE_EPS[] = {1e-2, 1e-4, 1e-6};
enum { STAGES = sizeof STAGE_EPS / sizeof *STAGE_EPS };
enum { NEWTON_STEPS = 40, SEARCHES = 12 };
static const double GUESS_GAIN = 1e-2;  // a guess is kept if N^2 falls by this
static const double STAGE_GAIN = 0.99;  // a stage
static const double SMALL = 1e-20;      // Newton's decrement over the squares of the impulses
static const double STICKS = 1 - 1e-9;  // of the cone: friction below that sticks

static int bodies_of(const SarModel* m) {
  int bodies = 0;
  for (int i = 0; i < m->nbody && m->ncontact > 0; i++) bodies += m->joint_nv[i] == 6;
  return bodies;
}

void sar_direct_room(SarDirect* p, const SarModel* m, SarBlock* b) {
  const int bodies = bodies_of(m);
  *p = (SarDirect){0};
  sar_island_factor_init(&p->factor, bodies, b);
  SAR_PIECE(b, p->x, 6 * (size_t)bodies);
}

void sar_direct_init(SarDirect* p, const SarModel* m, SarBlock* b) {
  const int bodies = bodies_of(m);
  sar_direct_room(p, m, b);
  SAR_PIECE(b, p->point, bodies > 0 ? m->ncontact : 0);
  SAR_PIECE(b, p->kept, bodies > 0 ? m->ncontact : 0);
  SAR_PIECE(b, p->free, m->nv + SAR_GROUND);
  SAR_PIECE(b, p->dv, m->nv + SAR_GROUND);
  SAR_PIECE(b, p->way, m->nv + SAR_GROUND);
  SAR_PIECE(b, p->answer, m->nv + SAR_GROUND);
}

void sar_direct_clear(SarDirect* p, const SarModel* m) {
  double* all[] = {p->free, p->dv, p->way, p->answer};
  for (int k = 0; k < 4; k++) memset(all[k], 0, (size_t)(m->nv + SAR_GROUND) * sizeof **all);
}

// One solve of an island.
typedef struct Solve {
  SarDirect* p;
  const SarModel* m;
  const SarData* d;
  const SarIslands* islands;
  const SarIsland* z;
  SarImpulses* rows;
} Solve;

// Points of the island in turn: i, with its row x and its state at.
#define FOR_POINTS(s, i, x, at)                                              \
  for (int f_ = (s)->z->face; f_ < (s)->z->face + (s)->z->faces; f_++)       \
    for (int i = (s)->rows->points.face[(s)->islands->face[f_]].first,       \
             e_ = i + (s)->rows->points.face[(s)->islands->face[f_]].count;  \
         i < e_; i++)                                                        \
      for (const SarPointRows* x = &(s)->rows->points.point[i]; x; x = NULL) \
        for (SarDirectPoint* at = &(s)->p->point[i]; at; at = NULL)

static double length2(const double* x) { return sqrt(x[1] * x[1] + x[2] * x[2]); }

static bool is_stuck(double mu, const double* p) {
  return p[0] > 0 && length2(p) < STICKS * mu * p[0];
}

static bool factor(const Solve* s) {
  s->p->left -= s->p->cost;
  return sar_direct_factor(s->p, s->m, s->d, s->islands, s->z, s->rows);
}

static double residual(const Solve* s) {
  sar_direct_read(s->p, s->islands, s->z, s->rows);
  return sar_direct_residual(s->p, s->islands, s->z, s->rows);
}

static void keep(const Solve* s) {
  FOR_POINTS(s, i, x, at) memcpy(s->p->kept[i], s->rows->points.p[i], sizeof *s->p->kept);
}

// Impulses of the points are new, and better by `gain` than N^2 = *best; else they go back.
static bool is_better(const Solve* s, double gain, double* best) {
  sar_direct_move(s->p, s->islands, s->z, s->rows);
  const double now = residual(s);
  if (now <= gain * *best) {
    *best = now;
    return true;
  }
  FOR_POINTS(s, i, x, at) memcpy(s->rows->points.p[i], s->p->kept[i], sizeof *s->p->kept);
  sar_direct_move(s->p, s->islands, s->z, s->rows);
  return false;
}

// Change of a point's speeds by a change of velocities
static void read_changes(const Solve* s, const double* dv) {
  for (int f = s->z->face; f < s->z->face + s->z->faces; f++) {
    const SarFace* x = &s->rows->points.face[s->islands->face[f]];
    const SarTwist twist = sar_face_twist(x, dv);
    for (int i = x->first; i < x->first + x->count; i++)
      sar_point_speeds(&s->rows->points.point[i], &twist, s->p->point[i].du);
  }
}

static void multiply(const double* G, const double* x, double* y) {
  y[0] = G[0] * x[0] + G[1] * x[1] + G[2] * x[2];
  y[1] = G[1] * x[0] + G[3] * x[1] + G[4] * x[2];
  y[2] = G[2] * x[0] + G[4] * x[1] + G[5] * x[2];
}

// ---- guess --------------------------------------------------------------------------------------

// What sticks is stiff; what slides along the normal, and across its way as stiff as friction
// turns.
static void guess_slope(const SarPointRows* x, SarDirectPoint* at) {
  const double stiff = 1 / (GUESS_EPS * at->a), t = length2(at->p), ut = length2(at->u);
  memset(at->G, 0, sizeof at->G);
  if (!(at->p[0] > 0)) return;
  at->G[0] = stiff;
  if (is_stuck(x->friction, at->p)) {
    at->G[3] = at->G[5] = stiff;
  } else if (t > 0) {
    const double across = fmin(stiff, ut > 0 ? t / ut : stiff), a = at->p[1] / t, b = at->p[2] / t;
    at->G[3] = across * b * b, at->G[4] = -across * a * b, at->G[5] = across * a * a;
  }
}

static void cut(double mu, double* p) {
  const double t = length2(p), most = mu * p[0];
  if (!(p[0] > 0)) {
    p[0] = p[1] = p[2] = 0;
  } else if (t > most) {
    p[1] *= most / t, p[2] *= most / t;
  }
}

// dp = G (-u - J dv), cut to the cones; then as far along it as the dual quadratic falls.
static bool guess(const Solve* s, double* best) {
  SarPointImpulse *p = s->rows->points.p, *step = s->rows->points.way;
  FOR_POINTS(s, i, x, at) {
    guess_slope(x, at);
    const double r[3] = {-at->u[0], -at->u[1], -at->u[2]};
    multiply(at->G, r, step[i]);
    step[i][3] = 0;
  }
  if (!factor(s)) return false;
  sar_direct_answer(s->p, s->islands, s->z, s->rows, step);
  sar_direct_way(s->p, s->m, s->d, s->islands, s->z, s->p->answer);
  read_changes(s, s->p->way);
  double slope = 0;
  FOR_POINTS(s, i, x, at) {
    const double r[3] = {-at->u[0] - at->du[0], -at->u[1] - at->du[1], -at->u[2] - at->du[2]};
    double dp[3];
    multiply(at->G, r, dp);
    for (int k = 0; k < 3; k++) dp[k] += at->p[k];
    cut(x->friction, dp);
    for (int k = 0; k < 3; k++) {
      step[i][k] = dp[k] - at->p[k];
      slope += step[i][k] * at->u[k];
    }
  }
  sar_direct_answer(s->p, s->islands, s->z, s->rows, step);
  const double curve = sar_direct_dot(s->m, s->islands, s->z, s->p->answer, s->p->answer);
  if (!(slope < 0) || !(curve > 0)) return false;
  const double t = fmin(1, -slope / curve);
  keep(s);
  FOR_POINTS(s, i, x, at) for (int k = 0; k < 3; k++) p[i][k] += t * step[i][k];
  return is_better(s, GUESS_GAIN, best);
}

// ---- stages -------------------------------------------------------------------------------------

static void begin_stage(const Solve* s, double eps) {
  FOR_POINTS(s, i, x, at) {
    at->R = eps * at->a;
    memcpy(at->bar, at->p, sizeof at->bar);
    if (!is_stuck(x->friction, at->p)) at->u[0] += x->friction * length2(at->u);
  }
  for (int k = s->z->body; k < s->z->body + s->z->bodies; k++)
    memset(&s->p->dv[s->islands->first[k]], 0, 6 * sizeof *s->p->dv);
}

static void force_of(const SarPointRows* x, const SarDirectPoint* at, double t, double* w,
                     double* p) {
  for (int k = 0; k < 3; k++) w[k] = at->bar[k] - (at->u[k] + t * at->du[k]) / at->R;
  sar_cone_project(x->friction, w, p);
}

// Derivative of the stage's function along the way, at t; dv . way and way . way by M.
static double derivative(const Solve* s, double t, double across, double along) {
  double sum = across + t * along;
  FOR_POINTS(s, i, x, at) {
    double w[3], p[3];
    force_of(x, at, t, w, p);
    for (int k = 0; k < 3; k++) sum -= at->du[k] * (p[k] - at->bar[k]);
  }
  return sum;
}

// Where the derivative is a tenth of what it was: regula falsi (Illinois).
static double search(const Solve* s, double from) {
  const double along = sar_direct_dot(s->m, s->islands, s->z, s->p->way, s->p->way);
  const double across = sar_direct_dot(s->m, s->islands, s->z, s->p->dv, s->p->way);
  double low = 0, high = 1, at_low = from, at_high = derivative(s, 1, across, along);
  if (at_high <= -0.1 * from) return 1;
  for (int i = 0; i < SEARCHES; i++) {
    const double t = (low * at_high - high * at_low) / (at_high - at_low);
    const double here = derivative(s, t, across, along);
    if (fabs(here) <= -0.1 * from) return t;
    if (here > 0) {
      high = t, at_high = here, at_low *= 0.5;
    } else {
      low = t, at_low = here, at_high *= 0.5;
    }
  }
  return low > 0 ? low : high;
}

// One step of Newton's method; false: it is at its end, *fine tells whether it is a good one.
static bool newton(const Solve* s, bool* fine) {
  SarPointImpulse* step = s->rows->points.way;
  double size = 0;
  FOR_POINTS(s, i, x, at) {
    double w[3];
    force_of(x, at, 0, w, at->p);
    sar_cone_slope(x->friction, w, at->G);
    for (int k = 0; k < 6; k++) at->G[k] /= at->R;
    for (int k = 0; k < 3; k++) {
      step[i][k] = at->p[k] - at->bar[k];
      size += at->a * (at->p[k] * at->p[k] + at->bar[k] * at->bar[k]);
    }
    step[i][3] = 0;
  }
  sar_direct_answer(s->p, s->islands, s->z, s->rows, step);
  double* r = s->p->answer;  // -M^-1 of the gradient
  for (int k = s->z->body; k < s->z->body + s->z->bodies; k++)
    for (int j = s->islands->first[k]; j < s->islands->first[k] + 6; j++) r[j] -= s->p->dv[j];
  *fine = false;
  if (!factor(s)) return false;
  sar_direct_way(s->p, s->m, s->d, s->islands, s->z, r);
  const double decrement = sar_direct_dot(s->m, s->islands, s->z, r, s->p->way);
  *fine = decrement <= SMALL * size;
  if (*fine) return false;
  read_changes(s, s->p->way);
  const double t = search(s, -decrement);
  for (int k = s->z->body; k < s->z->body + s->z->bodies; k++)
    for (int j = s->islands->first[k]; j < s->islands->first[k] + 6; j++)
      s->p->dv[j] += t * s->p->way[j];
  FOR_POINTS(s, i, x, at) for (int k = 0; k < 3; k++) at->u[k] += t * at->du[k], at->du[k] = 0;
  return true;
}

static bool stage(const Solve* s, double eps, double* best) {
  begin_stage(s, eps);
  FOR_POINTS(s, i, x, at) memset(at->du, 0, sizeof at->du);
  bool fine = false;
  for (int k = 0; k < NEWTON_STEPS && s->p->left > 0 && newton(s, &fine); k++) {
  }
  keep(s);
  FOR_POINTS(s, i, x, at) memcpy(s->rows->points.p[i], at->p, sizeof at->p);
  return is_better(s, STAGE_GAIN, best);
}

// ---- all of it ----------------------------------------------------------------------------------

bool sar_direct_guess(SarDirect* p, const SarModel* m, const SarData* d, const SarIslands* islands,
                      const SarIsland* z, SarImpulses* rows) {
  const Solve s = {p, m, d, islands, z, rows};
  sar_direct_move(p, islands, z, rows);
  double best = residual(&s);
  return guess(&s, &best);
}

bool sar_direct_solve(SarDirect* p, const SarModel* m, const SarData* d, const SarIslands* islands,
                      const SarIsland* z, SarImpulses* rows) {
  const Solve s = {p, m, d, islands, z, rows};
  sar_direct_move(p, islands, z, rows);
  double best = residual(&s);
  if (guess(&s, &best)) return true;
  bool kept = false;
  for (int i = 0; i < STAGES && p->left > 0; i++) {
    residual(&s);
    if (!stage(&s, STAGE_EPS[i], &best)) break;
    kept = true;
  }
  if (kept && p->left > 0) guess(&s, &best);
  return kept;
}
