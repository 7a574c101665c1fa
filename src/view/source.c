// A model with its parameters (source.h).
#include "view/source.h"

#include "expr/tree.h"
#include "io/reader.h"
#include "sarrus/couple.h"

#include <string.h>

static int find_given(const SarViewSource* s, const char* name) {
  for (int i = 0; i < s->given_count; i++)
    if (strcmp(s->given[i].name, name) == 0) return i;
  return -1;
}

// Room for all that the options have, and one for each of the file.
static bool take_options(SarViewSource* s, const SarLoadOptions* o, int of_file) {
  const int count = o ? o->parameter_count : 0;
  s->given = SAR_ARENA_ARRAY(&s->arena, SarParameter, count + of_file + 1);
  s->parameter = SAR_ARENA_ARRAY(&s->arena, SarViewParameter, of_file + 1);
  if (s->arena.failed) return false;
  if (o) s->load = *o;
  for (int i = 0; i < count; i++) s->given[i] = o->parameters[i];
  s->given_count = count;
  return true;
}

static void list_parameters(SarViewSource* s, const SarSpec* spec) {
  for (int i = 0; i < spec->parameters.count; i++) {
    const SpecParameter* p = &spec->parameters.items[i];
    if (!p->name.text || !p->value.expr || p->value.expr->op != SAR_OP_NUMBER) continue;
    const char* name = sar_arena_strdup(&s->arena, p->name.text);
    if (!name) return;
    const int given = find_given(s, name);
    s->parameter[s->parameter_count++] =
        (SarViewParameter){name, given < 0 ? p->value.expr->value : s->given[given].value};
  }
}

SarStatus sar_view_source_load(const SarViewSource* s, SarModel** out, SarError* err) {
  SarLoadOptions o = s->load;
  o.parameters = s->given;
  o.parameter_count = s->given_count;
  return sar_model_load(s->path, &o, out, err);
}

SarStatus sar_view_source_begin(SarViewSource* s, const char* path, const char* run,
                                const SarLoadOptions* o, SarModel** out, SarError* err) {
  SarSpec spec;
  SarLoadOptions part = {0};
  SarError quiet;  // what is wrong is told by loading
  *s = (SarViewSource){0};
  *out = NULL;
  sar_arena_init(&s->arena);
  sar_error_init(&quiet);
  s->path = sar_arena_strdup(&s->arena, path);
  if (run && sar_couple_is(path)) {
    SAR_TRY(sar_view_source_part(s, path, run, o, &part, err));
    o = &part;
  }
  sar_spec_init(&spec);
  const SarStatus read = sar_spec_load(s->path, o, &spec, &quiet);
  const bool room = s->path && take_options(s, o, spec.parameters.count);
  if (room && read == SAR_OK) list_parameters(s, &spec);
  sar_spec_free(&spec);
  return room && !s->arena.failed ? sar_view_source_load(s, out, err) : SAR_NO_MEMORY;
}

void sar_view_source_end(SarViewSource* s) { sar_arena_free(&s->arena); }

SarStatus sar_view_source_change(SarViewSource* s, int index, double value, SarModel** out,
                                 SarError* err) {
  SarViewParameter* p = &s->parameter[index];
  const int given = find_given(s, p->name), place = given < 0 ? s->given_count : given;
  const int before = s->given_count;
  const SarParameter old = s->given[place];
  s->given[place] = (SarParameter){p->name, value};
  if (given < 0) s->given_count++;
  const SarStatus st = sar_view_source_load(s, out, err);
  if (st == SAR_OK) {
    p->value = value;
    return st;
  }
  s->given[place] = old;
  s->given_count = before;
  return st;
}
