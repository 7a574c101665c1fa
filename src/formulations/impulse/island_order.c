// Order of least degree and pattern of the factor of an island (island_factor.h): bodies are
// eliminated one by one, those that one touched touch each other from then on.
#include "formulations/impulse/island_factor.h"

#include <string.h>

enum { NONE = -1 };
// Room for blocks below the diagonal, for each body: stacks need 1, walls 3, heaps of boxes 4.
enum { FILL = 8, FILL_LEAST = 64 };

void sar_island_factor_init(SarIslandFactor* p, int bodies, SarBlock* b) {
  *p = (SarIslandFactor){
      .most = bodies, .room = bodies > 0 ? FILL * bodies + FILL_LEAST : 0, .known_n = NONE};
  SAR_PIECE(b, p->order, bodies);
  SAR_PIECE(b, p->place, bodies);
  SAR_PIECE(b, p->start, bodies + 1);
  SAR_PIECE(b, p->row, p->room);
  SAR_PIECE(b, p->diagonal, (size_t)bodies * SAR_BODY_BLOCK);
  SAR_PIECE(b, p->below, (size_t)p->room * SAR_BODY_BLOCK);
  SAR_PIECE(b, p->head, bodies);
  SAR_PIECE(b, p->degree, bodies);
  SAR_PIECE(b, p->next_of_degree, bodies);
  SAR_PIECE(b, p->last_of_degree, bodies);
  SAR_PIECE(b, p->first_of_degree, bodies + 1);
  SAR_PIECE(b, p->stamp, bodies);
  SAR_PIECE(b, p->slot, bodies);
  SAR_PIECE(b, p->to, 2 * (size_t)p->room);
  SAR_PIECE(b, p->next, 2 * (size_t)p->room);
  SAR_PIECE(b, p->asked, 2 * (size_t)p->room);
  SAR_PIECE(b, p->known, 2 * (size_t)p->room);
}

void sar_island_factor_clear(SarIslandFactor* p, int n) {
  p->n = n;
  p->pairs = 0;
  p->full = false;
}

// Faces of two bodies stand side by side, more often than not.
void sar_island_factor_pair(SarIslandFactor* p, int a, int b) {
  int* last = p->pairs > 0 ? p->asked[p->pairs - 1] : NULL;
  if (last && last[0] == a && last[1] == b) return;
  if (p->pairs == 2 * p->room) {
    p->full = true;
    return;
  }
  p->asked[p->pairs][0] = a;
  p->asked[p->pairs++][1] = b;
}

static bool is_known(const SarIslandFactor* p) {
  return p->n == p->known_n && p->pairs == p->known_pairs &&
         memcmp(p->asked, p->known, (size_t)p->pairs * sizeof *p->asked) == 0;
}

static void now_known(SarIslandFactor* p) {
  int(*asked)[2] = p->asked;
  p->asked = p->known;
  p->known = asked;
  p->known_n = p->n;
  p->known_pairs = p->pairs;
}

static void link(SarIslandFactor* p, int a, int b) {
  p->to[p->cells] = b;
  p->next[p->cells] = p->head[a];
  p->head[a] = p->cells++;
  p->degree[a]++;
}

static bool join(SarIslandFactor* p, int a, int b) {
  if (p->cells + 2 > 2 * p->room) return false;
  link(p, a, b);
  link(p, b, a);
  return true;
}

static bool join_once(SarIslandFactor* p, int a, int b) {
  const int from = p->degree[a] < p->degree[b] ? a : b, other = from == a ? b : a;
  for (int e = p->head[from]; e != NONE; e = p->next[e])
    if (p->to[e] == other) return true;
  return join(p, a, b);
}

// ---- lists of bodies by degree ------------------------------------------------------------------

static void enlist(SarIslandFactor* p, int a) {
  const int first = p->first_of_degree[p->degree[a]];
  p->next_of_degree[a] = first;
  p->last_of_degree[a] = NONE;
  if (first != NONE) p->last_of_degree[first] = a;
  p->first_of_degree[p->degree[a]] = a;
}

static void delist(SarIslandFactor* p, int a) {
  const int before = p->last_of_degree[a], after = p->next_of_degree[a];
  if (before != NONE)
    p->next_of_degree[before] = after;
  else
    p->first_of_degree[p->degree[a]] = after;
  if (after != NONE) p->last_of_degree[after] = before;
}

static void forget_neighbour(SarIslandFactor* p, int a, int gone) {
  int* at = &p->head[a];
  while (p->to[*at] != gone) at = &p->next[*at];
  *at = p->next[*at];
  p->degree[a]--;
}

// ---- elimination --------------------------------------------------------------------------------

// Those that the body of this column touched touch each other now.
static bool join_column(SarIslandFactor* p, int body, int from) {
  for (int i = from; i < p->used; i++) {
    const int a = p->row[i];
    delist(p, a);
    forget_neighbour(p, a, body);
  }
  bool room = true;
  for (int i = from; i < p->used && room; i++) {
    const int a = p->row[i];
    for (int e = p->head[a]; e != NONE; e = p->next[e]) p->stamp[p->to[e]] = a;
    for (int k = i + 1; k < p->used && room; k++)
      if (p->stamp[p->row[k]] != a) room = join(p, a, p->row[k]);
  }
  for (int i = from; i < p->used; i++) enlist(p, p->row[i]);
  return room;
}

static bool eliminate(SarIslandFactor* p, int place, int body) {
  const int from = p->used;
  delist(p, body);
  p->order[place] = body;
  p->place[body] = place;
  p->start[place] = from;
  if (p->used + p->degree[body] > p->room) return false;
  for (int e = p->head[body]; e != NONE; e = p->next[e]) p->row[p->used++] = p->to[e];
  const double rows = p->used - from;
  p->flops += 100 + rows * 220 + rows * (rows + 1) / 2 * 432;
  return join_column(p, body, from);
}

// Pairs as neighbours, each once
static bool list_neighbours(SarIslandFactor* p) {
  p->cells = p->used = 0;
  for (int i = 0; i < p->n; i++) p->head[i] = NONE, p->degree[i] = 0;
  for (int i = 0; i < p->pairs; i++)
    if (!join_once(p, p->known[i][0], p->known[i][1])) return false;
  return true;
}

static bool eliminate_all(SarIslandFactor* p, double most) {
  for (int i = 0; i <= p->n; i++) p->first_of_degree[i] = NONE;
  for (int i = p->n - 1; i >= 0; i--) p->stamp[i] = NONE, enlist(p, i);
  for (int place = 0, least = 0; place < p->n; place++) {
    while (p->first_of_degree[least] == NONE) least++;
    if (!eliminate(p, place, p->first_of_degree[least]) || p->flops > most) return false;
    if (least > 0) least--;  // a neighbour may have lost one
  }
  p->start[p->n] = p->used;
  return true;
}

bool sar_island_factor_order(SarIslandFactor* p, double most) {
  if (p->full) return false;
  // what was given up for its cost says only that it is larger than some
  if (is_known(p) && (p->ordered || p->flops > most)) return p->ordered && p->flops <= most;
  now_known(p);
  p->flops = 0;
  p->ordered = list_neighbours(p) && eliminate_all(p, most);
  return p->ordered;
}
