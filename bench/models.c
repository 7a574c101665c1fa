// The models on Sarrus' side, and the calls that are timed.
#include "bench.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char* const MODEL_NAME[] = {"puma6", "arm7", "humanoid36", "chain10", "chain100", NULL};
const char* const TASK_NAME[TASKS] = {"forward dynamics", "inverse dynamics", "mass matrix",
                                      "semi-implicit step"};

void fail(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  exit(1);
}

static double* new_numbers(int n) {
  double* x = calloc((size_t)n + 1, sizeof *x);
  if (!x) fail("no memory");
  return x;
}

static Ours complete(SarStatus loaded, SarModel* m, const SarError* err, const char* name) {
  char text[1024];
  if (loaded != SAR_OK) fail("%s: %s", name, sar_error_format(err, 0, text, sizeof text));
  Ours o = {.m = m, .nq = sar_model_nq(m), .nv = sar_model_nv(m)};
  o.a = new_numbers(o.nv);
  o.tau = new_numbers(o.nv);
  o.M = new_numbers(o.nv * o.nv);
  SarSimOptions options = sar_sim_options();
  options.integrator = "semi-implicit";
  options.step = 1e-3;
  options.adaptive = 0;
  SarError trouble;
  sar_error_init(&trouble);
  if (sar_data_new(m, &o.d, &trouble) != SAR_OK ||
      sar_sim_new(m, o.d, &options, &o.sim, &trouble) != SAR_OK)
    fail("%s: %s", name, sar_error_format(&trouble, 0, text, sizeof text));
  return o;
}

Ours ours_load(const char* path) {
  SarModel* m = NULL;
  SarError err;
  sar_error_init(&err);
  SarStatus status = sar_model_load(path, NULL, &m, &err);
  return complete(status, m, &err, path);
}

bool ours_parse(const char* text, const char* name, Ours* o, char* why, size_t size) {
  SarModel* m = NULL;
  SarError err;
  sar_error_init(&err);
  const SarStatus status = sar_model_parse(text, strlen(text), "urdf", name, NULL, &m, &err);
  int i = 0;
  while (i + 1 < err.count && err.items[i].severity != SAR_ERROR) i++;
  if (status != SAR_OK) snprintf(why, size, "%s", err.items[i].text);
  if (status == SAR_OK) *o = complete(status, m, &err, name);
  return status == SAR_OK;
}

// the rods of tests/reference/tree/chain100.urdf, axes z and y in turn
Ours ours_chain(int bodies) {
  size_t size = 0, room = (size_t)bodies * 600 + 200;
  char* text = malloc(room);
  if (!text) fail("no memory");
#define PUT(...) size += (size_t)snprintf(text + size, room - size, __VA_ARGS__)
  PUT("<robot name='chain'><link name='b0'/>");
  for (int i = 1; i <= bodies; i++) {
    PUT("<link name='b%d'><inertial><origin xyz='0.1 0 0'/><mass value='1'/>", i);
    PUT("<inertia ixx='0.0008' ixy='0' ixz='0' iyy='0.0038' iyz='0' izz='0.0042'/>");
    PUT("</inertial></link><joint name='j%d' type='continuous'><parent link='b%d'/>", i, i - 1);
    PUT("<child link='b%d'/><origin xyz='%s 0 0'/><axis xyz='%s'/></joint>", i,
        i == 1 ? "0" : "0.2", i % 2 ? "0 0 1" : "0 1 0");
  }
  PUT("</robot>");
#undef PUT
  SarModel* m = NULL;
  SarError err;
  sar_error_init(&err);
  SarStatus status = sar_model_parse(text, size, "urdf", "chain.urdf", NULL, &m, &err);
  free(text);
  return complete(status, m, &err, "chain");
}

void ours_free(Ours* o) {
  sar_sim_free(o->sim);
  sar_data_free(o->d);
  sar_model_free(o->m);
  free(o->a);
  free(o->tau);
  free(o->M);
  free(o->slopes);
  sar_derivatives_free(o->derivatives);
}

// in [-1, 1]: a linear congruential generator is random enough to fill a state
static double random_number(unsigned* state) {
  *state = *state * 1664525u + 1013904223u;
  return (double)(*state >> 8) / (1 << 23) - 1;
}

void ours_set_random(Ours* o, unsigned seed) {
  double *q = sar_q(o->d), *v = sar_v(o->d), *tau = sar_tau(o->d);
  for (int i = 0; i < o->nv; i++) {
    v[i] = random_number(&seed);
    tau[i] = random_number(&seed);
    o->a[i] = random_number(&seed);
  }
  for (int i = 0; i < o->nq; i++) q[i] = random_number(&seed);
  // quaternions of free and spherical joints
  for (int j = 0; j < sar_model_count(o->m, SAR_ITEM_JOINT); j++) {
    SarJointInfo info;
    sar_joint_info(o->m, j, &info);
    if (info.nq != 7 && info.nq != 4) continue;
    double *x = q + info.qadr + info.nq - 4, length = 0;
    for (int i = 0; i < 4; i++) length += x[i] * x[i];
    for (int i = 0; i < 4; i++) x[i] /= sqrt(length);
  }
}

void ours_set_at_rest(Ours* o, unsigned seed) {
  ours_set_random(o, seed);
  for (int i = 0; i < o->nv; i++) sar_v(o->d)[i] = sar_tau(o->d)[i] = 0;
}

// by q, v and tau; the first call takes the memory
static void call_derivatives(Ours* o) {
  const int entries = o->nv * o->nv;
  if (!o->derivatives) {
    o->slopes = new_numbers(3 * entries);
    if (sar_derivatives_new(o->m, &o->derivatives, NULL) != SAR_OK) fail("no derivatives");
  }
  const SarForwardDerivatives out = {
      .a_q = o->slopes, .a_v = o->slopes + entries, .a_tau = o->slopes + 2 * entries};
  if (sar_forward_dynamics_derivatives(o->derivatives, o->d, &out) != SAR_OK)
    fail("derivatives failed");
}

void ours_call(Ours* o, Task task) {
  switch (task) {
    case FORWARD: sar_forward_dynamics(o->d); break;
    case INVERSE: sar_inverse_dynamics(o->d, o->a, o->tau); break;
    case MASS: sar_mass_matrix(o->d, o->M); break;
    case STEP:
      if (sar_step(o->sim) != SAR_OK) fail("step: %s", sar_sim_trouble(o->sim));
      break;
    case DERIVATIVES: call_derivatives(o); break;
  }
}
