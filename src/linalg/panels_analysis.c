// Which rows the factor of a sparse matrix has (panels.h): symbolic factorisation.
//
// Column j of the factor has the rows of A's column and those of its children in the elimination
// tree; its parent is the first row below. A is full on groups of unknowns, and a group need be
// entered only where its first member is eliminated: it goes up the tree from there.
//
// Columns with the same rows below are a panel. (Taking in columns with a few rows less, relaxed
// supernodes, was tried on nets and made them dearer: coordinates of a body go together anyway.)
#include "linalg/panels.h"

#include <stdlib.h>
#include <string.h>

typedef struct Columns {
  const SarGroups* g;
  const int* place;
  int n;
  int *head, *next;    // groups by the place of their first member
  int *child, *other;  // of each column, and the next one of the same parent
  int *parent, *count;
  int** rows;  // below the diagonal, in no order
  int *mark, *list;
} Columns;

static bool take_arrays(Columns* c, SarArena* a) {
  const int n = c->n;
  c->head = SAR_ARENA_ARRAY(a, int, n + 1);
  c->next = SAR_ARENA_ARRAY(a, int, c->g->ngroup + 1);
  c->child = SAR_ARENA_ARRAY(a, int, n + 1);
  c->other = SAR_ARENA_ARRAY(a, int, n + 1);
  c->parent = SAR_ARENA_ARRAY(a, int, n + 1);
  c->count = SAR_ARENA_ARRAY(a, int, n + 1);
  c->rows = SAR_ARENA_ARRAY(a, int*, n + 1);
  c->mark = SAR_ARENA_ARRAY(a, int, n + 1);
  c->list = SAR_ARENA_ARRAY(a, int, n + 1);
  return !a->failed;
}

static void sort_groups(Columns* c) {
  const SarGroups* g = c->g;
  for (int j = 0; j < c->n; j++) c->head[j] = c->child[j] = c->parent[j] = c->mark[j] = -1;
  for (int k = 0; k < g->ngroup; k++) {
    int least = c->n;
    for (int i = g->adr[k]; i < g->adr[k + 1]; i++)
      if (c->place[g->member[i]] < least) least = c->place[g->member[i]];
    if (least == c->n) continue;
    c->next[k] = c->head[least];
    c->head[least] = k;
  }
}

static int add_row(Columns* c, int j, int row, int count) {
  if (row <= j || c->mark[row] == j) return count;
  c->mark[row] = j;
  c->list[count] = row;
  return count + 1;
}

// Rows of column j; its parent.
static bool find_column(Columns* c, int j, SarArena* a) {
  const SarGroups* g = c->g;
  int count = 0, least = c->n;
  for (int k = c->head[j]; k >= 0; k = c->next[k])
    for (int i = g->adr[k]; i < g->adr[k + 1]; i++)
      count = add_row(c, j, c->place[g->member[i]], count);
  for (int k = c->child[j]; k >= 0; k = c->other[k])
    for (int i = 0; i < c->count[k]; i++) count = add_row(c, j, c->rows[k][i], count);
  c->rows[j] = SAR_ARENA_ARRAY(a, int, count + 1);
  if (a->failed) return false;
  if (count > 0) memcpy(c->rows[j], c->list, (size_t)count * sizeof(int));
  c->count[j] = count;
  for (int i = 0; i < count; i++) least = c->list[i] < least ? c->list[i] : least;
  if (count == 0) return true;
  c->parent[j] = least;
  c->other[j] = c->child[least];
  c->child[least] = j;
  return true;
}

static bool find_columns(Columns* c, double most, SarArena* a) {
  double entries = 0;
  if (!take_arrays(c, a)) return false;
  sort_groups(c);
  for (int j = 0; j < c->n; j++) {
    if (!find_column(c, j, a)) return false;
    entries += c->count[j] + 1;
    if (entries > most) return false;
  }
  return true;
}

// ---- panels -------------------------------------------------------------------------------------

// first[j]: first column of the panel that ends with j, -1: none ends there.
static int find_panels(const Columns* c, int* first) {
  int panels = 0, start = 0;
  for (int j = 0; j < c->n; j++) {
    const bool goes_on =
        j + 1 < c->n && c->parent[j] == j + 1 && c->count[j] == c->count[j + 1] + 1;
    first[j] = goes_on ? -1 : start;
    if (goes_on) continue;
    panels++;
    start = j + 1;
  }
  return panels;
}

static int by_number(const void* a, const void* b) {
  const int x = *(const int*)a, y = *(const int*)b;
  return (x > y) - (x < y);
}

static bool fill_panels(SarPanels* p, const Columns* c, const int* first, int* of,
                        SarArena* arena) {
  int count = 0, rows = 0;
  double entries = 0;
  for (int j = 0; j < c->n; j++) rows += first[j] >= 0 ? c->count[j] : 0;
  p->panel = SAR_ARENA_ARRAY(arena, SarPanel, p->npanel + 1);
  p->row = SAR_ARENA_ARRAY(arena, int, rows + 1);
  if (arena->failed) return false;
  for (int j = 0; j < c->n; j++) {
    if (first[j] < 0) continue;
    SarPanel* s = &p->panel[count];
    *s = (SarPanel){
        .first = first[j], .width = j - first[j] + 1, .row = p->nrow, .rows = c->count[j]};
    s->adr = (int)entries;
    entries += (double)s->width * (s->width + s->rows);
    if (s->rows > 0) memcpy(p->row + p->nrow, c->rows[j], (size_t)s->rows * sizeof(int));
    qsort(p->row + p->nrow, (size_t)s->rows, sizeof(int), by_number);
    p->nrow += s->rows;
    for (int k = s->first; k <= j; k++) of[k] = count;
    count++;
  }
  p->entries = (int)entries;
  return entries < 2e9;
}

// ---- updates ------------------------------------------------------------------------------------

static int segment(const SarPanels* p, const SarPanel* s, const int* of, int from) {
  const int* row = p->row + s->row;
  int end = from + 1;
  while (end < s->rows && of[row[end]] == of[row[from]]) end++;
  return end - from;
}

// Both lists of rows rise.
static void find_places(const SarPanels* p, const SarPanel* s, const SarPanelUpdate* u) {
  const SarPanel* t = &p->panel[u->panel];
  const int *row = p->row + s->row, *other = p->row + t->row;
  int at = 0;
  for (int i = u->from; i < s->rows; i++) {
    int* place = &p->place[u->place + i - u->from];
    if (row[i] < t->first + t->width) {
      *place = row[i] - t->first;
      continue;
    }
    while (at < t->rows - 1 && other[at] < row[i]) at++;
    *place = t->width + at;
  }
}

static bool fill_updates(SarPanels* p, const int* of, SarArena* arena) {
  double places = 0;
  for (int i = 0; i < p->npanel; i++) {
    const SarPanel* s = &p->panel[i];
    for (int from = 0; from < s->rows; from += segment(p, s, of, from)) {
      p->nupdate++;
      places += s->rows - from;
    }
  }
  if (places > 2e9) return false;
  p->nplace = (int)places;
  p->update = SAR_ARENA_ARRAY(arena, SarPanelUpdate, p->nupdate + 1);
  p->place = SAR_ARENA_ARRAY(arena, int, p->nplace + 1);
  if (arena->failed) return false;
  int count = 0, place = 0;
  for (int i = 0; i < p->npanel; i++) {
    SarPanel* s = &p->panel[i];
    s->update = count;
    for (int from = 0; from < s->rows; from += p->update[count - 1].count) {
      SarPanelUpdate* u = &p->update[count++];
      *u = (SarPanelUpdate){of[p->row[s->row + from]], from, segment(p, s, of, from), place};
      find_places(p, s, u);
      place += s->rows - from;
    }
    s->updates = count - s->update;
  }
  return true;
}

bool sar_panels_analyse(SarPanels* p, const SarGroups* g, const int* place, double most,
                        SarArena* arena) {
  SarArena scratch;
  Columns c = {.g = g, .place = place, .n = g->n};
  *p = (SarPanels){.n = g->n};
  sar_arena_beside(&scratch, arena);
  bool done = find_columns(&c, most, &scratch);
  int* first = SAR_ARENA_ARRAY(&scratch, int, g->n + 1);
  int* of = SAR_ARENA_ARRAY(&scratch, int, g->n + 1);
  if (done && !scratch.failed) p->npanel = find_panels(&c, first);
  done =
      done && !scratch.failed && fill_panels(p, &c, first, of, arena) && fill_updates(p, of, arena);
  sar_arena_end(&scratch, arena);
  return done;
}

// ---- what others ask ----------------------------------------------------------------------------

// Instructions, measured by callgrind on nets: a product of the factor costs 4, one that is
// scattered 6 more; a solution 5 an entry, and what columns and rows cost to begin.
double sar_panels_cost(const SarPanels* p) {
  double cost = 0;
  for (int i = 0; i < p->npanel; i++) {
    const SarPanel* s = &p->panel[i];
    const double w = s->width, h = w + s->rows, entries = w * (h - (w - 1) / 2);
    cost += 60 + 40 * w + 4 * w * w * (h - w / 2) / 2;
    cost += SAR_SOLUTIONS * (5 * entries + 150 * w + 12 * s->rows);
    for (int k = s->update; k < s->update + s->updates; k++) {
      const SarPanelUpdate* u = &p->update[k];
      const double places = u->count * (s->rows - u->from - (u->count - 1) / 2.);
      cost += 60 + 30 * u->count + places * (6 + 4 * w);
    }
  }
  return cost;
}

int sar_panels_entry(const SarPanels* p, int i, int j) {
  int low = 0, high = p->npanel - 1;
  while (low < high) {
    const int mid = (low + high + 1) / 2;
    if (p->panel[mid].first <= j)
      low = mid;
    else
      high = mid - 1;
  }
  const SarPanel* s = &p->panel[low];
  const int column = s->adr + (j - s->first) * (s->width + s->rows);
  if (i < s->first + s->width) return column + i - s->first;
  const int* row = p->row + s->row;
  int from = 0, end = s->rows;
  while (from < end) {
    const int mid = (from + end) / 2;
    if (row[mid] < i)
      from = mid + 1;
    else
      end = mid;
  }
  return from < s->rows && row[from] == i ? column + s->width + from : -1;
}
