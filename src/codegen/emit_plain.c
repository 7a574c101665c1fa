// Functions without loops over families: numbers for the symbols of twins (families.h).
#include "codegen/families.h"
#include "symbolic/rewrite.h"

typedef struct Plain {
  const SarTwins* twins;
  SarGraph *from, *to;
} Plain;

static SarNode number_of_twin(void* context, SarNode n) {
  const Plain* p = context;
  double value;
  const char* name = sar_node_name(p->from, n);
  return name && sar_twins_value(p->twins, name, &value) ? sar_sym_number(p->to, value) : SAR_NONE;
}

bool sar_twins_put_numbers(const SarTwins* t, SarGraph* from, int n, const SarNode* x, SarGraph* to,
                           SarNode* out) {
  Plain p = {t, from, to};
  return sar_sym_translate(from, n, x, to, number_of_twin, &p, out);
}

bool sar_emit_plain(SarEmit* e, int n, const SarAssign* assign, const SarTwins* twins,
                    SarNode* node, SarEmitted* done) {
  SarEmit plain = *e;
  SarAssign* to = SAR_ARENA_ARRAY(e->arena, SarAssign, n + 1);
  plain.g = sar_graph_new(e->arena);
  if (!to || !plain.g || !sar_twins_put_numbers(twins, e->g, n, node, plain.g, node)) return false;
  for (int i = 0; i < n; i++) to[i] = (SarAssign){node[i], assign[i].to};
  return sar_emit_functions(&plain, n, to, done);
}
