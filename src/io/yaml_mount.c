// Where the root of an included robot is: {file: arm.urdf, at: [0, 0, 1], rpy: [0, 0, 90 deg], to:
// cart} or {file: arm.urdf, base: free}.
//
// The reader of the URDF welds the root to ground by a joint of its own (`implied`). That joint
// gets another parent, another place or another kind. A root called `world` without mass stands for
// the ground a robot was drawn on: then it is the joint above it that floats, or does not.
#include "io/yaml_read.h"

#include <string.h>

bool sar_yaml_is_mounted(const YamlMount* mount) {
  return mount->pose.loc.line || mount->to.text || mount->base.text;
}

static SpecJoint* find_weld(SarSpec* part) {
  for (int j = 0; j < part->joints.count; j++)
    if (part->joints.items[j].implied) return &part->joints.items[j];
  return NULL;
}

static bool is_massless(const SarSpec* part, const char* body) {
  for (int i = 0; i < part->bodies.count; i++) {
    const SpecBody* b = &part->bodies.items[i];
    if (strcmp(b->name.text, body) == 0) return !b->mass.expr && !b->inertia_set;
  }
  return true;
}

// The only joint on a body that has no mass of its own; NULL: it has mass, or several or none.
static SpecJoint* only_joint_on(SarSpec* part, const char* root) {
  SpecJoint* found = NULL;
  if (!is_massless(part, root)) return NULL;
  for (int j = 0; j < part->joints.count; j++) {
    SpecJoint* joint = &part->joints.items[j];
    if (strcmp(joint->parent.text, root) != 0) continue;
    if (found) return NULL;
    found = joint;
  }
  return found;
}

// Lets the robot fly, by the weld of its root or by the joint above a root without mass.
static void set_free(YamlReader* r, const YamlMount* mount, SarSpec* part, SpecJoint* weld) {
  const SarJointKind* free = sar_joint_kind_find("free");
  SpecJoint* above = only_joint_on(part, weld->child.text);
  if (above && above->kind == free) return;
  if (above && above->kind->nv == 0)
    above->kind = free;
  else if (is_massless(part, weld->child.text))
    sar_yaml_report(
        r, mount->base.loc, "give that link an <inertial>",
        "a robot whose root has no mass cannot fly: '%.60s' is what its joints stand on",
        weld->child.text);
  else
    weld->kind = free;
}

void sar_yaml_mount(YamlReader* r, const YamlMount* mount, SarSpec* part) {
  SpecJoint* weld = find_weld(part);
  const char* base = mount->base.text ? mount->base.text : "fixed";
  const bool is_free = strcmp(base, "free") == 0;
  if (!weld) return;
  if (!is_free && strcmp(base, "fixed") != 0) {
    sar_yaml_report(r, mount->base.loc, "free: it flies; fixed: it is bolted down",
                    "expected free or fixed, found '%.60s'", base);
    return;
  }
  if (is_free && mount->to.text) {
    sar_yaml_report(r, mount->to.loc, "leave one of them out",
                    "a base that is free is not mounted on '%.60s'", mount->to.text);
    return;
  }
  weld->implied = false;
  weld->origin = mount->pose;
  if (mount->to.text) weld->parent = mount->to;
  if (is_free) set_free(r, mount, part, weld);
  SpecJoint* above = only_joint_on(part, weld->child.text);
  if (!is_free && mount->base.text && above && above->kind == sar_joint_kind_find("free"))
    above->kind = sar_joint_kind_find("fixed");
}
