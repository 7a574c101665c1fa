// Orders of small envelope (profile.h).
//
// Cuthill and McKee number the unknowns by their distance from one at the rim, neighbours of low
// degree first; reversed, the envelope never grows. Neighbours are all members of an unknown's
// groups: no list of pairs is made, so memory is that of the groups.
//
// Source: George and Liu, Computer Solution of Large Sparse Positive Definite Systems (1981), ch.
// 4.
// Cost: (members) x (size of a group), once.
#include "linalg/profile.h"

#include <string.h>

typedef struct Graph {
  const SarGroups* g;
  int *adr, *group;    // groups of each unknown
  int *degree, *seen;  // seen: round in which it was reached
  int *queue, *level;
  int round;
} Graph;

static bool make_graph(Graph* G, const SarGroups* g, SarArena* scratch) {
  const int n = g->n, members = g->adr[g->ngroup];
  G->g = g;
  G->round = 0;
  G->adr = SAR_ARENA_ARRAY(scratch, int, n + 2);
  G->group = SAR_ARENA_ARRAY(scratch, int, members + 1);
  G->degree = SAR_ARENA_ARRAY(scratch, int, n + 1);
  G->seen = SAR_ARENA_ARRAY(scratch, int, n + 1);
  G->queue = SAR_ARENA_ARRAY(scratch, int, n + 1);
  G->level = SAR_ARENA_ARRAY(scratch, int, n + 1);
  if (scratch->failed) return false;
  for (int k = 0; k < members; k++) G->adr[g->member[k] + 2]++;
  for (int i = 0; i < n; i++) G->adr[i + 2] += G->adr[i + 1];
  for (int c = 0; c < g->ngroup; c++)
    for (int k = g->adr[c]; k < g->adr[c + 1]; k++) {
      const int i = g->member[k];
      G->group[G->adr[i + 1]++] = c;
      G->degree[i] += g->adr[c + 1] - g->adr[c] - 1;
    }
  return true;
}

// Numbers everything that hangs together with `start`, from queue[from] on; returns the end.
static int visit(Graph* G, int start, int from) {
  const SarGroups* g = G->g;
  int end = from;
  G->round++;
  G->queue[end++] = start;
  G->seen[start] = G->round;
  G->level[start] = 0;
  for (int at = from; at < end; at++) {
    const int i = G->queue[at], first = end;
    for (int c = G->adr[i]; c < G->adr[i + 1]; c++)
      for (int k = g->adr[G->group[c]]; k < g->adr[G->group[c] + 1]; k++) {
        const int j = g->member[k];
        if (G->seen[j] == G->round) continue;
        G->seen[j] = G->round;
        G->level[j] = G->level[i] + 1;
        // by degree, then by number: a total order
        int to = end++;
        while (to > first &&
               (G->degree[G->queue[to - 1]] > G->degree[j] ||
                (G->degree[G->queue[to - 1]] == G->degree[j] && G->queue[to - 1] > j))) {
          G->queue[to] = G->queue[to - 1];
          to--;
        }
        G->queue[to] = j;
      }
  }
  return end;
}

// The last one visited is far from the start: beginning there, distances grow until they do not.
static int rim(Graph* G, int start, int from) {
  int depth = -1;
  for (int tries = 0; tries < 8; tries++) {
    const int end = visit(G, start, from), last = G->queue[end - 1];
    if (G->level[last] <= depth) break;
    depth = G->level[last];
    start = last;
  }
  return start;
}

static void cuthill_mckee(Graph* G, int* done, int* order) {
  int count = 0;
  memset(done, 0, (size_t)G->g->n * sizeof *done);
  for (int i = 0; i < G->g->n; i++) {
    if (done[i]) continue;
    const int end = visit(G, rim(G, i, count), count);
    for (int k = count; k < end; k++) {
      order[k] = G->queue[k];
      done[order[k]] = 1;
    }
    count = end;
  }
}

// Sum of squares of the widths of the rows: what a factorisation costs.
static double cost_of(const SarGroups* g, const int* place, int* first) {
  for (int i = 0; i < g->n; i++) first[i] = i;
  for (int c = 0; c < g->ngroup; c++) {
    int least = g->n;
    for (int k = g->adr[c]; k < g->adr[c + 1]; k++)
      if (place[g->member[k]] < least) least = place[g->member[k]];
    for (int k = g->adr[c]; k < g->adr[c + 1]; k++)
      if (least < first[place[g->member[k]]]) first[place[g->member[k]]] = least;
  }
  double cost = 0;
  for (int i = 0; i < g->n; i++) cost += (double)(i - first[i] + 1) * (double)(i - first[i] + 1);
  return cost;
}

bool sar_profile_order(const SarGroups* g, SarArena* scratch, int* place) {
  const int n = g->n;
  Graph G;
  int* order = SAR_ARENA_ARRAY(scratch, int, n + 1);
  int* trial = SAR_ARENA_ARRAY(scratch, int, n + 1);
  int* work = SAR_ARENA_ARRAY(scratch, int, n + 1);
  if (scratch->failed || !make_graph(&G, g, scratch)) return false;
  cuthill_mckee(&G, work, order);
  double best = -1;
  for (int kind = 0; kind < 4; kind++) {
    for (int k = 0; k < n; k++) {
      const int i = kind < 2 ? order[k] : k;
      trial[i] = kind % 2 == 0 ? n - 1 - k : k;
    }
    const double cost = cost_of(g, trial, work);
    if (best >= 0 && cost >= best) continue;
    best = cost;
    memcpy(place, trial, (size_t)n * sizeof *place);
  }
  return true;
}
