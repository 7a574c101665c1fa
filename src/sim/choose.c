// sar_choose: which formulation with which integrator, by trials on the model itself.
//
// Not every pairing is tried, only those that can win, as the tables say (SarFormulation.tried,
// SarIntegrator.use): of the explicit formulations for loops the sparse one, which is as accurate
// as the other index-1 formulations and no slower; none that ends at singular positions: a trial of
// some steps cannot see whether there will be one. Of the integrators a cheap one of order one, one
// of order four, one for stiff forces; where these ring with that, a damped one too.
#include "base/error.h"
#include "base/sized.h"
#include "base/print.h"
#include "sim/automatic.h"
#include "sim/method.h"
#include "sim/trial.h"

#include <math.h>
#include <stdio.h>

static const double ACCURACY = 1e-3;

// ---- what is asked for --------------------------------------------------------------------------

static const char* formulation_wish(const SarModel* m, const SarSimOptions* o) {
  if (o->formulation) return o->formulation;
  return m->sim.formulation > 0 ? sar_text(m, m->sim.formulation) : "auto";
}

// The integrator that the caller names, or the file if it is one for fixed steps; NULL: free to
// choose.
static const char* integrator_wish(const SarModel* m, const SarSimOptions* o) {
  if (o->integrator || m->sim.integrator <= 0) return o->integrator;
  const char* name = sar_text(m, m->sim.integrator);
  const SarIntegrator* i = sar_integrator_find(name);
  return i && !i->adaptive_default ? name : NULL;
}

bool sar_trial_is_due(const SarModel* m, const SarSimOptions* o, double deadline) {
  if (!sar_is_auto(formulation_wish(m, o)) || o->adaptive == 1) return false;
  if (sar_impulse_reason(m)) return false;  // nothing to choose from: that takes impulses
  if (deadline > 0) return true;
  // unasked, the same command must give the same bits: what is measured is not the same twice
  if (!o->formulation && m->sim.formulation <= 0) return false;
  if (!(o->step > 0)) return false;
  if (o->adaptive == 0) return true;
  const char* name = integrator_wish(m, o);
  const SarIntegrator* i = name ? sar_integrator_find(name) : NULL;
  return i && !i->adaptive_default && m->sim.adaptive <= 0;
}

// ---- trials -------------------------------------------------------------------------------------

static SarStatus try_pairing(const SarTrialPlan* p, const char* formulation, const char* integrator,
                             SarChoice* c) {
  if (c->count == SAR_MAX_TRIALS) return SAR_OK;
  SarTrial* t = &c->trial[c->count];
  *t = (SarTrial){.formulation = formulation, .integrator = integrator};
  const SarStatus st = sar_trial_run(p, t);
  if (st == SAR_OK) c->count++;
  return st == SAR_NO_MEMORY ? st : SAR_OK;  // others: it does not go with this model
}

static SarStatus try_integrators(const SarTrialPlan* p, const char* formulation,
                                 const char* integrator, SarChoice* c) {
  if (integrator) return try_pairing(p, formulation, integrator, c);
  const int before = c->count;
  for (int k = 0; sar_integrator(k); k++)
    if (sar_integrator(k)->use & SAR_USE_TRIAL)
      SAR_TRY(try_pairing(p, formulation, sar_integrator(k)->name, c));
  const bool good = c->count > before && c->trial[c->count - 1].error <= p->accuracy;
  return good ? SAR_OK : try_pairing(p, formulation, sar_integrator_for(SAR_USE_DAMPED)->name, c);
}

static SarStatus try_all(const SarTrialPlan* p, SarChoice* c) {
  const char* formulation = formulation_wish(p->m, &p->o);
  const char* integrator = integrator_wish(p->m, &p->o);
  const unsigned kind = p->m->nrow > 0 ? SAR_TRY_LOOPS : SAR_TRY_TREES;
  if (!sar_is_auto(formulation)) return try_integrators(p, formulation, integrator, c);
  for (int k = 0; sar_formulation(k); k++)
    if (sar_formulation(k)->tried & kind)
      SAR_TRY(try_integrators(p, sar_formulation(k)->name, integrator, c));
  return SAR_OK;
}

// ---- the verdict --------------------------------------------------------------------------------

// Nothing was tried: what was asked for does not fit the model, and sar_sim_new says why.
static SarStatus refuse(const SarTrialPlan* p, SarError* err) {
  SarData* d = NULL;
  SarSim* s = NULL;
  SarSimOptions o = p->o;
  o.integrator = integrator_wish(p->m, &p->o);
  SarStatus st = sar_data_new(p->m, &d, err);
  if (st == SAR_OK) st = sar_sim_new(p->m, d, &o, &s, err);
  sar_sim_free(s);
  sar_data_free(d);
  return st == SAR_OK ? SAR_NOT_OFFERED : st;
}

static SarStatus decide(const SarTrialPlan* p, double deadline, SarChoice* c, SarError* err) {
  int fastest;
  c->chosen = sar_trial_pick(c->trial, c->count, deadline, p->accuracy, &fastest);
  if (c->chosen >= 0) {
    sar_trial_words(c, p->accuracy, c->reason, sizeof c->reason);
    return SAR_OK;
  }
  if (c->count == 0) return refuse(p, err);
  if (c->chosen == SAR_PICK_NONE) {
    sar_report(err, (SarLoc){0}, "take a smaller step",
               "%s with %s does not get through %d steps of %g s%s", c->trial[0].formulation,
               c->trial[0].integrator, c->steps, c->step,
               c->count > 1 ? ", nor does any other formulation" : "");
    return SAR_NOT_CONVERGED;
  }
  const SarTrial* t = &c->trial[fastest];
  sar_report(err, (SarLoc){0}, "take a longer step, a later deadline or less accuracy",
             "nothing that is accurate enough makes a step of %g s within %.3g us: the fastest, %s "
             "with %s, needs %.3g us at worst",
             c->step, 1e6 * deadline, t->formulation, t->integrator, 1e6 * t->worst);
  return SAR_NOT_OFFERED;
}

static bool is_valid(const char* name, double value, SarError* err) {
  if (value >= 0 && isfinite(value)) return true;
  sar_report(err, (SarLoc){0}, "", "%s is %g: expected a positive number", name, value);
  return false;
}

static bool takes_contact(const SarFormulation* f) { return f->can & SAR_CAN_CONTACT; }

static SarStatus choose(SarTrialPlan* p, double deadline, double accuracy, SarChoice* out,
                        SarError* err) {
  if (sar_has_contact(p->m)) {
    char names[80], hint[160];
    sar_formulation_names(names, sizeof names, "", takes_contact);
    sar_snprintf(hint, sizeof hint, "name formulation %s, and give it a budget of time", names);
    sar_report(err, (SarLoc){0}, hint,
               "there is nothing to choose from: contact and motors need impulses");
    return SAR_NOT_OFFERED;
  }
  const bool good = is_valid("deadline", deadline, err);
  if (!is_valid("accuracy", accuracy, err) || !good) return SAR_BAD_ARGUMENT;
  p->accuracy = accuracy > 0 ? accuracy : ACCURACY;
  p->o.adaptive = SAR_STEPS_FIXED;
  SarStatus st = sar_trial_begin(p, err);
  out->step = p->step;
  out->steps = p->steps;
  if (st == SAR_OK) st = try_all(p, out);
  if (st == SAR_OK) st = decide(p, deadline, out, err);
  sar_trial_end(p);
  return st;
}

SAR_API SarStatus sar_choose_sized(const SarModel* m, const SarData* d, double deadline,
                                   double accuracy, SarSimOptions* o, SarChoice* out, size_t size,
                                   SarError* err) {
  SAR_GIVEN(m && d && o && out && d->m == m);
  SarTrialPlan p = {.m = m, .d = d};
  SarChoice choice = {.chosen = -1};
  SarStatus st = sar_sim_options_take(o, &p.o, err);
  if (st == SAR_OK) st = choose(&p, deadline, accuracy, &choice, err);
  sar_give(out, size, &choice, sizeof choice);
  if (st != SAR_OK) return st;
  o->formulation = choice.trial[choice.chosen].formulation;
  o->integrator = choice.trial[choice.chosen].integrator;
  o->step = choice.step;
  o->adaptive = SAR_STEPS_FIXED;
  return SAR_OK;
}
