// Life of the natural coordinates of a model.
#include "formulations/natural/natural.h"

#include "base/alloc.h"
#include "formulations/natural/build.h"
#include "model/room.h"

#include <string.h>

static void* kept(SarArena* arena, const void* items, int n, size_t size) {
  void* to = sar_arena_push(arena, ((size_t)n + 1) * size);
  if (to && n > 0) memcpy(to, items, (size_t)n * size);
  return to;
}

// The rows, out of the memory that dies with the set-up.
static void keep(Build* b) {
  SarNatural* p = b->p;
  SarArena* arena = &p->arena;
  p->nrow = b->rows.count;
  p->nterm = b->terms.count;
  p->nform = b->forms.count;
  p->nentry = b->entries.count;
  p->row = kept(arena, b->rows.items, p->nrow, sizeof *p->row);
  p->term = kept(arena, b->terms.items, p->nterm, sizeof *p->term);
  p->form = kept(arena, b->forms.items, p->nform, sizeof *p->form);
  p->entry_item = kept(arena, b->entries.items, p->nentry, sizeof *p->entry_item);
  p->entry = SAR_ARENA_ARRAY(arena, V3, p->nentry + 1);
  p->Phi = SAR_ARENA_ARRAY(arena, double, p->nrow + 1);
  p->Phi_t = SAR_ARENA_ARRAY(arena, double, p->nrow + 1);
  p->Phi_dot = SAR_ARENA_ARRAY(arena, double, p->nrow + 1);
  p->bias = SAR_ARENA_ARRAY(arena, double, p->nrow + 1);
}

static void build(Build* b) {
  void (*const steps[])(Build*) = {
      sar_natural_parts,      sar_natural_share,     sar_natural_bases,   sar_natural_node_rows,
      sar_natural_joint_rows, sar_natural_file_rows, sar_natural_inertia, keep};
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
    if (!b->arena->failed && !b->p->arena.failed) steps[i](b);
}

SarStatus sar_natural_new(const SarModel* m, SarNatural** out, SarError* err) {
  SarArena scratch;
  const int before = err ? err->count : 0;
  SarNatural* p = *out = sar_alloc(sizeof *p);
  if (!p) return SAR_NO_MEMORY;
  p->budget = sar_budget_for(m, sizeof *p, "making natural coordinates");
  p->arena = (SarArena){.budget = &p->budget};
  sar_arena_beside(&scratch, &p->arena);
  p->m = m;
  Build b = {.p = p, .m = m, .arena = &scratch, .err = err};
  build(&b);
  SarStatus st = scratch.failed || p->arena.failed ? SAR_NO_MEMORY : SAR_OK;
  if (st == SAR_OK && err && err->count > before) st = SAR_NOT_OFFERED;
  sar_arena_free(&scratch);
  if (st == SAR_OK) return st;
  st = sar_budget_verdict(&p->budget, st, err);
  sar_natural_free(p);
  *out = NULL;
  return st;
}

void sar_natural_free(SarNatural* p) {
  if (p) sar_arena_free(&p->arena);
  sar_free(p);
}
