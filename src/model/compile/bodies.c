// Design poses of the bodies in the ground frame, and the points named on them.
//
// A body's frame is given in ground, in the frame of another body (`in`), or by the relative joint
// that carries it: X_GU(child) = X_GU(parent) * origin. Bodies are placed after those they need.
#include "base/print.h"
#include "model/compile/parts.h"
#include "model/order.h"

#include <stdio.h>

// Which relative joint places which body; at most one, and then no place of its own.
static void find_placers(Compile* c) {
  for (int j = 0; j < c->njoint; j++) {
    const JointPart* p = &c->joint[j];
    if (p->spec->relative && !p->sound)
      sar_pose(c, &p->spec->origin, p->item, "origin");  // to tell
    if (!p->spec->relative || !p->sound) continue;
    if (p->body[1] == GROUND) {
      sar_complain(c, p->item, p->spec->origin.loc, "swap parent and child, or use 'at' and 'axis'",
                   "'origin' places the child, but the child is ground");
      continue;
    }
    BodyPart* child = &c->body[p->body[1]];
    if (child->placed_by >= 0) {
      sar_complain(c, p->item, p->spec->origin.loc,
                   "give one of the joints 'at' and 'axis' instead of 'origin'",
                   "'origin' places body '%s', which joint '%s' places already", child->item.name,
                   c->joint[child->placed_by].item.name);
      continue;
    }
    if (sar_pose_given(&child->spec->pose) || child->spec->in.text)
      sar_complain(c, child->item, child->spec->pose.loc,
                   "leave it out, or give the joint 'at' and 'axis' instead of 'origin'",
                   "has a place of its own, but 'origin' of joint '%s' places it too",
                   p->item.name);
    child->placed_by = j;
  }
}

static void report_circle(void* context, const int* nodes, int count) {
  Compile* c = context;
  char text[256];
  int n = 0;
  for (int i = 0; i <= count && n < (int)sizeof text - 1; i++)
    n += sar_snprintf(text + n, sizeof text - (size_t)n, "%s%s", i ? " -> " : "",
                      c->body[nodes[i % count]].item.name);
  sar_complain(c, c->body[nodes[0]].item, c->body[nodes[0]].item.loc,
               "give one of them its place in the ground frame", "is placed by itself: %s", text);
}

// base[i]: the body whose frame the place of body i refers to.
static bool place_bodies(Compile* c, const int* base) {
  int* first = SAR_ARENA_ARRAY(&c->arena, int, c->nbody + 1);
  int* to = SAR_ARENA_ARRAY(&c->arena, int, c->nbody + 1);
  int* order = SAR_ARENA_ARRAY(&c->arena, int, c->nbody + 1);
  if (!first || !to || !order) return false;
  int count = 0;
  for (int i = 0; i < c->nbody; i++) {
    first[i] = count;
    if (base[i] >= 0) to[count++] = base[i];
  }
  first[c->nbody] = count;
  if (!sar_order(&c->arena, &(SarNeeds){c->nbody, first, to}, report_circle, c, order))
    return false;

  for (int k = 0; k < c->nbody; k++) {
    BodyPart* b = &c->body[order[k]];
    Xform X;
    if (b->placed_by >= 0) {
      JointPart* p = &c->joint[b->placed_by];
      X = p->X_UF[0] = sar_pose(c, &p->spec->origin, p->item, "origin");
    } else {
      X = sar_pose(c, &b->spec->pose, b->item, "place");
    }
    int i = base[order[k]];
    b->X_GU = i >= 0 ? x_mul(c->body[i].X_GU, X) : X;
  }
  return true;
}

static bool add_points(Compile* c, int body, const char* owner, const SpecFrame* frames, int n) {
  for (int i = 0; i < n; i++) {
    const SpecFrame* f = &frames[i];
    Item item = {"point", f->name.text ? f->name.text : "", f->name.loc};
    PointPart* p = &c->point[c->npoint];
    p->name = sar_arena_printf(&c->arena, "%s.%s", owner, item.name);
    if (!p->name) return false;
    item.name = p->name;
    p->body = body;
    p->X_UP = sar_pose(c, &f->pose, item, "place");
    if (sar_names_find(&c->point_names, p->name) >= 0)
      sar_complain(c, item, item.loc, "choose another name", "there are two of this name");
    else if (!sar_names_add(&c->arena, &c->point_names, p->name, c->npoint))
      return false;
    c->npoint++;
  }
  return true;
}

static bool name_points(Compile* c) {
  int n = c->spec->ground_frames.count;
  for (int i = 0; i < c->nbody; i++) n += c->body[i].spec->frames.count;
  c->point = SAR_ARENA_ARRAY(&c->arena, PointPart, n + 1);
  if (!c->point) return false;
  if (!add_points(c, GROUND, "ground", c->spec->ground_frames.items, c->spec->ground_frames.count))
    return false;
  for (int i = 0; i < c->nbody; i++) {
    const BodyPart* b = &c->body[i];
    if (!add_points(c, i, b->item.name, b->spec->frames.items, b->spec->frames.count)) return false;
  }
  return true;
}

// What only the tree makes use of: mistakes in it are told also where errors leave no tree.
static void look_at_vectors(Compile* c) {
  for (int i = 0; i < c->nbody; i++) {
    const BodyPart* b = &c->body[i];
    sar_vector(c, b->spec->velocity, b->item, "velocity", v3_zero());
    sar_vector(c, b->spec->angular_velocity, b->item, "angular_velocity", v3_zero());
    sar_vector(c, b->spec->along, b->item, "along", v3_zero());
  }
}

bool sar_compile_bodies(Compile* c) {
  find_placers(c);
  look_at_vectors(c);
  int* base = SAR_ARENA_ARRAY(&c->arena, int, c->nbody + 1);
  if (!base) return false;
  for (int i = 0; i < c->nbody; i++) {
    const BodyPart* b = &c->body[i];
    base[i] = GROUND;
    if (b->placed_by >= 0)
      base[i] = c->joint[b->placed_by].body[0];
    else if (b->spec->in.text)
      base[i] = sar_find_body(c, b->spec->in, b->item, "in");
  }
  return place_bodies(c, base) && name_points(c);
}
