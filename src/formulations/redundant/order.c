// Order of pivots for saddle point matrices of bodies and constraints: minimum degree on blocks.
//
// A block is a body (its coordinates) or a constraint (its multipliers); keeping them together
// makes long runs for the factor. The next block is the one with the fewest unknowns beside it
// among those not yet eliminated (Tinney and Walker, minimum degree); among equals the last, so
// that chains go from their tips to the root, each body followed by its joint.
//
// A constraint has nothing on its own diagonal but its compliance: a pivot there would make a
// penalty of it. So it waits until what was eliminated next to it moves in at least as many ways as
// it has rows: every cluster of eliminated blocks that hang together has the coordinates of its
// bodies, less the rows of its constraints.
#include "formulations/redundant/system.h"

#include <string.h>

enum { MOST = 6000 };  // blocks, for sets of neighbours by bits

typedef unsigned long long Word;
enum { BITS = 64 };

typedef struct Blocks {
  const SarModel* m;
  int count, bodies;
  size_t words;
  int *first, *size;  // unknowns of each
  Word* beside;       // neighbours, growing by fill
  Word* given;        // as they were
  bool* gone;
  int *cluster, *ways;  // of eliminated blocks: parent in the forest; at its root, ways to move
  int* order;
} Blocks;

static Word* row(Word* w, const Blocks* b, int i) { return w + (size_t)i * b->words; }
static bool has(const Word* w, int i) { return w[i / BITS] >> i % BITS & 1; }
static void join(Blocks* b, int i, int k) {
  if (i == k) return;
  row(b->given, b, i)[k / BITS] |= (Word)1 << k % BITS;
  row(b->given, b, k)[i / BITS] |= (Word)1 << i % BITS;
}

static int root_of(const Blocks* b, int i) {
  while (b->cluster[i] != i) i = b->cluster[i];
  return i;
}

static void join_all(Blocks* b, const int* dof, int num) {
  for (int i = 0; i < num; i++)
    for (int k = 0; k < i; k++) join(b, b->m->dof_body[dof[i]], b->m->dof_body[dof[k]]);
}

static bool make_blocks(Blocks* b, const bool* held, SarArena* a) {
  const SarModel* m = b->m;
  int** ints[] = {&b->first, &b->size, &b->cluster, &b->ways, &b->order};
  b->bodies = m->nbody;
  b->count = m->nbody + m->nconstraint;
  b->words = (size_t)(b->count + BITS - 1) / BITS;
  for (size_t k = 0; k < sizeof ints / sizeof *ints; k++)
    *ints[k] = SAR_ARENA_ARRAY(a, int, b->count + 1);
  b->beside = SAR_ARENA_ARRAY(a, Word, (size_t)b->count * b->words + 1);
  b->given = SAR_ARENA_ARRAY(a, Word, (size_t)b->count * b->words + 1);
  b->gone = SAR_ARENA_ARRAY(a, bool, b->count + 1);
  if (a->failed) return false;
  for (int i = 0; i < m->nbody; i++) b->first[i] = m->joint_vadr[i], b->size[i] = m->joint_nv[i];
  for (int c = 0; c < m->nconstraint; c++) {
    const SarConstraint* of = &m->constraint[c];
    b->first[m->nbody + c] = m->nv + of->row;
    b->size[m->nbody + c] = of->rows;
    for (int i = of->row; i < of->row + of->rows; i++) {
      const int *dof = &m->row_dof[m->row_adr[i]], num = m->row_adr[i + 1] - m->row_adr[i];
      for (int k = 0; k < num; k++) join(b, m->nbody + c, m->dof_body[dof[k]]);
      if (held[i]) join_all(b, dof, num);
    }
  }
  for (int i = 0; i < m->nbody; i++)  // modal bodies
    for (int k = i; m->body_parent[k] >= 0; k = m->body_parent[k]) join(b, i, m->body_parent[k]);
  for (int k = 0; k < m->ntangent; k++)
    join_all(b, &m->tangent_dof[m->tangent[k].adr], m->tangent[k].num);
  memcpy(b->beside, b->given, (size_t)b->count * b->words * sizeof *b->given);
  return true;
}

// Unknowns beside block i.
static int degree(const Blocks* b, int i) {
  const Word* w = b->beside + (size_t)i * b->words;
  int sum = 0;
  for (size_t k = 0; k < b->words; k++)
    for (Word left = w[k]; left; left &= left - 1)
      sum += b->size[k * BITS + (size_t)__builtin_ctzll(left)];
  return sum;
}

// May constraint i be eliminated now?
static bool is_carried(const Blocks* b, int i) {
  int seen[SAR_STATIC_LU_GROUP], count = 0, ways = 0;
  const Word* w = b->given + (size_t)i * b->words;
  for (size_t k = 0; k < b->words; k++)
    for (Word left = w[k]; left; left &= left - 1) {
      const int other = (int)k * BITS + __builtin_ctzll(left);
      if (!b->gone[other]) continue;
      const int root = root_of(b, other);
      bool known = false;
      for (int s = 0; s < count; s++) known = known || seen[s] == root;
      if (known) continue;
      if (count < SAR_STATIC_LU_GROUP) seen[count++] = root;
      ways += b->ways[root];
    }
  return ways >= b->size[i];
}

static int next(const Blocks* b) {
  int best = -1, least = 0;
  bool carried = false;
  for (int i = 0; i < b->count; i++) {
    if (b->gone[i]) continue;
    const bool can = i < b->bodies || is_carried(b, i);
    const int cost = degree(b, i);
    if (best >= 0 && (can < carried || (can == carried && cost > least))) continue;
    best = i, least = cost, carried = can;
  }
  return best;
}

static void eliminate(Blocks* b, int i) {
  Word* own = row(b->beside, b, i);
  b->gone[i] = true;
  b->cluster[i] = i;
  b->ways[i] = i < b->bodies ? b->size[i] : -b->size[i];
  for (int k = 0; k < b->count; k++) {
    if (has(row(b->given, b, i), k) && b->gone[k] && root_of(b, k) != i) {
      const int root = root_of(b, k);
      b->ways[i] += b->ways[root];
      b->cluster[root] = i;
    }
    if (!has(own, k) || b->gone[k]) continue;
    Word* other = row(b->beside, b, k);
    for (size_t w = 0; w < b->words; w++) other[w] |= own[w];
    other[k / BITS] &= ~((Word)1 << k % BITS);
    other[i / BITS] &= ~((Word)1 << i % BITS);
  }
}

// Too many blocks for sets of neighbours: bodies from the last to the first, then all multipliers.
static void plain_order(const SarModel* m, int* at) {
  int used = 0;
  for (int b = m->nbody - 1; b >= 0; b--)
    for (int i = 0; i < m->joint_nv[b]; i++) at[used++] = m->joint_vadr[b] + i;
  for (int i = m->nrow - 1; i >= 0; i--) at[used++] = m->nv + i;
}

bool sar_absolute_order(const SarModel* m, const bool* held, SarArena* scratch, int* at) {
  Blocks b = {.m = m};
  int used = 0;
  if (m->nbody + m->nconstraint > MOST) {
    plain_order(m, at);
    return true;
  }
  if (!make_blocks(&b, held, scratch)) return false;
  for (int k = 0; k < b.count; k++) {
    const int i = next(&b);
    eliminate(&b, i);
    for (int u = 0; u < b.size[i]; u++) at[used++] = b.first[i] + u;
  }
  return true;
}
