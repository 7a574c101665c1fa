// What of a MJCF file plays a part in the motion and is not taken: told once for each tag and attribute, with the place of the
// first and how many there are. What is only for pictures, sensors' noise or MuJoCo's solver plays none.
#include "io/mjcf.h"

#include <string.h>

// Tags that are read, or that move nothing; '/' stands before what may stand in any of several sections.
static const char* const KNOWN[] = {
    "mujoco",    "mujocoinclude", "compiler", "option",   "flag",      "size",      "visual",
    "statistic", "default",       "custom",   "asset",    "worldbody", "body",      "inertial",
    "joint",     "freejoint",     "geom",     "site",     "camera",    "light",     "contact",
    "exclude",   "equality",      "connect",  "weld",     "actuator",  "motor",     "position",
    "velocity",  "intvelocity",   "damper",   "cylinder", "general",   "mesh",      "texture",
    "material",  "quality",       "map",      "scale",    "global",    "headlight", "rgba",
    "numeric",   "text",          "tuple",    "layer",    "model"};

// Attributes that matter and are not taken: of a tag, by name.
static const struct {
  const char *tag, *name;
} LEFT_OUT[] = {{"position", "inheritrange"},
                {"position", "dampratio"},
                {"general", "dampratio"},
                {"body", "mocap"},
                {"body", "gravcomp"},
                {"compiler", "settotalmass"},
                {"joint", "springdamper"},
                {"joint", "actuatorfrcrange"},
                {"geom", "fitscale"},
                {"geom", "fluidshape"},
                {"geom", "gap"},
                {"geom", "shellinertia"},
                {"mesh", "refpos"},
                {"mesh", "refquat"},
                {"option", "density"},
                {"option", "viscosity"},
                {"option", "wind"},
                {"weld", "relpose"},
                {"general", "tendon"},
                {"general", "site"}};

enum { MOST = 64 };
typedef struct Told {
  const char *tag, *name;  // name NULL: the whole tag
  SarLoc first;
  int count;
} Told;

typedef struct Telling {
  Told items[MOST];
  int count;
} Telling;

static void note(Telling* all, const char* tag, const char* name, SarLoc loc) {
  for (int i = 0; i < all->count; i++) {
    Told* t = &all->items[i];
    const bool same = strcmp(t->tag, tag) == 0 &&
                      (t->name && name ? strcmp(t->name, name) == 0 : t->name == name);
    if (same) t->count++;
    if (same) return;
  }
  if (all->count < MOST) all->items[all->count++] = (Told){tag, name, loc, 1};
}

static bool is_known(const char* tag) {
  for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++)
    if (strcmp(tag, KNOWN[i]) == 0) return true;
  return false;
}

static void look(const XmlTag* tag, Telling* all) {
  if (!is_known(tag->name)) {
    note(all, tag->name, NULL, tag->loc);
    return;  // and what is in it
  }
  for (size_t i = 0; i < sizeof LEFT_OUT / sizeof *LEFT_OUT; i++) {
    const XmlAttribute* a =
        strcmp(LEFT_OUT[i].tag, tag->name) == 0 ? sar_xml_attribute(tag, LEFT_OUT[i].name) : NULL;
    if (a) note(all, tag->name, a->name, a->loc);
  }
  for (const XmlTag* t = tag->first; t; t = t->next) look(t, all);
}

void sar_mjcf_check(Mjcf* m) {
  Telling all = {.count = 0};
  look(m->root, &all);
  for (int i = 0; i < all.count; i++) {
    const Told* t = &all.items[i];
    if (t->name)
      sar_warn(m->err, t->first, "", "%s of <%s> is not taken (%d time%s)", t->name, t->tag,
               t->count, t->count == 1 ? "" : "s");
    else
      sar_warn(m->err, t->first, "", "<%s> is not taken (%d time%s)", t->tag, t->count,
               t->count == 1 ? "" : "s");
  }
}
