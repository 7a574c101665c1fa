// implicit_bench MODEL forward CALLS   so many forward dynamics of the tree, at the start
// implicit_bench MODEL hybrid STEPS    so many steps of 0.01 s, and the number of their iterations
// Nothing else: for counting instructions (bench/iteration).
#include "dynamics/tree.h"
#include "sarrus/sarrus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int complain(const char* what) {
  fprintf(stderr, "implicit_bench: %s\n", what);
  return 1;
}

// Of the open tree, whatever closes loops.
static SarStatus forward_dynamics(const SarModel* m, SarData* d) {
  sar_update_kinematics(m, d);
  sar_update_forces(m, d);
  return sar_aba(m, d);
}

int main(int argc, char** argv) {
  SarModel* m = NULL;
  SarData* d = NULL;
  SarSim* s = NULL;
  SarError err;
  char text[1024];
  if (argc != 4) return complain("usage: implicit_bench MODEL forward|hybrid COUNT");
  SarSimOptions o = sar_sim_options();
  o.formulation = "hybrid";
  o.step = 0.01;
  o.adaptive = 0;
  sar_error_init(&err);
  if (sar_model_load(argv[1], NULL, &m, &err) != SAR_OK || sar_data_new(m, &d, &err) != SAR_OK ||
      sar_sim_new(m, d, &o, &s, &err) != SAR_OK)
    return complain(sar_error_format(&err, 0, text, sizeof text));
  const int count = atoi(argv[3]);
  const int steps = strcmp(argv[2], "hybrid") == 0;
  for (int i = 0; i < count; i++)
    if ((steps ? sar_step(s) : forward_dynamics(m, d)) != SAR_OK)
      return complain(sar_sim_trouble(s));
  if (steps) printf("%ld\n", sar_stats(s).iterations);
  sar_sim_free(s);
  sar_data_free(d);
  sar_model_free(m);
  return 0;
}
