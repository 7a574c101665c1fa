// Householder reflectors: applying those of a QR, and a triangularisation that keeps the columns in
// their order and sets dependent ones aside.
#pragma once

// A P = Q R in place, A: n x m column by column, in the form of LAPACK (reflectors below R, factors
// in tau). Columns keep their order; one whose distance from the span of those before it is at most
// `floor` goes behind all others. pivot[k]: the column that stands at place k. Returns the rank.
// work: n; length: m, of the reflectors below their first element, which is 1.
int sar_qr_in_order(int n, int m, double* A, double floor, int* pivot, double* tau, double* work,
                    int* length);

// B <- Q B and B <- Q' B with the `reflectors` first reflectors of QR (n rows); B: n x columns.
void sar_q_mul(int n, int columns, int reflectors, const double* QR, const double* tau, double* B);
void sar_q_mul_t(int n, int columns, int reflectors, const double* QR, const double* tau,
                 double* B);
