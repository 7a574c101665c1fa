// Gravity as a field (SarGravityField): the acceleration g(x, t) at each body's mass centre.
//
// A body is taken as small beside the field: g is that of its mass centre, without the moment of
// the gravity gradient. Long bodies are made of several.
#pragma once
#include "model/data.h"

// g at a point of the ground. Needs expressions.
V3 sar_gravity_at(const SarModel* m, const SarData* d, V3 p);
// Adds m g to body_F of all bodies. Needs world poses and expressions.
void sar_add_field(const SarModel* m, SarData* d);
// sum of m U [J]; zero for a field without potential. Needs world poses.
double sar_field_energy(const SarModel* m, const SarData* d);
// What the field gives that its potential does not hold [W]: sum of m dU/dt, or of m g . v.
double sar_field_power(const SarModel* m, const SarData* d);
