// Twins of any model: the same mechanism written down in another way, made from its spec, so that
// any file will do. What a twin computes must be what the model computes (support/twins/columns.h
// takes its columns back to those of the model).
#pragma once
#include "model/model.h"
#include "model/spec.h"
#include "support/random.h"

typedef enum TwinKind {
  TWIN_SAME,        // nothing is changed
  TWIN_LOOKED_AT,   // nothing, but all columns are asked for after every step
  TWIN_RESUMED,     // nothing, but half-way a copy goes on in a simulation of its own
  TWIN_RENAMED,     // all names have something before them: their order stays
  TWIN_REORDERED,   // all lists of the file in another order
  TWIN_ROWS,        // nothing, but steps end in other places as well
  TWIN_SHUFFLED,    // all names have something random before them
  TWIN_REVERSED,    // parents and children of joints exchanged
  TWIN_CUT,         // another spanning tree
  TWIN_SPLIT,       // bodies are two, joined by a fixed joint
  TWIN_FIXED_BODY,  // one more body, fixed to the ground
  TWIN_MIRRORED,
  TWIN_TURNED,       // and moved, gravity with it
  TWIN_UNITS,        // other units of length, mass and time
  TWIN_COORDINATES,  // absolute coordinates (relative ones, if the model has absolute ones)
  TWIN_KINDS
} TwinKind;

extern const char* const TWIN_NAME[TWIN_KINDS];

// x' = length Q x + shift, and other units; Q = Q0 M with a rotation Q0 and, if mirrored, M =
// diag(1, -1, 1). Frames stay right-handed: in frames of bodies x' = length M x.
typedef struct Similarity {
  double length, mass, time;
  M3 Q;
  V3 shift;
  bool mirrored;
} Similarity;

typedef struct Dimension {
  int length, mass, time;
} Dimension;

double similarity_scale(const Similarity* s, Dimension d);
Similarity similarity_none(void);

// How a joint's coordinates are counted in the twin, by the index of the joint in the spec.
typedef struct TwinJoint {
  bool reversed;
  double sign[SAR_JOINT_MAX_NV];  // of each speed; positions that are no quaternions go likewise
} TwinJoint;

typedef struct Twin {
  TwinKind kind;
  SarModel* model;  // NULL: it cannot be made, `why` says why not
  Similarity similarity;
  uint64_t names;           // salt of the new names; 0: the old ones
  int joints;               // of the spec
  const char** joint_name;  // old
  TwinJoint* joint;
  SarArena arena;
  char why[200];
} Twin;

// The model itself is TWIN_SAME. All columns there are become outputs, behind the file's
// expressions. `absolute`: the model is in absolute coordinates, whatever the file says.
void twin_make(const char* path, TwinKind kind, uint64_t seed, bool absolute, Twin* out);
void twin_free(Twin* t);
// The name that stands for this one in the twin, in `buf`.
const char* twin_name(const Twin* t, const char* name, char* buf, size_t size);

// ---- for the files that make them --------------------------------------------------------------
typedef struct TwinJob {
  SarSpec* spec;
  Twin* twin;
  Rng* rng;
} TwinJob;

void twin_refuse(TwinJob* j, const char* format, ...) __attribute__((format(printf, 2, 3)));
// A number of the spec with all its parameters known; NaN: it varies.
double twin_value(SpecNum n);
SpecNum twin_number(SarSpec* s, double value);
// The expression `text`, in which X, Y and Z stand for numbers of the spec.
SpecNum twin_combine(SarSpec* s, const char* text, SpecNum x, SpecNum y, SpecNum z);
// An expression with names replaced by others.
const SarExpr* twin_replace(SarSpec* s, const SarExpr* e, SarExprReplace* replace, void* context);
V3 twin_vector(const SpecVec3* v, V3 otherwise);
void twin_set_vector(SarSpec* s, SpecVec3* v, V3 value);
Xform twin_pose(const SpecPose* p);
void twin_set_pose(SarSpec* s, SpecPose* p, Xform X);
SpecJoint* twin_find_joint(SarSpec* s, const char* name);  // NULL: none
SpecBody* twin_find_body(SarSpec* s, const char* name);
bool twin_is_placed(const SarSpec* s, const SpecBody* b);  // by a joint with `origin`

void twin_rename(TwinJob* j);   // names.c
void twin_similar(TwinJob* j);  // similar.c: by twin->similarity
void twin_reorder(TwinJob* j);  // structure.c
void twin_reverse(TwinJob* j);
void twin_recut(TwinJob* j);
void twin_split(TwinJob* j);
void twin_add_fixed(TwinJob* j);
