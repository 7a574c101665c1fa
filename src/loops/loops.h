// Kinematics by loops: how the dependent coordinates of a mechanism follow from the independent
// ones.
//
// The constraint rows and the dependent coordinates are ordered so that each block of rows has as
// many new unknowns as rows (block-triangular form: a maximum matching and strongly connected
// components, Dulmage and Mendelsohn). A block becomes polynomials in sines, cosines and lengths;
// its lexicographic Groebner basis (algebra/groebner.h) gives the unknowns one after the other.
// Where there is no such basis, or none within the limits, the block is left to Newton's method,
// with the reason.
//
// A leg of a block is a constraint with unknowns that no other row contains (a link of a suspension
// or a platform): elimination leaves what its far end must satisfy, a sphere or a circle about its
// near end (constant-distance equation, eq. 15), and the leg itself follows when the rest is known.
// So the rest, the core, is small: it has polynomials where the whole block would have long ones or
// none, and where it has none, Newton's method takes few unknowns and the legs are polynomials all
// the same (block-triangular).
//
// What is known in a block (independent coordinates, unknowns of earlier blocks) enters as few
// symbols: components of points and directions of one body in the frame of another. s^2 + c^2 = 1
// is stated for unknown angles only. Numbers become rationals, exact where decimals allow and else
// within SAR_LOOP_BOUND, or SAR_LOOP_COARSE where the coefficients of a basis would become very
// long. What these leave, and what long polynomials lose by rounding, Newton's method on the
// constraints themselves takes out again (sar_flow_solve does not).
//
// Source: Uchida and McPhee 2012; Uchida and McPhee, Multibody System Dynamics 25 (2011).
#pragma once
#include "base/arena.h"
#include "model/data.h"

#define SAR_LOOP_BOUND 1e-15  // of a length [m] or the tangent of a half turn, over its size or 1
#define SAR_LOOP_COARSE 1e-6

enum { SAR_LOOP_MAX_VARIABLES = 15, SAR_LOOP_REASON = 200, SAR_LOOP_NAME = 48 };

typedef enum SarLoopKind {
  SAR_LOOP_GIVEN,       // one row that measures one coordinate
  SAR_LOOP_TRIANGULAR,  // one polynomial after the other
  SAR_LOOP_NEWTON,      // all its unknowns at once
  SAR_LOOP_AIMED,       // polynomials, then the direction of links between ball joints
  SAR_LOOP_TORN         // its core by Newton's method, then its legs by polynomials
} SarLoopKind;

// A variable of the polynomials that is to be found: sine, cosine or value of a coordinate.
typedef struct SarLoopVariable {
  int dof, q;
  char part;  // 's', 'c', 'x'
} SarLoopVariable;

// A known quantity: component of a point or direction of body `of`, in body `in` (-1 ground), in
// the frame X_PF of a joint that stands on it; or of a known coordinate of a joint that has unknown
// ones too.
typedef struct SarLoopSymbol {
  int of, in, component;
  bool direction;
  V3 at;
  int joint;  // -1: in the body's own frame
  char part;  // 's', 'c', 'x' of coordinate q; 0: none
  int q;
} SarLoopSymbol;

// A polynomial that gives a variable, with numbers for coefficients.
typedef struct SarLoopElement {
  int main, degree;  // variable, and degree in it
  int terms;
  double* c;
  unsigned char (*e)[SAR_LOOP_MAX_VARIABLES];
  // of the exact one
  int digits;
} SarLoopElement;

// A link whose ball joint has two unknown coordinates (aim.c).
typedef struct SarLoopAim {
  int link;    // body, its joint is the ball joint
  int target;  // body that its end is joined to; -1: ground
  int pair;    // of the three rows that say so
  V3 arm, at;  // the end, in the link and in the target
  int held;    // coordinate of the ball joint that is known
} SarLoopAim;

// A block, or a leg of one. Polynomials of a block with legs are those of its core.
typedef struct SarLoopBlock {
  SarLoopKind kind;
  int size;  // unknowns
  int rows;  // as many, but for legs, which have more
  int *row, *dof;
  int variables, symbols;
  SarLoopVariable* variable;  // in the order of the polynomials, the last is found first
  SarLoopSymbol* symbol;
  int elements;  // in the order in which they are used
  SarLoopElement* element;
  int* choice;     // variables + 1: those of variable v are element[choice[v]] ..
  bool fresh;      // symbols follow from earlier blocks: poses are computed again
  double seconds;  // that the basis took
  long work;       // reductions that it took
  size_t bytes;    // memory that it took
  int basis;       // elements of the whole basis
  char reason[SAR_LOOP_REASON];
  int legs;
  struct SarLoopBlock* leg;  // SAR_LOOP_TRIANGULAR, or SAR_LOOP_AIMED for an aim alone
  // of a leg
  SarLoopAim aim;
  int surfaces;  // rows - size: what the end that it is joined to satisfies, with symbols alone
  SarLoopElement* surface;
  int end[3];  // symbols that are components of that end; -1: none
} SarLoopBlock;

typedef struct SarLoopFlow {
  SarArena arena;
  int blocks;
  SarLoopBlock* block;  // in the order of their solution
  int dependent;        // coordinates
  int* dof_block;       // nv: block of a dependent coordinate, -1: independent
  int polynomials;      // blocks that have them
  int aimed;            // blocks of SAR_LOOP_AIMED
  int torn;             // blocks of SAR_LOOP_TORN
  int iterated;         // blocks that have not, torn ones among them
  Xform* pose;          // nbody: scratch of sar_flow_solve
  double* q;            // nq: the same
} SarLoopFlow;

typedef struct SarLoopOptions {
  // For the basis of one block: reductions, so that a plan is the same on every machine (0: no
  // bases), and CPU time [s] where somebody waits (0: no bound).
  long work;
  double seconds;
  size_t bytes;
  const volatile int* cancel;  // Nullable
} SarLoopOptions;

SarLoopOptions sar_loop_options(void);
// Plans the flow for `rank` rows and dependent coordinates at the closed position q. Always gives
// one; free it. NULL: no memory.
SarLoopFlow* sar_flow_new(const SarModel* m, const double* q, int rank, const int* row,
                          const int* dof, const SarLoopOptions* o);
void sar_flow_free(SarLoopFlow* f);

// Moves the dependent coordinates of triangular, aimed and torn blocks in q from the independent
// ones, choosing solutions near where they are; blocks that it could not solve are counted in the
// result, and those that follow from them stay as they are, as do blocks for Newton's method.
int sar_flow_solve(const SarLoopFlow* f, const SarModel* m, double* q);
// X_PF of a joint, the identity for -1; and where the frame of a symbol is, pose: nbody.
Xform sar_loop_joint_frame(const SarModel* m, int joint);
Xform sar_loop_symbol_frame(const SarModel* m, const SarLoopSymbol* s, const Xform* pose);
// The leg that has a coordinate among its unknowns; -1: none.
int sar_loop_leg_of(const SarLoopBlock* k, int dof);
// The real root of a univariate polynomial nearest to `near`: closed form and a fixed polish up to
// degree 4, else a fixed number of safeguarded steps from there. False: no real root, or one that
// is not single, which leaves open which branch it is on.
bool sar_nearest_root(const double* a, int degree, double near, double* root);
