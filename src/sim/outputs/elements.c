// What joints carry, and what force elements, constraints and contacts exert and report.
#include "dynamics/constraints.h"
#include "dynamics/contact_forces.h"
#include "dynamics/cut_joints.h"
#include "dynamics/reactions.h"
#include "dynamics/sharing.h"
#include "dynamics/tree.h"
#include "sim/follow.h"
#include "sim/outputs/outputs.h"
#include "sim/outputs/reactions.h"

#include <math.h>

// ---- joints -------------------------------------------------------------------------------------

Force sar_output_reaction_of(const SarSim* s, int joint) {
  const SarModel* m = s->m;
  const SarData* d = s->d;
  if (s->sharing) return s->sharing->reaction[joint];
  return joint < m->nbody ? sar_joint_reaction(m, d, joint)
                          : sar_cut_joint_reaction(m, d, joint - m->nbody);
}

static double reaction(const SarOutputRow* row, const SarChannel* c) {
  return force_component(sar_output_reaction_of(row->s, c->index), c->component);
}

bool sar_output_reaction_is_undecided(const SarSim* s, const SarChannel* c) {
  return !sar_reaction_is_unique(s->sharing, s->m, s->d, c->index, c->component);
}

const SarOutputKind sar_output_reaction = {
    .name = "joint reaction",
    .doc =
        "force and torque that the joint exerts on its child, at the joint point, ground axes "
        "[N, N m]",
    .unit = "N",
    .unit_turn = "N m",
    .of = SAR_OF_JOINT,
    .key = "reaction",
    .group = "reactions",
    .held = true,
    .needs = SAR_NEEDS_ACCELERATIONS | SAR_NEEDS_REACTIONS,
    .columns = (const char* const[]){"fx", "fy", "fz", "tx", "ty", "tz", NULL},
    .value = reaction,
    .undecided = sar_output_reaction_is_undecided,
};

// ---- force elements -----------------------------------------------------------------------------

enum { FORCE_WORK = 2, OF_EVERY_FORCE = 3 };

static bool force_column(const SarOutputOwner* of, int i, SarColumn* out) {
  static const char* const EVERY[OF_EVERY_FORCE] = {"power", "energy", "work"};
  const int own = i - OF_EVERY_FORCE;
  if (own >= of->force->noutput) return false;
  out->name = own < 0 ? EVERY[i] : of->force->output[own];
  return true;
}

static bool force_is_past(const SarChannel* c) { return c->component == FORCE_WORK; }

static double force_value(const SarOutputRow* row, const SarChannel* c) {
  const SarModel* m = row->s->m;
  const SarData* d = row->s->d;
  const int account = m->force_work[c->index];
  switch (c->component) {
    case 0: return d->force_power[c->index];
    case 1: return sar_force_energy(m, d, c->index);
    case FORCE_WORK: return account >= 0 ? d->work[account] : 0;
    default: return d->force_output[m->force_output_adr[c->index] + c->component - OF_EVERY_FORCE];
  }
}

const SarOutputKind sar_output_force = {
    .name = "force",
    .doc = "power, energy and work of a force element, and what its kind reports",
    .of = SAR_OF_FORCE,
    .by_default = true,
    .held = true,
    .column = force_column,
    .value = force_value,
    .past = force_is_past,
};

// ---- constraints --------------------------------------------------------------------------------

// Of the whole first, then forces and speeds row by row, for kinds that name these
// (SarConstraintKind.row_force). Results have the motion and power of drives only, expressions of
// all.
enum { OF_WHOLE = 4, WHOLE_VALUE = 0, WHOLE_FORCE = 2 };

static bool constraint_column(const SarOutputOwner* of, int i, SarColumn* out) {
  static const char* const WHOLE[OF_WHOLE] = {"value", "speed", "force", "power"};
  const SarConstraintKind* kind = of->constraint;
  const bool by_rows = kind && kind->row_force[0];
  if (i < OF_WHOLE) {
    out->name = WHOLE[i];
    out->measured_only = by_rows || (i != WHOLE_FORCE && !of->drive);
    return true;
  }
  if (!by_rows || i >= OF_WHOLE + 2 * SAR_ROW_COLUMNS) return false;
  const int row = (i - OF_WHOLE) / 2;
  const char* name = (i - OF_WHOLE) % 2 ? kind->row_speed[row] : kind->row_force[row];
  out->name = name ? name : "";
  out->measured_only = !name;
  return true;
}

// Of one row: the force -lambda e on the second body along its unit direction, or how fast it
// opens.
static double row_value(const SarModel* m, const SarData* d, int row, bool speed) {
  if (speed) return d->Phi_dot[row];
  const int roller = m->row[row].roller;
  const double size = roller < 0 ? 1 : v3_norm(d->roll[roller].way[SAR_ROLL_GAP]);
  return -d->lambda[row] * size;
}

// Of the constraint's rows that the tree fulfils by itself: the sum of squares of their multipliers
// (dynamics/sharing.h; 0 without reactions).
static double idle_squares(const SarSim* s, int constraint) {
  const SarModel* m = s->m;
  double sum = 0;
  for (int i = 0; s->sharing && i < m->nidle; i++) {
    const SarIdleTerm* t = &m->idle[i];
    if (t->constraint != constraint || (i > 0 && m->idle[i - 1].row == t->row)) continue;
    sum += s->sharing->idle[t->row] * s->sharing->idle[t->row];
  }
  return sum;
}

// Of a constraint whose only row the tree fulfils by itself.
static double idle_value(const SarSim* s, int constraint, int component) {
  const SarModel* m = s->m;
  for (int i = 0; i < m->nidle; i++) {
    const SarIdleTerm* t = &m->idle[i];
    if (t->constraint != constraint) continue;
    if (component == WHOLE_VALUE) return t->constant;
    return component == WHOLE_FORCE && s->sharing ? -s->sharing->idle[t->row] : 0;
  }
  return 0;
}

// The force of one equation has a sign; of several, whose directions are perpendicular unit vectors
// (a point on a line), it is the magnitude, which does not depend on how the directions were
// chosen.
static double constraint_value(const SarOutputRow* at, const SarChannel* channel) {
  const SarModel* m = at->s->m;
  const SarData* d = at->s->d;
  const int component = channel->component;
  if (channel->index < 0) return 0;  // one without equations
  const SarConstraint* c = &m->constraint[channel->index];
  double sum = 0;
  if (component >= OF_WHOLE)
    return row_value(m, d, c->row + (component - OF_WHOLE) / 2, (component - OF_WHOLE) % 2);
  if (component == WHOLE_FORCE && c->rows + c->identical > 1) {
    for (int i = c->row; i < c->row + c->rows; i++) sum += d->lambda[i] * d->lambda[i];
    return sqrt(sum + idle_squares(at->s, channel->index));
  }
  if (c->rows == 0) return idle_value(at->s, channel->index, component);
  const SarDriveState s = sar_drive_state(m, d, c->row);
  const double part[OF_WHOLE] = {s.value, s.speed, s.force, s.power};
  return part[component];
}

const SarOutputKind sar_output_constraint = {
    .name = "constraint",
    .doc = "force along what it measures; of drives value, speed and power too; of rolling by rows",
    .of = SAR_OF_CONSTRAINT,
    .by_default = true,
    .held = true,
    .needs = SAR_NEEDS_ACCELERATIONS | SAR_NEEDS_REACTIONS,
    .column = constraint_column,
    .value = constraint_value,
};

// ---- contacts -----------------------------------------------------------------------------------

static bool contact_column(const SarOutputOwner* of, int i, SarColumn* out) {
  static const char* const NAME[] = {
      [SAR_CONTACT_POINTS] = "points", [SAR_CONTACT_NORMAL] = "normal",
      [SAR_CONTACT_FX] = "fx",         [SAR_CONTACT_FY] = "fy",
      [SAR_CONTACT_FZ] = "fz",         [SAR_CONTACT_FRICTION] = "friction",
      [SAR_CONTACT_DEPTH] = "depth",   [SAR_CONTACT_X] = "x",
      [SAR_CONTACT_Y] = "y",           [SAR_CONTACT_Z] = "z",
      [SAR_CONTACT_GAP] = "gap"};
  _Static_assert(sizeof NAME / sizeof *NAME == SAR_CONTACT_QUANTITIES, "a name for each");
  (void)of;
  if (i >= SAR_CONTACT_QUANTITIES) return false;
  out->name = NAME[i];
  out->measured_only = i >= SAR_CONTACT_COLUMNS;
  return true;
}

static double contact_value(const SarOutputRow* row, const SarChannel* c) {
  return sar_contact_column(row->s->m, row->s->d, c->index, c->other,
                            (SarContactColumn)c->component);
}

const SarOutputKind sar_output_contact = {
    .name = "contact",
    .doc = "points that bear a force, normal force, force, friction, depth and place [N, m]",
    .of = SAR_OF_CONTACT,
    .by_default = true,
    .held = true,
    .column = contact_column,
    .value = contact_value,
};
