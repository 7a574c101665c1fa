// Load sharing among contacts of trees, and of what touches them: rows (rows.h) and faces that are
// left to the sweeps over rows.
//
// Speeds fix A p, not p, with the Delassus operator A = J H^-1 J' of the contacts that hold
// (closed, and not sliding). Of all p with the same A p the least norm is taken, the projection of
// p onto the range of A (which the pseudoinverse gives, p* = A^+ A p):
//
//   p* <- p* + (A + eps I)^-1 A (p - p*),    repeated: what is in the null space of A is left
//                                            behind
//
// Nothing moves by it, be it at rest or rolling. Held rows are within H^-1. Contacts that would
// pull are left out and borne by the others; where a cone is in the way p goes as far as it lets.
// Motors, limits and rolling resistance keep their impulses.
#pragma once
#include "formulations/impulse/rows.h"

// One impulse: a row, or (row -1) an axis of a point of a face.
typedef struct SarShareItem {
  int row, face, point, axis;
} SarShareItem;

typedef struct SarShareContact {
  int first, count;  // items: the normal, and two tangents if there is friction
  double friction;
  bool takes;  // part
} SarShareContact;

typedef struct SarRowShare {
  int most;         // items; 0: nothing but free bodies touches
  int n, contacts;  // items, contacts that hold
  SarShareItem* item;
  SarShareContact* contact;
  double *A, *L;                // n x n, rows; factor of A + eps I
  double *p, *left, *part, *x;  // n
  SarPointImpulse* unit;        // ncontact: scratch
  double* w;                    // nv and the ground: response of one item
} SarRowShare;

// Takes its pieces of a block.
void sar_row_share_init(SarRowShare* p, const SarModel* m, const SarHeld* held, SarBlock* b);
// Rows of contacts begin at `first`; still: a speed that is none. All sweeps are done.
void sar_row_share(SarRowShare* p, const SarModel* m, const SarData* d, SarImpulses* rows,
                   int first, double still);
