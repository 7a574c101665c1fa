// Means of a rotor over its last revolution: harmonics of flapping, lead-lag and pitch, and mean
// loads.
//
// Azimuth psi is 0 where a blade points aft, and grows the way the rotor turns. Of every blade,
// with s along its span, n the thrust axis and u where the blade points in the design position,
// turning with the hub:
//
//   flap = asin(s . n)                           positive towards the thrust
//   lag  = angle from s back to u in the disc    positive behind
//   pitch: of the untwisted section about s      positive nose-up, 0 in the plane of s that is
//                                                square to the disc
//
//   flap(psi) = flap_0 + flap_1c cos psi + flap_1s sin psi + flap_2c cos 2 psi + flap_2s sin 2 psi
//     + ...
//
// Mean over the blades of their Fourier coefficients over the last revolution, which is the mean
// over it of the multiblade coordinates (Coleman transform) (1/N) sum flap_i, (2/N) sum flap_i cos
// psi_i, ...: these are taken at `azimuths` equal steps of a revolution, between steps of the run
// by Hermite interpolation in time. Coefficients are exact for periodic motion whose harmonics are
// below that number. Before a revolution is complete the mean is over what there is of it.
#pragma once
#include "elements/aero/inflow.h"

enum {
  SAR_HARMONICS = 5,     // 0, 1c, 1s, 2c, 2s
  SAR_BLADE_ANGLES = 3,  // flap, lag, pitch
  SAR_BLADE_MEANS = SAR_HARMONICS * SAR_BLADE_ANGLES,
  SAR_LOAD_MEANS = 8,  // thrust, torque, force, moment
  SAR_ROTOR_MEANS = SAR_BLADE_MEANS + SAR_LOAD_MEANS,
  SAR_MOST_AZIMUTHS = 720
};

// A blade: its body and directions in B of it, and where it points in B of the hub at design,
// square to the axis. All numbers, so that it is stored as such.
typedef struct SarBlade {
  double body;
  V3 span, lead, up;
  V3 home;
} SarBlade;

// What the harmonics are measured against; axes of the ground.
typedef struct SarTurning {
  V3 axis, aft;  // n, and where the azimuth is 0: square to n
  M3 R_hub;
  V3 w_hub;     // angular velocity of the hub
  double rate;  // of the azimuth [rad/s]
  double way;   // 1: about n, -1: against it
} SarTurning;

// Numbers that it keeps from step to step.
int sar_revolution_size(int azimuths);
// A step ended at time d->t: takes what was passed on the way. load: SAR_LOAD_MEANS of this
// instant.
void sar_revolution_keep(const SarData* d, const SarTurning* at, const SarBlade* blade, int blades,
                         const double* load, int azimuths, double* kept);
// The means, SAR_ROTOR_MEANS of them; zeros before the first step. Loads are not interpolated in
// time by their slopes.
double sar_revolution_mean(const double* kept, int azimuths, int which);
