// Similar twins: mirrored, turned, moved, in other units. Expressions that vary go on computing in
// the model's own units: what they measure is taken back to these, what they give is taken to the
// twin's.
#include "support/twins/similar.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double similar_scale(const SimilarJob* s, Dimension d) { return similarity_scale(s->x, d); }

void similar_scale_num(SimilarJob* s, SpecNum* n, double k) {
  char text[64];
  if (!n->expr || k == 1) return;
  snprintf(text, sizeof text, "(%.17g) * X", k);
  *n = twin_combine(s->spec, text, *n, *n, *n);
}

void similar_nums(SimilarJob* s, SpecNum* v, M3 A, V3 b) {
  const double row[3][4] = {
      {A.xx, A.xy, A.xz, b.x}, {A.yx, A.yy, A.yz, b.y}, {A.zx, A.zy, A.zz, b.z}};
  SpecNum out[3];
  char text[160];
  if (!v[0].expr) return;
  for (int i = 0; i < 3; i++) {
    snprintf(text, sizeof text, "(%.17g) * X + (%.17g) * Y + (%.17g) * Z + (%.17g)", row[i][0],
             row[i][1], row[i][2], row[i][3]);
    out[i] = twin_combine(s->spec, text, v[0], v[1], v[2]);
  }
  memcpy(v, out, sizeof out);
}

static M3 scaled(double k, M3 A) {
  return (M3){k * A.xx, k * A.xy, k * A.xz, k * A.yx, k * A.yy,
              k * A.yz, k * A.zx, k * A.zy, k * A.zz};
}

static void local_point(SimilarJob* s, SpecVec3* v) {
  similar_nums(s, v->c, scaled(s->x->length, s->M), v3_zero());
}

void similar_pose(SimilarJob* s, SpecPose* p, bool in_ground) {
  const Similarity* x = s->x;
  const M3 A = in_ground ? x->Q : s->M;
  Xform X = twin_pose(p);
  X.p = v3_scale(x->length, m3_mul_v(A, X.p));
  if (in_ground) X.p = v3_add(X.p, x->shift);
  X.R = m3_mul(m3_mul(A, X.R), s->M);
  twin_set_pose(s->spec, p, X);
}

static bool pose_is_given(const SpecPose* p) {
  return p->at.c[0].expr || p->rotation != SPEC_ROT_NONE;
}

static void shape(SimilarJob* s, SpecShape* x) {
  for (int i = 0; i < 3; i++) similar_scale_num(s, &x->size[i], s->x->length);
  for (int i = 0; x->mesh && i + 2 < x->mesh->npoint; i += 3)
    similar_nums(s, &x->mesh->points[i], scaled(s->x->length, s->M), v3_zero());
  if (x->mesh && x->mesh->file.text) {
    if (s->x->mirrored) twin_refuse(s->job, "a mesh file cannot be mirrored");
    for (int i = 0; i < 3; i++) {
      if (!x->mesh->scale[i].expr) x->mesh->scale[i] = twin_number(s->spec, 1);
      similar_scale_num(s, &x->mesh->scale[i], s->x->length);
    }
  }
  local_point(s, &x->from);
  local_point(s, &x->to);
  similar_scale_num(s, &x->mass, s->x->mass);
  similar_scale_num(s, &x->density, similar_scale(s, (Dimension){-3, 1, 0}));
}

static void heights(SimilarJob* s, SpecHeights* h) {
  const double k = s->x->length;
  const int count = h->columns * h->rows;
  for (int i = 0; i < count; i++) similar_scale_num(s, &h->numbers[i], k);
  if (s->x->mirrored && count) twin_refuse(s->job, "a table of heights cannot be mirrored");
  if (h->height.expr) {
    similar_local(s, &h->height, "x", k);
    similar_local(s, &h->height, "y", s->handed * k);
    similar_scale_num(s, &h->height, k);
  }
  for (int i = 0; i < 2; i++) {
    similar_scale_num(s, &h->x[i], k);
    similar_scale_num(s, &h->y[i], s->handed * k);
  }
  if (s->x->mirrored) {
    const SpecNum from = h->y[0];
    h->y[0] = h->y[1];
    h->y[1] = from;
  }
}

static void touch(SimilarJob* s, SpecTouch* t, bool in_ground) {
  for (int i = 0; i < t->solids.count; i++) {
    SpecSolid* x = &t->solids.items[i];
    shape(s, &x->shape);
    if (in_ground && x->shape.from.c[0].expr)
      twin_refuse(s->job, "a solid of the ground from A to B");
    else if (!x->shape.from.c[0].expr)
      similar_pose(s, &x->shape.pose, in_ground);
    similar_nums(s, x->normal.c, s->M, v3_zero());
    heights(s, &x->heights);
  }
}

static void body(SimilarJob* s, SpecBody* b) {
  const Similarity* x = s->x;
  const double speed = x->length / x->time, inertia = similar_scale(s, (Dimension){2, 1, 0});
  if (b->in.text || !twin_is_placed(s->spec, b)) similar_pose(s, &b->pose, !b->in.text);
  similar_scale_num(s, &b->mass, x->mass);
  similar_scale_num(s, &b->density, similar_scale(s, (Dimension){-3, 1, 0}));
  local_point(s, &b->com);
  // xx yy zz xy xz yz: products with y change their sign in a mirror
  for (int i = 0; i < 6; i++)
    similar_scale_num(s, &b->inertia[i], i == 3 || i == 5 ? s->handed * inertia : inertia);
  if (b->inertia_pose && pose_is_given(b->inertia_pose)) similar_pose(s, b->inertia_pose, false);
  for (int i = 0; i < b->shapes.count; i++) {
    shape(s, &b->shapes.items[i]);
    if (pose_is_given(&b->shapes.items[i].pose)) similar_pose(s, &b->shapes.items[i].pose, false);
  }
  touch(s, &b->touch, false);
  for (int i = 0; i < b->frames.count; i++) similar_pose(s, &b->frames.items[i].pose, false);
  if (b->velocity) similar_nums(s, b->velocity->c, scaled(speed, x->Q), v3_zero());
  if (b->angular_velocity)
    similar_nums(s, b->angular_velocity->c, scaled(s->handed / x->time, x->Q), v3_zero());
  if (b->along) similar_nums(s, b->along->c, x->Q, v3_zero());
}

static void materials(SimilarJob* s, SpecMaterial* items, int count) {
  for (int i = 0; i < count; i++) {
    similar_scale_num(s, &items[i].rolling, s->x->length);
    similar_scale_num(s, &items[i].spinning, s->x->length);
    similar_scale_num(s, &items[i].stiffness, similar_scale(s, (Dimension){0, 1, -2}));
    similar_scale_num(s, &items[i].damping, similar_scale(s, (Dimension){0, 1, -1}));
  }
}

static void simulation(SimilarJob* s) {
  SpecSimulation* x = &s->spec->simulation;
  SpecNum* times[] = {&x->end, &x->step, &x->output_step, &x->max_step};
  for (int i = 0; i < 4; i++) similar_scale_num(s, times[i], s->x->time);
}

// A body that lies on the ground's frame at the design position, for joints whose coordinates
// depend on the axes they are given in; if there is none, one that does nothing else.
static const char* reference_body(SimilarJob* s) {
  SarSpec* spec = s->spec;
  for (int i = 0; i < spec->bodies.count; i++) {
    const SpecBody* b = &spec->bodies.items[i];
    if (!b->in.text && !pose_is_given(&b->pose) && !twin_is_placed(spec, b)) return b->name.text;
  }
  const int joints = spec->joints.count;
  twin_add_fixed(s->job);
  SpecBody* b = &spec->bodies.items[spec->bodies.count - 1];
  b->pose = (SpecPose){0};
  spec->joints.items[joints].parent.text = "ground";
  return b->name.text;
}

static bool needs_reference(const SpecJoint* p) {
  return !p->in.text && !p->relative && p->kind->nv >= 3;
}

// Uniform, or of a point mass. Expressions of the place would have to be turned.
static void gravity(SimilarJob* s) {
  SpecGravity* g = &s->spec->gravity;
  const Similarity* x = s->x;
  if (g->potential.expr || g->field.c[0].expr) {
    twin_refuse(s->job, "gravity is an expression of the place");
  } else if (g->mu.expr) {
    if (!g->centre.c[0].expr) twin_set_vector(s->spec, &g->centre, v3_zero());
    similar_nums(s, g->centre.c, scaled(x->length, x->Q), x->shift);
    similar_scale_num(s, &g->mu, similar_scale(s, (Dimension){3, 0, -2}));
  } else {
    if (!g->uniform.c[0].expr) twin_set_vector(s->spec, &g->uniform, v3(0, 0, -9.81));
    similar_nums(s, g->uniform.c, scaled(similar_scale(s, (Dimension){1, 0, -2}), x->Q), v3_zero());
  }
}

void twin_similar(TwinJob* job) {
  SimilarJob s = {.spec = job->spec, .job = job, .x = &job->twin->similarity, .M = m3_identity()};
  SarSpec* spec = job->spec;
  s.handed = s.x->mirrored ? -1 : 1;
  if (s.x->mirrored) s.M.yy = -1;
  bool wanted = false;
  for (int i = 0; i < spec->joints.count; i++)
    wanted = wanted || needs_reference(&spec->joints.items[i]);
  if (wanted) s.reference = reference_body(&s);
  similar_signs(&s);
  similar_expressions(&s);
  similar_joints(&s);
  similar_elements(&s);
  for (int i = 0; i < spec->bodies.count; i++) body(&s, &spec->bodies.items[i]);
  for (int i = 0; i < spec->ground_frames.count; i++)
    similar_pose(&s, &spec->ground_frames.items[i].pose, true);
  touch(&s, &spec->ground_touch, true);
  materials(&s, spec->contact.materials.items, spec->contact.materials.count);
  materials(&s, spec->contact.pairs.items, spec->contact.pairs.count);
  gravity(&s);
  simulation(&s);
}
