// `initial`: equations that hold at the start. Those that know of a speed are met when the
// positions are known, all others with the positions (sim/assemble.c).
#include "model/compile/parts.h"

#include <math.h>

typedef struct Kinds {
  Compile* c;
  bool position, speed, last;  // what it measures: places, speeds, values of the last step
} Kinds;

static void look_at(void* context, const char* name) {
  Kinds* k = context;
  SarMeasure measure;
  if (!sar_find_measure(k->c, name, &measure)) return;
  switch (measure.kind) {
    case SAR_MEASURE_V:
    case SAR_MEASURE_SPEED:
    case SAR_MEASURE_OMEGA: k->speed = true; break;
    case SAR_MEASURE_HELD: k->last = true; break;
    default: k->position = true; break;
  }
}

static bool take_equation(Compile* c, const SpecEquation* spec, SarInitial* out) {
  const Item item = {"initial", spec->text.text, spec->text.loc};
  const SarNode e = sar_bound(c, spec->residual, item, "equation", NULL);
  const SarNode whole = e >= 0 ? sar_expanded(c, e) : SAR_NONE;
  Kinds kinds = {.c = c};
  if (whole < 0) return false;
  sar_sym_visit(c->graph, whole, look_at, &kinds);
  if (kinds.last || (!kinds.position && !kinds.speed)) {
    sar_complain(c, item, item.loc, "compare places, angles or speeds: arm.tip.z == 0.3",
                 kinds.last ? "the last step's values are not known at the start"
                            : "is about nothing that moves");
    return false;
  }
  *out = (SarInitial){
      .expr = sar_idle_of(c, e),
      .speed = kinds.speed,
      .text = sar_intern(c, item.name),
      .at = {sar_intern(c, item.loc.file ? item.loc.file : ""), item.loc.line, item.loc.column}};
  // what it measures follows from the tree alone, also where no force asks for it
  return out->expr >= 0;
}

// In the order of their texts, so that no bit depends on the order in the file.
bool sar_compile_initial(Compile* c) {
  const int n = c->spec->initial.count;
  const SpecEquation* list = c->spec->initial.items;
  Named* named = SAR_ARENA_ARRAY(&c->arena, Named, n + 1);
  c->m.initial = SAR_ARENA_ARRAY(&c->arena, SarInitial, n + 1);
  if (!c->m.initial || !named) return false;
  for (int i = 0; i < n; i++) named[i] = (Named){list[i].text.text ? list[i].text.text : "", i};
  sar_sort_named(named, n);
  for (int i = 0; i < n; i++)
    if (take_equation(c, &list[named[i].index], &c->m.initial[c->m.ninitial])) c->m.ninitial++;
  return !c->arena.failed;
}
