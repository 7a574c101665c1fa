// Blocks of the flow over symbols: dependent from independent coordinates (dependent.h).
#include "codegen/dependent.h"

// ---- all blocks ---------------------------------------------------------------------------------

static int entry_of(const SarModel* m, int row, int dof) {
  for (int e = m->row_adr[row]; e < m->row_adr[row + 1]; e++)
    if (m->row_dof[e] == dof) return e;
  return -1;
}

SarNode sar_blocks_entry(const SymBlocks* b, int row, int dof) {
  const int e = entry_of(b->m, row, dof);
  return e < 0 ? s_num(b->g, 0) : b->Psi[e];
}

// Rows and coordinates of a block. NULL: no memory, or there are no twins.
static const SymBlockTwins* twins_of(const SymBlocks* b, int which) {
  const SarLoopBlock* k = &b->p->flow->block[which];
  const SarModel* m = b->m;
  if (!b->families) return NULL;
  const SarTwinPlace whole = sar_blocks_twin(b, which);
  const SarTwins* t = b->families->twins;
  SymBlockTwins* out = SAR_ARENA_NEW(b->arena, SymBlockTwins);
  SarTwinPlace *row = SAR_ARENA_ARRAY(b->arena, SarTwinPlace, k->size + 1),
               *column = SAR_ARENA_ARRAY(b->arena, SarTwinPlace, k->size + 1);
  if (!out || !row || !column) return NULL;
  for (int i = 0; i < k->size; i++) {
    row[i].group = -1;
    column[i] = t->body[m->dof_body[k->dof[i]]];
    for (int p = 0; p < m->npair; p++)
      for (int e = m->pair[p].term; e < m->pair[p].term + m->pair[p].terms; e++)
        if (m->term[e].row == k->row[i]) row[i] = t->pair[p];
    if (k->size <= SYM_BLOCK_ADJUGATE) row[i] = whole;
  }
  *out = (SymBlockTwins){b->families, row, column};
  return out;
}

static bool factor_block(SymBlocks* b, int which) {
  const SarLoopBlock* k = &b->p->flow->block[which];
  const int n = k->size;
  SarNode* A = SAR_ARENA_ARRAY(b->arena, SarNode, n * n + 1);
  double* value = SAR_ARENA_ARRAY(b->arena, double, n* n + 1);
  if (!A || !value || n > SYM_BLOCK_MOST) return false;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      const int e = entry_of(b->m, k->row[i], k->dof[j]);
      A[i * n + j] = e < 0 ? s_num(b->g, 0) : b->Psi[e];
      value[i * n + j] = e < 0 ? 0 : b->p->Psi[e];
    }
  if (!sar_block_factor(b->arena, b->g, n, A, value, twins_of(b, which), &b->block[which]))
    return false;
  b->block[which].few = b->few;
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
    SarNode y[SYM_BLOCK_MOST];
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
    SarNode x[SYM_BLOCK_MOST];
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
