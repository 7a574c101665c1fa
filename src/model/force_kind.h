// A kind of force element. One const SarForceKind per file in elements/forces, one line in
// forces.def: reader, compiler, lists, docs and tests work from the attribute table.
#pragma once
#include "base/error.h"
#include "math/spatial.h"

enum { SAR_FORCE_MAX_ATTR = 12, SAR_FORCE_MAX_OUTPUT = 12, SAR_LAW_LOCALS = 4 };

typedef enum SarAttrType {  // as written                                 compiled to
  SAR_ATTR_BODY,            // name of a body or ground                   index = body (-1 ground)
  SAR_ATTR_JOINT,           // name of a joint                            index = joint of the tree
  SAR_ATTR_POINT,    // body | body.point | [body, [x, y, z]]      index = body, 3 doubles in B
  SAR_ATTR_FRAME,    // {at, rpy|quat|axes} in ground, at design   12 doubles: Xform in ground
  SAR_ATTR_NUMBER,   // constant                                   1 double
  SAR_ATTR_SCALAR,   // constant or expression of t, measures      index = slot or -1, 1 double
  SAR_ATTR_VECTOR,   // three scalars                  index = first of 3 slots or -1, 3 doubles
  SAR_ATTR_LAW,      // expression of the kind's locals            index = expr or -1: absent
  SAR_ATTR_TABLE,    // [[x, y], ...] with rising x                index = rows, 2 doubles a row
  SAR_ATTR_MATRIX6,  // 6 (diagonal) or 6x6 constants              36 doubles, row by row
  SAR_ATTR_VECTOR6,  // six constants                              6 doubles
  SAR_ATTR_CHOICE    // one of the words in `choices`              index = which
} SarAttrType;

typedef struct SarAttr {
  const char* name;
  SarAttrType type;
  const char* def;      // default as written; NULL: must be given; "": may be absent
  const char* doc;      // with unit
  const char* choices;  // CHOICE: "body ground"
} SarAttr;

// A compiled attribute: what the element reads at run time.
typedef struct SarAttrValue {
  int index;  // see SarAttrType; -1 when absent
  int adr;    // first double in model->attr_data (zeros when absent)
  bool given;
} SarAttrValue;

typedef struct SarForceKind {
  const char* name;
  const char* doc;
  const char* ref;
  // The first `targets` attributes are the value of the kind's own key: `spring_damper: [a, b]`
  // (one target: without brackets).
  int targets;
  SarAttr attr[SAR_FORCE_MAX_ATTR];
  int nattr;
  const char* local[SAR_LAW_LOCALS];         // names that LAW attributes may use: "length", "rate"
  const char* output[SAR_FORCE_MAX_OUTPUT];  // what apply reports, as columns NAME.length
  int noutput;
  bool conservative;  // all of its work is in energy(): nothing goes into the work account

  // Computes the element's constants from the design position (sar_design_pose), once, when the
  // model is compiled: sar_force_constants reads them. Nullable.
  int nconstant;
  void (*prepare)(const SarModel* m, int force, double* constants);

  // Checks what the table cannot (signs, which attributes go together); reports into err. Nullable.
  SarStatus (*check)(const SarModel* m, int force, SarLoc loc, SarError* err);
  // Adds to body_F / tau of d at the present t, q, v (kinematics and expressions are up to date),
  // sets force_power[force] = power of the part that is not in energy(), and its force_output.
  void (*apply)(const SarModel* m, SarData* d, int force);
  // Potential energy [J]; Nullable: none.
  double (*energy)(const SarModel* m, const SarData* d, int force);
} SarForceKind;

const SarForceKind* sar_force_kind(int index);              // NULL past the end
const SarForceKind* sar_force_kind_find(const char* name);  // NULL if there is none
