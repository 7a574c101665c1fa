// Height, slope and bend of a curve y = g(x): by its three laws, or by a cubic spline through the
// points of a table.
#include "dynamics/track.h"

static double law(const SarModel* m, SarData* d, int index) {
  const SarExprEntry* e = &m->expr[index];
  return sar_program_eval(&e->program, &m->instr[e->instr], d->slot, d->reg);
}

SarTrackPoint sar_track_calc(const SarModel* m, SarData* d, int track, double x) {
  const SarTrack* t = &m->track[track];
  if (t->law < 0) return sar_spline_at(&m->attr_data[t->adr], t->num, x);
  d->slot[m->slot_local] = x;
  const double y = law(m, d, t->law), slope = law(m, d, t->law + 1);
  return (SarTrackPoint){y, slope, law(m, d, t->law + 2)};
}
