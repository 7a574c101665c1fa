// Analysis of small sparse systems (static_lu.h): fill, supernodes, lists for the numeric phase.
//
// The columns of row i are those of A and of all rows k < i that are taken off it, in rising order:
// a set of bits per row, which grows as it is read from the left. Two neighbouring pivots belong
// together if the first has the columns of the second and the second's own, and nothing else.
//
// Source: Rose and Tarjan, Algorithmic aspects of vertex elimination on directed graphs, SIAM J.
// Appl. Math. 34 (1978), for the fill; Liu, Ng and Peyton, On finding supernodes for sparse matrix
// computations, SIAM J. Matrix Anal. Appl. 14 (1993).
#include "linalg/lanes.h"
#include "linalg/static_lu.h"

#include <string.h>

typedef unsigned long long Word;
enum { BITS = 64 };

static size_t words(int n) { return (size_t)(n + BITS - 1) / BITS; }
static void set_bit(Word* w, int i) { w[i / BITS] |= (Word)1 << i % BITS; }

// By rows: where the entries of each row are.
static void sort_entries(SarStaticLu* p) {
  for (int e = 0; e < p->entries; e++) p->row_first[p->row[e] + 1]++;
  for (int r = 0; r < p->n; r++) p->row_first[r + 1] += p->row_first[r];
  for (int e = p->entries - 1; e >= 0; e--) p->row_entry[--p->row_first[p->row[e] + 1]] = e;
  // every first is now that of the row before it
  for (int r = 0; r < p->n; r++) p->row_first[r] = p->row_first[r + 1];
  p->row_first[p->n] = p->entries;
}

bool sar_static_lu_new(SarStaticLu* p, SarArena* arena, int n, int entries, const int* row,
                       const int* col) {
  *p = (SarStaticLu){.arena = arena, .n = n, .entries = entries, .wide = sar_has_wide()};
  int** ints[] = {&p->row_at,    &p->col_at,       &p->home_row,  &p->home_col,    &p->row_first,
                  &p->start,     &p->diag,         &p->group_end, &p->row_place,   &p->col_place,
                  &p->row_count, &p->update_first, &p->col_count, &p->group_first, &p->own_first,
                  &p->together,  &p->tail_first};
  for (size_t k = 0; k < sizeof ints / sizeof *ints; k++)
    *ints[k] = SAR_ARENA_ARRAY(arena, int, n + 2);
  int** of_entries[] = {&p->row, &p->col, &p->row_entry, &p->more_entry, &p->more_place};
  for (size_t k = 0; k < sizeof of_entries / sizeof *of_entries; k++)
    *of_entries[k] = SAR_ARENA_ARRAY(arena, int, entries + 1);
  p->a = SAR_ARENA_ARRAY(arena, double, entries + 1);
  p->inverse = SAR_ARENA_ARRAY(arena, double, (size_t)(n + 1) * SAR_STATIC_LU_GROUP);
  p->y = SAR_ARENA_ARRAY(arena, double, n + 1);
  p->lower = SAR_ARENA_ARRAY(arena, SarLuPiece, n + 1);
  p->upper = SAR_ARENA_ARRAY(arena, SarLuPiece, n + 1);
  p->bits = SAR_ARENA_ARRAY(arena, Word, words(n) + 1);
  if (n <= SAR_STATIC_LU_DENSE) {
    p->dense = SAR_ARENA_ARRAY(arena, double, (size_t)n*(size_t)n + 1);
    p->pattern = SAR_ARENA_ARRAY(arena, Word, (size_t)n * words(n) + 1);
  }
  if (arena->failed) return false;
  memcpy(p->row, row, (size_t)entries * sizeof *row);
  memcpy(p->col, col, (size_t)entries * sizeof *col);
  sort_entries(p);
  return true;
}

// ---- fill ---------------------------------------------------------------------------------------

// Columns of row i, as bits, from those of A and the rows before. False: no room in `column`.
static bool fill_row(SarStaticLu* p, int i) {
  const int r = p->row_at[i];
  int used = p->start[i];
  memset(p->bits, 0, words(p->n) * sizeof *p->bits);
  for (int k = p->row_first[r]; k < p->row_first[r + 1]; k++)
    set_bit(p->bits, p->col_place[p->col[p->row_entry[k]]]);
  set_bit(p->bits, i);
  for (size_t w = 0; w < words(p->n); w++)
    for (Word left = p->bits[w]; left; left = p->bits[w] & ~(((left & -left) << 1) - 1)) {
      const int k = (int)w * BITS + __builtin_ctzll(left);
      if (used == p->room) return false;
      if (k == i) p->diag[i] = used;
      p->column[used++] = k;
      for (int e = p->diag[k] + 1; k < i && e < p->start[k + 1]; e++)
        set_bit(p->bits, p->column[e]);
    }
  p->start[i + 1] = used;
  return true;
}

// ---- lists --------------------------------------------------------------------------------------

static bool belong_together(const SarStaticLu* p, int k) {
  const int beyond = p->start[k + 1] - p->diag[k] - 1, next = p->start[k + 2] - p->diag[k + 1];
  return beyond == next && memcmp(p->column + p->diag[k] + 1, p->column + p->diag[k + 1],
                                  (size_t)next * sizeof *p->column) == 0;
}

static void find_groups(SarStaticLu* p) {
  for (int k = 0; k < p->n;) {
    int end = k;
    while (end + 1 < p->n && end + 1 - k < SAR_STATIC_LU_GROUP && belong_together(p, end)) end++;
    for (const int first = k; k <= end; k++) p->group_first[k] = first, p->group_end[k] = end;
  }
}

// Where the columns of row `end` beyond its pivot are in row i, as runs. False: no room.
static bool find_runs(SarStaticLu* p, int i, int end, int* runs) {
  int to = p->start[i], first = *runs;
  for (int e = p->diag[end] + 1; e < p->start[end + 1]; e++, to++) {
    const int before = to;
    while (p->column[to] != p->column[e]) to++;
    if (*runs == first || to != before) {
      if (*runs == p->run_room) return false;
      p->run[(*runs)++] = (SarLuRun){to, 0};
    }
    p->run[*runs - 1].count++;
  }
  return true;
}

static bool find_updates(SarStaticLu* p) {
  int updates = 0, runs = 0;
  for (int i = 0; i < p->n; i++) {
    p->update_first[i] = p->own_first[i] = updates;
    for (int e = p->start[i]; e < p->diag[i];) {
      const int k = p->column[e], first = runs;
      const int end = p->group_end[k] < i ? p->group_end[k] : i - 1;
      if (updates == p->update_room || !find_runs(p, i, end, &runs)) return false;
      p->update[updates++] = (SarLuUpdate){k, end - k + 1, e, first, runs - first};
      e += end - k + 1;
      if (k < p->group_first[i]) p->own_first[i] = updates;
    }
  }
  p->update_first[p->n] = updates;
  return true;
}

static void find_tails(SarStaticLu* p) {
  int used = 0;
  for (int k = 0; k < p->n; k++) {
    p->tail_first[k] = used;
    if (p->group_end[k] != k) continue;
    for (int e = p->diag[k] + 1; e < p->start[k + 1]; e++) {
      SarLuRun* last = p->tail + used - 1;
      if (used > p->tail_first[k] && last->to + last->count == p->column[e])
        last->count++;
      else
        p->tail[used++] = (SarLuRun){p->column[e], 1};
    }
  }
  p->tail_first[p->n] = used;
}

static bool are_alike(const SarStaticLu* p, int i, int k) {
  const int length = p->start[i + 1] - p->start[i];
  return length == p->start[k + 1] - p->start[k] &&
         memcmp(p->column + p->start[i], p->column + p->start[k], (size_t)length * sizeof(int)) ==
             0;
}

// Rows of a group with the same columns to the left as well are updated by the same pivots, to the
// same places.
static void find_rows(SarStaticLu* p) {
  for (int i = 0, end; i < p->n; i = end) {
    for (end = i + 1; end <= p->group_end[i] && end < i + SAR_STATIC_LU_ROWS; end++)
      if (!are_alike(p, i, end)) break;
    for (int k = i; k < end; k++) p->together[k] = end - i;
  }
}

// Columns `from` to `to` of a row as runs of contiguous unknowns.
static int add_runs(SarStaticLu* p, int from, int to, SarLuRun* runs, int used) {
  for (int e = from; e < to; e++) {
    if (e > from && p->column[e] == p->column[e - 1] + 1)
      runs[used - 1].count++;
    else
      runs[used++] = (SarLuRun){p->column[e], 1};
  }
  return used;
}

// Room for so many columns of so many rows, made even.
static int packed_size(int rows, int columns) { return (rows + rows % 2) * columns; }

// Pieces for solutions: rows of L that are alike, groups of U.
static void find_pieces(SarStaticLu* p) {
  int runs = 0, at = 0;
  p->lower_count = p->upper_count = 0;
  for (int i = 0, end; i < p->n; i = end) {
    for (end = i + 1; end <= p->group_end[i] && are_alike(p, i, end);) end++;
    const int first = runs, left = p->diag[i] - p->start[i];
    runs = add_runs(p, p->start[i], p->diag[i], p->left, runs);
    p->lower[p->lower_count++] = (SarLuPiece){i, end - i, first, runs - first, at};
    at += packed_size(end - i, left + end - i);
  }
  for (int i = 0, end; i < p->n; i = end) {
    end = p->group_end[i] + 1;
    const int beyond = p->start[end] - p->diag[end - 1] - 1, first = p->tail_first[end - 1];
    p->upper[p->upper_count++] = (SarLuPiece){i, end - i, first, p->tail_first[end] - first, at};
    at += packed_size(end - i, beyond + end - i);
  }
  memset(p->packed, 0, (size_t)at * sizeof *p->packed);
}

static void take_place(SarStaticLu* p, int entry, int at) {
  if (p->from[at] == p->entries) {
    p->from[at] = entry;
    return;
  }
  p->more_entry[p->more] = entry;
  p->more_place[p->more++] = at;
}

static void find_places(SarStaticLu* p) {
  p->more = 0;
  for (int k = 0; k < p->start[p->n]; k++) p->from[k] = p->entries;
  for (int i = 0; i < p->n; i++) {
    const int r = p->row_at[i];
    for (int k = p->row_first[r]; k < p->row_first[r + 1]; k++) {
      const int e = p->row_entry[k], c = p->col_place[p->col[e]];
      int low = p->start[i], high = p->start[i + 1] - 1;
      while (low < high) {
        const int middle = (low + high) / 2;
        if (p->column[middle] < c)
          low = middle + 1;
        else
          high = middle;
      }
      take_place(p, e, low);
    }
  }
}

// All of it for row_at and col_at. False: no room.
static bool analyse(SarStaticLu* p) {
  for (int i = 0; i < p->n; i++) p->row_place[p->row_at[i]] = p->col_place[p->col_at[i]] = i;
  p->start[0] = 0;
  for (int i = 0; i < p->n; i++)
    if (!fill_row(p, i)) return false;
  find_groups(p);
  if (!find_updates(p)) return false;
  find_rows(p);
  find_tails(p);
  find_pieces(p);
  find_places(p);
  return true;
}

// Half as much again, for orders to come.
static bool make_room(SarStaticLu* p) {
  p->room = p->room ? 2 * p->room : 2 * (p->entries + p->n) + 64;
  p->update_room = p->room;
  p->run_room = 2 * p->room;
  p->column = SAR_ARENA_ARRAY(p->arena, int, p->room);
  p->from = SAR_ARENA_ARRAY(p->arena, int, p->room);
  p->value = SAR_ARENA_ARRAY(p->arena, double, p->room);
  p->update = SAR_ARENA_ARRAY(p->arena, SarLuUpdate, p->update_room);
  p->run = SAR_ARENA_ARRAY(p->arena, SarLuRun, p->run_room);
  p->tail = SAR_ARENA_ARRAY(p->arena, SarLuRun, p->room);
  p->left = SAR_ARENA_ARRAY(p->arena, SarLuRun, p->room);
  // single rows are packed twice as wide, triangles as squares
  p->packed = SAR_ARENA_ARRAY(p->arena, double, 2 * (size_t)p->room + 16 * (size_t)(p->n + 1));
  return !p->arena->failed;
}

static bool analyse_with_memory(SarStaticLu* p) {
  while (p->room == 0 || !analyse(p))
    if (!make_room(p)) return false;
  return true;
}

static void go_home(SarStaticLu* p) {
  const size_t bytes = (size_t)p->n * sizeof(int);
  memcpy(p->home_row, p->row_at, bytes);
  memcpy(p->home_col, p->col_at, bytes);
  p->strayed = false;
}

// ---- blocks -------------------------------------------------------------------------------------

// Instructions of a factor and the solutions that go with it, counted on Jacobians of mechanisms.
static double cost_of(const SarStaticLu* p) {
  enum { SOLUTIONS = 6 };
  double pairs = 0;
  for (int k = 0; k < p->update_first[p->n]; k++)
    for (int r = p->update[k].run; r < p->update[k].run + p->update[k].runs; r++)
      pairs += (double)p->update[k].count * ((p->run[r].count + 1) / 2);
  return 4 * pairs + 120.0 * p->update_first[p->n] + 150.0 * p->n +
         (10 + 3.9 * SOLUTIONS) * p->start[p->n];
}

// By blocks, if that is less work. False: no memory.
static bool look_for_blocks(SarStaticLu* p) {
  int* row = SAR_ARENA_ARRAY(p->arena, int, p->entries + 1);
  int* col = SAR_ARENA_ARRAY(p->arena, int, p->entries + 1);
  SarBlockLu* blocks = SAR_ARENA_ARRAY(p->arena, SarBlockLu, 1);
  if (p->arena->failed) return false;
  for (int e = 0; e < p->entries; e++)
    row[e] = p->row_place[p->row[e]], col[e] = p->col_place[p->col[e]];
  const SarLuShape shape = {.n = p->n,
                            .entries = p->entries,
                            .start = p->start,
                            .column = p->column,
                            .group_end = p->group_end,
                            .entry_row = row,
                            .entry_col = col,
                            .cost = cost_of(p)};
  p->by_blocks = false;
  p->blocks = sar_block_lu_new(blocks, p->arena, &shape) ? blocks : NULL;
  return !p->arena->failed;
}

static bool settle(SarStaticLu* p) {
  go_home(p);
  return analyse_with_memory(p) && look_for_blocks(p);
}

bool sar_static_lu_order(SarStaticLu* p, const int* row_at, const int* col_at) {
  const size_t bytes = (size_t)p->n * sizeof(int);
  memmove(p->row_at, row_at, bytes);
  memmove(p->col_at, col_at ? col_at : row_at, bytes);
  return settle(p);
}

bool sar_static_lu_return(SarStaticLu* p) {
  const size_t bytes = (size_t)p->n * sizeof(int);
  memcpy(p->row_at, p->home_row, bytes);
  memcpy(p->col_at, p->home_col, bytes);
  p->strayed = false;
  return analyse_with_memory(p);
}

// ---- order from values --------------------------------------------------------------------------
//
// Of all entries that are not small in their row (threshold), the one whose row and column have the
// fewest others: (r - 1) (c - 1) bounds its fill (Markowitz). Elimination is done on a full array.

static const double THRESHOLD = 0.1;

static Word* pattern_row(const SarStaticLu* p, int r) {
  return p->pattern + (size_t)r * words(p->n);
}
static double* dense_row(const SarStaticLu* p, int r) {
  return p->dense + (size_t)r * (size_t)p->n;
}
static bool has(const Word* w, int i) { return w[i / BITS] >> i % BITS & 1; }

static void spread(SarStaticLu* p) {
  const size_t n = (size_t)p->n;
  memset(p->dense, 0, n * n * sizeof *p->dense);
  memset(p->pattern, 0, n * words(p->n) * sizeof *p->pattern);
  for (int e = 0; e < p->entries; e++) {
    dense_row(p, p->row[e])[p->col[e]] += p->a[e];
    set_bit(pattern_row(p, p->row[e]), p->col[e]);
  }
  for (int i = 0; i < p->n; i++) p->row_place[i] = p->col_place[i] = -1;
}

static void count(SarStaticLu* p) {
  memset(p->col_count, 0, (size_t)p->n * sizeof *p->col_count);
  for (int r = 0; r < p->n; r++) {
    p->row_count[r] = 0;
    for (int c = 0; p->row_place[r] < 0 && c < p->n; c++)
      if (p->col_place[c] < 0 && has(pattern_row(p, r), c)) p->row_count[r]++, p->col_count[c]++;
  }
}

// The best of row r, if it is better than the best so far.
static void look_in_row(const SarStaticLu* p, int r, long* least, double* size, int* row,
                        int* col) {
  const double* w = dense_row(p, r);
  double most = 0;
  for (int c = 0; c < p->n; c++)
    if (p->col_place[c] < 0)
      most = w[c] < 0 ? (-w[c] > most ? -w[c] : most) : w[c] > most ? w[c] : most;
  for (int c = 0; c < p->n; c++) {
    const double x = w[c] < 0 ? -w[c] : w[c];
    if (p->col_place[c] >= 0 || !(x > 0) || x < THRESHOLD * most) continue;
    const long cost = (long)(p->row_count[r] - 1) * (p->col_count[c] - 1);
    if (cost > *least || (cost == *least && !(x / most > *size))) continue;
    *least = cost, *size = x / most, *row = r, *col = c;
  }
}

static void eliminate(SarStaticLu* p, int row, int col) {
  const double* from = dense_row(p, row);
  for (int r = 0; r < p->n; r++) {
    if (p->row_place[r] >= 0 || r == row || !has(pattern_row(p, r), col)) continue;
    double* to = dense_row(p, r);
    const double l = to[col] / from[col];
    Word* bits = pattern_row(p, r);
    const Word* other = pattern_row(p, row);
    for (size_t w = 0; w < words(p->n); w++) bits[w] |= other[w];
    for (int c = 0; c < p->n; c++)
      if (p->col_place[c] < 0 && c != col && from[c] != 0) to[c] -= l * from[c];
    to[col] = 0;
  }
}

// row_at and col_at. False: singular.
static bool find_pivots(SarStaticLu* p) {
  if (!p->dense) return false;
  spread(p);
  for (int i = 0; i < p->n; i++) {
    long least = (long)p->n * p->n;
    double size = 0;
    int row = -1, col = -1;
    count(p);
    for (int r = 0; r < p->n; r++)
      if (p->row_place[r] < 0) look_in_row(p, r, &least, &size, &row, &col);
    if (row < 0) return false;
    eliminate(p, row, col);
    p->row_place[row] = p->col_place[col] = i;
    p->row_at[i] = row;
    p->col_at[i] = col;
  }
  return true;
}

bool sar_static_lu_pivot(SarStaticLu* p) {
  p->strayed = true;
  return find_pivots(p) && analyse(p);
}

bool sar_static_lu_settle(SarStaticLu* p) { return find_pivots(p) && settle(p); }
