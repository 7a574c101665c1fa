// Load sharing among contacts of trees, and of what touches them.
//
// Speeds fix A p, not p, with the Delassus operator A = J H^-1 J' of the contacts that hold
// (closed, and not sliding). Of all p with the same A p the least norm is taken, the projection of
// p onto the range of A (which the pseudoinverse gives, p* = A^+ A p):
//
//   p* <- p* + (A + eps I)^-1 A (p - p*),    repeated: what is in the null space of A is left
//                                            behind
//
// Nothing moves by it, be it at rest or rolling. Contacts that would pull are left out and borne by
// the others; where a cone is in the way p goes as far as it lets. Motors, limits and rolling
// resistance keep their impulses.
#pragma once
#include "formulations/impulse/row_system.h"

// Rows of contacts begin at `first`; still: a speed that is none. All sweeps are done.
void sar_row_share(SarRowSystem* p, const SarModel* m, const SarData* d, SarImpulses* rows,
                   int first, double still);
// Where motors press, what they grip keeps the shares that sweeps find: is a contact one of those
// that share all the same, with the ground?
bool sar_contact_on_ground(const SarModel* m, const SarContact* c);
