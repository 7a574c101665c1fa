// A model, its data and a simulation of it, as most tests of motion need them together.
#pragma once
#include "support/model_file.h"

typedef struct Run {
  SarModel* m;
  SarData* d;
  SarSim* s;
} Run;

// A formulation at fixed steps; step 0: with error control, tightly.
static inline SarSimOptions run_options(const char* formulation, double step) {
  SarSimOptions o = sar_sim_options();
  o.formulation = formulation;
  if (step > 0) {
    o.step = step;
  } else {
    o.integrator = "dopri5";
    o.adaptive = 1;
    o.rtol = o.atol = 1e-11;
  }
  return o;
}

// Takes the model: run_close frees it. `o` Nullable.
static inline Run run_open(SarModel* m, const SarSimOptions* o) {
  Run r = {.m = m};
  SarError err;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_data_new(m, &r.d, &err), &err);
  EXPECT_OK_OR(sar_sim_new(m, r.d, o, &r.s, &err), &err);
  return r;
}

static inline void run_close(Run* r) {
  sar_sim_free(r->s);
  sar_data_free(r->d);
  sar_model_free(r->m);
}

static inline void run_advance(Run* r, double t) {
  if (sar_advance(r->s, t) != SAR_OK) fail_msg("%s", sar_sim_trouble(r->s));
}

// A copy of the state at `from` goes on to `to` in a simulation of its own as the original does,
// bit for bit.
static inline void run_with_copy(Run* r, const SarSimOptions* o, double from, double to,
                                 const char* what) {
  SarData* copy;
  SarSim* again;
  SarError err;
  sar_error_init(&err);
  run_advance(r, from);
  EXPECT_OK_OR(sar_data_new(r->m, &copy, &err), &err);
  EXPECT_OK(sar_data_copy(copy, r->d));
  EXPECT_OK_OR(sar_sim_new(r->m, copy, o, &again, &err), &err);
  run_advance(r, to);
  EXPECT_OK(sar_advance(again, to));
  if (sar_state_hash(copy) != sar_state_hash(r->d)) fail_msg("%s: a copy departs", what);
  sar_sim_free(again);
  sar_data_free(copy);
}

// The present value of a column.
static inline double run_output(const Run* r, const char* column) {
  double values[512];
  const int i = sar_model_find(r->m, SAR_ITEM_OUTPUT, column);
  if (i < 0) fail_msg("no column '%s'", column);
  assert_in_range(sar_model_count(r->m, SAR_ITEM_OUTPUT), 1, 512);
  EXPECT_OK(sar_outputs(r->s, values));
  return values[i];
}
