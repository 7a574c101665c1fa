// Force elements in natural order of their names, and the work accounts.
#include "model/compile/parts.h"

static bool needs_world(const SarForceKind* kind) {
  for (int i = 0; i < kind->nattr; i++) {
    SarAttrType type = kind->attr[i].type;
    if (type == SAR_ATTR_BODY || type == SAR_ATTR_POINT || type == SAR_ATTR_FRAME) return true;
  }
  return false;
}

static bool acts_on_cut(const SarModel* m, const SarForm* form, const SarAttrValue* attr) {
  for (int k = 0; k < form->nattr; k++)
    if (form->attr[k].type == SAR_ATTR_JOINT && attr[k].index >= m->nbody) return true;
  return false;
}

bool sar_compile_forces(Compile* c) {
  const SarSpec* s = c->spec;
  SarModel* m = &c->m;
  int n = s->forces.count;
  Named* named = SAR_ARENA_ARRAY(&c->arena, Named, n + 1);
  m->force_kind = SAR_ARENA_ARRAY(&c->arena, const SarForceKind*, n);
  m->force_name = SAR_ARENA_ARRAY(&c->arena, int, n);
  m->force_attr = SAR_ARENA_ARRAY(&c->arena, SarAttrValue, n * SAR_FORCE_MAX_ATTR);
  m->force_output_adr = SAR_ARENA_ARRAY(&c->arena, int, n);
  m->force_constant_adr = SAR_ARENA_ARRAY(&c->arena, int, n);
  c->force_loc = SAR_ARENA_ARRAY(&c->arena, SarLoc, n + 1);
  c->force_sound = SAR_ARENA_ARRAY(&c->arena, bool, n + 1);
  c->force_number = SAR_ARENA_ARRAY(&c->arena, int, n + 1);
  c->force_at = SAR_ARENA_ARRAY(&c->arena, int, n + 1);
  sar_take_data(c, 36);  // what absent attributes may point at: zeros
  if (c->arena.failed) return false;
  for (int i = 0; i < n; i++) named[i] = (Named){s->forces.items[i].name.text, i};
  sar_sort_named(named, n);
  for (int i = 0; i < n; i++) c->force_number[named[i].index] = i;
  m->nforce = n;
  for (int i = 0; i < n; i++) {
    const SpecForce* f = &s->forces.items[named[i].index];
    Item item = {"force", f->name.text, f->name.loc};
    c->force_at[i] = named[i].index;
    c->force_loc[i] = f->name.loc;
    m->force_kind[i] = f->kind;
    m->force_name[i] = sar_intern(c, f->name.text);
    m->force_output_adr[i] = m->nforce_output;
    m->nforce_output += f->kind->noutput;
    if (needs_world(f->kind)) m->needs_world = true;
    SarForm form = sar_force_form(f->kind);
    SarAttrValue* attr = &m->force_attr[i * SAR_FORCE_MAX_ATTR];
    c->force_in_progress = i;
    bool memory = sar_compile_attributes(c, item, &form, f->values, attr, &c->force_sound[i]);
    c->force_in_progress = -1;
    if (!memory) return false;
    if (acts_on_cut(m, &form, attr)) m->needs_cuts = true;
    // where their number follows from attributes: compile/element_states.c
    m->force_constant_adr[i] = sar_take_data(c, f->kind->constants ? 0 : f->kind->nconstant);
  }
  return !c->arena.failed;
}

// ---- work accounts --------------------------------------------------------------------------

static bool drives(const SarModel* m, int joint) {
  for (int k = 0; k < m->joint_nv[joint]; k++)
    if (m->dof_force_slot[m->joint_vadr[joint] + k] >= 0) return true;
  for (int i = 0; i < m->nmotor; i++)
    if (m->motor[i].joint == joint) return true;
  return false;
}

static bool has_limits(const SarModel* m) {
  for (int d = 0; d < m->nv_all; d++)
    if (isfinite(m->dof_lower[d]) || isfinite(m->dof_upper[d])) return true;
  return false;
}

static bool dissipates(const SarModel* m, int joint) {
  for (int k = 0; k < m->joint_nv[joint]; k++) {
    int d = m->joint_vadr[joint] + k;
    if (m->dof_damping[d] != 0 || m->dof_friction[d] != 0) return true;
  }
  return false;
}

// The host's account, one for each element that has work of its own, then those of the joints, of
// prescribed motions, of what is switched, of contact and of limits.
bool sar_compile_work(Compile* c) {
  SarModel* m = &c->m;
  m->work =
      SAR_ARENA_ARRAY(&c->arena, SarWorkSource, 8 + m->nforce + 2 * m->njoint + m->nconstraint);
  m->force_work = SAR_ARENA_ARRAY(&c->arena, int, m->nforce);
  if (c->arena.failed) return false;
  m->nwork = 0;
  m->work[m->nwork++] = (SarWorkSource){SAR_WORK_HOST, 0};
  for (int i = 0; i < m->nforce; i++) {
    m->force_work[i] = m->force_kind[i]->conservative ? -1 : m->nwork;
    if (m->force_work[i] >= 0) m->work[m->nwork++] = (SarWorkSource){SAR_WORK_FORCE, i};
  }
  for (int j = 0; j < m->njoint; j++) {
    if (dissipates(m, j)) m->work[m->nwork++] = (SarWorkSource){SAR_WORK_DISSIPATION, j};
    if (drives(m, j)) m->work[m->nwork++] = (SarWorkSource){SAR_WORK_DRIVE, j};
  }
  for (int i = 0; i < m->nconstraint; i++)
    if (m->constraint[i].drive) m->work[m->nwork++] = (SarWorkSource){SAR_WORK_CONSTRAINT, i};
  if (m->field.works) m->work[m->nwork++] = (SarWorkSource){SAR_WORK_GRAVITY, 0};
  if (m->ngate > 0) {
    m->work[m->nwork++] = (SarWorkSource){SAR_WORK_IMPACT, 0};
    m->work[m->nwork++] = (SarWorkSource){SAR_WORK_SWITCHING, 0};
  }
  if (m->ncollider > 0) {
    m->work[m->nwork++] = (SarWorkSource){SAR_WORK_CONTACT_NORMAL, 0};
    m->work[m->nwork++] = (SarWorkSource){SAR_WORK_CONTACT_FRICTION, 0};
  }
  if (has_limits(m)) m->work[m->nwork++] = (SarWorkSource){SAR_WORK_LIMITS, 0};
  if (m->ncollider > 0) m->work[m->nwork++] = (SarWorkSource){SAR_WORK_CONTACT_OVERLAP, 0};
  return true;
}
