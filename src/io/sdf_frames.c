// Frames of SDF: each has a pose relative to another one, and moves with a link
// (http://sdformat.org, "Pose Frame Semantics").
//
//   link   pose relative to the model's frame;   joint   to its child;   frame
//          to what it is attached to
//   relative_to names another one; before version 1.7 there were links and joints only
#include "io/sdf.h"

#include "base/print.h"
#include "base/text.h"

#include <string.h>

static void add(Sdf* s, const XmlTag* tag, bool link, bool joint) {
  const XmlAttribute* name = sar_xml_attribute(tag, "name");
  SdfFrame* f = SAR_LIST_ADD(&s->u.arena, &s->frames);
  if (!f) return;
  *f = (SdfFrame){.name = name ? name->value : "", .tag = tag, .attached = SDF_NONE};
  f->is_link = link;
  f->is_joint = joint;
}

// The model's frame is the first; its canonical link is what it moves with.
void sar_sdf_collect(Sdf* s) {
  SdfFrame* f = SAR_LIST_ADD(&s->u.arena, &s->frames);
  if (!f) return;
  *f = (SdfFrame){.name = "__model__", .tag = s->model, .is_model = true, .state = 2, .X = s->X_GM};
  for (const XmlTag* t = s->model->first; t; t = t->next) {
    const bool link = strcmp(t->name, "link") == 0, joint = strcmp(t->name, "joint") == 0;
    if (link || joint || (strcmp(t->name, "frame") == 0 && !s->old)) add(s, t, link, joint);
  }
}

int sar_sdf_find(Sdf* s, const char* name, SarLoc loc, const char* owner) {
  enum { MOST = 512 };
  const char* known[MOST];
  char hint[128];
  int count = 0;
  if (strcmp(name, "world") == 0) return SDF_WORLD;
  for (int i = 0; i < s->frames.count; i++)
    if (strcmp(s->frames.items[i].name, name) == 0) return i;
  for (int i = 0; i < s->frames.count && count < MOST; i++)
    known[count++] = s->frames.items[i].name;
  sar_report(s->u.err, loc, sar_text_suggest(hint, sizeof hint, name, known, count),
             "%s: there is no link or frame '%.60s'", owner, name);
  return SDF_NONE;
}

static const char* owner_of(Sdf* s, const SdfFrame* f) {
  return sar_urdf_owner(&s->u, f->tag->name, (SpecName){f->name, f->tag->loc});
}

static int named_by(Sdf* s, const XmlTag* tag, const char* attribute, const char* owner,
                    int otherwise) {
  const XmlAttribute* a = tag ? sar_xml_attribute(tag, attribute) : NULL;
  return a && a->value[0] ? sar_sdf_find(s, a->value, a->loc, owner) : otherwise;
}

static int child_of(Sdf* s, const SdfFrame* joint) {
  const XmlTag* child = sar_xml_child(joint->tag, "child");
  const char* name = sar_sdf_text(s, child);
  return name[0] ? sar_sdf_find(s, name, child->loc, owner_of(s, joint)) : SDF_NONE;
}

// What a frame's pose counts from where it does not say.
static int usual_base(Sdf* s, const SdfFrame* f) {
  if (f->is_joint) return child_of(s, f);
  if (f->is_link) return 0;
  return named_by(s, f->tag, "attached_to", owner_of(s, f), 0);
}

Xform sar_sdf_posed(Sdf* s, const XmlTag* tag, int otherwise, const char* owner) {
  const XmlTag* pose = sar_xml_child(tag, "pose");
  const int base = s->old ? otherwise : named_by(s, pose, "relative_to", owner, otherwise);
  return x_mul(sar_sdf_place(s, base), sar_sdf_pose(s, pose, owner));
}

enum { DEEPEST = 1000 };  // frames in frames

Xform sar_sdf_place(Sdf* s, int frame) {
  if (frame < 0) return x_identity();
  const int index = frame;
  SdfFrame* f = &s->frames.items[frame];
  if (f->state == 2) return f->X;
  if (f->state == 1 || s->u.err->errors > 1000 || ++s->depth > DEEPEST) {
    if (f->state == 1)
      sar_report(s->u.err, f->tag->loc, "", "%s: its place depends on itself", owner_of(s, f));
    else
      sar_report(s->u.err, f->tag->loc, "", "%s: more than %d frames in each other", owner_of(s, f),
                 DEEPEST);
    f->state = 2;
    f->X = x_identity();
    return f->X;
  }
  f->state = 1;
  const Xform X = sar_sdf_posed(s, f->tag, usual_base(s, f), owner_of(s, f));
  s->depth--;
  f = &s->frames.items[index];
  f->X = X;
  f->state = 2;
  return X;
}

int sar_sdf_link_of(Sdf* s, int frame) {
  for (int steps = 0; steps <= s->frames.count; steps++) {
    if (frame < 0) return frame;
    const SdfFrame* f = &s->frames.items[frame];
    if (f->is_link) return frame;
    if (f->is_model) {
      for (int i = 0; i < s->frames.count; i++)
        if (s->frames.items[i].is_link) return i;
      return SDF_NONE;
    }
    frame = f->is_joint ? child_of(s, f) : named_by(s, f->tag, "attached_to", owner_of(s, f), 0);
  }
  sar_report(s->u.err, s->frames.items[frame].tag->loc, "",
             "%s: frames are attached to each other in a ring",
             owner_of(s, &s->frames.items[frame]));
  return SDF_NONE;
}
