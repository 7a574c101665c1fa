// Sarrus' side of the heaps, through the public interface: the scene as a model file.
#include "../loops/text.h"
#include "heaps.h"
#include "sarrus/sarrus.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct Run {
  int solids;
  SarModel* m;
  SarData* d;
  SarSim* sim;
} Run;

static void write_solid(int i, const Solid* x, Text* t) {
  const double* s = x->size;
  text_put(t, "  s%d: {at: [%.17g, %.17g, %.17g], quat: [%.17g, %.17g, %.17g, %.17g], ", i,
           x->at[0], x->at[1], x->at[2], x->quat[0], x->quat[1], x->quat[2], x->quat[3]);
  text_put(t, "mass: %.17g, inertia: [%.17g, %.17g, %.17g], contact: ", x->mass, x->inertia[0],
           x->inertia[1], x->inertia[2]);
  if (x->kind == BOX)
    text_put(t, "{box: [%.17g, %.17g, %.17g]}}\n", s[0], s[1], s[2]);
  else if (x->kind == SPHERE)
    text_put(t, "{sphere: %.17g}}\n", s[0]);
  else
    text_put(t, "{capsule: {radius: %.17g, length: %.17g}}}\n", s[0], s[1]);
}

static void write_model(const Heap* s, Text* t) {
  static const char* const AXIS[] = {"x", "-x", "y", "-y"};
  text_put(t, "sarrus: 1\ngravity: [0, 0, -9.81]\nground: {contact: [{plane: z}");
  for (int k = 0; k < 4; k++) {
    const double at = (k % 2 ? 0.5 : -0.5) * s->room;
    text_put(t, ", {plane: %s, at: [%.17g, %.17g, 0]}", AXIS[k], k < 2 ? at : 0, k < 2 ? 0 : at);
  }
  text_put(t, "]}\ncontact: {materials: {default: {friction: %g}}}\nbodies:\n", s->friction);
  for (int i = 0; i < s->solids; i++) write_solid(i, &s->solid[i], t);
}

static void* make(const Heap* s) {
  enum { SIZE = 1 << 21 };
  static char text[SIZE];
  Text t = {text, 0, SIZE};
  SarError err;
  SarSimOptions o = sar_sim_options();
  Run* r = calloc(1, sizeof *r);
  r->solids = s->solids;
  write_model(s, &t);
  sar_error_init(&err);
  o.step = s->step;
  o.adaptive = 0;
  if (sar_model_parse(text, t.used, "yaml", "heap", NULL, &r->m, &err) != SAR_OK ||
      sar_data_new(r->m, &r->d, &err) != SAR_OK ||
      sar_sim_new(r->m, r->d, &o, &r->sim, &err) != SAR_OK) {
    char line[1024];
    for (int i = 0; i < err.count; i++)
      fprintf(stderr, "  %s\n", sar_error_format(&err, i, line, sizeof line));
    exit(1);
  }
  return r;
}

static bool step(void* of) { return sar_step(((Run*)of)->sim) == SAR_OK; }

static void look(void* of, double (*at)[3]) {
  const Run* r = of;
  double R[9];
  for (int i = 0; i < r->solids; i++) sar_body_pose(r->d, i, at[i], R);
}

static void drop(void* of) {
  Run* r = of;
  if (getenv("SARRUS_STATS")) {
    const SarStats z = sar_stats(r->sim);
    printf("    steps %ld iterations %ld max %d, unsettled %ld\n", (long)z.steps,
           (long)z.iterations, z.iterations_max, (long)z.unsettled_steps);
  }
  sar_sim_free(r->sim);
  sar_data_free(r->d);
  sar_model_free(r->m);
  free(r);
}

const HeapEngine heap_sarrus = {"Sarrus", make, step, look, drop};
