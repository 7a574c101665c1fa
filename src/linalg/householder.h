// Householder triangularisation that keeps the columns in their order and sets dependent ones aside.
#pragma once

// A P = Q R in place, A: n x m column by column, in the form of LAPACK (reflectors below R, factors
// in tau). Columns keep their order; one whose distance from the span of those before it is at most
// `floor` goes behind all others. pivot[k]: the column that stands at place k. Returns the rank.
// work: n.
int sar_qr_in_order(int n, int m, double* A, double floor, int* pivot, double* tau, double* work);
