// What rests on trees is solved directly: impulses of contacts, motors, limits and dry friction of
// mechanisms that stand still, where sweeps over rows are slow (row_rest.c).
#pragma once
#include "formulations/impulse/row_system.h"

// SAR_REST_MOVES: something moves or slides, or it is too much; SAR_REST_KEPT: it was not better.
// All is as it was then.
typedef enum SarRowRest { SAR_REST_MOVES, SAR_REST_KEPT, SAR_REST_SOLVED } SarRowRest;

// After some sweeps; rows of contacts begin at `first`; fall: speed that gravity gives in the step;
// flops: what it may cost. Loads are shared by least norm (row_share.h).
SarRowRest sar_row_rest(SarRowSystem* p, const SarModel* m, const SarData* d, SarImpulses* rows,
                        int first, double fall, double flops);
