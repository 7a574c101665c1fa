// B, C and Bdot of the embedding technique as formulas, loop after loop:
//
//   v = B v_i + C,        J_d B = -J_i,   J_d C = -phi_t
//   v' = B v_i' + Bdot,   J_d Bdot = gamma,        Bdot = (dB/dt) v_i + dC/dt
//
// A loop k has as many rows as unknowns, and the loops before it are known:
//
//   J_kk x_k = r_k - sum over them of J_kj x_j,      x_k = adj(J_kk) (...) / det(J_kk)
//
// What earlier lines give enters as a symbol, so that each line stays as short as its own loop.
//
// Source: Uchida and McPhee 2012, eqs. 10 and 11.
#include "codegen/equations_loops.h"

#include "base/error.h"
#include "base/print.h"
#include "codegen/spatial.h"

#include <string.h>

typedef struct Embedder {
  SarEquations* e;
  const SarCollecting* c;
  SarGraph* g;
  const SarLoopFlow* f;
  SarNode* x;  // nv: the column at hand, of known coordinates
} Embedder;

SarStatus sar_equations_check_loops(const SarModel* m, const SarEquationsOptions* o,
                                    SarError* err) {
  bool good = true;
  if (!o->flow || !(o->parts & (SAR_EQUATIONS_B | SAR_EQUATIONS_BDOT))) return SAR_OK;
  for (int b = 0; b < o->flow->blocks; b++) {
    const SarLoopBlock* k = &o->flow->block[b];
    if (k->size <= SAR_EMBED_MOST) continue;
    const int j = m->dof_body[k->dof[0]];
    sar_report(
        err, (SarLoc){0}, "ask for jacobian and gamma instead",
        "B: the loop of joint '%s' has %d unknowns, and an inverse is written out for %d at most",
        sar_text(m, m->joint_name[j]), k->size, SAR_EMBED_MOST);
    good = false;
  }
  if (m->drives_follow) {
    sar_report(err, (SarLoc){0}, "ask for jacobian and gamma instead",
               "C: a drive follows states, and speeds of these are none of the equations");
    good = false;
  }
  return good ? SAR_OK : SAR_NOT_OFFERED;
}

SarNode sar_equations_collect(const SarCollecting* c, SarNode node) {
  SarNode out = node;
  if (node < 0 || c->o->as_built) return node;
  if (!sar_sym_collect(c->g, 1, &node, c->units, c->unit, c->o->stop, c->o->stop_context, &out))
    return SAR_NONE;
  return out;
}

bool sar_equations_add_line(SarEquations* e, const SarCollecting* c, SarLineKind kind, int i, int k,
                            SarNode value) {
  char name[48];
  static const char* const form[] = {"B", "C", "Bdot", "known", "sin", "cos", "value"};
  sar_snprintf(name, sizeof name, "%s[%d,%d]", form[kind], i, k);
  const SarNode symbol = sar_sym_symbol(c->g, name);
  e->line[e->lines++] = (SarEquationLine){kind, i, k, symbol, value};
  return symbol >= 0 && value >= 0;
}

// ---- one loop -----------------------------------------------------------------------------------

static SarNode entry(const Embedder* b, int row, int dof) {
  const SarModel* m = b->e->m;
  for (int k = m->row_adr[row]; k < m->row_adr[row + 1]; k++)
    if (m->row_dof[k] == dof) return b->e->J[k];
  return s_num(b->g, 0);
}

// By the first row (Laplace); n is small.
static SarNode determinant(SarGraph* g, int n, const SarNode* A) {
  if (n == 0) return s_num(g, 1);
  SarNode sum = s_num(g, 0);
  for (int k = 0; k < n; k++) {
    SarNode rest[SAR_EMBED_MOST * SAR_EMBED_MOST];
    if (s_is_zero(g, A[k])) continue;
    for (int i = 1; i < n; i++)
      for (int j = 0, to = 0; j < n; j++)
        if (j != k) rest[(i - 1) * (n - 1) + to++] = A[i * n + j];
    const SarNode part = s_mul(g, A[k], determinant(g, n - 1, rest));
    sum = k % 2 ? s_sub(g, sum, part) : s_add(g, sum, part);
  }
  return sum;
}

// x_k of the loop from r (by its rows) and the x of loops before (Cramer's rule); lines for what is
// not 0.
static bool solve_loop(Embedder* b, const SarLoopBlock* k, const SarNode* r, SarLineKind kind,
                       int column) {
  SarGraph* g = b->g;
  const int n = k->size;
  SarNode A[SAR_EMBED_MOST * SAR_EMBED_MOST], rhs[SAR_EMBED_MOST],
      with[SAR_EMBED_MOST * SAR_EMBED_MOST];
  const SarModel* m = b->e->m;
  for (int i = 0; i < n; i++) {
    rhs[i] = r[k->row[i]];
    for (int j = m->row_adr[k->row[i]]; j < m->row_adr[k->row[i] + 1]; j++)
      if (b->x[m->row_dof[j]] >= 0) rhs[i] = s_msc(g, rhs[i], b->e->J[j], b->x[m->row_dof[j]]);
    for (int j = 0; j < n; j++) A[i * n + j] = entry(b, k->row[i], k->dof[j]);
  }
  const SarNode det = sar_equations_collect(b->c, determinant(g, n, A));
  for (int j = 0; j < n; j++) {
    memcpy(with, A, sizeof(SarNode) * (size_t)(n * n));
    for (int i = 0; i < n; i++) with[i * n + j] = rhs[i];
    const SarNode top = sar_equations_collect(b->c, determinant(g, n, with));
    b->x[k->dof[j]] = top < 0 || s_is_zero(g, top) ? top : s_div(g, top, det);
  }
  // symbols only now: the loop's own unknowns are none of its knowns
  for (int j = 0; j < n; j++) {
    const SarNode value = b->x[k->dof[j]];
    if (value < 0) return false;
    if (s_is_zero(g, value) && kind != SAR_LINE_BDOT) continue;
    if (!sar_equations_add_line(b->e, b->c, kind, k->dof[j], column, value)) return false;
    if (!s_is_zero(g, value)) b->x[k->dof[j]] = b->e->line[b->e->lines - 1].symbol;
  }
  return true;
}

// One column: r by rows, and what the independent coordinates have.
static bool solve_column(Embedder* b, const SarNode* r, SarLineKind kind, int column) {
  const SarModel* m = b->e->m;
  for (int i = 0; i < m->nv; i++)
    b->x[i] = b->f->dof_block[i] >= 0 ? SAR_NONE : s_num(b->g, i == column);
  for (int i = 0; i < b->f->blocks; i++)
    if (!solve_loop(b, &b->f->block[i], r, kind, column)) return false;
  return true;
}

bool sar_equations_embed(SarEquations* e, const SarCollecting* c) {
  const SarModel* m = e->m;
  SarGraph* g = e->g;
  const unsigned parts = c->o->parts;
  // B, C, Bdot; then the solution: knowns and variables of each loop
  const int most = m->nv * (m->nv + 2) + c->o->flow->blocks * 2 * SAR_LOOP_MAX_VARIABLES + 1;
  e->line = SAR_ARENA_ARRAY(c->arena, SarEquationLine, most);
  Embedder b = {e, c, g, c->o->flow, SAR_ARENA_ARRAY(c->arena, SarNode, m->nv + 1)};
  SarNode* r = SAR_ARENA_ARRAY(c->arena, SarNode, m->nrow + 1);
  if (!e->line || !b.x || !r) return false;
  for (int i = 0; i < m->nrow; i++) r[i] = s_num(g, 0);
  for (int i = 0; i < m->nv && parts & SAR_EQUATIONS_B; i++)
    if (b.f->dof_block[i] < 0 && !solve_column(&b, r, SAR_LINE_B, i)) return false;
  const SarNode t = sar_sym_symbol(g, "t");
  for (int i = 0; i < m->nrow && parts & SAR_EQUATIONS_B; i++)
    r[i] = s_neg(g, sar_sym_diff(g, e->Phi[i], t));
  if (parts & SAR_EQUATIONS_B && !solve_column(&b, r, SAR_LINE_C, -1)) return false;
  return !(parts & SAR_EQUATIONS_BDOT) || solve_column(&b, e->gamma, SAR_LINE_BDOT, -1);
}
