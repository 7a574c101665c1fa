// Output variables: what a run can report, one const SarOutputKind for each quantity, in a file of
// src/sim/outputs with a line in outputs.def. The reader takes the words of a file from the table,
// the compiler makes the columns and lets expressions use them, `sarrus list outputs`, docs check,
// fuzzers and tests loop over it.
#pragma once
#include "math/spatial.h"
#include "model/constraint_kind.h"
#include "model/force_kind.h"
#include "model/joint_kind.h"

#include <stdint.h>

typedef struct SarChannel SarChannel;
typedef struct SarOutputKind SarOutputKind;

// What a quantity is a quantity of, and the key by which a file names it: {joint: elbow}, or
// `joints`: all of them.
typedef enum SarOwner {
  SAR_OF_MODEL,       // of the whole; no key
  SAR_OF_JOINT,       // index: joint, cuts included
  SAR_OF_BODY,        // index: body of the tree (-1: ground), with a point in its frame B
  SAR_OF_POINT,       // a place on a body: quantities of bodies
  SAR_OF_FORCE,       // index: force
  SAR_OF_CONSTRAINT,  // index: constraint; -1: one without equations
  SAR_OF_CONTACT,     // index: holder, other: the one it touches
  SAR_OF_STATE,       // index: state
  SAR_OF_SIGNAL,      // index: slot of its value
  SAR_OF_VALUE,       // index: slot of an expression
  SAR_OWNERS
} SarOwner;

// Keys of one and of all; NULL: there is none.
typedef struct SarOwnerWords {
  const char *one, *all;
} SarOwnerWords;
SarOwnerWords sar_owner_words(SarOwner owner);

// The owner as far as it is known when columns are named; what it is not of is NULL.
typedef struct SarOutputOwner {
  const SarModel* m;  // work accounts and text are there where columns of results are made
  const SarJointKind* joint;
  const SarForceKind* force;
  const SarConstraintKind* constraint;
  bool drive;  // the constraint's value varies in time
} SarOutputOwner;

typedef struct SarColumn {
  const char *name, *rest;  // LABEL.NAMEREST; both "": the label alone
  int component;            // of the channel
  bool measured_only;       // for expressions, not for results
  char room[32];            // for names that are made
} SarColumn;

// What all columns of one row share: the simulation with everything evaluated that a column needs.
typedef struct SarOutputRow {
  const SarSim* s;
  SarEnergy energy;
  Force momentum;  // of the whole model, about the ground origin
} SarOutputRow;

enum {
  SAR_NEEDS_ACCELERATIONS = 1,
  SAR_NEEDS_REACTIONS = 2  // forces of constraints, shared where these are redundant
};

struct SarOutputKind {
  const char* name;  // as lists have it, "joint velocity"; of the model: the label of its columns
  const char* doc;
  SarOwner of;
  const char* with;   // {joint: NAME, with: WORD}; Nullable: it is not chosen by a word
  const char* key;    // {KEY: NAME} asks for it alone; Nullable
  const char* group;  // word for all owners, or for the whole model; Nullable
  bool by_default;    // comes with its owner where `with` chooses nothing
  bool held;          // expressions may use it as NAME.COLUMN: as it was where the last step ended
  // Bodies: it depends on the place, and comes with a {point: ...}; its index is the holder (the
  // file's body with its frame U).
  bool at_point, by_holder;
  bool at_frame;  // in the axes of the named point (SarChannel.frame)
  // Joints: one column for each coordinate. Full turns of cut joints count then, and its names give
  // way to those of the body.
  bool of_coordinates;
  unsigned needs;  // SAR_NEEDS_*
  // Unit of the columns; of coordinates that are angles, of moments and of angular momenta:
  // unit_turn. NULL: not said.
  const char *unit, *unit_turn;
  // Names of the columns, NULL past the last; or, where they depend on the owner, column i: false
  // past the last.
  const char* const* columns;
  bool (*column)(const SarOutputOwner* of, int i, SarColumn* out);
  double (*value)(const SarOutputRow* row, const SarChannel* c);
  // Is it of the steps that were made, not of an instant: an account of work, a running mean?
  // Nullable: never.
  bool (*past)(const SarChannel* c);
  // Do redundant constraints leave it open? Nullable: never.
  bool (*undecided)(const SarSim* s, const SarChannel* c);
};

const SarOutputKind* sar_output_kind(int index);              // NULL past the end
const SarOutputKind* sar_output_kind_find(const char* name);  // NULL if there is none

// Sets of quantities, one bit for each in the order of the table: all that a word of `with` means
// (0: no such word), all of an owner, those that come where nothing is chosen.
uint64_t sar_outputs_with(const char* word);
uint64_t sar_outputs_of_owner(SarOwner owner);
uint64_t sar_outputs_by_default(SarOwner owner);

// Column i of a quantity; false past the last.
bool sar_output_column(const SarOutputKind* kind, const SarOutputOwner* of, int i, SarColumn* out);
