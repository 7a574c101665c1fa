// One simulator of a file that couples several: its model, with the parameters that the file sets.
// Which one is said behind the last '.' of the name of the run: "rig.tail".
#include "base/error.h"
#include "base/print.h"
#include "io/yaml_couple.h"
#include "view/source.h"

#include <string.h>

static const CoupleSimulator* find(const SarCoupleSpec* c, const char* name) {
  for (int i = 0; i < c->simulators.count; i++)
    if (strcmp(c->simulators.items[i].name.text, name) == 0) return &c->simulators.items[i];
  return NULL;
}

static SarStatus say_which(const SarCoupleSpec* c, const char* run, SarError* err) {
  char text[300];
  size_t used = 0;
  text[0] = 0;
  for (int i = 0; i < c->simulators.count && used < sizeof text - 80; i++)
    used += (size_t)sar_snprintf(text + used, sizeof text - used, "%s%.30s.%.40s", i ? ", " : "",
                                 run, c->simulators.items[i].name.text);
  sar_report(err, c->loc, text, "the file couples several models, and '%.60s' names none of them",
             run);
  return SAR_BAD_ARGUMENT;
}

static SarStatus take(SarViewSource* s, const CoupleSimulator* x, const SarLoadOptions* o,
                      SarLoadOptions* out) {
  SarParameter* set = SAR_ARENA_ARRAY(&s->arena, SarParameter, x->set.count + 1);
  if (!set) return SAR_NO_MEMORY;
  for (int i = 0; i < x->set.count; i++)
    set[i] =
        (SarParameter){sar_arena_strdup(&s->arena, x->set.items[i].name), x->set.items[i].value};
  if (o) *out = *o;
  out->parameters = set;
  out->parameter_count = x->set.count;
  s->path = sar_arena_strdup(&s->arena, x->path);
  return s->path && !s->arena.failed ? SAR_OK : SAR_NO_MEMORY;
}

SarStatus sar_view_source_part(SarViewSource* s, const char* path, const char* run,
                               const SarLoadOptions* o, SarLoadOptions* out, SarError* err) {
  SarCoupleSpec c;
  const char* dot = strrchr(run, '.');
  SarStatus st = sar_read_couple(path, o, &c, err);
  if (st == SAR_OK) {
    const CoupleSimulator* x = dot ? find(&c, dot + 1) : NULL;
    st = x ? take(s, x, o, out) : say_which(&c, run, err);
  }
  sar_couple_spec_free(&c);
  return st;
}
