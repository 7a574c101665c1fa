// What force elements have beside their attributes: constants whose number follows from these,
// numbers that they leave for each other, states of their own, and the order in which they are
// applied.
#include "model/compile/parts.h"

// States NAME.inflow, ... in the order of the elements. False: no memory.
static bool add_states(Compile* c, int force) {
  SarModel* m = &c->m;
  const SarForceKind* kind = m->force_kind[force];
  const char* element = c->text.items + m->force_name[force];
  const Item item = {"force", sar_arena_strdup(&c->arena, element), c->force_loc[force]};
  const int count = kind->states(m, force);
  for (int i = 0; item.name && i < count; i++) {
    const char* name =
        sar_arena_printf(&c->arena, "%s.%s", item.name, kind->state_name(m, force, i));
    const int state = name ? sar_add_own_state(c, name, item, 0) : -1;
    if (state < 0) return !c->arena.failed;
    if (i == 0) m->force_state[force] = state;
  }
  return !c->arena.failed;
}

static bool has_more(const SarModel* m) {
  for (int i = 0; i < m->nforce; i++)
    if (m->force_kind[i]->ncache > 0 || m->force_kind[i]->states || m->force_kind[i]->late)
      return true;
  return false;
}

static bool take_constants(Compile* c) {
  SarModel* m = &c->m;
  for (int i = 0; i < m->nforce; i++) {
    if (!m->force_kind[i]->constants || !c->force_sound[i]) continue;
    m->attr_data = c->attr_data.items;
    m->force_constant_adr[i] = sar_take_data(c, m->force_kind[i]->constants(m, i));
  }
  m->attr_data = c->attr_data.items;
  return !c->arena.failed;
}

bool sar_compile_element_states(Compile* c) {
  SarModel* m = &c->m;
  int order = 0;
  if (!take_constants(c)) return false;
  if (!has_more(m)) return true;
  m->ncache_force = m->nforce;
  m->force_cache_adr = SAR_ARENA_ARRAY(&c->arena, int, m->nforce);
  m->force_state = SAR_ARENA_ARRAY(&c->arena, int, m->nforce);
  m->force_order = SAR_ARENA_ARRAY(&c->arena, int, m->nforce);
  m->force_kept_adr = SAR_ARENA_ARRAY(&c->arena, int, m->nforce);
  if (c->arena.failed) return false;
  for (int late = 0; late < 2; late++)
    for (int i = 0; i < m->nforce; i++)
      if (m->force_kind[i]->late == late) m->force_order[order++] = i;
  for (int i = 0; i < m->nforce; i++) {
    m->force_cache_adr[i] = m->nforce_cache;
    const SarForceKind* kind = m->force_kind[i];
    m->nforce_cache += kind->cache ? kind->cache(m, i) : kind->ncache;
    m->force_state[i] = m->force_kept_adr[i] = -1;
    if (m->force_kind[i]->kept && c->force_sound[i]) {
      m->force_kept_adr[i] = m->nforce_kept;
      m->nforce_kept += m->force_kind[i]->kept(m, i);
    }
    if (m->force_kind[i]->states && c->force_sound[i] && !add_states(c, i)) return false;
  }
  return true;
}
