// What rests, solved directly: a proximal Newton method for the contacts of an island (islands.h),
// where sweeps of projected Gauss-Seidel are too slow.
//
//   v = v_f + M^-1 J' p,  u = J v - b,   per point   p in K,  u + mu |u_t| n in K*,  p . (...) = 0
//
// (Coulomb's law as a complementarity over the cone K, by De Saxce's shift.) Sweeps lose an error
// of eigenvalue l of J M^-1 J' at a rate of 1 - l; bending of a stack of n boxes has l of some
// n^-4, a mass ratio r has 1 / r. Here every step factors K = M + J' G J in the space of the
// bodies, with 6x6 blocks (island_factor.h), whatever the number of points:
//
//   guess   who sticks, slides and is open is taken from the sweep, and solved at once
//   stages  for R = eps a, eps = 1e-2, 1e-4, 1e-6, the last impulse being p':
//           p(v) = Proj_K(p' - (u + s n) / R),   min |v - v_f|_M^2 / 2 + sum R |p(v)|^2 / 2
//           by Newton's method with a line search;  s = mu |u_t| of what slides
//
// Being about the last impulse, not about zero (proximal point method, augmented Lagrangian), a
// stage leaves no compliance behind. A guess or a stage is kept only if it makes the natural
// residual
//
//   N^2 = sum a |p - Proj_K(p - (u + mu |u_t| n) / a)|^2,      a = tr(A_ii) / 3
//
// smaller; bodies move by M^-1 J' p of the impulses kept, so momentum does not depend on the
// factor.
// Sources: Alart, Curnier 1991; De Saxce, Feng 1998; Acary, Cadoux, Lemarechal, Malick 2011;
// Castro, Permenter, Han 2022 (Newton in body space); Carpentier, Le Lidec, Montaut 2024 (proximal
// form).
#pragma once
#include "formulations/impulse/island_factor.h"
#include "formulations/impulse/islands.h"

typedef struct SarDirectPoint {
  double a;            // scale of its 3x3 block
  double R;            // of the stage
  double bar[3];       // impulse that the stage is about
  double u[3], du[3];  // speeds less those wanted (and the shift); their change along the way
  double p[3];         // impulse
  double G[6];         // slope: 00 10 20 11 21 22
} SarDirectPoint;

typedef struct SarDirect {
  SarIslandFactor factor;
  SarDirectPoint* point;  // ncontact
  SarPointImpulse* kept;  // ncontact: impulses to go back to
  double* free;           // nv and the ground: velocities without impulses
  double *dv, *way,
      *answer;        // nv and the ground: change of velocities; Newton's direction; M^-1 J' dp
  double* x;          // 6 for each body: right-hand sides
  double cost, left;  // of one Newton step, and what a solve may still cost [flops]
} SarDirect;

// Of what gravity gives in a step: a speed that is none.
#define SAR_STILL 1e-5

// Takes its pieces of a block.
void sar_direct_init(SarDirect* p, const SarModel* m, SarBlock* b);
// Of another thread: the factor and right-hand sides alone.
void sar_direct_room(SarDirect* p, const SarModel* m, SarBlock* b);
void sar_direct_clear(SarDirect* p, const SarModel* m);  // the ground stays at rest
// Impulses and velocities of an island, after some sweeps. False: nothing was better than the
// sweeps, and all is as it was. It ends when p->left is used up.
bool sar_direct_solve(SarDirect* p, const SarModel* m, const SarData* d, const SarIslands* islands,
                      const SarIsland* z, SarImpulses* rows);
// Of that the guess alone: who sticks, slides and is open stays as it is.
bool sar_direct_guess(SarDirect* p, const SarModel* m, const SarData* d, const SarIslands* islands,
                      const SarIsland* z, SarImpulses* rows);

// The impulses of an island that is settled, shared by least norm among points that stick or touch;
// still: a speed that is none. Needs the pattern of the factor. False: not wholly.
bool sar_direct_share(SarDirect* p, const SarModel* m, const SarData* d, const SarIslands* islands,
                      const SarIsland* z, SarImpulses* rows, double still);

// ---- direct_system.c: what guess and stages share
// The points of an island, with speeds u = J v - b at the velocities v.
void sar_direct_read(SarDirect* p, const SarIslands* islands, const SarIsland* z,
                     const SarImpulses* rows);
// Natural residual, squared; needs impulses and speeds of the points.
double sar_direct_residual(const SarDirect* p, const SarIslands* islands, const SarIsland* z,
                           const SarImpulses* rows);
// K = M + J' G J, factored. False: it is not positive definite.
bool sar_direct_factor(SarDirect* p, const SarModel* m, const SarData* d, const SarIslands* islands,
                       const SarIsland* z, const SarImpulses* rows);
// answer <- M^-1 J' dp, dp by point.
void sar_direct_answer(SarDirect* p, const SarIslands* islands, const SarIsland* z,
                       const SarImpulses* rows, SarPointImpulse* dp);
// way <- K^-1 M r, r (nv) velocities.
void sar_direct_way(SarDirect* p, const SarModel* m, const SarData* d, const SarIslands* islands,
                    const SarIsland* z, const double* r);
// M-product of two velocities of an island.
double sar_direct_dot(const SarModel* m, const SarIslands* islands, const SarIsland* z,
                      const double* a, const double* b);
// Velocities of the island from the impulses of its points.
void sar_direct_move(const SarDirect* p, const SarIslands* islands, const SarIsland* z,
                     SarImpulses* rows);
