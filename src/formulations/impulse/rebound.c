// Impacts that would add energy: Newton's restitution with Coulomb friction made energetically
// consistent (laws.h).
//
// Newton's restitution speaks of the normal alone. Where an impulse along the normal also moves the
// point sideways, friction that ends the sliding may leave the bodies with more energy than they
// had (Kane's double pendulum). The work of the impulses of one contact at an impact, with the
// speeds v- before and v+ after it, is
//
//   W = p . (v- + v+) / 2,      if it sticks:  W(e) = R e^2 / e0^2 - T,  R = w^2 e0^2 (A^-1)_nn / 2
//
// w the speed of approach, A^-1 the mass that the contact sees. So a contact with W > 0 is solved
// again with
//
//   e = e0 sqrt(1 - W / R'),    R' = m (e0 w)^2 / 2 <= R,  m = 1 / A_nn
//
// which ends at W <= 0 at once where one contact sticks; others take more rounds. Without
// restitution impulses of contact never add energy, whatever the friction: that is the last resort.
// Sources: Kane and Levinson 1985; Stronge 1990 (energy at impacts).
#include "formulations/impulse/laws.h"

#include <math.h>

enum { ROUNDS = 4 };
static const double NOTHING = 1e-12;  // of the energy of the rebound

// Rows from i on that belong to one contact: its normal, then those that the normal limits.
static int contact_end(const SarImpulses* p, int i) {
  int end = i + 1;
  while (end < p->count && p->row[end].limiter == i) end++;
  return end;
}

// The speed after the impact that restitution asks for, of what a row wants; 0: it asks for
// nothing.
static double rebound_of(bool bounces, double speed, double start, double before,
                         const SarJump* jump) {
  return bounces ? speed - (1 - jump->theta) * (before - start) : 0;
}

static double row_rebound(const SarImpulseRow* row, const SarJump* jump) {
  return rebound_of(row->bounces, row->speed, row->start, row->before, jump);
}
static double point_rebound(const SarPointRows* x, const SarJump* jump) {
  return rebound_of(x->bounces, x->speed, x->start[0], x->before[0], jump);
}

// By how much less the contact is to rebound; W: work of its impulses.
static double excess(double rebound, double mass, double W) {
  const double R = 0.5 * mass * rebound * rebound;
  return W > NOTHING * R ? (1 - sqrt(fmax(0, 1 - W / R))) * rebound : 0;
}

static bool temper_rows(SarImpulses* p, const SarJump* jump, int contacts) {
  bool again = false;
  for (int i = contacts, end; i < p->count; i = end) {
    SarImpulseRow* row = &p->row[i];
    const double rebound = row_rebound(row, jump);
    double W = 0;
    end = contact_end(p, i);
    if (!(rebound > 0) || !(row->p > 0)) continue;
    for (int k = i; k < end; k++) W += sar_row_work(p, &p->row[k], jump);
    const double less = excess(rebound, row->mass, W);
    row->speed -= less;
    again = again || less > 0;
  }
  return again;
}

static bool temper_face(SarImpulses* p, const SarFace* face, const SarJump* jump) {
  const SarTwist end = sar_face_twist(face, p->v);
  bool again = false;
  for (int i = face->first; i < face->first + face->count; i++) {
    SarPointRows* x = &p->points.point[i];
    const double rebound = point_rebound(x, jump);
    double W[3];
    if (!(rebound > 0) || !(p->points.p[i][0] > 0)) continue;
    sar_point_work(x, p->points.p[i], &end, jump, W);
    const double less = excess(rebound, x->mass, W[0] + W[1] + W[2]);
    x->speed -= less;
    again = again || less > 0;
  }
  return again;
}

static void forget_restitution(SarImpulses* p, const SarJump* jump, int contacts) {
  for (int i = contacts; i < p->count; i++)
    p->row[i].speed -= fmax(0, row_rebound(&p->row[i], jump));
  for (int i = 0; i < p->points.count; i++)
    p->points.point[i].speed -= fmax(0, point_rebound(&p->points.point[i], jump));
}

bool sar_temper_impacts(SarImpulses* p, const SarJump* jump, int contacts, int round) {
  if (round >= ROUNDS || !p->bouncing) return false;
  bool again = temper_rows(p, jump, contacts);
  for (int i = 0; i < p->points.faces; i++)
    again = temper_face(p, &p->points.face[i], jump) || again;
  if (again && round + 1 == ROUNDS) forget_restitution(p, jump, contacts);
  return again;
}
