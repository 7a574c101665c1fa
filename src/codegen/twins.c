// Branches that are alike (twins.h).
#include "codegen/twins.h"

#include "base/print.h"

#include <stdio.h>
#include <string.h>

// ---- branches -----------------------------------------------------------------------------------

static int size_of(const SarModel* m, int b) {  // subtrees are contiguous
  int end = b + 1;
  while (end < m->nbody && m->body_parent[end] >= b) end++;
  return end - b;
}

static bool is_like(const SarModel* m, int a, int b) {
  const int n = size_of(m, a);
  if (n != size_of(m, b) || m->body_parent[a] != m->body_parent[b]) return false;
  for (int i = 0; i < n; i++)
    if (m->joint_class[a + i] != m->joint_class[b + i] ||
        m->joint_kind[a + i] != m->joint_kind[b + i] ||
        (i > 0 && m->body_parent[a + i] - a != m->body_parent[b + i] - b))
      return false;
  return true;
}

// All branches like that of body b; then they have a group.
static bool take_branches(SarTwins* t, int b) {
  const SarModel* m = t->m;
  SarTwinGroup g = {.bodies = size_of(m, b)};
  g.body = SAR_ARENA_ARRAY(t->arena, int, m->nbody + 1);
  if (!g.body) return false;
  for (int i = b; i < m->nbody; i++)
    if (t->body[i].group < 0 && is_like(m, b, i)) g.body[g.members++] = i;
  if (g.members < 2) return true;
  for (int k = 0; k < g.members; k++)
    for (int i = 0; i < g.bodies; i++)
      t->body[g.body[k] + i] = (SarTwinPlace){t->group.count, k, i};
  SarTwinGroup* to = SAR_LIST_ADD(t->arena, &t->group);
  if (to) *to = g;
  return to != NULL;
}

// ---- pairs --------------------------------------------------------------------------------------

static int group_of(const SarTwins* t, int body) { return body < 0 ? -1 : t->body[body].group; }

// The group that a pair joins to a body outside of it; -1: none.
static int joins(const SarTwins* t, const SarPair* p) {
  const int a = group_of(t, p->body[0]), b = group_of(t, p->body[1]);
  return a >= 0 && b >= 0 ? -1 : a >= 0 ? a : b;
}

static bool is_like_pair(const SarTwins* t, const SarPair* a, const SarPair* b) {
  if (a->terms != b->terms || a->num != b->num) return false;
  for (int i = 0; i < 2; i++) {
    const int x = a->body[i], y = b->body[i];
    if (group_of(t, x) < 0 ? x != y : group_of(t, y) < 0 || t->body[x].at != t->body[y].at)
      return false;
  }
  for (int i = 0; i < a->terms; i++)
    if (t->m->term[a->term + i].kind != t->m->term[b->term + i].kind) return false;
  return true;
}

static int member_of(const SarTwins* t, const SarPair* p) {
  return t->body[p->body[group_of(t, p->body[0]) >= 0 ? 0 : 1]].member;
}

static bool list_pairs(SarTwins* t, int which) {
  const SarModel* m = t->m;
  SarTwinGroup* g = &t->group.items[which];
  int* count = SAR_ARENA_ARRAY(t->arena, int, g->members + 1);
  g->pair = SAR_ARENA_ARRAY(t->arena, int, g->members * m->npair + 1);
  if (!count || !g->pair) return false;
  for (int i = 0; i < m->npair; i++) {
    if (joins(t, &m->pair[i]) != which) continue;
    const int k = member_of(t, &m->pair[i]);
    g->pair[k * m->npair + count[k]++] = i;
  }
  for (int k = 1; k < g->members; k++)
    if (count[k] != count[0]) return true;
  for (int i = 0; i < count[0]; i++)
    for (int k = 1; k < g->members; k++)
      if (!is_like_pair(t, &m->pair[g->pair[i]], &m->pair[g->pair[k * m->npair + i]])) return true;
  g->pairs = count[0];
  for (int k = 0; k < g->members; k++)
    for (int i = 0; i < g->pairs; i++) {
      g->pair[k * g->pairs + i] = g->pair[k * m->npair + i];
      t->pair[g->pair[k * g->pairs + i]] = (SarTwinPlace){which, k, i};
    }
  return true;
}

SarTwins* sar_twins_none(SarArena* arena, const SarModel* m) {
  SarTwins* t = SAR_ARENA_NEW(arena, SarTwins);
  if (!t) return NULL;
  *t = (SarTwins){.m = m, .arena = arena};
  t->body = SAR_ARENA_ARRAY(arena, SarTwinPlace, m->nbody + 1);
  t->pair = SAR_ARENA_ARRAY(arena, SarTwinPlace, m->npair + 1);
  if (!t->body || !t->pair) return NULL;
  for (int i = 0; i < m->nbody; i++) t->body[i].group = -1;
  for (int i = 0; i < m->npair; i++) t->pair[i].group = -1;
  return t;
}

SarTwins* sar_twins_find(SarArena* arena, const SarModel* m) {
  SarTwins* t = sar_twins_none(arena, m);
  if (!t) return NULL;
  for (int b = 0; b < m->nbody; b++)
    if (t->body[b].group < 0 && !take_branches(t, b)) return NULL;
  for (int i = 0; i < t->group.count; i++)
    if (!list_pairs(t, i)) return NULL;
  return t;
}

// ---- numbers ------------------------------------------------------------------------------------

SarNode sar_twins_number(SarTwins* t, SarGraph* g, int kind, int members, const double* value,
                         int member) {
  bool same = true;
  for (int k = 1; k < members; k++) same = same && value[k] == value[0];
  if (same) return sar_sym_number(g, value[member]);
  return sar_twins_own_number(t, g, kind, value[member]);
}

SarNode sar_twins_own_number(SarTwins* t, SarGraph* g, int kind, double value) {
  int at = 0;
  while (at < t->number.count && t->number.items[at] != value) at++;
  if (at == t->number.count) {
    double* to = SAR_LIST_ADD(t->arena, &t->number);
    if (!to) return SAR_NONE;
    *to = value;
  }
  char name[48];
  sar_snprintf(name, sizeof name, "k%d[%d]", kind, at);
  return sar_sym_symbol(g, name);
}

bool sar_twins_value(const SarTwins* t, const char* name, double* value) {
  int kind, at;
  if (!t || name[0] != 'k' || sscanf(name, "k%d[%d]", &kind, &at) != 2) return false;
  *value = t->number.items[at];
  return true;
}
