// Legs of a block (loops.h): constraints with unknowns that no other row of the block contains.
#include "loops/plan.h"

#include <string.h>

#define NEW(arena, type, n) SAR_ARENA_ARRAY(arena, type, (n) + 1)

static bool row_has(const SarModel* m, int row, int dof) {
  for (int e = m->row_adr[row]; e < m->row_adr[row + 1]; e++)
    if (m->row_dof[e] == dof) return true;
  return false;
}

static bool has_row(const SarLoopBlock* k, int row) {
  for (int i = 0; i < k->rows; i++)
    if (k->row[i] == row) return true;
  return false;
}

static SarLoopBlock* new_leg(SarLoopFlow* f, SarLoopBlock* k) {
  SarLoopBlock* l = &k->leg[k->legs];
  *l = (SarLoopBlock){.row = NEW(&f->arena, int, k->size),
                      .dof = NEW(&f->arena, int, k->size),
                      .variable = NEW(&f->arena, SarLoopVariable, 2 * k->size),
                      .symbol = NEW(&f->arena, SarLoopSymbol, SAR_LOOP_MAX_VARIABLES),
                      .end = {-1, -1, -1}};
  return l;
}

static bool is_taken(const SarLoopBlock* k, int row) {
  for (int i = 0; i < k->legs; i++)
    if (has_row(&k->leg[i], row)) return true;
  return false;
}

// Rows of a pair of the block: points that coincide, and nothing else. 0: not so.
static int take_rows(const SarModel* m, const SarLoopBlock* k, int pair, int* row) {
  int count = 0;
  for (int i = 0; i < k->rows; i++) {
    const SarTerm* t = sar_loop_term(m, k->row[i]);
    if (!t || t->pair != pair || t->kind == SAR_TERM_COORDINATE) continue;
    const SarRow* r = &m->row[k->row[i]];
    if (t->kind != SAR_TERM_ALONG || r->constant != 0 || r->slot >= 0 || r->nonholonomic) return 0;
    row[count++] = k->row[i];
  }
  return count;
}

// Unknowns that no other row has; 0 as well where one is a rotation without coordinates of its own.
static int take_unknowns(const SarModel* m, const SarLoopBlock* k, const SarLoopBlock* leg,
                         int* dof) {
  int count = 0;
  for (int j = 0; j < k->size; j++) {
    bool own = false, others = false;
    for (int i = 0; i < k->rows; i++) {
      const bool has = row_has(m, k->row[i], k->dof[j]);
      if (has && has_row(leg, k->row[i])) own = true;
      if (has && !has_row(leg, k->row[i])) others = true;
    }
    if (!own || others) continue;
    const int joint = m->dof_body[k->dof[j]];
    if (m->joint_nq[joint] != m->joint_nv[joint]) return 0;
    dof[count++] = k->dof[j];
  }
  return count;
}

static void find_links(SarLoopFlow* f, const SarModel* m, SarLoopBlock* k) {
  for (int i = 0; i < k->size; i++) {
    const int link = m->dof_body[k->dof[i]];
    SarLoopAim aim;
    if (i > 0 && m->dof_body[k->dof[i - 1]] == link) continue;
    if (!sar_loop_find_aim(m, k, link, &aim)) continue;
    SarLoopBlock* l = new_leg(f, k);
    if (f->arena.failed) return;
    l->kind = SAR_LOOP_AIMED;
    l->aim = aim;
    l->rows = take_rows(m, k, aim.pair, l->row);
    for (int j = 0; j < k->size; j++)
      if (m->dof_body[k->dof[j]] == link) l->dof[l->size++] = k->dof[j];
    if (l->rows == 3 && !is_taken(k, l->row[0])) k->legs++;
  }
}

static void find_others(SarLoopFlow* f, const SarModel* m, SarLoopBlock* k) {
  for (int i = 0; i < k->rows; i++) {
    const SarTerm* t = sar_loop_term(m, k->row[i]);
    if (!t || t->kind != SAR_TERM_ALONG || is_taken(k, k->row[i])) continue;
    SarLoopBlock* l = new_leg(f, k);
    if (f->arena.failed) return;
    l->kind = SAR_LOOP_TRIANGULAR;
    l->rows = take_rows(m, k, t->pair, l->row);
    l->size = take_unknowns(m, k, l, l->dof);
    if (l->rows > 1 && l->size > 0 && l->size < l->rows) k->legs++;
  }
}

bool sar_loop_find_legs(SarLoopFlow* f, const SarModel* m, SarLoopBlock* k) {
  k->leg = NEW(&f->arena, SarLoopBlock, k->rows);
  if (f->arena.failed) return false;
  find_links(f, m, k);
  find_others(f, m, k);
  return !f->arena.failed;
}

void sar_loop_drop_leg(SarLoopBlock* k, int which) {
  memmove(&k->leg[which], &k->leg[which + 1], (size_t)(k->legs - which - 1) * sizeof *k->leg);
  k->legs--;
}

int sar_loop_leg_of(const SarLoopBlock* k, int dof) {
  for (int i = 0; i < k->legs; i++)
    for (int j = 0; j < k->leg[i].size; j++)
      if (k->leg[i].dof[j] == dof) return i;
  return -1;
}

bool sar_loop_has_core(const SarLoopBlock* k) {
  int rows = 0, core = k->size;
  for (int i = 0; i < k->legs; i++) rows += k->leg[i].rows, core -= k->leg[i].size;
  return k->legs > 0 && rows == k->rows && core > 0 && core <= SAR_LOOP_MAX_CORE;
}
