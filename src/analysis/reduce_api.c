// Reducing a beam to a modal body as one call (sarrus/analyses.h).
#include "analysis/reduce.h"
#include "base/alloc.h"
#include "base/sized.h"
#include "output/modal_file.h"

#include <math.h>
#include <string.h>

static const double TWO_PI = 6.28318530717958647693;

struct SarReduction {
  SarReductionReport report;
  SarReducedBeam beam;
  SarArena arena;
};

SAR_API void sar_reduce_options_sized(SarReduceOptions* out, size_t size) {
  const SarReduceOptions o = {.size = size, .modes = 4, .attach_count = -1};
  if (out) sar_give(out, size, &o, sizeof o);
}

// Numbers of the nodes by name, each once.
static SarStatus find_nodes(SarReduction* r, const SarModel* m, const SarReduceOptions* o,
                            SarBeamCut* cut, SarError* err) {
  static const char* const usual[] = {"end"};
  const bool given = o->attach_count >= 0;
  const int count = given ? o->attach_count : 1;
  const char* const* name = given ? o->attach : usual;
  int* node = SAR_ARENA_ARRAY(&r->arena, int, count + 1);
  if (!node) return SAR_NO_MEMORY;
  for (int i = 0; i < count; i++) {
    const int k = name && name[i] ? sar_reduce_node(m, cut->beam, name[i]) : -1;
    bool again = false;
    if (k < 0) {
      sar_report(err, (SarLoc){0}, "nodes are 1, 2, ... and end",
                 "beam '%.60s' has no node '%.60s' behind its start", cut->beam,
                 name && name[i] ? name[i] : "");
      return SAR_BAD_ARGUMENT;
    }
    for (int j = 0; j < cut->attached_count; j++) again = again || node[j] == k;
    if (!again) node[cut->attached_count++] = k;
  }
  cut->attached = node;
  return SAR_OK;
}

static SarStatus fill_report(SarReduction* r, const char* beam, int keep) {
  const SarModalShape* s = r->beam.shape;
  const int modes = keep > 0 && keep < s->modes ? keep : s->modes;
  double* frequency = SAR_ARENA_ARRAY(&r->arena, double, modes);
  if (!frequency) return SAR_NO_MEMORY;
  for (int i = 0; i < modes; i++)
    frequency[i] = sqrt(fmax(0, s->stiffness[i * s->modes + i])) / TWO_PI;
  r->report = (SarReductionReport){.beam = beam,
                                   .nodes = s->nodes,
                                   .modes = modes,
                                   .frequency = frequency,
                                   .damping = s->damping};
  return SAR_OK;
}

static SarStatus reduce(SarReduction* r, const SarModel* m, const SarReduceOptions* o,
                        SarError* err) {
  SarBeamCut cut = {
      .beam = sar_reduce_beam(&r->arena, m, o->beam, err), .modes = o->modes, .linear = o->linear};
  if (!cut.beam) return r->arena.failed ? SAR_NO_MEMORY : SAR_BAD_ARGUMENT;
  if (o->modes < 0 || o->keep < 0) {
    sar_report(err, (SarLoc){0}, "", "%d modes, of which %d are kept: expected 0 or more", o->modes,
               o->keep);
    return SAR_BAD_ARGUMENT;
  }
  SAR_TRY(find_nodes(r, m, o, &cut, err));
  SAR_TRY(sar_reduce_to(&r->arena, m, &cut, &r->beam, err));
  return fill_report(r, cut.beam, o->keep);
}

SAR_API SarStatus sar_reduce(const SarModel* m, const SarReduceOptions* o, SarReduction** out,
                             SarError* err) {
  SAR_GIVEN(out);
  *out = NULL;
  SAR_GIVEN(m);
  SarReduceOptions full = sar_reduce_options();
  if (o) SAR_TRY(sar_take_options(&full, sizeof full, o, "sar_reduce_options", err));
  SarReduction* r = sar_alloc(sizeof *r);
  if (!r) return SAR_NO_MEMORY;
  sar_arena_init(&r->arena);
  const SarStatus st = reduce(r, m, &full, err);
  if (st == SAR_OK)
    *out = r;
  else
    sar_reduction_free(r);
  return st;
}

SAR_API const SarReductionReport* sar_reduction_report(const SarReduction* r) {
  return r ? &r->report : NULL;
}

SAR_API SarStatus sar_reduction_write(const SarReduction* r, const char* path, const char* comment,
                                      SarError* err) {
  SAR_GIVEN(r);
  SAR_GIVEN(path);
  const SarReducedBeam* b = &r->beam;
  const SarModalFile file = {.comment = comment ? comment : "A beam, reduced to a modal body.",
                             .name = r->report.beam,
                             .in = b->holder,
                             .X = b->X_HE,
                             .node = b->node,
                             .shape = b->shape,
                             .radius = b->radius,
                             .modes = r->report.modes};
  return sar_modal_save(path, &file, err);
}

SAR_API void sar_reduction_free(SarReduction* r) {
  if (!r) return;
  sar_arena_free(&r->arena);
  sar_free(r);
}
