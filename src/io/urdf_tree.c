// How links and joints of a URDF hang together. The format describes one tree: every link but one
// is the child of exactly one joint. What breaks this is reported by name and place.
//
//   up[i]   joint that carries link i, -1 = none (a root)
#include "base/print.h"
#include "io/urdf.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- names in order, for finding -------------------------------------------------------------

typedef struct Name {
  const char* text;
  int item;  // link or joint
} Name;

typedef struct Names {
  Name* items;
  int count;
} Names;

static int by_text(const void* pa, const void* pb) {
  const Name *a = pa, *b = pb;
  int c = strcmp(a->text, b->text);
  return c ? c : (a->item > b->item) - (a->item < b->item);
}

// The first item of that name, -1 if there is none.
static int find(const Names* names, const char* text) {
  int low = 0, high = names->count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (strcmp(names->items[middle].text, text) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  bool found = low < names->count && strcmp(names->items[low].text, text) == 0;
  return found ? names->items[low].item : -1;
}

// "did you mean ...?", looked for only as long as anybody will read it.
static const char* suggest(const Urdf* u, const Names* names, const char* word, char* buf,
                           size_t size) {
  enum { MOST = 4096 };  // names compared
  buf[0] = '\0';
  const char* all[MOST];
  int n = names->count < MOST ? names->count : MOST;
  if (u->err->count == SAR_MAX_DIAGS) return buf;
  for (int i = 0; i < n; i++) all[i] = names->items[i].text;
  return sar_text_suggest(buf, size, word, all, n);
}

// Sorts, and reports names used twice. `what` is "link" or "joint".
static void sort_names(Urdf* u, Names* names, const char* what,
                       const SpecName* (*name)(Urdf*, int)) {
  qsort(names->items, (size_t)names->count, sizeof *names->items, by_text);
  for (int i = 1; i < names->count; i++) {
    const Name *a = &names->items[i - 1], *b = &names->items[i];
    if (strcmp(a->text, b->text) != 0) continue;
    char hint[64];
    sar_snprintf(hint, sizeof hint, "the other one is on line %d", name(u, a->item)->loc.line);
    sar_report(u->err, name(u, b->item)->loc, hint, "two %ss are named '%s'", what, b->text);
  }
}

static const SpecName* link_name(Urdf* u, int i) { return &u->spec->bodies.items[i].name; }
static const SpecName* joint_name(Urdf* u, int i) { return &u->spec->joints.items[i].name; }

static Names collect(Urdf* u, int count, const char* what, const SpecName* (*name)(Urdf*, int)) {
  Names names = {SAR_ARENA_ARRAY(&u->arena, Name, count + 1), 0};
  for (int i = 0; names.items && i < count; i++)
    if (name(u, i)->text) names.items[names.count++] = (Name){name(u, i)->text, i};
  if (names.items) sort_names(u, &names, what, name);
  return names;
}

// ---- connections -----------------------------------------------------------------------------

static const char* called(SpecName name) { return name.text ? name.text : ""; }

// The link at one end of a joint, -1 (reported) if there is no such link.
static int find_link(Urdf* u, const Names* links, const SpecJoint* joint, SpecName end) {
  if (!end.text) return -1;
  int link = find(links, end.text);
  char hint[128];
  if (link < 0)
    sar_report(u->err, end.loc, suggest(u, links, end.text, hint, sizeof hint),
               "joint '%s': no link '%s'", called(joint->name), end.text);
  return link;
}

static void connect_joint(Urdf* u, const Names* links, int j, int* up, int* parent) {
  const SpecJoint* joint = &u->spec->joints.items[j];
  parent[j] = find_link(u, links, joint, joint->parent);
  int child = find_link(u, links, joint, joint->child);
  if (child < 0) return;
  if (child == parent[j])
    sar_report(u->err, joint->child.loc, "", "joint '%s': parent and child are the same link '%s'",
               called(joint->name), joint->child.text);
  if (up[child] < 0) {
    up[child] = j;
    return;
  }
  sar_report(u->err, joint->child.loc, "a link is the child of one joint only",
             "joint '%s': link '%s' is already carried by joint '%s'", called(joint->name),
             joint->child.text, called(*joint_name(u, up[child])));
}

static void check_mimic(Urdf* u, const Names* joints, const SpecJoint* joint) {
  if (!joint->mimic.text) return;
  char hint[128];
  int other = find(joints, joint->mimic.text);
  if (other < 0)
    sar_report(u->err, joint->mimic.loc, suggest(u, joints, joint->mimic.text, hint, sizeof hint),
               "joint '%s': mimics no joint '%s'", called(joint->name), joint->mimic.text);
  else if (&u->spec->joints.items[other] == joint)
    sar_report(u->err, joint->mimic.loc, "", "joint '%s' mimics itself", called(joint->name));
}

// Appends " -> name" (or ", name"); what does not fit is left out.
static void append(char* buf, size_t size, const char* separator, const char* name) {
  size_t used = strlen(buf);
  sar_snprintf(buf + used, size - used, "%s%s", used ? separator : "", name);
}

// Links whose way up never ends: each loop is reported once. mark: 0 new, else the walk it was met
// in.
static void check_loops(Urdf* u, const int* up, const int* parent, int* mark) {
  int n = u->spec->bodies.count;
  for (int start = 0; start < n; start++) {
    int i = start;
    while (i >= 0 && !mark[i]) {
      mark[i] = start + 1;
      i = up[i] < 0 ? -1 : parent[up[i]];
    }
    if (i < 0 || mark[i] != start + 1) continue;  // reached a root or an earlier walk
    char names[256] = "";
    int k = i;
    do {
      append(names, sizeof names, " <- ", link_name(u, k)->text);
      k = parent[up[k]];
    } while (k != i);
    sar_report(u->err, u->spec->joints.items[up[i]].child.loc,
               "URDF describes trees; a closed loop needs a YAML model",
               "links go round in a loop: %s", names);
  }
}

// The only link without a joint above it; -1 (reported) if there are several or none.
static int find_root(Urdf* u, const int* up) {
  int root = -1, roots = 0;
  char names[256] = "";
  SarLoc loc = {0};
  for (int i = 0; i < u->spec->bodies.count; i++) {
    if (up[i] >= 0 || !link_name(u, i)->text) continue;
    append(names, sizeof names, ", ", link_name(u, i)->text);
    if (roots++ == 0) root = i;
    if (roots == 2) loc = link_name(u, i)->loc;
  }
  if (roots > 1)
    sar_report(u->err, loc, "all links but one are the child of a joint",
               "%d links have no joint above them: %s", roots, names);
  return roots == 1 ? root : -1;
}

// ---- ground ----------------------------------------------------------------------------------

// A root of one of these names, without mass, is the ground itself.
static bool is_ground(const SpecBody* body) {
  const bool massless = !body->mass.expr && !body->inertia_set;
  return massless &&
         (strcmp(body->name.text, "ground") == 0 || strcmp(body->name.text, "world") == 0);
}

// `ground` is the fixed frame here, and any other link of that name is called ground_link, with as
// many _ behind as it takes to be the only one.
static void rename_ground(Urdf* u, const Names* links, int link) {
  SpecName* name = &u->spec->bodies.items[link].name;
  const char* text = "ground_link";
  while (text && find(links, text) >= 0) text = sar_arena_printf(&u->spec->arena, "%s_", text);
  if (!text) return;
  sar_warn(u->err, name->loc, "", "link 'ground' is called '%s' here: 'ground' is the fixed frame",
           text);
  name->text = text;
  for (int j = 0; j < u->spec->joints.count; j++) {
    SpecJoint* joint = &u->spec->joints.items[j];
    if (strcmp(joint->parent.text, "ground") == 0) joint->parent.text = text;
    if (strcmp(joint->child.text, "ground") == 0) joint->child.text = text;
  }
}

// The root is the ground itself, or welded to it by a joint of its own name.
static void place_root(Urdf* u, const Names* joints, int root) {
  SarSpec* spec = u->spec;
  SpecBody* body = &spec->bodies.items[root];
  if (is_ground(body) && !spec->keep_root) {
    for (int j = 0; j < spec->joints.count; j++) {
      SpecName* parent = &spec->joints.items[j].parent;
      if (strcmp(parent->text, body->name.text) == 0) parent->text = "ground";
    }
    spec->ground_touch = body->touch;
    size_t after = (size_t)(spec->bodies.count - root - 1);
    memmove(body, body + 1, after * sizeof *body);
    spec->bodies.count--;
    return;
  }
  SpecName name = body->name;
  SpecJoint* weld = SAR_LIST_ADD(&spec->arena, &spec->joints);
  if (!weld) return;
  weld->child = name;
  weld->parent = (SpecName){"ground", name.loc};
  weld->kind = sar_joint_kind_find("fixed");
  weld->relative = weld->implied = true;
  weld->origin.loc = name.loc;
  while (name.text && find(joints, name.text) >= 0)
    name.text = sar_arena_printf(&spec->arena, "%s_weld", name.text);
  weld->name = name;
}

void sar_urdf_connect(Urdf* u) {
  SarSpec* spec = u->spec;
  int errors = u->err->errors, nlink = spec->bodies.count, njoint = spec->joints.count;
  Names links = collect(u, nlink, "link", link_name);
  Names joints = collect(u, njoint, "joint", joint_name);
  int* up = SAR_ARENA_ARRAY(&u->arena, int, nlink + 1);
  int* mark = SAR_ARENA_ARRAY(&u->arena, int, nlink + 1);
  int* parent = SAR_ARENA_ARRAY(&u->arena, int, njoint + 1);
  if (u->arena.failed) return;
  for (int i = 0; i < nlink; i++) up[i] = -1;
  bool complete = true;
  for (int j = 0; j < njoint; j++) {
    const SpecJoint* joint = &spec->joints.items[j];
    complete = complete && joint->parent.text && joint->child.text;
    connect_joint(u, &links, j, up, parent);
    check_mimic(u, &joints, joint);
  }
  // a link that a broken joint should carry looks like a root: only sound joints are judged further
  if (!complete || u->err->errors > errors) return;
  check_loops(u, up, parent, mark);
  int root = find_root(u, up);
  if (u->err->errors > errors) return;
  int reserved = find(&links, "ground");
  if (reserved >= 0 &&
      (reserved != root || spec->keep_root || !is_ground(&spec->bodies.items[root])))
    rename_ground(u, &links, reserved);
  if (root >= 0) place_root(u, &joints, root);
}
