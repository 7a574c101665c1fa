// Converting a model file as one call (sarrus/convert.h): read, compile, write, tell what was lost.
//
// The source is compiled whatever the target is: a file that is wrong is not converted. YAML is
// written of the spec, where names, expressions and frames are as in the file; URDF, SDF and MJCF
// of the model, where everything is a number.
#include "convert/convert.h"

#include "base/alloc.h"
#include "base/print.h"
#include "base/sized.h"
#include "io/reader.h"
#include "io/source.h"
#include "io/yaml_flat.h"
#include "model/compile.h"
#include "sarrus/convert.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct Target {
  const char* name;
  const char* const* endings;
  void (*write)(Convert*);
} Target;

static const char *const YAML[] = {".yaml", ".yml", NULL}, *const URDF[] = {".urdf", NULL},
                         *const MJCF[] = {".xml", NULL}, *const SDF[] = {".sdf", NULL};
static const Target TARGETS[] = {{"yaml", YAML, sar_write_yaml},
                                 {"urdf", URDF, sar_write_urdf},
                                 {"mjcf", MJCF, sar_write_mjcf},
                                 {"sdf", SDF, sar_write_sdf}};
enum { TARGET_COUNT = sizeof TARGETS / sizeof *TARGETS };

struct SarConversion {
  Convert c;
  const char* format;
  SarLoss* losses;
  SarSpec spec, flat;
  SarModel* model;
  SarBudget budget;
};

SAR_API void sar_convert_options_sized(SarConvertOptions* out, size_t size) {
  const SarConvertOptions o = {.size = size};
  if (out) sar_give(out, size, &o, sizeof o);
}

void sar_lose(Convert* c, SarLoc loc, const char* format, ...) {
  char text[400];
  va_list args;
  va_start(args, format);
  sar_vsnprintf(text, sizeof text, format, args);
  va_end(args);
  Loss* loss = SAR_LIST_ADD(&c->arena, &c->losses);
  if (loss) *loss = (Loss){loc, sar_arena_strdup(&c->arena, text)};
}

const char* sar_target_file(Convert* c, SpecName name) {
  // names start from the file that they stand in, which may be an included one
  const char* file = name.loc.file ? name.loc.file : c->from;
  const char* from = file ? sar_path_beside(&c->arena, file, "") : "";
  const char* to = c->to ? sar_path_beside(&c->arena, c->to, "") : from;
  if (!from || !to || sar_path_is_absolute(name.text) || strcmp(from, to) == 0) return name.text;
  const size_t n = strlen(to);
  if (strncmp(from, to, n) == 0) return sar_arena_printf(&c->arena, "%s%s", from + n, name.text);
  if (!c->files_told)
    sar_lose(
        c, name.loc,
        "the folder of files such as '%s': name it with --path, or put them beside the new file",
        name.text);
  c->files_told = true;
  return name.text;
}

bool sar_given_parameter(const Convert* c, const char* name, double* value) {
  for (int i = 0; c->load && i < c->load->parameter_count; i++)
    if (strcmp(c->load->parameters[i].name, name) == 0) {
      *value = c->load->parameters[i].value;
      return true;
    }
  return false;
}

static const Target* target_of(const char* format, const char* to, SarError* err) {
  for (int i = 0; i < TARGET_COUNT; i++) {
    if (format && strcmp(format, TARGETS[i].name) == 0) return &TARGETS[i];
    for (int k = 0; !format && to && TARGETS[i].endings[k]; k++)
      if (sar_path_has_extension(to, TARGETS[i].endings[k])) return &TARGETS[i];
  }
  if (format)
    sar_report(err, (SarLoc){0}, "expected yaml, urdf, sdf or mjcf", "no format '%.60s' is written",
               format);
  else
    sar_report(err, (SarLoc){.file = to},
               "end it in .yaml, .urdf, .sdf or .xml, or name the format",
               "the ending does not say which format is wanted");
  return NULL;
}

static SarStatus read_source(SarConversion* v, const char* from, const SarLoadOptions* o,
                             SarError* err) {
  SarLoadOptions relative = o ? *o : (SarLoadOptions){0};
  relative.coordinates = "relative";
  relative.keep_fixed = true;
  v->budget.limit = o && o->memory_limit ? o->memory_limit : SAR_DEFAULT_LIMIT;
  v->spec.arena.budget = &v->budget;
  SarStatus st = sar_spec_load(from, &relative, &v->spec, err);
  if (st == SAR_OK) st = sar_compile(&v->spec, &relative, &v->model, err);
  return sar_budget_verdict(&v->budget, st, err);
}

static bool list_losses(SarConversion* v) {
  const int n = v->c.losses.count;
  v->losses = SAR_ARENA_ARRAY(&v->c.arena, SarLoss, n + 1);
  for (int i = 0; v->losses && i < n; i++) {
    const Loss* loss = &v->c.losses.items[i];
    const bool placed = loss->loc.line > 0 && loss->loc.file;
    char* file = sar_arena_strdup(&v->c.arena, placed ? loss->loc.file : "");
    if (file) file[strcspn(file, (char[]){SAR_COPY_MARK, 0})] = '\0';
    v->losses[i] =
        (SarLoss){file, placed ? loss->loc.line : 0, placed ? loss->loc.column : 0, loss->text};
  }
  return !v->c.arena.failed;
}

static bool is_yaml(const char* path) {
  return sar_path_has_extension(path, ".yaml") || sar_path_has_extension(path, ".yml") ||
         sar_path_has_extension(path, ".json");
}

// What is taken apart when it is read cannot be put together again from a spec.
static SarStatus refuse_parts(const SarSpec* s, SarError* err) {
  const SarLoc loc = s->discrete.count      ? s->discrete.items[0].next.name.loc
                     : s->fluid_nodes.count ? s->fluid_nodes.items[0].name.loc
                     : s->modals.count      ? s->modals.items[0].body.name.loc
                     : s->beams.count       ? s->beams.items[0].name.loc
                     : s->airfoils.count    ? s->airfoils.items[0].name.loc
                                            : (SarLoc){0};
  if (!loc.line) return SAR_OK;
  sar_report(err, loc, "keep the included files, or put these sections into the file itself",
             "a model that includes files and has sampled signals, hydraulics, beams, modal "
             "bodies or airfoils is not written as one file");
  return SAR_NOT_OFFERED;
}

// A YAML file that stands alone keeps its own words.
static SarStatus write_target(SarConversion* v, const Target* target, const char* from,
                              SarError* err) {
  const YamlNode* root = NULL;
  if (target->endings == YAML && is_yaml(from)) {
    sar_spec_init(&v->flat);
    SAR_TRY(sar_yaml_flat(from, v->c.load, &v->flat, &root, err));
    if (!root) SAR_TRY(refuse_parts(&v->spec, err));
  }
  if (root)
    sar_write_yaml_tree(&v->c, root);
  else
    target->write(&v->c);
  return SAR_OK;
}

static SarStatus convert(SarConversion* v, const char* from, const char* to,
                         const SarConvertOptions* o, SarError* err) {
  SarLoadOptions load;
  const Target* target = target_of(o->format, to, err);
  if (!target) return SAR_BAD_ARGUMENT;
  if (o->load) sar_give(&load, sizeof load, o->load, o->load_size);
  v->format = target->name;
  SAR_TRY(read_source(v, from, o->load ? &load : NULL, err));
  v->c.spec = &v->spec;
  v->c.model = v->model;
  v->c.from = v->spec.file;
  v->c.to = to;
  v->c.load = o->load ? &load : NULL;
  SAR_TRY(write_target(v, target, from, err));
  if (!list_losses(v) || !v->c.out.text) return SAR_NO_MEMORY;
  return SAR_OK;
}

SAR_API SarStatus sar_convert(const char* from, const char* to, const SarConvertOptions* o,
                              SarConversion** out, SarError* err) {
  SarError own;
  if (!err) sar_error_init(err = &own);
  SAR_GIVEN(out);
  *out = NULL;
  SAR_GIVEN(from && (to || (o && o->format)));
  SarConvertOptions full = sar_convert_options();
  if (o) SAR_TRY(sar_take_options(&full, sizeof full, o, "sar_convert_options", err));
  SarConversion* v = sar_alloc(sizeof *v);
  if (!v) return SAR_NO_MEMORY;
  memset(v, 0, sizeof *v);
  sar_arena_init(&v->c.arena);
  v->c.out.arena = &v->c.arena;
  sar_spec_init(&v->spec);
  const SarStatus st = convert(v, from, to, &full, err);
  if (st == SAR_OK)
    *out = v;
  else
    sar_conversion_free(v);
  return st;
}

SAR_API SarStatus sar_conversion_write(const SarConversion* c, const char* path, bool replace,
                                       SarError* err) {
  const SarLoc loc = {.file = path};
  SAR_GIVEN(c && path);
  if (!replace && sar_file_exists(path)) {
    sar_report(err, loc, "name another file, or say that it may be replaced",
               "not written: there is a file of that name");
    return SAR_BAD_ARGUMENT;
  }
  FILE* f = fopen(path, "wb");
  const bool written = f && fputs(c->c.out.text, f) >= 0;
  const bool closed = f && fclose(f) == 0;
  if (written && closed) return SAR_OK;
  sar_report(err, loc, "", "the file cannot be written");
  return SAR_NO_FILE;
}

SAR_API const char* sar_conversion_text(const SarConversion* c) { return c ? c->c.out.text : NULL; }
SAR_API const char* sar_conversion_format(const SarConversion* c) { return c ? c->format : NULL; }
SAR_API int sar_conversion_losses(const SarConversion* c) { return c ? c->c.losses.count : 0; }

SAR_API const SarLoss* sar_conversion_loss(const SarConversion* c, int index) {
  return c && index >= 0 && index < c->c.losses.count ? &c->losses[index] : NULL;
}

SAR_API void sar_conversion_free(SarConversion* c) {
  if (!c) return;
  sar_model_free(c->model);
  sar_spec_free(&c->spec);
  sar_spec_free(&c->flat);
  sar_arena_free(&c->c.arena);
  sar_free(c);
}
