// The lists behind `sarrus list`, each from the table that the engine itself works from.
#include "base/error.h"
#include "base/sized.h"
#include "expr/expr.h"
#include "model/signal_kind.h"
#include "model/sim.h"

#include <string.h>

static const SarListEntry shapes[] = {
    {"rod", "slender rod between two points", "", "", false},
    {"box", "edge lengths lx, ly, lz, centred", "", "", false},
    {"cylinder", "radius and length along z, or radius, from and to", "", "", false},
    {"sphere", "radius", "", "", false},
    {"capsule", "radius and length of the cylindrical part along z, or radius, from and to", "", "",
     false},
    {"ellipsoid", "half axes rx, ry, rz", "", "", false},
    {"tube", "outer and inner radius and length along z, or from and to", "", "", false},
    {"convex", "mesh file that is closed and convex", "", "", false},
    {"hull", "convex hull of a mesh file or of points", "", "", false},
    {"mesh", "mesh file that is closed", "", "", false},
};

// By SarCan, without SAR_CAN_CONSTRAINTS.
static const char* const TAKES[] = {
    "loops",
    "loops, redundant constraints",
    "loops, singular mass",
    "loops, redundant constraints, singular mass",
    "loops, singular positions",
    "loops, redundant constraints, singular positions",
    "loops, singular mass, singular positions",
    "loops, redundant constraints, singular mass, singular positions",
    "loops, contact",
    "loops, redundant constraints, contact",
    "loops, singular mass, contact",
    "loops, redundant constraints, singular mass, contact",
    "loops, singular positions, contact",
    "loops, redundant constraints, singular positions, contact",
    "loops, singular mass, singular positions, contact",
    "loops, redundant constraints, singular mass, singular positions, contact",
};

_Static_assert(sizeof TAKES / sizeof *TAKES == 2 * SAR_CAN_CONTACT / SAR_CAN_REDUNDANT,
               "a text for every set of flags");

static const char* takes(const SarFormulation* f) {
  if (f->can & SAR_CAN_CONSTRAINTS) return TAKES[f->can / SAR_CAN_REDUNDANT];
  return f->can & SAR_CAN_CONTACT ? "open trees, contact" : "open trees";
}

static bool formulation_entry(int index, SarListEntry* out) {
  const SarFormulation* f = sar_formulation(index);
  if (f) *out = (SarListEntry){f->name, f->doc, f->ref, takes(f), f->absolute};
  return f != NULL;
}

static bool integrator_entry(int index, SarListEntry* out) {
  const SarIntegrator* i = sar_integrator(index);
  if (i) *out = (SarListEntry){i->name, i->doc, i->ref, "", false};
  return i != NULL;
}

static bool joint_entry(int index, SarListEntry* out) {
  const SarJointKind* k = sar_joint_kind(index);
  if (k) *out = (SarListEntry){k->name, k->doc, "", "", false};
  return k != NULL;
}

static bool force_entry(int index, SarListEntry* out) {
  const SarForceKind* k = sar_force_kind(index);
  if (k) *out = (SarListEntry){k->name, k->doc, k->ref ? k->ref : "", "", false};
  return k != NULL;
}

static bool constraint_entry(int index, SarListEntry* out) {
  const SarConstraintKind* k = sar_constraint_kind(index);
  if (k) *out = (SarListEntry){k->name, k->doc, k->ref ? k->ref : "", "", false};
  return k != NULL;
}

static bool signal_entry(int index, SarListEntry* out) {
  const SarSignalKind* k = sar_signal_kind(index);
  if (k) *out = (SarListEntry){k->name, k->doc, "", "", false};
  return k != NULL;
}

static bool hydraulic_entry(int index, SarListEntry* out) {
  const SarSignalKind* k = sar_hydraulic_kind(index);
  if (k) *out = (SarListEntry){k->name, k->doc, "", "", false};
  return k != NULL;
}

static bool output_entry(int index, SarListEntry* out) {
  const SarOutputKind* k = sar_output_kind(index);
  if (k) *out = (SarListEntry){k->name, k->doc, "", "", false};
  return k != NULL;
}

static bool shape_entry(int index, SarListEntry* out) {
  if (index >= (int)(sizeof shapes / sizeof *shapes)) return false;
  *out = shapes[index];
  return true;
}

static bool function_entry(int index, SarListEntry* out) {
  SarFunctionDoc doc;
  if (!sar_expr_function(index, &doc)) return false;
  *out = (SarListEntry){doc.name, doc.doc, "", "", false};
  return true;
}

static const struct {
  const char* name;
  bool (*entry)(int index, SarListEntry* out);
} lists[] = {
    {"formulations", formulation_entry},
    {"integrators", integrator_entry},
    {"joints", joint_entry},
    {"forces", force_entry},
    {"constraints", constraint_entry},
    {"signals", signal_entry},
    {"hydraulics", hydraulic_entry},
    {"outputs", output_entry},
    {"shapes", shape_entry},
    {"functions", function_entry},
};

SAR_API SarStatus sar_list_sized(const char* list, int index, SarListEntry* out, size_t size) {
  SAR_GIVEN(list && out && index >= 0);
  SarListEntry entry;
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    if (strcmp(lists[i].name, list) != 0) continue;
    if (!lists[i].entry(index, &entry)) break;
    sar_give(out, size, &entry, sizeof entry);
    return SAR_OK;
  }
  return SAR_BAD_ARGUMENT;
}
