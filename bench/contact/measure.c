// How well a run holds, from positions alone, in the same way for every engine.
#include "contact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct Measure {
  const Scene* s;
  Quality worst;
  bool settled;
  Pose start[MAX_BOXES];  // when the scene had settled; the held box in the hand's frame
};

Measure* measure_new(const Scene* s) {
  Measure* m = calloc(1, sizeof *m);
  m->s = s;
  return m;
}

void measure_free(Measure* m) { free(m); }

Quality measure_result(const Measure* m) { return m->worst; }

static double dot(const double* a, const double* b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void column(const Pose* x, int k, double* out) {
  for (int i = 0; i < 3; i++) out[i] = x->R[3 * i + k];
}

// written so that NaN counts
static void raise(double* worst, double value) {
  if (!(value <= *worst)) *worst = value;
}

// Half the extent of a box along an axis
static double reach(const Box* b, const Pose* x, const double* axis) {
  double sum = 0;
  for (int k = 0; k < 3; k++) {
    double u[3];
    column(x, k, u);
    sum += 0.5 * b->size[k] * fabs(dot(u, axis));
  }
  return sum;
}

static double overlap(const Box* a, const Pose* xa, const Box* b, const Pose* xb, const double* n) {
  const double apart[3] = {xb->p[0] - xa->p[0], xb->p[1] - xa->p[1], xb->p[2] - xa->p[2]};
  return reach(a, xa, n) + reach(b, xb, n) - fabs(dot(apart, n));
}

// Depth of two boxes: the smallest overlap along the normals of their faces and the products of
// their edges (separating axes). Nearly parallel edges have no product that means anything.
static double depth_of(const Box* a, const Pose* xa, const Box* b, const Pose* xb) {
  double least = HUGE_VAL, edge[2][3][3];
  for (int k = 0; k < 3; k++) {
    column(xa, k, edge[0][k]);
    column(xb, k, edge[1][k]);
    least = fmin(least, overlap(a, xa, b, xb, edge[0][k]));
    least = fmin(least, overlap(a, xa, b, xb, edge[1][k]));
  }
  for (int k = 0; k < 9 && least > 0; k++) {
    const double *u = edge[0][k / 3], *w = edge[1][k % 3];
    double n[3] = {u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]};
    const double size = sqrt(dot(n, n));
    if (size < 0.05) continue;
    for (int i = 0; i < 3; i++) n[i] /= size;
    least = fmin(least, overlap(a, xa, b, xb, n));
  }
  return least;
}

static void take_depth(Measure* m, const Pose* pose) {
  static const double UP[3] = {0, 0, 1};
  const Scene* s = m->s;
  double radius[MAX_BOXES];
  for (int i = 0; i < s->boxes; i++) radius[i] = 0.5 * sqrt(dot(s->box[i].size, s->box[i].size));
  for (int i = 0; i < s->boxes; i++) {
    if (!s->box[i].touches) continue;
    if (s->floor) raise(&m->worst.depth, reach(&s->box[i], &pose[i], UP) - pose[i].p[2]);
    for (int j = 0; j < i; j++) {
      if (!s->box[j].touches) continue;
      const double x = pose[i].p[0] - pose[j].p[0], z = pose[i].p[2] - pose[j].p[2];
      if (hypot(x, z) > radius[i] + radius[j]) continue;
      raise(&m->worst.depth, depth_of(&s->box[j], &pose[j], &s->box[i], &pose[i]));
    }
  }
}

// ---- hinges: where the anchor is on the one body and on the other
static void rotation(const double* q, double* R) {
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  const double rows[9] = {
      1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
      2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
      2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
  memcpy(R, rows, sizeof rows);
}

// Where a point that was at `at` in the beginning is now; `vector`: a direction, not a point
static void carried(const Scene* s, int body, const double* at, bool vector, const Pose* pose,
                    double* out) {
  memcpy(out, at, 3 * sizeof *at);
  if (body < 0) return;
  const Box* b = &s->box[body];
  double R[9], from[3], local[3];
  rotation(b->quat, R);
  for (int k = 0; k < 3; k++) from[k] = at[k] - (vector ? 0 : b->at[k]);
  for (int k = 0; k < 3; k++) local[k] = R[k] * from[0] + R[3 + k] * from[1] + R[6 + k] * from[2];
  for (int k = 0; k < 3; k++)
    out[k] = (vector ? 0 : pose[body].p[k]) + dot(&pose[body].R[3 * k], local);
}

static double gap_of(const Scene* s, const Hinge* j, const Pose* pose) {
  double x[3], y[3];
  carried(s, j->a, j->at, false, pose, x);
  carried(s, j->b, j->at, false, pose, y);
  return hypot(hypot(x[0] - y[0], x[1] - y[1]), x[2] - y[2]);
}

// Angle of a hinge about y, from a direction that lies in its plane
static double angle_of(const Scene* s, const Hinge* j, const Pose* pose) {
  static const double DOWN[3] = {0, 0, -1};
  double u[3], w[3];
  carried(s, j->a, DOWN, true, pose, u);
  carried(s, j->b, DOWN, true, pose, w);
  return j->axis[1] * atan2(u[2] * w[0] - u[0] * w[2], dot(u, w));
}

// A mechanism that has come apart this far is none any more [m].
static const double APART = 0.03;

static void take_drift(Measure* m, bool settled, const Pose* pose) {
  const Scene* s = m->s;
  for (int i = 0; i < s->hinges; i++) raise(&m->worst.drift, gap_of(s, &s->hinge[i], pose));
  if (s->repeater[1] && settled) {
    const Hinge *first = &s->hinge[s->repeater[0]], *second = &s->hinge[s->repeater[1]];
    const double lag = angle_of(s, second, pose) - angle_of(s, first, pose);
    raise(&m->worst.drift, fabs(lag) * s->box[second->b].size[2]);
  }
  if (s->tracer.box >= 0) {
    const Pose* x = &pose[s->tracer.box];
    raise(&m->worst.drift, fabs(x->p[0] + dot(x->R, s->tracer.local) - s->tracer.x));
  }
  if (!(m->worst.drift < APART)) m->worst.fell = true;
}

// ---- boxes that stand, and the one that is held
static void in_hand(const Scene* s, const Pose* pose, double* out) {
  const Pose *hand = &pose[s->hand], *held = &pose[s->held];
  for (int k = 0; k < 3; k++) {
    double axis[3];
    const double apart[3] = {held->p[0] - hand->p[0], held->p[1] - hand->p[1],
                             held->p[2] - hand->p[2]};
    column(hand, k, axis);
    out[k] = dot(axis, apart);
  }
}

static void take_held(Measure* m, const Pose* pose) {
  double x[3];
  const double* x0 = m->start[m->s->held].p;
  in_hand(m->s, pose, x);
  raise(&m->worst.slip, hypot(hypot(x[0] - x0[0], x[1] - x0[1]), x[2] - x0[2]));
  if (!(m->worst.slip < 0.5 * m->s->box[m->s->held].size[0])) m->worst.fell = true;
}

static void take_standing(Measure* m, const Pose* pose) {
  const Scene* s = m->s;
  for (int i = 0; i < s->boxes; i++) {
    const double *x = pose[i].p, *x0 = m->start[i].p;
    raise(&m->worst.slip, hypot(x[0] - x0[0], x[1] - x0[1]));
    raise(&m->worst.tilt, acos(fmin(pose[i].R[8], 1)));
    if (!(fabs(x[2] - s->box[i].at[2]) < 0.25 * s->box[i].size[2])) m->worst.fell = true;
  }
}

void measure_take(Measure* m, double t, const Pose* pose) {
  const Scene* s = m->s;
  const bool settled = t > s->settled - 0.5 * s->step;
  take_drift(m, settled, pose);
  if (!s->floor) return;
  take_depth(m, pose);
  if (!settled) return;
  if (!m->settled) {
    memcpy(m->start, pose, (size_t)s->boxes * sizeof *pose);
    if (s->hand) in_hand(s, pose, m->start[s->held].p);
  }
  m->settled = true;
  if (s->hand)
    take_held(m, pose);
  else
    take_standing(m, pose);
}
