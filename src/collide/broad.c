// Broad phase by sweep and prune (Baraff 1992; Cohen, Lin, Manocha and Ponamgi 1995), in rows.
//
// Boxes are sorted by where they begin along one axis, the one along which their middles are spread
// most. A box then overlaps only boxes that begin before it ends. Between two calls little moves,
// so an insertion sort of the last order is nearly done when it starts; when it is not, a merge
// sort takes over, so the work is bounded.
//
// Along the axis of second most spread space is divided into rows, and the sweep goes row by row. A
// box is in all rows that it reaches into; one in more than SPAN rows is not in them, and is held
// against all.
//
// Cost: n for the sort, and the pairs in a row that overlap along the axis, about 2 ns each.
#include "collide/broad.h"

struct SarBroad {
  int n;
  int* order;                // by where boxes begin along the axis, then by index
  int* spare;                // n: room for the merge sort, then for that of pairs
  int* entry;                // SPAN n: boxes of the rows
  int* count;                // n + 1: pairs by their first solid
  double* key;               // where a box begins along the axis; inf: not in the sweep
  double *low[3], *high[3];  // boxes in the order of the sweep, along the chosen axes
};

enum { ROWS = 128, SPAN = 3 };

typedef struct Rows {
  double low, per_metre;
  int count, start[ROWS + 1];
} Rows;

static size_t round_up(size_t bytes) { return (bytes + 7) / 8 * 8; }

size_t sar_broad_bytes(int n) {
  size_t m = (size_t)n + 1;
  return round_up(sizeof(SarBroad)) + (3 + SPAN) * round_up(m * sizeof(int)) +
         7 * m * sizeof(double);
}

SarBroad* sar_broad_init(void* memory, int n) {
  SarBroad* s = memory;
  char* at = (char*)memory + round_up(sizeof *s);
  size_t m = (size_t)n + 1, ints = round_up(m * sizeof(int)), doubles = m * sizeof(double);
  s->n = n;
  s->order = (int*)at, at += ints;
  s->spare = (int*)at, at += ints;
  s->count = (int*)at, at += ints;
  s->entry = (int*)at, at += SPAN * ints;
  s->key = (double*)at, at += doubles;
  for (int i = 0; i < 3; i++) {
    s->low[i] = (double*)at, at += doubles;
    s->high[i] = (double*)at, at += doubles;
  }
  for (int i = 0; i < n; i++) s->order[i] = i;
  return s;
}

// ---- order ---------------------------------------------------------------------------------

static double component(V3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

static bool is_finite(const SarBounds* b) {
  return isfinite(b->low.x) && isfinite(b->low.y) && isfinite(b->low.z) && isfinite(b->high.x) &&
         isfinite(b->high.y) && isfinite(b->high.z);
}

// Axes by the variance of the middles of finite boxes, the largest first.
static void choose_axes(const SarBroad* s, const SarBounds* bounds, int axis[3]) {
  V3 sum = v3_zero(), square = v3_zero();
  double m = 0;
  for (int i = 0; i < s->n; i++) {
    if (!is_finite(&bounds[i])) continue;
    V3 c = v3_add(bounds[i].low, bounds[i].high);
    sum = v3_add(sum, c);
    square = v3_add(square, v3(c.x * c.x, c.y * c.y, c.z * c.z));
    m++;
  }
  double spread[3] = {m * square.x - sum.x * sum.x, m * square.y - sum.y * sum.y,
                      m * square.z - sum.z * sum.z};
  axis[0] = spread[0] >= spread[1] && spread[0] >= spread[2] ? 0 : spread[1] >= spread[2] ? 1 : 2;
  axis[1] = (axis[0] + 1) % 3, axis[2] = (axis[0] + 2) % 3;
  if (spread[axis[2]] > spread[axis[1]]) axis[1] = axis[2], axis[2] = 3 - axis[0] - axis[1];
}

// A total order: by key, then by index. The result does not depend on the order before.
static bool is_before(const SarBroad* s, int a, int b) {
  return s->key[a] < s->key[b] || (s->key[a] == s->key[b] && a < b);
}

static bool insertion_sort(SarBroad* s) {
  int left = 8 * s->n + 64;  // moves after which merging is cheaper
  for (int i = 1; i < s->n; i++) {
    int item = s->order[i], j = i;
    for (; j > 0 && is_before(s, item, s->order[j - 1]); j--) s->order[j] = s->order[j - 1];
    s->order[j] = item;
    left -= i - j;
    if (left < 0) return false;
  }
  return true;
}

static void merge_sort(SarBroad* s) {
  for (int width = 1; width < s->n; width *= 2) {
    for (int from = 0; from < s->n; from += 2 * width) {
      int middle = from + width < s->n ? from + width : s->n;
      int end = from + 2 * width < s->n ? from + 2 * width : s->n;
      for (int a = from, b = middle, k = from; k < end; k++) {
        bool second = b < end && (a >= middle || is_before(s, s->order[b], s->order[a]));
        s->spare[k] = second ? s->order[b++] : s->order[a++];
      }
    }
    int* merged = s->spare;
    s->spare = s->order;
    s->order = merged;
  }
}

// Sorts, and returns how many boxes take part in the sweep: the first ones of the order.
static int sort_boxes(SarBroad* s, const SarBounds* bounds) {
  int axis[3], finite = 0;
  choose_axes(s, bounds, axis);
  for (int i = 0; i < s->n; i++) {
    bool in = is_finite(&bounds[i]);
    s->key[i] = in ? component(bounds[i].low, axis[0]) : HUGE_VAL;
    finite += in;
  }
  if (!insertion_sort(s)) merge_sort(s);
  for (int k = 0; k < finite; k++) {
    const SarBounds* b = &bounds[s->order[k]];
    for (int i = 0; i < 3; i++) {
      s->low[i][k] = component(b->low, axis[i]);
      s->high[i][k] = component(b->high, axis[i]);
    }
  }
  return finite;
}

// ---- pairs ---------------------------------------------------------------------------------

typedef struct Found {
  const SarBroadItem* item;
  SarBroadSkip skip;
  const void* context;
  SarBroadPair* pair;
  int most, count;
} Found;

static void add(Found* f, int i, int j) {
  int a = i < j ? i : j, b = i < j ? j : i;
  const SarBroadItem *p = &f->item[a], *q = &f->item[b];
  if (p->body == q->body || (p->surface && q->surface)) return;
  if (!(p->group & q->with) || !(q->group & p->with)) return;
  if (f->skip && f->skip(f->context, a, b)) return;
  if (f->count < f->most) f->pair[f->count] = (SarBroadPair){a, b};
  f->count++;
}

static int row_of(const Rows* r, double y) {
  double k = (y - r->low) * r->per_metre;
  return k > 0 ? (k < r->count - 1 ? (int)k : r->count - 1) : 0;
}

// Rows about twice as wide as the boxes are on average. In one row everything would be compared as
// without rows.
static Rows make_rows(const SarBroad* s, int finite) {
  double low = HUGE_VAL, high = -HUGE_VAL, width = 0;
  for (int k = 0; k < finite; k++) {
    low = fmin(low, s->low[1][k]);
    high = fmax(high, s->high[1][k]);
    width += s->high[1][k] - s->low[1][k];
  }
  double count = finite * (high - low) / (2 * width);
  Rows r = {.low = low, .count = count < 1 || !(width > 0) ? 1 : count > ROWS ? ROWS : (int)count};
  r.per_metre = r.count / fmax(high - low, 1e-300);
  return r;
}

// Lists the boxes of each row in the order of the sweep; those in more than SPAN rows are in no
// list.
static void fill_rows(const SarBroad* s, int finite, Rows* r) {
  for (int k = 0; k <= ROWS; k++) r->start[k] = 0;
  for (int pass = 0; pass < 2; pass++) {
    for (int k = 0; k < finite; k++) {
      int first = row_of(r, s->low[1][k]), last = row_of(r, s->high[1][k]);
      if (last - first >= SPAN) continue;
      for (int row = first; row <= last; row++)
        if (pass == 0)
          r->start[row + 1]++;
        else
          s->entry[r->start[row]++] = k;
    }
    // first pass: sums; second: each start has moved to its end
    for (int row = 0; pass == 0 && row < ROWS; row++) r->start[row + 1] += r->start[row];
  }
  for (int row = ROWS; row > 0; row--) r->start[row] = r->start[row - 1];
  r->start[0] = 0;
}

static bool overlap_rest(const SarBroad* s, int i, int j) {
  return (s->low[1][j] <= s->high[1][i]) & (s->low[1][i] <= s->high[1][j]) &
         (s->low[2][j] <= s->high[2][i]) & (s->low[2][i] <= s->high[2][j]);
}

// A pair that is in several rows counts in the first of them. The loop over neighbours has no
// branch but its end.
static void sweep_row(const SarBroad* s, const Rows* r, int row, Found* f) {
  const double *x = s->low[0], *X = s->high[0];
  const int *entry = &s->entry[r->start[row]], n = r->start[row + 1] - r->start[row];
  int* near = s->spare;
  for (int a = 0; a < n; a++) {
    int i = entry[a], count = 0, first = row_of(r, s->low[1][i]);
    for (int b = a + 1; b < n && x[entry[b]] <= X[i]; b++) {
      near[count] = entry[b];
      count += overlap_rest(s, i, entry[b]);
    }
    for (int k = 0; k < count; k++)
      if (first == row || row_of(r, s->low[1][near[k]]) == row)
        add(f, s->order[i], s->order[near[k]]);
  }
}

// A box in many rows against all that overlap it along the axis, and only once against another such
// box.
static void sweep_wide(const SarBroad* s, const Rows* r, int finite, Found* f) {
  for (int i = 0; i < finite; i++) {
    if (row_of(r, s->high[1][i]) - row_of(r, s->low[1][i]) < SPAN) continue;
    for (int j = 0; j < finite && s->low[0][j] <= s->high[0][i]; j++) {
      if (j == i || s->high[0][j] < s->low[0][i] || !overlap_rest(s, i, j)) continue;
      bool wide = row_of(r, s->high[1][j]) - row_of(r, s->low[1][j]) >= SPAN;
      if (!wide || j > i) add(f, s->order[i], s->order[j]);
    }
  }
}

static void sweep(const SarBroad* s, int finite, Found* f) {
  Rows r = make_rows(s, finite);
  fill_rows(s, finite, &r);
  for (int row = 0; row < r.count; row++) sweep_row(s, &r, row, f);
  sweep_wide(s, &r, finite, f);
}

static bool overlap(const SarBounds* a, const SarBounds* b) {
  return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y &&
         b->low.y <= a->high.y && a->low.z <= b->high.z && b->low.z <= a->high.z;
}

// Boxes without end are few: each against all in the sweep, and against those behind it.
static void add_infinite(const SarBroad* s, const SarBounds* bounds, int finite, Found* f) {
  for (int i = finite; i < s->n; i++) {
    int a = s->order[i];
    for (int j = 0; j < s->n; j++) {
      if (j >= finite && j <= i) continue;
      if (overlap(&bounds[a], &bounds[s->order[j]])) add(f, a, s->order[j]);
    }
  }
}

// By (a, b), in place: pairs move to the places of their a, which counting gives; there they are
// few.
static void sort_pairs(SarBroad* s, SarBroadPair* pair, int n) {
  int *count = s->count, *next = s->spare;
  for (int a = 0; a <= s->n; a++) count[a] = 0;
  for (int i = 0; i < n; i++) count[pair[i].a + 1]++;
  for (int a = 0; a < s->n; a++) count[a + 1] += count[a], next[a] = count[a];
  for (int a = 0; a < s->n; a++)
    while (next[a] < count[a + 1]) {
      SarBroadPair p = pair[next[a]];
      if (p.a == a) {
        next[a]++;
      } else {
        pair[next[a]] = pair[next[p.a]];
        pair[next[p.a]++] = p;
      }
    }
  for (int i = 1; i < n; i++) {
    SarBroadPair p = pair[i];
    int j = i;
    for (; j > 0 && pair[j - 1].a == p.a && pair[j - 1].b > p.b; j--) pair[j] = pair[j - 1];
    pair[j] = p;
  }
}

int sar_broad_pairs(SarBroad* s, const SarBroadItem* item, const SarBounds* bounds,
                    SarBroadSkip skip, const void* context, SarBroadPair* pair, int most) {
  Found f = {item, skip, context, pair, most, 0};
  int finite = sort_boxes(s, bounds);
  sweep(s, finite, &f);
  add_infinite(s, bounds, finite, &f);
  sort_pairs(s, pair, f.count < most ? f.count : most);
  return f.count;
}
