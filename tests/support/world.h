// A run and the values of its columns.
#pragma once
#include "support/model_file.h"

typedef struct World {
  SarModel* m;
  SarData* d;
  SarSim* s;
  double value[32];  // of the columns
} World;

// Takes the model: world_close frees it.
static inline World world_of(SarModel* m, const SarSimOptions* o) {
  World w = {.m = m};
  SarError err;
  sar_error_init(&err);
  assert_in_range(sar_model_count(m, SAR_ITEM_OUTPUT), 1, 32);
  EXPECT_OK_OR(sar_data_new(m, &w.d, &err), &err);
  EXPECT_OK_OR(sar_sim_new(m, w.d, o, &w.s, &err), &err);
  return w;
}

// A model from a text, run by impulses.
static inline World world_open(const char* text, double step) {
  SarSimOptions o = sar_sim_options();
  o.formulation = "impulse";
  o.integrator = "moreau";
  o.step = step;
  return world_of(model_text(text), &o);
}

static inline void world_close(World* w) {
  sar_sim_free(w->s);
  sar_data_free(w->d);
  sar_model_free(w->m);
}

// One step, then the columns; the time after it.
static inline double world_step(World* w) {
  EXPECT_OK(sar_step(w->s));
  EXPECT_OK(sar_outputs(w->s, w->value));
  return sar_time(w->d);
}

static inline void world_run(World* w, double t) {
  while (sar_time(w->d) < t - 1e-9) world_step(w);
}

// The value of a column after the last step.
static inline double world_value(const World* w, const char* column) {
  const int i = sar_model_find(w->m, SAR_ITEM_OUTPUT, column);
  if (i < 0) fail_msg("no column '%s'", column);
  return w->value[i];
}
