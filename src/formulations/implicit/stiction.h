// Dry friction of joints in implicit steps: Coulomb's law as it is, set-valued at rest.
//
//   sticks    v = 0,    |f| <= F(0)
//   slides    f = -F(v) s,   s v >= 0,   s = +1 or -1
//
// f is the friction on a coordinate as the file counts it. Which of the three holds is an active
// set, found along with Newton's iteration: a coordinate that slides against its direction sticks,
// one that would need more than F to stick slides. What sticks is held like a loop of `hybrid`, by
// an augmented Lagrangian: f = f* - g v with a large g in the tangent (d->dof_stick), and f* -> f
// after every iteration, so that what is left of v shrinks by GRIP each time.
//
// A coordinate that comes to rest within a step, after the share theta of it, slid with F until
// then and is held, or slides back, with some f in [-F, F] after. The rules of the Newmark family
// take the mean of the forces at both ends instead, so that the force at the end is right if it
// stands for the rest of the mean:
//
//   f1 = 2 (theta f0 + (1 - theta) f) - f0,      f0 = -F s:
//                                                on the side of f = F s up to (3 - 4 theta) F
//
// or, where F falls from F(0) to F0 at the speed of the start, (1 - 2 theta) F0 + 2 (1 - theta)
// F(0).
//
// theta = v0 / (v0 - v1), v1 the speed with which sliding on would end. What is shown after the
// step, and what the next one begins with, is within F.
//
// Switching all that violate the law at once settles in an iteration or two, but may go round in
// circles where joints depend on each other. Where that has not made fewer of them violate it for
// PATIENCE rounds, or is not done after MANY, an interior-point method finds what sticks
// (central_path.h), in a number of rounds that hardly grows with that of the joints; it leaves an
// active set, which rounds of switching confirm. Where they still do not end only the first that
// violates its law switches (Murty's least index rule, which ends for any positive definite
// system), within a tolerance that grows.
//
// Where a mechanism passes a dead centre, a coordinate turns back whatever friction does: to hold
// it would stop all, by a force of the wrong sign. So one that slid, was held, and slid on in the
// same direction turns round without being held.
//
// Sources: Hintermueller, Ito and Kunisch, The primal-dual active set strategy as a semismooth
// Newton method, SIAM J. Optim. 13 (2002); Alart and Curnier, A mixed formulation for frictional
// contact problems, CMAME 92 (1991); Murty, Note on a Bard-type scheme for solving the
// complementarity problem, Opsearch 11 (1974); Judice and Pires, A block principal pivoting
// algorithm for large-scale strictly monotone LCPs, Comput. Oper. Res. 21 (1994).
#pragma once
#include "base/block.h"
#include "formulations/implicit/central_path.h"
#include "model/data.h"
#include "model/friction.h"

// How what sticks is held: speeds are linear in the unknowns of the step, and an iteration tells
// the force; they are not, as in natural coordinates; or loops hold them too.
typedef enum SarGrasp { SAR_GRASP_LINEAR, SAR_GRASP_CURVED, SAR_GRASP_LOOPS } SarGrasp;

typedef struct SarStiction {
  int count;            // coordinates with dry friction
  int *dof, *slides;    // their numbers; direction of sliding, 0: sticks
  int* stops;           // direction of sliding that ended in this step, 0: none did
  int *left, *returns;  // direction of sliding before it stuck, and how often it came back to it
  SarGrasp grasp;
  bool settled;           // what sticks can be judged
  double* last;           // f in the last iteration
  double* speed;          // where the step began
  double* back;           // largest force, over F, on the side of that direction
  double* inertia;        // about what they move
  double *taken, *found;  // w, and v before it was taken
  double* taken_before;
  double* held;  // g, while it is loose
  double* bias;  // acceleration without accelerations of the tree: of joints that close loops
  double gain;   // of the step (sar_stiction_begin)
  double loose;  // speed times inertia over force: what holding leaves of speeds in loops
  int rounds, singles;   // in which something switched, so far; one alone
  int fewest, patience;  // that violated the law; rounds to go in which all may switch
  SarCentralPath path;   // of interior points
  double* along;         // v of those on it
  enum { SAR_PATH_AHEAD, SAR_PATH_ON, SAR_PATH_BEHIND } walk;
} SarStiction;

void sar_stiction_layout(SarStiction* p, const SarModel* m, SarBlock* b);

// The force that dry friction of a coordinate can exert at speed v, at most and when it slides.
// F falls with the speed, a slope that no tangent may hold. So what slides has F of a speed w, from
// the iteration before: with v found for w, w = v is a fixed point of an increasing function (what
// slides faster is braked less), which a secant finds.
static inline double sar_friction_limit(const SarModel* m, int dof, double v) {
  return sar_friction_at(m, dof, v);
}

// In loops an iteration leaves some 1e-4 of a speed, and f* follows once a step: what has come to
// rest in a step moves by 2 F / g at its end. rate: of a usual step, as below.
void sar_stiction_expect(SarStiction* p, const SarModel* m, double rate);
// By the velocities of d: what is at rest sticks with the force it had in the last step, the rest
// slides. rate: impulse over inertia per speed, that of the step (a_x / v_x), or 1 where speeds are
// accelerations.
void sar_stiction_begin(SarStiction* p, const SarModel* m, SarData* d, double rate, SarGrasp grasp);
// Where d was evaluated: f* -> f, and what violates its law switches. True: something did.
bool sar_stiction_switch(SarStiction* p, const SarModel* m, SarData* d);
// The same for what is at rest, by its accelerations in d->a (the cuts' too).
bool sar_stiction_switch_at_rest(SarStiction* p, const SarModel* m, SarData* d);
// At rest it is accelerations that are held: those of cuts in d->a are what they are without any of
// the tree's; and the forces f* - g bias without the g v that evaluations would add, then back.
void sar_stiction_aim(SarStiction* p, const SarModel* m, const SarData* d);
void sar_stiction_loosen(SarStiction* p, SarData* d);
void sar_stiction_tighten(SarStiction* p, SarData* d);
// A correction of what was found: f as it is, without g v; then f -= g x, x the change of
// accelerations in the place of d->v, if `found`.
void sar_stiction_refine_begin(SarStiction* p, SarData* d);
void sar_stiction_refine_end(SarStiction* p, const SarModel* m, SarData* d, bool found);
// Is what sticks at rest?
bool sar_stiction_is_still(const SarStiction* p, const SarModel* m, const SarData* d);
// f stays what it is, whatever happens to v.
void sar_stiction_freeze(SarStiction* p, const SarModel* m, SarData* d);
// Iterations that a step may take: as many as without friction, and the rounds in which something
// switched.
int sar_stiction_iterations(const SarStiction* p, int most);
// Does anything stick, or has it come to rest in this step? Does anything rest that accelerations
// may set in motion?
bool sar_stiction_holds(const SarStiction* p);
bool sar_stiction_rests(const SarStiction* p, const SarModel* m, const SarData* d);
// f becomes state: the next step begins with it.
void sar_stiction_keep(const SarStiction* p, SarData* d);
