// What touches in a model, and where it does in a run.
#pragma once
#include "collide/collide.h"

// A solid on a body (or on ground) that others may touch.
typedef struct SarCollider {
  int body;    // of the tree; -1: ground
  int holder;  // body of the file; -1: ground
  Xform X_BS;
  SarSolid solid;
  int material;
  unsigned group, with;  // bits: the one group it belongs to, those that it touches
  int weld;              // first of the holders that fixed joints make one of; -1: ground
  bool still;            // on ground, or fixed to it
  int name;              // offset in text: "body", or "body.shape"
} SarCollider;

// Two that do not touch each other, a < b.
typedef struct SarApart {
  int a, b;
} SarApart;

// How two materials touch.
typedef struct SarSurface {
  double friction;     // Coulomb's coefficient
  double restitution;  // Newton's: speed after an impact over speed before
  double rolling;      // lever of the resistance to rolling [m]
  double spinning;     // lever of the resistance to spinning about the normal [m]
  double stiffness;    // of one contact point [N/m]; inf: rigid
  double damping;      // [N s/m], with a stiffness
} SarSurface;

enum { SAR_CONTACT_ROWS = 6 };  // along the normal, two tangents; about the normal, two tangents

// A point of contact. Its impulses start the next step's iteration, so they are state.
typedef struct SarContact {
  int a, b;          // colliders; the normal points from a to b
  unsigned feature;  // SarTouch
  V3 point, normal, tangent;
  double gap;
  double p[SAR_CONTACT_ROWS];  // impulses on b in the last step [N s, N m s]
  double step;                 // its length [s]: mean force = p / step; 0: new
  double u[3];                 // speeds of b after them, along the normal and the tangents [m/s],
  double rest;                 // so long before that step ended [s]; 0: it bore nothing
} SarContact;

static inline V3 sar_contact_tangent2(const SarContact* c) {
  return v3_cross(c->normal, c->tangent);
}
