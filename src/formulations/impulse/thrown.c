// Secondary impacts: what an impact throws against something else within the same step (impulse.h).
//
// Where a corner hits, the rest of its body turns, and another corner may be on the other side of
// the ground where the step ends, though no contact of it was in sight when the velocities jumped.
// So after an impact contacts are looked for where the step would end with the velocities found.
// What overlaps there by a fast approach, and was not known, is carried back to the jump.
#include "formulations/impulse/flight.h"
#include "formulations/impulse/impulse.h"

#include <string.h>

static void go_to(SarSim* s, const SarImpulseState* p, double time) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  memcpy(d->q, p->q, (size_t)m->nq_all * sizeof(double));
  memcpy(d->v, p->rows.v, (size_t)m->nv * sizeof(double));
  if (time > 0) sar_drift(s, time, p->rows.u, d->q, d->v);
  sar_update_kinematics(m, d);
  sar_update_world(m, d);
}

bool sar_find_thrown(SarImpulseState* p, SarSim* s, const SarJump* jump) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  const int known = d->ncontact;
  if (!p->rows.impact || m->ncollider == 0 || known == m->ncontact) return false;
  const SarSpell spell = {jump->h, jump->whole,
                          jump->between ? SAR_OTHER_IMPACTS : SAR_ALL_IMPACTS};
  go_to(s, p, jump->rest);
  sar_find_hits(p, s, jump->h, jump->whole);
  const int ahead = sar_look_ahead(m, d, p->search.speed, &spell, p->ahead);
  memcpy(d->contact, p->search.before, (size_t)known * sizeof *d->contact);
  d->ncontact = known;
  go_to(s, p, 0);
  sar_add_ahead(m, d, jump->h, jump->theta, p->ahead, ahead);
  return d->ncontact > known;
}
