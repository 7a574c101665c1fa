// Height, slope and bend of a curve y = g(x): by its three laws, or by a cubic spline through the
// points of a table (natural: y'' = 0 at the ends, straight beyond them).
#include "dynamics/track.h"

// knots are x, y, y''
enum { X, Y, BEND, KNOT };

static double law(const SarModel* m, SarData* d, int index) {
  const SarExprEntry* e = &m->expr[index];
  return sar_program_eval(&e->program, &m->instr[e->instr], d->slot, d->reg);
}

// beyond the ends: the tangent there
static SarTrackPoint straight(const double* end, const double* next, double x) {
  const double h = next[X] - end[X];
  const double slope = (next[Y] - end[Y]) / h - h * (2 * end[BEND] + next[BEND]) / 6;
  return (SarTrackPoint){end[Y] + slope * (x - end[X]), slope, 0};
}

// y = (1 - s) y0 + s y1 - h^2/6 ((1 - s) s (2 - s) m0 + s (1 - s) (1 + s) m1),  s = (x - x0) / h
static SarTrackPoint between(const double* k0, const double* k1, double x) {
  const double h = k1[X] - k0[X], s = (x - k0[X]) / h, r = 1 - s;
  const double m0 = k0[BEND], m1 = k1[BEND];
  return (SarTrackPoint){
      r * k0[Y] + s * k1[Y] - h * h / 6 * s * r * ((1 + r) * m0 + (1 + s) * m1),
      (k1[Y] - k0[Y]) / h - h / 6 * ((3 * r * r - 1) * m0 - (3 * s * s - 1) * m1),
      r * m0 + s * m1,
  };
}

SarTrackPoint sar_track_calc(const SarModel* m, SarData* d, int track, double x) {
  const SarTrack* t = &m->track[track];
  if (t->law >= 0) {
    d->slot[m->slot_local] = x;
    const double y = law(m, d, t->law), slope = law(m, d, t->law + 1);
    return (SarTrackPoint){y, slope, law(m, d, t->law + 2)};
  }
  const double* knot = &m->attr_data[t->adr];
  int low = 0, high = t->num - 1;
  if (x <= knot[X]) return straight(knot, knot + KNOT, x);
  if (x >= knot[high * KNOT + X]) return straight(knot + high * KNOT, knot + (high - 1) * KNOT, x);
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (x < knot[middle * KNOT + X])
      high = middle;
    else
      low = middle;
  }
  return between(knot + low * KNOT, knot + high * KNOT, x);
}
