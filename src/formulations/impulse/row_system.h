// The Delassus operator A = J H^-1 J' of some impulses of trees, and of what touches them, dense:
// rows (rows.h) and points of faces that are left to the sweeps over rows. Held rows are within
// H^-1. For direct solves (row_rest.h) and load sharing (row_share.h).
#pragma once
#include "formulations/impulse/rows.h"

// One impulse: a row, or (row -1) an axis of a point of a face.
typedef struct SarRowItem {
  int row, face, point, axis;
} SarRowItem;

// Impulses with one law: of a contact, the normal and two tangents if there is friction; a row
// within bounds of its own.
typedef struct SarRowGroup {
  int first, count;  // items
  double friction;   // of a contact
  double low, high;  // of what is none
  bool contact;
  bool takes;  // part
} SarRowGroup;

typedef struct SarRowSystem {
  int most;       // items; 0: nothing but free bodies touches
  int n, groups;  // items, groups
  SarRowItem* item;
  SarRowGroup* group;
  double *A, *L;                           // n x n, rows; factor
  double *p, *left, *part, *miss, *x, *y;  // n
  double* scale;                           // n: S
  double* takes;                           // n: 1 for items that take part, else 0
  SarPointImpulse* unit;                   // ncontact: scratch
  double* w;                               // nv and the ground: response of one item
} SarRowSystem;

// Takes its pieces of a block. rows: most of laws.
void sar_row_system_init(SarRowSystem* p, const SarModel* m, int rows, const SarHeld* held,
                         SarBlock* b);
static inline void sar_row_system_clear(SarRowSystem* p) { p->n = p->groups = 0; }
// A group that takes part, of `count` items side by side; NULL: there is no room.
SarRowGroup* sar_row_system_add(SarRowSystem* p, int count, SarRowItem first);
// A, and the impulses p that there are.
void sar_row_system_assemble(SarRowSystem* p, const SarModel* m, const SarImpulses* rows);
// takes, by the groups.
void sar_row_system_mark(SarRowSystem* p);
// L L' = S A S + eps of what takes part, S its diagonal scale; with the mean of the diagonal as the
// unit of eps. False: it is not positive definite.
bool sar_row_system_factor(SarRowSystem* p, double eps);
// x <- (S A S + eps)^-1 x
void sar_row_system_solve(const SarRowSystem* p, double* x);

double sar_row_item_speed(const SarImpulses* rows, const SarRowItem* at, const double* v);
// Adds d to the impulse, and what it does to the velocities.
void sar_row_item_give(const SarRowSystem* p, SarImpulses* rows, const SarRowItem* at, double d);
