// A model that runs, and what tests ask of it.
#pragma once
#include "support/model_file.h"

#include "model/sim.h"

#include <math.h>

typedef struct Scene {
  SarModel* m;
  SarData* d;
  SarSim* s;
} Scene;

// With one parameter of the file set to another value; name Nullable.
static inline Scene begin_with(const char* file, const char* name, double value) {
  const SarParameter parameter = {name, value};
  const SarLoadOptions o = {.parameters = &parameter, .parameter_count = name ? 1 : 0};
  Scene c = {.m = model_file(file, &o)};
  SarError err;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_data_new(c.m, &c.d, &err), &err);
  EXPECT_OK_OR(sar_sim_new(c.m, c.d, NULL, &c.s, &err), &err);
  return c;
}

static inline Scene begin(const char* file) { return begin_with(file, NULL, 0); }

static inline void end(Scene* c) {
  sar_sim_free(c->s);
  sar_data_free(c->d);
  sar_model_free(c->m);
}

static inline void advance(Scene* c, double t) {
  if (sar_advance(c->s, t) != SAR_OK) fail_msg("%s", sar_sim_trouble(c->s));
}

typedef struct Pose {
  double p[3], R[9];
} Pose;

static inline Pose pose(const Scene* c, const char* body) {
  Pose x;
  EXPECT_OK(sar_body_pose(c->d, sar_model_find(c->m, SAR_ITEM_BODY, body), x.p, x.R));
  return x;
}

static inline double distance(const double* a, const double* b) {
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
              (a[2] - b[2]) * (a[2] - b[2]));
}

static inline double output(const Scene* c, const char* column) {
  double values[512];
  const int i = sar_model_find(c->m, SAR_ITEM_OUTPUT, column);
  if (i < 0) fail_msg("no column '%s'", column);
  assert_in_range(sar_model_count(c->m, SAR_ITEM_OUTPUT), 1, 512);
  EXPECT_OK(sar_outputs(c->s, values));
  return values[i];
}
