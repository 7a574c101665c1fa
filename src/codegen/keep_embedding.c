// Loops by embedding over terms with parameters (keep.h): closing by Newton's method, accelerations
// of independent coordinates. Which these are, and the numbers that pivots are measured by, are
// those of the values of the file.
#include "codegen/keep.h"

#include "base/print.h"

#include <string.h>

static SarNode* nodes(SarArena* arena, int n) { return SAR_ARENA_ARRAY(arena, SarNode, n + 1); }

// The state in the graph of the terms.
static void name_state(SarSymbols* s) {
  char name[32];
  s->t = sar_sym_symbol(s->g, "t");
  for (int i = 0; i < s->m->nq; i++) {
    sar_snprintf(name, sizeof name, "q[%d]", i);
    s->q[i] = sar_sym_symbol(s->g, name);
  }
  for (int i = 0; i < s->m->nv; i++) {
    sar_snprintf(name, sizeof name, "v[%d]", i);
    s->v[i] = sar_sym_symbol(s->g, name);
  }
}

static SarNode* copy(SarArena* arena, const SarNode* x, int n) {
  SarNode* y = nodes(arena, n);
  if (y && n > 0) memcpy(y, x, (size_t)n * sizeof *y);
  return y;
}

// Derivatives are those of the terms as they were.
bool sar_kept_embed(SarGeneration* g) {
  const SarModel* m = g->m;
  SarSymbols *s = &g->symbols, *l = &g->loops;
  l->g = s->g;
  l->Phi = s->Phi, l->Phi_t = s->Phi_t, l->Psi = s->Psi, l->gamma = s->gamma, l->rest = s->rest;
  l->mass = NULL;
  name_state(s);
  name_state(l);
  g->terms = *s;
  g->terms.rest = copy(g->arena, s->rest, m->nv);
  g->terms.gamma = copy(g->arena, s->gamma, m->nrow);
  g->terms.z_rate = copy(g->arena, s->z_rate, m->nz);
  g->terms.v = copy(g->arena, s->v, m->nv);
  SarNode* channel = nodes(g->arena, m->nchannel);
  int n = 0;
  if (g->arena->failed || !sar_symbols_newton(l, g->partition, &g->newton)) return false;
  for (int i = 0; i < m->nchannel; i++)
    if (g->channel[i] >= 0) channel[n++] = g->channel[i];
  if (!sar_symbols_embed_terms(s, g->partition, n, channel)) return false;
  for (int i = m->nchannel - 1; i >= 0; i--)
    if (g->channel[i] >= 0) g->channel[i] = channel[--n];
  return true;
}
