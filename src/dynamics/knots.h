// Knots: bodies without mass that forces alone hold, such as the point where springs meet (massless
// nodes, quasi-static degrees of freedom; static condensation of internal nodes).
//
// Along its ways s the forces on a knot are in balance at every instant:
//
//   f(s, s'; q, v, t) = 0
//
//   elastic   no force on it follows velocities: f(s) = 0 gives s. Its rate: K s' = (df/dt at
//             rest).
//   damped    dampers act on it: s is a state z of the run, and f(s', z) = 0 gives its rate.
//
// Where a step is implicit in the states (d->z_from, states.h), s' = (s - z_from) / z_gain is put
// in and all s are found together. Newton's method, K = -df/ds and C = -df/ds' from the tangents of
// the elements, bounded and warm started from where the last step ended (d->knot): what an
// evaluation finds depends on the state alone. Elastic knots must be held: K positive definite, so
// that the balance is stable.
//
// What is found stands in body_X_GB and body_V behind the bodies of the tree; all else is the
// elements'. Where nothing is found (SarKnotTrouble) the pose is not finite, and so is every force
// that hangs on it.
#pragma once
#include "model/data.h"

// Puts the knots where their forces are in balance, and sets rates of states that are theirs. Needs
// world poses, velocities and expressions; leaves body_F to be set again.
void sar_update_knots(const SarModel* m, SarData* d);
// The last evaluation is where a step ends: the next one starts from there.
void sar_keep_knots(const SarModel* m, SarData* d);
// x <- (1 - gain d rate / d s)^-1 x for the states of knots, x by state. False: singular.
bool sar_knots_filter(const SarModel* m, SarData* d, double gain, double* x);
// What is wrong with a knot, for messages: "" if nothing is.
const char* sar_knot_words(const SarModel* m, const SarData* d, char* buf, size_t size);

// gain_K K + gain_C C of all forces on knots, along their ways, into the upper triangle of A (by
// rows). Knots with states count where damped, the others where elastic; those that do not count
// have a unit row.
void sar_knot_matrix(const SarModel* m, SarData* d, double gain_K, double gain_C, bool elastic,
                     bool damped, double* A);
// Changes of places and rates of knots along a direction -> body_X, body_V, z_rate of x. Needs
// those of bodies and slots; leaves body_F of x zero.
void sar_vary_knots(const SarModel* m, SarData* d, SarVariation* x);

// The tangent of a network of knots, as the bodies around it feel it (knot_tangents.c). First K, C
// and B of its forces at the present state and the factors of A, in network_work and knot_schur;
void sar_update_network(const SarModel* m, SarData* d, int network);
// then, for motions u of the bodies at the forces' ends (network_work), how far the ends of each
// force go apart,
void sar_network_motion(const SarModel* m, SarData* d, int network, V3* r);
// and sum over the forces r_a . (gain_K K + gain_C C) r_b.
double sar_network_product(const SarModel* m, const SarData* d, int network, double gain_K,
                           double gain_C, const V3* r_a, const V3* r_b);
