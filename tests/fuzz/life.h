// What the fuzz targets have in common: the whole life of whatever compiles. Data, forward
// dynamics, a simulation by a formulation and an integrator that the input chooses, some steps,
// every output column, contact points, every question about an instant, a copy. Checks that hold
// for any model whatsoever:
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
  while (sar_list(list, count, &e) == SAR_OK) count++;
  const int k = (int)(index % (uint32_t)(count + 1));
  return k < count && sar_list(list, k, &e) == SAR_OK ? e.name : NULL;
}

// Of the formulations by impulses; NULL, which is `auto`, takes its turn too.
static inline const char* life_pick_impulses(uint32_t index) {
  static const char* const names[] = {"impulse", "impulse-sequential", "impulse-maximal", NULL};
  return names[index % 4];
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

static inline void life_require(SarStatus st, const double* x, int n) {
  if (st == SAR_OK) require_finite(x, n);
}

static inline void life_ask_body(SarModel* m, SarData* d, int body) {
  double place[3], turn[9], angular[3], linear[3];
  const double point[3] = {0.1, 0, -0.2};
  double* J = calloc(6 * (size_t)sar_model_nv(m) + 1, sizeof *J);
  require(J != NULL);
  const SarStatus st = sar_body_pose(d, body, place, turn);
  life_require(st, place, 3);
  life_require(st, turn, 9);
  const SarStatus moves = sar_body_velocity(d, body, point, angular, linear);
  life_require(moves, angular, 3);
  life_require(moves, linear, 3);
  life_require(sar_jacobian(d, body, point, J), J, 6 * sar_model_nv(m));
  free(J);
}

static inline void life_ask_joints(SarModel* m, SarData* d) {
  double force[3], torque[3], q[8], v[8];
  for (int i = 0; i < sar_model_count(m, SAR_ITEM_JOINT); i++) {
    SarJointInfo info;
    if (sar_joint_info(m, i, &info) != SAR_OK) continue;
    const SarStatus st = sar_reaction(d, i, force, torque);
    life_require(st, force, 3);
    life_require(st, torque, 3);
    require(sar_joint_get(d, i, q, v) == SAR_OK);
  }
}

// All questions about an instant, once.
static inline void life_ask(SarModel* m, SarData* d, SarSim* s) {
  const int nv = sar_model_nv(m);
  double* M = calloc((size_t)nv * (size_t)nv + 1, sizeof *M);
  double p[3], L[3];
  SarEnergy e;
  require(M != NULL);
  if (sar_accelerations(s) == SAR_OK) require_finite(sar_a(d), nv);
  life_require(sar_mass_matrix(d, M), M, nv * nv);
  life_require(sar_tree_mass_matrix(d, M), M, nv * nv);
  life_require(sar_inverse_dynamics(d, sar_a(d), M), M, nv);
  const SarStatus moves = sar_momentum(d, p, L);
  life_require(moves, p, 3);
  life_require(moves, L, 3);
  if (sar_energy(d, &e) == SAR_OK)
    require(isfinite(e.kinetic) && isfinite(e.potential) && isfinite(e.work));
  if (sar_model_count(m, SAR_ITEM_BODY) > 0)
    life_ask_body(m, d, sar_model_count(m, SAR_ITEM_BODY) - 1);
  life_ask_joints(m, d);
  for (long i = 0; i < sar_event_count(s); i++) {
    SarEvent event;
    if (sar_event(s, i, &event) == SAR_OK) require(isfinite(event.time));
  }
  free(M);
}

static inline void life_run(SarModel* m, SarData* d, SarSim* s, SarData* copy) {
  const int columns = sar_model_count(m, SAR_ITEM_OUTPUT);
  double* row = columns <= LIFE_MAX_COLUMNS ? calloc((size_t)columns + 1, sizeof *row) : NULL;
  int done = 0;
  for (; done < LIFE_STEPS && sar_step(s) == SAR_OK; done++) life_look(m, d, s, row);
  require(done == LIFE_STEPS || sar_sim_trouble(s)[0] != 0);
  if (copy && sar_data_copy(copy, d) == SAR_OK) require(sar_state_hash(copy) == sar_state_hash(d));
  if (done == LIFE_STEPS) life_ask(m, d, s);
  free(row);
}

// NULL where the method is not for this model, which needs a message.
static inline SarSim* life_begin(SarModel* m, SarData* d, const SarSimOptions* o) {
  SarError err;
  SarSim* s = NULL;
  sar_error_init(&err);
  const SarStatus st = sar_sim_new(m, d, o, &s, &err);
  require((st == SAR_OK) == (s != NULL));
  require(st == SAR_OK || err.errors > 0);
  life_show("", 0, &err);
  return s;
}

// `choice` names the method (life_options), `formulation` another than that if it is not NULL. If
// that is not for this model, `auto` finds one.
static inline void life_of_model_by(SarModel* m, uint32_t choice, const char* formulation) {
  SarError err;
  SarData *d = NULL, *copy = NULL;
  sar_error_init(&err);
  require(sar_data_new(m, &d, &err) == SAR_OK && sar_data_new(m, &copy, &err) == SAR_OK);
  if (sar_forward_dynamics(d) == SAR_OK) require_finite(sar_a(d), sar_model_nv(m));
  sar_data_reset(d);
  if (sar_model_nv(m) <= LIFE_MAX_NV) {
    SarSimOptions o = life_options(choice);
    if (formulation) o.formulation = formulation;
    SarSim* s = life_begin(m, d, &o);
    if (!s && (o.formulation || o.integrator)) {
      o.formulation = o.integrator = NULL;
      s = life_begin(m, d, &o);
    }
    if (s) life_run(m, d, s, copy);
    sar_sim_free(s);
  }
  sar_data_free(copy);
  sar_data_free(d);
}

static inline void life_of_model(SarModel* m, uint32_t choice) {
  life_of_model_by(m, choice, NULL);
}
