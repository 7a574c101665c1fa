// A kind of constraint of the file. One const SarConstraintKind per file in elements/constraints,
// one line in constraints.def: reader, compiler, lists, docs and tests work from the attribute
// table.
#pragma once
#include "model/attribute.h"
#include "model/constraint.h"
#include "model/joint_kind.h"

enum { SAR_ROW_COLUMNS = 6 };

typedef struct SarRowBuilder SarRowBuilder;  // the constraint being built

typedef struct SarConstraintKind {
  const char* name;
  const char* doc;
  const char* ref;
  int targets;  // see SarForm
  SarAttr attr[SAR_MAX_ATTR];
  int nattr;
  const char* example;                // one of them as a file has it, see attribute.h
  const char* local[SAR_LAW_LOCALS];  // the name that a CURVE attribute may use: "x"
  // Columns of its rows, in turn: the force of each on the second body, and of nonholonomic ones
  // the speed. Nullable: all in one, `force`.
  const char* row_force[SAR_ROW_COLUMNS];
  const char* row_speed[SAR_ROW_COLUMNS];
  // Adds the rows, from the attributes; checks what the table cannot.
  void (*build)(SarRowBuilder* r);
} SarConstraintKind;

const SarConstraintKind* sar_constraint_kind(int index);  // NULL past the end
static inline SarForm sar_constraint_form(const SarConstraintKind* k) {
  return (SarForm){k->name, k->targets, k->attr, k->nattr, k->local};
}

// ---- for build: what the file says -----------------------------------------------------------
// Attributes by their number in the table. Memory may run out; all go on working then.

typedef struct SarEnd {  // a point of a body, in its frame B
  int body;              // -1: ground
  V3 point;
} SarEnd;

const SarAttrValue* sar_builder_attr(const SarRowBuilder* r, int attr);
double sar_builder_number(const SarRowBuilder* r, int attr);  // constant; zero when absent
V3 sar_builder_vector(const SarRowBuilder* r, int attr);      // DIRECTION or VECTOR, as written
SarEnd sar_builder_end(const SarRowBuilder* r, int attr);     // POINT
V3 sar_builder_place(const SarRowBuilder* r, SarEnd end);     // in ground, at the design position
// The frame U of the file of the body that a BODY or POINT names, in its frame B.
Xform sar_builder_frame(const SarRowBuilder* r, int attr);
// A DIRECTION, given in the frame of the body of attribute `in` at the design position, as one
// fixed in `body`.
V3 sar_builder_direction(const SarRowBuilder* r, int attr, int in, int body);
// A direction given in ground, at the design position, as one fixed in `body`.
V3 sar_builder_from_ground(const SarRowBuilder* r, V3 direction, int body);
// Coordinates of a joint: how many, and what coordinate `component` (from 0) measures.
int sar_builder_freedoms(const SarRowBuilder* r, int joint, SarCoordinate* kind, int component);
// An error at an attribute, or where the constraint stands (attr < 0). The hint may be "".
void sar_builder_complain(SarRowBuilder* r, int attr, const char* hint, const char* format, ...)
    __attribute__((format(printf, 4, 5)));

// ---- for build: rows ---------------------------------------------------------------------------
// Begins a row: sum of terms - f.
void sar_builder_begin(SarRowBuilder* r, double f);
void sar_builder_begin_motion(SarRowBuilder* r, int attr);  // f: a MOTION or NUMBER
// A term of the row begun last; fill in its directions. Never NULL.
SarTerm* sar_builder_term(SarRowBuilder* r, SarTermKind kind, SarEnd a, SarEnd b,
                          double coefficient);
// A coordinate of the joint of a JOINT attribute, in the direction of the file.
void sar_builder_coordinate(SarRowBuilder* r, int joint, int component, double coefficient);
// A nonholonomic row: Psi v = 0.
void sar_builder_begin_speed(SarRowBuilder* r);
// For SarTerm.roller; with the attributes' numbers of its radius and road.
int sar_builder_roller(SarRowBuilder* r, int radius, int road, bool ball);
// The curve of a CURVE or TABLE attribute, for SarTerm.track.
int sar_builder_track(SarRowBuilder* r, int attr);
