// The joint-space mass matrix by composite rigid bodies (CRBA) over symbols, and accelerations of
// open trees from it: dynamics/crba.c.
//
// Source: Featherstone 2008, tables 6.2 and 6.3. The factor is M = L'DL, which has no entries where
// M has none: coordinates of different branches do not meet.
#include "codegen/motion.h"

static SarNode* entry(const SarSymbols* s, int i, int j) { return &s->mass[i * s->m->nv + j]; }

static void put(const SarSymbols* s, int i, int j, SarNode value) {
  *entry(s, i, j) = *entry(s, j, i) = value;
}

// F = IC S_i is carried inwards; M_ij = S_j'F
static void carry(const SarSymbols* s, int b, int i, SarNode mass, SymForce F) {
  const SarModel* m = s->m;
  for (int p = b; p >= 0; p = m->body_parent[p]) {
    for (int k = 0; k < m->joint_nv[p]; k++) {
      const int j = m->joint_vadr[p] + k;
      if (p == b && j > i) continue;
      // of a body that floats: m times the unit matrix, which products of rotations would hide
      const bool moves = p == b && i - m->joint_vadr[b] < 3 && sar_symbols_is_free(s, b);
      put(s, i, j,
          moves ? s_mul(s->g, mass, s_num(s->g, i == j)) : spower(s->g, s->joint[p].S[k], F));
    }
    if (m->body_parent[p] >= 0) F = sar_symbols_force_to_parent(s, p, F);
  }
}

void sar_symbols_mass(SarSymbols* s) {
  const SarModel* m = s->m;
  SarGraph* g = s->g;
  const int n = m->nv * m->nv;
  SymInertia* IC = SAR_ARENA_ARRAY(s->arena, SymInertia, m->nbody + 1);
  s->mass = SAR_ARENA_ARRAY(s->arena, SarNode, n + 1);
  if (!IC || !s->mass) return;
  for (int i = 0; i < n; i++) s->mass[i] = s_num(g, 0);
  for (int b = 0; b < m->nbody; b++) IC[b] = sar_symbols_inertia(s, b);
  for (int b = m->nbody - 1; b >= 0; b--) {
    const int p = m->body_parent[b];
    for (int k = 0; k < m->joint_nv[b]; k++) {
      const int i = m->joint_vadr[b] + k;
      carry(s, b, i, IC[b].m, sinertia_mul(g, IC[b], s->joint[b].S[k]));
      *entry(s, i, i) = s_add(g, *entry(s, i, i), s_num(g, m->dof_armature[i]));
    }
    if (p >= 0) IC[p] = sinertia_add(g, IC[p], sar_symbols_inertia_to_parent(s, b, IC[b]));
  }
}

// From the tips: row k divided by its pivot is taken off the rows of its ancestors.
void sar_symbols_crba(SarSymbols* s) {
  const SarModel* m = s->m;
  SarGraph* g = s->g;
  SarNode* L = SAR_ARENA_ARRAY(s->arena, SarNode, m->nv * m->nv + 1);
  SarNode* inverse = SAR_ARENA_ARRAY(s->arena, SarNode, m->nv + 1);
  if (!L || !inverse || !s->mass) return;
  for (int i = 0; i < m->nv * m->nv; i++) L[i] = s->mass[i];
  for (int k = m->nv - 1; k >= 0; k--) {
    SarNode* row = &L[k * m->nv];
    inverse[k] = s_div(g, s_num(g, 1), row[k]);
    for (int i = m->dof_parent[k]; i >= 0; i = m->dof_parent[i]) {
      const SarNode part = s_mul(g, row[i], inverse[k]);
      for (int j = i; j >= 0; j = m->dof_parent[j])
        L[i * m->nv + j] = s_msc(g, L[i * m->nv + j], part, row[j]);
      row[i] = part;
    }
  }
  // M a = L'D L a = rest
  SarNode* a = s->a;
  for (int i = 0; i < m->nv; i++) a[i] = s->rest[i];
  for (int k = m->nv - 1; k >= 0; k--)
    for (int i = m->dof_parent[k]; i >= 0; i = m->dof_parent[i])
      a[i] = s_msc(g, a[i], L[k * m->nv + i], a[k]);
  for (int k = 0; k < m->nv; k++) {
    a[k] = s_mul(g, a[k], inverse[k]);
    for (int i = m->dof_parent[k]; i >= 0; i = m->dof_parent[i])
      a[k] = s_msc(g, a[k], L[k * m->nv + i], a[i]);
  }
}
