// Accelerations by the embedding technique over symbols: equations of motion of the independent
// coordinates alone (formulations/embedding).
//
//   v = B v_i + C,      B = [-Psi_d^-1 Psi_i; 1],   C = [-Psi_d^-1 Phi_t; 0]
//   (B'M B) a_i = B'(F - M c),      c = [Psi_d^-1 gamma; 0],      a = B a_i + c
//   Psi_d' lambda = (F - M a)_d
//
// Speeds of dependent coordinates are not believed: they follow from the others. A block whose
// coordinates meet no others but the independent ones, neither in rows nor in the mass matrix (the
// leg of a platform), need not have its part of B: with K = Psi_d^-1 it adds Psi_i'(K'M K) Psi_i, a
// matrix of its few rows.
//
// Each solution waits for the one before: of v_d, of c, of B'(F - M c). With few independent
// coordinates B is at hand, and one solution for each, known from the position alone, stands for
// all three:
//
//   v = B v_i,      B'(F - M c) = B'F - mu'gamma,      Psi_d' mu = (M B)_d
//
// Source: Uchida and McPhee 2012, eqs. 10 and 11.
#include "codegen/dependent.h"
#include "codegen/embedding.h"
#include "codegen/pairs.h"
#include "codegen/sparse.h"
#include "symbolic/rewrite.h"

typedef struct Reduced {
  SarSymbols* s;
  const SarPartition* p;
  SymBlocks blocks;
  bool few;     // independent coordinates: by mu
  bool* leaf;   // by block: it is kept in its rows
  SarNode* B;   // nv free: of leaves nothing
  SarNode* MB;  // nv free
  SarNode* A;   // free free
} Reduced;

enum { FEW = 2 };

static SarNode zero(const SarSymbols* s) { return s_num(s->g, 0); }

static SarNode* room(const SarSymbols* s, int n) {
  SarNode* x = SAR_ARENA_ARRAY(s->arena, SarNode, n + 1);
  for (int i = 0; x && i < n; i++) x[i] = zero(s);
  return x;
}

// ---- speeds -------------------------------------------------------------------------------------

// v = B v_i, as no row moves by itself
static void combine_speeds(const Reduced* r, SarNode* v) {
  SarSymbols* s = r->s;
  const int n = r->p->free;
  for (int i = 0; i < s->m->nv; i++) {
    const int b = r->p->flow->dof_block[i];
    if (b < 0) continue;
    v[i] = zero(s);
    for (int k = 0; k < n; k++) v[i] = s_mac(s->g, v[i], r->B[i * n + k], s->v[r->p->dof[k]]);
    sar_blocks_note(&r->blocks, b, v[i]);
  }
}

// v_d in place of the symbols
static bool follow_speeds(Reduced* r) {
  SarSymbols* s = r->s;
  SarNode *e = room(s, s->m->nrow), *v = room(s, s->m->nv);
  bool still = true;
  if (!e || !v) return false;
  for (int i = 0; i < s->m->nrow; i++) {
    e[i] = s_neg(s->g, s->Phi_t[i]);
    still = still && s_is_zero(s->g, e[i]);
  }
  for (int i = 0; i < s->m->nv; i++) v[i] = s->v[i];
  if (r->few && still)
    combine_speeds(r, v);
  else
    sar_blocks_solve(&r->blocks, e, v);
  for (int i = 0; i < s->m->nv; i++) s->v[i] = v[i];
  return true;
}

// ---- the mass matrix ----------------------------------------------------------------------------

static bool meets(const SarSymbols* s, int i, int k) {
  return !s_is_zero(s->g, s->mass[i * s->m->nv + k]);
}

static bool is_leaf(const Reduced* r, int which) {
  const SarModel* m = r->s->m;
  const SarLoopFlow* f = r->p->flow;
  const SarLoopBlock* k = &f->block[which];
  int columns = 0;
  if (r->few || !r->blocks.block[which].inverse) return false;
  for (int i = 0; i < m->nrow; i++) {
    bool own = false, has = false;
    for (int j = 0; j < k->size; j++) own = own || k->row[j] == i;
    for (int e = m->row_adr[i]; e < m->row_adr[i + 1]; e++)
      has = has || f->dof_block[m->row_dof[e]] == which;
    if (has && !own && !r->p->left_out[i]) return false;
  }
  for (int d = 0; d < m->nv; d++) {
    bool column = false;
    for (int i = 0; i < k->size; i++) {
      const bool entry = !s_is_zero(r->s->g, sar_blocks_entry(&r->blocks, k->row[i], d));
      if (f->dof_block[d] != which && (meets(r->s, k->dof[i], d) || (entry && r->p->place[d] < 0)))
        return false;
      column = column || entry;
    }
    columns += column && r->p->place[d] >= 0;
  }
  return columns > k->size;
}

// Columns of B: unit motions of the independent coordinates.
static bool fill_B(Reduced* r) {
  SarSymbols* s = r->s;
  const int nv = s->m->nv, n = r->p->free;
  SarNode *none = room(s, s->m->nrow), *x = room(s, nv);
  r->B = room(s, nv * n);
  if (!none || !x || !r->B) return false;
  for (int k = 0; k < n; k++) {
    for (int i = 0; i < nv; i++) x[i] = s_num(s->g, i == r->p->dof[k]);
    sar_blocks_solve(&r->blocks, none, x);
    for (int i = 0; i < nv; i++) r->B[i * n + k] = x[i];
  }
  return true;
}

static void leave_leaves(Reduced* r) {
  const int n = r->p->free;
  for (int i = 0; i < r->s->m->nv; i++) {
    const int b = r->p->flow->dof_block[i];
    for (int k = 0; b >= 0 && r->leaf[b] && k < n; k++) r->B[i * n + k] = zero(r->s);
  }
}

static bool is_member(SarTwinPlace a, SarTwinPlace b) {
  return a.group == b.group && a.member == b.member;
}

// Sum over all coordinates of B_ik x_i, first what each twin adds to it. x: column `at` of `width`
static SarNode project(const Reduced* r, int k, const SarNode* x, int width, int at) {
  SarSymbols* s = r->s;
  const SarModel* m = s->m;
  const int n = r->p->free;
  const SarTwinPlace* twin = s->twins->body;
  SarNode sum = zero(s);
  for (int i = 0; i < m->nv; i++) {
    const SarTwinPlace of = twin[m->dof_body[i]];
    if (of.group < 0) {
      sum = s_mac(s->g, sum, r->B[i * n + k], x[i * width + at]);
      continue;
    }
    if (i > 0 && is_member(of, twin[m->dof_body[i - 1]])) continue;
    SarNode part = zero(s);
    for (int j = i; j < m->nv; j++)
      if (is_member(of, twin[m->dof_body[j]]))
        part = s_mac(s->g, part, r->B[j * n + k], x[j * width + at]);
    sar_families_note(&s->families, of, part);
    sum = s_add(s->g, sum, part);
  }
  return sum;
}

// A = B'M B
static bool fill_A(Reduced* r) {
  SarSymbols* s = r->s;
  SarGraph* g = s->g;
  const int nv = s->m->nv, n = r->p->free;
  r->MB = room(s, nv * n);
  r->A = room(s, n * n);
  if (!r->MB || !r->A) return false;
  for (int i = 0; i < nv; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < nv; j++)
        r->MB[i * n + k] = s_mac(g, r->MB[i * n + k], s->mass[i * nv + j], r->B[j * n + k]);
  for (int i = 0; i < n; i++)
    for (int k = 0; k <= i; k++) r->A[i * n + k] = r->A[k * n + i] = project(r, i, r->MB, n, k);
  return true;
}

// A += Psi_i' E Psi_i,  E = K'M K
static void add_leaf(Reduced* r, int which) {
  SarSymbols* s = r->s;
  SarGraph* g = s->g;
  const SarLoopBlock* k = &r->p->flow->block[which];
  const int n = k->size, nv = s->m->nv, free = r->p->free;
  const SarNode* K = r->blocks.block[which].inverse;
  SarNode MK[SYM_BLOCK_ADJUGATE][SYM_BLOCK_ADJUGATE], E[SYM_BLOCK_ADJUGATE][SYM_BLOCK_ADJUGATE];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      MK[i][j] = zero(s);
      for (int l = 0; l < n; l++)
        MK[i][j] = s_mac(g, MK[i][j], s->mass[k->dof[i] * nv + k->dof[l]], K[l * n + j]);
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      SarNode sum = zero(s);
      for (int l = 0; l < n; l++) sum = s_mac(g, sum, K[l * n + i], MK[l][j]);
      E[i][j] = E[j][i] = sum;
    }
  for (int a = 0; a < free; a++) {
    SarNode column[SYM_BLOCK_ADJUGATE];  // E Psi_i
    for (int i = 0; i < n; i++) {
      column[i] = zero(s);
      for (int j = 0; j < n; j++)
        column[i] =
            s_mac(g, column[i], E[i][j], sar_blocks_entry(&r->blocks, k->row[j], r->p->dof[a]));
    }
    for (int b = 0; b <= a; b++) {
      SarNode sum = zero(s);
      for (int i = 0; i < n; i++)
        sum = s_mac(g, sum, sar_blocks_entry(&r->blocks, k->row[i], r->p->dof[b]), column[i]);
      sar_blocks_note(&r->blocks, which, sum);
      r->A[a * free + b] = r->A[b * free + a] = s_add(g, r->A[a * free + b], sum);
    }
  }
}

// ---- accelerations ------------------------------------------------------------------------------

// x = F - M a
static void residual(const Reduced* r, const SarNode* a, SarNode* x) {
  SarSymbols* s = r->s;
  const int nv = s->m->nv;
  for (int i = 0; i < nv; i++) {
    x[i] = s->rest[i];
    for (int k = 0; k < nv; k++) x[i] = s_msc(s->g, x[i], s->mass[i * nv + k], a[k]);
  }
}

// B'(F - M c) by c
static bool reduce_forces(const Reduced* r, SarNode* a) {
  SarSymbols* s = r->s;
  SarNode *x = room(s, s->m->nv), *c = room(s, s->m->nv), *y = room(s, s->m->nrow);
  if (!x || !c || !y) return false;
  sar_blocks_solve(&r->blocks, s->gamma, c);
  residual(r, c, x);
  sar_blocks_transposed(&r->blocks, x, y);  // leaves B'x in its independent ones
  for (int k = 0; k < r->p->free; k++) a[k] = x[r->p->dof[k]];
  return true;
}

// B'F - mu'gamma
static bool reduce_forces_of_few(const Reduced* r, SarNode* a) {
  SarSymbols* s = r->s;
  const SarLoopFlow* f = r->p->flow;
  const int n = r->p->free;
  SarNode *x = room(s, s->m->nv), *mu = room(s, s->m->nrow);
  if (!x || !mu) return false;
  for (int k = 0; k < n; k++) {
    for (int i = 0; i < s->m->nv; i++) x[i] = r->MB[i * n + k];
    sar_blocks_transposed(&r->blocks, x, mu);
    a[k] = project(r, k, s->rest, 1, 0);
    for (int b = 0; b < f->blocks; b++) {
      SarNode sum = zero(s);
      for (int i = 0; i < f->block[b].size; i++)
        sum = s_mac(s->g, sum, mu[f->block[b].row[i]], s->gamma[f->block[b].row[i]]);
      sar_blocks_note(&r->blocks, b, sum);
      a[k] = s_sub(s->g, a[k], sum);
    }
  }
  return true;
}

static bool solve(Reduced* r) {
  SarSymbols* s = r->s;
  const int n = r->p->free;
  SarNode *x = room(s, s->m->nv), *a = room(s, n);
  SymSparse F;
  if (!x || !a || !(r->few ? reduce_forces_of_few(r, a) : reduce_forces(r, a))) return false;
  if (sar_pairs_fit(s->g, n, r->A)) {
    sar_pairs_solve(s->g, n, r->A, a);
  } else if (n > 0) {
    if (!sar_sparse_factor(s->arena, s->g, n, r->A, &F)) return false;
    sar_sparse_solve(s->arena, s->g, &F, a);
  }
  for (int k = 0; k < n; k++) s->a[r->p->dof[k]] = a[k];
  sar_blocks_solve(&r->blocks, s->gamma, s->a);
  residual(r, s->a, x);
  sar_blocks_transposed(&r->blocks, x, s->lambda);
  return true;
}

// How far a row is from closed, in units, squared: one that follows from the others counts less,
// since a file may have it right to its digits only.
static SarNode row_openness(const Reduced* r, int row) {
  const double share = r->p->left_out[row] ? 1e-5 : 1;
  SarGraph* g = r->s->g;
  const SarNode x = s_mul(g, r->s->Phi[row], s_num(g, share / r->p->scale[row]));
  return s_mul(g, x, x);
}

static SarNode openness(const Reduced* r) {
  const SarSymbols* s = r->s;
  const SarLoopFlow* f = r->p->flow;
  SarNode sum = s_num(s->g, 0);
  for (int b = 0; b < f->blocks; b++) {
    SarNode part = s_num(s->g, 0);
    for (int i = 0; i < f->block[b].size; i++)
      part = s_add(s->g, part, row_openness(r, f->block[b].row[i]));
    sar_blocks_note(&r->blocks, b, part);
    sum = s_add(s->g, sum, part);
  }
  for (int i = 0; i < s->m->nrow; i++)
    if (r->p->left_out[i]) sum = s_add(s->g, sum, row_openness(r, i));
  return sum;
}

// The blocks, B and the speeds that follow, from Phi_t and Psi.
static bool begin(Reduced* r) {
  SarSymbols* s = r->s;
  r->few = r->p->free <= FEW;
  r->leaf = SAR_ARENA_ARRAY(s->arena, bool, r->p->flow->blocks + 1);
  r->blocks = (SymBlocks){.m = s->m, .p = r->p, .g = s->g, .arena = s->arena, .Psi = s->Psi};
  if (!sar_families_begin(&s->families, s->arena, s->g, s->twins)) return false;
  r->blocks.families = &s->families;
  if (!r->leaf || s->refused || !sar_blocks_factor(&r->blocks)) return false;
  return fill_B(r) && follow_speeds(r);
}

// a and lambda, from M, F and gamma at these speeds.
static bool finish(Reduced* r) {
  SarSymbols* s = r->s;
  const int blocks = r->p->flow->blocks;
  if (s->arena->failed || !s->mass) return false;
  sar_symbols_note_twins(s, &s->families);
  for (int b = 0; b < blocks; b++) r->leaf[b] = is_leaf(r, b);
  leave_leaves(r);
  if (!fill_A(r)) return false;
  for (int b = 0; b < blocks; b++)
    if (r->leaf[b]) add_leaf(r, b);
  if (!solve(r)) return false;
  s->open = openness(r);
  s->flat = r->blocks.flat;
  sar_symbols_unpin(s);
  sar_symbols_constraint_work(s);
  return sar_families_end(&s->families);
}

bool sar_symbols_embedding(SarSymbols* s, const SarPartition* p) {
  Reduced r = {.s = s, .p = p};
  sar_symbols_forces(s);
  if (!p->kept && !sar_symbols_pin(s, p->flow)) return false;
  sar_symbols_constraints(s);
  sar_symbols_drive_rates(s);
  if (!begin(&r)) return false;
  sar_symbols_forces(s);
  sar_symbols_bias(s);
  sar_symbols_rest(s);
  sar_symbols_mass(s);
  sar_symbols_constraint_rates(s);
  return finish(&r);
}

// ---- of terms -----------------------------------------------------------------------------------

typedef struct Following {
  int n;
  const SarNode *symbol, *v;
} Following;

static SarNode put_speed(void* context, SarNode node) {
  const Following* f = context;
  for (int i = 0; i < f->n; i++)
    if (f->symbol[i] == node) return f->v[i];
  return SAR_NONE;
}

static bool put_speeds(const SarSymbols* s, const Following* f, int n, SarNode* x) {
  return sar_sym_substitute(s->g, n, x, put_speed, (void*)(uintptr_t)f, x);
}

bool sar_symbols_embed_terms(SarSymbols* s, const SarPartition* p, int n, SarNode* others) {
  const SarModel* m = s->m;
  Reduced r = {.s = s, .p = p};
  SarNode* symbol = room(s, m->nv);
  if (!symbol) return false;
  for (int i = 0; i < m->nv; i++) symbol[i] = s->v[i];
  if (!begin(&r)) return false;
  const Following f = {m->nv, symbol, s->v};
  return put_speeds(s, &f, m->nv, s->rest) && put_speeds(s, &f, m->nrow, s->gamma) &&
         put_speeds(s, &f, m->nz, s->z_rate) && put_speeds(s, &f, n, others) && finish(&r);
}
