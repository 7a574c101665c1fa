// Sine and cosine together, the same bits on every machine (the C library's are not).
#pragma once

// Error below 0.9 units in the last place for every finite x; NaN for infinities and NaN.
void sar_sincos(double x, double* s, double* c);

// Arrays are read and written up to the next multiple of this many numbers.
enum { SAR_SINCOS_PAD = 4 };

// s[i] = sin x[i], c[i] = cos x[i], several at a time; bit-equal to sar_sincos.
void sar_sincos_array(int n, const double* x, double* s, double* c);
