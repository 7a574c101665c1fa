// Impacts that would add energy (laws.h).
//
// Newton's restitution speaks of the normal alone. Where an impulse along the normal also moves the point sideways,
// friction that ends the sliding may leave the bodies with more energy than they had (Kane's double pendulum).
// The work of the impulses of one contact at an impact, with the speeds v- before and v+ after it, is
//
//   W = p . (v- + v+) / 2,      if it sticks:  W(e) = R e^2 / e0^2 - T,   R = w^2 e0^2 (A^-1)_nn / 2
//
// w the speed of approach, A^-1 the mass that the contact sees. So a contact with W > 0 is solved again with
//
//   e = e0 sqrt(1 - W / R'),    R' = m (e0 w)^2 / 2 <= R,  m = 1 / A_nn
//
// which ends at W <= 0 at once where one contact sticks; others take more rounds. Without restitution impulses of
// contact never add energy, whatever the friction: that is the last resort.
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

// The speed after the impact that restitution asks for; 0: it asks for nothing.
static double rebound_of(const SarImpulseRow* row, const SarStage* stage) {
  return row->bounces ? row->speed - (1 - stage->theta) * (row->before - row->start) : 0;
}

// Work of the impulses of rows first .. end.
static double work_of(const SarImpulses* p, const SarStage* stage, int first, int end) {
  double W = 0;
  for (int i = first; i < end; i++) W += sar_row_work(p, &p->row[i], stage);
  return W;
}

bool sar_temper_impacts(SarImpulses* p, const SarStage* stage, int contacts, int round) {
  bool again = false;
  for (int i = contacts, end; i < p->count && round < ROUNDS; i = end) {
    SarImpulseRow* row = &p->row[i];
    end = contact_end(p, i);
    const double rebound = rebound_of(row, stage), R = 0.5 * row->mass * rebound * rebound;
    if (!(rebound > 0) || !(row->p > 0)) continue;
    const double W = work_of(p, stage, i, end);
    if (!(W > NOTHING * R)) continue;
    row->speed -= (1 - sqrt(fmax(0, 1 - W / R))) * rebound;
    again = true;
  }
  for (int i = contacts; again && round + 1 == ROUNDS && i < p->count; i++)
    p->row[i].speed -= fmax(0, rebound_of(&p->row[i], stage));
  return again;
}
