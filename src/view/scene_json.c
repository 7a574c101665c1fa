// The scene as JSON (scene_json.h): the model, its bodies, joints and what can be set. Shapes:
// shape_json.c.
#include "view/scene_json.h"

#include "sim/outputs.h"
#include "view/bodies.h"
#include "view/shape_json.h"
#include "view/traces.h"

#include <math.h>
#include <string.h>

int sar_view_switch(const SarModel* m, int force, int constraint) {
  for (int i = 0; i < m->ngate; i++) {
    const SarGate* g = &m->gate[i];
    if (g->index >= 0 && g->index == (g->target == SAR_GATE_FORCE ? force : constraint)) return i;
  }
  return -1;
}

// ---- the whole ----------------------------------------------------------------------------------

static const char* plane_of(const SarModel* m) {
  static const char* const PLANE[] = {"", "xy", "xz", "yz"};
  return PLANE[m->planar];
}

static void time_or_null(SarJson* j, const char* key, double t) {
  sar_json_number(j, key, t > 0 ? t : (double)NAN);
}

static void whole(SarJson* j, const SarViewScene* v) {
  const SarModel* m = v->scene->m;
  const double g[3] = {m->gravity.x, m->gravity.y, m->gravity.z};
  sar_json_integer(j, "sarrus", 1);
  sar_json_text(j, "name", sar_text(m, m->name));
  sar_json_text(j, "mode", v->replay ? "replay" : "live");
  sar_json_number(j, "start", v->start);
  time_or_null(j, "end", v->end);
  time_or_null(j, "step", v->step);
  sar_json_row(j, "gravity", g, 3, 9);
  sar_json_text(j, "plane", plane_of(m));
  sar_json_number(j, "reach", v->scene->reach);
  sar_json_number(j, "unit", v->scene->unit);
  sar_json_number(j, "speed", v->speed);
  sar_json_bool(j, "readonly", false);
  sar_json_integer(j, "switches", m->ngate);
}

// ---- bodies and joints --------------------------------------------------------------------------

static void body(SarJson* j, const SarViewScene* v, const Xform* poses, int holder) {
  const SarModel* m = v->scene->m;
  const bool own = holder < m->nbody;
  const Inertia I = own ? m->body_inertia[holder] : inertia_zero();
  const int fixed_to = own ? -1 : m->fixed_holder[holder - m->nbody];
  const bool knot = !own && sar_holder_body(m, holder) >= m->nbody;
  V3 com = v3_zero();
  if (I.m > 0) com = x_point_inv(sar_holder_X_BU(m, holder), v3_scale(1 / I.m, I.h));
  sar_json_open(j, NULL, '{');
  sar_json_text(j, "name", sar_holder_name(m, holder));
  sar_json_integer(j, "parent", own ? m->body_holder[holder] : knot ? -1 : fixed_to);
  sar_json_number(j, "mass", own ? I.m : m->fixed_mass[holder - m->nbody]);
  sar_json_row(j, "com", (double[]){com.x, com.y, com.z}, 3, 9);
  sar_view_json_pose(j, "pose", sar_view_pose(m, poses, holder));
  if (!own && !knot) sar_json_bool(j, "fixed", true);
  sar_json_open(j, "shapes", '[');
  for (int i = 0; i < v->scene->count; i++)
    if (sar_view_shape_holder(v->scene, &v->scene->part[i]) == holder)
      sar_view_json_shape(j, v->scene, i, holder);
  sar_json_close(j, ']');
  sar_json_close(j, '}');
}

static void joint(SarJson* j, const char* name, const char* kind, int a, int b, Xform pose) {
  sar_json_open(j, NULL, '{');
  sar_json_text(j, "name", name);
  sar_json_text(j, "kind", kind);
  sar_json_integer(j, "a", a);
  sar_json_integer(j, "b", b);
  sar_view_json_pose(j, "pose", pose);
}

static void joints(SarJson* j, const SarModel* m) {
  sar_json_open(j, "joints", '[');
  for (int b = 0; b < m->nbody; b++) {
    joint(j, sar_text(m, m->joint_name[b]), m->joint_kind[b]->name, m->body_holder[b], b,
          sar_view_in_U(m, b, x_identity()));
    sar_json_close(j, '}');
  }
  for (int i = 0; i < m->ncut; i++) {
    const SarCut* c = &m->cut[i];
    const int gate = sar_view_switch(m, -1, i), child = c->holder[1];
    joint(j, sar_text(m, c->name), c->kind->name, c->holder[0], child,
          sar_view_in_U(m, child, c->X_BF[1]));
    sar_json_bool(j, "loop", true);
    if (gate >= 0) sar_json_integer(j, "switch", gate);
    sar_json_close(j, '}');
  }
  sar_json_close(j, ']');
}

// ---- points -------------------------------------------------------------------------------------

static void point(SarJson* j, const SarModel* m, const char* name, int b, V3 p) {
  const int holder = b < 0 ? -1 : sar_view_holder(m, b);
  if (holder >= 0) p = x_point_inv(sar_holder_X_BU(m, holder), p);
  sar_json_open(j, NULL, '{');
  sar_json_text(j, "name", name);
  sar_json_integer(j, "body", holder);
  sar_json_row(j, "point", (double[]){p.x, p.y, p.z}, 3, 9);
  sar_json_close(j, '}');
}

static bool points(SarJson* j, const SarModel* m) {
  enum { MOST_TRACES = 12 };
  SarArena arena;
  SarTraceList traces = {0};
  sar_json_open(j, "points", '[');
  for (int i = 0; i < m->npoint; i++)
    point(j, m, sar_text(m, m->point[i].name), m->point[i].body, m->point[i].X_BP.p);
  sar_json_close(j, ']');
  sar_arena_init(&arena);
  sar_trace_usual(m, &arena, MOST_TRACES, &traces);
  sar_json_open(j, "traces", '[');
  for (int i = 0; i < traces.count; i++)
    point(j, m, traces.items[i].name, traces.items[i].body, traces.items[i].point);
  sar_json_close(j, ']');
  const bool done = !arena.failed;
  sar_arena_free(&arena);
  return done;
}

// ---- what is measured and what can be set -------------------------------------------------------

static void outputs(SarJson* j, const SarModel* m) {
  sar_json_open(j, "outputs", '[');
  for (int i = 0; i < m->nchannel; i++) {
    sar_json_open(j, NULL, '{');
    sar_json_text(j, "name", sar_text(m, m->channel[i].name));
    sar_json_text(j, "unit", sar_output_unit(m, i));
    sar_json_close(j, '}');
  }
  sar_json_close(j, ']');
}

static void settings(SarJson* j, const SarViewScene* v) {
  const SarModel* m = v->scene->m;
  sar_json_open(j, "inputs", '[');
  for (int i = 0; i < m->ninput; i++) {
    sar_json_open(j, NULL, '{');
    sar_json_text(j, "name", sar_text(m, m->input_name[i]));
    sar_json_number(j, "value", v->d->input[i]);
    sar_json_text(j, "unit", sar_model_unit(m, SAR_ITEM_INPUT, i));
    double range[2];
    sar_input_range(m, i, &range[0], &range[1]);
    if (isfinite(range[0])) sar_json_number(j, "min", range[0]);
    if (isfinite(range[1])) sar_json_number(j, "max", range[1]);
    if (v->driven && v->driven[i]) sar_json_bool(j, "driven", true);
    sar_json_close(j, '}');
  }
  sar_json_close(j, ']');
  sar_json_open(j, "parameters", '[');
  for (int i = 0; i < v->parameter_count; i++) {
    sar_json_open(j, NULL, '{');
    sar_json_text(j, "name", v->parameters[i].name);
    sar_json_number(j, "value", v->parameters[i].value);
    sar_json_close(j, '}');
  }
  sar_json_close(j, ']');
}

static void replayed(SarJson* j, const SarViewScene* v) {
  sar_json_open(j, "events", '[');
  for (int i = 0; i < v->event_count; i++) {
    sar_json_open(j, NULL, '{');
    sar_json_number(j, "time", v->events[i].time);
    sar_json_text(j, "name", v->events[i].name);
    sar_json_bool(j, "on", v->events[i].on);
    sar_json_close(j, '}');
  }
  sar_json_close(j, ']');
  sar_json_open(j, "runs", '[');
  for (int i = 0; i < v->run_count; i++) {
    sar_json_open(j, NULL, '{');
    sar_json_text(j, "name", v->runs[i]);
    sar_json_close(j, '}');
  }
  sar_json_close(j, ']');
}

bool sar_view_scene(SarJson* j, const SarViewScene* v) {
  const SarModel* m = v->scene->m;
  SarArena arena;
  sar_arena_init(&arena);
  Xform* poses = SAR_ARENA_ARRAY(&arena, Xform, m->nbody_all + 1);
  bool done = poses != NULL;
  if (done) {
    sar_scene_poses(v->scene, v->d, poses);
    sar_json_open(j, NULL, '{');
    whole(j, v);
    sar_json_open(j, "bodies", '[');
    for (int h = 0; h < sar_view_bodies(m); h++) body(j, v, poses, h);
    sar_json_close(j, ']');
    done = sar_view_json_ground(j, v, poses);
    sar_view_json_links(j, v->scene);
    sar_view_json_beams(j, m);
    joints(j, m);
    done = points(j, m) && done;
    outputs(j, m);
    settings(j, v);
    replayed(j, v);
    sar_json_close(j, '}');
  }
  sar_arena_free(&arena);
  return done;
}
