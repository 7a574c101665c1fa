// What of an SDF file plays a part in the motion and is not taken: told once for each tag, with the
// place of the first and how many there are. What is only for pictures, for solvers of others, or a
// name of something that is read plays none.
#include "io/sdf.h"

#include <string.h>

static const char* const READ[] = {
    "sdf", "world", "model", "link", "joint", "frame", "pose", "static", "inertial", "mass",
    "inertia", "ixx", "iyy", "izz", "ixy", "ixz", "iyz", "parent", "child", "axis", "axis2", "xyz",
    "dynamics", "damping", "friction", "spring_stiffness", "spring_reference", "limit", "lower",
    "upper", "effort", "velocity", "mimic", "multiplier", "offset", "reference", "gravity",
    "thread_pitch", "screw_thread_pitch", "use_parent_model_frame", "name", "uri",
    "initial_position",
    // play no part
    "visual", "collision", "self_collide", "kinematic", "must_be_base_link", "allow_auto_disable",
    "physics", "scene", "gui", "spherical_coordinates", "magnetic_field", "light", "material",
    "enable_wind", "enable_gravity", "battery", "density", "origin"};
// What is in these is read elsewhere, or not at all.
static const char* const CLOSED[] = {
    "visual", "collision", "physics", "scene", "gui", "light", "spherical_coordinates", "battery"};

enum { MOST = 32 };
typedef struct Told {
  const char* name;
  SarLoc first;
  int count;
} Told;

typedef struct Telling {
  Told items[MOST];
  int count;
} Telling;

static bool is_in(const char* const* words, size_t count, const char* word) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(words[i], word) == 0) return true;
  return false;
}

static void note(Telling* all, const XmlTag* tag) {
  for (int i = 0; i < all->count; i++)
    if (strcmp(all->items[i].name, tag->name) == 0) {
      all->items[i].count++;
      return;
    }
  if (all->count < MOST) all->items[all->count++] = (Told){tag->name, tag->loc, 1};
}

// All below a tag, without recursion: files may be deep.
static void look(const XmlTag* root, Telling* all) {
  for (const XmlTag* t = root; t;) {
    const bool known = is_in(READ, sizeof READ / sizeof *READ, t->name);
    if (!known) note(all, t);
    if (known && t->first && !is_in(CLOSED, sizeof CLOSED / sizeof *CLOSED, t->name)) {
      t = t->first;
      continue;
    }
    while (t != root && !t->next) t = t->parent;
    t = t == root ? NULL : t->next;
  }
}

void sar_sdf_check(Sdf* s, const XmlTag* root) {
  Telling all = {.count = 0};
  look(root, &all);
  for (int i = 0; i < all.count; i++)
    sar_warn(s->u.err, all.items[i].first, "", "<%s> is not taken (%d time%s)", all.items[i].name,
             all.items[i].count, all.items[i].count == 1 ? "" : "s");
}
