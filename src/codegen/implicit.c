// The equations of an implicit step over symbols (implicit.h).
#include "codegen/implicit.h"

static SarNode* symbols(SarArena* arena, SarGraph* g, const char* name, int n) {
  SarNode* node = SAR_ARENA_ARRAY(arena, SarNode, n + 1);
  for (int i = 0; node && i < n; i++)
    node[i] = sar_sym_symbol(g, sar_arena_printf(arena, "%s[%d]", name, i));
  return node;
}

static void refuse_what_steps_cannot(SarSymbols* s) {
  const SarModel* m = s->m;
  if (m->nz > 0)
    sar_symbols_refuse(s,
                       "method 'hybrid': state '%s' would be implicit in the step, which is not "
                       "generated",
                       sar_text(m, m->z_name[0]));
  for (int i = 0; i < m->nv; i++)
    if (m->dof_friction[i] > 0)
      sar_symbols_refuse(s,
                         "method 'hybrid': joint '%s' has dry friction, which it finds by an "
                         "active set that is not generated",
                         sar_text(m, m->joint_name[m->dof_body[i]]));
}

// r = Q - M a - Psi' lambda
static void make_residual(SarImplicit* p, const SarNode* a, const SarNode* lambda) {
  SarSymbols* s = &p->s;
  const SarModel* m = s->m;
  sar_symbols_moving(s, a);
  sar_symbols_rest(s);
  for (int i = 0; i < m->nv; i++)
    p->r[i] = s_msc(s->g, s->rest[i], s_num(s->g, m->dof_armature[i]), a[i]);
  for (int k = 0; k < m->nrow; k++)
    for (int e = m->row_adr[k]; e < m->row_adr[k + 1]; e++)
      p->r[m->row_dof[e]] = s_msc(s->g, p->r[m->row_dof[e]], s->Psi[e], lambda[k]);
}

static void make_tangent(SarImplicit* p) {
  SarSymbols* s = &p->s;
  const int nv = s->m->nv;
  sar_symbols_mass(s);
  for (int i = 0; s->mass && i < nv * nv; i++) p->T[i] = s->mass[i];
  sar_symbols_add_tangents(s, sar_sym_symbol(s->g, "gain_K"), sar_sym_symbol(s->g, "gain_C"), p->T);
  for (int i = 0; i < nv; i++)
    for (int j = 0; j <= i; j++) {
      const bool zero = i != j && s_is_zero(s->g, p->T[i * nv + j]);
      p->T_place[i * nv + j] = p->T_place[j * nv + i] = zero ? -1 : p->entries++;
    }
}

// G = T + Psi' w Psi of entries that are kept, and its factor
static bool make_factor(SarImplicit* p, SarArena* arena) {
  const SarModel* m = p->s.m;
  SarGraph* g = p->g;
  const int nv = m->nv;
  const SarNode *T = symbols(arena, g, "T", p->entries),
                *Psi = symbols(arena, g, "Psi", m->nrow_dof),
                *scaled = symbols(arena, g, "scaled", m->nrow_dof);
  SarNode* G = SAR_ARENA_ARRAY(arena, SarNode, nv * nv + 1);
  if (!T || !Psi || !scaled || !G) return false;
  for (int i = 0; i < nv * nv; i++) G[i] = p->T_place[i] < 0 ? s_num(g, 0) : T[p->T_place[i]];
  for (int row = 0; row < m->nrow; row++)
    for (int a = m->row_adr[row]; a < m->row_adr[row + 1]; a++)
      for (int b = m->row_adr[row]; b <= a; b++) {
        const int i = m->row_dof[a], j = m->row_dof[b];
        if (s_is_zero(p->s.g, p->s.Psi[a]) || s_is_zero(p->s.g, p->s.Psi[b])) continue;
        G[i * nv + j] = G[j * nv + i] = s_mac(g, G[i * nv + j], scaled[a], Psi[b]);
      }
  return sar_sparse_factor(arena, g, nv, G, &p->F);
}

// x = G^-1 b of the factor as it is kept
static bool make_solution(SarImplicit* p, SarArena* arena) {
  const int nv = p->s.m->nv;
  SarGraph* g = p->g;
  p->kept = p->F;
  p->kept.L = SAR_ARENA_ARRAY(arena, SarNode, nv * nv + 1);
  p->kept.inverse = symbols(arena, g, "inverse", nv);
  p->x = symbols(arena, g, "b", nv);
  if (!p->kept.L || !p->kept.inverse || !p->x) return false;
  for (int i = 0; i < nv; i++)
    for (int k = 0; k < nv; k++) {
      p->kept.L[i * nv + k] = s_num(g, 0);
      if (k < i && !s_is_zero(g, p->F.L[i * nv + k]))
        p->kept.L[i * nv + k] = sar_sym_symbol(g, sar_arena_printf(arena, "L[%d]", p->factors++));
    }
  sar_sparse_solve(arena, g, &p->kept, p->x);
  return true;
}

bool sar_implicit_make(SarImplicit* p, const SarModel* m, SarArena* arena, SarError* err) {
  SarSymbols* s = &p->s;
  *p = (SarImplicit){.r = SAR_ARENA_ARRAY(arena, SarNode, m->nv + 1),
                     .T = SAR_ARENA_ARRAY(arena, SarNode, m->nv * m->nv + 1),
                     .T_place = SAR_ARENA_ARRAY(arena, int, m->nv * m->nv + 1),
                     .g = sar_graph_new(arena)};
  if (!p->r || !p->T || !p->T_place || !p->g || !sar_symbols_init(s, m, arena, err)) return false;
  s->tangents = &p->tangents;
  refuse_what_steps_cannot(s);
  sar_symbols_forces(s);
  sar_symbols_constraints(s);
  sar_symbols_bias(s);
  sar_symbols_constraint_rates(s);
  const SarNode *a = symbols(arena, s->g, "acc", m->nv),
                *lambda = symbols(arena, s->g, "lambda", m->nrow);
  if (s->refused || !a || !lambda) return false;
  make_residual(p, a, lambda);
  make_tangent(p);
  return make_factor(p, arena) && make_solution(p, arena);
}
