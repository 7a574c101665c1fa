// Static analysis as one call (sarrus.h): an equilibrium, its stability, and what the joints carry
// there.
//
// The search is that of sim/equilibrium.h; where solids may touch, the mechanism is let settle
// (settle.h), and its stability is that of small motions with the contacts held (rest_modes.h).
// Reactions that redundant constraints leave undecided are the smallest (dynamics/sharing.h).
#include "analysis/rest_modes.h"
#include "analysis/settle.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/sized.h"
#include "dynamics/sharing.h"
#include "sim/equilibrium.h"

#include <math.h>

enum { ITERATIONS = 200, STEPS = 20000, SWEEPS = 1000 };

struct SarStatics {
  SarStaticsReport report;
  SarData* d;  // the caller's
  SarSim* s;
  SarEquilibrium e;
  SarModeSet modes;   // with contact
  SarSharing share;   // where constraints are redundant
  void* share_block;  // its memory; NULL: none is
};

SAR_API void sar_statics_options_sized(SarStaticsOptions* out, size_t size) {
  const SarStaticsOptions o = {.size = size};
  if (out) sar_give(out, size, &o, sizeof o);
}

// Where constraints are redundant: how the joints share what they carry.
static SarStatus share_reactions(SarStatics* r) {
  const SarModel* m = r->d->m;
  double F[6];
  if (!sar_sharing_needed(m, m->nrow - r->e.redundant)) return SAR_OK;
  SarBlock b = sar_block(NULL, 0);
  sar_sharing_init(&r->share, m, &b);
  void* block = sar_alloc(b.used);
  if (!block) return SAR_NO_MEMORY;
  b = sar_block(block, 0);
  sar_sharing_init(&r->share, m, &b);
  sar_reaction(r->d, sar_joint_item(m, 0), F, F + 3);  // evaluates
  sar_share(&r->share, m, r->d);
  r->share_block = block;
  return SAR_OK;
}

// ---- on contacts --------------------------------------------------------------------------------

static void report_settled(SarStatics* r, const SarSettled* settled, int contacts) {
  const SarModeSet* x = &r->modes;
  SarStaticsReport* report = &r->report;
  *report = (SarStaticsReport){.freedoms = x->freedom,
                               .iterations = settled->steps,
                               .force = settled->force,
                               .omega2 = x->omega2,
                               .floor = x->floor * x->floor,
                               .settled = true,
                               .contacts = contacts};
  for (int k = 0; k < x->freedom; k++) {
    report->unstable += x->omega2[k] < -report->floor;
    report->indifferent += fabs(x->omega2[k]) <= report->floor;
  }
}

static SarStatus settle(SarStatics* r, const SarStaticsOptions* o, SarError* err) {
  const SarModel* m = r->d->m;
  SarSimOptions sim = sar_sim_options();
  SarSettled settled;
  SarEnergy energy;
  int contacts;
  sim.formulation = "impulse";
  sim.adaptive = SAR_STEPS_FIXED;
  sim.max_iterations = SWEEPS;  // of a step: nothing here is in real time
  SAR_TRY(sar_sim_new(m, r->d, &sim, &r->s, err));
  SAR_TRY(sar_settle(r->s, o->max_iterations > 0 ? o->max_iterations : STEPS, &settled, err));
  SAR_TRY(sar_energy(r->d, &energy));
  SAR_TRY(sar_rest_modes_find(r->d, false, NULL, &r->modes, &contacts, err));
  report_settled(r, &settled, contacts);
  r->report.potential = energy.potential + 0.0;  // not -0
  return SAR_OK;
}

// ---- the search ---------------------------------------------------------------------------------

static SarStatus find(SarStatics* r, const SarStaticsOptions* o, SarError* err) {
  const SarModel* m = r->d->m;
  SarEnergy energy;
  const SarEquilibriumOptions search = {
      .max_iterations = o->max_iterations > 0 ? o->max_iterations : ITERATIONS,
      .settle = o->settle};
  r->e.omega2 = sar_alloc((size_t)(m->nv + 1) * sizeof(double));
  if (!r->e.omega2) return SAR_NO_MEMORY;
  SAR_TRY(sar_sim_new(m, r->d, NULL, &r->s, err));
  SAR_TRY(sar_equilibrium_find(r->s, &search, &r->e, err));
  SAR_TRY(sar_energy(r->d, &energy));
  SAR_TRY(share_reactions(r));
  r->report = (SarStaticsReport){.freedoms = r->e.freedom,
                                 .redundant = r->e.redundant,
                                 .iterations = r->e.iterations,
                                 .force = r->e.force,
                                 .potential = energy.potential + 0.0,  // not -0
                                 .unstable = r->e.unstable,
                                 .indifferent = r->e.indifferent,
                                 .omega2 = r->e.omega2,
                                 .floor = r->e.floor};
  return SAR_OK;
}

SAR_API SarStatus sar_statics(SarData* d, const SarStaticsOptions* o, SarStatics** out,
                              SarError* err) {
  SAR_GIVEN(out);
  *out = NULL;
  SAR_GIVEN(d);
  SarStaticsOptions full = sar_statics_options();
  if (o) SAR_TRY(sar_take_options(&full, sizeof full, o, "sar_statics_options", err));
  SarStatics* r = sar_alloc(sizeof *r);
  if (!r) return SAR_NO_MEMORY;
  r->d = d;
  const SarStatus st = d->m->ncollider > 0 ? settle(r, &full, err) : find(r, &full, err);
  if (st == SAR_OK)
    *out = r;
  else
    sar_statics_free(r);
  return st;
}

// ---- what came of it ----------------------------------------------------------------------------

SAR_API const SarStaticsReport* sar_statics_report(const SarStatics* s) {
  return s ? &s->report : NULL;
}

SAR_API SarStatus sar_statics_reaction(SarStatics* s, int joint, double force[3], double torque[3],
                                       bool unique[6]) {
  SAR_GIVEN(s && force && torque && sar_is_joint_item(s->d->m, joint));
  const SarModel* m = s->d->m;
  const int j = sar_item_joint(m, joint);
  if (j == SAR_NO_JOINT) return SAR_NOT_OFFERED;
  for (int i = 0; unique && i < 6; i++)
    unique[i] = !s->share_block || sar_reaction_is_unique(&s->share, m, s->d, j, i);
  if (!s->share_block) return sar_reaction(s->d, joint, force, torque);
  v3_store(force, s->share.reaction[j].f);
  v3_store(torque, s->share.reaction[j].n);
  return SAR_OK;
}

SAR_API void sar_statics_free(SarStatics* s) {
  if (!s) return;
  sar_free(s->share_block);
  sar_free(s->e.omega2);
  sar_mode_set_free(&s->modes);
  sar_sim_free(s->s);
  sar_free(s);
}
