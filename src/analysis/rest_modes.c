// Modes with what touches (rest_modes.h).
//
// Which contacts bear a force at a state of rest is not known from the positions: one step by
// impulses, on a copy, tells. Those are held (dynamics/held_contacts.h) and the equations of motion
// linearised with them.
#include "analysis/rest_modes.h"

#include "base/alloc.h"
#include "base/error.h"
#include "model/room.h"

#include <math.h>

static const double AT_REST = 1e-6;  // speed; rad/s, m/s

typedef struct Work {
  const SarModel* m;
  SarData* d;  // a copy
  SarSim* s;
  SarHeldContacts held;
  void* memory;
} Work;

static bool is_at_rest(const SarData* d) {
  for (int i = 0; i < d->m->nv; i++)
    if (!(fabs(d->v[i]) <= AT_REST)) return false;
  return true;
}

// A joint that has dry friction; -1: none.
static int rubbing_joint(const SarModel* m) {
  for (int j = 0; j < m->njoint; j++)
    for (int i = m->joint_vadr[j]; i < m->joint_vadr[j] + m->joint_nv[j]; i++)
      if (m->dof_friction[i] > 0) return j;
  return -1;
}

static SarStatus copy_of(const SarData* d, SarData** out, SarError* err) {
  SAR_TRY(sar_data_new(d->m, out, err));
  return sar_data_copy(*out, d);
}

// ---- contacts that bear -------------------------------------------------------------------------

static SarStatus step_once(const SarData* d, SarData** out, SarError* err) {
  SarSimOptions o = sar_sim_options();
  SarSim* s = NULL;
  o.formulation = "impulse";
  o.adaptive = SAR_STEPS_FIXED;
  SAR_TRY(copy_of(d, out, err));
  SarStatus st = sar_sim_new(d->m, *out, &o, &s, err);
  if (st == SAR_OK) st = sar_step(s);
  sar_sim_free(s);
  return st;
}

static SarStatus hold(Work* w, SarError* err) {
  SarData* stepped = NULL;
  SarStatus st = w->m->ncollider > 0 ? step_once(w->d, &stepped, err) : SAR_OK;
  SarBlock b = sar_block(NULL, 0);
  sar_held_contacts_init(&w->held, w->m, &b);
  if (st == SAR_OK) w->memory = sar_take_for(w->m, b.used + 1, "holding contacts", &st, err);
  if (st == SAR_OK) {
    b = sar_block(w->memory, 0);
    sar_held_contacts_init(&w->held, w->m, &b);
    if (stepped) sar_hold_contacts(&w->held, w->m, stepped);
  }
  sar_data_free(stepped);
  return st;
}

// ---- what is assumed ----------------------------------------------------------------------------

static void say_assumptions(const Work* w, SarError* err) {
  const int joint = rubbing_joint(w->m);
  if (w->m->ncollider > 0 && w->held.count == 0)
    sar_warn(err, (SarLoc){0}, "look for the rest first, if it is to lie on something",
             "no contact is closed at this state: nothing touches in these modes");
  if (w->held.count > 0)
    sar_warn(err, (SarLoc){0}, "so they are in motions that neither open them nor make them slip",
             "contacts are held: %d closed points, sticking where there is friction",
             w->held.count);
  if (w->held.dofs > 0)
    sar_warn(err, (SarLoc){0}, "so they are in motions that take no more than their largest forces",
             "motors and limits that bear are held: %d coordinates", w->held.dofs);
  if (joint >= 0)
    sar_warn(err, (SarLoc){0}, "it would hold the joint in motions that are small enough",
             "dry friction is left out: joint '%s' and others that have it move freely",
             sar_text(w->m, w->m->joint_name[joint]));
}

static SarStatus refuse_motion(const Work* w, SarError* err) {
  if (w->held.count == 0 || is_at_rest(w->d)) return SAR_OK;
  sar_report(err, (SarLoc){0}, "look for the rest first",
             "solids touch while they move: modes with contact are about a state of rest");
  return SAR_NOT_OFFERED;
}

static SarStatus find(Work* w, const SarData* d, bool say, const SarMultiblade* blades,
                      SarModeSet* out, SarError* err) {
  SAR_TRY(copy_of(d, &w->d, err));
  const bool held = w->m->ncollider > 0 || (rubbing_joint(w->m) >= 0 && is_at_rest(d));
  if (held) {
    SAR_TRY(hold(w, err));
    SAR_TRY(refuse_motion(w, err));
    if (say) say_assumptions(w, err);
  }
  SAR_TRY(sar_sim_new(w->m, w->d, NULL, &w->s, err));
  const bool bears = held && (w->held.rows > 0 || w->held.count > 0 || is_at_rest(d));
  return sar_mode_set_find_of(w->s, bears ? &w->held : NULL, blades, out, err);
}

SarStatus sar_rest_modes_find(const SarData* d, bool say, const SarMultiblade* blades,
                              SarModeSet* out, int* contacts, SarError* err) {
  Work w = {.m = d->m};
  *out = (SarModeSet){0};
  const SarStatus st = find(&w, d, say, blades, out, err);
  *contacts = w.held.count;
  sar_free(w.memory);
  sar_sim_free(w.s);
  sar_data_free(w.d);
  return st;
}
