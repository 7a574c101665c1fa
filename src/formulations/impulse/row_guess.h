// A direct solve of rows that sweeps are slow on: trees on several feet, what a hand holds, motors at
// their limits.
//
// Newton's method for Coulomb's law as a system of projections (Alart, Curnier 1991), on the dense
// Delassus operator A = J H^-1 J' (row_share.h), with u = J v - wanted + soft p:
//
//   p_n = max(0, p_n - u_n / a),   p_t = Proj_{|.| <= mu p_n}(p_t - u_t / a),   p = Proj_[low, high](p - u / a)
//
// What is within its bounds has its wanted speed, what is open no impulse, what slides friction
// against its way; rolling and spinning friction keep the bounds of the last sweep. It is fast and
// unsafe, so it is kept only if the natural residual (direct.h) falls tenfold; bodies move by the
// impulses that are kept, and sweeps have the last word.
#pragma once
#include "formulations/impulse/row_share.h"

// All rows and the faces left to them, some sweeps having been made. flops: no more than those. False:
// all is as it was.
bool sar_row_guess(SarRowShare* p, const SarModel* m, SarImpulses* rows, double flops);
// The body whose counters are those of the rows; -1: there is none.
int sar_row_body(const SarModel* m, const SarImpulses* rows);
