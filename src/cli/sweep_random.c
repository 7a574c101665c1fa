// Random numbers of a sweep: counter-based, so that number k of a parameter depends on the seed,
// its name and k alone, not on what else is drawn or in which order. The mixing is that of
// SplitMix64 (Steele, Lea and Flood 2014); normal numbers by Box and Muller (1958).
#include "cli/sweep.h"

#include <math.h>
#include <stdint.h>

static uint64_t mix(uint64_t z) {
  z += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

// FNV-1a of the name
static uint64_t stream(unsigned long long seed, const char* name) {
  uint64_t h = 0xcbf29ce484222325u;
  for (; *name; name++) h = (h ^ (unsigned char)*name) * 0x100000001b3u;
  return mix(seed) ^ h;
}

// Within (0, 1): 53 bits and a half.
static double unit(uint64_t bits) { return ((double)(bits >> 11) + 0.5) * 0x1p-53; }

double sweep_uniform(unsigned long long seed, const char* name, int k) {
  return unit(mix(mix(stream(seed, name)) + 2 * (uint64_t)k));
}

double sweep_normal(unsigned long long seed, const char* name, int k) {
  const uint64_t from = mix(stream(seed, name)) + 2 * (uint64_t)k;
  const double turn = 6.283185307179586 * unit(mix(from + 1));
  return sqrt(-2 * log(unit(mix(from)))) * cos(turn);
}
