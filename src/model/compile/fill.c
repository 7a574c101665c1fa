// The order in which matrices of all coordinates are eliminated (dynamics/augmented.h), chosen by
// its fill.
//
// M + Psi' w Psi and the tangents of implicit steps couple coordinates that share a branch of the
// tree, a constraint or a force. Chains of loops and legs that meet in a platform have short rows
// in the order of the tree or its reverse, and an envelope is the quickest for them. In networks of
// loops it fills in: there the order of minimum degree and a factor by panels (linalg/panels.h)
// cost less. Both are counted here, once, and the cheaper one is taken.
#include "model/compile/parts.h"

#include "linalg/fill_order.h"
#include "model/fill.h"

#include <string.h>

static const double MOST_PAIRS = 2e7;  // of coordinates in groups: what an analysis may take
static const double TIGHT = 1.2;       // an envelope with no more entries than that over M's stays

// Stretches low and high of the coordinates of a group over all of them.
static void stretch(SarModel* m, int forces, const int* dof, int num) {
  int low = m->nv, high = -1;
  for (int k = 0; k < num; k++) {
    low = dof[k] < low ? dof[k] : low;
    high = dof[k] > high ? dof[k] : high;
  }
  for (int k = 0; k < num; k++) {
    SarReach* r = &m->reach[2 * dof[k] + forces];
    r->low = low < r->low ? low : r->low;
    r->high = high > r->high ? high : r->high;
  }
}

static void find_reach(SarModel* m) {
  for (int i = 0; i < m->nv; i++) {
    const int b = m->dof_body[i], after = b + m->body_subtree[b], parent = m->dof_parent[i];
    const int end = after < m->nbody ? m->joint_vadr[after] : m->nv;
    m->reach[2 * i] = (SarReach){parent < 0 ? i : m->reach[2 * parent].low, end - 1};
  }
  for (int row = 0; row < m->nrow; row++)
    stretch(m, 0, &m->row_dof[m->row_adr[row]], m->row_adr[row + 1] - m->row_adr[row]);
  for (int i = 0; i < m->nv; i++) m->reach[2 * i + 1] = m->reach[2 * i];
  for (int k = 0; k < m->ntangent; k++)
    stretch(m, 1, &m->tangent_dof[m->tangent[k].adr], m->tangent[k].num);
}

// ---- groups -------------------------------------------------------------------------------------

typedef struct Groups {
  int *adr, *member;
  int ngroup, nmember;
} Groups;

static void add_group(Groups* g, const int* dof, int num) {
  if (num > 0) memcpy(g->member + g->nmember, dof, (size_t)num * sizeof *dof);
  g->nmember += num;
  g->adr[++g->ngroup] = g->nmember;
}

// The way to ground of a coordinate that has none behind it: M is full on it.
static void add_branch(Groups* g, const SarModel* m, int dof) {
  for (int k = dof; k >= 0; k = m->dof_parent[k]) g->member[g->nmember++] = k;
  g->adr[++g->ngroup] = g->nmember;
}

static bool is_last(const SarModel* m, int dof) {
  return dof + 1 == m->nv || m->dof_parent[dof + 1] != dof;
}

// Entries of M, and members of all groups.
static double mass_entries(const SarModel* m, const int* depth, double* members) {
  double entries = 0;
  *members = (double)m->nrow_dof + m->ntangent_dof;
  for (int i = 0; i < m->nv; i++) {
    entries += depth[i];
    if (is_last(m, i)) *members += depth[i];
  }
  return entries;
}

static bool make_groups(Groups* g, const SarModel* m, double members, SarArena* a) {
  if (members > MOST_PAIRS) return false;
  g->adr = SAR_ARENA_ARRAY(a, int, m->nv + m->nrow + m->ntangent + 2);
  g->member = SAR_ARENA_ARRAY(a, int, (size_t)members + 1);
  if (a->failed) return false;
  for (int i = 0; i < m->nv; i++)
    if (is_last(m, i)) add_branch(g, m, i);
  for (int row = 0; row < m->nrow; row++)
    add_group(g, &m->row_dof[m->row_adr[row]], m->row_adr[row + 1] - m->row_adr[row]);
  for (int k = 0; k < m->ntangent; k++)
    add_group(g, &m->tangent_dof[m->tangent[k].adr], m->tangent[k].num);
  return true;
}

// ---- the choice ---------------------------------------------------------------------------------

static void keep(SarModel* m, const SarPanels* p, int* place) {
  m->fill_place = place;
  m->nfill = m->nv;
  m->panel = p->panel, m->npanel = p->npanel;
  m->panel_row = p->row, m->npanel_row = p->nrow;
  m->panel_update = p->update, m->npanel_update = p->nupdate;
  m->panel_place = p->place, m->npanel_place = p->nplace;
  m->npanel_entry = p->entries;
}

static void try_panels(Compile* c, double members, SarArena* scratch) {
  SarModel* m = &c->m;
  const SarEnvelopeSize e = sar_envelope_size(m, true);
  Groups g = {.nmember = 0};
  SarPanels p;
  int* place = SAR_ARENA_ARRAY(&c->arena, int, m->nv + 1);
  if (!place || !make_groups(&g, m, members, scratch)) return;
  const SarGroups groups = {m->nv, g.ngroup, g.adr, g.member};
  if (!sar_fill_order(&groups, MOST_PAIRS, scratch, place)) return;
  if (!sar_panels_analyse(&p, &groups, place, (double)e.entries, &c->arena)) return;
  if (sar_panels_cost(&p) < e.cost) keep(m, &p, place);
}

bool sar_compile_fill(Compile* c) {
  SarModel* m = &c->m;
  SarArena scratch;
  double members;
  find_reach(m);
  if (m->nrow + m->ntangent == 0) return true;
  sar_arena_beside(&scratch, &c->arena);
  int* depth = SAR_ARENA_ARRAY(&scratch, int, m->nv + 1);
  for (int i = 0; depth && i < m->nv; i++)
    depth[i] = m->dof_parent[i] < 0 ? 1 : depth[m->dof_parent[i]] + 1;
  if (depth &&
      (double)sar_envelope_size(m, true).entries > TIGHT * mass_entries(m, depth, &members))
    try_panels(c, members, &scratch);
  sar_arena_end(&scratch, &c->arena);
  return !c->arena.failed;
}
