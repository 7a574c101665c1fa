// The root link of a URDF is welded to ground when nothing else carries it. A file that includes the robot and joins
// its root to a cart, or freely to ground, means that joint and not both.
//
// A root is carried by a joint whose child it is; or, in whichever direction joints are written, where joints of
// other files than its own lead from it to ground. A gripper that is put on a root carries nothing.
#include "io/yaml_read.h"

#include <string.h>

static bool is_same(const char* a, const char* b) { return a && b && strcmp(a, b) == 0; }

// The joint of a file that has the body as its child; NULL: none.
static const SpecJoint* above(const SarSpec* spec, const char* body) {
  for (int j = 0; j < spec->joints.count; j++) {
    const SpecJoint* joint = &spec->joints.items[j];
    if (!joint->implied && is_same(joint->child.text, body)) return joint;
  }
  return NULL;
}

// Does a joint of another file than the root's touch one of the names met so far? Then its other end.
static const char* other_end(const SpecJoint* joint, const SpecName* root, const char** met,
                             int count) {
  if (joint->implied || sar_loc_same_file(joint->name.loc, root->loc)) return NULL;
  for (int i = 0; i < count; i++) {
    if (is_same(joint->parent.text, met[i])) return joint->child.text;
    if (is_same(joint->child.text, met[i])) return joint->parent.text;
  }
  return NULL;
}

// The joint on the root of a way to ground, found by going on from what has been met; NULL: there is none.
static const SpecJoint* way_to_ground(YamlReader* r, const SpecName* root) {
  const SarSpec* spec = r->spec;
  const char** met = SAR_ARENA_ARRAY(r->arena, const char*, spec->joints.count + 1);
  bool* used = SAR_ARENA_ARRAY(r->arena, bool, spec->joints.count + 1);
  const SpecJoint* first = NULL;
  if (!met || !used) return NULL;
  met[0] = root->text;
  for (int count = 1, before = 0; before < count;) {
    before = count;
    for (int j = 0; j < spec->joints.count; j++) {
      const SpecJoint* joint = &spec->joints.items[j];
      const char* end = used[j] ? NULL : other_end(joint, root, met, count);
      if (!end) continue;
      used[j] = true;
      if (!first) first = joint;
      if (strcmp(end, "ground") == 0) return first;
      met[count++] = end;
    }
  }
  return NULL;
}

void sar_yaml_release_roots(YamlReader* r) {
  SarSpec* spec = r->spec;
  int kept = 0;
  for (int j = 0; j < spec->joints.count; j++) {
    const SpecJoint* weld = &spec->joints.items[j];
    const SpecJoint* carrier = weld->implied ? above(spec, weld->child.text) : NULL;
    if (weld->implied && !carrier) carrier = way_to_ground(r, &weld->child);
    if (carrier)
      sar_warn(r->err, carrier->name.loc, "",
               "joint '%s' carries '%s', the root of a URDF, in place of its weld to ground",
               carrier->name.text, weld->child.text);
    else
      spec->joints.items[kept++] = *weld;
  }
  spec->joints.count = kept;
}
