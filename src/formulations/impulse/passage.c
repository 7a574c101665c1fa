// Singular positions (kinematic singularities) under sequential impulses.
//
// Sweeps of Gauss-Seidel need some 1 / grip^2 rounds to hold a motion that constraints hardly grip,
// and where the grip vanishes nothing leads the mechanism along its branch: it would leave it, with
// another energy, and nobody would know. So a run by sweeps alone ends where the next steps would
// pass such a position (formulations/index1/singular.c says when that is), with the joint that is
// let go. Held rows (held_rows.c) pass it.
//
// The decomposition is dense: it is made only when joints may have turned so far that a grip could
// vanish, and not for models of more than DENSE coordinates.
#include "formulations/impulse/impulse.h"

enum { DENSE = 150 };
static const double FALLS = 4;  // of a grip for an angle of 1 rad that a joint turns, at most

static bool looks(const SarModel* m) { return m->nrow > 0 && m->nv <= DENSE; }

void sar_passage_layout(SarPassage* p, const SarModel* m, SarBlock* b) {
  p->looks = looks(m);
  if (p->looks) sar_index1_run_layout(&p->run, m, b);
}

void sar_passage_declare(SarPassage* p, SarSim* s) {
  if (!p->looks) return;
  sar_index1_run_declare(&p->run, s);
  p->run.stops = true;
  sar_state_doubles(s, "clear", &p->clear, 1);
}

void sar_passage_adopt(SarPassage* p, SarSim* s) {
  if (p->looks) sar_index1_run_adopt(s, &p->run);
}

void sar_passage_regroup(SarPassage* p, SarSim* s) {
  if (!p->looks) return;
  sar_index1_run_regroup(s, &p->run);
  *p->clear = 0;
}

void sar_passage_look(SarPassage* p, SarSim* s) {
  if (!p->looks || s->freedom.rank == 0) return;
  if (s->restart) *p->clear = 0;  // the state may be any
  *p->clear -= FALLS * sar_index1_turned(s, s->d->t - s->start.t);
  if (*p->clear > 0) {
    *p->run.grip = 0;  // what it was is too long ago
    return;
  }
  sar_index1_run_look(s, &p->run);
  *p->clear = sar_index1_clear(*p->run.grip, p->run.seen);
}
