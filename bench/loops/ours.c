// Sarrus' side, through the public interface. Models in a plane say so, as their files do.
#include "loops.h"
#include "sarrus/sarrus.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Run {
  SarModel* m;
  SarData* d;
  SarSim* s;
  const Linkage* l;
  int body[MAX_POINTS], first;  // bodies of the points, joint 0
} Run;

static const char* const METHOD[] = {"rk4", "dopri5", "semi-implicit", "dopri5"};
enum { METHODS = sizeof METHOD / sizeof *METHOD };  // fixed steps, then error control

static bool counts_steps(int method) { return method < METHODS - 1; }

static void describe(Setting s, double interval, char* text, int size) {
  if (counts_steps(s.method))
    snprintf(text, (size_t)size, "%s h=%.3g", METHOD[s.method], interval / s.fineness);
  else
    snprintf(text, (size_t)size, "%s tol=%.2g", METHOD[s.method], pow(10, -s.fineness));
}

static const char* name_of(const Linkage* l, int body) {
  return body < 0 ? "ground" : l->body[body].name;
}

static void write_model(const Linkage* l, Text* t) {
  text_put(t, "sarrus: 1\nname: linkage\ngravity: [%.17g, %.17g, %.17g]\n%sbodies:\n",
           l->gravity[0], l->gravity[1], l->gravity[2], linkage_is_planar(l) ? "planar: xy\n" : "");
  for (int i = 0; i < l->bodies; i++) {
    const Body* b = &l->body[i];
    text_put(t,
             "  %s: {at: [%.17g, %.17g, %.17g], quat: [%.17g, %.17g, %.17g, %.17g], mass: %.17g, ",
             b->name, b->com[0], b->com[1], b->com[2], b->quat[0], b->quat[1], b->quat[2],
             b->quat[3], b->mass);
    text_put(t, "inertia: [%.17g, %.17g, %.17g]}\n", b->inertia[0], b->inertia[1], b->inertia[2]);
  }
  text_put(t, "joints:\n");
  for (int i = 0; i < l->joints; i++) {
    const Joint* j = &l->joint[i];
    text_put(t, "  %s: {revolute: [%s, %s], at: [%.17g, %.17g, %.17g], axis: %c", j->name,
             name_of(l, j->a), name_of(l, j->b), j->at[0], j->at[1], j->at[2], j->axis);
    if (j->speed != 0) text_put(t, ", speed: %.17g", j->speed);
    if (j->torque != 0) text_put(t, ", force: %.17g", j->torque);
    text_put(t, "}\n");
  }
  if (l->spring.on)
    text_put(t,
             "forces:\n  spring: {spring_damper: [[ground, [%.17g, %.17g, 0]], [%s, [%.17g, %.17g, "
             "0]]], stiffness: %.17g, length: %.17g}\n",
             l->spring.ground[0], l->spring.ground[1], name_of(l, l->spring.end.body),
             l->spring.end.local[0], l->spring.end.local[1], l->spring.stiffness, l->spring.length);
  if (l->driven)
    text_put(t, "constraints:\n  drive: {motion: %s, value: \"pi/3 * (1 - cos(pi * t))\"}\n",
             l->joint[0].name);
}

static void stop_with(const SarError* err, const char* what) {
  char line[1024];
  fprintf(stderr, "bench: %s\n", what);
  for (int i = 0; i < err->count; i++)
    fprintf(stderr, "  %s\n", sar_error_format(err, i, line, sizeof line));
  exit(1);
}

static Run* load(const Linkage* l, const SarSimOptions* o) {
  enum { SIZE = 1 << 17 };
  static char text[SIZE];
  Text t = {text, 0, SIZE};
  write_model(l, &t);
  SarError err;
  sar_error_init(&err);
  Run* r = calloc(1, sizeof *r);
  r->l = l;
  if (sar_model_parse(text, t.used, "yaml", "linkage", NULL, &r->m, &err) != SAR_OK ||
      sar_data_new(r->m, &r->d, &err) != SAR_OK ||
      sar_sim_new(r->m, r->d, o, &r->s, &err) != SAR_OK)
    stop_with(&err, "linkage");
  for (int i = 0; i < l->points; i++)
    r->body[i] = sar_model_find(r->m, SAR_ITEM_BODY, name_of(l, l->point[i].body));
  r->first = sar_model_find(r->m, SAR_ITEM_JOINT, l->joint[0].name);
  return r;
}

static void* make(const Linkage* l, Setting setting, double interval) {
  SarSimOptions o = sar_sim_options();
  o.formulation = "lagrange";
  o.integrator = METHOD[setting.method];
  o.step = interval;
  if (counts_steps(setting.method)) {
    o.step = interval / setting.fineness;
    o.adaptive = 0;
  } else {
    o.adaptive = 1;
    o.rtol = o.atol = pow(10, -setting.fineness);
  }
  return load(l, &o);
}

// ---- implicit steps: one method
static bool counts_steps_always(int method) {
  (void)method;
  return true;
}

static void describe_hybrid(Setting s, double interval, char* text, int size) {
  snprintf(text, (size_t)size, "trapezoidal h=%.3g", interval / s.fineness);
}

static void* make_hybrid(const Linkage* l, Setting setting, double interval) {
  SarSimOptions o = sar_sim_options();
  o.formulation = "hybrid";
  o.integrator = "trapezoidal";
  o.step = interval / setting.fineness;
  o.adaptive = 0;
  return load(l, &o);
}

// ---- runs
static void look(void* of, Sample* out) {
  Run* r = of;
  SarEnergy e;
  double q[7], v[6];
  sar_energy(r->d, &e);
  sar_joint_get(r->d, r->first, q, v);
  out->t = sar_time(r->d);
  out->energy = e.kinetic + e.potential;
  out->angle = q[0];
  for (int i = 0; i < r->l->points; i++) {
    double p[3], R[9];
    const double* x = r->l->point[i].local;
    sar_body_pose(r->d, r->body[i], p, R);
    for (int k = 0; k < 3; k++)
      out->point[i][k] = p[k] + R[3 * k] * x[0] + R[3 * k + 1] * x[1] + R[3 * k + 2] * x[2];
  }
}

static bool advance(void* of, int i, double interval) {
  return sar_advance(((Run*)of)->s, (i + 1) * interval) == SAR_OK;
}

static void drop(void* of) {
  Run* r = of;
  sar_sim_free(r->s);
  sar_data_free(r->d);
  sar_model_free(r->m);
  free(r);
}

void reference_run(const Linkage* l, int samples, double interval, Sample* out) {
  SarSimOptions o = sar_sim_options();
  o.formulation = "qr";
  o.integrator = "dopri5";
  o.rtol = o.atol = 1e-11;
  Run* r = load(l, &o);
  for (int i = 0; i < samples; i++) {
    if (!advance(r, i, interval)) {
      fprintf(stderr, "bench: reference: %s\n", sar_sim_trouble(r->s));
      exit(1);
    }
    look(r, &out[i]);
  }
  drop(r);
}

const Engine engine_ours = {"Sarrus", METHODS, true, counts_steps, describe,
                            make,     advance, look, drop};
const Engine engine_hybrid = {
    "hybrid", 1, true, counts_steps_always, describe_hybrid, make_hybrid, advance, look, drop};
