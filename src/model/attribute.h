// Attributes of elements (forces, constraints): each kind has a table of them, from which reader,
// compiler, lists and tests work.
#pragma once
#include "base/error.h"
#include "math/spatial.h"

enum { SAR_MAX_ATTR = 18, SAR_LAW_LOCALS = 6 };

typedef enum SarAttrType {  // as written                                 compiled to
  SAR_ATTR_BODY,            // name of a body or ground                   index = body (-1 ground),
  //                                       4 doubles: its own mass, centre in B
  SAR_ATTR_JOINT,   // name of a joint                            index = joint of the tree
  SAR_ATTR_POINT,   // body | body.point | [body, [x, y, z]]      index = body, 3 doubles in B
  SAR_ATTR_FRAME,   // {at, rpy|quat|axes} in ground, at design   12 doubles: Xform in ground
  SAR_ATTR_NUMBER,  // constant                                   1 double
  SAR_ATTR_SCALAR,  // constant or expression of t, measures      index = slot or -1, 1 double
  SAR_ATTR_VECTOR,  // three scalars                  index = first of 3 slots or -1, 3 doubles
  SAR_ATTR_LAW,  // expression of the kind's locals            index = expr, then its slopes; or -1
  SAR_ATTR_TABLE,      // [[x, y], ...] with rising x                index = rows, 2 doubles a row
  SAR_ATTR_MATRIX6,    // 6 (diagonal) or 6x6 constants              36 doubles, row by row
  SAR_ATTR_VECTOR6,    // six constants                              6 doubles
  SAR_ATTR_CHOICE,     // one of the words in `choices`              index = which
  SAR_ATTR_DIRECTION,  // x, -y, ... or [x, y, z], constant          3 doubles, of length 1
  SAR_ATTR_MOTION,  // constant or expression of t and states  index = first of 3 slots: f, f', f'',
                    // or -1
  //                                       1 double; with `choices` "sin": of its sine
  SAR_ATTR_CURVE,    // expression of the kind's first local   index = first of 3 laws: g, g', g''
  SAR_ATTR_LIST,     // [a, b, ...], constants                 index = how many, as many doubles
  SAR_ATTR_NAMED,    // {name: constant, ...}: names as in `choices`    index = how many, 1 double
                     // each
  SAR_ATTR_ROAD,     // name of a road                         index = road, -1: flat at z = 0
  SAR_ATTR_SPAN,     // constant, or [[r, y], ...] with rising r   index = rows (1: constant), 2
                     // doubles a row
  SAR_ATTR_AIRFOIL,  // name of an airfoil                   index = airfoil, -1: flat plate
  SAR_ATTR_FORCE     // name of a force element              index = force, -1: none
} SarAttrType;

typedef struct SarAttr {
  const char* name;
  SarAttrType type;
  const char* def;      // default as written; NULL: must be given; "": may be absent
  const char* doc;      // with unit
  const char* choices;  // CHOICE: "body ground"; NAMED: its names, "c k?", with ? one that may be 0
} SarAttr;

// A compiled attribute: what the element reads at run time.
typedef struct SarAttrValue {
  int index;   // see SarAttrType; -1 when absent
  int adr;     // first double in model->attr_data (zeros when absent)
  int holder;  // BODY, POINT: body of the file, which may be fixed to body `index`
  bool given;
} SarAttrValue;

// Each kind has an example: one element of it, `{KIND: target, ...}` as in a file. Lists print it,
// random models, tests and the fuzzer contain it, with names of their own in place of the agreed
// ones:
//
//   a, b               bodies, not ground
//   turning, turning2  joints with one coordinate, an angle (revolute, screw)
//   sliding            a joint with one coordinate, a length (prismatic)
//
// Its force is smooth wherever random models go, and sizes are of order 1.

// What reader and compiler know of a kind of element. The first `targets` attributes are the value
// of the kind's own key.
typedef struct SarForm {
  const char* name;
  int targets;
  const SarAttr* attr;
  int nattr;
  const char* const* local;  // SAR_LAW_LOCALS names, NULL past the last
} SarForm;
