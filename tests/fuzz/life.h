// What the fuzz targets have in common: the whole life of whatever compiles. Data, forward dynamics, a
// simulation by a formulation and an integrator that the input chooses, some steps, every output column,
// contact points, a copy. Checks that hold for any model whatsoever:
//
//   - a failure has a message, a success has none;
//   - SAR_OK goes with finite numbers only: state, accelerations, columns;
//   - a copy of the data has the hash of the original.
//
// Crashes, hangs, leaks and undefined behaviour are found by libFuzzer and the sanitizers.
#pragma once
#include "sarrus/sarrus.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  LIFE_STEPS = 8,
  LIFE_MAX_NV = 120,  // beyond that one evaluation has to do: the time of one input is bounded
  LIFE_MAX_COLUMNS = 20000  // likewise
};

static inline void require(bool condition) {
  if (!condition) __builtin_trap();
}

// SARRUS_FUZZ_SHOW=1 with one input: what it is, and what is said about it.
static inline void life_show(const char* text, size_t size, const SarError* err) {
  char line[1200];
  if (!getenv("SARRUS_FUZZ_SHOW")) return;
  fwrite(text, 1, size, stderr);
  for (int i = 0; i < err->count; i++)
    fprintf(stderr, "%s\n", sar_error_format(err, i, line, sizeof line));
}

// FNV-1a: a choice for inputs that do not spell one out.
static inline uint32_t life_hash(const uint8_t* data, size_t size) {
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < size; i++) hash = (hash ^ data[i]) * 16777619u;
  return hash;
}

static inline void require_finite(const double* x, int n) {
  for (int i = 0; i < n; i++) require(isfinite(x[i]));
}

// Name number `index` of a list, counted round and round; NULL, the default, takes its turn too.
static inline const char* life_pick(const char* list, uint32_t index) {
  SarListEntry e;
  int count = 0;
  while (sar_list(list, count, &e)) count++;
  const int k = (int)(index % (uint32_t)(count + 1));
  return k < count && sar_list(list, k, &e) ? e.name : NULL;
}

static inline SarSimOptions life_options(uint32_t choice) {
  static const double steps[] = {1e-3, 1e-2, 1e-4, 0};
  SarSimOptions o = sar_sim_options();
  o.formulation = life_pick("formulations", choice & 0xff);
  o.integrator = choice >> 8 & 1 ? life_pick("integrators", choice >> 9 & 0xf) : NULL;
  o.step = steps[choice >> 13 & 3];
  o.project = !(choice >> 15 & 1);
  return o;
}

static inline void life_look(SarModel* m, SarData* d, SarSim* s, double* row) {
  require(isfinite(sar_time(d)));
  require_finite(sar_q(d), sar_model_nq(m));
  require_finite(sar_v(d), sar_model_nv(m));
  require_finite(sar_a(d), sar_model_nv(m));
  if (row && sar_outputs(s, row) == SAR_OK)
    require_finite(row, sar_model_count(m, SAR_ITEM_OUTPUT));
  for (int i = 0; i < sar_contact_count(d); i++) {
    SarContactPoint point;
    require(sar_contact(d, i, &point) == SAR_OK);
    require(isfinite(point.gap));
    require_finite(point.force, 3);
  }
}

static inline void life_run(SarModel* m, SarData* d, SarSim* s, SarData* copy) {
  const int columns = sar_model_count(m, SAR_ITEM_OUTPUT);
  double* row = columns <= LIFE_MAX_COLUMNS ? calloc((size_t)columns + 1, sizeof *row) : NULL;
  for (int i = 0; i < LIFE_STEPS; i++) {
    if (sar_step(s) != SAR_OK) {
      require(sar_sim_trouble(s)[0] != 0);
      break;
    }
    life_look(m, d, s, row);
  }
  if (copy && sar_data_copy(copy, d) == SAR_OK) require(sar_state_hash(copy) == sar_state_hash(d));
  free(row);
}

// `choice` names the method: see life_options.
static inline void life_of_model(SarModel* m, uint32_t choice) {
  SarError err;
  SarData *d = NULL, *copy = NULL;
  SarSim* s = NULL;
  sar_error_init(&err);
  require(sar_data_new(m, &d, &err) == SAR_OK);
  if (sar_forward_dynamics(d) == SAR_OK) require_finite(sar_a(d), sar_model_nv(m));
  sar_data_reset(d);
  if (sar_model_nv(m) <= LIFE_MAX_NV) {
    const SarSimOptions o = life_options(choice);
    const SarStatus st = sar_sim_new(m, d, &o, &s, &err);
    require((st == SAR_OK) == (s != NULL));
    require(st == SAR_OK || err.errors > 0);
    life_show("", 0, &err);
    if (s && sar_data_new(m, &copy, &err) == SAR_OK) life_run(m, d, s, copy);
  }
  sar_sim_free(s);
  sar_data_free(copy);
  sar_data_free(d);
}
