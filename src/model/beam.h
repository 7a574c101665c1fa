// Stiffness of a beam element from that of its sections.
//
// An element goes from frame A to frame C; its strain is constant, d/L with d = log(X_AC). W is the
// wrench in the middle section, where all is symmetric. Without loads in between, the wrench in the
// section at sigma (-1/2 at A, 1/2 at C) is the same one seen from that section's frame, and the
// strains it causes there add up to
//
//   F_mid = integral of Ad(X) C(s) Ad(X)' ds,   X = exp(sigma d0),
//     C(s) = flexibility of the section
//
// as a twist of C against A in the middle frame. In the coordinates d this is F = S F_mid S', S =
// d(d)/d(twist). For a straight prismatic element it is 1/GA + L^2/(12 EI) in shear: residual
// bending flexibility (MacNeal 1978), with which nodal displacements of linear statics are exact;
// here for any 6 x 6 sections, taper, curvature and twist.
//
// Six-vectors are (moment; force) or (rotation; shift), matrices 6 x 6 row by row.
#pragma once
#include "math/se3.h"

// F_mid += Ad(X) C Ad(X)' ds
void sar_beam_add_flexibility(Motion d0, double sigma, double ds, const double C[36],
                              double F_mid[36]);
// K = (S F_mid S')^-1. False: F_mid is not positive definite.
bool sar_beam_stiffness(Motion d0, const double F_mid[36], double K[36]);
// The inverse of a symmetric positive definite matrix; false: it is none.
bool sar_inverse6(const double A[36], double out[36]);
// Of sections that are alike all along the length.
bool sar_beam_uniform_stiffness(Motion d0, double length, const double section[36], double K[36]);

// Gauss-Legendre points and weights on -1/2 .. 1/2: exact to degree 9.
enum { SAR_BEAM_GAUSS = 5 };
extern const double sar_beam_gauss[SAR_BEAM_GAUSS][2];
