// Sine and cosine: reduction to |r| <= pi/4 and two polynomials, in lanes and without a branch.
//
//   x = k pi/2 + r     k by rounding x 2/pi to an integer;
//   r = ((x - k P1) - k P2) - k P3, with pi/2 = P1 + P2 + P3; P1 and P2 have 33 bits, so that their
//       products with k < 2^20 are exact (Cody and Waite 1980); what the subtractions round off is
//       kept as a tail: sin(r + tail) = sin r + tail cos r;
//   beyond that, x 2/pi mod 4 in integers with as many bits of 2/pi as it takes (Payne and Hanek
//   1983).
//
// The polynomials are minimax on |r| <= pi/4 (Remez exchange in 300 bits, rounded): relative error
// 2^-58 for the sine, absolute 2^-64 for the cosine, well below the rounding of the last
// operations.
#include "math/sincos.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

// as many lanes as the machine's registers hold: the results do not depend on it
#ifdef __AVX__
enum { LANES = 4 };
#else
enum { LANES = 2 };
#endif
typedef double Lanes __attribute__((vector_size(8 * LANES)));
typedef uint64_t Bits __attribute__((vector_size(8 * LANES)));

static const double LIMIT = 0x1p20 * 1.57;  // k stays below 2^20
static const double TWO_OVER_PI = 0x1.45f306dc9c883p-1;
static const double P1 = 0x1.921fb544p+0, P2 = 0x1.0b4611a6p-34, P3 = 0x1.3198a2e037073p-69;
static const double HALF_PI = 0x1.921fb54442d18p+0, HALF_PI_REST = 0x1.1a62633145c07p-54;
// added to a number below 2^51 it leaves the nearest integer in the lowest bits of the sum
static const double SHIFT = 0x1.8p52;

typedef struct Reduced {
  Lanes r, tail;  // |r| <= pi/4
  Bits k;
} Reduced;

// sin and cos of k pi/2 + r + tail
static inline void turn(const Reduced* x, Lanes* s, Lanes* c) {
  Lanes r = x->r, tail = x->tail, z = r * r;
  Bits k = x->k;
  // sin r = r + r z P(z)
  Lanes p = z * 0x1.5d93010a602e0p-33 - 0x1.ae5e663a92bf9p-26;
  p = z * p + 0x1.71de3577b64eap-19;
  p = z * p - 0x1.a01a019c11987p-13;
  p = z * p + 0x1.111111110f87ap-7;
  p = z * p - 0x1.5555555555549p-3;
  Lanes half = 0.5 * z, w = 1.0 - half;
  Lanes sine = r + (r * z * p + tail * w);
  // cos r = 1 - z/2 + z^2 Q(z); w = 1 - z/2 is rounded, and what that lost is added again
  Lanes q = z * -0x1.8fae9d06809d3p-37 + 0x1.1ee9ebea50ea9p-29;
  q = z * q - 0x1.27e4f809f26e7p-22;
  q = z * q + 0x1.a01a019cb1c08p-16;
  q = z * q - 0x1.6c16c16c1517ep-10;
  q = z * q + 0x1.555555555554cp-5;
  Lanes cosine = w + (((1.0 - w) - half) + (z * z * q - r * tail));

  // odd k: exchange; k = 2, 3: the sine changes sign; k = 1, 2: the cosine
  Bits a = (Bits)sine, b = (Bits)cosine, exchange = (a ^ b) & -(k & 1);
  a ^= exchange ^ ((k & 2) << 62);
  b ^= exchange ^ (((k + 1) & 2) << 62);
  *s = (Lanes)a;
  *c = (Lanes)b;
}

// |x| <= LIMIT
static inline void sincos_lanes(const Lanes* x, Lanes* s, Lanes* c) {
  Lanes shifted = *x * TWO_OVER_PI + SHIFT;
  Lanes k = shifted - SHIFT;
  Lanes first = *x - k * P1;  // exact
  Lanes second = first - k * P2;
  Lanes r = second - k * P3;
  Lanes tail = ((first - second) - k * P2) + ((second - r) - k * P3);
  Reduced reduced = {r, tail, (Bits)shifted};
  turn(&reduced, s, c);
}

// 2/pi = sum WORDS[i] 2^(-32 (i+1)), as far as the largest double reaches
static const uint32_t WORDS[] = {
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
    0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
    0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
    0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b,
    0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab, 0xf0cfbc20, 0x9af4361d};

// the 32 bits of 2/pi after the first `at` (which may be negative: leading zeros)
static uint32_t bits_of_two_over_pi(int at) {
  int word = at >= 0 ? at / 32 : -((31 - at) / 32), offset = at - 32 * word;
  uint64_t high = word >= 0 ? WORDS[word] : 0, low = word + 1 >= 0 ? WORDS[word + 1] : 0;
  return (uint32_t)((high << 32 | low) >> (32 - offset));
}

// x = mantissa 2^e. Bits of 2/pi up to number e - 2 give multiples of 4 in the product: a window of
// 192 bits after them, times the mantissa, modulo 2^192, is x 2/pi mod 4 in units of 2^-190.
static Reduced reduce_huge(double x) {
  enum { N = 6 };
  int e;
  uint64_t mantissa = (uint64_t)ldexp(frexp(fabs(x), &e), 53);
  e -= 53;
  uint64_t part[2] = {mantissa & 0xffffffff, mantissa >> 32};
  uint32_t product[N] = {0};  // lowest first
  for (int j = 0; j < 2; j++) {
    uint64_t carry = 0;
    for (int i = 0; i + j < N; i++) {
      uint64_t bits = bits_of_two_over_pi(e - 2 + 32 * (N - 1 - i));
      uint64_t sum = part[j] * bits + product[i + j] + carry;
      product[i + j] = (uint32_t)sum;
      carry = sum >> 32;
    }
  }
  uint64_t high = (uint64_t)product[5] << 32 | product[4];
  uint64_t middle = (uint64_t)product[3] << 32 | product[2];
  // to the nearest integer: the fraction, in 2^-64, is a signed number; 53 bits of it and the rest
  uint64_t k = (high >> 62) + (high >> 61 & 1);
  int64_t fraction = (int64_t)(high << 2 | middle >> 62), rest = fraction & 0x7ff;
  double turns = (double)(fraction - rest) * 0x1p-64;
  double more = (double)rest * 0x1p-64 + (double)(middle << 2) * 0x1p-128;
  // r + tail = (turns + more) (HALF_PI + its own rest)
  double r = turns * HALF_PI;
  double tail = fma(turns, HALF_PI, -r) + (turns * HALF_PI_REST + more * HALF_PI);
  if (x < 0) return (Reduced){{-r}, {-tail}, {-k}};
  return (Reduced){{r}, {tail}, {k}};
}

void sar_sincos(double x, double* s, double* c) {
  Lanes lanes = {x}, sine, cosine;
  if (fabs(x) <= LIMIT) {
    sincos_lanes(&lanes, &sine, &cosine);
  } else if (isfinite(x)) {
    Reduced reduced = reduce_huge(x);
    turn(&reduced, &sine, &cosine);
  } else {
    sine = cosine = (Lanes){(double)NAN};
  }
  *s = sine[0];
  *c = cosine[0];
}

void sar_sincos_array(int n, const double* x, double* s, double* c) {
  Bits huge = {0};
  for (int i = 0; i < n; i += LANES) {
    Lanes lanes, sine, cosine;
    memcpy(&lanes, x + i, sizeof lanes);
    Lanes magnitude = (Lanes)((Bits)lanes & INT64_MAX);
    huge |= ~(Bits)(magnitude <= LIMIT);
    sincos_lanes(&lanes, &sine, &cosine);
    memcpy(s + i, &sine, sizeof sine);
    memcpy(c + i, &cosine, sizeof cosine);
  }
  uint64_t any = 0;
  for (int i = 0; i < LANES; i++) any |= huge[i];
  if (!any) return;
  for (int i = 0; i < n; i++) sar_sincos(x[i], &s[i], &c[i]);
}
