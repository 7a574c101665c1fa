// Quantities of the whole model: energies, momenta, the accounts of work.
#include "sim/outputs/outputs.h"

enum { ENERGY_WORK = 3 };  // from here on

static bool energy_is_past(const SarChannel* c) { return c->component >= ENERGY_WORK; }

static double energy_value(const SarOutputRow* row, const SarChannel* c) {
  const SarEnergy* e = &row->energy;
  const double part[] = {e->kinetic, e->potential, e->total, e->work, e->error};
  return part[c->component];
}

const SarOutputKind sar_output_energy = {
    .name = "energy",
    .doc = "kinetic, potential and total energy, work since the start, error of the audit [J]",
    .unit = "J",
    .of = SAR_OF_MODEL,
    .group = "energy",
    .held = true,
    .columns = (const char* const[]){"kinetic", "potential", "total", "work", "error", NULL},
    .value = energy_value,
    .past = energy_is_past,
};

static double momentum_value(const SarOutputRow* row, const SarChannel* c) {
  return force_component(row->momentum, c->component);
}

const SarOutputKind sar_output_momentum = {
    .name = "momentum",
    .doc = "linear and angular momentum about the ground origin [kg m/s, kg m^2/s]",
    .unit = "kg m/s",
    .unit_turn = "kg m^2/s",
    .of = SAR_OF_MODEL,
    .group = "momentum",
    .held = true,
    .columns = (const char* const[]){"px", "py", "pz", "lx", "ly", "lz", NULL},
    .value = momentum_value,
};

// One column for each account: who gave how much since the start.
static bool work_column(const SarOutputOwner* of, int i, SarColumn* out) {
  const SarModel* m = of->m;
  if (i >= m->nwork) return false;
  const SarWorkSource* w = &m->work[i];
  switch (w->kind) {
    case SAR_WORK_HOST: out->name = "host"; break;
    case SAR_WORK_GRAVITY: out->name = "gravity"; break;
    case SAR_WORK_IMPACT: out->name = "impact"; break;
    case SAR_WORK_SWITCHING: out->name = "switching"; break;
    case SAR_WORK_CONTACT_NORMAL: out->name = "contact.impact"; break;
    case SAR_WORK_CONTACT_FRICTION: out->name = "contact.friction"; break;
    case SAR_WORK_LIMITS: out->name = "limits"; break;
    case SAR_WORK_CONTACT_OVERLAP: out->name = "contact.overlap"; break;
    case SAR_WORK_FORCE: out->name = sar_text(m, m->force_name[w->index]); break;
    case SAR_WORK_CONSTRAINT: out->name = sar_text(m, m->constraint[w->index].name); break;
    case SAR_WORK_DISSIPATION:
      out->name = sar_text(m, m->joint_name[w->index]), out->rest = ".losses";
      break;
    case SAR_WORK_DRIVE:
      out->name = sar_text(m, m->joint_name[w->index]), out->rest = ".drive";
      break;
  }
  return true;
}

static double work_value(const SarOutputRow* row, const SarChannel* c) {
  return row->s->d->work[c->component];
}

const SarOutputKind sar_output_work = {
    .name = "work",
    .doc = "work of each account since the start [J]",
    .unit = "J",
    .of = SAR_OF_MODEL,
    .group = "work",
    .column = work_column,
    .value = work_value,
    .past = always_past,
};
