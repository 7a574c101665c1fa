// From a file or a text to a model.
#include "io/reader.h"
#include "io/source.h"

#include "base/error.h"
#include "base/print.h"
#include "base/sized.h"
#include "model/compile.h"
#include "model/sim.h"

#include <string.h>

static bool is_within(const SarRange* w, int line, int column) {
  const bool before = line < w->first_line || (line == w->first_line && column < w->first_column);
  const bool behind = line > w->last_line || (line == w->last_line && column > w->last_column);
  return !before && !behind;
}

static bool is_wrong(const SarReading* reading, const SarDiag* d) {
  for (int i = 0; i < reading->wrong.count; i++) {
    const SarRange* w = &reading->wrong.items[i];
    char file[sizeof d->file];  // as messages show it
    bool same_file = strcmp(d->file, sar_visible(file, sizeof file, w->file)) == 0;
    if (same_file && is_within(w, d->line, d->column)) return true;
  }
  return d->line == 0;
}

// What the compiler has to say about a spec with errors, apart from the values that have them: so
// that a person gets to know everything at once.
static void report_the_rest(SarSpec* spec, const SarReading* reading, SarError* err) {
  const SarLoadOptions* o = reading->options;
  SarError more;
  SarModel* m = NULL;
  sar_error_init(&more);
  spec->wrong = true;
  sar_compile(spec, o, &m, &more);
  sar_model_free(m);
  for (int i = 0; i < more.count; i++) {
    const SarDiag* d = &more.items[i];
    if (d->severity == SAR_ERROR && !is_wrong(reading, d))
      sar_report(err, (SarLoc){d->file, d->line, d->column}, d->hint, "%s", d->text);
  }
}

// Names of methods are looked up when a run begins, which a model with errors never sees.
static void report_methods(const SpecSimulation* s, SarError* err) {
  const SarFormulation* f;
  const SarIntegrator* i;
  const char* k;
  if (s->formulation.text) sar_formulation_named(s->formulation.text, s->formulation.loc, &f, err);
  if (s->integrator.text) sar_integrator_named(s->integrator.text, s->integrator.loc, &i, err);
  if (s->kinematics.text) sar_kinematics_named(s->kinematics.text, s->kinematics.loc, &k, err);
}

// Columns that the options ask for, behind those of the file, or the usual ones.
static SarStatus add_columns(SarSpec* spec, const SarLoadOptions* o, SarError* err) {
  const int errors = err->errors;
  if (!o || o->column_count <= 0) return SAR_OK;
  if (spec->outputs.count == 0) {
    const SpecOutput usual[] = {{.of = SAR_OF_JOINT, .target = {.text = "all"}},
                                {.of = SAR_OF_STATE, .target = {.text = "all"}},
                                {.of = SAR_OF_MODEL, .only = sar_output_kind_find("energy")}};
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
      SpecOutput* out = SAR_LIST_ADD(&spec->arena, &spec->outputs);
      if (!out) return SAR_NO_MEMORY;
      *out = usual[i];
    }
  }
  for (int i = 0; i < o->column_count; i++) {
    const SarExpression* x = &o->columns[i];
    const SarLoc loc = {x->name, 1, 1};
    const SarExpr* e = sar_expr_parse(&spec->arena, x->text, strlen(x->text), loc, err);
    SpecOutput* out = e ? SAR_LIST_ADD(&spec->arena, &spec->outputs) : NULL;
    if (spec->arena.failed) return SAR_NO_MEMORY;
    if (out)
      *out =
          (SpecOutput){.of = SAR_OF_VALUE, .label = {x->name, loc}, .expr = {e, loc}, .loc = loc};
  }
  return err->errors > errors ? SAR_BAD_MODEL : SAR_OK;
}

// What a text is; of a file its name tells.
typedef enum Format { YAML, URDF, MJCF, SDF } Format;

static bool format_of(const char* name, Format* out) {
  *out = strcmp(name, "urdf") == 0   ? URDF
         : strcmp(name, "mjcf") == 0 ? MJCF
         : strcmp(name, "sdf") == 0  ? SDF
                                     : YAML;
  return *out != YAML || strcmp(name, "yaml") == 0 || strcmp(name, "json") == 0;
}

// Reads and compiles, into an empty spec. file: where the text is from, closed when it has been
// read; Nullable.
static SarStatus build(const char* text, size_t size, const SarSource* source, Format format,
                       SarFileText* file, SarSpec* spec, SarModel** out, SarError* err) {
  const SarReading* reading = source->reading;
  const SarLoadOptions* o = reading->options;
  int messages = err->count;
  SarStatus st = format == URDF      ? sar_read_urdf(text, size, source->name, o, spec, err)
                 : format == SDF     ? sar_read_sdf_source(text, size, source, spec, err)
                 : format == MJCF    ? sar_read_mjcf_source(text, size, source, spec, err)
                 : source->from_file ? sar_read_source(text, size, source, spec, err)
                                     : sar_read_yaml_source(text, size, source, spec, err);
  if (format != YAML && st != SAR_OK) spec->lost = SPEC_UNREAD;
  if (file) sar_file_close(file);  // its memory is better used from here on
  if (st == SAR_BAD_MODEL && !(spec->lost & SPEC_UNREAD)) report_the_rest(spec, reading, err);
  if (st == SAR_OK && spec->arena.failed) st = SAR_NO_MEMORY;
  const int errors = err->errors;
  if (st == SAR_OK) sar_spec_take_key(spec, o ? o->key : NULL, err);
  if (err->errors > errors && st == SAR_OK) st = SAR_BAD_MODEL;
  if (st == SAR_OK) st = add_columns(spec, o, err);
  if (st == SAR_OK) st = sar_compile(spec, o, out, err);
  if (st != SAR_BAD_MODEL) return st;
  report_methods(&spec->simulation, err);
  sar_error_sort(err, messages);
  return st;
}

static SarBudget budget_of(const SarLoadOptions* o) {
  return (SarBudget){.limit = o && o->memory_limit ? o->memory_limit : SAR_DEFAULT_LIMIT};
}

// Every list that has a count is there, and its items are.
static bool options_are_whole(const SarLoadOptions* o) {
  if (!o) return true;
  bool whole = (o->parameters || o->parameter_count <= 0) &&
               (o->search_paths || o->search_path_count <= 0) && (o->files || o->file_count <= 0) &&
               (o->columns || o->column_count <= 0);
  for (int i = 0; whole && i < o->column_count; i++)
    whole = o->columns[i].name && o->columns[i].text;
  for (int i = 0; whole && i < o->search_path_count; i++) whole = o->search_paths[i] != NULL;
  for (int i = 0; whole && i < o->file_count; i++)
    whole = o->files[i].name && (o->files[i].text || o->files[i].size == 0);
  return whole;
}

// Options of the program's size; zeros are the defaults of what it does not know.
static const SarLoadOptions* known_options(const SarLoadOptions* o, size_t size,
                                           SarLoadOptions* room) {
  if (!o) return NULL;
  sar_give(room, sizeof *room, o, size);
  return room;
}

SarStatus sar_spec_load(const char* path, const SarLoadOptions* o, SarSpec* spec, SarError* err) {
  SarFileText file;
  sar_note_file(o, path);
  SarStatus st = sar_file_open(path, SAR_MAX_FILE, false, (SarLoc){0}, &file, err);
  SarReading reading = sar_reading(o);
  const SarSource source = {.name = path, .from_file = true, .id = file.id, .reading = &reading};
  const int messages = err->count;
  if (st == SAR_OK) st = sar_read_source(file.text, file.size, &source, spec, err);
  if (st == SAR_BAD_MODEL) sar_error_sort(err, messages);
  sar_file_close(&file);
  return st == SAR_OK && spec->arena.failed ? SAR_NO_MEMORY : st;
}

SAR_API SarStatus sar_model_load_sized(const char* path, const SarLoadOptions* given, size_t size,
                                       SarModel** out, SarError* err) {
  SarError own;
  if (!err) sar_error_init(err = &own);
  SAR_GIVEN(out);
  *out = NULL;
  SarLoadOptions room;
  const SarLoadOptions* o = known_options(given, size, &room);
  SAR_GIVEN(path && options_are_whole(o));
  SarFileText file;
  SarBudget budget = budget_of(o);
  sar_note_file(o, path);
  SarStatus st = sar_file_open_in(&budget, path, SAR_MAX_FILE, false, (SarLoc){0}, &file, err);
  SarReading reading = sar_reading(o);
  SarSource source = {.name = path, .from_file = true, .id = file.id, .reading = &reading};
  SarSpec spec;
  sar_spec_init(&spec);
  spec.arena.budget = &budget;
  if (st == SAR_OK) st = build(file.text, file.size, &source, YAML, &file, &spec, out, err);
  st = sar_budget_verdict(&budget, st, err);  // names of files are the spec's
  sar_spec_free(&spec);
  sar_file_close(&file);
  return st;
}

SAR_API SarStatus sar_model_parse_sized(const char* text, size_t size, const char* format,
                                        const char* name, const SarLoadOptions* given,
                                        size_t options_size, SarModel** out, SarError* err) {
  SarError own;
  if (!err) sar_error_init(err = &own);
  SAR_GIVEN(out);
  *out = NULL;
  SarLoadOptions room;
  const SarLoadOptions* o = known_options(given, options_size, &room);
  SAR_GIVEN(format && (text || size == 0) && options_are_whole(o));
  SarLoc loc = {name ? name : "model", 0, 0};
  Format kind;
  if (!format_of(format, &kind)) {
    sar_report(err, loc, "expected yaml, urdf, mjcf or sdf", "no such format: '%.60s'", format);
    return SAR_BAD_ARGUMENT;
  }
  if (size > SAR_MAX_FILE) {
    sar_report(err, loc, "", "larger than %d MiB", SAR_MAX_FILE >> 20);
    return SAR_BAD_MODEL;
  }
  SarReading reading = sar_reading(o);
  SarSource source = {.name = loc.file, .reading = &reading};
  SarSpec spec;
  SarBudget budget = budget_of(o);
  sar_spec_init(&spec);
  spec.arena.budget = &budget;
  SarStatus st = build(text, size, &source, kind, NULL, &spec, out, err);
  st = sar_budget_verdict(&budget, st, err);  // names of files are the spec's
  sar_spec_free(&spec);
  return st;
}
