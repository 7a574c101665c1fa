// Scenes of the examples, and where their bodies are.
#pragma once
#include "support/run.h"

#include "model/sim.h"

#include <math.h>

// With one parameter of the file set to another value; name Nullable.
static inline Run begin_with(const char* file, const char* name, double value) {
  const SarParameter parameter = {name, value};
  const SarLoadOptions o = {.parameters = &parameter, .parameter_count = name ? 1 : 0};
  return run_open(model_file(file, &o), NULL);
}

static inline Run begin(const char* file) { return begin_with(file, NULL, 0); }

typedef struct Pose {
  double p[3], R[9];
} Pose;

static inline Pose pose(const Run* c, const char* body) {
  Pose x;
  EXPECT_OK(sar_body_pose(c->d, sar_model_find(c->m, SAR_ITEM_BODY, body), x.p, x.R));
  return x;
}

static inline double distance(const double* a, const double* b) {
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
              (a[2] - b[2]) * (a[2] - b[2]));
}
