// Which formulation can take which model, and why not: capabilities (SarCan) against features
// (contact, loops, redundancy, rolling).
#include "sim/accepts.h"
#include "base/print.h"
#include "sim/method.h"

#include <stdio.h>
#include <string.h>

static const SarLoc nowhere = {0};
static const char LISTED[] = "'sarrus list formulations' says what each can take";

// Names of all that closes loops or couples joints, as many as fit.
static void constraint_names(const SarModel* m, char* names, size_t size) {
  size_t used = 0;
  names[0] = 0;
  for (int c = 0; c < m->nconstraint && used + 1 < size; c++)
    used += (size_t)sar_snprintf(names + used, size - used, "%s'%s'", c ? ", " : "",
                                 sar_text(m, m->constraint[c].name));
  if (used >= size) memcpy(names + size - 4, "...", 4);
}

// The first constraint or joint that is switched on and off; NULL: none.
static const char* switched_constraint(const SarModel* m) {
  for (int g = 0; g < m->ngate; g++)
    if (m->gate[g].target == SAR_GATE_CONSTRAINT) return sar_text(m, m->gate[g].name);
  return NULL;
}

bool sar_has_contact(const SarModel* m) { return m->ncollider > 0 || m->nmotor > 0; }

// The formulations that know contact, as a hint.
static void contact_names(char* out, size_t size) {
  size_t used = (size_t)sar_snprintf(out, size, "contact and motors need impulses:");
  for (int k = 0; sar_formulation(k) && used < size; k++)
    if (sar_formulation(k)->can & SAR_CAN_CONTACT)
      used += (size_t)sar_snprintf(out + used, size - used, " %s", sar_formulation(k)->name);
}

static SarStatus accepts_contact(const SarModel* m, const SarFormulation* f, SarError* err) {
  char hint[160];
  if (!sar_has_contact(m) || f->can & SAR_CAN_CONTACT) return SAR_OK;
  contact_names(hint, sizeof hint);
  if (m->ncollider > 0)
    sar_report(err, nowhere, hint,
               "formulation '%s' knows no contact, and the model has %d solid%s that touch%s",
               f->name, m->ncollider, m->ncollider == 1 ? "" : "s", m->ncollider == 1 ? "es" : "");
  else
    sar_report(err, nowhere, hint,
               "formulation '%s' knows no motors, and joint '%s' of the model has one", f->name,
               sar_text(m, m->joint_name[m->motor[0].joint]));
  return SAR_NOT_OFFERED;
}

static SarStatus accepts_coordinates(const SarModel* m, const SarFormulation* f, SarError* err) {
  if (!f->absolute || m->absolute) return SAR_OK;
  sar_report(err, nowhere,
             "load the model with them: 'simulation: {coordinates: absolute}', --coordinates "
             "absolute, or SarLoadOptions.coordinates",
             "formulation '%s' is for absolute coordinates, and the model has relative ones",
             f->name);
  return SAR_NOT_OFFERED;
}

// The first constraint with nonholonomic rows; NULL: none.
const char* sar_rolling_name(const SarModel* m) {
  for (int i = 0; i < m->nrow; i++)
    if (m->row[i].nonholonomic) return sar_text(m, m->constraint[m->row[i].constraint].name);
  return NULL;
}

static bool holds_speeds(const SarFormulation* f) { return !sar_shape_is_implicit(f->shape); }

// Steps that are implicit in positions find multipliers from what is open, Phi; a slip has no Phi.
static SarStatus accepts_rolling(const SarModel* m, const SarFormulation* f, SarError* err) {
  const char* name = sar_rolling_name(m);
  if (!name || holds_speeds(f)) return SAR_OK;
  char hint[120];
  sar_report(err, nowhere, sar_formulation_names(hint, sizeof hint, "take ", holds_speeds),
             "formulation '%s' holds positions only, and constraint '%s' of the model is "
             "nonholonomic: it holds speeds",
             f->name, name);
  return SAR_NOT_OFFERED;
}

static SarStatus accepts_redundant(const SarModel* m, const SarFormulation* f,
                                   const SarLoops* loops, SarError* err) {
  char names[200];
  const int redundant = loops->freedom.rows - loops->freedom.rank;
  if (redundant > 0 && !(f->can & SAR_CAN_REDUNDANT)) {
    sar_redundant_text(m, loops->row_order, &loops->freedom, names, sizeof names);
    sar_report(err, nowhere, LISTED,
               "formulation '%s' cannot take redundant constraints, and %d of the %d equations of "
               "the model follow%s from the others: %s",
               f->name, redundant, loops->freedom.rows, redundant == 1 ? "s" : "", names);
    return SAR_NOT_OFFERED;
  }
  return SAR_OK;
}

static SarStatus accepts_massless(const SarModel* m, const SarFormulation* f, const SarLoops* loops,
                                  SarError* err) {
  if (loops->freedom.massless > 0 && !(f->can & SAR_CAN_SINGULAR_MASS)) {
    const int body = m->dof_body[loops->freedom.massless - 1];
    const char* hint =
        m->absolute ? "in relative coordinates what it carries may move with it" : LISTED;
    sar_report(
        err, nowhere, hint,
        "formulation '%s' needs a mass matrix that is definite, and in the tree of the model "
        "nothing that has inertia moves with %s '%s'",
        f->name, m->absolute ? "body" : "joint",
        sar_text(m, m->absolute ? m->body_name[body] : m->joint_name[body]));
    return SAR_NOT_OFFERED;
  }
  return SAR_OK;
}

SarStatus sar_accepts(const SarModel* m, const SarFormulation* f, const SarLoops* loops,
                      SarError* err) {
  char names[200];
  SAR_TRY(accepts_coordinates(m, f, err));
  SAR_TRY(accepts_contact(m, f, err));
  SAR_TRY(accepts_rolling(m, f, err));
  if (m->nrow == 0) return SAR_OK;
  if (!(f->can & SAR_CAN_CONSTRAINTS)) {
    constraint_names(m, names, sizeof names);
    sar_report(err, nowhere, LISTED,
               "formulation '%s' runs open trees only, and the model has %d constraint%s (%s)",
               f->name, m->nconstraint, m->nconstraint == 1 ? "" : "s", names);
    return SAR_NOT_OFFERED;
  }
  if (!f->regroup && switched_constraint(m)) {
    sar_report(err, nowhere, LISTED,
               "formulation '%s' cannot switch constraints on and off, and the model does so with "
               "'%s'",
               f->name, switched_constraint(m));
    return SAR_NOT_OFFERED;
  }
  if (!loops) return SAR_OK;
  SAR_TRY(accepts_redundant(m, f, loops, err));
  if (loops->freedom.rank_here < loops->freedom.rank && !(f->can & SAR_CAN_RANK_CHANGE)) {
    sar_report(err, nowhere, LISTED,
               "formulation '%s' cannot start at a singular position, where the model has %d more "
               "degrees of freedom",
               f->name, loops->freedom.rank - loops->freedom.rank_here);
    return SAR_NOT_OFFERED;
  }
  return accepts_massless(m, f, loops, err);
}
