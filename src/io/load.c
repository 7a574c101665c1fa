// From a file or a text to a model.
#include "io/reader.h"
#include "io/source.h"

#include "model/compile.h"

#include <string.h>

// "models/arm.yaml" -> "arm"
static void default_name(SarSpec* spec, const char* path) {
  const char* slash = strrchr(path, '/');
  const char* base = slash ? slash + 1 : path;
  const char* dot = strrchr(base, '.');
  size_t n = dot && dot > base ? (size_t)(dot - base) : strlen(base);
  if (!spec->name.text)
    spec->name = (SpecName){sar_arena_strndup(&spec->arena, base, n), {spec->file, 0, 0}};
}

static SarStatus compile(SarSpec* spec, const char* path, const SarLoadOptions* o, SarModel** out,
                         SarError* err) {
  default_name(spec, path);
  if (spec->arena.failed) return SAR_NO_MEMORY;
  return sar_compile(spec, o ? o->parameters : NULL, o ? o->parameter_count : 0, out, err);
}

SarStatus sar_model_load(const char* path, const SarLoadOptions* o, SarModel** out, SarError* err) {
  SarError own;
  if (!err) sar_error_init(err = &own);
  *out = NULL;
  SarFileText file;
  SarStatus st = sar_file_open(path, SAR_MAX_FILE, false, (SarLoc){0}, &file, err);
  SarReading reading = sar_reading(o);
  SarSource source = {.name = path, .from_file = true, .id = file.id, .reading = &reading};
  SarSpec spec;
  sar_spec_init(&spec);
  if (st == SAR_OK) st = sar_read_source(file.text, file.size, &source, &spec, err);
  if (st == SAR_OK) st = compile(&spec, path, o, out, err);
  sar_spec_free(&spec);
  sar_file_close(&file);
  return st;
}

SarStatus sar_model_parse(const char* text, size_t size, const char* format, const char* name,
                          const SarLoadOptions* o, SarModel** out, SarError* err) {
  SarError own;
  if (!err) sar_error_init(err = &own);
  *out = NULL;
  if (!name) name = "model";
  SarLoc loc = {name, 0, 0};
  bool yaml = strcmp(format, "yaml") == 0 || strcmp(format, "json") == 0;
  if (!yaml && strcmp(format, "urdf") != 0) {
    sar_report(err, loc, "expected yaml or urdf", "no such format: '%.60s'", format);
    return SAR_BAD_ARGUMENT;
  }
  if (size > SAR_MAX_FILE) {
    sar_report(err, loc, "", "larger than %d MiB", SAR_MAX_FILE >> 20);
    return SAR_BAD_MODEL;
  }
  SarSpec spec;
  sar_spec_init(&spec);
  SarStatus st = yaml ? sar_read_yaml(text, size, name, o, &spec, err)
                      : sar_read_urdf(text, size, name, o, &spec, err);
  if (st == SAR_OK) st = compile(&spec, name, o, out, err);
  sar_spec_free(&spec);
  return st;
}
