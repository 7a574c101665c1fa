// Robots for both engines: URDF files named on the command line, and one of our own making with as
// many fixed links as public robots have.
//
// Both engines get the same text, without what only one of them would act on: shapes (mesh files
// are missing), dampers, limits, followers, and the extensions of other programs. MuJoCo is told to
// fuse links that fixed joints join, which is what Sarrus does, and to balance inertias that no
// solid has instead of refusing them: where it must, accelerations are apart. Its principal axes
// are good to 1e-6 rad (mju_eig3 ends at a cosine of 1 - 1e-12), so of the other robots about eight
// digits agree.
#include "bench.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char FUSE[] = "<mujoco><compiler fusestatic='true' balanceinertia='true'/></mujoco>";

// ---- bare text ----------------------------------------------------------------------------------

static char* read_whole(const char* path) {
  FILE* f = fopen(path, "rb");
  if (!f) fail("%s: cannot be read", path);
  size_t n = 0, room = 1 << 16;
  char* text = malloc(room + 1);
  for (size_t got = 1; text && got > 0; n += got) {
    if (n == room) text = realloc(text, (room *= 2) + 1);
    got = text ? fread(text + n, 1, room - n, f) : 0;
  }
  fclose(f);
  if (!text) fail("no memory");
  text[n] = '\0';
  return text;
}

// Takes out every piece from `open` to `close`.
static void drop_between(char* text, const char* open, const char* close) {
  for (char* at = text; (at = strstr(at, open));) {
    const char* end = strstr(at, close);
    if (!end) return;
    end += strlen(close);
    memmove(at, end, strlen(end) + 1);
  }
}

// Takes out every <tag .../> and <tag ...> ... </tag>.
static void drop_tag(char* text, const char* tag) {
  char open[64], close[64];
  snprintf(open, sizeof open, "<%s", tag);
  snprintf(close, sizeof close, "</%s", tag);
  for (char* at = text; (at = strstr(at, open));) {
    const char after = at[strlen(open)];
    if (!isspace((unsigned char)after) && after != '>' && after != '/') {
      at++;
      continue;
    }
    const char* end = strchr(at, '>');
    if (end && end[-1] != '/') end = strstr(end, close);
    if (end) end = strchr(end, '>');
    if (!end) return;
    memmove(at, end + 1, strlen(end + 1) + 1);
  }
}

char* robot_text(const char* path) {
  static const char* const tags[] = {
      "transmission", "gazebo", "visual", "collision",         "dynamics",    "limit",
      "mimic",        "sensor", "mujoco", "safety_controller", "calibration", "material"};
  char* text = read_whole(path);
  drop_between(text, "<!--", "-->");
  drop_between(text, "<?xml", "?>");
  for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) drop_tag(text, tags[i]);
  const char *robot = strstr(text, "<robot"), *end = robot ? strchr(robot, '>') : NULL;
  if (!end) fail("%s: no <robot>", path);
  const size_t before = (size_t)(end + 1 - text), size = strlen(text) + sizeof FUSE;
  char* out = malloc(size);
  if (!out) fail("no memory");
  snprintf(out, size, "%.*s%s%s", (int)before, text, FUSE, end + 1);
  free(text);
  return out;
}

// ---- our own ------------------------------------------------------------------------------------

typedef struct Writer {
  char* text;
  size_t n, room;
} Writer;

#define PUT(w, ...) (w)->n += (size_t)snprintf((w)->text + (w)->n, (w)->room - (w)->n, __VA_ARGS__)

static void put_link(Writer* w, const char* name, double mass) {
  PUT(w, "<link name='%s'>", name);
  if (mass > 0)
    PUT(w,
        "<inertial><origin xyz='0.02 0.01 0.1' rpy='0.1 0.2 0.3'/><mass value='%g'/><inertia "
        "ixx='%g' ixy='0' ixz='0' iyy='%g' iyz='0' izz='%g'/></inertial>",
        mass, 0.02 * mass, 0.018 * mass, 0.012 * mass);
  PUT(w, "</link>");
}

static void put_joint(Writer* w, const char* type, const char* parent, const char* child,
                      int turn) {
  static const char* const axis[] = {"0 0 1", "0 1 0", "1 0 0"};
  PUT(w,
      "<joint name='%s_joint' type='%s'><parent link='%s'/><child link='%s'/><origin xyz='0.05 "
      "0.02 0.2' rpy='%g 0 0.2'/><axis xyz='%s'/></joint>",
      child, type, parent, child, 0.3 * (turn % 3), axis[turn % 3]);
}

// Two arms of seven joints and a neck of two on a torso; each link carries a cover, a motor and a
// frame.
char* robot_with_fixed_links(void) {
  static const char* const limb[] = {"left", "right", "neck"};
  Writer w = {.room = 1 << 17, .text = malloc(1 << 17)};
  if (!w.text) fail("no memory");
  PUT(&w, "<robot name='fixed links'>%s", FUSE);
  put_link(&w, "torso", 20);
  for (int k = 0; k < 3; k++) {
    char parent[48] = "torso", name[32], part[48];
    for (int i = 0; i < (k < 2 ? 7 : 2); i++) {
      snprintf(name, sizeof name, "%s_%d", limb[k], i);
      put_link(&w, name, 3.0 - 0.3 * i);
      put_joint(&w, "continuous", parent, name, i);
      static const char* const kind[] = {"cover", "motor", "frame"};
      for (int p = 0; p < 3; p++) {
        snprintf(part, sizeof part, "%s_%s", name, kind[p]);
        put_link(&w, part, p == 2 ? 0 : 0.4);
        put_joint(&w, "fixed", name, part, p + i);
      }
      snprintf(parent, sizeof parent, "%s", i % 2 ? part : name);  // some hang on what is fixed
    }
  }
  PUT(&w, "</robot>");
  return w.text;
}
