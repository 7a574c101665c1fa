// Materials, and how any two of them touch.
//
// A table of pairs is what can be measured; where the file has no entry for two materials, it
// follows from the two:
//   friction              sqrt(mu_1 mu_2): a slippery one makes the pair slippery
//   restitution, rolling, spinning   the larger
//   stiffness, damping    in series, 1/k = 1/k_1 + 1/k_2: a rigid one leaves the other's
#include "base/print.h"
#include "model/compile/parts.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

#define FRICTION 0.5  // of a material that says nothing about it

static bool is_series(double k) { return isfinite(k); }

// Two springs, or two dampers, in a row; the rigid one has no part in it.
static double series(double k1, double k2, double of1, double of2) {
  if (!is_series(k1)) return of2;
  if (!is_series(k2)) return of1;
  return of1 + of2 > 0 ? of1 * of2 / (of1 + of2) : 0;
}

static SarSurface between(const SarSurface* a, const SarSurface* b) {
  return (SarSurface){
      .friction = sqrt(a->friction * b->friction),
      .restitution = fmax(a->restitution, b->restitution),
      .rolling = fmax(a->rolling, b->rolling),
      .spinning = fmax(a->spinning, b->spinning),
      .stiffness = series(a->stiffness, b->stiffness, a->stiffness, b->stiffness),
      .damping = series(a->stiffness, b->stiffness, a->damping, b->damping),
  };
}

// What the file gives takes the place of what is there.
static void read_surface(Compile* c, const SpecMaterial* s, Item item, SarSurface* out) {
  out->friction = sar_number(c, s->friction, item, "friction", NOT_NEGATIVE, out->friction);
  out->restitution =
      sar_number(c, s->restitution, item, "restitution", NOT_NEGATIVE, out->restitution);
  out->rolling = sar_number(c, s->rolling, item, "rolling", NOT_NEGATIVE, out->rolling);
  out->spinning = sar_number(c, s->spinning, item, "spinning", NOT_NEGATIVE, out->spinning);
  out->stiffness = sar_number(c, s->stiffness, item, "stiffness", EVEN_INFINITE, out->stiffness);
  out->damping = sar_number(c, s->damping, item, "damping", NOT_NEGATIVE, out->damping);
  if (out->restitution > 1)
    sar_complain(c, item, s->restitution.loc, "0: nothing bounces, 1: nothing is lost",
                 "restitution must lie between 0 and 1, but is %g", out->restitution);
  if (out->stiffness <= 0)
    sar_complain(c, item, s->stiffness.loc, "leave it out, or write inf, for a rigid surface",
                 "stiffness must be positive, but is %g", out->stiffness);
  if (s->damping.expr && isinf(out->stiffness))
    sar_complain(c, item, s->damping.loc, "give a stiffness too, or a restitution instead",
                 "damping is for a surface with a stiffness, and this one is rigid");
}

static const char* material_name(Compile* c, int i) {
  return i > 0 ? c->spec->contact.materials.items[i - 1].name.text : "default";
}

int sar_find_material(Compile* c, SpecName name, Item item, const char* key) {
  char hint[128];
  if (!name.text) return 0;
  const int found = sar_names_find(&c->material_names, name.text);
  if (found >= 0) return found;
  if (c->spec->lost == SPEC_LOST_NAMES) return -1;
  const int n = c->spec->contact.materials.count + 1;
  const char** names = SAR_ARENA_ARRAY(&c->arena, const char*, n);
  for (int i = 0; names && i < n; i++) names[i] = material_name(c, i);
  sar_snprintf(hint, sizeof hint, "materials are defined in 'contact: {materials: ...}'");
  if (names && n > 1) sar_text_offer(hint, sizeof hint, name.text, names, n);
  sar_complain(c, item, name.loc, hint, "%s: there is no material '%s'", key, name.text);
  return -1;
}

// Material 0 is `default`, which the file may define as any other.
static bool read_materials(Compile* c, SarSurface* own) {
  const SpecContact* contact = &c->spec->contact;
  const SarSurface plain = {.friction = FRICTION, .stiffness = UNLIMITED};
  SarModel* m = &c->m;
  own[0] = plain;
  m->material_name[0] = sar_intern(c, "default");
  m->nmaterial = 1;
  if (!sar_names_add(&c->arena, &c->material_names, "default", 0)) return false;
  SarLoc* where = SAR_ARENA_ARRAY(&c->arena, SarLoc, contact->materials.count + 1);
  if (!where) return false;
  for (int i = 0; i < contact->materials.count; i++) {
    const SpecMaterial* s = &contact->materials.items[i];
    const Item item = {"material", s->name.text, s->name.loc};
    int k = sar_names_find(&c->material_names, s->name.text);
    if (k >= 0 && where[k].line) {
      sar_report_twice(c, item, where[k]);
      continue;
    }
    if (k < 0) {
      k = m->nmaterial++;
      own[k] = plain;
      m->material_name[k] = sar_intern(c, s->name.text);
      if (!sar_names_add(&c->arena, &c->material_names, s->name.text, k)) return false;
    }
    where[k] = item.loc;
    read_surface(c, s, item, &own[k]);
  }
  return true;
}

static void read_pairs(Compile* c) {
  const SpecContact* contact = &c->spec->contact;
  SarModel* m = &c->m;
  for (int i = 0; i < contact->pairs.count; i++) {
    const SpecMaterial* s = &contact->pairs.items[i];
    if (!s->of[0].text || !s->of[1].text) continue;  // reported by the reader
    const char* name = sar_arena_printf(&c->arena, "%s, %s", s->of[0].text, s->of[1].text);
    const Item item = {"pair", name ? name : "", s->loc};
    const int a = sar_find_material(c, s->of[0], item, "materials");
    const int b = sar_find_material(c, s->of[1], item, "materials");
    if (a < 0 || b < 0) continue;
    SarSurface* surface = &m->surface[a * m->nmaterial + b];
    read_surface(c, s, item, surface);
    m->surface[b * m->nmaterial + a] = *surface;
  }
}

bool sar_compile_materials(Compile* c) {
  enum { MOST = 1000 };  // a table of all pairs is made of them
  const int most = c->spec->contact.materials.count + 1;
  SarModel* m = &c->m;
  if (most > MOST) {
    const Item item = {"block", "contact", c->spec->contact.materials.items[MOST].name.loc};
    sar_complain(c, item, item.loc, "", "more than %d materials", MOST);
    return true;
  }
  SarSurface* own = SAR_ARENA_ARRAY(&c->arena, SarSurface, most);
  m->material_name = SAR_ARENA_ARRAY(&c->arena, int, most);
  if (c->arena.failed || !read_materials(c, own)) return false;
  const int n = m->nmaterial;
  m->nsurface = n * n;
  m->surface = SAR_ARENA_ARRAY(&c->arena, SarSurface, (size_t)n * (size_t)n);
  if (c->arena.failed) return false;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) m->surface[i * n + j] = between(&own[i], &own[j]);
  read_pairs(c);
  return true;
}
