// Bits of the functions of expressions: one line each, a hash (FNV-1a) over values at random arguments. Some of them are the C
// library's, and two C libraries, or one on two processors, may differ in the last bit. `--list NAME` prints the values.
#include "math/sincos.h"
#include "symbolic/op.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { TRIALS = 100000 };

// Of the first argument; the second is between -3 and 3. Others: -20 .. 20.
static const struct {
  const char* name;
  double low, high;
} RANGES[] = {{"asin", -1, 1}, {"acos", -1, 1},    {"atanh", -1, 1}, {"acosh", 1, 20},
              {"log", 0, 1e3}, {"log10", 0, 1e3},  {"sqrt", 0, 1e3}, {"pow", 0, 10},
              {"sinh", -5, 5}, {"cosh", -5, 5},    {"atan2", -3, 3}, {"hypot", -3, 3},
              {"tanh", -5, 5}, {"cbrt", -1e3, 1e3}};

static uint64_t state = 1;

// splitmix64
static double between(double low, double high) {
  uint64_t z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return low + (high - low) * ((double)((z ^ (z >> 31)) >> 11) * 0x1p-53);
}

// op < 0: our own sine and cosine of joints
static double value_of(int op, double x, double y) {
  double s, c;
  if (op >= 0) return sar_op_apply((SarOp)op, x, y);
  sar_sincos(x, &s, &c);
  return y > 0 ? s : c;
}

static void run(int op, const char* name, bool list) {
  double low = -20, high = 20;
  for (size_t i = 0; i < sizeof RANGES / sizeof *RANGES; i++)
    if (strcmp(RANGES[i].name, name) == 0) low = RANGES[i].low, high = RANGES[i].high;
  uint64_t hash = 0xcbf29ce484222325u;
  state = 1;
  for (int i = 0; i < TRIALS; i++) {
    const double x = between(low, high), y = between(-3, 3), value = value_of(op, x, y);
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    for (int k = 0; k < 8; k++) hash = (hash ^ (bits >> 8 * k & 255)) * 0x100000001b3u;
    if (list) printf("%a %a %a\n", x, y, value);
  }
  if (!list) printf("%s %016" PRIx64 "\n", name, hash);
}

int main(int argc, char** argv) {
  const char* only = argc > 2 && strcmp(argv[1], "--list") == 0 ? argv[2] : NULL;
  if (!only) run(-1, "sar_sincos", false);
  for (int op = 0; op < SAR_OP_COUNT; op++) {
    const char* name = sar_op_name((SarOp)op);
    if (sar_op_arity((SarOp)op) && name[0] && (!only || strcmp(only, name) == 0))
      run(op, name, only != NULL);
  }
  return 0;
}
