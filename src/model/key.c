// Keys: named starts (keyframes). The values of one take the place of those that joints, inputs and
// states begin with, so that all that comes after the reader knows of no keys.
#include "base/text.h"
#include "model/spec.h"

#include <string.h>

// What a value is given to; NULL: there is nothing of that name.
typedef struct Place {
  SpecDofs* dofs;
  SpecNum* number;
  int count;  // how many numbers are wanted
} Place;

static bool is(SpecName a, const char* b) { return a.text && strcmp(a.text, b) == 0; }

static bool find(SarSpec* spec, SpecKeyPart part, const char* name, Place* out) {
  for (int i = 0; part <= SPEC_KEY_SPEEDS && i < spec->joints.count; i++) {
    SpecJoint* j = &spec->joints.items[i];
    if (!is(j->name, name)) continue;
    const bool speed = part == SPEC_KEY_SPEEDS;
    out->dofs = speed ? &j->speed : &j->position;
    out->count = !j->kind ? 0 : speed ? j->kind->nv : j->kind->nq;
    return true;
  }
  out->count = 1;
  for (int i = 0; part == SPEC_KEY_INPUTS && i < spec->inputs.count; i++)
    if (is(spec->inputs.items[i].name, name)) out->number = &spec->inputs.items[i].value;
  for (int i = 0; part == SPEC_KEY_STATES && i < spec->states.count; i++)
    if (is(spec->states.items[i].rate.name, name)) out->number = &spec->states.items[i].start;
  return out->number != NULL;
}

static const char* name_of(const SarSpec* spec, SpecKeyPart part, int i) {
  if (part <= SPEC_KEY_SPEEDS)
    return i < spec->joints.count ? spec->joints.items[i].name.text : NULL;
  if (part == SPEC_KEY_INPUTS)
    return i < spec->inputs.count ? spec->inputs.items[i].name.text : NULL;
  return i < spec->states.count ? spec->states.items[i].rate.name.text : NULL;
}

static void report_missing(const SarSpec* spec, SpecKeyPart part, const SpecKeyValue* v,
                           SarError* err) {
  enum { MOST = 64 };
  static const char* const what[] = {"joint", "joint", "input", "state"};
  const char* names[MOST];
  char hint[256];
  int n = 0;
  while (n < MOST && (names[n] = name_of(spec, part, n))) n++;
  sar_report(err, v->of.loc, sar_text_suggest(hint, sizeof hint, v->of.text, names, n),
             "key: there is no %s '%.60s'", what[part], v->of.text);
}

static void take(SarSpec* spec, const SpecKey* key, bool set, SarError* err) {
  for (int part = 0; part < SPEC_KEY_PARTS; part++)
    for (int i = 0; i < key->values[part].count; i++) {
      const SpecKeyValue* v = &key->values[part].items[i];
      Place to = {0};
      if (!v->of.text || v->value.count == 0) continue;
      if (!find(spec, (SpecKeyPart)part, v->of.text, &to)) {
        report_missing(spec, (SpecKeyPart)part, v, err);
      } else if (v->value.count != to.count && (v->value.count != 1 || to.count == 0)) {
        sar_report(err, v->value.loc, "", "key: '%.60s' takes %d number%s, found %d", v->of.text,
                   to.count, to.count == 1 ? "" : "s", v->value.count);
      } else if (set && to.dofs) {
        *to.dofs = v->value;
      } else if (set) {
        *to.number = v->value.c[0];
      }
    }
}

void sar_spec_take_key(SarSpec* spec, const char* name, SarError* err) {
  enum { MOST = 64 };
  const char* names[MOST];
  bool found = false;
  int n = 0;
  for (int i = 0; i < spec->keys.count; i++) {
    const SpecKey* key = &spec->keys.items[i];
    const bool set = name && !found && is(key->name, name);
    take(spec, key, set, err);
    found = found || set;
    if (n < MOST && key->name.text) names[n++] = key->name.text;
  }
  if (!name || found) return;
  char hint[256];
  sar_report(err, (SarLoc){spec->file, 0, 0}, sar_text_offer(hint, sizeof hint, name, names, n),
             n ? "there is no key '%.60s'" : "the model has no keys, and so no '%.60s'", name);
}
