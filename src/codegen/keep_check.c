// Do the terms of generated code hold for other values of the parameters that are kept? (keep.h)
//
// They were found from values within half of those of the file. A parameter that goes through a
// kink (min, max, abs, a table) may act otherwise farther away, and nothing there would show it. So
// the terms are compared with those of models compiled for values far off, as numbers, at a state
// of no meaning.
#include "codegen/keep.h"
#include "codegen/slots.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double FACTOR[] = {0.03, 0.3, 4, 40};
enum { FACTORS = sizeof FACTOR / sizeof *FACTOR, DRAWS = 6 };
// rounding is far less, a kink far more
static const double SHARE = 1e-6, ROUNDING = 1e-9;

typedef struct Place {
  const SarModel* m;
  const SarGenerateOptions* o;
} Place;

// Slots before those of the parameters: the symbols of the model, accelerations, whose instant it
// is, what delays keep.
static int slots_before(const SarModel* m) {
  return sar_symbols_slots(m) + m->nv + 2 * m->ndiscrete;
}

static int slot_of(void* context, const char* name) {
  const Place* p = context;
  const int first = sar_symbols_slots(p->m);
  int i;
  for (i = 0; i < p->o->keeps; i++)
    if (strcmp(name, p->o->keep[i]) == 0) return slots_before(p->m) + i;
  if (sscanf(name, "a[%d]", &i) == 1) return first + i;
  if (sscanf(name, "due[%d]", &i) == 1) return first + p->m->nv + i;
  if (sscanf(name, "kept[%d]", &i) == 1) return first + p->m->nv + p->m->ndiscrete + i;
  return sar_symbols_slot(p->m, name);
}

static double* evaluate(const Place* p, SarArena* arena, SarGraph* g, int n, const SarNode* node,
                        const double* slot) {
  SarTape tape;
  if (!sar_tape_build(arena, g, n, node, slot_of, (void*)(uintptr_t)p, &tape)) return NULL;
  double* scratch = SAR_ARENA_ARRAY(arena, double, tape.registers + 1);
  double* out = SAR_ARENA_ARRAY(arena, double, n + 1);
  if (scratch && out) sar_tape_eval(&tape, slot, scratch, out);
  return scratch ? out : NULL;
}

static bool are_same(int n, const double* x, const double* y) {
  double largest = 0;
  for (int i = 0; i < n; i++)
    if (isfinite(x[i])) largest = fmax(largest, fabs(x[i]));
  for (int i = 0; i < n; i++)
    if (isfinite(x[i]) &&
        !(fabs(x[i] - y[i]) <= SHARE * fmax(fabs(x[i]), fabs(y[i])) + ROUNDING * largest))
      return false;
  return true;
}

// Values far away, the same in every run: the first draws turn one sign each.
static void draw(const SarGeneration* g, int k, double* value) {
  for (int j = 0; j < g->o.keeps; j++) {
    const double nominal = g->kept[j], factor = FACTOR[(7 * k + 3 * j + k * j) % FACTORS];
    value[j] = nominal != 0 ? nominal * factor : factor;
    if (k < g->o.keeps) value[j] = k == j ? -nominal : nominal;
  }
}

bool sar_kept_terms_hold(const SarGeneration* g, SarKeptBuild* build, void* context,
                         SarGraph* graph, int n, const SarNode* node) {
  const Place p = {g->m, &g->o};
  const int first = slots_before(g->m);
  bool hold = true;
  for (int k = 0; k < g->o.keeps + DRAWS && hold; k++) {
    SarArena arena;
    SarGraph* other;
    sar_arena_init(&arena);
    double* slot = SAR_ARENA_ARRAY(&arena, double, first + g->o.keeps + 1);
    SarNode* output = SAR_ARENA_ARRAY(&arena, SarNode, n + 1);
    for (int i = 0; slot && i < first; i++) slot[i] = 0.3 + 0.9 * fabs(sin(1.7 * i + k));
    if (slot) draw(g, k, slot + first);
    if (slot && output && build(context, slot + first, &arena, &other, output)) {
      const double* x = evaluate(&p, &arena, other, n, output, slot);
      const double* y = evaluate(&p, &arena, graph, n, node, slot);
      hold = !x || !y || are_same(n, x, y);
    }
    sar_arena_free(&arena);
  }
  return hold;
}
