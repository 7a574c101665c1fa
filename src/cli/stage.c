// Layers of pixels from a film (stage.h): which colours, which order.
#include "cli/stage.h"

#include <math.h>
#include <string.h>

// Light colours that stay apart next to each other, also for colour-blind readers, and in grey by
// their order.
static const unsigned bodies[] = {0x86aedb, 0xecb183, 0x93c9a0, 0xd9aecb,
                                  0xe5d185, 0x9dd3de, 0xb9aede, 0xccbba3};
enum { BODIES = (int)(sizeof bodies / sizeof *bodies) };

static unsigned color_of(const SarPart* p) {
  switch (p->role) {
    case SAR_ROLE_BODY: return bodies[(p->holder < 0 ? 0 : p->holder) % BODIES];
    case SAR_ROLE_JOINT: return 0x5b616b;
    case SAR_ROLE_SUPPORT: return 0xb3ac9c;
    case SAR_ROLE_GROUND: return 0xe6e2d8;
    case SAR_ROLE_WHEEL: return 0x55585f;
    case SAR_ROLE_SPRING: return 0xc45b4f;
    case SAR_ROLE_DAMPER: return 0x9aa0a9;
    case SAR_ROLE_LINK: return 0x7b8290;
  }
  return 0;
}

static bool is_ground(const SarPart* p) {
  return p->role == SAR_ROLE_GROUND || p->role == SAR_ROLE_SUPPORT;
}

static bool has_no_end(const SarPart* p) {
  return p->kind == SAR_PART_PLANE || p->kind == SAR_PART_ROAD || p->kind == SAR_PART_HEIGHTS;
}

// ---- bounds -------------------------------------------------------------------------------------

static void widen(void* context, const SarFacet* f) {
  SarPatch* box = context;
  for (int k = 0; k < 3; k++) {
    const V3 p = f->p[k];
    if (!isfinite(p.x + p.y + p.z)) continue;
    box->low = v3(fmin(box->low.x, p.x), fmin(box->low.y, p.y), fmin(box->low.z, p.z));
    box->high = v3(fmax(box->high.x, p.x), fmax(box->high.y, p.y), fmax(box->high.z, p.z));
  }
}

static void hand_over(const Stage* s, SarFacetSink* sink, int pose, bool endless) {
  const Film* film = s->film;
  for (int i = 0; i < film->scene->count; i++)
    if (has_no_end(&film->scene->part[i]) == endless)
      sar_facet_part(sink, film->scene, film->last, i, &film->pose[pose].placed[i], &s->patch);
}

// Paths count between the first and the last pose.
static bool is_shown(const Film* film, int frame) {
  const double from = film->poses > 1 ? film->pose[0].t : 0, to = film->pose[film->poses - 1].t;
  return film->time[frame] >= from - 1e-9 && film->time[frame] <= to + 1e-9;
}

static void find_longest(Stage* s) {
  const FilmPose* pose = &s->film->pose[s->film->poses - 1];
  s->longest = 0;
  for (int i = 0; i < pose->arrows; i++)
    s->longest = fmax(s->longest, v3_norm(pose->arrow[i].force));
}

void stage_set(Stage* s, const Film* film, const SarCamera* direction, bool planar) {
  *s = (Stage){.film = film, .camera = *direction, .planar = planar};
  SarPatch box = {v3(HUGE_VAL, HUGE_VAL, HUGE_VAL), v3(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL)};
  SarFacetSink sink = {widen, &box, 0};
  for (int i = 0; i < film->poses; i++) hand_over(s, &sink, i, false);
  for (int i = 0; i < film->traces && film->poses > 1; i++)
    for (int k = 0; k < film->frames; k++)
      if (is_shown(film, k)) {
        const V3 p = film->trace[i].at[k];
        widen(&box, &(SarFacet){.p = {p, p, p}});
      }
  const V3 size = v3_sub(box.high, box.low);
  const double margin = 0.12 * fmax(size.x, fmax(size.y, size.z));
  const V3 by = v3(margin, margin, margin);
  s->patch = (SarPatch){v3_sub(box.low, by), v3_add(box.high, by)};
  find_longest(s);
}

// Of two bodies that touch the force on the one that is held up is drawn.
static V3 tip_of(const Stage* s, const SarArrow* a) {
  const double scale = s->longest > 0 ? 0.28 * s->film->scene->reach / s->longest : 0;
  const bool down = v3_dot(a->force, s->film->m->gravity) > 0;
  return v3_axpy(a->kind == SAR_ARROW_CONTACT && down ? -scale : scale, a->force, a->at);
}

typedef struct Seen {
  const SarCamera* camera;
  SarExtent extent;
} Seen;

static void see(void* context, const SarFacet* f) {
  Seen* s = context;
  for (int k = 0; k < 3; k++) sar_extent_add(&s->extent, s->camera, f->p[k]);
}

SarExtent stage_extent(const Stage* s) {
  const Film* film = s->film;
  Seen seen = {&s->camera, sar_extent_none()};
  SarFacetSink sink = {see, &seen, 0};
  for (int i = 0; i < film->poses; i++) hand_over(s, &sink, i, false);
  hand_over(s, &sink, film->poses - 1, true);
  for (int i = 0; i < film->traces && film->poses > 1; i++)
    for (int k = 0; k < film->frames; k++)
      if (is_shown(film, k)) sar_extent_add(&seen.extent, &s->camera, film->trace[i].at[k]);
  const FilmPose* last = &film->pose[film->poses - 1];
  for (int i = 0; s->forces && i < last->arrows; i++)
    sar_extent_add(&seen.extent, &s->camera, tip_of(s, &last->arrow[i]));
  return seen.extent;
}

// ---- layers -------------------------------------------------------------------------------------

typedef struct Layer {
  SarRaster* r;
  const SarCamera* camera;
  SarPaint paint;
} Layer;

static void fill(void* context, const SarFacet* f) {
  const Layer* l = context;
  sar_raster_facet(l->r, l->camera, f, &l->paint);
}

// Seen across the plane of the motion, bodies cross each other and hide joints. Joints lie on top;
// where all is in one plane each body has a layer of its own.
static double raise_of(const Stage* s, const SarPart* p) {
  const SarScene* scene = s->film->scene;
  const double layer = 6 * scene->unit;
  if (!s->planar) return 0;
  if (scene->m->planar == SAR_SPATIAL)
    return p->role == SAR_ROLE_JOINT && p->kind != SAR_PART_BOX ? scene->reach : 0;
  if (p->role == SAR_ROLE_SUPPORT) return -layer;
  if (p->role == SAR_ROLE_JOINT) return layer * (scene->m->nbody + 1);
  return p->body[0] < 0 ? 0 : layer * (p->body[0] + 1);
}

static void draw_part(const Stage* s, SarRaster* r, int pose, int part) {
  const Film* film = s->film;
  const SarPart* p = &film->scene->part[part];
  Layer layer = {r, &s->camera, {.color = color_of(p), .id = (uint32_t)part + 1}};
  layer.paint.raise = raise_of(s, p);
  SarFacetSink sink = {fill, &layer, 0};
  sar_facet_part(&sink, film->scene, film->last, part, &film->pose[pose].placed[part], &s->patch);
}

// ---- shadows ------------------------------------------------------------------------------------

// On a plane through `origin` with the normal n, of a lamp in direction l:  p - l n.(p - origin) /
// n.l
typedef struct Shadow {
  Layer layer;
  V3 origin, n, l;
} Shadow;

static void cast(void* context, const SarFacet* f) {
  const Shadow* s = context;
  SarFacet flat = *f;
  for (int k = 0; k < 3; k++) {
    const double above = v3_dot(s->n, v3_sub(f->p[k], s->origin));
    if (above < 0) return;
    flat.p[k] = v3_axpy(-above / v3_dot(s->n, s->l), s->l, f->p[k]);
  }
  sar_raster_facet(s->layer.r, s->layer.camera, &flat, &s->layer.paint);
}

static void shade_plane(const Stage* s, SarRaster* r, int plane) {
  const Film* film = s->film;
  const int last = film->poses - 1;
  const Xform X = film->pose[last].placed[plane].X_GS;
  // over the left shoulder, and well above
  const SarCamera* c = &s->camera;
  const V3 n = m3_col_z(X.R);
  const V3 l = v3_unit(v3_axpy(-0.45, c->right, v3_axpy(0.25, c->toward, v3_scale(1.3, n))));
  Shadow shadow = {{r, c, {.color = 0xc4bfb3, .id = 1, .flat = true}}, X.p, n, l};
  shadow.layer.paint.only_on = sar_raster_id((uint32_t)plane + 1, 1);
  SarFacetSink sink = {cast, &shadow, 0};
  for (int i = 0; i < film->scene->count; i++)
    if (!is_ground(&film->scene->part[i]))
      sar_facet_part(&sink, film->scene, film->last, i, &film->pose[last].placed[i], &s->patch);
}

void stage_ground(const Stage* s, SarRaster* r) {
  const SarScene* scene = s->film->scene;
  for (int i = 0; i < scene->count; i++)
    if (is_ground(&scene->part[i])) draw_part(s, r, s->film->poses - 1, i);
  for (int i = 0; i < scene->count; i++)
    if (scene->part[i].kind == SAR_PART_PLANE) shade_plane(s, r, i);
}

void stage_pose(const Stage* s, SarRaster* r, int pose, bool pale) {
  const SarScene* scene = s->film->scene;
  for (int i = 0; i < scene->count; i++)
    if (!is_ground(&scene->part[i]) && scene->part[i].pale == pale) draw_part(s, r, pose, i);
}

void stage_arrows(const Stage* s, SarRaster* r, int pose) {
  const Film* film = s->film;
  const double thick = 0.0045 * film->scene->reach;
  for (int i = 0; i < film->pose[pose].arrows; i++) {
    const SarArrow* a = &film->pose[pose].arrow[i];
    const V3 tip = tip_of(s, a), along = v3_sub(tip, a->at);
    const double length = v3_norm(along);
    const unsigned color = a->kind == SAR_ARROW_CONTACT ? 0xd0342c : 0x1f7a4d;
    Layer layer = {r, &s->camera, {.color = color, .id = (uint32_t)i + 1}};
    SarFacetSink sink = {fill, &layer, 0};
    const double ball[3] = {thick, thick, thick};
    sar_facet_ellipsoid(&sink, (Xform){m3_identity(), a->at}, ball);
    if (!(length > 2 * thick)) continue;
    const V3 n = v3_scale(1 / length, along);
    const double head = fmin(0.5 * length, 6 * thick);
    const V3 neck = v3_axpy(length - head, n, a->at);
    sar_facet_rod(&sink, a->at, neck, 0.55 * thick, false);
    sar_facet_cone(&sink, neck, tip, 2 * thick);
  }
}
