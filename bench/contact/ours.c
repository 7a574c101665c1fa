// Sarrus' side, through the public interface: the scene as a model file.
#include "contact.h"
#include "../loops/text.h"
#include "sarrus/sarrus.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Run {
  const Scene* s;
  SarModel* m;
  SarData* d;
  SarSim* sim;
  int body[MAX_BOXES];
} Run;

// As it comes, and with sweeps that end earlier: for mechanisms where the paper's do and before,
// for heaps after 30.
typedef struct Setting {
  const char* formulation;
  double tolerance;  // change of an impulse at which sweeps end [N s]; 0: the formulation's own
  int sweeps;        // at most; 0: the formulation's own
} Setting;
static const Setting SETTING[] = {
    {"impulse", 0, 0},
    {"impulse", 1e-6, 0},
    {"impulse", 1e-5, 0},
    {"impulse", 0, 30},
};
enum { HEAP = 50 };  // boxes from which fewer sweeps are tried too
enum { SETTINGS = sizeof SETTING / sizeof *SETTING };

static bool offered(const char* formulation) {
  SarListEntry entry;
  for (int i = 0; sar_list("formulations", i, &entry) == SAR_OK; i++)
    if (strcmp(entry.name, formulation) == 0) return true;
  return false;
}

static bool describe(const Scene* s, int setting, char* text, int size) {
  const Setting* x = &SETTING[setting];
  if (setting > 0 && (x->tolerance > 0) != (s->hinges > 0)) return false;
  if (x->sweeps > 0 && s->boxes < HEAP) return false;
  if (text) {
    int n = snprintf(text, (size_t)size, "%s", x->formulation);
    if (x->tolerance > 0) n += snprintf(text + n, (size_t)(size - n), " eps=%g", x->tolerance);
    if (x->sweeps) snprintf(text + n, (size_t)(size - n), " sweeps<=%d", x->sweeps);
  }
  return offered(x->formulation);
}

static double wanted(const Scene* s, int setting) {
  (void)s, (void)setting;
  return 0;
}

static const char* name_of(const Scene* s, int box) {
  return box < 0 ? "ground" : s->box[box].name;
}

static void write_box(const Box* b, Text* t) {
  text_put(t, "  %s: {at: [%.17g, %.17g, %.17g], ", b->name, b->at[0], b->at[1], b->at[2]);
  text_put(t, "quat: [%.17g, %.17g, %.17g, %.17g], ", b->quat[0], b->quat[1], b->quat[2],
           b->quat[3]);
  text_put(t, "box: [%.17g, %.17g, %.17g], mass: %.17g%s}\n", b->size[0], b->size[1], b->size[2],
           b->mass, b->touches ? ", contact: true" : "");
}

static void write_hinge(const Scene* s, const Hinge* j, Text* t) {
  text_put(t, "  %s: {revolute: [%s, %s], at: [%.17g, %.17g, %.17g], ", j->name, name_of(s, j->a),
           name_of(s, j->b), j->at[0], j->at[1], j->at[2]);
  text_put(t, "axis: [%g, %g, %g]", j->axis[0], j->axis[1], j->axis[2]);
  if (j->friction > 0) text_put(t, ", friction: %.17g", j->friction);
  if (j->damping > 0) text_put(t, ", damping: %.17g", j->damping);
  if (j->motor) {
    text_put(t, ", motor: {%s: \"%s\"", j->motor == SPEED ? "speed" : "position", j->target.text);
    if (isfinite(j->effort)) text_put(t, ", effort: %.17g", j->effort);
    text_put(t, "}");
  }
  text_put(t, "}\n");
}

static void write_model(const Scene* s, Text* t) {
  text_put(t, "sarrus: 1\nname: scene\ngravity: [%.17g, %.17g, %.17g]\nbodies:\n", s->gravity[0],
           s->gravity[1], s->gravity[2]);
  for (int i = 0; i < s->boxes; i++) write_box(&s->box[i], t);
  if (s->floor) {
    text_put(t, "ground: {contact: {plane: z}}\n");
    text_put(t, "contact: {materials: {default: {friction: %.17g}}}\n", s->friction);
  }
  if (s->hinges) text_put(t, "joints:\n");
  for (int i = 0; i < s->hinges; i++) write_hinge(s, &s->hinge[i], t);
  if (s->repeater[1])
    text_put(t, "constraints: {repeater: {gear: [%s, %s], ratio: 1}}\n",
             s->hinge[s->repeater[0]].name, s->hinge[s->repeater[1]].name);
}

static void stop_with(const SarError* err, const char* what) {
  char line[1024];
  fprintf(stderr, "bench: %s\n", what);
  for (int i = 0; i < err->count; i++)
    fprintf(stderr, "  %s\n", sar_error_format(err, i, line, sizeof line));
  exit(1);
}

static void* make(const Scene* s, int setting) {
  enum { SIZE = 1 << 17 };
  static char text[SIZE];
  Text t = {text, 0, SIZE};
  SarError err;
  SarSimOptions o = sar_sim_options();
  Run* r = calloc(1, sizeof *r);
  write_model(s, &t);
  sar_error_init(&err);
  o.formulation = SETTING[setting].formulation;
  o.impulse_tolerance = SETTING[setting].tolerance;
  if (SETTING[setting].sweeps) o.max_iterations = SETTING[setting].sweeps;
  o.step = s->step;
  o.adaptive = 0;
  r->s = s;
  if (sar_model_parse(text, t.used, "yaml", "scene", NULL, &r->m, &err) != SAR_OK ||
      sar_data_new(r->m, &r->d, &err) != SAR_OK ||
      sar_sim_new(r->m, r->d, &o, &r->sim, &err) != SAR_OK)
    stop_with(&err, s->name);
  for (int i = 0; i < s->boxes; i++)
    r->body[i] = sar_model_find(r->m, SAR_ITEM_BODY, s->box[i].name);
  return r;
}

static bool step(void* of) { return sar_step(((Run*)of)->sim) == SAR_OK; }

// A body's frame is at the center of its box.
static void look(void* of, Pose* out) {
  const Run* r = of;
  for (int i = 0; i < r->s->boxes; i++) sar_body_pose(r->d, r->body[i], out[i].p, out[i].R);
}

static void drop(void* of) {
  Run* r = of;
  sar_sim_free(r->sim);
  sar_data_free(r->d);
  sar_model_free(r->m);
  free(r);
}

const Engine engine_ours = {"Sarrus", SETTINGS, describe, wanted, make, step, look, drop};
