// The order of AMD (fill_order.h), with memory of ours: its kernel, amd_2, takes none.
//
// Source: Amestoy, Davis and Duff, Algorithm 837: AMD, an approximate minimum degree ordering
// algorithm, ACM TOMS 30 (2004).
#include "linalg/fill_order.h"

#ifdef SARRUS_HAVE_AMD
#include <amd.h>

typedef struct Pattern {
  int *start, *count;  // n: of each unknown's neighbours
  int *list, used, room;
} Pattern;

// Pairs (i, j) of members of a group, i != j, as often as groups hold them.
static double pairs_of(const SarGroups* g) {
  double pairs = 0;
  for (int k = 0; k < g->ngroup; k++) {
    const double size = g->adr[k + 1] - g->adr[k];
    pairs += size * (size - 1);
  }
  return pairs;
}

// group[adr[i] .. adr[i + 1]): groups that have unknown i
static bool turn_round(const SarGroups* g, SarArena* a, int** adr, int** group) {
  const int n = g->n, members = g->adr[g->ngroup];
  *adr = SAR_ARENA_ARRAY(a, int, n + 2);
  *group = SAR_ARENA_ARRAY(a, int, members + 1);
  if (a->failed) return false;
  for (int k = 0; k < members; k++) (*adr)[g->member[k] + 2]++;
  for (int i = 0; i < n; i++) (*adr)[i + 2] += (*adr)[i + 1];
  for (int c = 0; c < g->ngroup; c++)
    for (int k = g->adr[c]; k < g->adr[c + 1]; k++) (*group)[(*adr)[g->member[k] + 1]++] = c;
  return true;
}

// Neighbours of every unknown, each once, with the elbow room that AMD wants behind them.
static bool find_neighbours(Pattern* p, const SarGroups* g, double pairs, SarArena* a) {
  int *adr, *group, n = g->n;
  int* mark = SAR_ARENA_ARRAY(a, int, n + 1);
  p->start = SAR_ARENA_ARRAY(a, int, n + 1);
  p->count = SAR_ARENA_ARRAY(a, int, n + 1);
  p->room = (int)pairs + (int)(pairs / 5) + n + 1;
  p->list = SAR_ARENA_ARRAY(a, int, p->room);
  if (!turn_round(g, a, &adr, &group)) return false;
  for (int i = 0; i < n; i++) {
    p->start[i] = p->used;
    mark[i] = i + 1;
    for (int c = adr[i]; c < adr[i + 1]; c++)
      for (int k = g->adr[group[c]]; k < g->adr[group[c] + 1]; k++) {
        const int j = g->member[k];
        if (mark[j] == i + 1) continue;
        mark[j] = i + 1;
        p->list[p->used++] = j;
      }
    p->count[i] = p->used - p->start[i];
  }
  return true;
}

bool sar_fill_order(const SarGroups* g, double most, SarArena* scratch, int* place) {
  const double pairs = pairs_of(g);
  Pattern p = {.used = 0};
  enum { ARRAYS = 6 };
  int n = g->n, *work[ARRAYS];
  if (!(pairs <= most) || n == 0 || !find_neighbours(&p, g, pairs, scratch)) return false;
  for (int k = 0; k < ARRAYS; k++) work[k] = SAR_ARENA_ARRAY(scratch, int, n + 1);
  if (scratch->failed) return false;
  double control[AMD_CONTROL] = {
      [AMD_DENSE] = AMD_DEFAULT_DENSE, [AMD_AGGRESSIVE] = AMD_DEFAULT_AGGRESSIVE};
  double info[AMD_INFO] = {0};
  // "next" ends as the place of each unknown
  amd_2(n, p.start, p.list, p.count, p.room, p.used, work[0], place, work[1], work[2], work[3],
        work[4], work[5], control, info);
  return true;
}

#else

bool sar_fill_order(const SarGroups* g, double most, SarArena* scratch, int* place) {
  (void)g, (void)most, (void)scratch, (void)place;
  return false;
}

#endif
