// Joints that begin beyond their limits.
//
// A limit is a unilateral constraint, lower <= q <= upper. Methods that enforce it push a joint
// that begins beyond it back in their first steps, which takes work that nothing in the file tells
// of; so it is said, with the place. Where the start has yet to be found (sar_start_is_known)
// nothing is known.
#include "model/compile/parts.h"

enum { TOLD = 12 };

// The first coordinate of a joint that is beyond, in the direction of the file; -1: none.
static int beyond(const JointPart* p) {
  if (p->kind->nq != p->kind->nv) return -1;  // turns in space have no limits
  for (int k = 0; k < p->kind->nv; k++) {
    const double q = p->value.q[k];
    if (q < sar_law(p, LAW_LOWER)[k] || q > sar_law(p, LAW_UPPER)[k]) return k;
  }
  return -1;
}

static void tell(Compile* c, const JointPart* p, int k) {
  const SarLoc loc = p->spec && p->spec->position.count > 0 ? p->spec->position.loc : p->item.loc;
  sar_remark(c, p->item, loc, "give a 'position' between them",
             "it begins at %g, beyond its limits %g to %g: methods that enforce them push it back",
             p->value.q[k], sar_law(p, LAW_LOWER)[k], sar_law(p, LAW_UPPER)[k]);
}

bool sar_compile_limits(Compile* c) {
  if (!sar_compile_sound(c) || !sar_start_is_known(c)) return true;
  int found = 0;
  for (int i = 0; i < c->njoint_spec; i++) {
    const JointPart* p = &c->joint[i];
    const int k = p->number < 0 ? -1 : beyond(p);
    if (k >= 0 && ++found <= TOLD) tell(c, p, k);
  }
  if (found > TOLD) {
    const Item item = {"block", "joints", {c->spec->file, 0, 0}};
    sar_remark(c, item, item.loc, "", "%d more begin beyond their limits", found - TOLD);
  }
  return true;
}
