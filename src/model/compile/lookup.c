// Looking names up: of bodies, joints, points, elements and values, with what may have been meant.
#include "base/print.h"
#include "base/text.h"
#include "model/compile/parts.h"

#include <string.h>

// names[] of one kind, for suggestions; NULL: no memory (then there is no suggestion)
static const char** list_names(Compile* c, int n, const char* (*name)(Compile*, int)) {
  const char** names = SAR_ARENA_ARRAY(&c->arena, const char*, n + 1);
  for (int i = 0; names && i < n; i++) names[i] = name(c, i);
  return names;
}

// The name that was meant, else the names there are.
static void offer(Compile* c, const char* word, int n, const char* (*name)(Compile*, int),
                  char* buf, size_t size) {
  const char** names = list_names(c, n, name);
  sar_snprintf(buf, size, "the model has none");
  if (names && n) sar_text_offer(buf, size, word, names, n);
}

static const char* body_name(Compile* c, int i) {
  return i < c->nbody ? c->body[i].item.name : "ground";
}
static const char* joint_name(Compile* c, int i) { return c->joint[i].item.name; }
static const char* road_name(Compile* c, int i) { return c->spec->roads.items[i].name.text; }
static const char* airfoil_name(Compile* c, int i) { return c->spec->airfoils.items[i].name.text; }
static const char* force_name(Compile* c, int i) { return c->spec->forces.items[i].name.text; }
static const char* constraint_name(Compile* c, int i) {
  return c->spec->constraints.items[i].name.text;
}
static const char* point_name(Compile* c, int i) { return c->point[i].name; }

int sar_find_body(Compile* c, SpecName name, Item item, const char* key) {
  char hint[128];
  if (!name.text) {
    sar_complain(c, item, item.loc, "give the name of a body, or ground", "'%s' is missing", key);
    return NOWHERE;
  }
  if (strcmp(name.text, "ground") == 0) return GROUND;
  int i = sar_names_find(&c->body_names, name.text);
  if (i >= 0) return i;
  if (c->spec->lost & SPEC_LOST_BODIES) return NOWHERE;
  offer(c, name.text, c->nbody + 1, body_name, hint, sizeof hint);
  sar_complain(c, item, name.loc, hint, "%s: there is no body '%s'", key, name.text);
  return NOWHERE;
}

// Elements of one kind that names refer to.
typedef struct Kind {
  const char* word;
  const NameMap* names;
  int count;
  const char* (*name)(Compile*, int);
  int lost;  // set in the file's `lost`: some could not be read, so that nothing is said about
             // unknown ones
} Kind;

static int find_of_kind(Compile* c, Kind kind, SpecName name, Item item, const char* key) {
  char hint[128];
  if (!name.text) {
    sar_snprintf(hint, sizeof hint, "give the name of a %s", kind.word);
    sar_complain(c, item, item.loc, hint, "'%s' is missing", key);
    return NOWHERE;
  }
  const int i = sar_names_find(kind.names, name.text);
  if (i >= 0) return i;
  if (c->spec->lost & kind.lost) return NOWHERE;
  offer(c, name.text, kind.count, kind.name, hint, sizeof hint);
  sar_complain(c, item, name.loc, hint, "%s: there is no %s '%s'", key, kind.word, name.text);
  return NOWHERE;
}

int sar_find_joint(Compile* c, SpecName name, Item item, const char* key) {
  const Kind kind = {"joint", &c->joint_names, c->njoint, joint_name, SPEC_LOST_JOINTS};
  return find_of_kind(c, kind, name, item, key);
}

int sar_find_force(Compile* c, SpecName name, Item item, const char* key) {
  const Kind kind = {"force", &c->force_names, c->spec->forces.count, force_name, SPEC_LOST_FORCES};
  return find_of_kind(c, kind, name, item, key);
}

int sar_find_constraint(Compile* c, SpecName name, Item item, const char* key) {
  const Kind kind = {"constraint", &c->constraint_names, c->spec->constraints.count,
                     constraint_name, SPEC_LOST_CONSTRAINTS};
  return find_of_kind(c, kind, name, item, key);
}

int sar_find_road(Compile* c, SpecName name, Item item, const char* key) {
  char hint[128];
  int i = name.text ? sar_names_find(&c->road_names, name.text) : NOWHERE;
  if (i >= 0) return i;
  if (!name.text || (c->spec->lost & SPEC_LOST_ROADS)) return -1;
  offer(c, name.text, c->spec->roads.count, road_name, hint, sizeof hint);
  sar_complain(c, item, name.loc, hint, "%s: there is no road '%s'", key, name.text);
  return -1;
}

int sar_find_airfoil(Compile* c, SpecName name, Item item, const char* key) {
  const Kind kind = {"airfoil", &c->airfoil_names, c->spec->airfoils.count, airfoil_name,
                     SPEC_LOST_AIRFOILS};
  const int i = find_of_kind(c, kind, name, item, key);
  return i >= 0 ? i : -1;
}

int sar_find_point(Compile* c, SpecName name, Item item, const char* key, Xform* X_UP) {
  char hint[128];
  *X_UP = x_identity();
  if (!name.text || strcmp(name.text, "ground") == 0) return sar_find_body(c, name, item, key);
  int i = sar_names_find(&c->body_names, name.text);
  if (i >= 0) return i;
  i = sar_names_find(&c->point_names, name.text);
  if (i >= 0) {
    *X_UP = c->point[i].X_UP;
    return c->point[i].body;
  }
  if (!strchr(name.text, '.')) return sar_find_body(c, name, item, key);
  if (c->spec->lost & SPEC_LOST_BODIES) return NOWHERE;
  offer(c, name.text, c->npoint, point_name, hint, sizeof hint);
  if (!c->npoint)
    sar_snprintf(hint, sizeof hint,
                 "no body has named points; add 'points: {tip: [x, y, z]}' to one");
  sar_complain(c, item, name.loc, hint, "%s: there is no point '%s'", key, name.text);
  return NOWHERE;
}

const char* sar_suggest_symbol(Compile* c, const char* word, int kind, const Locals* locals,
                               char* buf, size_t size) {
  int n = 0, more = locals ? locals->count : 0;
  const char** names = SAR_ARENA_ARRAY(&c->arena, const char*, c->nsymbol + more + 1);
  buf[0] = '\0';
  if (!names) return buf;
  for (int i = 0; i < more; i++) names[n++] = locals->name[i];
  for (int i = 0; i < c->nsymbol; i++)
    if (kind < 0 || (int)c->symbol[i].kind == kind) names[n++] = c->symbol[i].spec->name.text;
  if (kind < 0) return sar_text_suggest(buf, size, word, names, n);
  sar_snprintf(buf, size, "the model has none");
  return n ? sar_text_offer(buf, size, word, names, n) : buf;
}

static const char* signal_name(Compile* c, int i) { return c->spec->signals.items[i].text; }

const char* sar_suggest_signal(Compile* c, const char* word, char* buf, size_t size) {
  offer(c, word, c->spec->signals.count, signal_name, buf, size);
  return buf;
}

static const char* owner_name(Compile* c, int i) {
  if (i < c->nbody) return c->body[i].item.name;
  if (i < c->nbody + c->njoint) return c->joint[i - c->nbody].item.name;
  i -= c->nbody + c->njoint;
  return i < c->npoint ? c->point[i].name : force_name(c, i - c->npoint);
}

const char* sar_suggest_measure(Compile* c, const char* owner, const char* suffix, char* buf,
                                size_t size) {
  int n = c->nbody + c->njoint + c->npoint + c->spec->forces.count;
  const char** names = list_names(c, n, owner_name);
  const char* near = names ? sar_text_nearest(owner, names, n) : NULL;
  SarMeasure measure;
  buf[0] = '\0';
  if (!near) return buf;
  const char* name = sar_arena_printf(&c->arena, "%s.%s", near, suffix);
  if (name && sar_find_measure(c, name, &measure))
    sar_snprintf(buf, size, "did you mean '%s'?", name);
  else
    sar_snprintf(buf, size, "did you mean '%s'? It has no '%s'", near, suffix);
  return buf;
}
