// hulls_bench: the narrow phase of two hulls of 50 to 800 vertices, apart, in touch and deep,
// beside Bullet's (GJK and EPA in single precision).
//
//   round    points spread evenly over a ball      prism    two polygons of half as many corners
//
// The distance of the centres is given as a share of that at which balls of the same size touch.
// Times are the least of some rounds. Bullet's depth is compared with ours; what is deeper is a
// direction that is not the nearest way out.
#include "bench.h"
#include "hulls/hulls.h"

#include "base/arena.h"
#include "collide/collide.h"
#include "collide/hull.h"
#include "collide/store.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { POSES = 64, ROUNDS = 7, MOST = 800 };

void fail(const char* format, ...) {
  va_list args;
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
  exit(1);
}

static unsigned long long state = 1;
static double uniform(double low, double high) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return low + (high - low) * (double)(state >> 11) * 0x1p-53;
}

static M3 any_turn(void) {
  Quat q;
  do {
    double w = uniform(-1, 1), x = uniform(-1, 1), y = uniform(-1, 1), z = uniform(-1, 1);
    q = (Quat){w, x, y, z};
  } while (quat_norm2(q) > 1 || quat_norm2(q) < 0.01);
  return quat_to_m3(quat_unit(q));
}

// Fibonacci's spiral; two rings.
static void make_points(bool round, int n, V3* out) {
  for (int i = 0; i < n; i++) {
    double z = 1 - (2 * i + 1.0) / n, angle = 2.399963229728653 * i, r = sqrt(1 - z * z);
    if (!round) z = i % 2 ? 0.6 : -0.6, angle = 12.566370614359172 * (i / 2) / n, r = 0.8;
    out[i] = v3(0.1 * r * cos(angle), 0.1 * r * sin(angle), 0.1 * z);
  }
}

typedef struct Case {
  SarSolid solid;
  BulletPair* pair;
  Xform a[POSES], b[POSES];
} Case;

static void make_poses(Case* c, double share) {
  for (int i = 0; i < POSES; i++) {
    V3 d;
    do d = v3(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1));
    while (v3_norm(d) > 1 || v3_norm(d) < 0.1);
    c->a[i] = (Xform){any_turn(), v3_zero()};
    c->b[i] = (Xform){any_turn(), v3_scale(0.2 * share, v3_unit(d))};
  }
}

static int ours(const Case* c, int i, double* depth) {
  SarTouch t[SAR_TOUCH_MOST];
  int n = sar_collide(&c->solid, &c->a[i], &c->solid, &c->b[i], 0.02, t, SAR_TOUCH_MOST);
  *depth = -HUGE_VAL;
  for (int k = 0; k < n; k++) *depth = fmax(*depth, -t[k].gap);
  return n;
}

static void place(const Case* c, int i) {
  const M3 *A = &c->a[i].R, *B = &c->b[i].R;
  const double R_a[9] = {A->xx, A->xy, A->xz, A->yx, A->yy, A->yz, A->zx, A->zy, A->zz},
               R_b[9] = {B->xx, B->xy, B->xz, B->yx, B->yy, B->yz, B->zx, B->zy, B->zz};
  bullet_place(c->pair, R_a, &c->a[i].p.x, R_b, &c->b[i].p.x);
}

// The least time of each pose: other work on the machine only adds.
static void measure(const char* name, int n, double share, const Case* c) {
  double mine = 0, theirs = 0, worst = 0, off = 0, d = 0, e = 0;
  for (int i = 0; i < POSES; i++) {
    double ours_least = HUGE_VAL, least = HUGE_VAL;
    int points = 0;
    place(c, i);
    for (int r = 0; r < ROUNDS; r++) {
      double start = clock_now();
      ours(c, i, &d);
      double middle = clock_now();
      points = bullet_collide(c->pair, &e);
      ours_least = fmin(ours_least, middle - start);
      least = fmin(least, clock_now() - middle);
    }
    mine += ours_least / POSES;
    theirs += least / POSES;
    worst = fmax(worst, ours_least);
    if (points > 0 && d > -HUGE_VAL) off = fmax(off, fabs(e - d));
  }
  printf("%-6s %4d %6.2f %9.2f %9.2f %9.2f %7.2f %11.1e\n", name, n, share, 1e6 * mine, 1e6 * worst,
         1e6 * theirs, mine / theirs, off);
}

int main(void) {
  static const int SIZE[] = {50, 100, 200, 400, 800};
  static const double SHARE[] = {1.02, 0.98, 0.7, 0.3, 0.01};
  static V3 point[MOST];
  static Case c;
  clock_pin();
  printf("shape     n  share ours [us]     worst    Bullet   ratio   depth off [m]\n");
  for (int round = 1; round >= 0; round--)
    for (int k = 0; k < 5; k++) {
      SarArena arena;
      SarHull hull;
      sar_arena_init(&arena);
      make_points(round, SIZE[k], point);
      if (sar_hull_build(point, SIZE[k], &arena, &hull).flaw != SAR_MESH_SOUND)
        fail("hulls_bench: no hull\n");
      c.solid = sar_solid_of_hull(&hull);
      BulletHull* h = bullet_hull(&point[0].x, SIZE[k]);
      c.pair = bullet_pair(h, h);
      for (int s = 0; s < 5; s++) {
        make_poses(&c, SHARE[s]);
        measure(round ? "round" : "prism", SIZE[k], SHARE[s], &c);
      }
      bullet_pair_free(c.pair);
      bullet_hull_free(h);
      sar_arena_free(&arena);
    }
  return 0;
}
