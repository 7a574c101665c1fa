// Prim's algorithm from ground outwards with a binary heap, then numbering depth first.
//
// A joint that leads out of the part already reached is compared by
//   against its one way | not loaded | not needed | freedoms | not started | depth | turned | name
// The first four make the tree one of least weight; the others choose among equals. A one-way joint
// is entered against its direction only when nothing else leads out, so this happens only when it
// cannot be avoided. Cost O((n + j) log j).
#include "model/graph.h"

#include "base/text.h"

#include <stdlib.h>

enum { KEYS = 7 };

typedef struct Candidate {
  int joint, from;  // from: which end is reached, 0 parent, 1 child
  int key[KEYS];
  int rank;  // of the name: unique, so the order is total
} Candidate;

typedef struct Ranked {
  const char* name;
  int index, second;
} Ranked;

typedef struct Search {
  const SarGraphJoint* joints;
  int nbody, njoint;
  int* first;  // of each body's joints in `ends`; ground is body nbody
  int* ends;
  int* rank;   // of each joint's name
  int* depth;  // 0 = not reached yet; ground and floating bodies: 1
  int* carrier;
  bool* taken;   // joint is in the tree
  bool* inside;  // an inner joint carries the body
  bool* turned;
  Candidate* heap;
  int nheap;
} Search;

static bool comes_first(const Candidate* a, const Candidate* b) {
  for (int i = 0; i < KEYS; i++)
    if (a->key[i] != b->key[i]) return a->key[i] < b->key[i];
  return a->rank < b->rank;
}

static void heap_push(Search* s, Candidate c) {
  int i = s->nheap++;
  while (i > 0 && comes_first(&c, &s->heap[(i - 1) / 2])) {
    s->heap[i] = s->heap[(i - 1) / 2];
    i = (i - 1) / 2;
  }
  s->heap[i] = c;
}

static Candidate heap_pop(Search* s) {
  Candidate top = s->heap[0], last = s->heap[--s->nheap];
  int i = 0;
  for (;;) {
    int child = 2 * i + 1;
    if (child >= s->nheap) break;
    if (child + 1 < s->nheap && comes_first(&s->heap[child + 1], &s->heap[child])) child++;
    if (!comes_first(&s->heap[child], &last)) break;
    s->heap[i] = s->heap[child];
    i = child;
  }
  s->heap[i] = last;
  return top;
}

static int end_of(const Search* s, int joint, int which) {
  int b = s->joints[joint].body[which];
  return b < 0 ? s->nbody : b;
}

// Marks a body as reached and offers the joints that lead on from it.
static void reach(Search* s, int body, int depth) {
  s->depth[body] = depth;
  for (int k = s->first[body]; k < s->first[body + 1]; k++) {
    int j = s->ends[k];
    const SarGraphJoint* joint = &s->joints[j];
    int from = end_of(s, j, 0) == body ? 0 : 1;
    if (joint->loose || s->depth[end_of(s, j, 1 - from)]) continue;
    if (joint->inner ? from == 1 : s->inside[end_of(s, j, 1 - from)]) continue;
    Candidate c = {.joint = j, .from = from, .rank = s->rank[j]};
    c.key[0] = joint->one_way && from == 1;
    c.key[1] = !joint->loaded;
    c.key[2] = !joint->needed;
    c.key[3] = joint->freedoms;
    c.key[4] = !joint->started;
    c.key[5] = depth;
    c.key[6] = from;
    heap_push(s, c);
  }
}

// Everything that hangs together with `root`.
static void grow(Search* s, int root) {
  reach(s, root, 1);
  while (s->nheap > 0) {
    Candidate c = heap_pop(s);
    int from = end_of(s, c.joint, c.from), to = end_of(s, c.joint, 1 - c.from);
    if (s->depth[to]) continue;
    s->taken[c.joint] = true;
    s->turned[to] = c.from == 1;
    s->carrier[to] = c.joint;
    reach(s, to, s->depth[from] + 1);
  }
}

// ---- preparation ----------------------------------------------------------------------------

static bool list_ends(SarArena* a, Search* s) {
  s->first = SAR_ARENA_ARRAY(a, int, s->nbody + 3);
  s->ends = SAR_ARENA_ARRAY(a, int, 2 * s->njoint + 1);
  if (!s->first || !s->ends) return false;
  // counts, shifted by two so that filling moves each start into its place
  for (int j = 0; j < s->njoint; j++)
    for (int k = 0; k < 2; k++) s->first[end_of(s, j, k) + 2]++;
  for (int b = 0; b <= s->nbody; b++) s->first[b + 2] += s->first[b + 1];
  for (int j = 0; j < s->njoint; j++)
    for (int k = 0; k < 2; k++) s->ends[s->first[end_of(s, j, k) + 1]++] = j;
  return true;
}

static int by_group_and_name(const void* pa, const void* pb) {
  const Ranked *a = pa, *b = pb;
  if (a->second != b->second) return a->second < b->second ? -1 : 1;
  int order = sar_text_compare_natural(a->name, b->name);
  return order ? order : (a->index > b->index) - (a->index < b->index);
}

static void sort(Ranked* r, int n) {
  if (n > 1) qsort(r, (size_t)n, sizeof *r, by_group_and_name);
}

static bool rank_joints(SarArena* a, Search* s, SarTree* out) {
  Ranked* r = SAR_ARENA_ARRAY(a, Ranked, s->njoint + 1);
  s->rank = SAR_ARENA_ARRAY(a, int, s->njoint + 1);
  if (!r || !s->rank) return false;
  for (int j = 0; j < s->njoint; j++) r[j] = (Ranked){s->joints[j].name, j, 0};
  sort(r, s->njoint);
  for (int k = 0; k < s->njoint; k++) {
    s->rank[r[k].index] = k;
    out->cut[k] = r[k].index;  // all joints by name; thinned out at the end
  }
  return true;
}

// Bodies in the order in which they may become roots: no joint's child first, then by name.
static Ranked* rank_roots(SarArena* a, const Search* s, const char* const* body_name) {
  Ranked* r = SAR_ARENA_ARRAY(a, Ranked, s->nbody + 1);
  if (!r) return NULL;
  for (int b = 0; b < s->nbody; b++) r[b] = (Ranked){body_name[b], b, 0};
  for (int j = 0; j < s->njoint; j++)
    if (s->joints[j].body[1] >= 0 && !s->joints[j].loose) r[s->joints[j].body[1]].second = 1;
  sort(r, s->nbody);
  return r;
}

// ---- numbering ------------------------------------------------------------------------------

// Depth first, children in natural order of the names of their joints (floating: of the bodies).
static bool number_bodies(SarArena* a, const Search* s, const char* const* body_name,
                          SarTree* out) {
  int n = s->nbody;
  Ranked* children = SAR_ARENA_ARRAY(a, Ranked, n + 1);
  int* start = SAR_ARENA_ARRAY(a, int, n + 2);
  int* stack = SAR_ARENA_ARRAY(a, int, n + 1);
  if (!children || !start || !stack) return false;
  for (int b = 0; b < n; b++) {
    int j = s->carrier[b];
    int parent = j < 0 ? n : end_of(s, j, s->turned[b] ? 1 : 0);
    children[b] = (Ranked){j < 0 ? body_name[b] : s->joints[j].name, b, parent};
  }
  sort(children, n);
  int k = 0;
  for (int p = 0; p <= n; p++) {
    start[p] = k;
    while (k < n && children[k].second == p) k++;
  }
  start[n + 1] = n;

  int depth = 0, next = 0;
  for (int i = start[n + 1] - 1; i >= start[n]; i--) stack[depth++] = i;
  while (depth > 0) {
    const Ranked* c = &children[stack[--depth]];
    int b = c->index, number = next++;
    out->body[number] = b;
    out->number[b] = number;
    out->parent[number] = c->second == n ? -1 : out->number[c->second];
    out->joint[number] = s->carrier[b];
    out->turned[number] = s->turned[b];
    for (int i = start[b + 1] - 1; i >= start[b]; i--) stack[depth++] = i;
  }
  return true;
}

static bool find(SarArena* a, SarArena* scratch, const char* const* body_name, int nbody,
                 const SarGraphJoint* joints, int njoint, SarTree* out) {
  Search s = {.joints = joints, .nbody = nbody, .njoint = njoint};
  s.depth = SAR_ARENA_ARRAY(scratch, int, nbody + 1);
  s.carrier = SAR_ARENA_ARRAY(scratch, int, nbody + 1);
  s.turned = SAR_ARENA_ARRAY(scratch, bool, nbody + 1);
  s.taken = SAR_ARENA_ARRAY(scratch, bool, njoint + 1);
  s.inside = SAR_ARENA_ARRAY(scratch, bool, nbody + 1);
  s.heap = SAR_ARENA_ARRAY(scratch, Candidate, 2 * njoint + 1);
  out->count = nbody;
  out->body = SAR_ARENA_ARRAY(a, int, nbody + 1);
  out->number = SAR_ARENA_ARRAY(a, int, nbody + 1);
  out->parent = SAR_ARENA_ARRAY(a, int, nbody + 1);
  out->joint = SAR_ARENA_ARRAY(a, int, nbody + 1);
  out->turned = SAR_ARENA_ARRAY(a, bool, nbody + 1);
  out->cut = SAR_ARENA_ARRAY(a, int, njoint + 1);
  if (a->failed || scratch->failed) return false;
  if (!list_ends(scratch, &s) || !rank_joints(scratch, &s, out)) return false;
  Ranked* roots = rank_roots(scratch, &s, body_name);
  if (!roots) return false;
  for (int j = 0; j < njoint; j++)
    if (joints[j].inner) s.inside[end_of(&s, j, 1)] = true;

  grow(&s, nbody);  // ground
  for (int k = 0; k < nbody; k++) {
    int b = roots[k].index;
    if (s.depth[b] || s.inside[b]) continue;
    s.carrier[b] = -1;
    grow(&s, b);
  }
  if (!number_bodies(scratch, &s, body_name, out)) return false;
  out->ncut = 0;
  for (int k = 0; k < njoint; k++)
    if (!s.taken[out->cut[k]]) out->cut[out->ncut++] = out->cut[k];
  return true;
}

bool sar_graph_tree(SarArena* a, const char* const* body_name, int nbody,
                    const SarGraphJoint* joints, int njoint, SarTree* out) {
  SarArena scratch;
  sar_arena_beside(&scratch, a);
  const bool found = find(a, &scratch, body_name, nbody, joints, njoint, out);
  sar_arena_free(&scratch);
  return found;
}
