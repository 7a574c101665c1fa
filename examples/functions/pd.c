// A controller that a model calls: proportional and derivative action, and an integral in a state
// of its own.
//   cc -shared -fPIC -o pd.so pd.c
//   sarrus run arm.yaml --functions pd.so
#include <sarrus/sarrus.h>

static int pid(void* context, double t, const double* in, double* state, double* out) {
  const double error = in[0], speed = in[1], period = in[2];
  (void)context, (void)t;
  state[0] += period * error;
  out[0] = 120 * error - 14 * speed + 60 * state[0];
  return 0;  // anything else ends the run
}

const SarUserFunction* sarrus_functions(void);
const SarUserFunction* sarrus_functions(void) {
  static const SarUserFunction list[] = {{"pid", 3, 1, 1, pid, 0}, {0}};
  return list;
}
