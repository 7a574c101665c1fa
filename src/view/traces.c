// Points of a mechanism whose paths are worth drawing (traces.h).
#include "view/traces.h"

#include "sim/outputs/outputs.h"

#include <string.h>

static void add(SarArena* arena, SarTraceList* out, const char* name, int body, V3 point) {
  SarTrace* t = SAR_LIST_ADD(arena, out);
  if (t) *t = (SarTrace){name, body, point};
}

bool sar_trace_named(const SarModel* m, SarArena* arena, const char* name, SarTraceList* out) {
  for (int i = 0; i < m->npoint; i++)
    if (strcmp(sar_text(m, m->point[i].name), name) == 0) {
      add(arena, out, name, m->point[i].body, m->point[i].X_BP.p);
      return true;
    }
  const int holder = sar_model_find(m, SAR_ITEM_BODY, name);
  if (holder < 0) return false;
  const int body = sar_holder_body(m, holder);
  const Inertia I = body < 0 || body >= m->nbody ? inertia_zero() : m->body_inertia[body];
  add(arena, out, name, body,
      holder < m->nbody && I.m > 0 ? v3_scale(1 / I.m, I.h) : sar_holder_X_BU(m, holder).p);
  return true;
}

// "arm.tip" of the column "arm.tip.x"
static const char* owner_of_column(SarArena* arena, const char* column) {
  const char* dot = strrchr(column, '.');
  return sar_arena_strndup(arena, column, dot ? (size_t)(dot - column) : strlen(column));
}

// The points that the model puts out.
static void add_outputs(const SarModel* m, SarArena* arena, int most, SarTraceList* out) {
  for (int i = 0; i < m->nchannel && out->count < most; i++) {
    const SarChannel* c = &m->channel[i];
    if (c->kind != &sar_output_body_position || c->component != 0 || c->index < 0) continue;
    const char* name = owner_of_column(arena, sar_text(m, c->name));
    // of a whole body the mass centre tells more than the origin of its frame
    if (name && sar_model_find(m, SAR_ITEM_BODY, name) >= 0)
      sar_trace_named(m, arena, name, out);
    else if (name)
      add(arena, out, name, c->index, c->point);
  }
}

// Few bodies at the ends of chains: their last named points, or mass centres.
static void add_tips(const SarModel* m, SarArena* arena, int most, SarTraceList* out) {
  enum { FEW = 4 };
  int tips = 0;
  for (int b = 0; b < m->nbody; b++) tips += m->body_subtree[b] == 1;
  if (tips > FEW) return;
  for (int b = 0; b < m->nbody && out->count < most; b++) {
    if (m->body_subtree[b] > 1) continue;
    const char* name = sar_text(m, m->body_name[b]);
    for (int i = 0; i < m->npoint; i++)
      if (m->point[i].body == b) name = sar_text(m, m->point[i].name);
    sar_trace_named(m, arena, name, out);
  }
}

void sar_trace_usual(const SarModel* m, SarArena* arena, int most, SarTraceList* out) {
  add_outputs(m, arena, most, out);
  if (out->count == 0) add_tips(m, arena, most, out);
}
