// Multiblade coordinates (Coleman and Feingold, NACA Report 1351, 1958): motions of the blades of a
// rotor as its airframe sees them. Coordinates x_b of n blades alike, at azimuths psi_b that turn
// at the rate Omega, are sums of patterns
//
//   x_b = a_0 + sum_h (a_hc cos h psi_b + a_hs sin h psi_b) + a_d (-1)^b
//     h = 1 ... (n - 1)/2;  a_d: even n
//
// or x = C(psi) a: collective, cyclic and differential. With them the equations of a rotor whose
// blades are alike, on any airframe, do not depend on the azimuth if the air does not.
#pragma once
#include "base/error.h"
#include "model/data.h"

enum { SAR_MOST_BLADES = 16 };

typedef struct SarMultiblade {
  int blades;
  int groups;   // coordinates of one blade
  int* dof;     // groups x blades, in the order of azimuths
  double rate;  // Omega [rad/s]
  double azimuth[SAR_MOST_BLADES];
  double back[SAR_MOST_BLADES * SAR_MOST_BLADES];  // C^-1, row by row: coordinates to patterns
  double turn[SAR_MOST_BLADES * SAR_MOST_BLADES];  // (dC/dt) C^-1
} SarMultiblade;

// Of the blades that `body` carries: its branches that are alike, three or more. Kinematics of d
// are brought up to date.
SarStatus sar_multiblade_find(SarMultiblade* out, const SarModel* m, SarData* d, int body,
                              SarError* err);
void sar_multiblade_clear(SarMultiblade* mb);
// x <- (dC/dt) C^-1 x for all coordinates; those of no blade become zero.
void sar_multiblade_turn(const SarMultiblade* mb, int n, const double* x, double* out);
// Coordinates x of the blades to patterns, in place: pattern p of a group where blade p has its
// place.
void sar_multiblade_patterns(const SarMultiblade* mb, double* x);
// Harmonic of pattern p, 0 for the collective and differential one; and which of a pair it is: 'c',
// 's', '0' or 'd'.
int sar_multiblade_harmonic(const SarMultiblade* mb, int pattern, char* which);
