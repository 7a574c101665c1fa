// Accelerations and multipliers of models with constraints over symbols, by the index-1 augmented
// Lagrangian: dynamics/augmented.c with a fixed number of passes.
//
//   G = M + Psi' w Psi,   G a = F + Psi' w gamma,   lambda = w (Psi a - gamma)
//   G da = F - M a - Psi' lambda - Psi' w (Psi a - gamma),   lambda += w (Psi a - gamma)
//     then again
//
// The weights are those of the rows where the run begins, or of a step not long ago: the first
// solution is right to 1e-8 or so, and each pass gains as many digits, the fewer the nearer a
// position is to a singular one. What the last pass changed is told (`open`), so that nothing wrong
// is taken for right.
//
// Sources: those of dynamics/augmented.c.
#include "codegen/gates.h"
#include "codegen/sparse.h"
#include "codegen/symbols.h"

// Where constraints are switched, weights of the start serve positions and rows far from it.
enum { PASSES = 2, PASSES_SWITCHED = 4 };

static int passes(const SarModel* m) {
  return sar_gates_of_constraints(m) >= 0 ? PASSES_SWITCHED : PASSES;
}

// Psi a - gamma, gamma Nullable
static void residuals(SarSymbols* s, const SarNode* a, const SarNode* gamma, SarNode* c) {
  const SarModel* m = s->m;
  for (int i = 0; i < m->nrow; i++) {
    c[i] = gamma ? s_neg(s->g, gamma[i]) : s_num(s->g, 0);
    for (int k = m->row_adr[i]; k < m->row_adr[i + 1]; k++)
      c[i] = s_mac(s->g, c[i], s->Psi[k], a[m->row_dof[k]]);
  }
}

// x += sign Psi' e
static void add_transposed(SarSymbols* s, const SarNode* e, SarNode* x, bool minus) {
  const SarModel* m = s->m;
  for (int i = 0; i < m->nrow; i++)
    for (int k = m->row_adr[i]; k < m->row_adr[i + 1]; k++) {
      SarNode* to = &x[m->row_dof[k]];
      *to = minus ? s_msc(s->g, *to, s->Psi[k], e[i]) : s_mac(s->g, *to, s->Psi[k], e[i]);
    }
}

static void weigh(SarSymbols* s, const SarNode* weight, const SarNode* c, SarNode* out) {
  for (int i = 0; i < s->m->nrow; i++) out[i] = s_mul(s->g, weight[i], c[i]);
}

static bool factor(SarSymbols* s, const SarNode* weight, SymSparse* F) {
  const SarModel* m = s->m;
  const int nv = m->nv;
  SarNode* G = SAR_ARENA_ARRAY(s->arena, SarNode, nv * nv + 1);
  if (!G || !s->mass) return false;
  for (int i = 0; i < nv * nv; i++) G[i] = s->mass[i];
  for (int row = 0; row < m->nrow; row++)
    for (int a = m->row_adr[row]; a < m->row_adr[row + 1]; a++) {
      const SarNode scaled = s_mul(s->g, weight[row], s->Psi[a]);
      for (int b = m->row_adr[row]; b <= a; b++) {
        const int i = m->row_dof[a], j = m->row_dof[b];
        const SarNode sum = s_mac(s->g, G[i * nv + j], scaled, s->Psi[b]);
        G[i * nv + j] = G[j * nv + i] = sum;
      }
    }
  return sar_sparse_factor(s->arena, s->g, nv, G, F);
}

static SarNode squares(SarSymbols* s, const SarNode* x) {
  SarNode sum = s_num(s->g, 0);
  for (int i = 0; i < s->m->nv; i++) sum = s_mac(s->g, sum, x[i], x[i]);
  return sum;
}

// M a + Psi' lambda = rest, Psi a = gamma; r: what the last pass changed of a. False: no memory.
static bool solve(SarSymbols* s, const SarNode* weight, const SarNode* rest, const SarNode* gamma,
                  SarNode* a, SarNode* lambda, SarNode* r) {
  const SarModel* m = s->m;
  SarGraph* g = s->g;
  SymSparse F;
  const int room = m->nrow + m->nv + 1;
  SarNode *c = SAR_ARENA_ARRAY(s->arena, SarNode, room),
          *e = SAR_ARENA_ARRAY(s->arena, SarNode, room);
  if (!c || !e || !factor(s, weight, &F)) return false;
  for (int i = 0; i < m->nv; i++) a[i] = rest[i];
  weigh(s, weight, gamma, e);
  add_transposed(s, e, a, false);
  sar_sparse_solve(s->arena, g, &F, a);
  residuals(s, a, gamma, c);
  weigh(s, weight, c, lambda);
  for (int pass = 0; pass < passes(m); pass++) {
    for (int i = 0; i < m->nv; i++) {
      r[i] = rest[i];
      for (int k = 0; k < m->nv; k++) r[i] = s_msc(g, r[i], s->mass[i * m->nv + k], a[k]);
    }
    weigh(s, weight, c, e);
    for (int i = 0; i < m->nrow; i++) e[i] = s_add(g, e[i], lambda[i]);
    add_transposed(s, e, r, true);
    sar_sparse_solve(s->arena, g, &F, r);
    for (int i = 0; i < m->nv; i++) a[i] = s_add(g, a[i], r[i]);
    // by its change: a fresh Psi a - gamma would bring its rounding, times w, into lambda
    residuals(s, r, NULL, e);
    for (int i = 0; i < m->nrow; i++) {
      c[i] = s_add(g, c[i], e[i]);
      lambda[i] = s_mac(g, lambda[i], weight[i], c[i]);
    }
  }
  return true;
}

void sar_symbols_lagrange(SarSymbols* s, const SarNode* weight) {
  SarNode* r = SAR_ARENA_ARRAY(s->arena, SarNode, s->m->nv + 1);
  if (!r || !solve(s, weight, s->rest, s->gamma, s->a, s->lambda, r)) return;
  // beside 1e-3 rad/s^2 or m/s^2, rounding is as good as nothing
  s->open = s_div(s->g, squares(s, r), s_add(s->g, squares(s, s->a), s_num(s->g, 1e-6)));
  sar_symbols_constraint_work(s);
}

bool sar_symbols_impact(SarSymbols* s, const SarNode* weight, SarNode* dv) {
  const SarModel* m = s->m;
  const int nv = m->nv, nrow = m->nrow;
  SarNode* none = SAR_ARENA_ARRAY(s->arena, SarNode, nv + 1);
  SarNode* r = SAR_ARENA_ARRAY(s->arena, SarNode, nv + 1);
  SarNode* gap = SAR_ARENA_ARRAY(s->arena, SarNode, nrow + 1);
  SarNode* impulse = SAR_ARENA_ARRAY(s->arena, SarNode, nrow + 1);
  if (!none || !r || !gap || !impulse) return false;
  for (int i = 0; i < nv; i++) none[i] = s_num(s->g, 0);
  for (int i = 0; i < nrow; i++) gap[i] = s_neg(s->g, s->Phi_dot[i]);
  return solve(s, weight, none, gap, dv, impulse, r);
}

// x = -G^-1 Psi' w e
void sar_symbols_project(SarSymbols* s, const SarNode* weight, SarNode* dq, SarNode* dv) {
  SymSparse F;
  SarNode* e = SAR_ARENA_ARRAY(s->arena, SarNode, s->m->nrow + 1);
  if (!e || !factor(s, weight, &F)) return;
  for (int level = 0; level < 2; level++) {
    SarNode* x = level == 0 ? dq : dv;
    for (int i = 0; i < s->m->nv; i++) x[i] = s_num(s->g, 0);
    weigh(s, weight, level == 0 ? s->Phi : s->Phi_dot, e);
    add_transposed(s, e, x, true);
    sar_sparse_solve(s->arena, s->g, &F, x);
  }
}
