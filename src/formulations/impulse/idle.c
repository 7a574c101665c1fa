// Friction that would push (laws.h): its work made non-positive, as Coulomb's law has it wherever
// surfaces are not driven.
//
// What sticks is to have no speed where the step ends (contact_rows.c), which leaves its impulses
// the work
//
//   W = p . (a + b) / 2,     a, b: speeds at the jump before and after it (books.c)
//
// of third order, of either sign: p is whatever load it holds, a + b what J turned more in this
// step than in the one before. Where W > 0 the step takes the target b = -a, that of the midpoint
// rule: friction is then against the mean of both speeds,
//
//   p = -mu p_n (a + b) / |a + b|,  or  a + b = 0:     W = -mu p_n |a + b| / 2 <= 0
//
// at each contact. It is not the rule for every step: a speed that is left stays, and changes its
// sign. All contacts take it, or none: targets of both kinds beside each other contradict each
// other where more contacts stick than it needs, and rigid bodies answer with stress. Where sweeps
// do not settle what jams (Painleve's paradox), and friction still pushes, or a contact gives
// energy because its normal impulse works against friction, the step goes without it.
#include "formulations/impulse/laws.h"

#include <math.h>

// Of impulses times speeds: what sweeps leave where motors press on trees, whose loads they do not
// settle (a cube between two fingers), and of all others.
static const double NOTHING = 1e-3, LITTLE = 1e-7;
// Friction that still gives as much is left out: beside motors, and where nothing presses.
static const double MUCH = 3e-3, MORE = 1e-6;

typedef struct Sum {
  double W, size;   // twice the work of friction; impulses times speeds
  double contacts;  // twice the work of all impulses
} Sum;

// Of the mean of the speeds where the step begins and ends, wherever in it velocities jump: what
// holds a body at rest against forces does none, though it jumps by as much as these give in the
// step.
static double twice(double p, double start, double end) { return p * (end + start); }

static double size_of(double p, double start, double before) {
  return fabs(p) * (fabs(start) + fabs(before - start));
}

static bool is_friction(const SarImpulseRow* row) { return row->limiter >= 0; }

static Sum sum_rows(const SarImpulses* p, int contacts) {
  Sum sum = {0, 0, 0};
  for (int i = contacts; i < p->count; i++) {
    const SarImpulseRow* row = &p->row[i];
    if (row->p == 0) continue;
    const double end = sar_impulse_speed(p, row, p->v);
    const double W = twice(row->p, row->start, end);
    if (is_friction(row)) sum.W += W;
    sum.contacts += W;
    sum.size += size_of(row->p, row->start, row->before);
  }
  return sum;
}

static Sum sum_points(const SarImpulses* p) {
  Sum sum = {0, 0, 0};
  for (int f = 0; f < p->points.faces; f++) {
    const SarFace* face = &p->points.face[f];
    const SarTwist end = sar_face_twist(face, p->v);
    for (int i = face->first; i < face->first + face->count; i++) {
      const SarPointRows* x = &p->points.point[i];
      const double* impulse = p->points.p[i];
      double speed[3];
      if (impulse[0] == 0) continue;
      sar_point_speeds(x, &end, speed);
      for (int k = 0; k < 3; k++) {
        const double W = twice(impulse[k], x->start[k], speed[k]);
        if (k > 0) sum.W += W;
        sum.contacts += W;
        sum.size += size_of(impulse[k], x->start[k], x->before[k]);
      }
    }
  }
  return sum;
}

// Of an impact only the whole work is known.
static bool pushes(const SarImpulses* p, Sum sum, double share) {
  return (p->impact ? fmin(sum.W, sum.contacts) : sum.W) > share * sum.size;
}

// Of n speeds along the tangents of a contact: turned round, or left to forces if that is less, as
// where what slid up a slope turns back. Either does no work. True: some have changed.
static bool leave(int n, const double* start, const double* before, double* speed) {
  double turned = 0, left = 0;
  bool changed = false;
  for (int k = 0; k < n; k++) {
    turned += start[k] * start[k];
    left += before[k] * before[k];
  }
  for (int k = 0; k < n; k++) {
    const double now = left < turned ? before[k] : -start[k];
    changed = changed || speed[k] != now;
    speed[k] = now;
  }
  return changed;
}

static bool idle_rows(SarImpulses* p, int contacts) {
  bool again = false;
  for (int i = contacts, n; i < p->count; i += n) {
    SarImpulseRow* row = &p->row[i];
    double start[2], before[2], speed[2];
    n = row->disc ? 2 : 1;
    if (!is_friction(row)) continue;
    for (int k = 0; k < n; k++)
      start[k] = row[k].start, before[k] = row[k].before, speed[k] = row[k].speed;
    again = leave(n, start, before, speed) || again;
    for (int k = 0; k < n; k++) row[k].speed = speed[k];
  }
  return again;
}

static bool idle_points(SarImpulses* p) {
  bool again = false;
  for (int i = 0; i < p->points.count; i++) {
    SarPointRows* x = &p->points.point[i];
    again = leave(2, x->start + 1, x->before + 1, x->slip) || again;
  }
  return again;
}

// Sweeps did not settle it: the step goes without.
static void drop_friction(SarImpulses* p, int contacts, bool rows, bool points) {
  for (int i = contacts; i < p->count && rows; i++)
    if (is_friction(&p->row[i])) p->row[i].factor = 0;
  for (int i = 0; i < p->points.count && points; i++) p->points.point[i].friction = 0;
}

// The same of contacts of rows that give energy, normal and friction together. True: some do.
static bool drop_givers(SarImpulses* p, int contacts) {
  bool any = false;
  for (int i = contacts, n; i < p->count; i += n) {
    double W = 0;
    for (n = 0; i + n < p->count && (n == 0 || p->row[i + n].limiter == i); n++) {
      const SarImpulseRow* row = &p->row[i + n];
      W += twice(row->p, row->start, sar_impulse_speed(p, row, p->v));
    }
    for (int k = i + 1; k < i + n && W > 0; k++) {
      any = any || (p->row[k].factor > 0 && p->row[k].p != 0);
      p->row[k].factor = 0;
    }
  }
  return any;
}

bool sar_calm_friction(SarImpulses* p, int contacts, bool passive) {
  const Sum rows = sum_rows(p, contacts), points = sum_points(p);
  bool again = false;
  const double nothing = p->held->bodies || passive ? LITTLE : NOTHING;
  const double much = passive ? MORE : MUCH;
  if (pushes(p, rows, nothing)) again = idle_rows(p, contacts);
  if (pushes(p, points, nothing)) again = idle_points(p) || again;
  if (again) return true;
  const bool by_rows = pushes(p, rows, much), by_points = pushes(p, points, MUCH);
  drop_friction(p, contacts, by_rows, by_points);
  const bool jams = passive && !by_rows && rows.contacts > NOTHING * rows.size;
  return (jams && drop_givers(p, contacts)) || by_rows || by_points;
}

// All contacts of rows act by the share s < 1 of their impulses at which they do no work:
//
//   W(s) = s p . a + s^2 p . (b - a) / 2 = 0,    s = -2 p . a / p . (b - a)
//
// What jams and is not settled by the sweeps would give the energy that its impulses are wrong by.
void sar_cap_work(SarImpulses* p, int contacts) {
  const Sum sum = sum_rows(p, contacts);
  double pa = 0;
  if (!(sum.contacts > NOTHING * sum.size)) return;
  for (int i = contacts; i < p->count; i++) {
    const SarImpulseRow* row = &p->row[i];
    pa += 0.5 * row->p * (row->start + row->before);
  }
  const double s = pa < 0 ? fmin(1, -2 * pa / (sum.contacts - 2 * pa)) : 0;  // p.(a+b) - 2 p.a
  for (int i = contacts; i < p->count; i++) {
    SarImpulseRow* row = &p->row[i];
    sar_impulse_apply(p, row, (s - 1) * row->p, p->v);
    row->p *= s;
  }
}
