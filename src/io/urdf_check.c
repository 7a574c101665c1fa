// What a URDF holds beyond the dynamics is only checked: tags and attributes against a table of the
// format, mesh files for being there. Each unknown tag is reported once with its count, so that a
// misspelt one is seen and a file full of extensions does not drown the rest.
#include "base/print.h"
#include "io/urdf.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

// ---- the format ------------------------------------------------------------------------------

// Words separated by blanks. A child marked "!" may stand there once only; children "*": anything.
typedef struct Rule {
  const char *tag, *attributes, *children;
} Rule;

static const Rule RULES[] = {
    {"robot", "name version", "link joint material transmission gazebo sensor"},
    {"link", "name type", "!inertial visual collision"},
    {"inertial", "", "!origin !mass !inertia"},
    {"origin", "xyz rpy", ""},
    {"mass", "value", ""},
    {"inertia", "ixx ixy ixz iyy iyz izz", ""},
    {"visual", "name", "!origin !geometry !material"},
    {"collision", "name", "!origin !geometry verbose"},
    {"geometry", "", "box cylinder sphere capsule mesh"},
    {"box", "size", ""},
    {"cylinder", "radius length", ""},
    {"capsule", "radius length", ""},
    {"sphere", "radius", ""},
    {"mesh", "filename scale", ""},
    {"joint", "name type",
     "!origin !parent !child !axis !calibration !dynamics !limit !mimic !safety_controller"},
    {"parent", "link", ""},
    {"child", "link", ""},
    {"axis", "xyz", ""},
    {"calibration", "rising falling", ""},
    {"dynamics", "damping friction", ""},
    {"limit", "lower upper effort velocity acceleration deceleration jerk", ""},
    {"mimic", "joint multiplier offset", ""},
    {"safety_controller", "k_velocity k_position soft_lower_limit soft_upper_limit", ""},
};

// NULL: a tag whose inside is nobody's business here (material, gazebo, ...).
static const Rule* find_rule(const char* tag) {
  for (size_t i = 0; i < sizeof RULES / sizeof *RULES; i++)
    if (strcmp(RULES[i].tag, tag) == 0) return &RULES[i];
  return NULL;
}

enum { MAX_WORDS = 16, WORDS_SIZE = 128, MAX_UNKNOWN = 16 };

// The words of a rule, one by one.
typedef struct Words {
  char text[WORDS_SIZE];
  const char* word[MAX_WORDS];
  bool once[MAX_WORDS];
  int count;
} Words;

static void split(const char* list, Words* w) {
  sar_snprintf(w->text, sizeof w->text, "%s", list);
  w->count = 0;
  for (char* p = w->text; *p && w->count < MAX_WORDS;) {
    w->once[w->count] = *p == '!';
    if (*p == '!') p++;
    w->word[w->count++] = p;
    p += strcspn(p, " ");
    if (*p) *p++ = '\0';
  }
}

static int find_word(const Words* w, const char* word) {
  for (int i = 0; i < w->count; i++)
    if (strcmp(w->word[i], word) == 0) return i;
  return -1;
}

// ---- tags and attributes ---------------------------------------------------------------------

typedef struct Unknown {
  const char *what, *name, *in;  // "tag" or "attribute", of the tag `in`
  int count;
  SarLoc loc;  // of the first one
  char hint[64];
} Unknown;

typedef struct Check {
  Urdf* u;
  Unknown unknown[MAX_UNKNOWN];
  int count, more;  // kept; different ones beyond that are only counted
  int meshes, missing;
  const XmlAttribute* first_missing;
  bool xacro;
} Check;

static void note_unknown(Check* c, const char* what, const char* name, const char* in, SarLoc loc,
                         const Words* known) {
  for (int i = 0; i < c->count; i++) {
    Unknown* k = &c->unknown[i];
    if (strcmp(k->what, what) != 0 || strcmp(k->name, name) != 0 || strcmp(k->in, in) != 0)
      continue;
    k->count++;
    return;
  }
  if (c->count == MAX_UNKNOWN) {
    c->more++;
    return;
  }
  Unknown* k = &c->unknown[c->count++];
  *k = (Unknown){what, name, in, 1, loc, ""};
  sar_text_suggest(k->hint, sizeof k->hint, name, known->word, known->count);
}

static void note_xacro(Check* c, const XmlTag* tag) {
  if (!c->xacro)
    sar_report(c->u->err, tag->loc, "write it out with: xacro FILE > robot.urdf",
               "<%s>: this is a xacro file, a template of a URDF", tag->name);
  c->xacro = true;
}

static void check_attributes(Check* c, const XmlTag* tag, const Rule* rule) {
  Words known;
  split(rule->attributes, &known);
  for (int i = 0; i < tag->attribute_count; i++) {
    const XmlAttribute* a = &tag->attributes[i];
    if (find_word(&known, a->name) < 0 && !strchr(a->name, ':'))
      note_unknown(c, "attribute", a->name, tag->name, a->loc, &known);
  }
}

static bool say_the_same(const XmlTag* a, const XmlTag* b) {
  if (a->first || b->first || a->attribute_count != b->attribute_count) return false;
  for (int i = 0; i < a->attribute_count; i++) {
    const XmlAttribute* other = sar_xml_attribute(b, a->attributes[i].name);
    if (!other || strcmp(other->value, a->attributes[i].value) != 0) return false;
  }
  return true;
}

// An error, unless it makes no difference: both say the same, or nobody looks at them.
static void note_twice(Check* c, const XmlTag* in, const XmlTag* first, const XmlTag* second) {
  if (strcmp(in->name, "visual") == 0 || say_the_same(first, second))
    sar_warn(c->u->err, second->loc, "", "<%s> stands twice in this <%s>, first on line %d",
             second->name, in->name, first->loc.line);
  else
    sar_report(c->u->err, second->loc, "", "<%s> stands twice in this <%s>, first on line %d",
               second->name, in->name, first->loc.line);
}

static void check_children(Check* c, const XmlTag* tag, const Rule* rule) {
  Words known;
  split(rule->children, &known);
  const XmlTag* seen[MAX_WORDS] = {0};
  for (const XmlTag* child = tag->first; child; child = child->next) {
    int i = find_word(&known, child->name);
    if (strncmp(child->name, "xacro:", 6) == 0)
      note_xacro(c, child);
    else if (i < 0)
      note_unknown(c, "tag", child->name, tag->name, child->loc, &known);
    else if (seen[i] && known.once[i])
      note_twice(c, tag, seen[i], child);
    else
      seen[i] = child;
  }
}

static void check_mesh(Check* c, const XmlTag* tag);

// Depth is that of the rules: robot, link, visual, geometry, mesh.
static void check_tag(Check* c, const XmlTag* tag) {
  const Rule* rule = find_rule(tag->name);
  if (!rule) return;
  check_attributes(c, tag, rule);
  check_children(c, tag, rule);
  if (strcmp(tag->name, "mesh") == 0) check_mesh(c, tag);
  Words known;
  split(rule->children, &known);
  for (const XmlTag* child = tag->first; child; child = child->next)
    if (find_word(&known, child->name) >= 0) check_tag(c, child);
}

// ---- meshes ----------------------------------------------------------------------------------

// Looked at, not opened: the name may be that of a pipe or a device.
static bool is_file(const char* path) {
  struct stat s;
  return path && stat(path, &s) == 0 && S_ISREG(s.st_mode);
}

static bool is_in(Check* c, const char* folder, size_t n, const char* name) {
  return is_file(sar_arena_printf(&c->u->arena, "%.*s/%s", (int)n, folder, name));
}

// package://NAME/REST: REST in the package's folder, which is PATH/NAME or PATH itself when that is
// its name.
static bool is_in_package(Check* c, const char* folder, size_t n, const char* name) {
  while (n > 1 && folder[n - 1] == '/') n--;
  if (is_in(c, folder, n, name)) return true;
  size_t package = strcspn(name, "/");
  if (!name[package] || n < package || memcmp(folder + n - package, name, package) != 0)
    return false;
  bool whole = n == package || folder[n - package - 1] == '/';
  return whole && is_in(c, folder, n, name + package + 1);
}

// Search paths first, then every folder above the file: a URDF usually lies inside its package.
static bool find_in_package(Check* c, const char* name) {
  const SarLoadOptions* o = c->u->options;
  for (int i = 0; o && i < o->search_path_count; i++)
    if (is_in_package(c, o->search_paths[i], strlen(o->search_paths[i]), name)) return true;
  const char* file = c->u->file;
  for (size_t n = strlen(file); n > 0; n--)
    if (file[n - 1] == '/' && is_in_package(c, file, n, name)) return true;
  return is_in_package(c, ".", 1, name);
}

static bool find_mesh(Check* c, const char* name) {
  if (strncmp(name, "package://", 10) == 0)
    return find_in_package(c, name + 10 + strspn(name + 10, "/"));
  if (strncmp(name, "file://", 7) == 0) return is_file(name + 7);
  if (name[0] == '/') return is_file(name);
  const char* slash = strrchr(c->u->file, '/');
  return slash ? is_in(c, c->u->file, (size_t)(slash - c->u->file), name) : is_file(name);
}

static void check_mesh(Check* c, const XmlTag* tag) {
  enum { MOST_MESHES = 4096 };  // looked for: a bound on the time a strange file can take
  const XmlAttribute* a = sar_xml_attribute(tag, "filename");
  if (!a || ++c->meshes > MOST_MESHES || find_mesh(c, a->value)) return;
  if (c->missing++ == 0) c->first_missing = a;
}

// ---- the whole -------------------------------------------------------------------------------

static void warn(const Check* c) {
  SarError* err = c->u->err;
  for (int i = 0; i < c->count; i++) {
    const Unknown* k = &c->unknown[i];
    bool tag = strcmp(k->what, "tag") == 0;
    char times[32] = "";
    if (k->count > 1) sar_snprintf(times, sizeof times, " (%d times)", k->count);
    sar_warn(err, k->loc, k->hint, "unknown %s %s%s%s in <%s> left out%s", k->what, tag ? "<" : "'",
             k->name, tag ? ">" : "'", k->in, times);
  }
  if (c->more)
    sar_warn(err, c->u->robot->loc, "", "%d more unknown tags and attributes left out", c->more);
  if (!c->missing) return;
  bool package = strncmp(c->first_missing->value, "package://", 10) == 0;
  sar_warn(err, c->first_missing->loc,
           package ? "the folder that holds the package belongs in the search path"
                   : "names are relative to the folder of the URDF",
           "%d of %d mesh files not found (the dynamics do not need them), the first is '%s'",
           c->missing, c->meshes, c->first_missing->value);
}

void sar_urdf_check(Urdf* u) {
  Check* c = SAR_ARENA_NEW(&u->arena, Check);
  if (!c) return;
  c->u = u;
  check_tag(c, u->robot);
  if (!u->arena.failed) warn(c);
}
