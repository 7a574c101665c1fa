// Energy of mechanisms over a step (energy-momentum projection): what nothing drives gains nothing.
//
// The impulses of a step do the work p (a + b) / 2, which their laws keep from being positive. What
// else changes the energy of a mechanism is the error of the midpoint rule, of third order in a
// step, and displacements that take overlaps away:
//
//   r = (E1 - E0) - min(0, W of impulses) - W of dampers
//
// Where nothing hits, r is taken out of the velocities, whatever its sign: an explicit step becomes
// one that keeps the energy, of the same order. Elsewhere it is taken if it is a gain.
//
//   v <- v_r + s (v - v_r),   s^2 = 1 - r / T_r,   T_r = kinetic energy of v - v_r
//
// v_r is zero for what is held or touched by the ground; else it is the rigid motion that carries
// both momenta, so that these stay, and T_r is what is left of the kinetic energy (Koenig's
// theorem). Joints, loops and what sticks stay as they are: constraints are linear in v. What a
// displacement gives beyond T_r, as where it lifts what is at rest, is booked as work of overlaps.
//
// A mechanism here is what impulses of the step connect. Its energy is known where bodies, springs
// and dampers (of joints and between points, of constants), dry friction, limits and contacts are
// all there is; others are left alone.
// Sources: Simo, Tarnow 1992 (energy and momentum); Gear 1986, Hairer, Lubich, Wanner 2006, sec.
// IV.4 (projection onto invariants).
#pragma once
#include "base/block.h"
#include "formulations/impulse/laws.h"
#include "model/sim.h"

// What impulses of a step connect.
typedef struct SarMechanism {
  bool known;     // its energy is
  bool held;      // by the ground: joints, rows or contact
  bool planar;    // it floats in a plane
  bool tree;      // more than single bodies
  bool pushed;    // something in it was moved out of an overlap
  bool touched;   // impulses act
  bool asked;     // its energy is of interest in this step
  bool looped;    // closed loops: displacements open them
  double gain;    // E1 - E0 [J]
  double size;    // of the terms that this is a difference of
  double work;    // of impulses
  double effort;  // impulses times speeds that they change
  double lost;    // to dampers, and where it came to rest
  double lift;    // what displacements gave
  double T;       // kinetic energy, that of v - v_r
  double m;       // mass
  V3 c, p, L;     // mass centre, momenta; L about the origin, then about c
  S3 I;           // about the origin, then about c
  V3 v, w;        // v_r
  double share;   // s
  double left;    // of r, for displacements
  double slow;    // D: what accelerations do in a step
} SarMechanism;

typedef struct SarBalance {
  bool any;     // some group is known
  bool plain;   // nothing but bodies, joints, contacts and force elements of known energy
  bool* known;  // by group, as what follows
  bool *fixed, *planar, *tree;
  int* root;  // the group that stands for its mechanism
  SarMechanism* all;
  int* force_group;               // nforce: the group that its energy is part of
  double *work, *none;            // nwork: of its dampers, scratch; zeros
  double *before, *after, *size;  // energies
  double* lift;                   // what displacements gave
  double* kinetic;                // where energies were found last
  bool trees;                     // some mechanism of interest is no single body
  double *q, *v;                  // scratch: where the step ends
  double overlap;                 // work of displacements in this step [J]
  double jammed;                  // work of impulses that did more than none [J]: taken back
} SarBalance;

void sar_balance_init(SarBalance* x, const SarModel* m, const SarHeld* held, SarBlock* b);

// ---- mechanisms.c
// The group of what a body moves with; -1: the ground.
int sar_group_of_body(const SarModel* m, const SarHeld* held, int body);
SarMechanism* sar_mechanism_of(SarBalance* x, int group);
// All mechanisms of the step, without their energies. taken: what rest.c took of each body. Rows
// of contacts begin there.
void sar_mechanisms_find(SarBalance* x, const SarImpulses* rows, const SarModel* m,
                         const SarData* d, const SarJump* jump, const double* taken, int contacts);

// ---- mechanism_motion.c
// Kinetic and potential energies of groups of interest where d stands; leaves velocities and world
// poses there, if x->trees. Adds the sizes of their terms to x->size.
void sar_group_energies(SarBalance* x, const SarHeld* held, const SarModel* m, SarData* d,
                        double* E);
// Masses, momenta and kinetic energies of mechanisms of interest that float, or of `only` one
// (Nullable), where d stands; needs velocities and world poses.
void sar_gather_motion(SarBalance* x, const SarHeld* held, const SarModel* m, const SarData* d,
                       const SarMechanism* only);
// After that, of one: what it carries as a rigid body, and the kinetic energy beside it.
void sar_split_motion(SarMechanism* z);
// The velocities of all mechanisms by their shares.
void sar_scale_motion(SarBalance* x, const SarHeld* held, const SarModel* m, SarData* d);
// q of a joint by a displacement xi (nv).
void sar_move_joint(const SarModel* m, int b, const double* xi, double* q);
// Of what floats: its mass centre and both momenta as they were, now that its shape is another.
void sar_keep_momenta_of(SarBalance* x, const SarHeld* held, const SarModel* m, SarData* d,
                         SarMechanism* z);
