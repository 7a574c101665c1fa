// Parts of a scene as JSON (shape_json.h).
#include "view/shape_json.h"

#include "view/bodies.h"
#include "view/ground.h"

#include <math.h>
#include <string.h>

enum { DIGITS = 7, LINK = -2 };  // of lengths: what a picture shows

static const char* const KIND[] = {
    [SAR_PART_BOX] = "box",           [SAR_PART_ELLIPSOID] = "ellipsoid",
    [SAR_PART_CYLINDER] = "cylinder", [SAR_PART_CAPSULE] = "capsule",
    [SAR_PART_MESH] = "mesh",         [SAR_PART_PLATE] = "plate",
    [SAR_PART_PLANE] = "plane",       [SAR_PART_HEIGHTS] = "grid",
    [SAR_PART_ROAD] = "grid",         [SAR_PART_LINK] = "rod",
    [SAR_PART_ACTUATOR] = "actuator", [SAR_PART_SPRING] = "spring",
    [SAR_PART_DAMPER] = "damper",     [SAR_PART_STOP] = "stop"};

static const char* const ROLE[] = {
    [SAR_ROLE_BODY] = "body",     [SAR_ROLE_JOINT] = "joint", [SAR_ROLE_SUPPORT] = "support",
    [SAR_ROLE_GROUND] = "ground", [SAR_ROLE_WHEEL] = "wheel", [SAR_ROLE_SPRING] = "spring",
    [SAR_ROLE_DAMPER] = "damper", [SAR_ROLE_LINK] = "link"};

void sar_view_json_pose(SarJson* j, const char* key, Xform X) {
  const Quat q = quat_from_m3(X.R);
  sar_json_row(j, key, (double[]){X.p.x, X.p.y, X.p.z, q.w, q.x, q.y, q.z}, 7, 9);
}

static bool is_link(const SarPart* p) { return p->kind >= SAR_PART_LINK; }

int sar_view_shape_holder(const SarScene* scene, const SarPart* p) {
  if (is_link(p)) return LINK;
  if (p->body[0] < 0) return -1;
  // what hangs on a body that is fixed to another moves with it, by whichever name it goes
  return p->holder >= 0 && sar_holder_body(scene->m, p->holder) == p->body[0]
             ? p->holder
             : sar_view_holder(scene->m, p->body[0]);
}

static void common(SarJson* j, const SarModel* m, const SarPart* p) {
  const int gate = sar_view_switch(m, p->force, p->constraint);
  sar_json_text(j, "role", ROLE[p->role]);
  sar_json_text(j, "name", p->name);
  if (gate >= 0) sar_json_integer(j, "switch", gate);
}

static void vertices(SarJson* j, const V3* v, int n) {
  sar_json_open(j, "vertices", '[');
  for (int i = 0; i < n; i++)
    fprintf(j->out, "%s%.*g,%.*g,%.*g", i ? "," : "", DIGITS, v[i].x, DIGITS, v[i].y, DIGITS,
            v[i].z);
  sar_json_close(j, ']');
}

static void triangles(SarJson* j, const int* t, int n) {
  sar_json_open(j, "triangles", '[');
  for (int i = 0; i < 3 * n; i++) fprintf(j->out, "%s%d", i ? "," : "", t[i]);
  sar_json_close(j, ']');
}

static void sizes(SarJson* j, const SarPart* p) {
  static const int COUNT[] = {
      [SAR_PART_BOX] = 3,     [SAR_PART_ELLIPSOID] = 3, [SAR_PART_CYLINDER] = 3,
      [SAR_PART_CAPSULE] = 2, [SAR_PART_PLATE] = 2,     [SAR_PART_ROAD] = 0};
  if (p->kind <= SAR_PART_ROAD && COUNT[p->kind] > 0)
    sar_json_row(j, "size", p->size, (size_t)COUNT[p->kind], DIGITS);
}

void sar_view_json_shape(SarJson* j, const SarScene* scene, int part, int holder) {
  const SarPart* p = &scene->part[part];
  sar_json_open(j, NULL, '{');
  sar_json_text(j, "kind", KIND[p->kind]);
  sar_view_json_pose(j, "pose", sar_view_in_U(scene->m, holder, p->X_BS));
  sizes(j, p);
  common(j, scene->m, p);
  if (p->pale) sar_json_bool(j, "pale", true);
  if (p->kind == SAR_PART_MESH || p->kind == SAR_PART_PLATE) vertices(j, p->vertex, p->nvertex);
  if (p->kind == SAR_PART_MESH) triangles(j, p->triangle, p->ntriangle);
  sar_json_close(j, '}');
}

// ---- ground -------------------------------------------------------------------------------------

// What of a road has to be seen: where bodies are, where the road has kinks, and where the run
// goes, straight on, as far as that is known beforehand.
static SarPatch patch_of_road(const SarViewScene* v, const Xform* poses, const SarRoad* r) {
  const SarModel* m = v->scene->m;
  const double margin = 3 * v->scene->reach;
  SarPatch box = {v3(HUGE_VAL, HUGE_VAL, 0), v3(-HUGE_VAL, -HUGE_VAL, 0)};
  double low = 0, high = 0;
  for (int b = 0; b < m->nbody; b++) {
    const V3 p = poses[b].p;
    box.low = v3(fmin(box.low.x, p.x), fmin(box.low.y, p.y), 0);
    box.high = v3(fmax(box.high.x, p.x), fmax(box.high.y, p.y), 0);
    const double way = fabs(m3_mul_v(poses[b].R, v->d->body_V[b].v).x);
    high = fmax(high, way);
  }
  for (int k = 0; k < r->stations; k++) {
    const double x = m->attr_data[r->station + k];
    low = fmin(low, x - box.low.x);
    box.high.x = fmax(box.high.x, x);
  }
  const double far = v->end > 0 ? fmin(high * v->end, 1000) : 0;
  box.low = v3(box.low.x + low - margin, box.low.y - margin, 0);
  box.high = v3(box.high.x + far + margin, box.high.y + margin, 0);
  return box;
}

static void grid(SarJson* j, const SarViewGrid* g) {
  sar_json_row(j, "x", g->x, (size_t)g->nx, 9);
  sar_json_row(j, "y", g->y, (size_t)g->ny, 9);
  sar_json_row(j, "z", g->z, (size_t)g->nx * (size_t)g->ny, 6);
}

static bool ground_part(SarJson* j, const SarViewScene* v, const Xform* poses, int part) {
  const SarPart* p = &v->scene->part[part];
  SarArena arena;
  SarViewGrid g = {0};
  const bool flat = p->kind == SAR_PART_ROAD && p->road < 0;
  bool done = true;
  sar_json_open(j, NULL, '{');
  sar_json_text(j, "kind", flat ? "plane" : "grid");
  sar_view_json_pose(j, "pose", p->X_BS);
  common(j, v->scene->m, p);
  sar_arena_init(&arena);
  if (!flat) {
    SarPatch patch = {v3_zero(), v3_zero()};
    if (p->kind == SAR_PART_ROAD && v->seen)
      patch = *v->seen;
    else if (p->kind == SAR_PART_ROAD)
      patch = patch_of_road(v, poses, &v->scene->m->road[p->road]);
    done = sar_view_grid(v->scene, v->d, p, &patch, &arena, &g);
    if (done) grid(j, &g);
  }
  sar_arena_free(&arena);
  sar_json_close(j, '}');
  return done;
}

bool sar_view_json_ground(SarJson* j, const SarViewScene* v, const Xform* poses) {
  bool done = true;
  sar_json_open(j, "ground", '[');
  for (int i = 0; i < v->scene->count; i++) {
    const SarPart* p = &v->scene->part[i];
    if (sar_view_shape_holder(v->scene, p) != -1) continue;
    if (p->kind == SAR_PART_ROAD || p->kind == SAR_PART_HEIGHTS)
      done = ground_part(j, v, poses, i) && done;
    else
      sar_view_json_shape(j, v->scene, i, -1);
  }
  sar_json_close(j, ']');
  return done;
}

// ---- between bodies -----------------------------------------------------------------------------

static void end(SarJson* j, const SarModel* m, const char* key, int body, V3 p) {
  const int holder = body < 0 ? -1 : sar_view_holder(m, body);
  if (holder >= 0) p = x_point_inv(sar_holder_X_BU(m, holder), p);
  sar_json_row(j, key, (double[]){holder, p.x, p.y, p.z}, 4, 9);
}

static void link(SarJson* j, const SarModel* m, const SarPart* p) {
  sar_json_open(j, NULL, '{');
  sar_json_text(j, "kind", p->role == SAR_ROLE_BODY ? "bar" : KIND[p->kind]);
  end(j, m, "a", p->body[0], p->end[0]);
  end(j, m, "b", p->body[1], p->end[1]);
  if (v3_dot(p->axis, p->axis) > 0) {
    V3 n = v3_unit(p->axis);
    if (p->body[0] >= 0) n = m3_tmul_v(sar_holder_X_BU(m, sar_view_holder(m, p->body[0])).R, n);
    sar_json_row(j, "axis", (double[]){n.x, n.y, n.z}, 3, 9);
  }
  sar_json_number(j, "radius", p->size[0]);
  common(j, m, p);
  sar_json_close(j, '}');
}

void sar_view_json_links(SarJson* j, const SarScene* scene) {
  sar_json_open(j, "links", '[');
  for (int i = 0; i < scene->count; i++)
    if (is_link(&scene->part[i])) link(j, scene->m, &scene->part[i]);
  sar_json_close(j, ']');
}

// ---- beams --------------------------------------------------------------------------------------

// Nodes of a beam are NAME_start, NAME_1, ..., NAME_end (compile/beams.c): the length of NAME; 0:
// it is none.
static size_t beam_name(const char* name) {
  const char* last = strrchr(name, '_');
  if (!last || last == name) return 0;
  const bool number = last[1] && last[1 + strspn(last + 1, "0123456789")] == '\0';
  const bool node = number || strcmp(last, "_start") == 0 || strcmp(last, "_end") == 0;
  return node ? (size_t)(last - name) : 0;
}

static bool same_beam(const SarModel* m, int a, int b) {
  const char *name = sar_holder_name(m, a), *other = sar_holder_name(m, b);
  const size_t n = beam_name(name);
  return n > 0 && beam_name(other) == n && strncmp(name, other, n) == 0;
}

// The node behind a body; -1: there is none.
static int next_node(const SarModel* m, int body) {
  for (int c = body + 1; c < body + m->body_subtree[body]; c++)
    if (m->body_parent[c] == body && same_beam(m, body, c)) return c;
  return -1;
}

void sar_view_json_beams(SarJson* j, const SarModel* m) {
  sar_json_open(j, "beams", '[');
  for (int b = 0; b < m->nbody; b++) {
    const char* name = sar_holder_name(m, b);
    const int before = m->body_parent[b];
    if (next_node(m, b) < 0 || (before >= 0 && same_beam(m, before, b))) continue;
    char beam[128];
    snprintf(beam, sizeof beam, "%.*s", (int)beam_name(name), name);
    sar_json_open(j, NULL, '{');
    sar_json_text(j, "name", beam);
    sar_json_open(j, "bodies", '[');
    for (int i = b; i >= 0; i = next_node(m, i)) sar_json_integer(j, NULL, i);
    sar_json_close(j, ']');
    sar_json_close(j, '}');
  }
  sar_json_close(j, ']');
}
