// Pairs of bodies that meet in a point (ball joints, pins of planar mechanisms) at closed
// positions: which of them may be written in ground axes.
//
// The model has the directions of such rows fixed in one of the bodies. Where the point is one of
// both bodies, any three directions say the same; those of the ground make rows of few entries (of
// a platform that floats: ones and a cross product) and accelerations that need no relative motion.
// The rows must be of one block, so that blocks keep their unknowns.
#include "codegen/embedding.h"

// A row of one term and no value.
static bool is_plain(const SarModel* m, const SarTerm* t) {
  const SarRow* row = &m->row[t->row];
  return t->kind == SAR_TERM_ALONG && t->coefficient == 1 && t->place < 0 && row->slot < 0 &&
         row->constant == 0 && row->turn == 0;
}

static int block_of_row(const SarLoopFlow* f, int row) {
  for (int b = 0; b < f->blocks; b++)
    for (int i = 0; i < f->block[b].size; i++)
      if (f->block[b].row[i] == row) return b;
  return -1;
}

// Ground axes that the directions of a pair of two rows span, if the gap has no part along the
// third.
static int plane_of(SarSymbols* s, const SarPair* p) {
  SarGraph* g = s->g;
  const int i = (int)(p - s->m->pair);
  const SymXform X_GA = sar_symbols_pose(s, p->body[0]), X_GB = sar_symbols_pose(s, p->body[1]);
  const SymV3 gap = sv3_sub(g, sx_point(g, X_GB, sar_symbols_pair_point(s, i, 1)),
                            sx_point(g, X_GA, sar_symbols_pair_point(s, i, 0)));
  const SymV3 x = sm3_mul_v(g, X_GA.R, sar_symbols_direction(s, &s->m->term[p->term], 'x')),
              y = sm3_mul_v(g, X_GA.R, sar_symbols_direction(s, &s->m->term[p->term + 1], 'x'));
  if (s_is_zero(g, gap.x) && s_is_zero(g, x.x) && s_is_zero(g, y.x)) return 6;
  if (s_is_zero(g, gap.y) && s_is_zero(g, x.y) && s_is_zero(g, y.y)) return 5;
  if (s_is_zero(g, gap.z) && s_is_zero(g, x.z) && s_is_zero(g, y.z)) return 3;
  return 0;
}

static int axes_of(SarSymbols* s, const SarLoopFlow* f, const SarPair* p) {
  const SarTerm* t = &s->m->term[p->term];
  if (p->terms != 2 && p->terms != 3) return 0;
  for (int i = 0; i < p->terms; i++) {
    if (!is_plain(s->m, &t[i]) || block_of_row(f, t[i].row) < 0 ||
        block_of_row(f, t[i].row) != block_of_row(f, t[0].row))
      return 0;
    for (int k = 0; k < i; k++)  // directions at right angles
      if (!(v3_dot(t[i].x, t[k].x) < 1e-9 && v3_dot(t[i].x, t[k].x) > -1e-9)) return 0;
  }
  return p->terms == 3 ? 7 : plane_of(s, p);
}

bool sar_symbols_pin(SarSymbols* s, const SarLoopFlow* f) {
  int* axes = SAR_ARENA_ARRAY(s->arena, int, s->m->npair + 1);
  if (!axes) return false;
  for (int i = 0; i < s->m->npair; i++) axes[i] = axes_of(s, f, &s->m->pair[i]);
  s->pinned = axes;
  return true;
}
