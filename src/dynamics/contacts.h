// Collision detection: where the solids of a model touch or soon will (speculative contacts).
#pragma once
#include "base/block.h"
#include "collide/broad.h"
#include "dynamics/tree.h"

// What a body does in a step: two that rest or are fixed keep their contacts.
enum { SAR_MOVES, SAR_FIXED, SAR_RESTS };

// Is this pair of colliders looked at?
typedef bool SarPairAsked(const void* context, int a, int b);

// Scratch of the search, made once for a run.
typedef struct SarContactSearch {
  SarBroad* broad;
  SarBroadItem* item;  // ncollider
  SarBounds* bounds;   // ncollider
  Xform* X;            // ncollider: pose in ground
  double* reach;       // ncollider: how far its surface may move
  double* speed;       // ncollider: none of its points is faster
  double* thin;        // ncollider: half of its smallest side; inf: nothing gets to the other side
  SarBroadPair* pair;  // of bounds that overlap
  int pairs;
  SarContact* before;  // ncontact: those of the last search
  SarTouch*
      touch;  // ncontact + 1: of one pair; one more than there is room for tells that it is missed
  const unsigned char* rest;  // nbody: what each body does; NULL: all move
  SarPairAsked* asked;        // NULL: all pairs are
  const void* context;
  long missed;  // contacts that found no room, since the start
  // several threads: who is asked, touches of each one's share of the pairs, and how many of each
  // pair (-1: there was no room)
  struct SarPool* pool;  // NULL: the calling one alone
  int threads;
  SarTouch* share;  // threads * 2 (ncontact + 1): of one pair, then of all
  int* count;       // of pairs
} SarContactSearch;

// Of two colliders: one rests, and the other one does or is fixed.
static inline bool sar_pair_rests(const SarModel* m, const unsigned char* rest, int a, int b) {
  const int x = m->collider[a].body, y = m->collider[b].body;
  if (!rest) return false;
  const int i = x < 0 ? SAR_FIXED : rest[x], j = y < 0 ? SAR_FIXED : rest[y];
  return i != SAR_MOVES && j != SAR_MOVES && (i == SAR_RESTS || j == SAR_RESTS);
}

// Takes its pieces of a block.
void sar_contact_search_init(SarContactSearch* p, const SarModel* m, SarBlock* b);

// Pieces that the narrow phase takes besides, over so many threads; the pool is then to be set.
void sar_contact_search_share(SarContactSearch* p, const SarModel* m, int threads, SarBlock* b);

// Contacts at the positions of d, with room for what may happen within a time h at its velocities:
// d->contact, rising by (a, b, order within the pair). A contact that was there before, between the
// same features, keeps its impulses and its tangent. Needs kinematics and world poses. Allocates
// nothing; contacts beyond m->ncontact are left out and counted.
void sar_find_contacts(const SarModel* m, SarData* d, SarContactSearch* p, double h);

// After a search: can a solid be past the middle of another one after a time h, so that the way out
// of it is the wrong one?
bool sar_may_pass(const SarContactSearch* p, double h);
