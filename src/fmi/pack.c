// Writing an FMU (pack.h).
//
// The model is gathered into a folder of its own and loaded from there as the FMU will load it: if
// it is not the same model then, or reads a file of elsewhere, that is told here and not on another
// machine.
#include "fmi/pack.h"

#include "base/alloc.h"
#include "base/memory_file.h"
#include "base/print.h"
#include "fmi/archive.h"
#include "fmi/document.h"
#include "fmi/gather.h"
#include "fmi/source.h"
#include "model/sim.h"
#include "sim/outputs/outputs.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

enum { MOST_PATH = 1024 };

typedef struct Packing {
  const SarFmiExport* o;
  SarArena arena;
  SarGathered gathered;
  SarFmiSettings settings;
  char folder[MOST_PATH];  // of resources
  SarModel* m;
  SarData* d;
  SarSim* s;
  SarFmiParameters parameters;
  SarFmiDescription description;
  SarFmiReport* report;
  SarError* err;
} Packing;

const char* sar_fmi_platform(int version) {
#if defined(__linux__) && defined(__x86_64__)
  return version == 2 ? "linux64" : "x86_64-linux";
#elif defined(__linux__) && defined(__aarch64__)
  return version == 2 ? "linuxaarch64" : "aarch64-linux";
#else
  return NULL;
#endif
}

// ---- the model ----------------------------------------------------------------------------------

static SarStatus load(Packing* p) {
  SarLoadOptions o = *p->o->load;
  p->gathered.arena = &p->arena;
  o.on_file = sar_gather_note;
  o.on_file_context = &p->gathered;
  SAR_TRY(sar_model_load(p->o->model, &o, &p->m, p->err));
  for (int i = 0; i < p->m->nfunction; i++)
    if (strcmp(p->m->function[i].name, "mean") != 0) {
      sar_report(p->err, (SarLoc){.file = p->o->model}, "",
                 "the model calls the function '%s', which an FMU has not with it",
                 p->m->function[i].name);
      return SAR_NOT_OFFERED;
    }
  SAR_TRY(sar_data_new(p->m, &p->d, p->err));
  return sar_sim_new(p->m, p->d, p->o->sim, &p->s, p->err);
}

// Model exchange is an importer's integrator on accelerations: what acts by impulses is not to be
// had so; nor are accounts of the steps that were made.
static SarStatus check_kind(const Packing* p) {
  if (!p->o->me) return SAR_OK;
  for (int i = 0; i < p->m->nheld; i++)
    if (sar_output_is_past(&p->m->held[i])) {
      sar_report(p->err, (SarLoc){.file = p->o->model}, "export it for co-simulation (--cs)",
                 "not for model exchange: expressions use what steps have summed up (%s)",
                 p->m->held[i].kind->name);
      return SAR_NOT_OFFERED;
    }
  if (p->s->formulation->shape != SAR_SHAPE_IMPULSE) return SAR_OK;
  sar_report(p->err, (SarLoc){.file = p->o->model}, "export it for co-simulation (--cs)",
             "not for model exchange: contact, limits, motors or dry friction act by impulses over "
             "steps ('%s')",
             p->s->formulation->name);
  return SAR_NOT_OFFERED;
}

// A parameter is tunable if a model with a value beside it is like this one: not a number of parts,
// say.
static bool is_tunable(const Packing* p, const SarFmiSource* source, double* value, int i) {
  static const double NEAR = 1e-7;
  const double kept = value[i];
  SarError quiet;
  SarModel* other = NULL;
  sar_error_init(&quiet);
  value[i] = kept != 0 ? kept * (1 + NEAR) : NEAR;
  const bool like = sar_fmi_source_load(source, value, &other, &quiet) == SAR_OK &&
                    sar_model_is_like(p->m, other);
  sar_model_free(other);
  value[i] = kept;
  return like;
}

static SarStatus find_tunable(Packing* p, const SarFmiSource* source) {
  const int n = source->parameters.count;
  double* value = SAR_ARENA_ARRAY(&p->arena, double, n + 1);
  p->parameters.items = SAR_ARENA_ARRAY(&p->arena, SarFmiParameter, n + 1);
  if (!value || !p->parameters.items) return SAR_NO_MEMORY;
  for (int i = 0; i < n; i++) value[i] = source->parameters.items[i].value;
  for (int i = 0; i < n; i++) {
    SarFmiParameter* to = &p->parameters.items[i];
    *to = source->parameters.items[i];
    to->name = sar_arena_strdup(&p->arena, to->name);
    to->tunable = is_tunable(p, source, value, i);
    p->report->tunable += to->tunable;
  }
  p->parameters.count = n;
  return p->arena.failed ? SAR_NO_MEMORY : SAR_OK;
}

// ---- resources ----------------------------------------------------------------------------------

static SarStatus fill_settings(Packing* p) {
  SarFmiSettings* s = &p->settings;
  const SarLoadOptions* o = p->o->load;
  if (o->search_path_count > SAR_FMI_MOST_PATHS || o->parameter_count > SAR_FMI_MOST_SETS)
    return SAR_BAD_ARGUMENT;
  SAR_TRY(sar_gather_place(&p->gathered, o->search_paths, o->search_path_count, s->path, &s->paths,
                           p->err));
  s->model = sar_arena_printf(&p->arena, "model/%s", p->gathered.names.items[0]);
  s->coordinates = o->coordinates;
  s->keep_fixed = o->keep_fixed;
  s->exchange = p->o->me;
  for (int i = 0; i < o->parameter_count; i++) s->set[s->sets++] = o->parameters[i];
  s->sim = *p->o->sim;
  s->sim.formulation = p->s->formulation->name;
  s->sim.integrator = p->s->integrator->name;
  return p->arena.failed ? SAR_NO_MEMORY : SAR_OK;
}

static SarStatus write_settings(Packing* p) {
  const char* path = sar_arena_printf(&p->arena, "%s/%s", p->folder, SAR_FMI_SETTINGS);
  FILE* f = path ? fopen(path, "w") : NULL;
  if (f) sar_fmi_settings_write(&p->settings, f);
  if (f && !ferror(f) && fclose(f) == 0) return SAR_OK;
  sar_report(p->err, (SarLoc){.file = p->folder}, "", "settings cannot be written");
  return SAR_NO_FILE;
}

typedef struct Watch {
  SarArena* arena;
  const char* folder;
  char outside[MOST_PATH];
} Watch;

static void watch_file(void* context, const char* given) {
  Watch* w = context;
  const char* path = sar_path_absolute(w->arena, given);
  const size_t n = strlen(w->folder);
  if (w->outside[0] || (path && strncmp(path, w->folder, n) == 0 && path[n] == '/')) return;
  sar_snprintf(w->outside, sizeof w->outside, "%s", given);
}

// As the FMU will do it.
static SarStatus rehearse(Packing* p, SarFmiSource* source) {
  SarModel* again = NULL;
  SarData* d = NULL;
  SarFmiDescription same;
  Watch watch = {.arena = &p->arena, .folder = sar_path_absolute(&p->arena, p->folder)};
  if (!watch.folder) return SAR_NO_MEMORY;
  SAR_TRY(sar_fmi_source_open(source, p->folder, p->err));
  SAR_TRY(find_tunable(p, source));
  double* value = SAR_ARENA_ARRAY(&p->arena, double, p->parameters.count + 1);
  if (!value) return SAR_NO_MEMORY;
  for (int i = 0; i < p->parameters.count; i++) value[i] = p->parameters.items[i].value;
  source->load.on_file = watch_file;
  source->load.on_file_context = &watch;
  SarStatus st = sar_fmi_source_load(source, value, &again, p->err);
  if (st == SAR_OK) st = sar_data_new(again, &d, p->err);
  if (st == SAR_OK) st = sar_fmi_describe(&p->arena, d, &p->parameters, p->o->me, &same);
  if (st == SAR_OK)
    st = sar_fmi_describe(&p->arena, p->d, &p->parameters, p->o->me, &p->description);
  if (st == SAR_OK && (watch.outside[0] || strcmp(same.token, p->description.token) != 0)) {
    sar_report(p->err, (SarLoc){.file = p->o->model}, "name files by relative paths",
               watch.outside[0] ? "the model reads '%s', which cannot go with it into an FMU"
                                : "the model is another one in the FMU%s",
               watch.outside);
    st = SAR_BAD_MODEL;
  }
  sar_data_free(d);
  sar_model_free(again);
  return st;
}

// ---- the archive --------------------------------------------------------------------------------

static bool has_derivatives(const Packing* p) {
  SarError quiet;
  SarDerivatives* w = NULL;
  sar_error_init(&quiet);
  if (p->s->formulation->shape == SAR_SHAPE_IMPULSE || (p->o->me && p->m->nheld > 0)) return false;
  const bool has = sar_derivatives_new(p->m, &w, &quiet) == SAR_OK;
  sar_derivatives_free(w);
  return has;
}

static SarFmiDocument document_of(const Packing* p) {
  const SarSim* s = p->s;
  const SarSimDefaults* given = &p->m->sim;
  return (SarFmiDocument){.description = &p->description,
                          .name = p->o->name,
                          .identifier = p->o->identifier,
                          .cs = p->o->cs,
                          .me = p->o->me,
                          .fixed_steps = !s->adaptive,
                          .end = given->end,
                          .step = s->adaptive ? given->output_step : s->options.step,
                          .tolerance = s->adaptive ? s->options.rtol : 0,
                          .indicators = p->m->nswitch,
                          .derivatives = has_derivatives(p),
                          .states = !s->integrator->keeps_history};
}

static SarStatus write_archive(Packing* p, const SarMemoryFile* xml) {
  const SarGathered* g = &p->gathered;
  SAR_LIST(SarArchiveFile) all = {0};
  SarArchiveFile* f = SAR_LIST_ADD(&p->arena, &all);
  if (f)
    *f = (SarArchiveFile){.name = "modelDescription.xml", .text = xml->text, .size = xml->size};
  const char* binary = sar_arena_printf(&p->arena, "binaries/%s/%s.so",
                                        sar_fmi_platform(p->o->version), p->o->identifier);
  f = SAR_LIST_ADD(&p->arena, &all);
  if (f) *f = (SarArchiveFile){.name = binary, .path = p->o->library};
  f = SAR_LIST_ADD(&p->arena, &all);
  if (f)
    *f =
        (SarArchiveFile){.name = "resources/" SAR_FMI_SETTINGS,
                         .path = sar_arena_printf(&p->arena, "%s/%s", p->folder, SAR_FMI_SETTINGS)};
  for (int i = 0; i < g->files.count; i++) {
    f = SAR_LIST_ADD(&p->arena, &all);
    if (f)
      *f = (SarArchiveFile){
          .name = sar_arena_printf(&p->arena, "resources/model/%s", g->names.items[i]),
          .path = sar_arena_printf(&p->arena, "%s/model/%s", p->folder, g->names.items[i])};
  }
  if (p->arena.failed) return SAR_NO_MEMORY;
  return sar_archive_write(p->o->out, all.items, all.count, p->err);
}

static SarStatus write_fmu(Packing* p) {
  SarMemoryFile xml = {0};
  const SarFmiDocument document = document_of(p);
  if (!sar_memory_open(&xml)) return SAR_NO_MEMORY;
  if (p->o->version == 2)
    sar_fmi2_write(&document, xml.out);
  else
    sar_fmi3_write(&document, xml.out);
  SarStatus st = sar_memory_close(&xml) ? write_archive(p, &xml) : SAR_NO_MEMORY;
  sar_memory_free(&xml);
  const SarFmiDescription* d = &p->description;
  SarFmiReport* r = p->report;
  r->inputs = d->num[SAR_FMI_INPUT], r->outputs = d->num[SAR_FMI_OUTPUT];
  r->parameters = d->num[SAR_FMI_PARAMETER], r->states = d->num[SAR_FMI_STATE];
  r->indicators = document.indicators, r->files = p->gathered.files.count;
  r->derivatives = document.derivatives, r->left_out = d->left_out;
  sar_snprintf(r->formulation, sizeof r->formulation, "%s", p->s->formulation->name);
  sar_snprintf(r->integrator, sizeof r->integrator, "%s", p->s->integrator->name);
  return st;
}

static SarStatus pack(Packing* p) {
  SarFmiSource source = {0};
  SAR_TRY(load(p));
  SAR_TRY(check_kind(p));
  SAR_TRY(fill_settings(p));
  SAR_TRY(sar_folder_make(p->folder, sizeof p->folder, p->err));
  SarStatus st = sar_gather_copy(&p->gathered, p->folder, p->err);
  if (st == SAR_OK) st = write_settings(p);
  if (st == SAR_OK) st = rehearse(p, &source);
  sar_fmi_source_close(&source);
  if (st == SAR_OK) st = write_fmu(p);
  sar_folder_remove(p->folder);
  return st;
}

SarStatus sar_fmi_export(const SarFmiExport* o, SarFmiReport* report, SarError* err) {
  *report = (SarFmiReport){0};
  if (o->source) return sar_fmi_export_source(o, report, err);
  if (!sar_fmi_platform(o->version)) {
    sar_report(err, (SarLoc){0}, "", "FMI has no name for this platform");
    return SAR_NOT_OFFERED;
  }
  Packing* p = sar_alloc(sizeof *p);
  if (!p) return SAR_NO_MEMORY;
  *p = (Packing){.o = o, .report = report, .err = err};
  sar_arena_init(&p->arena);
  const SarStatus st = pack(p);
  sar_sim_free(p->s);
  sar_data_free(p->d);
  sar_model_free(p->m);
  sar_arena_free(&p->arena);
  sar_free(p);
  return st;
}
