// Analysis of LU by blocks (block_lu.h): which blocks there are, where each product goes, and
// whether it pays.
//
// Rows of a group have the same columns beyond it, so that blocks fill in no more than scalars do:
// with (I, K) and (K, J) there is (I, J).
#include "linalg/block_lu.h"
#include "linalg/lanes.h"

#include <string.h>

enum { B = SAR_LU_BLOCK, CELLS = B * B, SOLUTIONS = 6 };

// Instructions as counted: of a row with the inverses of its triangles, of an entry, of a row in a
// solution.
static const double ROW = 550, ENTRY = 5, SOLVE_ROW = 110;

static bool take_rows(SarBlockLu* p, SarArena* arena, const SarLuShape* s, int* of) {
  p->first = SAR_ARENA_ARRAY(arena, int, s->n + 1);
  p->size = SAR_ARENA_ARRAY(arena, int, s->n + 1);
  if (arena->failed) return false;
  for (int i = 0; i < s->n; i = s->group_end[i] + 1) {
    p->first[p->count] = i;
    p->size[p->count] = s->group_end[i] + 1 - i;
    for (int k = i; k <= s->group_end[i]; k++) of[k] = p->count;
    p->count++;
  }
  return true;
}

// Blocks of row `row` in rising order, to `out`; NULL: they are counted. mark: of each column of
// blocks, scratch.
static int list_row(const SarBlockLu* p, const SarLuShape* s, int row, const int* of, int* mark,
                    SarLuPlace* out) {
  int count = 0;
  memset(mark, 0, (size_t)p->count * sizeof *mark);
  for (int i = p->first[row]; i < p->first[row] + p->size[row]; i++)
    for (int e = s->start[i]; e < s->start[i + 1]; e++) mark[of[s->column[e]]] = 1;
  for (int k = 0; k < p->count; k++) {
    if (!mark[k]) continue;
    if (out) out[count] = (SarLuPlace){k, B, 0, -1};
    mark[k] = count++;
  }
  return count;
}

// Which columns of its blocks a row has, and which rows those to the left of the diagonal.
static void measure_row(SarBlockLu* p, const SarLuShape* s, int row, const int* of,
                        const int* mark) {
  SarLuPlace* block = p->block + p->start[row];
  for (int i = p->first[row]; i < p->first[row] + p->size[row]; i++)
    for (int e = s->start[i]; e < s->start[i + 1]; e++) {
      const int k = of[s->column[e]], column = s->column[e] - p->first[k];
      SarLuPlace* at = &block[mark[k]];
      if (column < at->first) at->first = column;
      if (column >= at->count) at->count = column + 1;
      const int own = i - p->first[row];
      at->row = at->row == -1 || at->row == own ? own : B;
    }
  for (SarLuPlace* at = block; at < p->block + p->start[row + 1]; at++) {
    if (at->row == B || at->column >= row) at->row = -1;
    if (at->column < row) at->first = 0, at->count = p->size[at->column];
    if (at->column == row) at->first = 0, at->count = p->size[row];
    at->count -= at->first;
  }
}

static bool list_blocks(SarBlockLu* p, SarArena* arena, const SarLuShape* s, const int* of,
                        int* mark) {
  p->start = SAR_ARENA_ARRAY(arena, int, p->count + 1);
  p->diag = SAR_ARENA_ARRAY(arena, int, p->count + 1);
  if (arena->failed) return false;
  for (int row = 0; row < p->count; row++)
    p->start[row + 1] = p->start[row] + list_row(p, s, row, of, mark, NULL);
  p->block = SAR_ARENA_ARRAY(arena, SarLuPlace, p->start[p->count] + 1);
  p->targets = SAR_ARENA_ARRAY(arena, int, p->start[p->count] + 1);
  if (arena->failed) return false;
  for (int row = 0; row < p->count; row++) {
    list_row(p, s, row, of, mark, p->block + p->start[row]);
    measure_row(p, s, row, of, mark);
    p->diag[row] = p->start[row];
    while (p->block[p->diag[row]].column != row) p->diag[row]++;
  }
  return true;
}

static int find(const SarBlockLu* p, int row, int column) {
  int e = p->start[row];
  while (p->block[e].column != column) e++;
  return e;
}

// Instructions by blocks wait for each other more than those of runs do: they take as long as these
// where they are so many. Measured (bench/jacobians.c): chains, rotors and vehicles have 0.46 to
// 0.55 of them and take 0.6 to 0.8 of the time, planar four-bars have 0.79 and take 1.1 to 1.35
// times as long.
static const double WORTH = 0.7;

// Of a product with a block of U: its columns, and what a block of L costs to load.
static double cost_of_product(const SarLuPlace* L, const SarLuPlace* U) {
  return L->row >= 0 ? 6 + 11 * U->count : 20 + 36 * U->count;
}

// Products of the factor, and if there is room where each goes. Adds up what they cost.
static int list_targets(SarBlockLu* p, double* cost) {
  int used = 0;
  for (int row = 0; row < p->count; row++)
    for (int e = p->start[row]; e < p->diag[row]; e++) {
      const int k = p->block[e].column;
      if (p->target) p->targets[e] = used;
      for (int u = p->diag[k] + 1; u < p->start[k + 1]; u++, used++) {
        *cost += cost_of_product(&p->block[e], &p->block[u]);
        if (p->target) p->target[used] = find(p, row, p->block[u].column);
      }
    }
  return used;
}

static double cost_of(const SarBlockLu* p, const SarLuShape* s, double products) {
  double cost = products + ENTRY * s->entries + (ROW + SOLUTIONS * SOLVE_ROW) * p->count;
  for (int row = 0; row < p->count; row++)
    for (int e = p->start[row]; e < p->start[row + 1]; e++) {
      const SarLuPlace* at = &p->block[e];
      if (e == p->diag[row]) continue;
      cost += SOLUTIONS * (at->row >= 0 ? 16 : 10 + 5 * at->count);
      cost += at->row >= 0 ? 50 : e < p->diag[row] ? 140 : 20 + 36 * at->count;
    }
  return cost;
}

// What a row lacks of a whole block is the identity.
static bool place_entries(SarBlockLu* p, SarArena* arena, const SarLuShape* s, const int* of) {
  p->entries = s->entries;
  p->place = SAR_ARENA_ARRAY(arena, int, s->entries + 1);
  if (arena->failed) return false;
  for (int e = 0; e < s->entries; e++) {
    const int i = s->entry_row[e], k = s->entry_col[e];
    const int block = find(p, of[i], of[k]);
    const int column = k - p->first[of[k]], row = i - p->first[of[i]];
    p->place[e] = block * CELLS + (p->block[block].row >= 0 ? column : column * B + row);
  }
  return true;
}

static bool take_memory(SarBlockLu* p, SarArena* arena) {
  const size_t cells = (size_t)p->count * CELLS + 1;
  p->value = SAR_ARENA_ARRAY(arena, double, (size_t)p->start[p->count] * CELLS + 1);
  p->lower = SAR_ARENA_ARRAY(arena, double, cells);
  p->upper = SAR_ARENA_ARRAY(arena, double, cells);
  p->y = SAR_ARENA_ARRAY(arena, double, (size_t)p->count* B + 1);
  return !arena->failed;
}

bool sar_block_lu_new(SarBlockLu* p, SarArena* arena, const SarLuShape* s) {
  *p = (SarBlockLu){.wide = sar_has_wide()};
  int* of = SAR_ARENA_ARRAY(arena, int, s->n + 1);
  int* mark = SAR_ARENA_ARRAY(arena, int, s->n + 1);
  double cost = 0;
  if (arena->failed || !take_rows(p, arena, s, of) || !list_blocks(p, arena, s, of, mark))
    return false;
  const int products = list_targets(p, &cost);
  if (cost_of(p, s, cost) > WORTH * s->cost) return false;
  p->target = SAR_ARENA_ARRAY(arena, int, products + 1);
  if (arena->failed || !place_entries(p, arena, s, of)) return false;
  list_targets(p, &cost);
  return take_memory(p, arena);
}
