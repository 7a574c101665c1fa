// Projections of velocities, accelerations and multipliers where an implicit step has ended
// (relative.h), with its own factor:
//
//   G dv = -Psi' w Phi',    G da = -Psi' w Phi''
//
// each pass taking away all but a share 1 / (1 + grip). They leave the velocity alone that rows
// hardly hold: it is the scheme's, right to its order, while what would hold it is as uncertain as
// the position over the lever.
//
// Source: Bayo and Ledesma, Augmented Lagrangian and mass-orthogonal projection methods for
// constrained multibody dynamics, Nonlinear Dynamics 9 (1996).
#include "dynamics/projection.h"
#include "formulations/implicit/relative.h"

#include <math.h>
#include <string.h>

enum { PROJECTIONS = 4 };
static const double SLIGHT = 1e-3;  // corrections of multipliers after which none is needed

// x = -G^-1 Psi' w e
static void correct(const SarFactored* G, const double* e, double* x) {
  memset(x, 0, (size_t)G->m->nv * sizeof *x);
  G->correct(G, e, x, NULL);
}

// The speed of the motion, and where it turns round what it gains in a step.
static double speed_of(const SarRelative* p, const SarSim* s) {
  const int nv = s->m->nv;
  int unused;
  return fmax(sar_largest(nv, s->d->v, p->unit, &unused),
              p->rates.h * sar_largest(nv, s->d->a, p->unit, &unused));
}

// Where a first pass has taken off the rule's own error (ops.share), a small share of that is
// nothing.
static bool is_little(const SarRelative* p, double open, double first, double closed) {
  static const double SHARE = 3e-6, LOOSER = 1000;
  return p->ops.share > 0 && p->saddle.firm && open <= SHARE * first && open <= LOOSER * closed;
}

// v <- v - T^-1 Psi' w (Psi v + Phi_t)
static void project_velocities(SarRelative* p, SarSim* s) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  const double closed = p->ops.closed * speed_of(p, s);
  double first = 0;
  for (int pass = 0; pass < PROJECTIONS; pass++) {
    const double open = sar_relative_open(s, d->Phi_dot);
    if (open <= closed || (pass > 0 && is_little(p, open, first, closed))) break;
    if (pass == 0) first = open;
    correct(&p->factored, d->Phi_dot, p->r);
    for (int i = 0; i < m->nv; i++) d->v[i] += p->r[i];
    sar_constraint_multiply(m, d, p->r, p->e);
    for (int k = 0; k < m->nrow; k++) d->Phi_dot[k] += p->e[k];
  }
}

// Where rows are firm (saddle.h) the grip of a factor is in one pass, beyond what the rule itself
// leaves.
static int passes(const SarRelative* p) { return p->saddle.firm ? 1 : 2; }

// a <- a - T^-1 Psi' w (Psi a - gamma); two passes leave 1 / grip^2 of it, one is often enough
static void project_accelerations(SarRelative* p, SarSim* s) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  int unused;
  const double closed = p->ops.closed_a * sar_largest(m->nv, d->a, p->unit, &unused);
  for (int pass = 0, most = passes(p); pass < most; pass++) {
    sar_constraint_multiply(m, d, d->a, p->e);
    for (int k = 0; k < m->nrow; k++) p->e[k] -= d->gamma[k];
    if (sar_relative_open(s, p->e) <= closed) break;
    correct(&p->factored, p->e, p->r);
    for (int i = 0; i < m->nv; i++) {
      d->a[i] += p->r[i];
      p->A[i] += p->rates.a_to_A * p->r[i];
    }
  }
}

// Multipliers of rows as torques: those of lengths are forces, and act on a lever of the
// mechanism's size.
static double largest_load(const SarSim* s, const double* lambda) {
  double most = 0;
  for (int k = 0; k < s->m->nrow; k++) {
    const double load = fabs(lambda[k]) * s->row_unit[k];
    most = load > most ? load : most;
  }
  return most;
}

// The multipliers that go with what was projected: Psi' dlambda = r as well as constraint forces
// can, r what is left of the equations of motion, linear in lambda. Those of the iteration belong
// to accelerations of the scheme, which ring where constraints prescribe the motion.
static void correct_multipliers(SarRelative* p, SarSim* s) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  double* x = p->x;  // the step's displacement is not needed any more
  (p->ops.balance ? p->ops.balance : sar_relative_residual)(p, s);
  for (int pass = 0, most = passes(p); pass < most; pass++) {
    memcpy(x, p->r, (size_t)m->nv * sizeof *x);
    p->factored.correct(&p->factored, NULL, x, p->e);
    for (int k = 0; k < m->nrow; k++) d->lambda[k] += p->e[k];
    if (pass + 1 == most || largest_load(s, p->e) <= SLIGHT * largest_load(s, d->lambda)) break;
    sar_constraint_add_transposed(m, d, -1, p->e, p->r);
  }
}

// Are there prescribed motions?
static bool do_work(const SarModel* m) {
  for (int i = 0; i < m->nwork; i++)
    if (m->work[i].kind == SAR_WORK_CONSTRAINT) return true;
  return false;
}

// Velocities onto the rows, and what follows from them: forces, rates of states, Phi', gamma.
static void settle_velocities(SarRelative* p, SarSim* s) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  project_velocities(p, s);
  sar_update_velocities(m, d);
  sar_update_forces_again(m, d);
  sar_update_constraint_rates(m, d);
}

void sar_relative_project(SarRelative* p, SarSim* s) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  sar_update_constraint_speeds(m, d);
  if (s->projection) s->projection->drift = sar_violation(m, d);
  settle_velocities(p, s);
  // rates of states follow velocities, and motions that follow these states have another Phi_t with
  // them
  for (int i = 1; m->drives_follow && i < PROJECTIONS; i++) {
    if (sar_relative_open(s, d->Phi_dot) <= p->ops.closed * speed_of(p, s)) break;
    settle_velocities(p, s);
  }
  project_accelerations(p, s);
  if (p->ops.multipliers || do_work(m)) correct_multipliers(p, s);
}
