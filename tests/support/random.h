// Seeded random numbers, the same on every machine: PCG-XSH-RR 64/32 (O'Neill 2014).
#pragma once
#include "math/vec.h"

#include <stdint.h>

typedef struct Rng {
  uint64_t state;
} Rng;

static inline uint32_t rng_next(Rng* r) {
  uint64_t s = r->state;
  r->state = s * 6364136223846793005u + 1442695040888963407u;
  uint32_t x = (uint32_t)(((s >> 18) ^ s) >> 27), turn = (uint32_t)(s >> 59);
  return (x >> turn) | (x << (-turn & 31));
}

static inline Rng rng_seed(uint64_t seed) {
  Rng r = {seed + 1442695040888963407u};
  rng_next(&r);
  return r;
}

// Uniform in [low, high).
static inline double rng_uniform(Rng* r, double low, double high) {
  uint64_t a = rng_next(r), b = rng_next(r);
  double u = (double)((a << 21) ^ (b >> 11)) * 0x1p-53;  // 53 random bits
  return low + (high - low) * u;
}

// Uniform integer, 0 <= result < n.
static inline int rng_int(Rng* r, int n) {
  return (int)(((uint64_t)rng_next(r) * (uint64_t)n) >> 32);
}

// Normal, mean 0, variance 1 (Box and Muller).
static inline double rng_normal(Rng* r) {
  double u = 1 - rng_uniform(r, 0, 1), angle = rng_uniform(r, 0, 6.283185307179586);
  return sqrt(-2 * log(u)) * cos(angle);
}

static inline V3 rng_v3(Rng* r, double low, double high) {
  double x = rng_uniform(r, low, high), y = rng_uniform(r, low, high),
         z = rng_uniform(r, low, high);
  return v3(x, y, z);
}

// A rotation uniform over all rotations: four normals, normalised.
static inline Quat rng_quat(Rng* r) {
  double w = rng_normal(r), x = rng_normal(r), y = rng_normal(r), z = rng_normal(r);
  return quat_unit((Quat){w, x, y, z});
}
