// Closed contacts as bilateral constraints, for linearisation about a state of rest.
//
// A contact that bears a force at rest is closed and sticks in small motions: the points of both
// bodies move together (J v = 0: along the normal, and along two tangents where there is friction).
// Where solids are round, the point of contact wanders as they roll: J is evaluated with the
// contacts found at each position, so the curvature of the solids is in the stiffness. Compliant
// contacts are springs and dampers along the normal. Motors that hold with less than their largest
// force, and limits that bear one, hold a coordinate likewise.
#pragma once
#include "dynamics/contacts.h"

enum { SAR_HELD_ROWS = 3 };  // of one contact, at most

typedef struct SarHeldContacts {
  SarContactSearch search;
  int count, dofs, rows;  // contacts; coordinates; rows of both
  SarContact* held;       // as they were where they were chosen
  int* dof;
  double* J;        // rows x nv, row by row
  double* point_J;  // two of 6 x nv
} SarHeldContacts;

// Takes its pieces of a block.
void sar_held_contacts_init(SarHeldContacts* p, const SarModel* m, SarBlock* b);

// Chooses among the contacts that the last step by impulses left in d: all that are closed between
// solids of which one bears a force; and the coordinates of the tree that motors or limits held in
// it.
void sar_hold_contacts(SarHeldContacts* p, const SarModel* m, const SarData* d);
// J where d is, and forces of compliant contacts added to Q (nv). Needs kinematics and world poses;
// the contacts in d become those found there. SAR_NOT_CONVERGED: one of them is gone.
SarStatus sar_held_contacts_update(SarHeldContacts* p, const SarModel* m, SarData* d, double* Q);
