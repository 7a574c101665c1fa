// The model inside an FMU (source.h).
#include "fmi/source.h"

#include "base/alloc.h"
#include "base/error.h"

#include <string.h>

static const char** absolute_paths(SarFmiSource* s, const char* resources) {
  const char** path = SAR_ARENA_ARRAY(&s->arena, const char*, s->settings.paths + 1);
  for (int i = 0; path && i < s->settings.paths; i++)
    path[i] = sar_arena_printf(&s->arena, "%s/%s", resources, s->settings.path[i]);
  return path;
}

SarStatus sar_fmi_source_open(SarFmiSource* s, const char* resources, SarError* err) {
  *s = (SarFmiSource){0};
  sar_arena_init(&s->arena);
  const char* file = sar_arena_printf(&s->arena, "%s/%s", resources, SAR_FMI_SETTINGS);
  if (!file) return SAR_NO_MEMORY;
  SAR_TRY(sar_fmi_settings_read(&s->arena, file, &s->settings, err));
  const SarFmiSettings* given = &s->settings;
  s->path = sar_arena_printf(&s->arena, "%s/%s", resources, given->model);
  s->load = (SarLoadOptions){.search_paths = absolute_paths(s, resources),
                             .search_path_count = given->paths,
                             .coordinates = given->coordinates,
                             .keep_fixed = given->keep_fixed,
                             .parameters = given->set,
                             .parameter_count = given->sets};
  if (s->arena.failed) return SAR_NO_MEMORY;
  return sar_fmi_parameters(&s->arena, s->path, &s->load, &s->parameters, err);
}

void sar_fmi_source_close(SarFmiSource* s) { sar_arena_free(&s->arena); }

static bool is_set(const SarFmiSettings* s, const char* name) {
  for (int i = 0; i < s->sets; i++)
    if (strcmp(s->set[i].name, name) == 0) return true;
  return false;
}

// Those of the settings that are no plain numbers of the file stay; of the others only what differs
// from the file is given, so that a model without changes is the file's.
SarStatus sar_fmi_source_load(const SarFmiSource* s, const double* value, SarModel** out,
                              SarError* err) {
  const SarFmiParameters* all = &s->parameters;
  SarLoadOptions o = s->load;
  *out = NULL;
  SarParameter* given = sar_alloc((size_t)(all->count + s->settings.sets + 1) * sizeof *given);
  if (!given) return SAR_NO_MEMORY;
  int n = 0;
  for (int i = 0; i < s->settings.sets; i++) given[n++] = s->settings.set[i];
  for (int i = 0; i < all->count; i++) {
    const char* name = all->items[i].name;
    for (int k = 0; k < s->settings.sets; k++)
      if (strcmp(given[k].name, name) == 0) given[k].value = value[i];
    if (!is_set(&s->settings, name) && value[i] != all->items[i].value)
      given[n++] = (SarParameter){name, value[i]};
  }
  o.parameters = given;
  o.parameter_count = n;
  const SarStatus st = sar_model_load(s->path, &o, out, err);
  sar_free(given);
  return st;
}
