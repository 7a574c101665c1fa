// A kind of force element. One const SarForceKind per file in elements/forces, one line in
// forces.def: reader, compiler, lists, docs and tests work from the attribute table.
#pragma once
#include "model/attribute.h"

enum { SAR_FORCE_MAX_ATTR = SAR_MAX_ATTR, SAR_FORCE_MAX_OUTPUT = 12 };

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
static inline SarForm sar_force_form(const SarForceKind* k) {
  return (SarForm){k->name, k->targets, k->attr, k->nattr, k->local};
}
