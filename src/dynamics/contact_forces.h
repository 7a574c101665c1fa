// Contact forces: what contacts exert, as the host program and the columns see it.
#pragma once
#include "model/data.h"

// Impulse on the second body in the last step, with friction; ground axes [N s].
V3 sar_contact_impulse(const SarContact* c);
// Forces of all contacts on the bodies, each in B of the body, means over the last step: added to
// F.
void sar_add_contact_forces(const SarModel* m, const SarData* d, Force* F);
// A column about the contacts of a body (-1: ground) with another one (-1: ground, or
// SAR_ANY_BODY). Forces are means over the last step. Where nothing bears a force, all is 0.
double sar_contact_column(const SarModel* m, const SarData* d, int body, int other,
                          SarContactColumn column);
