// Assembly (consistent initial conditions of the DAE): putting a mechanism together, positions that
// close every loop, velocities that keep them closed, and what motion is left.
#pragma once
#include "model/sim.h"

// Completes and corrects t = now, q, v of d onto the constraints, moving as little mass as
// possible. At the initial state of the model, what the file gives is held and the rest found; any
// other state is corrected as a whole if it is open by more than 1e-9 (of the mechanism's size, of
// the fastest speed), and not a bit of it changes otherwise. Of what is switched on and off, what
// is on counts. SAR_BAD_MODEL with messages that name what cannot be closed and by how much, what
// is held, and drives that contradict each other.
// row_order: nrow; rows of constraints, independent ones first. row_size: nrow; how long each row
// of Psi usually is.
SarStatus sar_assemble_rows(const SarModel* m, SarData* d, SarFreedom* out, int* row_order,
                            double* row_size, SarError* err);

// Room for both of these; sar_free gives it back. NULL after a message, its status in *st.
void* sar_take_rows(const SarModel* m, const char* doing, double** row_size, int** row_order,
                    SarStatus* st, SarError* err);

// "joint 'R6' (1 of 5), ...": the owners of the redundant rows. Returns buf.
const char* sar_redundant_text(const SarModel* m, const int* row_order, const SarFreedom* f,
                               char* buf, size_t size);

// The whole for a model alone, at its initial state. `redundant` (Nullable): as above.
SarStatus sar_find_freedom(const SarModel* m, SarFreedom* out, char* redundant, size_t size,
                           SarError* err);
