// Momenta of bodies with coordinates of their own, and a two-step rule for them and the positions:
// what a step of `redundant` integrates. Symbols in momenta.c.
#pragma once
#include "base/block.h"
#include "model/sim.h"

// A body as its own joint holds it.
typedef struct SarOwnBody {
  int joint, qadr, vadr, nv;
  enum { SAR_OWN_FREE, SAR_OWN_PLANAR, SAR_OWN_POINT, SAR_OWN_PART } kind;
  bool modal;  // of a modal body (modal_bodies.h); SAR_OWN_PART: a mode or a node
  double mass;
  V3 com;              // in B
  S3 inertia;          // about it, axes of B
  S3 inverse;          // of that, of full rank or not (pseudo-inverse)
  S3 idle;             // projection onto axes without inertia
  V3 weight;           // mass times gravity, axes of F
  bool turns;          // its inertia has an inverse
  double least, most;  // principal moments of inertia that are not nothing
} SarOwnBody;

// Is its frame B at the mass centre?
static inline bool sar_own_is_central(const SarOwnBody* o) {
  return o->com.x == 0 && o->com.y == 0 && o->com.z == 0;
}

typedef struct SarMomenta {
  int count;
  SarOwnBody* body;
  // the step
  SarRuleWeights rule;
  double h, gain;      // gain = h b0
  double* v_start;     // nv
  double *P1, *F1;     // nv: momenta and their rates where it begins
  double* P_known;     // nv: all of the rule but gain F
  double* x_known;     // nv: likewise of the displacement
  double *x, *x_rate;  // nv: the displacement as predicted, and its rate
  double *v, *q;       // nv, nq: velocities and positions as predicted
  double* P;           // nv: momenta at the last sar_momenta_move; of modal bodies velocities
  double* needed;      // nv where there are modal bodies: scratch
  // state: of the step before its length; where it began the displacement from its end and the rate
  // of that, momenta and their rates
  double *length, *x2, *u2, *P2, *F2;
  double* a2;     // state: accelerations there
  double* error;  // 2 nv + nz: what the rule leaves out of x, v and z
  // state: what its prediction was corrected by, in axes of B (nv), and behind it 1 if that was
  // much the same as in the step before that
  double* corrected;
} SarMomenta;

void sar_momenta_layout(SarMomenta* p, const SarModel* m, SarBlock* b);
void sar_momenta_declare(SarMomenta* p, SarSim* s);
// From s->start, with accelerations A (nv) to be expected at the end.
void sar_momenta_begin(SarMomenta* p, SarSim* s, const double* A);
// The weights of a step of length h that begins now.
SarRuleWeights sar_momenta_weights(const SarMomenta* p, const SarSim* s, double h);
// x (nv): corrections to be expected, after sar_momenta_begin; and those that were found, for the
// next step.
void sar_momenta_expect(const SarMomenta* p, const SarSim* s, double* x);
// unit: of the coordinates (nv).
void sar_momenta_keep(SarMomenta* p, const SarSim* s, const double* x, const double* unit);
// x: corrections of what was predicted (nv; rotations: Gibbs-Rodrigues parameters in B) -> q, v, a
// of d.
void sar_momenta_move(SarMomenta* p, SarSim* s, const double* x);
// r = Q + (P_known - P) / gain, applied forces and gravity in Q; after sar_update_forces.
void sar_momenta_residual(const SarMomenta* p, const SarSim* s, double* r);
// r = Q - P' with P' of d->v and d->a.
void sar_momenta_balance(const SarMomenta* p, const SarSim* s, double* r);
// p->error of the step that ends where d is, before sar_momenta_finish (error.c).
void sar_momenta_estimate(SarMomenta* p, const SarSim* s);
// d is at the end of the step.
void sar_momenta_finish(SarMomenta* p, SarSim* s);
