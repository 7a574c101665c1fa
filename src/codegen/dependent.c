// Blocks of the flow over symbols: factors, and dependent from independent coordinates (dependent.h).
#include "codegen/dependent.h"

#include <math.h>
#include <string.h>

static const double SMALL = 0.1;  // an entry that is no pivot, over the largest of its column

// ---- small ones ----------------------------------------------------------------------------------

static SarNode minor2(SarGraph* g, SarNode a, SarNode b, SarNode c, SarNode d) {  // a d - b c
  return s_msc(g, s_mul(g, a, d), b, c);
}

static double number2(double a, double b, double c, double d) { return a * d - b * c; }

static SarNode determinant(SarGraph* g, int n, const SarNode* A, SarNode* adjugate) {
  if (n == 1) {
    adjugate[0] = s_num(g, 1);
    return A[0];
  }
  if (n == 2) {
    adjugate[0] = A[3], adjugate[1] = s_neg(g, A[1]);
    adjugate[2] = s_neg(g, A[2]), adjugate[3] = A[0];
    return minor2(g, A[0], A[1], A[2], A[3]);
  }
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {  // cofactor of entry k, i
      const int r = (k + 1) % 3, s = (k + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
      adjugate[3 * i + k] = minor2(g, A[3 * r + c], A[3 * r + d], A[3 * s + c], A[3 * s + d]);
    }
  SarNode sum = s_num(g, 0);
  for (int k = 0; k < 3; k++) sum = s_mac(g, sum, A[k], adjugate[3 * k]);
  return sum;
}

static double number_determinant(int n, const double* A) {
  if (n == 1) return A[0];
  if (n == 2) return number2(A[0], A[1], A[2], A[3]);
  return A[0] * number2(A[4], A[5], A[7], A[8]) - A[1] * number2(A[3], A[5], A[6], A[8]) +
         A[2] * number2(A[3], A[4], A[6], A[7]);
}

static bool invert(SarGraph* g, const SarNode* A, const double* value, SymBlock* out) {
  const int n = out->n;
  const double at_start = number_determinant(n, value);
  if (!(fabs(at_start) > 0)) return false;
  const SarNode det = determinant(g, n, A, out->inverse), one = s_div(g, s_num(g, 1), det);
  for (int i = 0; i < n * n; i++) out->inverse[i] = s_mul(g, out->inverse[i], one);
  out->flat = s_mul(g, det, s_num(g, 1 / at_start));
  return true;
}

// ---- others --------------------------------------------------------------------------------------

typedef struct Elimination {
  SarGraph* g;
  int n;
  SarNode* A;  // n n, in the order of rows and columns so far
  double* W;   // the same in numbers
  int *row, *column;
} Elimination;

static int count_entries(const Elimination* e, int from, int i, bool of_row) {
  int count = 0;
  for (int k = from; k < e->n; k++)
    count += !s_is_zero(e->g, e->A[of_row ? i * e->n + k : k * e->n + i]);
  return count;
}

// Of the entries that are not small the one that fills in least.
static bool find_pivot(const Elimination* e, int from, int* row, int* column) {
  const int n = e->n;
  long least = -1;
  double best = 0;
  for (int k = from; k < n; k++) {
    double most = 0;
    for (int i = from; i < n; i++) most = fmax(most, fabs(e->W[i * n + k]));
    for (int i = from; i < n; i++) {
      const double size = fabs(e->W[i * n + k]);
      if (!(size > 0) || size < SMALL * most || s_is_zero(e->g, e->A[i * n + k])) continue;
      const long fill =
          (long)(count_entries(e, from, i, true) - 1) * (count_entries(e, from, k, false) - 1);
      if (least >= 0 && (fill > least || (fill == least && size <= best))) continue;
      least = fill, best = size, *row = i, *column = k;
    }
  }
  return least >= 0;
}

static void exchange(Elimination* e, int k, int row, int column) {
  const int n = e->n;
  for (int j = 0; j < n; j++) {
    const SarNode node = e->A[k * n + j];
    const double number = e->W[k * n + j];
    e->A[k * n + j] = e->A[row * n + j], e->A[row * n + j] = node;
    e->W[k * n + j] = e->W[row * n + j], e->W[row * n + j] = number;
  }
  for (int i = 0; i < n; i++) {
    const SarNode node = e->A[i * n + k];
    const double number = e->W[i * n + k];
    e->A[i * n + k] = e->A[i * n + column], e->A[i * n + column] = node;
    e->W[i * n + k] = e->W[i * n + column], e->W[i * n + column] = number;
  }
  const int r = e->row[k], c = e->column[k];
  e->row[k] = e->row[row], e->row[row] = r;
  e->column[k] = e->column[column], e->column[column] = c;
}

static void eliminate(Elimination* e, int k, SarNode reciprocal) {
  const int n = e->n;
  for (int i = k + 1; i < n; i++) {
    SarNode* row = &e->A[i * n];
    if (s_is_zero(e->g, row[k])) continue;
    row[k] = s_mul(e->g, row[k], reciprocal);
    e->W[i * n + k] /= e->W[k * n + k];
    for (int j = k + 1; j < n; j++) {
      row[j] = s_msc(e->g, row[j], row[k], e->A[k * n + j]);
      e->W[i * n + j] -= e->W[i * n + k] * e->W[k * n + j];
    }
  }
}

static bool factor(SarArena* arena, SarGraph* g, const double* value, SymBlock* out) {
  const int n = out->n;
  Elimination e = {.g = g, .n = n, .A = out->LU, .row = out->row, .column = out->column};
  e.W = SAR_ARENA_ARRAY(arena, double, n* n);
  if (!e.W) return false;
  memcpy(e.W, value, (size_t)(n * n) * sizeof *e.W);
  for (int i = 0; i < n; i++) e.row[i] = e.column[i] = i;
  for (int k = 0; k < n; k++) {
    int row = k, column = k;
    if (!find_pivot(&e, k, &row, &column)) return false;
    exchange(&e, k, row, column);
    const SarNode pivot = e.A[k * n + k];
    const SarNode share = s_mul(g, pivot, s_num(g, 1 / e.W[k * n + k]));
    out->reciprocal[k] = s_div(g, s_num(g, 1), pivot);
    out->flat = k == 0 ? share : sar_sym_call(g, SAR_OP_MIN, out->flat, share);
    eliminate(&e, k, out->reciprocal[k]);
  }
  return true;
}

bool sar_block_factor(SarArena* arena, SarGraph* g, int n, const SarNode* A, const double* value,
                      SymBlock* out) {
  *out = (SymBlock){.n = n};
  SarNode* room = SAR_ARENA_ARRAY(arena, SarNode, n * n + 1);
  out->reciprocal = SAR_ARENA_ARRAY(arena, SarNode, n + 1);
  out->row = SAR_ARENA_ARRAY(arena, int, n + 1);
  out->column = SAR_ARENA_ARRAY(arena, int, n + 1);
  if (!room || !out->reciprocal || !out->row || !out->column) return false;
  if (n <= SYM_BLOCK_ADJUGATE) {
    out->inverse = room;
    return invert(g, A, value, out);
  }
  out->LU = room;
  memcpy(room, A, (size_t)(n * n) * sizeof *room);
  return factor(arena, g, value, out);
}

// ---- solving -------------------------------------------------------------------------------------

enum { MOST = 256 };

static void multiply(SarGraph* g, const SymBlock* B, SarNode* x, bool transposed) {
  const int n = B->n;
  SarNode y[SYM_BLOCK_ADJUGATE];
  for (int i = 0; i < n; i++) {
    y[i] = s_num(g, 0);
    for (int k = 0; k < n; k++)
      y[i] = s_mac(g, y[i], B->inverse[transposed ? k * n + i : i * n + k], x[k]);
  }
  memcpy(x, y, (size_t)n * sizeof *x);
}

void sar_block_solve(SarGraph* g, const SymBlock* B, SarNode* x) {
  const int n = B->n;
  SarNode y[MOST];
  if (B->inverse) {
    multiply(g, B, x, false);
    return;
  }
  for (int i = 0; i < n; i++) {
    y[i] = x[B->row[i]];
    for (int k = 0; k < i; k++) y[i] = s_msc(g, y[i], B->LU[i * n + k], y[k]);
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++) y[i] = s_msc(g, y[i], B->LU[i * n + k], y[k]);
    y[i] = s_mul(g, y[i], B->reciprocal[i]);
  }
  for (int i = 0; i < n; i++) x[B->column[i]] = y[i];
}

void sar_block_solve_transposed(SarGraph* g, const SymBlock* B, SarNode* x) {
  const int n = B->n;
  SarNode y[MOST];
  if (B->inverse) {
    multiply(g, B, x, true);
    return;
  }
  for (int i = 0; i < n; i++) {
    y[i] = x[B->column[i]];
    for (int k = 0; k < i; k++) y[i] = s_msc(g, y[i], B->LU[k * n + i], y[k]);
    y[i] = s_mul(g, y[i], B->reciprocal[i]);
  }
  for (int i = n - 1; i >= 0; i--)
    for (int k = i + 1; k < n; k++) y[i] = s_msc(g, y[i], B->LU[k * n + i], y[k]);
  for (int i = 0; i < n; i++) x[B->row[i]] = y[i];
}

// ---- all blocks ----------------------------------------------------------------------------------

static int entry_of(const SarModel* m, int row, int dof) {
  for (int e = m->row_adr[row]; e < m->row_adr[row + 1]; e++)
    if (m->row_dof[e] == dof) return e;
  return -1;
}

SarNode sar_blocks_entry(const SymBlocks* b, int row, int dof) {
  const int e = entry_of(b->m, row, dof);
  return e < 0 ? s_num(b->g, 0) : b->Psi[e];
}

static bool factor_block(SymBlocks* b, int which) {
  const SarLoopBlock* k = &b->p->flow->block[which];
  const int n = k->size;
  SarNode* A = SAR_ARENA_ARRAY(b->arena, SarNode, n * n + 1);
  double* value = SAR_ARENA_ARRAY(b->arena, double, n* n + 1);
  if (!A || !value || n > MOST) return false;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      const int e = entry_of(b->m, k->row[i], k->dof[j]);
      A[i * n + j] = e < 0 ? s_num(b->g, 0) : b->Psi[e];
      value[i * n + j] = e < 0 ? 0 : b->p->Psi[e];
    }
  if (!sar_block_factor(b->arena, b->g, n, A, value, &b->block[which])) return false;
  const SarNode flat = b->block[which].flat;
  sar_blocks_note(b, which, flat);
  b->flat = b->flat < 0 ? flat : sar_sym_call(b->g, SAR_OP_MIN, b->flat, flat);
  return true;
}

SarTwinPlace sar_blocks_twin(const SymBlocks* b, int which) {
  const SarTwins* t = b->families->twins;
  const SarLoopBlock* k = &b->p->flow->block[which];
  const SarTwinPlace none = {.group = -1};
  for (int i = 1; i < k->size; i++) {
    const SarTwinPlace x = t->body[b->m->dof_body[k->dof[0]]],
                       y = t->body[b->m->dof_body[k->dof[i]]];
    if (x.group != y.group || x.member != y.member) return none;
  }
  return t->body[b->m->dof_body[k->dof[0]]];
}

void sar_blocks_note(const SymBlocks* b, int which, SarNode node) {
  if (b->families) sar_families_note(b->families, sar_blocks_twin(b, which), node);
}

bool sar_blocks_factor(SymBlocks* b) {
  b->flat = SAR_NONE;
  b->block = SAR_ARENA_ARRAY(b->arena, SymBlock, b->p->flow->blocks + 1);
  if (!b->block) return false;
  for (int i = 0; i < b->p->flow->blocks; i++)
    if (!factor_block(b, i)) return false;
  if (b->flat < 0) b->flat = s_num(b->g, 1);
  return true;
}

void sar_blocks_solve(const SymBlocks* b, const SarNode* e, SarNode* x) {
  const SarModel* m = b->m;
  const SarLoopFlow* f = b->p->flow;
  for (int which = 0; which < f->blocks; which++) {
    const SarLoopBlock* k = &f->block[which];
    SarNode y[MOST];
    for (int i = 0; i < k->size; i++) {
      y[i] = e[k->row[i]];
      for (int at = m->row_adr[k->row[i]]; at < m->row_adr[k->row[i] + 1]; at++)
        if (f->dof_block[m->row_dof[at]] != which)
          y[i] = s_msc(b->g, y[i], b->Psi[at], x[m->row_dof[at]]);
    }
    sar_block_solve(b->g, &b->block[which], y);
    for (int i = 0; i < k->size; i++) {
      x[k->dof[i]] = y[i];
      sar_blocks_note(b, which, y[i]);
    }
  }
}

// r_dof less what the rows of a block, times x, have in another coordinate.
static void take_off(const SymBlocks* b, int which, int dof, const SarNode* x, SarNode* r) {
  const SarLoopBlock* k = &b->p->flow->block[which];
  SarNode sum = s_num(b->g, 0);
  for (int i = 0; i < k->size; i++)
    sum = s_mac(b->g, sum, sar_blocks_entry(b, k->row[i], dof), x[i]);
  if (s_is_zero(b->g, sum)) return;
  sar_blocks_note(b, which, sum);
  r[dof] = s_sub(b->g, r[dof], sum);
}

void sar_blocks_transposed(const SymBlocks* b, SarNode* r, SarNode* y) {
  const SarModel* m = b->m;
  const SarLoopFlow* f = b->p->flow;
  for (int i = 0; i < m->nrow; i++) y[i] = s_num(b->g, 0);
  for (int which = f->blocks - 1; which >= 0; which--) {
    const SarLoopBlock* k = &f->block[which];
    SarNode x[MOST];
    for (int i = 0; i < k->size; i++) x[i] = r[k->dof[i]];
    sar_block_solve_transposed(b->g, &b->block[which], x);
    for (int i = 0; i < k->size; i++) {
      y[k->row[i]] = x[i];
      sar_blocks_note(b, which, x[i]);
    }
    for (int dof = 0; dof < m->nv; dof++)
      if (f->dof_block[dof] != which) take_off(b, which, dof, x, r);
  }
}
