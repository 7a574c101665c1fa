// The root link of a URDF is welded to ground when nothing else carries it. A file that includes
// the robot and joins its root to a cart, or freely to ground, means that joint and not both.
//
// A root is carried by a joint whose child it is; or, in whichever direction joints are written,
// where joints of other files than its own lead from it to ground. A gripper that is put on a root
// carries nothing.
//
// For every file: is the root connected to ground by the joints of all files but this one? Disjoint
// sets (Tarjan 1975) answer it for one file; those for the other half of the files are added, the
// half itself is divided, and what was added is taken back: each joint is added log2(files) times,
// however many roots there are.
#include "io/yaml_read.h"

#include "model/names.h"

#include <stdlib.h>
#include <string.h>

typedef struct Link {
  int file;     // number of the joint's file
  int joint;    // in the spec
  int body[2];  // numbers of names
} Link;

typedef struct Roots {
  const SarSpec* spec;
  SarArena arena;
  NameMap bodies, files;
  Link* link;  // joints that are not implied, sorted by file
  int count;
  int* start;  // of each file's, and one more
  int *parent, *size;
  int* joined;  // sets that were put into others, in this order
  int njoined;
  int ground;
  bool* held;  // by joint: an implied weld whose root is connected to ground
} Roots;

// Number of a name, a new one if need be; -1: no memory.
static int number_of(Roots* r, NameMap* map, const char* name) {
  const char* text = name ? name : "";
  const int n = sar_names_find(map, text);
  if (n >= 0) return n;
  return sar_names_add(&r->arena, map, text, map->count) ? map->count - 1 : -1;
}

// Number of the file that a place is in, whichever copy of a repeated part; -1: no memory.
static int file_of(Roots* r, SarLoc loc) {
  const char* mark = loc.file ? strchr(loc.file, SAR_COPY_MARK) : NULL;
  if (!mark) return number_of(r, &r->files, loc.file);
  const char* name = sar_arena_strndup(&r->arena, loc.file, (size_t)(mark - loc.file));
  return name ? number_of(r, &r->files, name) : -1;
}

static int set_of(const Roots* r, int i) {
  while (r->parent[i] != i) i = r->parent[i];
  return i;
}

static void join(Roots* r, int a, int b) {
  a = set_of(r, a), b = set_of(r, b);
  if (a == b) return;
  const int into = r->size[a] < r->size[b] ? b : a, from = into == a ? b : a;
  r->parent[from] = into;
  r->size[into] += r->size[from];
  r->joined[r->njoined++] = from;
}

static void take_back(Roots* r, int until) {
  while (r->njoined > until) {
    const int from = r->joined[--r->njoined];
    r->size[r->parent[from]] -= r->size[from];
    r->parent[from] = from;
  }
}

static void add_files(Roots* r, int from, int to) {
  for (int k = r->start[from]; k < r->start[to]; k++)
    join(r, r->link[k].body[0], r->link[k].body[1]);
}

static int by_file(const void* pa, const void* pb) {
  const Link *a = pa, *b = pb;
  if (a->file != b->file) return a->file < b->file ? -1 : 1;
  return (a->joint > b->joint) - (a->joint < b->joint);
}

// Links by file, and room for the sets. False: no memory.
static bool list_links(Roots* r) {
  const SarSpec* spec = r->spec;
  r->link = SAR_ARENA_ARRAY(&r->arena, Link, spec->joints.count + 1);
  r->ground = number_of(r, &r->bodies, "ground");
  for (int j = 0; r->link && j < spec->joints.count; j++) {
    const SpecJoint* joint = &spec->joints.items[j];
    const int file = file_of(r, joint->name.loc);
    const int a = number_of(r, &r->bodies, joint->parent.text);
    const int b = number_of(r, &r->bodies, joint->child.text);
    const bool whole = joint->parent.text && joint->child.text;  // else reported
    if (!joint->implied && whole) r->link[r->count++] = (Link){file, j, {a, b}};
  }
  r->start = SAR_ARENA_ARRAY(&r->arena, int, r->files.count + 2);
  r->parent = SAR_ARENA_ARRAY(&r->arena, int, r->bodies.count + 1);
  r->size = SAR_ARENA_ARRAY(&r->arena, int, r->bodies.count + 1);
  r->joined = SAR_ARENA_ARRAY(&r->arena, int, r->bodies.count + 1);
  r->held = SAR_ARENA_ARRAY(&r->arena, bool, spec->joints.count + 1);
  if (r->arena.failed) return false;
  qsort(r->link, (size_t)r->count, sizeof *r->link, by_file);
  for (int k = 0; k < r->count; k++) r->start[r->link[k].file + 1]++;
  for (int f = 0; f < r->files.count; f++) r->start[f + 1] += r->start[f];
  for (int i = 0; i < r->bodies.count; i++) r->parent[i] = i, r->size[i] = 1;
  return true;
}

// Welds of the files from..to, the joints of all others being added already. first: a weld of each
// file, -1: none; next: the next one of the same file.
static void look(Roots* r, int from, int to, const int* first, const int* next) {
  if (to - from == 1) {
    for (int j = first[from]; j >= 0; j = next[j]) {
      const char* root = r->spec->joints.items[j].child.text;
      const int body = sar_names_find(&r->bodies, root ? root : "");
      r->held[j] = set_of(r, body) == set_of(r, r->ground);
    }
    return;
  }
  const int middle = from + (to - from) / 2, before = r->njoined;
  add_files(r, middle, to);
  look(r, from, middle, first, next);
  take_back(r, before);
  add_files(r, from, middle);
  look(r, middle, to, first, next);
  take_back(r, before);
}

// Which welds' roots are connected to ground by joints of other files. False: no memory.
static bool find_held(Roots* r) {
  const SarSpec* spec = r->spec;
  const int files = r->files.count;
  int* first = SAR_ARENA_ARRAY(&r->arena, int, files + 1);
  int* next = SAR_ARENA_ARRAY(&r->arena, int, spec->joints.count + 1);
  if (!first || !next) return false;
  for (int f = 0; f < files; f++) first[f] = -1;
  for (int j = 0; j < spec->joints.count; j++) {
    const SpecJoint* weld = &spec->joints.items[j];
    if (!weld->implied || !weld->child.text) continue;
    const int f = file_of(r, weld->child.loc);
    if (f < 0 || f >= files) continue;
    next[j] = first[f];
    first[f] = j;
  }
  look(r, 0, files, first, next);
  return true;
}

// By number of a body's name, -1 = none: the first joint that has it as its child; and of a root
// that is connected to ground, the first joint of another file that touches it.
static void find_carriers(const Roots* r, int* above, int* beside) {
  const SpecJoint* items = r->spec->joints.items;
  int* root = r->joined;  // the weld of such a root, -1 = none
  for (int i = 0; i < r->bodies.count; i++) above[i] = beside[i] = root[i] = -1;
  for (int j = 0; j < r->spec->joints.count; j++)
    if (r->held[j]) root[sar_names_find(&r->bodies, items[j].child.text)] = j;
  for (int j = 0; j < r->spec->joints.count; j++) {
    if (items[j].implied || !items[j].parent.text || !items[j].child.text) continue;
    const int body[2] = {sar_names_find(&r->bodies, items[j].parent.text),
                         sar_names_find(&r->bodies, items[j].child.text)};
    if (above[body[1]] < 0) above[body[1]] = j;
    for (int k = 0; k < 2; k++) {
      const int weld = root[body[k]];
      if (weld >= 0 && beside[body[k]] < 0 &&
          !sar_loc_same_file(items[weld].child.loc, items[j].name.loc))
        beside[body[k]] = j;
    }
  }
}

// The joint that carries the root of each weld: by[j], -1 = the weld stays. False: no memory.
static bool find_bearers(Roots* r, int* by) {
  if (!list_links(r) || !find_held(r)) return false;
  int* above = SAR_ARENA_ARRAY(&r->arena, int, r->bodies.count + 1);
  int* beside = SAR_ARENA_ARRAY(&r->arena, int, r->bodies.count + 1);
  if (!above || !beside) return false;
  find_carriers(r, above, beside);
  for (int j = 0; j < r->spec->joints.count; j++) {
    const SpecJoint* weld = &r->spec->joints.items[j];
    by[j] = -1;
    if (!weld->implied || !weld->child.text) continue;
    const int body = sar_names_find(&r->bodies, weld->child.text);
    by[j] = above[body] >= 0 ? above[body] : beside[body];
  }
  return true;
}

static void drop_welds(YamlReader* r, const int* by) {
  SarSpec* spec = r->spec;
  int kept = 0;
  for (int j = 0; j < spec->joints.count; j++)
    if (by[j] >= 0)
      sar_warn(r->err, spec->joints.items[by[j]].name.loc, "",
               "joint '%s' carries '%s', the root of a URDF, in place of its weld to ground",
               spec->joints.items[by[j]].name.text, spec->joints.items[j].child.text);
  for (int j = 0; j < spec->joints.count; j++)
    if (by[j] < 0) spec->joints.items[kept++] = spec->joints.items[j];
  spec->joints.count = kept;
}

void sar_yaml_release_roots(YamlReader* r) {
  Roots roots = {.spec = r->spec};
  bool any = false;
  for (int j = 0; j < r->spec->joints.count; j++) any = any || r->spec->joints.items[j].implied;
  if (!any) return;
  sar_arena_beside(&roots.arena, r->arena);
  int* by = SAR_ARENA_ARRAY(&roots.arena, int, r->spec->joints.count + 1);
  if (by && find_bearers(&roots, by))
    drop_welds(r, by);
  else
    r->arena->failed = 1;  // says so for the whole reading
  sar_arena_free(&roots.arena);
}
