// Compiled steps over lanes (stepper.h).
#include "codegen/stepper.h"

#include "base/alloc.h"
#include "base/print.h"
#include "codegen/compiled.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BODIES = 2000 };

typedef int Function(double* state, const double* input, double h);

struct SarStepper {
  SarCompiled compiled;
  Function* function;
  int lanes, state_rows, input_rows;
};

int sar_stepper_lanes(void) {
#if defined __x86_64__ && defined __GNUC__
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) return 8;
  if (__builtin_cpu_supports("avx2")) return 4;
#endif
  return 1;
}

// Vectors of that width, where the processor has them. Vectors are in the text already: compilers
// are to make no others, because GCC 12 then fuses a product with sums and differences by turns
// (vfmaddsub) also where contraction is off.
static const char* const* options_of(int lanes) {
  static const char* const none[] = {"-fno-tree-vectorize", NULL};
  static const char* const avx2[] = {"-march=x86-64-v3", "-mtune=native", "-fno-tree-vectorize",
                                     NULL};
  static const char* const avx512[] = {"-march=x86-64-v4", "-mtune=native",
                                       "-mprefer-vector-width=512", "-fno-tree-vectorize", NULL};
  const int has = sar_stepper_lanes();
  return lanes == 8 && has == 8 ? avx512 : lanes > 1 && has >= 4 ? avx2 : none;
}

// ---- text ---------------------------------------------------------------------------------------

// How the model was loaded, with its own values of the parameters that are kept.
static bool load_as(const SarStepperKept* kept, SarArena* arena, SarLoadOptions* load) {
  *load = kept->load ? *kept->load : (SarLoadOptions){0};
  SarParameter* all = SAR_ARENA_ARRAY(arena, SarParameter, load->parameter_count + kept->count + 1);
  int n = 0;
  if (!all) return false;
  for (; n < kept->count; n++) all[n] = (SarParameter){kept->name[n], kept->value[n]};
  for (int i = 0; i < load->parameter_count; i++) {
    bool given = false;
    for (int k = 0; k < kept->count; k++)
      given = given || strcmp(load->parameters[i].name, kept->name[k]) == 0;
    if (!given) all[n++] = load->parameters[i];
  }
  load->parameters = all;
  load->parameter_count = n;
  load->on_file = NULL;
  return true;
}

static SarStatus generate(SarGeneration* g, const SarModel* m, const SarData* start,
                          const SarGenerateOptions* o, SarArena* arena, SarError* err) {
  SAR_TRY(sar_generation_begin(g, m, start, o, arena, err));
  return sar_generation_keep(g, err);
}

static SarStatus write_source(SarStepper* p, const SarModel* m, const SarData* start,
                              SarGenerateIntegrator integrator, const SarStepperKept* kept,
                              SarArena* arena, SarWriter* source, char* note, size_t size) {
  SarError err;
  SarGeneration g;
  SarLoadOptions load;
  SarWriter aside = {.arena = arena};
  SarGenerateOptions o = {
      .name = "batch",
      .model = "batch",
      .method = m->nrow > 0 ? SAR_GENERATE_LAGRANGE
                : kept      ? SAR_GENERATE_CRBA
                            : SAR_GENERATE_ABA,
      .integrator = integrator,
      .lanes = p->lanes,
      .bare = true,  // columns are the interpreter's
  };
  sar_error_init(&err);
  if (kept) {
    if (!load_as(kept, arena, &load)) return SAR_NO_MEMORY;
    o.model = kept->file;
    o.load = &load;
    o.keeps = kept->count;
    o.keep = kept->name;
  }
  if (m->nbody > MOST_BODIES) {
    sar_snprintf(note, size, "the model has %d bodies, more than %d", m->nbody, MOST_BODIES);
    return SAR_NOT_OFFERED;
  }
  const SarStatus st = generate(&g, m, start, &o, arena, &err);
  if (st != SAR_OK) {
    sar_snprintf(note, size, "%s", err.errors ? err.items[0].text : sar_status_text(st));
    return st;
  }
  return sar_generation_lanes(&g, true, &aside, source, &aside);
}

// ---- life ---------------------------------------------------------------------------------------

static SarStatus make(SarStepper* p, const SarModel* m, const SarData* start,
                      SarGenerateIntegrator integrator, const SarStepperKept* kept, char* note,
                      size_t size) {
  const char* wish = getenv("SARRUS_GENERATED");
  SarArena arena;
  if (wish && strcmp(wish, "tape") == 0) {
    sar_snprintf(note, size, "SARRUS_GENERATED asks for no compiler");
    return SAR_NOT_OFFERED;
  }
  sar_arena_init(&arena);
  SarWriter source = {.arena = &arena};
  SarStatus st = write_source(p, m, start, integrator, kept, &arena, &source, note, size);
  if (st == SAR_OK && !sar_compiled_open(&p->compiled, source.text.items, (size_t)source.text.count,
                                         "batch_lanes_step", options_of(p->lanes), note, size))
    st = SAR_NOT_OFFERED;
  sar_arena_free(&arena);
  // a pointer to an object that is one to a function: POSIX says so of dlsym
  if (st == SAR_OK) memcpy(&p->function, &p->compiled.function, sizeof p->function);
  return st;
}

SarStatus sar_stepper_new(const SarModel* m, const SarData* start, SarGenerateIntegrator integrator,
                          int lanes, const SarStepperKept* kept, SarStepper** out, char* note,
                          size_t size) {
  SarStepper* p = *out = sar_alloc(sizeof *p);
  note[0] = '\0';
  if (!p) return SAR_NO_MEMORY;
  p->lanes = lanes;
  p->state_rows = 1 + m->nq + m->nv + m->nz;
  p->input_rows = (m->nv + m->ninput > 0 ? m->nv + m->ninput : 1) + (kept ? kept->count : 0);
  const SarStatus st = make(p, m, start, integrator, kept, note, size);
  if (st == SAR_OK) return SAR_OK;
  sar_stepper_free(p);
  *out = NULL;
  return st;
}

void sar_stepper_free(SarStepper* p) {
  if (!p) return;
  sar_compiled_close(&p->compiled);
  sar_free(p);
}

int sar_stepper_width(const SarStepper* p) { return p->lanes; }
int sar_stepper_state_rows(const SarStepper* p) { return p->state_rows; }
int sar_stepper_input_rows(const SarStepper* p) { return p->input_rows; }

int sar_stepper_step(const SarStepper* p, double* state, const double* input, double h) {
  return p->function(state, input, h);
}
