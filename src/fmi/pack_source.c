// Source FMUs: the equations of the model as C (codegen/generate.h) with the functions of FMI
// around them (shim.h). They need a compiler and libm where they are used, and nothing of ours.
// Parameters are numbers in them.
#include "fmi/pack.h"

#include "base/alloc.h"
#include "base/memory_file.h"
#include "base/print.h"
#include "codegen/generate.h"
#include "fmi/archive.h"
#include "fmi/document.h"
#include "fmi/shim.h"
#include "model/sim.h"

#include <string.h>

typedef struct Sources {
  const SarFmiExport* o;
  SarArena arena;
  SarModel* m;
  SarData* d;
  SarSim* s;
  SarGeneration g;
  SarFmiDescription description;
  double step;
  SarMemoryFile fmu, xml, build;
  SarError* err;
} Sources;

static SarStatus generate(Sources* p) {
  const SarFmiExport* o = p->o;
  SAR_TRY(sar_model_load(o->model, o->load, &p->m, p->err));
  SAR_TRY(sar_data_new(p->m, &p->d, p->err));
  const SarGenerateOptions how = {
      .name = o->identifier,
      .model = o->model,
      .method = p->m->nrow > 0 ? SAR_GENERATE_LAGRANGE : SAR_GENERATE_ABA,
      .integrator = SAR_GENERATE_RK4,
      .load = o->load};
  // what cannot be generated is told before anything is assembled
  SAR_TRY(sar_generation_begin(&p->g, p->m, p->d, &how, &p->arena, p->err));
  SarSimOptions sim = sar_sim_options();
  sim.formulation = sar_generate_method_name((int)how.method);
  sim.integrator = sar_generate_integrator_name((int)how.integrator);
  sim.step = o->sim->step;
  SAR_TRY(sar_sim_new(p->m, p->d, &sim, &p->s, p->err));
  p->step = p->s->options.step;
  SAR_TRY(sar_generation_begin(&p->g, p->m, p->d, &how, &p->arena, p->err));
  SAR_TRY(sar_generation_keep(&p->g, p->err));
  return sar_generation_write(&p->g);
}

// The list of the model without columns that have no equations.
static SarStatus describe(Sources* p) {
  SarFmiDescription* d = &p->description;
  const SarFmiParameters none = {0};
  SAR_TRY(sar_fmi_describe(&p->arena, p->d, &none, false, d));
  int n = 0, kept = 0;
  for (int i = 0; i < d->count; i++) {
    SarFmiVariable v = d->variable[i];
    if (v.role == SAR_FMI_OUTPUT) {
      if (!p->g.names.output[d->column[v.index]]) continue;
      v.index = kept++;
    }
    d->variable[n++] = v;
  }
  const int dropped = d->count - n;
  d->num[SAR_FMI_OUTPUT] = kept;
  d->count = n;
  d->left_out = dropped;
  for (int role = SAR_FMI_PARAMETER; role <= SAR_FMI_ROLES; role++) d->first[role] -= dropped;
  return SAR_OK;
}

static void put_lines(const char* const* lines, const char* name, FILE* out) {
  for (int i = 0; lines[i]; i++)
    for (const char* c = lines[i]; *c; c++)
      if (*c == '@')
        fputs(name, out);
      else
        fputc(*c, out);
}

static void put_shim(const Sources* p, FILE* out) {
  char step[40];
  sar_snprintf(step, sizeof step, "%.17g", p->step);
  fprintf(out, "#define TOKEN \"%s\"\n#define STEP %s\n", p->description.token, step);
  fprintf(out, "#define HAS_Z %d\n#define HAS_INPUTS %d\n#define HAS_OUTPUTS %d\n", p->m->nz > 0,
          p->m->ninput > 0, p->g.names.outputs > 0);
  put_lines(sar_fmi_shim_common, p->o->identifier, out);
  put_lines(p->o->version == 2 ? sar_fmi_shim2 : sar_fmi_shim3, p->o->identifier, out);
}

static SarStatus write_texts(Sources* p) {
  const char* code = sar_arena_printf(&p->arena, "%s.c", p->o->identifier);
  const char* const files[] = {code, "fmu.c", NULL};
  const SarFmiDocument a = {.description = &p->description,
                            .name = p->o->name,
                            .identifier = p->o->identifier,
                            .cs = true,
                            .fixed_steps = true,
                            .end = p->m->sim.end,
                            .step = p->step,
                            .states = true,
                            .source = files};
  if (!code || !sar_memory_open(&p->fmu) || !sar_memory_open(&p->xml) ||
      !sar_memory_open(&p->build))
    return SAR_NO_MEMORY;
  put_shim(p, p->fmu.out);
  (p->o->version == 2 ? sar_fmi2_write : sar_fmi3_write)(&a, p->xml.out);
  sar_fmi3_write_build(&a, p->build.out);
  const bool good = sar_memory_close(&p->fmu) && sar_memory_close(&p->xml);
  return sar_memory_close(&p->build) && good ? SAR_OK : SAR_NO_MEMORY;
}

static SarStatus write_archive(Sources* p) {
  const SarGeneration* g = &p->g;
  const char* name = p->o->identifier;
  const SarArchiveFile all[] = {
      {.name = "modelDescription.xml", .text = p->xml.text, .size = p->xml.size},
      {.name = sar_arena_printf(&p->arena, "sources/%s.h", name),
       .text = g->header.text.items,
       .size = (size_t)g->header.text.count},
      {.name = sar_arena_printf(&p->arena, "sources/%s.c", name),
       .text = g->source.text.items,
       .size = (size_t)g->source.text.count},
      {.name = "sources/fmu.c", .text = p->fmu.text, .size = p->fmu.size},
      {.name = "sources/buildDescription.xml", .text = p->build.text, .size = p->build.size}};
  if (p->arena.failed) return SAR_NO_MEMORY;
  return sar_archive_write(p->o->out, all, p->o->version == 2 ? 4 : 5, p->err);
}

SarStatus sar_fmi_export_source(const SarFmiExport* o, SarFmiReport* report, SarError* err) {
  Sources* p = sar_alloc(sizeof *p);
  if (!p) return SAR_NO_MEMORY;
  p->o = o;
  p->err = err;
  sar_arena_init(&p->arena);
  SarStatus st = generate(p);
  if (st == SAR_OK) st = describe(p);
  if (st == SAR_OK) st = write_texts(p);
  if (st == SAR_OK) st = write_archive(p);
  const SarFmiDescription* d = &p->description;
  *report = (SarFmiReport){.inputs = d->num[SAR_FMI_INPUT],
                           .outputs = d->num[SAR_FMI_OUTPUT],
                           .left_out = d->left_out,
                           .states = d->num[SAR_FMI_STATE]};
  if (p->s) {
    sar_snprintf(report->formulation, sizeof report->formulation, "%s", p->s->formulation->name);
    sar_snprintf(report->integrator, sizeof report->integrator, "%s", p->s->integrator->name);
  }
  sar_memory_free(&p->fmu);
  sar_memory_free(&p->xml);
  sar_memory_free(&p->build);
  sar_sim_free(p->s);
  sar_data_free(p->d);
  sar_model_free(p->m);
  sar_arena_free(&p->arena);
  sar_free(p);
  return st;
}
