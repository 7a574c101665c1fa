// Families: equations of twins (twins.h) in a graph, so that one text in a loop computes all of
// them and compilers make vectors of it (superword-level parallelism: Larsen and Amarasinghe 2000).
//
// Who builds the graph says where they end: seeds, for each member the same list of nodes. What
// leads to them is matched from there.
#pragma once
#include "codegen/emit.h"
#include "codegen/twins.h"

enum { SAR_FAMILY_LANES = 4 };

typedef struct SarFamily {
  int lanes;  // 2 or 4
  int seeds;
  SarNode* seed;  // seeds lanes: of one seed, all lanes
} SarFamily;

typedef struct SarSeeds {
  SAR_LIST(SarNode) node;
} SarSeeds;

typedef struct SarFamilies {
  SarArena* arena;
  SarGraph* g;
  SarTwins* twins;
  SarSeeds** seed;  // by group of twins and member
  SAR_LIST(SarFamily) list;
} SarFamilies;

// False: no memory.
bool sar_families_begin(SarFamilies* f, SarArena* arena, SarGraph* g, SarTwins* twins);
// A node of one member; all members have theirs in the same order.
void sar_families_note(const SarFamilies* f, SarTwinPlace of, SarNode node);
// Members become families of four or two. False: no memory.
bool sar_families_end(SarFamilies* f);

// As sar_emit_functions, with numbers for the symbols of twins, and loops for families where that
// is worth it.
bool sar_emit_families(SarEmit* e, int n, const SarAssign* assign, const SarFamilies* f,
                       SarEmitted* done);

// The same without loops; node: those of `assign`, is used up.
bool sar_emit_plain(SarEmit* e, int n, const SarAssign* assign, const SarTwins* twins,
                    SarNode* node, SarEmitted* done);

// Whether there are vectors: the macro MODEL_VECTORS.
void sar_family_switch(SarWriter* w, const char* model);
// Types and functions of vectors that they call. uses: of families of so many lanes.
void sar_family_runtime(SarWriter* w, const char* model, int lanes, const struct SarRuntime* uses);

// ---- matching -----------------------------------------------------------------------------------
typedef enum SarLaneKind {
  SAR_LANE_PACKED,    // the same operation in all lanes
  SAR_LANE_SHARED,    // the same node in all lanes
  SAR_LANE_NUMBERS,   // a constant in each
  SAR_LANE_GATHERED,  // nodes that are not alike
} SarLaneKind;

typedef struct SarTuple {  // one node in each lane
  SarNode node[SAR_FAMILY_LANES];
  int family;
  SarLaneKind kind;
  int arg[3];  // tuples; -1: none
  int next;    // with the same first node
} SarTuple;

typedef struct SarMatch {
  SarGraph* g;
  const SarFamilies* f;
  SarArena* arena;
  SAR_LIST(SarTuple) tuple;
  int* first;       // by node: tuples that have it in their first lane; -1: none
  uint64_t* shape;  // by node: equal where only numbers and places of symbols differ
  bool* constant;   // by node: made of numbers alone
  double* value;    // then
  double* size;     // and of what it is the sum: it is known to so many times rounding
  SarNode* mate[SAR_FAMILY_LANES];  // by node of the first lane: what it was met with
} SarMatch;

bool sar_match_families(SarArena* arena, const SarFamilies* f, SarMatch* out);
