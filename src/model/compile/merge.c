// Bodies that fixed joints join, made one body of the tree (MuJoCo's fusestatic, Drake's welded
// bodies, "lumped" links of other URDF readers).
//
// A fixed joint has no coordinate, yet a body behind one costs a tree algorithm as much as any.
// Such a body becomes a part of the root, the first body on the way to ground that some other joint
// carries, or of ground itself. Over all bodies b of one root r, with R the frame U of the root,
//
//   X_RU(b) = X_RU(inner) X_UF(inner) X_UF(b)^-1,      I(r) = sum X_RU(b) I(b) X_RU(b)'
//
// X_UF being the frame of the fixed joint in the frames U of its two bodies. Everything that is on
// b (points, solids, forces, loop joints, the joints of further bodies) is on the root at a place
// of its own: later stages see X_BU = X_BU(root) X_RU and the number of the root. Sums of masses
// and moments of the whole are the same as before; only the rounding differs.
//
// A fixed joint stays a joint of the tree where a column shows what it carries, which is known for
// joints of the tree; where an element or expression names it, so that it can be refused there; in
// absolute coordinates, where each body has its own; and where the caller wants it
// (SarLoadOptions.keep_fixed). One that is switched on and off is cut already (graph.h).
#include "model/compile/parts.h"

#include <string.h>

static void mark_reported(Compile* c) {
  const SarSpec* s = c->spec;
  for (int i = 0; i < s->outputs.count; i++) {
    const SpecOutput* o = &s->outputs.items[i];
    if (o->of != SAR_OF_JOINT || !o->target.text || !sar_shows_reactions(o)) continue;
    const bool all = strcmp(o->target.text, "all") == 0;
    const int named = sar_names_find(&c->joint_names, o->target.text);
    for (int j = 0; j < c->njoint_spec; j++) c->joint[j].reported |= all || j == named;
  }
}

static bool is_mergeable(const Compile* c, const JointPart* p) {
  return !c->keep_fixed && !c->m.absolute && p->spec && p->kind->cls == SAR_CLASS_FIXED &&
         !p->reported && !p->measured && !sar_has_values(p);
}

// Body `body` becomes a part of what carries the inner body of its fixed joint.
static void merge(Compile* c, int body, int joint) {
  const JointPart* p = &c->joint[joint];
  BodyPart* b = &c->body[body];
  const int inner = p->turned ? 1 : 0, holder = p->body[inner];
  const Xform X_HU = x_mul(p->X_UF[inner], x_inv(p->X_UF[1 - inner]));
  b->fixed_by = joint;
  b->root = holder < 0 ? GROUND : c->body[holder].root;
  b->X_RU = holder < 0 ? X_HU : x_mul(c->body[holder].X_RU, X_HU);
  Inertia* whole = b->root < 0 ? &c->m.ground_inertia : &c->body[b->root].whole;
  *whole = inertia_add(*whole, inertia_transform(b->X_RU, b->inertia));
}

// Keeps the roots in the tree; what hung on a part of one hangs on the root.
bool sar_merge_fixed(Compile* c, SarTree* tree) {
  c->body_at = SAR_ARENA_ARRAY(&c->arena, int, c->nbody + 1);
  c->joint_of = SAR_ARENA_ARRAY(&c->arena, int, c->nbody + 1);
  if (c->arena.failed) return false;
  mark_reported(c);
  int kept = 0;
  for (int i = 0; i < c->nbody; i++) {
    const int body = tree->body[i], joint = tree->joint[i];
    const JointPart* p = &c->joint[joint];
    BodyPart* b = &c->body[body];
    b->root = body;
    b->X_RU = x_identity();
    b->whole = b->inertia;
    if (b->knot) {  // hangs on nothing
      b->root = NOWHERE;
      b->fixed_by = joint;
      continue;
    }
    if (is_mergeable(c, p)) {
      merge(c, body, joint);
      continue;
    }
    const int holder = p->body[p->turned ? 1 : 0];
    const int root = holder < 0 ? GROUND : c->body[holder].root;
    tree->body[kept] = c->body_at[kept] = body;
    tree->joint[kept] = c->joint_of[kept] = joint;
    tree->turned[kept] = tree->turned[i];
    tree->parent[kept] = root < 0 ? GROUND : tree->number[root];
    tree->number[body] = kept++;
  }
  tree->count = kept;
  for (int i = 0, n = kept; i < c->nbody; i++) {
    const int body = c->body_order[i];
    if (c->body[body].root != body) c->body_at[n++] = body;
  }
  return true;
}
